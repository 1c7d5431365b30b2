//! `warpfold cache`: what the cache holds, and how it is emptied.

use std::{
    fs,
    path::{Path, PathBuf},
};

use indicatif::HumanBytes;
use output_files::FileError;
use toolchain::Cache;

use crate::{error::Error, output};

/// Options of `warpfold cache`.
#[derive(clap::Args)]
pub struct Options {
    /// Remove what can be built again, of all versions; with `all`, the tools that `setup` downloaded, too
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "results")]
    clear: Option<Cleared>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Cleared {
    /// Device code, programs of tests, the emulated driver
    Results,
    /// All of it
    All,
}

/// A folder of the cache.
struct CacheFolder {
    path: PathBuf,
    bytes: u64,
    /// Whether a version of this program built it, so that it builds it again when it is needed.
    is_result: bool,
}

/// Lists the folders with their sizes, or removes them.
pub fn run(options: &Options) -> Result<(), Error> {
    let base = Cache::location()?;
    let parts = parts(&base)?;
    let size = |parts: &[&CacheFolder]| HumanBytes(parts.iter().map(|part| part.bytes).sum()).to_string();
    let Some(cleared) = options.clear else {
        output::line(format_args!("{}: {}", base.display(), size(&parts.iter().collect::<Vec<_>>())))?;
        for part in &parts {
            let name = part.path.strip_prefix(&base).unwrap_or(&part.path).display().to_string();
            output::line(format_args!("  {name:<24} {:>11}", HumanBytes(part.bytes).to_string()))?;
        }
        return output::line(
            "`warpfold cache --clear` removes what can be built again, `--clear=all` everything",
        );
    };
    let removed: Vec<&CacheFolder> =
        parts.iter().filter(|part| part.is_result || cleared == Cleared::All).collect();
    for part in &removed {
        let failed = |source| FileError::Write { path: part.path.clone(), source };
        match part.path.is_dir() {
            true => fs::remove_dir_all(&part.path).map_err(failed)?,
            false => fs::remove_file(&part.path).map_err(failed)?,
        }
    }
    output::line(format_args!("removed {} in {}", size(&removed), base.display()))
}

/// The folders of the versions, in which each kind of result has one, and the others, which have tools.
fn parts(base: &Path) -> Result<Vec<CacheFolder>, Error> {
    let mut found = Vec::new();
    for path in entries(base)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_version = name.starts_with(|c: char| c.is_ascii_digit());
        let paths = if is_version && path.is_dir() { entries(&path)? } else { vec![path.clone()] };
        found.extend(paths.into_iter().map(|path| CacheFolder {
            bytes: bytes(&path),
            is_result: is_version,
            path,
        }));
    }
    Ok(found)
}

/// What a folder contains, in order; nothing if it is missing.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let read = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(|source| FileError::Read { path: folder.into(), source })?,
    };
    let mut paths: Vec<PathBuf> = read.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// The bytes of all files; links are not followed.
fn bytes(path: &Path) -> u64 {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            entries(path).unwrap_or_default().iter().map(|path| bytes(path)).sum()
        }
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    }
}
