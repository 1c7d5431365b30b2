//! Reductions as clang and flang call them.

use core::ffi::c_void;
use core::num::NonZero;

use super::Ident;
use crate::query;
use crate::reduce::block;
use crate::reduce::grid::{self, Control, FoldCallbacks, Slots};
use crate::reduce::list::{BufferCallback, InterWarpCopy, List, ShuffleReduce};
use crate::team::state;

/// [`block::reduce_first`] over the threads of the parallel region; 1 in the one that holds the
/// result. A region of one thread has nothing to combine.
///
/// # Safety
/// As there; all threads of the region arrive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_nvptx_parallel_reduce_nowait_v2(
    _location: Ident,
    _data_size: u64,
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
) -> i32 {
    let threads = query::threads();
    if threads == 1 {
        return 1;
    }
    // SAFETY: the caller's contract is the same.
    unsafe { block::reduce_first(list, shfl, iwcpy, threads) as i32 }
}

/// [`grid::reduce_teams`], with the counters of the launch environment.
///
/// # Safety
/// As there; `buffer` is what [`__kmpc_reduction_get_fixed_buffer`] gave.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn __kmpc_nvptx_teams_reduce_nowait_v2(
    _location: Ident,
    buffer: *mut c_void,
    records: u32,
    _data_size: u64,
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
    lgcpy: BufferCallback,
    lgred: BufferCallback,
    glcpy: BufferCallback,
    glred: BufferCallback,
) -> i32 {
    let launch = state::launch();
    // SAFETY: a kernel that reduces has a launch environment of its own.
    let control = unsafe {
        Control { count: &raw mut (*launch).reduction_count, lock: &raw mut (*launch).reduction_lock }
    };
    let len = NonZero::new(records).unwrap_or(NonZero::<u32>::MIN);
    let slots = Slots { records: buffer, len, lgcpy, lgred };
    // SAFETY: the caller's contract is the same.
    unsafe { grid::reduce_teams(control, slots, list, &FoldCallbacks { shfl, iwcpy, glcpy, glred }) as i32 }
}

/// The records of the launch's reduction buffer; null where a launch has none.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_reduction_get_fixed_buffer() -> *mut c_void {
    let launch = state::launch();
    if launch.is_null() {
        return core::ptr::null_mut();
    }
    // SAFETY: the host made it for this launch.
    unsafe { (*launch).reduction_buffer }
}
