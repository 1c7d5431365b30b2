//! `cvt` between all scalar types.

use super::float::{NAN32, NAN64, canon32, canon64, flush32, saturate32};
use super::half::{self, BF16, F16};
use crate::text::types::Type;

/// Rounding, to a float format or (from a float) to an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// To nearest, ties to even.
    Nearest,
    /// Towards zero.
    Zero,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
}

/// A conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Convert {
    pub to: Type,
    pub from: Type,
    pub rounding: Rounding,
    /// Whether a float is rounded to a whole number (`.rni` and its kin).
    pub whole: bool,
    pub saturate: bool,
    pub flush: bool,
}

/// A number on its way from one type to another.
enum Number {
    Int(i128),
    Float(f64),
}

impl Convert {
    /// Converts the low bits of `bits`. The result is zero-extended to 64 bits from the size of `to`.
    pub fn lane(&self, bits: u64) -> u64 {
        match self.read(bits) {
            Number::Int(n) if self.to.float() => self.int_to_float(n),
            Number::Int(n) => self.int_to_int(n),
            Number::Float(v) if self.to.float() => self.float_to_float(v),
            Number::Float(v) => self.float_to_int(v),
        }
    }

    fn read(&self, bits: u64) -> Number {
        match self.from {
            Type::S8 => Number::Int(i128::from(bits as i8)),
            Type::S16 => Number::Int(i128::from(bits as i16)),
            Type::S32 => Number::Int(i128::from(bits as i32)),
            Type::S64 => Number::Int(i128::from(bits as i64)),
            Type::F64 => Number::Float(f64::from_bits(bits)),
            Type::F32 => {
                let bits = if self.flush { flush32(bits as u32) } else { bits as u32 };
                Number::Float(f64::from(f32::from_bits(bits)))
            }
            Type::F16 => Number::Float(f64::from(f32::from_bits(half::widen(bits as u32, F16)))),
            Type::Bf16 => Number::Float(f64::from(f32::from_bits(half::widen(bits as u32, BF16)))),
            other => Number::Int(i128::from(bits & low_ones(other.bits()))),
        }
    }

    fn int_to_int(&self, n: i128) -> u64 {
        let n = if self.saturate { clamp_to(n, self.to) } else { n };
        n as u64 & low_ones(self.to.bits())
    }

    fn float_to_int(&self, v: f64) -> u64 {
        if v.is_nan() {
            // The hardware's answer: zero, but the lowest (or highest) bit pattern for wide results.
            return match self.to {
                Type::S64 | Type::U64 => 1 << 63,
                _ => 0,
            };
        }
        // A float always clamps to the range of the integer.
        clamp_to(round_whole(v, self.rounding) as i128, self.to) as u64 & low_ones(self.to.bits())
    }

    fn int_to_float(&self, n: i128) -> u64 {
        let exact = |v: f64| v as i128;
        match self.to {
            Type::F64 => {
                let near = n as f64;
                let v = direct(near, exact(near).cmp(&n), self.rounding, f64::next_down, f64::next_up);
                v.to_bits()
            }
            Type::F32 => {
                let near = n as f32;
                let v =
                    direct(near, exact(f64::from(near)).cmp(&n), self.rounding, f32::next_down, f32::next_up);
                self.finish32(v.to_bits())
            }
            // Every integer that a 16-bit format can tell apart is exact in a double with room to spare
            // once the bits below it are gathered into a sticky one.
            Type::F16 => u64::from(half::narrow(sticky(n), F16)),
            _ => u64::from(half::narrow(sticky(n), BF16)),
        }
    }

    fn float_to_float(&self, v: f64) -> u64 {
        let v = if self.whole { round_whole(v, self.rounding) } else { v };
        match self.to {
            Type::F64 => {
                let bits = if v.is_nan() { NAN64 } else { canon64(v) };
                if self.saturate && (v.is_nan() || v < 0.0) {
                    0
                } else if self.saturate && v > 1.0 {
                    1f64.to_bits()
                } else {
                    bits
                }
            }
            Type::F32 if v.is_nan() => self.finish32(NAN32),
            Type::F32 => {
                let near = v as f32;
                let order = f64::from(near).partial_cmp(&v).unwrap_or(std::cmp::Ordering::Equal);
                self.finish32(canon32(direct(near, order, self.rounding, f32::next_down, f32::next_up)))
            }
            Type::F16 => u64::from(half::narrow(v, F16)),
            _ => u64::from(half::narrow(v, BF16)),
        }
    }

    fn finish32(&self, bits: u32) -> u64 {
        let bits = if self.flush { flush32(bits) } else { bits };
        u64::from(if self.saturate { saturate32(bits) } else { bits })
    }
}

/// `near` is the nearest value and compares so to the exact one: the value for another rounding.
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
        Rounding::Zero => v.trunc(),
        Rounding::Down => v.floor(),
        Rounding::Up => v.ceil(),
    }
}

fn low_ones(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

fn clamp_to(n: i128, ty: Type) -> i128 {
    let bits = ty.bits();
    if ty.signed() { n.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { n.clamp(0, (1 << bits) - 1) }
}

/// An integer as a double that rounds to any format of up to 50 fraction bits as the integer would.
fn sticky(n: i128) -> f64 {
    let magnitude = n.unsigned_abs();
    let shift = (128 - magnitude.leading_zeros()).saturating_sub(52);
    let kept = magnitude >> shift;
    let lost = magnitude & ((1 << shift) - 1) != 0;
    let v = (kept | u128::from(lost)) as f64 * 2f64.powi(shift as i32);
    if n < 0 { -v } else { v }
}
