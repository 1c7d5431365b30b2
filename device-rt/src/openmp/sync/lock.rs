//! OpenMP's locks, and critical regions: words in memory that all threads of the device can reach.
//!
//! Threads of one warp may compete: the hardware lets diverged lanes take turns (since Volta).

use crate::arch::atomic::{self, Scope, Word, Word64};
use crate::arch::{id, system};

/// How long a thread that finds a lock taken sleeps before it tries again, in nanoseconds: the first time,
/// and at most; each time twice as long as the last.
const SLEEP: [u32; 2] = [32, 1024];

/// Waits longer each time: the thread that holds the lock shares the memory with those that poll it.
struct Backoff(u32);

impl Backoff {
    #[inline(always)]
    fn wait(&mut self) {
        system::nanosleep(self.0);
        if self.0 < SLEEP[1] {
            self.0 *= 2;
        }
    }
}

/// Waits for the lock and takes it: 0 is free, 1 is taken. What its last holder did happens before what the
/// caller does next.
///
/// # Safety
/// The word is a lock.
#[inline(always)]
pub unsafe fn set(lock: *const Word) {
    let mut backoff = Backoff(SLEEP[0]);
    // SAFETY: passed on from the caller.
    unsafe {
        while !test(lock) {
            // Threads that wait only read: an exchange would take the word away from the others each time.
            loop {
                backoff.wait();
                if atomic::load(lock) == 0 {
                    break;
                }
            }
        }
    }
}

/// Takes the lock if it is free; returns whether it did. What its last holder did then happens before what
/// follows.
///
/// # Safety
/// The word is a lock.
#[inline(always)]
pub unsafe fn test(lock: *const Word) -> bool {
    // SAFETY: passed on from the caller.
    let free = unsafe { atomic::exchange(lock, 1) } == 0;
    atomic::fence(Scope::Device);
    free
}

/// Releases the lock, which the caller holds.
///
/// # Safety
/// The word is a lock.
#[inline(always)]
pub unsafe fn unset(lock: *const Word) {
    atomic::fence(Scope::Device);
    // SAFETY: passed on from the caller.
    unsafe { atomic::store(lock, 0) }
}

/// A nestable lock has the number of times that it is held in its low bits, and above them its owner, counted
/// from 1.
const DEPTH_BITS: u32 = 16;
const DEPTH: u64 = (1 << DEPTH_BITS) - 1;

/// The caller as the owner of nestable locks: its number among the threads of the launch, from 1.
#[inline(always)]
fn me() -> u64 {
    (u64::from(id::block()) * 1024 + u64::from(id::thread()) + 1) << DEPTH_BITS
}

/// Waits for a nestable lock, which the caller may hold already, and takes it. As [`set`].
///
/// # Safety
/// The word is a nestable lock.
#[inline(always)]
pub unsafe fn set_nested(lock: *const Word64) {
    let mut backoff = Backoff(SLEEP[0]);
    // SAFETY: passed on from the caller.
    while unsafe { test_nested(lock) } == 0 {
        backoff.wait();
    }
}

/// Takes a nestable lock if it is free or the caller's; returns how many times the caller then holds it, or
/// 0.
///
/// # Safety
/// The word is a nestable lock.
#[inline(always)]
pub unsafe fn test_nested(lock: *const Word64) -> i32 {
    let me = me();
    // SAFETY: passed on from the caller; while the caller owns it, no other thread changes it.
    unsafe {
        let held = atomic::load_long(lock);
        if held & !DEPTH == me {
            atomic::store_long(lock, held + 1);
            return (held & DEPTH) as i32 + 1;
        }
        let free = held == 0 && atomic::compare_exchange_long(lock, 0, me + 1) == 0;
        atomic::fence(Scope::Device);
        free as i32
    }
}

/// Releases a nestable lock once.
///
/// # Safety
/// The word is a nestable lock, which the caller holds.
#[inline(always)]
pub unsafe fn unset_nested(lock: *const Word64) {
    atomic::fence(Scope::Device);
    // SAFETY: passed on from the caller, which owns it: no other thread changes it.
    unsafe {
        let held = atomic::load_long(lock);
        atomic::store_long(lock, if held & DEPTH <= 1 { 0 } else { held - 1 });
    }
}

/// Makes a lock that no thread holds.
///
/// # Safety
/// The word is valid and no thread uses it; it is a lock from now on.
#[inline(always)]
pub unsafe fn init(lock: *const Word64) {
    // SAFETY: passed on from the caller.
    unsafe { atomic::store_long(lock, 0) }
}
