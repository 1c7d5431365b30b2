//! Errors of reductions of tables.

use tables::InputError;

/// Why a table is not reduced. Each message states what is wrong, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The kernels cannot be built.
    #[error(transparent)]
    Toolchain(#[from] toolchain::Error),
    /// The reduction is none that kernels can be made for.
    #[error(transparent)]
    Codegen(#[from] codegen_shim::Error),
    /// The device failed.
    #[error(transparent)]
    Host(#[from] host_rt::Error),
    /// Another process of the job failed.
    #[error(transparent)]
    Job(#[from] mpi_rt::Error),
    /// What is requested is not defined for the values.
    #[error("{0}")]
    Unsupported(String),
}
