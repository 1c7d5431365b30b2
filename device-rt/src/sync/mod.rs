//! How OpenMP's threads wait for each other: barriers, and who of them runs what one alone is to run.
//!
//! [`lock`] has the locks and critical regions.

use core::ffi::c_void;

use crate::WARP_SIZE;
use crate::arch::{block_sync, id, part_sync, warp};
use crate::query;
use crate::team::state::{self, Place};

pub mod lock;

/// The number of the hardware barrier of a parallel region that is a part of the block.
const REGION_BARRIER: u32 = 1;

/// The barrier of the innermost parallel region, or outside every region, of the team.
///
/// Who must arrive: all threads of the region; outside every region, all of the block, in generic mode the
/// main thread. Orders all memory among them. A thread alone passes.
#[inline(always)]
pub fn barrier() {
    match state::place(id::thread()) {
        Place::OUTSIDE | Place::WHOLE_BLOCK => block_sync(),
        Place::PART => part_barrier(),
        _ => {}
    }
}

/// The barrier of a region that is a part of the block.
///
/// A function by itself: the reductions that clang makes have two barriers for every word of 4 bytes.
#[inline(never)]
fn part_barrier() {
    let threads = state::part_threads();
    if threads < WARP_SIZE {
        // SAFETY: the region is the first lanes of one warp, and all of them come here.
        unsafe { warp::sync_warp((1 << threads) - 1) };
    } else {
        // SAFETY: the region is whole warps, and all their threads come here. Barrier 0 is the block's
        // own, where the threads outside the region wait for its end.
        unsafe { part_sync(REGION_BARRIER, threads) };
    }
}

/// Hands the list of one thread's variables to the other threads of the region: each calls
/// `copy(its own list, that list)`. Lists and variables are in memory that the region's threads can reach.
///
/// Who must arrive: all threads of the region, one of which has `is_source`. Orders all memory among them.
///
/// # Safety
/// As said; `copy` may be called with the two.
#[inline(always)]
pub unsafe fn copy_private(
    list: *mut c_void,
    copy: unsafe extern "C" fn(*mut c_void, *mut c_void),
    is_source: bool,
) {
    if query::threads() == 1 {
        return;
    }
    // SAFETY: one thread writes between barriers.
    unsafe {
        if is_source {
            state::broadcast().write(list);
        }
        barrier();
        if !is_source {
            copy(list, state::broadcast().read());
        }
        barrier();
    }
}
