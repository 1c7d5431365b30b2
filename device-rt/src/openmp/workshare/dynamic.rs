//! Loops whose chunks threads take at run time: `schedule(dynamic)`, `guided`, `runtime`, and `ordered`
//! loops.
//!
//! The loop is described once for all threads of the region, in the team's state. What a thread has done of
//! it, where that matters, is in the variables that the caller passes each time: compilers set them to the
//! whole loop before the first chunk, and do not change them between two.

use core::num::NonZero;

use super::dispatch::{ChunkSchedule, Dispatch};
use crate::arch::atomic;
use crate::arch::id;
use crate::arch::warp::{self, active_lanes};
use crate::openmp::team::state;
use crate::openmp::{query, sync};

/// A loop as compilers describe it, for one width of its variable.
#[derive(Clone, Copy, Debug)]
pub struct Extent<T> {
    /// The variable's first value.
    pub lower: T,
    /// Its last one; compilers make its step 1.
    pub upper: T,
}

/// What [`Extent::next`] reads and writes: the caller's variables.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<T> {
    /// 1 where the chunk has the loop's last iteration.
    pub last: *mut i32,
    /// The chunk's first value; before the first chunk the loop's.
    pub lower: *mut T,
    /// The chunk's last value; before the first chunk the loop's.
    pub upper: *mut T,
    /// 1 before the first chunk, 0 after it.
    pub stride: *mut T,
}

/// Describes the loop of the region.
///
/// Who must arrive: all threads of the region. Orders all memory among them. A region of one thread has
/// nothing to describe.
///
/// # Safety
/// The threads arrive as said, and all have left the region's previous loop.
#[inline(always)]
unsafe fn begin(schedule: ChunkSchedule, first: u64, trips: u64, chunk: u64) {
    if query::threads() == 1 {
        return;
    }
    // After this barrier all threads have left the previous loop.
    sync::barrier();
    if query::thread_number() == 0 {
        let loop_ = state::dispatch();
        // SAFETY: one thread writes, between two barriers.
        unsafe {
            (*loop_).first = first;
            (*loop_).trips = trips;
            // At most the whole loop: `taken` cannot overflow.
            (*loop_).chunk = if chunk > trips { trips } else { chunk };
            (*loop_).schedule = schedule;
            atomic::store_long(&raw const (*loop_).taken, 0);
        }
    }
    sync::barrier();
}

/// A chunk of the region's loop: its first iteration, and the number of them.
type Taken = Option<(u64, u64)>;

/// Takes the next chunk of a dynamic loop: one atomic operation for the lanes that execute together.
///
/// # Safety
/// Inside the loop.
#[inline(always)]
unsafe fn take_dynamic(loop_: *const Dispatch) -> Taken {
    // SAFETY: written before the barrier at the loop's start; the active lanes go on together.
    unsafe {
        let (chunk, trips) = ((*loop_).chunk, (*loop_).trips);
        let lanes = active_lanes();
        let lane = warp::lane(id::thread());
        let leader = lanes.trailing_zeros();
        let mut base = 0;
        if lane == leader {
            base = atomic::add_long(&raw const (*loop_).taken, chunk * u64::from(lanes.count_ones()));
        }
        let half = |half: u64| u64::from(warp::shuffle_from(lanes, half as u32, leader));
        let base = half(base) | half(base >> 32) << 32;
        let mine = base + chunk * u64::from((lanes & ((1 << lane) - 1)).count_ones());
        within(mine, chunk, trips)
    }
}

/// Takes the next chunk of a guided loop.
///
/// # Safety
/// Inside the loop.
#[inline(always)]
unsafe fn take_guided(loop_: *const Dispatch) -> Taken {
    // SAFETY: written before the barrier at the loop's start, or atomic.
    unsafe {
        let (least, trips) = ((*loop_).chunk, (*loop_).trips);
        let sharers = NonZero::new(2 * u64::from(query::threads())).unwrap_or(NonZero::<u64>::MIN);
        let mut taken = atomic::load_long(&raw const (*loop_).taken);
        loop {
            if taken >= trips {
                return None;
            }
            let share = (trips - taken) / sharers + 1;
            let size = if share > least { share } else { least };
            let next = if trips - taken > size { taken + size } else { trips };
            let seen = atomic::compare_exchange_long(&raw const (*loop_).taken, taken, next);
            if seen == taken {
                return Some((taken, next - taken));
            }
            taken = seen;
        }
    }
}

/// A chunk, cut off at the end of the loop.
#[inline(always)]
fn within(first: u64, chunk: u64, trips: u64) -> Taken {
    (first < trips).then(|| (first, if trips - first < chunk { trips - first } else { chunk }))
}

/// Schedule arguments of the ABI, without hints; for ordered loops 32 is added.
const DYNAMIC: i32 = 35;
const GUIDED: i32 = 36;
const RUNTIME: i32 = 37;
const ORDERED: i32 = 64;

/// The schedule and chunk that a schedule argument of the ABI and its chunk stand for.
#[inline(always)]
fn resolved(schedule: i32, chunk: i64) -> (ChunkSchedule, i64) {
    match schedule & !(3 << 29) {
        schedule if schedule > ORDERED => (ChunkSchedule::InOrder, 1),
        DYNAMIC => (ChunkSchedule::Dynamic, chunk),
        GUIDED => (ChunkSchedule::Guided, chunk),
        RUNTIME => {
            // SAFETY: only the initial task writes them, outside of regions.
            let icvs = unsafe { state::icvs().read() };
            let schedule = match icvs.schedule & !query::MONOTONIC {
                2 => ChunkSchedule::Dynamic,
                3 => ChunkSchedule::Guided,
                _ => ChunkSchedule::Static,
            };
            (schedule, i64::from(icvs.chunk))
        }
        // Static, or the runtime's choice: neighbouring threads have neighbouring iterations.
        _ => (ChunkSchedule::Static, chunk),
    }
}

macro_rules! extents {
    ($($t:ty, $signed:ty;)*) => {$(
        impl Extent<$t> {
            /// How many iterations the loop has; `is_signed` says how its variable is to be compared.
            #[inline(always)]
            fn trips(self, is_signed: bool) -> u64 {
                let none = match is_signed {
                    true => self.lower as $signed > self.upper as $signed,
                    false => self.lower > self.upper,
                };
                if none { 0 } else { u64::from(self.upper.wrapping_sub(self.lower)).saturating_add(1) }
            }

            /// Starts the loop.
            ///
            /// Who must arrive: all threads of the region. Orders all memory among them.
            ///
            /// # Safety
            /// As said, and all have left the region's previous loop.
            #[inline(always)]
            pub unsafe fn begin(self, schedule: i32, chunk: $signed, is_signed: bool) {
                let trips = self.trips(is_signed);
                let (schedule, chunk) = resolved(schedule, i64::from(chunk));
                let chunk = if chunk < 1 { 1 } else { chunk as u64 };
                // SAFETY: passed on from the caller.
                unsafe { begin(schedule, u64::from(self.lower), trips, chunk) }
            }

            /// Takes the caller's next chunk; returns 0 if there is none, else 1.
            ///
            /// # Safety
            /// Between [`begin`](Self::begin) and the loop's end; the pointers are valid, and what they point
            /// to is as compilers leave it.
            #[inline(always)]
            pub unsafe fn next(chunk: Chunk<$t>, is_signed: bool) -> i32 {
                // SAFETY: passed on from the caller.
                unsafe {
                    let is_first = chunk.stride.read() != 0;
                    let loop_ = state::dispatch();
                    let alone = query::threads() == 1;
                    if alone || (*loop_).schedule == ChunkSchedule::InOrder {
                        // The caller's variables have the whole loop.
                        let mine = is_first && query::thread_number() == 0;
                        let whole = Extent::<$t> { lower: chunk.lower.read(), upper: chunk.upper.read() };
                        let any = mine && whole.trips(is_signed) > 0;
                        chunk.stride.write(0);
                        chunk.last.write(any as i32);
                        return any as i32;
                    }
                    let (first, trips) = ((*loop_).first, (*loop_).trips);
                    let taken = match (*loop_).schedule {
                        ChunkSchedule::Dynamic => take_dynamic(loop_),
                        ChunkSchedule::Guided => take_guided(loop_),
                        _ => {
                            let (size, threads) = ((*loop_).chunk, u64::from(query::threads()));
                            let start = if is_first {
                                u64::from(query::thread_number()).saturating_mul(size)
                            } else {
                                let before = u64::from(chunk.lower.read().wrapping_sub(first as $t));
                                before.saturating_add(size.saturating_mul(threads))
                            };
                            within(start, size, trips)
                        }
                    };
                    chunk.stride.write(0);
                    let Some((start, size)) = taken else { return 0 };
                    let lower = (first as $t).wrapping_add(start as $t);
                    chunk.lower.write(lower);
                    chunk.upper.write(lower.wrapping_add((size - 1) as $t));
                    chunk.last.write((start + size == trips) as i32);
                    1
                }
            }
        }
    )*};
}

extents! {
    u32, i32;
    u64, i64;
}
