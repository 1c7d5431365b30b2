//! Shadow memory: who accessed each byte last.
//!
//! A page has footprints, which take at most 8 bytes for each of its own. Once accesses have no shape or may race it has a
//! cell per aligned word of four bytes, until a part of a word is accessed: from then on it has a cell per byte. A cell takes
//! 24 bytes, so that a byte of memory takes at most 24 bytes here, and usually 6. Sets of readers may take what is left of
//! the 24.

use super::cell::{Cell, Epoch};
use super::comparison::Comparison;
use super::footprint::Footprint;
use super::history::History;
use super::pages::{PAGE, PageTable};
use super::readers::ReaderSets;

/// Bytes of sets of readers for which the words of a page leave room.
const ROOM: usize = (24 - 6) * PAGE as usize;

#[derive(Clone, Debug, Default)]
enum Cells {
    /// None yet: the page's own cell stands for all bytes.
    #[default]
    None,
    /// What was accessed since the page's own cell stood for all bytes.
    History(Box<History>),
    Words(Box<[Cell; PAGE as usize / 4]>),
    Bytes(Box<[Cell; PAGE as usize]>),
}

/// The shadow of [`PAGE`] bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    /// The cell of every byte while there are no others.
    all: Cell,
    cells: Cells,
}

impl Page {
    /// Makes every byte as if it had been accessed so.
    pub fn fill(&mut self, cell: Cell, sets: &mut ReaderSets) {
        match &mut self.cells {
            Cells::None | Cells::History(_) => sets.release(&mut self.all),
            Cells::Words(words) => {
                words.iter_mut().for_each(|cell| sets.release(cell));
                sets.room = sets.room.saturating_sub(ROOM);
            }
            Cells::Bytes(bytes) => bytes.iter_mut().for_each(|cell| sets.release(cell)),
        }
        *self = Page { all: cell, cells: Cells::None };
    }

    /// Adds accesses, if nothing may race with them and they have a place in the page's history: it has room for as many
    /// footprints at most.
    #[inline]
    pub fn add(&mut self, is_write: bool, new: &Footprint, room: usize, comparison: &Comparison<'_>) -> bool {
        if let Cells::Words(_) | Cells::Bytes(_) = self.cells {
            return false;
        }
        let reads = |cell: &Cell| cell.readers().is_some() || comparison.races_with(cell.read);
        if comparison.races_with(self.all.write) || is_write && reads(&self.all) {
            return false;
        }
        if let Cells::None = self.cells {
            self.cells = Cells::History(Box::default());
        }
        let Cells::History(history) = &mut self.cells else { unreachable!("made above") };
        match is_write {
            true => history.write(new, room, comparison),
            false => history.read(new, room, comparison),
        }
    }

    /// Gives each location its cell.
    #[cold]
    fn make_cells(&mut self, sets: &mut ReaderSets) {
        let Cells::History(history) = std::mem::take(&mut self.cells) else { return };
        let mut all = history.writes().iter().copied().chain(history.reads());
        match all.all(|known| known.is_of_words()) {
            true => drop(self.cells(0, PAGE as usize, sets)),
            false => self.split_words(sets),
        }
        let mut each_cell = |known: &Footprint, set: &mut dyn FnMut(&mut Cell, Epoch, &mut ReaderSets)| {
            for (thread, bytes) in known.accesses() {
                let Footprint { time, operation, site, .. } = *known;
                let own = Epoch { thread, time, operation, site };
                for cell in self.cells(bytes.start, bytes.len(), sets) {
                    set(cell, own, sets);
                }
            }
        };
        for write in history.writes() {
            each_cell(write, &mut |cell, own, _| *cell = Cell { write: own, read: Epoch::default() });
        }
        for read in history.reads() {
            each_cell(&read, &mut |cell, own, sets| {
                let before = cell.read;
                let same =
                    |a: Epoch, b: Epoch| (a.operation, a.thread, a.site) == (b.operation, b.thread, b.site);
                match before.operation == 0 || cell.readers().is_none() && same(before, own) {
                    true => cell.read = own,
                    false => sets.add(cell, own, &|_| false),
                }
            });
        }
    }

    /// The cells of `size` bytes from an offset on.
    #[inline]
    pub fn cells(&mut self, offset: usize, size: usize, sets: &mut ReaderSets) -> &mut [Cell] {
        if let Cells::History(_) = self.cells {
            self.make_cells(sets);
        }
        if (offset | size) & 3 != 0 {
            self.split_words(sets);
        } else if matches!(self.cells, Cells::None) {
            self.cells = Cells::Words(Box::new([self.all; PAGE as usize / 4]));
            sets.room += ROOM;
        }
        match &mut self.cells {
            Cells::Words(words) => &mut words[offset / 4..(offset + size) / 4],
            Cells::Bytes(bytes) => &mut bytes[offset..offset + size],
            Cells::None | Cells::History(_) => unreachable!("made above"),
        }
    }

    /// The cells that there are: one for the page, or those of its words or bytes.
    pub fn known(&mut self, sets: &mut ReaderSets) -> &mut [Cell] {
        if let Cells::History(_) = self.cells {
            self.make_cells(sets);
        }
        match &mut self.cells {
            Cells::None | Cells::History(_) => std::slice::from_mut(&mut self.all),
            Cells::Words(words) => &mut words[..],
            Cells::Bytes(bytes) => &mut bytes[..],
        }
    }

    #[cold]
    fn split_words(&mut self, sets: &mut ReaderSets) {
        let bytes = match &self.cells {
            Cells::None => Box::new([self.all; PAGE as usize]),
            Cells::Words(words) => {
                sets.room = sets.room.saturating_sub(ROOM);
                Box::new(std::array::from_fn(|i| match i % 4 {
                    0 => words[i / 4],
                    _ => sets.duplicate(words[i / 4]),
                }))
            }
            Cells::Bytes(_) | Cells::History(_) => return,
        };
        self.cells = Cells::Bytes(bytes);
    }

    /// Bytes of the host's memory that it takes besides its own.
    fn host_bytes(&self) -> usize {
        match &self.cells {
            Cells::None => 0,
            Cells::History(history) => history.host_bytes(),
            Cells::Words(words) => size_of_val(&**words),
            Cells::Bytes(bytes) => size_of_val(&**bytes),
        }
    }
}

/// The shadow of global memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Shadow {
    pages: PageTable<Page>,
}

impl Shadow {
    /// The page that holds an address.
    #[inline]
    pub fn page(&mut self, address: u64) -> &mut Page {
        self.pages.page(address / PAGE)
    }

    /// Forgets a range of addresses that begins a page.
    pub fn forget(&mut self, address: u64, bytes: u64, sets: &mut ReaderSets) {
        let (first, last) = (address / PAGE, (address + bytes.max(1) - 1) / PAGE);
        self.pages.clear(first..=last, |page| page.fill(Cell::default(), sets));
    }

    /// Forgets everything. Sets of readers that other shadows have stay.
    pub fn clear(&mut self, sets: &mut ReaderSets) {
        self.pages.all_mut().for_each(|page| page.fill(Cell::default(), sets));
        *self = Shadow::default();
    }

    /// Bytes of the host's memory that it takes.
    pub fn host_bytes(&self) -> usize {
        self.pages.host_bytes() + self.pages.all().map(Page::host_bytes).sum::<usize>()
    }
}
