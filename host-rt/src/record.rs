//! Values of reduction variables, and records of them.

use std::fmt;

use codegen_shim::{Op, RecordLayout, ReductionList, Scalar, Source, Type, Variable};
use half::{bf16, f16};

use crate::Error;

/// A value of a [`Type`].
///
/// A number is displayed with the fewest digits that parse to the same value.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "variants have the names of types")]
pub enum Value {
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    I128(i128),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    U128(u128),
    F16(f16),
    BF16(bf16),
    F32(f32),
    F64(f64),
    /// The real and the imaginary part, numbers of one floating-point type.
    Complex(Box<[Value; 2]>),
    /// Values of one type, at least one.
    Array(Vec<Value>),
    /// The values of the fields.
    Struct(Vec<Value>),
}

/// Matches all scalar variants with one expression, in which `$value` is the number.
macro_rules! for_scalars {
    ($of:expr, $value:ident => $number:expr, $other:pat => $else:expr) => {
        match $of {
            Value::I8($value) => $number,
            Value::I16($value) => $number,
            Value::I32($value) => $number,
            Value::I64($value) => $number,
            Value::I128($value) => $number,
            Value::U8($value) => $number,
            Value::U16($value) => $number,
            Value::U32($value) => $number,
            Value::U64($value) => $number,
            Value::U128($value) => $number,
            Value::F16($value) => $number,
            Value::BF16($value) => $number,
            Value::F32($value) => $number,
            Value::F64($value) => $number,
            $other => $else,
        }
    };
}

impl Value {
    /// Its type. The element type of an empty array is `u8`.
    pub fn ty(&self) -> Type {
        match self {
            Value::I8(_) => Type::I8,
            Value::I16(_) => Type::I16,
            Value::I32(_) => Type::I32,
            Value::I64(_) => Type::I64,
            Value::I128(_) => Type::I128,
            Value::U8(_) => Type::U8,
            Value::U16(_) => Type::U16,
            Value::U32(_) => Type::U32,
            Value::U64(_) => Type::U64,
            Value::U128(_) => Type::U128,
            Value::F16(_) => Type::F16,
            Value::BF16(_) => Type::BF16,
            Value::F32(_) => Type::F32,
            Value::F64(_) => Type::F64,
            Value::Complex(parts) => Type::Complex(parts[0].ty().scalar().unwrap_or(Scalar::F64)),
            Value::Array(values) => {
                let element = values.first().map_or(Type::U8, Value::ty);
                Type::array(element, values.len().try_into().unwrap_or(u32::MAX))
            }
            Value::Struct(fields) => Type::structure(&fields.iter().map(Value::ty).collect::<Vec<_>>()),
        }
    }

    /// The identity of an operator, as a value of the variable's type in records ([`Variable::stored`]): see
    /// [`codegen_shim::Identity`].
    ///
    /// # Errors
    ///
    /// [`Error::Codegen`] if the operator is not defined for the type.
    pub fn identity(ty: Type, op: Op) -> Result<Value, Error> {
        let variable = Variable { name: "value".to_owned(), ty, op, source: Source::Array(0) };
        let list = ReductionList::new(vec![variable])?;
        Ok(Value::read(list.variables()[0].stored(), &list.identity()))
    }

    /// Writes the value with the layout of device memory to the start of `to`; padding is not changed.
    pub(crate) fn write(&self, to: &mut [u8]) {
        for_scalars!(self, value => {
            let bytes = value.to_le_bytes();
            to[..bytes.len()].copy_from_slice(&bytes);
        }, aggregate => {
            for (member, offset) in aggregate.members() {
                member.write(&mut to[offset as usize..]);
            }
        });
    }

    /// The values of an array's elements, a struct's fields or a complex number's parts, with their offsets
    /// in bytes.
    fn members(&self) -> Vec<(&Value, u32)> {
        match self {
            Value::Complex(parts) => vec![(&parts[0], 0), (&parts[1], parts[0].ty().size())],
            Value::Array(values) | Value::Struct(values) => {
                values.iter().zip(self.ty().members()).map(|(value, (_, offset))| (value, offset)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Reads a value of this type from the start of `from`, which has the layout of device memory. Bytes that a scalar
    /// lacks are 0.
    ///
    /// # Panics
    ///
    /// If a member of an array or a struct starts after the end of `from`.
    pub fn read(ty: Type, from: &[u8]) -> Value {
        fn first<const N: usize>(from: &[u8]) -> [u8; N] {
            from.first_chunk().copied().unwrap_or([0; N])
        }
        let member = |(ty, offset): (Type, u32)| Value::read(ty, &from[offset as usize..]);
        match ty {
            Type::Scalar(Scalar::I8) => Value::I8(i8::from_le_bytes(first(from))),
            Type::Scalar(Scalar::I16) => Value::I16(i16::from_le_bytes(first(from))),
            Type::Scalar(Scalar::I32) => Value::I32(i32::from_le_bytes(first(from))),
            Type::Scalar(Scalar::I64) => Value::I64(i64::from_le_bytes(first(from))),
            Type::Scalar(Scalar::I128) => Value::I128(i128::from_le_bytes(first(from))),
            Type::Scalar(Scalar::U8) => Value::U8(u8::from_le_bytes(first(from))),
            Type::Scalar(Scalar::U16) => Value::U16(u16::from_le_bytes(first(from))),
            Type::Scalar(Scalar::U32) => Value::U32(u32::from_le_bytes(first(from))),
            Type::Scalar(Scalar::U64) => Value::U64(u64::from_le_bytes(first(from))),
            Type::Scalar(Scalar::U128) => Value::U128(u128::from_le_bytes(first(from))),
            Type::Scalar(Scalar::F16) => Value::F16(f16::from_le_bytes(first(from))),
            Type::Scalar(Scalar::BF16) => Value::BF16(bf16::from_le_bytes(first(from))),
            Type::Scalar(Scalar::F32) => Value::F32(f32::from_le_bytes(first(from))),
            Type::Scalar(Scalar::F64) => Value::F64(f64::from_le_bytes(first(from))),
            Type::Complex(scalar) => {
                let number = Type::Scalar(scalar);
                Value::Complex(Box::new([0, scalar.size()].map(|offset| member((number, offset)))))
            }
            Type::Array(..) => Value::Array(ty.members().into_iter().map(member).collect()),
            Type::Struct(_) => Value::Struct(ty.members().into_iter().map(member).collect()),
        }
    }
}

/// Numbers in Rust's notation; `1+2i`, `[1, 2]`, `{1, 2}`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Magnitudes that are displayed without an exponent.
        const FIXED: std::ops::Range<f64> = 1e-5..1e16;
        let list = |f: &mut fmt::Formatter<'_>, [open, close]: [&str; 2], values: &[Value]| {
            f.write_str(open)?;
            for (index, value) in values.iter().enumerate() {
                write!(f, "{}{value}", if index > 0 { ", " } else { "" })?;
            }
            f.write_str(close)
        };
        match self {
            Value::F32(value) if *value == 0.0 || FIXED.contains(&f64::from(value.abs())) => {
                write!(f, "{value}")
            }
            Value::F64(value) if *value == 0.0 || FIXED.contains(&value.abs()) => write!(f, "{value}"),
            Value::F32(value) => write!(f, "{value:e}"),
            Value::F64(value) => write!(f, "{value:e}"),
            Value::Complex(parts) => {
                let imaginary = parts[1].to_string();
                let plus = if imaginary.starts_with('-') { "" } else { "+" };
                write!(f, "{}{plus}{imaginary}i", parts[0])
            }
            Value::Array(values) => list(f, ["[", "]"], values),
            Value::Struct(fields) => list(f, ["{", "}"], fields),
            number => for_scalars!(number, value => write!(f, "{value}"), _ => Ok(())),
        }
    }
}

macro_rules! from {
    ($($rust:ty => $variant:ident),*) => {
        $(impl From<$rust> for Value {
            fn from(value: $rust) -> Value {
                Value::$variant(value)
            }
        })*
    };
}

from!(
    i8 => I8, i16 => I16, i32 => I32, i64 => I64, i128 => I128,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64, u128 => U128,
    f16 => F16, bf16 => BF16, f32 => F32, f64 => F64
);

impl<T: Into<Value>> From<num_complex::Complex<T>> for Value {
    fn from(value: num_complex::Complex<T>) -> Value {
        Value::Complex(Box::new([value.re.into(), value.im.into()]))
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(values: [T; N]) -> Value {
        Value::Array(values.into_iter().map(Into::into).collect())
    }
}

/// One value for each variable of a reduction list: the initial values before a reduction, the results after.
/// The values have the types that variables have in records ([`Variable::stored`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    names: Vec<String>,
    values: Vec<Value>,
    layout: RecordLayout,
}

impl Record {
    /// A record with these values, in the order of the list.
    ///
    /// # Errors
    ///
    /// [`Error::Record`] for another number of values than the list has variables, or values of other types.
    pub fn new(list: &ReductionList, values: &[Value]) -> Result<Record, Error> {
        let types = list.variables().iter().map(Variable::stored);
        if !types.eq(values.iter().map(Value::ty)) {
            let types: Vec<_> = values.iter().map(|value| value.ty().to_string()).collect();
            return Err(Error::Record { expected: describe_list(list), given: types.join(", ") });
        }
        Ok(Record { values: values.to_vec(), ..Record::identity(list) })
    }

    /// The record of the operators' identities: see [`ReductionList::identity`].
    pub fn identity(list: &ReductionList) -> Record {
        let bytes = list.identity();
        let layout = list.record().clone();
        let value = |(variable, offset): (&Variable, &u32)| {
            Value::read(variable.stored(), &bytes[*offset as usize..])
        };
        Record {
            names: list.variables().iter().map(|variable| variable.name.clone()).collect(),
            values: list.variables().iter().zip(&layout.offsets).map(value).collect(),
            layout,
        }
    }

    /// The values, in the order of the list.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The value of a variable, or `None` if there is no variable of this name.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.names.iter().position(|known| known == name).map(|at| self.values[at].clone())
    }

    /// Checks that the record has the names and types of the list's variables.
    pub(crate) fn check(&self, list: &ReductionList) -> Result<(), Error> {
        let ours = self.names.iter().zip(&self.values).map(|(name, value)| (name.as_str(), value.ty()));
        let theirs = list.variables().iter().map(|variable| (variable.name.as_str(), variable.stored()));
        if ours.clone().eq(theirs) {
            return Ok(());
        }
        let given: Vec<_> = ours.map(|(name, ty)| format!("{name}: {ty}")).collect();
        Err(Error::Record { expected: describe_list(list), given: given.join(", ") })
    }

    /// The bytes with the layout that kernels use ([`ReductionList::record`]), little-endian; padding is
    /// zero.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.layout.size as usize];
        for (value, &offset) in self.values.iter().zip(&self.layout.offsets) {
            value.write(&mut bytes[offset as usize..]);
        }
        bytes
    }

    /// Parses the bytes of a record: the inverse of [`Record::to_bytes`].
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for another number of bytes than the list's record has.
    pub fn from_bytes(list: &ReductionList, bytes: &[u8]) -> Result<Record, Error> {
        let length = list.record().size as usize;
        match bytes.len() == length {
            true => Ok(Record::identity(list).with_bytes(bytes)),
            false => Err(Error::Length { length, given: bytes.len() }),
        }
    }

    /// The record with the values that kernels have stored as these bytes.
    pub(crate) fn with_bytes(mut self, bytes: &[u8]) -> Record {
        for (value, &offset) in self.values.iter_mut().zip(&self.layout.offsets) {
            *value = Value::read(value.ty(), &bytes[offset as usize..]);
        }
        self
    }
}

fn describe_list(list: &ReductionList) -> String {
    let variables: Vec<_> =
        list.variables().iter().map(|variable| format!("{}: {}", variable.name, variable.stored())).collect();
    variables.join(", ")
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;

    use super::*;

    fn list(variables: &[(&str, Type)]) -> ReductionList {
        let variables = variables.iter().map(|&(name, ty)| Variable {
            name: name.into(),
            ty,
            op: Op::Sum,
            source: Source::Array(0),
        });
        ReductionList::new(variables.collect()).unwrap()
    }

    #[test]
    fn displayed_digits_parse_to_the_same_value() {
        for value in [0.1, -3.0, 1e300, 5e-324, 123456789.125, 1e15, 1e16, -0.0, f64::INFINITY] {
            let text = Value::F64(value).to_string();
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{text}");
            assert!(text.len() < 25, "{text}");
        }
        assert_eq!(Value::F32(0.1).to_string(), "0.1");
        assert_eq!(Value::F32(f32::MAX).to_string(), "3.4028235e38");
        assert_eq!(Value::F64(f64::NAN).to_string(), "NaN");
        assert_eq!(Value::I64(i64::MIN).to_string(), "-9223372036854775808");
    }

    #[test]
    fn records_are_written_and_read() {
        let list = list(&[("a", Type::I32), ("b", Type::F64), ("c", Type::F32), ("d", Type::I64)]);
        let values = [Value::I32(-7), Value::F64(0.5), Value::F32(-2.25), Value::I64(1 << 40)];
        let record = Record::new(&list, &values).unwrap();
        let bytes = record.to_bytes();
        assert_eq!(bytes.len(), 32);
        assert_eq!(Record::identity(&list).with_bytes(&bytes), record);
        assert_eq!(record.get("c"), Some(Value::F32(-2.25)));
        assert_eq!(record.get("e"), None);
    }

    #[test]
    fn a_record_of_other_types_is_rejected() {
        let sums = list(&[("a", Type::I32), ("b", Type::F64)]);
        let error = Record::new(&sums, &[Value::I32(0), Value::F32(0.0)]).unwrap_err().to_string();
        assert_eq!(error, "the record has (i32, f32), but the reduction list has (a: i32, b: f64)");
        assert!(Record::new(&sums, &[Value::I32(0)]).is_err());
        let other = Record::identity(&list(&[("a", Type::I32), ("c", Type::F64)]));
        assert!(other.check(&sums).is_err());
        assert!(Record::identity(&sums).check(&sums).is_ok());
    }

    #[test]
    fn nested_values_are_written_and_read() {
        let ty = "{i8,[complex<f32>;2],{u128,f16},bf16}".parse().unwrap();
        let half = (Value::F16(f16::from_f32(0.5)), Value::BF16(bf16::from_f32(-2.0)));
        let value = Value::Struct(vec![
            Value::I8(-3),
            [Complex::new(1.0_f32, -0.25), Complex::new(-2.0, 8.0)].into(),
            Value::Struct(vec![Value::U128(u128::MAX - 1), half.0]),
            half.1,
        ]);
        assert_eq!(value.ty(), ty);
        let list = list(&[("a", Type::I16), ("b", ty)]);
        let record = Record::new(&list, &[Value::I16(7), value.clone()]).unwrap();
        assert_eq!(Record::identity(&list).with_bytes(&record.to_bytes()), record);
        let text = "{-3, [1-0.25i, -2+8i], {340282366920938463463374607431768211454, 0.5}, -2}";
        assert_eq!(value.to_string(), text);
    }

    #[test]
    fn identities_are_those_of_the_kernels() {
        let identity = |ty, op| Value::identity(ty, op).unwrap();
        assert_eq!(identity(Type::I8, Op::Min), Value::I8(i8::MAX));
        assert_eq!(identity(Type::U128, Op::And), Value::U128(u128::MAX));
        assert_eq!(identity(Type::F16, Op::Product), Value::F16(f16::ONE));
        assert!(matches!(identity(Type::F64, Op::Sum), Value::F64(zero) if zero.to_bits() == 1 << 63));
        let none = identity(Type::U16, Op::ArgMax);
        assert_eq!(none, Value::Struct(vec![Value::U16(0), Value::I64(-1)]));
        assert!(Value::identity(Type::F32, Op::Xor).is_err());
    }
}
