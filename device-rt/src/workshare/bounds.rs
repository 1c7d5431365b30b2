//! Static schedules: which iterations are whose, by arithmetic alone.
//!
//! Divisors are [`NonZero`]: a division that could be by zero would bring a trap into every loop.

use core::num::NonZero;

use crate::WARP_SIZE;

/// What the chunks of [`Schedule::DISTRIBUTE_ONE_EACH`] are multiples of: lanes of a warp, which take
/// consecutive iterations, then start where a chunk of memory does.
const LANES: u32 = WARP_SIZE;

/// The value of an ABI's schedule argument, without the bits that are only hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule(i32);

impl Schedule {
    /// `schedule(static, chunk)`.
    pub const STATIC_CHUNKED: Schedule = Schedule(33);
    /// `schedule(static)`.
    pub const STATIC: Schedule = Schedule(34);
    /// `schedule(simd: static, chunk)`: the chunk is made larger until each thread has one.
    pub const STATIC_BALANCED: Schedule = Schedule(45);
    /// `dist_schedule(static, chunk)`.
    pub const DISTRIBUTE_CHUNKED: Schedule = Schedule(91);
    /// `dist_schedule(static)`.
    pub const DISTRIBUTE: Schedule = Schedule(92);
    /// One chunk for each team, of which `distribute` has the choice. No compiler asks for it: see
    /// `settled`.
    pub const DISTRIBUTE_ONE_EACH: Schedule = Schedule(-1);
    /// Single iterations over all threads of all teams.
    pub const DISTRIBUTE_THREADS: Schedule = Schedule(93);

    /// From the argument of an init function: bits 29 (monotonic) and 30 (nonmonotonic) do not change
    /// what a static schedule does.
    pub const fn from_abi(value: i32) -> Schedule {
        Schedule(value & !(0b11 << 29))
    }
}

/// Who asks for a share, among how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Number of the thread or team, below `of`.
    pub number: u64,
    /// Threads or teams that share the loop.
    pub of: NonZero<u64>,
}

/// Inclusive bounds of the iterations to run first; further ones follow `stride` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds<T> {
    /// First iteration.
    pub lower: T,
    /// Last iteration; `lower - 1` if there is none.
    pub upper: T,
    /// From one chunk to the next of the same owner. Where there is no next one, so much that the
    /// caller stops right after `upper` of the whole loop, and does not run into its type's limit.
    pub stride: T,
    /// Whether the loop's last iteration is among them, or among the further ones.
    pub last: bool,
}

/// A share of `trips` iterations that is enough for `of` owners: the least one below 2^32 iterations, beyond that
/// larger by at most a part in 2^32 / `of`. One division of 32 bits, where one of 64 takes a hundred instructions.
#[inline(always)]
fn at_least(trips: u64, of: u32) -> u64 {
    let of = NonZero::new(of).unwrap_or(NonZero::<u32>::MIN);
    let shift = u64::BITS / 2 - ((trips >> 32) as u32).leading_zeros();
    let head = (trips >> shift) as u32;
    let exact = shift == 0;
    (u64::from(head / of) + u64::from(!exact || head % of != 0)) << shift
}

macro_rules! bounds {
    ($($t:ty)*) => {$(
        impl Bounds<$t> {
            /// The share of an inclusive range.
            ///
            /// Signed ranges come in the unsigned type of their size: only differences count. An owner
            /// without iterations gets the empty range that starts after the last one.
            #[inline(always)]
            pub fn of(schedule: Schedule, share: Share, lower: $t, upper: $t, chunk: Option<NonZero<$t>>) -> Self {
                let trips = upper.wrapping_sub(lower).wrapping_add(1);
                let of = NonZero::new(share.of.get() as $t).unwrap_or(NonZero::<$t>::MIN);
                let number = share.number as $t;
                match (schedule, chunk) {
                    (Schedule::DISTRIBUTE_ONE_EACH, _) => Self::one_each(number, of, lower, upper, trips, LANES as _),
                    (Schedule::STATIC_BALANCED, _) => {
                        let chunk = chunk.unwrap_or(NonZero::<$t>::MIN).get();
                        Self::one_each(number, of, lower, upper, trips, chunk)
                    }
                    (Schedule::STATIC | Schedule::DISTRIBUTE, _) | (_, None) => {
                        Self::whole(number, of, lower, upper, trips)
                    }
                    (_, Some(chunk)) => Self::chunked(number, of, lower, upper, trips, chunk),
                }
            }

            /// One chunk for each owner, of the least multiple of `chunk` that is enough; later ones may have
            /// none.
            #[inline(always)]
            fn one_each(number: $t, of: NonZero<$t>, lower: $t, upper: $t, trips: $t, chunk: $t) -> Self {
                let each = at_least(trips as u64, of.get() as u32) as $t;
                let chunk = NonZero::new(chunk).unwrap_or(NonZero::<$t>::MIN);
                let over = each % chunk;
                let size = if over == 0 { each } else { (each - over).saturating_add(chunk.get()) };
                let before = match number.checked_mul(size) {
                    Some(before) if before < trips => before,
                    _ => return Bounds { lower: upper.wrapping_add(1), upper, stride: trips, last: false },
                };
                let (start, left) = (lower.wrapping_add(before), trips - before);
                let last = left <= size;
                let end = if last { upper } else { start.wrapping_add(size - 1) };
                Bounds { lower: start, upper: end, stride: left, last }
            }

            /// One contiguous part for each owner, as equal as can be, the larger ones first.
            #[inline(always)]
            fn whole(number: $t, of: NonZero<$t>, lower: $t, upper: $t, trips: $t) -> Self {
                let (size, larger) = (trips / of, trips % of);
                let mine = size + (number < larger) as $t;
                let before = number * size + if number < larger { number } else { larger };
                let start = lower.wrapping_add(before);
                let end = start.wrapping_add(mine).wrapping_sub(1);
                let stride = upper.wrapping_add(1).wrapping_sub(start);
                Bounds { lower: start, upper: end, stride, last: mine > 0 && end == upper }
            }

            /// Chunks dealt in turn.
            #[inline(always)]
            fn chunked(number: $t, of: NonZero<$t>, lower: $t, upper: $t, trips: $t, chunk: NonZero<$t>) -> Self {
                // Number times chunk may be more than the type holds: compare chunks, not iterations.
                let chunks = trips / chunk + (trips % chunk != 0) as $t;
                if number >= chunks {
                    return Bounds { lower: upper.wrapping_add(1), upper, stride: trips, last: false };
                }
                let start = lower.wrapping_add(number * chunk.get());
                let left = upper.wrapping_sub(start);
                let end = if left < chunk.get() { upper } else { start.wrapping_add(chunk.get() - 1) };
                let stride =
                    if chunks - number > of.get() { of.get() * chunk.get() } else { left.wrapping_add(1) };
                Bounds { lower: start, upper: end, stride, last: (chunks - 1) % of == number }
            }
        }
    )*};
}

bounds! { u32 u64 }

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;
    use std::vec::Vec;

    fn share(number: u64, of: u64) -> Share {
        Share { number, of: NonZero::new(of).expect("an owner") }
    }

    /// How often each iteration of 0..trips runs, and how many owners hold the last one, when callers
    /// clamp and advance as compilers make them do.
    fn run(schedule: Schedule, of: u64, trips: u32, chunk: u32) -> (Vec<u32>, u32) {
        let mut times = vec![0; trips as usize];
        let mut last = 0;
        for number in 0..of {
            let bounds =
                Bounds::<u32>::of(schedule, share(number, of), 0, trips.wrapping_sub(1), NonZero::new(chunk));
            let (mut lower, mut upper) = (i64::from(bounds.lower as i32), i64::from(bounds.upper as i32));
            let mut ran_last = false;
            while lower < i64::from(trips) {
                for iteration in lower..=upper.min(i64::from(trips) - 1) {
                    times[iteration as usize] += 1;
                    ran_last |= iteration == i64::from(trips) - 1;
                }
                lower += i64::from(bounds.stride.max(1));
                upper += i64::from(bounds.stride.max(1));
            }
            assert_eq!(bounds.last, ran_last, "{schedule:?}: {number} of {of}, {trips} by {chunk}");
            last += u32::from(bounds.last);
        }
        (times, last)
    }

    #[test]
    fn every_iteration_runs_once_and_one_owner_has_the_last() {
        let kinds = [
            Schedule::STATIC_CHUNKED,
            Schedule::STATIC,
            Schedule::STATIC_BALANCED,
            Schedule::DISTRIBUTE_CHUNKED,
            Schedule::DISTRIBUTE,
            Schedule::DISTRIBUTE_ONE_EACH,
            Schedule::DISTRIBUTE_THREADS,
        ];
        for schedule in kinds {
            for of in [1, 2, 3, 32, 33, 1000] {
                for trips in [0, 1, 2, 31, 32, 33, 100, 1000, 4097] {
                    for chunk in [0, 1, 2, 7, 32, 128, 5000] {
                        let (times, last) = run(schedule, of, trips, chunk);
                        assert!(times.iter().all(|&n| n == 1), "{schedule:?} {of} {trips} {chunk}");
                        assert_eq!(last, u32::from(trips > 0), "{schedule:?} {of} {trips} {chunk}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_team_has_one_chunk_where_distribute_may_choose() {
        for (of, trips) in [(1, 1), (3, 100), (3200, 1_000_000), (7, 7 * 32), (1000, 999)] {
            let mut end = 0;
            for number in 0..of {
                let bounds =
                    Bounds::<u32>::of(Schedule::DISTRIBUTE_ONE_EACH, share(number, of), 0, trips - 1, None);
                assert_eq!(bounds.lower, end, "{number} of {of}, {trips}");
                assert_eq!(bounds.lower + bounds.stride.max(1), if end < trips { trips } else { 2 * trips });
                end = bounds.upper + 1;
                assert!(
                    end == trips || end.is_multiple_of(WARP_SIZE),
                    "{number} of {of}, {trips}: {bounds:?}"
                );
            }
            assert_eq!(end, trips);
        }
    }

    #[test]
    fn a_share_is_enough_and_hardly_more() {
        for trips in [
            0,
            1,
            31,
            32,
            33,
            1000,
            u64::from(u32::MAX),
            1 << 32,
            (1 << 32) + 1,
            123_456_789_012_345,
            u64::MAX >> 1,
        ] {
            for of in [1, 2, 3, 7, 32, 3200, 65535] {
                let (share, least) = (at_least(trips, of), trips.div_ceil(u64::from(of)));
                assert!(u128::from(share) * u128::from(of) >= u128::from(trips), "{trips} {of}: {share}");
                match trips >> 32 {
                    0 => assert_eq!(share, least, "{trips} {of}"),
                    _ => assert!(share - least <= least >> 14, "{trips} {of}: {share}, not {least}"),
                }
            }
        }
    }

    #[test]
    fn a_loop_as_long_as_its_type_allows_has_no_overlap() {
        let upper = i32::MAX as u32 - 1;
        for (number, of, chunk) in [(0, 3200, 1 << 20), (2047, 3200, 1 << 20), (3000, 3200, 1 << 20)] {
            let share = share(number, of);
            let bounds =
                Bounds::<u32>::of(Schedule::DISTRIBUTE_CHUNKED, share, 0, upper, NonZero::new(chunk));
            let expected = (number * u64::from(chunk)).min(u64::from(upper) + 1);
            assert_eq!(u64::from(bounds.lower), expected);
            assert!(
                u64::from(bounds.lower) + u64::from(bounds.stride) < 1 << 31 || bounds.upper < bounds.lower
            );
        }
    }

    #[test]
    fn ranges_need_not_start_at_zero() {
        let part = |number| {
            let bounds = Bounds::<u64>::of(Schedule::STATIC, share(number, 3), (-5i64) as u64, 4, None);
            (bounds.lower as i64, bounds.upper as i64, bounds.stride, bounds.last)
        };
        assert_eq!([part(0), part(1), part(2)], [(-5, -2, 10, false), (-1, 1, 6, false), (2, 4, 3, true)]);
    }

    #[test]
    fn hints_do_not_change_the_schedule() {
        assert_eq!(Schedule::from_abi(33 | 1 << 30), Schedule::STATIC_CHUNKED);
        assert_eq!(Schedule::from_abi(34 | 1 << 29), Schedule::STATIC);
    }
}
