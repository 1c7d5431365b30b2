//! The seam for memory models: every load, store, atomic and fence of a program can go through one.

use super::order::{MemoryOrder, Scope};
use crate::text::types::Space;

/// One lane's access, as a memory model or an observer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryEvent {
    /// The space that the address fell into; never generic.
    pub space: Space,
    /// Address in that space.
    pub address: u64,
    /// Bytes.
    pub size: u32,
    /// Memory order.
    pub order: MemoryOrder,
    /// Scope of the order.
    pub scope: Scope,
    /// The instruction.
    pub pc: u32,
    /// Linear number of the block in the grid.
    pub block: u64,
    /// Linear number of the thread in the block.
    pub thread: u32,
}

/// Decides what loads see. The executor has checked bounds and alignment before it asks; `memory` holds the
/// bytes at the event's address as the plain model has them.
///
/// Local memory and kernel parameters belong to one thread and do not go through a model.
pub trait MemoryModel {
    /// Whether every access simply happens in memory, at once. The executor then moves whole warps and
    /// calls no method of the model.
    const PLAIN: bool = false;

    /// A load: fills `value`.
    fn load(&mut self, event: &MemoryEvent, memory: &[u8], value: &mut [u8]) {
        let _ = event;
        value.copy_from_slice(memory);
    }

    /// A store of `value`.
    fn store(&mut self, event: &MemoryEvent, memory: &mut [u8], value: &[u8]) {
        let _ = event;
        memory.copy_from_slice(value);
    }

    /// An atomic read-modify-write: `update` reads the bytes it is given and overwrites them.
    fn atomic(&mut self, event: &MemoryEvent, memory: &mut [u8], update: &mut dyn FnMut(&mut [u8])) {
        let _ = event;
        update(memory);
    }

    /// A fence of the lanes in `lanes`; `event.size` is 0 and `event.thread` that of lane 0.
    fn fence(&mut self, event: &MemoryEvent, lanes: u32) {
        let _ = (event, lanes);
    }
}

/// Sequentially consistent memory: what happened last is what is seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainMemory;

impl MemoryModel for PlainMemory {
    const PLAIN: bool = true;
}
