//! Global memory that several host threads use: jobs look allocations up all the time and seldom change the
//! list.

use std::ops::Deref;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::global::GlobalMemory;
use super::host::HostMappings;

/// Global memory behind a lock for its list of allocations. The bytes themselves need no lock (see `region`).
#[derive(Debug)]
pub(crate) struct ConcurrentMemory(RwLock<GlobalMemory>);

impl ConcurrentMemory {
    pub fn new(memory: GlobalMemory) -> ConcurrentMemory {
        ConcurrentMemory(RwLock::new(memory))
    }

    /// The memory, for reading and writing bytes: while the view is held, the list of allocations does not
    /// change.
    pub fn view(&self) -> MemoryView<'_> {
        MemoryView { lock: &self.0, held: Some(read(&self.0)), changes: 0 }
    }

    /// As [`ConcurrentMemory::view`], in which the host's memory at these addresses is known if programs can
    /// access all of it.
    pub fn view_of(&self, addresses: &[u64]) -> MemoryView<'_> {
        let mut view = self.view();
        if addresses.iter().any(|&address| view.may_be_host(address)) {
            view.look_up_host_memory();
        }
        view
    }

    /// Exclusive access, to change the list of allocations; waits until no view is held.
    pub fn change(&self) -> RwLockWriteGuard<'_, GlobalMemory> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for ConcurrentMemory {
    fn clone(&self) -> ConcurrentMemory {
        ConcurrentMemory::new(self.view().clone())
    }
}

fn read(lock: &RwLock<GlobalMemory>) -> RwLockReadGuard<'_, GlobalMemory> {
    // A panic in a change leaves a list that is still memory-safe.
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

/// One job's view of the memory: while it is held, the list of allocations does not change.
pub(crate) struct MemoryView<'a> {
    lock: &'a RwLock<GlobalMemory>,
    held: Option<RwLockReadGuard<'a, GlobalMemory>>,
    /// How often the list may have changed since the view was made.
    changes: u64,
}

impl MemoryView<'_> {
    /// Releases the view, changes the list of allocations, and takes the view again.
    pub fn change<R>(&mut self, change: impl FnOnce(&mut GlobalMemory) -> R) -> R {
        self.held = None;
        self.changes += 1;
        let result = change(&mut self.lock.write().unwrap_or_else(PoisonError::into_inner));
        self.held = Some(read(self.lock));
        result
    }

    /// Asks the host which memory it has, for accesses of programs to all of it.
    #[cold]
    pub fn look_up_host_memory(&mut self) {
        let mappings = HostMappings::read();
        self.change(|memory| memory.set_host_memory(&mappings));
    }

    /// Releases the view for a moment, so that others can change the list.
    pub fn pause(&mut self) {
        self.held = None;
        self.changes += 1;
        self.held = Some(read(self.lock));
    }

    /// A number that changes when the list of allocations may have changed.
    pub fn changes(&self) -> u64 {
        self.changes
    }
}

impl Deref for MemoryView<'_> {
    type Target = GlobalMemory;

    #[inline]
    fn deref(&self) -> &GlobalMemory {
        self.held.as_ref().expect("held except within the methods above")
    }
}
