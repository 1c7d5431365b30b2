//! Errors of the driver.

use output_files::FileError;
use terminal_text::name;

/// Why files are not analysed or made parallel.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// clang does not take a file.
    #[error("clang does not take {}: its messages are above", name(path))]
    NotTaken {
        /// The file.
        path: String,
        /// clang's messages, which are to be shown before this error.
        messages: String,
    },
    /// A file cannot be read as C.
    #[error(transparent)]
    Loops(loop_compiler::c::Error),
    /// The library of sets is not there, or fails.
    #[error(transparent)]
    Sets(loop_compiler::isl::IslError),
    /// What is asked for cannot be done, or is not so; says why.
    #[error("{0}")]
    Rejected(String),
}
