//! The conformance suite: the program is `conformance` of tests-gpu, built when asked for.

use crate::cargo::cargo;
use crate::so;

/// What `cargo xtask conformance` passes on.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// Where the programs run
    #[arg(long, value_enum, default_value_t = Device::Emulator)]
    device: Device,
    /// Names of programs, and options of the program such as --jobs 4; --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Device {
    Emulator,
    Gpu,
}

/// Builds and runs it.
pub fn run(options: &Options) -> Result<(), String> {
    let mut command = cargo(&["run", "--quiet", "--package", "tests-gpu", "--bin", "conformance", "--"]);
    if options.device == Device::Emulator {
        command.arg("--driver").arg(so::put(None, true)?);
    }
    let status = command.args(&options.arguments).status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("conformance ended with {status}")) }
}
