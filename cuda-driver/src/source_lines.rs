//! Lines of source files, for reports.
//!
//! Which file a line is in comes from a line table of the program's device code, so from anybody. A report
//! quotes only regular files below the working folder, below the folder of the program's executable, or below
//! a folder that `WARPFOLD_SOURCE_PATH` names; the first two never stand for the whole file system. Hidden
//! files, and files in hidden folders, are not source.

use std::{
    env,
    fs::{self, File},
    io::{BufRead, BufReader, Read},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Component, Path, PathBuf},
};

use ptx_emulator::{Quote, SourceLocation};

use crate::environment::variable;

/// Folders whose files are quoted, separated by colons.
const VARIABLE: &str = "WARPFOLD_SOURCE_PATH";

/// What a report says instead of a line that it may not quote.
const HINT: &str = "(WARPFOLD_SOURCE_PATH=FOLDER shows lines of files below FOLDER)";

/// Largest source file that is read.
const MOST_SOURCE: u64 = 16 << 20;

/// File systems whose files are the kernel's: even regular ones may block, or show a process's secrets.
const KERNEL: [&str; 3] = ["/proc", "/sys", "/dev"];

/// A line of a source file, if the file is there and may be shown.
pub(crate) fn quote(source: &SourceLocation) -> Quote {
    let Some(at) = source.line.checked_sub(1) else { return Quote::Nothing };
    let Some(path) = regular_file(&source.file) else { return Quote::Nothing };
    let allowed = folders().into_iter().any(|folder| visible_below(&path, &folder));
    if !allowed {
        return Quote::Hint(HINT);
    }
    line(&path, at as usize).map_or(Quote::Nothing, Quote::Line)
}

/// The path without links to a regular file outside of the kernel's file systems.
fn regular_file(name: &str) -> Option<PathBuf> {
    let path = fs::canonicalize(name).ok()?;
    let special = KERNEL.iter().any(|folder| path.starts_with(folder));
    (!special && fs::metadata(&path).ok()?.is_file()).then_some(path)
}

/// The folders whose files may be shown, without links.
fn folders() -> Vec<PathBuf> {
    let named = variable(VARIABLE).unwrap_or_default();
    let named: Vec<PathBuf> = env::split_paths(&named).filter(|folder| folder.is_absolute()).collect();
    let program = env::current_exe().ok().and_then(|program| Some(program.parent()?.to_path_buf()));
    let own = env::current_dir().ok().into_iter().chain(program);
    let own = own.filter(|folder| folder.parent().is_some());
    own.chain(named).filter_map(|folder| fs::canonicalize(folder).ok()).collect()
}

/// Whether a file is in the folder or in one below it, without anything hidden on the way.
fn visible_below(file: &Path, folder: &Path) -> bool {
    let hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
    file.strip_prefix(folder).is_ok_and(|below| !below.components().any(hidden))
}

/// A line of a file, from 0; none if it is not text.
fn line(path: &Path, at: usize) -> Option<String> {
    let before = fs::metadata(path).ok()?;
    // Between two looks, the path may have become a pipe or a link.
    let flags = libc::O_NONBLOCK | libc::O_NOFOLLOW | libc::O_NOCTTY;
    let file = File::options().read(true).custom_flags(flags).open(path).ok()?;
    let about = file.metadata().ok()?;
    let same = (about.dev(), about.ino()) == (before.dev(), before.ino());
    if !same || !about.is_file() || about.len() > MOST_SOURCE {
        return None;
    }
    let bytes = BufReader::new(file.take(about.len())).split(b'\n').nth(at)?.ok()?;
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_visible_files_below_a_folder_are_shown() {
        let below = |file: &str, folder: &str| visible_below(Path::new(file), Path::new(folder));
        assert!(below("/p/src/k.c", "/p") && below("/p/k.c", "/p/") && below("/.p/k.c", "/.p"));
        assert!(!below("/pq/k.c", "/p") && !below("/p/.ssh/k", "/p") && !below("/p/a/.env", "/p"));
    }

    #[test]
    fn files_of_the_kernel_are_never_shown() {
        for name in ["/proc/self/environ", "/proc/self/pagemap", "/dev/kmsg", "/dev/zero", "/sys", "/"] {
            assert_eq!(regular_file(name), None, "{name}");
        }
        let own = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert!(regular_file(own).is_some() && line(Path::new(own), 0).as_deref() == Some("[package]"));
        assert_eq!(line(Path::new(own), 100_000), None);
    }
}
