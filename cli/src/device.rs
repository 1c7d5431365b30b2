//! The options of commands that use a device.

use cuda_driver::{
    Select,
    settings::{self, Engine, GpuModel, LaunchOptions, Settings},
};
use host_rt::Device;

use crate::{error::Error, gpus::EmulatedGpus};

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
    #[command(flatten)]
    gpus: EmulatedGpus,
    /// Host threads on which the emulator runs the blocks of a launch; 1 keeps their order [default: 1]
    #[arg(long, value_name = "N", env = "WARPFOLD_JOBS", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
    /// What executes kernels on the emulator: interpret, compile or auto [default: auto]
    #[arg(long, value_name = "ENGINE", env = "WARPFOLD_ENGINE")]
    engine: Option<Engine>,
}

impl DeviceOptions {
    /// The architecture of the GPU that the emulator has: 90 for sm_90.
    pub fn emulated_sm(&self) -> u32 {
        self.gpus.first().sm()
    }

    /// Opens the device.
    pub fn open(&self) -> Result<Device, Error> {
        settings::configure(Settings { machines: Some(self.gpus.descriptions()), ..Settings::default() })?;
        if self.jobs.is_some() || self.engine.is_some() {
            let known = settings::launch_options()?;
            let (jobs, engine) = (self.jobs.unwrap_or(known.jobs), self.engine.unwrap_or(known.engine));
            let launch = LaunchOptions { jobs, engine, ..known };
            settings::configure(Settings { launch: Some(launch), ..Settings::default() })?;
        }
        Ok(Device::open(self.device)?)
    }
}
