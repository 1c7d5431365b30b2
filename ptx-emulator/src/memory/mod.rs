//! The memory of the machine: global allocations, lane-private memory, and the interface of memory models.

pub(crate) mod address_space;
pub(crate) mod global;
pub(crate) mod lane;
mod model;
mod order;
mod region;
mod view;

pub use global::MemoryError;
pub use model::{MemoryEvent, MemoryModel, PlainMemory};
pub use order::{MemoryOrder, Scope};
pub(crate) use view::{SharedMemory, View};
