//! Reductions over one block, into linear thread 0.

use super::pairing::Shape;
use super::private::InterWarp;
use super::warp;
use crate::WARP_SIZE;
use crate::arch::id;
use crate::arch::warp::{ALL_LANES, lane, sync_warp};

/// Reduces over every thread of the block; true in linear thread 0, whose copies then hold the result.
///
/// Who must arrive: every thread of the block, converged. What it orders: all memory among them.
///
/// # Safety
/// The threads arrive as said.
#[inline(always)]
pub unsafe fn reduce(copies: &mut impl InterWarp) -> bool {
    // SAFETY: passed on from the caller; all threads of the block are live.
    unsafe { reduce_ordered(copies, id::block_threads()) }
}

/// As [`reduce_first`]; orders all memory among the live threads.
///
/// With more than 32 of them that is done by the barriers of [`InterWarp`]. Fewer meet a barrier of their warp: shuffles
/// order no memory, and thread 0 stores its result where the others may have read before, as the initializers of
/// OpenMP's `declare reduction` do (`omp_orig`). One thread may be alone: the others of its warp need not arrive.
///
/// # Safety
/// As for [`reduce_first`].
#[inline(always)]
pub unsafe fn reduce_ordered(copies: &mut impl InterWarp, live: u32) -> bool {
    // SAFETY: passed on from the caller.
    unsafe { reduce_live::<_, true>(copies, live) }
}

/// As [`reduce`], over linear threads 0 to `live`-1 only, and up to 32 of them order no memory. The others arrive as
/// well, so that all threads meet the same barriers, and their values are ignored; if `live` is 1, they need not.
/// `live` = 0 is allowed; the result is then meaningless.
///
/// First each warp reduces: full warps by five steps, the one of which only some lanes are live by the
/// contiguous reduction. Then the inter-warp copy moves each warp's value to one lane of warp 0, which
/// reduces them. Up to 32 live threads need neither shared memory nor a barrier.
///
/// # Safety
/// As for [`reduce`]; `live` is the same in every thread and at most the block's size.
#[inline(always)]
pub unsafe fn reduce_first(copies: &mut impl InterWarp, live: u32) -> bool {
    // SAFETY: passed on from the caller.
    unsafe { reduce_live::<_, false>(copies, live) }
}

/// [`reduce_ordered`] if `ORDERED`, else [`reduce_first`]. The barrier of a warp is in the branches that know already how
/// many threads are live.
///
/// Who must arrive, and what it orders: as for these two.
///
/// # Safety
/// As for these two.
#[inline(always)]
unsafe fn reduce_live<P: InterWarp, const ORDERED: bool>(copies: &mut P, live: u32) -> bool {
    let thread = id::thread();
    let (warp, lane) = (thread / WARP_SIZE, lane(thread));
    let shape = Shape::of(live);
    if P::COMPACT && shape.tail_lanes == 0 {
        // Without loops in the usual case: LLVM knows it of the copy of a region for blocks of `USUAL_THREADS`.
        // SAFETY: the conditions are the same in the whole warp or block; all lanes of live warps are live.
        unsafe {
            if thread < live {
                warp::reduce_full(copies);
            }
            if live > WARP_SIZE {
                copies.inter_warp_copy(shape.full_warps);
                if thread < WARP_SIZE {
                    if shape.full_warps == warp::FOUR {
                        warp::reduce_four(copies);
                    } else {
                        warp::reduce_contiguous(copies, shape.full_warps, lane);
                    }
                }
            } else if ORDERED {
                sync_warp(ALL_LANES);
            }
        }
        return thread == 0;
    }
    if P::COMPACT {
        // Over 32 lanes the contiguous reduction combines as the full one does, for lane 0.
        let lanes = if warp < shape.full_warps { WARP_SIZE } else { shape.tail_lanes };
        if warp <= shape.full_warps {
            // SAFETY: the condition is the same in the whole warp; its first `lanes` lanes are live.
            unsafe { warp::reduce_contiguous(copies, lanes, lane) };
        }
    } else if warp < shape.full_warps || live == id::block_threads() && shape.tail_lanes == 0 {
        // Where all threads are live the block may be known to consist of whole warps. SAFETY: the condition is the
        // same in the whole warp, whose lanes are all live.
        unsafe { warp::reduce_full(copies) };
    } else if warp == shape.full_warps {
        // SAFETY: the condition is the same in the whole warp; its first `tail_lanes` lanes are live.
        unsafe { warp::reduce_contiguous(copies, shape.tail_lanes, lane) };
    }
    if shape.warps() > 1 {
        // SAFETY: `live` is the same in all threads, so all of them come here, or none.
        unsafe { copies.inter_warp_copy(shape.warps()) };
        if thread < WARP_SIZE {
            // SAFETY: all of warp 0 comes here; lanes 0 to `warps`-1 hold the warps' values.
            unsafe {
                if !P::COMPACT && shape.warps() == warp::EIGHT {
                    warp::reduce_eight(copies);
                } else {
                    warp::reduce_contiguous(copies, shape.warps(), lane);
                }
            }
        }
    } else if ORDERED && live > 1 {
        // SAFETY: the condition is the same in the whole block, all of which is here if `live` is not 1.
        unsafe { sync_warp(ALL_LANES) };
    }
    thread == 0
}
