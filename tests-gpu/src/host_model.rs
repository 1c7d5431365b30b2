//! A host model of reductions: values and operators, computed one scalar at a time.

use codegen_shim::{Op, Scalar, Type};
use host_rt::{Value, bf16, f16};

/// A value from random bits for an operator. Sums of a few hundred such floats are exact in any order, as are
/// products of a few dozen. There are zeros of both signs, and with `nan` a few NaNs. `xor`, which has no
/// floats, stands for all other operators: its values are units, of which thousands can be added or
/// multiplied.
pub fn random_value(ty: Type, bits: &mut impl Iterator<Item = u64>, op: &Op, nan: bool) -> Value {
    let mut next = || bits.next().expect("the sequence has no end");
    let ty = match ty {
        Type::Scalar(scalar) => scalar,
        Type::Complex(part) => {
            let parts = [0, 1].map(|_| random_value(Type::Scalar(part), bits, op, nan));
            return Value::Complex(Box::new(complex_factor(parts, op)));
        }
        Type::Array(element, length) => {
            return Value::Array((0..length).map(|_| random_value(*element, bits, op, nan)).collect());
        }
        Type::Struct(fields) => {
            return Value::Struct(fields.iter().map(|field| random_value(*field, bits, op, nan)).collect());
        }
    };
    let random = next();
    // Few different values, so that there are ties; zeros for logical operators.
    let number = match op {
        Op::Product => [1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 2.0, 0.5][random as usize % 8],
        // For all operators at once, and many of them.
        Op::Xor => [1.0, -1.0][random as usize % 2],
        Op::Sum => (random % 5) as f64 - 2.0,
        _ => [0.0, -0.0, 1.0, -3.5, 100.0, -0.25, 2.0, -64.0][random as usize % 8],
    };
    let number = if nan && random >> 8 & 7 == 0 { f64::NAN } else { number };
    // All bits for integers; for logical operators sometimes only zeros, or one bit.
    let wide = u128::from(random) << 64 | u128::from(next());
    let wide = match op {
        Op::All => wide | u128::from(random & 3 != 0),
        Op::Any if random & 3 != 0 => 0,
        _ => wide,
    };
    match ty {
        Scalar::I8 => Value::I8(wide as i8),
        Scalar::I16 => Value::I16(wide as i16),
        Scalar::I32 => Value::I32(wide as i32),
        Scalar::I64 => Value::I64(wide as i64),
        Scalar::I128 => Value::I128(wide as i128),
        Scalar::U8 => Value::U8(wide as u8),
        Scalar::U16 => Value::U16(wide as u16),
        Scalar::U32 => Value::U32(wide as u32),
        Scalar::U64 => Value::U64(wide as u64),
        Scalar::U128 => Value::U128(wide),
        Scalar::F16 => Value::F16(f16::from_f64(number)),
        Scalar::BF16 => Value::BF16(bf16::from_f64(number)),
        Scalar::F32 => Value::F32(number as f32),
        Scalar::F64 => Value::F64(number),
    }
}

/// For products a unit of the Gaussian integers, so that they stay exact.
fn complex_factor(parts: [Value; 2], op: &Op) -> [Value; 2] {
    let [re, im] = parts;
    match (op, number(&re) > 0.0) {
        (Op::Product | Op::Xor, true) => [float(re.ty(), 1.0), float(im.ty(), 0.0)],
        (Op::Product, false) => {
            [float(re.ty(), 0.0), float(im.ty(), if number(&im) > 0.0 { 1.0 } else { -1.0 })]
        }
        _ => [re, im],
    }
}

/// A floating-point value.
pub fn number(value: &Value) -> f64 {
    match value {
        Value::F16(value) => value.to_f64(),
        Value::BF16(value) => value.to_f64(),
        Value::F32(value) => (*value).into(),
        Value::F64(value) => *value,
        other => panic!("{other} is not a float"),
    }
}

/// A number, rounded to the type.
pub fn float(ty: Type, number: f64) -> Value {
    match ty {
        Type::F16 => Value::F16(f16::from_f64(number)),
        Type::BF16 => Value::BF16(bf16::from_f64(number)),
        Type::F32 => Value::F32(number as f32),
        _ => Value::F64(number),
    }
}

/// An integer's bits: sign-extended, as are those of signed types, or zero-extended.
fn integer(value: &Value) -> Option<i128> {
    Some(match value {
        Value::I8(value) => (*value).into(),
        Value::I16(value) => (*value).into(),
        Value::I32(value) => (*value).into(),
        Value::I64(value) => (*value).into(),
        Value::I128(value) => *value,
        Value::U8(value) => (*value).into(),
        Value::U16(value) => (*value).into(),
        Value::U32(value) => (*value).into(),
        Value::U64(value) => (*value).into(),
        Value::U128(value) => value.cast_signed(),
        _ => return None,
    })
}

/// The low bits of `bits` as a value of the type of `like`.
fn truncated(like: &Value, bits: i128) -> Value {
    match like {
        Value::I8(_) => Value::I8(bits as i8),
        Value::I16(_) => Value::I16(bits as i16),
        Value::I32(_) => Value::I32(bits as i32),
        Value::I64(_) => Value::I64(bits as i64),
        Value::I128(_) => Value::I128(bits),
        Value::U8(_) => Value::U8(bits as u8),
        Value::U16(_) => Value::U16(bits as u16),
        Value::U32(_) => Value::U32(bits as u32),
        Value::U64(_) => Value::U64(bits as u64),
        _ => Value::U128(bits.cast_unsigned()),
    }
}

/// The smaller of two floats: the other one if one is NaN; -0 is below +0.
fn lesser(a: f64, b: f64) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if a.total_cmp(&b).is_le() => a,
        _ => b,
    }
}

/// Whether `a` comes before `b`: in the order of `min` or, with `most`, of `max`.
fn precedes(a: &Value, b: &Value, most: bool) -> bool {
    let order = match (a, b, integer(a), integer(b)) {
        (Value::U128(a), Value::U128(b), ..) => a.cmp(b),
        (_, _, Some(a), Some(b)) => a.cmp(&b),
        _ => number(a).partial_cmp(&number(b)).expect("no NaN is compared"),
    };
    if most { order.is_gt() } else { order.is_lt() }
}

/// `left op right`, for values of variables.
pub fn apply(op: &Op, left: &Value, right: &Value) -> Value {
    let both = |left: &[Value], right: &[Value]| -> Vec<Value> {
        left.iter().zip(right).map(|(left, right)| apply(op, left, right)).collect()
    };
    match (left, right) {
        (Value::Struct(ours), Value::Struct(theirs)) if op.finds() => {
            let most = *op == Op::ArgMax;
            let found = |pair: &[Value]| {
                let number = integer(&pair[0]).is_some() || !number(&pair[0]).is_nan();
                matches!(pair[1], Value::I64(0..)) && number
            };
            let earlier = integer(&theirs[1]) < integer(&ours[1]);
            let takes = match (found(ours), found(theirs)) {
                (_, false) => false,
                (false, true) => true,
                (true, true) => {
                    let better = precedes(&theirs[0], &ours[0], most);
                    better || !precedes(&ours[0], &theirs[0], most) && earlier
                }
            };
            return if takes { right.clone() } else { left.clone() };
        }
        (Value::Struct(left), Value::Struct(right)) => return Value::Struct(both(left, right)),
        (Value::Array(left), Value::Array(right)) => return Value::Array(both(left, right)),
        (Value::Complex(left), Value::Complex(right)) => {
            if *op == Op::Sum {
                return Value::Complex(Box::new([0, 1].map(|part| apply(op, &left[part], &right[part]))));
            }
            let ([a, b], [c, d]) = ([0, 1].map(|i| number(&left[i])), [0, 1].map(|i| number(&right[i])));
            let ty = left[0].ty();
            return Value::Complex(Box::new([float(ty, a * c - b * d), float(ty, a * d + b * c)]));
        }
        _ => {}
    }
    if let (Some(a), Some(b)) = (integer(left), integer(right)) {
        let pick = |first: bool| if first { a } else { b };
        let bits = match op {
            Op::Sum => a.wrapping_add(b),
            Op::Product => a.wrapping_mul(b),
            Op::Min => pick(precedes(left, right, false)),
            Op::Max => pick(precedes(left, right, true)),
            Op::And => a & b,
            Op::Or => a | b,
            Op::Xor => a ^ b,
            Op::All => i128::from(a != 0 && b != 0),
            Op::Any => i128::from(a != 0 || b != 0),
            other => panic!("{other} of integers"),
        };
        return truncated(left, bits);
    }
    let (a, b) = (number(left), number(right));
    let result = match op {
        Op::Sum => a + b,
        Op::Product => a * b,
        Op::Min => lesser(a, b),
        Op::Max => -lesser(-a, -b),
        Op::All => f64::from(a != 0.0 && b != 0.0),
        Op::Any => f64::from(a != 0.0 || b != 0.0),
        other => panic!("{other} of floats"),
    };
    float(left.ty(), result)
}

/// The value of a variable for an element with this index.
pub fn stored(op: &Op, value: Value, index: usize) -> Value {
    if op.finds() { Value::Struct(vec![value, Value::I64(index as i64)]) } else { value }
}

/// Whether two values are the same, bit for bit. All NaNs are the same; in complex numbers -0 and +0 are,
/// because the sign of a product's zero depends on the order.
pub fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Struct(left), Value::Struct(right)) | (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Complex(left), Value::Complex(right)) => {
            let equal = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan();
            [0, 1].into_iter().all(|part| equal(number(&left[part]), number(&right[part])))
        }
        _ if left.ty() != right.ty() => false,
        _ if integer(left).is_some() => left == right,
        _ => {
            let (a, b) = (number(left), number(right));
            a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
        }
    }
}
