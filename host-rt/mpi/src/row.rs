//! An array of which several processes have elements, each some that follow each other.
//!
//! In the canonical order a chunk is reduced as a whole. A chunk whose elements several processes have is reduced by the one that
//! has its first element; the others send it theirs.

use host_rt::canonical::CHUNK;

use crate::{
    communicator::{Communicator, Messages},
    error::Error,
};

/// How many elements each process has, in the order of the elements, and which process this one is.
#[derive(Clone, Debug)]
pub struct Row {
    counts: Vec<u64>,
    own: usize,
}

impl Row {
    /// A row in which process `number` has `counts[number]` elements; this one is process `own`.
    pub fn new(counts: Vec<u64>, own: usize) -> Row {
        Row { counts, own }
    }

    /// The index of a process's first element.
    fn first_of(&self, process: usize) -> u64 {
        self.counts[..process].iter().sum()
    }

    /// The index of this process's first element.
    pub fn first(&self) -> u64 {
        self.first_of(self.own)
    }

    /// The elements of this process that belong to a chunk of an earlier one: to which process, and how many. They are its first.
    pub fn sent(&self) -> Option<(usize, u64)> {
        let first = self.first();
        let count = (first.next_multiple_of(CHUNK) - first).min(self.counts[self.own]);
        let start = first / CHUNK * CHUNK;
        let has_start = |process: &usize| {
            let first = self.first_of(*process);
            (first..first + self.counts[*process]).contains(&start)
        };
        (count > 0).then(|| (0..self.own).find(has_start).map(|owner| (owner, count))).flatten()
    }

    /// The elements of later processes that belong to this one's last chunk: from which process, and how many.
    pub fn received(&self) -> Vec<(usize, u64)> {
        let count = self.counts.len();
        let later = (self.own + 1..count).map(|process| Row { counts: self.counts.clone(), own: process });
        later
            .filter_map(|row| {
                row.sent().filter(|(owner, _)| *owner == self.own).map(|(_, count)| (row.own, count))
            })
            .collect()
    }

    /// Gives each element of a shared chunk to the process that reduces it: sends this process's `head`, its first elements as
    /// [`Row::sent`] says, and returns those of later processes, as bytes. An element has `size` bytes. Who must call: all
    /// processes.
    ///
    /// # Errors
    ///
    /// [`Error::Call`].
    pub fn exchange(&self, communicator: &Communicator, size: u64, head: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(self.start_exchange(communicator, size, head.to_vec())?.wait()?.concat())
    }

    /// As [`Row::exchange`], without waiting.
    pub(crate) fn start_exchange<'c>(
        &self,
        communicator: &'c Communicator,
        size: u64,
        head: Vec<u8>,
    ) -> Result<Messages<'c>, Error> {
        let mut messages = communicator.messages();
        for (process, count) in self.received() {
            messages.receive(process, (count * size) as usize)?;
        }
        if let Some((owner, _)) = self.sent() {
            messages.send(owner, head)?;
        }
        Ok(messages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_a_chunk_comes_to_one_process() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..2000 {
            let count = 1 + random(9) as usize;
            let most = [3, CHUNK / 2, CHUNK, 3 * CHUNK][random(4) as usize];
            let counts: Vec<u64> = (0..count)
                .map(|_| match random(4) {
                    0 => 0,
                    1 => CHUNK,
                    _ => random(most),
                })
                .collect();
            let rows: Vec<Row> = (0..count).map(|own| Row::new(counts.clone(), own)).collect();
            let total: u64 = counts.iter().sum();
            let mut reduced = 0;
            for row in &rows {
                let sent = row.sent().map_or(0, |(_, count)| count);
                let received: u64 = row.received().iter().map(|(_, count)| count).sum();
                // What a process reduces begins with a chunk, and ends with one or with the last value.
                let (begin, end) = (row.first() + sent, row.first() + counts[row.own] + received);
                if begin < end {
                    assert_eq!(begin, reduced, "{counts:?}");
                    assert!(
                        begin.is_multiple_of(CHUNK) && (end.is_multiple_of(CHUNK) || end == total),
                        "{counts:?}"
                    );
                    reduced = end;
                }
            }
            assert_eq!(reduced, total, "{counts:?}");
            // Who sends is received from.
            for row in &rows {
                if let Some((owner, count)) = row.sent() {
                    assert!(rows[owner].received().contains(&(row.own, count)), "{counts:?}");
                }
            }
        }
    }
}
