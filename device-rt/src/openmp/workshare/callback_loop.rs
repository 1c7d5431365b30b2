//! Loops whose body is a function, as flang calls them.
//!
//! Iterations are numbered from 0. Nothing synchronises here.

use core::ffi::c_void;
use core::num::NonZero;

use super::participant;
use crate::USUAL_THREADS;
use crate::arch::{id, own_copy};
use crate::openmp::query;
use crate::static_schedule::{Bounds, Schedule};

/// The chunks of one thread or team of a static schedule: `chunk` iterations at a time, round-robin.
#[derive(Clone, Copy, Debug)]
pub struct StaticChunks<T> {
    /// The caller's number.
    pub number: T,
    /// How many threads or teams share the loop.
    pub of: T,
    /// Consecutive iterations.
    pub chunk: T,
}

/// A loop and its body.
#[derive(Clone, Copy, Debug)]
pub struct Loop<T> {
    /// `(iteration, argument)`.
    pub body: unsafe extern "C" fn(T, *mut c_void),
    /// What every call of the body gets.
    pub argument: *mut c_void,
    /// How many iterations there are.
    pub trips: T,
    /// Whether none has more than one chunk: the compiler has started enough threads or teams.
    pub once: bool,
}

macro_rules! loops {
    ($($t:ty)*) => {$(
        impl StaticChunks<$t> {
            /// Those of the caller among the threads of the parallel region; single iterations where `chunk`
            /// is 0.
            #[inline(always)]
            pub fn of_threads(threads: $t, chunk: $t) -> StaticChunks<$t> {
                let chunk = if chunk == 0 { 1 } else { chunk };
                StaticChunks { number: query::thread_number() as $t, of: threads, chunk }
            }

            /// Those of the caller's team; `default` iterations, or 1, where `chunk` is 0.
            #[inline(always)]
            pub fn of_teams(chunk: $t, default: $t) -> StaticChunks<$t> {
                let chunk = match (chunk, default) {
                    (0, 0) => 1,
                    (0, default) => default,
                    (chunk, _) => chunk,
                };
                StaticChunks { number: id::block() as $t, of: id::grid_blocks() as $t, chunk }
            }

            /// Calls `run` with the bounds of each chunk of 0 to `trips`-1.
            #[inline(always)]
            fn for_each(self, trips: $t, once: bool, mut run: impl FnMut($t, $t)) {
                let stride = self.of.saturating_mul(self.chunk);
                let mut from = self.number.saturating_mul(self.chunk);
                while from < trips {
                    let left = trips - from;
                    run(from, if left < self.chunk { trips } else { from + self.chunk });
                    if once || left <= stride {
                        break;
                    }
                    from += stride;
                }
            }
        }

        impl Loop<$t> {
            /// Runs the caller's iterations.
            ///
            /// # Safety
            /// The body may be called with the argument and every iteration.
            #[inline(always)]
            pub unsafe fn run(self, chunks: StaticChunks<$t>) {
                chunks.for_each(self.trips, self.once, |from, to| {
                    for iteration in from..to {
                        // SAFETY: passed on from the caller.
                        unsafe { (self.body)(iteration, self.argument) };
                    }
                });
            }

            /// Runs the caller's iterations of a loop that `threads` threads share, where the schedule is the runtime's
            /// choice: neighbours take neighbouring iterations.
            ///
            /// # Safety
            /// As for [`run`](Self::run).
            #[inline(always)]
            pub unsafe fn run_side_by_side(self, threads: $t) {
                // SAFETY: passed on from the caller.
                unsafe { self.run_range(0, self.trips, threads) };
            }

            /// Runs the caller's iterations of a loop that the threads of all teams share, where the schedule is the
            /// runtime's choice: each team has one chunk, whose iterations its threads take side by side.
            ///
            /// # Safety
            /// As for [`run`](Self::run).
            #[inline(always)]
            pub unsafe fn run_in_one_chunk(self, threads: $t) {
                if self.trips == 0 {
                    return;
                }
                let schedule = Schedule::DISTRIBUTE_ONE_EACH;
                let bounds =
                    Bounds::<$t>::of(schedule, participant(schedule), 0, self.trips - 1, NonZero::new(threads));
                // A team without iterations has the bounds behind the last one, and no stride.
                if bounds.stride != 0 {
                    // SAFETY: passed on from the caller.
                    unsafe { self.run_range(bounds.lower, bounds.upper + 1, threads) };
                }
            }

            /// Runs the caller's iterations from `first` to `end`-1, which `threads` threads share.
            ///
            /// Blocks of the usual size have a copy of the body in which the stride is a constant, so that LLVM unrolls it.
            ///
            /// # Safety
            /// As for [`run`](Self::run).
            #[inline(always)]
            unsafe fn run_range(self, first: $t, end: $t, threads: $t) {
                const USUAL: $t = USUAL_THREADS as $t;
                let thread = query::thread_number() as $t;
                let range = end - first;
                if threads == USUAL {
                    own_copy();
                    let mine = if thread < range { (range - thread - 1) / USUAL + 1 } else { 0 };
                    for turn in 0..mine {
                        // SAFETY: passed on from the caller; below `end`.
                        unsafe { (self.body)(first + thread + turn * USUAL, self.argument) };
                    }
                    own_copy();
                } else if thread < range {
                    let (mut iteration, mut left) = (first + thread, range - thread);
                    loop {
                        // SAFETY: passed on from the caller.
                        unsafe { (self.body)(iteration, self.argument) };
                        if left <= threads {
                            break;
                        }
                        left -= threads;
                        iteration += threads;
                    }
                }
            }

            /// Runs the caller's iterations of a loop whose chunks the teams share, and whose threads share
            /// each chunk.
            ///
            /// # Safety
            /// As for [`run`](Self::run).
            #[inline(always)]
            pub unsafe fn run_in_teams(self, teams: StaticChunks<$t>, threads: StaticChunks<$t>) {
                teams.for_each(self.trips, self.once, |from, to| {
                    threads.for_each(to - from, self.once, |first, end| {
                        for iteration in from + first..from + end {
                            // SAFETY: passed on from the caller.
                            unsafe { (self.body)(iteration, self.argument) };
                        }
                    });
                });
            }
        }
    )*};
}

loops! { u32 u64 }
