//! The benchmarks: runs the program of the package `benches`, built with --release.

use std::path::PathBuf;

use crate::cargo::{cargo, executable};

/// Options of `cargo xtask bench`.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// schemes, openmp, emulator, instructions or overhead, and options; --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Builds and runs the benchmarks. `overhead` and `instructions` measure the program `warpfold` of this tree.
pub fn run(options: &Options) -> Result<(), String> {
    let mut command = cargo(&["run", "--release", "--quiet", "--package", "benches", "--"]);
    command.args(&options.arguments);
    if options.arguments.first().is_some_and(|first| matches!(&**first, "overhead" | "instructions")) {
        command.arg("--warpfold").arg(warpfold()?);
    }
    let status = command.status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("benches ended with {status}")) }
}

fn warpfold() -> Result<PathBuf, String> {
    executable(&["build", "--release", "--bin", "warpfold"], "warpfold")
}
