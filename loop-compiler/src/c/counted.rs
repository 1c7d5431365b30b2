//! Loops whose iterations can be counted, and the values that variables have in each of them.

use crate::ir::{
    BinaryOperator, Expression, ExpressionKind, VariableId,
    arithmetic::{self, constant, long, number},
    compare::{comparison, mirrored, stripped},
    convert,
    types::Scalar,
};

/// A loop, `for (iterator = lower; …; iterator += step)`.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    pub iterator: VariableId,
    pub scalar: Scalar,
    pub lower: Expression,
    pub step: i128,
    /// The iterator's value when its condition holds no longer, if nothing else ends the loop and that is known.
    pub exit: Option<Expression>,
}

impl Counted {
    /// `first` is the condition of the first iteration, and `condition` that of each.
    pub fn new(
        (iterator, scalar): (VariableId, Scalar),
        lower: Expression,
        step: i128,
        (first, condition): (Expression, &Expression),
    ) -> Counted {
        let counted = Counted { iterator, scalar, lower, step, exit: None };
        // `i != n` ends at `n`, also if there is no iteration.
        let is_met = matches!(first.kind, ExpressionKind::Binary(BinaryOperator::NotEqual, ..));
        let exit = counted.past(condition).map(|past| match first_holds(&first) {
            _ if is_met => past,
            Some(true) => past,
            Some(false) => long(counted.lower.clone()),
            None => convert::select(first, past, long(counted.lower.clone())),
        });
        Counted { exit, ..counted }
    }

    fn value(&self) -> Expression {
        Expression { kind: ExpressionKind::Iterator(self.iterator), scalar: self.scalar }
    }

    /// Where a loop with an iteration ends.
    fn past(&self, condition: &Expression) -> Option<Expression> {
        let is_iterator = |side: &Expression| matches!(stripped(side).kind, ExpressionKind::Iterator(id) if id == self.iterator);
        let (relation, bound) = match &condition.kind {
            ExpressionKind::Binary(BinaryOperator::NotEqual, left, right) if self.step.abs() == 1 => {
                let bound = if is_iterator(left) { right } else { left };
                (BinaryOperator::NotEqual, &**bound)
            }
            _ => {
                let (relation, left, right) = comparison(condition)?;
                if is_iterator(left) { (relation, right) } else { (mirrored(relation), left) }
            }
        };
        if bound.iterators().any(|id| id == self.iterator) || [bound, &self.lower].into_iter().any(narrows) {
            return None;
        }
        let up = self.step > 0;
        let end = match relation {
            BinaryOperator::Less if up => long(bound.clone()),
            BinaryOperator::LessEqual if up => arithmetic::add(bound.clone(), number(1)),
            BinaryOperator::Greater if !up => long(bound.clone()),
            BinaryOperator::GreaterEqual if !up => arithmetic::subtract(bound.clone(), number(1)),
            BinaryOperator::NotEqual => long(bound.clone()),
            _ => return None,
        };
        let step = self.step.abs();
        if step == 1 {
            return Some(end);
        }
        let distance = |from: &Expression, to: Expression| arithmetic::subtract(to, from.clone());
        let lower = &self.lower;
        let distance = if up { distance(lower, end) } else { distance(&end, lower.clone()) };
        let steps = arithmetic::divide(arithmetic::add(distance, number(step - 1)), number(step));
        Some(arithmetic::add(lower.clone(), arithmetic::multiply(steps, number(self.step))))
    }

    /// How many iterations there are.
    pub fn trips(&self) -> Option<Expression> {
        let distance = arithmetic::subtract(self.exit.clone()?, self.lower.clone());
        Some(match self.step {
            -1 => arithmetic::subtract(number(0), distance),
            step => arithmetic::divide(distance, number(step)),
        })
    }

    /// The number of an iteration times what each adds, in `long`.
    pub fn sum(&self, added: &Expression) -> Expression {
        let distance = arithmetic::subtract(self.value(), self.lower.clone());
        let opposite = || arithmetic::subtract(self.lower.clone(), self.value());
        match (constant(added), self.step) {
            (Some(added), step) if added == -step => opposite(),
            (Some(added), step) if added % step == 0 => arithmetic::multiply(distance, number(added / step)),
            (_, -1) => arithmetic::multiply(opposite(), added.clone()),
            (_, step) => arithmetic::multiply(arithmetic::divide(distance, number(step)), added.clone()),
        }
    }

    /// The value of a variable at the beginning of an iteration, if each adds the same: computed in the variable's type, or modulo
    /// what that can hold, so that nothing overflows.
    pub fn value_of(&self, first: &Expression, added: &Expression) -> Expression {
        let scalar = first.scalar;
        let Scalar::Integer { bits, signed } = scalar else { return first.clone() };
        if bits >= 64 {
            let sum = arithmetic::add(first.clone(), self.sum(added));
            return convert::convert(sum, scalar);
        }
        let is_safe = !signed || self.scalar == scalar && self.stays_small(first, added);
        let within = Scalar::Integer { bits, signed: signed && is_safe };
        let value = self.value_in(within, first, added);
        convert::convert(value, scalar)
    }

    /// Whether neither the distance from the first iteration nor what was added since overflows where the sum does not.
    fn stays_small(&self, first: &Expression, added: &Expression) -> bool {
        let from_zero = self.step > 0 && constant(&self.lower).is_some_and(|lower| lower >= 0);
        let to_zero =
            self.step < 0 && self.exit.as_ref().and_then(last_constant).is_some_and(|exit| exit >= -1);
        let distance_fits = from_zero || to_zero;
        let sum_fits = match (constant(first), constant(added)) {
            (_, Some(added)) if added.abs() == self.step.abs() => true,
            (Some(0), _) => true,
            (Some(first), Some(added)) => (first > 0) == (added > 0),
            _ => false,
        };
        distance_fits && sum_fits
    }

    fn value_in(&self, scalar: Scalar, first: &Expression, added: &Expression) -> Expression {
        let converted = |value: Expression| convert::convert(value, scalar);
        let compute = |operator, left: Expression, right: Expression| {
            let (l, r) = (constant(&left), constant(&right));
            match (operator, l, r) {
                (BinaryOperator::Add, Some(0), _) => right,
                (BinaryOperator::Add | BinaryOperator::Subtract, _, Some(0)) => left,
                (BinaryOperator::Multiply | BinaryOperator::Divide, _, Some(1)) => left,
                (BinaryOperator::Multiply, Some(1), _) => right,
                _ => Expression {
                    kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
                    scalar,
                },
            }
        };
        let (value, lower) = (converted(self.value()), converted(self.lower.clone()));
        let distance = match self.step > 0 {
            true => compute(BinaryOperator::Subtract, value, lower),
            false => compute(BinaryOperator::Subtract, lower, value),
        };
        let step = self.step.abs();
        let (times, each) = match constant(added) {
            Some(added) if added % step == 0 => (distance, Expression::integer(added / step, scalar)),
            _ => {
                let step = Expression::integer(step, scalar);
                (compute(BinaryOperator::Divide, distance, step), converted(added.clone()))
            }
        };
        let first = converted(first.clone());
        match constant(&each) {
            Some(each) if each < 0 => {
                let sum = compute(BinaryOperator::Multiply, times, Expression::integer(-each, scalar));
                compute(BinaryOperator::Subtract, first, sum)
            }
            _ => compute(BinaryOperator::Add, first, compute(BinaryOperator::Multiply, times, each)),
        }
    }

    /// The value of a variable behind the loop.
    pub fn value_after(&self, first: &Expression, added: &Expression) -> Option<Expression> {
        let sum = match constant(added) {
            Some(added) if added == self.step && *first == self.lower => {
                return Some(convert::convert(self.exit.clone()?, first.scalar));
            }
            Some(added) if added == self.step => arithmetic::subtract(self.exit.clone()?, self.lower.clone()),
            _ => arithmetic::multiply(self.trips()?, added.clone()),
        };
        Some(convert::convert(arithmetic::add(first.clone(), sum), first.scalar))
    }
}

/// Whether a number is made narrower, which is not seen in sums of `long`.
pub(super) fn narrows(value: &Expression) -> bool {
    value.walk().any(|part| match &part.kind {
        ExpressionKind::Cast(inner) => inner.scalar.is_integer() && inner.scalar.size() > part.scalar.size(),
        _ => false,
    })
}

/// The constant of `condition ? constant : …`.
fn last_constant(exit: &Expression) -> Option<i128> {
    match &exit.kind {
        ExpressionKind::Select(_, past, _) => constant(past),
        _ => constant(exit),
    }
}

fn first_holds(condition: &Expression) -> Option<bool> {
    let (relation, left, right) = comparison(condition)?;
    let (left, right) = (constant(stripped(left))?, constant(stripped(right))?);
    Some(match relation {
        BinaryOperator::Less => left < right,
        BinaryOperator::LessEqual => left <= right,
        BinaryOperator::Greater => left > right,
        _ => left >= right,
    })
}

/// A condition with the iterator alone on its side, as OpenMP wants it: `i + j < n` is `j < n - i`, of 64 bits. What was computed
/// in 32 bits did not overflow.
pub(super) fn isolated(condition: Expression, iterator: VariableId) -> Expression {
    let ExpressionKind::Binary(operator, left, right) = condition.kind else { return condition };
    let isolated = match operator {
        BinaryOperator::LogicalAnd => ExpressionKind::Binary(
            operator,
            isolated(*left, iterator).into(),
            isolated(*right, iterator).into(),
        ),
        _ if mentions(&right, iterator) => {
            let (right, left) = apart(*right, *left, iterator);
            ExpressionKind::Binary(operator, left.into(), right.into())
        }
        _ => {
            let (left, right) = apart(*left, *right, iterator);
            ExpressionKind::Binary(operator, left.into(), right.into())
        }
    };
    Expression { kind: isolated, scalar: condition.scalar }
}

/// The side of a comparison with the iterator, and the other one, with what is added to the iterator moved there.
fn apart(side: Expression, other: Expression, iterator: VariableId) -> (Expression, Expression) {
    use BinaryOperator::{Add, Subtract};
    let int = |value: &Expression| value.scalar == Scalar::INT;
    let ExpressionKind::Binary(operator @ (Add | Subtract), left, right) = &side.kind else {
        return (side, other);
    };
    let (inner, moved, inverse) = match (operator, mentions(left, iterator), mentions(right, iterator)) {
        (Add, true, false) => (left, right, Subtract),
        (Add, false, true) => (right, left, Subtract),
        (Subtract, true, false) => (left, right, Add),
        _ => return (side, other),
    };
    if !int(&side) || !int(inner) || !(int(&other) || other.scalar == Scalar::LONG) {
        return (side, other);
    }
    let long = |value: &Expression| convert::convert(value.clone(), Scalar::LONG);
    let kind = ExpressionKind::Binary(inverse, long(&other).into(), long(moved).into());
    match &stripped(inner).kind {
        ExpressionKind::Iterator(_) => (long(inner), Expression { kind, scalar: Scalar::LONG }),
        _ => (side, other),
    }
}

/// What is added to an iterator of that type: a number with a sign.
pub(super) fn step_of(step: i128, iterator: Scalar) -> Expression {
    let scalar = match iterator {
        Scalar::Integer { bits, .. } if step < 0 => Scalar::Integer { bits, signed: true },
        scalar => scalar,
    };
    Expression::integer(step, scalar)
}

/// Whether an expression uses an iterator.
pub(super) fn mentions(value: &Expression, iterator: VariableId) -> bool {
    value.iterators().any(|id| id == iterator)
}
