//! Launches, and copies and fills of the host: which of them come before which.

use std::sync::Arc;

/// The place of an operation among all: it comes after the operations of its own stream with lower numbers, and
/// after those that `after` names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperationOrder {
    /// The stream, by any number.
    pub stream: u64,
    /// The number of the operation; it grows along each stream.
    pub number: u64,
    /// Streams, and the number of the last operation of each that comes before this one.
    pub after: Vec<(u64, u64)>,
}

impl OperationOrder {
    /// Whether an operation comes before this one.
    pub fn is_after(&self, stream: u64, number: u64) -> bool {
        stream == self.stream && number <= self.number
            || self.after.iter().any(|&(other, last)| other == stream && number <= last)
    }

    /// Adds what comes before an operation, and that operation.
    pub fn join(&mut self, other: &OperationOrder) {
        self.add(other.stream, other.number);
        other.after.iter().for_each(|&(stream, number)| self.add(stream, number));
    }

    /// Adds what comes before an operation, without that operation.
    pub fn join_all(&mut self, other: &OperationOrder) {
        other.after.iter().for_each(|&(stream, number)| self.add(stream, number));
    }

    fn add(&mut self, stream: u64, number: u64) {
        match self.after.iter_mut().find(|(known, _)| *known == stream) {
            Some((_, last)) => *last = number.max(*last),
            None => self.after.push((stream, number)),
        }
    }
}

/// An operation that accessed memory.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    pub name: Arc<str>,
    pub order: OperationOrder,
    /// The shape of a launch.
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Its parameters that may be addresses: index and value; and how many it has in all.
    pub parameters: (Vec<(u32, u64)>, u32),
}

/// All operations whose accesses are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Operations {
    list: Vec<Operation>,
    /// How many were forgotten.
    forgotten: u64,
}

impl Operations {
    /// Adds an operation; `None` if there are too many: then all must be forgotten.
    pub fn add(&mut self, operation: Operation) -> Option<u16> {
        let index = u16::try_from(self.list.len() + 1).ok()?;
        self.list.push(operation);
        Some(index)
    }

    pub fn get(&self, index: u16) -> Option<&Operation> {
        self.list.get(usize::from(index).checked_sub(1)?)
    }

    /// Orders an operation after another one, which runs beside it and has released what this one acquires: after all that
    /// the other one does, so that a race with what it does later may be missed.
    #[cold]
    pub fn order_after(&mut self, operation: u16, other: u16) {
        let index = |operation: u16| usize::from(operation).checked_sub(1);
        let Some(other) = self.get(other).map(|other| other.order.clone()) else { return };
        if let Some(own) = index(operation).and_then(|index| self.list.get_mut(index)) {
            own.order.join(&other);
        }
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.forgotten += self.list.len() as u64;
        self.list.clear();
    }

    /// The number of an operation among all that there ever were, from 1.
    pub fn number(&self, index: u16) -> u64 {
        self.forgotten + u64::from(index)
    }
}
