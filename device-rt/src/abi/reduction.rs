//! Reductions as clang and flang call them, and the shuffles that their callbacks are made of.

use core::ffi::c_void;
use core::num::NonZero;

use super::Ident;
use crate::arch::warp::{self, ALL_LANES};
use crate::query;
use crate::reduce::block;
use crate::reduce::grid::{self, Callers};
use crate::reduce::list::{
    AccumulateRecords, BlockList, Buffer, BufferCallback, FoldList, FoldRecords, InterWarpCopy, List,
    ShuffleReduce, StoreRecords, ThereAndBack, WarpList,
};
use crate::team::{kernel, state};

/// [`block::reduce_first`] over the threads of the parallel region; 1 in the one that holds the
/// result. A region of one thread has nothing to combine.
///
/// # Safety
/// As there; all threads of the region arrive.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn __kmpc_nvptx_parallel_reduce_nowait_v2(
    _location: Ident,
    _data_size: u64,
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
) -> i32 {
    if !query::place().is_shared() {
        return 1;
    }
    // SAFETY: the caller's contract is the same.
    unsafe { block::reduce_first(&mut BlockList::<true> { list, shfl, iwcpy }, query::threads()) as i32 }
}

/// What takes part in a reduction over teams.
#[inline(always)]
fn callers() -> Callers {
    match (state::is_spmd(), state::mode()) {
        (false, _) => Callers::Alone,
        // LLVM puts variables of the team's code into shared memory, one for all threads.
        (true, kernel::GENERIC_SPMD) => Callers::OneCopy,
        _ => Callers::Block,
    }
}

/// [`grid::reduce_teams`], with the counters of the launch environment.
///
/// # Safety
/// As there; `buffer` is what [`__kmpc_reduction_get_fixed_buffer`] gave, with as many records. `max_bytes` is the
/// size of the largest variable times their number, not that of a record, which the kernel's environment tells.
#[unsafe(no_mangle)]
#[inline(always)]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn __kmpc_nvptx_teams_reduce_nowait_v2(
    _location: Ident,
    buffer: *mut c_void,
    records: u32,
    max_bytes: u64,
    list: List,
    shfl: ShuffleReduce,
    _iwcpy: InterWarpCopy,
    lgcpy: BufferCallback,
    lgred: BufferCallback,
    glcpy: BufferCallback,
    glred: BufferCallback,
) -> i32 {
    let (buffer, records) = match max_bytes {
        // A number or a few, aligned by their sizes: an array, whose every address is a constant's multiple away.
        1 | 2 | 4 | 8 => (Buffer::array(buffer), records),
        _ => {
            let layout = state::reduction_layout();
            (Buffer::laid_out(buffer, layout), layout.records)
        }
    };
    let records = NonZero::new(records).unwrap_or(NonZero::<u32>::MIN);
    let (to, from) = (StoreRecords { buffer, lgcpy }, FoldRecords { buffer, glcpy, glred });
    let mut list = FoldList { warp: WarpList { list, shfl }, to, from };
    let into = AccumulateRecords { buffer, lgred };
    // SAFETY: the caller's contract is the same; a kernel that reduces has a launch environment of its own.
    unsafe {
        grid::reduce_teams(&mut list, callers(), state::reduction_control(), records, &to, &into, &from)
            as i32
    }
}

/// [`grid::reduce_teams`] with the records and the counters of the launch environment: what compilers
/// later than LLVM 22 call, with the launch environment of LLVM 22.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn __kmpc_gpu_xteam_reduce_nowait(
    _location: Ident,
    list: List,
    shfl: ShuffleReduce,
    _iwcpy: InterWarpCopy,
    lgcpy: BufferCallback,
    glcpy: BufferCallback,
    glred: BufferCallback,
) -> i32 {
    let layout = state::reduction_layout();
    let buffer = Buffer::laid_out(__kmpc_reduction_get_fixed_buffer(), layout);
    let (to, from) = (StoreRecords { buffer, lgcpy }, FoldRecords { buffer, glcpy, glred });
    let mut list = FoldList { warp: WarpList { list, shfl }, to, from };
    let into = ThereAndBack { to, from };
    let records = NonZero::new(layout.records).unwrap_or(NonZero::<u32>::MIN);
    // SAFETY: as above.
    unsafe {
        grid::reduce_teams(&mut list, callers(), state::reduction_control(), records, &to, &into, &from)
            as i32
    }
}

/// The records of the launch's reduction buffer; null where a launch has none.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_reduction_get_fixed_buffer() -> *mut c_void {
    state::reduction_buffer()
}

/// [`warp::shuffle_down_in`] of all lanes.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_shuffle_int32(value: i32, delta: i16, width: i16) -> i32 {
    // SAFETY: the caller's contract is the same.
    unsafe { warp::shuffle_down_in(ALL_LANES, value as u32, delta as u32, width as u32) as i32 }
}

/// [`warp::shuffle_down_in`] of all lanes, half by half.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_shuffle_int64(value: i64, delta: i16, width: i16) -> i64 {
    let half = |value: i64| {
        // SAFETY: the caller's contract is the same.
        unsafe { warp::shuffle_down_in(ALL_LANES, value as u32, delta as u32, width as u32) }
    };
    let (low, high) = (half(value), half(value >> 32));
    i64::from(low) | i64::from(high) << 32
}
