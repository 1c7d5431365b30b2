//! Readers of locations: who has read each since its last write, if no synchronisation orders them.
//!
//! Neighbouring locations mostly have the same readers, as the elements of a row that each thread of a grid reads. A set of
//! readers belongs to all cells that have the same ones: it is found by its hash, the sum of its readers' hashes. A set that
//! one cell has is changed in place. Sets that differ in a few readers share the chunks of the others.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use super::cell::{Cell, Epoch, MANY, PageHasher};
use super::clock::ThreadIndex;

/// Bytes that sets may take however little memory is accessed.
const LEAST_ROOM: usize = 16 << 20;

/// The most readers of several operations that are kept: most of those of others are ordered by now.
pub(super) const FEW: u32 = 4;

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

/// Readers of a location.
#[derive(Clone, Debug, Default)]
pub(super) struct Readers {
    /// Sorted, none of them empty. Each thread is at most once in the entries of a site.
    chunks: Vec<Arc<Vec<Entry>>>,
    hash: u128,
    count: u32,
    /// The cells that have it.
    users: u32,
}

impl Readers {
    /// How many they are.
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
    known: HashMap<u128, u32, BuildHasherDefault<PageHasher>>,
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

    /// Adds a reader to those of a cell, which stay. Where the sets take too much memory, it is the only one that is kept.
    pub fn add(&mut self, cell: &mut Cell, reader: Epoch) {
        if cell.readers().is_none() {
            let first = Entry::of(cell.read);
            self.settle(cell, None, first, hash(first));
        }
        let Some(index) = cell.readers() else {
            cell.read = reader;
            return;
        };
        let (set, entry) = (&self.sets[index as usize], Entry::of(reader));
        if cell.read.operation != reader.operation && set.count > FEW {
            self.release(cell);
            cell.read = reader;
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
        } else if self.bytes >= LEAST_ROOM + self.room {
            self.dropped = true;
            self.release(cell);
            cell.read = Epoch {
                thread: ThreadIndex(reader.warp << 5 | reader.lanes.trailing_zeros()),
                time: reader.time,
                operation: reader.operation,
                site: reader.site,
            };
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

    /// A copy of a set that a cell gives up, or an empty set.
    fn copy(&mut self, of: Option<u32>) -> u32 {
        let mut set = Readers::default();
        if let Some(of) = of {
            let of = &mut self.sets[of as usize];
            of.users -= 1;
            set = of.clone();
        }
        set.users = 1;
        self.bytes += SET_BYTES + set.chunks.len() * size_of::<usize>();
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
        let Readers { chunks, hash, .. } = std::mem::take(set);
        self.known.remove(&hash);
        self.free.push(index);
        self.bytes -= SET_BYTES + chunks.len() * size_of::<usize>();
        for chunk in chunks {
            if let Some(entries) = Arc::into_inner(chunk) {
                self.bytes -= chunk_bytes(&entries);
            }
        }
    }

    /// Whether readers were left out for want of memory since the last call.
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
                    _ => sets.add(&mut cells[i], reader),
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
                        _ => sets.add(&mut cells[at], reader),
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
                _ => sets.add(cell, reader),
            }
            assert!(sets.bytes < LEAST_ROOM + (1 << 20) + 8192);
        }
        assert!(sets.take_dropped());
        cells.iter_mut().for_each(|cell| sets.release(cell));
        assert_eq!((sets.bytes, sets.known.len()), (0, 0));
    }
}
