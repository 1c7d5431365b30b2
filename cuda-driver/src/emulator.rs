//! What the emulated driver offers beyond CUDA's interface: its settings, exact counts and fault reports.
//!
//! All of it may be used before and after [`crate::init`], and means nothing on a GPU.

use std::path::PathBuf;

pub use ptx_emulator::{
    Counts, LaneGroupChoice, LaunchConfig, LaunchOptions, LaunchReport, MachineDescription,
};

use crate::{
    emulated::{self, with_any, with_existing},
    log,
};

/// How many reports of launches are kept for [`take_launches`]; beyond that the oldest are forgotten.
pub const LAUNCHES_KEPT: usize = 1 << 16;

/// The emulated GPUs that have a name: [`preset`] describes them.
pub const PRESETS: &[&str] = &["b200", "h200", "a100", "v100"];

/// What the emulator cannot see in PTX yet: a 0 would be a wrong count, so they are null.
const NOT_COUNTED: [&str; 2] = ["parallel_regions", "block_reductions"];

/// Counts by their names.
pub fn counts_record(counts: &Counts) -> serde_json::Map<String, serde_json::Value> {
    let named = counts.named().into_iter().map(|(name, count)| {
        let count = if NOT_COUNTED.contains(&name) { serde_json::Value::Null } else { count.into() };
        (name.to_owned(), count)
    });
    named.collect()
}

/// A launch: its kernel and its counts by their names.
pub fn launch_record(report: &LaunchReport) -> serde_json::Value {
    let mut record = serde_json::Map::from_iter([("kernel".to_owned(), report.kernel.clone().into())]);
    record.extend(counts_record(&report.counts));
    record.into()
}

/// Settings of the emulator; `None` leaves what is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The GPU to emulate. It can change only while no context is alive.
    pub machine: Option<MachineDescription>,
    /// How launches from now on are run: seed, schedule, step limit, jobs.
    pub launch: Option<LaunchOptions>,
    /// Whether kernels reach all memory of the host (unified shared memory): then a host address that a kernel
    /// uses and that is not valid ends the process.
    pub unified_memory: Option<bool>,
    /// The order of calls is kept in a file, or followed.
    pub order: Option<Order>,
    /// Whether what kernels take from the device heap and do not free is reported when the last context, or the
    /// process, ends. What was taken before this was asked for is not known.
    pub check_leaks: Option<bool>,
    /// Allocations from now on that are refused.
    pub refused_allocation: Option<Refused>,
}

/// Which allocations are refused with `CUDA_ERROR_OUT_OF_MEMORY`, to see how a program takes it. Device, pinned and
/// managed memory counts, and the variables of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The number of the allocation, from 1.
    pub first: u64,
    /// Whether all later ones are refused as well.
    pub later: bool,
}

/// The order in which calls of several threads arrive, and in which their work begins. With it a launch has one job.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// It is kept in this file.
    Record(PathBuf),
    /// It is that of this file: threads wait for each other's calls. Where the program does something else than was
    /// recorded, the calls of all threads answer `CUDA_ERROR_ILLEGAL_STATE` from then on, and a report says where.
    /// After the last line everything is free.
    Replay(PathBuf),
}

impl Order {
    /// Opens the file.
    pub(crate) fn open(&self) -> Result<emulated::Order, ConfigureError> {
        let (path, opened) = match self {
            Order::Record(path) => (path, emulated::Order::record(path)),
            Order::Replay(path) => (path, emulated::Order::replay(path)),
        };
        opened.map_err(|why| ConfigureError::Recording { path: path.clone(), why })
    }
}

/// Why settings were refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigureError {
    /// A program holds contexts on the machine that is to be replaced.
    #[error("the emulated machine cannot change while {contexts} context(s) on it are alive")]
    MachineInUse {
        /// How many.
        contexts: usize,
    },
    /// No such preset.
    #[error("WARPFOLD_MACHINE: unknown machine '{text}'; known are {}", PRESETS.join(", "))]
    UnknownMachine {
        /// What was given.
        text: String,
    },
    /// A variable of the environment is neither 0 nor 1.
    #[error("{variable}: '{text}' is neither 0 nor 1")]
    NoFlag {
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
        /// Why not.
        why: String,
    },
    /// An order is to be kept and followed at the same time.
    #[error("WARPFOLD_RECORD and WARPFOLD_REPLAY exclude each other")]
    TwoOrders,
    /// A variable of the environment is no number.
    #[error("{variable}: '{text}' is no number")]
    NoNumber {
        /// The variable.
        variable: &'static str,
        /// What was given.
        text: String,
    },
}

impl Settings {
    /// The settings in `WARPFOLD_MACHINE`, `WARPFOLD_SEED`, `WARPFOLD_REVERSE_BLOCKS`, `WARPFOLD_RESIDENT_BLOCKS`,
    /// `WARPFOLD_STEP_LIMIT`, `WARPFOLD_JOBS`, `WARPFOLD_UNIFIED_MEMORY`, `WARPFOLD_RECORD`, `WARPFOLD_REPLAY`,
    /// `WARPFOLD_CHECK_LEAKS` and `WARPFOLD_FAIL_ALLOCATION`; a program that never calls [`configure`] runs with these.
    ///
    /// # Errors
    ///
    /// A machine that is no preset, a seed, number of blocks, step limit, jobs or allocation that are no number, a
    /// choice that is neither 0 nor 1, two orders.
    pub fn from_env() -> Result<Settings, ConfigureError> {
        let machine = variable("WARPFOLD_MACHINE")
            .map(|text| preset(&text).ok_or(ConfigureError::UnknownMachine { text }))
            .transpose()?;
        let small =
            |name| number(name).map(|value| value.map(|value| u32::try_from(value).unwrap_or(u32::MAX)));
        let usual = LaunchOptions::default();
        let launch = LaunchOptions {
            seed: number("WARPFOLD_SEED")?,
            reverse_blocks: flag("WARPFOLD_REVERSE_BLOCKS")?.unwrap_or(usual.reverse_blocks),
            resident_blocks: small("WARPFOLD_RESIDENT_BLOCKS")?,
            step_limit: number("WARPFOLD_STEP_LIMIT")?.unwrap_or(usual.step_limit),
            jobs: small("WARPFOLD_JOBS")?.unwrap_or(usual.jobs),
            ..usual.clone()
        };
        let launch = (launch != usual).then_some(launch);
        let order = match (variable("WARPFOLD_RECORD"), variable("WARPFOLD_REPLAY")) {
            (Some(_), Some(_)) => return Err(ConfigureError::TwoOrders),
            (Some(path), None) => Some(Order::Record(path.into())),
            (None, path) => path.map(|path| Order::Replay(path.into())),
        };
        let unified_memory = flag("WARPFOLD_UNIFIED_MEMORY")?;
        let check_leaks = flag("WARPFOLD_CHECK_LEAKS")?;
        let refused_allocation = variable("WARPFOLD_FAIL_ALLOCATION").map(refused).transpose()?;
        Ok(Settings { machine, launch, unified_memory, order, check_leaks, refused_allocation })
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(|value| value.to_string_lossy().into_owned())
}

fn number(name: &'static str) -> Result<Option<u64>, ConfigureError> {
    let read = |text: String| text.parse().map_err(|_| ConfigureError::NoNumber { variable: name, text });
    variable(name).map(read).transpose()
}

/// `N` for one allocation, `N+` for all later ones too.
fn refused(text: String) -> Result<Refused, ConfigureError> {
    let first = text.strip_suffix('+').unwrap_or(&text).parse();
    let later = text.ends_with('+');
    let wrong = |_| ConfigureError::NoNumber { variable: "WARPFOLD_FAIL_ALLOCATION", text };
    first.map(|first| Refused { first, later }).map_err(wrong)
}

fn flag(name: &'static str) -> Result<Option<bool>, ConfigureError> {
    let read = |text: String| match text.as_str() {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(ConfigureError::NoFlag { variable: name, text }),
    };
    variable(name).map(read).transpose()
}

/// The machine of this name, if there is one.
pub fn preset(name: &str) -> Option<MachineDescription> {
    match name {
        "b200" => Some(MachineDescription::b200()),
        "h200" => Some(MachineDescription::h200()),
        "a100" => Some(MachineDescription::a100()),
        "v100" => Some(MachineDescription::v100()),
        _ => None,
    }
}

/// Changes the settings, for the whole process.
///
/// # Errors
///
/// [`ConfigureError::MachineInUse`] if the machine would change while contexts are alive; whatever
/// [`Settings::from_env`] finds wrong, at the first use of the emulator. Then nothing is changed.
pub fn configure(settings: Settings) -> Result<(), ConfigureError> {
    with_any(|state| state.apply(settings))?
}

/// How launches are run at present.
///
/// # Errors
///
/// Whatever [`Settings::from_env`] finds wrong, at the first use of the emulator.
pub fn launch_options() -> Result<LaunchOptions, ConfigureError> {
    with_any(|state| state.launch.clone())
}

/// Takes the reports of the launches that completed since the last call, the oldest first. At most
/// [`LAUNCHES_KEPT`] are there.
pub fn take_launches() -> Vec<LaunchReport> {
    with_existing(|state| state.launches.drain(..).collect()).unwrap_or_default()
}

/// How many reports were forgotten because [`take_launches`] was not called in time.
pub fn forgotten_launches() -> u64 {
    with_existing(|state| state.forgotten_launches).unwrap_or(0)
}

/// What a program holds of the emulated driver, and what the driver has still to do for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Contexts, the primary one included.
    pub contexts: usize,
    /// Loaded modules.
    pub modules: usize,
    /// Functions of loaded modules that were asked for.
    pub functions: usize,
    /// Streams, and those destroyed ones that have work.
    pub streams: usize,
    /// Events.
    pub events: usize,
    /// Allocations of device memory.
    pub device_allocations: usize,
    /// Allocations of pinned and managed memory, and registered ranges.
    pub host_allocations: usize,
    /// Bytes of device memory in use, by whomever.
    pub device_bytes: u64,
    /// Operations that are not finished.
    pub operations: usize,
}

/// What is in use at present. After the last context has ended everything is 0.
pub fn resources() -> Resources {
    with_existing(|state| state.resources()).unwrap_or_default()
}

/// The report of the last launch that failed or module that was refused: at most one screen of text.
pub fn last_fault() -> Option<String> {
    with_existing(|state| state.last_fault.clone()).flatten()
}

/// Reports what kernels have taken from the device heap and not freed, where [`Settings::check_leaks`] asks for it: for
/// the end of a process that leaves its contexts to the driver.
pub fn report_leaks() {
    with_existing(|state| state.report_leaks());
}

/// Writes reports of failed launches and refused modules to standard error from now on, for programs that know
/// nothing of [`last_fault`].
pub fn show_faults() {
    log::show_faults();
}
