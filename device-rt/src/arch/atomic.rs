//! Atomics and fences between threads of a block or of the device.
//!
//! Atomics are at device scope, and relaxed unless they say otherwise: pair them with a [`fence`].

use core::cell::UnsafeCell;

/// A 32-bit word that threads access only by atomics. Zeroed memory is a word of 0.
#[derive(Debug)]
#[repr(transparent)]
pub struct Word(UnsafeCell<u32>);

/// A 64-bit word, aligned to 8 bytes, that threads access only by atomics.
#[derive(Debug)]
#[repr(transparent)]
pub struct Word64(UnsafeCell<u64>);

unsafe extern "C" {
    fn __warpfold_load_device(word: *const Word) -> u32;
    fn __warpfold_store_device(word: *const Word, value: u32);
    fn __warpfold_add_device(word: *const Word, value: u32) -> u32;
    fn __warpfold_and_device(word: *const Word, value: u32) -> u32;
    fn __warpfold_or_device(word: *const Word, value: u32) -> u32;
    fn __warpfold_exchange_device(word: *const Word, value: u32) -> u32;
    fn __warpfold_increment_wrapping_ordered_device(word: *const Word, last: u32) -> u32;
    fn __warpfold_increment_acquire_device(word: *const Word) -> u32;
    fn __warpfold_load_acquire_device(word: *const Word) -> u32;
    fn __warpfold_load_long(long: *const Word64) -> u64;
    fn __warpfold_store_long(long: *const Word64, value: u64);
    fn __warpfold_add_long(long: *const Word64, value: u64) -> u64;
    fn __warpfold_compare_exchange_long(long: *const Word64, expected: u64, value: u64) -> u64;
    fn __warpfold_fence_block();
    fn __warpfold_fence_device();
}

/// The threads that a fence orders memory for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those of the block (PTX `.cta`).
    Block,
    /// Those of the device (PTX `.gpu`).
    Device,
}

/// Orders this thread's earlier reads and writes before its later ones, as threads in `scope` see
/// them (acquire and release). Concerns the calling thread only; no other thread need arrive.
#[inline(always)]
pub fn fence(scope: Scope) {
    // SAFETY: a fence has no precondition.
    unsafe {
        match scope {
            Scope::Block => __warpfold_fence_block(),
            Scope::Device => __warpfold_fence_device(),
        }
    }
}

macro_rules! atomics {
    ($of:ident $bits:ident: $(
        $(#[$doc:meta])* $name:ident($($argument:ident),*) $($ret:ty)? = $symbol:ident;
    )*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// `word` is valid, in global or shared memory, and only accessed atomically while this may run.
        #[inline(always)]
        pub unsafe fn $name(word: *const $of $(, $argument: $bits)*) $(-> $ret)? {
            // SAFETY: passed on from the caller.
            unsafe { $symbol(word $(, $argument)*) }
        }
    )*};
}

atomics! { Word u32:
    /// The value.
    load() u32 = __warpfold_load_device;
    /// Sets the value.
    store(value) = __warpfold_store_device;
    /// Adds; returns the old value.
    add(value) u32 = __warpfold_add_device;
    /// Ands with `value`; returns the old value.
    and(value) u32 = __warpfold_and_device;
    /// Ors with `value`; returns the old value.
    or(value) u32 = __warpfold_or_device;
    /// Sets the value; returns the old one.
    exchange(value) u32 = __warpfold_exchange_device;
    /// Adds 1, or makes it 0 if it is `last` or more; returns the old value. Acquire and release: what this
    /// thread did before, and what a barrier ordered before that, is ordered before what a thread does that finds
    /// this or a later value by such an access. `word` is in global memory.
    increment_wrapping_ordered(last) u32 = __warpfold_increment_wrapping_ordered_device;
    /// Adds 1; returns the old value. Acquire: what follows is ordered after what came before the fence before a write
    /// of that value, or of one that it was made from. `word` is in global memory.
    increment_acquire() u32 = __warpfold_increment_acquire_device;
    /// The value. Acquire, as [`increment_acquire`].
    load_acquire() u32 = __warpfold_load_acquire_device;
}

atomics! { Word64 u64:
    /// The value.
    load_long() u64 = __warpfold_load_long;
    /// Sets the value.
    store_long(value) = __warpfold_store_long;
    /// Adds; returns the old value.
    add_long(value) u64 = __warpfold_add_long;
    /// Sets the value if it is `expected`; returns the old value.
    compare_exchange_long(expected, value) u64 = __warpfold_compare_exchange_long;
}

/// Waits until `enough` holds of the value.
///
/// # Safety
/// As for [`load`]; some thread that has started, and does not wait for this one, makes it hold.
#[inline(always)]
pub unsafe fn wait_until(word: *const Word, enough: impl Fn(u32) -> bool) {
    // SAFETY: passed on from the caller.
    while !enough(unsafe { load(word) }) {
        pause();
    }
}

/// Between two polls of a word that other threads change. Does nothing on a GPU, which schedules its warps by
/// itself; simulated threads yield here.
#[inline(always)]
pub fn pause() {}
