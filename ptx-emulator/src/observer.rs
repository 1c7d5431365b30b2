//! The interface of checkers: an observer receives the events of a launch, in the order in which they
//! execute.

use crate::memory::{MemoryEvent, MemoryOrder, Scope};
use crate::text::types::Space;

/// The kinds of memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// Read.
    Load,
    /// Write.
    Store,
    /// Atomic read-modify-write.
    Atomic,
}

/// The accesses of the lanes of a warp by one instruction, in one state space.
#[derive(Clone, Copy, Debug)]
pub struct WarpAccess<'a> {
    /// What the lanes do.
    pub kind: AccessKind,
    /// As in [`MemoryEvent`].
    pub space: Space,
    /// The address of each lane.
    pub addresses: &'a [u64; 32],
    /// The lanes that access memory.
    pub lanes: u32,
    /// Bytes of one lane's access.
    pub size: u32,
    /// The memory order that the instruction asks for.
    pub order: MemoryOrder,
    /// Its scope.
    pub scope: Scope,
    /// The index of the operation in the decoded program.
    pub pc: u32,
    /// Linear index of the block in the grid.
    pub block: u64,
    /// The index of the warp in its block.
    pub warp: u32,
    /// The lanes whose stores leave the bytes as they are, or as a lane before has stored them, if the observer asks for
    /// these.
    pub unchanged: u32,
}

impl WarpAccess<'_> {
    /// The access of one lane.
    pub fn event(&self, lane: usize) -> MemoryEvent {
        MemoryEvent {
            space: self.space,
            address: self.addresses[lane],
            size: self.size,
            order: self.order,
            scope: self.scope,
            pc: self.pc,
            block: self.block,
            thread: self.warp * 32 + lane as u32,
        }
    }
}

/// What an undefined value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UndefinedSource {
    /// Memory that nobody has written.
    Memory,
    /// A register that was never assigned: in optimised code, a variable that was never assigned.
    Register,
    /// A lane that took no part in the instruction.
    Lane,
}

/// Where an undefined value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The index of the operation in the decoded program that brought it into a register.
    pub pc: u32,
    /// What it came from.
    pub from: UndefinedSource,
    /// The index of the first operation that computed with it.
    pub computed: Option<u32>,
}

/// What lanes of a warp load or store, as far as it is undefined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UndefinedBytes {
    /// The undefined bytes of each lane's access, one bit each.
    pub bytes: [u32; 32],
    /// The lanes whose value was computed from undefined ones, and not only copied.
    pub computed: u32,
    /// Where it came from, if that is known.
    pub origin: Option<Origin>,
}

/// How lanes take part in a block barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarrierArrival {
    /// Linear index of the block in the grid.
    pub block: u64,
    /// The index of the warp in its block.
    pub warp: u32,
    /// The lanes that arrive.
    pub lanes: u32,
    /// The barrier: 0 to 15, or 16 for that of the cluster.
    pub barrier: u32,
    /// Whether they wait there, or only arrive.
    pub waits: bool,
    /// The index of the operation in the decoded program.
    pub pc: u32,
}

/// Receives the events of a launch. Every method does nothing unless it is overridden.
///
/// The events of one thread come in its program order. Those of different threads come in the order of the
/// schedule that this launch happens to have: only barriers, `bar.warp.sync`, fences and atomics order
/// them in every schedule.
///
/// A launch with an active observer runs in one job, so calls come one at a time. `block` is the linear index
/// of a block in the grid, `warp` the index of a warp in its block, and `lanes` a mask of lanes of that warp.
/// A launch that ends with a fault simply ends its events.
pub trait Observer {
    /// Whether the observer wants events. If not, the executor prepares none and calls no method.
    const ACTIVE: bool = true;

    /// Whether undefined values may be stored to global and shared memory, and are kept track of there. Otherwise such a
    /// store is a fault.
    const TRACKS_UNDEFINED: bool = false;

    /// Whether the observer wants to know of each instruction.
    const TRACKS_USES: bool = false;

    /// Lanes of a warp have come to an instruction and are about to execute it; its guard is true for those of `active`.
    /// Called if the observer tracks uses.
    fn instruction(&mut self, block: u64, warp: u32, pc: u32, lanes: u32, active: u32) {
        let _ = (block, warp, pc, lanes, active);
    }
    /// After a load by lanes of a warp: what of it is undefined; `None` for nothing. Called if the observer tracks
    /// undefined values.
    fn load_undefined(&mut self, access: &WarpAccess<'_>) -> Option<Box<UndefinedBytes>> {
        let _ = access;
        None
    }
    /// Whether the observer wants to know which stores of a block change nothing.
    fn wants_unchanged(&self, block: u64) -> bool {
        let _ = block;
        false
    }
    /// With a store by lanes of a warp: what of it is undefined; `None` for nothing. Called if the observer tracks
    /// undefined values.
    fn store_undefined(&mut self, access: &WarpAccess<'_>, undefined: Option<&UndefinedBytes>) {
        let _ = (access, undefined);
    }
    /// A kernel has allocated memory on the device heap, or is going to free it.
    fn heap(&mut self, address: u64, bytes: u64, allocated: bool) {
        let _ = (address, bytes, allocated);
    }
    /// A store or an atomic has changed memory, or a thread has exited.
    fn progress(&mut self) {}
    /// Lanes sleep, or have exchanged a word of their own local memory for the same: they wait for something, as for a lock
    /// that no other thread can see.
    fn waits(&mut self) {}
    /// Why no thread can make progress any more, if the observer has found that. The launch then ends with a fault.
    fn stuck(&self) -> Option<String> {
        None
    }
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
    /// Lanes of a warp load from or store to global or shared memory: called before the memory model sees the accesses.
    /// Calls [`Observer::access`] for each lane.
    fn warp_access(&mut self, access: &WarpAccess<'_>) {
        for lane in (0..32).filter(|lane| access.lanes >> lane & 1 != 0) {
            self.access(access.kind, &access.event(lane));
        }
    }
    /// One lane accesses global or shared memory: called for each lane that is active, before the memory
    /// model sees the access. The strings and arguments that a system call reads are loads, too. Local
    /// memory, the kernel's parameters and accesses of the host cause no event.
    fn access(&mut self, kind: AccessKind, event: &MemoryEvent) {
        let _ = (kind, event);
    }
    /// A lane's atomic has stored its result: called after it, with the event of its access. A compare-and-swap that has
    /// found another value stores nothing.
    fn atomic_stored(&mut self, event: &MemoryEvent) {
        let _ = event;
    }
    /// Lanes of a warp execute a fence: called before the memory model sees it. The event is the one that
    /// [`MemoryModel::fence`](crate::MemoryModel::fence) describes.
    fn fence(&mut self, event: &MemoryEvent, lanes: u32) {
        let _ = (event, lanes);
    }
    /// Lanes of a warp arrive at a block barrier. The lanes of a diverged warp may arrive in several calls.
    fn barrier_arrive(&mut self, arrival: BarrierArrival) {
        let _ = arrival;
    }
    /// A block barrier is complete: what the arrived lanes did before is ordered before what the waiting
    /// lanes do next. With `all`, every thread of the block that has not exited has arrived.
    fn barrier_complete(&mut self, block: u64, barrier: u32, all: bool) {
        let _ = (block, barrier, all);
    }
    /// Lanes of a warp execute a `.sync` instruction together. If they are at different instructions of the
    /// same kind, `pc` is one of these. Only `bar.warp.sync` orders their accesses to memory.
    fn warp_sync(&mut self, block: u64, warp: u32, lanes: u32, pc: u32, orders_memory: bool) {
        let _ = (block, warp, lanes, pc, orders_memory);
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
