//! The emulated `libcuda.so.1`, CUDA's runtime library and its linker, embedded in this program, for programs that are
//! not linked with warpfold.
//!
//! The libraries are those of `cuda-driver-so`, `cuda-runtime` and `jit-link`, dependencies that cargo builds before it
//! compiles this program, which embeds the files. So users install one file only.

use std::path::{Path, PathBuf};

use output_files::FileError;
use toolchain::{Cache, CudaToolkit, DriverFolder, Prebuilt};
use warpfold_cudart::file::{Version, of_version};
use warpfold_jit_link::file as jit_link_file;

use crate::error::Error;

/// The libraries' bytes; empty under `cargo check` (build.rs).
const DRIVER: &[u8] = include_bytes!(env!("WARPFOLD_DRIVER_LIBRARY"));
const RUNTIME: &[u8] = include_bytes!(env!("WARPFOLD_RUNTIME_LIBRARY"));
const LINKER: &[u8] = include_bytes!(env!("WARPFOLD_LINKER_LIBRARY"));

/// Writes the libraries into the cache under all names that programs and linkers look for, unless the package that this
/// program belongs to has them. Returns the folder, for `LD_LIBRARY_PATH`.
pub fn install() -> Result<PathBuf, Error> {
    let packaged = Prebuilt::find().map(|prebuilt| prebuilt.prefix().join(Prebuilt::DRIVER));
    if let Some(folder) =
        packaged.filter(|folder| DriverFolder::FILES.iter().all(|name| folder.join(name).is_file()))
    {
        return Ok(folder);
    }
    let (cache, folder) = (Cache::open()?, Path::new("driver"));
    for version in Version::ALL {
        let runtime = of_version(RUNTIME, version).map_err(Error::RuntimeLibrary)?;
        cache.put(folder.join(version.file_name()), &runtime)?;
    }
    for name in jit_link_file::NAMES {
        let linker = jit_link_file::of_name(LINKER, name).map_err(Error::RuntimeLibrary)?;
        cache.put(folder.join(name), &linker)?;
    }
    let driver = cache.put(folder.join(DriverFolder::DRIVER), DRIVER)?;
    let folder = driver.parent().map(Path::to_path_buf).unwrap_or_default();
    DriverFolder::complete(&folder).map_err(|(path, source)| FileError::Write { path, source })?;
    Ok(folder)
}

/// A CUDA toolkit whose programs are linked with these libraries.
pub fn cuda_toolkit() -> Result<CudaToolkit, Error> {
    Ok(CudaToolkit::make(&Cache::open()?, &install()?)?)
}
