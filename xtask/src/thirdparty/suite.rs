//! Common to all suites: folders, outcomes, running programs.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The environment of a suite.
pub struct Setup<'a> {
    /// Its folder, kept between runs.
    pub folder: PathBuf,
    /// The folder of the emulated `libcuda.so.1`.
    pub driver: PathBuf,
    pub version: &'static str,
    /// Tests to skip.
    pub skipped: BTreeSet<&'static str>,
    pub filter: Option<&'a str>,
}

/// Whether each test passed, by name.
pub type Outcomes = BTreeMap<String, bool>;

/// Why a suite has no outcomes.
pub enum Stop {
    /// It is not available on this machine.
    Absent(String),
    /// It is available, but could not be run.
    Broken(String),
}

/// Runs a program; returns its output and whether it succeeded.
pub fn output(command: &mut Command) -> Result<(String, bool), Stop> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| Stop::Absent(format!("cannot run {name}: {error}")))?;
    let text = [output.stdout, output.stderr].concat();
    Ok((String::from_utf8_lossy(&text).into_owned(), output.status.success()))
}

/// Runs a program that fetches something. If it fails, the suite is not available.
pub fn fetch(command: &mut Command) -> Result<String, Stop> {
    let shown = format!("{command:?}").replace('"', "");
    match output(command)? {
        (text, true) => Ok(text),
        (text, false) => Err(Stop::Absent(format!("`{shown}` fails:\n{text}"))),
    }
}

/// Unpacks wheels of pinned versions into a folder.
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

/// Makes or replaces a symbolic link.
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
