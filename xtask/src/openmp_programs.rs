//! Random OpenMP programs on the host and on the emulator: runs the program of the package `random-openmp`.

use crate::cargo::cargo;
use crate::so;

/// Options of `cargo xtask openmp-programs`.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// Options such as --programs 5000 --levels all; --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Builds and runs the program.
pub fn run(options: &Options) -> Result<(), String> {
    let mut command = cargo(&["run", "--quiet", "--package", "random-openmp", "--", "--driver"]);
    command.arg(so::build_and_install(None, true)?);
    let status = command.args(&options.arguments).status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("openmp-programs ended with {status}")) }
}
