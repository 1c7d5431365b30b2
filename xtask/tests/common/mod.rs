//! Commands of xtask that run the program.

use std::{
    path::Path,
    process::{Command, Output},
};

/// Runs a command that takes `--warpfold`, with the program that the workspace's tests have built: for this package alone
/// cargo would build it with other features.
pub fn xtask(command: &str, arguments: &[&Path]) -> Output {
    let xtask = Path::new(env!("CARGO_BIN_EXE_xtask"));
    let mut process = Command::new(xtask);
    process.arg(command).args(arguments);
    let warpfold = xtask.with_file_name("warpfold");
    if warpfold.is_file() {
        process.arg("--warpfold").arg(warpfold);
    }
    process.output().expect("it starts")
}
