//! Exact sums: the real sum of floats, or of products of floats, rounded once.
//!
//! The result depends on the multiset of the elements alone: neither on their order, nor on the grid, the device, or the
//! parts in which they were added. It is
//!
//! - NaN if an element or a product is NaN, or if both infinities are among them; otherwise the infinity that is there;
//! - otherwise the real sum of all elements or products, rounded to nearest, ties to even, so that it is an infinity
//!   only if the sum itself is too large, whatever sums of some elements are. Products are not rounded;
//! - 0.0 if the real sum is 0, also without elements or of -0.0 alone. Another sum that rounds to 0 keeps its sign.
//!
//! [`ExactSum`] is the sum as a number in fixed point that is as wide as needed, so that sums of parts can be merged. It
//! takes tens of instructions for an element. [`Terms`] takes few: it is a sum of floats that is exact as long as its
//! floats are enough, which a caller finds out after each batch of elements; then the batch goes to fixed point.
//!
//! Sums in fixed point as wide as the range of floats: U. Kulisch; R. M. Neal, "Fast exact summation using small and
//! large superaccumulators" (2015). Sums of several floats before them, on GPUs: S. Collange, D. Defour, S. Graillat and
//! R. Iakymchuk, "Numerical reproducibility for the parallel reduction on multi- and many-core architectures" (2015).
//! The error of an addition as a float: D. E. Knuth, "The Art of Computer Programming", volume 2.

use core::fmt;

/// Bits behind the point of fixed point: its unit is the smallest product of two `f64` other than 0.
const FRACTION: u32 = 2 * 1074;

/// Digits of 32 bits of fixed point: products of two `f64` are below 2^2048, and 2^64 of them below 2^2112, where 27 bits
/// are left.
pub const DIGITS: usize = 134;

/// What no sum is made of, by number: NaN, infinity, -infinity.
pub const SPECIALS: usize = 3;

/// Words of what a launch leaves: a number for each digit, and for each special how many blocks have met it.
pub const CELLS: usize = DIGITS + SPECIALS;

/// A number in fixed point that floats are added to.
pub trait FixedPoint {
    /// Adds a digit at this place, below [`DIGITS`], or subtracts it; returns whether that carries (or borrows) 1 from the
    /// next place, which is added (or subtracted) next.
    fn add_digit(&mut self, negative: bool, place: usize, digit: u32) -> bool;

    /// Notes a special, by its number.
    fn note_special(&mut self, number: usize);
}

/// A float as `significand * 2^(exponent - 1075)`: the exponent is at least 1, and 2047 if it is not finite.
#[inline(always)]
fn parts(x: f64) -> (u64, u32) {
    let (bits, field) = (x.to_bits(), (x.to_bits() >> 52) as u32 & 0x7ff);
    let fraction = bits & ((1 << 52) - 1);
    if field == 0 { (fraction, 1) } else { (fraction | 1 << 52, field) }
}

/// Adds a float.
#[inline(always)]
pub fn add(to: &mut impl FixedPoint, x: f64) {
    let (significand, exponent) = parts(x);
    if exponent == 0x7ff {
        return note(to, x);
    }
    add_shifted(to, x.is_sign_negative(), significand, exponent + FRACTION - 1075);
}

/// Adds the product of two floats, which is not rounded.
#[inline(always)]
pub fn add_product(to: &mut impl FixedPoint, x: f64, y: f64) {
    let ((one, exponent), (other, more)) = (parts(x), parts(y));
    if exponent == 0x7ff || more == 0x7ff {
        return note(to, x * y);
    }
    let negative = x.is_sign_negative() != y.is_sign_negative();
    let (product, position) = (one as u128 * other as u128, exponent + more - 2);
    add_shifted(to, negative, product as u64, position);
    add_shifted(to, negative, (product >> 64) as u64, position + 64);
}

/// Notes a value that is not finite.
#[inline(always)]
fn note(to: &mut impl FixedPoint, x: f64) {
    to.note_special(if x.is_nan() { 0 } else { 1 + x.is_sign_negative() as usize });
}

/// Adds `magnitude * 2^position` units.
#[inline(always)]
fn add_shifted(to: &mut impl FixedPoint, negative: bool, magnitude: u64, position: u32) {
    let (mut place, shift) = (position as usize / 32, position % 32);
    let (mut digit, mut rest) = ((magnitude << shift) as u32, magnitude >> (32 - shift));
    // A carry out of the last digit changes the sign.
    while (digit != 0 || rest != 0) && place < DIGITS {
        rest += to.add_digit(negative, place, digit) as u64;
        (digit, rest) = (rest as u32, rest >> 32);
        place += 1;
    }
}

/// Floats that [`Terms`] consists of. Sums of millions of `f64` whose magnitudes are within 28 decimal powers are exact, and of
/// `f32` within 37: 159 bits.
pub const TERMS: usize = 3;

/// An exact sum of floats, as so many floats that are not added up.
#[derive(Clone, Copy, Debug)]
pub struct Terms([f64; TERMS]);

impl Terms {
    /// Nothing.
    pub const ZERO: Terms = Terms([0.0; TERMS]);

    /// Adds floats and returns true; or changes nothing and returns false, if that is not exact or a float is not finite.
    #[inline(always)]
    pub fn add<const N: usize>(&mut self, mut floats: [f64; N]) -> bool {
        // No loop, which LLVM would not unroll.
        let [mut first, mut second, mut third] = self.0;
        let is_exact = absorb(&mut first, &mut floats)
            || absorb(&mut second, &mut floats)
            || absorb(&mut third, &mut floats);
        if is_exact {
            self.0 = [first, second, third];
        }
        is_exact
    }

    /// The floats.
    #[inline(always)]
    pub fn floats(self) -> [f64; TERMS] {
        self.0
    }

    /// Takes away one of the floats; as many times as there are floats take away all.
    #[inline(always)]
    pub fn take(&mut self) -> f64 {
        let [first, second, third] = self.0;
        self.0 = [second, third, 0.0];
        first
    }
}

/// Adds floats to a sum, each of which becomes the error of its addition; returns whether none has one.
///
/// The error of an addition that is rounded to nearest is a float, unless the sum overflows: then it is NaN or infinite.
/// Rust and LLVM contract nothing, and reorder nothing.
#[inline(always)]
fn absorb<const N: usize>(sum: &mut f64, floats: &mut [f64; N]) -> bool {
    let mut errors = 0;
    let mut at = 0;
    while at < N {
        let (before, float) = (*sum, floats[at]);
        *sum = before + float;
        let added = *sum - before;
        floats[at] = (before - (*sum - added)) + (float - added);
        // A sum that begins with 0.0 is never -0.0, and neither is an error.
        errors |= floats[at].to_bits();
        at += 1;
    }
    errors == 0
}

/// The exact sum of floats and of products of floats: of `f64`, and of what `f64` can represent. It is rounded once, when it
/// is asked for, to an infinity only if the sum itself is too large. With a NaN, or with both infinities, it is NaN; with
/// one of these that infinity. A sum of 0 is 0.0, whatever the signs of zeros, also without elements.
///
/// Sums of parts are merged in any order. Equal sums are equal values and have equal bytes, however they came about.
///
/// ```
/// use device_rt::reduce::exact::ExactSum;
///
/// let mut sum: ExactSum = [1e300, 3.0, -1e300].into_iter().collect();
/// // A tenth is not a float: the product is 5.6e-17 more than 1.
/// sum.add_product(0.1, 10.0);
/// sum.add(-4.0);
/// assert_eq!(sum.to_f64(), 2f64.powi(-54));
///
/// let mut more = ExactSum::new();
/// more.add(0.25f32);
/// sum.merge(&more);
/// assert_eq!(sum.to_f32(), 0.25);
/// assert_eq!(ExactSum::from_bytes(&sum.to_bytes()), Ok(sum));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ExactSum {
    /// The sum of what is finite in units of 2^-2148, in two's complement; the lowest digit first.
    digits: [u32; DIGITS],
    /// Which specials there are, a bit for each.
    specials: u8,
}

impl Default for ExactSum {
    fn default() -> ExactSum {
        ExactSum::new()
    }
}

impl fmt::Debug for ExactSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExactSum({:e})", self.to_f64())
    }
}

impl FixedPoint for ExactSum {
    #[inline]
    fn add_digit(&mut self, negative: bool, place: usize, digit: u32) -> bool {
        let old = self.digits[place];
        let (new, carries) = if negative { old.overflowing_sub(digit) } else { old.overflowing_add(digit) };
        self.digits[place] = new;
        carries
    }

    fn note_special(&mut self, number: usize) {
        self.specials |= 1 << number;
    }
}

impl<F: Into<f64>> Extend<F> for ExactSum {
    fn extend<I: IntoIterator<Item = F>>(&mut self, floats: I) {
        floats.into_iter().for_each(|float| self.add(float));
    }
}

impl<F: Into<f64>> FromIterator<F> for ExactSum {
    fn from_iter<I: IntoIterator<Item = F>>(floats: I) -> ExactSum {
        let mut sum = ExactSum::new();
        sum.extend(floats);
        sum
    }
}

impl ExactSum {
    /// The sum of nothing.
    pub const fn new() -> ExactSum {
        ExactSum { digits: [0; DIGITS], specials: 0 }
    }

    /// Adds a float.
    pub fn add(&mut self, x: impl Into<f64>) {
        add(self, x.into());
    }

    /// Adds the product of two floats, which is not rounded.
    pub fn add_product(&mut self, x: impl Into<f64>, y: impl Into<f64>) {
        add_product(self, x.into(), y.into());
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &ExactSum) {
        let mut carry = 0;
        for (digit, more) in self.digits.iter_mut().zip(other.digits) {
            let sum = *digit as u64 + more as u64 + carry;
            (*digit, carry) = (sum as u32, sum >> 32);
        }
        self.specials |= other.specials;
    }

    /// The sum, rounded to nearest, ties to even.
    pub fn to_f64(&self) -> f64 {
        f64::from_bits(self.rounded(
            f64::MANTISSA_DIGITS,
            f64::MIN_EXP,
            f64::INFINITY.to_bits(),
            f64::NAN.to_bits(),
        ))
    }

    /// The sum, rounded to nearest, ties to even: once, not by way of an `f64`.
    pub fn to_f32(&self) -> f32 {
        let (infinity, nan) = (f32::INFINITY.to_bits(), f32::NAN.to_bits());
        f32::from_bits(self.rounded(f32::MANTISSA_DIGITS, f32::MIN_EXP, infinity.into(), nan.into()) as u32)
    }

    /// The bits of the sum as a float that has so many digits, the smallest normal number `2^(least - 1)`, and these
    /// bits for infinity and NaN.
    fn rounded(&self, precision: u32, least: i32, infinity: u64, nan: u64) -> u64 {
        let sign = infinity + (1 << (precision - 1));
        match self.specials {
            0 => {}
            0b010 => return infinity,
            0b100 => return infinity | sign,
            _ => return nan,
        }
        let negative = self.digits[DIGITS - 1] >> 31 == 1;
        let mut magnitude = self.digits;
        if negative {
            let mut carry = true;
            for digit in &mut magnitude {
                (*digit, carry) = (!*digit).overflowing_add(carry as u32);
            }
        }
        let Some(top) = magnitude.iter().rposition(|digit| *digit != 0) else { return 0 };
        let length = 32 * top as u32 + 32 - magnitude[top].leading_zeros();
        // The place of the last bit that is kept: not below that of subnormal numbers.
        let last = (least - precision as i32 + FRACTION as i32) as u32;
        let lowest = length.saturating_sub(precision).max(last);
        let bit = |at: u32| magnitude[at as usize / 32] >> (at % 32) & 1;
        let kept = (lowest..length).rev().fold(0, |kept, at| kept << 1 | u64::from(bit(at)));
        let (half, below) = (bit(lowest - 1) == 1, lowest - 1);
        let digit = below as usize / 32;
        let is_more = magnitude[..digit].iter().any(|digit| *digit != 0)
            || magnitude[digit] & ((1 << (below % 32)) - 1) != 0;
        let rounded = kept + u64::from(half && (is_more || kept & 1 == 1));
        // The leading bit counts as 1 in the exponent's field, and so does a carry into it.
        let bits = (u64::from(lowest - last) << (precision - 1)) + rounded;
        bits.min(infinity) | if negative { sign } else { 0 }
    }

    /// The sum that a launch left: for each digit, as two's complement, the sum of what blocks have, each less than 2^32
    /// in magnitude; then for each special whether there are any.
    pub fn from_cells(cells: &[u64; CELLS]) -> ExactSum {
        let mut sum = ExactSum::new();
        let mut carry = 0i64;
        for (digit, cell) in sum.digits.iter_mut().zip(cells) {
            // Fewer than 2^31 blocks: below 2^63.
            let value = *cell as i64 + carry;
            (*digit, carry) = (value as u32, value >> 32);
        }
        for (number, count) in cells[DIGITS..].iter().enumerate() {
            sum.specials |= u8::from(*count != 0) << number;
        }
        sum
    }
}

/// What serialized sums begin with: their format and its version.
const MAGIC: [u8; 8] = *b"wfexact\x01";

/// Bits of a sum of 2^64 products.
const MOST_BITS: u32 = FRACTION + 2048 + 64;

impl ExactSum {
    /// Bytes of a serialized sum.
    pub const BYTES: usize = 16 + 4 * DIGITS;

    /// The sum as bytes, for a file or another process. All numbers are little-endian:
    ///
    /// | bytes | what |
    /// |---|---|
    /// | 8 | `wfexact`, and the version 1 |
    /// | 8 | 1 if there is a NaN, plus 2 if there is an infinity, plus 4 if there is a negative one |
    /// | 536 | the sum of what is finite in units of 2^-2148, in two's complement |
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8] = self.specials;
        for (to, digit) in bytes[16..].chunks_exact_mut(4).zip(self.digits) {
            to.copy_from_slice(&digit.to_le_bytes());
        }
        bytes
    }

    /// The sum that [`ExactSum::to_bytes`] made these bytes of.
    ///
    /// # Errors
    ///
    /// For any others.
    pub fn from_bytes(bytes: &[u8]) -> Result<ExactSum, NoExactSum> {
        let bytes: &[u8; Self::BYTES] = bytes.try_into().map_err(|_| NoExactSum::Length(bytes.len()))?;
        if bytes[..8] != MAGIC {
            return Err(NoExactSum::Format);
        }
        let mut sum = ExactSum::new();
        for (digit, from) in sum.digits.iter_mut().zip(bytes[16..].chunks_exact(4)) {
            *digit = u32::from_le_bytes([from[0], from[1], from[2], from[3]]);
        }
        sum.specials = bytes[8];
        // More than 2^64 products cannot have been added: what is above is the sign.
        let above = sum.digits[DIGITS - 1] as i32 >> (MOST_BITS % 32);
        if sum.specials >= 1 << SPECIALS || bytes[9..16] != [0; 7] || (above != 0 && above != -1) {
            return Err(NoExactSum::Value);
        }
        Ok(sum)
    }
}

const _: () = assert!(MOST_BITS / 32 == DIGITS as u32 - 1, "the bits above are in the last digit");

/// Why bytes are no serialized [`ExactSum`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoExactSum {
    /// They are so many instead of [`ExactSum::BYTES`].
    Length(usize),
    /// They begin with something else, or are of another version.
    Format,
    /// They are those of no sum.
    Value,
}

impl fmt::Display for NoExactSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("these bytes are no exact sum: ")?;
        match self {
            NoExactSum::Length(length) => write!(f, "they are {length} instead of {}", ExactSum::BYTES),
            NoExactSum::Format => f.write_str("they begin with something else, or are of another version"),
            NoExactSum::Value => f.write_str("no floats have this sum"),
        }
    }
}

impl core::error::Error for NoExactSum {}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use num_bigint::BigInt;

    use super::*;

    /// Numbers below a bound.
    fn pseudo_random() -> impl FnMut(u64) -> u64 {
        let mut state = 1u64;
        move |below| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (((state >> 32) as u128 * below as u128) >> 32) as u64
        }
    }

    /// A float in units of 2^-2148, by its bits: beyond the largest finite number, too, as if it had a larger exponent.
    fn units(magnitude: u64, precision: u32, least: i32) -> BigInt {
        let (field, fraction) = (magnitude >> (precision - 1), magnitude & ((1 << (precision - 1)) - 1));
        let significand = if field == 0 { fraction } else { fraction | 1 << (precision - 1) };
        BigInt::from(significand)
            << (field.max(1) as i32 - 1 + least - precision as i32 + FRACTION as i32) as usize
    }

    fn exactly(x: f64) -> BigInt {
        let magnitude = units(x.abs().to_bits(), f64::MANTISSA_DIGITS, f64::MIN_EXP);
        if x.is_sign_negative() { -magnitude } else { magnitude }
    }

    fn product(x: f64, y: f64) -> BigInt {
        (exactly(x) * exactly(y)) >> FRACTION as usize
    }

    /// Asserts that a float of this type, whose sign is the highest of its bits, is the one nearest to a number: that this
    /// is between the middles to its neighbours.
    fn assert_nearest(bits: u64, width: u32, precision: u32, least: i32, exact: &BigInt) {
        let (sign, magnitude) = (bits >> (width - 1), bits & ((1 << (width - 1)) - 1));
        assert_eq!(sign == 1, *exact < BigInt::ZERO, "{bits:#x} {exact}");
        let twice = BigInt::from(exact.magnitude().clone()) << 1usize;
        let value = |magnitude| units(magnitude, precision, least);
        let infinity = ((1 << (width - precision)) - 1) << (precision - 1);
        let is_even = magnitude % 2 == 0;
        if magnitude > 0 {
            let middle = value(magnitude - 1) + value(magnitude);
            assert!(twice > middle || is_even && twice == middle, "{bits:#x} {exact}");
        }
        if magnitude < infinity {
            let middle = value(magnitude) + value(magnitude + 1);
            assert!(twice < middle || is_even && twice == middle, "{bits:#x} {exact}");
        }
        assert!(magnitude <= infinity);
    }

    /// Asserts that the sum is this number, by what it is rounded to, and by what is left when that is subtracted.
    fn assert_is(sum: &ExactSum, exact: &BigInt) {
        let mut rest = (sum.clone(), exact.clone());
        for _ in 0..100 {
            let float = rest.0.to_f64();
            assert_nearest(float.to_bits(), 64, f64::MANTISSA_DIGITS, f64::MIN_EXP, &rest.1);
            assert_nearest(rest.0.to_f32().to_bits().into(), 32, f32::MANTISSA_DIGITS, f32::MIN_EXP, &rest.1);
            if float == 0.0 || float.is_infinite() {
                return;
            }
            rest.0.add(-float);
            rest.1 -= exactly(float);
        }
    }

    /// Finite floats of several distributions; some cancel, overflow, are tiny or lie in the middle between others.
    fn floats(kind: u64, n: u64, random: &mut impl FnMut(u64) -> u64) -> Vec<f64> {
        let mut any = || f64::from_bits(random(1 << 32) << 32 | random(1 << 32));
        let mut finite = || loop {
            let x = any();
            if x.is_finite() {
                break x;
            }
        };
        let mut floats: Vec<f64> = (0..n).map(|_| finite()).collect();
        match kind {
            0 => {}
            1 => floats.iter_mut().for_each(|x| *x = x.to_bits() as i64 as f64 / 2f64.powi(63)),
            2 => floats
                .iter_mut()
                .for_each(|x| *x = f64::from_bits(x.to_bits() & (u64::MAX >> 11) | x.to_bits() >> 63 << 63)),
            3 => floats.iter_mut().for_each(|x| *x = f64::MAX.copysign(*x)),
            4 => floats.iter_mut().for_each(|x| *x = ((x.to_bits() % 7) as f32 * f32::from_bits(1)).into()),
            _ => {
                let with_middles =
                    floats.iter().flat_map(|x| [*x, f64::from_bits(x.to_bits().wrapping_sub(53 << 52))]);
                floats = with_middles.filter(|x| x.is_finite()).collect();
            }
        }
        for at in 1..floats.len() {
            match random(4) {
                0 => floats[at] = -floats[random(at as u64) as usize],
                1 => floats.swap(at, random(at as u64) as usize),
                _ => {}
            }
        }
        floats
    }

    #[test]
    fn sums_are_those_of_exact_arithmetic() {
        let random = &mut pseudo_random();
        for round in 0..120 {
            let floats = floats(round % 6, 1 + random(60), random);
            let sum: ExactSum = floats.iter().copied().collect();
            assert_is(&sum, &floats.iter().map(|x| exactly(*x)).sum());

            let mut products = ExactSum::new();
            for pair in floats.chunks(2) {
                products.add_product(pair[0], pair[pair.len() - 1]);
            }
            assert_is(&products, &floats.chunks(2).map(|pair| product(pair[0], pair[pair.len() - 1])).sum());

            // In another order, by parts.
            let mut parts = [const { ExactSum::new() }; 3];
            for x in floats.iter().rev() {
                parts[random(3) as usize].add(*x);
            }
            let [mut all, one, other] = parts;
            all.merge(&other);
            all.merge(&one);
            assert_eq!(all, sum);
            assert_eq!(all.to_bytes(), sum.to_bytes());
        }
    }

    #[test]
    fn results_are_rounded_once() {
        let sum = |floats: &[f64]| floats.iter().copied().collect::<ExactSum>();
        let half = f64::EPSILON / 2.0;
        assert_eq!(sum(&[1.0, half]).to_f64(), 1.0);
        assert_eq!(sum(&[1.0, half, 5e-324]).to_f64(), 1.0 + f64::EPSILON);
        assert_eq!(sum(&[1.0 + f64::EPSILON, half]).to_f64(), 1.0 + 2.0 * f64::EPSILON);
        // To f64 it is the middle between two f32, but it is more.
        let middle = 1.0 + f64::from(f32::EPSILON) / 2.0;
        assert_eq!(sum(&[middle, 1e-300]).to_f64() as f32, 1.0);
        assert_eq!(sum(&[middle, 1e-300]).to_f32(), 1.0 + f32::EPSILON);
        // The largest number, and the least that is rounded to infinity.
        let ulp = f64::MAX - f64::MAX.next_down();
        assert_eq!(sum(&[f64::MAX, ulp / 2.0, -5e-324]).to_f64(), f64::MAX);
        assert_eq!(sum(&[f64::MAX, ulp / 2.0]).to_f64(), f64::INFINITY);
        assert_eq!(sum(&[-f64::MAX, -f64::MAX, f64::MAX]).to_f64(), -f64::MAX);
        assert_eq!(sum(&[f64::MAX]).to_f32(), f32::INFINITY);
        assert_eq!(sum(&[-5e-324, 0.0]).to_f64(), -5e-324);
        assert_eq!(sum(&[-5e-324, 0.0]).to_f32().to_bits(), (-0.0f32).to_bits());
        let mut tiny = ExactSum::new();
        tiny.add_product(-5e-324, 5e-324);
        assert_eq!(tiny.to_f64().to_bits(), (-0.0f64).to_bits());
        tiny.add_product(5e-324, 5e-324);
        assert_eq!(tiny, ExactSum::new());
    }

    #[test]
    fn zeros_and_specials_are_as_defined() {
        let bits = |floats: &[f64]| floats.iter().copied().collect::<ExactSum>().to_f64().to_bits();
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        for zeros in [&[][..], &[0.0], &[-0.0], &[-0.0, -0.0], &[1.0, -1.0], &[-5e-324, 5e-324]] {
            assert_eq!(bits(zeros), 0, "{zeros:?}");
        }
        assert_eq!(bits(&[1.0, inf, -1e300]), inf.to_bits());
        assert_eq!(bits(&[-inf, f64::MAX, f64::MAX]), (-inf).to_bits());
        assert_eq!(bits(&[inf, 0.0, -inf]), nan.to_bits());
        assert_eq!(bits(&[-nan, inf]), nan.to_bits());
        let dot = |pairs: &[[f64; 2]]| {
            let mut sum = ExactSum::new();
            pairs.iter().for_each(|[x, y]| sum.add_product(*x, *y));
            (sum.to_f64().to_bits(), sum.to_f32().to_bits())
        };
        assert_eq!(dot(&[[inf, -2.0], [1e300, 1e300]]), ((-inf).to_bits(), f32::NEG_INFINITY.to_bits()));
        assert_eq!(dot(&[[inf, 0.0]]), (nan.to_bits(), f32::NAN.to_bits()));
        assert_eq!(dot(&[[nan, 0.0]]), (nan.to_bits(), f32::NAN.to_bits()));
        assert_eq!(dot(&[[inf, -5e-324], [-inf, -1.0]]), (nan.to_bits(), f32::NAN.to_bits()));
        assert_eq!(
            dot(&[[1e200, 1e200], [-1e200, 1e200], [0.5, -0.5]]),
            ((-0.25f64).to_bits(), (-0.25f32).to_bits())
        );
    }

    #[test]
    fn as_many_can_be_added_as_64_bits_count() {
        let mut sum = ExactSum::new();
        sum.add_product(f64::MAX, -f64::MAX);
        for _ in 0..64 {
            sum.merge(&sum.clone());
        }
        assert_eq!(ExactSum::from_bytes(&sum.to_bytes()), Ok(sum.clone()));
        let mut exact = product(f64::MAX, -f64::MAX) << 64usize;
        assert_is(&sum, &exact);
        let mut positive = ExactSum::new();
        positive.add_product(f64::MAX, f64::MAX);
        positive.add_product(5e-324, 1e-300);
        exact += product(f64::MAX, f64::MAX) + product(5e-324, 1e-300);
        sum.merge(&positive);
        assert_is(&sum, &exact);
    }

    /// Fixed point as blocks have it: two magnitudes.
    struct Magnitudes([[u32; DIGITS]; 2], [u32; SPECIALS]);

    impl FixedPoint for Magnitudes {
        fn add_digit(&mut self, negative: bool, place: usize, digit: u32) -> bool {
            let carries;
            let to = &mut self.0[usize::from(negative)][place];
            (*to, carries) = to.overflowing_add(digit);
            carries
        }

        fn note_special(&mut self, number: usize) {
            self.1[number] = 1;
        }
    }

    /// Adds by terms and magnitudes as a lane does, and says how many batches did not fit.
    fn as_a_lane(floats: &[f64]) -> (ExactSum, usize) {
        let (mut terms, mut rest, mut left) = (Terms::ZERO, Magnitudes([[0; DIGITS]; 2], [0; SPECIALS]), 0);
        for batch in floats.chunks(16) {
            let mut padded = [0.0; 16];
            padded[..batch.len()].copy_from_slice(batch);
            let before = terms.floats();
            if !terms.add(padded) {
                assert_eq!(terms.floats(), before);
                left += 1;
                (0..TERMS).for_each(|_| add(&mut rest, terms.take()));
                batch.iter().for_each(|x| add(&mut rest, *x));
            }
        }
        (0..TERMS).for_each(|_| add(&mut rest, terms.take()));
        assert_eq!(terms.floats(), [0.0; TERMS]);
        let mut cells = [0; CELLS];
        for (cell, (more, less)) in cells.iter_mut().zip(rest.0[0].into_iter().zip(rest.0[1])) {
            *cell = (i64::from(more) - i64::from(less)) as u64;
        }
        cells[DIGITS..].copy_from_slice(&rest.1.map(u64::from));
        (ExactSum::from_cells(&cells), left)
    }

    #[test]
    fn terms_are_exact_or_say_that_they_are_not() {
        let random = &mut pseudo_random();
        for round in 0..60 {
            let mut floats = floats(round % 6, 200, random);
            let (sum, left) = as_a_lane(&floats);
            assert_eq!(sum, floats.iter().copied().collect(), "{round}");
            match round % 6 {
                1 | 2 | 4 => assert_eq!(left, 0),
                _ => assert!(left > 0),
            }
            for special in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                floats[random(200) as usize] = special;
                assert_eq!(as_a_lane(&floats).0, floats.iter().copied().collect(), "{round}");
            }
        }
        // Sums that are finite, with errors that are not; sums that overflow and come back.
        for floats in [
            [f64::MAX, -f64::MAX, f64::MAX, 1.0],
            [f64::MAX, f64::MAX, -f64::MAX, -f64::MAX],
            [-f64::MAX, f64::MAX / 2.0, f64::MAX, f64::MIN_POSITIVE],
            [f64::MAX, f64::MAX.next_down(), f64::MIN, 2f64.powi(970)],
        ] {
            assert_eq!(as_a_lane(&floats).0, floats.into_iter().collect());
        }
    }

    #[test]
    fn cells_of_as_many_blocks_as_a_grid_has_do_not_overflow() {
        let most = i64::from(u32::MAX) * ((1 << 31) - 1);
        let random = &mut pseudo_random();
        for kind in 0..4 {
            let (mut cells, mut exact) = ([0u64; CELLS], BigInt::ZERO);
            for (place, cell) in cells[..DIGITS - 4].iter_mut().enumerate() {
                let value = match (kind, random(2)) {
                    (0, _) | (2, 0) => most,
                    (1, _) | (2, _) => -most,
                    (_, sign) => (random(most as u64) as i64) * (1 - 2 * sign as i64),
                };
                *cell = value as u64;
                exact += BigInt::from(value) << (32 * place);
            }
            assert_is(&ExactSum::from_cells(&cells), &exact);
        }
    }

    #[test]
    fn bytes_that_are_no_sum_are_rejected() {
        let mut sum: ExactSum = [-1.5, f64::NAN].into_iter().collect();
        sum.add_product(1e300, 1e300);
        let good = sum.to_bytes();
        assert_eq!(ExactSum::from_bytes(&good), Ok(sum));
        let error = ExactSum::from_bytes(&good[1..]).unwrap_err();
        assert_eq!(std::format!("{error}"), "these bytes are no exact sum: they are 551 instead of 552");
        assert_eq!(ExactSum::from_bytes(&[&good[..], &[0]].concat()), Err(NoExactSum::Length(553)));
        for (at, byte, error) in [
            (0, b'x', NoExactSum::Format),
            (7, 2, NoExactSum::Format),
            (8, 8, NoExactSum::Value),
            (15, 1, NoExactSum::Value),
            (551, 0x80, NoExactSum::Value),
            (548, 0x10, NoExactSum::Value),
        ] {
            let mut bytes = good;
            bytes[at] = byte;
            assert_eq!(ExactSum::from_bytes(&bytes), Err(error), "{at}");
        }
    }
}
