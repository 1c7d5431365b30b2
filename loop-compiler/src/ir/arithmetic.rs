//! Expressions of sizes and subscripts, made with little to read: all are of C's `long`, and constants are folded.

use crate::ir::{
    BinaryOperator, Expression, ExpressionKind, Position, Reference, VariableId, convert, types::Scalar,
};

/// An integer.
pub(crate) fn number(value: i128) -> Expression {
    Expression::integer(value, Scalar::LONG)
}

/// A value converted to `long`.
pub(crate) fn long(value: Expression) -> Expression {
    match value.kind {
        // What was made narrower from a `long`, or is wider than it needs to be.
        ExpressionKind::Cast(inner) if inner.scalar == Scalar::LONG && value.scalar.is_integer() => *inner,
        ExpressionKind::Cast(inner)
            if value.scalar.is_integer()
                && value.scalar.holds_all_of(inner.scalar)
                && inner.scalar.is_integer() =>
        {
            long(*inner)
        }
        kind => convert::convert(Expression { kind, scalar: value.scalar }, Scalar::LONG),
    }
}

/// The value of a scalar variable.
pub(crate) fn value_of(variable: VariableId, scalar: Scalar) -> Expression {
    let reference = Reference { variable, path: Vec::new(), scalar, at: Position::default() };
    Expression { kind: ExpressionKind::Read(reference), scalar }
}

/// The integer that an expression is.
pub(crate) fn constant(value: &Expression) -> Option<i128> {
    match &value.kind {
        ExpressionKind::Integer(value) => Some(*value),
        _ => None,
    }
}

fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    let scalar = if operator.is_comparison() || operator == BinaryOperator::LogicalAnd {
        Scalar::INT
    } else {
        Scalar::LONG
    };
    Expression { kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), scalar }
}

/// A sum without its constant, and the constant.
fn split(value: Expression) -> (Option<Expression>, i128) {
    match value.kind {
        ExpressionKind::Integer(value) => (None, value),
        ExpressionKind::Binary(operator @ (BinaryOperator::Add | BinaryOperator::Subtract), left, right)
            if constant(&right).is_some() =>
        {
            let right = constant(&right).unwrap_or_default();
            let (rest, before) = split(*left);
            (rest, before + if operator == BinaryOperator::Add { right } else { -right })
        }
        kind => (Some(Expression { kind, scalar: value.scalar }), 0),
    }
}

pub(crate) fn add(left: Expression, right: Expression) -> Expression {
    let ((left, first), (right, second)) = (split(long(left)), split(long(right)));
    let sum = match (left, right) {
        (Some(left), Some(right)) => Some(binary(BinaryOperator::Add, left, right)),
        (left, right) => left.or(right),
    };
    with_constant(sum, first + second)
}

/// A difference without the terms that both sides have, if there are such.
pub(crate) fn without_common(left: &Expression, right: &Expression) -> Option<Expression> {
    let (mut added, mut subtracted) = (Vec::new(), Vec::new());
    terms(left, &mut added, &mut subtracted);
    terms(right, &mut subtracted, &mut added);
    let count = added.len();
    added.retain(|term| match subtracted.iter().position(|other| other == term) {
        Some(same) => {
            subtracted.remove(same);
            false
        }
        None => true,
    });
    let sum = || added.iter().copied().cloned().reduce(add).unwrap_or_else(|| number(0));
    (added.len() < count).then(|| subtracted.iter().copied().cloned().fold(sum(), subtract))
}

pub(crate) fn subtract(left: Expression, right: Expression) -> Expression {
    let (left, right) = (long(left), long(right));
    if let Some(rest) = without_common(&left, &right) {
        return rest;
    }
    let ((left, first), (right, second)) = (split(left), split(right));
    let difference = match (left, right) {
        (Some(left), Some(right)) if left == right => None,
        (left, Some(right)) => {
            Some(binary(BinaryOperator::Subtract, left.unwrap_or_else(|| number(0)), right))
        }
        (left, None) => left,
    };
    with_constant(difference, first - second)
}

/// The terms of a sum, and those that are subtracted.
fn terms<'e>(value: &'e Expression, added: &mut Vec<&'e Expression>, subtracted: &mut Vec<&'e Expression>) {
    match &value.kind {
        ExpressionKind::Binary(BinaryOperator::Add, left, right) if value.scalar == Scalar::LONG => {
            terms(left, added, subtracted);
            terms(right, added, subtracted);
        }
        ExpressionKind::Binary(BinaryOperator::Subtract, left, right) if value.scalar == Scalar::LONG => {
            terms(left, added, subtracted);
            terms(right, subtracted, added);
        }
        _ => added.push(value),
    }
}

fn with_constant(value: Option<Expression>, constant: i128) -> Expression {
    match (value, constant) {
        (None, constant) => number(constant),
        (Some(value), 0) => value,
        (Some(value), 1..) => binary(BinaryOperator::Add, value, number(constant)),
        (Some(value), _) => binary(BinaryOperator::Subtract, value, number(-constant)),
    }
}

pub(crate) fn multiply(left: Expression, right: Expression) -> Expression {
    let (left, right) = (long(left), long(right));
    match (constant(&left), constant(&right)) {
        (Some(left), Some(right)) => number(left * right),
        (Some(0), _) | (_, Some(0)) => number(0),
        (Some(1), _) => right,
        (_, Some(1)) => left,
        _ => binary(BinaryOperator::Multiply, left, right),
    }
}

/// Rounded towards zero; the divisor is not 0.
pub(crate) fn divide(left: Expression, right: Expression) -> Expression {
    let (left, right) = (long(left), long(right));
    match (constant(&left), constant(&right)) {
        (Some(left), Some(right)) if right != 0 => number(left / right),
        (_, Some(1)) => left,
        _ => binary(BinaryOperator::Divide, left, right),
    }
}

/// What rounding towards zero leaves; the divisor is not 0.
pub(crate) fn remainder(left: Expression, right: Expression) -> Expression {
    let (left, right) = (long(left), long(right));
    match (constant(&left), constant(&right)) {
        (Some(left), Some(right)) if right != 0 => number(left % right),
        (_, Some(1)) => number(0),
        _ => binary(BinaryOperator::Remainder, left, right),
    }
}

/// `left operator right`, a comparison.
pub(crate) fn compare(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    binary(operator, long(left), long(right))
}

pub(crate) fn and(left: Option<Expression>, right: Option<Expression>) -> Option<Expression> {
    match (left, right) {
        (Some(left), Some(right)) => Some(binary(BinaryOperator::LogicalAnd, left, right)),
        (left, right) => left.or(right),
    }
}

/// Whether one of two conditions holds; the same one is written once.
pub(crate) fn or(left: Expression, right: Expression) -> Expression {
    match left == right {
        true => left,
        false => binary(BinaryOperator::LogicalOr, left, right),
    }
}

/// Whether one of some conditions holds, each of which is tested once.
pub(crate) fn any_of(conditions: impl IntoIterator<Item = Expression>) -> Option<Expression> {
    let mut distinct: Vec<Expression> = Vec::new();
    for condition in conditions {
        if !distinct.contains(&condition) {
            distinct.push(condition);
        }
    }
    distinct.into_iter().reduce(or)
}

pub(crate) fn least(left: Expression, right: Expression) -> Expression {
    chosen(BinaryOperator::Less, left, right)
}

pub(crate) fn greatest(left: Expression, right: Expression) -> Expression {
    chosen(BinaryOperator::Greater, left, right)
}

/// The one of both that stands in the relation to the other.
fn chosen(relation: BinaryOperator, left: Expression, right: Expression) -> Expression {
    let (left, right) = (long(left), long(right));
    let first = |holds| if holds { left.clone() } else { right.clone() };
    match (constant(&left), constant(&right)) {
        (Some(l), Some(r)) => first(if relation == BinaryOperator::Less { l < r } else { l > r }),
        _ if left == right => left,
        _ => convert::select(compare(relation, left.clone(), right.clone()), left, right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_folded() {
        let n = || value_of(VariableId(0), Scalar::INT);
        assert_eq!(add(subtract(n(), number(1)), number(1)), long(n()));
        assert_eq!(subtract(n(), n()), number(0));
        let product = || multiply(n(), n());
        assert_eq!(subtract(add(product(), n()), add(product(), number(2))), subtract(n(), number(2)));
        assert_eq!(divide(add(number(7), number(2)), number(2)), number(4));
        assert_eq!(multiply(n(), number(1)), long(n()));
        assert_eq!(least(number(3), number(5)), number(3));
        assert_eq!(greatest(n(), n()), long(n()));
        assert_eq!(subtract(add(n(), number(1)), number(3)), subtract(n(), number(2)));
    }
}
