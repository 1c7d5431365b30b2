//! The options of commands that use a device.

use cuda_driver::{
    DriverKind, Select, reports,
    settings::{self, GpuModel, LaunchOptions, Settings},
};
use host_rt::Device;

use crate::{error::Error, run::check_list};

/// The option for checks of a command's own launches.
#[derive(clap::Args)]
pub struct CheckOption {
    /// Check the launches, on the emulator: race, init, lane, barrier, memory [default without a LIST: all]
    #[arg(long, value_name = "LIST", env = "WARPFOLD_CHECK", value_parser = check_list, num_args = 0..=1,
        require_equals = true, default_missing_value = "all")]
    check: Option<String>,
}

impl CheckOption {
    /// Switches the checks on, before the device is opened.
    pub fn start(&self) -> Result<(), Error> {
        if let Some(list) = &self.check {
            let checks = Some(settings::checks(list)?);
            settings::configure(Settings { checks, ..Settings::default() })?;
            reports::show_reports();
        }
        Ok(())
    }

    /// An error if the device cannot be checked.
    pub fn check_device(&self, device: &Device) -> Result<(), Error> {
        if self.check.is_some() && device.kind() != DriverKind::Emulator {
            let message = "--check needs the emulator, but this device is a GPU: add --device emulator";
            return Err(Error::Usage(message.into()));
        }
        Ok(())
    }

    /// The outcome of the command; [`Error::Found`] if something was found, which the driver has written to standard
    /// error.
    pub fn outcome(&self, outcome: Result<(), Error>) -> Result<(), Error> {
        match outcome {
            Ok(()) | Err(Error::Host(host_rt::Error::Cuda { .. }))
                if self.check.is_some() && reports::reported() > 0 =>
            {
                Err(Error::Found)
            }
            outcome => outcome,
        }
    }
}

/// The number of an architecture by its own name, or by that of a GPU that can be emulated: 90 for `90`, `sm_90` and
/// `h200`.
pub fn architecture(text: &str) -> Result<u32, String> {
    let number = text.strip_prefix("sm_").unwrap_or(text).parse();
    match text.parse::<GpuModel>() {
        Ok(model) => Ok(model.sm()),
        Err(_) => {
            number.map_err(|_| "neither an architecture such as sm_90 nor a GPU such as h200".to_owned())
        }
    }
}

/// Options for the choice of the device.
#[derive(clap::Args)]
pub struct DeviceOptions {
    /// The device: auto (a GPU if there is one), cuda or emulator
    #[arg(long, value_name = "D", env = "WARPFOLD_DEVICE", default_value = "auto")]
    device: Select,
    /// The GPU to emulate: sm_100 (b200), sm_90 (h200), sm_80 (a100) or sm_70 (v100) [default: sm_90]
    #[arg(long, value_name = "MODEL", env = "WARPFOLD_MACHINE")]
    sm: Option<GpuModel>,
    /// Host threads on which the emulator runs the blocks of a launch; 1 keeps their order [default: 1]
    #[arg(long, value_name = "N", env = "WARPFOLD_JOBS", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
}

impl DeviceOptions {
    /// Opens the device.
    pub fn open(&self) -> Result<Device, Error> {
        if let Some(sm) = self.sm {
            settings::configure(Settings { machine: Some(sm.description()), ..Settings::default() })?;
        }
        if let Some(jobs) = self.jobs {
            let launch = LaunchOptions { jobs, ..settings::launch_options()? };
            settings::configure(Settings { launch: Some(launch), ..Settings::default() })?;
        }
        Ok(Device::open(self.device)?)
    }
}
