//! Loops whose chunks are taken while they run: `schedule(dynamic)`, `guided`, `runtime`, and `ordered` ones.
//!
//! The loop is described once for all threads of the region, in the team's state; what a thread has done of
//! it, where that matters, is in the variables that the caller passes each time: compilers set them to the
//! whole loop before the first chunk, and leave them alone between two.

use core::num::NonZero;

use crate::arch::atomic::{self, Long};
use crate::arch::id;
use crate::arch::warp::{self, active_lanes};
use crate::team::state;
use crate::{query, sync};

/// A loop that the threads of a parallel region take chunks of. Iterations are counted from 0.
#[derive(Debug)]
#[repr(C)]
pub struct Dispatch {
    /// Iterations that are taken; more than there are when none is left.
    taken: Long,
    /// The first value of the loop's variable.
    first: u64,
    trips: u64,
    chunk: u64,
    kind: Kind,
}

/// How chunks are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Kind {
    /// Thread t of T has chunks t, t+T, t+2T …
    Static,
    /// Whoever comes first has the next chunk.
    Dynamic,
    /// The same, with chunks that become smaller: half of an equal share of what is left.
    Guided,
    /// The first thread has the whole loop: its iterations come one after the other.
    InOrder,
}

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
/// The threads arrive as said, and all have left the region's loop before.
#[inline(always)]
unsafe fn begin(kind: Kind, first: u64, trips: u64, chunk: u64) {
    if query::threads() == 1 {
        return;
    }
    // The loop before has been left by all when this barrier has passed.
    sync::barrier();
    if query::thread_number() == 0 {
        let loop_ = state::dispatch();
        // SAFETY: one thread writes, between two barriers.
        unsafe {
            (*loop_).first = first;
            (*loop_).trips = trips;
            // Never more than the loop has: `taken` cannot overflow.
            (*loop_).chunk = if chunk > trips { trips } else { chunk };
            (*loop_).kind = kind;
            atomic::store_long(&raw const (*loop_).taken, 0);
        }
    }
    sync::barrier();
}

/// A chunk of the region's loop: its first iteration, and how many there are.
type Taken = Option<(u64, u64)>;

/// Takes the next chunk of a dynamic loop: one atomic operation for the lanes that come together.
///
/// # Safety
/// Inside the loop.
#[inline(always)]
unsafe fn take(loop_: *const Dispatch) -> Taken {
    // SAFETY: written before the barrier at the loop's start; lanes that see each other here pass on together.
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
unsafe fn take_share(loop_: *const Dispatch) -> Taken {
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

/// A chunk as far as the loop reaches.
#[inline(always)]
fn within(first: u64, chunk: u64, trips: u64) -> Taken {
    (first < trips).then(|| (first, if trips - first < chunk { trips - first } else { chunk }))
}

/// Kinds of schedule in the ABI, without hints: the ordered ones are 32 above the others.
const DYNAMIC: i32 = 35;
const GUIDED: i32 = 36;
const RUNTIME: i32 = 37;
const ORDERED: i32 = 64;

impl Kind {
    /// What a schedule of the ABI and its chunk come to.
    #[inline(always)]
    fn settled(schedule: i32, chunk: i64) -> (Kind, i64) {
        match schedule & !(3 << 29) {
            schedule if schedule > ORDERED => (Kind::InOrder, 1),
            DYNAMIC => (Kind::Dynamic, chunk),
            GUIDED => (Kind::Guided, chunk),
            RUNTIME => {
                // SAFETY: the initial task writes it, outside of regions.
                let settings = unsafe { state::settings().read() };
                let kind = match settings.schedule & !query::MONOTONIC {
                    2 => Kind::Dynamic,
                    3 => Kind::Guided,
                    _ => Kind::Static,
                };
                (kind, i64::from(settings.chunk))
            }
            // Static, or for the runtime to choose: neighbouring threads have neighbouring iterations.
            _ => (Kind::Static, chunk),
        }
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
            /// As said, and all have left the region's loop before.
            #[inline(always)]
            pub unsafe fn begin(self, schedule: i32, chunk: $signed, is_signed: bool) {
                let trips = self.trips(is_signed);
                let (kind, chunk) = Kind::settled(schedule, i64::from(chunk));
                let chunk = if chunk < 1 { 1 } else { chunk as u64 };
                // SAFETY: passed on from the caller.
                unsafe { begin(kind, u64::from(self.lower), trips, chunk) }
            }

            /// The caller's next chunk; 0 if there is none.
            ///
            /// # Safety
            /// Between [`begin`](Self::begin) and the loop's end; the pointers are valid, and what they point to
            /// is as compilers leave it.
            #[inline(always)]
            pub unsafe fn next(chunk: Chunk<$t>, is_signed: bool) -> i32 {
                // SAFETY: passed on from the caller.
                unsafe {
                    let is_first = chunk.stride.read() != 0;
                    let loop_ = state::dispatch();
                    let alone = query::threads() == 1;
                    if alone || (*loop_).kind == Kind::InOrder {
                        // The caller's variables have the whole loop.
                        let mine = is_first && query::thread_number() == 0;
                        let whole = Extent::<$t> { lower: chunk.lower.read(), upper: chunk.upper.read() };
                        let any = mine && whole.trips(is_signed) > 0;
                        chunk.stride.write(0);
                        chunk.last.write(any as i32);
                        return any as i32;
                    }
                    let (first, trips) = ((*loop_).first, (*loop_).trips);
                    let taken = match (*loop_).kind {
                        Kind::Dynamic => take(loop_),
                        Kind::Guided => take_share(loop_),
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
