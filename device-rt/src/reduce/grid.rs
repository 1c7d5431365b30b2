//! Reductions over a grid, through slots in global memory, each of which holds one record.
//!
//! Blocks deliver their values to slots; then the slots are folded, either by the last block to deliver, in
//! the same launch, or by a second launch of one block. Data is never accessed atomically: control words
//! decide which block may use a slot. There are three ways to decide:
//!
//! | functions | a block's slot | same bits on every run |
//! |---|---|---|
//! | [`reduce`], [`store`] and [`finalize`] | its own, by the block's number | yes |
//! | [`reduce_teams`] | its own if there are enough slots, of the launch or the image; else by order of arrival | if there are enough slots |
//! | [`multiprocessor_slots`](super::multiprocessor_slots) | one of its multiprocessor's, which blocks use in turn | for exact operators |
//!
//! Folding has one order: thread t of the T that fold takes slots t, t+T, t+2T … in this order, then the block
//! reduces over the threads that had a slot (of pairs of slots where they are folded [by pairs](Fold::by_pairs)). T is a
//! warp's 32 or the block's, depending on the number of slots
//! alone. `docs/protocols.md` argues why each protocol is correct.
//!
//! A workspace serves one reduction of one launch at a time: with two, a block that is done with the first
//! could overwrite slots that the last block has yet to fold.

use core::mem::MaybeUninit;
use core::num::NonZero;

use super::block;
use super::private::{Accumulate, Fold, InterWarp, Store};
use crate::WARP_SIZE;
use crate::arch::atomic::{self, Scope, Word};
use crate::arch::warp::any_lane;
use crate::arch::{block_sync, block_sync_any, id};

/// Reduces over every thread of the grid in one launch; true in exactly one thread of it, whose
/// copies then hold the result. A grid of one block touches no memory of the workspace.
///
/// Who must arrive: every thread of the grid, each block converged; blocks need not run at the same time.
/// What it orders: everything that happens before the call in thread 0 of each block happens before the
/// return in that one thread.
///
/// # Safety
/// The threads arrive as said; `to` and `from` are the same records, one per block, which only this launch
/// uses; `delivered` is 0, only this launch accesses it, and it is 0 again at the end.
#[inline(always)]
pub unsafe fn reduce<P: InterWarp>(
    copies: &mut P,
    delivered: *const Word,
    to: &impl Store<P>,
    from: &impl Fold<P>,
) -> bool {
    // SAFETY: passed on from the caller; all threads of each block are live.
    unsafe { reduce_first(copies, id::block_threads(), delivered, to, from) }
}

/// As [`reduce`], over linear threads 0 to `live`-1 of each block, at least one; `live` may differ between
/// blocks.
///
/// # Safety
/// As for [`reduce`]; `live` is the same in all threads of a block, and from 1 to the block's size.
#[inline(always)]
pub unsafe fn reduce_first<P: InterWarp>(
    copies: &mut P,
    live: u32,
    delivered: *const Word,
    to: &impl Store<P>,
    from: &impl Fold<P>,
) -> bool {
    let blocks = id::grid_blocks();
    // SAFETY: passed on from the caller.
    let first = unsafe { block::reduce_first(copies, live) };
    // Before all else: that is all most warps do.
    if id::thread() / WARP_SIZE != 0 && folds_by_warp::<P>(blocks) {
        return false;
    }
    if blocks == 1 {
        return first;
    }
    // SAFETY: block ids are below the number of records; thread 0 holds the block's value.
    let last = first && unsafe { store_and_count(copies, delivered, to, blocks) };
    // SAFETY: every thread of the block is here, or of the warp, and none has exited. Every slot is delivered, and the
    // barrier extends thread 0's order to all that fold.
    unsafe {
        let last = if folds_by_warp::<P>(blocks) { any_lane(last) } else { block_sync_any(last) };
        last && fold_all(copies, from, blocks)
    }
}

/// The control words of one launch's slots; both are 0 when it starts.
#[derive(Clone, Copy, Debug)]
pub struct Control {
    /// Teams that have delivered their value.
    pub delivered: *const Word,
    /// Teams that have asked for a slot, where teams outnumber the launch's slots.
    pub tickets: *const Word,
}

/// Slots in the memory of an image, which all its launches share and one at a time uses: for launches with more
/// blocks than slots of their own.
#[derive(Clone, Copy, Debug)]
pub struct ImageSlots<S, M> {
    /// 1 while a launch uses them, else 0.
    pub in_use: *const Word,
    /// Their memory.
    pub bytes: u64,
    /// Bytes of a slot.
    pub stride: u32,
    /// The records that they are.
    pub to: S,
    /// Makes them the caller's records, in place of the launch's.
    pub move_to: M,
}

/// The slots through which the teams of a launch reduce.
#[derive(Debug)]
pub struct TeamSlots<'a, T, I, F, S, M> {
    /// The launch's control words.
    pub control: Control,
    /// How many slots the launch has.
    pub records: NonZero<u32>,
    /// These slots, as records to store,
    pub to: &'a T,
    /// to combine with,
    pub into: &'a I,
    /// and to fold. They are the image's after [`ImageSlots::move_to`].
    pub from: &'a F,
    /// Those of the image.
    pub image: &'a ImageSlots<S, M>,
}

/// Bits of the tickets' word of a launch for which the image has enough slots: what its first block has decided.
mod decision {
    /// Its blocks deliver to slots of the image.
    pub const IMAGE: u32 = 1 << 31;
    /// Its blocks deliver to slots of the launch, because another launch uses those of the image.
    pub const LAUNCH: u32 = 1 << 30;
}

/// Which threads of a block call [`reduce_teams`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callers {
    /// All, each with copies of its own.
    Block,
    /// All that have not exited, and their copies may be the same memory: only thread 0 folds. LLVM lets all
    /// others exit in a kernel whose teams have no parallel region.
    OneCopy,
    /// One, any, while the others are elsewhere.
    Alone,
}

/// Reduces the values that one thread of each block holds, linear thread 0 unless it calls alone, through a
/// number of slots that the caller's ABI fixes; true in exactly one thread of the grid, whose copies then
/// hold the result. A grid of one block accesses no memory.
///
/// With as many slots as blocks every block has its own, and the result has the same bits on every run: slots of
/// the launch, or of the image where whole blocks call and no other launch uses these. With fewer, blocks share
/// slots by tickets (docs/protocols.md), and values are combined in the order of arrival. Blocks need not run at the
/// same time: a block waits only for blocks that have drawn an earlier ticket.
///
/// Who must arrive: as `callers` says, the threads of a block converged. It is asked twice, so that all blocks but the
/// last read only what tells one caller from many. What it orders: as [`reduce`].
///
/// # Safety
/// The threads arrive as said; `callers` says the same each time; `to`, `into` and `from` are the same `records` records,
/// which only this launch uses, as its control words; after `image.move_to` they are the image's slots, which only this
/// function uses, in any launch; `image` says the same in all threads.
#[inline(always)]
pub unsafe fn reduce_teams<P: InterWarp>(
    copies: &mut P,
    callers: impl Fn() -> Callers,
    slots: &TeamSlots<impl Store<P>, impl Accumulate<P>, impl Fold<P>, impl Store<P>, impl Fn()>,
) -> bool {
    let blocks = id::grid_blocks();
    let alone = callers() == Callers::Alone;
    let first = alone || id::thread() == 0;
    if blocks == 1 {
        return first;
    }
    let (own, image) = (blocks <= slots.records.get(), slots.image);
    // One thread folds slots one after the other: for it, fewer slots are better than rounds avoided.
    let may_move =
        || !own && u64::from(blocks) * u64::from(image.stride) <= image.bytes && callers() == Callers::Block;
    // Whether the launch has the image's slots, where teams outnumber its own, as thread 0 knows: others need no value, which
    // would take an instruction of each warp.
    let mut moved = MaybeUninit::<bool>::uninit();
    // SAFETY: passed on from the caller; one thread of each block comes here. Block ids are below the number of slots.
    let last = first && unsafe { deliver(copies, slots, blocks, may_move(), &mut moved) };
    // A thread that calls alone has ordered all slots before this; else the barrier extends thread 0's order to the block.
    let is_last = if alone { last } else { block_sync_any(last) };
    if !is_last {
        return false;
    }
    let by_one = alone || callers() == Callers::OneCopy;
    if by_one && !alone && id::thread() != 0 {
        return false;
    }
    // SAFETY: where the launch may have the image's slots, thread 0 has written it above.
    let moved = may_move() && block_sync_any(id::thread() == 0 && unsafe { moved.assume_init() });
    if moved {
        (image.move_to)();
    }
    let count = if own || moved { blocks } else { slots.records.get() };
    // SAFETY: every slot is delivered, and ordered before this.
    let result = unsafe { fold_teams(copies, by_one, slots.from, count) };
    if moved {
        // SAFETY: passed on from the caller; all threads of the last block are here.
        unsafe { release_image(image.in_use) };
    }
    result
}

/// As [`reduce_teams`] with a slot for each block, which is its own.
///
/// # Safety
/// As for [`reduce_teams`]; `to` and `from` are the same records, one per block; `delivered` is 0, only this launch accesses
/// it, and it is 0 again at the end. What is said of them holds for grids of more than one block.
#[inline(always)]
pub unsafe fn reduce_teams_in_own_slots<P: InterWarp>(
    copies: &mut P,
    callers: impl Fn() -> Callers,
    delivered: *const Word,
    to: &impl Store<P>,
    from: &impl Fold<P>,
) -> bool {
    let blocks = id::grid_blocks();
    let alone = callers() == Callers::Alone;
    let first = alone || id::thread() == 0;
    if blocks == 1 {
        return first;
    }
    // SAFETY: block ids are below the number of records; one thread of each block comes here.
    let last = first && unsafe { store_and_count(copies, delivered, to, blocks) };
    // As in `reduce_teams`.
    let is_last = if alone { last } else { block_sync_any(last) };
    if !is_last {
        return false;
    }
    let by_one = alone || callers() == Callers::OneCopy;
    if by_one && !alone && id::thread() != 0 {
        return false;
    }
    // SAFETY: every slot is delivered, and ordered before this.
    unsafe { fold_teams(copies, by_one, from, blocks) }
}

/// One thread delivers its block's value to a slot of the launch or, where it may, of the image: then it says which, in
/// `moved`. True if it was the last.
///
/// # Safety
/// As for [`reduce_teams`], in one thread of each block.
#[inline(always)]
unsafe fn deliver<P: InterWarp>(
    copies: &mut P,
    slots: &TeamSlots<impl Store<P>, impl Accumulate<P>, impl Fold<P>, impl Store<P>, impl Fn()>,
    blocks: u32,
    may_move: bool,
    moved: &mut MaybeUninit<bool>,
) -> bool {
    let TeamSlots { control: Control { delivered, tickets }, records, to, into, image, .. } = *slots;
    let own = blocks <= records.get();
    // SAFETY: passed on from the caller.
    unsafe {
        // With early returns in place of the two matches the machine code is longer.
        let ticket = match (own, may_move) {
            (true, _) => None,
            (false, false) => Some(atomic::add(tickets, 1)),
            (false, true) => draw_ticket(tickets, image.in_use),
        };
        match ticket {
            Some(ticket) => {
                moved.write(false);
                deliver_by_ticket(copies, ticket, delivered, records, to, into, blocks)
            }
            None if own => store_and_count(copies, delivered, to, blocks),
            None => {
                moved.write(true);
                store_and_count(copies, delivered, &image.to, blocks)
            }
        }
    }
}

/// Folds all slots in the last block, by one thread or by all; true in the one whose copies hold the result.
///
/// # Safety
/// All slots are delivered, and ordered before this; all threads of the block are here, or one.
#[inline(always)]
unsafe fn fold_teams<P: InterWarp>(copies: &mut P, by_one: bool, from: &impl Fold<P>, slots: u32) -> bool {
    let (thread, threads) = if by_one { (0, 1) } else { (id::thread(), id::block_threads()) };
    let parts = if from.by_pairs() { slots.div_ceil(2) } else { slots };
    let live = if parts < threads { parts } else { threads };
    if thread < live {
        // SAFETY: passed on from the caller.
        unsafe {
            match from.by_pairs() {
                true => load_and_combine_pairs(copies, from, thread, threads, slots),
                false => load_and_combine(copies, from, thread, threads, slots),
            }
        }
    }
    if by_one {
        return true;
    }
    if from.by_pairs() {
        // The block reduces through records, of which one may be of another thread's pair.
        block_sync();
    }
    // SAFETY: all threads of the block are here.
    unsafe { block::reduce_first(copies, live) }
}

/// One thread of a block draws a ticket, where blocks outnumber the launch's slots but not those of the image; none if
/// the blocks use the latter. For all blocks this is what the first one has decided: it acquires the slots, unless
/// another launch uses them, and says so in the word of the tickets. The others wait for it, which has started and
/// waits for nothing.
///
/// # Safety
/// The words are only accessed atomically; all blocks of the launch draw here.
#[inline(always)]
unsafe fn draw_ticket(tickets: *const Word, in_use: *const Word) -> Option<u32> {
    // SAFETY: passed on from the caller.
    unsafe {
        let mut word = atomic::increment_acquire(tickets);
        let ticket = word;
        loop {
            if word & decision::IMAGE != 0 {
                return None;
            }
            if word & decision::LAUNCH != 0 {
                return Some(ticket & !decision::LAUNCH);
            }
            if ticket == 0 {
                word = if atomic::exchange(in_use, 1) == 0 { decision::IMAGE } else { decision::LAUNCH };
                // What the last launch did to the slots happens before what this block and the others, which acquire
                // its decision, do to them.
                atomic::fence(Scope::Device);
                atomic::or(tickets, word);
            } else {
                atomic::pause();
                word = atomic::load_acquire(tickets);
            }
        }
    }
}

/// Lets other launches have the image's slots, which all threads of the block have read.
///
/// # Safety
/// The word is only accessed atomically; the launch has the slots, and all threads of its last block are here.
#[inline(always)]
unsafe fn release_image(in_use: *const Word) {
    // All threads have read the slots before another launch writes them.
    block_sync();
    if id::thread() == 0 {
        // The next value after 0 as the last is 0: the word is free. Its own ordering, because openmp-opt removes a
        // fence behind a barrier (docs/pitfalls.md).
        // SAFETY: passed on from the caller.
        unsafe { atomic::increment_wrapping_ordered(in_use, 0) };
    }
}

/// One thread stores its block's record and counts the block; true if it was the last.
///
/// # Safety
/// As for [`reduce`], in one thread of each block.
#[inline(always)]
unsafe fn store_and_count<P>(
    copies: &mut P,
    delivered: *const Word,
    to: &impl Store<P>,
    blocks: u32,
) -> bool {
    // SAFETY: the block owns this slot.
    unsafe { to.store(copies, id::block()) };
    // SAFETY: passed on from the caller.
    unsafe { count_delivery(delivered, blocks) }
}

/// Counts one delivery to a slot; true if it was the last of `blocks`.
///
/// The count is a release and an acquire in one access: the record is ordered before it, and the records of all
/// blocks that counted earlier before what follows. Both are cumulative (PTX ISA, causality order), so a barrier
/// after this extends the order to the whole block.
///
/// # Safety
/// The word is only accessed atomically.
#[inline(always)]
pub(super) unsafe fn count_delivery(delivered: *const Word, blocks: u32) -> bool {
    // The count wraps to 0 at the last block: the workspace is ready for the next launch.
    // SAFETY: passed on from the caller.
    let earlier = unsafe { atomic::increment_wrapping_ordered(delivered, blocks - 1) };
    earlier == blocks - 1
}

/// One thread delivers its block's value to a slot that other blocks use too; true if it was the last.
///
/// Tickets are drawn in order of arrival, and ticket k stands for slot k mod n in round k div n. The first
/// round stores; later rounds combine into the record. A round opens when all deliveries of the rounds before
/// are counted: until then none of its own are, so the count is exactly theirs. A block waits only for
/// holders of earlier tickets, which have started, and in the first round for none. Within a round every slot
/// has one user.
///
/// # Safety
/// As for [`reduce_teams`], in one thread of each block, with more blocks than records.
#[inline(always)]
unsafe fn deliver_by_ticket<P>(
    copies: &mut P,
    ticket: u32,
    delivered: *const Word,
    records: NonZero<u32>,
    to: &impl Store<P>,
    into: &impl Accumulate<P>,
    blocks: u32,
) -> bool {
    let mut slot = ticket;
    while slot >= records.get() {
        // Not a division, which takes twenty instructions: rounds wait for each other, so this loop costs
        // little.
        slot -= records.get();
    }
    if ticket < records.get() {
        // SAFETY: in the first round no other block has this slot.
        unsafe { to.store(copies, slot) };
    } else {
        let before = ticket - slot;
        // SAFETY: the word is only accessed atomically; `before` deliveries will be counted, as their
        // tickets are drawn.
        unsafe { atomic::wait_until(delivered, |count| count >= before) };
        // The previous round's write of the record happens before this one's.
        atomic::fence(Scope::Device);
        // SAFETY: stored in an earlier round, and in this one no other block has this slot.
        unsafe { into.accumulate(copies, slot) };
    }
    // SAFETY: as above. It does not wrap before the last: there are as many deliveries as blocks.
    unsafe { count_delivery(delivered, blocks) }
}

/// First of two launches: reduces over each block and stores its record in its slot.
///
/// Who must arrive: as for [`block::reduce`]. The end of the launch orders the slots for the next.
///
/// # Safety
/// The threads arrive as said; there is a record per block.
#[inline(always)]
pub unsafe fn store<P: InterWarp>(copies: &mut P, to: &impl Store<P>) {
    // SAFETY: passed on from the caller.
    if unsafe { block::reduce(copies) } {
        // SAFETY: the block owns this slot.
        unsafe { to.store(copies, id::block()) };
    }
}

/// Second of two launches: folds slots 0 to `slots`-1; true in linear thread 0, whose copies then
/// hold the result. Without slots no thread gets true, and no copy is changed.
///
/// Who must arrive: every thread of the one block, converged.
///
/// # Safety
/// The threads arrive as said; `slots` records were written by an earlier launch.
#[inline(always)]
pub unsafe fn finalize<P: InterWarp>(copies: &mut P, slots: u32, from: &impl Fold<P>) -> bool {
    if slots == 0 || folds_by_warp::<P>(slots) && id::thread() >= WARP_SIZE {
        return false;
    }
    // SAFETY: passed on from the caller.
    unsafe { fold_all(copies, from, slots) }
}

/// The most slots that each lane folds if warp 0 folds alone. With more, a barrier for all warps costs less time.
const SLOTS_OF_LANE: u32 = 16;

/// Whether warp 0 folds so many slots by itself, without shared memory and without a barrier, while the other warps
/// are done. Not where the code is to be small: it takes a second copy of what the block does.
#[inline(always)]
fn folds_by_warp<P: InterWarp>(slots: u32) -> bool {
    !P::COMPACT && slots <= SLOTS_OF_LANE * WARP_SIZE
}

/// Folds slots 0 to `slots`-1, at least one; true in linear thread 0.
///
/// # Safety
/// All threads of the block, or of warp 0 if it [folds alone](folds_by_warp), converged; the slots are written and
/// ordered before this.
#[inline(always)]
unsafe fn fold_all<P: InterWarp>(copies: &mut P, from: &impl Fold<P>, slots: u32) -> bool {
    let (thread, threads) = (id::thread(), id::block_threads());
    let threads = if folds_by_warp::<P>(slots) && threads > WARP_SIZE { WARP_SIZE } else { threads };
    let live = if slots < threads { slots } else { threads };
    // SAFETY: passed on from the caller.
    unsafe {
        if thread < live {
            load_and_combine_together(copies, from, thread, threads, slots);
        }
        block::reduce_first(copies, live)
    }
}

/// As [`load_and_combine`], for a few slots of a thread: four at a time, the first ones, too.
///
/// # Safety
/// As for [`load_and_combine`].
#[inline(always)]
unsafe fn load_and_combine_together<P>(
    copies: &mut P,
    from: &impl Fold<P>,
    first: u32,
    step: u32,
    slots: u32,
) {
    let mut slot = first;
    // SAFETY: passed on from the caller.
    unsafe {
        from.load(copies, slot);
        if slot + 3 * step < slots {
            from.combine(copies, slot + step);
            from.combine(copies, slot + 2 * step);
            from.combine(copies, slot + 3 * step);
            slot += 3 * step;
        }
        slot += step;
        while slot + 3 * step < slots {
            from.combine(copies, slot);
            from.combine(copies, slot + step);
            from.combine(copies, slot + 2 * step);
            from.combine(copies, slot + 3 * step);
            slot += 4 * step;
        }
        while slot < slots {
            from.combine(copies, slot);
            slot += step;
        }
    }
}

/// As [`load_and_combine`], for slots [by pairs](Fold::by_pairs): one thread takes the pairs `first`, `first + step`, …
///
/// # Safety
/// As for [`load_and_combine`]; slot `2 * first` is below `slots`, and no other thread takes these pairs.
#[inline(always)]
unsafe fn load_and_combine_pairs<P>(copies: &mut P, from: &impl Fold<P>, first: u32, step: u32, slots: u32) {
    // SAFETY: passed on from the caller.
    unsafe {
        from.load(copies, 2 * first);
        let mut slot = 2 * first + 1;
        while slot < slots {
            from.combine(copies, slot);
            slot += if slot.is_multiple_of(2) { 1 } else { 2 * step - 1 };
        }
    }
}

/// One thread takes slot `first` and combines `first + step`, `first + 2 * step`, … into it, those below `slots`, in
/// this order.
///
/// As many are loaded [together](Fold::together) as `from` says: nothing is stored between their loads, so that
/// compilers put these in flight at the same time.
///
/// # Safety
/// The slots are written and ordered before this; `first` is below `slots`, and `slots + 8 * step` fits a `u32`.
#[inline(always)]
unsafe fn load_and_combine<P>(copies: &mut P, from: &impl Fold<P>, first: u32, step: u32, slots: u32) {
    // SAFETY: passed on from the caller.
    unsafe {
        from.load(copies, first);
        // A constant in each branch; where the compiler knows which, there is one.
        match from.together() {
            8 => combine_together::<8, P>(copies, from, first + step, step, slots),
            4 => combine_together::<4, P>(copies, from, first + step, step, slots),
            2 => combine_together::<2, P>(copies, from, first + step, step, slots),
            _ => combine_together::<1, P>(copies, from, first + step, step, slots),
        }
    }
}

/// Combines slots for [`load_and_combine`], `TOGETHER` at a time.
///
/// # Safety
/// As for [`load_and_combine`].
#[inline(always)]
unsafe fn combine_together<const TOGETHER: u32, P>(
    copies: &mut P,
    from: &impl Fold<P>,
    first: u32,
    step: u32,
    slots: u32,
) {
    let (mut slot, mut together) = (first, TOGETHER);
    while together > 0 {
        while slot + (together - 1) * step < slots {
            for number in 0..together {
                // SAFETY: passed on from the caller.
                unsafe { from.combine(copies, slot + number * step) };
            }
            slot += together * step;
        }
        together /= 2;
    }
}
