//! What the runtime keeps in shared memory, and what linear thread 0 tells the others of its block or warp.

use super::warp::{ALL_LANES, ballot, sync_warp};
use super::{block_sync, id};

unsafe extern "C" {
    safe fn __warpfold_shared_word() -> *mut u32;
    safe fn __warpfold_legacy_slots() -> *mut u64;
}

/// Gives every thread of the block the value that linear thread 0 has.
///
/// Who must arrive: all threads of the block, converged. Orders all memory among them, so that what
/// thread 0 was ordered after, the others are too.
#[inline(always)]
pub fn broadcast(value: bool) -> bool {
    let word = __warpfold_shared_word();
    if id::thread() == 0 {
        // SAFETY: the word is valid; only thread 0 writes, and nobody reads before the barrier below
        // or still reads from an earlier broadcast, which ended with a barrier.
        unsafe { word.write(value as u32) };
    }
    block_sync();
    // SAFETY: written before the barrier, by thread 0 alone.
    let told = unsafe { word.read() } != 0;
    // Reads before writes: the next broadcast of a block of one warp has no other barrier in between.
    block_sync();
    told
}

/// Gives every lane of a warp the value that lane 0 has.
///
/// Who must arrive: all lanes of the warp that have not exited, lane 0 among them. Orders all memory
/// among them, so that what lane 0 was ordered after, the others are too.
///
/// # Safety
/// The lanes arrive as said.
#[inline(always)]
pub unsafe fn broadcast_in_warp(value: bool) -> bool {
    // SAFETY: passed on from the caller.
    unsafe {
        let told = ballot(ALL_LANES, value) & 1 != 0;
        // A vote orders no memory; this does.
        sync_warp(ALL_LANES);
        told
    }
}

/// 32 words, one per warp, for the baseline of the block stage.
#[inline(always)]
pub fn legacy_slots() -> *mut u64 {
    __warpfold_legacy_slots()
}
