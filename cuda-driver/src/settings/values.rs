//! The settings, and what the environment says of them.

use std::path::PathBuf;

use ptx_emulator::{LaunchOptions, MachineDescription};

/// The emulated GPUs that have a name: [`preset`] describes them.
pub const PRESETS: &[&str] = &["b200", "h200", "a100", "v100"];

/// Settings of the emulated driver; `None` leaves a setting as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The GPU to emulate. It can change only while no context is alive.
    pub machine: Option<MachineDescription>,
    /// How later launches are run: seed, schedule, step limit, jobs.
    pub launch: Option<LaunchOptions>,
    /// Whether kernels can access all memory of the host (unified shared memory): then a kernel's access to
    /// an invalid host address ends the process.
    pub unified_memory: Option<bool>,
    /// The recording of calls to write or to replay.
    pub recording: Option<RecordingFile>,
    /// Whether what kernels allocate from the device heap and do not free is reported when the last context,
    /// or the process, ends. Allocations before this was set are not known.
    pub check_leaks: Option<bool>,
    /// Which later allocations fail.
    pub failed_allocation: Option<FailedAllocation>,
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
    /// There are contexts on the machine that is to be replaced.
    #[error("the emulated machine cannot change while {contexts} context(s) on it are alive")]
    MachineInUse {
        /// How many.
        contexts: usize,
    },
    /// There is no such preset.
    #[error("WARPFOLD_MACHINE: unknown machine '{text}'; known are {}", PRESETS.join(", "))]
    UnknownMachine {
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
    #[error("{variable}: '{text}' is not a number of bytes, such as 65536, 512K, 64M or 2G")]
    NotBytes {
        /// The variable.
        variable: &'static str,
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
    /// The settings in `WARPFOLD_MACHINE`, `WARPFOLD_SEED`, `WARPFOLD_REVERSE_BLOCKS`,
    /// `WARPFOLD_RESIDENT_BLOCKS`, `WARPFOLD_STEP_LIMIT`, `WARPFOLD_JOBS`, `WARPFOLD_UNIFIED_MEMORY`,
    /// `WARPFOLD_RECORD`, `WARPFOLD_REPLAY`, `WARPFOLD_CHECK_LEAKS` and `WARPFOLD_FAIL_ALLOCATION`; a program
    /// that never calls [`configure`](crate::settings::configure) runs with these.
    ///
    /// # Errors
    ///
    /// A machine that is not a preset; a seed, number of blocks, step limit, number of jobs or allocation
    /// that is not a number; a flag that is neither 0 nor 1; `WARPFOLD_RECORD` and `WARPFOLD_REPLAY`
    /// together.
    pub fn from_env() -> Result<Settings, ConfigureError> {
        let machine = variable("WARPFOLD_MACHINE")
            .map(|text| preset(&text).ok_or(ConfigureError::UnknownMachine { text }))
            .transpose()?;
        let small =
            |name| number(name).map(|value| value.map(|value| u32::try_from(value).unwrap_or(u32::MAX)));
        let default = LaunchOptions::default();
        let launch = LaunchOptions {
            seed: number("WARPFOLD_SEED")?,
            reverse_blocks: flag("WARPFOLD_REVERSE_BLOCKS")?.unwrap_or(default.reverse_blocks),
            resident_blocks: small("WARPFOLD_RESIDENT_BLOCKS")?,
            step_limit: number("WARPFOLD_STEP_LIMIT")?.unwrap_or(default.step_limit),
            jobs: small("WARPFOLD_JOBS")?.unwrap_or(default.jobs),
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
        let failed_allocation = variable("WARPFOLD_FAIL_ALLOCATION").map(failed_allocation).transpose()?;
        Ok(Settings { machine, launch, unified_memory, recording, check_leaks, failed_allocation })
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(|value| value.to_string_lossy().into_owned())
}

fn number(name: &'static str) -> Result<Option<u64>, ConfigureError> {
    let read = |text: String| text.parse().map_err(|_| ConfigureError::NotANumber { variable: name, text });
    variable(name).map(read).transpose()
}

/// A number of bytes, where `K`, `M` and `G` stand for powers of 1024; `None` if the variable is not set.
pub(crate) fn bytes(name: &'static str) -> Result<Option<u64>, ConfigureError> {
    let read = |text: String| in_bytes(&text).ok_or(ConfigureError::NotBytes { variable: name, text });
    variable(name).map(read).transpose()
}

fn in_bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match &text[digits.len()..] {
        "" => 1u64,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// `N` for one allocation, `N+` for all later ones too.
fn failed_allocation(text: String) -> Result<FailedAllocation, ConfigureError> {
    let first = text.strip_suffix('+').unwrap_or(&text).parse();
    let later = text.ends_with('+');
    let wrong = |_| ConfigureError::NotANumber { variable: "WARPFOLD_FAIL_ALLOCATION", text };
    first.map(|first| FailedAllocation { first, later }).map_err(wrong)
}

fn flag(name: &'static str) -> Result<Option<bool>, ConfigureError> {
    let read = |text: String| match text.as_str() {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(ConfigureError::NotAFlag { variable: name, text }),
    };
    variable(name).map(read).transpose()
}

/// The emulated GPU with this name, if there is one.
pub fn preset(name: &str) -> Option<MachineDescription> {
    match name {
        "b200" => Some(MachineDescription::b200()),
        "h200" => Some(MachineDescription::h200()),
        "a100" => Some(MachineDescription::a100()),
        "v100" => Some(MachineDescription::v100()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_may_have_a_unit() {
        let read = ["0", "65536", "512K", "64M", "2G"].map(in_bytes);
        assert_eq!(read, [Some(0), Some(65536), Some(512 << 10), Some(64 << 20), Some(2 << 30)]);
        for wrong in ["", "K", "-1", "1k", "1KB", "1 M", "1.5G", "99999999999G", "1é"] {
            assert_eq!(in_bytes(wrong), None, "{wrong}");
        }
    }
}
