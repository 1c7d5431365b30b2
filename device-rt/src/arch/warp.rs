//! Shuffles, votes and the barrier of a warp, each with a mask of its members.
//!
//! Who must arrive: every lane of `mask` that has not exited, the caller among them, all with the
//! same mask. Shuffles and votes order no memory.

use core::mem::MaybeUninit;

use crate::WARP_SIZE;

/// The mask of all lanes; lanes that were never started or have exited do not count.
pub const ALL_LANES: u32 = u32::MAX;

unsafe extern "C" {
    fn __warpfold_shuffle_down(mask: u32, value: u32, delta: u32) -> u32;
    fn __warpfold_shuffle_down_in(mask: u32, value: u32, delta: u32, bounds: u32) -> u32;
    fn __warpfold_shuffle_up(mask: u32, value: u32, delta: u32) -> u32;
    fn __warpfold_shuffle_xor(mask: u32, value: u32, bits: u32) -> u32;
    fn __warpfold_shuffle_from(mask: u32, value: u32, lane: u32) -> u32;
    fn __warpfold_ballot(mask: u32, predicate: u32) -> u32;
    fn __warpfold_sync_warp(mask: u32);
    safe fn __warpfold_active_lanes() -> u32;
    safe fn __warpfold_some_byte(byte: MaybeUninit<u8>) -> u8;
    safe fn __warpfold_some_word(word: MaybeUninit<u32>) -> u32;
}

/// This thread's lane, from its number in the block: warps are cut from linear thread ids.
#[inline(always)]
pub fn lane(thread: u32) -> u32 {
    thread % WARP_SIZE
}

/// `value` of the lane that is `delta` above this one, or this lane's own where there is none.
///
/// # Safety
/// The lanes of `mask` arrive as the module requires. What comes from a lane that is not in `mask` is
/// undefined.
#[inline(always)]
pub unsafe fn shuffle_down(mask: u32, value: u32, delta: u32) -> u32 {
    // SAFETY: passed on from the caller.
    unsafe { __warpfold_shuffle_down(mask, value, delta) }
}

/// `value` of the lane that is `delta` below this one, or this lane's own where there is none.
///
/// # Safety
/// As for [`shuffle_down`].
#[inline(always)]
pub unsafe fn shuffle_up(mask: u32, value: u32, delta: u32) -> u32 {
    // SAFETY: passed on from the caller.
    unsafe { __warpfold_shuffle_up(mask, value, delta) }
}

/// `value` of the lane whose number differs from this one's in these bits.
///
/// # Safety
/// As for [`shuffle_down`].
#[inline(always)]
pub unsafe fn shuffle_xor(mask: u32, value: u32, bits: u32) -> u32 {
    // SAFETY: passed on from the caller.
    unsafe { __warpfold_shuffle_xor(mask, value, bits) }
}

/// `value` of the lane of this number, modulo 32.
///
/// # Safety
/// As for [`shuffle_down`].
#[inline(always)]
pub unsafe fn shuffle_from(mask: u32, value: u32, lane: u32) -> u32 {
    // SAFETY: passed on from the caller.
    unsafe { __warpfold_shuffle_from(mask, value, lane) }
}

/// The byte, or an arbitrary one where it is uninitialised, as padding is.
#[inline(always)]
pub fn some_byte(byte: MaybeUninit<u8>) -> u8 {
    __warpfold_some_byte(byte)
}

/// The word, or an arbitrary one where a part of it is uninitialised.
#[inline(always)]
pub fn some_word(word: MaybeUninit<u32>) -> u32 {
    __warpfold_some_word(word)
}

/// As [`shuffle_down`] within segments of `width` lanes; a lane without one `delta` above it in its
/// segment reads its own value.
///
/// # Safety
/// As for [`shuffle_down`]; `width` is a power of two up to 32.
#[inline(always)]
pub unsafe fn shuffle_down_in(mask: u32, value: u32, delta: u32, width: u32) -> u32 {
    let bounds = ((WARP_SIZE - width) << 8) | (WARP_SIZE - 1);
    // SAFETY: passed on from the caller.
    unsafe { __warpfold_shuffle_down_in(mask, value, delta, bounds) }
}

/// The lanes of `mask` whose `predicate` holds.
///
/// # Safety
/// The lanes of `mask` arrive as the module requires.
#[inline(always)]
pub unsafe fn ballot(mask: u32, predicate: bool) -> u32 {
    // SAFETY: passed on from the caller.
    unsafe { __warpfold_ballot(mask, predicate as u32) }
}

/// Waits for the lanes of `mask` and orders all memory among them.
///
/// # Safety
/// The lanes of `mask` arrive as the module requires.
#[inline(always)]
pub unsafe fn sync_warp(mask: u32) {
    // SAFETY: passed on from the caller.
    unsafe { __warpfold_sync_warp(mask) }
}

/// Whether `holds` is true in any lane of the warp. Orders all memory among the lanes: what happens before
/// the call in one lane happens before the return in all.
///
/// # Safety
/// All lanes arrive that have been started and have not exited.
#[inline(always)]
pub unsafe fn any_lane(holds: bool) -> bool {
    // SAFETY: passed on from the caller.
    unsafe {
        let any = ballot(ALL_LANES, holds) != 0;
        // A vote orders no memory; this does.
        sync_warp(ALL_LANES);
        any
    }
}

/// The lanes that happen to execute this call together with the caller. Correctness must not depend on it; it
/// may only choose which lanes share work that any set of lanes may share.
#[inline(always)]
pub fn active_lanes() -> u32 {
    __warpfold_active_lanes()
}
