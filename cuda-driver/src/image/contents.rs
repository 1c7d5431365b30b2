//! The contents of an image, and why an image cannot be run.

use ptx_emulator::{LineTable, printable};

use crate::settings::values::{IMAGE_LIMIT, set_by};

use crate::Status;

/// What the emulator needs of an image.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Contents {
    /// PTX translation units; at least one, all with different texts.
    pub units: Vec<Unit>,
    /// Kernels and other functions that the image has as machine code; empty where it is PTX only.
    pub machine_code: Vec<MachineCode>,
}

/// A kernel or other function that an image has as machine code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MachineCode {
    pub name: String,
    /// Its 32-bit registers, if the image states them.
    pub registers: Option<u32>,
}

/// A PTX translation unit.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Unit {
    pub text: String,
    /// The source locations of its lines, as far as they come from outside the text.
    pub sources: LineTable,
}

impl From<String> for Unit {
    fn from(text: String) -> Unit {
        Unit { text, sources: LineTable::default() }
    }
}

/// Why an image cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// It is not a device image, or not a whole one.
    #[error("the image is damaged: {0}")]
    Damaged(String),
    /// It is for something else than an NVIDIA device.
    #[error("the image is not device code: {0}")]
    Foreign(String),
    /// It is for another device.
    #[error("the image has no code for this device (sm_{device}): {found}")]
    OtherDevice {
        /// The device's compute capability, 90 for 9.0.
        device: u32,
        /// What it is for.
        found: String,
    },
    /// It holds only machine code.
    #[error("the image holds machine code without PTX, and the emulator runs PTX; {HINT}")]
    NoPtx,
    /// It holds one kernel or other function only as machine code.
    #[error(
        "the image holds machine code of `{}` without its PTX, and the emulator runs PTX; {HINT}",
        printable(function)
    )]
    FunctionWithoutPtx {
        /// Its name.
        function: String,
    },
    /// It takes more memory than allowed.
    #[error(
        "the image takes more than {limit} bytes, counted up to its {what}; {} sets another limit",
        set_by(IMAGE_LIMIT, "BYTES")
    )]
    TooLarge {
        /// The part that was read last.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// It has more translation units than the emulator links.
    #[error("the image holds {units} PTX translation units; {limit} are the most that the emulator links")]
    TooManyUnits {
        /// How many it has.
        units: usize,
        /// The limit.
        limit: usize,
    },
    /// The limit in the environment is not one.
    #[error("{0}")]
    Setting(String),
}

/// How to keep the PTX in an image.
const HINT: &str = "compile every file with -gline-tables-only (nvcc: -lineinfo), \
    or link with warpfold's device runtime, either of which keeps the PTX in the image";

impl Error {
    /// The status with which a driver rejects such an image.
    pub(crate) fn status(&self) -> Status {
        match self {
            Error::Damaged(_) | Error::Foreign(_) | Error::TooLarge { .. } | Error::TooManyUnits { .. } => {
                Status::INVALID_IMAGE
            }
            Error::Setting(_) => Status::INVALID_VALUE,
            Error::OtherDevice { .. } | Error::NoPtx | Error::FunctionWithoutPtx { .. } => {
                Status::NO_BINARY_FOR_GPU
            }
        }
    }
}
