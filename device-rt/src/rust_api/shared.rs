//! Shared memory for kernels written in Rust; [`shared_array!`](crate::shared_array) makes arrays in it.

pub use crate::arch::shared::dynamic_shared_mem;
