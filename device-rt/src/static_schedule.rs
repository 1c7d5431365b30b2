//! Static schedules: which iterations each thread or team has, by pure arithmetic.
//!
//! Divisors are [`NonZero`]: a division that could be by zero would bring a trap into every loop.

use core::num::NonZero;

use crate::WARP_SIZE;
use crate::arch::float::reciprocal;

/// The chunks of [`Schedule::DISTRIBUTE_ONE_EACH`] are multiples of a warp: its lanes, which take consecutive
/// iterations, then start where an aligned piece of memory does.
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
    /// One chunk for each team, where `distribute` leaves the choice to the runtime. No compiler asks for it:
    /// see `openmp::workshare::chosen_schedule`.
    pub const DISTRIBUTE_ONE_EACH: Schedule = Schedule(-1);
    /// Single iterations over all threads of all teams.
    pub const DISTRIBUTE_THREADS: Schedule = Schedule(93);

    /// From the argument of an init function: bits 29 (monotonic) and 30 (nonmonotonic) do not change
    /// what a static schedule does.
    pub const fn from_abi(value: i32) -> Schedule {
        Schedule(value & !(0b11 << 29))
    }
}

/// One of the threads or teams that share a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Participant {
    /// Number of the thread or team, below `of`.
    pub number: u64,
    /// How many threads or teams share the loop.
    pub of: NonZero<u64>,
}

/// Inclusive bounds of the iterations to run first; further ones follow `stride` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds<T> {
    /// First iteration.
    pub lower: T,
    /// Last iteration; `lower - 1` if there is none.
    pub upper: T,
    /// The distance from one chunk to the next of the same participant. Where there is no next one, so much
    /// that the caller stops right after `upper` of the whole loop, and does not overflow its type.
    pub stride: T,
    /// Whether the loop's last iteration is among them, or among the further ones.
    pub last: bool,
}

macro_rules! bounds {
    ($($t:ty)*) => {$(
        impl Bounds<$t> {
            /// A participant's iterations of an inclusive range.
            ///
            /// Signed ranges come in the unsigned type of their size: only differences count. A participant
            /// without iterations gets the empty range that starts after the last one.
            #[inline(always)]
            pub fn of(schedule: Schedule, participant: Participant, lower: $t, upper: $t, chunk: Option<NonZero<$t>>) -> Self {
                let trips = upper.wrapping_sub(lower).wrapping_add(1);
                let of = NonZero::new(participant.of.get() as $t).unwrap_or(NonZero::<$t>::MIN);
                let number = participant.number as $t;
                let size = match (schedule, chunk) {
                    (Schedule::DISTRIBUTE_ONE_EACH, _) => {
                        return Self::one_chunk(number, of, lower, trips, chunk);
                    }
                    (Schedule::STATIC_BALANCED, _) => Self::balanced(trips, of, chunk),
                    (Schedule::STATIC | Schedule::DISTRIBUTE, _) | (_, None) => {
                        return Self::contiguous(number, of, lower, upper, trips);
                    }
                    (_, Some(chunk)) => chunk.get(),
                };
                Self::round_robin(number, of, lower, upper, trips, size)
            }

            /// A chunk size with which each participant has one chunk or none: the least multiple of
            /// [`LANES`], or, beyond 2^25 iterations, one that is larger by a part in 2^20.
            ///
            /// It multiplies by a reciprocal of 24 bits and corrects by the remainder, where a division takes
            /// twice as many instructions.
            #[inline(always)]
            fn one_each(trips: $t, of: NonZero<$t>) -> $t {
                // A unit of iterations is LANES for each participant. Neither product overflows the type.
                let unit = of.get().min(<$t>::MAX / LANES as $t) * LANES as $t;
                // The roundings together are less than the part that is subtracted, so `units` is never too
                // large.
                let quotient = trips as f32 * (reciprocal(unit as f32) * (1.0 - 1.0 / (1 << 21) as f32));
                // SAFETY: not negative, and not above `trips`.
                let units: $t = unsafe { quotient.to_int_unchecked() };
                // Below 2^20 units it is at most 1 too small.
                let over = trips - units * unit;
                let units = units + (units >> 20) + (over > 0) as $t + (over > unit) as $t;
                // More than the type's largest multiple are the iterations of a single participant only.
                if units > <$t>::MAX / LANES as $t { <$t>::MAX } else { units * LANES as $t }
            }

            /// One chunk or none: `chunk` iterations where that is enough, else [`Self::one_each`]. The stride is
            /// what is left, so that LLVM sees that the caller's loop over chunks ends after the first.
            #[inline(always)]
            fn one_chunk(
                number: $t, of: NonZero<$t>, lower: $t, trips: $t, chunk: Option<NonZero<$t>>,
            ) -> Self {
                let size = match chunk {
                    Some(chunk) if u64::from(of.get()).wrapping_mul(u64::from(chunk.get())) >= u64::from(trips) => {
                        chunk.get()
                    }
                    _ => Self::one_each(trips, of),
                };
                // In 64 bits: the product is at most a little more than the trips and 64 iterations for each
                // participant, of which there are fewer than 2^31.
                let before = (u64::from(number).wrapping_mul(u64::from(size))).min(u64::from(trips)) as $t;
                let (start, left) = (lower.wrapping_add(before), trips - before);
                let end = start.wrapping_add(left.min(size)).wrapping_sub(1);
                Bounds { lower: start, upper: end, stride: left, last: left > 0 && left <= size }
            }

            /// The least multiple of a chunk with which each participant has one chunk or none.
            #[inline(always)]
            fn balanced(trips: $t, of: NonZero<$t>, chunk: Option<NonZero<$t>>) -> $t {
                let chunk = chunk.unwrap_or(NonZero::<$t>::MIN);
                let each = trips / of + (trips % of != 0) as $t;
                let over = each % chunk;
                if over == 0 { each } else { (each - over).saturating_add(chunk.get()) }
            }

            /// Chunks of `size` iterations, round-robin; without iterations, `size` may be 0.
            #[inline(always)]
            fn round_robin(number: $t, of: NonZero<$t>, lower: $t, upper: $t, trips: $t, size: $t) -> Self {
                let before = match number.checked_mul(size) {
                    Some(before) if before < trips => before,
                    _ => trips,
                };
                let (start, left) = (lower.wrapping_add(before), trips - before);
                let end = if left > size { start.wrapping_add(size - 1) } else { upper };
                let stride = match of.get().checked_mul(size) {
                    // The usual schedule of threads: a thread with one iteration of such a loop mostly has
                    // many.
                    Some(stride) if stride < left || size == 1 => stride,
                    _ => left,
                };
                let chunks_before = |size| trips.wrapping_sub(1) / size;
                let last = left > 0 && NonZero::new(size).is_some_and(|size| chunks_before(size) % of == number);
                Bounds { lower: start, upper: end, stride, last }
            }

            /// One contiguous range for each participant, of nearly equal sizes, the larger ones first.
            #[inline(always)]
            fn contiguous(number: $t, of: NonZero<$t>, lower: $t, upper: $t, trips: $t) -> Self {
                let (size, larger) = (trips / of, trips % of);
                let mine = size + (number < larger) as $t;
                let before = number * size + if number < larger { number } else { larger };
                let start = lower.wrapping_add(before);
                let end = start.wrapping_add(mine).wrapping_sub(1);
                let stride = upper.wrapping_add(1).wrapping_sub(start);
                Bounds { lower: start, upper: end, stride, last: mine > 0 && end == upper }
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

    fn participant(number: u64, of: u64) -> Participant {
        Participant { number, of: NonZero::new(of).expect("a participant") }
    }

    /// How often each iteration of 0..trips runs, and how many participants have the last one, when callers
    /// clamp and advance as compilers make them do.
    fn run(schedule: Schedule, of: u64, trips: u32, chunk: u32) -> (Vec<u32>, u32) {
        let mut times = vec![0; trips as usize];
        let mut last = 0;
        for number in 0..of {
            let bounds = Bounds::<u32>::of(
                schedule,
                participant(number, of),
                0,
                trips.wrapping_sub(1),
                NonZero::new(chunk),
            );
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
    fn every_iteration_runs_once_and_one_participant_has_the_last() {
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
                let bounds = Bounds::<u32>::of(
                    Schedule::DISTRIBUTE_ONE_EACH,
                    participant(number, of),
                    0,
                    trips - 1,
                    None,
                );
                assert_eq!(bounds.lower, end, "{number} of {of}, {trips}");
                assert_eq!(bounds.lower + bounds.stride, trips, "no second chunk");
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
    fn one_chunk_each_covers_the_loop_and_is_hardly_too_large() {
        let many = [
            0,
            1,
            31,
            32,
            33,
            1000,
            1 << 25,
            u64::from(u32::MAX),
            1 << 32,
            (1 << 32) + 1,
            123_456_789_012_345,
        ];
        let multiples =
            (1..40).flat_map(|k| [32 * k * k * k * 777 - 1, 32 * k * k * k * 777, 32 * k * k * k * 777 + 1]);
        for trips in many.into_iter().chain(multiples).chain([u64::MAX >> 1]) {
            for of in [1, 2, 3, 7, 32, 777, 3200, 65535, i32::MAX as u64] {
                let participants = NonZero::new(of).expect("a participant");
                let least = trips.div_ceil(of).next_multiple_of(u64::from(LANES));
                let size = Bounds::<u64>::one_each(trips, participants);
                assert!(u128::from(size) * u128::from(of) >= u128::from(trips), "{trips} {of}: {size}");
                assert!(size - least <= least >> 20, "{trips} {of}: {size}, not {least}");
                // With more participants the narrower type is at its limit.
                if let (Ok(trips), true) = (u32::try_from(trips), of < 1 << 27) {
                    let participants = NonZero::new(of as u32).expect("a participant");
                    let narrow = Bounds::<u32>::one_each(trips, participants);
                    assert!(
                        u64::from(narrow) == size || size > u64::from(u32::MAX),
                        "{trips} {of}: {narrow}, {size}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_loop_as_long_as_its_type_allows_has_no_overlap() {
        let upper = i32::MAX as u32 - 1;
        for (number, of, chunk) in [(0, 3200, 1 << 20), (2047, 3200, 1 << 20), (3000, 3200, 1 << 20)] {
            let participant = participant(number, of);
            let bounds =
                Bounds::<u32>::of(Schedule::DISTRIBUTE_CHUNKED, participant, 0, upper, NonZero::new(chunk));
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
            let bounds = Bounds::<u64>::of(Schedule::STATIC, participant(number, 3), (-5i64) as u64, 4, None);
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
