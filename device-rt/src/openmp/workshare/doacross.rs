//! Loop nests whose iterations wait for others (`ordered(n)`, `depend(sink)`, `doacross`).
//!
//! A bit for each iteration tells whether it has posted. Threads of a warp wait for each other here: the
//! hardware lets diverged lanes take turns (since Volta), and iterations only wait for earlier ones.

use core::ffi::c_void;

use crate::abi::layout::DoacrossDimension as Dimension;
use crate::arch::atomic::{self, Scope, Word};
use crate::arch::heap;
use crate::openmp::team::state;
use crate::openmp::{print, query, sync};

/// A loop nest in the heap: this header, then its dimensions, then the bits.
#[repr(C)]
struct Nest {
    dimensions: u64,
    iterations: u64,
    /// Threads that have left the loop.
    left: Word,
    reserved: u32,
}

impl Dimension {
    /// The number of values.
    fn trips(self) -> u64 {
        let (distance, step) = match self.step > 0 {
            true => (self.upper.wrapping_sub(self.lower), self.step),
            false => (self.lower.wrapping_sub(self.upper), self.step.wrapping_neg()),
        };
        if distance < 0 || step <= 0 { 0 } else { distance as u64 / step as u64 + 1 }
    }

    /// The position of a value, counted from 0; none of a number that is not a value.
    fn position(self, value: i64) -> Option<u64> {
        let (distance, step) = match self.step > 0 {
            true => (value.wrapping_sub(self.lower), self.step),
            false => (self.lower.wrapping_sub(value), self.step.wrapping_neg()),
        };
        if distance < 0 || step <= 0 {
            return None;
        }
        let position = distance as u64 / step as u64;
        (position < self.trips()).then_some(position)
    }
}

const WORD_BITS: u64 = u32::BITS as u64;

/// The nest's dimensions.
///
/// # Safety
/// `nest` is complete.
#[inline(always)]
unsafe fn dimensions(nest: *mut Nest) -> *mut Dimension {
    // SAFETY: they follow the header.
    unsafe { nest.add(1).cast() }
}

/// The nest's bits.
///
/// # Safety
/// `nest` is complete.
#[inline(always)]
unsafe fn posted(nest: *mut Nest) -> *mut Word {
    // SAFETY: they follow the dimensions.
    unsafe { dimensions(nest).add((*nest).dimensions as usize).cast() }
}

/// Starts a nest of `count` loops.
///
/// Who must arrive: all threads of the region, with the same nest. Orders all memory among them. A region of
/// one thread has its iterations in order anyway.
///
/// # Safety
/// As said; `nest` is an array of `count`.
pub unsafe fn begin_doacross(nest: *const Dimension, count: u64) {
    let threads = query::threads();
    if threads == 1 {
        return;
    }
    let number = query::thread_number();
    // SAFETY: one thread makes the nest between barriers; each word of bits is cleared by one thread.
    unsafe {
        sync::barrier();
        if number == 0 {
            let mut iterations = 1u64;
            for index in 0..count as usize {
                iterations = iterations.saturating_mul((*nest.add(index)).trips());
            }
            let words = iterations.div_ceil(WORD_BITS);
            let head = (size_of::<Nest>() + count as usize * size_of::<Dimension>()) as u64;
            let memory = heap::allocate(head + words * size_of::<Word>() as u64).cast::<Nest>();
            if memory.is_null() {
                print::heap_is_full();
            }
            memory.cast::<u64>().write(count);
            (&raw mut (*memory).iterations).write(iterations);
            atomic::store(&raw const (*memory).left, 0);
            for index in 0..count as usize {
                dimensions(memory).add(index).write(nest.add(index).read());
            }
            state::doacross().write(memory.cast());
        }
        sync::barrier();
        let nest = state::doacross().read().cast::<Nest>();
        let words = (*nest).iterations.div_ceil(WORD_BITS);
        let mut word = u64::from(number);
        while word < words {
            atomic::store(posted(nest).add(word as usize), 0);
            word += u64::from(threads);
        }
        sync::barrier();
    }
}

/// The number of the iteration with these values of the loops' variables; none outside the nest.
///
/// # Safety
/// Inside a nest; `values` has one for each loop.
#[inline(always)]
unsafe fn iteration(nest: *mut Nest, values: *const i64) -> Option<u64> {
    let mut number = 0;
    // SAFETY: written before the barrier at the nest's start.
    unsafe {
        for index in 0..(*nest).dimensions as usize {
            let dimension = dimensions(nest).add(index).read();
            number = number * dimension.trips() + dimension.position(values.add(index).read())?;
        }
    }
    Some(number)
}

/// Waits until the iteration with these values has posted. What it did before it posted happens before what
/// the caller does next. Does not wait for an iteration outside the nest.
///
/// # Safety
/// Inside a nest of [`begin_doacross`], in an iteration after the one with these values.
pub unsafe fn wait(values: *const i64) {
    if query::threads() == 1 {
        return;
    }
    // SAFETY: passed on from the caller; the bits are only accessed atomically.
    unsafe {
        let nest = state::doacross().read().cast::<Nest>();
        let Some(iteration) = iteration(nest, values) else { return };
        let word = posted(nest).add((iteration / WORD_BITS) as usize);
        let bit = 1 << (iteration % WORD_BITS);
        atomic::wait_until(word, |bits| bits & bit != 0);
    }
    atomic::fence(Scope::Block);
}

/// Posts the iteration with these values: others that wait for it go on.
///
/// # Safety
/// Inside a nest of [`begin_doacross`].
pub unsafe fn post(values: *const i64) {
    if query::threads() == 1 {
        return;
    }
    atomic::fence(Scope::Block);
    // SAFETY: passed on from the caller; the bits are only accessed atomically.
    unsafe {
        let nest = state::doacross().read().cast::<Nest>();
        let Some(iteration) = iteration(nest, values) else { return };
        atomic::or(posted(nest).add((iteration / WORD_BITS) as usize), 1 << (iteration % WORD_BITS));
    }
}

/// Leaves the nest: every thread of the region comes here once. The last one releases its memory.
///
/// # Safety
/// As said.
pub unsafe fn end_doacross() {
    let threads = query::threads();
    if threads == 1 {
        return;
    }
    // SAFETY: the next nest is made after a barrier, which this thread has yet to reach.
    unsafe {
        let nest = state::doacross().read();
        atomic::fence(Scope::Block);
        if atomic::add(&raw const (*nest.cast::<Nest>()).left, 1) == threads - 1 {
            atomic::fence(Scope::Block);
            heap::release(nest.cast::<c_void>());
        }
    }
}
