//! The median of a column, exactly: the device counts the values by their digits, the highest digits first.
//!
//! A value's key is an integer that is ordered as the values are. In each pass the device counts, among the values
//! whose keys begin with the digits found so far, how often each next digit occurs; the counts say which one the value in
//! the middle has. Values are kept for the passes if they are few; otherwise the input is read again for each.

use std::collections::HashMap;

use codegen_shim::{Mapper, Op, ReductionList, Scalar, Source, Type, UserModule, Variable};
use host_rt::{Device, Stream, Value};
use tables::ValueKind;
use toolchain::Tools;

use crate::{
    Error,
    pieces::{self, Pieces},
};

/// Bytes of all columns' values that are kept.
pub const KEPT_BYTES: usize = 256 << 20;

/// Bits of a digit.
const BITS: u32 = 4;

/// The digits.
const DIGITS: usize = 1 << BITS;

/// How often each digit occurs.
type Counts = [u64; DIGITS];

/// The counts of one digit as an array, all zero but that of the digit.
const COUNT_OF_DIGIT: &str = r#"target triple = "nvptx64-nvidia-cuda"
define void @count_of_digit(ptr %out, ptr %element) {
entry:
  %digit = load i8, ptr %element, align 1
  %wide = zext i8 %digit to i64
  br label %next
next:
  %index = phi i64 [ 0, %entry ], [ %after, %next ]
  %is.digit = icmp eq i64 %index, %wide
  %count = zext i1 %is.digit to i64
  %at = getelementptr i64, ptr %out, i64 %index
  store i64 %count, ptr %at, align 8
  %after = add i64 %index, 1
  %is.last = icmp eq i64 %after, 16
  br i1 %is.last, label %end, label %next
end:
  ret void
}
"#;

/// The values of a column whose median is requested, while they are read.
pub struct Middle {
    kind: ValueKind,
    /// The values, if they are not too many.
    kept: Option<Vec<u8>>,
    limit: usize,
    count: u64,
    has_nan: bool,
}

/// Takes some bytes.
pub type Take<'a> = dyn FnMut(&[u8]) -> Result<(), Error> + 'a;

/// Gives all bytes, some at a time: the values of a column, or digits, one a byte.
type Give<'a> = dyn FnMut(&mut Take) -> Result<(), Error> + 'a;

/// Counts the digits that it is given.
type Count<'a> = dyn FnMut(&mut Give) -> Result<Counts, Error> + 'a;

impl Middle {
    /// No values so far, and at most `limit` bytes of them to be kept.
    pub fn new(kind: ValueKind, limit: usize) -> Middle {
        Middle { kind, kept: Some(Vec::new()), limit, count: 0, has_nan: false }
    }

    /// Takes more values. False if there are too many to be kept: then they must be read again.
    pub fn add(&mut self, values: &[u8]) -> bool {
        let size = self.kind.ty.size() as usize;
        self.count += (values.len() / size) as u64;
        if is_float(self.kind.ty) {
            self.has_nan |= values.chunks_exact(size).any(|value| is_nan(&Value::read(self.kind.ty, value)));
        }
        match &mut self.kept {
            Some(kept) if kept.len() + values.len() <= self.limit => kept.extend_from_slice(values),
            _ => self.kept = None,
        }
        self.kept.is_some()
    }

    /// The median: the value in the middle, or the mean of the two in the middle, if they differ, in f64 or the values'
    /// floating-point type. NaN if one value is NaN; `None` if there is none. `again` reads the values if they were
    /// not kept.
    ///
    /// # Errors
    ///
    /// Those of the device and of the input, and an input that changed.
    pub fn median(
        &self,
        devices: &[Device],
        streams: &[Stream],
        again: &mut Give,
    ) -> Result<Option<Value>, Error> {
        if self.count == 0 || self.has_nan {
            return self.select(&mut |_| Ok([0; DIGITS]), again);
        }
        let module = UserModule::Ir(COUNT_OF_DIGIT);
        let mapper = Mapper::load(&Tools::find()?, "median", module, "count_of_digit")?;
        let list = ReductionList::new(vec![Variable {
            name: "counts".into(),
            ty: Type::array(Type::U64, DIGITS as u32),
            op: Op::Sum,
            source: Source::map(mapper, &[0]),
        }])?;
        let reductions = pieces::reductions(devices, list, Type::U8, false)?;
        let mut count = |give: &mut Give| {
            let Some(mut pieces) = Pieces::start(&reductions, streams, Some(self.count), 0)? else {
                return Ok([0; DIGITS]);
            };
            give(&mut |digits| pieces.add(digits))?;
            let record = pieces.finish()?;
            let mut counts = [0; DIGITS];
            if let Some(Value::Array(found)) = record.get("counts") {
                for (count, found) in counts.iter_mut().zip(found) {
                    *count = if let Value::U64(found) = found { found } else { 0 };
                }
            }
            Ok(counts)
        };
        self.select(&mut count, again)
    }

    fn select(&self, count: &mut Count, again: &mut Give) -> Result<Option<Value>, Error> {
        if self.count == 0 {
            return Ok(None);
        }
        if self.has_nan {
            return Ok(Some(rounded(self.kind.ty, f64::NAN)));
        }
        // Of prefixes, by their length: both ranks have most of them in common.
        let mut known = HashMap::new();
        let mut of_rank = |rank| self.key_of_rank(rank, &mut known, count, again);
        let (lower, upper) = (of_rank((self.count - 1) / 2)?, of_rank(self.count / 2)?);
        let (lower, upper) = (value(self.kind.ty, lower), value(self.kind.ty, upper));
        if lower == upper {
            return Ok(Some(lower));
        }
        let mean = match (integer(&lower), integer(&upper)) {
            // No integers of 64 bits overflow.
            (Some(lower), Some(upper)) if lower.checked_add(upper).is_some() => (lower + upper) as f64 / 2.0,
            _ => mean(float(&lower), float(&upper)),
        };
        Ok(Some(rounded(self.kind.ty, mean)))
    }

    /// The key that this many keys come before.
    fn key_of_rank(
        &self,
        mut rank: u64,
        known: &mut HashMap<(u32, u128), Counts>,
        count: &mut Count,
        again: &mut Give,
    ) -> Result<u128, Error> {
        let width = 8 * self.kind.ty.size();
        let mut prefix = 0;
        for length in 0..width / BITS {
            let counts = match known.get(&(length, prefix)) {
                Some(counts) => *counts,
                None => {
                    let counts = count(&mut |take| self.digits(length, prefix, take, again))?;
                    known.insert((length, prefix), counts);
                    counts
                }
            };
            let digit = counts.iter().position(|&count| match rank.checked_sub(count) {
                Some(after) => {
                    rank = after;
                    false
                }
                None => true,
            });
            let changed = || Error::Unsupported("the input changed while it was read for its median".into());
            prefix = prefix << BITS | digit.ok_or_else(changed)? as u128;
        }
        Ok(prefix)
    }

    /// Gives the digits that follow this prefix of `length` digits.
    fn digits(&self, length: u32, prefix: u128, take: &mut Take, again: &mut Give) -> Result<(), Error> {
        let (ty, size) = (self.kind.ty, self.kind.ty.size() as usize);
        let after = 8 * self.kind.ty.size() - BITS * (length + 1);
        let mut select = |values: &[u8]| {
            let digit = |bytes: &[u8]| {
                let digits = key(ty, bytes) >> after;
                (digits >> BITS == prefix).then_some(digits as u8 & (DIGITS as u8 - 1))
            };
            take(&values.chunks_exact(size).filter_map(digit).collect::<Vec<_>>())
        };
        match &self.kept {
            // Pieces, as the digits are another copy.
            Some(kept) => kept.chunks(size << 20).try_for_each(select),
            None => again(&mut select),
        }
    }
}

fn is_float(ty: Type) -> bool {
    ty.scalar().is_some_and(Scalar::is_float)
}

fn is_nan(value: &Value) -> bool {
    integer(value).is_none() && float(value).is_nan()
}

/// The bits of a value as an integer whose order is that of the values, -0 before +0. Values are in this machine's byte
/// order, which is that of the device.
fn key(ty: Type, value: &[u8]) -> u128 {
    let mut wide = [0; 16];
    wide[..value.len()].copy_from_slice(value);
    flipped(ty, u128::from_le_bytes(wide), |bits, sign| bits & sign != 0)
}

/// The value of a key.
fn value(ty: Type, key: u128) -> Value {
    Value::read(ty, &flipped(ty, key, |key, sign| key & sign == 0).to_le_bytes())
}

/// Bits and keys are made of each other by changing the sign bit; or, for negative floats, all bits.
fn flipped(ty: Type, from: u128, is_negative: impl Fn(u128, u128) -> bool) -> u128 {
    let width = 8 * ty.size();
    let sign = 1 << (width - 1);
    let is_unsigned =
        matches!(ty.scalar(), Some(Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::U128));
    match is_unsigned {
        true => from,
        false if is_float(ty) && is_negative(from, sign) => !from & (u128::MAX >> (128 - width)),
        false => from ^ sign,
    }
}

/// An integer, if it is one of i128.
fn integer(value: &Value) -> Option<i128> {
    match value {
        Value::F16(_) | Value::BF16(_) | Value::F32(_) | Value::F64(_) => None,
        integer => integer.to_string().parse().ok(),
    }
}

fn float(value: &Value) -> f64 {
    match value {
        Value::F16(value) => value.to_f64(),
        Value::BF16(value) => value.to_f64(),
        Value::F32(value) => f64::from(*value),
        Value::F64(value) => *value,
        Value::U128(value) => *value as f64,
        integer => self::integer(integer).map_or(f64::NAN, |value| value as f64),
    }
}

/// The mean, also of numbers whose sum is no finite number.
fn mean(lower: f64, upper: f64) -> f64 {
    match lower + upper {
        sum if sum.is_infinite() => lower / 2.0 + upper / 2.0,
        sum => sum / 2.0,
    }
}

/// A number as a value of a floating-point type; for others, of f64.
fn rounded(ty: Type, number: f64) -> Value {
    match ty {
        Type::F16 => Value::F16(host_rt::f16::from_f64(number)),
        Type::BF16 => Value::BF16(host_rt::bf16::from_f64(number)),
        Type::F32 => Value::F32(number as f32),
        _ => Value::F64(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts on the host.
    fn on_host(give: &mut Give) -> Result<Counts, Error> {
        let mut counts = [0; DIGITS];
        give(&mut |digits| {
            digits.iter().for_each(|&digit| counts[usize::from(digit)] += 1);
            Ok(())
        })?;
        Ok(counts)
    }

    fn median(ty: Type, values: &[u8], limit: usize) -> Option<Value> {
        let mut middle = Middle::new(ValueKind::number(ty), limit);
        assert_eq!(middle.add(values), values.len() <= limit);
        middle.select(&mut on_host, &mut |take| take(values)).unwrap()
    }

    #[test]
    fn keys_are_ordered_as_values() {
        let floats =
            [f64::NEG_INFINITY, f64::MIN, -1.5, -f64::MIN_POSITIVE, -0.0, 0.0, 1e-300, 2.0, f64::INFINITY];
        let keys = floats.map(|value| key(Type::F64, &value.to_le_bytes()));
        assert!(keys.is_sorted() && keys.windows(2).all(|pair| pair[0] != pair[1]));
        let integers = [i128::MIN, -1, 0, 1, i128::MAX].map(|value| key(Type::I128, &value.to_le_bytes()));
        assert!(integers.is_sorted());
        for value_of in floats {
            let back = value(Type::F64, key(Type::F64, &value_of.to_le_bytes()));
            assert!(matches!(back, Value::F64(back) if back.to_bits() == value_of.to_bits()));
        }
        assert_eq!(value(Type::I8, key(Type::I8, &[0x80])), Value::I8(-128));
        assert_eq!(value(Type::U128, key(Type::U128, &u128::MAX.to_le_bytes())), Value::U128(u128::MAX));
    }

    #[test]
    fn values_that_are_read_again_have_the_same_median() {
        let values: Vec<u8> = (0..1000_i32).flat_map(|i| ((i * 7919) % 1009 - 500).to_le_bytes()).collect();
        let mut sorted: Vec<_> = (0..1000).map(|i| (i * 7919) % 1009 - 500).collect();
        sorted.sort_unstable();
        let expected = match f64::from(sorted[499] + sorted[500]) / 2.0 {
            _ if sorted[499] == sorted[500] => Value::I32(sorted[499]),
            mean => Value::F64(mean),
        };
        assert_eq!(median(Type::I32, &values, usize::MAX), Some(expected.clone()));
        assert_eq!(median(Type::I32, &values, 100), Some(expected));
        // Fewer values when they are read again.
        let mut middle = Middle::new(ValueKind::number(Type::I32), 0);
        middle.add(&values);
        let error = middle.select(&mut on_host, &mut |take| take(&values[..400])).unwrap_err();
        assert!(error.to_string().contains("changed"));
    }

    #[test]
    fn extremes_do_not_overflow() {
        let pair = |ty, values: [&[u8]; 2]| median(ty, &values.concat(), usize::MAX).unwrap();
        let most = f64::MAX.to_le_bytes();
        assert_eq!(pair(Type::F64, [&most, &1e308_f64.to_le_bytes()]), Value::F64(f64::MAX / 2.0 + 5e307));
        let most = i64::MAX.to_le_bytes();
        assert_eq!(pair(Type::I64, [&most, &(i64::MAX - 2).to_le_bytes()]), Value::F64(2_f64.powi(63)));
        let most = [u128::MAX, u128::MAX - 1].map(u128::to_le_bytes);
        assert_eq!(pair(Type::U128, [&most[0], &most[1]]), Value::F64(2_f64.powi(128)));
        let infinities = [f32::INFINITY, f32::NEG_INFINITY].map(f32::to_le_bytes);
        assert!(is_nan(&pair(Type::F32, [&infinities[0], &infinities[1]])));
    }
}
