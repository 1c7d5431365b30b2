//! Floating-point operations on bit patterns.
//!
//! NaN results have one bit pattern, as on hardware for single precision. Rust does not define the payload of
//! a NaN, and a run must not depend on it.

use super::real::Format;

/// Sign bit of single precision.
pub(crate) const SIGN32: u32 = 1 << 31;
/// Sign bit of double precision.
pub(crate) const SIGN64: u64 = 1 << 63;
/// The NaN that single-precision instructions make.
pub(crate) const NAN32: u32 = 0x7fff_ffff;
/// The NaN that double-precision instructions make.
pub(crate) const NAN64: u64 = 0x7ff8_0000_0000_0000;

/// The bits of a result, with the one NaN.
#[inline]
pub(crate) fn canon32(v: f32) -> u32 {
    if v.is_nan() { NAN32 } else { v.to_bits() }
}

/// The bits of a result, with the one NaN.
#[inline]
pub(crate) fn canon64(v: f64) -> u64 {
    if v.is_nan() { NAN64 } else { v.to_bits() }
}

#[inline]
pub(crate) fn nan32(a: u32) -> bool {
    a & !SIGN32 > 0x7f80_0000
}

#[inline]
pub(crate) fn nan64(a: u64) -> bool {
    a & !SIGN64 > 0x7ff0_0000_0000_0000
}

/// `.ftz`: subnormals become zero of the same sign.
#[inline]
pub(crate) fn flush32(a: u32) -> u32 {
    if a & 0x7f80_0000 == 0 { a & SIGN32 } else { a }
}

/// `.sat`: clamped to [0, 1]; NaN becomes 0.
#[inline]
pub(crate) fn saturate32(a: u32) -> u32 {
    let v = f32::from_bits(a);
    if v >= 1.0 {
        1f32.to_bits()
    } else if v > 0.0 {
        a
    } else {
        0
    }
}

/// `div.approx.f32`, which multiplies by a reciprocal: that of a large divisor is flushed to zero.
#[inline]
pub(crate) fn div_approx(a: u32, b: u32) -> u32 {
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    let large = y.abs() > 2f32.powi(126) && y.is_finite();
    if large { canon32(x * if y < 0.0 { -0.0 } else { 0.0 }) } else { canon32(x / y) }
}

/// `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64`, which PTX calls gross approximations: only the upper
/// halves of operand and result count, and subnormal ones are zero.
#[inline]
pub(crate) fn gross(a: u64, function: impl Fn(f64) -> f64) -> u64 {
    let operand = Format::F64.flush(a) & !0xffff_ffff;
    let operand = if nan64(a) { NAN64 } else { operand };
    let result = function(f64::from_bits(operand));
    if result.is_nan() {
        return 0x7fff_ffff_0000_0000;
    }
    // Rounded to the 20 bits of fraction that are kept; a carry goes into the exponent.
    Format::F64.flush(result.to_bits().wrapping_add(0x8000_0000) & !0xffff_ffff)
}

/// Maps bits to integers in the order of the numbers, with -0 below +0.
#[inline]
fn order32(a: u32) -> i32 {
    (a ^ ((a as i32 >> 31) as u32 >> 1)) as i32
}

#[inline]
fn order64(a: u64) -> i64 {
    (a ^ ((a as i64 >> 63) as u64 >> 1)) as i64
}

/// IEEE 754-2019 minimumNumber: a NaN is ignored unless both are; -0 is below +0.
#[inline]
pub(crate) fn min32(a: u32, b: u32) -> u32 {
    match (nan32(a), nan32(b)) {
        (true, true) => NAN32,
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            if order32(a) < order32(b) {
                a
            } else {
                b
            }
        }
    }
}

/// IEEE 754-2019 maximumNumber.
#[inline]
pub(crate) fn max32(a: u32, b: u32) -> u32 {
    match (nan32(a), nan32(b)) {
        (true, true) => NAN32,
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            if order32(a) > order32(b) {
                a
            } else {
                b
            }
        }
    }
}

/// As [`min32`].
#[inline]
pub(crate) fn min64(a: u64, b: u64) -> u64 {
    match (nan64(a), nan64(b)) {
        (true, true) => NAN64,
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            if order64(a) < order64(b) {
                a
            } else {
                b
            }
        }
    }
}

/// As [`max32`].
#[inline]
pub(crate) fn max64(a: u64, b: u64) -> u64 {
    match (nan64(a), nan64(b)) {
        (true, true) => NAN64,
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            if order64(a) > order64(b) {
                a
            } else {
                b
            }
        }
    }
}
