//! The emulated driver as programs look for it: `libcuda.so.1`, and `libcuda.so` beside it.

use std::{
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use crate::cargo::shared_library;

/// What `cargo xtask so` builds, and where it puts it.
#[derive(clap::Args)]
pub struct Options {
    /// Where the two names go; `emulated-driver` beside the built library when not given
    folder: Option<PathBuf>,
    /// Build for debugging
    #[arg(long)]
    dev: bool,
}

/// Builds the library, installs it and prints the folder, which is what LD_LIBRARY_PATH gets.
pub fn run(options: &Options) -> Result<(), String> {
    println!("{}", put(options.folder.as_deref(), options.dev)?.display());
    Ok(())
}

/// Builds the library and installs it into `folder`, or beside where it was built; the folder.
pub fn put(folder: Option<&Path>, dev: bool) -> Result<PathBuf, String> {
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
    let mut arguments = vec!["build", "--package", "cuda-driver-so"];
    if !dev {
        arguments.push("--release");
    }
    shared_library(&arguments, "warpfold_cuda")
}

fn install(library: &Path, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    // Put in place by a rename: a program that has the old file open keeps it.
    let (fresh, place) = (folder.join("libcuda.so.1.new"), folder.join("libcuda.so.1"));
    fs::copy(library, &fresh)?;
    fs::rename(fresh, place)?;
    match symlink("libcuda.so.1", folder.join("libcuda.so")) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}
