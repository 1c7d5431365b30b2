//! Expressions as they are written: without conversions, and whether two are alike.

use crate::ir::{BinaryOperator, Expression, ExpressionKind, Reference, Step, UnaryOperator, VariableId};

/// Without conversions.
pub(crate) fn stripped(mut expression: &Expression) -> &Expression {
    while let ExpressionKind::Cast(inner) = &expression.kind {
        expression = inner;
    }
    expression
}

/// The parts of a condition that all must hold.
pub(crate) fn conjuncts<'e>(condition: &'e Expression, parts: &mut Vec<&'e Expression>) {
    match &condition.kind {
        ExpressionKind::Binary(BinaryOperator::LogicalAnd, left, right) => {
            conjuncts(left, parts);
            conjuncts(right, parts);
        }
        _ => parts.push(condition),
    }
}

/// `<`, `<=`, `>`, `>=` and the sides.
pub(crate) fn comparison(condition: &Expression) -> Option<(BinaryOperator, &Expression, &Expression)> {
    match &stripped(condition).kind {
        ExpressionKind::Binary(relation, left, right)
            if matches!(
                relation,
                BinaryOperator::Less
                    | BinaryOperator::LessEqual
                    | BinaryOperator::Greater
                    | BinaryOperator::GreaterEqual
            ) =>
        {
            Some((*relation, left, right))
        }
        _ => None,
    }
}

/// The comparison with its sides exchanged.
pub(crate) fn mirrored(relation: BinaryOperator) -> BinaryOperator {
    match relation {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessEqual => BinaryOperator::GreaterEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterEqual => BinaryOperator::LessEqual,
        other => other,
    }
}

pub(crate) fn constant(expression: &Expression) -> Option<i128> {
    match &stripped(expression).kind {
        ExpressionKind::Integer(value) => Some(*value),
        ExpressionKind::Unary(UnaryOperator::Negate, inner) => constant(inner).map(|value| -value),
        _ => None,
    }
}

/// Whether two references are written alike.
pub(crate) fn same_reference(
    first: &Reference,
    second: &Reference,
    replaced: Option<(&Reference, &Expression)>,
) -> bool {
    first.variable == second.variable
        && first.path.len() == second.path.len()
        && first.path.iter().zip(&second.path).all(|steps| match steps {
            (Step::Index(first), Step::Index(second)) => same(first, second, replaced),
            (Step::Member(first), Step::Member(second)) => first == second,
            _ => false,
        })
}

/// Whether two expressions are written alike, apart from conversions that lose nothing. In the second, a reference may
/// stand for an expression.
pub(crate) fn same(
    first: &Expression,
    second: &Expression,
    replaced: Option<(&Reference, &Expression)>,
) -> bool {
    let (first, second) = (widened(first), widened(second));
    if let (Some((reference, value)), ExpressionKind::Read(read)) = (replaced, &second.kind)
        && same_reference(reference, read, None)
    {
        return same(first, value, None);
    }
    match (&first.kind, &second.kind) {
        (ExpressionKind::Integer(first), ExpressionKind::Integer(second)) => first == second,
        (ExpressionKind::Float(first), ExpressionKind::Float(second)) => first.to_bits() == second.to_bits(),
        (ExpressionKind::Imaginary(first), ExpressionKind::Imaginary(second)) => {
            first.to_bits() == second.to_bits()
        }
        (ExpressionKind::Iterator(first), ExpressionKind::Iterator(second)) => first == second,
        (ExpressionKind::Read(first), ExpressionKind::Read(second)) => {
            same_reference(first, second, replaced)
        }
        (ExpressionKind::Unary(f, first), ExpressionKind::Unary(s, second)) => {
            f == s && same(first, second, replaced)
        }
        (ExpressionKind::Cast(inner_first), ExpressionKind::Cast(inner_second)) => {
            first.scalar == second.scalar && same(inner_first, inner_second, replaced)
        }
        (ExpressionKind::Binary(f, fl, fr), ExpressionKind::Binary(s, sl, sr)) => {
            f == s && same(fl, sl, replaced) && same(fr, sr, replaced)
        }
        (ExpressionKind::Select(fc, ft, fo), ExpressionKind::Select(sc, st, so)) => {
            same(fc, sc, replaced) && same(ft, st, replaced) && same(fo, so, replaced)
        }
        (ExpressionKind::Call(f, first), ExpressionKind::Call(s, second)) => {
            f == s
                && first.len() == second.len()
                && first.iter().zip(second).all(|(f, s)| same(f, s, replaced))
        }
        _ => false,
    }
}

/// Whether an expression has one of some variables or iterators.
pub(crate) fn mentions(value: &Expression, which: &dyn Fn(VariableId) -> bool) -> bool {
    value.variables().any(which)
}

/// Without conversions that lose nothing.
pub(crate) fn widened(mut expression: &Expression) -> &Expression {
    while let ExpressionKind::Cast(inner) = &expression.kind {
        if !expression.scalar.holds_all_of(inner.scalar) {
            break;
        }
        expression = inner;
    }
    expression
}
