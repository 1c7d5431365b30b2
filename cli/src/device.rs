//! The options of commands that use a device.

use std::str::FromStr;

use cuda_driver::{
    Select,
    settings::{self, Engine, GpuModel, LaunchOptions, Settings},
};
use host_rt::{Device, Devices};

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

/// A driver, and which of its devices.
#[derive(Clone, Copy, Debug)]
struct Choice {
    driver: Select,
    devices: Which,
}

#[derive(Clone, Copy, Debug)]
enum Which {
    /// Device 0, or that of this process's turn.
    Next,
    Number(u32),
    All,
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        let (driver, devices) = match text.split_once(':') {
            _ if text == "all" => ("auto", "all"),
            Some(parts) => parts,
            None => (text, ""),
        };
        let devices = match devices {
            "" if !text.contains(':') => Which::Next,
            "all" => Which::All,
            number => {
                Which::Number(number.parse().map_err(|_| format!("'{number}' is neither a number nor all"))?)
            }
        };
        let driver = driver.parse().map_err(|error: cuda_driver::Error| error.to_string())?;
        Ok(Choice { driver, devices })
    }
}

/// Options for the choice of the device.
#[derive(clap::Args)]
pub struct DeviceOptions {
    /// The device: auto (a GPU if there is one), cuda or emulator, each with :N for device N instead of 0, or :all for all of
    /// them together, which `reduce` takes; all is auto:all
    #[arg(long, value_name = "D", env = "WARPFOLD_DEVICE", default_value = "auto")]
    device: Choice,
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
        match <[Device; 1]>::try_from(self.open_for(0)?) {
            Ok([device]) => Ok(device),
            Err(_) => Err(Error::Usage("this command uses one device, not all".into())),
        }
    }

    /// Opens the device, or all of them: at least one. Of several processes of a host, which have the numbers from 0 on, each
    /// takes the next device where none is named, and begins again after the last one.
    pub fn open_for(&self, process: usize) -> Result<Vec<Device>, Error> {
        settings::configure(Settings { machines: Some(self.gpus.descriptions()), ..Settings::default() })?;
        if self.jobs.is_some() || self.engine.is_some() {
            let known = settings::launch_options()?;
            let (jobs, engine) = (self.jobs.unwrap_or(known.jobs), self.engine.unwrap_or(known.engine));
            let launch = LaunchOptions { jobs, engine, ..known };
            settings::configure(Settings { launch: Some(launch), ..Settings::default() })?;
        }
        let Choice { driver, devices } = self.device;
        Ok(match devices {
            Which::Number(number) => vec![Device::open_number(driver, number)?],
            Which::Next => {
                let next = process % Device::count(driver)?.max(1) as usize;
                vec![Device::open_number(driver, next as u32)?]
            }
            Which::All => Devices::open(driver)?.list().to_vec(),
        })
    }
}
