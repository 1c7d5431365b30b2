//! Copies of code that LLVM shall not merge.

unsafe extern "C" {
    safe fn __warpfold_own_copy();
    fn __warpfold_first_i32(value: i32) -> i32;
    fn __warpfold_first_u32(value: u32) -> u32;
    fn __warpfold_first_i64(value: i64) -> i64;
    fn __warpfold_first_u64(value: u64) -> u64;
    fn __warpfold_last_i32(value: i32) -> i32;
    fn __warpfold_last_u32(value: u32) -> u32;
    fn __warpfold_last_i64(value: i64) -> i64;
    fn __warpfold_last_u64(value: u64) -> u64;
}

/// Begins and ends a call that has a twin in another branch: LLVM would make one call of both, before it inlines
/// either and sees what the branch says about it. At the begin of a branch it keeps what the branch does from being done in
/// front of it. Takes no instruction.
#[inline(always)]
pub fn own_copy() {
    __warpfold_own_copy();
}

/// Bounds of loops of whose origin LLVM knows nothing, so that it finds the trip count cheap to compute, and
/// unrolls the loop. Each takes a move, which ptxas mostly drops.
pub trait LoopBound: Sized {
    /// The same number, the first iteration of a loop.
    ///
    /// # Safety
    /// It is not negative.
    unsafe fn opaque_first(self) -> Self;

    /// The same number, the last iteration of a loop.
    ///
    /// # Safety
    /// It is not negative, and not the type's largest.
    unsafe fn opaque_last(self) -> Self;
}

macro_rules! loop_bounds {
    ($($t:ty: $first:ident, $last:ident;)*) => {$(
        impl LoopBound for $t {
            #[inline(always)]
            unsafe fn opaque_first(self) -> $t {
                // SAFETY: passed on from the caller.
                unsafe { $first(self) }
            }

            #[inline(always)]
            unsafe fn opaque_last(self) -> $t {
                // SAFETY: passed on from the caller.
                unsafe { $last(self) }
            }
        }
    )*};
}

loop_bounds! {
    i32: __warpfold_first_i32, __warpfold_last_i32;
    u32: __warpfold_first_u32, __warpfold_last_u32;
    i64: __warpfold_first_i64, __warpfold_last_i64;
    u64: __warpfold_first_u64, __warpfold_last_u64;
}
