//! The baselines that benchmarks compare the reductions with: the first LLVM GPU runtime, and the
//! per-variable path, whose block stage the caller runs, one variable after the other. See
//! `reduce::per_variable`.

use super::callbacks::{List, SwapReduce};

symbols! {
    /// Baselines: the per-variable path and the first LLVM GPU runtime.
    const BASELINES for Kernels;

    device {
        use crate::arch::id;
        use crate::reduce::per_variable::{self, SwapList};
    }

    /// Baseline: whether the first LLVM GPU runtime could reduce a block of so many threads by a tree.
    fn can_block_reduce(region_threads: u32, active_lanes: u32) -> i32 {
        callers: ALONE, orders: NOTHING, result: "1 or 0, returned to each caller",
    } => per_variable::can_block_reduce(region_threads, id::block_threads(), active_lanes) as i32;

    /// Per-variable path: sums the values of lane 0 of every warp.
    ///
    /// # Safety
    /// As for [`per_variable::sum_block`].
    unsafe fn kmpc_reduce_block_double(value: *mut f64) -> i32 {
        callers: EVERY_THREAD, orders: BLOCK, result: IN_LEADERS,
    } => per_variable::sum_block(value) as i32;

    /// Per-variable path: sums the values of lane 0 of every warp.
    ///
    /// # Safety
    /// As for [`per_variable::sum_block`].
    unsafe fn kmpc_reduce_block_float(value: *mut f32) -> i32 {
        callers: EVERY_THREAD, orders: BLOCK, result: IN_LEADERS,
    } => per_variable::sum_block(value) as i32;

    /// Per-variable path: sums the values of lane 0 of every warp.
    ///
    /// # Safety
    /// As for [`per_variable::sum_block`].
    unsafe fn kmpc_reduce_block_int32(value: *mut i32) -> i32 {
        callers: EVERY_THREAD, orders: BLOCK, result: IN_LEADERS,
    } => per_variable::sum_block(value) as i32;

    /// Per-variable path: sums the values of lane 0 of every warp.
    ///
    /// # Safety
    /// As for [`per_variable::sum_block`].
    unsafe fn kmpc_reduce_block_int64(value: *mut i64) -> i32 {
        callers: EVERY_THREAD, orders: BLOCK, result: IN_LEADERS,
    } => per_variable::sum_block(value) as i32;

    /// Per-variable path: reduces over the warp; the block stage is to follow, variable by variable.
    ///
    /// # Safety
    /// As for [`per_variable::reduce_warp`].
    unsafe fn kmpc_reduce_warp(list: List, swap: SwapReduce, in_simd_region: i32) -> i32 {
        callers: EVERY_LANE, orders: NOTHING,
        result: "in lane 0; in a simd region lane 0 gets 1 and the others 0, otherwise all get 3",
    } => per_variable::reduce_warp(&mut SwapList { list, swap }, in_simd_region != 0) as i32;
}
