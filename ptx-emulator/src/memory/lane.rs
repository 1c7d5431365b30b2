//! Lane-private memory: local memory, call frames and call arguments of one warp.
//!
//! Words are interleaved by lane, as on hardware, so that lanes that access the same offset access one
//! contiguous plane. Every byte has an undefined-lane mask: a thread may copy an undefined value, but must
//! not use it.

use std::collections::BTreeMap;

use crate::observer::Origin;
use crate::semantics::{Aligned, LANES, Plane32, select};

/// Memory of 32 lanes.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneMemory {
    words: Vec<Aligned<Plane32>>,
    undefined: Vec<[u32; 4]>,
    /// By word: the lanes whose undefined value was computed from others, and where it came from.
    origins: BTreeMap<u32, (u32, Option<Origin>)>,
}

impl LaneMemory {
    /// Makes `bytes` bytes accessible; never shrinks. Returns by how many bytes of host memory it has grown.
    pub fn grow(&mut self, bytes: u32) -> u64 {
        let words = (bytes as usize).div_ceil(4);
        let before = self.words.len();
        if words <= before {
            return 0;
        }
        // Grows by halves so that deep calls do not copy quadratically.
        let words = words.max(before * 3 / 2);
        self.words.resize(words, Aligned([0; LANES]));
        self.undefined.resize(words, [0; 4]);
        ((words - before) * (size_of::<Plane32>() + size_of::<[u32; 4]>())) as u64
    }

    /// Where the words and the undefined lanes of their bytes are, from an offset on, a multiple of four; valid until the
    /// memory grows. Null pointers if nothing is there.
    pub fn pointers(&mut self, from: u32) -> (*mut u8, *mut u8) {
        let at = from as usize / 4;
        let words = self.words.get_mut(at..).unwrap_or_default().as_mut_ptr();
        let undefined = self.undefined.get_mut(at..).unwrap_or_default().as_mut_ptr();
        (words.cast(), undefined.cast())
    }

    /// Bytes that can be accessed in each lane.
    pub fn size(&self) -> u64 {
        self.words.len() as u64 * 4
    }

    /// Makes bytes defined in the lanes of `mask`.
    pub fn define(&mut self, start: u32, bytes: u32, mask: u32) {
        let range = start as usize / 4..(start + bytes).div_ceil(4) as usize;
        for word in &mut self.undefined[range] {
            for byte in word {
                *byte &= !mask;
            }
        }
    }

    /// Begins a frame, or memory of `alloca`: undefined if undefined values are tracked. Otherwise it counts as
    /// defined, because compilers copy words with padding.
    pub fn begin_frame(&mut self, start: u32, bytes: u32, mask: u32, tracked: bool) {
        if tracked {
            self.undefine(start, bytes, mask);
            let words = start / 4..(start + bytes).div_ceil(4);
            self.origins.retain(|word, _| !words.contains(word));
        } else {
            self.define(start, bytes, mask);
        }
    }

    /// Says which bytes of an access of one lane are undefined, one bit each, whether they were computed from others,
    /// and where they came from.
    pub fn set_undefined(
        &mut self,
        lane: usize,
        offset: u64,
        size: u32,
        bytes: u32,
        computed: bool,
        origin: Option<Origin>,
    ) {
        for byte in 0..size {
            let at = offset as usize + byte as usize;
            let mask = &mut self.undefined[at / 4][at % 4];
            *mask = *mask & !(1 << lane) | (bytes >> byte & 1) << lane;
        }
        if bytes != 0 {
            for word in offset as u32 / 4..(offset as u32 + size).div_ceil(4) {
                let known = self.origins.entry(word).or_insert((0, origin));
                *known = (known.0 & !(1 << lane) | u32::from(computed) << lane, origin.or(known.1));
            }
        }
    }

    /// The undefined bytes of an access of one lane, one bit each; whether they were computed from others; and where
    /// they came from.
    pub fn undefined_bytes(&self, lane: usize, offset: u64, size: u32) -> (u32, bool, Option<Origin>) {
        let mut bytes = 0;
        for byte in 0..size {
            let at = offset as usize + byte as usize;
            bytes |= (self.undefined[at / 4][at % 4] >> lane & 1) << byte;
        }
        let words = offset as u32 / 4..(offset as u32 + size).div_ceil(4);
        let known =
            self.origins.range(words).map(|(_, &known)| known).reduce(|a, b| (a.0 | b.0, a.1.or(b.1)));
        let (computed, origin) = known.unwrap_or((0, None));
        (bytes, computed >> lane & 1 != 0, origin)
    }

    /// Makes bytes undefined in some lanes.
    pub fn undefine(&mut self, start: u32, bytes: u32, mask: u32) {
        for at in start as usize..(start + bytes) as usize {
            self.undefined[at / 4][at % 4] |= mask;
        }
    }

    /// The word at a multiple of four, and the lanes in which any of its bytes is undefined.
    #[inline(always)]
    pub fn plane(&self, offset: u32) -> (&Plane32, u32) {
        let at = offset as usize / 4;
        let [a, b, c, d] = self.undefined[at];
        (&self.words[at].0, a | b | c | d)
    }

    /// Writes the word at a multiple of four in the lanes of `mask`.
    #[inline(always)]
    pub fn set_plane(&mut self, offset: u32, value: &Plane32, undefined: u32, mask: u32) {
        let at = offset as usize / 4;
        if mask == u32::MAX {
            self.words[at].0 = *value;
        } else {
            select(value, mask, &mut self.words[at].0);
        }
        for byte in &mut self.undefined[at] {
            *byte = *byte & !mask | undefined & mask;
        }
    }

    /// Copies whole words from one offset to another in the lanes of `mask`, with their undefined-lane masks.
    pub fn copy(&mut self, to: u32, from: u32, bytes: u32, mask: u32) {
        for word in 0..bytes.div_ceil(4) {
            let source = (from / 4 + word) as usize;
            let (value, undefined) = (self.words[source].0, self.undefined[source]);
            let at = (to / 4 + word) as usize;
            select(&value, mask, &mut self.words[at].0);
            for (byte, undefined) in self.undefined[at].iter_mut().zip(undefined) {
                *byte = *byte & !mask | undefined & mask;
            }
            if !self.origins.is_empty()
                && let Some(&(computed, origin)) = self.origins.get(&(from / 4 + word))
            {
                let known = self.origins.entry(to / 4 + word).or_insert((0, origin));
                *known = (known.0 & !mask | computed & mask, origin.or(known.1));
            }
        }
    }

    /// Reads up to eight bytes of one lane; the address is a multiple of the size. True if any is undefined.
    #[inline]
    pub fn read(&self, lane: usize, offset: u64, size: u32) -> (u64, bool) {
        let at = offset as usize / 4;
        let shift = (offset & 3) * 8;
        match size {
            8 => {
                let value = u64::from(self.words[at].0[lane]) | u64::from(self.words[at + 1].0[lane]) << 32;
                let undefined = self.undefined[at].iter().chain(&self.undefined[at + 1]);
                (value, undefined.fold(0, |a, b| a | b) >> lane & 1 != 0)
            }
            _ => {
                let first = offset as usize & 3;
                let value = u64::from(self.words[at].0[lane]) >> shift;
                let undefined = &self.undefined[at][first..first + size as usize];
                let ones = (1u64 << (size * 8)) - 1;
                (value & ones, undefined.iter().fold(0, |a, b| a | b) >> lane & 1 != 0)
            }
        }
    }

    /// Writes up to eight bytes of one lane; the address is a multiple of the size.
    #[inline]
    pub fn write(&mut self, lane: usize, offset: u64, size: u32, value: u64, undefined: bool) {
        if size == 8 {
            self.write(lane, offset, 4, value & 0xffff_ffff, undefined);
            self.write(lane, offset + 4, 4, value >> 32, undefined);
            return;
        }
        let at = offset as usize / 4;
        let shift = (offset & 3) as u32 * 8;
        let ones = if size == 4 { u32::MAX } else { (1 << (size * 8)) - 1 };
        let word = &mut self.words[at].0[lane];
        *word = *word & !(ones << shift) | (value as u32 & ones) << shift;
        let first = offset as usize & 3;
        for byte in &mut self.undefined[at][first..first + size as usize] {
            *byte = *byte & !(1 << lane) | u32::from(undefined) << lane;
        }
    }

    /// Hashes the contents.
    pub fn hash_into(&self, state: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        self.words.iter().for_each(|word| word.0.hash(state));
        self.undefined.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_a_word_has_its_own_undefined_lanes() {
        let mut memory = LaneMemory::default();
        memory.grow(16);
        memory.write(3, 8, 8, 0x1122_3344_5566_7788, false);
        memory.write(3, 10, 1, 0xaa, true);
        assert_eq!(memory.read(3, 8, 8), (0x1122_3344_55aa_7788, true));
        assert_eq!(memory.read(3, 8, 2), (0x7788, false));
        assert_eq!(memory.read(3, 12, 4), (0x1122_3344, false));
        assert_eq!(memory.plane(8).1, 1 << 3);
        memory.copy(0, 8, 8, 1 << 3);
        assert_eq!(memory.read(3, 0, 8), (0x1122_3344_55aa_7788, true));
        memory.define(0, 8, u32::MAX);
        assert_eq!(memory.read(3, 0, 4), (0x55aa_7788, false));
    }
}
