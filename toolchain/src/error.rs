//! Errors, each with its context and a suggested fix.

use std::io;
use std::path::{Path, PathBuf};

use crate::purpose::Purpose;

/// Errors of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A required program or source tree is missing or unusable.
    #[error("{tool}, needed for {purpose}, was not found:\n{found}\nhint: {hint}")]
    ToolMissing {
        /// A description of what is missing.
        tool: String,
        /// What it is needed for.
        purpose: Purpose,
        /// The candidates, one per line, and why each was rejected.
        found: String,
        /// The suggested fix: a command or a setting.
        hint: String,
    },
    /// A child process failed.
    #[error("{command}\nfailed with {status}; end of its output:\n{stderr}")]
    Command {
        /// The command line, quoted for a shell.
        command: String,
        /// The exit status or the reason it did not start.
        status: String,
        /// The last lines of its standard error.
        stderr: String,
    },
    /// A file operation failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The operation: "write", "rename" …
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The cache directory cannot be used.
    #[error("the cache {} cannot be used: {reason}; set WARPFOLD_CACHE to a directory that you own", path.display())]
    Cache {
        /// The directory.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The caller's device crate or PTX build is invalid.
    #[error("{name}: {reason}")]
    Input {
        /// The crate or the build.
        name: String,
        /// The reason.
        reason: String,
    },
    /// A step of `setup` failed or is impossible on this machine.
    #[error("setup stopped at \"{step}\": {reason}\nhint: {hint}")]
    Setup {
        /// The step.
        step: String,
        /// The reason.
        reason: String,
        /// The suggested fix.
        hint: String,
    },
}

/// Adds action and path to an [`io::Error`].
pub(crate) trait IoContext<T> {
    fn at(self, action: &'static str, path: &Path) -> Result<T, Error>;
}

impl<T> IoContext<T> for io::Result<T> {
    fn at(self, action: &'static str, path: &Path) -> Result<T, Error> {
        self.map_err(|source| Error::Io { action, path: path.to_path_buf(), source })
    }
}
