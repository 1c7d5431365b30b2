//! Settings of the emulated driver: which GPUs it emulates, and how it runs launches.
//!
//! They may be used before and after [`crate::init`], and have no effect on a GPU.

pub(crate) mod gpu_model;
pub(crate) mod host_memory;
pub(crate) mod values;

pub use crate::emulated::{LlvmCompiler, code_generator};
pub use gpu_model::{GpuModel, UnknownGpuModel};
pub use ptx_emulator::{Checks, Engine, LaneGroupChoice, LaunchConfig, LaunchOptions, MachineDescription};
pub use values::{
    CHECK_WORDS, ConfigureError, FailedAllocation, MOST_DEVICES, RecordingFile, Settings, checks,
    descriptions, device_count,
};

use crate::emulated::{with_any, with_existing};

/// Changes the settings, for the whole process.
///
/// # Errors
///
/// [`ConfigureError::MachineInUse`] if the GPUs would change while contexts are alive; the errors of
/// [`Settings::from_env`] at the first use of the emulated driver. Then nothing is changed.
pub fn configure(settings: Settings) -> Result<(), ConfigureError> {
    with_any(|state| state.configure(settings))?
}

/// How launches are run at present.
///
/// # Errors
///
/// The errors of [`Settings::from_env`] at the first use of the emulated driver.
pub fn launch_options() -> Result<LaunchOptions, ConfigureError> {
    with_any(|state| state.configuration.launch.clone())
}

/// Whether launches are checked for more than faults ([`Settings::checks`]).
pub fn checks_launches() -> bool {
    with_existing(|state| state.configuration.checks.is_some()).unwrap_or(false)
}
