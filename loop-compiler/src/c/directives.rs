//! Loops whose iterations a directive of OpenMP shares among threads, teams or lanes.

use std::{collections::BTreeSet, ops::Range};

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    changes,
    liveness::{has_jumps, is_read_behind, may_leave},
    pragmas::{Marks, Pragma},
    reader::Reader,
    scope::Locals,
    source::LoopDirective,
};
use crate::{
    ir::{
        self, BinaryOperator, Directive, Expression, ExpressionKind, ReductionOperator, Statement, Store,
        UnaryOperator, convert,
    },
    rules::{Rejection, Rule},
};

/// Words of a directive that shares the iterations of a loop.
const SHARES: [&str; 5] = ["for", "simd", "distribute", "loop", "taskloop"];

/// Finds them in a function, and adds the variables that loops with directives change and do not declare.
pub(super) fn find(
    body: &Node,
    locals: &Locals<'_>,
    (marks, file): (&Marks, &str),
    kept: &mut BTreeSet<Id>,
) -> Vec<LoopDirective> {
    let mut search = Search { body, locals, marks, file, kept, around: Vec::new(), found: Vec::new() };
    search.visit(body);
    search.found
}

struct Search<'a, 't> {
    body: &'a Node,
    locals: &'a Locals<'t>,
    marks: &'a Marks,
    file: &'a str,
    kept: &'a mut BTreeSet<Id>,
    /// Directives of what is around, with its bytes.
    around: Vec<(Directive, Range<usize>)>,
    found: Vec<LoopDirective>,
}

impl<'a> Search<'a, '_> {
    fn visit(&mut self, node: &Node) {
        let bytes = node.bytes_in(self.file);
        let own: Vec<&'a Pragma> = match &bytes {
            // A statement begins where its first part does: the outermost one has the directive.
            Some(bytes) if !self.around.iter().any(|(_, around)| around.start == bytes.start) => {
                pragmas_before(self.marks, bytes.start).collect()
            }
            _ => Vec::new(),
        };
        let directives: Vec<Directive> =
            own.iter().filter_map(|pragma| Directive::of(&pragma.text)).collect();
        if let (Kind::ForStmt, Some(bytes), Some(pragma)) = (node.kind, &bytes, own.last())
            && directives.iter().any(|directive| SHARES.iter().any(|word| directive.is(word)))
        {
            self.add(node, bytes, pragma, &directives);
        }
        let depth = self.around.len();
        if let Some(bytes) = bytes {
            self.around.extend(directives.into_iter().map(|directive| (directive, bytes.clone())));
        }
        node.inner.iter().for_each(|child| self.visit(child));
        self.around.truncate(depth);
    }

    fn add(&mut self, node: &Node, bytes: &Range<usize>, pragma: &Pragma, own: &[Directive]) {
        // A directive that makes threads shares what those around have; one that shares iterations has the copies of the
        // parallel region around it.
        let makes_threads = own.iter().any(|one| one.is("parallel"));
        let shares = |directive: &Directive| SHARES.iter().any(|word| directive.is(word));
        let around: Vec<_> = (self.around.iter())
            .filter(|(around, _)| !(shares(around) || makes_threads && around.is("parallel")))
            .collect();
        let parallel = around.iter().find(|(around, _)| around.is("parallel"));
        let declared_from = parallel.map(|(_, bytes)| bytes.start);
        let mut directive = Directive::default();
        for one in around.iter().map(|(around, _)| around).chain(own) {
            directive.name.extend(one.name.clone());
            directive.clauses.extend(one.clauses.clone());
        }
        let start = |id: &Id| {
            let declared = self.locals.variables.get(id)?;
            declared.bytes_in(self.file).map(|bytes| bytes.start)
        };
        let iterators = iterators(node, directive.collapsed().unwrap_or(1));
        let from_outside = |id: &Id| start(id).is_none_or(|start| !bytes.contains(&start));
        let all: BTreeSet<Id> = changes::changed(&[node]).into_iter().filter(from_outside).collect();
        let is_static = |id: &Id| {
            let declared = self.locals.variables.get(id);
            declared.is_none_or(|declared| declared.storage_class.is_some())
        };
        let mut named = BTreeSet::new();
        changes::add_names(node, &mut named);
        let live = named
            .iter()
            .filter(|id| from_outside(id) && is_read_behind(self.body, node, **id, is_static(id)));
        let changed: BTreeSet<Id> = all.difference(&iterators).copied().collect();
        let mut always = Vec::new();
        self.add_always(node.child(4), &mut always);
        always.retain(|(id, _)| changed.contains(id) && !self.is_of_thread(*id));
        let name = |id: &Id| self.locals.variables.get(id).and_then(|declared| declared.name.clone());
        let outside: Vec<(String, usize, bool)> = self
            .locals
            .variables
            .keys()
            .filter_map(|id| Some((name(id)?, start(id)?, is_static(id))))
            .filter(|(_, start, _)| *start < bytes.start)
            .collect();
        let is_own =
            |start: usize, is_static: bool| !is_static && declared_from.is_some_and(|from| start > from);
        let own = outside.iter().filter(|(_, start, is_static)| is_own(*start, *is_static));
        let several = |name: &String| outside.iter().filter(|(other, ..)| other == name).count() > 1;
        self.found.push(LoopDirective {
            at: self.marks.position(bytes.start),
            bytes: bytes.clone(),
            line: self.marks.position(pragma.start).line,
            text: pragma.text.clone(),
            directive,
            changed: changed.iter().filter_map(name).collect(),
            always: always.iter().filter_map(|(id, line)| Some((name(id)?, *line))).collect(),
            named: named.iter().filter(|id| from_outside(id)).filter_map(name).collect(),
            live: live.filter_map(name).collect(),
            has_jumps: has_jumps(self.body),
            threadprivate: self.threadprivate().collect(),
            own: own.map(|(name, ..)| name.clone()).collect(),
            ambiguous: outside.iter().map(|(name, ..)| name).filter(|name| several(name)).cloned().collect(),
        });
        self.kept.extend(changed);
    }
}

impl Search<'_, '_> {
    /// Adds the variables that statements change whenever they are executed; whether what follows is executed, too.
    fn add_always(&self, node: Option<&Node>, found: &mut Vec<(Id, u32)>) -> bool {
        let Some(node) = node else { return true };
        let bytes = node.bytes_in(self.file).unwrap_or_default();
        // What a directive in front of it says is another matter.
        if pragmas_before(self.marks, bytes.start).next().is_some() {
            return !may_leave(node);
        }
        match node.kind {
            Kind::CompoundStmt => node.inner.iter().all(|child| self.add_always(Some(child), found)),
            Kind::ForStmt => {
                self.add_always(node.child(0), found);
                true
            }
            Kind::WhileStmt | Kind::DoStmt => true,
            Kind::IfStmt | Kind::SwitchStmt => !may_leave(node),
            _ if may_leave(node) => false,
            Kind::ConditionalOperator => self.add_always(node.child(0), found),
            Kind::BinaryOperator if matches!(node.opcode(), "&&" | "||") => {
                self.add_always(node.child(0), found)
            }
            _ => {
                let line = self.marks.position(bytes.start).line;
                found.extend(changes::target(node).map(|id| (id, line)));
                node.inner.iter().all(|child| self.add_always(Some(child), found))
            }
        }
    }

    /// The variables of the file of which each thread has its own.
    fn threadprivate(&self) -> impl Iterator<Item = String> {
        let directives = self.marks.others.iter().filter_map(|pragma| Directive::of(&pragma.text));
        let clauses = directives.flat_map(|directive| directive.clauses);
        let lists = clauses.filter(|clause| clause.name == "threadprivate");
        lists.flat_map(|clause| clause.variables().map(String::from).collect::<Vec<_>>())
    }

    /// Whether each thread has its own, or changes of several threads are atomic.
    fn is_of_thread(&self, id: Id) -> bool {
        let Some(declared) = self.locals.variables.get(&id) else { return true };
        let name = declared.name.as_deref().unwrap_or_default();
        declared.tls.is_some()
            || declared.type_name().to_lowercase().contains("atomic")
            || self.threadprivate().any(|other| other == name)
    }
}

/// The iterators of a nest of so many loops.
fn iterators(node: &Node, loops: usize) -> BTreeSet<Id> {
    let (mut found, mut next) = (BTreeSet::new(), Some(node));
    for _ in 0..loops {
        let Some(looped) = next.filter(|node| node.is(Kind::ForStmt)) else { break };
        let initial = looped.child(0).map(NodeExt::bare);
        found.extend(initial.and_then(|initial| match initial.kind {
            Kind::DeclStmt => initial.inner.first().map(|declared| declared.id),
            _ => initial.child(0).and_then(|name| name.bare().referenced()),
        }));
        next = looped.child(4);
        while let Some(block) = next.filter(|node| node.is(Kind::CompoundStmt)) {
            next = block.child(0);
        }
    }
    found
}

/// The directives of OpenMP directly in front of what begins at a byte.
fn pragmas_before(marks: &Marks, start: usize) -> impl Iterator<Item = &Pragma> {
    marks
        .others
        .iter()
        .filter(move |pragma| pragma.next == Some(start) && Directive::of(&pragma.text).is_some())
}

/// Whether a directive makes the stores of what follows it atomic.
pub(super) fn is_atomic(pragma: &Pragma) -> bool {
    let directive = Directive::of(&pragma.text);
    directive.is_some_and(|directive| directive.is("atomic") || directive.is("critical"))
}

impl<'t> Reader<'_, 't> {
    /// The statements of what an `atomic` or `critical` directive stands in front of, if the directives are to be checked: updates,
    /// which threads perform one after the other.
    pub(super) fn atomic(
        &mut self,
        node: &Node,
        statements: Vec<ir::Node>,
    ) -> Result<Vec<ir::Node>, Rejection> {
        let is_checked = self.kept.is_some();
        let Some(bytes) = node.bytes_in(self.file).filter(|_| is_checked) else { return Ok(statements) };
        if !pragmas_before(self.marks, bytes.start).any(is_atomic) {
            return Ok(statements);
        }
        let at = self.at(node);
        let updated = statements.into_iter().map(|statement| match statement {
            ir::Node::Statement(statement) => updated(statement).map(ir::Node::Statement),
            _ => None,
        });
        updated.collect::<Option<_>>().ok_or_else(|| {
            Rejection::new(
                Rule::Annotations,
                at,
                "an atomic or critical statement that is no update such as `x += …`",
            )
        })
    }
}

/// An update as a reduction, which is atomic.
fn updated(statement: Statement) -> Option<Statement> {
    let Store::Update { operator, computed_in } = statement.store else { return None };
    let scalar = statement.target.scalar;
    let exact = computed_in == scalar || computed_in.is_integer() && scalar.is_integer();
    let negated = operator == BinaryOperator::Subtract;
    let operator = match operator {
        BinaryOperator::Add | BinaryOperator::Subtract => ReductionOperator::Add,
        BinaryOperator::Multiply => ReductionOperator::Multiply,
        BinaryOperator::And => ReductionOperator::And,
        BinaryOperator::Or => ReductionOperator::Or,
        BinaryOperator::Xor => ReductionOperator::Xor,
        _ => return None,
    };
    let value = convert::convert(statement.value, scalar);
    let value = match negated {
        true => Expression { scalar, kind: ExpressionKind::Unary(UnaryOperator::Negate, value.into()) },
        false => value,
    };
    let init = Expression { scalar, kind: ExpressionKind::Read(statement.target.clone()) };
    exact.then_some(Statement { store: Store::Reduce { operator, init }, value, ..statement })
}
