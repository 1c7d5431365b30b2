//! Builds the emulated driver and CUDA's runtime library under the names that programs look for, such as `libcuda.so.1`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use toolchain::DriverFolder;
use warpfold_cudart::file::{Version, of_version};
use warpfold_jit_link::file as jit_link_file;

use crate::cargo::shared_library;

/// Options of `cargo xtask so`.
#[derive(clap::Args)]
pub struct Options {
    /// The folder to install into [default: `emulated-driver` beside the built library]
    folder: Option<PathBuf>,
    /// Build with the dev profile instead of --release
    #[arg(long)]
    dev: bool,
}

/// The files that cargo builds.
pub struct Libraries {
    /// The emulated driver.
    pub driver: PathBuf,
    /// CUDA's runtime library.
    pub runtime: PathBuf,
    /// CUDA's linker.
    pub linker: PathBuf,
}

/// Builds the libraries, installs them and prints the folder, for LD_LIBRARY_PATH.
pub fn run(options: &Options) -> Result<(), String> {
    println!("{}", build_and_install(options.folder.as_deref(), options.dev)?.display());
    Ok(())
}

/// Builds the libraries, installs them into `folder` (or beside the built ones) and returns the folder.
pub fn build_and_install(folder: Option<&Path>, dev: bool) -> Result<PathBuf, String> {
    // With the program, which depends on them and has mostly been built: other features would be selected for them alone.
    let arguments = ["build", if dev { "--profile=dev" } else { "--release" }, "--package", "warpfold"];
    let libraries = Libraries::build(&arguments)?;
    let folder = match folder {
        Some(folder) => folder.to_path_buf(),
        None => libraries.driver.with_file_name("emulated-driver"),
    };
    libraries.install(&folder)?;
    Ok(folder)
}

impl Libraries {
    /// Builds them with these arguments of cargo.
    pub fn build(arguments: &[&str]) -> Result<Libraries, String> {
        Ok(Libraries {
            driver: shared_library(arguments, "warpfold_cuda")?,
            runtime: shared_library(arguments, "warpfold_cudart")?,
            linker: shared_library(arguments, "warpfold_jit_link")?,
        })
    }

    /// Copies them into a folder under all names.
    pub fn install(&self, folder: &Path) -> Result<(), String> {
        let cannot = |path: &Path, error| format!("cannot write {}: {error}", path.display());
        fs::create_dir_all(folder).map_err(|error| cannot(folder, error))?;
        let read =
            |path: &Path| fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()));
        let runtime = read(&self.runtime)?;
        let mut files = vec![(DriverFolder::DRIVER, read(&self.driver)?)];
        for version in Version::ALL {
            files.push((version.file_name(), of_version(&runtime, version)?));
        }
        let linker = read(&self.linker)?;
        for name in jit_link_file::NAMES {
            files.push((name, jit_link_file::of_name(&linker, name)?));
        }
        for (name, bytes) in files {
            // Replaced by a rename: a program that has the old file open keeps it.
            let (fresh, path) = (folder.join(format!("{name}.new")), folder.join(name));
            let replaced = fs::write(&fresh, bytes).and_then(|()| fs::rename(fresh, &path));
            replaced.map_err(|error| cannot(&path, error))?;
        }
        DriverFolder::complete(folder).map_err(|(path, error)| cannot(&path, error))
    }
}
