//! The memory of a machine: global allocations, lane-private memory, the address space, and the interface of
//! memory models.

pub(crate) mod address_space;
mod concurrent;
pub(crate) mod global;
pub(crate) mod lane;
mod model;
mod order;
mod region;

pub(crate) use concurrent::{ConcurrentMemory, MemoryView};
pub use global::MemoryError;
pub use model::{MemoryEvent, MemoryModel, PlainMemory};
pub use order::{MemoryOrder, Scope};
