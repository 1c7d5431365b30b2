//! Values that threads have read and not used yet.
//!
//! A race with such a read waits here, and is one as soon as the thread uses the value.

use super::cell::{Epoch, NumberMap};
use super::clock::ThreadIndex;
use crate::text::types::Space;

/// The most warps and loads that are kept track of; values of others count as used.
const MAX_READS: usize = 1 << 20;

/// A load by a warp: the operation, the warp's first thread divided by 32, and the site.
type Read = (u16, u32, u16);

/// The lanes of a warp that have executed a load.
#[derive(Clone, Copy, Debug, Default)]
struct Lanes {
    /// Those that have used no value of it.
    unused: u32,
    /// Those that have used one. A thread that uses one value of a load counts as if it used all.
    used: u32,
}

/// A race.
#[derive(Clone, Copy, Debug)]
pub(super) struct Race {
    pub space: Space,
    pub address: u64,
    pub bytes: u32,
    pub first: Epoch,
    pub second: Epoch,
    /// The block of the second access.
    pub block: Option<u64>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct UnusedReads {
    reads: NumberMap<Read, Lanes>,
    races: NumberMap<(Read, u32), Vec<Race>>,
    /// The reads of each resident block of an operation.
    of_blocks: NumberMap<(u16, u64), Vec<Read>>,
}

fn read_of(thread: ThreadIndex, operation: u16, site: u16) -> (Read, u32) {
    ((operation, thread.0 >> 5, site), thread.0 & 31)
}

impl UnusedReads {
    /// Lanes of the warp of a thread read values that they may not use.
    pub fn add(&mut self, block: u64, own: Epoch, lanes: u32) {
        let (read, _) = read_of(own.thread, own.operation, own.site);
        if let Some(known) = self.reads.get_mut(&read) {
            known.unused |= lanes & !known.used;
        } else if self.reads.len() < MAX_READS {
            self.reads.insert(read, Lanes { unused: lanes, used: 0 });
            self.of_blocks.entry((own.operation, block)).or_default().push(read);
        }
    }

    /// Whether a thread has read values and used none.
    pub fn is_unused(&self, epoch: Epoch) -> bool {
        let (read, lane) = read_of(epoch.thread, epoch.operation, epoch.site);
        self.reads.get(&read).is_some_and(|lanes| lanes.unused >> lane & 1 != 0)
    }

    /// A race with a value that its reader has not used.
    pub fn wait(&mut self, reader: Epoch, race: Race) {
        let waiting = self.races.entry(read_of(reader.thread, reader.operation, reader.site)).or_default();
        let sites = |race: &Race| (race.first.site, race.second.site);
        if waiting.iter().all(|known| sites(known) != sites(&race)) {
            waiting.push(race);
        }
    }

    /// Lanes of the warp of a thread use what they have read. Returns the races that are ones now.
    pub fn take_used(&mut self, first: ThreadIndex, operation: u16, site: u16, lanes: u32) -> Vec<Race> {
        let (read, _) = read_of(first, operation, site);
        let Some(known) = self.reads.get_mut(&read) else { return Vec::new() };
        let used = known.unused & lanes;
        known.unused &= !used;
        known.used |= used;
        if used == 0 || self.races.is_empty() {
            return Vec::new();
        }
        let lanes = (0..32).filter(|lane| used >> lane & 1 != 0);
        lanes.filter_map(|lane| self.races.remove(&(read, lane))).flatten().collect()
    }

    /// The threads of a block have exited: they will use nothing more.
    pub fn end_block(&mut self, operation: u16, block: u64) {
        for read in self.of_blocks.remove(&(operation, block)).into_iter().flatten() {
            let unused = self.reads.get(&read).map_or(0, |lanes| lanes.unused);
            if unused == 0 {
                self.reads.remove(&read);
            } else if !self.races.is_empty() {
                (0..32).for_each(|lane| drop(self.races.remove(&(read, lane))));
            }
        }
    }

    /// Bytes of the host's memory that they take.
    pub fn host_bytes(&self) -> usize {
        self.reads.capacity() * size_of::<(Read, Lanes)>()
            + self.races.capacity() * size_of::<((Read, u32), Vec<Race>)>()
    }
}
