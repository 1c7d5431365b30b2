//! The hardware layer for unit tests: each GPU thread is a thread of the host.
//!
//! It has only what the reductions and schedules use, under the names of the real modules. A block's barrier
//! is a barrier of its host threads, so a block whose threads do not all arrive hangs, as on a GPU.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::scope;
use std::vec::Vec;

use crate::WARP_SIZE;

/// What the threads of one block share.
pub struct Block {
    number: u32,
    blocks: u32,
    threads: u32,
    barrier: Barrier,
    warp_barriers: Vec<Barrier>,
    word: AtomicBool,
    warp_words: Vec<AtomicBool>,
}

std::thread_local! {
    static HERE: RefCell<Option<(u32, Arc<Block>)>> = const { RefCell::new(None) };
}

fn here<R>(look: impl FnOnce(u32, &Block) -> R) -> R {
    let (thread, block) = HERE.with_borrow(|here| here.clone()).expect("a simulated thread");
    look(thread, &block)
}

/// Runs one block of a grid of `blocks` to its end.
pub fn run_block(number: u32, blocks: u32, threads: u32, body: &(impl Fn() + Sync)) {
    let lanes = |warp: u32| (threads - warp * WARP_SIZE).min(WARP_SIZE) as usize;
    let block = Arc::new(Block {
        number,
        blocks,
        threads,
        barrier: Barrier::new(threads as usize),
        warp_barriers: (0..threads.div_ceil(WARP_SIZE)).map(|warp| Barrier::new(lanes(warp))).collect(),
        word: AtomicBool::new(false),
        warp_words: (0..threads.div_ceil(WARP_SIZE)).map(|_| AtomicBool::new(false)).collect(),
    });
    scope(|scope| {
        for thread in 0..threads {
            let block = block.clone();
            scope.spawn(move || {
                HERE.set(Some((thread, block)));
                body();
            });
        }
    });
}

/// The barrier of the block.
pub fn block_sync() {
    here(|_, block| block.barrier.wait());
}

/// The barrier of the block; returns whether `holds` is true in any thread.
pub fn block_sync_any(holds: bool) -> bool {
    here(|thread, block| any(holds, &block.word, thread == 0, block_sync))
}

/// Whether `holds` is true in any of the threads that `sync` waits for; one of them is the `first`.
fn any(holds: bool, word: &AtomicBool, first: bool, sync: impl Fn()) -> bool {
    if holds {
        word.store(true, Ordering::Relaxed);
    }
    sync();
    let any = word.load(Ordering::Relaxed);
    sync();
    if first {
        word.store(false, Ordering::Relaxed);
    }
    sync();
    any
}

/// Reciprocals.
pub mod float {
    pub fn reciprocal(value: f32) -> f32 {
        1.0 / value
    }
}

/// Ids and sizes.
pub mod id {
    use super::here;

    pub fn thread() -> u32 {
        here(|thread, _| thread)
    }

    pub fn block_threads() -> u32 {
        here(|_, block| block.threads)
    }

    pub fn block() -> u32 {
        here(|_, block| block.number)
    }

    pub fn grid_blocks() -> u32 {
        here(|_, block| block.blocks)
    }

    /// Blocks run on three multiprocessors in turn.
    pub fn multiprocessor() -> u32 {
        here(|_, block| block.number % 3)
    }
}

/// Lanes, and a barrier that stands for the convergence of a warp.
pub mod warp {
    use super::here;
    use crate::WARP_SIZE;

    pub const ALL_LANES: u32 = u32::MAX;

    pub fn lane(thread: u32) -> u32 {
        thread % WARP_SIZE
    }

    pub fn converge() {
        here(|thread, block| block.warp_barriers[(thread / WARP_SIZE) as usize].wait());
    }

    pub unsafe fn sync_warp(_: u32) {
        converge();
    }

    pub unsafe fn any_lane(holds: bool) -> bool {
        here(|thread, block| {
            let word = &block.warp_words[(thread / WARP_SIZE) as usize];
            super::any(holds, word, lane(thread) == 0, converge)
        })
    }
}

/// Atomics of the host, at least as strong as the device's.
pub mod atomic {
    use std::sync::atomic::{self, AtomicU32, Ordering};

    pub type Word = AtomicU32;

    pub enum Scope {
        Device,
    }

    pub fn fence(_: Scope) {
        atomic::fence(Ordering::AcqRel);
    }

    macro_rules! atomics {
        ($($name:ident($($argument:ident)?) $($ret:ty)? = $method:ident;)*) => {$(
            pub unsafe fn $name(word: *const Word $(, $argument: u32)?) $(-> $ret)? {
                // SAFETY: the caller's word is valid.
                unsafe { (*word).$method($($argument,)? Ordering::Relaxed) }
            }
        )*};
    }

    atomics! {
        load() u32 = load;
        store(value) = store;
        add(value) u32 = fetch_add;
        and(value) u32 = fetch_and;
        or(value) u32 = fetch_or;
        exchange(value) u32 = swap;
    }

    pub unsafe fn increment_acquire(word: *const Word) -> u32 {
        // SAFETY: the caller's word is valid.
        unsafe { (*word).fetch_add(1, Ordering::Acquire) }
    }

    pub unsafe fn load_acquire(word: *const Word) -> u32 {
        // SAFETY: the caller's word is valid.
        unsafe { (*word).load(Ordering::Acquire) }
    }

    pub unsafe fn increment_wrapping_ordered(word: *const Word, last: u32) -> u32 {
        let next = |old| Some(if old >= last { 0 } else { old + 1 });
        // SAFETY: the caller's word is valid.
        unsafe { &*word }
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, next)
            .expect("always a next value")
    }

    pub unsafe fn wait_until(word: *const Word, enough: impl Fn(u32) -> bool) {
        // SAFETY: passed on from the caller.
        while !enough(unsafe { load(word) }) {
            pause();
        }
    }

    pub fn pause() {
        std::thread::yield_now();
    }
}
