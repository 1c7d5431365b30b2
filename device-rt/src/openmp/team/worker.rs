//! Generic mode: one main thread runs the team's code, and workers wait for its parallel regions.
//!
//! The main thread is the first lane of the last warp, whose other lanes exit at once; the workers are the
//! threads of the warps before. Main thread and workers meet at the block's barrier twice for each region:
//! at its start, where the workers read what to call, and at its end. A team whose block has one warp has no
//! workers: its regions have one thread.

use core::ffi::c_void;

use super::state::{self, Nesting, Region, RegionWrapper};
use crate::WARP_SIZE;
use crate::arch::{block_sync_divergent, id};

/// The number of the main thread in its block.
#[inline(always)]
pub fn main_thread() -> u32 {
    (id::block_threads() - 1) / WARP_SIZE * WARP_SIZE
}

/// How many workers take part in regions: the program's thread limit (the host launches one warp more, for the
/// main thread), rounded down to whole warps from 32 on, as in every partial region. Other threads before the
/// main one wait for the end of the kernel.
#[inline(always)]
pub fn workers() -> u32 {
    let most = id::block_threads().saturating_sub(WARP_SIZE);
    if most < WARP_SIZE { most } else { most / WARP_SIZE * WARP_SIZE }
}

/// A worker's loop: runs its part of each parallel region, until the main thread ends the kernel.
///
/// # Safety
/// Every worker of the team calls this, and the main thread calls [`distribute_to_workers`] and
/// [`terminate_workers`].
#[inline(always)]
pub unsafe fn run(thread: u32) {
    loop {
        block_sync_divergent();
        let (wrapper, takes_part) = next_region(thread);
        if wrapper.is_null() {
            return;
        }
        if takes_part {
            // SAFETY: what the compiler made for the workers of this region.
            unsafe {
                let wrapper = core::mem::transmute::<RegionWrapper, unsafe extern "C" fn(u16, u32)>(wrapper);
                wrapper(0, thread);
            }
        }
        block_sync_divergent();
    }
}

/// What worker `thread` is to call, and whether it takes part; null is the end of the kernel.
///
/// To be called between the barriers at the start and end of a region.
#[inline(always)]
pub fn next_region(thread: u32) -> (RegionWrapper, bool) {
    // SAFETY: written before the barrier.
    let wrapper = unsafe { (*state::region()).wrapper };
    let takes_part = !wrapper.is_null() && thread < state::partial_threads();
    // Also for threads that do not take part, where nothing reads it: LLVM then knows the value wherever the
    // region is inlined. Nothing takes it back at the region's end: a worker then only waits for the next region, which sets
    // it again, or for the end of the kernel.
    state::set_nesting(thread, Nesting::PARTIAL);
    (wrapper, takes_part)
}

/// Runs a parallel region of `threads` workers.
///
/// Who must arrive: the main thread, while all workers wait for a region. Orders all memory among them,
/// before the region and after it.
///
/// # Safety
/// As said; `threads` is from 1 to the number of workers, and a multiple of 32 or less than 32; `captured` is
/// memory that the workers can read, and each of them may call `wrapper`.
#[inline(always)]
pub unsafe fn distribute_to_workers(threads: u32, wrapper: RegionWrapper, captured: *mut *mut c_void) {
    // SAFETY: the workers wait for the first barrier, and again after the second.
    unsafe {
        state::set_partial_threads(threads);
        state::region().write(Region { wrapper, captured });
    }
    block_sync_divergent();
    block_sync_divergent();
}

/// Makes the workers leave their loop.
///
/// Who must arrive: the main thread, while all workers wait for a region.
///
/// # Safety
/// As said.
#[inline(always)]
pub unsafe fn terminate_workers() {
    // SAFETY: the workers wait for the barrier.
    unsafe { (*state::region()).wrapper = core::ptr::null() };
    block_sync_divergent();
}
