//! The memory of a machine while launches run: jobs look allocations up all the time and seldom change the list.

use std::ops::Deref;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::global::GlobalMemory;

/// Memory that the jobs of a launch and threads of the host share.
#[derive(Debug)]
pub(crate) struct SharedMemory(RwLock<GlobalMemory>);

impl SharedMemory {
    pub fn new(memory: GlobalMemory) -> SharedMemory {
        SharedMemory(RwLock::new(memory))
    }

    /// The memory as nobody changes it.
    pub fn view(&self) -> View<'_> {
        View { lock: &self.0, held: Some(read(&self.0)) }
    }

    /// The memory as nobody else sees it, after a wait for all views.
    pub fn change(&self) -> RwLockWriteGuard<'_, GlobalMemory> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for SharedMemory {
    fn clone(&self) -> SharedMemory {
        SharedMemory::new(self.view().clone())
    }
}

fn read(lock: &RwLock<GlobalMemory>) -> RwLockReadGuard<'_, GlobalMemory> {
    // A panic in a change leaves a list that is still memory-safe.
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

/// One job's view: while it is held, nobody changes the list of allocations.
pub(crate) struct View<'a> {
    lock: &'a RwLock<GlobalMemory>,
    held: Option<RwLockReadGuard<'a, GlobalMemory>>,
}

impl View<'_> {
    /// Changes the list of allocations when no other job looks at it.
    pub fn change<R>(&mut self, change: impl FnOnce(&mut GlobalMemory) -> R) -> R {
        self.held = None;
        let result = change(&mut self.lock.write().unwrap_or_else(PoisonError::into_inner));
        self.held = Some(read(self.lock));
        result
    }

    /// Lets others change the list.
    pub fn pause(&mut self) {
        self.held = None;
        self.held = Some(read(self.lock));
    }
}

impl Deref for View<'_> {
    type Target = GlobalMemory;

    #[inline]
    fn deref(&self) -> &GlobalMemory {
        self.held.as_ref().expect("held except within the methods above")
    }
}
