//! Helpers of the tests that compile and run programs.

#![allow(dead_code, reason = "each test uses a part")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The program, to be run in a folder.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpfold"));
    command.current_dir(folder).args(arguments).env_remove("OMP_TARGET_OFFLOAD");
    command
}

/// Runs the program in a folder.
pub fn warpfold(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("it starts")
}

/// Whether there is time for every input: the tests of a change take some.
pub fn is_nightly() -> bool {
    std::env::var_os("WARPFOLD_NIGHTLY").is_some()
}

/// Output of a program as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with these files.
pub fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, contents) in files {
        fs::write(folder.path().join(name), contents).expect("a file");
    }
    folder
}

/// A folder with these files and the program that this command makes of them.
pub fn made(files: &[(&str, &str)], command: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = folder(files);
    make(folder.path(), command);
    let program = folder.path().join("program");
    (folder, program)
}

/// Runs the program in a folder; it must succeed.
pub fn make(folder: &Path, command: &[&str]) {
    let output = warpfold(folder, command);
    assert!(output.status.success(), "{command:?}: {}", text(&output.stderr));
}

/// What the program `./program` of a folder prints on the emulator.
pub fn printed(folder: &Path, options: &[&str]) -> String {
    let output = warpfold(folder, &[&["run"], options, &["./program"]].concat());
    assert!(output.status.success(), "{output:?}");
    text(&output.stdout)
}
