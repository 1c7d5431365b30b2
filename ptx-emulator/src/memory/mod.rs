//! The memory of the machine: global allocations, lane-private memory, and the seam for memory models.

pub(crate) mod global;
pub(crate) mod lane;
mod model;

pub use global::MemoryError;
pub use model::{MemoryEvent, MemoryModel, PlainMemory};

/// Generic addresses of shared memory start here.
pub(crate) const SHARED_BASE: u64 = 0x0100_0000_0000;
/// Generic addresses of local memory start here.
pub(crate) const LOCAL_BASE: u64 = 0x0200_0000_0000;
/// Generic addresses of the kernel's parameters start here.
pub(crate) const PARAM_BASE: u64 = 0x0300_0000_0000;
/// Addresses of functions start here; they lie in no memory.
pub(crate) const CODE_BASE: u64 = 0x0400_0000_0000;
/// Size of each of these windows.
pub(crate) const WINDOW: u64 = 1 << 32;
