//! The hardware layer of the device runtime, for blocks of one thread that loom runs.

use std::cell::Cell;

loom::thread_local! {
    static BLOCK: Cell<(u32, u32)> = Cell::new((0, 1));
}

/// Makes the calling thread block `number` of `blocks`.
pub fn enter(number: u32, blocks: u32) {
    BLOCK.with(|block| block.set((number, blocks)));
}

/// The barrier of a block of one thread.
pub fn block_sync() {}

/// The value of the only thread.
pub fn block_sync_any(holds: bool) -> bool {
    holds
}

/// Ids and sizes.
pub mod id {
    use super::BLOCK;

    /// There is one thread.
    pub fn thread() -> u32 {
        0
    }

    /// There is one thread.
    pub fn block_threads() -> u32 {
        1
    }

    /// The number of the caller's block.
    pub fn block() -> u32 {
        BLOCK.with(|block| block.get().0)
    }

    /// The number of blocks.
    pub fn grid_blocks() -> u32 {
        BLOCK.with(|block| block.get().1)
    }

    /// All blocks run on one multiprocessor, which gives the most contention.
    pub fn multiprocessor() -> u32 {
        0
    }
}

/// Lanes.
pub mod warp {
    /// The mask of all lanes.
    pub const ALL_LANES: u32 = u32::MAX;

    /// There is one.
    pub fn lane(thread: u32) -> u32 {
        thread
    }

    /// Nothing is waited for.
    ///
    /// # Safety
    /// Nothing is asked.
    pub unsafe fn sync_warp(_: u32) {}

    /// The value of the only lane.
    ///
    /// # Safety
    /// Nothing is asked.
    pub unsafe fn any_lane(holds: bool) -> bool {
        holds
    }
}

/// Atomics and fences, as loom has them: relaxed, with fences beside them, but for one that orders by itself.
pub mod atomic {
    use std::sync::atomic::{AtomicU32 as StdAtomicU32, Ordering as StdOrdering};

    use loom::sync::atomic::{self, AtomicU32, Ordering};

    /// A word that threads share.
    pub type Word = AtomicU32;

    /// The threads that a fence orders memory for.
    pub enum Scope {
        /// Those of the device.
        Device,
    }

    /// The number, from 1 in each block, of the fence that is left out; 0 for none. The ordered increment counts as
    /// two, a release and an acquire, an access that acquires as one. A model that does not notice it proves nothing.
    pub static LEFT_OUT: StdAtomicU32 = StdAtomicU32::new(0);

    loom::thread_local! {
        static FENCES: std::cell::Cell<u32> = std::cell::Cell::new(0);
    }

    /// Counts a fence; false if it is the one that is left out.
    fn stays() -> bool {
        let number = FENCES.with(|count| {
            count.set(count.get() + 1);
            count.get()
        });
        number != LEFT_OUT.load(StdOrdering::Relaxed)
    }

    /// Acquire and release.
    pub fn fence(_: Scope) {
        if stays() {
            atomic::fence(Ordering::AcqRel);
        }
    }

    macro_rules! atomics {
        ($($name:ident($($argument:ident)?) $($ret:ty)? = $method:ident;)*) => {$(
            /// As in the device runtime.
            ///
            /// # Safety
            /// `word` is valid.
            pub unsafe fn $name(word: *const Word $(, $argument: u32)?) $(-> $ret)? {
                // SAFETY: passed on from the caller.
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

    fn acquire() -> Ordering {
        if stays() { Ordering::Acquire } else { Ordering::Relaxed }
    }

    /// As in the device runtime.
    ///
    /// # Safety
    /// `word` is valid.
    pub unsafe fn increment_acquire(word: *const Word) -> u32 {
        // SAFETY: passed on from the caller.
        unsafe { (*word).fetch_add(1, acquire()) }
    }

    /// As in the device runtime.
    ///
    /// # Safety
    /// `word` is valid.
    pub unsafe fn load_acquire(word: *const Word) -> u32 {
        // SAFETY: passed on from the caller.
        unsafe { (*word).load(acquire()) }
    }

    /// As in the device runtime.
    ///
    /// # Safety
    /// `word` is valid.
    pub unsafe fn increment_wrapping_ordered(word: *const Word, last: u32) -> u32 {
        let next = |old| Some(if old >= last { 0 } else { old + 1 });
        let (both, read) = match (stays(), stays()) {
            (true, true) => (Ordering::AcqRel, Ordering::Acquire),
            (false, _) => (Ordering::Acquire, Ordering::Acquire),
            (true, false) => (Ordering::Release, Ordering::Relaxed),
        };
        // SAFETY: passed on from the caller.
        let word = unsafe { &*word };
        word.fetch_update(both, read, next).unwrap_or_else(|old| old)
    }

    /// Waits until `enough` holds.
    ///
    /// # Safety
    /// `word` is valid.
    pub unsafe fn wait_until(word: *const Word, enough: impl Fn(u32) -> bool) {
        // SAFETY: passed on from the caller.
        while !enough(unsafe { load(word) }) {
            pause();
        }
    }

    /// Lets another block run, and ends the exploration of this order: a poll without success changes
    /// nothing, so orders in which the block polls at the right time cover the rest.
    pub fn pause() {
        loom::skip_branch();
        loom::thread::yield_now();
    }
}
