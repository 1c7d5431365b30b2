//! Reductions over the threads of a block, of any number and in up to three dimensions.

use core::mem::MaybeUninit;

use crate::arch::id;
use crate::reduce::block as algorithm;
use crate::reduce::op::Reduce;
use crate::reduce::value::Value;

/// Reduces over all threads of the block; linear thread 0 gets the result.
///
/// First each warp reduces, then warp 0 reduces their results, which pass through shared memory: 32 times the
/// size of the value, at most 4 KiB. That takes one pair of barriers; for a larger value, which LLVM keeps in
/// local memory, one pair for every 128 bytes; for up to 32 threads none, and no shared memory.
///
/// Who must arrive: every thread of the block, converged. What it orders: with more than 32 threads all
/// memory among them, else nothing.
///
/// # Safety
/// The threads arrive as said.
#[inline(always)]
pub unsafe fn reduce<T: Copy, O: Reduce<T>>(value: T, op: O) -> Option<T> {
    // SAFETY: passed on from the caller; every thread has a value.
    unsafe { reduce_first(MaybeUninit::new(value), op, id::block_threads()) }
}

/// As [`reduce`], over the block's first `live` threads: the others arrive as well, with any value or none.
/// With `live` = 0 no thread gets a result.
///
/// # Safety
/// As for [`reduce`]; `live` is the same in every thread and at most the block's size, and the first
/// `live` threads have a value.
#[inline(always)]
pub unsafe fn reduce_first<T: Copy, O: Reduce<T>>(value: MaybeUninit<T>, op: O, live: u32) -> Option<T> {
    const {
        assert!(
            O::COMMUTES,
            "this reduction combines values in an order of its own: the operator must commute"
        )
    };
    let mut copies = Value::new(value, op);
    // SAFETY: passed on from the caller.
    let first = unsafe { algorithm::reduce_first(&mut copies, live) };
    // SAFETY: thread 0 is one of the live ones, if there is any.
    (first && live > 0).then(|| unsafe { copies.value.assume_init() })
}
