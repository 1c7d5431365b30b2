//! Errors.

use std::fmt;

use crate::implementation::Implementation;

/// Why the processes of a job could not do something together.
///
/// `{:?}` gives the message, as `{}` does: it is what Rust prints for a `main` that returns the error.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The library of the launcher cannot be loaded.
    #[error("{implementation} started this process, but its library cannot be loaded: {source}")]
    Library {
        /// Whose library.
        implementation: Implementation,
        /// Why.
        source: libloading::Error,
    },
    /// A communicator of the program's is used before `MPI_Init` or after `MPI_Finalize`, or MPI is part of the program's file.
    #[error(
        "no MPI is running in this process: call MPI_Init first, and link the program with the shared library of Open MPI or MPICH"
    )]
    NotRunning,
    /// MPI cannot be started again.
    #[error("MPI was finalised in this process, and cannot be started again")]
    Finalised,
    /// A function of MPI failed.
    #[error("{function}: {reason}")]
    Call {
        /// Its name.
        function: &'static str,
        /// What MPI says.
        reason: String,
    },
    /// More bytes than the size of a message can be.
    #[error("{bytes} bytes are too many for a message of MPI")]
    TooLong {
        /// The bytes.
        bytes: u64,
    },
    /// There is no process of this number.
    #[error("there is no process {root}: the communicator has {size}")]
    NoProcess {
        /// The number.
        root: usize,
        /// How many there are.
        size: usize,
    },
    /// A process failed, so that none has a result. All have this error.
    #[error("process {rank} of {size}: {reason}")]
    Process {
        /// Its number in the communicator.
        rank: usize,
        /// How many processes there are.
        size: usize,
        /// What it says.
        reason: String,
    },
    /// The processes ask for different reductions.
    #[error(
        "process {rank} asks for another reduction than process 0: elements and operators must be the same on all"
    )]
    Different {
        /// The first that does.
        rank: usize,
    },
    /// Something of this process alone.
    #[error(transparent)]
    Host(#[from] host_rt::Error),
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
