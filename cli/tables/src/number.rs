//! Numbers: from text to the bytes of their type, missing values, and the type of numbers that are text.

use std::str::{self, FromStr};

use codegen_shim::{Scalar, Type};
use half::{bf16, f16};
use num_complex::Complex;

use crate::kind::{Meaning, ValueKind};

/// What stands for a missing value, besides an empty cell, in any case of letters.
const MISSING: [&str; 7] = ["NA", "N/A", "#N/A", "NaN", "null", "None", "-"];

/// Whether a cell says that the value is missing.
pub fn is_missing(cell: &[u8]) -> bool {
    // Nearly all cells start with a digit.
    match cell.first() {
        None => true,
        Some(first) if first.is_ascii_digit() => false,
        Some(_) => MISSING.iter().any(|word| cell.eq_ignore_ascii_case(word.as_bytes())),
    }
}

/// A truth value: `true` or `false`, in capitals or not.
fn boolean(text: &[u8]) -> Option<bool> {
    // Most cells are numbers.
    match text.first()? {
        b't' | b'T' if text.eq_ignore_ascii_case(b"true") => Some(true),
        b'f' | b'F' if text.eq_ignore_ascii_case(b"false") => Some(false),
        _ => None,
    }
}

/// Appends the value of a text, as bytes of the kind's type in this machine's order. False if the text is not a value
/// of the kind: of numbers and, as `true`, `false`, `1` or `0`, of truth values; no text is one of the others.
///
/// Floating-point numbers are rounded to nearest; `inf` and `nan` are values. Complex numbers are written
/// `1.5+2i` or, as in Python, `(1.5+2j)`.
pub fn append(kind: ValueKind, text: &[u8], to: &mut Vec<u8>) -> bool {
    match kind.meaning {
        Meaning::Number => append_number(kind.ty, text, to),
        Meaning::Boolean => {
            let value = match text {
                b"0" => Some(false),
                b"1" => Some(true),
                text => boolean(text),
            };
            value.map(|value| to.push(u8::from(value))).is_some()
        }
        _ => false,
    }
}

fn append_number(ty: Type, text: &[u8], to: &mut Vec<u8>) -> bool {
    fn parse<T: FromStr>(text: &[u8]) -> Option<T> {
        str::from_utf8(text).ok()?.parse().ok()
    }
    fn complex<T: Copy>(text: &[u8]) -> Option<[T; 2]>
    where
        Complex<T>: FromStr,
    {
        let inner = text.strip_prefix(b"(").and_then(|text| text.strip_suffix(b")")).unwrap_or(text);
        parse::<Complex<T>>(inner).map(|value| [value.re, value.im])
    }
    macro_rules! store {
        ($($scalar:ident $rust:ty),*) => {
            match ty {
                $(Type::Scalar(Scalar::$scalar) => {
                    parse::<$rust>(text).map(|value| to.extend_from_slice(&value.to_ne_bytes()))
                })*
                // From bytes, which is faster than from a string.
                Type::Scalar(Scalar::F32) => {
                    fast_float2::parse::<f32, _>(text).ok().map(|value| to.extend_from_slice(&value.to_ne_bytes()))
                }
                Type::Scalar(Scalar::F64) => {
                    fast_float2::parse::<f64, _>(text).ok().map(|value| to.extend_from_slice(&value.to_ne_bytes()))
                }
                Type::Complex(Scalar::F32) => {
                    complex::<f32>(text).map(|parts| to.extend(parts.into_iter().flat_map(f32::to_ne_bytes)))
                }
                Type::Complex(Scalar::F64) => {
                    complex::<f64>(text).map(|parts| to.extend(parts.into_iter().flat_map(f64::to_ne_bytes)))
                }
                _ => None,
            }
        };
    }
    store!(
        I8 i8, I16 i16, I32 i32, I64 i64, I128 i128, U8 u8, U16 u16, U32 u32, U64 u64, U128 u128,
        F16 f16, BF16 bf16
    )
    .is_some()
}

/// Removes the NaNs, that is, missing values, among the values of a type; returns how many there were.
pub fn remove_nans(ty: Type, bytes: &mut Vec<u8>) -> u64 {
    let (part, parts) = match ty {
        Type::Scalar(scalar) if scalar.is_float() => (scalar, 1),
        Type::Complex(scalar) => (scalar, 2),
        _ => return 0,
    };
    let part_size = part.size() as usize;
    let size = part_size * parts;
    let is_nan = |value: &[u8]| {
        value.chunks_exact(part_size).any(|part_bytes| {
            let mut bits = [0; 8];
            bits[..part_size].copy_from_slice(part_bytes);
            let bits = u64::from_le_bytes(bits);
            match part {
                Scalar::F16 => f16::from_bits(bits as u16).is_nan(),
                Scalar::BF16 => bf16::from_bits(bits as u16).is_nan(),
                Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
                _ => f64::from_bits(bits).is_nan(),
            }
        })
    };
    let mut kept = 0;
    for at in (0..bytes.len()).step_by(size) {
        if !is_nan(&bytes[at..at + size]) {
            bytes.copy_within(at..at + size, kept);
            kept += size;
        }
    }
    let removed = (bytes.len() - kept) / size;
    bytes.truncate(kept);
    removed as u64
}

/// Whether a cell is a number.
pub fn is_number(cell: &[u8]) -> bool {
    boolean(cell).is_none() && Guess::default().see(cell)
}

/// The narrowest of i64, u64, i128 and f64 that has the numbers seen so far; or truth values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guess {
    has_boolean: bool,
    has_number: bool,
    has_float: bool,
    has_negative: bool,
    /// Not in i64.
    has_large: bool,
    /// Not in u64 either.
    has_huge: bool,
}

impl Guess {
    /// Takes a cell into account. False if it is neither a number nor a truth value, or not what the others are.
    pub fn see(&mut self, cell: &[u8]) -> bool {
        if boolean(cell).is_some() {
            self.has_boolean = true;
            return !self.has_number;
        }
        let Ok(text) = str::from_utf8(cell) else {
            return false;
        };
        match text.parse::<i128>() {
            Ok(value) => {
                self.has_negative |= value < 0;
                self.has_large |= i64::try_from(value).is_err();
                self.has_huge |= value > i128::from(u64::MAX) || value < i128::from(i64::MIN);
            }
            Err(_) if text.parse::<f64>().is_ok() => self.has_float = true,
            Err(_) => return false,
        }
        self.has_number = true;
        !self.has_boolean
    }

    /// What the cells are.
    pub fn kind(self) -> ValueKind {
        ValueKind::number(match self {
            Guess { has_boolean: true, .. } => return ValueKind::BOOLEAN,
            Guess { has_float: true, .. } => Type::F64,
            Guess { has_large: false, .. } => Type::I64,
            Guess { has_negative: false, has_huge: false, .. } => Type::U64,
            _ => Type::I128,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(ty: &str, text: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        append_number(ty.parse().unwrap(), text.as_bytes(), &mut bytes).then_some(bytes)
    }

    #[test]
    fn text_becomes_the_bytes_of_the_type() {
        assert_eq!(bytes("i8", "-128").unwrap(), [128]);
        assert_eq!(bytes("u64", "+7").unwrap(), 7_u64.to_ne_bytes());
        assert_eq!(bytes("f32", "0.1").unwrap(), 0.1_f32.to_ne_bytes());
        assert_eq!(bytes("f64", "inf").unwrap(), f64::INFINITY.to_ne_bytes());
        let parts = [1.5_f64, -2.0].map(f64::to_ne_bytes).concat();
        for text in ["1.5-2i", "(1.5-2j)"] {
            assert_eq!(bytes("complex<f64>", text).unwrap(), parts, "{text}");
        }
        for (ty, text) in
            [("i8", "128"), ("u8", "-1"), ("i32", "1.0"), ("f64", "1,5"), ("f64", ""), ("i64", "٣")]
        {
            assert_eq!(bytes(ty, text), None, "{ty} {text}");
        }
    }

    #[test]
    fn missing_values() {
        for cell in ["", "NA", "n/a", "nan", "NULL", "none", "-"] {
            assert!(is_missing(cell.as_bytes()), "{cell}");
        }
        for cell in ["0", "-1", "inf", "x"] {
            assert!(!is_missing(cell.as_bytes()), "{cell}");
        }
        let mut values = [1.0_f32, f32::NAN, 2.0, -f32::NAN].map(f32::to_ne_bytes).concat();
        assert_eq!(remove_nans(Type::F32, &mut values), 2);
        assert_eq!(values, [1.0_f32, 2.0].map(f32::to_ne_bytes).concat());
        let mut pairs = [1.0_f64, f64::NAN, 2.0, 3.0].map(f64::to_ne_bytes).concat();
        assert_eq!(remove_nans(Type::Complex(Scalar::F64), &mut pairs), 1);
        assert_eq!(pairs, [2.0_f64, 3.0].map(f64::to_ne_bytes).concat());
        assert_eq!(remove_nans(Type::I32, &mut vec![255; 8]), 0);
    }

    #[test]
    fn the_guessed_type_has_every_number() {
        let guess = |cells: &[&str]| {
            let mut guess = Guess::default();
            cells.iter().all(|cell| guess.see(cell.as_bytes())).then(|| guess.kind().to_string())
        };
        for (cells, ty) in [
            (&["1", "-2"][..], "i64"),
            (&["18446744073709551615", "0"], "u64"),
            (&["18446744073709551615", "-1"], "i128"),
            (&["-9223372036854775809"], "i128"),
            (&["18446744073709551616"], "i128"),
            (&["1", "2.5"], "f64"),
            (&["1e3"], "f64"),
            (&["1000000000000000000000000000000000000000"], "f64"),
            (&["nan", "1"], "f64"),
            (&["true", "False", "TRUE"], "bool"),
            (&[], "i64"),
        ] {
            assert_eq!(guess(cells).as_deref(), Some(ty), "{cells:?}");
        }
        for cells in [["1", "x"], ["true", "yes"], ["true", "1"], ["2.5", "false"]] {
            assert_eq!(guess(&cells), None, "{cells:?}");
        }
        let mut values = Vec::new();
        for cell in ["true", "0", "FALSE", "1"] {
            assert!(append(ValueKind::BOOLEAN, cell.as_bytes(), &mut values), "{cell}");
        }
        assert!(values == [1, 0, 0, 1] && !append(ValueKind::BOOLEAN, b"2", &mut values));
    }
}
