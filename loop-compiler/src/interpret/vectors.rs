//! What loops over the lanes of a vector count as.

use crate::annotations::SIMD;
use crate::schedule::{Mark, Schedule};
use crate::tree::{Expression, ExpressionKind, Loop, Node, Store};

/// How many vector operations an execution of a loop is: the statements of its body that compute something, if its iterations
/// are lanes.
pub fn operations(looped: &Loop) -> u64 {
    let has = |mark| Schedule::marks(&looped.directives, mark);
    let is_simd = looped.directives.iter().any(|text| text.starts_with(SIMD));
    if is_simd || has(Mark::Vectorize) || has(Mark::Lanes) { computing(&looped.body) } else { 0 }
}

/// How many tiles an execution of a loop fills by rows, to be read by columns.
pub fn transposed(looped: &Loop) -> u64 {
    match Schedule::marks(&looped.directives, Mark::Transposed) {
        true => stores(&looped.body),
        false => 0,
    }
}

fn computing(nodes: &[Node]) -> u64 {
    let of = |node: &Node| match node {
        Node::If(guard) => computing(&guard.then) + computing(&guard.otherwise),
        Node::Statement(statement) => match statement.store {
            Store::Assign => u64::from(computes(&statement.value)),
            Store::Update { .. } | Store::Reduce { .. } => 1,
        },
        _ => 0,
    };
    nodes.iter().map(of).sum()
}

/// Whether a value is more than one that is read or converted.
fn computes(value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Cast(operand) => computes(operand),
        ExpressionKind::Binary(..)
        | ExpressionKind::Unary(..)
        | ExpressionKind::Select(..)
        | ExpressionKind::Call(..) => true,
        _ => false,
    }
}

fn stores(nodes: &[Node]) -> u64 {
    let of = |node: &Node| match node {
        Node::Loop(inner) => stores(&inner.body),
        Node::Statement(_) => 1,
        _ => 0,
    };
    nodes.iter().map(of).sum()
}
