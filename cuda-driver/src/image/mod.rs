//! Device images: PTX text, cubins that carry PTX, and fat binaries of both.
//!
//! The emulator runs PTX, so reading an image means finding the PTX in it. Compilers leave it in a cubin in
//! two ways: `ptxas` copies its input into a debug section as soon as line information is asked for, and a
//! section that somebody adds survives `nvlink`. Whatever an image says of itself is checked: its sizes,
//! offsets and compressed data may be wrong in any way.

mod cubin;
mod fatbin;
mod lines;
mod memory;
mod offload;
#[cfg(test)]
mod tests;
mod text;
mod write;

pub(crate) use memory::read_from_memory;
pub use offload::{Embedded, embedded};
pub use write::{executable, relocatable};

use ptx_emulator::LineTable;

use crate::Status;

/// Longest image, or part of one, that is looked at.
const MAX_BYTES: usize = 256 << 20;

/// What an image holds for the emulator.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Contents {
    /// PTX translation units; at least one, no two texts alike.
    pub units: Vec<Unit>,
    /// Kernels and other functions that the image has as machine code; empty where it is PTX only.
    pub machine_code: Vec<String>,
}

/// A PTX translation unit.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Unit {
    pub text: String,
    /// Where its lines come from, as far as that is said elsewhere than in the text.
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
    /// It is no device image, or not whole.
    #[error("the image is damaged: {0}")]
    Damaged(String),
    /// It is for something else.
    #[error("the image is no device code: {0}")]
    Foreign(String),
    /// It is for another device.
    #[error("the image has no code for this device (sm_{device}): {found}")]
    OtherDevice {
        /// The device's compute capability, 90 for 9.0.
        device: u32,
        /// What it is for.
        found: String,
    },
    /// Only machine code is there.
    #[error("the image holds machine code without PTX, and the emulator runs PTX; {CURE}")]
    NoPtx,
    /// Only machine code is there of one kernel or other function.
    #[error(
        "the image holds machine code of `{function}` without its PTX, and the emulator runs PTX; {CURE}"
    )]
    FunctionWithoutPtx {
        /// Its name.
        function: String,
    },
}

/// How an image gets its PTX.
const CURE: &str = "compile every file with -gline-tables-only (nvcc: -lineinfo), \
    or link with warpfold's device runtime, either of which keeps the PTX in the image";

impl Error {
    /// The code with which a driver refuses such an image.
    pub(crate) fn status(&self) -> Status {
        match self {
            Error::Damaged(_) | Error::Foreign(_) => Status::INVALID_IMAGE,
            Error::OtherDevice { .. } | Error::NoPtx | Error::FunctionWithoutPtx { .. } => {
                Status::NO_BINARY_FOR_GPU
            }
        }
    }
}

/// What kind of image begins with these bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Elf,
    Fatbin,
    /// A record that points to a fat binary, as compilers put it into executables.
    Wrapper,
    Text,
}

impl Form {
    fn of(start: &[u8]) -> Form {
        const WRAPPER: [u8; 4] = 0x4662_43b1_u32.to_le_bytes();
        match start.first_chunk() {
            Some(b"\x7fELF") => Form::Elf,
            Some(&fatbin::MAGIC) => Form::Fatbin,
            Some(&WRAPPER) => Form::Wrapper,
            _ => Form::Text,
        }
    }
}

/// The PTX translation units in an image, for a device of compute capability `sm` (90 for 9.0).
///
/// # Errors
///
/// An image that is none, is for another device or holds no PTX.
pub fn ptx(image: &[u8], sm: u32) -> Result<Vec<String>, Error> {
    Ok(read(image, sm)?.units.into_iter().map(|unit| unit.text).collect())
}

/// Finds the PTX in an image, for a device of compute capability `sm` (90 for 9.0).
pub(crate) fn read(image: &[u8], sm: u32) -> Result<Contents, Error> {
    match Form::of(image) {
        Form::Elf => cubin::read(image, sm),
        Form::Fatbin => fatbin::read(image, sm),
        Form::Wrapper => Err(Error::Foreign("it points to a fat binary outside of the file".into())),
        Form::Text => {
            let text = image.split(|&byte| byte == 0).next().unwrap_or_default();
            let units = vec![String::from_utf8_lossy(text).into_owned().into()];
            Ok(Contents { units, machine_code: Vec::new() })
        }
    }
}
