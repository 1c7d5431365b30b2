//! The folder that crates outside this workspace build with.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use toolchain::Cache;

use crate::Error;

/// Writes the stand-in for `libcuda.so` into warpfold's cache, and answers the folder for
/// `CUDA_LIBRARY_PATH`: with it, `cust` builds on a machine that has neither CUDA nor a driver.
///
/// # Errors
///
/// [`Error::Toolchain`] for a cache that cannot be used, [`Error::Write`] for a file that cannot be written.
pub fn cuda_link_dir() -> Result<PathBuf, Error> {
    let folder = Cache::open()?.root().join("cuda-link");
    let file = folder.join(cuda_driver_link::STUB_PATH);
    put(&file, cuda_driver_link::STUB).map_err(|source| Error::Write { path: file, source })?;
    Ok(folder)
}

/// Makes a file with this content: whole, or as it was, also while other processes do the same.
fn put(file: &Path, content: &str) -> io::Result<()> {
    if fs::read(file).is_ok_and(|old| old == content.as_bytes()) {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let fresh = file.with_extension(format!("so.{}", std::process::id()));
    fs::write(&fresh, content)?;
    fs::rename(&fresh, file)
}
