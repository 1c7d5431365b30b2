//! The log that finds races: for each cell which iterations of a parallel loop have accessed it, and how.
//!
//! Two accesses race if they are of different iterations of one execution of a parallel loop, unless both read or
//! both reduce by the same operator. That does not depend on the order in which the iterations happen to run. Of
//! each kind of access the first two iterations are kept: with one of them any later access conflicts if it
//! conflicts with any.

use std::collections::HashMap;

use crate::ir::{Position, ReductionOperator};

/// How a cell is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    Read,
    Write,
    Reduce(ReductionOperator),
}

impl Touch {
    fn races_with(self, other: Touch) -> bool {
        self != other || self == Touch::Write
    }

    /// As messages say it.
    pub fn verb(self) -> String {
        match self {
            Touch::Read => "read".to_owned(),
            Touch::Write => "written".to_owned(),
            Touch::Reduce(operator) => format!("reduced by \"{operator}\""),
        }
    }
}

/// An access of an iteration.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub touch: Touch,
    pub iteration: i128,
    pub at: Position,
}

/// The accesses during one execution of a parallel loop.
#[derive(Default)]
pub struct Log {
    /// By the number of the memory and the cell in it.
    cells: HashMap<(u64, u64), Vec<Entry>>,
}

/// Bytes that an entry takes, about.
pub const ENTRY_BYTES: u64 = 96;

impl Log {
    /// Notes an access. An error is an earlier one that it races with; otherwise whether an entry was added.
    pub fn note(&mut self, cell: (u64, u64), entry: Entry) -> Result<bool, Entry> {
        let entries = self.cells.entry(cell).or_default();
        let mut same = 0;
        for other in entries.iter() {
            if other.iteration != entry.iteration && entry.touch.races_with(other.touch) {
                return Err(*other);
            }
            if other.touch == entry.touch {
                same += if other.iteration == entry.iteration { 2 } else { 1 };
            }
        }
        if same < 2 {
            entries.push(entry);
        }
        Ok(same < 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(log: &mut Log, touch: Touch, iteration: i128) -> bool {
        log.note((0, 0), Entry { touch, iteration, at: Position::default() }).is_ok()
    }

    #[test]
    fn reads_race_with_writes_of_others_only() {
        let mut log = Log::default();
        assert!(note(&mut log, Touch::Read, 1));
        assert!(note(&mut log, Touch::Write, 1));
        assert!(note(&mut log, Touch::Read, 1));
        assert!(!note(&mut log, Touch::Read, 2));
    }

    #[test]
    fn the_second_reader_is_not_forgotten() {
        let mut log = Log::default();
        for iteration in [1, 2, 3] {
            assert!(note(&mut log, Touch::Read, iteration));
        }
        // Iteration 1 has read the cell, but so has 2.
        assert!(!note(&mut log, Touch::Write, 1));
        assert!(!note(&mut log, Touch::Write, 3));
    }

    #[test]
    fn reductions_race_with_all_but_the_same_operator() {
        let add = Touch::Reduce(ReductionOperator::Add);
        let mut log = Log::default();
        assert!(note(&mut log, add, 1));
        assert!(note(&mut log, add, 2));
        assert!(!note(&mut log, Touch::Read, 1));
        assert!(!note(&mut log, Touch::Write, 1));
        assert!(!note(&mut log, Touch::Reduce(ReductionOperator::Maximum), 2));
        assert!(note(&mut log, add, 2));
    }
}
