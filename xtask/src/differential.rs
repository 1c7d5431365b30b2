//! Random programs on the host and on a device: runs the program of the package `random-programs`.

use std::process::Command;

/// Options of `cargo xtask differential`.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// Options such as --programs 10000 --seed 1 --opt both; --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Builds and runs the program.
pub fn run(options: &Options) -> Result<(), String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.args(["run", "--quiet", "--package", "random-programs", "--"]);
    let status = command.args(&options.arguments).status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("differential ended with {status}")) }
}
