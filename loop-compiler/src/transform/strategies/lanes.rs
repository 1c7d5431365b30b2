//! Loops over the lanes of a vector, and how subscripts move from one iteration to the next.

use crate::{
    ir::{
        Aliasing, BinaryOperator, Declaration, Expression, ExpressionKind, Loop, LoopAttributes, LoopId,
        Node, Position, Reference, Region, Statement, Step, Storage, Store, Variable, VariableId,
        arithmetic::{compare, number},
        compare::mentions,
        convert,
        types::Scalar,
    },
    transform::schedule::calls,
};

/// An array of so many lanes, or of several times so many.
pub(super) fn array(region: &mut Region, name: &str, scalar: Scalar, extents: &[i128]) -> VariableId {
    region.add(Variable {
        name: region.unused_name(name),
        scalar,
        declared_type: String::new(),
        extents: extents.iter().map(|count| Some(Expression::integer(*count, Scalar::INT))).collect(),
        storage: Storage::Region,
        aliasing: Aliasing::Distinct,
    })
}

/// A loop over so many lanes.
pub(super) fn each(
    lane: VariableId,
    count: i128,
    attributes: LoopAttributes,
    body: Vec<Node>,
    at: Position,
) -> Node {
    let less = |left: Expression, right: Expression| Expression {
        kind: ExpressionKind::Binary(BinaryOperator::Less, Box::new(left), Box::new(right)),
        scalar: Scalar::INT,
    };
    Node::Loop(Loop {
        id: LoopId::NONE,
        iterator: lane,
        declares: true,
        lower: Expression::integer(0, Scalar::INT),
        condition: less(iterated(lane, Scalar::INT), Expression::integer(count, Scalar::INT)),
        step: Expression::integer(1, Scalar::INT),
        parallel: false,
        attributes,
        body,
        at,
    })
}

/// A loop over chunks of so many iterations each, from the first iteration of another loop to `end`.
pub(super) fn chunks(
    chunk: VariableId,
    scalar: Scalar,
    (lower, end): (&Expression, &Expression),
    count: i128,
    body: Vec<Node>,
    at: Position,
) -> Node {
    Node::Loop(Loop {
        id: LoopId::NONE,
        iterator: chunk,
        declares: true,
        lower: convert::convert(lower.clone(), scalar),
        condition: compare(BinaryOperator::Less, iterated(chunk, scalar), end.clone()),
        step: convert::convert(number(count), scalar),
        parallel: false,
        attributes: LoopAttributes::default(),
        body,
        at,
    })
}

pub(super) fn iterated(iterator: VariableId, scalar: Scalar) -> Expression {
    Expression { kind: ExpressionKind::Iterator(iterator), scalar }
}

/// `first + lane` in the type of the first. It is an iteration of the loop, so that nothing overflows.
pub(super) fn moved(first: &Expression, lane: VariableId) -> Expression {
    let lane = convert::convert(iterated(lane, Scalar::INT), first.scalar);
    Expression {
        kind: ExpressionKind::Binary(BinaryOperator::Add, Box::new(first.clone()), Box::new(lane)),
        scalar: first.scalar,
    }
}

pub(super) fn element(
    array: VariableId,
    subscripts: Vec<Expression>,
    scalar: Scalar,
    at: Position,
) -> Reference {
    let path = subscripts.into_iter().map(Step::Index).collect();
    Reference { variable: array, path, scalar, at }
}

pub(super) fn read(reference: &Reference) -> Expression {
    Expression { kind: ExpressionKind::Read(reference.clone()), scalar: reference.scalar }
}

pub(super) fn assign(target: &Reference, value: Expression) -> Node {
    let value = convert::convert(value, target.scalar);
    Node::Statement(Statement { target: target.clone(), store: Store::Assign, value, at: target.at })
}

pub(super) fn declared(variable: VariableId, value: Expression, at: Position) -> Node {
    Node::Declaration(Declaration { variable, value: Some(value), at })
}

pub(super) fn array_declared(variable: VariableId, at: Position) -> Node {
    Node::Declaration(Declaration { variable, value: None, at })
}

/// By how much a value increases from one iteration of a loop to the next, if that is a known number.
pub(super) fn moves(value: &Expression, iterator: VariableId) -> Option<i128> {
    if !mentions(value, &|id| id == iterator) {
        return Some(0);
    }
    match &value.kind {
        ExpressionKind::Iterator(_) => Some(1),
        ExpressionKind::Read(read) if read.path.is_empty() => Some(1),
        ExpressionKind::Cast(operand) => moves(operand, iterator),
        ExpressionKind::Binary(BinaryOperator::Add, left, right) => {
            Some(moves(left, iterator)? + moves(right, iterator)?)
        }
        ExpressionKind::Binary(BinaryOperator::Subtract, left, right) => {
            Some(moves(left, iterator)? - moves(right, iterator)?)
        }
        _ => None,
    }
}

/// How an element's place moves from one iteration of a loop to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moves {
    /// It stays.
    Not,
    /// To the neighbour.
    ByOne,
    /// Elsewhere.
    Far,
}

/// How the element of a reference moves.
pub(super) fn movement(reference: &Reference, iterator: VariableId) -> Moves {
    let subscripts: Vec<Option<i128>> =
        reference.subscripts().map(|subscript| moves(subscript, iterator)).collect();
    let Some((last, others)) = subscripts.split_last() else { return Moves::Not };
    match (last, others.iter().all(|moves| *moves == Some(0))) {
        (Some(0), true) => Moves::Not,
        (Some(1), true) if reference.members().next().is_none() => Moves::ByOne,
        _ => Moves::Far,
    }
}

/// Whether a loop only stores elements, each of which is the neighbour of the one before, and reads such and others that stay.
pub(crate) fn stores_neighbours(looped: &Loop) -> bool {
    let is_near = |value: &Expression| {
        let mut near = !calls(value);
        value.visit_reads(&mut |read| near &= movement(read, looped.iterator) != Moves::Far);
        near
    };
    looped.body.iter().all(|node| match node {
        Node::Statement(statement) => {
            movement(&statement.target, looped.iterator) == Moves::ByOne && is_near(&statement.value)
        }
        _ => false,
    })
}
