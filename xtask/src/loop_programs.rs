//! Random loop programs through the loop compiler: runs the program of the package `random-loops`.

use crate::cargo::{cargo, executable};

/// Options of `cargo xtask loop-programs`.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// Build with the dev profile instead of --release; the first argument if it is there
    #[arg(long)]
    dev: bool,
    /// Number of programs, and options such as --seed 7 --only gpu; --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Builds and runs the program; `WARPFOLD` names the program `warpfold` that is tried, in place of this one.
pub fn run(options: &Options) -> Result<(), String> {
    let profile = if options.dev { "--profile=dev" } else { "--release" };
    let mut command = cargo(&["run", profile, "--quiet", "--package", "random-loops", "--"]);
    if std::env::var_os("WARPFOLD").is_none() {
        command.env("WARPFOLD", executable(&["build", profile, "--package", "warpfold"], "warpfold")?);
    }
    let status = command.args(&options.arguments).status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("loop-programs ended with {status}")) }
}
