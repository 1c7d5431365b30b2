//! `warpfold doctor`: what is on this machine.

use host_rt::{Device, Kind};
use toolchain::Cache;

use crate::{error::Error, output};

/// `doctor` takes no options.
#[derive(clap::Args)]
pub struct Options {}

/// Prints what was found; an error when something that builds and emulator runs need is missing.
pub fn run(_: &Options) -> Result<(), Error> {
    let findings = toolchain::inventory();
    for finding in &findings {
        output::line(finding)?;
    }
    output::line(format_args!("device: {}", device()))?;
    output::line(format_args!("cache: {}", Cache::open()?.root().display()))?;
    if toolchain::is_ready(&findings) {
        output::line("Everything that building and running on the emulator need is there.")
    } else {
        output::line("Something is missing: `warpfold setup` brings it, or follow the cures above.")?;
        Err(Error::Unready)
    }
}

/// What reductions would run on. No GPU is no failure.
fn device() -> String {
    match Device::open(cuda_driver::Select::Auto) {
        Ok(device) => match device.kind() {
            Kind::Cuda => format!("{} (GPU)", device.name()),
            Kind::Emulator => format!("{} (no GPU was found)", device.name()),
        },
        Err(error) => format!("none: {error}"),
    }
}
