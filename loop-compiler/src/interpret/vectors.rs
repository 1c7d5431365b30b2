//! What loops over the lanes of a vector count as.

use crate::ir::{
    Expression, ExpressionKind, Loop, LoopAttributes, Mark, Node, Store, walk_into, walk_iteration,
};

/// How many vector operations an execution of a loop is: the statements of its body that compute something, if its iterations
/// are lanes.
pub fn operations(looped: &Loop) -> u64 {
    let LoopAttributes { marks, .. } = &looped.attributes;
    let are_lanes = marks.contains(&Mark::Vectorize) || marks.contains(&Mark::Lanes);
    if looped.attributes.is_simd() || are_lanes { computing(&looped.body) } else { 0 }
}

/// How many tiles an execution of a loop fills by rows, to be read by columns.
pub fn transposed(looped: &Loop) -> u64 {
    match looped.attributes.marks.contains(&Mark::Transposed) {
        true => stores(&looped.body),
        false => 0,
    }
}

fn computing(nodes: &[Node]) -> u64 {
    let computes = |node: &&Node| match node {
        Node::Statement(statement) => match statement.store {
            Store::Assign => computes(&statement.value),
            Store::Update { .. } | Store::Reduce { .. } => true,
        },
        _ => false,
    };
    walk_iteration(nodes).filter(computes).count() as u64
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
    let inside = walk_into(nodes, |node| matches!(node, Node::Loop(_)));
    inside.filter(|node| matches!(node, Node::Statement(_))).count() as u64
}
