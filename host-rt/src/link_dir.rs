//! The folder that crates outside this workspace build with.

use std::path::{Path, PathBuf};

use toolchain::Cache;

use crate::Error;

/// Writes the stand-in for `libcuda.so` into warpfold's cache, and answers the folder for
/// `CUDA_LIBRARY_PATH`: with it, `cust` builds on a machine that has neither CUDA nor a driver.
///
/// # Errors
///
/// [`Error::Toolchain`] for a cache that cannot be used, or a file that cannot be written.
pub fn cuda_link_dir() -> Result<PathBuf, Error> {
    let cache = Cache::open()?;
    let folder = Path::new("cuda-link");
    cache.put(folder.join(cuda_driver_link::STUB_PATH), cuda_driver_link::STUB.as_bytes())?;
    Ok(cache.root().join(folder))
}
