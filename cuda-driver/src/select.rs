//! Which driver the table is filled from: chosen once per process.

use std::{fmt, str::FromStr, sync::Mutex};

use crate::{emulated, environment::variable, log, real, settings::values::ConfigureError};

/// The environment variable that says what [`Select::Auto`] means.
pub const DEVICE_VARIABLE: &str = "WARPFOLD_DEVICE";

/// Which driver is requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Select {
    /// What `WARPFOLD_DEVICE` says; where that is unset or `auto`, NVIDIA's driver if it loads and has a
    /// device, else the emulator.
    #[default]
    Auto,
    /// NVIDIA's driver, or an error.
    Cuda,
    /// The driver over the emulator.
    Emulator,
}

impl Select {
    /// The request in `WARPFOLD_DEVICE`; [`Select::Auto`] where the variable is unset or empty. Which of the driver's devices
    /// are meant, as in `cuda:1`, `emulator:all` or `all`, is for whoever opens them.
    fn from_env() -> Result<Select, Error> {
        let Some(value) = variable(DEVICE_VARIABLE) else { return Ok(Select::Auto) };
        let text = value.to_string_lossy();
        match text.split_once(':').map_or(&*text, |(driver, _)| driver) {
            "all" => Ok(Select::Auto),
            driver => driver.parse().map_err(|error: Error| Error::Environment { source: Box::new(error) }),
        }
    }
}

impl FromStr for Select {
    type Err = Error;

    fn from_str(text: &str) -> Result<Select, Error> {
        match text {
            "auto" => Ok(Select::Auto),
            "cuda" => Ok(Select::Cuda),
            "emulator" => Ok(Select::Emulator),
            _ => Err(Error::UnknownDevice { text: text.to_owned() }),
        }
    }
}

impl fmt::Display for Select {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Select::Auto => "auto",
            Select::Cuda => "cuda",
            Select::Emulator => "emulator",
        })
    }
}

/// Which driver was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DriverKind {
    /// NVIDIA's driver, on a GPU.
    Cuda,
    /// Our driver, on the emulator.
    Emulator,
}

impl fmt::Display for DriverKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            DriverKind::Cuda => "cuda",
            DriverKind::Emulator => "emulator",
        })
    }
}

/// Why there is no driver as requested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The device's name is none of the three.
    #[error("unknown device '{text}'; known are auto, cuda and emulator")]
    UnknownDevice {
        /// What was given.
        text: String,
    },
    /// The environment names no device.
    #[error("{DEVICE_VARIABLE}: {source}")]
    Environment {
        /// What is wrong with it.
        source: Box<Error>,
    },
    /// A GPU was requested and there is none that can be used.
    #[error(
        "no usable CUDA device: {tried}\n(--device emulator or WARPFOLD_DEVICE=emulator runs on the emulator)"
    )]
    NoCudaDevice {
        /// What was tried, and how each attempt ended.
        tried: String,
    },
    /// The process runs on the other driver already.
    #[error(
        "{requested} was requested, but this process already runs on {chosen}; the driver is chosen once"
    )]
    AlreadyChosen {
        /// What is requested now.
        requested: Select,
        /// What was chosen before.
        chosen: DriverKind,
    },
    /// The emulator cannot be set up as asked.
    #[error(transparent)]
    Emulator(#[from] ConfigureError),
}

struct Choice {
    kind: DriverKind,
    /// Why a request for `Auto` did not choose a GPU.
    declined: Option<String>,
}

static CHOICE: Mutex<Option<Choice>> = Mutex::new(None);

fn choice() -> std::sync::MutexGuard<'static, Option<Choice>> {
    // Nothing that can panic runs between two consistent states of the choice.
    CHOICE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Fills the table from the requested driver, once per process; threads may race for it.
///
/// A later call returns what was chosen, if that satisfies the request ([`Select::Auto`] is always
/// satisfied).
///
/// # Errors
///
/// [`Error::Environment`] for an invalid `WARPFOLD_DEVICE`; [`Error::NoCudaDevice`] where a GPU is requested
/// and none can be used; [`Error::AlreadyChosen`] where an earlier call chose the other driver;
/// [`Error::Emulator`] for invalid settings of the emulated driver in the environment. After an error nothing
/// is chosen, and another request may be made.
pub fn init(requested: Select) -> Result<DriverKind, Error> {
    let mut choice = choice();
    if let Some(Choice { kind, .. }) = *choice {
        return match (requested, kind) {
            (Select::Auto, _)
            | (Select::Cuda, DriverKind::Cuda)
            | (Select::Emulator, DriverKind::Emulator) => Ok(kind),
            _ => Err(Error::AlreadyChosen { requested, chosen: kind }),
        };
    }
    let requested = if requested == Select::Auto { Select::from_env()? } else { requested };
    let mut declined = None;
    let kind = match requested {
        Select::Emulator => DriverKind::Emulator,
        Select::Cuda | Select::Auto => match real::open() {
            Ok(library) => {
                library.fill_table();
                DriverKind::Cuda
            }
            Err(tried) if requested == Select::Cuda => return Err(Error::NoCudaDevice { tried }),
            Err(tried) => {
                log::call(format_args!("no usable CUDA device: {tried}"));
                declined = Some(tried);
                DriverKind::Emulator
            }
        },
    };
    if kind == DriverKind::Emulator {
        emulated::fill_table()?;
    }
    *choice = Some(Choice { kind, declined });
    Ok(kind)
}

/// As [`init`] with [`Select::Auto`], for a library within a program that may call the driver itself: if the `libcuda.so.1` that
/// the dynamic linker has loaded, or finds, is this project's emulated driver, the table is filled from that. So the library knows
/// the memory and the contexts of the program.
///
/// # Errors
///
/// As for [`init`].
pub fn init_within_program() -> Result<DriverKind, Error> {
    let mut choice = choice();
    if choice.is_none()
        && let Some(library) = real::open_emulated()
    {
        library.fill_table();
        *choice = Some(Choice { kind: DriverKind::Emulator, declined: None });
    }
    drop(choice);
    init(Select::Auto)
}

/// Which driver was chosen, if one was.
pub fn kind() -> Option<DriverKind> {
    choice().as_ref().map(|choice| choice.kind)
}

/// Why [`Select::Auto`] chose the emulated driver: which files of the real driver were tried, and why each
/// failed.
pub fn declined() -> Option<String> {
    choice().as_ref().and_then(|choice| choice.declined.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_parsed_and_printed_alike() {
        for requested in [Select::Auto, Select::Cuda, Select::Emulator] {
            assert_eq!(requested.to_string().parse(), Ok(requested));
        }
        let error = "gpu".parse::<Select>().unwrap_err().to_string();
        assert_eq!(error, "unknown device 'gpu'; known are auto, cuda and emulator");
    }
}
