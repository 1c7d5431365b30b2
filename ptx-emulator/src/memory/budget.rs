//! Host memory that a machine may take: for allocations of any kind, and for the output of kernels.

use std::sync::atomic::{AtomicU64, Ordering};

use super::error::MemoryError;

/// A limit, and what is taken of it. Threads may share it.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: AtomicU64,
    taken: AtomicU64,
}

impl Budget {
    pub fn unlimited() -> Budget {
        Budget { limit: AtomicU64::new(u64::MAX), taken: AtomicU64::new(0) }
    }

    /// Sets the limit; what is taken stays taken.
    pub fn set_limit(&self, bytes: u64) {
        self.limit.store(bytes, Ordering::Relaxed);
    }

    /// Bytes taken, and the limit.
    pub fn usage(&self) -> (u64, u64) {
        (self.taken.load(Ordering::Relaxed), self.limit.load(Ordering::Relaxed))
    }

    /// Takes bytes, if the limit allows it.
    pub fn take(&self, bytes: u64) -> Result<(), MemoryError> {
        let limit = self.limit.load(Ordering::Relaxed);
        let more = |taken: u64| taken.checked_add(bytes).filter(|&sum| sum <= limit);
        match self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more) {
            Ok(_) => Ok(()),
            Err(taken) => Err(MemoryError::HostLimit { requested: bytes, taken, limit }),
        }
    }

    /// Gives back what was taken.
    pub fn give(&self, bytes: u64) {
        self.taken.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl Clone for Budget {
    fn clone(&self) -> Budget {
        let copy = |of: &AtomicU64| AtomicU64::new(of.load(Ordering::Relaxed));
        Budget { limit: copy(&self.limit), taken: copy(&self.taken) }
    }
}
