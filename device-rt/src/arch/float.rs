//! Minima and maxima of floats, reciprocals and fused operations, each one instruction.

unsafe extern "C" {
    safe fn __warpfold_min_f32(one: f32, other: f32) -> f32;
    safe fn __warpfold_max_f32(one: f32, other: f32) -> f32;
    safe fn __warpfold_min_f64(one: f64, other: f64) -> f64;
    safe fn __warpfold_max_f64(one: f64, other: f64) -> f64;
    safe fn __warpfold_reciprocal(value: f32) -> f32;
    safe fn __warpfold_fused_f64(x: f64, y: f64, z: f64) -> f64;
}

/// 1 / `value`, at most one unit in the last place off; subnormal numbers count as 0.
#[inline(always)]
pub fn reciprocal(value: f32) -> f32 {
    __warpfold_reciprocal(value)
}

/// `x * y + z`, rounded once.
#[inline(always)]
pub fn fused(x: f64, y: f64, z: f64) -> f64 {
    __warpfold_fused_f64(x, y, z)
}

/// Floats with these instructions. A number wins over a NaN, and -0.0 is below 0.0.
pub trait Extrema {
    /// The smaller one.
    fn smaller(self, other: Self) -> Self;
    /// The larger one.
    fn larger(self, other: Self) -> Self;
}

macro_rules! extrema {
    ($($ty:ident: $min:ident $max:ident;)*) => {$(
        impl Extrema for $ty {
            #[inline(always)]
            fn smaller(self, other: $ty) -> $ty {
                $min(self, other)
            }

            #[inline(always)]
            fn larger(self, other: $ty) -> $ty {
                $max(self, other)
            }
        }
    )*};
}

extrema! {
    f32: __warpfold_min_f32 __warpfold_max_f32;
    f64: __warpfold_min_f64 __warpfold_max_f64;
}
