//! Errors of findings.

use output_files::FileError;

/// Why findings cannot be collected.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file of suppressions cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file of suppressions is not one; says which line is wrong, and how.
    #[error("{0}")]
    Suppressions(String),
}
