//! Device images: PTX text, cubins that carry PTX, and fat binaries of both.
//!
//! The emulator runs PTX, so reading an image means finding the PTX in it. Compilers leave it in a cubin in
//! two ways: `ptxas` copies its input into a debug section as soon as line information is requested, and a
//! section that a tool adds survives `nvlink`. Everything in an image is checked: its sizes, offsets and
//! compressed data may be wrong in any way.
//!
//! Each file uses only files above it in this list:
//!
//! | file | what is in it |
//! |---|---|
//! | `contents` | translation units, and why an image cannot be run |
//! | `device_library` | functions that compilers call and NVIDIA has as machine code only |
//! | `budget` | what reading an image may take |
//! | `form` | the form of an image, from its first bytes |
//! | `text` | PTX texts, split into units |
//! | `lines` | source locations of the PTX in a cubin |
//! | `cubin` | ELF files of machine code |
//! | `fatbin` | fat binaries |
//! | `memory` | images of which only the address is known |
//! | `offload` | images that LLVM's linker put into an executable |
//! | `inputs` | what programs link while they run: images, and host objects and archives that hold images |
//! | `write` | writes ELF files with PTX in them |

mod budget;
mod contents;
mod cubin;
mod device_library;
mod fatbin;
mod form;
mod inputs;
mod lines;
mod memory;
mod offload;
#[cfg(test)]
mod tests;
mod text;
mod write;

use std::{fs::File, io::Read};

pub use contents::Error;
pub(crate) use contents::{Contents, MachineCode, Unit};
pub(crate) use device_library::link;
pub(crate) use inputs::{Input, link_input};
pub(crate) use memory::read_from_memory;
pub use offload::{Embedded, embedded};
pub use write::{executable, relocatable};

use budget::Budget;
use form::Form;

/// The PTX translation units in an image, for a device of compute capability `sm` (90 for 9.0).
///
/// # Errors
///
/// An image that is damaged, is for another device or holds no PTX.
pub fn ptx(image: &[u8], sm: u32) -> Result<Vec<String>, Error> {
    Ok(read(image, sm)?.units.into_iter().map(|unit| unit.text).collect())
}

/// Finds the PTX in an image, for a device of compute capability `sm` (90 for 9.0).
pub(crate) fn read(image: &[u8], sm: u32) -> Result<Contents, Error> {
    read_within(image, sm, &mut Budget::from_env()?)
}

/// The image in a file; of a device or a pipe, as much as an image may have.
pub(crate) fn read_from_file(file: File) -> Result<Vec<u8>, Error> {
    let (budget, mut image) = (Budget::from_env()?, Vec::new());
    let read = file.take(budget.left().saturating_add(1)).read_to_end(&mut image);
    read.map_err(|error| Error::Damaged(format!("it cannot be read: {error}")))?;
    budget.check("length", image.len())?;
    Ok(image)
}

fn read_within(image: &[u8], sm: u32, budget: &mut Budget) -> Result<Contents, Error> {
    budget.spend("length", image.len())?;
    match Form::of(image) {
        Form::Elf => cubin::read(image, sm, budget),
        Form::Fatbin => fatbin::read(image, sm, budget),
        Form::Wrapper => Err(Error::Foreign("it points to a fat binary outside of the file".into())),
        Form::Text => {
            let text = image.split(|&byte| byte == 0).next().unwrap_or_default();
            budget.spend("PTX", text.len())?;
            let units = vec![String::from_utf8_lossy(text).into_owned().into()];
            Ok(Contents { units, machine_code: Vec::new() })
        }
    }
}
