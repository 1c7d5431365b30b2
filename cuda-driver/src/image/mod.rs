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
//! | `read` | reads images, by their form |
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
mod read;
#[cfg(test)]
mod tests;
mod text;
mod write;

pub use contents::Error;
pub(crate) use contents::{MachineCode, Unit};
pub(crate) use device_library::link;
pub(crate) use inputs::{Input, link_input};
pub(crate) use memory::read_from_memory;
pub use offload::{Embedded, embedded};
pub use read::ptx;
pub(crate) use read::{read, read_from_file};
pub use write::{executable, relocatable};
