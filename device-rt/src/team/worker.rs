//! Generic mode: one main thread runs the team's code, and workers wait for its parallel regions.
//!
//! The main thread is the first lane of the last warp, whose other lanes exit at once; the workers are the
//! threads of the warps before. Main thread and workers meet at the block's barrier twice for each region:
//! at its start, where the workers learn what to call, and at its end. A team whose block has one warp has no
//! workers: its regions have one thread.

use core::ffi::c_void;

use super::state::{self, Place, Region, Work};
use crate::WARP_SIZE;
use crate::arch::{block_sync_divergent, id};

/// The number of the main thread in its block.
#[inline(always)]
pub fn main_thread() -> u32 {
    (id::block_threads() - 1) / WARP_SIZE * WARP_SIZE
}

/// How many workers take part in regions: those that the program's limit allows, to which the host adds a warp for the
/// main thread. More than a warp of them are whole warps, as in any part of a block; others before the main thread
/// wait for the end of the kernel.
#[inline(always)]
pub fn workers() -> u32 {
    let most = id::block_threads().saturating_sub(WARP_SIZE);
    if most < WARP_SIZE { most } else { most / WARP_SIZE * WARP_SIZE }
}

/// A worker's life: runs its part of each parallel region, until the main thread ends the kernel.
///
/// # Safety
/// Every worker of the team calls this, and the main thread [`share_out`] and [`dismiss`].
#[inline(always)]
pub unsafe fn run(thread: u32) {
    loop {
        block_sync_divergent();
        let (work, takes_part) = next_region(thread);
        if work.is_null() {
            return;
        }
        if takes_part {
            // SAFETY: what the compiler made for the workers of this region.
            unsafe {
                let work = core::mem::transmute::<Work, unsafe extern "C" fn(u16, u32)>(work);
                work(0, thread);
            }
            end_region(thread);
        }
        block_sync_divergent();
    }
}

/// What thread `thread`, a worker, is to call, and whether it takes part; null is the end of the kernel.
///
/// Between the barrier at the start of a region and that at its end.
#[inline(always)]
pub fn next_region(thread: u32) -> (Work, bool) {
    // SAFETY: written before the barrier.
    let work = unsafe { (*state::region()).work };
    let takes_part = !work.is_null() && thread < state::part_threads();
    // Also of those who do not take part, whom nobody asks: LLVM then knows it wherever the region is inlined.
    state::set_place(thread, Place::PART);
    (work, takes_part)
}

/// After its part of a region a worker is outside.
#[inline(always)]
pub fn end_region(thread: u32) {
    state::set_place(thread, Place::OUTSIDE);
}

/// Runs a parallel region of `threads` workers.
///
/// Who must arrive: the main thread, while all workers wait for a region. Orders all memory among them, before
/// the region and after it.
///
/// # Safety
/// As said; `threads` is from 1 to the number of workers, a multiple of 32 or less than it; `captured` is
/// memory that the workers can read, and `work` may be called by each of them.
#[inline(always)]
pub unsafe fn share_out(threads: u32, work: Work, captured: *mut *mut c_void) {
    // SAFETY: the workers wait for the first barrier, and again after the second.
    unsafe {
        state::set_part_threads(threads);
        state::region().write(Region { work, captured });
    }
    block_sync_divergent();
    block_sync_divergent();
}

/// Ends the workers' lives.
///
/// Who must arrive: the main thread, while all workers wait for a region.
///
/// # Safety
/// As said.
#[inline(always)]
pub unsafe fn dismiss() {
    // SAFETY: the workers wait for the barrier.
    unsafe { (*state::region()).work = core::ptr::null() };
    block_sync_divergent();
}
