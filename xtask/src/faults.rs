//! The planted faults beside the tools of others: builds and runs the program `compare-faults` of tests-gpu.

use crate::{
    cargo::{cargo, executable},
    so,
};

/// Options of `cargo xtask faults`.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// Parts of names of programs, and options such as --runs 5 --json FILE; --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Builds and runs the program.
pub fn run(options: &Options) -> Result<(), String> {
    let build = ["build", "--quiet", "--package", "tests-gpu", "--bin", "launch-faults"];
    let launcher = executable(&build, "launch-faults")?;
    let mut command = cargo(&["run", "--quiet", "--package", "tests-gpu", "--bin", "compare-faults", "--"]);
    command.arg("--driver").arg(so::build_and_install(None, true)?).arg("--launcher").arg(launcher);
    let status = command.args(&options.arguments).status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("faults ended with {status}")) }
}
