//! The seam for checkers: what happens in a launch, in order.

use crate::memory::MemoryEvent;

/// Kinds of access that an [`Observer`] is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Read.
    Load,
    /// Write.
    Store,
    /// Atomic read and write.
    Atomic,
}

/// Is told of events. Every method does nothing unless it is overridden.
pub trait Observer {
    /// Whether there is anybody to tell. If not, the executor does not even prepare the events.
    const ACTIVE: bool = true;

    /// A launch begins.
    fn kernel_begin(&mut self, kernel: &str) {
        let _ = kernel;
    }
    /// A launch has ended without a fault.
    fn kernel_end(&mut self) {}
    /// A block begins.
    fn block_begin(&mut self, block: u64) {
        let _ = block;
    }
    /// A block has ended.
    fn block_end(&mut self, block: u64) {
        let _ = block;
    }
    /// A lane accesses memory that others can reach.
    fn access(&mut self, kind: AccessKind, event: &MemoryEvent) {
        let _ = (kind, event);
    }
    /// Lanes of a warp execute a fence; `event.size` is 0.
    fn fence(&mut self, event: &MemoryEvent, lanes: u32) {
        let _ = (event, lanes);
    }
    /// Lanes of a warp arrive at a block barrier.
    fn barrier_arrive(&mut self, block: u64, warp: u32, lanes: u32, barrier: u32, pc: u32) {
        let _ = (block, warp, lanes, barrier, pc);
    }
    /// A block barrier is complete: those who wait at it go on.
    fn barrier_complete(&mut self, block: u64, barrier: u32) {
        let _ = (block, barrier);
    }
    /// Lanes of a warp have met in a `.sync` instruction.
    fn warp_sync(&mut self, block: u64, warp: u32, lanes: u32, pc: u32) {
        let _ = (block, warp, lanes, pc);
    }
    /// Lanes of a warp call a function.
    fn call(&mut self, block: u64, warp: u32, lanes: u32, function: &str) {
        let _ = (block, warp, lanes, function);
    }
    /// Lanes of a warp return from a function.
    fn call_return(&mut self, block: u64, warp: u32, lanes: u32) {
        let _ = (block, warp, lanes);
    }
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    const ACTIVE: bool = false;
}
