//! Affine values and conditions of iterators and parameters, exactly as C computes them, for isl.
//!
//! A value is a list of pieces, each with the condition under which it holds: minimum, maximum, `?:`, division towards
//! zero and the wrap-around of unsigned differences are pieces. What is not affine has no pieces, and a condition on it
//! is [`Formula::Unknown`]. Neither has an unsigned sum that may be beyond its type: that it is not is known of the loops' bounds, or
//! it is assumed of parameters and tested when the program is executed.

use crate::{
    analysis::polynomial::{Linear, Polynomial},
    cost::policy::{COMPARISONS, PIECES_OF_VALUE},
    ir::{
        BinaryOperator, Expression, ExpressionKind, Reference, UnaryOperator, VariableId,
        convert::integer_range, types::Scalar,
    },
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
    /// The first value of a loop's iterator, if its terms are its distance from that.
    fn first_of(&self, looped: usize) -> Option<Linear>;
    /// The value that a scalar is declared with, if nothing changes it.
    fn declared(&self, reference: &Reference) -> Option<Expression>;
    /// The number of a value that the region does not change.
    fn parameter(&mut self, reference: &Reference) -> Option<usize>;
    /// The number of a value that the region does not change, that has several cases: a parameter of its own.
    fn named(&mut self, value: &Expression, cases: &[Case]) -> usize;
    /// The value that is given for a parameter.
    fn size(&self, reference: &Reference) -> Option<i128>;
    /// A number that a term is never less than, and one that it never exceeds.
    fn range(&self, term: &Term) -> (i128, i128);
    /// Notes what an operator gives, where C does not allow it to overflow.
    fn computed(&mut self, value: &Expression, found: &Polynomial);
    /// Whether a value is what its operators give in mathematics. That may be assumed of those without a sign.
    fn is_exact(&mut self, value: &Expression) -> bool;
    /// Whether a value is always between two numbers. That may be assumed.
    fn lies_in(&mut self, value: &Polynomial, least: i128, most: i128) -> bool;
}

/// The value of an integer expression, if it is affine.
pub(crate) fn pieces(names: &mut dyn Names, expression: &Expression) -> Option<Vec<Case>> {
    if !expression.scalar.is_integer() {
        return None;
    }
    let whole = |value| Some(vec![Case { condition: Formula::True, value }]);
    match &expression.kind {
        ExpressionKind::Integer(value) => whole(Affine::constant(*value)),
        ExpressionKind::Iterator(id) => {
            let looped = names.loop_of(*id).filter(|looped| names.first_of(*looped).is_none())?;
            whole(Affine::term(Term::Iterator(looped)))
        }
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
            let to = expression.scalar;
            if inner.scalar == Scalar::Bool || to.holds_all_of(inner.scalar) {
                return pieces(names, inner);
            }
            if to.is_unsigned() {
                let modular = modular(names, expression)?;
                return unsigned(names, modular, to);
            }
            let (least, most) = integer_range(to)?;
            let modular = match inner.scalar.is_unsigned() {
                true => modular(names, inner)?,
                false => pieces(names, inner)?,
            };
            if modular.iter().all(|case| names.lies_in(&Polynomial::of(&case.value), least, most)) {
                return Some(modular);
            }
            // The greater half of the numbers becomes negative.
            let (Scalar::Integer { bits, .. }, true) = (to, inner.scalar.size() == to.size()) else {
                return None;
            };
            let halves = pieces(names, inner)?.into_iter().flat_map(|case| {
                let beyond = Formula::NotNegative(case.value.plus(&Affine::constant(most + 1), -1));
                let negative = case.value.plus(&Affine::constant(1 << bits), -1);
                let under = |condition| Formula::and([case.condition.clone(), condition]);
                [
                    Case { condition: under(beyond.negated()), value: case.value.clone() },
                    Case { condition: under(beyond), value: negative },
                ]
            });
            limited(halves.collect())
        }
        ExpressionKind::Unary(UnaryOperator::Negate, _) => {
            let modular = modular(names, expression)?;
            in_type(names, modular, expression.scalar)
        }
        ExpressionKind::Binary(operator, left, right) => binary(names, expression, *operator, left, right),
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

/// A constant of an unsigned type as the least number that is the same modulo the number of its values.
pub(crate) fn signed(value: i128, scalar: Scalar) -> i128 {
    match scalar {
        Scalar::Integer { bits, signed: false } if bits < 127 && value >> (bits - 1) == 1 => {
            value - (1 << bits)
        }
        _ => value,
    }
}

/// Values that are those of an expression modulo the number of values of its type, if that is unsigned.
fn modular(names: &mut dyn Names, expression: &Expression) -> Option<Vec<Case>> {
    let scalar = expression.scalar;
    match &expression.kind {
        ExpressionKind::Integer(value) if scalar.is_unsigned() => {
            let value = Affine::constant(signed(*value, scalar));
            Some(vec![Case { condition: Formula::True, value }])
        }
        ExpressionKind::Cast(inner) if scalar.is_unsigned() => {
            match inner.scalar.is_unsigned() && inner.scalar.size() >= scalar.size() {
                true => modular(names, inner),
                false => pieces(names, inner),
            }
        }
        ExpressionKind::Unary(UnaryOperator::Negate, inner) => {
            let negated = modular(names, inner)?;
            Some(negated.into_iter().map(|case| Case { value: case.value.times(-1), ..case }).collect())
        }
        ExpressionKind::Binary(
            operator @ (BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::ShiftLeft),
            left,
            right,
        ) => {
            let left = modular(names, left)?;
            let right = match operator {
                BinaryOperator::ShiftLeft => pieces(names, right)?,
                _ => modular(names, right)?,
            };
            combined(*operator, &left, &right)
        }
        _ => pieces(names, expression),
    }
}

/// Sums and products with constants.
fn combined(operator: BinaryOperator, left: &[Case], right: &[Case]) -> Option<Vec<Case>> {
    let constant =
        |value: &Affine, least: i128| value.as_constant().filter(|value| (least..1 << 40).contains(value));
    let mut out = Vec::new();
    for l in left {
        for r in right {
            let condition = Formula::and([l.condition.clone(), r.condition.clone()]);
            let (l, r) = (&l.value, &r.value);
            let value = match operator {
                BinaryOperator::Add => l.plus(r, 1),
                BinaryOperator::Subtract => l.plus(r, -1),
                BinaryOperator::Multiply => match (constant(l, -(1 << 40)), constant(r, -(1 << 40))) {
                    (Some(factor), _) => r.times(factor),
                    (_, Some(factor)) => l.times(factor),
                    _ => return None,
                },
                BinaryOperator::ShiftLeft => l.times(1 << constant(r, 0).filter(|r| *r < 40)?),
                _ => return None,
            };
            out.push(Case { condition, value });
        }
    }
    limited(out)
}

/// What an operator gives in its type: C does not define what is beyond a signed one.
fn in_type(names: &mut dyn Names, modular: Vec<Case>, scalar: Scalar) -> Option<Vec<Case>> {
    match scalar.is_unsigned() {
        true => unsigned(names, modular, scalar),
        false => Some(modular),
    }
}

/// The values of an unsigned type that are the same modulo the number of its values: negative numbers become large ones.
fn unsigned(names: &mut dyn Names, modular: Vec<Case>, scalar: Scalar) -> Option<Vec<Case>> {
    let Scalar::Integer { bits: bits @ ..=64, signed: false } = scalar else { return None };
    let all = 1i128 << bits;
    let mut out = Vec::new();
    for case in modular {
        if !names.lies_in(&Polynomial::of(&case.value), -all, all - 1) {
            return None;
        }
        if is_not_negative(names, &case.value) {
            out.push(case);
            continue;
        }
        let not_negative = Formula::NotNegative(case.value.clone());
        let negative = not_negative.negated();
        let large = case.value.plus(&Affine::constant(all), 1);
        out.push(Case { condition: Formula::and([case.condition.clone(), not_negative]), value: case.value });
        out.push(Case { condition: Formula::and([case.condition, negative]), value: large });
    }
    limited(out)
}

fn is_not_negative(names: &dyn Names, value: &Affine) -> bool {
    Polynomial::of(value).range(&|term| names.range(term)).0 >= 0
}

fn binary(
    names: &mut dyn Names,
    expression: &Expression,
    operator: BinaryOperator,
    left: &Expression,
    right: &Expression,
) -> Option<Vec<Case>> {
    use BinaryOperator as B;
    match operator {
        B::Add | B::Subtract | B::Multiply | B::ShiftLeft => {
            let modular = modular(names, expression)?;
            return in_type(names, modular, expression.scalar);
        }
        B::ShiftRight | B::Divide | B::Remainder => {}
        _ => return None,
    }
    let (left, right) = (pieces(names, left)?, pieces(names, right)?);
    let constant =
        |value: &Affine, least: i128| value.as_constant().filter(|value| (least..1 << 40).contains(value));
    match operator {
        BinaryOperator::ShiftRight => {
            let mut out = Vec::new();
            for l in &left {
                for r in &right {
                    let condition = Formula::and([l.condition.clone(), r.condition.clone()]);
                    let distance = constant(&r.value, 0).filter(|distance| *distance < 40)?;
                    out.push(Case { condition, value: floored(&l.value, 1 << distance) });
                }
            }
            limited(out)
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
