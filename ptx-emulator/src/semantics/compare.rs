//! Comparisons: `setp`, `set`, `testp`.

use super::Word;
use super::float::{SIGN32, SIGN64, nan32, nan64};

/// The lanes in which a comparison holds.
#[inline(always)]
fn each<T: Word, const N: usize>(a: &[T; N], b: &[T; N], holds: impl Fn(T, T) -> bool) -> u32 {
    // Hidden from the optimiser, and as wide as the operands: else it treats some lanes in another way, and reads the others
    // in vectors that lie across those that were written, which takes until these are in the cache.
    let bits = if N == 1 { T::BITS } else { std::hint::black_box(T::BITS) };
    let mut mask = T::ZERO;
    for i in 0..N {
        mask = mask.or(T::ones(u32::from(holds(a[i], b[i]))).and(bits[i]));
    }
    // As for the operations of `semantics`.
    std::hint::black_box(());
    mask.low()
}

/// Declares the comparisons of one width, and those that only this width has.
macro_rules! comparisons {
    (
        $(#[$doc:meta])*
        $name:ident: $bits:ident, $int:ident, $float:ident, $nan:ident, $sign:ident, $infinity:ident
        $(, $op:ident = $meaning:expr)* $(,)?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name {
            Eq, Ne,
            LtU, LeU, GtU, GeU,
            LtS, LeS, GtS, GeS,
            // Of floats; those with a `u` at the end of their name hold for operands without an order too.
            EqF, NeF, LtF, LeF, GtF, GeF,
            EquF, NeuF, LtuF, LeuF, GtuF, GeuF,
            NumF, NanF,
            // Of the first operand alone.
            TestFinite, TestInfinite, TestNumber, TestNotANumber, TestNormal, TestSubnormal,
            $($op),*
        }

        impl $name {
            #[cfg(test)]
            pub const ALL: &'static [$name] = {
                use $name::*;
                &[
                    Eq, Ne, LtU, LeU, GtU, GeU, LtS, LeS, GtS, GeS, EqF, NeF, LtF, LeF, GtF, GeF, EquF, NeuF, LtuF, LeuF,
                    GtuF, GeuF, NumF, NanF, TestFinite, TestInfinite, TestNumber, TestNotANumber, TestNormal,
                    TestSubnormal, $($op),*
                ]
            };

            /// The results as a lane mask.
            #[inline(always)]
            pub fn mask<const N: usize>(self, a: &[$bits; N], b: &[$bits; N]) -> u32 {
                let float = $float::from_bits;
                let unordered = |a, b| $nan(a) || $nan(b);
                match self {
                    $name::Eq => each(a, b, |a, b| a == b),
                    $name::Ne => each(a, b, |a, b| a != b),
                    $name::LtU => each(a, b, |a, b| a < b),
                    $name::LeU => each(a, b, |a, b| a <= b),
                    $name::GtU => each(a, b, |a, b| a > b),
                    $name::GeU => each(a, b, |a, b| a >= b),
                    $name::LtS => each(a, b, |a, b| (a as $int) < b as $int),
                    $name::LeS => each(a, b, |a, b| a as $int <= b as $int),
                    $name::GtS => each(a, b, |a, b| a as $int > b as $int),
                    $name::GeS => each(a, b, |a, b| a as $int >= b as $int),
                    $name::EqF => each(a, b, |a, b| float(a) == float(b)),
                    $name::NeF => each(a, b, |a, b| float(a) < float(b) || float(a) > float(b)),
                    $name::LtF => each(a, b, |a, b| float(a) < float(b)),
                    $name::LeF => each(a, b, |a, b| float(a) <= float(b)),
                    $name::GtF => each(a, b, |a, b| float(a) > float(b)),
                    $name::GeF => each(a, b, |a, b| float(a) >= float(b)),
                    $name::EquF => each(a, b, |a, b| float(a) == float(b) || unordered(a, b)),
                    $name::NeuF => each(a, b, |a, b| float(a) != float(b)),
                    $name::LtuF => each(a, b, |a, b| float(a) < float(b) || unordered(a, b)),
                    $name::LeuF => each(a, b, |a, b| float(a) <= float(b) || unordered(a, b)),
                    $name::GtuF => each(a, b, |a, b| float(a) > float(b) || unordered(a, b)),
                    $name::GeuF => each(a, b, |a, b| float(a) >= float(b) || unordered(a, b)),
                    $name::NumF => each(a, b, |a, b| !unordered(a, b)),
                    $name::NanF => each(a, b, unordered),
                    $name::TestFinite => each(a, b, |a, _| a & $infinity != $infinity),
                    $name::TestInfinite => each(a, b, |a, _| a & !$sign == $infinity),
                    $name::TestNumber => each(a, b, |a, _| !$nan(a)),
                    $name::TestNotANumber => each(a, b, |a, _| $nan(a)),
                    $name::TestNormal => each(a, b, |a, _| !matches!(a & $infinity, 0 | $infinity)),
                    $name::TestSubnormal => each(a, b, |a, _| a & $infinity == 0 && a & !$sign != 0),
                    $($name::$op => each(a, b, $meaning)),*
                }
            }
        }
    };
}

/// Infinity of single precision: all bits of the exponent.
const INFINITY32: u32 = 0x7f80_0000;
/// Infinity of double precision.
const INFINITY64: u64 = 0x7ff0_0000_0000_0000;

comparisons! {
    /// Comparisons of 32-bit values; those named 16 look at the low halves as signed numbers.
    Cmp32: u32, i32, f32, nan32, SIGN32, INFINITY32,
    LtS16 = |a, b| (a as i16) < b as i16,
    LeS16 = |a, b| a as i16 <= b as i16,
    GtS16 = |a, b| a as i16 > b as i16,
    GeS16 = |a, b| a as i16 >= b as i16,
}

comparisons! {
    /// Comparisons of 64-bit values.
    Cmp64: u64, i64, f64, nan64, SIGN64, INFINITY64
}
