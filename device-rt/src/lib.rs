//! OpenMP-style device runtime for NVIDIA GPUs.
//!
//! On the GPU (`nvptx64`) the crate is the runtime itself: [`reduce`] holds the algorithms, `arch` the only
//! code that touches the hardware. It has two faces there: `abi`, the thin C functions that compilers call,
//! and `thread`, `warp`, `block`, `grid` and `shared` for kernels written in Rust, with the names of
//! `cuda_std`, over values whose type is known ([`reduce::op`]). On the host it carries its own source, for whoever builds the device side:
//! [`SOURCES`] and the table of what the builds export. There are two: the reductions alone
//! ([`REDUCTION_EXPORTS`]), which leave nothing behind in a kernel that uses one, and the OpenMP
//! library, which has those too, the symbols that compilers call ([`OPENMP_EXPORTS`]) and those that programs
//! call ([`LIBRARY_EXPORTS`]), and is made of [`OPENMP_SOURCES`].
//!
//! | module | what is in it |
//! |---|---|
//! | `arch` | ids, shuffles and votes, barriers, scoped atomics and fences, shared memory |
//! | [`reduce`] | reductions over a warp, a block and a grid, blind to types and operators |
//! | `team` | the start and end of kernels, parallel regions, workers, shared variables |
//! | [`workshare`] | which iterations of a loop are whose |
//! | `sync`, `query` | barriers and locks; what a thread can ask about where it is |
//! | `tasking`, `alloc`, `print` | tasks, memory for programs, what kernels print |
//! | `complex` | products and quotients of complex numbers |
//! | `abi` | one `extern "C"` function per exported symbol; decides nothing |
//! | `thread`, `warp`, `block`, `grid`, `shared`, `atomic` | the same for kernels written in Rust |
//!
//! # What binds every collective
//! *Who must arrive* is part of each function's contract: a collective that fewer or more threads
//! reach is undefined behaviour. *What it orders* is, too: a shuffle orders no memory; a barrier
//! orders all memory among the threads of its block; nothing but a fence and an atomic orders
//! memory between blocks.
#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_unadjusted, linkage, stdarch_nvptx))]

#[cfg(any(test, not(target_arch = "nvptx64")))]
extern crate std;

#[cfg(any(test, target_arch = "nvptx64"))]
pub mod complex;
pub mod reduce;
pub mod workshare;

#[cfg(target_arch = "nvptx64")]
pub mod alloc;
#[cfg(target_arch = "nvptx64")]
pub mod arrays;
#[cfg(target_arch = "nvptx64")]
pub mod atomic;
#[cfg(target_arch = "nvptx64")]
pub mod block;
#[cfg(target_arch = "nvptx64")]
pub mod grid;
#[cfg(target_arch = "nvptx64")]
pub mod print;
#[cfg(target_arch = "nvptx64")]
pub mod query;
#[cfg(target_arch = "nvptx64")]
pub mod shared;
#[cfg(target_arch = "nvptx64")]
pub mod sync;
#[cfg(target_arch = "nvptx64")]
pub mod tasking;
#[cfg(target_arch = "nvptx64")]
pub mod team;
#[cfg(target_arch = "nvptx64")]
pub mod thread;
#[cfg(target_arch = "nvptx64")]
pub mod warp;

#[cfg(target_arch = "nvptx64")]
mod abi;
#[cfg(target_arch = "nvptx64")]
pub mod arch;
#[cfg(all(test, not(target_arch = "nvptx64")))]
#[path = "arch/simulated.rs"]
mod arch;

#[cfg(not(target_arch = "nvptx64"))]
pub mod code;
#[cfg(not(target_arch = "nvptx64"))]
mod exports;
#[cfg(not(target_arch = "nvptx64"))]
mod header;
#[cfg(not(target_arch = "nvptx64"))]
mod sources;
#[cfg(not(target_arch = "nvptx64"))]
pub use exports::{
    ABSENT, Contract, Export, Kind, LIBRARY_EXPORTS, LIBRARY_NAMES, OPENMP_EXPORTS, OPENMP_NAMES,
    REDUCTION_EXPORTS, REDUCTION_NAMES, Type,
};
#[cfg(not(target_arch = "nvptx64"))]
pub use header::c_header;
#[cfg(not(target_arch = "nvptx64"))]
pub use sources::{
    EDITION, FORTRAN_CONSTANTS, NAME, OPENMP_ONLY, OPENMP_SOURCES, REDUCTION_ONLY, REDUCTION_SOURCES, SOURCES,
};

/// Lanes of a warp, on every NVIDIA GPU so far.
pub const WARP_SIZE: u32 = 32;

#[cfg(target_arch = "nvptx64")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: trap has no precondition. The build aborts at the place of a panic, so this is never reached.
    unsafe { core::arch::nvptx::trap() }
}
