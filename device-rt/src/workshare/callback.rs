//! Loops whose body is a function: the form in which flang shares iterations.
//!
//! Iterations are numbered from 0. Nothing synchronises here.

use core::ffi::c_void;

use crate::arch::id;
use crate::query;

/// How a loop is dealt to workers: `chunk` iterations at a time, in turn.
#[derive(Clone, Copy, Debug)]
pub struct Deal<T> {
    /// The caller's number.
    pub worker: T,
    /// Threads, or teams.
    pub workers: T,
    /// Consecutive iterations; 0 stands for what the kind of loop has by default.
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
    /// Whether nobody has more than one chunk: the compiler has started enough workers.
    pub once: bool,
}

macro_rules! loops {
    ($($t:ty)*) => {$(
        impl Deal<$t> {
            /// To the threads of the parallel region, single iterations by default.
            #[inline(always)]
            pub fn threads(threads: $t, chunk: $t) -> Deal<$t> {
                let chunk = if chunk == 0 { 1 } else { chunk };
                Deal { worker: query::thread_number() as $t, workers: threads, chunk }
            }

            /// To the teams, `default` iterations at a time where no number is given.
            #[inline(always)]
            pub fn teams(chunk: $t, default: $t) -> Deal<$t> {
                let chunk = match (chunk, default) {
                    (0, 0) => 1,
                    (0, default) => default,
                    (chunk, _) => chunk,
                };
                Deal { worker: id::block() as $t, workers: id::grid_blocks() as $t, chunk }
            }

            /// Calls `run` with the bounds of the caller's chunks of 0 to `trips`-1.
            #[inline(always)]
            fn chunks(self, trips: $t, once: bool, mut run: impl FnMut($t, $t)) {
                let stride = self.workers.saturating_mul(self.chunk);
                let mut from = self.worker.saturating_mul(self.chunk);
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
            pub unsafe fn run(self, deal: Deal<$t>) {
                deal.chunks(self.trips, self.once, |from, to| {
                    for iteration in from..to {
                        // SAFETY: passed on from the caller.
                        unsafe { (self.body)(iteration, self.argument) };
                    }
                });
            }

            /// Runs the caller's iterations of a loop that is dealt to the teams, and each team's chunks to its
            /// threads.
            ///
            /// # Safety
            /// As for [`run`](Self::run).
            #[inline(always)]
            pub unsafe fn run_in_teams(self, teams: Deal<$t>, threads: Deal<$t>) {
                teams.chunks(self.trips, self.once, |from, to| {
                    threads.chunks(to - from, self.once, |first, end| {
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
