//! Device code of a Rust program: its operators and kernels.
//!
//! A program describes its device code in a module that its build script includes, too: operators with
//! [`device_code!`], crates of kernels as [`KernelCrate`]s. The build script compiles them with a [`Build`], and the
//! program embeds the result with [`embed!`]. `host-rt` then finds the PTX by what was compiled: the same description,
//! for the newest architecture that the device supports. The finished program needs neither rustc nor LLVM.
//!
//! What is not embedded is compiled when it is first used, with the tools of [`toolchain`].
//!
//! The crate is the role of `cuda_builder` for crates that use `host-rt`.

mod build;
mod embedded;
mod exact;
mod kernels;
mod portable;
mod reduction;

pub use build::{Build, Error};
pub use embedded::{EMBEDDED, Embedded};
pub use exact::EXACT_SUMS;
pub use kernels::KernelCrate;
pub use portable::{Code, Items, Name, Portable, TypeNames};
pub use reduction::{REDUCTION_KERNEL, record_bytes, reduction_crate, reduction_source};
pub use toolchain::OptLevel;

/// The operators of the device runtime, and the traits of a user's own.
pub use device_rt::reduce::op as ops;

#[doc(hidden)]
pub use device_rt;
#[doc(hidden)]
pub use linkme;
