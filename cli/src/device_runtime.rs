//! The device runtime, in the cache; building it there takes half a minute, which a terminal sees.

use std::path::PathBuf;

use installer::Package;
use toolchain::Tools;

use crate::{error::Error, progress::during};

const NAME: &str = "building the device runtime, once";

/// The reductions as bitcode: [`device_library::runtime_bitcode`].
pub fn bitcode(tools: &Tools) -> Result<PathBuf, Error> {
    Ok(during(NAME, || device_library::runtime_bitcode(tools))?)
}

/// The runtime with the files to use it: [`Package::build`].
pub fn package(tools: &Tools) -> Result<Package, installer::Error> {
    during(NAME, || Package::build(tools))
}

/// The folder with the OpenMP runtime: [`device_library::openmp_library`].
pub fn openmp_folder(tools: &Tools) -> Result<PathBuf, Error> {
    Ok(during(NAME, || device_library::openmp_library(tools))?)
}
