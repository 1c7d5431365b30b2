//! Exact real numbers, and the binary floating-point formats that they are read from and rounded to.
//!
//! The host computes in single and double precision and rounds to nearest. Everything else (other roundings,
//! 16-bit and smaller formats) is computed here: exactly, or to far more digits than any format has with a
//! sticky last digit, which shows whether anything was lost; then it is rounded once.

use crate::text::types::Type;

/// How a number is rounded: to a float format or, from a float, to an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// To nearest, ties to even.
    Nearest,
    /// To nearest, ties away from zero.
    Away,
    /// Towards zero.
    Zero,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
}

/// A floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    F64,
    F32,
    /// The upper 19 bits of a word.
    Tf32,
    Bf16,
    F16,
    E5m2,
    E4m3,
    E3m2,
    E2m3,
    E2m1,
    /// A power of two: neither sign nor zero.
    Ue8m0,
}

/// How the bits of a format are used.
#[derive(Clone, Copy)]
struct BitLayout {
    exponent: u32,
    fraction: u32,
    /// Low bits of the register that are always zero.
    unused: u32,
    /// What the highest exponent means.
    top: TopExponent,
    /// The NaN that instructions make; a format without NaN has its largest number there.
    nan: u64,
}

/// What the highest exponent of a format means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TopExponent {
    /// Infinities and NaNs.
    Special,
    /// Numbers, but for the largest magnitude, which is NaN.
    OneNan,
    /// Numbers.
    Numbers,
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Real {
    Nan,
    Infinite {
        negative: bool,
    },
    /// `digits * 2^exponent`. There are at most 126 binary digits. If these are far more than any format has,
    /// the lowest may be sticky: set where lower digits were lost.
    Finite {
        negative: bool,
        digits: u128,
        exponent: i32,
    },
}

/// The position to which the highest digit is shifted before two numbers are combined.
const RAISED: u32 = 124;

impl Format {
    /// The format of a type and how many numbers of it a register holds.
    pub fn of(ty: Type) -> Option<(Format, u32)> {
        Some(match ty {
            Type::F64 => (Format::F64, 1),
            Type::F32 => (Format::F32, 1),
            Type::F32x2 => (Format::F32, 2),
            Type::F16 => (Format::F16, 1),
            Type::F16x2 => (Format::F16, 2),
            Type::Bf16 => (Format::Bf16, 1),
            Type::Bf16x2 => (Format::Bf16, 2),
            _ => return None,
        })
    }

    const fn shape(self) -> BitLayout {
        let (exponent, fraction, unused, top, nan) = match self {
            Format::F64 => (11, 52, 0, TopExponent::Special, 0x7ff8_0000_0000_0000),
            Format::F32 => (8, 23, 0, TopExponent::Special, 0x7fff_ffff),
            Format::Tf32 => (8, 10, 13, TopExponent::Special, 0x7fff_ffff),
            Format::Bf16 => (8, 7, 0, TopExponent::Special, 0x7fff),
            Format::F16 => (5, 10, 0, TopExponent::Special, 0x7fff),
            Format::E5m2 => (5, 2, 0, TopExponent::Special, 0x7f),
            Format::E4m3 => (4, 3, 0, TopExponent::OneNan, 0x7f),
            Format::E3m2 => (3, 2, 0, TopExponent::Numbers, 0x1f),
            Format::E2m3 => (2, 3, 0, TopExponent::Numbers, 0x1f),
            Format::E2m1 => (2, 1, 0, TopExponent::Numbers, 0x7),
            Format::Ue8m0 => (8, 0, 0, TopExponent::OneNan, 0xff),
        };
        BitLayout { exponent, fraction, unused, top, nan }
    }

    /// Bits of a register that a number takes.
    pub fn bits(self) -> u32 {
        let s = self.shape();
        let sign = if self == Format::Ue8m0 { 0 } else { 1 };
        sign + s.exponent + s.fraction + s.unused
    }

    fn sign(self) -> u64 {
        1 << (self.bits() - 1)
    }

    /// Bits of the largest finite magnitude.
    fn largest(self) -> u64 {
        let s = self.shape();
        let all = (1 << (s.exponent + s.fraction)) - 1;
        let magnitude = match s.top {
            TopExponent::Special => (((1 << s.exponent) - 1) << s.fraction) - 1,
            TopExponent::OneNan => all - 1,
            TopExponent::Numbers => all,
        };
        magnitude << s.unused
    }

    fn one(self) -> u64 {
        let s = self.shape();
        ((1 << (s.exponent - 1)) - 1) << (s.fraction + s.unused)
    }

    pub fn nan(self) -> u64 {
        self.shape().nan
    }

    pub fn is_nan(self, bits: u64) -> bool {
        let numbers = if self.shape().top == TopExponent::Special { self.infinity() } else { self.largest() };
        self.magnitude(bits) > numbers
    }

    /// Bits of infinity, of a format that has it.
    fn infinity(self) -> u64 {
        let s = self.shape();
        ((1 << s.exponent) - 1) << (s.fraction + s.unused)
    }

    /// `.ftz`: subnormals become zero of the same sign.
    pub fn flush(self, bits: u64) -> u64 {
        if bits & self.infinity() == 0 { bits & self.sign() } else { bits }
    }

    /// `.sat`: clamped to [0, 1]; NaN becomes 0.
    pub fn saturate(self, bits: u64) -> u64 {
        if bits & self.sign() != 0 || self.is_nan(bits) { 0 } else { bits.min(self.one()) }
    }

    /// `.relu`: negative numbers become 0, NaN the format's own.
    pub fn rectify(self, bits: u64) -> u64 {
        if self.is_nan(bits) {
            self.nan()
        } else if bits & self.sign() != 0 {
            0
        } else {
            bits
        }
    }

    /// Maps bits to integers in the order of the numbers, with -0 below +0.
    fn order(self, bits: u64) -> i64 {
        if bits & self.sign() != 0 { -1 - (bits & (self.sign() - 1)) as i64 } else { bits as i64 }
    }

    /// IEEE 754-2019 minimumNumber or, with `greatest`, maximumNumber; with `nan` minimum and maximum, which
    /// are NaN if either operand is.
    pub fn extreme(self, a: u64, b: u64, greatest: bool, nan: bool) -> u64 {
        match (self.is_nan(a), self.is_nan(b)) {
            (true, true) => self.nan(),
            (true, false) | (false, true) if nan => self.nan(),
            (true, false) => b,
            (false, true) => a,
            (false, false) => {
                if (self.order(a) > self.order(b)) == greatest {
                    a
                } else {
                    b
                }
            }
        }
    }

    /// The magnitude of a number.
    pub fn magnitude(self, bits: u64) -> u64 {
        bits & (self.sign() - 1)
    }

    /// `bits` with the exclusive or of the signs of `a` and `b` for its sign.
    pub fn xor_sign(self, bits: u64, a: u64, b: u64) -> u64 {
        if self.is_nan(bits) { bits } else { self.magnitude(bits) | (a ^ b) & self.sign() }
    }

    /// The number that bits represent.
    pub fn read(self, bits: u64) -> Real {
        let s = self.shape();
        if self == Format::Ue8m0 {
            let exponent = (bits & 0xff) as i32;
            if exponent == 0xff {
                return Real::Nan;
            }
            return Real::Finite { negative: false, digits: 1, exponent: exponent - 127 };
        }
        let negative = bits & self.sign() != 0;
        let bits = bits >> s.unused;
        let (highest, ones) = ((1u64 << s.exponent) - 1, (1u64 << s.fraction) - 1);
        let (exponent, fraction) = (bits >> s.fraction & highest, bits & ones);
        if exponent == highest {
            match s.top {
                TopExponent::Special if fraction == 0 => return Real::Infinite { negative },
                TopExponent::Special => return Real::Nan,
                TopExponent::OneNan if fraction == ones => return Real::Nan,
                _ => {}
            }
        }
        // Subnormals have the exponent of the smallest normals and no leading one.
        let (leading, exponent) = if exponent == 0 { (0, 1) } else { (1 << s.fraction, exponent as i32) };
        let bias = (1 << (s.exponent - 1)) - 1;
        let digits = u128::from(fraction | leading);
        Real::Finite { negative, digits, exponent: exponent - bias - s.fraction as i32 }
    }

    /// Rounds to the format. `finite` (`.satfinite`) puts the largest number in place of infinity.
    pub fn write(self, value: Real, rounding: Rounding, finite: bool) -> u64 {
        if self == Format::Ue8m0 {
            return power_of_two(value, rounding, finite);
        }
        let s = self.shape();
        let signed = |negative: bool, magnitude: u64| magnitude | if negative { self.sign() } else { 0 };
        let infinity = if finite || s.top != TopExponent::Special { self.largest() } else { self.infinity() };
        let (negative, digits, exponent) = match value {
            Real::Nan => return s.nan,
            Real::Infinite { negative } => return signed(negative, infinity),
            Real::Finite { negative, digits: 0, .. } => return signed(negative, 0),
            Real::Finite { negative, digits, exponent } => (negative, digits, exponent),
        };
        let overflow = match rounding {
            Rounding::Nearest | Rounding::Away => infinity,
            Rounding::Zero => self.largest(),
            Rounding::Down => {
                if negative {
                    infinity
                } else {
                    self.largest()
                }
            }
            Rounding::Up => {
                if negative {
                    self.largest()
                } else {
                    infinity
                }
            }
        };
        let bias = (1i32 << (s.exponent - 1)) - 1;
        let top = 127 - digits.leading_zeros() as i32;
        let first = exponent.saturating_add(top).max(1 - bias);
        if first > bias + 1 {
            return signed(negative, overflow);
        }
        // How many units in the last place there are, and the rest.
        let shift = first - s.fraction as i32 - exponent;
        let units = if shift <= 0 {
            (digits << -shift) as u64
        } else {
            // Anything below a quarter of a unit rounds as a quarter does.
            let (digits, shift) = if shift > top + 2 { (1, 2) } else { (digits, shift) };
            let (kept, rest, half) = (digits >> shift, digits & ((1 << shift) - 1), 1 << (shift - 1));
            let up = match rounding {
                Rounding::Nearest => rest > half || rest == half && kept & 1 != 0,
                Rounding::Away => rest >= half,
                Rounding::Zero => false,
                Rounding::Down => negative && rest != 0,
                Rounding::Up => !negative && rest != 0,
            };
            kept as u64 + u64::from(up)
        };
        // A carry out of the fraction increments the exponent.
        let magnitude = ((((first + bias - 1) as u64) << s.fraction) + units) << s.unused;
        signed(negative, if magnitude > self.largest() { overflow } else { magnitude })
    }
}

/// The power of two below or (rounding up) above a magnitude.
fn power_of_two(value: Real, rounding: Rounding, finite: bool) -> u64 {
    match value {
        Real::Nan => 0xff,
        Real::Infinite { .. } => {
            if finite {
                0xfe
            } else {
                0xff
            }
        }
        Real::Finite { digits: 0, .. } => 0,
        Real::Finite { digits, exponent, .. } => {
            let above = rounding == Rounding::Up && !digits.is_power_of_two();
            let power = exponent + 127 - digits.leading_zeros() as i32 + i32::from(above);
            match power + 127 {
                n if n > 0xfe => {
                    if finite {
                        0xfe
                    } else {
                        0xff
                    }
                }
                n => n.max(0) as u64,
            }
        }
    }
}

impl Real {
    pub fn from_int(n: i128) -> Real {
        Real::Finite { negative: n < 0, digits: n.unsigned_abs(), exponent: 0 }
    }

    pub fn from_f64(v: f64) -> Real {
        Format::F64.read(v.to_bits())
    }

    fn negative(self) -> bool {
        matches!(self, Real::Infinite { negative: true } | Real::Finite { negative: true, .. })
    }

    pub fn negate(self) -> Real {
        match self {
            Real::Nan => Real::Nan,
            Real::Infinite { negative } => Real::Infinite { negative: !negative },
            Real::Finite { negative, digits, exponent } => {
                Real::Finite { negative: !negative, digits, exponent }
            }
        }
    }

    /// The sum. The rounding decides the sign of a zero that is the sum of two other numbers.
    pub fn add(self, other: Real, rounding: Rounding) -> Real {
        let ((mut a, mut b), (sign_a, sign_b)) = match (self, other) {
            (Real::Nan, _) | (_, Real::Nan) => return Real::Nan,
            (Real::Infinite { negative: a }, Real::Infinite { negative: b }) => {
                return if a == b { self } else { Real::Nan };
            }
            (Real::Infinite { .. }, _) => return self,
            (_, Real::Infinite { .. }) => return other,
            (
                Real::Finite { negative, digits, exponent },
                Real::Finite { negative: n, digits: d, exponent: e },
            ) => (((digits, exponent), (d, e)), (negative, n)),
        };
        let zero = Real::Finite { negative: rounding == Rounding::Down, digits: 0, exponent: 0 };
        match (a.0, b.0) {
            (0, 0) => return if sign_a == sign_b { self } else { zero },
            (0, _) => return other,
            (_, 0) => return self,
            _ => {}
        }
        for (digits, exponent) in [&mut a, &mut b] {
            let by = RAISED - (127 - digits.leading_zeros());
            *digits <<= by;
            *exponent -= by as i32;
        }
        let exponent = a.1.max(b.1);
        let (a, b) = (lower(a.0, exponent - a.1), lower(b.0, exponent - b.1));
        if sign_a == sign_b {
            Real::Finite { negative: sign_a, digits: a + b, exponent }
        } else if a == b {
            zero
        } else {
            Real::Finite { negative: if a > b { sign_a } else { sign_b }, digits: a.abs_diff(b), exponent }
        }
    }

    pub fn multiply(self, other: Real) -> Real {
        let negative = self.negative() != other.negative();
        match (self, other) {
            (Real::Nan, _) | (_, Real::Nan) => Real::Nan,
            (Real::Finite { digits: 0, .. }, Real::Infinite { .. })
            | (Real::Infinite { .. }, Real::Finite { digits: 0, .. }) => Real::Nan,
            (Real::Infinite { .. }, _) | (_, Real::Infinite { .. }) => Real::Infinite { negative },
            (Real::Finite { digits, exponent, .. }, Real::Finite { digits: d, exponent: e, .. }) => {
                Real::Finite { negative, digits: digits * d, exponent: exponent + e }
            }
        }
    }

    pub fn divide(self, other: Real) -> Real {
        let negative = self.negative() != other.negative();
        match (self, other) {
            (Real::Nan, _) | (_, Real::Nan) => Real::Nan,
            (Real::Infinite { .. }, Real::Infinite { .. }) => Real::Nan,
            (Real::Finite { digits: 0, .. }, Real::Finite { digits: 0, .. }) => Real::Nan,
            (Real::Infinite { .. }, _) | (_, Real::Finite { digits: 0, .. }) => Real::Infinite { negative },
            (Real::Finite { digits: 0, .. }, _) | (_, Real::Infinite { .. }) => {
                Real::Finite { negative, digits: 0, exponent: 0 }
            }
            (Real::Finite { digits, exponent, .. }, Real::Finite { digits: d, exponent: e, .. }) => {
                let by = RAISED - (127 - digits.leading_zeros());
                let raised = digits << by;
                let digits = (raised / d) | u128::from(!raised.is_multiple_of(d));
                Real::Finite { negative, digits, exponent: exponent - by as i32 - e }
            }
        }
    }

    pub fn square_root(self) -> Real {
        match self {
            Real::Nan | Real::Finite { digits: 0, .. } | Real::Infinite { negative: false } => self,
            Real::Infinite { .. } | Real::Finite { negative: true, .. } => Real::Nan,
            Real::Finite { digits, exponent, .. } => {
                let mut by = RAISED - (127 - digits.leading_zeros());
                if (exponent - by as i32) % 2 != 0 {
                    by -= 1;
                }
                let raised = digits << by;
                let root = raised.isqrt();
                let digits = root << 1 | u128::from(root * root != raised);
                Real::Finite { negative: false, digits, exponent: (exponent - by as i32) / 2 - 1 }
            }
        }
    }
}

/// Digits shifted down; the lowest kept digit is also set if any lost one was.
fn lower(digits: u128, by: i32) -> u128 {
    if by > 127 {
        return u128::from(digits != 0);
    }
    digits >> by | u128::from(digits & ((1 << by) - 1) != 0)
}
