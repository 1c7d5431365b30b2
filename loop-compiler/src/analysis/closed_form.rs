//! Loops whose results compilers compute without executing them.

use std::collections::BTreeSet;

use crate::ir::{
    BinaryOperator, Expression, ExpressionKind, Loop, Node, Statement, Store, UnaryOperator, VariableId,
};

/// Whether a loop only counts: its statements set variables to what does not depend on earlier iterations, or increase
/// integers by polynomials of iterators. LLVM's scalar evolution and gcc's compute what is left after the last iteration, so
/// that one thread is done at once.
pub(crate) fn has_closed_form(node: &Loop) -> bool {
    let mut changed = BTreeSet::new();
    changes(&node.body, &mut changed);
    only_counts(&node.body, &changed)
}

/// The variables that statements change.
fn changes(nodes: &[Node], found: &mut BTreeSet<VariableId>) {
    for node in nodes {
        match node {
            Node::Loop(looped) => changes(&looped.body, found),
            Node::Statement(statement) => drop(found.insert(statement.target.variable)),
            _ => {}
        }
    }
}

fn only_counts(nodes: &[Node], changed: &BTreeSet<VariableId>) -> bool {
    nodes.iter().all(|node| match node {
        Node::Loop(looped) => is_polynomial(&looped.lower, changed) && only_counts(&looped.body, changed),
        Node::Statement(statement) => counts(statement, changed),
        _ => false,
    })
}

fn counts(statement: &Statement, changed: &BTreeSet<VariableId>) -> bool {
    let integer = statement.target.scalar.is_integer();
    let value = &statement.value;
    statement.target.path.is_empty()
        && match &statement.store {
            Store::Assign => is_of_iteration(value, changed),
            Store::Update { operator, computed_in } => {
                let adds = matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract);
                integer && computed_in.is_integer() && adds && is_polynomial(value, changed)
            }
            Store::Reduce { .. } => false,
        }
}

/// Whether a value needs no other iteration.
fn is_of_iteration(value: &Expression, changed: &BTreeSet<VariableId>) -> bool {
    let mut reads_changed = false;
    value.visit_reads(&mut |read| reads_changed |= changed.contains(&read.variable));
    !reads_changed && !calls(value)
}

/// Whether a value calls a function: it might not be left out.
fn calls(value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Call(..) => true,
        ExpressionKind::Unary(_, inner) | ExpressionKind::Cast(inner) => calls(inner),
        ExpressionKind::Binary(_, left, right) => calls(left) || calls(right),
        ExpressionKind::Select(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().any(|part| calls(part))
        }
        ExpressionKind::Read(read) => read.subscripts().any(calls),
        _ => false,
    }
}

/// Whether a value is the same in all iterations, and needs no memory.
fn is_invariant(value: &Expression, changed: &BTreeSet<VariableId>) -> bool {
    let same = |value: &Expression| is_invariant(value, changed);
    match &value.kind {
        ExpressionKind::Integer(_) | ExpressionKind::Float(_) => true,
        ExpressionKind::Read(read) => read.path.is_empty() && !changed.contains(&read.variable),
        ExpressionKind::Unary(_, inner) | ExpressionKind::Cast(inner) => same(inner),
        ExpressionKind::Binary(_, left, right) => same(left) && same(right),
        _ => false,
    }
}

/// Whether an integer is a polynomial of iterators with coefficients that are the same in all iterations.
fn is_polynomial(value: &Expression, changed: &BTreeSet<VariableId>) -> bool {
    use BinaryOperator::{Add, Multiply, Subtract};
    let of = |value: &Expression| is_polynomial(value, changed);
    value.scalar.is_integer()
        && match &value.kind {
            ExpressionKind::Iterator(_) => true,
            ExpressionKind::Cast(inner) | ExpressionKind::Unary(UnaryOperator::Negate, inner) => of(inner),
            ExpressionKind::Binary(Add | Subtract | Multiply, left, right) => of(left) && of(right),
            _ => is_invariant(value, changed),
        }
}
