//! What the suites share: where they run, their outcomes, and running programs.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Where a suite runs, and with what.
pub struct Setup<'a> {
    /// Its folder, kept between runs.
    pub folder: PathBuf,
    /// The folder of the emulated `libcuda.so.1`.
    pub driver: PathBuf,
    pub version: &'static str,
    /// Tests that are not to be run.
    pub skipped: BTreeSet<&'static str>,
    pub filter: Option<&'a str>,
}

/// What each test did, by name: whether it passed.
pub type Outcomes = BTreeMap<String, bool>;

/// Why a suite has no outcomes.
pub enum Stop {
    /// It cannot be had here.
    Absent(String),
    /// It was there and could not be run.
    Broken(String),
}

/// Runs a program to its end; what it printed, whatever its status.
pub fn output(command: &mut Command) -> Result<(String, bool), Stop> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| Stop::Absent(format!("cannot run {name}: {error}")))?;
    let text = [output.stdout, output.stderr].concat();
    Ok((String::from_utf8_lossy(&text).into_owned(), output.status.success()))
}

/// Runs a program that fetches something: without it the suite cannot be had.
pub fn fetch(command: &mut Command) -> Result<String, Stop> {
    let shown = format!("{command:?}").replace('"', "");
    match output(command)? {
        (text, true) => Ok(text),
        (text, false) => Err(Stop::Absent(format!("`{shown}` fails:\n{text}"))),
    }
}

/// Wheels of pinned versions, unpacked into a folder.
pub fn wheels(folder: &Path, requirements: &str) -> Result<(), Stop> {
    let list = folder.with_extension("txt");
    let stamp = folder.join("requirements.txt");
    if fs::read_to_string(&stamp).ok().as_deref() == Some(requirements) {
        return Ok(());
    }
    write(&list, requirements)?;
    let arguments =
        ["-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--upgrade", "--target"];
    fetch(Command::new("python3").args(arguments).arg(folder).arg("-r").arg(&list))?;
    write(&stamp, requirements)
}

pub fn write(path: &Path, text: &str) -> Result<(), Stop> {
    fs::write(path, text).map_err(|error| Stop::Broken(format!("cannot write {}: {error}", path.display())))
}

/// A symbolic link, made anew.
pub fn link(to: &Path, at: &Path) -> Result<(), Stop> {
    let made = || {
        if let Some(parent) = at.parent() {
            fs::create_dir_all(parent)?;
        }
        if at.symlink_metadata().is_ok() {
            fs::remove_file(at)?;
        }
        std::os::unix::fs::symlink(to, at)
    };
    made().map_err(|error| Stop::Broken(format!("cannot link {}: {error}", at.display())))
}
