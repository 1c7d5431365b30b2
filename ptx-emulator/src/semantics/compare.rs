//! Comparisons: `setp`, `set`, `testp`.

use super::float::{SIGN32, SIGN64, nan32, nan64};
use super::{Plane32, Plane64};

/// Declares comparisons of one width.
macro_rules! comparisons {
    ($(#[$doc:meta])* $name:ident ($a:ident, $b:ident: $ty:ty, $plane:ty) { $($op:ident = $meaning:expr),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($op),+ }

        impl $name {
            /// The results as a lane mask.
            #[inline]
            #[allow(unused_variables)]
            pub fn mask(self, $a: &$plane, $b: &$plane) -> u32 {
                let mut mask = 0u32;
                match self {
                    $($name::$op => {
                        for (i, (&$a, &$b)) in $a.iter().zip($b).enumerate() {
                            mask |= u32::from($meaning) << i;
                        }
                    })+
                }
                mask
            }
        }
    };
}

comparisons! {
    /// Comparisons of 32-bit values; those named 16 look at the low halves as signed numbers.
    Cmp32(a, b: u32, Plane32) {
        Eq = a == b,
        Ne = a != b,
        LtU = a < b,
        LeU = a <= b,
        GtU = a > b,
        GeU = a >= b,
        LtS = (a as i32) < b as i32,
        LeS = a as i32 <= b as i32,
        GtS = a as i32 > b as i32,
        GeS = a as i32 >= b as i32,
        LtS16 = (a as i16) < b as i16,
        LeS16 = a as i16 <= b as i16,
        GtS16 = a as i16 > b as i16,
        GeS16 = a as i16 >= b as i16,
        EqF = f32::from_bits(a) == f32::from_bits(b),
        NeF = f32::from_bits(a) < f32::from_bits(b) || f32::from_bits(a) > f32::from_bits(b),
        LtF = f32::from_bits(a) < f32::from_bits(b),
        LeF = f32::from_bits(a) <= f32::from_bits(b),
        GtF = f32::from_bits(a) > f32::from_bits(b),
        GeF = f32::from_bits(a) >= f32::from_bits(b),
        EquF = f32::from_bits(a) == f32::from_bits(b) || nan32(a) || nan32(b),
        NeuF = f32::from_bits(a) != f32::from_bits(b),
        LtuF = f32::from_bits(a) < f32::from_bits(b) || nan32(a) || nan32(b),
        LeuF = f32::from_bits(a) <= f32::from_bits(b) || nan32(a) || nan32(b),
        GtuF = f32::from_bits(a) > f32::from_bits(b) || nan32(a) || nan32(b),
        GeuF = f32::from_bits(a) >= f32::from_bits(b) || nan32(a) || nan32(b),
        NumF = !nan32(a) && !nan32(b),
        NanF = nan32(a) || nan32(b),
        TestFinite = a & 0x7f80_0000 != 0x7f80_0000,
        TestInfinite = a & !SIGN32 == 0x7f80_0000,
        TestNumber = !nan32(a),
        TestNotANumber = nan32(a),
        TestNormal = a & 0x7f80_0000 != 0x7f80_0000 && a & 0x7f80_0000 != 0,
        TestSubnormal = a & 0x7f80_0000 == 0 && a & !SIGN32 != 0,
    }
}

comparisons! {
    /// Comparisons of 64-bit values.
    Cmp64(a, b: u64, Plane64) {
        Eq = a == b,
        Ne = a != b,
        LtU = a < b,
        LeU = a <= b,
        GtU = a > b,
        GeU = a >= b,
        LtS = (a as i64) < b as i64,
        LeS = a as i64 <= b as i64,
        GtS = a as i64 > b as i64,
        GeS = a as i64 >= b as i64,
        EqF = f64::from_bits(a) == f64::from_bits(b),
        NeF = f64::from_bits(a) < f64::from_bits(b) || f64::from_bits(a) > f64::from_bits(b),
        LtF = f64::from_bits(a) < f64::from_bits(b),
        LeF = f64::from_bits(a) <= f64::from_bits(b),
        GtF = f64::from_bits(a) > f64::from_bits(b),
        GeF = f64::from_bits(a) >= f64::from_bits(b),
        EquF = f64::from_bits(a) == f64::from_bits(b) || nan64(a) || nan64(b),
        NeuF = f64::from_bits(a) != f64::from_bits(b),
        LtuF = f64::from_bits(a) < f64::from_bits(b) || nan64(a) || nan64(b),
        LeuF = f64::from_bits(a) <= f64::from_bits(b) || nan64(a) || nan64(b),
        GtuF = f64::from_bits(a) > f64::from_bits(b) || nan64(a) || nan64(b),
        GeuF = f64::from_bits(a) >= f64::from_bits(b) || nan64(a) || nan64(b),
        NumF = !nan64(a) && !nan64(b),
        NanF = nan64(a) || nan64(b),
        TestFinite = a & 0x7ff0_0000_0000_0000 != 0x7ff0_0000_0000_0000,
        TestInfinite = a & !SIGN64 == 0x7ff0_0000_0000_0000,
        TestNumber = !nan64(a),
        TestNotANumber = nan64(a),
        TestNormal = a & 0x7ff0_0000_0000_0000 != 0x7ff0_0000_0000_0000 && a & 0x7ff0_0000_0000_0000 != 0,
        TestSubnormal = a & 0x7ff0_0000_0000_0000 == 0 && a & !SIGN64 != 0,
    }
}
