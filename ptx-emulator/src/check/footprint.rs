//! What lanes of a warp have accessed of a page at one site and time, if that has a shape: lane `l` has accessed `size` bytes
//! from `start + (l - first) * stride` on.
//!
//! A row of consecutive elements is such a shape, so are a column, and a location that all lanes read. Loops make longer
//! ones of them: lanes that each read their next element have accessed `size` bytes more.

use std::ops::Range;

use super::cell::Epoch;
use super::clock::ThreadIndex;
use super::pages::PAGE;

/// The longest stride of lanes, in bytes, with which a warp's accesses are not divided by pages: they are in two pages at
/// most.
const SHORT_STRIDE: u64 = 16;

/// Warps: some of a block, or the same ones of several blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Warps {
    in_block: u32,
    block: u32,
    /// Further blocks, each so far from the one before.
    repeated: u32,
    step: u32,
}

impl Warps {
    fn of(thread: ThreadIndex) -> Warps {
        Warps { in_block: 1 << (thread.0 >> 5 & 31), block: thread.0 >> 10, repeated: 0, step: 0 }
    }

    fn is_one(self) -> bool {
        self.repeated == 0 && self.in_block.is_power_of_two()
    }

    /// Each by the index of its first thread.
    fn each(self) -> impl Iterator<Item = ThreadIndex> {
        (0..=self.repeated).flat_map(move |i| {
            let block = self.block + self.step * i;
            let warps = (0..32).filter(move |warp| self.in_block >> warp & 1 != 0);
            warps.map(move |warp| ThreadIndex(block << 10 | warp << 5))
        })
    }

    /// Whether all others are among them.
    fn have(self, other: Warps) -> bool {
        if self == other {
            return true;
        }
        let blocks = match other.block.checked_sub(self.block) {
            Some(0) => other.repeated == 0 || other.step == self.step && other.repeated <= self.repeated,
            Some(far) => {
                let is_there = self.step > 0 && far % self.step == 0 && far / self.step <= self.repeated;
                is_there && other.repeated == 0
            }
            None => false,
        };
        blocks && other.in_block & !self.in_block == 0
    }

    /// Adds warps of one block, if these are of the same block, or the next ones.
    fn add(&mut self, new: Warps) -> bool {
        if new.repeated > 0 || new.block < self.block {
            return false;
        }
        let far = new.block - self.block;
        if far == 0 && self.repeated == 0 {
            self.in_block |= new.in_block;
            return true;
        }
        if far == 0
            || self.in_block != new.in_block
            || self.repeated > 0 && far != self.step * (self.repeated + 1)
        {
            return false;
        }
        self.step = far / (self.repeated + 1);
        self.repeated += 1;
        true
    }
}

/// The shape of what lanes of a warp, or of several ones, have accessed. Bytes outside of the page do not count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footprint {
    /// Where the first lane begins, from the beginning of the page on.
    start: i16,
    stride: i16,
    size: u16,
    /// All bytes of the page that are accessed are in this range.
    from: u16,
    to: u16,
    pub site: u16,
    pub operation: u16,
    lanes: u32,
    warps: Warps,
    pub time: u32,
}

impl Footprint {
    /// An access by one thread.
    pub fn of_thread(own: Epoch, bytes: Range<u64>) -> Footprint {
        let Epoch { thread, time, operation, site } = own;
        let (from, to) = (bytes.start as u16, bytes.end as u16);
        let (warps, lanes) = (Warps::of(thread), 1 << (thread.0 & 31));
        let (start, size) = (from as i16, to - from);
        Footprint { start, stride: 0, size, from, to, site, operation, lanes, warps, time }
    }

    /// The bytes of the page in which all accesses are.
    fn bounded(mut self) -> Footprint {
        let last = i32::from(self.start) + i32::from(self.stride) * self.distance() as i32;
        let (start, size) = (i32::from(self.start), i32::from(self.size));
        let in_page = |at: i32| at.clamp(0, PAGE as i32) as u16;
        (self.from, self.to) = (in_page(start.min(last)), in_page(start.max(last) + size));
        self
    }

    fn first_lane(&self) -> u32 {
        self.lanes.trailing_zeros()
    }

    /// From the first lane to the last one.
    fn distance(&self) -> u32 {
        31 - self.lanes.leading_zeros() - self.first_lane()
    }

    /// The bytes that a lane has accessed, also outside of the page.
    fn bytes_of(&self, lane: u32) -> Range<i32> {
        let start = i32::from(self.start) + i32::from(self.stride) * (lane - self.first_lane()) as i32;
        start..start + i32::from(self.size)
    }

    fn each_lane(&self) -> impl Iterator<Item = u32> {
        let lanes = self.lanes;
        (0..32).filter(move |lane| lanes >> lane & 1 != 0)
    }

    /// The warps that have done the same, each by the index of its first thread.
    pub fn warps(&self) -> impl Iterator<Item = ThreadIndex> {
        self.warps.each()
    }

    /// The threads that have accessed bytes of the page, and which.
    pub fn accesses(&self) -> impl Iterator<Item = (ThreadIndex, Range<usize>)> {
        self.warps().flat_map(move |warp| {
            self.each_lane().filter_map(move |lane| {
                let bytes = self.bytes_of(lane);
                let bytes = bytes.start.max(0) as usize..bytes.end.clamp(0, PAGE as i32) as usize;
                (!bytes.is_empty()).then_some((ThreadIndex(warp.0 | lane), bytes))
            })
        })
    }

    /// The thread and the bytes, if it is an access by one thread.
    pub fn thread(&self) -> Option<(ThreadIndex, Range<usize>)> {
        let is_one = self.warps.is_one() && self.distance() == 0;
        is_one.then(|| self.accesses().next()).flatten()
    }

    /// Whether all are by threads of the block of a thread.
    pub fn is_of_block(&self, thread: ThreadIndex) -> bool {
        self.warps.repeated == 0 && self.warps.block == thread.0 >> 10
    }

    /// Whether all accesses are of whole words.
    pub fn is_of_words(&self) -> bool {
        (self.start as u16 | self.stride as u16 | self.size) & 3 == 0
    }

    /// Whether two lanes may access the same byte.
    pub fn overlaps_itself(&self) -> bool {
        self.lanes & (self.lanes - 1) != 0 && self.stride.unsigned_abs() < self.size
    }

    /// Whether there may be a byte that both access.
    #[inline]
    pub fn overlaps(&self, other: &Footprint) -> bool {
        self.from < other.to && other.from < self.to
    }

    /// Whether all bytes of the range are accessed.
    fn is_dense(&self) -> bool {
        let lanes = self.lanes >> self.first_lane();
        self.distance() == 0 || lanes & lanes.wrapping_add(1) == 0 && self.stride.unsigned_abs() <= self.size
    }

    /// Whether it accesses all bytes of the page that the other one does.
    #[inline]
    pub fn covers(&self, other: &Footprint) -> bool {
        if self.from > other.from || other.to > self.to {
            return false;
        }
        self.is_dense() || self.is_row_of(other) && self.contains_bytes(other)
    }

    /// Whether lanes, and the distances between them, are the same.
    fn is_row_of(&self, other: &Footprint) -> bool {
        (self.lanes, self.stride) == (other.lanes, other.stride)
    }

    /// Whether each lane accesses what it does in the other one, of the same row.
    fn contains_bytes(&self, other: &Footprint) -> bool {
        self.start <= other.start && other.start + other.size as i16 <= self.start + self.size as i16
    }

    /// Whether both are by the same threads, of which none accesses bytes of another one.
    #[inline]
    pub fn is_of_same_threads(&self, other: &Footprint) -> bool {
        if self.operation != other.operation || self.warps != other.warps || !self.warps.is_one() {
            return false;
        }
        if self.lanes == other.lanes && self.distance() == 0 {
            return true;
        }
        // Where a lane that both had would begin in each.
        let origin = |of: &Footprint| i32::from(of.start) - i32::from(of.stride) * of.first_lane() as i32;
        let (stride, apart) = (i32::from(self.stride.unsigned_abs()), origin(other) - origin(self));
        self.stride == other.stride
            && apart + i32::from(other.size) <= stride
            && i32::from(self.size) - apart <= stride
    }

    /// The lanes that have accessed a byte that another thread accesses in `other`.
    #[cold]
    pub fn lanes_in_conflict(&self, warp: ThreadIndex, other: &Footprint) -> u32 {
        let in_page = |bytes: Range<i32>| bytes.start.max(0)..bytes.end.min(PAGE as i32);
        let conflicts = |lane: &u32| {
            let own = in_page(self.bytes_of(*lane));
            other.accesses().any(|(thread, bytes)| {
                thread.0 != warp.0 | lane && own.start < bytes.end as i32 && (bytes.start as i32) < own.end
            })
        };
        self.each_lane().filter(conflicts).fold(0, |lanes, lane| lanes | 1 << lane)
    }

    /// Whether both are of the same place in the program, by the same row of lanes.
    #[inline]
    pub fn is_of_place(&self, other: &Footprint) -> bool {
        self.site == other.site && self.is_row_of(other)
    }

    #[inline]
    pub fn is_at_time(&self, other: &Footprint) -> bool {
        (self.operation, self.time) == (other.operation, other.time)
    }

    /// Whether the same warps access the same bytes.
    #[inline]
    pub fn is_same(&self, other: &Footprint) -> bool {
        (self.start, self.size) == (other.start, other.size) && self.warps == other.warps
    }

    /// Whether an access is one of these.
    #[inline]
    pub fn has(&self, new: &Footprint) -> bool {
        self.warps.have(new.warps) && self.contains_bytes(new)
    }

    /// Adds what the same warp accesses next to what it did; place and time must be the same.
    #[inline]
    pub fn add_bytes(&mut self, new: &Footprint) -> bool {
        if !self.warps.is_one() || self.warps != new.warps {
            return false;
        }
        let [(start, end), (new_start, new_end)] =
            [&*self, new].map(|one| (one.start, one.start + one.size as i16));
        if new_start > end || start > new_end {
            return false;
        }
        self.start = start.min(new_start);
        self.size = (end.max(new_end) - self.start) as u16;
        *self = self.bounded();
        true
    }

    /// Adds other warps that have accessed the same; place and time must be the same.
    pub fn add_warps(&mut self, new: &Footprint) -> bool {
        (self.start, self.size) == (new.start, new.size) && self.warps.add(new.warps)
    }

    /// Whether it replaces the same by the same threads at an earlier time.
    pub fn is_later(&self, other: &Footprint) -> bool {
        self.operation == other.operation
            && self.time >= other.time
            && self.is_of_place(other)
            && self.has(other)
    }
}

/// Divides accesses of the lanes of a warp into shapes, each in one page: `visit` gets the page's number, the lanes that
/// access it, and the shape. All lanes have the thread of `own`, as far as it is the warp's, its time and its site.
#[inline]
pub(super) fn for_each_shape(
    own: Epoch,
    (addresses, lanes, size): (&[u64; 32], u32, u32),
    mut visit: impl FnMut(u64, u32, Footprint),
) {
    let mut rest = lanes;
    while rest != 0 {
        let first = rest.trailing_zeros();
        let start = addresses[first as usize];
        rest &= rest - 1;
        let mut row = 1u32 << first;
        let mut stride = 0i64;
        if rest != 0 {
            let second = rest.trailing_zeros();
            let (far, gap) =
                (addresses[second as usize].wrapping_sub(start) as i64, i64::from(second - first));
            if far % gap == 0 {
                stride = far / gap;
                let is_in = |lane: u32| {
                    let at = stride.wrapping_mul(i64::from(lane - first));
                    addresses[lane as usize] == start.wrapping_add(at as u64)
                };
                while rest != 0 && is_in(rest.trailing_zeros()) {
                    row |= 1 << rest.trailing_zeros();
                    rest &= rest - 1;
                }
            }
        }
        in_pages(own, (addresses, row, size), stride, &mut visit);
    }
}

/// As [`for_each_shape`], for lanes that are a row.
#[inline]
fn in_pages(
    own: Epoch,
    (addresses, row, size): (&[u64; 32], u32, u32),
    stride: i64,
    visit: &mut impl FnMut(u64, u32, Footprint),
) {
    let Epoch { thread, time, operation, site } = own;
    let mut show = |number: u64, lanes: u32, in_page: u32| {
        let start = addresses[lanes.trailing_zeros() as usize].wrapping_sub(number * PAGE) as i16;
        let stride = if lanes & (lanes - 1) == 0 { 0 } else { stride as i16 };
        let (size, warps) = (size as u16, Warps::of(thread));
        let shape = Footprint { start, stride, size, from: 0, to: 0, site, operation, lanes, warps, time };
        visit(number, in_page, shape.bounded());
    };
    let page_of = |lane: u32| addresses[lane as usize] / PAGE;
    let (first, last) = (row.trailing_zeros(), 31 - row.leading_zeros());
    let (low, high) = (page_of(first).min(page_of(last)), page_of(first).max(page_of(last)));
    if low == high {
        show(low, row, row);
        return;
    }
    let mut rest = row;
    while rest != 0 {
        let number = page_of(rest.trailing_zeros());
        let mut in_page = 0;
        while rest != 0 && page_of(rest.trailing_zeros()) == number {
            in_page |= 1 << rest.trailing_zeros();
            rest &= rest - 1;
        }
        // The whole row: the next accesses of its lanes, one element further, are the same lanes again.
        let lanes = if stride.unsigned_abs() <= SHORT_STRIDE { row } else { in_page };
        show(number, lanes, in_page);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: Epoch = Epoch { thread: ThreadIndex(64), time: 3, operation: 1, site: 2 };

    fn shapes(addresses: &[u64; 32], lanes: u32, size: u32) -> Vec<(u64, u32, Footprint)> {
        let mut all = Vec::new();
        for_each_shape(OWN, (addresses, lanes, size), |number, lanes, shape| {
            all.push((number, lanes, shape))
        });
        all
    }

    /// The bytes of each lane in all shapes are those of its access, and no others.
    #[test]
    fn shapes_have_the_accesses_of_all_lanes() {
        let mut state = 5u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for round in 0..3000 {
            let size = 1 << next(5);
            let strides = [0, size, size, 4 * size, 24 * size, 512, 520, 8192, 0u64.wrapping_sub(size)];
            let (mut at, mut stride) = (1 << 20, strides[next(9) as usize]);
            let irregular = next(3) * 8;
            let mut addresses = [0; 32];
            for address in &mut addresses {
                *address = at / size * size;
                if next(32) < irregular {
                    stride = strides[next(9) as usize];
                    at = (1 << 20) + next(1 << 14);
                }
                at = at.wrapping_add(stride);
            }
            let lanes = match next(3) {
                0 => u32::MAX,
                1 => u32::MAX >> next(32) << next(5),
                _ => next(1 << 32) as u32,
            };
            let mut bytes = [0; 32];
            let mut of_pages = 0;
            for (number, in_page, shape) in shapes(&addresses, lanes, size as u32) {
                assert_eq!(of_pages & in_page, 0, "a lane has one page");
                of_pages |= in_page;
                for (thread, range) in shape.accesses() {
                    let lane = (thread.0 - 64) as usize;
                    let start = number * PAGE + range.start as u64;
                    assert!(lanes >> lane & 1 != 0 && addresses[lane] == start, "{round}: {shape:?}");
                    assert!(usize::from(shape.from) <= range.start && range.end <= usize::from(shape.to));
                    bytes[lane] += range.len() as u64;
                }
            }
            for (lane, bytes) in bytes.into_iter().enumerate() {
                assert_eq!(bytes, u64::from(lanes >> lane & 1) * size, "{round}: lane {lane}");
            }
        }
    }

    fn row(warp: u32, start: u64, stride: u64) -> Footprint {
        let addresses = std::array::from_fn(|lane| 4096 + start + stride * lane as u64);
        let mut all = shapes(&addresses, u32::MAX, 4);
        assert_eq!(all.len(), 1, "in one page");
        Footprint { warps: Warps::of(ThreadIndex(warp << 5)), ..all.remove(0).2 }
    }

    #[test]
    fn a_sweep_of_a_row_and_warps_that_do_the_same_are_one_footprint() {
        let mut sweep = row(2, 0, 4);
        for k in 1..25 {
            assert!(sweep.is_of_place(&row(2, 4 * k, 4)) && sweep.add_bytes(&row(2, 4 * k, 4)));
        }
        assert_eq!((sweep.start, sweep.size, sweep.to), (0, 100, 224));
        assert!(!sweep.add_bytes(&row(2, 104, 4)), "not next to it");
        // Two warps of every third block.
        let mut all = row(32 + 1, 0, 0);
        assert!(all.add_warps(&row(32 + 5, 0, 0)) && !all.add_warps(&row(4 * 32 + 1, 0, 0)));
        for block in [4, 7, 10] {
            let mut block_s = row(32 * block + 1, 0, 0);
            assert!(block_s.add_warps(&row(32 * block + 5, 0, 0)) && all.add_warps(&block_s));
        }
        let warps = [33, 37, 129, 133, 225, 229, 321, 325];
        assert_eq!(all.warps().map(|first| first.0 >> 5).collect::<Vec<_>>(), warps);
        assert_eq!(all.accesses().count(), 8 * 32);
        assert!(warps.iter().all(|&warp| all.has(&row(warp, 0, 0))));
        assert!([32, 34, 1, 65, 353].iter().all(|&warp| !all.has(&row(warp, 0, 0))));
    }

    #[test]
    fn threads_meet_their_own_accesses_only_where_elements_are_the_same() {
        let first = |warp: u32| ThreadIndex(warp << 5);
        let (row4, next) = (row(2, 0, 4), row(2, 4, 4));
        assert!(row4.is_of_same_threads(&row4) && !row4.is_of_same_threads(&next));
        assert_eq!(row4.lanes_in_conflict(first(2), &next), !1);
        assert_eq!(row4.lanes_in_conflict(first(2), &row4), 0);
        assert_eq!(row4.lanes_in_conflict(first(3), &row4), u32::MAX);
        let (low, high) = (row(2, 0, 8), row(2, 4, 8));
        assert!(low.is_of_same_threads(&high) && low.lanes_in_conflict(first(2), &high) == 0);
        assert!(!low.covers(&high) && row4.covers(&row(9, 0, 4)) && !low.covers(&row4));
        assert!(row(2, 0, 0).overlaps_itself() && !low.overlaps_itself());
    }
}
