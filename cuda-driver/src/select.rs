//! Which driver the table is filled from: chosen once per process.

use std::{fmt, str::FromStr, sync::Mutex};

use crate::{emulated, emulator, log, real};

/// The environment variable that says what [`Select::Auto`] means.
pub const DEVICE_VARIABLE: &str = "WARPFOLD_DEVICE";

/// Which driver is wished for.
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
    /// The wish in `WARPFOLD_DEVICE`; [`Select::Auto`] where the variable is unset or empty.
    fn from_env() -> Result<Select, Error> {
        match std::env::var_os(DEVICE_VARIABLE) {
            Some(value) if !value.is_empty() => value
                .to_string_lossy()
                .parse()
                .map_err(|error: Error| Error::Environment { source: Box::new(error) }),
            _ => Ok(Select::Auto),
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
pub enum Kind {
    /// NVIDIA's driver, on a GPU.
    Cuda,
    /// Our driver, on the emulator.
    Emulator,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Cuda => "cuda",
            Kind::Emulator => "emulator",
        })
    }
}

/// Why there is no driver as wished for.
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
    /// A GPU was demanded and there is none that can be used.
    #[error(
        "no usable CUDA device: {tried}\n(--device emulator or WARPFOLD_DEVICE=emulator runs on the emulator)"
    )]
    NoCudaDevice {
        /// What was tried, and how each attempt ended.
        tried: String,
    },
    /// The process runs on the other driver already.
    #[error("{wish} was asked for, but this process already runs on {chosen}; the choice is made once")]
    AlreadyChosen {
        /// What is asked for now.
        wish: Select,
        /// What was chosen before.
        chosen: Kind,
    },
    /// The emulator cannot be set up as asked.
    #[error(transparent)]
    Emulator(#[from] emulator::ConfigureError),
}

struct Choice {
    kind: Kind,
    /// Why a wish for `Auto` did not end on a GPU.
    declined: Option<String>,
}

static CHOICE: Mutex<Option<Choice>> = Mutex::new(None);

fn choice() -> std::sync::MutexGuard<'static, Option<Choice>> {
    // Nothing that can panic runs between two consistent states of the choice.
    CHOICE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Fills the table from the driver wished for, once per process; threads may race for it.
///
/// A later call answers what was chosen, if that satisfies its wish ([`Select::Auto`] always is satisfied).
///
/// # Errors
///
/// [`Error::Environment`] for a `WARPFOLD_DEVICE` that means nothing; [`Error::NoCudaDevice`] where a GPU is demanded and none can be used; [`Error::AlreadyChosen`] where an
/// earlier call chose the other driver; [`Error::Emulator`] for emulator settings in the environment that
/// mean nothing. After an error nothing is chosen, and another wish may be tried.
pub fn init(wish: Select) -> Result<Kind, Error> {
    let mut choice = choice();
    if let Some(Choice { kind, .. }) = *choice {
        return match (wish, kind) {
            (Select::Auto, _) | (Select::Cuda, Kind::Cuda) | (Select::Emulator, Kind::Emulator) => Ok(kind),
            _ => Err(Error::AlreadyChosen { wish, chosen: kind }),
        };
    }
    let wish = if wish == Select::Auto { Select::from_env()? } else { wish };
    let mut declined = None;
    let kind = match wish {
        Select::Emulator => Kind::Emulator,
        Select::Cuda | Select::Auto => match real::open() {
            Ok(library) => {
                library.fill_table();
                Kind::Cuda
            }
            Err(tried) if wish == Select::Cuda => return Err(Error::NoCudaDevice { tried }),
            Err(tried) => {
                log::call(format_args!("no usable CUDA device: {tried}"));
                declined = Some(tried);
                Kind::Emulator
            }
        },
    };
    if kind == Kind::Emulator {
        emulated::fill_table()?;
    }
    *choice = Some(Choice { kind, declined });
    Ok(kind)
}

/// What was chosen, if [`init`] has chosen.
pub fn kind() -> Option<Kind> {
    choice().as_ref().map(|choice| choice.kind)
}

/// Why the wish [`Select::Auto`] ended on the emulator: what was tried of the real driver, in words.
pub fn declined() -> Option<String> {
    choice().as_ref().and_then(|choice| choice.declined.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read_and_written_alike() {
        for wish in [Select::Auto, Select::Cuda, Select::Emulator] {
            assert_eq!(wish.to_string().parse(), Ok(wish));
        }
        let error = "gpu".parse::<Select>().unwrap_err().to_string();
        assert_eq!(error, "unknown device 'gpu'; known are auto, cuda and emulator");
    }
}
