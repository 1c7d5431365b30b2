//! Functions of CUDA's device runtime library (`cudadevrt`) that compilers call and that NVIDIA has as machine code only:
//! what the blocks of a cooperative launch need to wait for each other.

use ptx_emulator::{LoadError, Program};

/// The beginning of their names.
const PREFIX: &str = "cudaCG";

/// Their PTX. A handle of the grid is the address where its blocks meet: a counter behind a word of 32 bits. The first
/// block adds what makes the counter's highest bit flip when all blocks have arrived; the others add one.
const PTX: &str = include_str!("device_library.ptx");

/// Links texts as [`Program::link`] does, with the library's text if a function of it is missing.
pub(crate) fn link(name: &str, texts: &[(&str, &[u8])]) -> Result<Program, LoadError> {
    match Program::link(name, texts) {
        Err(error) if error.undefined.as_deref().is_some_and(|function| function.starts_with(PREFIX)) => {
            let with_library: Vec<_> =
                texts.iter().copied().chain([("device library", PTX.as_bytes())]).collect();
            Program::link(name, &with_library)
        }
        linked => linked,
    }
}
