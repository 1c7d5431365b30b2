//! The interface for kernels written in Rust, with the names of `cuda_std` where it has them. The crate's
//! root exports these modules.

pub mod arrays;
pub mod atomic;
pub mod block;
pub mod exact;
pub mod grid;
pub mod shared;
pub mod thread;
pub mod warp;
