//! What operators of reductions mean: for which types they are, and where they start.

use crate::ir::{
    BinaryOperator, Expression, ExpressionKind, ReductionOperator,
    convert::{self, integer_range},
    types::Scalar,
};

/// Whether elements of the type can be reduced by the operator. `argmin` and `argmax` compare elements of the type.
pub fn applies(operator: ReductionOperator, scalar: Scalar) -> bool {
    use ReductionOperator as R;
    // Nothing is combined in numbers of 16 bits.
    if matches!(scalar, Scalar::Half(_)) {
        return matches!(operator, R::First | R::Last);
    }
    let complex = matches!(scalar, Scalar::Complex { .. });
    match operator {
        R::Add | R::Multiply => scalar != Scalar::Bool,
        R::LeastNumber | R::GreatestNumber => matches!(scalar, Scalar::Float { .. }),
        R::Minimum | R::Maximum | R::ArgMin | R::ArgMax => !complex && scalar != Scalar::Bool,
        R::And | R::Or | R::Xor => scalar.is_integer(),
        R::LogicalAnd | R::LogicalOr => !complex,
        R::First | R::Last => true,
    }
}

/// The value that changes nothing it is combined with: what private memory is filled with. `None` if the type has
/// no such value for the operator.
///
/// That of float sums is -0, since 0 would change -0.
pub fn identity(operator: ReductionOperator, scalar: Scalar) -> Option<Expression> {
    use ReductionOperator as R;
    if !applies(operator, scalar) {
        return None;
    }
    let number = |integer: i128, float: f64| {
        let kind = match scalar {
            Scalar::Bool | Scalar::Integer { .. } => ExpressionKind::Integer(integer),
            Scalar::Float { .. } => ExpressionKind::Float(float),
            Scalar::Half(_) => return None,
            Scalar::Complex { bits } => ExpressionKind::Cast(Box::new(Expression {
                kind: ExpressionKind::Float(float),
                scalar: Scalar::Float { bits },
            })),
        };
        Some(Expression { kind, scalar })
    };
    let unsigned = scalar.is_unsigned();
    let (least, greatest) = integer_range(scalar).unwrap_or_default();
    match operator {
        R::Add => number(0, -0.0),
        R::Multiply => number(1, 1.0),
        // A literal cannot have the greatest value of the widest unsigned type.
        R::Minimum | R::And if scalar == (Scalar::Integer { bits: 128, signed: false }) => None,
        R::Minimum => number(greatest, f64::INFINITY),
        R::Maximum => number(least, f64::NEG_INFINITY),
        R::LeastNumber | R::GreatestNumber => number(0, f64::NAN),
        R::And => number(if unsigned { greatest } else { -1 }, 0.0),
        R::Or | R::Xor => number(0, 0.0),
        R::LogicalAnd => number(1, 1.0),
        R::LogicalOr => number(0, 0.0),
        R::ArgMin | R::ArgMax | R::First | R::Last => None,
    }
}

/// Whether an operator may change a value that it combines with its identity: 5, which becomes 1.
pub(crate) fn converts(operator: ReductionOperator, scalar: Scalar) -> bool {
    matches!(operator, ReductionOperator::LogicalAnd | ReductionOperator::LogicalOr) && scalar != Scalar::Bool
}

/// Whether something but the sign of a zero may change that is combined with a value: whether it is not [`identity`].
/// `None` if there is none.
pub(crate) fn changes(operator: ReductionOperator, value: Expression) -> Option<Expression> {
    let identity = identity(operator, value.scalar)?;
    convert::binary(BinaryOperator::NotEqual, value, identity).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities() {
        use ReductionOperator as R;
        let u8 = Scalar::Integer { bits: 8, signed: false };
        let kind = |operator, scalar| identity(operator, scalar).map(|identity| identity.kind);
        assert_eq!(kind(R::Minimum, u8), Some(ExpressionKind::Integer(255)));
        assert_eq!(kind(R::And, u8), Some(ExpressionKind::Integer(255)));
        assert_eq!(kind(R::And, Scalar::INT), Some(ExpressionKind::Integer(-1)));
        assert_eq!(kind(R::Maximum, Scalar::INT), Some(ExpressionKind::Integer(i32::MIN.into())));
        assert_eq!(kind(R::Maximum, Scalar::F32), Some(ExpressionKind::Float(f64::NEG_INFINITY)));
        assert!(matches!(kind(R::Add, Scalar::F64), Some(ExpressionKind::Float(x)) if x.is_sign_negative()));
        assert_eq!(kind(R::And, Scalar::F64), None);
        assert_eq!(kind(R::ArgMax, Scalar::F64), None);
        assert_eq!(kind(R::Minimum, Scalar::Complex { bits: 64 }), None);
    }
}
