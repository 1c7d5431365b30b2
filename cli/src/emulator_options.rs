//! Options of commands that run programs on the emulator.

use std::{
    ffi::OsString,
    io::{self, IsTerminal},
    time::Duration,
};

use cuda_driver::{
    reports::has_colors,
    settings::{self, CHECK_WORDS},
};

use crate::gpus::EmulatedGpus;

/// Options for the emulator and its reports.
#[derive(clap::Args)]
pub struct EmulatorOptions {
    #[command(flatten)]
    pub gpus: EmulatedGpus,
    /// Run blocks and warps in an order drawn from this number
    #[arg(long, value_name = "N", env = "WARPFOLD_SEED", conflicts_with = "schedules")]
    pub seed: Option<u64>,
    /// Show PTX, registers and other lanes in reports, also where the source line is known
    #[arg(long, value_parser = switch, env = "WARPFOLD_VERBOSE")]
    pub verbose: bool,
    /// Colours in reports: auto (on a terminal), always or never
    #[arg(long, value_name = "WHEN", default_value = "auto", env = "WARPFOLD_COLOR")]
    color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

/// What a program may take; the driver has the defaults, checks the values and names the option in its messages.
#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// End the program after this time, and report where its kernels were; exit status 124
    #[arg(long, value_name = "SECONDS", value_parser = seconds, env = "WARPFOLD_TIMEOUT")]
    pub timeout: Option<Duration>,
    /// Warp instructions of a launch, at most
    #[arg(long, value_name = "N", env = "WARPFOLD_STEP_LIMIT")]
    step_limit: Option<u64>,
    /// Memory of the emulated GPU, such as 8G [default: 4G]
    #[arg(long, value_name = "BYTES", env = "WARPFOLD_DEVICE_MEMORY")]
    device_memory: Option<String>,
    /// Host memory that the emulated GPU takes, at most [default: 3/4 of the host's]
    #[arg(long, value_name = "BYTES", env = "WARPFOLD_HOST_MEMORY")]
    host_memory: Option<String>,
    /// Output of kernels that is kept until the program waits for them [default: 64M]
    #[arg(long, value_name = "BYTES", env = "WARPFOLD_PRINTF_BUFFER")]
    printf_buffer: Option<String>,
    /// An image of device code, with all that reading it copies [default: 256M]
    #[arg(long, value_name = "BYTES", env = "WARPFOLD_IMAGE_LIMIT")]
    image_limit: Option<String>,
}

/// A switch that a variable sets, too.
pub fn switch(text: &str) -> Result<bool, String> {
    match text {
        "1" | "true" => Ok(true),
        "0" | "false" => Ok(false),
        _ => Err("neither 0 nor 1".into()),
    }
}

/// A list of checks.
pub fn check_list(text: &str) -> Result<String, String> {
    match settings::checks(text) {
        Ok(_) if text.split(',').any(|word| !word.trim().is_empty()) => Ok(text.to_owned()),
        _ => Err(format!("the checks are {CHECK_WORDS}, separated by commas")),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if !limit.is_zero() => Ok(limit),
        _ => Err("not a positive number of seconds".to_owned()),
    }
}

/// The value of a variable.
pub fn text(value: Option<impl ToString>) -> Option<OsString> {
    value.map(|value| value.to_string().into())
}

/// Variables with their values, without those that have none.
pub type Variables = Vec<(&'static str, Option<OsString>)>;

impl EmulatorOptions {
    /// Whether reports have colours. The driver cannot see that its reports go to this program's standard error.
    pub fn has_colors(&self) -> bool {
        match self.color {
            Color::Auto => has_colors(io::stderr().is_terminal()),
            Color::Always => true,
            Color::Never => false,
        }
    }

    /// What the driver reads from the environment. A variable that is set stays where no option is given.
    pub fn variables(&self) -> Variables {
        let color = if self.has_colors() { "always" } else { "never" };
        let gpus = self.gpus.variables().map(|(name, value)| (name, text(value)));
        let others = [
            ("WARPFOLD_SEED", text(self.seed)),
            ("WARPFOLD_VERBOSE", text(self.verbose.then_some(1))),
            ("WARPFOLD_COLOR", text(Some(color))),
        ];
        gpus.into_iter().chain(others).collect()
    }
}

impl Limits {
    /// As [`EmulatorOptions::variables`].
    pub fn variables(&self) -> Variables {
        vec![
            ("WARPFOLD_STEP_LIMIT", text(self.step_limit)),
            ("WARPFOLD_DEVICE_MEMORY", text(self.device_memory.as_ref())),
            ("WARPFOLD_HOST_MEMORY", text(self.host_memory.as_ref())),
            ("WARPFOLD_PRINTF_BUFFER", text(self.printf_buffer.as_ref())),
            ("WARPFOLD_IMAGE_LIMIT", text(self.image_limit.as_ref())),
        ]
    }
}
