//! The reductions on simulated blocks, with an operator that shows the order of its operands.
//!
//! Every thread contributes its number as a one-element list, and the operator appends: a value that
//! is lost, counted twice or taken from a dead lane shows, and so does any change of the order.

use core::cell::Cell;
use core::ffi::c_void;
use core::num::NonZero;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard};
use std::vec::Vec;
use std::{format, vec};

use super::grid::Callers;
use super::list::{
    AccumulateRecords, BlockList, Buffer, DispersedList, FoldList, FoldRecords, LoadRecords, StoreRecords,
    WarpList,
};
use super::multiprocessor_slots::{self, Slots};
use super::{WORKSPACE_HEADER_BYTES, block, canonical, grid, pairing, warp};
use crate::abi::callbacks::List;
use crate::arch::atomic::Word;
use crate::arch::{block_sync, id, run_block, warp::converge, warp::lane};

type Value = Vec<u32>;

/// The value that a lane reads from a lane that does not exist.
const POISON: u32 = u32::MAX;

/// Storage of shuffles, one value per thread, and between warps, one per warp: apart, because one
/// warp may be at its shuffles while another is done with them.
static LANES: [Mutex<Value>; 1024] = [const { Mutex::new(Vec::new()) }; 1024];
static WARPS: [Mutex<Value>; 32] = [const { Mutex::new(Vec::new()) }; 32];

/// The storage serves one block at a time: grids run block by block, and tests take turns.
static TURN: Mutex<()> = Mutex::new(());

fn at(storage: &'static [Mutex<Value>], index: u32) -> MutexGuard<'static, Value> {
    storage[index as usize].lock().unwrap()
}

/// # Safety
/// `list` is the one that [`with_list`] made, used by its own thread.
unsafe fn value<'a>(list: List) -> &'a mut Value {
    // SAFETY: the list is an array of one pointer to a value.
    unsafe { &mut **list.cast::<*mut Value>() }
}

fn with_list(mut mine: Value, reduce: impl FnOnce(List) -> bool) -> Option<Value> {
    let mut list = [&raw mut mine];
    let holds = reduce(list.as_mut_ptr().cast());
    holds.then_some(mine)
}

unsafe extern "C" fn shfl(list: List, claimed: i16, offset: i16, algorithm: i16) {
    // SAFETY: this thread's list.
    let mine = unsafe { value(list) };
    let (thread, offset) = (id::thread(), offset as u32);
    // A lane whose value is not needed may combine as lane 0 does; a logical lane may be any.
    assert!(claimed == 0 || claimed as u32 == lane(thread) || algorithm == 2);
    *at(&LANES, thread) = mine.clone();
    converge();
    let remote = match () {
        () if lane(thread) + offset >= 32 => mine.clone(),
        () if thread + offset >= id::block_threads() => vec![POISON],
        () => at(&LANES, thread + offset).clone(),
    };
    converge();
    match algorithm {
        0 => mine.extend(remote),
        1 if (claimed as u32) < offset => mine.extend(remote),
        1 => *mine = remote,
        2 if claimed % 2 == 0 => mine.extend(remote),
        2 => {}
        other => panic!("algorithm {other}"),
    }
}

/// A simulated warp has a barrier of all its lanes only: those outside the mask take part too.
unsafe extern "C" fn masked(list: List, mask: u32, logical: i16, offset: i16, algorithm: i16) {
    assert_eq!(algorithm, 2);
    // SAFETY: this thread's list.
    let mine = unsafe { value(list) };
    let thread = id::thread();
    *at(&LANES, thread) = mine.clone();
    converge();
    if mask >> thread & 1 == 1 && logical % 2 == 0 && offset > 0 {
        assert!(mask >> (thread + offset as u32) & 1 == 1, "lane {thread} takes from outside the mask");
        mine.extend(at(&LANES, thread + offset as u32).iter());
    }
    converge();
}

unsafe extern "C" fn iwcpy(list: List, warps: i32) {
    // SAFETY: this thread's list.
    let mine = unsafe { value(list) };
    let thread = id::thread();
    if lane(thread) == 0 {
        *at(&WARPS, thread / 32) = mine.clone();
    }
    block_sync();
    if thread < warps as u32 {
        *mine = at(&WARPS, thread).clone();
    }
    block_sync();
}

/// More than one warp folds alone.
const SLOTS: usize = 520;

struct Workspace {
    words: [Word; WORKSPACE_HEADER_BYTES / 4],
    records: [Mutex<Value>; SLOTS],
}

impl Workspace {
    fn new() -> Workspace {
        Workspace {
            words: [const { Word::new(0) }; WORKSPACE_HEADER_BYTES / 4],
            records: [const { Mutex::new(Vec::new()) }; SLOTS],
        }
    }

    fn records(&self) -> *mut c_void {
        (&raw const self.records).cast_mut().cast()
    }

    fn is_ready(&self) -> bool {
        self.words.iter().all(|word| word.load(Ordering::Relaxed) == 0)
    }
}

/// # Safety
/// `buffer` are the slots of a living [`Workspace`].
unsafe fn slot<'a>(buffer: *mut c_void, slot: i32) -> &'a Mutex<Value> {
    // SAFETY: the slots are one array.
    unsafe { &*buffer.cast::<Mutex<Value>>().add(slot as usize) }
}

unsafe extern "C" fn lgcpy(buffer: *mut c_void, index: i32, list: List) {
    // SAFETY: the callback's contract.
    unsafe { *slot(buffer, index).lock().unwrap() = value(list).clone() };
}

unsafe extern "C" fn lgred(buffer: *mut c_void, index: i32, list: List) {
    // SAFETY: the callback's contract.
    unsafe { slot(buffer, index).lock().unwrap().extend(value(list).iter()) };
}

unsafe extern "C" fn glcpy(buffer: *mut c_void, index: i32, list: List) {
    // SAFETY: the callback's contract.
    unsafe { *value(list) = slot(buffer, index).lock().unwrap().clone() };
}

unsafe extern "C" fn glred(buffer: *mut c_void, index: i32, list: List) {
    // SAFETY: the callback's contract.
    unsafe { value(list).extend(slot(buffer, index).lock().unwrap().iter()) };
}

fn in_block(list: List) -> BlockList<false> {
    BlockList::<false> { list, shfl, iwcpy }
}

fn to(buffer: *mut c_void) -> StoreRecords {
    StoreRecords { buffer: Buffer::array(buffer, u64::MAX), lgcpy }
}

fn into(buffer: *mut c_void) -> AccumulateRecords {
    AccumulateRecords { buffer: Buffer::array(buffer, u64::MAX), lgred }
}

fn from(buffer: *mut c_void) -> FoldRecords {
    FoldRecords { buffer: Buffer::array(buffer, u64::MAX), glcpy, glred }
}

/// Runs a grid block by block, in the order given; returns the value of each thread that holds a result.
fn run_grid(order: &[u32], threads: u32, reduce: impl Fn(List) -> bool + Sync) -> Vec<(u32, Value)> {
    let results = Mutex::new(Vec::new());
    for &number in order {
        run_block(number, order.len() as u32, threads, &|| {
            let global = number * threads + id::thread();
            if let Some(value) = with_list(vec![global], &reduce) {
                results.lock().unwrap().push((id::thread(), value));
            }
        });
    }
    results.into_inner().unwrap()
}

/// The only result, which thread 0 must hold, with each of `count` contributions in it once.
fn only(results: Vec<(u32, Value)>, count: u32, what: &str) -> Value {
    let [(thread, value)] = results.as_slice() else { panic!("{what}: {} results", results.len()) };
    assert_eq!(*thread, 0, "{what}");
    assert_eq!(value.len() as u32, count, "{what}: {value:?}");
    assert_eq!(value.iter().copied().collect::<BTreeSet<_>>(), (0..count).collect(), "{what}");
    value.clone()
}

const BLOCK_SIZES: [u32; 18] =
    [1, 2, 31, 32, 33, 63, 64, 65, 96, 127, 255, 256, 257, 511, 512, 1000, 1023, 1024];

#[test]
fn a_full_warp_and_a_partial_one_are_reduced_completely() {
    let _turn = TURN.lock();
    for threads in 1..=32 {
        let results = run_grid(&[0], threads, |list| {
            // SAFETY: one warp, all its lanes arrive.
            unsafe {
                match threads {
                    32 => warp::reduce_full(&mut WarpList { list, shfl }),
                    size => warp::reduce_contiguous(&mut WarpList { list, shfl }, size, id::thread()),
                }
            }
            id::thread() == 0
        });
        only(results, threads, &format!("{threads} lanes"));
    }
}

#[test]
fn a_block_of_any_size_is_reduced_completely() {
    let _turn = TURN.lock();
    for threads in BLOCK_SIZES {
        // SAFETY: every thread of the block arrives.
        let results = run_grid(&[0], threads, |list| unsafe { block::reduce(&mut in_block(list)) });
        only(results, threads, &format!("{threads} threads"));
    }
}

#[test]
fn threads_that_are_not_live_are_ignored() {
    let _turn = TURN.lock();
    for (threads, live) in [(64, 1), (64, 31), (64, 32), (64, 33), (100, 65), (256, 3), (33, 33), (128, 96)] {
        let results = run_grid(&[0], threads, |list| {
            // SAFETY: every thread of the block arrives, with the same number of live ones.
            unsafe { block::reduce_first(&mut in_block(list), live) }
        });
        only(results, live, &format!("{live} of {threads} threads"));
    }
}

/// Both ways to finalize, for a grid whose blocks finish in the order given.
fn grid_results(order: &[u32], threads: u32, finalizing: u32) -> (Value, Value) {
    let what = format!("{} blocks of {threads}", order.len());
    let workspace = Workspace::new();
    let one = run_grid(order, threads, |list| {
        let (delivered, records) = (&raw const workspace.words[0], workspace.records());
        // SAFETY: every thread of every block arrives; only this launch uses the workspace.
        unsafe { grid::reduce(&mut in_block(list), delivered, &to(records), &from(records)) }
    });
    assert!(workspace.is_ready(), "{what}: the workspace is not ready for the next launch");
    let one = only(one, order.len() as u32 * threads, &what);

    let stored = run_grid(order, threads, |list| {
        // SAFETY: every thread of every block arrives.
        unsafe { grid::store(&mut in_block(list), &to(workspace.records())) };
        false
    });
    assert!(stored.is_empty());
    let slots = order.len() as u32;
    let two = run_grid(&[0], finalizing, |list| {
        // SAFETY: every thread of the one block arrives; the slots were stored above.
        unsafe { grid::finalize(&mut in_block(list), slots, &from(workspace.records())) }
    });
    (one, only(two, slots * threads, &what))
}

#[test]
fn a_grid_gives_the_same_result_in_any_order_of_blocks() {
    let _turn = TURN.lock();
    for (blocks, threads) in [
        (1, 1),
        (1, 70),
        (2, 1),
        (2, 32),
        (3, 33),
        (31, 5),
        (33, 32),
        (70, 64),
        (200, 3),
        (130, 33),
        (520, 2),
    ] {
        let mut order: Vec<u32> = (0..blocks).collect();
        let (forwards, second_launch) = grid_results(&order, threads, threads);
        assert_eq!(forwards, second_launch, "{blocks} blocks of {threads}: the ways to finalize differ");
        order.reverse();
        order.swap(0, blocks as usize / 2);
        let (backwards, _) = grid_results(&order, threads, threads);
        assert_eq!(forwards, backwards, "{blocks} blocks of {threads}: the order of arrival shows");
    }
}

/// Neighbours are combined in their order, so the result shows all lanes of all chunks in theirs.
#[test]
fn chunks_are_combined_in_their_order_whichever_is_the_last() {
    let _turn = TURN.lock();
    for (chunks, warps) in [(1, 1), (3, 2), (32, 4), (34, 3)] {
        let what = format!("{chunks} chunks in blocks of {warps} warps");
        let blocks = u32::div_ceil(chunks, warps);
        let all: Value = (0..chunks * 32).collect();
        let in_chunks = |order: &[u32], reduce: &(dyn Fn(List, u32) -> bool + Sync)| {
            run_grid(order, warps * 32, |list| {
                let chunk = id::block() * warps + id::thread() / 32;
                chunk < chunks && reduce(list, chunk)
            })
        };
        let mut order: Vec<u32> = (0..blocks).collect();
        for _ in 0..2 {
            let workspace = Workspace::new();
            let (words, records) = (&raw const workspace.words[0] as usize, workspace.records() as usize);
            let results = in_chunks(&order, &|list, chunk| {
                let (words, records) = (words as *const Word, records as *mut c_void);
                let mut list = WarpList { list, shfl };
                let from = LoadRecords { buffer: Buffer::array(records, u64::MAX), glcpy };
                // SAFETY: every warp delivers one chunk, with words and records of this launch's own.
                unsafe {
                    canonical::combine_lanes(&mut list, 32, lane(id::thread()));
                    canonical::climb(&mut list, lane(id::thread()), chunk, chunks, words, &to(records), &from)
                }
            });
            let [(_, value)] = results.as_slice() else { panic!("{what}: {} results", results.len()) };
            assert_eq!(*value, all, "{what}");
            assert!(workspace.is_ready(), "{what}");
            order.reverse();
            order.swap(0, blocks as usize / 2);
        }
        for threads in [32, 64] {
            let workspace = Workspace::new();
            let records = workspace.records() as usize;
            in_chunks(&order, &|list, chunk| {
                // SAFETY: every warp stores one chunk.
                unsafe {
                    let (mut list, lane) = (WarpList { list, shfl }, lane(id::thread()));
                    canonical::store(&mut list, chunk, lane, &to(records as *mut c_void));
                }
                false
            });
            let results = run_grid(&[0], threads, |list| {
                let (mut list, records) = (WarpList { list, shfl }, records as *mut c_void);
                let from = LoadRecords { buffer: Buffer::array(records, u64::MAX), glcpy };
                // SAFETY: every thread of the one block arrives; the records were stored above.
                unsafe { canonical::finalize(&mut list, chunks, &to(records), &from) }
            });
            assert_eq!(only(results, chunks * 32, &what), all, "{what}, folded by {threads}");
        }
    }
}

/// How many slots the image has in [`team_results`], and whether another launch uses them.
#[derive(Clone, Copy)]
struct Image {
    len: u32,
    in_use: bool,
}

const NO_IMAGE: Image = Image { len: 0, in_use: false };

/// A grid's values through `len` slots or those of the image, folded by these `callers`; `threads` values a block, of
/// which only the first is used. If there are enough slots, also where it is known that each block has its own.
fn team_results(order: &[u32], threads: u32, len: u32, image: Image, callers: Callers) -> Value {
    let run = |has_own: bool| {
        let (workspace, shared) = (Workspace::new(), Workspace::new());
        let in_use = Word::new(u32::from(image.in_use));
        let results = run_grid(order, threads, |list| {
            let control = grid::Control { delivered: &workspace.words[0], tickets: &workspace.words[1] };
            let len = NonZero::new(len).expect("a slot");
            let first = Cell::new(workspace.records());
            let buffer = Buffer::array(&first, 8);
            let (to, into, from) = (
                StoreRecords { buffer, lgcpy },
                AccumulateRecords { buffer, lgred },
                FoldRecords { buffer, glcpy, glred },
            );
            let image = grid::ImageSlots {
                in_use: &in_use,
                bytes: u64::from(image.len) * 3,
                stride: 3,
                to: self::to(shared.records()),
                move_to: || first.set(shared.records()),
            };
            let mut list = FoldList { warp: WarpList { list, shfl }, from, to };
            // SAFETY: every thread of every block arrives; only this launch uses slots and control words.
            unsafe {
                match has_own {
                    true => {
                        grid::reduce_teams_in_own_slots(&mut list, || callers, control.delivered, &to, &from)
                    }
                    false => {
                        let (to, into, from, image) = (&to, &into, &from, &image);
                        let slots = grid::TeamSlots { control, records: len, to, into, from, image };
                        grid::reduce_teams(&mut list, || callers, &slots)
                    }
                }
            }
        });
        let [(0, value)] = results.as_slice() else { panic!("{results:?}") };
        let blocks: BTreeSet<u32> = (0..order.len() as u32).map(|block| block * threads).collect();
        assert_eq!(value.iter().copied().collect::<BTreeSet<_>>(), blocks, "{len} slots");
        assert_eq!(value.len(), order.len(), "{len} slots");
        assert_eq!(
            in_use.load(Ordering::Relaxed),
            u32::from(image.in_use),
            "the image's slots are as before"
        );
        value.clone()
    };
    let value = run(false);
    if order.len() as u32 <= len {
        assert_eq!(run(true), value);
    }
    value
}

#[test]
fn teams_share_slots_where_there_are_not_enough() {
    let _turn = TURN.lock();
    for (blocks, threads, len) in
        [(1, 33, 8), (2, 1, 1), (8, 32, 8), (9, 32, 8), (31, 5, 4), (70, 64, 3), (200, 3, 100), (40, 33, 1)]
    {
        let forwards: Vec<u32> = (0..blocks).collect();
        let backwards: Vec<u32> = forwards.iter().rev().copied().collect();
        for callers in [Callers::Block, Callers::OneCopy, Callers::Alone] {
            // The main thread of a block in generic mode calls alone.
            let threads = if callers == Callers::Alone { 1 } else { threads };
            let results =
                [&forwards, &backwards].map(|order| team_results(order, threads, len, NO_IMAGE, callers));
            if blocks <= len {
                let [one, two] = results;
                assert_eq!(one, two, "{blocks} blocks, {len} slots: the order of arrival shows");
                if callers != Callers::Block {
                    let in_order: Value = (0..blocks).map(|block| block * threads).collect();
                    assert_eq!(one, in_order, "{callers:?}: one thread takes slots in order");
                }
            }
        }
    }
}

#[test]
fn a_launch_with_more_teams_than_slots_uses_those_of_the_image() {
    let _turn = TURN.lock();
    for (blocks, threads, len) in [(2, 1, 1), (9, 32, 8), (31, 5, 4), (70, 64, 3), (200, 3, 100), (40, 33, 1)]
    {
        let forwards: Vec<u32> = (0..blocks).collect();
        let backwards: Vec<u32> = forwards.iter().rev().copied().collect();
        let free = Image { len: blocks, in_use: false };
        let own = team_results(&forwards, threads, blocks, NO_IMAGE, Callers::Block);
        for order in [&forwards, &backwards] {
            let value = team_results(order, threads, len, free, Callers::Block);
            assert_eq!(value, own, "{blocks} blocks, {len} slots: as if the launch had enough slots");
            // By tickets, as the one thread that folds reads all slots, or another launch uses the image's, or they
            // do not suffice.
            let one = if threads == 1 { Callers::Alone } else { Callers::OneCopy };
            team_results(order, threads, len, free, one);
            team_results(order, threads, len, Image { in_use: true, ..free }, Callers::Block);
            team_results(order, threads, len, Image { len: blocks - 1, ..free }, Callers::Block);
        }
    }
}

#[test]
fn the_second_launch_may_have_any_block_size() {
    let _turn = TURN.lock();
    for finalizing in [1, 32, 33, 100] {
        grid_results(&(0..40).collect::<Vec<_>>(), 2, finalizing);
    }
}

#[test]
fn without_slots_no_thread_holds_a_result() {
    let _turn = TURN.lock();
    let workspace = Workspace::new();
    let results = run_grid(&[0], 40, |list| {
        // SAFETY: every thread of the one block arrives.
        unsafe { grid::finalize(&mut in_block(list), 0, &from(workspace.records())) }
    });
    assert!(results.is_empty());
}

/// Both ways to finalize, with slots that blocks of three multiprocessors share.
fn slot_results(order: &[u32], threads: u32, rows: u32, per_row: u32) {
    let what = format!("{} blocks of {threads}, {rows} rows of {per_row}", order.len());
    let workspace = Workspace::new();
    let slots = Slots {
        rows: NonZero::new(rows).expect("a row"),
        per_row,
        busy: &workspace.words[1],
        filled: &workspace.words[16],
        delivered: &workspace.words[0],
    };
    let (shared, records) = (&raw const slots as usize, workspace.records() as usize);
    let slots = move || {
        // SAFETY: it lives as long as this function.
        unsafe { *(shared as *const Slots) }
    };
    let (to, into, from) = (
        move || to(records as *mut c_void),
        move || into(records as *mut c_void),
        move || from(records as *mut c_void),
    );
    let count = order.len() as u32 * threads;
    let one = run_grid(order, threads, |list| {
        // SAFETY: every thread of every block arrives; only this launch uses the workspace.
        unsafe { multiprocessor_slots::reduce(&mut in_block(list), &slots(), &to(), &into(), &from()) }
    });
    only(one, count, &what);
    assert!(workspace.is_ready(), "{what}: the workspace is not ready for the next launch");

    let none = run_grid(order, threads, |list| {
        // SAFETY: every thread of every block arrives.
        unsafe { multiprocessor_slots::accumulate(&mut in_block(list), &slots(), &to(), &into()) };
        false
    });
    assert!(none.is_empty());
    let two = run_grid(&[0], threads, |list| {
        // SAFETY: every thread of the one block arrives; the slots were filled above.
        unsafe { multiprocessor_slots::finalize(&mut in_block(list), &slots(), &from()) }
    });
    only(two, count, &what);
    assert!(workspace.is_ready(), "{what}: the workspace is not ready for the next launch");
    let nothing = run_grid(&[0], threads, |list| {
        // SAFETY: every thread of the one block arrives.
        unsafe { multiprocessor_slots::finalize(&mut in_block(list), &slots(), &from()) }
    });
    assert!(nothing.is_empty(), "{what}: a result of no block");
}

#[test]
fn blocks_share_the_slots_of_a_multiprocessor() {
    let _turn = TURN.lock();
    for (blocks, threads, rows, per_row) in
        [(1, 33, 3, 4), (2, 1, 1, 1), (7, 32, 3, 1), (40, 33, 3, 2), (40, 5, 14, 32), (9, 64, 1, 1)]
    {
        slot_results(&(0..blocks).collect::<Vec<_>>(), threads, rows, per_row);
        slot_results(&(0..blocks).rev().collect::<Vec<_>>(), threads, rows, per_row);
    }
}

#[test]
fn dispersed_lanes_are_reduced_in_their_order() {
    let _turn = TURN.lock();
    for mask in [1u32, 0x8000_0000, 0b1011_0110, 0x8000_0001, 0x5555_5555, 0xffff_fffe, u32::MAX] {
        let results = run_grid(&[0], 32, |list| {
            // SAFETY: all lanes arrive, and those of the mask are among them.
            unsafe { warp::reduce_dispersed(&mut DispersedList { list, shfl: masked }, mask, id::thread()) }
        });
        let lanes: Vec<u32> = (0..32).filter(|lane| mask >> lane & 1 == 1).collect();
        assert_eq!(results, [(lanes[0], lanes)], "{mask:#b}");
    }
}

#[test]
fn a_block_follows_the_schedule() {
    let _turn = TURN.lock();
    // The documented order of the contiguous reduction over 7 lanes.
    assert_eq!(pairing::Offsets::of(7).collect::<Vec<_>>(), [3, 2, 1]);
    // SAFETY: every thread of the block arrives.
    let results = run_grid(&[0], 7, |list| unsafe { block::reduce(&mut in_block(list)) });
    assert_eq!(results[0].1, [0, 3, 2, 5, 1, 4, 6]);
}
