//! A counting allocator, so that a trial's memory can be compared with its input's size.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Live bytes at which an allocation fails, which ends the process; the parent process reports the input.
const HARD_LIMIT: usize = 3 << 30;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, with counts, which a program that fuzzes has as its global one: otherwise no memory is seen to be
/// used.
pub struct CountingAllocator;

#[cfg(test)]
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn grown(bytes: usize) -> bool {
    let live = LIVE.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(live, Relaxed);
    if live > HARD_LIMIT {
        LIVE.fetch_sub(bytes, Relaxed);
    }
    live <= HARD_LIMIT
}

// SAFETY: every call is passed on to the system's allocator unchanged; counting touches no memory of the
// caller's, and a failed allocation returns the null pointer that the trait allows.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !grown(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promises are those of `System.alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !grown(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promises are those of `System.alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    // Large blocks grow in place or by moving pages: there are never two copies.
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        LIVE.fetch_sub(layout.size(), Relaxed);
        if !grown(bytes) {
            LIVE.fetch_add(layout.size(), Relaxed);
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promises are those of `System.realloc`.
        unsafe { System.realloc(old, layout, bytes) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promises are those of `System.dealloc`.
        unsafe { System.dealloc(old, layout) }
    }
}

/// Runs `body`; returns its result and by how many bytes at most the heap has grown meanwhile.
pub fn peak<T>(body: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = body();
    (result, PEAK.load(Relaxed).saturating_sub(before))
}
