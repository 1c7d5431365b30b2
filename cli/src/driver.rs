//! The emulated `libcuda.so.1` that this program carries, for programs that know nothing of warpfold.
//!
//! The library belongs to `cuda-driver-so`, a dependency of this package of which no code is called: cargo builds
//! it before it compiles this program, which takes the file in. So one file is all that has to be installed.

use std::{
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use toolchain::Cache;

use crate::error::Error;

/// The library's bytes; none where this was checked and not built (build.rs).
const LIBRARY: &[u8] = include_bytes!(env!("WARPFOLD_DRIVER_LIBRARY"));

/// Puts the library into the cache under both names that programs look for, and answers the folder, which is what
/// `LD_LIBRARY_PATH` gets.
pub fn install() -> Result<PathBuf, Error> {
    let cache = Cache::open()?;
    let library = cache.put(Path::new("driver").join("libcuda.so.1"), LIBRARY)?;
    // The first name is for programs that were linked with the library, the second is what libomptarget opens.
    let link = library.with_file_name("libcuda.so");
    let points_there =
        |link: &Path| fs::read_link(link).is_ok_and(|target| target == Path::new("libcuda.so.1"));
    match symlink("libcuda.so.1", &link) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && points_there(&link) => {}
        outcome => outcome.map_err(|source| Error::Write { path: link.clone(), source })?,
    }
    Ok(link.parent().map(Path::to_path_buf).unwrap_or_default())
}
