//! Who combines with whom: pure arithmetic, the same on GPU and host.

use crate::WARP_SIZE;

/// The shuffle offsets that bring a full warp's values to lane 0. An array rather than [`Offsets`] of
/// 32, because LLVM unrolls the loop over it, and each shuffle gets its offset as a constant.
pub const FULL_OFFSETS: [u32; 5] = [16, 8, 4, 2, 1];

/// The shuffle offsets that bring `size` contiguous values to the first: ⌊size/2⌋, then the same of
/// ⌈size/2⌉, until one is left. ⌈log2 size⌉ steps; a size of 0 has none.
///
/// With an odd count the middle lane has just been consumed and takes a copy of the last.
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

/// How the first `live` threads of a block fall into warps.
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

/// The slots that thread `thread` of `threads` folds after its first, which is slot `thread`:
/// every `threads`-th one below `slots`.
///
/// `threads` is at least 1, and `slots + threads` fits a `u32`.
#[inline(always)]
pub fn further_slots(thread: u32, threads: u32, slots: u32) -> impl Iterator<Item = u32> {
    let mut slot = thread;
    core::iter::from_fn(move || {
        slot += threads;
        (slot < slots).then_some(slot)
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
        assert_eq!(offsets(0), []);
        for size in 1..=32usize {
            assert_eq!(offsets(size as u32).len() as u32, size.next_power_of_two().ilog2(), "size {size}");
            let mut seen: Vec<u32> = contiguous(size).split('+').map(|lane| lane.parse().unwrap()).collect();
            seen.sort();
            assert_eq!(seen, (0..size as u32).collect::<Vec<_>>(), "size {size}");
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
    fn slots_are_folded_once_each_in_order() {
        for (threads, slots) in [(1, 1), (1, 7), (32, 31), (32, 32), (96, 1000), (1000, 4224), (1024, 1024)] {
            let mut seen = vec![0; slots as usize];
            for thread in 0..threads.min(slots) {
                let mut last = thread;
                seen[thread as usize] += 1;
                for slot in further_slots(thread, threads, slots) {
                    assert_eq!(slot, last + threads);
                    seen[slot as usize] += 1;
                    last = slot;
                }
            }
            assert!(seen.iter().all(|&count| count == 1), "{threads} threads, {slots} slots");
        }
    }
}
