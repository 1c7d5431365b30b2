//! Builds the emulated driver under the names that programs look for: `libcuda.so.1` and `libcuda.so`.

use std::{
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

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

/// Builds the library, installs it and prints the folder, for LD_LIBRARY_PATH.
pub fn run(options: &Options) -> Result<(), String> {
    println!("{}", build_and_install(options.folder.as_deref(), options.dev)?.display());
    Ok(())
}

/// Builds the library, installs it into `folder` (or beside the built library) and returns the folder.
pub fn build_and_install(folder: Option<&Path>, dev: bool) -> Result<PathBuf, String> {
    let library = build(dev)?;
    let folder = match folder {
        Some(folder) => folder.to_path_buf(),
        None => library.with_file_name("emulated-driver"),
    };
    install(&library, &folder)
        .map_err(|error| format!("cannot install into {}: {error}", folder.display()))?;
    Ok(folder)
}

fn build(dev: bool) -> Result<PathBuf, String> {
    let arguments: &[&str] = match dev {
        true => &["build", "--package", "cuda-driver-so"],
        // With the program, which depends on it and has mostly been built: other features would be selected for it alone.
        false => &["build", "--release", "--package", "warpfold"],
    };
    shared_library(arguments, "warpfold_cuda")
}

/// Copies the library into a folder under both names.
pub fn install(library: &Path, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    // Replaced by a rename: a program that has the old file open keeps it.
    let (fresh, path) = (folder.join("libcuda.so.1.new"), folder.join("libcuda.so.1"));
    fs::copy(library, &fresh)?;
    fs::rename(fresh, path)?;
    match symlink("libcuda.so.1", folder.join("libcuda.so")) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}
