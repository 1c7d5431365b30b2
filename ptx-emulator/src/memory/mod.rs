//! The memory of a machine: global allocations, lane-private memory, the address space, and the interface of
//! memory models.

pub(crate) mod address_space;
mod budget;
mod concurrent;
mod error;
pub(crate) mod global;
mod host;
pub(crate) mod lane;
mod model;
mod order;
pub(crate) mod region;

pub(crate) use budget::Budget;
pub(crate) use concurrent::{ConcurrentMemory, MemoryView};
pub use error::MemoryError;
pub use host::{HostAccess, HostMappings, check_host};
pub use model::{MemoryEvent, MemoryModel, PlainMemory};
pub use order::{MemoryOrder, Scope};
