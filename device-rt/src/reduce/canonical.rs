//! The canonical order: a reduction whose result the elements and the operator determine, whatever the grid, the device
//! or the pieces that the elements come in.
//!
//! The elements are cut into chunks of [`CHUNK`]; the last one has the rest. A chunk is a matrix of [`COLUMNS`] columns:
//!
//! - Of an operator that [commutes](super::op::Reduce::COMMUTES), element e of a chunk is in column e mod 128, so that
//!   neighbouring lanes, or the lanes of a CPU's vectors, read neighbouring elements. Of any other operator, a column is
//!   64 neighbouring elements. Either way a column's elements keep their order.
//! - A column is folded by segments of [`SEGMENT`] elements: each segment from its first element to its last, then the
//!   segments in their order.
//! - All columns of all chunks, in order, are reduced as a binary tree of neighbours: columns 2i and 2i+1 become value
//!   i, until one is left. A value without a neighbour stays as it is.
//!
//! What is missing in the last chunk takes no part, so the operator needs no identity. An initial value is combined
//! once, at the end: `initial op elements`.
//!
//! [`reduce`] does that on the host. On the device a warp takes a chunk, four columns for each lane (`combine_lanes`),
//! and the last of 32 warps to deliver their chunks' values goes on with these (`climb`).
//!
//! The bits are the same wherever the operator's are; the payload of a NaN is the machine's.

use super::op::{Lift, Reduce};

/// Columns of a chunk: four for each lane of a warp.
pub const COLUMNS: u64 = 128;

/// Elements of a column that are folded one after the other. Segments are independent of each other, so that several
/// warps can share a chunk.
pub const SEGMENT: u64 = 16;

/// Elements of a column of a whole chunk: four segments.
pub const ROWS: u64 = 4 * SEGMENT;

/// Elements of a chunk.
pub const CHUNK: u64 = COLUMNS * ROWS;

/// Where a column's elements are in a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its first element.
    pub first: u64,
    /// From one of its elements to the next.
    pub step: u64,
    /// How many elements it has; 0 for a column that is missing.
    pub rows: u64,
}

impl Column {
    /// Column `number` of a chunk of `length` elements, of an operator that commutes or not.
    #[inline(always)]
    pub const fn of(number: u64, length: u64, commutes: bool) -> Column {
        let (first, step) = if commutes { (number, COLUMNS) } else { (number * ROWS, 1) };
        let after = length.saturating_sub(first);
        let rows = if commutes { after.div_ceil(COLUMNS) } else { after };
        Column { first, step, rows: if rows < ROWS { rows } else { ROWS } }
    }
}

/// Columns of a chunk of `length` elements that have an element; these come first.
#[inline(always)]
pub const fn columns(length: u64, commutes: bool) -> u64 {
    let columns = if commutes { length } else { length.div_ceil(ROWS) };
    if columns < COLUMNS { columns } else { COLUMNS }
}

/// Whether the kernel over arrays folds a lane's four columns together, whose elements are neighbours that one load reads:
/// if the operator commutes, and elements (of all arrays) and values are no larger than these bytes. Then the four warps of
/// a block of [`SHARING_THREADS`] can share a chunk, too.
pub const fn folds_together(commutes: bool, element: usize, value: usize) -> bool {
    commutes && 0 < element && element <= 16 && value <= 16
}

/// Threads of a block whose warps share a chunk, one segment for each.
pub const SHARING_THREADS: u32 = (ROWS / SEGMENT) as u32 * crate::WARP_SIZE;

/// Reduces `n` elements on the host in the canonical order; `None` without elements.
///
/// ```
/// use device_rt::reduce::{canonical, op::Sum};
///
/// let numbers: Vec<f32> = (0..20_000).map(|i| 1.0 / (1 + i) as f32).collect();
/// let sum = canonical::reduce(Sum, numbers.len() as u64, |i| numbers[i as usize]).unwrap();
/// assert!((sum - 10.480_7).abs() < 1e-4);
/// ```
pub fn reduce<I, O: Lift<I>>(op: O, n: u64, item: impl Fn(u64) -> I) -> Option<O::Value> {
    tree(op, n.div_ceil(CHUNK), &|number| {
        let first = number * CHUNK;
        chunk(op, (n - first).min(CHUNK), |at| (item(first + at), first + at))
    })
}

/// The value of a chunk of `length` elements; `item` gives an element, counted from the chunk's first, and its index among
/// all elements.
pub fn chunk<I, O: Lift<I>>(op: O, length: u64, item: impl Fn(u64) -> (I, u64)) -> Option<O::Value> {
    let commutes = <O as Reduce<O::Value>>::COMMUTES;
    tree(op, columns(length, commutes), &|number| {
        let column = Column::of(number, length, commutes);
        let segment = |rows: core::ops::Range<u64>| {
            let mut items = rows.map(|row| item(column.first + row * column.step));
            let first = items.next().map(|(item, index)| op.lift(item, index));
            first.map(|first| items.fold(first, |value, (item, index)| op.accumulate(value, item, index)))
        };
        let segments = (0..column.rows).step_by(SEGMENT as usize);
        let values = segments.map(|row| segment(row..(row + SEGMENT).min(column.rows)));
        values.reduce(|left, right| either(op, left, right)).flatten()
    })
}

/// Reduces `count` values as a binary tree of neighbours; `None` if there are none.
pub fn tree<V: Copy, O: Reduce<V>>(op: O, count: u64, value: &impl Fn(u64) -> Option<V>) -> Option<V> {
    fn node<V: Copy, O: Reduce<V>>(
        op: O,
        level: u32,
        number: u64,
        count: u64,
        value: &impl Fn(u64) -> Option<V>,
    ) -> Option<V> {
        match level {
            _ if number << level >= count => None,
            0 => value(number),
            _ => {
                let side = |side| node(op, level - 1, 2 * number + side, count, value);
                either(op, side(0), side(1))
            }
        }
    }
    node(op, levels(count), 0, count, value)
}

/// The levels of a tree above `count` values.
pub const fn levels(count: u64) -> u32 {
    if count == 0 { 0 } else { u64::BITS - (count - 1).leading_zeros() }
}

/// Both values combined, or the one that is there.
#[inline(always)]
pub fn either<V: Copy, O: Reduce<V>>(op: O, left: Option<V>, right: Option<V>) -> Option<V> {
    match (left, right) {
        (Some(left), Some(right)) => Some(op.combine(left, right)),
        (left, right) => left.or(right),
    }
}

/// Values that the last of their warps combines: those of as many chunks, or of as many such groups.
const GROUP: u32 = crate::WARP_SIZE;

/// Words that count the deliveries of `chunks` chunks: one for each group of 32, for each group of 32 groups, ….
pub const fn counters(chunks: u32) -> u32 {
    let (mut count, mut words) = (chunks, 0);
    while count > 1 {
        count = count.div_ceil(GROUP);
        words += count;
    }
    words
}

#[cfg(any(target_arch = "nvptx64", test))]
mod warps {
    use super::super::grid::count_delivery;
    use super::super::private::{Algorithm, Load, Shuffle, Store};
    use super::GROUP;
    use crate::arch::atomic::Word;
    use crate::arch::warp::{any_lane, lane};
    use crate::arch::{block_sync, id};

    /// Reduces over lanes 0 to `size`-1 as a tree of neighbours; lane 0 holds the result.
    ///
    /// Who must arrive: all 32 lanes of the warp, converged. No memory is ordered.
    ///
    /// # Safety
    /// The lanes arrive as said; `size` is at most 32 and the same in every lane; `lane` is the caller's lane.
    #[inline(always)]
    pub unsafe fn combine_lanes(copies: &mut impl Shuffle, size: u32, lane: u32) {
        // SAFETY: passed on from the caller; the offsets are the same in all lanes. With 32 values all lanes combine: what
        // a lane without a partner gets is ignored, as lane 0 takes from lanes with one only.
        unsafe {
            if size == GROUP {
                copies.shuffle_reduce(lane, 1, Algorithm::Full);
                copies.shuffle_reduce(lane, 2, Algorithm::Full);
                copies.shuffle_reduce(lane, 4, Algorithm::Full);
                copies.shuffle_reduce(lane, 8, Algorithm::Full);
                copies.shuffle_reduce(lane, 16, Algorithm::Full);
                return;
            }
            let mut offset = 1;
            while offset < size {
                let is_left = lane & (2 * offset - 1) == 0 && lane + offset < size;
                copies.shuffle_reduce(!is_left as u32, offset, Algorithm::Dispersed);
                offset *= 2;
            }
        }
    }

    /// First of two launches: combines the lanes' values of a chunk and stores its value in its record.
    ///
    /// Who must arrive: all 32 lanes of the warp, converged. The end of the launch orders the records for the next.
    ///
    /// # Safety
    /// The lanes arrive as said, and each has a value; `lane` is the caller's; the record is this warp's.
    #[inline(always)]
    pub unsafe fn store<P: Shuffle>(copies: &mut P, record: u32, lane: u32, to: &impl Store<P>) {
        // SAFETY: passed on from the caller.
        unsafe {
            combine_lanes(copies, GROUP, lane);
            if lane == 0 {
                to.store(copies, record);
            }
        }
    }

    /// Second of two launches: reduces records 0 to `count`-1 as a tree of neighbours; true in linear thread 0, whose
    /// copies then hold the result. Without records no thread gets true, and no copy is changed.
    ///
    /// The value of a group of 32 is stored in its first record, and so that of all in record 0.
    ///
    /// Who must arrive: every thread of the one block, converged; the block has whole warps. What it orders: with more than
    /// 32 records all memory among them.
    ///
    /// # Safety
    /// The threads arrive as said; the records were written by an earlier launch, and only this one uses them.
    #[inline(always)]
    pub unsafe fn finalize<P: Shuffle>(
        copies: &mut P,
        count: u32,
        to: &impl Store<P>,
        from: &impl Load<P>,
    ) -> bool {
        let (warp, lane) = (id::thread() / GROUP, lane(id::thread()));
        let warps = id::block_threads() / GROUP;
        let (mut count, mut distance) = (count, 1u32);
        while count > 0 {
            let groups = count.div_ceil(GROUP);
            let mut group = warp;
            while group < groups {
                let first = group * GROUP;
                let size = if count - first < GROUP { count - first } else { GROUP };
                // SAFETY: the records are written, and ordered before this by the launch before or by the barrier below; all
                // lanes are here with the same group, whose records no other warp uses.
                unsafe {
                    if lane < size {
                        from.load(copies, (first + lane).wrapping_mul(distance));
                    }
                    combine_lanes(copies, size, lane);
                    if lane == 0 {
                        to.store(copies, first.wrapping_mul(distance));
                    }
                }
                group += warps;
            }
            if groups == 1 {
                return id::thread() == 0;
            }
            block_sync();
            (count, distance) = (groups, distance.wrapping_mul(GROUP));
        }
        false
    }

    /// Delivers the value of a chunk that lane 0 holds. The last of 32 neighbouring chunks' warps combines their values,
    /// and delivers theirs in turn; true in lane 0 of the warp that combines the last ones, whose copies hold the result.
    ///
    /// A group's word counts its deliveries, and is 0 again after the last one. Each count is a release and an acquire,
    /// so the values of all that counted before are ordered before the last one's loads.
    ///
    /// Who must arrive: all 32 lanes of the warp, converged. What it orders: what happens before the call in lane 0 of
    /// each chunk's warp happens before the return in the lane with the result.
    ///
    /// # Safety
    /// The lanes arrive as said, with the same chunk; one warp delivers each of the `chunks` chunks. There are
    /// [`counters`](super::counters) words, all 0, and a record for each chunk, which only this launch uses. `lane` is
    /// the caller's lane.
    #[inline(always)]
    pub unsafe fn climb<P: Shuffle>(
        copies: &mut P,
        lane: u32,
        chunk: u32,
        chunks: u32,
        counters: *const Word,
        to: &impl Store<P>,
        from: &impl Load<P>,
    ) -> bool {
        let (mut number, mut count, mut distance, mut words) = (chunk, chunks, 1u32, counters);
        while count > 1 {
            let (group, groups) = (number / GROUP, count.div_ceil(GROUP));
            let first = group * GROUP;
            let size = if count - first < GROUP { count - first } else { GROUP };
            // The value of group g is in the record of its first chunk. SAFETY: the record is this warp's: it has the
            // chunk's value, or the last of the group's values was delivered. The word is only accessed atomically.
            let is_last = lane == 0
                && unsafe {
                    to.store(copies, number.wrapping_mul(distance));
                    count_delivery(words.wrapping_add(group as usize), size)
                };
            // SAFETY: all lanes are here. It extends lane 0's order to all of them.
            if !unsafe { any_lane(is_last) } {
                return false;
            }
            // SAFETY: all of the group's values are delivered, and ordered before this; `size` is the same in all lanes.
            unsafe {
                if lane < size {
                    from.load(copies, (first + lane).wrapping_mul(distance));
                }
                combine_lanes(copies, size, lane);
            }
            words = words.wrapping_add(groups as usize);
            (number, count, distance) = (group, groups, distance.wrapping_mul(GROUP));
        }
        lane == 0
    }
}

#[cfg(any(target_arch = "nvptx64", test))]
pub use warps::{climb, combine_lanes, finalize, store};

#[cfg(test)]
mod tests {
    use std::vec::Vec;
    use std::{format, string::String};

    use super::*;
    use crate::reduce::op::Sum;

    /// Shows how elements are combined.
    #[derive(Clone, Copy)]
    struct Show<const COMMUTES: bool>;

    impl<const COMMUTES: bool> Reduce<&'static str> for Show<COMMUTES> {
        const COMMUTES: bool = COMMUTES;

        fn combine(self, left: &'static str, right: &'static str) -> &'static str {
            leak(format!("({left} {right})"))
        }
    }

    impl<const COMMUTES: bool> Lift<u64> for Show<COMMUTES> {
        type Value = &'static str;

        fn lift(self, item: u64, index: u64) -> &'static str {
            assert_eq!(item, index);
            leak(format!("{item}"))
        }
    }

    fn leak(text: String) -> &'static str {
        String::leak(text)
    }

    fn shown<const COMMUTES: bool>(n: u64) -> &'static str {
        reduce(Show::<COMMUTES>, n, |i| i).unwrap_or_default()
    }

    #[test]
    fn few_elements_are_a_tree_of_neighbours() {
        assert_eq!([0, 1, 2, 3].map(shown::<true>), ["", "0", "(0 1)", "((0 1) 2)"]);
        assert_eq!(shown::<true>(6), "(((0 1) (2 3)) (4 5))");
        assert_eq!(shown::<true>(7), "(((0 1) (2 3)) ((4 5) 6))");
    }

    #[test]
    fn columns_are_folded_by_segments() {
        // The element after 17 rows is the second segment of column 0; all others have 16 or 17 elements as well.
        let text = shown::<true>(17 * 128);
        let fold = |column: u64| {
            let rows: Vec<String> = (1..16).map(|row| format!(" {})", column + 128 * row)).collect();
            format!("({}{column}{} {})", "(".repeat(15), rows.concat(), column + 128 * 16)
        };
        assert!(text.contains(&format!("({} {})", fold(126), fold(127))), "{text}");
    }

    #[test]
    fn an_operator_that_does_not_commute_sees_the_elements_in_order() {
        for n in [1, 2, 63, 64, 65, 1000, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 129] {
            let elements: Vec<u64> = shown::<false>(n)
                .split(['(', ')', ' '])
                .filter(|word| !word.is_empty())
                .map(|word| word.parse().unwrap())
                .collect();
            assert_eq!(elements, (0..n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn every_element_is_in_one_column() {
        for commutes in [false, true] {
            for length in [1, 64, 127, 128, 129, 2047, 2049, CHUNK - 1, CHUNK] {
                let mut found = std::vec![0; length as usize];
                for number in 0..COLUMNS {
                    let column = Column::of(number, length, commutes);
                    assert_eq!(column.rows > 0, number < columns(length, commutes));
                    for row in 0..column.rows {
                        found[(column.first + row * column.step) as usize] += 1;
                    }
                }
                assert!(found.iter().all(|count| *count == 1), "{length}");
            }
        }
    }

    #[test]
    fn pieces_of_aligned_chunks_make_the_same_tree() {
        let numbers: Vec<f32> = (0..5 * CHUNK + 77).map(|i| (i as f32).sin()).collect();
        let whole = reduce(Sum, numbers.len() as u64, |i| numbers[i as usize]).unwrap();
        let (left, right) = numbers.split_at(4 * CHUNK as usize);
        let part = |part: &[f32]| reduce(Sum, part.len() as u64, |i| part[i as usize]).unwrap();
        assert_eq!(whole.to_bits(), (part(left) + part(right)).to_bits());
        assert_ne!(whole.to_bits(), numbers.iter().sum::<f32>().to_bits());
    }

    #[test]
    fn a_word_counts_each_group() {
        assert_eq!([0, 1, 2, 32, 33, 1024, 1025].map(counters), [0, 0, 1, 1, 3, 33, 36]);
    }
}
