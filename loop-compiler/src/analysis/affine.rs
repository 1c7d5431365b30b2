//! Affine values and conditions of iterators and parameters, exactly as C computes them, for isl.
//!
//! A value is a list of pieces, each with the condition under which it holds: minimum, maximum, `?:`, division towards
//! zero and the wrap-around of unsigned differences are pieces. What is not affine has no pieces, and a condition on it
//! is [`Formula::Unknown`].

use crate::{
    cost::policy::{COMPARISONS, PIECES_OF_VALUE},
    ir::{BinaryOperator, Expression, ExpressionKind, Reference, UnaryOperator, VariableId, types::Scalar},
    isl::{Affine, Formula, Term},
};

/// A value, and the condition under which it is that.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Case {
    pub condition: Formula,
    pub value: Affine,
}

/// Whether a comparison of two values holds.
pub(crate) fn compared(operator: BinaryOperator, left: &Affine, right: &Affine) -> Formula {
    let one = Affine::constant(1);
    match operator {
        BinaryOperator::Less => Formula::NotNegative(right.plus(left, -1).plus(&one, -1)),
        BinaryOperator::LessEqual => Formula::NotNegative(right.plus(left, -1)),
        BinaryOperator::Greater => Formula::NotNegative(left.plus(right, -1).plus(&one, -1)),
        BinaryOperator::GreaterEqual => Formula::NotNegative(left.plus(right, -1)),
        BinaryOperator::Equal => Formula::Zero(left.plus(right, -1)),
        _ => Formula::Zero(left.plus(right, -1)).negated(),
    }
}

/// What an expression's names stand for.
pub(crate) trait Names {
    /// The loop around with that iterator.
    fn loop_of(&self, iterator: VariableId) -> Option<usize>;
    /// The value that a scalar is declared with, if nothing changes it.
    fn declared(&self, reference: &Reference) -> Option<Expression>;
    /// The number of a value that the region does not change.
    fn parameter(&mut self, reference: &Reference) -> Option<usize>;
    /// The number of a value that the region does not change, that has several cases: a parameter of its own.
    fn named(&mut self, value: &Expression, cases: &[Case]) -> usize;
    /// The value that is given for a parameter.
    fn size(&self, reference: &Reference) -> Option<i128>;
    /// Whether the values of a term are known not to be negative.
    fn is_not_negative(&self, term: &Term) -> bool;
}

/// The value of an integer expression, if it is affine.
pub(crate) fn pieces(names: &mut dyn Names, expression: &Expression) -> Option<Vec<Case>> {
    if !expression.scalar.is_integer() {
        return None;
    }
    let whole = |value| Some(vec![Case { condition: Formula::True, value }]);
    match &expression.kind {
        ExpressionKind::Integer(value) => whole(Affine::constant(*value)),
        ExpressionKind::Iterator(id) => whole(Affine::term(Term::Iterator(names.loop_of(*id)?))),
        ExpressionKind::Read(reference) => {
            if let Some(value) = names.declared(reference) {
                return pieces(names, &value);
            }
            let parameter = names.parameter(reference)?;
            match names.size(reference) {
                Some(size) => whole(Affine::constant(size)),
                None => whole(Affine::term(Term::Parameter(parameter))),
            }
        }
        ExpressionKind::Cast(inner) => {
            let converted = pieces(names, inner)?;
            let (from, to) = (inner.scalar, expression.scalar);
            if from == Scalar::Bool
                || to.holds_all_of(from)
                || converted.iter().all(|piece| fits(&piece.value, to))
            {
                return Some(converted);
            }
            match (from, to) {
                // A negative number becomes a large one.
                (Scalar::Integer { bits, .. }, Scalar::Integer { bits: wide, signed: false })
                    if wide >= bits =>
                {
                    wrapped(names, converted, to)
                }
                // Numbers beyond the signed type's range are taken not to occur: arrays are not that large.
                (Scalar::Integer { bits, signed: false }, Scalar::Integer { bits: same, signed: true })
                    if same == bits =>
                {
                    Some(converted)
                }
                _ => None,
            }
        }
        ExpressionKind::Unary(UnaryOperator::Negate, inner) => {
            let negated = pieces(names, inner)?;
            let negated =
                negated.into_iter().map(|piece| Case { value: piece.value.times(-1), ..piece }).collect();
            wrapped(names, negated, expression.scalar)
        }
        ExpressionKind::Binary(operator, left, right) => {
            binary(names, *operator, left, right, expression.scalar)
        }
        ExpressionKind::Select(condition, then, otherwise) => {
            let condition = formula(names, condition);
            if !condition.is_exact() {
                return None;
            }
            let negated = condition.negated();
            let (then, otherwise) = (pieces(names, then)?, pieces(names, otherwise)?);
            let under = |condition: Formula, pieces: Vec<Case>| {
                pieces.into_iter().map(move |piece| Case {
                    condition: Formula::and([condition.clone(), piece.condition]),
                    value: piece.value,
                })
            };
            limited(under(condition, then).chain(under(negated, otherwise)).collect())
        }
        _ => None,
    }
}

fn limited(pieces: Vec<Case>) -> Option<Vec<Case>> {
    (pieces.len() <= PIECES_OF_VALUE).then_some(pieces)
}

fn fits(value: &Affine, scalar: Scalar) -> bool {
    value.as_constant().is_some_and(|value| scalar.holds(value))
}

/// In an unsigned type, negative results become large ones. Sums beyond the type's range are taken not to occur.
fn wrapped(names: &dyn Names, pieces: Vec<Case>, scalar: Scalar) -> Option<Vec<Case>> {
    let Scalar::Integer { bits, signed: false } = scalar else { return Some(pieces) };
    if bits > 64 {
        return None;
    }
    let mut out = Vec::new();
    for piece in pieces {
        if is_not_negative(names, &piece.value) {
            out.push(piece);
            continue;
        }
        let not_negative = Formula::NotNegative(piece.value.clone());
        let negative = not_negative.negated();
        let large = piece.value.plus(&Affine::constant(1i128 << bits), 1);
        out.push(Case {
            condition: Formula::and([piece.condition.clone(), not_negative]),
            value: piece.value,
        });
        out.push(Case { condition: Formula::and([piece.condition, negative]), value: large });
    }
    limited(out)
}

fn is_not_negative(names: &dyn Names, value: &Affine) -> bool {
    let term = |(term, coefficient): (&Term, &i128)| {
        *coefficient >= 0
            && match term {
                Term::Floor(inner, _) => is_not_negative(names, inner),
                other => names.is_not_negative(other),
            }
    };
    value.constant >= 0 && value.terms.iter().all(term)
}

fn binary(
    names: &mut dyn Names,
    operator: BinaryOperator,
    left: &Expression,
    right: &Expression,
    scalar: Scalar,
) -> Option<Vec<Case>> {
    let combined = |left: &[Case], right: &[Case], combine: &dyn Fn(&Affine, &Affine) -> Option<Affine>| {
        let mut out = Vec::new();
        for l in left {
            for r in right {
                let condition = Formula::and([l.condition.clone(), r.condition.clone()]);
                out.push(Case { condition, value: combine(&l.value, &r.value)? });
            }
        }
        limited(out)
    };
    if operator.is_comparison() || matches!(operator, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr)
    {
        return None;
    }
    let (left, right) = (pieces(names, left)?, pieces(names, right)?);
    let constant =
        |value: &Affine, least: i128| value.as_constant().filter(|value| (least..1 << 40).contains(value));
    match operator {
        BinaryOperator::Add => combined(&left, &right, &|l, r| Some(l.plus(r, 1))),
        BinaryOperator::Subtract => {
            let pieces = combined(&left, &right, &|l, r| Some(l.plus(r, -1)))?;
            wrapped(names, pieces, scalar)
        }
        BinaryOperator::Multiply => {
            let pieces =
                combined(&left, &right, &|l, r| match (constant(l, -(1 << 40)), constant(r, -(1 << 40))) {
                    (Some(factor), _) => Some(r.times(factor)),
                    (_, Some(factor)) => Some(l.times(factor)),
                    _ => None,
                })?;
            wrapped(names, pieces, scalar)
        }
        BinaryOperator::ShiftLeft => {
            combined(&left, &right, &|l, r| Some(l.times(1 << constant(r, 0).filter(|r| *r < 40)?)))
        }
        BinaryOperator::ShiftRight => {
            combined(&left, &right, &|l, r| Some(floored(l, 1 << constant(r, 0).filter(|r| *r < 40)?)))
        }
        BinaryOperator::Divide | BinaryOperator::Remainder => {
            let mut out = Vec::new();
            for l in &left {
                for r in &right {
                    let divisor = constant(&r.value, 1)?;
                    let condition = Formula::and([l.condition.clone(), r.condition.clone()]);
                    for (sign, quotient) in quotients(names, &l.value, divisor) {
                        let value = match operator {
                            BinaryOperator::Divide => quotient,
                            _ => l.value.plus(&quotient, -divisor),
                        };
                        out.push(Case { condition: Formula::and([condition.clone(), sign]), value });
                    }
                }
            }
            limited(out)
        }
        _ => None,
    }
}

fn floored(value: &Affine, divisor: i128) -> Affine {
    match value.as_constant() {
        Some(constant) => Affine::constant(constant.div_euclid(divisor)),
        None => Affine::term(Term::Floor(Box::new(value.clone()), divisor)),
    }
}

/// C divides towards zero: by the sign of the dividend.
fn quotients(names: &dyn Names, value: &Affine, divisor: i128) -> Vec<(Formula, Affine)> {
    if is_not_negative(names, value) {
        return vec![(Formula::True, floored(value, divisor))];
    }
    let not_negative = Formula::NotNegative(value.clone());
    let negative = not_negative.negated();
    vec![(not_negative, floored(value, divisor)), (negative, floored(&value.times(-1), divisor).times(-1))]
}

/// When an expression is not zero.
pub(crate) fn formula(names: &mut dyn Names, expression: &Expression) -> Formula {
    let formula = read(names, expression);
    if formula.comparisons() <= COMPARISONS { formula } else { Formula::Unknown }
}

fn read(names: &mut dyn Names, expression: &Expression) -> Formula {
    match &expression.kind {
        ExpressionKind::Binary(BinaryOperator::LogicalAnd, left, right) => {
            Formula::and([formula(names, left), formula(names, right)])
        }
        ExpressionKind::Binary(BinaryOperator::LogicalOr, left, right) => {
            Formula::or([formula(names, left), formula(names, right)])
        }
        ExpressionKind::Unary(UnaryOperator::Not, inner) => formula(names, inner).negated(),
        ExpressionKind::Cast(inner)
            if inner.scalar.is_integer()
                && (expression.scalar == Scalar::Bool || expression.scalar.holds_all_of(inner.scalar)) =>
        {
            formula(names, inner)
        }
        ExpressionKind::Binary(operator, left, right) if operator.is_comparison() => {
            match (pieces(names, left), pieces(names, right)) {
                (Some(left), Some(right)) => {
                    let pairs = left.iter().flat_map(|l| right.iter().map(move |r| (l, r)));
                    Formula::or(pairs.map(|(l, r)| {
                        let holds = compared(*operator, &l.value, &r.value);
                        Formula::and([l.condition.clone(), r.condition.clone(), holds])
                    }))
                }
                _ => Formula::Unknown,
            }
        }
        _ => match pieces(names, expression) {
            Some(pieces) => Formula::or(pieces.into_iter().map(|piece| {
                let not_zero = Formula::Zero(piece.value).negated();
                Formula::and([piece.condition, not_zero])
            })),
            None => Formula::Unknown,
        },
    }
}
