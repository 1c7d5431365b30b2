//! The memory of the machine: global allocations, lane-private memory, and what programs may ask of them.

pub(crate) mod global;

pub use global::MemoryError;
