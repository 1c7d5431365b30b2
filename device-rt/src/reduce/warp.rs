//! Reductions over lanes of one warp, into the first of them.

use super::pairing::{Dispersed, FULL_OFFSETS, Offsets};
use super::private::{Algorithm, Shuffle, ShuffleDispersed};

/// Reduces over all 32 lanes: five steps, in each of which every lane combines. The lane's number is not
/// needed, so the caller need not compute it.
///
/// Who must arrive: all 32 lanes, converged. No memory is ordered. Lane 0 holds the result.
///
/// # Safety
/// All 32 lanes of the warp exist and arrive.
#[inline(always)]
pub unsafe fn reduce_full(copies: &mut impl Shuffle) {
    let [first, second, third, fourth, fifth] = FULL_OFFSETS;
    // Unrolled by hand: LLVM unrolls a loop over the offsets only in small functions, and elsewhere reads a
    // table. SAFETY: passed on from the caller; offset and algorithm are the same in all lanes.
    unsafe {
        copies.shuffle_reduce(0, first, Algorithm::Full);
        copies.shuffle_reduce(0, second, Algorithm::Full);
        copies.shuffle_reduce(0, third, Algorithm::Full);
        copies.shuffle_reduce(0, fourth, Algorithm::Full);
        copies.shuffle_reduce(0, fifth, Algorithm::Full);
    }
}

/// Reduces over lanes 0 to `size`-1; the others take part in the shuffles, and their values are ignored.
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

/// The lanes of [`reduce_eight`]: the warps of a block of usual size.
pub const EIGHT: u32 = 8;

/// As [`reduce_contiguous`] over eight lanes, with the same bits, in a third of the instructions: no lane copies a
/// value, and the others combine values that are ignored.
///
/// # Safety
/// As for [`reduce_full`].
#[inline(always)]
pub unsafe fn reduce_eight(copies: &mut impl Shuffle) {
    // As lane 0 all lanes combine. SAFETY: passed on from the caller; all lanes exist and hold values.
    unsafe {
        copies.shuffle_reduce(0, EIGHT / 2, Algorithm::Contiguous);
        copies.shuffle_reduce(0, EIGHT / 4, Algorithm::Contiguous);
        copies.shuffle_reduce(0, EIGHT / 8, Algorithm::Contiguous);
    }
}

/// The lanes of [`reduce_four`]: the warps of a block of `USUAL_THREADS`.
pub const FOUR: u32 = 4;

/// As [`reduce_eight`] over four lanes.
///
/// # Safety
/// As for [`reduce_full`].
#[inline(always)]
pub unsafe fn reduce_four(copies: &mut impl Shuffle) {
    // SAFETY: as for `reduce_eight`.
    unsafe {
        copies.shuffle_reduce(0, FOUR / 2, Algorithm::Contiguous);
        copies.shuffle_reduce(0, FOUR / 4, Algorithm::Contiguous);
    }
}

/// Reduces over the lanes of `mask`; the others may be anywhere. Values are combined in the order of their
/// lanes, so the operator need not be commutative. True in the lowest lane, which holds the result. ⌈log2 n⌉
/// steps for n lanes; [`Dispersed`] says which lane takes from which.
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
