//! C's conversions: which types operators have, and expressions with the conversions that C makes by itself.

use crate::ir::functions;
use crate::ir::types::Scalar;
use crate::ir::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};

/// The type that operators compute small integers in: C's integer promotions.
pub fn promote(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::Bool | Scalar::Integer { bits: ..32, .. } => Scalar::INT,
        _ => scalar,
    }
}

/// The type that both operands of an arithmetic operator are converted to: C's usual arithmetic conversions.
pub fn common(left: Scalar, right: Scalar) -> Scalar {
    use Scalar::{Complex, Float, Half, Integer};
    let float_bits = |scalar| match scalar {
        Float { bits } | Complex { bits } => bits,
        _ => 0,
    };
    let bits = float_bits(left).max(float_bits(right));
    match (promote(left), promote(right)) {
        (Complex { .. }, _) | (_, Complex { .. }) => Complex { bits },
        (Float { .. }, _) | (_, Float { .. }) => Float { bits },
        (half @ Half(_), _) | (_, half @ Half(_)) => half,
        (Integer { bits: a, signed: s }, Integer { bits: b, signed: t }) if s == t => {
            Integer { bits: a.max(b), signed: s }
        }
        (Integer { bits: a, signed: s }, Integer { bits: b, signed: t }) => {
            let (unsigned, signed) = if s { (b, a) } else { (a, b) };
            debug_assert_ne!(s, t);
            if unsigned >= signed {
                Integer { bits: unsigned, signed: false }
            } else {
                Integer { bits: signed, signed: true }
            }
        }
        // Promoted types are not `_Bool`.
        (left, _) => left,
    }
}

/// The types that a binary operator has: of its left operand, its right operand and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorTypes {
    /// What the left operand is converted to.
    pub left: Scalar,
    /// What the right operand is converted to.
    pub right: Scalar,
    /// The type of the result.
    pub result: Scalar,
}

/// The types that a binary operator has for operands of these types; `None` if C does not have it for them.
///
/// A real operand beside a complex one stays real, as in clang: its imaginary part takes no part.
pub fn operator_types(operator: BinaryOperator, left: Scalar, right: Scalar) -> Option<OperatorTypes> {
    use BinaryOperator as B;
    let integers = left.is_integer() && right.is_integer();
    let both = common(left, right);
    // Numbers of 16 bits are converted before anything is computed of them.
    if matches!(both, Scalar::Half(_)) && !matches!(operator, B::LogicalAnd | B::LogicalOr) {
        return None;
    }
    let operand = |scalar: Scalar| match both {
        Scalar::Complex { bits } if !matches!(scalar, Scalar::Complex { .. }) => Scalar::Float { bits },
        _ => both,
    };
    let complex = matches!(both, Scalar::Complex { .. });
    let same = |result| Some(OperatorTypes { left: operand(left), right: operand(right), result });
    match operator {
        B::Add | B::Subtract | B::Multiply | B::Divide => same(both),
        B::Remainder | B::And | B::Or | B::Xor => integers.then(|| same(both))?,
        B::ShiftLeft | B::ShiftRight => {
            let (left, right) = (promote(left), promote(right));
            integers.then_some(OperatorTypes { left, right, result: left })
        }
        B::LogicalAnd | B::LogicalOr => Some(OperatorTypes { left, right, result: Scalar::INT }),
        B::Less | B::LessEqual | B::Greater | B::GreaterEqual => (!complex).then(|| same(Scalar::INT))?,
        B::Equal | B::NotEqual => same(Scalar::INT),
    }
}

/// The types of a unary operator's operand and result; `None` if C does not have it for the type.
pub fn unary_types(operator: UnaryOperator, operand: Scalar) -> Option<(Scalar, Scalar)> {
    let promoted = promote(operand);
    match (operator, operand) {
        (UnaryOperator::Negate | UnaryOperator::Complement, Scalar::Half(_)) => None,
        (UnaryOperator::Negate, _) => Some((promoted, promoted)),
        (UnaryOperator::Not, _) => Some((operand, Scalar::INT)),
        (UnaryOperator::Complement, Scalar::Float { .. }) => None,
        (UnaryOperator::Complement, _) => Some((promoted, promoted)),
        (UnaryOperator::Real | UnaryOperator::Imaginary, Scalar::Complex { bits }) => {
            Some((operand, Scalar::Float { bits }))
        }
        (UnaryOperator::Real | UnaryOperator::Imaginary, _) => None,
    }
}

/// The least and the greatest value of an integer type of at most 64 bits or of a signed one.
pub fn integer_range(scalar: Scalar) -> Option<(i128, i128)> {
    match scalar {
        Scalar::Bool => Some((0, 1)),
        Scalar::Integer { bits, signed: true } => {
            let greatest = i128::MAX >> (128 - u32::from(bits).clamp(1, 128));
            Some((-greatest - 1, greatest))
        }
        // A literal is an i128: of the widest type it reaches half way.
        Scalar::Integer { bits, signed: false } => {
            Some((0, if bits >= 127 { i128::MAX } else { (1 << bits) - 1 }))
        }
        _ => None,
    }
}

/// Whether a literal of an integer type may have this value.
pub fn fits(value: i128, scalar: Scalar) -> bool {
    scalar.is_integer() && scalar.holds(value)
}

/// Whether an `f32` has this value, if the type is `f32`.
pub fn float_fits(value: f64, scalar: Scalar) -> bool {
    let narrow = f64::from(value as f32);
    scalar != Scalar::F32 || value.is_nan() || narrow.to_bits() == value.to_bits()
}

/// The type of an integer literal without a suffix, if it has one: C's `int`, or `long`.
pub fn literal_type(value: i128) -> Option<Scalar> {
    [Scalar::INT, Scalar::LONG].into_iter().find(|scalar| fits(value, *scalar))
}

/// The expression converted to a type. A literal becomes one of that type if it has the same value there.
pub fn convert(expression: Expression, to: Scalar) -> Expression {
    if expression.scalar == to {
        return expression;
    }
    let kind = match (&expression.kind, to) {
        // To a wider type and back.
        (ExpressionKind::Cast(inner), _)
            if inner.scalar == to
                && to.is_integer()
                && expression.scalar.is_integer()
                && expression.scalar.holds_all_of(to) =>
        {
            return (**inner).clone();
        }
        (ExpressionKind::Integer(value), _) if fits(*value, to) => Some(ExpressionKind::Integer(*value)),
        (ExpressionKind::Integer(value), Scalar::Float { .. }) if to.holds(*value) => {
            Some(ExpressionKind::Float(*value as f64))
        }
        (ExpressionKind::Float(value), Scalar::Float { .. }) if float_fits(*value, to) => {
            Some(ExpressionKind::Float(*value))
        }
        _ => None,
    };
    let kind = kind.unwrap_or_else(|| ExpressionKind::Cast(Box::new(expression)));
    Expression { kind, scalar: to }
}

/// A binary operator with its operands converted; an error says what C does not have.
pub fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Result<Expression, String> {
    let Some(types) = operator_types(operator, left.scalar, right.scalar) else {
        return Err(format!(
            "`{}` is not defined for {} and {}",
            operator.symbol(),
            left.scalar,
            right.scalar
        ));
    };
    let (left, right) = (convert(left, types.left), convert(right, types.right));
    let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
    Ok(Expression { kind, scalar: types.result })
}

/// A unary operator with its operand converted; an error says what C does not have.
pub fn unary(operator: UnaryOperator, operand: Expression) -> Result<Expression, String> {
    let Some((converted, scalar)) = unary_types(operator, operand.scalar) else {
        return Err(format!("`{}` is not defined for {}", unary_symbol(operator), operand.scalar));
    };
    let operand = convert(operand, converted);
    Ok(Expression { kind: ExpressionKind::Unary(operator, Box::new(operand)), scalar })
}

/// A unary operator in the notation of `.loops` files.
pub fn unary_symbol(operator: UnaryOperator) -> &'static str {
    match operator {
        UnaryOperator::Negate => "-",
        UnaryOperator::Not => "!",
        UnaryOperator::Complement => "~",
        UnaryOperator::Real => "real",
        UnaryOperator::Imaginary => "imag",
    }
}

/// `condition ? then : otherwise` with both values converted to their common type.
pub fn select(condition: Expression, then: Expression, otherwise: Expression) -> Expression {
    let scalar = common(then.scalar, otherwise.scalar);
    let (then, otherwise) = (convert(then, scalar), convert(otherwise, scalar));
    Expression {
        kind: ExpressionKind::Select(Box::new(condition), Box::new(then), Box::new(otherwise)),
        scalar,
    }
}

/// A call with its arguments converted; an error says what is wrong with their number or types.
pub fn call(
    name: &str,
    arguments: Vec<Expression>,
    signature: (&[Scalar], Scalar),
) -> Result<Expression, String> {
    let (parameters, scalar) = signature;
    if parameters.len() != arguments.len() {
        let (wants, has) = (parameters.len(), arguments.len());
        let plural = if wants == 1 { "" } else { "s" };
        return Err(format!("`{name}` takes {wants} argument{plural}, and is given {has}"));
    }
    let arguments =
        arguments.into_iter().zip(parameters).map(|(argument, to)| convert(argument, *to)).collect();
    Ok(Expression { kind: ExpressionKind::Call(name.to_owned(), arguments), scalar })
}

/// The signature of a function that the notation knows, for arguments of these types.
pub fn known_signature(name: &str, arguments: &[Scalar]) -> Option<(Vec<Scalar>, Scalar)> {
    match (name, arguments) {
        ("min" | "max", [left, right]) => {
            let scalar = common(*left, *right);
            (!matches!(scalar, Scalar::Complex { .. })).then(|| (vec![scalar; 2], scalar))
        }
        _ => functions::signature(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(bits: u8, signed: bool) -> Scalar {
        Scalar::Integer { bits, signed }
    }

    #[test]
    fn arithmetic_conversions_are_those_of_c() {
        let (i8, u8, i32, u32, i64, u64) = (
            integer(8, true),
            integer(8, false),
            integer(32, true),
            integer(32, false),
            integer(64, true),
            integer(64, false),
        );
        assert_eq!(common(i8, u8), i32);
        assert_eq!(common(Scalar::Bool, Scalar::Bool), i32);
        assert_eq!(common(i32, u32), u32);
        assert_eq!(common(i64, u32), i64);
        assert_eq!(common(u32, i64), i64);
        assert_eq!(common(i64, u64), u64);
        assert_eq!(common(u64, Scalar::F32), Scalar::F32);
        assert_eq!(common(Scalar::F32, Scalar::F64), Scalar::F64);
        assert_eq!(common(Scalar::Complex { bits: 32 }, Scalar::F64), Scalar::Complex { bits: 64 });
        assert_eq!(common(i64, Scalar::Complex { bits: 32 }), Scalar::Complex { bits: 32 });
    }

    #[test]
    fn shifts_promote_each_operand_by_itself() {
        let types = operator_types(BinaryOperator::ShiftLeft, integer(8, false), integer(64, true));
        let expected = OperatorTypes { left: Scalar::INT, right: Scalar::LONG, result: Scalar::INT };
        assert_eq!(types, Some(expected));
        assert_eq!(operator_types(BinaryOperator::ShiftLeft, Scalar::F64, Scalar::INT), None);
        assert_eq!(operator_types(BinaryOperator::Less, Scalar::Complex { bits: 64 }, Scalar::F64), None);
    }

    #[test]
    fn a_real_operand_beside_a_complex_one_stays_real() {
        let complex = Scalar::Complex { bits: 64 };
        let types = operator_types(BinaryOperator::Multiply, complex, Scalar::INT).unwrap();
        assert_eq!((types.left, types.right, types.result), (complex, Scalar::F64, complex));
    }

    #[test]
    fn a_literal_is_converted_only_if_its_value_stays() {
        let literal = |value| Expression::integer(value, Scalar::INT);
        assert_eq!(convert(literal(3), Scalar::F32).kind, ExpressionKind::Float(3.0));
        assert!(matches!(convert(literal((1 << 24) + 1), Scalar::F32).kind, ExpressionKind::Cast(_)));
        assert!(matches!(convert(literal(-1), integer(8, false)).kind, ExpressionKind::Cast(_)));
        assert_eq!(convert(literal(1), Scalar::Bool).kind, ExpressionKind::Integer(1));
        let float = Expression { kind: ExpressionKind::Float(0.1), scalar: Scalar::F64 };
        assert!(matches!(convert(float, Scalar::F32).kind, ExpressionKind::Cast(_)));
    }

    #[test]
    fn ranges_of_integers() {
        assert_eq!(integer_range(integer(8, true)), Some((-128, 127)));
        assert_eq!(integer_range(integer(64, false)), Some((0, i128::from(u64::MAX))));
        assert_eq!(integer_range(integer(128, true)), Some((i128::MIN, i128::MAX)));
        assert_eq!(integer_range(integer(128, false)), Some((0, i128::MAX)));
        assert_eq!(integer_range(Scalar::F32), None);
    }
}
