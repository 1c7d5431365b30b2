//! What each instruction computes: one expression for each, which applies to all 32 lanes.
//!
//! Values are bit patterns: `u32` for everything of up to 32 bits (16-bit values are zero-extended), `u64`
//! for 64 bits. Every expression is total: inactive lanes are computed, too, and discarded.

pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod float;
pub(crate) mod general_float;
pub(crate) mod integer;
pub(crate) mod matrix;
pub(crate) mod real;
pub(crate) mod video;

/// The lanes of a warp.
pub(crate) const LANES: usize = 32;
/// The register plane of a 32-bit register: its value in each lane.
pub(crate) type Plane32 = [u32; LANES];
/// The register plane of a 64-bit register.
pub(crate) type Plane64 = [u64; LANES];

/// A plane where the host's cache lines begin: a vector of 64 bytes that lies in two of them takes twice as long.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Aligned<T>(pub T);

/// A value of a lane.
pub(crate) trait Word: Copy + 'static {
    const ZERO: Self;
    /// The bit of each lane in a mask.
    const BITS: &[Self; LANES];

    /// All bits set if the lowest bit of `choice` is, else none.
    fn ones(choice: u32) -> Self;

    /// The bits of the first value that are set in `ones`, the others of the second one.
    fn choose(first: Self, second: Self, ones: Self) -> Self;

    fn or(self, other: Self) -> Self;

    fn and(self, other: Self) -> Self;

    fn low(self) -> u32;
}

macro_rules! word {
    ($word:ident) => {
        impl Word for $word {
            const ZERO: $word = 0;
            const BITS: &[$word; LANES] = &{
                let mut bits = [1; LANES];
                let mut lane = 0;
                while lane < LANES {
                    bits[lane] <<= lane;
                    lane += 1;
                }
                bits
            };

            #[inline(always)]
            fn ones(choice: u32) -> $word {
                $word::from(choice & 1).wrapping_neg()
            }

            #[inline(always)]
            fn choose(first: $word, second: $word, ones: $word) -> $word {
                first & ones | second & !ones
            }

            #[inline(always)]
            fn or(self, other: $word) -> $word {
                self | other
            }

            #[inline(always)]
            fn and(self, other: $word) -> $word {
                self & other
            }

            #[inline(always)]
            fn low(self) -> u32 {
                self as u32
            }
        }
    };
}
word!(u32);
word!(u64);

/// Puts the values of the lanes of a mask into a plane.
#[inline(always)]
pub(crate) fn select<T: Word, const N: usize>(from: &[T; N], mask: u32, into: &mut [T; N]) {
    if mask == u32::MAX {
        *into = *from;
        return;
    }
    let mut ones = Aligned([T::ZERO; N]);
    for (i, ones) in ones.0.iter_mut().enumerate() {
        *ones = T::ones(mask >> i);
    }
    // Hidden from the optimiser, which would make conditions of the bits, and of the conditions a loop over single lanes.
    let ones = std::hint::black_box(&ones);
    for ((into, &from), &ones) in into.iter_mut().zip(from).zip(&ones.0) {
        *into = T::choose(from, *into, ones);
    }
}

/// Declares the operations of one signature: an enum, and what each computes in all lanes from an expression
/// for one.
macro_rules! table {
    ($(#[$doc:meta])* $name:ident $args:tt -> $out:ty { $($op:ident = $meaning:expr),+ $(,)? }) => {
        table!(@build [$(#[$doc])*] $name $args $args $out { $($op = $meaning),+ });
    };
    (@build [$(#[$doc:meta])*] $name:ident ($($arg:ident: $ty:ty),+) $args:tt $out:ty {
        $($op:ident = $meaning:expr),+
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($op),+ }

        impl $name {
            #[cfg(test)]
            #[allow(dead_code, reason = "not every table has operations that are compiled")]
            pub const ALL: &'static [$name] = &[$($name::$op),+];

            /// Puts the results of some lanes into `out`: of all, or of one.
            // Inlined, so that it is compiled for the vector instructions that its caller may use.
            #[inline(always)]
            #[allow(unused_variables, reason = "not every operation has all operands")]
            pub fn planes<const N: usize>(self, $($arg: &[$ty; N],)+ out: &mut [$out; N]) {
                match self {
                    $($name::$op => {
                        table!(@lanes $args out $meaning);
                        // The optimiser would let all operations share the store of the last lane, and then compute only
                        // some of the others in vectors.
                        std::hint::black_box(());
                    })+
                }
            }
        }
    };
    (@lanes ($($arg:ident: $ty:ty),+) $out:ident $meaning:expr) => {
        // Not with an iterator over the results: behind it the optimiser no longer sees that they are no operands, and does not
        // compute them in vectors.
        for i in 0..N {
            let ($($arg,)+) = ($($arg[i],)+);
            $out[i] = $meaning;
        }
    };
}
use float::*;
use integer::*;
use real::Format;

table! {
    /// 32 bits to 32 bits.
    Un32(a: u32) -> u32 {
        Mov = a,
        Not = !a,
        Not16 = !a & 0xffff,
        Cnot = u32::from(a == 0),
        Neg = a.wrapping_neg(),
        Neg16 = a.wrapping_neg() & 0xffff,
        Abs = (a as i32).wrapping_abs() as u32,
        Abs16 = (a as i16).wrapping_abs() as u16 as u32,
        Popc = a.count_ones(),
        Clz = a.leading_zeros(),
        Brev = a.reverse_bits(),
        BfindU = find_bit32(a),
        BfindS = find_bit32(if (a as i32) < 0 { !a } else { a }),
        BfindShiftU = if a == 0 { u32::MAX } else { a.leading_zeros() },
        BfindShiftS = bfind_shift_s32(a),
        Sext8 = a as i8 as u32,
        Sext8To16 = a as i8 as u16 as u32,
        Sext16 = a as i16 as u32,
        Zext8 = a & 0xff,
        Zext16 = a & 0xffff,
        High16 = a >> 16,
        NegF = a ^ SIGN32,
        AbsF = a & !SIGN32,
        NegHalf = a ^ 0x8000,
        AbsHalf = a & 0x7fff,
        NegHalf2 = a ^ 0x8000_8000,
        AbsHalf2 = a & 0x7fff_7fff,
        FlushHalf = Format::F16.flush(u64::from(a)) as u32,
        FlushHalf2 = halves(a, 0, |a, _| Format::F16.flush(u64::from(a)) as u16),
        RcpF = canon32(1.0 / f32::from_bits(a)),
        SqrtF = canon32(f32::from_bits(a).sqrt()),
        RsqrtF = canon32((1.0 / f64::from(f32::from_bits(a)).sqrt()) as f32),
        Ex2F = canon32(f64::from(f32::from_bits(a)).exp2() as f32),
        Lg2F = canon32(f64::from(f32::from_bits(a)).log2() as f32),
        SinF = canon32(f64::from(f32::from_bits(a)).sin() as f32),
        CosF = canon32(f64::from(f32::from_bits(a)).cos() as f32),
        TanhF = canon32(f64::from(f32::from_bits(a)).tanh() as f32),
        FlushF = flush32(a),
        SaturateF = saturate32(a),
        // Conversions without qualifiers. A float is clamped to the range of the integer, as `as` does.
        FFromS = (a as i32 as f32).to_bits(),
        FFromU = (a as f32).to_bits(),
        SFromF = f32::from_bits(a) as i32 as u32,
        UFromF = f32::from_bits(a) as u32,
    }
}

table! {
    /// 64 bits to 64 bits.
    Un64(a: u64) -> u64 {
        Mov = a,
        Not = !a,
        Cnot = u64::from(a == 0),
        Neg = a.wrapping_neg(),
        Abs = (a as i64).wrapping_abs() as u64,
        Brev = a.reverse_bits(),
        NegF = a ^ SIGN64,
        AbsF = a & !SIGN64,
        RcpF = canon64(1.0 / f64::from_bits(a)),
        SqrtF = canon64(f64::from_bits(a).sqrt()),
        RsqrtF = canon64(1.0 / f64::from_bits(a).sqrt()),
        RcpGross = gross(a, |v| 1.0 / v),
        RsqrtGross = gross(a, |v| 1.0 / v.sqrt()),
        FFromS = (a as i64 as f64).to_bits(),
        FFromU = (a as f64).to_bits(),
        // Of a NaN the highest bit, as everywhere if a type has 64 bits.
        SFromF = if nan64(a) { SIGN64 } else { f64::from_bits(a) as i64 as u64 },
        UFromF = if nan64(a) { SIGN64 } else { f64::from_bits(a) as u64 },
    }
}

table! {
    /// 32 bits to 64 bits.
    Widen(a: u32) -> u64 {
        Zext = u64::from(a),
        Sext = a as i32 as u64,
        Sext16 = a as i16 as u64,
        Zext8 = u64::from(a & 0xff),
        Sext8 = a as i8 as u64,
        FFromF = canon64(f64::from(f32::from_bits(a))),
        FFromS = f64::from(a as i32).to_bits(),
        FFromU = f64::from(a).to_bits(),
        SFromF = if nan32(a) { SIGN64 } else { f32::from_bits(a) as i64 as u64 },
        UFromF = if nan32(a) { SIGN64 } else { f32::from_bits(a) as u64 },
    }
}

table! {
    /// 64 bits to 32 bits.
    Narrow(a: u64) -> u32 {
        Low = a as u32,
        High = (a >> 32) as u32,
        Low16 = a as u32 & 0xffff,
        Quarter1 = (a >> 16) as u32 & 0xffff,
        Quarter2 = (a >> 32) as u32 & 0xffff,
        Quarter3 = (a >> 48) as u32,
        Popc = a.count_ones(),
        Clz = a.leading_zeros(),
        BfindU = find_bit64(a),
        BfindS = find_bit64(if (a as i64) < 0 { !a } else { a }),
        BfindShiftU = if a == 0 { u32::MAX } else { a.leading_zeros() },
        BfindShiftS = bfind_shift_s64(a),
        FFromF = canon32(f64::from_bits(a) as f32),
        FFromS = (a as i64 as f32).to_bits(),
        FFromU = (a as f32).to_bits(),
        SFromF = if nan64(a) { SIGN32 } else { f64::from_bits(a) as i32 as u32 },
        UFromF = if nan64(a) { SIGN32 } else { f64::from_bits(a) as u32 },
    }
}

table! {
    /// Two operands of 32 bits.
    Bin32(a: u32, b: u32) -> u32 {
        Add = a.wrapping_add(b),
        Sub = a.wrapping_sub(b),
        AddSat = (a as i32).saturating_add(b as i32) as u32,
        SubSat = (a as i32).saturating_sub(b as i32) as u32,
        Mul = a.wrapping_mul(b),
        MulHiU = ((u64::from(a) * u64::from(b)) >> 32) as u32,
        MulHiS = ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32,
        Mul24U = mul24_u(a, b) as u32,
        Mul24S = mul24_s(a, b) as u32,
        Mul24HiU = (mul24_u(a, b) >> 16) as u32,
        Mul24HiS = (mul24_s(a, b) >> 16) as u32,
        // Division by zero is not a fault: the hardware returns all ones, and the dividend as the remainder.
        DivU = divide_u32(a, b),
        DivS = if b == 0 { u32::MAX } else { (a as i32).wrapping_div(b as i32) as u32 },
        RemU = a.checked_rem(b).unwrap_or(a),
        RemS = if b == 0 { a } else { (a as i32).wrapping_rem(b as i32) as u32 },
        MinU = a.min(b),
        MaxU = a.max(b),
        MinS = (a as i32).min(b as i32) as u32,
        MaxS = (a as i32).max(b as i32) as u32,
        And = a & b,
        Or = a | b,
        Xor = a ^ b,
        // Shifts clamp the amount to the width instead of wrapping it.
        Shl = a.checked_shl(b).unwrap_or(0),
        ShrU = a.checked_shr(b).unwrap_or(0),
        ShrS = ((a as i32) >> b.min(31)) as u32,
        Add16 = a.wrapping_add(b) & 0xffff,
        Sub16 = a.wrapping_sub(b) & 0xffff,
        Mul16 = a.wrapping_mul(b) & 0xffff,
        MulHiU16 = a.wrapping_mul(b) >> 16,
        MulHiS16 = (mul_s16(a, b) >> 16) & 0xffff,
        MulWideU16 = a.wrapping_mul(b),
        MulWideS16 = mul_s16(a, b),
        DivU16 = a.checked_div(b).unwrap_or(0xffff),
        // Inactive lanes are computed, too, and may hold any bits.
        DivS16 = if b as i16 == 0 { 0xffff } else { (a as i16).wrapping_div(b as i16) as u16 as u32 },
        RemU16 = a.checked_rem(b).unwrap_or(a),
        RemS16 = if b as i16 == 0 { a } else { (a as i16).wrapping_rem(b as i16) as u16 as u32 },
        MinS16 = (a as i16).min(b as i16) as u16 as u32,
        MaxS16 = (a as i16).max(b as i16) as u16 as u32,
        Shl16 = a.checked_shl(b).unwrap_or(0) & 0xffff,
        ShrS16 = ((a as i16) >> b.min(15)) as u16 as u32,
        Pack16 = (a & 0xffff) | (b << 16),
        Add16x2 = halves(a, b, u16::wrapping_add),
        MinU16x2 = halves(a, b, u16::min),
        MaxU16x2 = halves(a, b, u16::max),
        MinS16x2 = halves(a, b, |a, b| (a as i16).min(b as i16) as u16),
        MaxS16x2 = halves(a, b, |a, b| (a as i16).max(b as i16) as u16),
        MinReluS16x2 = halves(a, b, |a, b| (a as i16).min(b as i16).max(0) as u16),
        MaxReluS16x2 = halves(a, b, |a, b| (a as i16).max(b as i16).max(0) as u16),
        MinReluS = (a as i32).min(b as i32).max(0) as u32,
        MaxReluS = (a as i32).max(b as i32).max(0) as u32,
        BmskClamp = bit_mask(a.min(32), b.min(32)),
        BmskWrap = bit_mask(a & 31, b & 31),
        ZextClamp = extract_u32(a, 0, b.min(32)),
        ZextWrap = extract_u32(a, 0, b & 31),
        SextClamp = extract_s32(a, 0, b.min(32)),
        SextWrap = extract_s32(a, 0, b & 31),
        AddF = canon32(f32::from_bits(a) + f32::from_bits(b)),
        SubF = canon32(f32::from_bits(a) - f32::from_bits(b)),
        MulF = canon32(f32::from_bits(a) * f32::from_bits(b)),
        DivF = canon32(f32::from_bits(a) / f32::from_bits(b)),
        DivApproxF = div_approx(a, b),
        MinF = min32(a, b),
        MaxF = max32(a, b),
        MinNanF = if nan32(a) || nan32(b) { NAN32 } else { min32(a, b) },
        MaxNanF = if nan32(a) || nan32(b) { NAN32 } else { max32(a, b) },
        // copysign d, a, b: the sign of a and the magnitude of b.
        CopysignF = (a & SIGN32) | (b & !SIGN32),
    }
}

table! {
    /// Two operands of 64 bits.
    Bin64(a: u64, b: u64) -> u64 {
        Add = a.wrapping_add(b),
        Sub = a.wrapping_sub(b),
        Mul = a.wrapping_mul(b),
        MulHiU = ((u128::from(a) * u128::from(b)) >> 64) as u64,
        MulHiS = ((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64,
        DivU = a.checked_div(b).unwrap_or(u64::MAX),
        DivS = if b == 0 { u64::MAX } else { (a as i64).wrapping_div(b as i64) as u64 },
        RemU = a.checked_rem(b).unwrap_or(a),
        RemS = if b == 0 { a } else { (a as i64).wrapping_rem(b as i64) as u64 },
        MinU = a.min(b),
        MaxU = a.max(b),
        MinS = (a as i64).min(b as i64) as u64,
        MaxS = (a as i64).max(b as i64) as u64,
        And = a & b,
        Or = a | b,
        Xor = a ^ b,
        AddF = canon64(f64::from_bits(a) + f64::from_bits(b)),
        SubF = canon64(f64::from_bits(a) - f64::from_bits(b)),
        MulF = canon64(f64::from_bits(a) * f64::from_bits(b)),
        DivF = canon64(f64::from_bits(a) / f64::from_bits(b)),
        MinF = min64(a, b),
        MaxF = max64(a, b),
        CopysignF = (a & SIGN64) | (b & !SIGN64),
    }
}

table! {
    /// A 64-bit value shifted by a 32-bit amount.
    Shift64(a: u64, b: u32) -> u64 {
        Shl = a.checked_shl(b).unwrap_or(0),
        ShrU = a.checked_shr(b).unwrap_or(0),
        ShrS = ((a as i64) >> b.min(63)) as u64,
    }
}

table! {
    /// Two operands of 32 bits to one of 64.
    Wide(a: u32, b: u32) -> u64 {
        MulU = u64::from(a) * u64::from(b),
        MulS = (i64::from(a as i32) * i64::from(b as i32)) as u64,
        Pack = u64::from(a) | u64::from(b) << 32,
    }
}

table! {
    /// Three operands of 32 bits.
    Tri32(a: u32, b: u32, c: u32) -> u32 {
        Mad = a.wrapping_mul(b).wrapping_add(c),
        MadHiU = (((u64::from(a) * u64::from(b)) >> 32) as u32).wrapping_add(c),
        MadHiS = (((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32).wrapping_add(c),
        Mad24U = (mul24_u(a, b) as u32).wrapping_add(c),
        Mad24S = (mul24_s(a, b) as u32).wrapping_add(c),
        Mad24HiU = ((mul24_u(a, b) >> 16) as u32).wrapping_add(c),
        Mad24HiS = ((mul24_s(a, b) >> 16) as u32).wrapping_add(c),
        Mad24HiSat = ((mul24_s(a, b) >> 16) as i32).saturating_add(c as i32) as u32,
        MadHiSat = (((i64::from(a as i32) * i64::from(b as i32)) >> 32) as i32).saturating_add(c as i32) as u32,
        MadHiU16 = (a.wrapping_mul(b) >> 16).wrapping_add(c) & 0xffff,
        MadHiS16 = (mul_s16(a, b) >> 16).wrapping_add(c) & 0xffff,
        Mad16 = a.wrapping_mul(b).wrapping_add(c) & 0xffff,
        MadWideU16 = a.wrapping_mul(b).wrapping_add(c),
        MadWideS16 = mul_s16(a, b).wrapping_add(c),
        SadU = c.wrapping_add(a.abs_diff(b)),
        SadS = c.wrapping_add((a as i32).abs_diff(b as i32)),
        SadU16 = c.wrapping_add(a.abs_diff(b)) & 0xffff,
        SadS16 = c.wrapping_add(u32::from((a as i16).abs_diff(b as i16))) & 0xffff,
        Dp4aUU = dot(bytes(a, false), bytes(b, false), c),
        Dp4aUS = dot(bytes(a, false), bytes(b, true), c),
        Dp4aSU = dot(bytes(a, true), bytes(b, false), c),
        Dp4aSS = dot(bytes(a, true), bytes(b, true), c),
        // Two halves of a by the lower or upper two bytes of b.
        Dp2aLoUU = dot(shorts(a, false), bytes(b & 0xffff, false), c),
        Dp2aLoUS = dot(shorts(a, false), bytes(b & 0xffff, true), c),
        Dp2aLoSU = dot(shorts(a, true), bytes(b & 0xffff, false), c),
        Dp2aLoSS = dot(shorts(a, true), bytes(b & 0xffff, true), c),
        Dp2aHiUU = dot(shorts(a, false), bytes(b >> 16, false), c),
        Dp2aHiUS = dot(shorts(a, false), bytes(b >> 16, true), c),
        Dp2aHiSU = dot(shorts(a, true), bytes(b >> 16, false), c),
        Dp2aHiSS = dot(shorts(a, true), bytes(b >> 16, true), c),
        Fns = find_nth_set(a, b, c),
        PackU16 = pack_saturated(a, b, 0, 16, false),
        PackS16 = pack_saturated(a, b, 0, 16, true),
        PackU8 = pack_saturated(a, b, c, 8, false),
        PackS8 = pack_saturated(a, b, c, 8, true),
        PackU4 = pack_saturated(a, b, c, 4, false),
        PackS4 = pack_saturated(a, b, c, 4, true),
        PackU2 = pack_saturated(a, b, c, 2, false),
        PackS2 = pack_saturated(a, b, c, 2, true),
        Prmt = permute_bytes(a, b, c),
        PrmtF4e = permute_by(a, b, |i| (c & 3) + i),
        PrmtB4e = permute_by(a, b, |i| (c & 3).wrapping_sub(i) & 7),
        PrmtRc8 = permute_by(a, b, |_| c & 3),
        PrmtEcl = permute_by(a, b, |i| (c & 3).max(i)),
        PrmtEcr = permute_by(a, b, |i| (c & 3).min(i)),
        PrmtRc16 = permute_by(a, b, |i| (c & 1) * 2 + (i & 1)),
        ShfLWrap = funnel_left(a, b, c & 31),
        ShfLClamp = funnel_left(a, b, c.min(32)),
        ShfRWrap = funnel_right(a, b, c & 31),
        ShfRClamp = funnel_right(a, b, c.min(32)),
        BfeU = extract_u32(a, b, c),
        BfeS = extract_s32(a, b, c),
        FmaF = canon32(f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(c))),
    }
}

table! {
    /// Four operands of 32 bits.
    Quad32(a: u32, b: u32, c: u32, d: u32) -> u32 {
        Lop3 = lop3(a, b, c, d),
        Bfi = insert_bits(u64::from(a), u64::from(b), c, d, 32) as u32,
        // d is the code of a `PartsForm`.
        Parts = video::parts(a, b, c, d),
    }
}

table! {
    /// Three operands of 64 bits.
    Tri64(a: u64, b: u64, c: u64) -> u64 {
        Mad = a.wrapping_mul(b).wrapping_add(c),
        MadHiU = (((u128::from(a) * u128::from(b)) >> 64) as u64).wrapping_add(c),
        MadHiS = (((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64).wrapping_add(c),
        SadU = c.wrapping_add(a.abs_diff(b)),
        SadS = c.wrapping_add((a as i64).abs_diff(b as i64)),
        FmaF = canon64(f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c))),
    }
}

table! {
    /// A 64-bit sum of a wide product.
    MadWide(a: u32, b: u32, c: u64) -> u64 {
        U = (u64::from(a) * u64::from(b)).wrapping_add(c),
        S = ((i64::from(a as i32) * i64::from(b as i32)) as u64).wrapping_add(c),
    }
}

table! {
    /// A bit field of a 64-bit value.
    Bfe64(a: u64, b: u32, c: u32) -> u64 {
        U = extract_u64(a, b, c),
        S = extract_s64(a, b, c),
    }
}

table! {
    /// A 64-bit value with a bit field replaced.
    Bfi64(a: u64, b: u64, c: u32, d: u32) -> u64 {
        Bfi = insert_bits(a, b, c, d, 64),
    }
}
