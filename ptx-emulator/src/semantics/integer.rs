//! Integer operations that need more than one host operation.

/// Position of the highest set bit, or all ones.
#[inline]
pub(crate) fn find_bit32(a: u32) -> u32 {
    31u32.wrapping_sub(a.leading_zeros())
}

/// As [`find_bit32`], of 64 bits.
#[inline]
pub(crate) fn find_bit64(a: u64) -> u32 {
    63u32.wrapping_sub(a.leading_zeros())
}

/// Shift that brings the highest significant bit of a signed value to the top, or all ones.
#[inline]
pub(crate) fn bfind_shift_s32(a: u32) -> u32 {
    let magnitude = if (a as i32) < 0 { !a } else { a };
    if magnitude == 0 { u32::MAX } else { magnitude.leading_zeros() }
}

/// As [`bfind_shift_s32`], of 64 bits.
#[inline]
pub(crate) fn bfind_shift_s64(a: u64) -> u32 {
    let magnitude = if (a as i64) < 0 { !a } else { a };
    if magnitude == 0 { u32::MAX } else { magnitude.leading_zeros() }
}

/// The quotient, or all ones for a divisor of zero. Host processors have no division of integers in vectors, but one of
/// doubles, whose quotients have enough bits: that of two 32-bit numbers is at least 2^-32 of it below the next integer.
#[inline(always)]
pub(crate) fn divide_u32(a: u32, b: u32) -> u32 {
    // Plus 2^52 it is rounded, and the lowest bits are those of the integer.
    const INTEGERS: f64 = (1u64 << 52) as f64;
    let exact = f64::from(a) / f64::from(b);
    let rounded = exact + INTEGERS;
    let below = rounded - if rounded - INTEGERS > exact { 1.0 } else { 0.0 };
    let quotient = below.to_bits() as u32;
    if b == 0 { u32::MAX } else { quotient }
}

/// The 48-bit product of the low 24 bits.
#[inline]
pub(crate) fn mul24_u(a: u32, b: u32) -> u64 {
    u64::from(a & 0xff_ffff) * u64::from(b & 0xff_ffff)
}

/// As [`mul24_u`], of signed values.
#[inline]
pub(crate) fn mul24_s(a: u32, b: u32) -> u64 {
    let low = |v: u32| i64::from((v << 8) as i32 >> 8);
    (low(a) * low(b)) as u64
}

/// The 32-bit product of two signed 16-bit values.
#[inline]
pub(crate) fn mul_s16(a: u32, b: u32) -> u32 {
    (i32::from(a as i16) * i32::from(b as i16)) as u32
}

/// `prmt`: each result byte is one of the eight bytes of b:a, or its sign spread over the byte.
#[inline]
pub(crate) fn permute_bytes(a: u32, b: u32, selector: u32) -> u32 {
    let bytes = u64::from(a) | u64::from(b) << 32;
    let mut out = 0;
    for i in 0..4 {
        let control = selector >> (4 * i);
        let byte = (bytes >> (8 * (control & 7))) as u8;
        let byte = if control & 8 != 0 { ((byte as i8) >> 7) as u8 } else { byte };
        out |= u32::from(byte) << (8 * i);
    }
    out
}

/// As [`permute_bytes`], with the number of each byte computed.
#[inline]
pub(crate) fn permute_by(a: u32, b: u32, number: impl Fn(u32) -> u32) -> u32 {
    permute_bytes(a, b, (0..4).fold(0, |all, i| all | number(i) << (4 * i)))
}

/// An operation on both halves of a word.
#[inline]
pub(crate) fn halves(a: u32, b: u32, op: impl Fn(u16, u16) -> u16) -> u32 {
    u32::from(op(a as u16, b as u16)) | u32::from(op((a >> 16) as u16, (b >> 16) as u16)) << 16
}

/// The four bytes of a word as numbers.
#[inline]
pub(crate) fn bytes(a: u32, signed: bool) -> [i32; 4] {
    a.to_le_bytes().map(|v| if signed { i32::from(v as i8) } else { i32::from(v) })
}

/// The two halves of a word as numbers, and two zeros.
#[inline]
pub(crate) fn shorts(a: u32, signed: bool) -> [i32; 4] {
    let number = |v: u32| if signed { i32::from(v as i16) } else { i32::from(v as u16) };
    [number(a), number(a >> 16), 0, 0]
}

/// The sum of products, and `c`.
#[inline]
pub(crate) fn dot(a: [i32; 4], b: [i32; 4], c: u32) -> u32 {
    a.iter().zip(b).fold(c, |sum, (&a, b)| sum.wrapping_add(a.wrapping_mul(b) as u32))
}

/// `bmsk`: `length` ones from `position` on, as far as they lie in the word.
#[inline]
pub(crate) fn bit_mask(position: u32, length: u32) -> u32 {
    ((((1u64 << length) - 1) << position) & 0xffff_ffff) as u32
}

/// `fns`: position of the n-th set bit at or above (for negative n: below) `base`, or all ones.
#[inline]
pub(crate) fn find_nth_set(mask: u32, base: u32, n: u32) -> u32 {
    let n = n as i32;
    if base > 31 {
        return u32::MAX;
    }
    if n == 0 {
        return if mask >> base & 1 != 0 { base } else { u32::MAX };
    }
    let mut rest = if n > 0 { mask >> base << base } else { mask << (31 - base) >> (31 - base) };
    for _ in 1..n.unsigned_abs().min(33) {
        rest &= !nearest(rest, n);
    }
    nearest(rest, n).checked_ilog2().unwrap_or(u32::MAX)
}

/// The lowest set bit, or the highest for negative `n`.
#[inline]
fn nearest(mask: u32, n: i32) -> u32 {
    if n > 0 { mask & mask.wrapping_neg() } else { mask.checked_ilog2().map_or(0, |top| 1 << top) }
}

/// `cvt.pack.sat`: `a` and `b` clamped to `bits` bits and put together, above them the low bits of `c`.
#[inline]
pub(crate) fn pack_saturated(a: u32, b: u32, c: u32, bits: u32, signed: bool) -> u32 {
    let (least, most) =
        if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
    let cut = |v: u32| (v as i32).clamp(least, most) as u32 & ((1 << bits) - 1);
    let packed = cut(a) << bits | cut(b);
    packed | c.checked_shl(2 * bits).unwrap_or(0)
}

/// The high word of b:a shifted left by at most 32.
#[inline]
pub(crate) fn funnel_left(a: u32, b: u32, by: u32) -> u32 {
    (((u64::from(b) << 32 | u64::from(a)) << by) >> 32) as u32
}

/// The low word of b:a shifted right by at most 32.
#[inline]
pub(crate) fn funnel_right(a: u32, b: u32, by: u32) -> u32 {
    ((u64::from(b) << 32 | u64::from(a)) >> by) as u32
}

/// `bfe.u32`: `length` bits from `position`, both taken modulo 256, zero-extended.
#[inline]
pub(crate) fn extract_u32(a: u32, position: u32, length: u32) -> u32 {
    extract_u64(u64::from(a), position, length) as u32
}

/// `bfe.s32`: as [`extract_u32`], filled with the field's sign, or that of `a` if the field runs past it.
#[inline]
pub(crate) fn extract_s32(a: u32, position: u32, length: u32) -> u32 {
    extract_s64(a as i32 as u64, position, length) as u32
}

/// `bfe.u64`.
#[inline]
pub(crate) fn extract_u64(a: u64, position: u32, length: u32) -> u64 {
    let (position, length) = (position & 0xff, length & 0xff);
    let field = a.checked_shr(position).unwrap_or(0);
    if length >= 64 { field } else { field & ((1 << length) - 1) }
}

/// `bfe.s64`.
#[inline]
pub(crate) fn extract_s64(a: u64, position: u32, length: u32) -> u64 {
    let (position, length) = (position & 0xff, length & 0xff);
    let field = (a as i64) >> position.min(63);
    match length {
        0 => 0,
        1..=63 => (field << (64 - length) >> (64 - length)) as u64,
        _ => field as u64,
    }
}

/// `bfi`: the low `length` bits of `a` put into `b` at `position`, both numbers taken modulo 256.
#[inline]
pub(crate) fn insert_bits(a: u64, b: u64, position: u32, length: u32, width: u32) -> u64 {
    let (position, length) = (position & 0xff, length & 0xff);
    if position >= width {
        return b;
    }
    let ones = if length >= 64 { u64::MAX } else { (1 << length) - 1 };
    let mask = ones << position;
    (b & !mask) | ((a << position) & mask)
}

/// `lop3`: any function of three bits, as a table of eight.
#[inline]
pub(crate) fn lop3(a: u32, b: u32, c: u32, table: u32) -> u32 {
    let mut out = 0;
    for row in 0..8 {
        let term = if row & 4 != 0 { a } else { !a }
            & if row & 2 != 0 { b } else { !b }
            & if row & 1 != 0 { c } else { !c };
        out |= term & 0u32.wrapping_sub((table >> row) & 1);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Next to multiples of the divisor, where a quotient that is rounded would be wrong first.
    #[test]
    fn quotients_are_exact() {
        let near = |value: u64| (value.saturating_sub(2)..=value.saturating_add(2)).map(|v| v as u32);
        let numbers: Vec<u32> =
            (0..=32).flat_map(|bit| near(1 << bit)).chain([3, 1022, 641, 6_700_417]).collect();
        for &b in &numbers {
            let multiples = numbers.iter().map(|&quotient| u64::from(quotient) * u64::from(b));
            for a in multiples.flat_map(near).chain(numbers.iter().copied()) {
                assert_eq!(divide_u32(a, b), a.checked_div(b).unwrap_or(u32::MAX), "{a} / {b}");
            }
        }
    }
}
