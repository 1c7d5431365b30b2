//! Memory orders and scopes, as PTX has them.

/// The memory order of an access or fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryOrder {
    /// Not for communication between threads.
    Weak,
    /// Weak, but never merged, split or removed.
    Volatile,
    /// For communication; orders no other access.
    Relaxed,
    /// Later accesses of the thread come after it.
    Acquire,
    /// Earlier accesses of the thread come before it.
    Release,
    /// Acquire and release.
    AcqRel,
    /// Acquire and release, and in one total order with all other such fences (fences only).
    SeqCst,
}

impl MemoryOrder {
    /// Whether later accesses come after.
    pub(crate) fn acquires(self) -> bool {
        matches!(self, MemoryOrder::Acquire | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
    }

    /// Whether earlier accesses come before.
    pub(crate) fn releases(self) -> bool {
        matches!(self, MemoryOrder::Release | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
    }
}

/// The threads for which a memory order holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The block.
    Cta,
    /// The cluster.
    Cluster,
    /// The device.
    Gpu,
    /// The device, its host and its peers.
    Sys,
}
