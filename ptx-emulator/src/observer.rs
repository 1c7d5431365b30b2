//! The interface of checkers: an observer receives the events of a launch, in the order in which they
//! execute.

use crate::memory::MemoryEvent;

/// The kinds of memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Read.
    Load,
    /// Write.
    Store,
    /// Atomic read-modify-write.
    Atomic,
}

/// Receives the events of a launch. Every method does nothing unless it is overridden.
///
/// The events of one thread come in its program order. Those of different threads come in the order of the
/// schedule that this launch happens to have: only barriers, `.sync` instructions, fences and atomics order
/// them in every schedule.
///
/// A launch with an active observer runs in one job, so calls come one at a time. `block` is the linear index
/// of a block in the grid, `warp` the index of a warp in its block, and `lanes` a mask of lanes of that warp.
/// A launch that ends with a fault simply ends its events.
pub trait Observer {
    /// Whether the observer wants events. If not, the executor prepares none and calls no method.
    const ACTIVE: bool = true;

    /// The launch begins: before its first block.
    fn kernel_begin(&mut self, kernel: &str) {
        let _ = kernel;
    }
    /// The launch has ended without a fault.
    fn kernel_end(&mut self) {}
    /// A block has become resident.
    fn block_begin(&mut self, block: u64) {
        let _ = block;
    }
    /// All threads of a block have exited.
    fn block_end(&mut self, block: u64) {
        let _ = block;
    }
    /// One lane accesses global or shared memory: called for each lane that is active, before the memory
    /// model sees the access. The strings and arguments that a system call reads are loads, too. Local
    /// memory, the kernel's parameters and accesses of the host cause no event.
    fn access(&mut self, kind: AccessKind, event: &MemoryEvent) {
        let _ = (kind, event);
    }
    /// Lanes of a warp execute a fence: called before the memory model sees it. The event is the one that
    /// [`MemoryModel::fence`](crate::MemoryModel::fence) describes.
    fn fence(&mut self, event: &MemoryEvent, lanes: u32) {
        let _ = (event, lanes);
    }
    /// Lanes of a warp arrive at a block barrier (0 to 15) or at the cluster's (16), whether they wait there
    /// or only arrive. The lanes of a diverged warp may arrive in several calls.
    fn barrier_arrive(&mut self, block: u64, warp: u32, lanes: u32, barrier: u32, pc: u32) {
        let _ = (block, warp, lanes, barrier, pc);
    }
    /// A block barrier is complete: what the arrived lanes did before is ordered before what the waiting
    /// lanes do next.
    fn barrier_complete(&mut self, block: u64, barrier: u32) {
        let _ = (block, barrier);
    }
    /// Lanes of a warp execute a `.sync` instruction together. If they are at different instructions of the
    /// same kind, `pc` is one of these.
    fn warp_sync(&mut self, block: u64, warp: u32, lanes: u32, pc: u32) {
        let _ = (block, warp, lanes, pc);
    }
    /// Lanes of a warp call a function, or make a system call.
    fn call(&mut self, block: u64, warp: u32, lanes: u32, function: &str) {
        let _ = (block, warp, lanes, function);
    }
    /// Lanes of a warp return to their caller. Lanes that exit inside a function do not return.
    fn call_return(&mut self, block: u64, warp: u32, lanes: u32) {
        let _ = (block, warp, lanes);
    }
}

/// The observer of a launch that nobody observes.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    const ACTIVE: bool = false;
}
