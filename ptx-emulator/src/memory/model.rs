//! The interface of memory models: every load, store, atomic and fence of a program can go through one.

use super::order::{MemoryOrder, Scope};
use crate::text::types::Space;

/// One lane's access, as a memory model or an observer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryEvent {
    /// The state space that the address lies in: [`Space::Global`], which includes constant memory and host
    /// memory, or [`Space::Shared`]; never generic.
    pub space: Space,
    /// The address: in global memory as the host and other launches know it, in shared memory an offset from
    /// the start of the block's.
    pub address: u64,
    /// Bytes, up to 32 for a vector. The address is a multiple of it.
    pub size: u32,
    /// The memory order that the instruction asks for.
    pub order: MemoryOrder,
    /// The scope of the order, [`Scope::Sys`] for a volatile access; without meaning for a weak one.
    pub scope: Scope,
    /// The index of the operation in the decoded program. A PTX instruction that is decoded to several
    /// operations, such as `cp.async` or a vector `red`, has a `pc` for each.
    pub pc: u32,
    /// Linear index of the block in the grid.
    pub block: u64,
    /// Linear index of the thread in the block: lane `thread % 32` of warp `thread / 32`.
    pub thread: u32,
}

/// Decides which value a load returns and what a store leaves in memory.
///
/// The executor has checked bounds and alignment before it calls a method. `memory` holds the bytes at the
/// event's address: the value that sequentially consistent memory has there. After
/// [`store`](MemoryModel::store) and [`atomic`](MemoryModel::atomic) the executor writes `memory` back.
///
/// A launch under a model that is not [`PLAIN`](MemoryModel::PLAIN) runs in one job. Calls come one at a
/// time, in the order in which the accesses execute; the lanes of an instruction follow each other, and one
/// call is one lane's access. A vector load or store is one call, a vector atomic one for each element; a
/// `cp.async` is loads, then a store.
///
/// Local memory, the call stack and the kernel's parameters are private to a thread and do not go through a
/// model, nor do accesses of the host.
pub trait MemoryModel {
    /// Whether every access simply takes effect in memory, at once. The executor then accesses memory for
    /// whole warps and need not call the model: a model with `PLAIN` must keep the default methods.
    const PLAIN: bool = false;

    /// A load: fills `value`, whose length is that of `memory`.
    fn load(&mut self, event: &MemoryEvent, memory: &[u8], value: &mut [u8]) {
        let _ = event;
        value.copy_from_slice(memory);
    }

    /// A store of `value`: puts into `memory` what it holds afterwards.
    fn store(&mut self, event: &MemoryEvent, memory: &mut [u8], value: &[u8]) {
        let _ = event;
        memory.copy_from_slice(value);
    }

    /// An atomic read-modify-write. `update` reads the bytes that it is given and overwrites them with the
    /// new value; the instruction returns what the last call of `update` read.
    fn atomic(&mut self, event: &MemoryEvent, memory: &mut [u8], update: &mut dyn FnMut(&mut [u8])) {
        let _ = event;
        update(memory);
    }

    /// A fence that the lanes in `lanes` of one warp execute. Of the event, `order`, `scope`, `pc` and
    /// `block` count; `size` is 0 and `thread` is that of the warp's lane 0.
    fn fence(&mut self, event: &MemoryEvent, lanes: u32) {
        let _ = (event, lanes);
    }
}

/// Sequentially consistent memory: a load returns what the last store wrote.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainMemory;

impl MemoryModel for PlainMemory {
    const PLAIN: bool = true;
}
