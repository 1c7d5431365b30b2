//! What can go wrong, each with its context and a way out.

use std::io;
use std::path::{Path, PathBuf};

/// Everything the toolchain reports to its caller.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A program or a source tree that the work needs is absent or unfit.
    #[error("{tool} is needed for {purpose} and was not found usable:\n{found}\ncure: {cure}")]
    ToolMissing {
        /// What is missing, in words.
        tool: String,
        /// What it is needed for.
        purpose: crate::Purpose,
        /// What was looked at, one candidate a line, and why each was refused.
        found: String,
        /// The command or setting that helps.
        cure: String,
    },
    /// A child process failed.
    #[error("{command}\nended with {status}; its last words:\n{stderr}")]
    Command {
        /// The command line, quoted for a shell.
        command: String,
        /// The exit status or the reason it did not start.
        status: String,
        /// The last lines of its standard error.
        stderr: String,
    },
    /// The operating system refused a file operation.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried: "write", "rename" …
        action: &'static str,
        /// The file or directory concerned.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The cache directory cannot be used.
    #[error("the cache {} cannot be used: {reason}; set WARPFOLD_CACHE to a directory of your own", path.display())]
    Cache {
        /// The directory.
        path: PathBuf,
        /// Why it is refused.
        reason: String,
    },
    /// The caller's device crate or PTX job is not one that can be built.
    #[error("{name}: {reason}")]
    Input {
        /// The crate or the job.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A step of `setup` cannot be taken here.
    #[error("setup stopped at \"{step}\": {reason}\nway out: {cure}")]
    Setup {
        /// The step.
        step: String,
        /// Why it cannot be taken.
        reason: String,
        /// What the user can do instead.
        cure: String,
    },
}

/// Gives an [`io::Error`] its action and path.
pub(crate) trait IoContext<T> {
    fn at(self, action: &'static str, path: &Path) -> Result<T, Error>;
}

impl<T> IoContext<T> for io::Result<T> {
    fn at(self, action: &'static str, path: &Path) -> Result<T, Error> {
        self.map_err(|source| Error::Io { action, path: path.to_path_buf(), source })
    }
}
