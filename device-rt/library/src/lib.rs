//! The OpenMP device runtime as what compilers and kernels link.
//!
//! The crate embeds the source of `device-rt`. It builds two libraries of it: the reductions by themselves
//! ([`runtime_bitcode`]), which leave nothing behind in a kernel that uses one, and the OpenMP library
//! ([`openmp_library`]). Crates of kernels written in Rust depend on [`RUNTIME`]. [`c_header`] declares the exported symbols in C.

mod build;
mod header;
mod sources;

pub use build::{RUNTIME, openmp_library, runtime_bitcode};
pub use header::c_header;
pub use sources::{FIRST_ITERATION, FORTRAN_CONSTANTS, KERNEL_SOURCES, OPENMP_SOURCES};
