//! `cvt` between all scalar types.

use super::float::{NAN32, NAN64, canon32, canon64, flush32, saturate32};
use super::real::{Format, Real, Rounding};
use crate::text::types::Type;

/// The type of a number that is converted from or to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    Unsigned(u32),
    Signed(u32),
    Float(Format),
}

impl Scalar {
    /// The scalar of a type, if it is a number.
    pub fn of(ty: Type) -> Option<Scalar> {
        Some(match Format::of(ty) {
            Some((format, 1)) => Scalar::Float(format),
            Some(_) => return None,
            None if ty.signed() => Scalar::Signed(ty.bits()),
            None if ty.unsigned() => Scalar::Unsigned(ty.bits()),
            None => return None,
        })
    }

    fn bits(self) -> u32 {
        match self {
            Scalar::Unsigned(bits) | Scalar::Signed(bits) => bits,
            Scalar::Float(format) => format.bits(),
        }
    }

    /// Whether its register has 64 bits.
    pub fn wide(self) -> bool {
        self.bits() > 32
    }
}

/// A conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Convert {
    pub to: Scalar,
    pub from: Scalar,
    pub rounding: Rounding,
    /// Whether a float is rounded to a whole number (`.rni` and similar).
    pub whole: bool,
    /// `.sat`
    pub saturate: bool,
    /// `.ftz`
    pub flush: bool,
    /// `.satfinite`
    pub finite: bool,
    pub relu: bool,
}

impl Convert {
    /// A conversion without qualifiers.
    pub fn plain(to: Scalar, from: Scalar) -> Convert {
        Convert {
            to,
            from,
            rounding: Rounding::Nearest,
            whole: false,
            saturate: false,
            flush: false,
            finite: false,
            relu: false,
        }
    }

    /// Whether it only extends or cuts off an integer.
    pub fn moves_bits(&self) -> bool {
        let float = |scalar| matches!(scalar, Scalar::Float(_));
        !float(self.from) && !float(self.to) && !self.saturate
    }

    /// Converts the low bits of `bits`. The result is zero-extended to 64 bits from the size of `to`.
    pub fn lane(&self, bits: u64) -> u64 {
        match (self.from, self.to) {
            (Scalar::Float(from), Scalar::Float(to)) => self.float_to_float(bits, from, to),
            (Scalar::Float(from), to) => self.float_to_int(bits, from, to),
            (from, Scalar::Float(to)) => self.int_to_float(integer(bits, from), to),
            (from, to) => {
                let n = integer(bits, from);
                let n = if self.saturate { clamp_to(n, to) } else { n };
                n as u64 & low_ones(to.bits())
            }
        }
    }

    /// A float as a double; exact.
    fn double(&self, bits: u64, from: Format) -> f64 {
        match from {
            Format::F64 => f64::from_bits(bits),
            Format::F32 if self.flush => f64::from(f32::from_bits(flush32(bits as u32))),
            Format::F32 => f64::from(f32::from_bits(bits as u32)),
            other => f64::from_bits(Format::F64.write(other.read(bits), Rounding::Nearest, false)),
        }
    }

    fn float_to_int(&self, bits: u64, from: Format, to: Scalar) -> u64 {
        let v = self.double(bits, from);
        if v.is_nan() {
            return if from == Format::F64 || to.bits() == 64 { 1 << (to.bits() - 1) } else { 0 };
        }
        // A float always clamps to the range of the integer.
        clamp_to(round_whole(v, self.rounding) as i128, to) as u64 & low_ones(to.bits())
    }

    fn int_to_float(&self, n: i128, to: Format) -> u64 {
        let exact = |v: f64| v as i128;
        match to {
            Format::F64 => {
                let near = n as f64;
                let v = direct(near, exact(near).cmp(&n), self.rounding, f64::next_down, f64::next_up);
                self.finish(v.to_bits(), to)
            }
            Format::F32 => {
                let near = n as f32;
                let v =
                    direct(near, exact(f64::from(near)).cmp(&n), self.rounding, f32::next_down, f32::next_up);
                self.finish32(v.to_bits())
            }
            _ => self.finish(to.write(Real::from_int(n), self.rounding, self.finite), to),
        }
    }

    fn float_to_float(&self, bits: u64, from: Format, to: Format) -> u64 {
        let v = self.double(bits, from);
        let v = if self.whole { round_whole(v, self.rounding) } else { v };
        match to {
            Format::F64 => self.finish(if v.is_nan() { NAN64 } else { canon64(v) }, to),
            Format::F32 if v.is_nan() => self.finish32(NAN32),
            Format::F32 => {
                let near = v as f32;
                let order = f64::from(near).partial_cmp(&v).unwrap_or(std::cmp::Ordering::Equal);
                self.finish32(canon32(direct(near, order, self.rounding, f32::next_down, f32::next_up)))
            }
            _ => self.finish(to.write(Real::from_f64(v), self.rounding, self.finite), to),
        }
    }

    fn finish32(&self, bits: u32) -> u64 {
        let bits = if self.flush { flush32(bits) } else { bits };
        let bits = u64::from(if self.saturate { saturate32(bits) } else { bits });
        if self.relu { Format::F32.rectify(bits) } else { bits }
    }

    fn finish(&self, bits: u64, to: Format) -> u64 {
        let bits = if self.saturate { to.saturate(bits) } else { bits };
        if self.relu { to.rectify(bits) } else { bits }
    }
}

fn integer(bits: u64, from: Scalar) -> i128 {
    match from {
        Scalar::Signed(8) => i128::from(bits as i8),
        Scalar::Signed(16) => i128::from(bits as i16),
        Scalar::Signed(32) => i128::from(bits as i32),
        Scalar::Signed(_) => i128::from(bits as i64),
        other => i128::from(bits & low_ones(other.bits())),
    }
}

/// The value for another rounding, where `near` is the value nearest to the exact one and `order` how the two
/// compare.
fn direct<T>(near: T, order: std::cmp::Ordering, rounding: Rounding, down: fn(T) -> T, up: fn(T) -> T) -> T
where
    T: Copy + PartialOrd + Default,
{
    use std::cmp::Ordering::{Greater, Less};
    match (rounding, order) {
        (Rounding::Down, Greater) => down(near),
        (Rounding::Up, Less) => up(near),
        (Rounding::Zero, Greater) if near > T::default() => down(near),
        (Rounding::Zero, Less) if near < T::default() => up(near),
        _ => near,
    }
}

fn round_whole(v: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => v.round_ties_even(),
        Rounding::Away => v.round(),
        Rounding::Zero => v.trunc(),
        Rounding::Down => v.floor(),
        Rounding::Up => v.ceil(),
    }
}

fn low_ones(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

fn clamp_to(n: i128, to: Scalar) -> i128 {
    match to {
        Scalar::Signed(bits) => n.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        other => n.clamp(0, (1 << other.bits()) - 1),
    }
}
