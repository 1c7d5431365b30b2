//! The floor that touches the hardware; nothing above it does.
//!
//! Ids and the block barrier come from `core::arch::nvptx`. What Rust cannot say comes from the
//! `.ll` files beside the Rust ones, linked before LLVM optimises: shared memory (Rust has no
//! address space 3), atomics and fences with a scope, shuffles and votes, and calls through
//! pointers that LLVM must not copy into divergent code (`convergent`). No `asm!`: LLVM takes it
//! for freely movable.

pub mod atomic;
pub mod call;
pub mod id;
pub mod shared;
pub mod warp;

/// The barrier of the block: every thread of it that has not exited arrives, all at this one
/// instruction with their warps converged. Orders all memory among them.
#[inline(always)]
pub fn block_sync() {
    // SAFETY: the instruction has no operands; who must arrive is this function's documented contract.
    unsafe { core::arch::nvptx::_syncthreads() }
}
