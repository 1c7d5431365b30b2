//! Reductions: our own entries, and those under the names of the design they come from.
//!
//! They are inlined wherever they are called, as are those that clang calls: a list whose callbacks are
//! known then stays in registers. Left to itself, LLVM makes one function of an entry that a module calls
//! twice, with the list in memory.

use core::ffi::c_void;
use core::num::NonZero;

use crate::arch::atomic::Word;
use crate::arch::{id, warp::lane};
use crate::reduce::list::{
    AccumulateRecords, BlockList, Buffer, BufferCallback, DispersedList, FoldRecords, InterWarpCopy, List,
    ShuffleReduce, ShuffleReduceMasked, StoreRecords, WarpList,
};
use crate::reduce::slots::{self, Slots};
use crate::reduce::{WORKSPACE_HEADER_BYTES, block, grid, slots_header_bytes, warp};

/// What is behind the header of a workspace.
#[inline(always)]
fn behind_header(workspace: *mut c_void) -> *mut c_void {
    workspace.wrapping_byte_add(WORKSPACE_HEADER_BYTES)
}

/// The records of a workspace with a slot per block.
#[inline(always)]
fn records(workspace: *mut c_void) -> Buffer {
    Buffer::array(behind_header(workspace))
}

/// The slots and the records of a workspace with rows of slots.
#[inline(always)]
fn rows_of(workspace: *mut c_void, rows: u32, per_row: u32) -> (Slots, Buffer) {
    let busy: *const Word = behind_header(workspace).cast();
    let filled = busy.wrapping_add(rows as usize);
    let row_count = NonZero::new(rows).unwrap_or(NonZero::<u32>::MIN);
    let slots = Slots { rows: row_count, per_row, busy, filled, delivered: workspace.cast() };
    (slots, Buffer::array(workspace.wrapping_byte_add(slots_header_bytes(rows as usize))))
}

/// [`warp::reduce_full`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn __warpfold_warp_reduce_full(list: List, shfl: ShuffleReduce) {
    // SAFETY: the caller's contract is the same.
    unsafe { warp::reduce_full(&mut WarpList { list, shfl }) }
}

/// [`warp::reduce_contiguous`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn __warpfold_warp_reduce_contiguous(
    list: List,
    shfl: ShuffleReduce,
    size: u32,
    lane: u32,
) {
    // SAFETY: the caller's contract is the same.
    unsafe { warp::reduce_contiguous(&mut WarpList { list, shfl }, size, lane) }
}

/// [`warp::reduce_dispersed`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn __warpfold_warp_reduce_dispersed(
    list: List,
    shfl: ShuffleReduceMasked,
    mask: u32,
) -> i32 {
    // SAFETY: the caller's contract is the same.
    unsafe { warp::reduce_dispersed(&mut DispersedList { list, shfl }, mask, lane(id::thread())) as i32 }
}

/// [`block::reduce`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn __warpfold_block_reduce(
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
) -> i32 {
    // SAFETY: the caller's contract is the same.
    unsafe { block::reduce(&mut BlockList::<false> { list, shfl, iwcpy }) as i32 }
}

/// [`grid::reduce`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn __warpfold_grid_reduce(
    workspace: *mut c_void,
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
    lgcpy: BufferCallback,
    glcpy: BufferCallback,
    glred: BufferCallback,
) -> i32 {
    let buffer = records(workspace);
    let (to, from) = (StoreRecords { buffer, lgcpy }, FoldRecords { buffer, glcpy, glred });
    // SAFETY: the caller's contract is the same; the header's first word counts.
    unsafe {
        grid::reduce(&mut BlockList::<false> { list, shfl, iwcpy }, workspace.cast(), &to, &from) as i32
    }
}

/// [`grid::store`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn __warpfold_grid_store(
    workspace: *mut c_void,
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
    lgcpy: BufferCallback,
) {
    let to = StoreRecords { buffer: records(workspace), lgcpy };
    // SAFETY: the caller's contract is the same.
    unsafe { grid::store(&mut BlockList::<false> { list, shfl, iwcpy }, &to) }
}

/// [`grid::finalize`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn __warpfold_grid_finalize(
    workspace: *mut c_void,
    num_slots: u32,
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
    glcpy: BufferCallback,
    glred: BufferCallback,
) -> i32 {
    let from = FoldRecords { buffer: records(workspace), glcpy, glred };
    // SAFETY: the caller's contract is the same.
    unsafe { grid::finalize(&mut BlockList::<false> { list, shfl, iwcpy }, num_slots, &from) as i32 }
}

/// [`slots::accumulate`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn __warpfold_slots_accumulate(
    workspace: *mut c_void,
    rows: u32,
    per_row: u32,
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
    lgcpy: BufferCallback,
    lgred: BufferCallback,
) {
    let (slots, buffer) = rows_of(workspace, rows, per_row);
    let (to, into) = (StoreRecords { buffer, lgcpy }, AccumulateRecords { buffer, lgred });
    // SAFETY: the caller's contract is the same.
    unsafe { slots::accumulate(&mut BlockList::<false> { list, shfl, iwcpy }, &slots, &to, &into) }
}

/// [`slots::reduce`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn __warpfold_slots_reduce(
    workspace: *mut c_void,
    rows: u32,
    per_row: u32,
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
    lgcpy: BufferCallback,
    lgred: BufferCallback,
    glcpy: BufferCallback,
    glred: BufferCallback,
) -> i32 {
    let (slots, buffer) = rows_of(workspace, rows, per_row);
    let (to, into) = (StoreRecords { buffer, lgcpy }, AccumulateRecords { buffer, lgred });
    let from = FoldRecords { buffer, glcpy, glred };
    // SAFETY: the caller's contract is the same.
    unsafe { slots::reduce(&mut BlockList::<false> { list, shfl, iwcpy }, &slots, &to, &into, &from) as i32 }
}

/// [`slots::finalize`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn __warpfold_slots_finalize(
    workspace: *mut c_void,
    rows: u32,
    per_row: u32,
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
    glcpy: BufferCallback,
    glred: BufferCallback,
) -> i32 {
    let (slots, buffer) = rows_of(workspace, rows, per_row);
    let from = FoldRecords { buffer, glcpy, glred };
    // SAFETY: the caller's contract is the same.
    unsafe { slots::finalize(&mut BlockList::<false> { list, shfl, iwcpy }, &slots, &from) as i32 }
}

/// [`warp::reduce_full`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn gpu_regular_warp_reduce(list: List, shfl: ShuffleReduce) {
    // SAFETY: the caller's contract is the same.
    unsafe { warp::reduce_full(&mut WarpList { list, shfl }) }
}

/// [`warp::reduce_contiguous`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn gpu_irregular_warp_reduce(list: List, shfl: ShuffleReduce, size: u32, lane: u32) {
    // SAFETY: the caller's contract is the same.
    unsafe { warp::reduce_contiguous(&mut WarpList { list, shfl }, size, lane) }
}

/// [`warp::reduce_dispersed`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn gpu_irregular_simt_reduce(list: List, shfl: ShuffleReduceMasked, mask: u32) {
    // SAFETY: the caller's contract is the same.
    unsafe { warp::reduce_dispersed(&mut DispersedList { list, shfl }, mask, lane(id::thread())) };
}

/// [`block::reduce_first`], over `size` threads.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[inline(always)]
pub unsafe extern "C" fn gpu_irregular_block_reduce(
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
    size: u32,
) {
    // SAFETY: the caller's contract is the same.
    unsafe { block::reduce_first(&mut BlockList::<false> { list, shfl, iwcpy }, size) };
}
