//! The options of commands that use a device.

use cuda_driver::{
    Select,
    settings::{self, LaunchOptions, Settings},
};
use host_rt::Device;

use crate::error::Error;

/// Options for the choice of the device.
#[derive(clap::Args)]
pub struct DeviceOptions {
    /// The device: auto (a GPU if there is one), cuda or emulator
    #[arg(long, value_name = "D", env = "WARPFOLD_DEVICE", default_value = "auto")]
    device: Select,
    /// Host threads on which the emulator runs the blocks of a launch; 1 keeps their order [default: 1]
    #[arg(long, value_name = "N", env = "WARPFOLD_JOBS", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
}

impl DeviceOptions {
    /// Opens the device.
    pub fn open(&self) -> Result<Device, Error> {
        if let Some(jobs) = self.jobs {
            let launch = LaunchOptions { jobs, ..settings::launch_options()? };
            settings::configure(Settings { launch: Some(launch), ..Settings::default() })?;
        }
        Ok(Device::open(self.device)?)
    }
}
