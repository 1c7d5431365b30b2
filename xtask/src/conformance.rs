//! The conformance suite: builds and runs the program `conformance` of tests-gpu.

use crate::cargo::cargo;
use crate::so;

/// Options of `cargo xtask conformance`.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// The device that programs run on
    #[arg(long, value_enum, default_value_t = Device::Emulator)]
    device: Device,
    /// Names of programs, and further options such as --parallel 4 (see --help)
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Device {
    Emulator,
    Gpu,
}

/// Builds and runs the suite.
pub fn run(options: &Options) -> Result<(), String> {
    let mut command = cargo(&["run", "--quiet", "--package", "tests-gpu", "--bin", "conformance", "--"]);
    if options.device == Device::Emulator {
        command.arg("--driver").arg(so::build_and_install(None, true)?);
    }
    let status = command.args(&options.arguments).status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("conformance ended with {status}")) }
}
