//! Reductions: our own entries, and those under the names of the design they come from.

use core::ffi::c_void;

use crate::reduce::grid::{self, FoldCallbacks};
use crate::reduce::list::{BufferCallback, InterWarpCopy, List, ShuffleReduce};
use crate::reduce::{block, warp};

/// [`warp::reduce_full`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __warpfold_warp_reduce_full(list: List, shfl: ShuffleReduce) {
    // SAFETY: the caller's contract is the same.
    unsafe { warp::reduce_full(list, shfl) }
}

/// [`warp::reduce_contiguous`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __warpfold_warp_reduce_contiguous(
    list: List,
    shfl: ShuffleReduce,
    size: u32,
    lane: u32,
) {
    // SAFETY: the caller's contract is the same.
    unsafe { warp::reduce_contiguous(list, shfl, size, lane) }
}

/// [`block::reduce`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __warpfold_block_reduce(
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
) -> i32 {
    // SAFETY: the caller's contract is the same.
    unsafe { block::reduce(list, shfl, iwcpy) as i32 }
}

/// [`grid::reduce`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __warpfold_grid_reduce(
    workspace: *mut c_void,
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
    lgcpy: BufferCallback,
    glcpy: BufferCallback,
    glred: BufferCallback,
) -> i32 {
    // SAFETY: the caller's contract is the same.
    unsafe { grid::reduce(workspace, list, lgcpy, &FoldCallbacks { shfl, iwcpy, glcpy, glred }) as i32 }
}

/// [`grid::store`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __warpfold_grid_store(
    workspace: *mut c_void,
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
    lgcpy: BufferCallback,
) {
    // SAFETY: the caller's contract is the same.
    unsafe { grid::store(workspace, list, shfl, iwcpy, lgcpy) }
}

/// [`grid::finalize`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __warpfold_grid_finalize(
    workspace: *mut c_void,
    num_slots: u32,
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
    glcpy: BufferCallback,
    glred: BufferCallback,
) -> i32 {
    // SAFETY: the caller's contract is the same.
    unsafe { grid::finalize(workspace, num_slots, list, &FoldCallbacks { shfl, iwcpy, glcpy, glred }) as i32 }
}

/// [`warp::reduce_full`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpu_regular_warp_reduce(list: List, shfl: ShuffleReduce) {
    // SAFETY: the caller's contract is the same.
    unsafe { warp::reduce_full(list, shfl) }
}

/// [`warp::reduce_contiguous`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpu_irregular_warp_reduce(list: List, shfl: ShuffleReduce, size: u32, lane: u32) {
    // SAFETY: the caller's contract is the same.
    unsafe { warp::reduce_contiguous(list, shfl, size, lane) }
}

/// [`block::reduce_first`], over `size` threads.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpu_irregular_block_reduce(
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
    size: u32,
) {
    // SAFETY: the caller's contract is the same.
    unsafe { block::reduce_first(list, shfl, iwcpy, size) };
}
