//! A loop that ends early in several places, each with what it has found, as one that ends in one place: a search.
//!
//! `if (c) { r = 1; break; } if (d) { r = 2; break; }` is `if (c || d) { r = c ? 1 : 2; break; }`.

use crate::ir::{
    BinaryOperator, Expression, ExpressionKind, If, Node, Reference, Statement, Store,
    compare::same_reference, convert, rewrite, types::Scalar,
};

/// Nodes with one exit in place of adjacent ones that store to the same scalars.
pub(crate) fn with_one_exit(nodes: Vec<Node>) -> Vec<Node> {
    let nodes = rewrite(nodes, &mut |node| {
        vec![match node.map_bodies(adjacent) {
            Node::If(guard) => Node::If(joined_with_other(guard)),
            other => other,
        }]
    });
    adjacent(nodes)
}

/// An exit of a loop: a guard, with what it stores.
fn exit(guard: &If) -> Option<Vec<&Statement>> {
    let [stores @ .., Node::Break(_)] = &guard.then[..] else { return None };
    let stores: Option<Vec<_>> = stores
        .iter()
        .map(|node| match node {
            Node::Statement(statement)
                if statement.store == Store::Assign && statement.target.path.is_empty() =>
            {
                Some(statement)
            }
            _ => None,
        })
        .collect();
    stores.filter(|stores| !stores.is_empty())
}

/// `if (c) exit else if (d) exit`.
fn joined_with_other(guard: If) -> If {
    match &guard.otherwise[..] {
        [Node::If(other)] if other.otherwise.is_empty() => joined(&guard, other).unwrap_or(guard),
        _ => guard,
    }
}

/// Exits one behind the other.
fn adjacent(nodes: Vec<Node>) -> Vec<Node> {
    let mut out: Vec<Node> = Vec::new();
    for node in nodes {
        let both = match (out.last(), &node) {
            (Some(Node::If(first)), Node::If(second))
                if first.otherwise.is_empty() && second.otherwise.is_empty() =>
            {
                joined(first, second)
            }
            _ => None,
        };
        match both {
            Some(both) => {
                out.pop();
                out.push(Node::If(both));
            }
            None => out.push(node),
        }
    }
    out
}

fn joined(first: &If, second: &If) -> Option<If> {
    let (stores, others) = (exit(first)?, exit(second)?);
    let reads_target = |value: &Expression| {
        value.reads().iter().any(|read| stores.iter().any(|store| store.target.variable == read.variable))
    };
    let values = stores.iter().chain(&others).map(|store| &store.value);
    if stores.len() != others.len() || values.chain([&first.condition, &second.condition]).any(reads_target) {
        return None;
    }
    let is_same = |first: &Reference, second: &Reference| {
        same_reference(first, second, None) && first.scalar == second.scalar
    };
    let mut then = Vec::new();
    for (store, other) in stores.iter().zip(&others) {
        if !is_same(&other.target, &store.target) {
            return None;
        }
        let value = match other.value == store.value {
            true => store.value.clone(),
            false => convert::select(first.condition.clone(), store.value.clone(), other.value.clone()),
        };
        then.push(Node::Statement(Statement { value, ..(*store).clone() }));
    }
    then.extend(first.then.last().cloned());
    let condition = Expression {
        kind: ExpressionKind::Binary(
            BinaryOperator::LogicalOr,
            Box::new(first.condition.clone()),
            Box::new(second.condition.clone()),
        ),
        scalar: Scalar::INT,
    };
    Some(If { condition, then, otherwise: Vec::new(), at: first.at })
}
