//! Errors of compilations.

use std::io;

use terminal_text::name;

/// Why nothing is compiled.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A compiler cannot be started.
    #[error("cannot run {}: {source}", name(program))]
    Program {
        /// Its path.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// Tools are missing, or fail.
    #[error(transparent)]
    Toolchain(#[from] toolchain::Error),
    /// The result would be wrong, or there would be none; says what to do.
    #[error("{0}")]
    Rejected(String),
}
