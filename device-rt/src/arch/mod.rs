//! The hardware layer: nothing above it touches the hardware.
//!
//! Ids come from `core::arch::nvptx`. What Rust cannot say comes from the `.ll` files beside the Rust ones,
//! linked before LLVM optimises: shared memory (Rust has no address space 3), atomics and fences with a
//! scope, barriers, shuffles and votes. No `asm!`: Rust's is not
//! `convergent`, so LLVM may move it (`barrier.ll` has inline assembly that is). Calls through pointers
//! need nothing here: the build makes every one of them `convergent`, so that the lanes which arrive together
//! enter the callee together.

pub mod atomic;
mod barrier;
mod copies;
pub mod dim;
pub mod float;
pub mod float_atomic;
mod freeze;
pub mod heap;
pub mod id;
pub mod shared;
pub mod system;
pub mod warp;

pub use barrier::{
    block_sync, block_sync_and, block_sync_any, block_sync_as_one, block_sync_count, block_sync_divergent,
    block_sync_each, block_sync_or, named_barrier,
};
pub use copies::{LoopBound, own_copy};
pub use freeze::{function, variable};
