//! Where a function uses its variables. A loop whose iterator is declared before it, and read by nobody afterwards, is read
//! as if it declared the iterator; a variable that a region declares may end with it.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    pragmas::Marks,
};

/// Where a function uses its variables.
#[derive(Default)]
pub(super) struct Uses {
    /// The outermost loops that set a variable before each of their iterations: the bytes of each.
    loops: HashMap<Id, Vec<Range<usize>>>,
    /// Variables that are used elsewhere, too.
    elsewhere: HashSet<Id>,
    /// The bytes from the first use of a variable to the last one.
    bytes: HashMap<Id, Range<usize>>,
    /// Names in the lengths of types and in OpenMP's clauses, which the syntax tree does not have as expressions.
    in_text: HashSet<String>,
    /// Whether a label may be reached past the head of a loop.
    jumps: bool,
    /// Whether a function that is called is being added.
    in_called: bool,
}

impl Uses {
    pub fn of(function: &Node, file: &str, marks: &Marks) -> Uses {
        let mut uses = Uses::default();
        uses.add(function, file, &mut Vec::new(), false);
        if let Some(bytes) = function.bytes_in(file) {
            let inside = marks.others.iter().filter(|pragma| bytes.contains(&pragma.end));
            inside.for_each(|pragma| uses.add_clauses(&pragma.text));
        }
        uses
    }

    /// Adds a function whose code may take the place of a call. Nobody uses its variables behind that.
    pub fn add_called(&mut self, function: &Node, file: &str) {
        self.in_called = true;
        self.add(function, file, &mut Vec::new(), false);
        self.end(function);
        self.in_called = false;
    }

    /// Ends what a function declares.
    fn end(&mut self, node: &Node) {
        let is_static = node.storage_class.is_some();
        if matches!(node.kind, Kind::VarDecl | Kind::ParmVarDecl) && !is_static {
            self.bytes.remove(&node.id);
        }
        node.inner.iter().for_each(|child| self.end(child));
    }

    /// Whether nobody uses the value that a region leaves in a variable; of one that a block in the region declares, `ends`,
    /// nobody can come back to use it.
    pub fn is_dead_after(&self, region: &Range<usize>, id: Id, name: &str, ends: bool) -> bool {
        let around = |one: &Range<usize>| one.start < region.start && region.end <= one.end;
        let elsewhere = self.jumps && !ends || self.elsewhere.contains(&id) || self.in_text.contains(name);
        !elsewhere && self.loops.get(&id).is_some_and(|loops| !loops.iter().any(around))
    }

    /// Whether the function uses a variable that a region declares after it.
    pub fn is_used_after(&self, region: &Range<usize>, id: Id, name: &str) -> bool {
        let is_later = |bytes: &Range<usize>| bytes.end > region.end;
        self.jumps || self.in_text.contains(name) || self.bytes.get(&id).is_some_and(is_later)
    }

    /// Whether the function uses a variable, perhaps to set it, before a region; not where it may come from elsewhere.
    pub fn is_used_before(&self, region: &Range<usize>, id: Id) -> bool {
        self.bytes.get(&id).is_some_and(|bytes| bytes.start < region.start)
    }

    /// Whether a label may be reached past the head of a loop.
    pub fn has_jumps(&self) -> bool {
        self.jumps
    }

    /// Whether nothing outside of a region uses a variable.
    pub fn is_used_only_in(&self, region: &Range<usize>, id: Id, name: &str) -> bool {
        let is_inside = |bytes: &Range<usize>| region.start <= bytes.start && bytes.end <= region.end;
        !self.jumps && !self.in_text.contains(name) && self.bytes.get(&id).is_some_and(is_inside)
    }

    /// Whether nothing names a variable but the loops in some `regions`, of which `last` has the last one.
    pub fn is_unused_outside(
        &self,
        regions: &[Range<usize>],
        last: &Range<usize>,
        id: Id,
        name: &str,
    ) -> bool {
        let is_in =
            |one: &Range<usize>, region: &Range<usize>| region.start <= one.start && one.end <= region.end;
        let in_regions = |one: &Range<usize>| regions.iter().any(|region| is_in(one, region));
        let loops = self.loops.get(&id).map_or(&[][..], Vec::as_slice);
        self.is_dead_after(last, id, name, false)
            && loops.iter().all(in_regions)
            && loops.iter().max_by_key(|one| one.start).is_some_and(|one| is_in(one, last))
    }

    /// `set` are the variables that loops around set.
    fn add(&mut self, node: &Node, file: &str, set: &mut Vec<Id>, in_loop: bool) {
        let mut in_loop = in_loop;
        let mut pushed = false;
        match node.kind {
            Kind::DeclRefExpr => {
                let used = node.referenced();
                self.elsewhere.extend(used.filter(|id| !set.contains(id)));
                if let Some(id) = used {
                    let own = node.bytes_in(file).unwrap_or(0..usize::MAX);
                    let bytes = self.bytes.entry(id).or_insert(own.clone());
                    *bytes = bytes.start.min(own.start)..bytes.end.max(own.end);
                }
            }
            Kind::ForStmt => {
                in_loop = true;
                // Loops of functions of headers are around no region.
                let bytes = node.bytes_in(file).or(self.in_called.then_some(0..0));
                if let (Some(id), Some(bytes)) = (set_by(node), bytes)
                    && !set.contains(&id)
                {
                    self.loops.entry(id).or_default().push(bytes);
                    set.push(id);
                    pushed = true;
                }
            }
            Kind::WhileStmt | Kind::DoStmt | Kind::CXXForRangeStmt => in_loop = true,
            Kind::SwitchStmt => in_loop = false,
            Kind::CaseStmt | Kind::DefaultStmt => self.jumps |= in_loop,
            Kind::LabelStmt => self.jumps = true,
            _ => {}
        }
        let types = [&node.of_type, &node.arg_type].into_iter().flatten();
        let declares = matches!(
            node.kind,
            Kind::VarDecl
                | Kind::ParmVarDecl
                | Kind::TypedefDecl
                | Kind::CStyleCastExpr
                | Kind::UnaryExprOrTypeTraitExpr
        );
        for of_type in types.filter(|_| declares) {
            let lengths = of_type.qual_type.split_once('[').map_or("", |(_, lengths)| lengths);
            self.in_text.extend(words(lengths));
        }
        for child in &node.inner {
            self.add(child, file, set, in_loop);
        }
        if pushed {
            set.pop();
        }
    }

    /// The names in a directive of OpenMP, but for those of `private`, whose values do not count.
    fn add_clauses(&mut self, pragma: &str) {
        let mut rest = pragma;
        if words(pragma).nth(1).is_none_or(|word| word != "omp") {
            return;
        }
        while let Some((before, after)) = rest.split_once("private") {
            self.in_text.extend(words(before));
            let whole = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let list = after.trim_start().strip_prefix('(').and_then(|list| list.split_once(')'));
            rest = list.filter(|_| whole).map_or(after, |(_, rest)| rest);
        }
        self.in_text.extend(words(rest));
    }
}

/// The names in a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    parts.filter(|word| word.starts_with(|c: char| !c.is_numeric())).map(String::from)
}

/// The variable that a loop sets first, to a value that does not depend on it.
fn set_by(node: &Node) -> Option<Id> {
    let initial = node.child(0)?.bare();
    let (target, value) = (initial.child(0)?.bare(), initial.child(1)?);
    let id = target.referenced().filter(|_| target.is(Kind::DeclRefExpr))?;
    let assigns = initial.is(Kind::BinaryOperator) && initial.opcode() == "=";
    (assigns && !mentions(value, id)).then_some(id)
}

fn mentions(node: &Node, id: Id) -> bool {
    node.referenced() == Some(id) || node.inner.iter().any(|child| mentions(child, id))
}
