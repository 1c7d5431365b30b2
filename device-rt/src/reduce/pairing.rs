//! Which lane combines with which: pure arithmetic, the same on GPU and host.

use crate::WARP_SIZE;

/// The shuffle offsets that bring a full warp's values to lane 0.
pub const FULL_OFFSETS: [u32; 5] = [16, 8, 4, 2, 1];

/// The shuffle offsets that bring `size` contiguous values to the first: ⌊size/2⌋, then the same of
/// ⌈size/2⌉, until one is left. ⌈log2 size⌉ steps; a size of 0 has none.
///
/// With an odd count the middle lane, whose own value has just been combined into another, gets a copy of the
/// last value.
#[derive(Clone, Copy, Debug)]
pub struct Offsets {
    size: u32,
}

impl Offsets {
    /// For `size` values, at most one warp's.
    #[inline(always)]
    pub const fn of(size: u32) -> Offsets {
        Offsets { size }
    }
}

impl Iterator for Offsets {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        let offset = self.size / 2;
        self.size -= offset;
        (offset > 0).then_some(offset)
    }
}

/// What one lane does in one step of a dispersed reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DispersedStep {
    /// The lane's rank among those with a value; 1 in a lane whose value was
    /// combined: odd, so that the callback does nothing.
    pub logical: u32,
    /// The distance to the next lane with a value; 0 where there is none.
    pub offset: u32,
}

/// The steps of a lane in the reduction of the lanes of a mask, wherever they are. In each, the lanes
/// that have a value pair up, neighbour with neighbour, and the upper one of each pair loses its value:
/// ⌈log2 n⌉ steps.
///
/// Every lane of the mask takes every step and computes by itself which lanes still have a value, as a bit
/// operation on the mask: nothing depends on which lanes execute together. LLVM's runtime asks the hardware
/// for the active lanes instead, and lets lanes that are done leave, which is undefined since Volta.
#[derive(Clone, Copy, Debug)]
pub struct Dispersed {
    /// Lanes with a value.
    live: u32,
    lane: u32,
}

impl Dispersed {
    /// For lane `lane` of `mask`.
    #[inline(always)]
    pub const fn of(mask: u32, lane: u32) -> Dispersed {
        Dispersed { live: mask, lane }
    }
}

impl Iterator for Dispersed {
    type Item = DispersedStep;

    #[inline(always)]
    fn next(&mut self) -> Option<DispersedStep> {
        let Dispersed { live, lane } = *self;
        // At most one lane has a value.
        if live & live.wrapping_sub(1) == 0 {
            return None;
        }
        self.live = even_ranked(live);
        if live >> lane & 1 == 0 {
            return Some(DispersedStep { logical: 1, offset: 0 });
        }
        let before = live & !(u32::MAX << lane);
        let after = live >> lane >> 1;
        let offset = if after == 0 { 0 } else { after.trailing_zeros() + 1 };
        Some(DispersedStep { logical: before.count_ones(), offset })
    }
}

/// The bits with an even number of set bits below them.
#[inline(always)]
const fn even_ranked(bits: u32) -> u32 {
    // Each bit becomes the parity of all bits up to and including it.
    let mut parity = bits;
    parity ^= parity << 1;
    parity ^= parity << 2;
    parity ^= parity << 4;
    parity ^= parity << 8;
    parity ^= parity << 16;
    bits & parity
}

/// The steps that bring `size` contiguous values to the first without copies, on the per-variable path: of
/// `size` values the upper ⌊size/2⌋ combine into the lanes ⌈size/2⌉ below. Items are the offset and the size
/// before the step.
#[derive(Clone, Copy, Debug)]
pub struct Halves {
    size: u32,
}

impl Halves {
    /// For `size` values, at most one warp's.
    #[inline(always)]
    pub const fn of(size: u32) -> Halves {
        Halves { size }
    }
}

impl Iterator for Halves {
    type Item = (u32, u32);

    #[inline(always)]
    fn next(&mut self) -> Option<(u32, u32)> {
        let size = self.size;
        self.size = size.div_ceil(2);
        (size > 1).then_some((self.size, size))
    }
}

/// The warps of the first `live` threads of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Warps with all lanes live; they come first.
    pub full_warps: u32,
    /// Live lanes of the one warp that follows; 0 if there is none.
    pub tail_lanes: u32,
}

impl Shape {
    /// The shape of `live` threads.
    #[inline(always)]
    pub const fn of(live: u32) -> Shape {
        Shape { full_warps: live / WARP_SIZE, tail_lanes: live % WARP_SIZE }
    }

    /// Warps with a live lane.
    #[inline(always)]
    pub const fn warps(self) -> u32 {
        self.full_warps + (self.tail_lanes > 0) as u32
    }
}

/// The records that thread `thread` of `threads` folds: its own, then every `threads`-th one below `records`.
///
/// `threads` is at least 1, and `records + threads` fits a `u32`.
#[inline(always)]
pub fn strided(thread: u32, threads: u32, records: u32) -> impl Iterator<Item = u32> {
    let mut next = thread;
    core::iter::from_fn(move || {
        let record = next;
        next += threads;
        (record < records).then_some(record)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::{String, ToString};
    use std::vec::Vec;
    use std::{format, vec};

    fn offsets(size: u32) -> Vec<u32> {
        Offsets::of(size).collect()
    }

    /// One warp by the contract of the shuffle callback; a lane reads itself beyond the last lane.
    fn warp(values: &mut [String], live: usize, contiguous: bool) {
        for offset in Offsets::of(live as u32).map(|offset| offset as usize) {
            let before = values.to_vec();
            for lane in 0..values.len() {
                let remote = before.get(lane + offset).unwrap_or(&before[lane]);
                values[lane] = match !contiguous || lane < offset {
                    true => format!("{}+{remote}", before[lane]),
                    false => remote.clone(),
                };
            }
        }
    }

    fn contiguous(size: usize) -> String {
        let mut lanes: Vec<String> = (0..32).map(|lane: u32| lane.to_string()).collect();
        // Dead lanes hold garbage that must not show up.
        lanes[size..].fill("x".to_string());
        warp(&mut lanes, size, true);
        lanes.swap_remove(0)
    }

    #[test]
    fn a_full_warp_takes_five_halving_steps() {
        assert_eq!(offsets(WARP_SIZE), FULL_OFFSETS);
    }

    #[test]
    fn eight_full_lanes_combine_in_the_documented_order() {
        let mut lanes: Vec<String> = (0..8).map(|lane: u32| lane.to_string()).collect();
        warp(&mut lanes, 8, false);
        assert_eq!(lanes[0], "0+4+2+6+1+5+3+7");
    }

    #[test]
    fn contiguous_lanes_combine_in_the_documented_order() {
        let table: [(usize, &[u32], &str); 7] = [
            (8, &[4, 2, 1], "0+4+2+6+1+5+3+7"),
            (7, &[3, 2, 1], "0+3+2+5+1+4+6"),
            (6, &[3, 1, 1], "0+3+1+4+2+5"),
            (5, &[2, 1, 1], "0+2+1+3+4"),
            (3, &[1, 1], "0+1+2"),
            (2, &[1], "0+1"),
            (1, &[], "0"),
        ];
        for (size, expected, result) in table {
            assert_eq!(offsets(size as u32), expected, "size {size}");
            assert_eq!(contiguous(size), result, "size {size}");
        }
    }

    #[test]
    fn every_size_takes_the_least_steps_and_loses_no_lane() {
        assert!(offsets(0).is_empty());
        for size in 1..=32usize {
            assert_eq!(offsets(size as u32).len() as u32, size.next_power_of_two().ilog2(), "size {size}");
            let mut seen: Vec<u32> = contiguous(size).split('+').map(|lane| lane.parse().unwrap()).collect();
            seen.sort();
            assert_eq!(seen, (0..size as u32).collect::<Vec<_>>(), "size {size}");
        }
    }

    #[test]
    fn halves_take_the_least_steps_and_lose_no_lane() {
        for size in 1..=32u32 {
            let mut lanes: Vec<Vec<u32>> = (0..size).map(|lane| vec![lane]).collect();
            let mut steps = 0;
            for (offset, size) in Halves::of(size) {
                for lane in 0..(size - offset) as usize {
                    let remote = lanes[lane + offset as usize].clone();
                    lanes[lane].extend(remote);
                }
                steps += 1;
            }
            lanes[0].sort();
            assert_eq!(lanes[0], (0..size).collect::<Vec<_>>(), "size {size}");
            assert_eq!(steps, size.next_power_of_two().ilog2(), "size {size}");
        }
    }

    #[test]
    fn shapes_cover_every_block_size() {
        for live in 0..=1024 {
            let shape = Shape::of(live);
            assert_eq!(shape.full_warps * 32 + shape.tail_lanes, live);
            assert!(shape.tail_lanes < 32);
            assert_eq!(shape.warps(), live.div_ceil(32));
        }
    }

    #[test]
    fn records_are_folded_once_each_in_order() {
        for (threads, records) in [(1, 1), (1, 7), (32, 31), (32, 32), (96, 1000), (1000, 4224), (1024, 1024)]
        {
            let mut seen = vec![0; records as usize];
            for thread in 0..threads {
                let mine: Vec<u32> = strided(thread, threads, records).collect();
                assert!(mine.iter().enumerate().all(|(at, &record)| record == thread + at as u32 * threads));
                mine.iter().for_each(|&record| seen[record as usize] += 1);
            }
            assert!(seen.iter().all(|&count| count == 1), "{threads} threads, {records} records");
        }
    }

    /// A warp's values, and the steps that its lanes take by `Dispersed` and the callback's contract.
    fn dispersed(mask: u32) -> (Vec<Option<String>>, Vec<Vec<DispersedStep>>) {
        let held = |lane: u32| (mask >> lane & 1 == 1).then(|| lane.to_string());
        let mut values: Vec<Option<String>> = (0..32).map(held).collect();
        let mut plans: Vec<_> = (0..32).map(|lane| Dispersed::of(mask, lane)).collect();
        let mut steps = Vec::new();
        loop {
            let step: Vec<Option<DispersedStep>> = plans.iter_mut().map(Iterator::next).collect();
            assert!(step.iter().all(|of| of.is_some() == step[0].is_some()), "lanes differ in their steps");
            let Some(step) = step.into_iter().collect::<Option<Vec<_>>>() else { return (values, steps) };
            let before = values.clone();
            for (lane, &DispersedStep { logical, offset }) in step.iter().enumerate() {
                if logical % 2 == 0 && offset > 0 {
                    let both = before[lane].clone().zip(before[lane + offset as usize].clone());
                    let (own, remote) = both.expect("a lane without a value");
                    values[lane] = Some(format!("{own}+{remote}"));
                }
            }
            steps.push(step);
        }
    }

    #[test]
    fn dispersed_lanes_combine_as_documented() {
        let (values, steps) = dispersed(0b1011_0110);
        let of = |lanes: [usize; 5], step: usize| {
            lanes.map(|lane| (steps[step][lane].logical, steps[step][lane].offset))
        };
        assert_eq!(of([1, 2, 4, 5, 7], 0), [(0, 1), (1, 2), (2, 1), (3, 2), (4, 0)]);
        // Lanes 2 and 5 have lost their values: an odd number stands for that.
        assert_eq!(of([1, 2, 4, 5, 7], 1), [(0, 3), (1, 0), (1, 3), (1, 0), (2, 0)]);
        assert_eq!(of([1, 2, 4, 5, 7], 2), [(0, 6), (1, 0), (1, 0), (1, 0), (1, 0)]);
        assert_eq!(steps.len(), 3);
        assert_eq!(values[1].as_deref(), Some("1+2+4+5+7"));
    }

    #[test]
    fn any_dispersed_lanes_combine_in_their_order_with_the_least_steps() {
        let check = |mask: u32| {
            let lanes: Vec<String> =
                (0..32).filter(|lane| mask >> lane & 1 == 1).map(|lane: u32| lane.to_string()).collect();
            let (values, steps) = dispersed(mask);
            assert_eq!(values[mask.trailing_zeros() as usize], Some(lanes.join("+")), "{mask:#b}");
            assert_eq!(steps.len() as u32, lanes.len().next_power_of_two().ilog2(), "{mask:#b}");
        };
        (1..256).for_each(check);
        // A full-period generator: every mask is another one.
        let mut mask = 1u32;
        for _ in 0..10_000 {
            mask = mask.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            check(mask.max(1));
        }
        check(u32::MAX);
        assert_eq!(Dispersed::of(0, 0).next(), None);
    }
}
