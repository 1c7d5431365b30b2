//! Regions, loops, guards and statements of clang's syntax tree as those of the loop tree.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
};

use clang_ast::{Id, Kind};

use super::{
    Error, Input, SourceRegion,
    ast::{Node, NodeExt},
    pragmas::Marks,
    scope::{Declarations, Locals, body},
    types,
};
use crate::{
    rules::{Rejection, Rule},
    tree::{
        self, Aliasing, BinaryOperator, Declaration, Expression, ExpressionKind, If, Loop, Position,
        Reference, Region, Statement, Storage, Store, UnaryOperator, Variable, VariableId,
    },
    types::Scalar,
};

/// Loops and guards inside each other, so that every later step may be recursive.
const MAX_NESTING: usize = 64;

/// Functions that return memory of its own.
const ALLOCATORS: [&str; 4] = ["malloc", "calloc", "aligned_alloc", "valloc"];

/// Reads all regions of a file.
pub(super) fn regions(
    unit: &Node,
    input: &Input<'_>,
    marks: &Marks,
    text: &[u8],
) -> Result<Vec<SourceRegion>, Error> {
    let file = input.file.to_string_lossy();
    let declarations = Declarations::of(unit);
    let mut functions: Vec<&Node> = declarations.functions.values().copied().collect();
    functions.sort_by_key(|function| function.bytes_in(&file).map(|bytes| bytes.start));
    let mut found = Vec::new();
    for function in functions {
        let (Some(bytes), Some(body)) = (function.bytes_in(&file), body(function)) else { continue };
        let mut places = Vec::new();
        for region in
            marks.regions.iter().filter(|region| bytes.start <= region.start && region.end <= bytes.end)
        {
            let mut statements = Vec::new();
            statements_in(body, &file, region, &mut statements);
            places.push((region.clone(), statements));
        }
        if input.auto {
            let marked: Vec<_> = places.iter().map(|(region, _)| region.clone()).collect();
            loop_nests(body, &file, &marked, &mut places);
        }
        if places.is_empty() {
            continue;
        }
        let locals = Locals::of(function);
        let name = function.name.clone().unwrap_or_default();
        for (bytes, statements) in places {
            if text.get(bytes.clone()).is_none() {
                return Err(Error::SyntaxTree(format!("it has a loop at the bytes {bytes:?}, behind the text")));
            }
            let at = marks.position(first_byte(text, &bytes));
            let reader = Reader::new(&declarations, &locals, input, marks, &file);
            let tree = reader.region(&name, at, &statements);
            found.push(SourceRegion { bytes, at, function: name.clone(), tree });
        }
    }
    Ok(found)
}

/// The line of a region is its pragma's, or its first loop's.
fn first_byte(text: &[u8], bytes: &Range<usize>) -> usize {
    let pragma = text[..bytes.start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let is_pragma = text[pragma..bytes.start].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'#');
    if is_pragma { pragma } else { bytes.start }
}

/// The statements whose text is in a range, outermost first.
fn statements_in<'t>(node: &'t Node, file: &str, range: &Range<usize>, found: &mut Vec<&'t Node>) {
    for child in &node.inner {
        match child.bytes_in(file) {
            Some(bytes) if range.start <= bytes.start && bytes.end <= range.end => found.push(child),
            Some(bytes) if bytes.end <= range.start || range.end <= bytes.start => {}
            _ => statements_in(child, file, range, found),
        }
    }
}

/// The outermost loops outside the marked regions.
fn loop_nests<'t>(
    node: &'t Node,
    file: &str,
    marked: &[Range<usize>],
    found: &mut Vec<(Range<usize>, Vec<&'t Node>)>,
) {
    for child in &node.inner {
        let Some(bytes) = child.bytes_in(file) else { continue };
        if marked.iter().any(|region| region.start <= bytes.start && bytes.end <= region.end) {
            continue;
        }
        let overlaps = marked.iter().any(|region| region.start < bytes.end && bytes.start < region.end);
        // A macro may hold more than the loop: its text is not ours to replace.
        let whole =
            child.range.as_ref().is_some_and(|range| range.end.spelling_loc == range.end.expansion_loc);
        if child.is(Kind::ForStmt) && !overlaps && whole {
            found.push((bytes, vec![child]));
        } else {
            loop_nests(child, file, marked, found);
        }
    }
}

/// An array as a whole: a variable and the members on the way.
type ArrayKey = (VariableId, Vec<String>);

/// Reads one region.
pub(super) struct Reader<'r, 't> {
    pub(super) declarations: &'r Declarations<'t>,
    locals: &'r Locals<'t>,
    input: &'r Input<'r>,
    marks: &'r Marks,
    file: &'r str,
    region: Region,
    variables: HashMap<Id, VariableId>,
    /// Iterators of the loops around, outermost first.
    pub(super) iterators: Vec<VariableId>,
    /// Variables that are the iterator of some loop and not declared by it.
    outer_iterators: BTreeSet<VariableId>,
    /// Levels of expressions and of loops around.
    pub(super) depth: usize,
    nesting: usize,
    /// Loops around since the innermost `switch`-like construct: where `break` may stand.
    writes: BTreeMap<ArrayKey, Position>,
    reads: BTreeMap<ArrayKey, Position>,
    /// Members that are pointers.
    pointers: BTreeSet<ArrayKey>,
}

impl<'r, 't> Reader<'r, 't> {
    fn new(
        declarations: &'r Declarations<'t>,
        locals: &'r Locals<'t>,
        input: &'r Input<'r>,
        marks: &'r Marks,
        file: &'r str,
    ) -> Self {
        Reader {
            declarations,
            locals,
            input,
            marks,
            file,
            region: Region::default(),
            variables: HashMap::new(),
            iterators: Vec::new(),
            outer_iterators: BTreeSet::new(),
            depth: 0,
            nesting: 0,
            writes: BTreeMap::new(),
            reads: BTreeMap::new(),
            pointers: BTreeSet::new(),
        }
    }

    fn region(mut self, function: &str, at: Position, statements: &[&Node]) -> Result<Region, Rejection> {
        self.region.function = function.into();
        self.region.at = at;
        self.region.body = self.sequence(statements)?;
        self.check_iterators()?;
        self.region.overlaps = self.overlaps();
        Ok(self.region)
    }

    /// A loop's iterator is an ordinary variable outside the loop; nothing else may use it there.
    fn check_iterators(&self) -> Result<(), Rejection> {
        for id in &self.outer_iterators {
            let key = (*id, Vec::new());
            if let Some(at) = self.reads.get(&key).or_else(|| self.writes.get(&key)) {
                let name = &self.region.variable(*id).name;
                return Err(Rejection::new(
                    Rule::Model,
                    *at,
                    format!("the iterator `{name}` is used outside its loop"),
                ));
            }
        }
        Ok(())
    }

    /// Pairs of arrays of which one is written and that may share memory, by the rule of `docs/loops.md`.
    fn overlaps(&self) -> Vec<(String, String)> {
        if self.input.assume_distinct {
            return Vec::new();
        }
        let mut pairs = Vec::new();
        let keys: BTreeSet<&ArrayKey> = self.writes.keys().chain(self.reads.keys()).collect();
        let keys: Vec<_> = keys.into_iter().collect();
        for (index, first) in keys.iter().enumerate() {
            for second in &keys[index + 1..] {
                let written = self.writes.contains_key(first) || self.writes.contains_key(second);
                // Members of one structure are apart, unless they are pointers.
                let apart =
                    first.0 == second.0 && !(self.pointers.contains(first) && self.pointers.contains(second));
                if written && !apart && self.is_shared(first) && self.is_shared(second) {
                    pairs.push((self.array_name(first), self.array_name(second)));
                }
            }
        }
        for key in self.writes.keys() {
            if self.region.variable(key.0).aliasing == Aliasing::Rows {
                let name = self.array_name(key);
                pairs.push((format!("{name}[i]"), format!("{name}[j]")));
            }
        }
        pairs
    }

    fn is_shared(&self, key: &ArrayKey) -> bool {
        self.pointers.contains(key) || self.region.variable(key.0).aliasing != Aliasing::Distinct
    }

    fn array_name(&self, key: &ArrayKey) -> String {
        std::iter::once(self.region.variable(key.0).name.clone())
            .chain(key.1.iter().cloned())
            .collect::<Vec<_>>()
            .join(".")
    }

    pub(super) fn note_read(&mut self, reference: &Reference) {
        self.reads.entry(array_key(reference)).or_insert(reference.at);
    }

    fn note_write(&mut self, reference: &Reference) {
        self.writes.entry(array_key(reference)).or_insert(reference.at);
    }

    /// A pointer is loaded: from a variable, or from a member.
    pub(super) fn note_pointer(&mut self, pointer: &Reference) {
        if pointer.members().next().is_some() {
            self.pointers.insert(array_key(pointer));
        }
    }

    /// The variable that a name stands for.
    pub(super) fn variable(&mut self, node: &Node) -> Result<VariableId, Rejection> {
        let Some(decl) = &node.referenced_decl else {
            return self.model(node, "a name without its declaration");
        };
        if let Some(id) = self.variables.get(&decl.id) {
            return Ok(*id);
        }
        let name = decl.name.clone().unwrap_or_default();
        let local = self.locals.variables.get(&decl.id).copied();
        let Some(declared) = local.or_else(|| self.declarations.globals.get(&decl.id).copied()) else {
            return self.model(node, format!("`{name}` is not a variable of this function or file"));
        };
        let variable = self.described(declared, &name, local.is_some())?;
        let id = self.region.add(variable);
        self.variables.insert(decl.id, id);
        Ok(id)
    }

    fn described(&mut self, declared: &Node, name: &str, local: bool) -> Result<Variable, Rejection> {
        let type_name = declared.type_name();
        let Some(shape) = types::shape(type_name) else {
            return self.model(declared, format!("`{name}` has the type `{type_name}`"));
        };
        if shape.volatile {
            return self.model(declared, format!("`{name}` is volatile or atomic: `{type_name}`"));
        }
        if type_name.contains('&') {
            return self.model(declared, format!("`{name}` is a reference"));
        }
        let parameter = self.locals.parameters.contains(&declared.id);
        let is_static = declared.storage_class.as_deref() == Some("static");
        let address_taken = self.locals.address_taken.contains(&declared.id);
        let storage = match (local && !is_static, shape.pointers > 0, parameter) {
            (false, ..) => Storage::Global,
            (true, true, true) => Storage::Parameter,
            (true, true, false) => Storage::Pointer,
            (true, false, _) => Storage::Local,
        };
        let owns = shape.restrict
            || storage == Storage::Pointer
                && !self.locals.assigned.contains(&declared.id)
                && is_allocated(declared);
        let aliasing = match storage {
            _ if shape.pointers > 1 => Aliasing::Rows,
            _ if owns => Aliasing::Distinct,
            Storage::Local | Storage::Region if !address_taken => Aliasing::Distinct,
            _ => Aliasing::Shared,
        };
        let scalar = types::scalar(&shape.element).unwrap_or(Scalar::Integer { bits: 8, signed: false });
        let mut extents = Vec::new();
        for text in &shape.extents {
            extents.push(text.and_then(|text| self.extent(text)));
        }
        let written = declared.of_type.as_ref().map_or(type_name, |of_type| of_type.qual_type.as_str());
        Ok(Variable { name: name.into(), scalar, declared_type: written.into(), extents, storage, aliasing })
    }

    /// An extent that is a number or the name of a variable; others are not needed.
    fn extent(&mut self, text: &str) -> Option<Expression> {
        if let Ok(number) = text.parse::<i128>() {
            return Some(Expression::integer(number, Scalar::LONG));
        }
        let declared =
            self.locals.variables.values().find(|declared| declared.name.as_deref() == Some(text))?;
        let scalar = types::scalar(declared.type_name()).filter(|scalar| scalar.is_integer())?;
        let id = match self.variables.get(&declared.id) {
            Some(id) => *id,
            None => {
                let variable = self.described(declared, text, true).ok()?;
                let id = self.region.add(variable);
                self.variables.insert(declared.id, id);
                id
            }
        };
        let reference = Reference { variable: id, path: Vec::new(), scalar, at: Position::default() };
        Some(Expression { kind: ExpressionKind::Read(reference), scalar })
    }

    /// Statements one after the other.
    fn sequence(&mut self, nodes: &[&Node]) -> Result<Vec<tree::Node>, Rejection> {
        let mut out = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            if let Some(condition) = skips_the_rest(node) {
                // `if (c) continue; rest` is `if (c) {} else { rest }`.
                let at = self.at(node);
                let condition = self.expression(condition)?;
                let otherwise = self.nested(node, |reader| reader.sequence(&nodes[index + 1..]))?;
                out.push(tree::Node::If(If { condition, then: Vec::new(), otherwise, at }));
                break;
            }
            self.statement(node, &mut out)?;
        }
        Ok(out)
    }

    /// One level deeper.
    fn nested<T>(
        &mut self,
        node: &Node,
        read: impl FnOnce(&mut Self) -> Result<T, Rejection>,
    ) -> Result<T, Rejection> {
        if self.nesting >= MAX_NESTING {
            let reason = format!("more than {MAX_NESTING} loops and guards inside each other");
            return Err(Rejection::new(Rule::Limits, self.at(node), reason));
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    fn children(node: &Node) -> Vec<&Node> {
        node.inner.iter().filter(|child| !child.is(Kind::null)).collect()
    }

    /// The statements of a loop's or a guard's body.
    fn body_of(&mut self, node: Option<&Node>) -> Result<Vec<tree::Node>, Rejection> {
        let Some(node) = node else { return Ok(Vec::new()) };
        self.nested(node, |reader| match node.kind {
            Kind::CompoundStmt => reader.sequence(&Self::children(node)),
            _ => reader.sequence(&[node]),
        })
    }

    fn statement(&mut self, node: &Node, out: &mut Vec<tree::Node>) -> Result<(), Rejection> {
        let node = node.bare();
        let at = self.at(node);
        match node.kind {
            Kind::NullStmt => {}
            Kind::CompoundStmt => {
                let body = self.nested(node, |reader| reader.sequence(&Self::children(node)))?;
                out.extend(body);
            }
            Kind::AttributedStmt => {
                let Some(inner) = node.inner.last() else { return Ok(()) };
                self.nested(node, |reader| reader.statement(inner, out))?;
            }
            Kind::DeclStmt => {
                for declared in &node.inner {
                    self.declaration(declared, out)?;
                }
            }
            Kind::ForStmt => {
                let looped = self.nested(node, |reader| reader.for_loop(node))?;
                out.push(tree::Node::Loop(looped));
            }
            Kind::IfStmt => {
                if node.has_init || node.has_var {
                    return self.model(node, "a declaration in an `if`");
                }
                let Some(condition) = node.child(0) else {
                    return self.model(node, "an `if` without a condition");
                };
                let condition = self.expression(condition)?;
                let then = self.body_of(node.child(1))?;
                let otherwise = if node.has_else { self.body_of(node.child(2))? } else { Vec::new() };
                out.push(tree::Node::If(If { condition, then, otherwise, at }));
            }
            Kind::BreakStmt => out.push(tree::Node::Break(at)),
            Kind::DoStmt => {
                let [Some(inner), Some(condition)] = [node.child(0), node.child(1)] else {
                    return self.model(node, "a `do` loop");
                };
                let once = self.expression(condition)?.kind == ExpressionKind::Integer(0);
                if !once || leaves(inner) {
                    return self.model(node, "a `do` loop; hint: use a `for` loop that counts");
                }
                self.nested(node, |reader| reader.statement(inner, out))?;
            }
            Kind::BinaryOperator if node.opcode() == "=" => self.assignment(node, out)?,
            Kind::BinaryOperator if node.opcode() == "," => {
                for child in Self::children(node) {
                    self.nested(node, |reader| reader.statement(child, out))?;
                }
            }
            Kind::CompoundAssignOperator => {
                let target = self.target(node)?;
                let (Some(symbol), Some(value)) = (node.opcode().strip_suffix('='), node.child(1)) else {
                    return self.model(node, "an assignment without an operator");
                };
                let computed_in =
                    node.computed_in.as_ref().and_then(|name| types::scalar(name.resolved()));
                let (Some(operator), Some(computed_in)) = (BinaryOperator::from_symbol(symbol), computed_in)
                else {
                    return self.model(node, format!("the assignment `{}`", node.opcode()));
                };
                let value = self.expression(value)?;
                self.note_read(&target);
                let store = Store::Update { operator, computed_in };
                out.push(tree::Node::Statement(Statement { target, store, value, at }));
            }
            Kind::UnaryOperator if matches!(node.opcode(), "++" | "--") => {
                let target = self.target(node)?;
                let operator =
                    if node.opcode() == "++" { BinaryOperator::Add } else { BinaryOperator::Subtract };
                // An integer narrower than `int` is promoted, as everywhere.
                let computed_in = match target.scalar {
                    Scalar::Bool => Scalar::INT,
                    Scalar::Integer { bits, .. } if bits < 32 => Scalar::INT,
                    scalar => scalar,
                };
                let value = match computed_in {
                    scalar if scalar.is_float() => Expression { kind: ExpressionKind::Float(1.0), scalar },
                    scalar => Expression::integer(1, scalar),
                };
                self.note_read(&target);
                let store = Store::Update { operator, computed_in };
                out.push(tree::Node::Statement(Statement { target, store, value, at }));
            }
            // `(void) x;` and other expressions that compute nothing.
            Kind::CStyleCastExpr if node.cast_kind.as_deref() == Some("ToVoid") => {
                if let Some(value) = node.child(0) {
                    self.expression(value)?;
                }
            }
            Kind::CallExpr => {
                let callee = node.child(0).map(NodeExt::bare).and_then(|callee| callee.child(0));
                let decl = callee.and_then(|callee| callee.bare().referenced_decl.as_ref());
                let name = decl.and_then(|decl| decl.name.as_deref()).unwrap_or("a function");
                let reason = format!("`{name}` is called for its effects");
                return Err(Rejection::new(Rule::Calls, at, reason));
            }
            Kind::WhileStmt => return self.model(node, "a `while` loop; hint: use a `for` loop that counts"),
            Kind::GotoStmt | Kind::LabelStmt | Kind::IndirectGotoStmt => return self.model(node, "`goto`"),
            Kind::SwitchStmt => return self.model(node, "a `switch`"),
            Kind::ReturnStmt => return self.model(node, "a `return` inside the region"),
            Kind::ContinueStmt => return self.model(node, "a `continue` that is not alone under an `if`"),
            Kind::CXXForRangeStmt => {
                return self.model(node, "a range-based `for`; hint: use a loop that counts");
            }
            kind => return self.model(node, format!("a statement of this kind ({kind:?})")),
        }
        Ok(())
    }

    /// What a store writes.
    fn target(&mut self, node: &Node) -> Result<Reference, Rejection> {
        let Some(target) = node.child(0) else { return self.model(node, "an assignment to nothing") };
        if types::scalar(target.bare().type_name()).is_none() {
            let name = target.bare().type_name();
            return match name.contains('*') {
                true => self.model(node, "a pointer that walks; hint: use subscripts"),
                false => self.model(node, format!("a store of a whole `{name}`; hint: store its members")),
            };
        }
        let reference = self.reference(target)?;
        if self.iterators.contains(&reference.variable) {
            let name = &self.region.variable(reference.variable).name;
            return self.model(node, format!("the loop's iterator `{name}` is changed in its body"));
        }
        self.note_write(&reference);
        Ok(reference)
    }

    /// `a = b = e` stores twice, from the right.
    fn assignment(&mut self, node: &Node, out: &mut Vec<tree::Node>) -> Result<(), Rejection> {
        let at = self.at(node);
        let Some(value) = node.child(1) else { return self.model(node, "an assignment of nothing") };
        let mut inner = value;
        let mut casts = Vec::new();
        while inner.is(Kind::ImplicitCastExpr) || inner.is(Kind::ParenExpr) {
            if inner.is(Kind::ImplicitCastExpr) {
                casts.push(types::scalar(inner.type_name()));
            }
            match inner.child(0) {
                Some(child) => inner = child,
                None => break,
            }
        }
        let value = if inner.is(Kind::BinaryOperator) && inner.opcode() == "=" {
            self.nested(node, |reader| reader.assignment(inner, out))?;
            let Some(tree::Node::Statement(first)) = out.last() else {
                return self.model(node, "a chain of assignments");
            };
            let first = first.target.clone();
            self.note_read(&first);
            let mut value = Expression { scalar: first.scalar, kind: ExpressionKind::Read(first) };
            for scalar in casts.into_iter().rev().flatten() {
                if scalar != value.scalar {
                    value = Expression { kind: ExpressionKind::Cast(Box::new(value)), scalar };
                }
            }
            value
        } else {
            self.expression(value)?
        };
        let target = self.target(node)?;
        out.push(tree::Node::Statement(Statement { target, store: Store::Assign, value, at }));
        Ok(())
    }

    fn declaration(&mut self, declared: &Node, out: &mut Vec<tree::Node>) -> Result<(), Rejection> {
        if !declared.is(Kind::VarDecl) {
            // Types, and what declares no memory.
            return match declared.kind {
                Kind::TypedefDecl
                | Kind::RecordDecl
                | Kind::EnumDecl
                | Kind::StaticAssertDecl
                | Kind::EmptyDecl => Ok(()),
                kind => self.model(declared, format!("a declaration of this kind ({kind:?})")),
            };
        }
        if declared.storage_class.as_deref() == Some("static") {
            return self.model(declared, "a static variable inside the region; hint: declare it before");
        }
        let name = declared.name.clone().unwrap_or_default();
        let initial = declared.init.as_ref().and_then(|_| declared.inner.last());
        if let Some(list) = initial.map(NodeExt::bare).filter(|initial| initial.is(Kind::InitListExpr)) {
            return self
                .model(list, "an array with initial values inside the region; hint: store them in a loop");
        }
        let mut variable = self.described(declared, &name, true)?;
        if variable.storage != Storage::Local {
            return self
                .model(declared, format!("`{name}` is a pointer that the region sets; hint: set it before"));
        }
        if types::scalar(&types::shape(declared.type_name()).map_or(String::new(), |shape| shape.element))
            .is_none()
        {
            return self.model(declared, format!("`{name}` is a structure that the region declares"));
        }
        variable.storage = Storage::Region;
        variable.name = self.fresh_name(&name, declared.id);
        let value = match initial {
            Some(value) => Some(self.expression(value)?),
            None => None,
        };
        let id = self.region.add(variable);
        self.variables.insert(declared.id, id);
        out.push(tree::Node::Declaration(Declaration { variable: id, value, at: self.at(declared) }));
        Ok(())
    }

    /// A name that no other variable of the region has: blocks are not kept, and could hold the same name twice.
    fn fresh_name(&self, name: &str, id: Id) -> String {
        let taken = |candidate: &str| self.region.variables.iter().any(|variable| variable.name == candidate);
        let mut others = self.locals.variables.iter().chain(&self.declarations.globals);
        let shadows = others.any(|(other, declared)| *other != id && declared.name.as_deref() == Some(name));
        if !taken(name) && !shadows {
            return name.into();
        }
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        numbered
            .into_iter()
            .find(|candidate| !taken(candidate) && !self.locals.names.contains(candidate))
            .expect("there are more numbers than names")
    }

    fn for_loop(&mut self, node: &Node) -> Result<Loop, Rejection> {
        let at = self.at(node);
        let Some(initial) = node.child(0) else {
            return self.model(node, "a loop without an initial value; hint: write `for (int i = 0; …)`");
        };
        let initial = initial.bare();
        let (iterator, declares, lower, id) = match initial.kind {
            Kind::DeclStmt => {
                let [declared] = &initial.inner[..] else {
                    return self.model(node, "a loop that declares more than its iterator");
                };
                let Some(value) = declared.init.as_ref().and_then(|_| declared.inner.last()) else {
                    return self.model(node, "a loop without an initial value");
                };
                let lower = self.expression(value)?;
                let name = declared.name.clone().unwrap_or_default();
                let mut variable = self.described(declared, &name, true)?;
                variable.storage = Storage::Region;
                (self.region.add(variable), true, lower, declared.id)
            }
            Kind::BinaryOperator if initial.opcode() == "=" => {
                let (Some(name), Some(value)) = (initial.child(0), initial.child(1)) else {
                    return self.model(node, "a loop without an initial value");
                };
                let name = name.bare();
                let Some(decl) = name.referenced_decl.as_ref().filter(|_| name.is(Kind::DeclRefExpr))
                else {
                    return self.model(node, "a loop whose iterator is no variable");
                };
                let lower = self.expression(value)?;
                (self.variable(name)?, false, lower, decl.id)
            }
            _ => return self.model(node, "a loop that sets more than its iterator"),
        };
        self.check_iterator(node, iterator, id)?;
        let (Some(condition), Some(step)) = (node.child(2), node.child(3)) else {
            return self.model(node, "a loop without a condition or a step");
        };
        if !declares {
            self.outer_iterators.insert(iterator);
        }
        self.variables.insert(id, iterator);
        self.iterators.push(iterator);
        let condition = self.expression(condition);
        let step = condition.and_then(|condition| Ok((condition, self.step(step, iterator)?)));
        let looped = step.and_then(|(condition, step)| {
            self.check_condition(node, &condition, iterator)?;
            let before = self.writes.clone();
            self.writes.clear();
            let body = self.body_of(node.child(4));
            let written = std::mem::replace(&mut self.writes, before);
            let body = body?;
            self.check_invariant(&condition, &written)?;
            for (key, at) in written {
                self.writes.entry(key).or_insert(at);
            }
            let directives = self.directives(node);
            let parallel = directives.iter().any(|directive| is_parallel(directive));
            Ok(Loop { iterator, declares, lower, condition, step, parallel, directives, body, at })
        });
        self.iterators.pop();
        looped
    }

    fn check_iterator(&self, node: &Node, iterator: VariableId, id: Id) -> Result<(), Rejection> {
        let variable = self.region.variable(iterator);
        let name = &variable.name;
        let fits =
            matches!(variable.scalar, Scalar::Integer { bits: 32.., .. }) && variable.extents.is_empty();
        if !fits {
            return self.model(node, format!("the iterator `{name}` is no `int` or wider integer"));
        }
        if self.iterators.contains(&iterator) {
            return self.model(node, format!("two loops inside each other use the iterator `{name}`"));
        }
        if self.locals.address_taken.contains(&id) || variable.storage == Storage::Global {
            return self.model(
                node,
                format!("the iterator `{name}` may be changed from elsewhere; hint: declare it in the loop"),
            );
        }
        Ok(())
    }

    /// The constant that a loop adds to its iterator.
    fn step(&mut self, node: &Node, iterator: VariableId) -> Result<Expression, Rejection> {
        let node = node.bare();
        let scalar = self.region.variable(iterator).scalar;
        let target = node.child(0).map(NodeExt::bare).and_then(|target| target.referenced_decl.as_ref());
        let is_iterator = target.is_some_and(|decl| self.variables.get(&decl.id) == Some(&iterator));
        let constant = match (node.kind, node.opcode()) {
            _ if !is_iterator => None,
            (Kind::UnaryOperator, "++") => Some(1),
            (Kind::UnaryOperator, "--") => Some(-1),
            (Kind::CompoundAssignOperator, "+=" | "-=") => {
                let value = node.child(1).map(|value| self.expression(value)).transpose()?;
                let value = value.and_then(|value| constant(&value));
                if node.opcode() == "+=" { value } else { value.map(|value| -value) }
            }
            (Kind::BinaryOperator, "=") => {
                let value = node.child(1).map(|value| self.expression(value)).transpose()?;
                value.and_then(|value| added(&value, iterator))
            }
            _ => None,
        };
        match constant {
            Some(step) if step != 0 => Ok(Expression::integer(step, scalar)),
            _ => self.model(node, "a loop whose step is no constant; hint: write `i++` or `i += 4`"),
        }
    }

    /// The condition compares the iterator, possibly several times.
    fn check_condition(
        &self,
        node: &Node,
        condition: &Expression,
        iterator: VariableId,
    ) -> Result<(), Rejection> {
        match &condition.kind {
            ExpressionKind::Binary(BinaryOperator::LogicalAnd, left, right) => {
                self.check_condition(node, left, iterator)?;
                self.check_condition(node, right, iterator)
            }
            ExpressionKind::Binary(operator, left, right)
                if operator.is_comparison()
                    && *operator != BinaryOperator::Equal
                    && mentions(left, iterator) != mentions(right, iterator) =>
            {
                Ok(())
            }
            _ => {
                self.model(node, "a loop's condition that does not compare its iterator; hint: write `i < n`")
            }
        }
    }

    /// What a loop's condition reads must stay as it is.
    fn check_invariant(
        &self,
        condition: &Expression,
        written: &BTreeMap<ArrayKey, Position>,
    ) -> Result<(), Rejection> {
        let mut changed = None;
        condition.visit_reads(&mut |reference| {
            let key = array_key(reference);
            if let Some(at) = written.get(&key) {
                changed = changed.take().or(Some((self.array_name(&key), *at)));
            }
        });
        match changed {
            Some((name, at)) => Err(Rejection::new(
                Rule::Model,
                at,
                format!("`{name}`, which bounds the loop, is changed in its body"),
            )),
            None => Ok(()),
        }
    }

    /// The directives on the lines before a loop.
    fn directives(&self, node: &Node) -> Vec<String> {
        let Some(bytes) = node.bytes_in(self.file) else { return Vec::new() };
        let line = self.marks.position(bytes.start).line;
        let mut directives = Vec::new();
        let mut line = line;
        for pragma in self.marks.others.iter().rev() {
            if self.marks.position(pragma.end).line + 1 == line {
                line = self.marks.position(pragma.end).line;
                directives.push(pragma.text.clone());
            }
        }
        directives.reverse();
        directives
    }
}

/// Whether an OpenMP directive executes the loop's iterations in parallel.
fn is_parallel(directive: &str) -> bool {
    let mut words =
        directive.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.next() == Some("pragma") && words.next() == Some("omp") && {
        let names: Vec<_> = words.by_ref().take_while(|word| is_directive_name(word)).collect();
        names.contains(&"parallel") || names.contains(&"distribute") || names.contains(&"loop")
    }
}

fn is_directive_name(word: &str) -> bool {
    matches!(word, "target" | "teams" | "distribute" | "parallel" | "for" | "simd" | "loop")
}

/// `if (c) continue;`: the condition.
fn skips_the_rest(node: &Node) -> Option<&Node> {
    let continues = |node: &Node| match node.kind {
        Kind::ContinueStmt => true,
        Kind::CompoundStmt => matches!(&node.inner[..], [only] if only.is(Kind::ContinueStmt)),
        _ => false,
    };
    let skips = node.is(Kind::IfStmt) && !node.has_else && node.child(1).is_some_and(continues);
    if skips { node.child(0) } else { None }
}

/// Whether a statement may leave the loop around it.
fn leaves(node: &Node) -> bool {
    matches!(node.kind, Kind::BreakStmt | Kind::ContinueStmt) || node.inner.iter().any(leaves)
}

fn array_key(reference: &Reference) -> ArrayKey {
    (reference.variable, reference.members().map(String::from).collect())
}

/// Whether a pointer's initial value is memory that nothing else points to.
fn is_allocated(declared: &Node) -> bool {
    let Some(mut value) = declared.init.as_ref().and_then(|_| declared.inner.last()) else {
        return false;
    };
    while matches!(value.kind, Kind::ImplicitCastExpr | Kind::CStyleCastExpr | Kind::ParenExpr) {
        match value.child(0) {
            Some(child) => value = child,
            None => return false,
        }
    }
    let callee = value.child(0).map(NodeExt::bare).and_then(|callee| callee.child(0));
    let decl = callee.and_then(|callee| callee.bare().referenced_decl.as_ref());
    value.is(Kind::CallExpr)
        && decl.and_then(|decl| decl.name.as_deref()).is_some_and(|name| ALLOCATORS.contains(&name))
}

/// The value of an expression of constants.
fn constant(value: &Expression) -> Option<i128> {
    match &value.kind {
        ExpressionKind::Integer(value) => Some(*value),
        ExpressionKind::Cast(inner) if value.scalar.is_integer() => constant(inner),
        ExpressionKind::Unary(UnaryOperator::Negate, inner) => constant(inner)?.checked_neg(),
        ExpressionKind::Binary(operator, left, right) => {
            let (left, right) = (constant(left)?, constant(right)?);
            match operator {
                BinaryOperator::Add => left.checked_add(right),
                BinaryOperator::Subtract => left.checked_sub(right),
                BinaryOperator::Multiply => left.checked_mul(right),
                BinaryOperator::Divide => left.checked_div(right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What `i + c`, `c + i` or `i - c` adds to the iterator.
fn added(value: &Expression, iterator: VariableId) -> Option<i128> {
    let is_iterator = |value: &Expression| value.kind == ExpressionKind::Iterator(iterator);
    match &value.kind {
        ExpressionKind::Cast(inner) => added(inner, iterator),
        ExpressionKind::Binary(BinaryOperator::Add, left, right) if is_iterator(left) => constant(right),
        ExpressionKind::Binary(BinaryOperator::Add, left, right) if is_iterator(right) => constant(left),
        ExpressionKind::Binary(BinaryOperator::Subtract, left, right) if is_iterator(left) => {
            Some(-constant(right)?)
        }
        _ => None,
    }
}

/// Whether an expression uses an iterator.
fn mentions(value: &Expression, iterator: VariableId) -> bool {
    match &value.kind {
        ExpressionKind::Iterator(id) => *id == iterator,
        ExpressionKind::Read(reference) => {
            reference.subscripts().any(|subscript| mentions(subscript, iterator))
        }
        ExpressionKind::Unary(_, inner) | ExpressionKind::Cast(inner) => mentions(inner, iterator),
        ExpressionKind::Binary(_, left, right) => mentions(left, iterator) || mentions(right, iterator),
        ExpressionKind::Select(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().any(|part| mentions(part, iterator))
        }
        ExpressionKind::Call(_, arguments) => arguments.iter().any(|argument| mentions(argument, iterator)),
        _ => false,
    }
}
