//! What a kernel is launched with, as options state it.

use std::fmt;

use host_rt::{Argument, Arguments, Buffer, Bytes, Device};

use crate::error::Error;

/// The most bytes of a buffer, which this program holds once more.
const LARGEST_BUFFER: u64 = 1 << 30;

/// Up to three numbers, x, y and z, separated by commas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent(pub [u32; 3]);

/// Reads an extent.
pub fn extent(text: &str) -> Result<Extent, String> {
    let wrong = || "one to three positive numbers are needed, such as 4 or 8,8,1".to_owned();
    let mut extent = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > extent.len() {
        return Err(wrong());
    }
    for (to, part) in extent.iter_mut().zip(parts) {
        *to = part.trim().parse().ok().filter(|number| *number > 0).ok_or_else(wrong)?;
    }
    Ok(Extent(extent))
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Extent([x, y, z]) = self;
        write!(f, "{x},{y},{z}")
    }
}

/// A value for a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    B8(u8),
    B16(u16),
    B32(u32),
    B64(u64),
}

/// What a buffer holds at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contents {
    Zeros,
    /// The words 0, 1, 2, …
    Indices,
    /// What nobody has written.
    Undefined,
}

/// What is passed for a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Passed {
    Number(Number),
    Buffer { bytes: usize, contents: Contents },
}

/// What is passed for a parameter, as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgumentSpec {
    text: String,
    passed: Passed,
}

impl fmt::Display for ArgumentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Reads `TYPE:VALUE` or `buffer:BYTES[:CONTENTS]`.
pub fn argument(text: &str) -> Result<ArgumentSpec, String> {
    let (word, rest) = text.split_once(':').ok_or("TYPE:VALUE or buffer:BYTES is needed")?;
    let passed = match word {
        "buffer" => buffer(rest)?,
        _ => Passed::Number(number(word, rest)?),
    };
    Ok(ArgumentSpec { text: text.to_owned(), passed })
}

fn buffer(text: &str) -> Result<Passed, String> {
    let (size, contents) = text.split_once(':').unwrap_or((text, "zeros"));
    let contents = match contents {
        "zeros" => Contents::Zeros,
        "index" => Contents::Indices,
        "undefined" => Contents::Undefined,
        _ => return Err(format!("`{contents}` is not what a buffer holds: zeros, index or undefined")),
    };
    let (digits, factor) = match size.as_bytes().last() {
        Some(b'K') => (&size[..size.len() - 1], 1 << 10),
        Some(b'M') => (&size[..size.len() - 1], 1 << 20),
        Some(b'G') => (&size[..size.len() - 1], 1 << 30),
        _ => (size, 1),
    };
    let bytes = digits.parse().ok().and_then(|number: u64| number.checked_mul(factor));
    match bytes {
        None => Err(format!("`{size}` is not a number of bytes")),
        Some(0) => Err("a buffer has at least one byte".to_owned()),
        Some(bytes) if bytes > LARGEST_BUFFER => Err("a buffer has at most 1G".to_owned()),
        Some(bytes) => Ok(Passed::Buffer { bytes: bytes as usize, contents }),
    }
}

fn number(ty: &str, text: &str) -> Result<Number, String> {
    let wrong = || format!("`{text}` is not a number of type {ty}");
    if let Some(bits) = ty.strip_prefix('f') {
        return match bits {
            "32" => text.parse().map(|value: f32| Number::B32(value.to_bits())).map_err(|_| wrong()),
            "64" => text.parse().map(|value: f64| Number::B64(value.to_bits())).map_err(|_| wrong()),
            _ => Err(unknown(ty)),
        };
    }
    let signed = ty.starts_with(['i', 's']);
    let bits: u32 = match ty.strip_prefix(['u', 'b', 'i', 's']) {
        Some(bits @ ("8" | "16" | "32" | "64")) => bits.parse().map_err(|_| unknown(ty))?,
        _ => return Err(unknown(ty)),
    };
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) if signed => (true, digits),
        _ => (false, text),
    };
    let (digits, radix) = digits.strip_prefix("0x").map_or((digits, 10), |digits| (digits, 16));
    if !digits.starts_with(|c: char| c.is_digit(radix)) {
        return Err(wrong());
    }
    let magnitude = u128::from_str_radix(digits, radix).map_err(|_| wrong())?;
    let most = match (signed, negative) {
        (false, _) => (1 << bits) - 1,
        (true, false) => (1 << (bits - 1)) - 1,
        (true, true) => 1 << (bits - 1),
    };
    if magnitude > most {
        return Err(wrong());
    }
    let value = if negative { (magnitude as u64).wrapping_neg() } else { magnitude as u64 };
    Ok(match bits {
        8 => Number::B8(value as u8),
        16 => Number::B16(value as u16),
        32 => Number::B32(value as u32),
        _ => Number::B64(value),
    })
}

fn unknown(ty: &str) -> String {
    format!("unknown type `{ty}`; known: u8 to u64, i8 to i64, f32, f64, and buffer")
}

/// The arguments of a launch, with the buffers that they point to.
pub struct Values(Vec<Value>);

enum Value {
    Number(Number),
    Buffer { buffer: Buffer<u8>, defined: bool },
}

impl Values {
    /// Allocates and fills the buffers.
    pub fn new(device: &Device, specs: &[ArgumentSpec]) -> Result<Values, Error> {
        let value = |spec: &ArgumentSpec| -> Result<Value, Error> {
            Ok(match spec.passed {
                Passed::Number(number) => Value::Number(number),
                Passed::Buffer { bytes, contents } => {
                    let buffer = match contents {
                        Contents::Zeros => device.buffer(&vec![0; bytes])?,
                        Contents::Indices => {
                            let words = (0..bytes.div_ceil(4) as u32).flat_map(u32::to_le_bytes);
                            device.buffer(&words.take(bytes).collect::<Vec<u8>>())?
                        }
                        Contents::Undefined => device.undefined_bytes(bytes)?,
                    };
                    Value::Buffer { buffer, defined: contents != Contents::Undefined }
                }
            })
        };
        Ok(Values(specs.iter().map(value).collect::<Result<_, _>>()?))
    }

    /// Copies the buffers to the host, as a program does that uses them: what is not defined there is reported. Those that
    /// were not defined at first may stay so in parts.
    pub fn read(&self) -> Result<(), Error> {
        for value in &self.0 {
            if let Value::Buffer { buffer, defined: true } = value {
                buffer.to_vec()?;
            }
        }
        Ok(())
    }
}

impl Arguments for &Values {
    fn values(&self) -> Vec<Bytes> {
        let bytes = |value: &Value| match value {
            Value::Number(Number::B8(value)) => value.bytes(),
            Value::Number(Number::B16(value)) => value.bytes(),
            Value::Number(Number::B32(value)) => value.bytes(),
            Value::Number(Number::B64(value)) => value.bytes(),
            Value::Buffer { buffer, .. } => buffer.bytes(),
        };
        self.0.iter().map(bytes).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(text: &str) -> Passed {
        argument(text).expect(text).passed
    }

    #[test]
    fn arguments_have_their_bits() {
        for (text, number) in [
            ("u8:255", Number::B8(255)),
            ("i8:-128", Number::B8(0x80)),
            ("s16:-1", Number::B16(0xffff)),
            ("u32:0xdeadBEEF", Number::B32(0xdead_beef)),
            ("b32:7", Number::B32(7)),
            ("i64:-0x8000000000000000", Number::B64(1 << 63)),
            ("u64:18446744073709551615", Number::B64(u64::MAX)),
            ("f32:-1.5", Number::B32((-1.5f32).to_bits())),
            ("f64:2.5", Number::B64(2.5f64.to_bits())),
        ] {
            assert_eq!(passed(text), Passed::Number(number), "{text}");
        }
        let buffer = |bytes, contents| Passed::Buffer { bytes, contents };
        assert_eq!(passed("buffer:8"), buffer(8, Contents::Zeros));
        assert_eq!(passed("buffer:2K:index"), buffer(2048, Contents::Indices));
        assert_eq!(passed("buffer:8:undefined"), buffer(8, Contents::Undefined));
    }

    #[test]
    fn what_is_wrong_with_an_argument_is_said() {
        for (text, said) in [
            ("5", "TYPE:VALUE"),
            ("u32:", "not a number of type u32"),
            ("u32:-1", "not a number of type u32"),
            ("u8:256", "not a number of type u8"),
            ("i8:128", "not a number of type i8"),
            ("i8:--1", "not a number of type i8"),
            ("u32:+1", "not a number of type u32"),
            ("u32:0x", "not a number of type u32"),
            ("f64:x", "not a number of type f64"),
            ("u7:1", "unknown type `u7`"),
            ("f16:1", "unknown type `f16`"),
            ("buffer:x", "not a number of bytes"),
            ("buffer:", "not a number of bytes"),
            ("buffer:0", "at least one byte"),
            ("buffer:2G", "at most 1G"),
            ("buffer:18446744073709551615G", "not a number of bytes"),
            ("buffer:8:ones", "zeros, index or undefined"),
        ] {
            let why = argument(text).expect_err(text);
            assert!(why.contains(said), "{text}: {why}");
        }
    }

    #[test]
    fn extents_have_one_to_three_numbers() {
        assert_eq!(extent("4"), Ok(Extent([4, 1, 1])));
        assert_eq!(extent("4,2,3").expect("three").to_string(), "4,2,3");
        for text in ["", "0", "1,2,3,4", "x", "-1", "4294967296"] {
            assert!(extent(text).is_err(), "{text}");
        }
    }
}
