//! The memory of the machine: global allocations, lane-private memory, and the seam for memory models.

pub(crate) mod global;
pub(crate) mod lane;
mod model;
mod region;
mod view;

pub use global::MemoryError;
pub use model::{MemoryEvent, MemoryModel, PlainMemory};
pub(crate) use view::{SharedMemory, View};

// Device addresses lie between 2^47 and 2^48: no process of the host has such addresses, so that an address
// says by itself whose it is.

/// Generic addresses of shared memory start here.
pub(crate) const SHARED_BASE: u64 = 0x8000_0000_0000;
/// Generic addresses of local memory start here.
pub(crate) const LOCAL_BASE: u64 = 0x8010_0000_0000;
/// Generic addresses of the kernel's parameters start here.
pub(crate) const PARAM_BASE: u64 = 0x8020_0000_0000;
/// Addresses of functions start here; they lie in no memory.
pub(crate) const CODE_BASE: u64 = 0x8030_0000_0000;
/// Size of each of these windows.
pub(crate) const WINDOW: u64 = 1 << 32;
/// No process of the host has addresses from here on.
pub(crate) const HOST_END: u64 = 1 << 47;
/// Global memory: its first address, and the one after its last.
pub(crate) const GLOBAL_BASE: u64 = 0x8100_0000_0000;
pub(crate) const GLOBAL_END: u64 = 0x1_0000_0000_0000;
