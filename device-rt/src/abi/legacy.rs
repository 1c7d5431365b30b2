//! The baseline, under the names of the design's text and its appendix.

use crate::arch::id;
use crate::reduce::legacy;
use crate::reduce::list::{LegacyList, List, SwapReduce};

/// [`legacy::can_block_reduce`] of the caller's block.
#[unsafe(no_mangle)]
pub extern "C" fn can_block_reduce(region_threads: u32, active: u32) -> i32 {
    legacy::can_block_reduce(region_threads, id::block_threads(), active) as i32
}

/// [`legacy::reduce_warp`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmpc_reduce_warp(list: List, swap: SwapReduce, in_simd_region: i32) -> i32 {
    // SAFETY: the caller's contract is the same.
    unsafe { legacy::reduce_warp(&mut LegacyList { list, swap }, in_simd_region != 0) as i32 }
}

macro_rules! sums {
    ($($name:ident $t:ty;)*) => {$(
        /// [`legacy::sum_block`].
        ///
        /// # Safety
        /// As there.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(value: *mut $t) -> i32 {
            // SAFETY: the caller's contract is the same.
            unsafe { legacy::sum_block(value) as i32 }
        }
    )*};
}

sums! {
    kmpc_reduce_block_int32 i32;
    kmpc_reduce_block_int64 i64;
    kmpc_reduce_block_float f32;
    kmpc_reduce_block_double f64;
}
