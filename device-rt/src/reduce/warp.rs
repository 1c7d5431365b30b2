//! Reductions over lanes of one warp, into the first of them.

use super::private::{Algorithm, Shuffle, ShuffleDispersed};
use super::schedule::{Dispersed, FULL_OFFSETS, Offsets};

/// All 32 lanes hold a value: five steps, each combining everywhere. The lane's number is not
/// looked at, so that nobody has to find it.
///
/// Who must arrive: all 32 lanes, converged. No memory is ordered. Lane 0 holds the result.
///
/// # Safety
/// All 32 lanes of the warp exist and arrive.
#[inline(always)]
pub unsafe fn reduce_full(copies: &mut impl Shuffle) {
    let [first, second, third, fourth, fifth] = FULL_OFFSETS;
    // Written out: LLVM unrolls a loop over them in small functions only, and elsewhere reads a table.
    // SAFETY: passed on from the caller; offset and algorithm are the same in all lanes.
    unsafe {
        copies.shuffle_reduce(0, first, Algorithm::Full);
        copies.shuffle_reduce(0, second, Algorithm::Full);
        copies.shuffle_reduce(0, third, Algorithm::Full);
        copies.shuffle_reduce(0, fourth, Algorithm::Full);
        copies.shuffle_reduce(0, fifth, Algorithm::Full);
    }
}

/// Lanes 0 to `size`-1 hold a value; the others take part in the shuffles and their values count
/// for nothing.
///
/// Who must arrive: every lane of the warp that exists, converged. No memory is ordered. Lane 0
/// holds the result.
///
/// # Safety
/// The lanes arrive as said; `size` is at most 32 and the same in every lane; `lane` is the
/// caller's lane; lanes 0 to `size`-1 exist.
#[inline(always)]
pub unsafe fn reduce_contiguous(copies: &mut impl Shuffle, size: u32, lane: u32) {
    for offset in Offsets::of(size) {
        // SAFETY: passed on from the caller; offset and algorithm are the same in all lanes.
        unsafe { copies.shuffle_reduce(lane, offset, Algorithm::Contiguous) };
    }
}

/// The lanes of `mask` hold a value, wherever they are; the others may be anywhere. Values are combined
/// in the order of their lanes, so the operator need not be commutative. True in the lowest lane, which
/// holds the result. ⌈log2 n⌉ steps for n lanes; [`Dispersed`] says who takes from whom.
///
/// Who must arrive: the lanes of `mask`; they need not be converged, as the shuffles bring them
/// together. No memory is ordered.
///
/// # Safety
/// The caller's lane is `lane` and one of `mask`, and all lanes of `mask` come here with the same mask.
#[inline(always)]
pub unsafe fn reduce_dispersed(copies: &mut impl ShuffleDispersed, mask: u32, lane: u32) -> bool {
    for step in Dispersed::of(mask, lane) {
        // SAFETY: the mask is the same in all its lanes, and so is the number of steps.
        unsafe { copies.shuffle_reduce_dispersed(mask, step.logical, step.offset) };
    }
    mask.trailing_zeros() == lane
}
