//! Nodes and expressions of which loops with copies are made.

use super::{counted::counting, rewrite::combine};
use crate::{
    ir::{
        Expression, ExpressionKind, Node, ReductionOperator, Reference, Statement, Step, Store, VariableId,
        arithmetic::{add, number},
        convert, operators,
        types::Scalar,
    },
    transform,
};

pub(crate) fn read(reference: Reference) -> Expression {
    Expression { scalar: reference.scalar, kind: ExpressionKind::Read(reference) }
}

pub(crate) fn iterated(iterator: VariableId) -> Expression {
    Expression { kind: ExpressionKind::Iterator(iterator), scalar: Scalar::LONG }
}

pub(crate) fn stored(target: Reference, value: Expression) -> Node {
    let (at, value) = (target.at, convert::convert(value, target.scalar));
    Node::Statement(Statement { target, store: Store::Assign, value, at })
}

/// `target operator= value`, atomically.
pub(crate) fn reduced(operator: ReductionOperator, target: Reference, value: Expression) -> Node {
    let (init, at) = (read(target.clone()), target.at);
    Node::Statement(Statement { target, store: Store::Reduce { operator, init }, value, at })
}

/// Loops over the iterators, the first outermost.
pub(crate) fn nest(
    iterators: &[VariableId],
    bounds: impl DoubleEndedIterator<Item = (Expression, Expression)>,
    body: Vec<Node>,
) -> Vec<Node> {
    let outwards = iterators.iter().rev().zip(bounds.rev());
    outwards
        .fold(body, |body, (iterator, (begin, end))| vec![Node::Loop(counting(*iterator, begin, end, body))])
}

/// A nest of so many loops, which are parallel now.
pub(super) fn parallel_nest(mut nodes: Vec<Node>, depth: usize) -> Vec<Node> {
    let mut next = nodes.first_mut();
    for _ in 0..depth {
        let Some(Node::Loop(looped)) = next else { break };
        looped.parallel = true;
        next = looped.body.first_mut();
    }
    nodes
}

/// What combines an element of a copy with that of the target: `copy` is where the copy begins, the iterators are the subscripts
/// inside. If not all elements of the copy are the target's for certain, those that hold the identity are left out.
pub(super) fn combined_cell(
    (operator, target, is_certain): (ReductionOperator, &Reference, bool),
    source: VariableId,
    copy: Vec<Expression>,
    offsets: &[Expression],
    iterators: &[VariableId],
    atomically: bool,
) -> Vec<Node> {
    let inside = iterators.iter().map(|iterator| iterated(*iterator));
    let path = copy.into_iter().chain(inside).map(Step::Index).collect();
    let at = target.at;
    let value = read(Reference { variable: source, path, scalar: target.scalar, at });
    let mut subscripts =
        iterators.iter().zip(offsets).map(|(iterator, offset)| add(iterated(*iterator), offset.clone()));
    let steps = target.path.iter().map(|step| match step {
        Step::Index(_) => Step::Index(subscripts.next().unwrap_or_else(|| number(0))),
        member => member.clone(),
    });
    let target = Reference { path: steps.collect(), ..target.clone() };
    let body = vec![match atomically {
        true => reduced(operator, target, value.clone()),
        false => combine(operator, target, value.clone(), at),
    }];
    match is_certain {
        true => body,
        false => transform::where_executed(operators::changes(operator, value), body, at),
    }
}
