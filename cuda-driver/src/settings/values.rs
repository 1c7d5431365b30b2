//! The settings, and what the environment says of them.

use std::path::PathBuf;

use ptx_emulator::{Checks, Engine, LaunchOptions, MachineDescription};

use super::{
    gpu_model::{GpuModel, UnknownGpuModel},
    host_memory::parse_size,
};
use crate::environment;

/// The most GPUs that are emulated at a time.
pub const MOST_DEVICES: usize = 64;

/// The variables that say which GPUs there are.
const MACHINE: &str = "WARPFOLD_MACHINE";
const DEVICES: &str = "WARPFOLD_DEVICES";

/// The variables of limits, which messages name.
pub(crate) const DEVICE_MEMORY: &str = "WARPFOLD_DEVICE_MEMORY";
pub(crate) const HOST_MEMORY: &str = "WARPFOLD_HOST_MEMORY";
pub(crate) const PRINT_BUFFER: &str = "WARPFOLD_PRINTF_BUFFER";
pub(crate) const STEP_LIMIT: &str = "WARPFOLD_STEP_LIMIT";
pub(crate) const IMAGE_LIMIT: &str = "WARPFOLD_IMAGE_LIMIT";

/// The words of a list of checks, for messages.
pub const CHECK_WORDS: &str = "race, init, lane, barrier and memory, or all";

/// What sets a limit, for a message: its variable, and the option of `warpfold run` with the same name.
pub(crate) fn set_by(variable: &str, unit: &str) -> String {
    let option = variable.trim_start_matches("WARPFOLD_").to_lowercase().replace('_', "-");
    format!("{variable}={unit}, or `warpfold run --{option} {unit}`,")
}

/// Settings of the emulated driver; `None` leaves a setting as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The GPUs to emulate; without any, an H200. They can change only while no context is alive.
    pub machines: Option<Vec<MachineDescription>>,
    /// How later launches are run: seed, schedule, step limit, jobs.
    pub launch: Option<LaunchOptions>,
    /// Whether kernels can access all memory of the host (unified shared memory).
    pub unified_memory: Option<bool>,
    /// The recording of calls to write or to replay.
    pub recording: Option<RecordingFile>,
    /// Whether what kernels allocate from the device heap and do not free is reported when the last context,
    /// or the process, ends. Allocations before this was set are not known.
    pub check_leaks: Option<bool>,
    /// What later launches and copies are checked for. Once checks are on they stay as they are.
    pub checks: Option<Checks>,
    /// The file to which profiles of later launches are appended ([`read`](crate::profiles::read)). A launch that is checked
    /// is not profiled.
    pub profile: Option<PathBuf>,
    /// Which later allocations fail.
    pub failed_allocation: Option<FailedAllocation>,
    /// Bytes of each emulated GPU's memory, in place of those of `machines`. As the GPUs, it can change only while
    /// no context is alive.
    pub device_memory: Option<u64>,
    /// Bytes of the host's memory that the driver takes at most, for device, pinned and managed memory, the
    /// device heap and the output of kernels together. Allocations beyond it fail with
    /// `CUDA_ERROR_OUT_OF_MEMORY`. At first 3/4 of the host's memory, or of what control groups allow.
    pub host_memory: Option<u64>,
    /// Bytes of kernels' output that are kept until the program waits for the kernel, at first 64 MiB; beyond
    /// it the oldest calls of `printf` are dropped. `CU_LIMIT_PRINTF_FIFO_SIZE` cannot exceed it.
    pub print_buffer: Option<u64>,
}

/// Which allocations fail with `CUDA_ERROR_OUT_OF_MEMORY`, to test how a program handles it. Device, pinned
/// and managed memory counts, and the variables of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailedAllocation {
    /// The number of the allocation, from 1.
    pub first: u64,
    /// Whether all later ones fail as well.
    pub later: bool,
}

/// A recording of the order in which calls of several threads arrive, and in which their operations start.
/// With it a launch has one job.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordingFile {
    /// The recording is written to this file.
    Record(PathBuf),
    /// The recording in this file is followed: threads wait for each other's calls. Where the program does
    /// something else than was recorded, the calls of all threads return `CUDA_ERROR_ILLEGAL_STATE` from then
    /// on, and a report names the line. After the last line any order is accepted.
    Replay(PathBuf),
}

/// Why settings were rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigureError {
    /// There are contexts on the GPUs that are to be replaced.
    #[error("the emulated GPUs cannot change while {contexts} context(s) on them are alive")]
    MachineInUse {
        /// How many.
        contexts: usize,
    },
    /// There is no such GPU.
    #[error("WARPFOLD_MACHINE: unknown machine '{text}'; {UnknownGpuModel}")]
    UnknownMachine {
        /// What was given.
        text: String,
    },
    /// The number of GPUs is not one that can be emulated.
    #[error("WARPFOLD_DEVICES: '{text}' is not a number of GPUs from 1 to {MOST_DEVICES}")]
    NotADeviceCount {
        /// What was given.
        text: String,
    },
    /// A variable of the environment is neither 0 nor 1.
    #[error("{variable}: '{text}' is neither 0 nor 1")]
    NotAFlag {
        /// The variable.
        variable: &'static str,
        /// What was given.
        text: String,
    },
    /// A recording cannot be written or read.
    #[error("the recording {}: {why}", path.display())]
    Recording {
        /// Its file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A recording is to be written and another one replayed at the same time.
    #[error("WARPFOLD_RECORD and WARPFOLD_REPLAY exclude each other")]
    RecordAndReplay,
    /// A variable of the environment is not a number of bytes.
    #[error("{variable}: '{text}' is not a number of bytes, such as 512M or 4G")]
    NotASize {
        /// The variable.
        variable: &'static str,
        /// What was given.
        text: String,
    },
    /// This process was forked from one that uses the driver, and cannot use it.
    #[error("this process was forked from one that uses the emulated driver")]
    Forked,
    /// There is no such check.
    #[error("WARPFOLD_CHECK: unknown check '{text}'; the checks are {CHECK_WORDS}")]
    UnknownCheck {
        /// What was given.
        text: String,
    },
    /// There is no such engine.
    #[error("WARPFOLD_ENGINE: unknown engine '{text}'; the engines are auto, interpret and compile")]
    UnknownEngine {
        /// What was given.
        text: String,
    },
    /// A variable of the environment is not a number.
    #[error("{variable}: '{text}' is not a number")]
    NotANumber {
        /// The variable.
        variable: &'static str,
        /// What was given.
        text: String,
    },
}

impl Settings {
    /// The settings in `WARPFOLD_MACHINE`, `WARPFOLD_DEVICES`, `WARPFOLD_SEED`, `WARPFOLD_REVERSE_BLOCKS`,
    /// `WARPFOLD_RESIDENT_BLOCKS`, `WARPFOLD_STEP_LIMIT`, `WARPFOLD_JOBS`, `WARPFOLD_ENGINE`, `WARPFOLD_UNIFIED_MEMORY`,
    /// `WARPFOLD_RECORD`, `WARPFOLD_REPLAY`, `WARPFOLD_CHECK`, `WARPFOLD_CHECK_LEAKS`, `WARPFOLD_PROFILE`, `WARPFOLD_FAIL_ALLOCATION`,
    /// `WARPFOLD_DEVICE_MEMORY`, `WARPFOLD_HOST_MEMORY` and `WARPFOLD_PRINTF_BUFFER`; a program that never calls [`configure`](crate::settings::configure) runs with these.
    ///
    /// # Errors
    ///
    /// A machine that is no [`GpuModel`]; a number of devices that is not from 1 to [`MOST_DEVICES`]; a seed, number of blocks, step limit, number of jobs or allocation
    /// that is not a number; a size that is not a number of bytes; a flag that is neither 0 nor 1; `WARPFOLD_RECORD` and `WARPFOLD_REPLAY`
    /// together.
    pub fn from_env() -> Result<Settings, ConfigureError> {
        let small =
            |name| number(name).map(|value| value.map(|value| u32::try_from(value).unwrap_or(u32::MAX)));
        let default = LaunchOptions::default();
        let launch = LaunchOptions {
            seed: number("WARPFOLD_SEED")?,
            reverse_blocks: flag("WARPFOLD_REVERSE_BLOCKS")?.unwrap_or(default.reverse_blocks),
            resident_blocks: small("WARPFOLD_RESIDENT_BLOCKS")?,
            step_limit: number(STEP_LIMIT)?.unwrap_or(default.step_limit),
            jobs: small("WARPFOLD_JOBS")?.unwrap_or(default.jobs),
            engine: engine()?.unwrap_or(default.engine),
            ..default.clone()
        };
        let launch = (launch != default).then_some(launch);
        let recording = match (variable("WARPFOLD_RECORD"), variable("WARPFOLD_REPLAY")) {
            (Some(_), Some(_)) => return Err(ConfigureError::RecordAndReplay),
            (Some(path), None) => Some(RecordingFile::Record(path.into())),
            (None, path) => path.map(|path| RecordingFile::Replay(path.into())),
        };
        let unified_memory = flag("WARPFOLD_UNIFIED_MEMORY")?;
        let check_leaks = flag("WARPFOLD_CHECK_LEAKS")?;
        let checks = variable("WARPFOLD_CHECK").map(|text| checks(&text)).transpose()?;
        let failed_allocation = variable("WARPFOLD_FAIL_ALLOCATION").map(failed_allocation).transpose()?;
        Ok(Settings {
            machines: machines()?,
            launch,
            unified_memory,
            recording,
            check_leaks,
            checks,
            profile: variable("WARPFOLD_PROFILE").map(PathBuf::from),
            failed_allocation,
            device_memory: size(DEVICE_MEMORY)?,
            host_memory: size(HOST_MEMORY)?,
            print_buffer: size(PRINT_BUFFER)?,
        })
    }
}

/// The GPUs to emulate, as the variables say.
fn machines() -> Result<Option<Vec<MachineDescription>>, ConfigureError> {
    let models = variable(MACHINE).map(|text| models(&text)).transpose()?;
    let count = variable(DEVICES).map(|text| device_count(&text)).transpose()?;
    if models.is_none() && count.is_none() {
        return Ok(None);
    }
    Ok(Some(descriptions(&models.unwrap_or_else(|| vec![GpuModel::default()]), count)))
}

/// The GPUs of a list of models, repeated in order until there are `count`; without a count, one for each.
pub fn descriptions(models: &[GpuModel], count: Option<usize>) -> Vec<MachineDescription> {
    let count = count.unwrap_or(models.len()).min(MOST_DEVICES);
    models.iter().cycle().take(count).map(|model| model.description()).collect()
}

/// The models of a list, as `WARPFOLD_MACHINE` has it: words separated by commas.
///
/// # Errors
///
/// [`ConfigureError::UnknownMachine`] for a word that is no [`GpuModel`], and for more than [`MOST_DEVICES`] of them.
fn models(text: &str) -> Result<Vec<GpuModel>, ConfigureError> {
    let unknown = |text: &str| ConfigureError::UnknownMachine { text: text.to_owned() };
    let words = text.split(',').map(str::trim);
    let models = words.map(|word| word.parse().map_err(|UnknownGpuModel| unknown(word)));
    let models = models.collect::<Result<Vec<GpuModel>, _>>()?;
    if models.len() <= MOST_DEVICES { Ok(models) } else { Err(unknown(text)) }
}

/// A number of devices, as `WARPFOLD_DEVICES` has it.
///
/// # Errors
///
/// [`ConfigureError::NotADeviceCount`] for what is not a number from 1 to [`MOST_DEVICES`].
pub fn device_count(text: &str) -> Result<usize, ConfigureError> {
    let count = text.parse().ok().filter(|count| (1..=MOST_DEVICES).contains(count));
    count.ok_or_else(|| ConfigureError::NotADeviceCount { text: text.to_owned() })
}

fn variable(name: &str) -> Option<String> {
    environment::variable(name).map(|value| value.to_string_lossy().into_owned())
}

fn number(name: &'static str) -> Result<Option<u64>, ConfigureError> {
    let read = |text: String| text.parse().map_err(|_| ConfigureError::NotANumber { variable: name, text });
    variable(name).map(read).transpose()
}

/// Bytes, with or without a suffix; `None` if the variable is not set.
pub(crate) fn size(name: &'static str) -> Result<Option<u64>, ConfigureError> {
    let read = |text: String| parse_size(&text).ok_or(ConfigureError::NotASize { variable: name, text });
    variable(name).map(read).transpose()
}

/// What a list of checks switches on, as `WARPFOLD_CHECK` has it: words separated by commas. `race` and `init` are
/// [`Checks`], and so is `same-value`; `lane`, `barrier` and `memory` are faults, which the emulator always reports; `all` is
/// everything but `same-value`.
///
/// # Errors
///
/// [`ConfigureError::UnknownCheck`] for another word.
pub fn checks(text: &str) -> Result<Checks, ConfigureError> {
    let mut checks = Checks::empty();
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        match word {
            "all" => checks |= Checks::RACES | Checks::UNINITIALISED,
            "race" => checks |= Checks::RACES,
            "init" => checks |= Checks::UNINITIALISED,
            "same-value" => checks |= Checks::RACES | Checks::SAME_VALUE,
            "lane" | "barrier" | "memory" => {}
            _ => return Err(ConfigureError::UnknownCheck { text: word.to_owned() }),
        }
    }
    Ok(checks)
}

/// `N` for one allocation, `N+` for all later ones too.
fn failed_allocation(text: String) -> Result<FailedAllocation, ConfigureError> {
    let first = text.strip_suffix('+').unwrap_or(&text).parse();
    let later = text.ends_with('+');
    let wrong = |_| ConfigureError::NotANumber { variable: "WARPFOLD_FAIL_ALLOCATION", text };
    first.map(|first| FailedAllocation { first, later }).map_err(wrong)
}

/// What executes kernels, as `WARPFOLD_ENGINE` names it; `None` if it is not set.
fn engine() -> Result<Option<Engine>, ConfigureError> {
    let read = |text: String| text.parse().map_err(|_| ConfigureError::UnknownEngine { text });
    variable("WARPFOLD_ENGINE").map(read).transpose()
}

fn flag(name: &'static str) -> Result<Option<bool>, ConfigureError> {
    let read = |text: String| match text.as_str() {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(ConfigureError::NotAFlag { variable: name, text }),
    };
    variable(name).map(read).transpose()
}
