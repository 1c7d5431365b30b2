//! Barriers of OpenMP.

use crate::WARP_SIZE;
use crate::arch::{block_sync, id, part_sync, warp};
use crate::team::state::{self, Place};

/// The number of the hardware barrier of a parallel region that is a part of the block.
const REGION_BARRIER: u32 = 1;

/// The barrier of the innermost parallel region, or outside every region, of the team.
///
/// Who must arrive: all threads of the region; outside every region, all of the block. Orders all
/// memory among them. A region of one thread passes.
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
