//! The lanes of a warp: where a lane is, shuffles, votes, and reductions. Names are those of
//! `cuda_std::warp` where it has them.
//!
//! A function with a mask is for the lanes of the mask: the caller is one of them, and all of them that have
//! not exited call it with the same mask. The others may be anywhere. Unless a function's documentation
//! states otherwise, no memory is ordered.

use core::mem::MaybeUninit;

use crate::arch::{id, warp};
use crate::reduce::op::Reduce;
use crate::reduce::value::{self, Value};
use crate::reduce::warp as algorithm;

pub use crate::arch::warp::ALL_LANES;

/// This thread's lane: its number in its warp, 0 to 31.
#[inline(always)]
pub fn lane_id() -> u32 {
    warp::lane(id::thread())
}

/// Waits for the lanes of `mask` and orders all memory among them.
///
/// # Safety
/// The lanes of `mask` call it as the module requires.
#[inline(always)]
pub unsafe fn sync_warp(mask: u32) {
    // SAFETY: passed on from the caller.
    unsafe { warp::sync_warp(mask) }
}

/// The lanes of `mask` whose `predicate` holds, as bits.
///
/// # Safety
/// The lanes of `mask` call it as the module requires.
#[inline(always)]
pub unsafe fn ballot(mask: u32, predicate: bool) -> u32 {
    // SAFETY: passed on from the caller.
    unsafe { warp::ballot(mask, predicate) }
}

/// Whether `predicate` holds in all lanes of `mask`.
///
/// # Safety
/// The lanes of `mask` call it as the module requires.
#[inline(always)]
pub unsafe fn all(mask: u32, predicate: bool) -> bool {
    // SAFETY: passed on from the caller.
    unsafe { warp::ballot(mask, !predicate) == 0 }
}

/// Whether `predicate` holds in any lane of `mask`.
///
/// # Safety
/// The lanes of `mask` call it as the module requires.
#[inline(always)]
pub unsafe fn any(mask: u32, predicate: bool) -> bool {
    // SAFETY: passed on from the caller.
    unsafe { warp::ballot(mask, predicate) != 0 }
}

macro_rules! shuffles {
    ($($(#[$doc:meta])* $name:ident($argument:ident);)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// The lanes of `mask` call it as the module requires, and the lane that the value comes from is one
        /// of them.
        #[inline(always)]
        pub unsafe fn $name<T: Copy>(mask: u32, value: T, $argument: u32) -> T {
            // SAFETY: passed on from the caller.
            let exchange = |word| unsafe { warp::$name(mask, word, $argument) };
            // SAFETY: what comes is the value of a lane.
            unsafe { value::exchanged(MaybeUninit::new(value), exchange).assume_init() }
        }
    )*};
}

shuffles! {
    /// `value` of the lane `delta` above, or this lane's own where there is none.
    shuffle_down(delta);
    /// `value` of the lane `delta` below, or this lane's own where there is none.
    shuffle_up(delta);
    /// `value` of the lane whose number differs from this one's in these bits.
    shuffle_xor(bits);
    /// `value` of the lane of this number, modulo 32.
    shuffle_from(lane);
}

/// Reduces over all 32 lanes; lane 0 gets the result. Five steps, each with a shuffle for every 32 bits of
/// the value.
///
/// Who must arrive: all 32 lanes, converged.
///
/// # Safety
/// The lanes arrive as said.
#[inline(always)]
pub unsafe fn reduce<T: Copy, O: Reduce<T>>(value: T, op: O) -> Option<T> {
    const {
        assert!(
            O::COMMUTES,
            "this reduction combines values in an order of its own: the operator must commute"
        )
    };
    let mut copies = Value::new(MaybeUninit::new(value), op);
    // SAFETY: passed on from the caller.
    unsafe { algorithm::reduce_full(&mut copies) };
    // SAFETY: every lane has a value.
    (lane_id() == 0).then(|| unsafe { copies.value.assume_init() })
}

/// Reduces over lanes 0 to `size`-1; lane 0 gets the result, unless `size` is 0. The values of the other
/// lanes are ignored.
///
/// Who must arrive: every lane of the warp that exists, converged, with the same `size`.
///
/// # Safety
/// The lanes arrive as said; lanes 0 to `size`-1 exist, and `size` is at most 32.
#[inline(always)]
pub unsafe fn reduce_contiguous<T: Copy, O: Reduce<T>>(value: T, op: O, size: u32) -> Option<T> {
    const {
        assert!(
            O::COMMUTES,
            "this reduction combines values in an order of its own: the operator must commute"
        )
    };
    let lane = lane_id();
    let mut copies = Value::new(MaybeUninit::new(value), op);
    // SAFETY: passed on from the caller.
    unsafe { algorithm::reduce_contiguous(&mut copies, size, lane) };
    // SAFETY: lane 0 is one of those with a value.
    (lane == 0 && size > 0).then(|| unsafe { copies.value.assume_init() })
}

/// Reduces over the lanes of `mask`, in the order of the lanes: the operator need not be commutative. The
/// lowest of them gets the result.
///
/// Who must arrive: the lanes of `mask`, converged or not.
///
/// # Safety
/// The lanes call it as the module requires.
#[inline(always)]
pub unsafe fn reduce_masked<T: Copy, O: Reduce<T>>(value: T, op: O, mask: u32) -> Option<T> {
    let mut copies = Value::new(MaybeUninit::new(value), op);
    // SAFETY: passed on from the caller.
    let lowest = unsafe { algorithm::reduce_dispersed(&mut copies, mask, lane_id()) };
    // SAFETY: every lane of the mask has a value.
    lowest.then(|| unsafe { copies.value.assume_init() })
}
