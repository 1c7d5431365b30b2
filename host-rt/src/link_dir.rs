//! The folder with which crates outside this workspace are built.

use std::path::{Path, PathBuf};

use toolchain::Cache;

use crate::Error;

/// Writes a substitute for `libcuda.so` to warpfold's cache and returns the folder for `CUDA_LIBRARY_PATH`,
/// with which `cust` builds on a machine that has neither CUDA nor a driver.
///
/// # Errors
///
/// [`Error::Toolchain`] if the cache cannot be used or the file cannot be written.
pub fn cuda_link_dir() -> Result<PathBuf, Error> {
    let cache = Cache::open()?;
    let folder = Path::new("cuda-link");
    cache.put(folder.join(cuda_driver_link::STUB_PATH), cuda_driver_link::STUB.as_bytes())?;
    Ok(cache.root().join(folder))
}
