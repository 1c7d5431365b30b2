//! The emulated `libcuda.so.1`, embedded in this program, for programs that are not linked with warpfold.
//!
//! The library is that of `cuda-driver-so`, a dependency whose code is never called: cargo builds it before
//! it compiles this program, which embeds the file. So users install one file only.

use std::{
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use output_files::FileError;
use toolchain::{Cache, Prebuilt};

use crate::error::Error;

/// The library's bytes; empty under `cargo check` (build.rs).
const LIBRARY: &[u8] = include_bytes!(env!("WARPFOLD_DRIVER_LIBRARY"));

/// Writes the library into the cache under both names that programs look for, unless the package that this program
/// belongs to has it. Returns the folder, for `LD_LIBRARY_PATH`.
pub fn install() -> Result<PathBuf, Error> {
    let packaged = Prebuilt::find().map(|prebuilt| prebuilt.prefix().join(Prebuilt::DRIVER));
    if let Some(folder) = packaged.filter(|folder| folder.join("libcuda.so.1").is_file()) {
        return Ok(folder);
    }
    let cache = Cache::open()?;
    let library = cache.put(Path::new("driver").join("libcuda.so.1"), LIBRARY)?;
    // The first name is for programs that were linked with the library, the second is what libomptarget opens.
    let link = library.with_file_name("libcuda.so");
    let is_ours = |link: &Path| fs::read_link(link).is_ok_and(|target| target == Path::new("libcuda.so.1"));
    match symlink("libcuda.so.1", &link) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_ours(&link) => {}
        outcome => outcome.map_err(|source| FileError::Write { path: link.clone(), source })?,
    }
    Ok(link.parent().map(Path::to_path_buf).unwrap_or_default())
}
