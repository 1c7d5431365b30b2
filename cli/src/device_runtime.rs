//! The device runtime, in the cache; building it there takes half a minute, which a terminal sees.

use std::path::PathBuf;

use toolchain::Tools;

use crate::{error::Error, progress::during};

const NAME: &str = "building the device runtime, once";

/// The reductions as bitcode: [`device_library::runtime_bitcode`].
pub fn bitcode(tools: &Tools) -> Result<PathBuf, Error> {
    Ok(during(NAME, || device_library::runtime_bitcode(tools))?)
}

/// The folder with the OpenMP runtime: [`device_library::openmp_library`].
pub fn openmp_folder(tools: &Tools) -> Result<PathBuf, Error> {
    Ok(during(NAME, || device_library::openmp_library(tools))?)
}
