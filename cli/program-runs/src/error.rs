//! Errors of runs.

use std::io;

use output_files::FileError;
use terminal_text::name;

/// Why a program is not run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file of its reports cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The environment that it needs cannot be made.
    #[error(transparent)]
    Toolchain(#[from] toolchain::Error),
    /// It cannot be started.
    #[error("cannot run {}: {source}", name(program))]
    Program {
        /// Its name.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// It has device code, but none that an emulated GPU runs.
    #[error("{} has device code for {found} only, but the emulated GPU is {sm}: {hint}", name(program))]
    OtherArchitecture {
        /// Its name.
        program: String,
        /// The architectures that it has code for.
        found: String,
        /// The architecture of the emulated GPU.
        sm: String,
        /// What to do.
        hint: String,
    },
}
