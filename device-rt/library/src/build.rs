//! The device runtime as bitcode.

use std::path::PathBuf;

use device_rt::abi::{Interface, names};
use toolchain::{DeviceCrate, Error, Prebuilt, RUNTIME_FOLDER, Tools};

use crate::sources::{FIRST_ITERATION, FORTRAN_CONSTANTS, KERNEL_SOURCES, OPENMP_SOURCES};

/// The runtime as crates of kernels depend on it, by the name `device_rt`.
pub const RUNTIME: DeviceCrate = DeviceCrate {
    name: "device_rt",
    edition: "2024",
    sources: KERNEL_SOURCES,
    exports: &[],
    dependencies: &[],
};

/// The reductions as a file of architecture-neutral LLVM bitcode, built once into the cache,
/// or beside the program.
///
/// # Errors
///
/// A tool that fails, or a cache that cannot be written.
pub fn runtime_bitcode(tools: &Tools) -> Result<PathBuf, Error> {
    if let Some(prebuilt) = tools.prebuilt() {
        return Ok(prebuilt.prefix().join(Prebuilt::REDUCTIONS));
    }
    tools.device_bitcode(&DeviceCrate { exports: &names(&[Interface::Kernels]), ..RUNTIME })
}

/// A folder in which clang finds the OpenMP device runtime under the names that it looks for
/// (`LIBRARY_PATH`), built once into the cache, or beside the program.
///
/// # Errors
///
/// A tool that fails, or a cache that cannot be written.
pub fn openmp_library(tools: &Tools) -> Result<PathBuf, Error> {
    if let Some(prebuilt) = tools.prebuilt() {
        return Ok(prebuilt.prefix().join(RUNTIME_FOLDER));
    }
    let exports = names(&[Interface::Kernels, Interface::Compilers, Interface::Programs]);
    let bitcode =
        tools.device_bitcode(&DeviceCrate { sources: OPENMP_SOURCES, exports: &exports, ..RUNTIME })?;
    tools.offload_library(
        &bitcode,
        &[("omp_lib.bc", FORTRAN_CONSTANTS), ("first_iteration.bc", FIRST_ITERATION)],
    )
}
