//! The project's own benchmarks: the program of the package `benches`, built for speed.

use std::path::PathBuf;

use crate::cargo::{cargo, executable};

/// The arguments of `benches`, which lists them with `--help`.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// schemes, openmp, emulator or overhead, and its options; --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Builds and runs it. `overhead` measures `warpfold` built from this tree.
pub fn run(options: &Options) -> Result<(), String> {
    let mut command = cargo(&["run", "--release", "--quiet", "--package", "benches", "--"]);
    command.args(&options.arguments);
    if options.arguments.first().is_some_and(|first| first == "overhead") {
        command.arg("--warpfold").arg(warpfold()?);
    }
    let status = command.status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("benches ended with {status}")) }
}

fn warpfold() -> Result<PathBuf, String> {
    executable(&["build", "--release", "--bin", "warpfold"], "warpfold")
}
