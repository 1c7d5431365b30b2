//! OpenMP-style device runtime for NVIDIA GPUs.
//!
//! On the GPU (`nvptx64`) the crate is the runtime itself: [`reduce`] holds the algorithms, `arch` the only
//! code that touches the hardware. It has two interfaces there: [`abi`], the C functions that compilers and
//! programs call, and `thread`, `warp`, `block`, `grid`, `shared`, `atomic`, `arrays` and `exact` for kernels written
//! in Rust, with the names of `cuda_std`, over values whose type is known ([`reduce::op`]).
//!
//! On the host the same source gives what host crates share with the device: operators ([`reduce::op`]), the
//! tables of exported symbols and the layouts of the ABI ([`abi`]). The crate `device-library` builds the
//! device side.
//!
//! | module | what is in it |
//! |---|---|
//! | `arch` | the hardware layer: ids, shuffles and votes, barriers, scoped atomics and fences, shared memory |
//! | [`reduce`] | reductions over a warp, a block and a grid, independent of types and operators |
//! | `openmp` | kernels, parallel regions, worksharing, synchronization, tasks, queries, memory |
//! | `static_schedule`, `complex` | which iterations a static schedule gives to whom; complex arithmetic |
//! | [`abi`] | every exported symbol with its contract; decides nothing |
//! | `rust_api` | the interface for kernels written in Rust |
//!
//! # The contract of every collective
//! *Who must arrive* is part of each function's contract: a collective that fewer or more threads reach is
//! undefined behaviour. *What it orders* is, too: a shuffle orders no memory; a barrier orders all memory
//! among the threads of its block; nothing but a fence and an atomic orders memory between blocks.
#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_unadjusted, linkage, stdarch_nvptx))]

#[cfg(not(target_arch = "nvptx64"))]
extern crate std;

pub mod abi;
pub mod reduce;

#[cfg(any(target_arch = "nvptx64", test))]
pub mod complex;
#[cfg(any(target_arch = "nvptx64", test))]
pub mod static_schedule;

#[cfg(target_arch = "nvptx64")]
pub mod arch;
#[cfg(all(test, not(target_arch = "nvptx64")))]
#[path = "arch/simulated.rs"]
mod arch;

#[cfg(target_arch = "nvptx64")]
pub mod openmp;
#[cfg(target_arch = "nvptx64")]
mod rust_api;
#[cfg(target_arch = "nvptx64")]
pub use rust_api::{arrays, atomic, block, exact, grid, shared, thread, warp};

/// Lanes of a warp, on every NVIDIA GPU so far.
pub const WARP_SIZE: u32 = 32;

/// The threads of a block where neither program nor user say otherwise: clang's default.
///
/// Such a block has its own copies of regions and reductions, in which LLVM knows the stride of loops, so that it
/// unrolls them with several loads in flight.
pub const USUAL_THREADS: u32 = 128;

#[cfg(target_arch = "nvptx64")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: trap has no precondition. The build aborts at the place of a panic, so this is never reached.
    unsafe { core::arch::nvptx::trap() }
}
