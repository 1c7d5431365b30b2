//! How statements change variables: what each iteration of a loop adds to them.

use std::collections::BTreeSet;

use clang_ast::{Id, Kind};

use super::ast::{Node, NodeExt};

/// What is added to a variable, once in each execution of some statements.
#[derive(Debug)]
pub(super) enum Increment<'t> {
    Constant(i128),
    /// A value that is added, or subtracted.
    Value {
        value: &'t Node,
        negative: bool,
    },
    /// What a loop inside adds in each of its iterations.
    Repeated {
        looped: &'t Node,
        by: Vec<Increment<'t>>,
    },
}

/// What an iteration of a loop adds to a variable; none if it sets it in another way, or adds to it under a condition only.
pub(super) fn increments<'t>(iteration: &Iteration<'t>, id: Id) -> Option<Vec<Increment<'t>>> {
    let mut search = Search { id, found: Vec::new(), conditions: 0, skipped: false };
    iteration.body.iter().try_for_each(|statement| search.visit(statement))?;
    search.skipped = false;
    iteration.steps.iter().try_for_each(|statement| search.visit(statement))?;
    Some(search.found)
}

/// What a loop executes in each iteration.
#[derive(Clone, Debug, Default)]
pub(super) struct Iteration<'t> {
    /// `continue` skips the rest of these.
    pub body: Vec<&'t Node>,
    /// And these follow in any case.
    pub steps: Vec<&'t Node>,
}

impl<'t> Iteration<'t> {
    /// The number that each iteration adds to a variable.
    pub fn constant_added(&self, id: Id) -> Option<i128> {
        let constant = |increment: &Increment<'_>| match increment {
            Increment::Constant(value) => Some(*value),
            Increment::Value { value, negative } => {
                let value = constant(value)?;
                Some(if *negative { -value } else { value })
            }
            Increment::Repeated { .. } => None,
        };
        increments(self, id)?.iter().try_fold(0i128, |sum, one| Some(sum + constant(one)?))
    }

    pub fn parts(&self) -> Vec<&'t Node> {
        self.body.iter().chain(&self.steps).copied().collect()
    }

    pub fn of_for(looped: &'t Node) -> Iteration<'t> {
        Iteration {
            body: looped.child(4).into_iter().collect(),
            steps: looped.child(3).into_iter().collect(),
        }
    }
}

impl Increment<'_> {
    /// Adds the names of which it is made, but for iterators of loops inside.
    pub fn add_names(&self, out: &mut BTreeSet<Id>) {
        match self {
            Increment::Constant(_) => {}
            Increment::Value { value, .. } => add_names(value, out),
            Increment::Repeated { looped, by } => {
                let mut names = BTreeSet::new();
                for part in [0, 2, 3].into_iter().filter_map(|index| looped.child(index)) {
                    add_names(part, &mut names);
                }
                let steps: Vec<&Node> = looped.child(3).into_iter().collect();
                let iterators = changed(&steps);
                out.extend(names.difference(&iterators));
                by.iter().for_each(|increment| increment.add_names(out));
            }
        }
    }
}

/// Adds what a part of a program names.
pub(super) fn add_names(node: &Node, out: &mut BTreeSet<Id>) {
    out.extend(node.referenced());
    node.inner.iter().for_each(|child| add_names(child, out));
}

/// The variables that statements change.
pub(super) fn changed(statements: &[&Node]) -> BTreeSet<Id> {
    let mut found = BTreeSet::new();
    statements.iter().for_each(|statement| add_changed(statement, &mut found));
    found
}

fn add_changed(node: &Node, found: &mut BTreeSet<Id>) {
    found.extend(target(node));
    node.inner.iter().for_each(|child| add_changed(child, found));
}

/// The variable that an expression changes by itself.
pub(super) fn target(node: &Node) -> Option<Id> {
    let changes = match node.kind {
        Kind::UnaryOperator => matches!(node.opcode(), "++" | "--"),
        Kind::CompoundAssignOperator => true,
        Kind::BinaryOperator => node.opcode() == "=",
        _ => false,
    };
    let target = node.child(0)?.bare();
    target.referenced().filter(|_| changes && target.is(Kind::DeclRefExpr))
}

/// Whether statements may leave the loop whose body they are before its condition does not hold.
pub(super) fn leaves(statements: &[&Node]) -> bool {
    fn inside(node: &Node, in_loop: bool, in_switch: bool) -> bool {
        match node.kind {
            Kind::BreakStmt => !in_loop && !in_switch,
            Kind::ReturnStmt | Kind::GotoStmt | Kind::IndirectGotoStmt | Kind::StmtExpr => true,
            Kind::ForStmt | Kind::WhileStmt | Kind::DoStmt => {
                node.inner.iter().any(|child| inside(child, true, in_switch))
            }
            Kind::SwitchStmt => node.inner.iter().any(|child| inside(child, in_loop, true)),
            _ => node.inner.iter().any(|child| inside(child, in_loop, in_switch)),
        }
    }
    statements.iter().any(|statement| inside(statement, false, false))
}

struct Search<'t> {
    id: Id,
    found: Vec<Increment<'t>>,
    /// Conditions around.
    conditions: usize,
    /// Whether a `continue` before may skip what follows.
    skipped: bool,
}

impl<'t> Search<'t> {
    fn mentions(&self, node: &Node) -> bool {
        node.referenced() == Some(self.id) || node.inner.iter().any(|child| self.mentions(child))
    }

    fn changes(&self, node: &Node) -> bool {
        target(node) == Some(self.id) || node.inner.iter().any(|child| self.changes(child))
    }

    fn add(&mut self, increment: Increment<'t>) -> Option<()> {
        if self.conditions > 0 || self.skipped {
            return None;
        }
        self.found.push(increment);
        Some(())
    }

    fn under_condition(&mut self, nodes: &'t [Node]) -> Option<()> {
        self.conditions += 1;
        let visited = nodes.iter().try_for_each(|node| self.visit(node));
        self.conditions -= 1;
        visited
    }

    fn visit(&mut self, node: &'t Node) -> Option<()> {
        if target(node) == Some(self.id) {
            return self.change(node);
        }
        let inner = &node.inner;
        match node.kind {
            Kind::IfStmt | Kind::ConditionalOperator | Kind::SwitchStmt => {
                let (condition, branches) = inner.split_first()?;
                self.visit(condition)?;
                self.under_condition(branches)
            }
            Kind::BinaryOperator if matches!(node.opcode(), "&&" | "||") => {
                let (left, right) = inner.split_first()?;
                self.visit(left)?;
                self.under_condition(right)
            }
            Kind::ForStmt => self.repeated(node),
            Kind::WhileStmt | Kind::DoStmt | Kind::CXXForRangeStmt => (!self.changes(node)).then_some(()),
            Kind::ContinueStmt => {
                self.skipped = true;
                Some(())
            }
            Kind::LabelStmt | Kind::GotoStmt | Kind::StmtExpr | Kind::LambdaExpr | Kind::GCCAsmStmt => {
                (!self.mentions(node)).then_some(())?;
                self.skipped |= node.is(Kind::GotoStmt);
                Some(())
            }
            _ => inner.iter().try_for_each(|child| self.visit(child)),
        }
    }

    fn repeated(&mut self, node: &'t Node) -> Option<()> {
        if !self.changes(node) {
            return Some(());
        }
        let head = [0, 2].into_iter().filter_map(|index| node.child(index));
        let iteration = Iteration::of_for(node);
        if head.into_iter().any(|part| self.changes(part)) || leaves(&iteration.body) {
            return None;
        }
        let by = increments(&iteration, self.id)?;
        self.add(Increment::Repeated { looped: node, by })
    }

    /// `v++`, `v -= e`, `v = v + e`.
    fn change(&mut self, node: &'t Node) -> Option<()> {
        let value = node.child(1);
        if value.is_some_and(|value| self.changes(value)) {
            return None;
        }
        match (node.kind, node.opcode()) {
            (Kind::UnaryOperator, "++") => self.add(Increment::Constant(1)),
            (Kind::UnaryOperator, "--") => self.add(Increment::Constant(-1)),
            (Kind::CompoundAssignOperator, "+=" | "-=") => {
                let value = value.filter(|value| !self.mentions(value))?;
                self.add(Increment::Value { value, negative: node.opcode() == "-=" })
            }
            (Kind::BinaryOperator, "=") => {
                let sum = without_casts(value?);
                let (left, right) = (sum.child(0)?, sum.child(1)?);
                let is_own = |side: &Node| without_casts(side).referenced() == Some(self.id);
                let value = match (sum.kind, sum.opcode(), is_own(left), is_own(right)) {
                    (Kind::BinaryOperator, "+" | "-", true, false) => right,
                    (Kind::BinaryOperator, "+", false, true) => left,
                    _ => return None,
                };
                if self.mentions(value) {
                    return None;
                }
                self.add(Increment::Value { value, negative: sum.opcode() == "-" })
            }
            _ => None,
        }
    }
}

/// A node without the casts that C adds.
pub(super) fn without_casts(node: &Node) -> &Node {
    let mut node = node.bare();
    while node.is(Kind::ImplicitCastExpr)
        && let Some(child) = node.child(0)
    {
        node = child.bare();
    }
    node
}

/// The number that an expression is.
pub(super) fn constant(node: &Node) -> Option<i128> {
    let node = without_casts(node);
    match (node.kind, node.opcode()) {
        (Kind::IntegerLiteral, _) => node.value.as_ref()?.as_str()?.parse().ok(),
        (Kind::UnaryOperator, "-") => constant(node.child(0)?).map(|value| -value),
        (Kind::BinaryOperator, "*") => constant(node.child(0)?)?.checked_mul(constant(node.child(1)?)?),
        _ => None,
    }
}

/// Whether a loop is `do … while (0)`: a block.
pub(super) fn is_once(node: &Node) -> bool {
    let condition = node.child(1).filter(|_| node.is(Kind::DoStmt)).map(without_casts);
    condition
        .is_some_and(|condition| condition.value.as_ref().is_some_and(|value| value.as_str() == Some("0")))
}
