//! Compares an access with those before it: FastTrack (Flanagan and Freund, PLDI 2009), for PTX.
//!
//! Of each location the last write and the reads since then are known. An access conflicts with one of another
//! thread if at least one of them writes, and races with it unless the other one comes before it, or both are
//! strong, of the same bytes, and include each other's thread in their scopes.

use super::cell::{ANY_THREAD, Cell, Epoch};
use super::clock::{Clock, ThreadIndex};
use super::finding::SiteInfo;
use super::footprint::Footprint;
use super::operations::{OperationOrder, Operations};
use super::readers::{self, FEW, ReaderSets, Readers, SEVERAL_BLOCKS, Summary};

/// The most warps of a footprint of which each is compared with a clock.
const MOST_WARPS: usize = 64;

/// The accesses of one thread, for a comparison with others.
pub(super) struct Comparison<'c> {
    pub own: Epoch,
    pub site: &'c SiteInfo,
    pub known: &'c Clock,
    pub floor: u32,
    pub order: &'c OperationOrder,
    pub operations: &'c Operations,
    pub sites: &'c [SiteInfo],
}

impl Comparison<'_> {
    /// Whether an earlier access comes before this one.
    #[inline]
    fn is_ordered(&self, other: Epoch) -> bool {
        if other.operation != self.own.operation {
            return other.operation == 0 || self.is_operation_ordered(other.operation);
        }
        other.thread == self.own.thread
            || other.thread.same_block(self.own.thread) && other.time <= self.floor
            || self.known.get(other.thread) >= other.time
    }

    fn is_operation_ordered(&self, operation: u16) -> bool {
        let other = self.operations.get(operation);
        other.is_none_or(|other| self.order.is_after(other.order.stream, other.order.number))
    }

    /// Whether both accesses are strong and include each other.
    fn is_strong_with(&self, other: Epoch) -> bool {
        let near = || other.operation == self.own.operation && other.thread.same_block(self.own.thread);
        self.is_strong_with_site(other.site, near)
    }

    #[inline]
    fn is_strong_with_site(&self, site: u16, near: impl FnOnce() -> bool) -> bool {
        let site = &self.sites[usize::from(site)];
        self.site.strong
            && site.strong
            // LLVM updates one or two bytes by a compare-and-swap of the word around them: its other bytes stay.
            && (self.site.size == site.size || self.site.swaps || site.swaps)
            && (!self.site.block_scope && !site.block_scope || near())
    }

    #[inline]
    pub fn races_with(&self, other: Epoch) -> bool {
        other.operation != 0 && !self.is_ordered(other) && !self.is_strong_with(other)
    }

    /// A read of a location; returns what it races with.
    #[inline]
    pub fn read(&self, cell: &mut Cell, sets: &mut ReaderSets) -> Option<Epoch> {
        let race = self.races_with(cell.write).then_some(cell.write);
        let before = cell.read;
        if cell.readers().is_some() {
            if before.operation != self.own.operation && self.is_operation_ordered(before.operation) {
                sets.release(cell);
                cell.read = self.own;
            } else {
                sets.add(cell, self.own, &|operation| self.is_operation_ordered(operation));
            }
        } else if before.operation == 0 {
            cell.read = self.own;
        } else if before.operation != self.own.operation {
            match self.is_operation_ordered(before.operation) {
                true => cell.read = self.own,
                false => sets.add(cell, self.own, &|operation| self.is_operation_ordered(operation)),
            }
        } else if self.replaces(before) {
            cell.read = self.own;
        } else if before.thread != self.own.thread || before.time != self.own.time {
            sets.add(cell, self.own, &|operation| self.is_operation_ordered(operation));
        }
        race
    }

    /// Whether all that races with an earlier read of this operation races with this one, too.
    #[inline]
    fn replaces(&self, before: Epoch) -> bool {
        let (own, earlier) = (self.site, &self.sites[usize::from(before.site)]);
        // Of a weak and a strong read, the weak one races with more; of two, one whose value may stay unused with less.
        let more = (!own.strong || earlier.strong) && (own.is_used() || !earlier.is_used());
        match before.thread == self.own.thread {
            true => more || before.site == self.own.site,
            false => self.is_ordered(before) && (own.is_used() || !earlier.is_used()),
        }
    }

    /// A write of a location; adds what it races with. Of several readers at one place those are added whose values may
    /// stay unused, or else one.
    #[inline]
    pub fn write(&self, cell: &mut Cell, sets: &mut ReaderSets, races: &mut Vec<Epoch>) {
        if self.races_with(cell.write) {
            races.push(cell.write);
        }
        if let Some(index) = cell.readers() {
            let alone = readers::is_alone(cell, self.own.thread);
            self.races_with_many(sets.get(index), alone, races);
            sets.release(cell);
        } else if self.races_with(cell.read) {
            races.push(cell.read);
        }
        *cell = Cell { write: self.own, read: Epoch::default() };
    }

    /// Whether accesses that overlap those of a footprint come after all of these that they overlap, or are by the same
    /// threads. Its lanes have the time and the knowledge of this access's thread.
    #[inline]
    pub fn comes_after_all(&self, known: &[Footprint], new: &Footprint) -> bool {
        known.iter().all(|known| !known.overlaps(new) || self.comes_after(known, new))
    }

    #[inline]
    pub fn comes_after(&self, known: &Footprint, new: &Footprint) -> bool {
        if known.operation != self.own.operation {
            return self.is_operation_ordered(known.operation)
                || self.is_strong_with_site(known.site, || false);
        }
        known.is_of_same_threads(new)
            || self.is_strong_with_site(known.site, || known.is_of_block(self.own.thread))
            || known.time <= self.floor && known.is_of_block(self.own.thread)
            || self.knows_threads(known, new)
    }

    /// Whether the threads with which a footprint is in conflict are known up to their time.
    #[cold]
    fn knows_threads(&self, known: &Footprint, new: &Footprint) -> bool {
        known.warps().count() <= MOST_WARPS
            && known.warps().all(|warp| {
                let lanes = known.lanes_in_conflict(warp, new);
                (0..32).filter(|lane| lanes >> lane & 1 != 0).all(|lane| {
                    let thread = ThreadIndex(warp.0 | lane);
                    self.known.get(thread) >= known.time
                })
            })
    }

    /// Whether all that races with the reads of one footprint races with those of a new one, too, which has all its bytes.
    #[inline]
    pub fn replaces_all(&self, known: &Footprint, new: &Footprint) -> bool {
        let earlier = &self.sites[usize::from(known.site)];
        if self.site.strong && !earlier.strong {
            return false;
        }
        if known.operation != new.operation {
            return self.is_operation_ordered(known.operation);
        }
        let is_used = self.site.is_used() || !earlier.is_used();
        match known.is_of_same_threads(new) {
            true => is_used || known.site == new.site,
            false => is_used && known.time <= self.floor && known.is_of_block(self.own.thread),
        }
    }

    /// Whether a read of this operation, at a site, may replace those of operations before it.
    pub fn replaces_earlier(&self, operation: u16, site: u16) -> bool {
        operation == self.own.operation && !self.sites[usize::from(site)].strong
    }

    /// Whether all of another operation comes before this one.
    pub fn comes_before(&self, operation: u16) -> bool {
        operation != self.own.operation && self.is_operation_ordered(operation)
    }

    /// As [`Comparison::replaces_all`], for two reads that are known.
    pub fn is_replaced(&self, known: &Footprint, later: &Footprint) -> bool {
        match known.operation == later.operation {
            true => later.is_later(known),
            false => {
                later.operation == self.own.operation
                    && self.is_operation_ordered(known.operation)
                    && !self.sites[usize::from(later.site)].strong
            }
        }
    }

    /// Whether this access may race with one of the readers of a summary, as a race with a thread that is not known.
    fn race_with_summary(&self, summary: &Summary) -> Option<Epoch> {
        let Summary { operation, site, block, time } = *summary;
        let other = Epoch { thread: ANY_THREAD, time, operation, site };
        let comes_before = match (operation == self.own.operation, block) {
            (false, _) => self.is_operation_ordered(operation),
            (true, SEVERAL_BLOCKS) => false,
            (true, block) => self.knows_block(block, time),
        };
        // Of what is strong in its block only, the blocks may differ.
        (!comes_before && !self.is_strong_with(other)).then_some(other)
    }

    /// Whether what the threads of a block have done up to a time comes before this access.
    fn knows_block(&self, block: u32, time: u32) -> bool {
        let first = ThreadIndex(block << 10);
        if first.same_block(self.own.thread) && time <= self.floor {
            return true;
        }
        let shape = self.operations.get(self.own.operation).map_or([1024, 1, 1], |operation| operation.block);
        let threads = shape.iter().product::<u32>().clamp(1, 1024);
        (first.0..first.0 + threads).all(|thread| self.known.get(ThreadIndex(thread)) >= time)
    }

    #[cold]
    fn races_with_many(&self, readers: &Readers, alone: bool, races: &mut Vec<Epoch>) {
        let is_own = |summary: &&Summary| {
            let own_block = ThreadIndex(summary.block << 10).same_block(self.own.thread);
            alone && summary.operation == self.own.operation && summary.block != SEVERAL_BLOCKS && own_block
        };
        let others = readers.summary().iter().filter(|summary| !is_own(summary));
        races.extend(others.filter_map(|summary| self.race_with_summary(summary)));
        // The operation and site of which no further reader counts.
        let mut done = None;
        for mut group in readers.groups() {
            let race =
                |reader: &Epoch| done != Some((reader.operation, reader.site)) && self.races_with(*reader);
            let Some(first) = group.find(race) else { continue };
            races.push(first);
            if readers.count() <= FEW || !self.sites[usize::from(first.site)].is_used() {
                races.extend(group.filter(race));
            } else {
                done = Some((first.operation, first.site));
            }
        }
    }
}
