//! Types of values: the arithmetic types of C.

use std::fmt;

/// An arithmetic type. Integers are as wide as clang lays them out on 64-bit Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `_Bool`.
    Bool,
    /// A two's complement integer of 8, 16, 32, 64 or 128 bits.
    Integer {
        /// The width.
        bits: u8,
        /// Whether it has negative values.
        signed: bool,
    },
    /// A floating-point number of 16 bits, which is loaded, stored and converted only: processors and compilers differ in
    /// what they compute with it.
    Half(Half),
    /// An IEEE 754 number of 32 or 64 bits.
    Float {
        /// The width.
        bits: u8,
    },
    /// Two numbers of 32 or 64 bits each.
    Complex {
        /// The width.
        bits: u8,
    },
}

/// The formats of floating-point numbers of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// IEEE 754's: 11 bits of precision, `_Float16` in C.
    Ieee,
    /// The upper half of a `float`: 8 bits of precision, `__bf16` in clang and gcc.
    Brain,
}

impl Half {
    /// The bits of precision.
    pub fn precision(self) -> u8 {
        match self {
            Half::Ieee => 11,
            Half::Brain => 8,
        }
    }

    /// The nearest number of this format.
    pub fn round(self, value: f64) -> f64 {
        self.load(self.bytes(value))
    }

    /// The number that these bytes of memory are.
    pub fn load(self, bytes: [u8; 2]) -> f64 {
        match self {
            Half::Ieee => half::f16::from_le_bytes(bytes).to_f64(),
            Half::Brain => half::bf16::from_le_bytes(bytes).to_f64(),
        }
    }

    /// The bytes in memory of the nearest number of this format.
    pub fn bytes(self, value: f64) -> [u8; 2] {
        match self {
            Half::Ieee => half::f16::from_f32(to_odd(value)).to_le_bytes(),
            Half::Brain => half::bf16::from_f32(to_odd(value)).to_le_bytes(),
        }
    }
}

/// A number as `float`; one between two of them as the one whose last bit is 1. Rounded to fewer bits, that gives what the
/// number itself would give, which rounding to the nearest `float` first does not (Boldo and Melquiond, 2008). The crate half
/// 2.7 leaves the last 32 bits of a `double` out.
fn to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    if value.is_nan() || f64::from(nearest) == value {
        return nearest;
    }
    let beyond = f64::from(nearest).abs() > value.abs();
    f32::from_bits((nearest.to_bits() - u32::from(beyond)) | 1)
}

impl Scalar {
    /// C's `int`, the type of comparisons.
    pub const INT: Scalar = Scalar::Integer { bits: 32, signed: true };
    /// C's `long`.
    pub const LONG: Scalar = Scalar::Integer { bits: 64, signed: true };
    /// C's `float`.
    pub const F32: Scalar = Scalar::Float { bits: 32 };
    /// C's `double`.
    pub const F64: Scalar = Scalar::Float { bits: 64 };

    /// Integers and `_Bool`.
    pub fn is_integer(self) -> bool {
        matches!(self, Scalar::Integer { .. } | Scalar::Bool)
    }

    /// The unsigned type of a signed integer type; other types stay.
    pub fn unsigned(self) -> Scalar {
        match self {
            Scalar::Integer { bits, .. } => Scalar::Integer { bits, signed: false },
            other => other,
        }
    }

    /// Whether it is an integer type with negative values.
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::Integer { signed: true, .. })
    }

    /// Whether it is an integer type of at most 32 bits.
    pub fn is_narrow(self) -> bool {
        matches!(self, Scalar::Bool | Scalar::Integer { bits: ..=32, .. })
    }

    /// Whether it is an integer type without negative values.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Scalar::Integer { signed: false, .. } | Scalar::Bool)
    }

    /// Real and complex floating-point numbers: their sums depend on the order.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::Half(_) | Scalar::Float { .. } | Scalar::Complex { .. })
    }

    /// The bytes of a value in memory.
    pub fn size(self) -> usize {
        match self {
            Scalar::Bool => 1,
            Scalar::Half(_) => 2,
            Scalar::Integer { bits, .. } | Scalar::Float { bits } => usize::from(bits) / 8,
            Scalar::Complex { bits } => usize::from(bits) / 4,
        }
    }

    /// Whether every value of `from` is a value of `self`, so that a conversion changes nothing.
    pub fn holds_all_of(self, from: Scalar) -> bool {
        use Scalar::{Bool, Complex, Float, Half, Integer};
        match (self, from) {
            _ if self == from => true,
            (Integer { .. }, Bool) | (Float { .. } | Complex { .. }, Bool | Half(_)) => true,
            (Integer { bits: to, signed: true }, Integer { bits, signed: false }) => to > bits,
            (Integer { bits: to, signed }, Integer { bits, signed: source }) => {
                to >= bits && signed == source
            }
            (Float { bits: to } | Complex { bits: to }, Integer { bits, .. }) => mantissa(to) >= bits,
            (Float { bits: to } | Complex { bits: to }, Float { bits }) => to >= bits,
            (Complex { bits: to }, Complex { bits }) => to >= bits,
            _ => false,
        }
    }

    /// Whether an integer is a value of the type, exactly.
    pub fn holds(self, value: i128) -> bool {
        match self {
            Scalar::Bool => (0..2).contains(&value),
            Scalar::Integer { bits: 128, signed } => signed || value >= 0,
            Scalar::Integer { bits, signed: true } => {
                (-(1i128 << (bits - 1))..1i128 << (bits - 1)).contains(&value)
            }
            Scalar::Integer { bits, signed: false } => (0..1i128 << bits).contains(&value),
            Scalar::Half(format) => value.unsigned_abs() <= 1 << format.precision(),
            Scalar::Float { bits } | Scalar::Complex { bits } => value.unsigned_abs() <= 1 << mantissa(bits),
        }
    }

    /// The type as C spells it.
    pub fn c_name(self) -> &'static str {
        match self {
            Scalar::Bool => "_Bool",
            Scalar::Integer { bits: 8, signed: true } => "signed char",
            Scalar::Integer { bits: 8, signed: false } => "unsigned char",
            Scalar::Integer { bits: 16, signed: true } => "short",
            Scalar::Integer { bits: 16, signed: false } => "unsigned short",
            Scalar::Integer { bits: 32, signed: true } => "int",
            Scalar::Integer { bits: 32, signed: false } => "unsigned int",
            Scalar::Integer { bits: 64, signed: true } => "long",
            Scalar::Integer { bits: 64, signed: false } => "unsigned long",
            Scalar::Integer { signed: true, .. } => "__int128",
            Scalar::Integer { signed: false, .. } => "unsigned __int128",
            Scalar::Half(Half::Ieee) => "_Float16",
            Scalar::Half(Half::Brain) => "__bf16",
            Scalar::Float { bits: 32 } => "float",
            Scalar::Float { .. } => "double",
            Scalar::Complex { bits: 32 } => "float _Complex",
            Scalar::Complex { .. } => "double _Complex",
        }
    }
}

/// Bits of integers that a float of so many bits holds exactly.
fn mantissa(bits: u8) -> u8 {
    if bits == 32 { 24 } else { 53 }
}

/// The type in the notation of `.loops` files: `bool`, `i32`, `u8`, `f16`, `bf16`, `f64`, `c64` (a complex number of two `f64`).
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool => f.write_str("bool"),
            Scalar::Integer { bits, signed: true } => write!(f, "i{bits}"),
            Scalar::Integer { bits, signed: false } => write!(f, "u{bits}"),
            Scalar::Half(Half::Ieee) => f.write_str("f16"),
            Scalar::Half(Half::Brain) => f.write_str("bf16"),
            Scalar::Float { bits } => write!(f, "f{bits}"),
            Scalar::Complex { bits } => write!(f, "c{bits}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_the_nearest_numbers() {
        // A number between two, or beyond the last one, and what it becomes.
        for (format, value, expected) in [
            (Half::Ieee, 2049.0, 2048.0),
            (Half::Ieee, 2051.0, 2052.0),
            (Half::Ieee, 2049.0 + 2f64.powi(-40), 2050.0),
            (Half::Ieee, 65519.0, 65504.0),
            (Half::Ieee, 65520.0, f64::INFINITY),
            (Half::Ieee, 2f64.powi(-25), 0.0),
            (Half::Brain, 257.0, 256.0),
            (Half::Brain, 259.0, 260.0),
            (Half::Brain, 257.0 + 2f64.powi(-40), 258.0),
            (Half::Brain, 257.0 - 2f64.powi(-40), 256.0),
            (Half::Brain, -1e39, f64::NEG_INFINITY),
        ] {
            assert_eq!(format.round(value), expected, "{value} as {format:?}");
            assert_eq!(format.load(format.bytes(value)), expected, "{value} as {format:?}");
        }
        assert!(Half::Brain.round(f64::NAN).is_nan());
        assert!(
            Scalar::F32.holds_all_of(Scalar::Half(Half::Ieee))
                && !Scalar::Half(Half::Ieee).holds_all_of(Scalar::F32)
        );
    }
}
