//! A loop that ends early in several places, each with what it has found, as one that ends in one place: a search.
//!
//! `if (c) { r = 1; break; } if (d) { r = 2; break; }` is `if (c || d) { r = c ? 1 : 2; break; }`. A `return` in a loop inside
//! another one sets variables of the iteration, and the outer loop ends where these say that something was found.

use super::nodes::{renamed, uses};
use crate::ir::{
    BinaryOperator, Declaration, Expression, ExpressionKind, If, Node, Position, Reference, Region, Returned,
    Statement, Store, UnaryOperator, VariableId, arithmetic::value_of, compare::same_reference, convert,
    rewrite, types::Scalar, walk,
};

/// The region with variables of an iteration for what loops inside it find, with which the function returns.
pub(crate) fn with_own_findings(region: &mut Region) {
    let Some(returned) = region.returned.clone() else { return };
    // The members of a structure stay together.
    let is_structure = |node: &Node| {
        let target = node.target().filter(|target| Some(target.variable) == returned.value);
        target.is_some_and(|target| !target.path.is_empty())
    };
    if walk(&region.body).any(is_structure) {
        return;
    }
    let body = std::mem::take(&mut region.body);
    region.body = own_findings(body, region, &returned);
}

fn own_findings(nodes: Vec<Node>, region: &mut Region, returned: &Returned) -> Vec<Node> {
    let mut out: Vec<Node> = Vec::new();
    // What follows `if (returned) break; else` follows it as well without the `else`.
    let mut waiting: Vec<Node> = nodes.into_iter().rev().collect();
    while let Some(node) = waiting.pop() {
        match node {
            Node::If(If { condition, then, otherwise, at })
                if is_read(&condition, returned.flag) && matches!(then[..], [Node::Break(_)]) =>
            {
                waiting.extend(otherwise.into_iter().rev());
                let own = with_own(&mut out, region, returned, at);
                out.push(Node::If(own.unwrap_or(If { condition, then, otherwise: Vec::new(), at })));
            }
            node => out.push(node.map_bodies(|body| own_findings(body, region, returned))),
        }
    }
    out
}

/// Gives what the last loop finds variables of its own; the guard behind it.
fn with_own(nodes: &mut Vec<Node>, region: &mut Region, returned: &Returned, at: Position) -> Option<If> {
    let place = nodes.len().checked_sub(1)?;
    let is_search = matches!(&nodes[place], Node::Loop(_)) && uses(&nodes[place..], returned.flag);
    if !is_search {
        return None;
    }
    let mut looped = nodes.split_off(place);
    let mut copied = Vec::new();
    for variable in [Some(returned.flag), returned.value].into_iter().flatten() {
        let described = region.variable(variable);
        let (name, scalar) = (described.name.clone(), described.scalar);
        let own = region.add_scalar(&name, scalar);
        looped = renamed(&looped, variable, own);
        let value = Some(convert::convert(Expression::integer(0, Scalar::INT), scalar));
        nodes.push(Node::Declaration(Declaration { variable: own, value, at }));
        copied.push((variable, own, scalar));
    }
    nodes.extend(looped);
    let condition = value_of(copied[0].1, copied[0].2);
    let mut then: Vec<Node> = copied
        .iter()
        .map(|(variable, own, scalar)| {
            let target = Reference { variable: *variable, path: Vec::new(), scalar: *scalar, at };
            let value = match *variable == returned.flag {
                true => Expression::integer(1, *scalar),
                false => value_of(*own, *scalar),
            };
            Node::Statement(Statement { target, store: Store::Assign, value, at })
        })
        .rev()
        .collect();
    then.push(Node::Break(at));
    Some(If { condition, then, otherwise: Vec::new(), at })
}

fn is_read(condition: &Expression, variable: VariableId) -> bool {
    matches!(&condition.kind, ExpressionKind::Read(read) if read.variable == variable && read.path.is_empty())
}

/// Nodes with one exit in place of adjacent ones that store to the same scalars.
pub(crate) fn with_one_exit(nodes: Vec<Node>) -> Vec<Node> {
    let nodes = rewrite(nodes, &mut |node| {
        vec![match node.map_bodies(adjacent) {
            Node::If(guard) => Node::If(without_outer(joined_with_other(turned(guard)))),
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

/// `if (c) {} else exit` as `if (!c) exit`.
fn turned(guard: If) -> If {
    let is_exit =
        guard.then.is_empty() && matches!(guard.otherwise.last(), Some(Node::Break(_) | Node::If(_)));
    if !is_exit {
        return guard;
    }
    let kind = ExpressionKind::Unary(UnaryOperator::Not, Box::new(guard.condition));
    let condition = Expression { kind, scalar: Scalar::INT };
    If { condition, then: guard.otherwise, otherwise: Vec::new(), at: guard.at }
}

/// `if (c) { if (d) exit }` as `if (c && d) exit`.
fn without_outer(guard: If) -> If {
    match &guard.then[..] {
        [Node::If(inner)]
            if guard.otherwise.is_empty() && inner.otherwise.is_empty() && exit(inner).is_some() =>
        {
            let sides = [guard.condition.clone(), inner.condition.clone()].map(Box::new);
            let [left, right] = sides;
            let kind = ExpressionKind::Binary(BinaryOperator::LogicalAnd, left, right);
            If { condition: Expression { kind, scalar: Scalar::INT }, ..inner.clone() }
        }
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
