//! The device runtime as what compilers link: built from the source that `device-rt` carries.

use std::path::PathBuf;

use toolchain::{DeviceCrate, Tools};

use crate::Error;

/// The reductions as a file of architecture-neutral LLVM bitcode, built once into the cache.
///
/// # Errors
///
/// A tool that fails, or a cache that cannot be written.
pub fn runtime_bitcode(tools: &Tools) -> Result<PathBuf, Error> {
    build(tools, device_rt::REDUCTION_SOURCES, device_rt::REDUCTION_NAMES)
}

/// A folder in which clang finds the OpenMP device runtime under the names that it looks for
/// (`LIBRARY_PATH`), built once into the cache.
///
/// # Errors
///
/// A tool that fails, or a cache that cannot be written.
pub fn openmp_library(tools: &Tools) -> Result<PathBuf, Error> {
    let names = [device_rt::REDUCTION_NAMES, device_rt::OPENMP_NAMES, device_rt::LIBRARY_NAMES].concat();
    let members = [("omp_lib.bc", device_rt::FORTRAN_CONSTANTS)];
    Ok(tools.offload_library(&build(tools, device_rt::OPENMP_SOURCES, &names)?, &members)?)
}

fn build(tools: &Tools, sources: &[(&str, &str)], exports: &[&str]) -> Result<PathBuf, Error> {
    let (name, edition) = (device_rt::NAME, device_rt::EDITION);
    Ok(tools.device_bitcode(&DeviceCrate { name, edition, sources, exports, dependencies: &[] })?)
}
