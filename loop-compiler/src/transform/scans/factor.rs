//! The factor of a linear recurrence: `a` in `x = a * x + b`.

use crate::ir::{
    BinaryOperator, Expression, ExpressionKind, Reference, Store, UnaryOperator, convert, types::Scalar,
};

/// What a statement stores, whose value is that one, if its target holds what is loaded.
pub(crate) fn stored_value(store: &Store, load: &Reference, value: Expression) -> Expression {
    match store {
        Store::Update { operator, computed_in } => {
            let read = Expression { kind: ExpressionKind::Read(load.clone()), scalar: load.scalar };
            let before = convert::convert(read, *computed_in);
            let kind = ExpressionKind::Binary(*operator, Box::new(before), Box::new(value));
            Expression { kind, scalar: *computed_in }
        }
        Store::Assign | Store::Reduce { .. } => value,
    }
}

/// What a value multiplies the loaded one by, if it is a factor of it plus something: an expression of the type that is
/// stored. `None` if it has another form, or if conversions change more than rounding.
pub(crate) fn factor(
    value: &Expression,
    scalar: Scalar,
    is_load: &dyn Fn(&Reference) -> bool,
) -> Option<Expression> {
    let one = match scalar {
        Scalar::Float { .. } => Expression { kind: ExpressionKind::Float(1.0), scalar },
        Scalar::Integer { .. } => Expression::integer(1, scalar),
        _ => return None,
    };
    let factor = Factor { scalar, one, is_load }.of(value)?;
    Some(convert::convert(factor?, scalar))
}

struct Factor<'f> {
    scalar: Scalar,
    one: Expression,
    is_load: &'f dyn Fn(&Reference) -> bool,
}

impl Factor<'_> {
    /// The factor, none if the value does not use what is loaded; or `None` if that is not known.
    fn of(&self, value: &Expression) -> Option<Option<Expression>> {
        if !self.loads(value) {
            return Some(None);
        }
        // Integers are numbers modulo a power of two, as long as all have the same bits.
        let keeps = match (value.scalar, self.scalar) {
            (Scalar::Float { .. }, Scalar::Float { .. }) => true,
            (Scalar::Integer { bits, .. }, Scalar::Integer { bits: stored, .. }) => bits == stored,
            _ => false,
        };
        if !keeps {
            return None;
        }
        match &value.kind {
            ExpressionKind::Read(read) => (self.is_load)(read).then(|| Some(self.one.clone())),
            ExpressionKind::Cast(inner) => self.of(inner),
            ExpressionKind::Unary(UnaryOperator::Negate, inner) => {
                let factor = self.of(inner)??;
                Some(Some(convert::unary(UnaryOperator::Negate, factor).ok()?))
            }
            ExpressionKind::Binary(operator, left, right) => {
                use BinaryOperator::{Add, Divide, Multiply, Subtract};
                let (of_left, of_right) = (self.of(left)?, self.of(right)?);
                let made = |operator, left: Expression, right: Expression| {
                    if operator == Multiply && right == self.one {
                        return Some(Some(left));
                    }
                    convert::binary(operator, left, right).ok().map(Some)
                };
                match (operator, of_left, of_right) {
                    (Add | Subtract, Some(factor), None) | (Add, None, Some(factor)) => Some(Some(factor)),
                    (Subtract, None, Some(factor)) => {
                        convert::unary(UnaryOperator::Negate, factor).ok().map(Some)
                    }
                    (Add | Subtract, Some(left), Some(right)) => made(*operator, left, right),
                    (Multiply, Some(factor), None) => made(Multiply, (**right).clone(), factor),
                    (Multiply, None, Some(factor)) => made(Multiply, (**left).clone(), factor),
                    (Divide, Some(factor), None) if self.scalar.is_float() => {
                        made(Divide, factor, (**right).clone())
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a value uses what is loaded.
    fn loads(&self, value: &Expression) -> bool {
        let mut loads = false;
        value.visit_reads(&mut |read| loads |= (self.is_load)(read));
        loads
    }
}
