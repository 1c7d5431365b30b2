//! Values of reduction variables.

use std::fmt;

use codegen_shim::{Op, RecordLayout, ReductionList, Type};

use crate::Error;

/// A value of one of the element types.
///
/// It is shown with as few digits as read back to the same value.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Value {
    I32(i32),
    I64(i64),
    F32(f32),
    F64(f64),
}

impl Value {
    /// Its type.
    pub fn ty(self) -> Type {
        match self {
            Value::I32(_) => Type::I32,
            Value::I64(_) => Type::I64,
            Value::F32(_) => Type::F32,
            Value::F64(_) => Type::F64,
        }
    }

    /// The value that changes no other under an operator: 0 and -0.0 for sums, the far end of an integer
    /// type and NaN for extrema.
    pub fn identity(ty: Type, op: Op) -> Value {
        match (ty, op) {
            (Type::I32, Op::Sum) => Value::I32(0),
            (Type::I32, Op::Min) => Value::I32(i32::MAX),
            (Type::I32, Op::Max) => Value::I32(i32::MIN),
            (Type::I64, Op::Sum) => Value::I64(0),
            (Type::I64, Op::Min) => Value::I64(i64::MAX),
            (Type::I64, Op::Max) => Value::I64(i64::MIN),
            (Type::F32, Op::Sum) => Value::F32(-0.0),
            (Type::F64, Op::Sum) => Value::F64(-0.0),
            (Type::F32, Op::Min | Op::Max) => Value::F32(f32::NAN),
            (Type::F64, Op::Min | Op::Max) => Value::F64(f64::NAN),
        }
    }

    fn write(self, to: &mut [u8]) {
        match self {
            Value::I32(value) => to.copy_from_slice(&value.to_ne_bytes()),
            Value::I64(value) => to.copy_from_slice(&value.to_ne_bytes()),
            Value::F32(value) => to.copy_from_slice(&value.to_ne_bytes()),
            Value::F64(value) => to.copy_from_slice(&value.to_ne_bytes()),
        }
    }

    fn read(ty: Type, from: &[u8]) -> Value {
        let (half, whole) = (from.first_chunk().copied(), from.first_chunk().copied());
        let (half, whole) = (half.unwrap_or_default(), whole.unwrap_or_default());
        match ty {
            Type::I32 => Value::I32(i32::from_ne_bytes(half)),
            Type::I64 => Value::I64(i64::from_ne_bytes(whole)),
            Type::F32 => Value::F32(f32::from_ne_bytes(half)),
            Type::F64 => Value::F64(f64::from_ne_bytes(whole)),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Beyond these a fixed notation is mostly zeros.
        const FIXED: std::ops::Range<f64> = 1e-5..1e16;
        match *self {
            Value::I32(value) => write!(f, "{value}"),
            Value::I64(value) => write!(f, "{value}"),
            Value::F32(value) if value == 0.0 || FIXED.contains(&f64::from(value.abs())) => {
                write!(f, "{value}")
            }
            Value::F64(value) if value == 0.0 || FIXED.contains(&value.abs()) => write!(f, "{value}"),
            Value::F32(value) => write!(f, "{value:e}"),
            Value::F64(value) => write!(f, "{value:e}"),
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

from!(i32 => I32, i64 => I64, f32 => F32, f64 => F64);

/// One value for each variable of a reduction list: the initial values before a reduction, the results after.
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
        let variables = list.variables();
        let matching = variables.iter().map(|variable| variable.ty).eq(values.iter().map(|value| value.ty()));
        if !matching {
            let types: Vec<_> = values.iter().map(|value| value.ty().to_string()).collect();
            return Err(Error::Record { expected: describe_list(list), given: types.join(", ") });
        }
        Ok(Record {
            names: variables.iter().map(|variable| variable.name.clone()).collect(),
            values: values.to_vec(),
            layout: list.record().clone(),
        })
    }

    /// The record that changes nothing: see [`Value::identity`].
    pub fn identity(list: &ReductionList) -> Record {
        let variables = list.variables();
        Record {
            names: variables.iter().map(|variable| variable.name.clone()).collect(),
            values: variables.iter().map(|variable| Value::identity(variable.ty, variable.op)).collect(),
            layout: list.record().clone(),
        }
    }

    /// The values, in the order of the list.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.names.iter().position(|known| known == name).map(|at| self.values[at])
    }

    /// Checks that the record is one of the list's.
    pub(crate) fn check(&self, list: &ReductionList) -> Result<(), Error> {
        let ours = self.names.iter().zip(&self.values).map(|(name, value)| (name.as_str(), value.ty()));
        let theirs = list.variables().iter().map(|variable| (variable.name.as_str(), variable.ty));
        if ours.clone().eq(theirs) {
            return Ok(());
        }
        let given: Vec<_> = ours.map(|(name, ty)| format!("{name}: {ty}")).collect();
        Err(Error::Record { expected: describe_list(list), given: given.join(", ") })
    }

    /// The bytes as the kernels lay them out; padding is zero.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.layout.size as usize];
        for (value, &offset) in self.values.iter().zip(&self.layout.offsets) {
            let start = offset as usize;
            value.write(&mut bytes[start..start + value.ty().size() as usize]);
        }
        bytes
    }

    /// The record with the values that the kernels left.
    pub(crate) fn with_bytes(mut self, bytes: &[u8]) -> Record {
        for (value, &offset) in self.values.iter_mut().zip(&self.layout.offsets) {
            *value = Value::read(value.ty(), &bytes[offset as usize..]);
        }
        self
    }
}

fn describe_list(list: &ReductionList) -> String {
    let variables: Vec<_> =
        list.variables().iter().map(|variable| format!("{}: {}", variable.name, variable.ty)).collect();
    variables.join(", ")
}

#[cfg(test)]
mod tests {
    use codegen_shim::{Source, Variable};

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
    fn values_show_digits_that_read_back() {
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
    fn a_record_survives_its_layout() {
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
    fn a_record_of_other_types_is_refused() {
        let sums = list(&[("a", Type::I32), ("b", Type::F64)]);
        let error = Record::new(&sums, &[Value::I32(0), Value::F32(0.0)]).unwrap_err().to_string();
        assert_eq!(error, "the record holds i32, f32, the reduction's list is a: i32, b: f64");
        assert!(Record::new(&sums, &[Value::I32(0)]).is_err());
        let other = Record::identity(&list(&[("a", Type::I32), ("c", Type::F64)]));
        assert!(other.check(&sums).is_err());
        assert!(Record::identity(&sums).check(&sums).is_ok());
    }
}
