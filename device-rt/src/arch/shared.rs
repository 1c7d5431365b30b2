//! What the runtime itself keeps in shared memory.

use super::{block_sync, id};

unsafe extern "C" {
    safe fn __warpfold_shared_word() -> *mut u32;
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
