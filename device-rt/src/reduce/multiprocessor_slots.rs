//! Slots of a multiprocessor, which blocks that run on it use one after the other.
//!
//! S multiprocessors have N slots each, so that S * N slots serve a grid of any size. The hardware does not
//! tell a block which of the N resident blocks it is; a block takes a free slot from a word per
//! multiprocessor, with a bit per slot. Only control words are atomic; the data is not, because a slot has
//! one user at a time.
//!
//! Blocks combine into a slot in the order in which they arrive, so only exact operators give the same bits
//! on every run. [`grid`](super::grid) has the protocols that always do.

use core::num::NonZero;

use super::block;
use super::grid::count_delivery;
use super::pairing::strided;
use super::private::{Accumulate, Fold, InterWarp, Store};
use crate::arch::atomic::{self, Scope, Word};
use crate::arch::{block_sync, block_sync_any, id};

/// Slots 0 to `rows * per_row`-1, a row per multiprocessor, and their control words.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    /// Rows: usually the number of multiprocessors; any number works.
    pub rows: NonZero<u32>,
    /// Slots of a row, 1 to 32: usually the resident blocks of a multiprocessor; any number works.
    pub per_row: u32,
    /// A word per row, whose bits are the slots in use. All 0 between launches.
    pub busy: *const Word,
    /// A word per row, whose bits are the slots that hold a value. All 0 before the first launch.
    pub filled: *const Word,
    /// Blocks that have delivered; 0 between launches.
    pub delivered: *const Word,
}

/// A slot that the caller has taken.
struct TakenSlot {
    row: u32,
    /// Its bit in the row's words.
    bit: u32,
}

impl Slots {
    fn busy(&self, row: u32) -> *const Word {
        self.busy.wrapping_add(row as usize)
    }

    fn filled(&self, row: u32) -> *const Word {
        self.filled.wrapping_add(row as usize)
    }

    /// Takes a free slot, of this multiprocessor's row if it has one, else of a following row: a block may
    /// have moved to another multiprocessor, and more blocks may run on one than a row has slots.
    ///
    /// One thread of a block calls it. It waits while all slots are taken, by blocks that have started and do
    /// not wait. What the slot's last user did to it happens before the return.
    ///
    /// # Safety
    /// The words are the launch's.
    #[inline(always)]
    unsafe fn take(&self) -> TakenSlot {
        let all = u32::MAX >> (u32::BITS - self.per_row);
        let mut row = id::multiprocessor() % self.rows;
        loop {
            // SAFETY: passed on from the caller; rows are below `rows`.
            let free = !unsafe { atomic::load(self.busy(row)) } & all;
            if free == 0 {
                row = (row + 1) % self.rows;
                atomic::pause();
                continue;
            }
            let bit = free & free.wrapping_neg();
            // SAFETY: as above.
            if unsafe { atomic::or(self.busy(row), bit) } & bit == 0 {
                atomic::fence(Scope::Device);
                return TakenSlot { row, bit };
            }
        }
    }

    /// Delivers the caller's copies to a slot.
    ///
    /// # Safety
    /// As for [`accumulate`], in one thread of each block.
    #[inline(always)]
    unsafe fn deliver<P>(&self, copies: &mut P, to: &impl Store<P>, into: &impl Accumulate<P>) {
        // SAFETY: passed on from the caller.
        let taken = unsafe { self.take() };
        let slot = taken.row * self.per_row + taken.bit.trailing_zeros();
        // SAFETY: the words are the launch's. The bit of a taken slot changes only below.
        let is_filled = unsafe { atomic::load(self.filled(taken.row)) } & taken.bit != 0;
        if is_filled {
            // SAFETY: the slot is taken, and was stored before its bit was set.
            unsafe { into.accumulate(copies, slot) };
        } else {
            // SAFETY: the slot is taken.
            unsafe { to.store(copies, slot) };
            // SAFETY: as above.
            unsafe { atomic::or(self.filled(taken.row), taken.bit) };
        }
        // The record is ordered before what the slot's next user does.
        atomic::fence(Scope::Device);
        // SAFETY: as above.
        unsafe { atomic::and(self.busy(taken.row), !taken.bit) };
    }

    /// Every `threads`-th slot that holds a value, in ascending order, starting with the `thread`-th.
    ///
    /// # Safety
    /// The words are the launch's, and do not change as long as the result is used.
    #[inline(always)]
    unsafe fn filled_of(&self, thread: u32, threads: u32) -> Filled {
        Filled { slots: *self, row: 0, left: 0, skip: thread, stride: threads }
    }

    /// How many slots hold a value.
    ///
    /// # Safety
    /// As for [`filled_of`](Self::filled_of).
    #[inline(always)]
    unsafe fn count_filled(&self) -> u32 {
        // SAFETY: passed on from the caller.
        (0..self.rows.get()).map(|row| unsafe { atomic::load(self.filled(row)) }.count_ones()).sum()
    }
}

/// An iterator over slots that hold a value: see [`Slots::filled_of`].
struct Filled {
    slots: Slots,
    /// The row after the one that `left` is of.
    row: u32,
    /// Slots of the row that are still to be visited.
    left: u32,
    /// How many slots with a value to skip.
    skip: u32,
    stride: u32,
}

impl Iterator for Filled {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        loop {
            while self.left != 0 {
                if self.skip == 0 {
                    // The slot itself is skipped next time.
                    self.skip = self.stride;
                    return Some((self.row - 1) * self.slots.per_row + self.left.trailing_zeros());
                }
                self.left &= self.left - 1;
                self.skip -= 1;
            }
            if self.row == self.slots.rows.get() {
                return None;
            }
            // SAFETY: promised to `filled_of`.
            self.left = unsafe { atomic::load(self.slots.filled(self.row)) };
            self.row += 1;
        }
    }
}

/// First of two launches: reduces over each block and combines its value into a slot.
///
/// Who must arrive: as for [`block::reduce`]; blocks need not run at the same time. The end of the
/// launch orders the slots for the next.
///
/// # Safety
/// The threads arrive as said; `to` and `into` are the same records, one per slot; only this launch uses them
/// and the words.
#[inline(always)]
pub unsafe fn accumulate<P: InterWarp>(
    copies: &mut P,
    slots: &Slots,
    to: &impl Store<P>,
    into: &impl Accumulate<P>,
) {
    // SAFETY: passed on from the caller.
    if unsafe { block::reduce(copies) } {
        // SAFETY: one thread of each block.
        unsafe { slots.deliver(copies, to, into) };
    }
}

/// Reduces over every thread of the grid in one launch: [`accumulate`], then [`finalize`] in the last
/// block to deliver. True in exactly one thread of the grid, whose copies then hold the result.
///
/// Who must arrive, and what it orders: as [`grid::reduce`](super::grid::reduce).
///
/// # Safety
/// As for [`accumulate`] and [`finalize`].
#[inline(always)]
pub unsafe fn reduce<P: InterWarp>(
    copies: &mut P,
    slots: &Slots,
    to: &impl Store<P>,
    into: &impl Accumulate<P>,
    from: &impl Fold<P>,
) -> bool {
    // SAFETY: passed on from the caller.
    let first = unsafe { block::reduce(copies) };
    let blocks = id::grid_blocks();
    if blocks == 1 {
        return first;
    }
    // SAFETY: one thread of each block.
    let last = first
        && unsafe {
            slots.deliver(copies, to, into);
            count_delivery(slots.delivered, blocks)
        };
    // SAFETY: every block has delivered, and the barrier extends thread 0's fence to the block.
    block_sync_any(last) && unsafe { finalize(copies, slots, from) }
}

/// Folds the slots that hold a value and empties them; true in linear thread 0 if there were any, whose
/// copies then hold the result.
///
/// Who must arrive: every thread of one block, converged.
///
/// # Safety
/// The threads arrive as said; `from` are the records that [`accumulate`] used, ordered before this.
#[inline(always)]
pub unsafe fn finalize<P: InterWarp>(copies: &mut P, slots: &Slots, from: &impl Fold<P>) -> bool {
    let (thread, threads) = (id::thread(), id::block_threads());
    // SAFETY: all blocks have delivered.
    let (count, mut mine) = unsafe { (slots.count_filled(), slots.filled_of(thread, threads)) };
    // A thread without a slot contributes nothing, and there may be no identity for it: the block's reduction leaves
    // it out. Threads 0 to `live`-1 have slots.
    let live = if count < threads { count } else { threads };
    // SAFETY: passed on from the caller; the slots are filled.
    let first = unsafe {
        if let Some(first) = mine.next() {
            from.load(copies, first);
            for slot in mine {
                from.combine(copies, slot);
            }
        }
        block::reduce_first(copies, live)
    };
    // All threads have read the words.
    block_sync();
    for row in strided(thread, threads, slots.rows.get()) {
        // SAFETY: all blocks have delivered.
        unsafe { atomic::store(slots.filled(row), 0) };
    }
    first && count > 0
}
