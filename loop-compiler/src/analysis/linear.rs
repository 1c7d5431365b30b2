//! Subscripts with products of iterators and parameters, read as polynomials.

use crate::{
    analysis::{
        affine::{Case, Names, pieces, signed},
        polynomial::{Linear, Polynomial},
    },
    cost::policy::MONOMIALS,
    ir::{BinaryOperator, Expression, ExpressionKind, UnaryOperator, convert::integer_range, types::Scalar},
    isl::{Affine, Formula, Term},
};

/// An integer as a polynomial. In 64 bits it is computed modulo 2^64, which the element's address is, too; in fewer bits it is in
/// the range of its type.
pub(crate) fn linear(names: &mut dyn Names, expression: &Expression) -> Option<Linear> {
    let cases = pieces(names, expression);
    if let Some([Case { condition: Formula::True, value }]) = cases.as_deref() {
        return Some(Linear { value: Polynomial::of(value), strides: Vec::new() });
    }
    in_type(names, expression).or_else(|| {
        // `w / 2`, which is rounded by its sign.
        let cases = cases.filter(|cases| cases.iter().all(|case| case.value.is_of_parameters()))?;
        let value = Affine::term(Term::Parameter(names.named(expression, &cases)));
        Some(Linear { value: Polynomial::of(&value), strides: Vec::new() })
    })
}

/// What an expression's operands give, if that is in the range of its type.
fn in_type(names: &mut dyn Names, expression: &Expression) -> Option<Linear> {
    let found = modular(names, expression)?;
    let is_in_range = match expression.scalar {
        // Nothing but conditions on sizes is computed in more.
        Scalar::Integer { bits: 128, signed: true } | Scalar::Integer { bits: 64, .. } => true,
        _ if matches!(expression.kind, ExpressionKind::Iterator(_)) => true,
        Scalar::Integer { bits: ..=32, .. } => match (&expression.kind, integer_range(expression.scalar)) {
            // C does not define what is beyond.
            (ExpressionKind::Binary(..) | ExpressionKind::Unary(..), _) if expression.scalar.is_signed() => {
                true
            }
            (_, Some((least, most))) => names.lies_in(&found.value, least, most),
            _ => false,
        },
        _ => false,
    };
    is_in_range.then_some(found)
}

/// A polynomial that is the value modulo the number of values of its type.
fn modular(names: &mut dyn Names, expression: &Expression) -> Option<Linear> {
    let Scalar::Integer { bits, signed } = expression.scalar else { return None };
    let mut operand = |value: &Expression| match signed {
        false if value.scalar == expression.scalar => modular_operand(names, value),
        _ => linear(names, value),
    };
    let found = match &expression.kind {
        ExpressionKind::Read(reference) => {
            let value = names.declared(reference)?;
            linear(names, &value)?
        }
        ExpressionKind::Iterator(id) => {
            let looped = names.loop_of(*id)?;
            let Linear { value, strides } = names.first_of(looped)?;
            Linear { value: value.plus(&Polynomial::of(&Affine::term(Term::Iterator(looped))), 1), strides }
        }
        ExpressionKind::Cast(inner) => match inner.scalar {
            Scalar::Integer { bits: from, signed: false } if from >= bits => modular(names, inner)?,
            Scalar::Integer { .. } => linear(names, inner)?,
            _ => return None,
        },
        ExpressionKind::Unary(UnaryOperator::Negate, inner) => {
            let inner = operand(inner)?;
            Linear { value: Polynomial::default().plus(&inner.value, -1), ..inner }
        }
        ExpressionKind::Binary(operator, left, right) if is_of_ring(*operator) => {
            let sides = [left, right];
            let (mut left, mut right) = (operand(left)?, operand(right)?);
            if *operator == BinaryOperator::Multiply {
                let has_iterator = [&left, &right].map(|side| side.value.has_iterator());
                if has_iterator[1] {
                    left = as_one(names, sides[0], left);
                }
                if has_iterator[0] {
                    right = as_one(names, sides[1], right);
                }
            }
            let mut strides = left.strides;
            strides.extend(right.strides);
            let value = match operator {
                BinaryOperator::Add => left.value.plus(&right.value, 1),
                BinaryOperator::Subtract => left.value.plus(&right.value, -1),
                _ => {
                    strides.extend([&left.value, &right.value].into_iter().filter_map(stride));
                    left.value.times(&right.value)
                }
            };
            names.computed(expression, &value);
            Linear { value, strides }
        }
        _ => return None,
    };
    (found.value.length() <= MONOMIALS).then_some(found)
}

/// Whether an operator's result, modulo the number of values of its type, follows from those of its operands.
fn is_of_ring(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply)
}

/// An operand of what is computed modulo the number of values of its type. Each is read once.
fn modular_operand(names: &mut dyn Names, expression: &Expression) -> Option<Linear> {
    match &expression.kind {
        ExpressionKind::Integer(value) => {
            let value = Affine::constant(signed(*value, expression.scalar));
            Some(Linear { value: Polynomial::of(&value), strides: Vec::new() })
        }
        ExpressionKind::Unary(UnaryOperator::Negate, _) | ExpressionKind::Cast(_) => {
            modular(names, expression)
        }
        ExpressionKind::Binary(operator, ..) if is_of_ring(*operator) => modular(names, expression),
        _ => linear(names, expression),
    }
}

/// The value that is not negative where a condition `value >= value` holds.
pub(crate) fn not_negative(names: &mut dyn Names, condition: &Expression) -> Option<Polynomial> {
    let ExpressionKind::Binary(BinaryOperator::GreaterEqual, more, less) = &condition.kind else {
        return None;
    };
    let (more, less) = (linear(names, more)?, linear(names, less)?);
    Some(more.value.plus(&less.value, -1))
}

/// A sum of several parameters as a parameter of its own, which may be a stride: `y * (w + pad)`.
fn as_one(names: &mut dyn Names, expression: &Expression, found: Linear) -> Linear {
    let Some(sum) = found.value.affine().filter(|sum| sum.terms.len() > 1 && sum.is_of_parameters()) else {
        return found;
    };
    if !names.is_exact(expression) {
        return found;
    }
    let cases = [Case { condition: Formula::True, value: sum }];
    let value = Affine::term(Term::Parameter(names.named(expression, &cases)));
    Linear { value: Polynomial::of(&value), strides: found.strides }
}

/// `parameter + constant`, of which a factor may be a multiple.
fn stride(value: &Polynomial) -> Option<Affine> {
    let value = value.affine()?;
    let (parameter, factor) = value.terms.iter().next().filter(|_| value.terms.len() == 1)?;
    let fits = matches!(parameter, Term::Parameter(_)) && value.constant % factor == 0;
    fits.then(|| Affine::term(parameter.clone()).plus(&Affine::constant(value.constant / factor), 1))
}
