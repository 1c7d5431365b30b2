//! Errors of packages and installations.

use std::path::PathBuf;

use output_files::FileError;
use terminal_text::name;

/// Why a package is not made, read or installed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Tools are missing, or fail.
    #[error(transparent)]
    Toolchain(#[from] toolchain::Error),
    /// A file is not an archive of a package.
    #[error("{} is not an archive made by `warpfold build --archive`: {reason}", name(path.display()))]
    Package {
        /// Its path.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Something would be lost, or could not be undone; says what to do.
    #[error("{0}")]
    Rejected(String),
}
