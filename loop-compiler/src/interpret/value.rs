//! Values and C's arithmetic on them, as clang compiles it for x86-64 without fast-math and without contraction.
//!
//! Integers wrap around. What C leaves undefined otherwise is an error. Complex products and quotients are those of
//! annex G of C, with its recovery of infinities; the last bits of a quotient may differ from a C library's.

use std::fmt;

use crate::ir::functions;
use crate::ir::types::Scalar;
use crate::ir::{BinaryOperator, ExpressionKind, ReductionOperator, UnaryOperator};

/// A value of a [`Scalar`] type, which is known from its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Of an integer type; of the widest unsigned one its bits.
    Integer(i128),
    /// A float; an `f32` is widened.
    Float(f64),
    /// Real and imaginary part.
    Complex(f64, f64),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(value) => value.fmt(f),
            Value::Float(value) => value.fmt(f),
            Value::Complex(real, imaginary) => write!(f, "{real} + {imaginary}i"),
        }
    }
}

/// What is wrong, and what to do about it.
pub type Fault = (String, &'static str);

const U128: Scalar = Scalar::Integer { bits: 128, signed: false };

/// The value modulo the size of the type.
pub fn wrap(value: i128, scalar: Scalar) -> i128 {
    match scalar {
        Scalar::Bool => i128::from(value != 0),
        Scalar::Integer { bits, signed } => {
            let unused = 128 - u32::from(bits).clamp(1, 128);
            let shifted = value << unused;
            if signed || unused == 0 { shifted >> unused } else { ((shifted as u128) >> unused) as i128 }
        }
        _ => value,
    }
}

fn round(value: f64, bits: u8) -> f64 {
    if bits == 32 { f64::from(value as f32) } else { value }
}

fn mismatch<T>() -> Result<T, Fault> {
    Err(("the types of the tree do not agree".to_owned(), "verify the tree first"))
}

/// The value that a literal has.
pub fn literal(kind: &ExpressionKind, scalar: Scalar) -> Option<Value> {
    match kind {
        ExpressionKind::Integer(value) => Some(Value::Integer(wrap(*value, scalar))),
        ExpressionKind::Float(value) => Some(Value::Float(*value)),
        ExpressionKind::Imaginary(value) => Some(Value::Complex(0.0, *value)),
        ExpressionKind::Cast(operand) => {
            convert(literal(&operand.kind, operand.scalar)?, operand.scalar, scalar).ok()
        }
        _ => None,
    }
}

/// Whether the value is not 0.
pub fn truth(value: Value) -> bool {
    match value {
        Value::Integer(value) => value != 0,
        Value::Float(value) => value != 0.0,
        Value::Complex(real, imaginary) => real != 0.0 || imaginary != 0.0,
    }
}

/// Whether two values of a type have the same bits, apart from those of NaNs.
pub fn same_bits(left: Value, right: Value) -> bool {
    let same = |x: f64, y: f64| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
    match (left, right) {
        (Value::Complex(a, b), Value::Complex(c, d)) => same(a, c) && same(b, d),
        (Value::Float(x), Value::Float(y)) => same(x, y),
        (left, right) => left == right,
    }
}

/// A conversion of C. A float that no value of the integer type is near to is an error.
pub fn convert(value: Value, from: Scalar, to: Scalar) -> Result<Value, Fault> {
    if from == to {
        return Ok(value);
    }
    let real = |value: Value, bits: u8| match (value, bits) {
        (Value::Integer(value), 32) if from == U128 => Ok(f64::from(value as u128 as f32)),
        (Value::Integer(value), _) if from == U128 => Ok(value as u128 as f64),
        (Value::Integer(value), 32) => Ok(f64::from(value as f32)),
        (Value::Integer(value), _) => Ok(value as f64),
        (Value::Float(value) | Value::Complex(value, _), bits) => Ok(round(value, bits)),
    };
    match to {
        Scalar::Bool => Ok(Value::Integer(truth(value).into())),
        Scalar::Integer { bits, signed } => match value {
            Value::Integer(value) => Ok(Value::Integer(wrap(value, to))),
            Value::Float(value) | Value::Complex(value, _) => {
                let whole = value.trunc();
                let limit = 2f64.powi(i32::from(bits) - i32::from(signed));
                let least = if signed { -limit } else { 0.0 };
                if !(least..limit).contains(&whole) {
                    let what = format!("{value:?} is not in the range of {to}");
                    return Err((what, "C does not define the conversion"));
                }
                Ok(Value::Integer(if to == U128 { whole as u128 as i128 } else { whole as i128 }))
            }
        },
        // Integers of a half's range are exact in between.
        Scalar::Half(format) => real(value, 64).map(|value| Value::Float(format.round(value))),
        Scalar::Float { bits } => real(value, bits).map(Value::Float),
        Scalar::Complex { bits } => {
            let imaginary = match value {
                Value::Complex(_, imaginary) => round(imaginary, bits),
                _ => 0.0,
            };
            real(value, bits).map(|real| Value::Complex(real, imaginary))
        }
    }
}

/// A unary operator; the operand has the type that [`crate::ir::convert::unary_types`] says.
pub fn unary(operator: UnaryOperator, operand: Value, scalar: Scalar) -> Result<Value, Fault> {
    match (operator, operand) {
        (UnaryOperator::Not, value) => Ok(Value::Integer((!truth(value)).into())),
        (UnaryOperator::Negate, Value::Integer(value)) => {
            Ok(Value::Integer(wrap(value.wrapping_neg(), scalar)))
        }
        (UnaryOperator::Negate, Value::Float(value)) => Ok(Value::Float(-value)),
        (UnaryOperator::Negate, Value::Complex(real, imaginary)) => Ok(Value::Complex(-real, -imaginary)),
        (UnaryOperator::Complement, Value::Integer(value)) => Ok(Value::Integer(wrap(!value, scalar))),
        (UnaryOperator::Complement, Value::Complex(real, imaginary)) => Ok(Value::Complex(real, -imaginary)),
        (UnaryOperator::Real, Value::Complex(real, _)) => Ok(Value::Float(real)),
        (UnaryOperator::Imaginary, Value::Complex(_, imaginary)) => Ok(Value::Float(imaginary)),
        _ => mismatch(),
    }
}

/// A binary operator but `&&` and `||`. Its operands have the types of [`crate::ir::convert::operator_types`]; `scalar`
/// is the left one's, or the other's if that one is complex.
pub fn binary(operator: BinaryOperator, left: Value, right: Value, scalar: Scalar) -> Result<Value, Fault> {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => integers(operator, left, right, scalar),
        (Value::Float(left), Value::Float(right)) => {
            let narrow = scalar == Scalar::F32;
            floats(operator, left, right, narrow)
        }
        (Value::Complex(..), _) | (_, Value::Complex(..)) => {
            let Scalar::Complex { bits } = scalar else { return mismatch() };
            complexes(operator, left, right, bits)
        }
        _ => mismatch(),
    }
}

fn compare<T: PartialOrd>(operator: BinaryOperator, left: T, right: T) -> Option<Value> {
    let holds = match operator {
        BinaryOperator::Less => left < right,
        BinaryOperator::LessEqual => left <= right,
        BinaryOperator::Greater => left > right,
        BinaryOperator::GreaterEqual => left >= right,
        BinaryOperator::Equal => left == right,
        BinaryOperator::NotEqual => left != right,
        _ => return None,
    };
    Some(Value::Integer(holds.into()))
}

fn integers(operator: BinaryOperator, left: i128, right: i128, scalar: Scalar) -> Result<Value, Fault> {
    use BinaryOperator as B;
    let unsigned = scalar == U128;
    let compared = match unsigned {
        true => compare(operator, left as u128, right as u128),
        false => compare(operator, left, right),
    };
    if let Some(value) = compared {
        return Ok(value);
    }
    let amount = || {
        let bits = i128::try_from(scalar.size() * 8).unwrap_or_default();
        let within = (0..bits).contains(&right);
        let fault =
            || (format!("a shift of {scalar} by {right}"), "C defines shifts by less than the type's bits");
        if within { Ok(right as u32) } else { Err(fault()) }
    };
    let result = match operator {
        B::Add => left.wrapping_add(right),
        B::Subtract => left.wrapping_sub(right),
        B::Multiply => left.wrapping_mul(right),
        B::Divide | B::Remainder if right == 0 => {
            return Err((format!("{left} is divided by 0"), "C does not define it"));
        }
        B::Divide if unsigned => ((left as u128) / (right as u128)) as i128,
        B::Remainder if unsigned => ((left as u128) % (right as u128)) as i128,
        B::Divide | B::Remainder => {
            let quotient = left.checked_div(right).filter(|quotient| wrap(*quotient, scalar) == *quotient);
            let Some(quotient) = quotient else {
                return Err((
                    format!("{left} divided by {right} is not a value of {scalar}"),
                    "C does not define it",
                ));
            };
            if operator == B::Divide { quotient } else { left.wrapping_rem(right) }
        }
        B::And => left & right,
        B::Or => left | right,
        B::Xor => left ^ right,
        B::ShiftLeft => left << amount()?,
        B::ShiftRight if unsigned => ((left as u128) >> amount()?) as i128,
        B::ShiftRight => left >> amount()?,
        _ => return mismatch(),
    };
    Ok(Value::Integer(wrap(result, scalar)))
}

fn floats(operator: BinaryOperator, left: f64, right: f64, narrow: bool) -> Result<Value, Fault> {
    match compare(operator, left, right) {
        Some(value) => Ok(value),
        None => arithmetic(operator, left, right, narrow).map(Value::Float),
    }
}

/// One operation in `f32` or `f64`.
fn arithmetic(operator: BinaryOperator, left: f64, right: f64, narrow: bool) -> Result<f64, Fault> {
    let (x, y) = (left as f32, right as f32);
    Ok(match (operator, narrow) {
        (BinaryOperator::Add, false) => left + right,
        (BinaryOperator::Subtract, false) => left - right,
        (BinaryOperator::Multiply, false) => left * right,
        (BinaryOperator::Divide, false) => left / right,
        (BinaryOperator::Add, true) => f64::from(x + y),
        (BinaryOperator::Subtract, true) => f64::from(x - y),
        (BinaryOperator::Multiply, true) => f64::from(x * y),
        (BinaryOperator::Divide, true) => f64::from(x / y),
        _ => return mismatch(),
    })
}

fn complexes(operator: BinaryOperator, left: Value, right: Value, bits: u8) -> Result<Value, Fault> {
    use BinaryOperator as B;
    let narrow = bits == 32;
    let parts = |value| match value {
        Value::Complex(real, imaginary) => Ok((real, Some(imaginary))),
        Value::Float(real) => Ok((real, None)),
        Value::Integer(_) => mismatch(),
    };
    let ((a, b), (c, d)) = (parts(left)?, parts(right)?);
    let op = |operator, x, y| arithmetic(operator, x, y, narrow);
    Ok(match operator {
        B::Equal | B::NotEqual => {
            let equal = a == c && b.unwrap_or_default() == d.unwrap_or_default();
            Value::Integer((equal == (operator == B::Equal)).into())
        }
        B::Add | B::Subtract => {
            let imaginary = match (b, d) {
                (Some(b), Some(d)) => op(operator, b, d)?,
                (None, Some(d)) if operator == B::Subtract => -d,
                (Some(part), None) | (None, Some(part)) => part,
                (None, None) => 0.0,
            };
            Value::Complex(op(operator, a, c)?, imaginary)
        }
        B::Multiply => match (b, d) {
            (Some(b), None) => Value::Complex(op(B::Multiply, a, c)?, op(B::Multiply, b, c)?),
            (None, Some(d)) => Value::Complex(op(B::Multiply, a, c)?, op(B::Multiply, a, d)?),
            (b, d) => product((a, b.unwrap_or_default()), (c, d.unwrap_or_default()), narrow)?,
        },
        B::Divide => match (b, d) {
            (Some(b), None) => Value::Complex(op(B::Divide, a, c)?, op(B::Divide, b, c)?),
            (b, d) => quotient((a, b.unwrap_or_default()), (c, d.unwrap_or_default()), narrow)?,
        },
        _ => return mismatch(),
    })
}

/// 1 or 0 with a sign: what is left of an infinite part.
fn unit(part: f64) -> f64 {
    if part.is_infinite() { 1f64.copysign(part) } else { 0f64.copysign(part) }
}

fn without_nan(part: f64) -> f64 {
    if part.is_nan() { 0f64.copysign(part) } else { part }
}

/// `(a + bi)(c + di)`.
fn product((a, b): (f64, f64), (c, d): (f64, f64), narrow: bool) -> Result<Value, Fault> {
    use BinaryOperator::{Add, Multiply, Subtract};
    let op = |operator, x, y| arithmetic(operator, x, y, narrow);
    let parts = |(a, b), (c, d)| -> Result<(f64, f64), Fault> {
        let real = op(Subtract, op(Multiply, a, c)?, op(Multiply, b, d)?)?;
        Ok((real, op(Add, op(Multiply, a, d)?, op(Multiply, b, c)?)?))
    };
    let (real, imaginary) = parts((a, b), (c, d))?;
    if !(real.is_nan() && imaginary.is_nan()) {
        return Ok(Value::Complex(real, imaginary));
    }
    let infinite = |x: f64, y: f64| x.is_infinite() || y.is_infinite();
    let overflows = [op(Multiply, a, c)?, op(Multiply, b, d)?, op(Multiply, a, d)?, op(Multiply, b, c)?];
    if !infinite(a, b) && !infinite(c, d) && !overflows.iter().any(|part| part.is_infinite()) {
        return Ok(Value::Complex(real, imaginary));
    }
    let clear = |x: f64, y: f64, whole: bool| match whole {
        true => (unit(x), unit(y)),
        false => (without_nan(x), without_nan(y)),
    };
    let (left, right) = (clear(a, b, infinite(a, b)), clear(c, d, infinite(c, d)));
    let (real, imaginary) = parts(left, right)?;
    Ok(Value::Complex(f64::INFINITY * real, f64::INFINITY * imaginary))
}

/// `(a + bi) / (c + di)`.
fn quotient((a, b): (f64, f64), (c, d): (f64, f64), narrow: bool) -> Result<Value, Fault> {
    use BinaryOperator::{Add, Divide, Multiply, Subtract};
    let op = |operator, x, y| arithmetic(operator, x, y, narrow);
    let largest = c.abs().max(d.abs());
    let exponent = if largest.is_finite() && largest > 0.0 { largest.log2().floor() } else { 0.0 };
    // Twice half of it: a power of two may be outside of the range where its halves are not.
    let scaled = |value: f64, exponent: f64| {
        let half = (exponent / 2.0).trunc();
        value * half.exp2() * (exponent - half).exp2()
    };
    let (sc, sd) = (scaled(c, -exponent), scaled(d, -exponent));
    let denominator = op(Add, op(Multiply, sc, sc)?, op(Multiply, sd, sd)?)?;
    let real = op(Divide, op(Add, op(Multiply, a, sc)?, op(Multiply, b, sd)?)?, denominator)?;
    let imaginary = op(Divide, op(Subtract, op(Multiply, b, sc)?, op(Multiply, a, sd)?)?, denominator)?;
    let bits = if narrow { 32 } else { 64 };
    let (real, imaginary) = (round(scaled(real, -exponent), bits), round(scaled(imaginary, -exponent), bits));
    if !(real.is_nan() && imaginary.is_nan()) {
        return Ok(Value::Complex(real, imaginary));
    }
    let infinity = f64::INFINITY;
    Ok(if denominator == 0.0 && !(a.is_nan() && b.is_nan()) {
        Value::Complex(infinity.copysign(c) * a, infinity.copysign(c) * b)
    } else if (a.is_infinite() || b.is_infinite()) && c.is_finite() && d.is_finite() {
        let (a, b) = (unit(a), unit(b));
        Value::Complex(infinity * (a * c + b * d), infinity * (b * c - a * d))
    } else if largest.is_infinite() && a.is_finite() && b.is_finite() {
        let (c, d) = (unit(c), unit(d));
        Value::Complex(0.0 * (a * c + b * d), 0.0 * (b * c - a * d))
    } else {
        Value::Complex(real, imaginary)
    })
}

/// The combination of two elements of a reduction. A later minimum or maximum replaces an earlier one only if it is
/// less or greater.
pub fn combine(operator: ReductionOperator, old: Value, new: Value, scalar: Scalar) -> Result<Value, Fault> {
    use ReductionOperator as R;
    let simple = |operator| binary(operator, old, new, scalar);
    let replaces = |operator| Ok(if truth(binary(operator, new, old, scalar)?) { new } else { old });
    let from_truth = |holds: bool| convert(Value::Integer(holds.into()), Scalar::INT, scalar);
    match operator {
        R::Add => simple(BinaryOperator::Add),
        R::Multiply => simple(BinaryOperator::Multiply),
        R::And => simple(BinaryOperator::And),
        R::Or => simple(BinaryOperator::Or),
        R::Xor => simple(BinaryOperator::Xor),
        R::Minimum | R::ArgMin => replaces(BinaryOperator::Less),
        R::Maximum | R::ArgMax => replaces(BinaryOperator::Greater),
        R::LeastNumber | R::GreatestNumber => match old {
            Value::Float(number) if number.is_nan() => Ok(new),
            _ => replaces(operator.relation()),
        },
        R::LogicalAnd => from_truth(truth(old) && truth(new)),
        R::LogicalOr => from_truth(truth(old) || truth(new)),
        R::First | R::Last => mismatch(),
    }
}

/// The value of a function for arguments of these types.
pub fn call(name: &str, arguments: &[Value], types: &[Scalar], scalar: Scalar) -> Result<Value, Fault> {
    let unknown = || {
        let what = format!("the interpreter does not know the function `{name}` of these arguments");
        Err((what, "it knows those of math.h that Rust's standard library has, abs, min and max"))
    };
    let known = crate::ir::convert::known_signature(name, types);
    if known != Some((types.to_vec(), scalar)) {
        return unknown();
    }
    match (name, arguments) {
        ("min", [old, new]) => return combine(ReductionOperator::Minimum, *old, *new, scalar),
        ("max", [old, new]) => return combine(ReductionOperator::Maximum, *old, *new, scalar),
        ("abs" | "labs" | "llabs", [Value::Integer(value)]) => {
            return Ok(Value::Integer(wrap(value.wrapping_abs(), scalar)));
        }
        _ => {}
    }
    if let [Value::Complex(real, imaginary)] = *arguments {
        let (base, bits) = functions::base(name).unwrap_or_default();
        return match base {
            "creal" => Ok(Value::Float(real)),
            "cimag" => Ok(Value::Float(imaginary)),
            "conj" => Ok(Value::Complex(real, -imaginary)),
            "cabs" if bits == 32 => Ok(Value::Float(f64::from((real as f32).hypot(imaginary as f32)))),
            "cabs" => Ok(Value::Float(real.hypot(imaginary))),
            _ => unknown(),
        };
    }
    let mut floats = Vec::with_capacity(arguments.len());
    for argument in arguments {
        match argument {
            Value::Float(value) => floats.push(*value),
            _ => return unknown(),
        }
    }
    functions::value(name, &floats).map_or_else(unknown, |value| Ok(Value::Float(value)))
}

/// The value of the bytes of a cell.
pub fn load(bytes: &[u8], scalar: Scalar) -> Value {
    let float = |bytes: &[u8]| match bytes {
        [a, b, c, d] => f64::from(f32::from_le_bytes([*a, *b, *c, *d])),
        _ => f64::from_le_bytes(bytes.try_into().unwrap_or_default()),
    };
    match scalar {
        Scalar::Bool | Scalar::Integer { .. } => {
            let mut wide = [0; 16];
            wide[..bytes.len()].copy_from_slice(bytes);
            Value::Integer(wrap(i128::from_le_bytes(wide), scalar))
        }
        Scalar::Half(format) => Value::Float(format.load(bytes.try_into().unwrap_or_default())),
        Scalar::Float { .. } => Value::Float(float(bytes)),
        Scalar::Complex { .. } => {
            let (real, imaginary) = bytes.split_at(bytes.len() / 2);
            Value::Complex(float(real), float(imaginary))
        }
    }
}

/// Stores a value into the bytes of a cell.
pub fn store(value: Value, scalar: Scalar, bytes: &mut [u8]) {
    let float = |value: f64, bytes: &mut [u8]| match bytes.len() {
        4 => bytes.copy_from_slice(&(value as f32).to_le_bytes()),
        _ => bytes.copy_from_slice(&value.to_le_bytes()),
    };
    match (value, scalar) {
        (Value::Integer(value), Scalar::Bool | Scalar::Integer { .. }) => {
            bytes.copy_from_slice(&value.to_le_bytes()[..bytes.len()]);
        }
        (Value::Float(value), Scalar::Half(format)) => bytes.copy_from_slice(&format.bytes(value)),
        (Value::Float(value), Scalar::Float { .. }) => float(value, bytes),
        (Value::Complex(real, imaginary), Scalar::Complex { .. }) => {
            let (first, second) = bytes.split_at_mut(bytes.len() / 2);
            float(real, first);
            float(imaginary, second);
        }
        // Expressions have their target's type: the compiler of the code has checked it.
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOperator as B;

    const I8: Scalar = Scalar::Integer { bits: 8, signed: true };
    const U8: Scalar = Scalar::Integer { bits: 8, signed: false };
    const U64: Scalar = Scalar::Integer { bits: 64, signed: false };

    fn int(operator: B, left: i128, right: i128, scalar: Scalar) -> Result<Value, Fault> {
        binary(operator, Value::Integer(left), Value::Integer(right), scalar)
    }

    #[test]
    fn integers_wrap_around() {
        assert_eq!(int(B::Add, i128::from(i32::MAX), 1, Scalar::INT), Ok(Value::Integer(i32::MIN.into())));
        assert_eq!(int(B::Subtract, 0, 1, U64), Ok(Value::Integer(u64::MAX.into())));
        assert_eq!(int(B::Multiply, 1 << 40, 1 << 40, U64), Ok(Value::Integer(0)));
        assert_eq!(int(B::Multiply, -1, -1, U128), Ok(Value::Integer(1)));
        assert_eq!(int(B::Divide, -1, 2, U128), Ok(Value::Integer(i128::MAX)));
        assert_eq!(int(B::Less, -1, 0, U128), Ok(Value::Integer(0)));
        assert_eq!(int(B::Less, -1, 0, Scalar::LONG), Ok(Value::Integer(1)));
    }

    #[test]
    fn undefined_operations_of_integers_are_errors() {
        assert!(int(B::Divide, 1, 0, Scalar::INT).is_err());
        assert!(int(B::Remainder, 1, 0, U64).is_err());
        assert!(int(B::Divide, i32::MIN.into(), -1, Scalar::INT).is_err());
        assert!(int(B::Remainder, i32::MIN.into(), -1, Scalar::INT).is_err());
        assert!(int(B::ShiftLeft, 1, 32, Scalar::INT).is_err());
        assert!(int(B::ShiftRight, 1, -1, Scalar::INT).is_err());
        assert_eq!(int(B::ShiftRight, -8, 1, Scalar::INT), Ok(Value::Integer(-4)));
        assert_eq!(int(B::Remainder, -7, 2, Scalar::INT), Ok(Value::Integer(-1)));
    }

    #[test]
    fn conversions() {
        let from_float = |value, to| convert(Value::Float(value), Scalar::F64, to);
        assert_eq!(from_float(-1.9, Scalar::INT), Ok(Value::Integer(-1)));
        assert_eq!(from_float(-0.9, U8), Ok(Value::Integer(0)));
        assert_eq!(from_float(127.5, I8), Ok(Value::Integer(127)));
        assert!(from_float(128.0, I8).is_err());
        assert!(from_float(-1.0, U8).is_err());
        assert!(from_float(f64::NAN, Scalar::INT).is_err());
        assert_eq!(from_float(0.5, Scalar::Bool), Ok(Value::Integer(1)));
        assert_eq!(from_float(0.1, Scalar::F32), Ok(Value::Float(f64::from(0.1f32))));
        assert_eq!(convert(Value::Integer(300), Scalar::INT, U8), Ok(Value::Integer(44)));
        assert_eq!(convert(Value::Integer(200), Scalar::INT, I8), Ok(Value::Integer(-56)));
        assert_eq!(convert(Value::Integer(-1), U128, Scalar::F64), Ok(Value::Float(u128::MAX as f64)));
        // One rounding, not two.
        let value = (1i128 << 54) + (1 << 30) + 1;
        assert_eq!(
            convert(Value::Integer(value), Scalar::LONG, Scalar::F32),
            Ok(Value::Float(f64::from(value as f32)))
        );
    }

    #[test]
    fn floats_round_to_their_type() {
        let sum = binary(B::Add, Value::Float(16_777_216.0), Value::Float(1.0), Scalar::F32);
        assert_eq!(sum, Ok(Value::Float(16_777_216.0)));
        let sum = binary(B::Add, Value::Float(16_777_216.0), Value::Float(1.0), Scalar::F64);
        assert_eq!(sum, Ok(Value::Float(16_777_217.0)));
    }

    #[test]
    fn complex_numbers() {
        let complex = Scalar::Complex { bits: 64 };
        let (x, y) = (Value::Complex(1.0, 2.0), Value::Complex(3.0, -1.0));
        assert_eq!(binary(B::Multiply, x, y, complex), Ok(Value::Complex(5.0, 5.0)));
        assert_eq!(binary(B::Divide, Value::Complex(5.0, 5.0), y, complex), Ok(x));
        assert_eq!(binary(B::Subtract, Value::Float(1.0), x, complex), Ok(Value::Complex(0.0, -2.0)));
        assert_eq!(binary(B::Multiply, x, Value::Float(2.0), complex), Ok(Value::Complex(2.0, 4.0)));
        let infinite = Value::Complex(f64::INFINITY, f64::NAN);
        let Ok(Value::Complex(real, _)) = binary(B::Multiply, infinite, x, complex) else { panic!() };
        assert!(real.is_infinite());
        let Ok(Value::Complex(real, _)) = binary(B::Divide, x, Value::Complex(0.0, 0.0), complex) else {
            panic!()
        };
        assert!(real.is_infinite());
    }

    #[test]
    fn nans_of_any_payload_are_the_same() {
        let nan = f64::from_bits(f64::NAN.to_bits() | 1);
        assert!(same_bits(Value::Float(nan), Value::Float(-f64::NAN)));
        assert!(same_bits(Value::Complex(nan, 0.0), Value::Complex(f64::NAN, 0.0)));
        assert!(!same_bits(Value::Complex(nan, 0.0), Value::Complex(f64::NAN, -0.0)));
        assert!(!same_bits(Value::Float(0.0), Value::Float(-0.0)));
    }

    #[test]
    fn the_first_of_equal_values_stays() {
        let zero = |sign: f64| Value::Float(0f64.copysign(sign));
        let least = combine(ReductionOperator::Minimum, zero(1.0), zero(-1.0), Scalar::F64);
        assert!(matches!(least, Ok(Value::Float(value)) if value.is_sign_positive()));
    }

    #[test]
    fn cells_hold_their_values() {
        let mut bytes = [0; 16];
        store(Value::Integer(-2), U128, &mut bytes);
        assert_eq!(load(&bytes, U128), Value::Integer(-2));
        store(Value::Complex(1.5, -2.0), Scalar::Complex { bits: 32 }, &mut bytes[..8]);
        assert_eq!(load(&bytes[..8], Scalar::Complex { bits: 32 }), Value::Complex(1.5, -2.0));
        store(Value::Integer(200), U8, &mut bytes[..1]);
        assert_eq!(
            (load(&bytes[..1], U8), load(&bytes[..1], I8)),
            (Value::Integer(200), Value::Integer(-56))
        );
    }
}
