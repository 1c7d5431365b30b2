//! Reductions over all threads of a grid, in one launch.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use crate::arch::id;
use crate::reduce::WORKSPACE_HEADER_BYTES;
use crate::reduce::grid as algorithm;
use crate::reduce::op::Reduce;
use crate::reduce::value::{Records, Value};

pub use crate::reduce::workspace_bytes;

/// Reduces over all threads of the grid; one thread of the block that arrives last gets the result. The same
/// launch gives the same bits. A grid of one block does not touch the workspace.
///
/// Who must arrive: every thread of the grid, each block converged; blocks need not run at the same time.
/// What it orders: what happens before the call in thread 0 of each block happens before the return in the
/// thread with the result.
///
/// # Safety
/// The threads arrive as said; `workspace` has [`workspace_bytes`] for the grid's blocks, for this launch
/// alone; this launch has no other reduction over the grid.
#[inline(always)]
pub unsafe fn reduce<T: Copy, O: Reduce<T>>(value: T, op: O, workspace: *mut c_void) -> Option<T> {
    // SAFETY: passed on from the caller; every thread has a value.
    unsafe { reduce_first(MaybeUninit::new(value), op, id::block_threads(), workspace) }
}

/// As [`reduce`], over the first `live` threads of each block.
///
/// # Safety
/// As for [`reduce`]; `live` is the same in all threads of a block, at least 1 and at most the block's
/// size, and its first `live` threads have a value.
#[inline(always)]
pub unsafe fn reduce_first<T: Copy, O: Reduce<T>>(
    value: MaybeUninit<T>,
    op: O,
    live: u32,
    workspace: *mut c_void,
) -> Option<T> {
    const {
        assert!(
            O::COMMUTES,
            "this reduction combines values in an order of its own: the operator must commute"
        )
    };
    let mut copies = Value::new(value, op);
    let records = Records(workspace.wrapping_byte_add(WORKSPACE_HEADER_BYTES).cast());
    // SAFETY: passed on from the caller: a record for each block, after a header whose first word counts.
    let holds = unsafe { algorithm::reduce_first(&mut copies, live, workspace.cast(), &records, &records) };
    // SAFETY: every block has a thread with a value.
    holds.then(|| unsafe { copies.value.assume_init() })
}
