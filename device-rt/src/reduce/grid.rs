//! Reductions over a grid, through one slot of global memory per block.
//!
//! Block b owns slot b, so no data is ever accessed atomically. The slots are folded either by the
//! last block to arrive, inside the same launch ([`reduce`]), or by a second launch of one block
//! ([`store`], then [`finalize`]). Both fold in the same order: thread t of T takes slots
//! t, t+T, t+2T … in this order, then the block reduces over the threads that had a slot.
//!
//! [`reduce_teams`] is the same for compilers whose ABI fixes the number of slots; where a launch has
//! more blocks than slots, blocks share them under a lock.
//!
//! A workspace serves one launch at a time.

use core::ffi::c_void;
use core::num::NonZero;

use super::block;
use super::list::{BufferCallback, InterWarpCopy, List, ShuffleReduce, WORKSPACE_HEADER_BYTES};
use super::schedule::further_slots;
use crate::arch::{atomic, count_threads, id, shared};

/// What moves records between a list and the workspace.
#[derive(Clone, Copy)]
pub struct FoldCallbacks {
    /// Reduces within a warp.
    pub shfl: ShuffleReduce,
    /// Moves values between warps.
    pub iwcpy: InterWarpCopy,
    /// Record to list.
    pub glcpy: BufferCallback,
    /// `list = list op record`.
    pub glred: BufferCallback,
}

/// Reduces over every thread of the grid in one launch; true in exactly one thread of it, whose
/// list then holds the result. A grid of one block touches no memory of the workspace.
///
/// Who must arrive: every thread of the grid, each block converged; blocks need not run at the same
/// time. What it orders: everything each block's thread 0 is ordered after on entry comes before
/// the return in all threads of the last block.
///
/// # Safety
/// The callbacks fit the list; `workspace` has a header as [`WORKSPACE_HEADER_BYTES`] says and a
/// record per block, for this launch alone.
#[inline(always)]
pub unsafe fn reduce(
    workspace: *mut c_void,
    list: List,
    lgcpy: BufferCallback,
    fold_by: &FoldCallbacks,
) -> bool {
    let blocks = id::grid_blocks();
    // SAFETY: passed on from the caller.
    let first = unsafe { block::reduce(list, fold_by.shfl, fold_by.iwcpy) };
    if blocks == 1 {
        return first;
    }
    let (count, records) = (workspace.cast(), records(workspace));
    // SAFETY: block ids are below the number of records; thread 0 holds the block's value.
    let last = first && unsafe { store_and_count(count, records, list, lgcpy, blocks) };
    if !shared::broadcast(last) {
        return false;
    }
    // SAFETY: every block has stored its slot, and the broadcast's barrier hands thread 0's fence on.
    unsafe { fold(records, blocks, id::block_threads(), list, fold_by) }
}

/// What the teams of one launch count and lock with; both words are 0 when it starts.
#[derive(Clone, Copy, Debug)]
pub struct Control {
    /// Blocks that have delivered their value.
    pub count: *mut u32,
    /// Held while a block works on a shared slot.
    pub lock: *mut u32,
}

/// Slots of a fixed number, and how a block's value gets into one.
#[derive(Clone, Copy)]
pub struct Slots {
    /// The first record.
    pub records: *mut c_void,
    /// How many there are.
    pub len: NonZero<u32>,
    /// List to record.
    pub lgcpy: BufferCallback,
    /// `record = record op list`.
    pub lgred: BufferCallback,
}

/// Reduces the values that linear thread 0 of each block holds; true in exactly one thread of the
/// grid, whose list then holds the result. A grid of one block touches no memory.
///
/// With as many slots as blocks every block has its own, and the result has the same bits on every
/// run. With fewer, a block combines into the slot of whoever came `slots.len` blocks before it, so
/// the order is that of arrival. A block waits for the lock alone, and whoever holds it has started
/// and runs on: blocks need not run at the same time.
///
/// Who must arrive: of each block linear thread 0 and either all others, converged, or none, because they
/// have exited: so LLVM builds a kernel whose teams have no parallel region. What it orders: everything
/// each block's thread 0 is ordered after on entry comes before the return in all threads of the last block.
///
/// # Safety
/// The callbacks fit the list; control words and records are for this launch alone.
#[inline(always)]
pub unsafe fn reduce_teams(control: Control, slots: Slots, list: List, fold_by: &FoldCallbacks) -> bool {
    let blocks = id::grid_blocks();
    let first = id::thread() == 0;
    if blocks == 1 {
        return first;
    }
    let last = first
        && match blocks <= slots.len.get() {
            // SAFETY: block ids are below the number of records; thread 0 holds the block's value.
            true => unsafe { store_and_count(control.count, slots.records, list, slots.lgcpy, blocks) },
            // SAFETY: passed on from the caller; one thread of each block comes here.
            false => unsafe { share_and_count(control, slots, list, blocks) },
        };
    if !shared::broadcast(last) {
        return false;
    }
    let used = if blocks < slots.len.get() { blocks } else { slots.len.get() };
    // A thread 0 alone has nobody to shuffle with.
    let threads = count_threads();
    // SAFETY: every block has delivered, and the broadcast's barrier hands thread 0's fence on.
    unsafe { fold(slots.records, used, threads, list, fold_by) }
}

/// One thread delivers its block's value to a slot that it may share; true if it was the last block.
///
/// The first `slots.len` blocks to come fill the slots, the others combine into them in turn.
///
/// # Safety
/// As for [`reduce_teams`], in one thread of each block.
#[inline(always)]
unsafe fn share_and_count(control: Control, slots: Slots, list: List, blocks: u32) -> bool {
    // SAFETY: one thread of the block asks; the holder waits for nobody.
    unsafe { atomic::lock(control.lock) };
    // SAFETY: the count is accessed under the lock alone in this launch.
    let earlier = unsafe { control.count.read() };
    let deliver = if earlier < slots.len.get() { slots.lgcpy } else { slots.lgred };
    // SAFETY: the lock is held; a slot that is combined into was filled by an earlier holder.
    unsafe { deliver(slots.records, (earlier % slots.len) as i32, list) };
    // SAFETY: as for the read.
    unsafe { control.count.write(earlier + 1) };
    // SAFETY: held since above.
    unsafe { atomic::unlock(control.lock) };
    earlier + 1 == blocks
}

/// One thread stores its block's record and counts the block; true if it was the last.
///
/// The order is release, count, acquire. The first fence puts the record before the count; the
/// second puts the records of all blocks that counted earlier before whatever follows. Fences are
/// cumulative (PTX ISA, causality order), so a barrier after this carries them to the whole block.
///
/// # Safety
/// As for [`reduce`], in one thread of each block.
#[inline(always)]
unsafe fn store_and_count(
    count: *mut u32,
    records: *mut c_void,
    list: List,
    lgcpy: BufferCallback,
    blocks: u32,
) -> bool {
    // SAFETY: the block owns this slot.
    unsafe { lgcpy(records, id::block() as i32, list) };
    atomic::fence(atomic::Scope::Device);
    // The count wraps to 0 at the last block: a workspace is ready for the next launch.
    // SAFETY: the word is accessed by this alone during the launch.
    let earlier = unsafe { atomic::increment_wrapping(count, blocks - 1) };
    atomic::fence(atomic::Scope::Device);
    earlier == blocks - 1
}

/// First of two launches: reduces over each block and stores its record in its slot.
///
/// Who must arrive: as for [`block::reduce`]. The end of the launch orders the slots for the next.
///
/// # Safety
/// The callbacks fit the list; `workspace` has a record per block.
#[inline(always)]
pub unsafe fn store(
    workspace: *mut c_void,
    list: List,
    shfl: ShuffleReduce,
    iwcpy: InterWarpCopy,
    lgcpy: BufferCallback,
) {
    // SAFETY: passed on from the caller.
    if unsafe { block::reduce(list, shfl, iwcpy) } {
        // SAFETY: the block owns this slot.
        unsafe { lgcpy(records(workspace), id::block() as i32, list) };
    }
}

/// Second of two launches: folds slots 0 to `slots`-1; true in linear thread 0, whose list then
/// holds the result. Without slots nobody gets true, and no list is changed.
///
/// Who must arrive: every thread of the one block, converged.
///
/// # Safety
/// The callbacks fit the list; `workspace` has `slots` records written by an earlier launch.
#[inline(always)]
pub unsafe fn finalize(workspace: *mut c_void, slots: u32, list: List, fold_by: &FoldCallbacks) -> bool {
    // SAFETY: passed on from the caller.
    slots > 0 && unsafe { fold(records(workspace), slots, id::block_threads(), list, fold_by) }
}

/// Folds slots 0 to `slots`-1 with the `threads` threads that the block has; true in linear thread 0.
///
/// A thread without a slot has nothing to contribute, and there may be no neutral value to give it:
/// it is left out of the block's reduction.
///
/// # Safety
/// All threads of the block that have not exited, converged, and they are the first `threads`; the slots
/// are written and ordered before this.
#[inline(always)]
unsafe fn fold(records: *mut c_void, slots: u32, threads: u32, list: List, by: &FoldCallbacks) -> bool {
    let thread = id::thread();
    let live = if slots < threads { slots } else { threads };
    if thread < live {
        // SAFETY: `thread` < `slots`.
        unsafe { (by.glcpy)(records, thread as i32, list) };
        for slot in further_slots(thread, threads, slots) {
            // SAFETY: `slot` < `slots`.
            unsafe { (by.glred)(records, slot as i32, list) };
        }
    }
    // SAFETY: every thread of the block is here; `live` is the same in all, and they hold a value.
    unsafe { block::reduce_first(list, by.shfl, by.iwcpy, live) }
}

#[inline(always)]
fn records(workspace: *mut c_void) -> *mut c_void {
    workspace.wrapping_byte_add(WORKSPACE_HEADER_BYTES)
}
