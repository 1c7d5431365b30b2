//! Memory orders and scopes, as PTX has them.

/// Memory order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Not for communication between threads.
    Weak,
    /// Weak, but performed exactly as written.
    Volatile,
    /// For communication, orders nothing else.
    Relaxed,
    /// Later accesses come after.
    Acquire,
    /// Earlier accesses come before.
    Release,
    /// Both.
    AcqRel,
    /// Both, and in one order with all others (fences only).
    SeqCst,
}

impl Order {
    /// Whether later accesses come after.
    pub(crate) fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Whether earlier accesses come before.
    pub(crate) fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }
}

/// Which threads an order holds for.
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
