//! Readers of locations: who has read each since its last write, if no synchronisation orders them.
//!
//! Neighbouring locations mostly have the same readers, as the elements of a row that each thread of a grid reads. A set of
//! readers belongs to all cells that have the same ones: it is found by its hash, the sum of its readers' hashes. A set that
//! one cell has is changed in place. Sets that differ in a few readers share the chunks of the others.
//!
//! Where there is no memory for every reader, a summary takes their place: no reader is forgotten, but a write that comes
//! after them is known to do so only if it comes after their whole block, or after their whole operation.

use std::sync::Arc;

use super::cell::{Cell, Epoch, MANY, NumberMap};
use super::clock::ThreadIndex;

/// Bytes that sets may take however little memory is accessed.
const LEAST_ROOM: usize = 16 << 20;

/// The most readers of other operations that are kept one by one.
pub(super) const FEW: u32 = 4;

/// In place of a block: readers of several ones.
pub(super) const SEVERAL_BLOCKS: u32 = u32::MAX;

/// In the thread of a cell with a summary: this thread is the only one of its block that the summary is about.
const ALONE: u32 = 1 << 31;

/// Whether a thread is the only one of its block among the readers of a cell that only a summary is about.
pub(super) fn is_alone(cell: &Cell, thread: ThreadIndex) -> bool {
    cell.readers().is_some() && cell.read.thread.0 == thread.0 | ALONE
}

/// Bytes for summaries that say which block the readers are of, in addition to what sets may take.
const SUMMARY_ROOM: usize = 4 << 20;

/// Added to the hash of sets with a summary.
const SUMMARISED: u128 = 0x6a09_e667_f3bc_c908_bb67_ae85_84ca_a73b;

/// The most entries of a chunk.
const CHUNK: usize = 32;

/// Bytes of the host's memory for a set, with its place in the tables and its allocations' headers.
const SET_BYTES: usize = 160;

/// Threads of one warp that have read at one site at one time.
#[derive(Clone, Copy, Debug)]
struct Entry {
    operation: u16,
    site: u16,
    warp: u32,
    time: u32,
    lanes: u32,
}

impl Entry {
    fn of(reader: Epoch) -> Entry {
        let Epoch { thread, time, operation, site } = reader;
        Entry { operation, site, warp: thread.0 >> 5, time, lanes: 1 << (thread.0 & 31) }
    }

    /// What entries are sorted by.
    fn key(&self) -> (u16, u16, u32, u32) {
        (self.operation, self.site, self.warp, self.time)
    }

    fn is_same_place(&self, other: &Entry) -> bool {
        (self.operation, self.site, self.warp) == (other.operation, other.site, other.warp)
    }
}

/// Readers at one site, of whom no more is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Summary {
    pub operation: u16,
    pub site: u16,
    /// The block of all of them, or [`SEVERAL_BLOCKS`].
    pub block: u32,
    /// A time that none of them exceeds, if they are of one block.
    pub time: u32,
}

impl Summary {
    fn of(entry: Entry) -> Summary {
        Summary { operation: entry.operation, site: entry.site, block: entry.warp >> 5, time: entry.time }
    }

    /// As of readers of any block: all that counts for other operations.
    fn of_any_block(self) -> Summary {
        Summary { block: SEVERAL_BLOCKS, time: 0, ..self }
    }

    /// Both together, of one operation and site.
    fn with(self, other: Summary) -> Summary {
        match self.block == other.block {
            true => Summary { time: self.time.max(other.time), ..self },
            false => self.of_any_block(),
        }
    }

    fn hash(self) -> u128 {
        let Summary { operation, site, block, time } = self;
        hash(Entry { operation, site, warp: block, time, lanes: 1 }).wrapping_mul(SUMMARISED)
    }
}

/// Readers of a location.
#[derive(Clone, Debug, Default)]
pub(super) struct Readers {
    /// Sorted, none of them empty. Each thread is at most once in the entries of a site.
    chunks: Vec<Arc<Vec<Entry>>>,
    /// Further readers, sorted by operations and sites, of which each is there once.
    summary: Vec<Summary>,
    hash: u128,
    count: u32,
    /// The cells that have it.
    users: u32,
}

impl Readers {
    /// Those that are not known one by one.
    pub fn summary(&self) -> &[Summary] {
        &self.summary
    }

    /// How many of them are known one by one.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Those of each warp, site and time, sorted by operations and sites.
    pub fn groups(&self) -> impl Iterator<Item = impl Iterator<Item = Epoch>> {
        self.entries().map(|entry| {
            (0..32).filter(move |lane| entry.lanes >> lane & 1 != 0).map(move |lane| Epoch {
                thread: ThreadIndex(entry.warp << 5 | lane),
                time: entry.time,
                operation: entry.operation,
                site: entry.site,
            })
        })
    }

    fn entries(&self) -> impl Iterator<Item = Entry> {
        self.chunks.iter().flat_map(|chunk| chunk.iter().copied())
    }

    /// The chunk and the place in it where an entry with this key is, or would be.
    fn place(&self, key: (u16, u16, u32, u32)) -> (usize, usize) {
        let chunk = self.chunks.partition_point(|chunk| chunk.last().is_some_and(|last| last.key() < key));
        let chunk = chunk.min(self.chunks.len().saturating_sub(1));
        let entries = self.chunks.get(chunk).map_or(&[][..], |chunk| chunk);
        (chunk, entries.partition_point(|entry| entry.key() < key))
    }

    /// When a reader's thread has read at the same site.
    fn time_of(&self, reader: Entry) -> Option<u32> {
        let (chunk, from) = self.place((reader.operation, reader.site, reader.warp, 0));
        let chunks = self.chunks.get(chunk..).unwrap_or_default();
        let entries = chunks.iter().flat_map(|chunk| chunk.iter()).skip(from);
        entries
            .take_while(|entry| entry.is_same_place(&reader))
            .find(|entry| entry.lanes & reader.lanes != 0)
            .map(|entry| entry.time)
    }

    /// The entries of a chunk, unshared.
    fn chunk(&mut self, chunk: usize, bytes: &mut usize) -> &mut Vec<Entry> {
        let chunk = &mut self.chunks[chunk];
        let shared = Arc::strong_count(chunk) > 1;
        let entries = Arc::make_mut(chunk);
        if shared {
            *bytes += chunk_bytes(entries);
        }
        entries
    }

    fn remove(&mut self, reader: Entry, bytes: &mut usize) {
        let (chunk, at) = self.place(reader.key());
        let entries = self.chunk(chunk, bytes);
        entries[at].lanes &= !reader.lanes;
        if entries[at].lanes == 0 {
            entries.remove(at);
        }
        if entries.is_empty() {
            *bytes -= chunk_bytes(entries) + size_of::<usize>();
            self.chunks.remove(chunk);
        }
        self.count -= 1;
    }

    fn insert(&mut self, reader: Entry, bytes: &mut usize) {
        self.count += 1;
        if self.chunks.is_empty() {
            let chunk = vec![reader];
            *bytes += chunk_bytes(&chunk) + size_of::<usize>();
            self.chunks.push(Arc::new(chunk));
            return;
        }
        let (chunk, at) = self.place(reader.key());
        let entries = self.chunk(chunk, bytes);
        if let Some(entry) = entries.get_mut(at).filter(|entry| entry.key() == reader.key()) {
            entry.lanes |= reader.lanes;
            return;
        }
        let before = chunk_bytes(entries);
        entries.insert(at, reader);
        let upper = match entries.len() > CHUNK {
            // Readers mostly come in order.
            true if at == CHUNK => Some(entries.split_off(CHUNK)),
            true => Some(entries.split_off(CHUNK / 2)),
            false => None,
        };
        *bytes = *bytes - before + chunk_bytes(entries);
        if let Some(upper) = upper {
            *bytes += chunk_bytes(&upper) + size_of::<usize>();
            self.chunks.insert(chunk + 1, Arc::new(upper));
        }
    }
}

/// Bytes of the host's memory for a chunk.
fn chunk_bytes(entries: &Vec<Entry>) -> usize {
    entries.capacity() * size_of::<Entry>() + size_of::<Vec<Entry>>() + 64
}

/// The hash of a reader, of which sums are the hashes of sets: that two of a trillion sets have the same one has a chance
/// of 2^-48.
fn hash(reader: Entry) -> u128 {
    let thread = u64::from(reader.warp) << 5 | u64::from(reader.lanes.trailing_zeros());
    let place = u64::from(reader.time) << 32 | u64::from(reader.operation) << 16 | u64::from(reader.site);
    let mix = |seed: u64| {
        let mut hash = seed;
        for word in [thread, place] {
            hash = (hash ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
            hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            hash ^= hash >> 31;
        }
        hash
    };
    u128::from(mix(1)) << 64 | u128::from(mix(2))
}

/// All sets of readers.
#[derive(Clone, Debug, Default)]
pub(super) struct ReaderSets {
    sets: Vec<Readers>,
    free: Vec<u32>,
    /// The index of each set, by its hash.
    known: NumberMap<u128, u32>,
    /// Bytes of the host's memory that the sets take.
    bytes: usize,
    /// Bytes that they may take besides [`LEAST_ROOM`]: what the cells leave of 24 for each byte that was accessed.
    pub room: usize,
    dropped: bool,
}

impl ReaderSets {
    pub fn get(&self, index: u32) -> &Readers {
        &self.sets[index as usize]
    }

    /// Adds a reader to those of a cell, which stay, but for those of operations that come before the reader's. Where the
    /// sets take too much memory, they become a summary.
    pub fn add(&mut self, cell: &mut Cell, reader: Epoch, is_before: &dyn Fn(u16) -> bool) {
        if cell.readers().is_none()
            && self.is_full()
            && (cell.read.operation, cell.read.thread) == (reader.operation, reader.thread)
        {
            // Two sites of one thread: the first one races with more than the second.
            self.dropped = true;
            return;
        }
        if cell.readers().is_none() {
            let first = Entry::of(cell.read);
            self.settle(cell, None, first, hash(first));
        }
        let Some(index) = cell.readers() else {
            cell.read = reader;
            return;
        };
        let (set, entry) = (&self.sets[index as usize], Entry::of(reader));
        let is_summarised = set.summary.iter().any(|known| known.operation == reader.operation);
        if is_summarised || cell.read.operation != reader.operation && set.count > FEW {
            self.summarise(cell, reader, is_summarised, is_before);
            return;
        }
        let mut sum = set.hash.wrapping_add(hash(entry));
        let before = set.time_of(entry).map(|time| Entry { time, ..entry });
        if let Some(before) = before {
            sum = sum.wrapping_sub(hash(before));
        }
        cell.read.operation = reader.operation;
        if sum != set.hash {
            self.settle(cell, before, entry, sum);
        }
    }

    /// Replaces a reader of a cell by another one, or adds one: the set has this hash then.
    fn settle(&mut self, cell: &mut Cell, before: Option<Entry>, reader: Entry, sum: u128) {
        let own = cell.readers();
        let index = if let Some(&known) = self.known.get(&sum) {
            self.sets[known as usize].users += 1;
            self.release(cell);
            known
        } else if self.is_full() {
            let reader = Epoch {
                thread: ThreadIndex(reader.warp << 5 | reader.lanes.trailing_zeros()),
                time: reader.time,
                operation: reader.operation,
                site: reader.site,
            };
            self.summarise(cell, reader, true, &|_| false);
            return;
        } else {
            let index = match own {
                Some(own) if self.sets[own as usize].users == 1 => {
                    self.known.remove(&self.sets[own as usize].hash);
                    own
                }
                own => self.copy(own),
            };
            let set = &mut self.sets[index as usize];
            if let Some(before) = before {
                set.remove(before, &mut self.bytes);
            }
            set.insert(reader, &mut self.bytes);
            set.hash = sum;
            self.known.insert(sum, index);
            index
        };
        cell.read = Epoch { time: index, site: MANY, operation: reader.operation, thread: ThreadIndex(0) };
    }

    fn is_full(&self) -> bool {
        self.bytes >= LEAST_ROOM + self.room
    }

    /// Replaces the readers of a cell by a summary, with one reader more: it is in the summary, with those of its operation,
    /// or else it is the only one that is known.
    fn summarise(&mut self, cell: &mut Cell, reader: Epoch, own_too: bool, is_before: &dyn Fn(u16) -> bool) {
        let entry = Entry::of(reader);
        let block = entry.warp >> 5;
        let mut alone = own_too;
        let own = |summary: Summary| match summary.operation == reader.operation {
            true => summary,
            false => summary.of_any_block(),
        };
        let mut all: Vec<Summary> = Vec::new();
        if let Some(index) = cell.readers() {
            let set = &self.sets[index as usize];
            let is_other = |known: Entry| (known.warp, known.lanes) != (entry.warp, entry.lanes);
            let mut in_block = set.summary.iter().filter(|known| known.operation == reader.operation);
            alone &= is_alone(cell, reader.thread) || !in_block.any(|known| known.block == block);
            alone &= !set.entries().any(|known| known.warp >> 5 == block && is_other(known));
            let new = own(Summary::of(entry));
            let covers = |known: &&Summary| (known.operation, known.site) == (new.operation, new.site);
            if let Some(known) = set.summary.iter().find(covers)
                && known.with(new) == *known
            {
                cell.read.operation = reader.operation;
                cell.read.thread = ThreadIndex(if alone { reader.thread.0 | ALONE } else { 0 });
                return;
            }
            all.extend(set.summary.iter().copied().chain(set.entries().map(Summary::of)).map(own));
            all.retain(|known| known.operation == reader.operation || !is_before(known.operation));
        }
        if own_too {
            self.dropped = true;
            all.push(Summary::of(entry));
        }
        all.sort_by_key(|known| (known.operation, known.site));
        all.dedup_by(|later, known| {
            let same = (later.operation, later.site) == (known.operation, known.site);
            if same {
                *known = known.with(*later);
            }
            same
        });
        if self.bytes >= LEAST_ROOM + self.room + SUMMARY_ROOM {
            all.iter_mut().for_each(|known| *known = known.of_any_block());
        }
        let mut sum = all.iter().fold(0, |sum: u128, known| sum.wrapping_add(known.hash()));
        if !own_too {
            sum = sum.wrapping_add(hash(entry));
        }
        self.release(cell);
        let index = match self.known.get(&sum) {
            Some(&known) => {
                self.sets[known as usize].users += 1;
                known
            }
            None => {
                let index = self.copy(None);
                let set = &mut self.sets[index as usize];
                self.bytes += all.capacity() * size_of::<Summary>();
                set.summary = all;
                if !own_too {
                    set.insert(entry, &mut self.bytes);
                }
                set.hash = sum;
                self.known.insert(sum, index);
                index
            }
        };
        let thread = ThreadIndex(if alone { reader.thread.0 | ALONE } else { 0 });
        cell.read = Epoch { time: index, site: MANY, operation: reader.operation, thread };
    }

    /// A copy of a set that a cell gives up, or an empty set.
    fn copy(&mut self, of: Option<u32>) -> u32 {
        let mut set = Readers::default();
        if let Some(of) = of {
            let of = &mut self.sets[of as usize];
            of.users -= 1;
            set = of.clone();
        }
        set.users = 1;
        self.bytes +=
            SET_BYTES + set.chunks.len() * size_of::<usize>() + set.summary.capacity() * size_of::<Summary>();
        match self.free.pop() {
            Some(index) => {
                self.sets[index as usize] = set;
                index
            }
            None => {
                self.sets.push(set);
                self.sets.len() as u32 - 1
            }
        }
    }

    /// The cell of another byte with the same accesses.
    pub fn duplicate(&mut self, cell: Cell) -> Cell {
        if let Some(index) = cell.readers() {
            self.sets[index as usize].users += 1;
        }
        cell
    }

    /// Gives back the set of a cell.
    pub fn release(&mut self, cell: &mut Cell) {
        let Some(index) = cell.readers() else { return };
        cell.read = Epoch::default();
        let set = &mut self.sets[index as usize];
        set.users -= 1;
        if set.users > 0 {
            return;
        }
        let Readers { chunks, summary, hash, .. } = std::mem::take(set);
        self.known.remove(&hash);
        self.free.push(index);
        self.bytes -=
            SET_BYTES + chunks.len() * size_of::<usize>() + summary.capacity() * size_of::<Summary>();
        for chunk in chunks {
            if let Some(entries) = Arc::into_inner(chunk) {
                self.bytes -= chunk_bytes(&entries);
            }
        }
    }

    /// Whether readers became a summary for want of memory since the last call.
    pub fn take_dropped(&mut self) -> bool {
        std::mem::take(&mut self.dropped)
    }

    /// Bytes of the host's memory that they take.
    pub fn host_bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    type Model = BTreeMap<(u16, u16, u32), u32>;

    fn listed(cell: &Cell, sets: &ReaderSets) -> Model {
        let mut model = Model::new();
        let mut add = |reader: Epoch| {
            let before = model.insert((reader.operation, reader.site, reader.thread.0), reader.time);
            assert_eq!(before, None, "a thread is once in the readers of a site");
        };
        match cell.readers() {
            Some(index) => sets.get(index).groups().flatten().for_each(&mut add),
            None if cell.read.operation != 0 => add(cell.read),
            None => {}
        }
        model
    }

    fn reader(thread: u32, time: u32, site: u16) -> Epoch {
        Epoch { thread: ThreadIndex(thread), time, operation: 1, site }
    }

    #[test]
    fn sets_hold_the_readers_of_each_location_and_no_others() {
        let mut state = 7u64;
        let mut next = |below: u32| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as u32 % below
        };
        let mut sets = ReaderSets::default();
        let mut cells = [Cell::default(); 12];
        let mut models: [Model; 12] = Default::default();
        let mut time = 1;
        for round in 0..60_000 {
            time += u32::from(next(50) == 0);
            // Neighbours are read in turn, some of them alone.
            let reader = reader(next(40) * 37 + next(3) * 1024, time, 1 + next(3) as u16);
            let (first, last) = if next(3) == 0 { (next(12), 1) } else { (0, 12) };
            for i in (first as usize..12).take(last) {
                match cells[i].read.operation {
                    0 => cells[i].read = reader,
                    _ => sets.add(&mut cells[i], reader, &|_| false),
                }
                // As the comparison does, a thread's own read replaces the only one, here at each site.
                models[i].insert((1, reader.site, reader.thread.0), reader.time);
            }
            if next(40) == 0 {
                let (of, to) = (next(12) as usize, next(12) as usize);
                if of != to {
                    sets.release(&mut cells[to]);
                    cells[to] = sets.duplicate(cells[of]);
                    models[to] = models[of].clone();
                }
            }
            if next(400) == 0 {
                let i = next(12) as usize;
                sets.release(&mut cells[i]);
                (cells[i], models[i]) = Default::default();
            }
            if round % 97 == 0 {
                for (cell, model) in cells.iter().zip(&models) {
                    assert_eq!(&listed(cell, &sets), model, "round {round}");
                    let count = cell.readers().map_or(model.len() as u32, |index| sets.get(index).count());
                    assert_eq!(count as usize, model.len());
                }
            }
        }
        cells.iter_mut().for_each(|cell| sets.release(cell));
        assert_eq!((sets.bytes, sets.known.len()), (0, 0), "everything was given back");
        assert!(!sets.take_dropped());
    }

    /// A matrix product of `n` by `n`: each thread reads a row and a column, each of whose elements has the readers of the
    /// others.
    #[test]
    fn elements_of_a_row_share_their_readers() {
        let n = 128;
        let mut sets = ReaderSets::default();
        let mut cells = vec![Cell::default(); 2 * n * n];
        for thread in 0..n * n {
            for k in 0..n {
                for (at, site) in [(thread / n * n + k, 1), (n * n + k * n + thread % n, 2)] {
                    let reader = reader(thread as u32, 1, site);
                    match cells[at].read.operation {
                        0 => cells[at].read = reader,
                        _ => sets.add(&mut cells[at], reader, &|_| false),
                    }
                }
            }
        }
        assert!(cells.iter().all(|cell| listed(cell, &sets).len() == n));
        assert!(!sets.take_dropped());
        assert!(sets.host_bytes() < 18 * 4 * 2 * n * n, "{}", sets.host_bytes());
    }

    /// Each location has readers of its own.
    #[test]
    fn memory_is_bounded_whoever_reads() {
        let mut sets = ReaderSets { room: 1 << 20, ..ReaderSets::default() };
        let mut state = 1u64;
        let mut cells = vec![Cell::default(); 1 << 12];
        for _ in 0..1_000_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let cell = &mut cells[(state >> 50) as usize & 0xfff];
            let reader = reader((state >> 30) as u32 & 0xf_ffff, 1, 1);
            match cell.read.operation {
                0 => cell.read = reader,
                _ => sets.add(cell, reader, &|_| false),
            }
            assert!(sets.bytes < LEAST_ROOM + SUMMARY_ROOM + (1 << 20) + 8192);
        }
        assert!(sets.take_dropped());
        cells.iter_mut().for_each(|cell| sets.release(cell));
        assert_eq!((sets.bytes, sets.known.len()), (0, 0));
    }

    /// Without memory for each reader every one is in the summary, at its block or at several.
    #[test]
    fn no_reader_is_forgotten() {
        let mut state = 3u64;
        let mut next = |below: u32| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as u32 % below
        };
        let mut sets = ReaderSets { bytes: LEAST_ROOM, ..ReaderSets::default() };
        let mut cells = [Cell::default(); 8];
        let mut models: [Vec<Epoch>; 8] = Default::default();
        for round in 0..4000 {
            let i = next(8) as usize;
            // The first cells have readers of one block each.
            let block = if i < 4 { i as u32 } else { next(3) };
            let operation = 1 + (round / 1500) as u16;
            let new = Epoch { operation, ..reader(block << 10 | next(64), 1 + next(9), 1 + next(2) as u16) };
            match cells[i].read.operation {
                0 => cells[i].read = new,
                _ => sets.add(&mut cells[i], new, &|_| false),
            }
            models[i].push(new);
        }
        for (i, (cell, model)) in cells.iter().zip(&models).enumerate() {
            let set = sets.get(cell.readers().expect("several readers"));
            for reader in model {
                let known = |summary: &&Summary| {
                    let block = summary.block == SEVERAL_BLOCKS || summary.block == reader.thread.0 >> 10;
                    let time = summary.block == SEVERAL_BLOCKS || summary.time >= reader.time;
                    (summary.operation, summary.site) == (reader.operation, reader.site) && block && time
                };
                let exact = set.groups().flatten().any(|known| known == *reader);
                assert!(exact || set.summary().iter().any(|summary| known(&summary)), "{i}: {reader:?}");
            }
            let last = set.summary().iter().filter(|summary| summary.operation == 3);
            assert_eq!(last.clone().all(|summary| summary.block == i as u32), i < 4, "{:?}", set.summary());
        }
        assert!(sets.take_dropped());
        cells.iter_mut().for_each(|cell| sets.release(cell));
        assert_eq!((sets.bytes, sets.known.len()), (LEAST_ROOM, 0));
    }

    /// Readers of other operations need no more than a summary, however much memory there is; those of operations that come
    /// before are of no interest.
    #[test]
    fn readers_of_other_operations_are_kept() {
        let mut sets = ReaderSets::default();
        let mut cell = Cell::default();
        let read = |sets: &mut ReaderSets, cell: &mut Cell, operation, before: u16| {
            for thread in 0..40 {
                let new = Epoch { operation, ..reader(thread * 1024, 1, 1) };
                match cell.read.operation {
                    0 => cell.read = new,
                    _ => sets.add(cell, new, &|operation| operation <= before),
                }
            }
        };
        let operations = |sets: &ReaderSets, cell: &Cell| {
            let set = sets.get(cell.readers().expect("several"));
            (set.summary().iter().map(|summary| summary.operation).collect::<Vec<_>>(), set.count())
        };
        read(&mut sets, &mut cell, 1, 0);
        assert_eq!(operations(&sets, &cell), (vec![], 40));
        read(&mut sets, &mut cell, 2, 0);
        assert_eq!(operations(&sets, &cell), (vec![1], 40));
        read(&mut sets, &mut cell, 3, 1);
        assert_eq!(operations(&sets, &cell), (vec![2], 40));
        assert!(!sets.take_dropped());
    }
}
