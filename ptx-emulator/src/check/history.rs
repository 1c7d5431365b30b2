//! The accesses to a page as footprints, while none may race with another one.
//!
//! Of each location the last write and the reads since then are known, as cells know them; a few older ones may be known,
//! too: what comes after the write that replaced these comes after them. Reads of lanes that have no shape together are kept
//! one by one. Where an access may race, or there are too many, cells take the place of all.

use super::cell::Epoch;
use super::clock::ThreadIndex;
use super::comparison::Comparison;
use super::footprint::Footprint;
use super::pages::PAGE;

/// The most footprints of a page: they take 24 bytes for each byte of memory. Most pages have fewer than ten.
pub(super) const MOST: usize = 24 * PAGE as usize / size_of::<Footprint>();

/// The most single reads of a page: with the footprints that may be beside them, they take 24 bytes for each byte of memory.
const MOST_SINGLE: usize = 21 * PAGE as usize / size_of::<SingleRead>();

/// The most writes of a page, and the most footprints of one to which accesses of many shapes are added: it is faster to
/// find such ones by location.
pub(super) const MOST_OF_MANY: usize = 32;

/// Room for so many footprints is made at a time.
const ROOM: usize = 8;

/// From so many reads on those are searched that others replace.
const MANY_READS: usize = 16;

#[derive(Clone, Debug, Default)]
pub(super) struct History {
    writes: Vec<Footprint>,
    reads: Vec<Footprint>,
    /// The read that was added to last: in a loop the next one mostly follows it.
    last: usize,
    /// As many reads as there may be until they are searched again.
    searched: usize,
    /// Further reads by one lane each, of accesses that have many shapes.
    single: Vec<SingleRead>,
}

/// A read of 1 to 16 bytes by one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SingleRead {
    from: u16,
    to: u16,
    site: u16,
    operation: u16,
    thread: ThreadIndex,
    time: u32,
}

impl SingleRead {
    fn footprint(self) -> Footprint {
        let SingleRead { from, to, site, operation, thread, time } = self;
        Footprint::of_thread(Epoch { thread, time, operation, site }, from.into()..to.into())
    }
}

impl History {
    pub fn writes(&self) -> &[Footprint] {
        &self.writes
    }

    pub fn reads(&self) -> impl Iterator<Item = Footprint> {
        self.reads.iter().copied().chain(self.single.iter().map(|read| read.footprint()))
    }

    /// Adds a read, if it comes after all writes of what it reads and there is room; otherwise nothing changes.
    #[inline]
    pub fn read(&mut self, new: &Footprint, room: usize, comparison: &Comparison<'_>) -> bool {
        if !comparison.comes_after_all(&self.writes, new) {
            return false;
        }
        let count = self.reads.len();
        for i in (self.last + 1..count).chain(0..count.min(self.last + 1)) {
            let known = &mut self.reads[i];
            if !known.is_of_place(new) {
                continue;
            }
            if !known.is_at_time(new) {
                // The same again, after a barrier or in a later launch.
                if known.is_same(new) && comparison.replaces_all(known, new) {
                    *known = *new;
                    self.last = i;
                    return true;
                }
            } else if known.has(new) {
                self.last = i;
                return true;
            } else if known.add_warps(new) || known.add_bytes(new) {
                self.last = i;
                self.join(i);
                return true;
            }
        }
        if count >= self.searched.max(MANY_READS) {
            self.remove_replaced(new, comparison);
            self.searched = 2 * self.reads.len();
        }
        if !self.has_room(room) {
            let has_few = self.reads.len() + self.writes.len() <= MOST_OF_MANY;
            return room == MOST_OF_MANY && has_few && self.read_single(new, comparison);
        }
        self.last = self.reads.len();
        push(&mut self.reads, *new);
        true
    }

    /// Whether there is room for one more footprint: beside single reads for few.
    fn has_room(&self, room: usize) -> bool {
        let most = if self.single.is_empty() { room } else { MOST_OF_MANY };
        self.reads.len() + self.writes.len() < most
    }

    /// Adds a read by one lane, if there is room.
    fn read_single(&mut self, new: &Footprint, comparison: &Comparison<'_>) -> bool {
        let Some((thread, bytes)) = new.thread() else { return false };
        if self.single.len() >= MOST_SINGLE {
            self.remove_replaced_single(comparison);
            if self.single.len() >= MOST_SINGLE / 2 {
                return false;
            }
        }
        let Footprint { time, operation, site, .. } = *new;
        let (from, to) = (bytes.start as u16, bytes.end as u16);
        if self.single.len() == self.single.capacity() {
            let more = self.single.len().max(ROOM).min(MOST_SINGLE - self.single.len());
            self.single.reserve_exact(more);
        }
        self.single.push(SingleRead { from, to, site, operation, thread, time });
        true
    }

    /// Keeps of each thread's reads of the same bytes at the same place the last one, and none of an operation that comes
    /// before one of this operation.
    #[cold]
    fn remove_replaced_single(&mut self, comparison: &Comparison<'_>) {
        self.single.sort_unstable();
        let bytes = |read: &SingleRead| (read.from, read.to);
        let mut kept: Vec<SingleRead> = Vec::with_capacity(MOST_SINGLE);
        for same in self.single.chunk_by(|a, b| bytes(a) == bytes(b)) {
            let is_read_now = same.iter().any(|read| comparison.replaces_earlier(read.operation, read.site));
            let begin = kept.len();
            for read in same {
                let is_replaced = is_read_now && comparison.comes_before(read.operation);
                let last = kept[begin..].last_mut();
                match last {
                    _ if is_replaced => {}
                    Some(last)
                        if (last.site, last.operation, last.thread)
                            == (read.site, read.operation, read.thread) =>
                    {
                        *last = *read;
                    }
                    _ => kept.push(*read),
                }
            }
        }
        self.single = kept;
    }

    /// A read has become larger: it may be what other warps have done.
    fn join(&mut self, i: usize) {
        let new = self.reads[i];
        let mut others = self.reads.iter_mut().enumerate().filter(|(at, _)| *at != i);
        let same = others.find_map(|(at, known)| {
            (known.is_of_place(&new) && known.is_at_time(&new) && known.add_warps(&new)).then_some(at)
        });
        let Some(same) = same else { return };
        self.reads.swap_remove(i);
        self.last = if same == self.reads.len() { i } else { same };
    }

    /// Removes reads of which others know all that counts.
    #[cold]
    fn remove_replaced(&mut self, new: &Footprint, comparison: &Comparison<'_>) {
        self.reads.retain(|known| !(new.covers(known) && comparison.replaces_all(known, new)));
        let mut kept: Vec<Footprint> = Vec::with_capacity(self.reads.len());
        for (i, read) in self.reads.iter().enumerate() {
            let later = |known: &Footprint| known.covers(read) && comparison.is_replaced(read, known);
            if !kept.iter().any(later) && !self.reads[i + 1..].iter().any(later) {
                kept.push(*read);
            }
        }
        self.reads = kept;
        self.last = 0;
    }

    /// Adds a write, if it comes after all accesses of what it writes and there is room; otherwise nothing changes.
    #[inline]
    pub fn write(&mut self, new: &Footprint, room: usize, comparison: &Comparison<'_>) -> bool {
        if new.overlaps_itself() && !comparison.site.strong
            || !comparison.comes_after_all(&self.writes, new)
            || !comparison.comes_after_all(&self.reads, new)
            || !self.single.iter().all(|read| {
                let known = read.footprint();
                !known.overlaps(new) || comparison.comes_after(&known, new)
            })
        {
            return false;
        }
        self.reads.retain(|known| !new.covers(known));
        self.single.retain(|known| !new.covers(&known.footprint()));
        if let Some(known) = self.writes.last_mut()
            && known.is_of_place(new)
            && known.is_at_time(new)
            && (known.has(new) || known.add_bytes(new))
        {
            return true;
        }
        self.writes.retain(|known| !new.covers(known));
        if self.writes.len() >= MOST_OF_MANY || !self.has_room(room) {
            return false;
        }
        push(&mut self.writes, *new);
        true
    }

    /// Bytes of the host's memory that it takes.
    pub fn host_bytes(&self) -> usize {
        size_of::<History>()
            + (self.writes.capacity() + self.reads.capacity()) * size_of::<Footprint>()
            + self.single.capacity() * size_of::<SingleRead>()
    }
}

fn push(footprints: &mut Vec<Footprint>, new: Footprint) {
    if footprints.len() == footprints.capacity() {
        footprints.reserve_exact(ROOM);
    }
    footprints.push(new);
}
