//! Conversions of the 16-bit float formats, which Rust has no type for.

use super::float::{NAN32, canon64};

/// Exponent and fraction bits of a 16-bit format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    exponent: u32,
    fraction: u32,
}

/// `.f16`
pub(crate) const F16: Format = Format { exponent: 5, fraction: 10 };
/// `.bf16`
pub(crate) const BF16: Format = Format { exponent: 8, fraction: 7 };

/// The value of a 16-bit float as bits of single precision; exact.
pub(crate) fn widen(bits: u32, format: Format) -> u32 {
    let Format { exponent, fraction } = format;
    let sign = (bits >> 15 & 1) << 31;
    let e = bits >> fraction & ((1 << exponent) - 1);
    let f = bits & ((1 << fraction) - 1);
    let bias = (1i32 << (exponent - 1)) - 1;
    if e == (1 << exponent) - 1 {
        return if f == 0 { sign | 0x7f80_0000 } else { NAN32 };
    }
    // Subnormals have the exponent of the smallest normals and no leading one.
    let (leading, e) = if e == 0 { (0, 1) } else { (1 << fraction, e as i32) };
    let scale = e - bias - fraction as i32;
    let magnitude = f64::from(f | leading) * 2f64.powi(scale);
    sign | (magnitude as f32).to_bits()
}

/// A double rounded to nearest-even in a 16-bit format.
pub(crate) fn narrow(value: f64, format: Format) -> u32 {
    let Format { exponent, fraction } = format;
    let bits = canon64(value);
    let sign = (bits >> 63) as u32 & 1;
    if value.is_nan() {
        return 0x7fff;
    }
    let bias = (1i32 << (exponent - 1)) - 1;
    let top = ((1 << exponent) - 1) << fraction;
    let magnitude = value.abs();
    if magnitude.is_infinite() {
        return sign << 15 | top;
    }
    // Scale so that one unit is the last place of the result, then round once: the product is exact.
    let e = if magnitude == 0.0 { 1 - bias } else { ((bits >> 52 & 0x7ff) as i32 - 1023).max(1 - bias) };
    let units = (magnitude * 2f64.powi(fraction as i32 - e)).round_ties_even() as u32;
    let base = ((e + bias - 1) as u32) << fraction;
    sign << 15 | (base + units).min(top)
}
