//! Reductions over one warp, into lane 0.
//!
//! Who must arrive: every lane of the warp that exists, converged. No memory is ordered.

use super::list::{Algorithm, List, ShuffleReduce};
use super::schedule::{FULL_OFFSETS, Offsets};

/// All 32 lanes hold a value: five steps, each combining everywhere. The callback gets lane 0 from
/// every lane, because it does not look at it.
///
/// # Safety
/// The callback fits the list; all 32 lanes of the warp exist and arrive.
#[inline(always)]
pub unsafe fn reduce_full(list: List, shfl: ShuffleReduce) {
    for offset in FULL_OFFSETS {
        // SAFETY: passed on from the caller; offset and algorithm are the same in all lanes.
        unsafe { shfl(list, 0, offset as i16, Algorithm::Full as i16) };
    }
}

/// Lanes 0 to `size`-1 hold a value; the others take part in the shuffles and their values count
/// for nothing.
///
/// # Safety
/// The callback fits the list; `size` is at most 32 and the same in every lane; `lane` is the
/// caller's lane; every existing lane of the warp arrives, and lanes 0 to `size`-1 exist.
#[inline(always)]
pub unsafe fn reduce_contiguous(list: List, shfl: ShuffleReduce, size: u32, lane: u32) {
    for offset in Offsets::of(size) {
        // SAFETY: passed on from the caller; offset and algorithm are the same in all lanes.
        unsafe { shfl(list, lane as i16, offset as i16, Algorithm::Contiguous as i16) };
    }
}
