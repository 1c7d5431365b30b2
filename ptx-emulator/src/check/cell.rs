//! A cell of shadow memory: the last accesses of a word or byte.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::clock::ThreadIndex;

/// One access: by which thread of which operation, when in this thread's time, and from where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Epoch {
    pub thread: ThreadIndex,
    pub time: u32,
    /// The index of the operation; 0 for no access.
    pub operation: u16,
    /// The index of the site.
    pub site: u16,
}

/// In place of a thread: one that is not known any more.
pub(super) const ANY_THREAD: ThreadIndex = ThreadIndex(u32::MAX);

/// In place of a site: the epoch's time is the index of a set of readers.
pub(super) const MANY: u16 = u16::MAX;

/// The last accesses of a word or byte.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    pub write: Epoch,
    pub read: Epoch,
}

impl Cell {
    /// The index of the set of readers, if there are several.
    pub fn readers(&self) -> Option<u32> {
        (self.read.operation != 0 && self.read.site == MANY).then_some(self.read.time)
    }
}

/// A table whose keys are numbers of pages, blocks and the like.
pub(super) type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// Hashes numbers of pages and blocks, which are far from random but never chosen against the table.
#[derive(Default)]
pub(super) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u16(&mut self, n: u16) {
        self.write_u64(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    fn write_u128(&mut self, n: u128) {
        self.write_u64(n as u64);
    }

    fn write_u64(&mut self, n: u64) {
        let mixed = (self.0 ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 29;
    }
}
