//! The emulated driver as programs look for it: `libcuda.so.1`, and `libcuda.so` beside it.

use std::{
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

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
    let library = build(options.dev)?;
    let folder = match &options.folder {
        Some(folder) => folder.clone(),
        None => library.with_file_name("emulated-driver"),
    };
    install(&library, &folder)
        .map_err(|error| format!("cannot install into {}: {error}", folder.display()))?;
    println!("{}", folder.display());
    Ok(())
}

fn build(dev: bool) -> Result<PathBuf, String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--package", "cuda-driver-so", "--message-format=json-render-diagnostics"]);
    if !dev {
        cargo.arg("--release");
    }
    let output =
        cargo.stderr(Stdio::inherit()).output().map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err("the library was not built".into());
    }
    // cargo says where the file is, whatever its folders are called.
    let messages = String::from_utf8_lossy(&output.stdout);
    let files = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == "warpfold_cuda")
        .filter_map(|message| message["filenames"].as_array().cloned())
        .flatten();
    let mut paths = files.filter_map(|file| file.as_str().map(PathBuf::from));
    paths
        .find(|path| path.extension().is_some_and(|extension| extension == "so"))
        .ok_or_else(|| "cargo names no shared library".into())
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
