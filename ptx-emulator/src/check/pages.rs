//! A table of the pages of memory, by their numbers. Neighbours lie beside each other.

use std::ops::RangeInclusive;

use super::cell::NumberMap;

/// Bytes of a page.
pub(super) const PAGE: u64 = 512;

/// Pages that there are together.
const CHUNK: u64 = 64;

type Chunk<T> = Box<[T; CHUNK as usize]>;

#[derive(Clone, Debug)]
pub(super) struct PageTable<T> {
    /// The index of each chunk, by the number of its first page divided by [`CHUNK`].
    numbers: NumberMap<u64, u32>,
    chunks: Vec<Chunk<T>>,
    /// Chunks that have no number.
    free: Vec<u32>,
    /// The chunk that was looked up last: its number and index.
    last: Option<(u64, u32)>,
}

impl<T> Default for PageTable<T> {
    fn default() -> PageTable<T> {
        PageTable { numbers: NumberMap::default(), chunks: Vec::new(), free: Vec::new(), last: None }
    }
}

impl<T: Default> PageTable<T> {
    /// A page, which is made if there is none.
    #[inline]
    pub fn page(&mut self, number: u64) -> &mut T {
        let index = match self.last {
            Some((last, index)) if last == number / CHUNK => index,
            _ => self.find(number / CHUNK),
        };
        &mut self.chunks[index as usize][(number % CHUNK) as usize]
    }

    fn find(&mut self, chunk: u64) -> u32 {
        let index = *self.numbers.entry(chunk).or_insert_with(|| {
            self.free.pop().unwrap_or_else(|| {
                self.chunks.push(Box::new(std::array::from_fn(|_| T::default())));
                self.chunks.len() as u32 - 1
            })
        });
        self.last = Some((chunk, index));
        index
    }

    /// A page, if there is one.
    pub fn get(&self, number: u64) -> Option<&T> {
        let index = *self.numbers.get(&(number / CHUNK))?;
        Some(&self.chunks[index as usize][(number % CHUNK) as usize])
    }

    /// All pages that there are.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// All pages that there are.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.chunks.iter_mut().flat_map(|chunk| chunk.iter_mut())
    }

    /// Makes the pages of a range as new ones are, by `clear`.
    pub fn clear(&mut self, range: RangeInclusive<u64>, mut clear: impl FnMut(&mut T)) {
        let (first, last) = (range.start() / CHUNK, range.end() / CHUNK);
        let numbers: Vec<u64> = if last - first > self.numbers.len() as u64 {
            self.numbers.keys().copied().filter(|number| (first..=last).contains(number)).collect()
        } else {
            (first..=last).collect()
        };
        for number in numbers {
            let Some(&index) = self.numbers.get(&number) else { continue };
            let pages = number * CHUNK..number * CHUNK + CHUNK;
            let is_whole = range.contains(&pages.start) && range.contains(&(pages.end - 1));
            for (page, number) in self.chunks[index as usize].iter_mut().zip(pages) {
                if range.contains(&number) {
                    clear(page);
                }
            }
            if is_whole {
                self.numbers.remove(&number);
                self.free.push(index);
            }
        }
        self.last = None;
    }

    /// Bytes of the host's memory that the table takes.
    pub fn host_bytes(&self) -> usize {
        self.chunks.len() * size_of::<[T; CHUNK as usize]>()
            + self.numbers.capacity() * size_of::<(u64, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_are_cleared_are_new_and_others_stay() {
        let mut table = PageTable::<u64>::default();
        for number in (0..1000).chain(1 << 40..(1 << 40) + 10) {
            *table.page(number) = number + 1;
        }
        let bytes = table.host_bytes();
        table.clear(100..=900, |page| *page = 0);
        assert_eq!([99, 100, 500, 900, 901].map(|number| *table.page(number)), [100, 0, 0, 0, 902]);
        assert_eq!(table.get(1 << 40), Some(&((1 << 40) + 1)));
        assert_eq!((table.get(1 << 30), table.all().filter(|page| **page > 0).count()), (None, 1010 - 801));
        for number in 2000..2500 {
            *table.page(number) = 7;
        }
        assert!(table.host_bytes() <= bytes + 1000, "chunks are used again");
        table.clear(0..=u64::MAX, |page| *page = 0);
        assert!(table.all_mut().all(|page| *page == 0));
    }
}
