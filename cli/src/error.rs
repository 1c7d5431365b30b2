//! Errors of commands.

use std::io;

use output_files::FileError;
use tables::InputError;
use terminal_text::name;

/// Why a command failed. Each message states what was being done and what is wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Toolchain(#[from] toolchain::Error),
    #[error(transparent)]
    Findings(#[from] findings::Error),
    #[error(transparent)]
    Runs(#[from] program_runs::Error),
    #[error(transparent)]
    Compiler(#[from] offload_compilers::Error),
    #[error(transparent)]
    Codegen(#[from] codegen_shim::Error),
    #[error(transparent)]
    Loops(#[from] loop_driver::Error),
    #[error(transparent)]
    Host(#[from] host_rt::Error),
    #[error(transparent)]
    Emulator(#[from] cuda_driver::settings::ConfigureError),
    #[error("cannot write to standard output: {source}")]
    Output { source: io::Error },
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Install(#[from] installer::Error),
    #[error("cannot run {}: {source}", name(program))]
    Program { program: String, source: io::Error },
    #[error("{} succeeded but launched nothing, which `--require-launch` forbids{hint}", name(program))]
    NoLaunch { program: String, hint: String },
    #[error("{tool}, for the emulator: {message}")]
    StandIn { tool: &'static str, message: String },
    #[error(
        "{implementation} started this process, but its library cannot be loaded (--mpi none works without it)"
    )]
    Mpi { implementation: mpi_rt::Implementation, source: libloading::Error },
    #[error(transparent)]
    Job(mpi_rt::Error),
    #[error("process {rank} of {size}: {source}")]
    Process { rank: usize, size: usize, source: Box<Error> },
    #[error("the CUDA runtime library in this program is damaged: {0}; build the program again")]
    RuntimeLibrary(String),
    #[error("{0}")]
    Usage(String),
    /// `doctor` found something missing and has reported it.
    #[error("required tools are missing")]
    Unready,
}

impl From<table_reductions::Error> for Error {
    fn from(error: table_reductions::Error) -> Error {
        match error {
            table_reductions::Error::Input(error) => error.into(),
            table_reductions::Error::Toolchain(error) => error.into(),
            table_reductions::Error::Codegen(error) => error.into(),
            table_reductions::Error::Host(error) => error.into(),
            table_reductions::Error::Job(error) => error.into(),
            table_reductions::Error::Unsupported(message) => Error::Usage(message),
        }
    }
}

impl From<mpi_rt::Error> for Error {
    fn from(error: mpi_rt::Error) -> Error {
        match error {
            mpi_rt::Error::Library { implementation, source } => Error::Mpi { implementation, source },
            error => Error::Job(error),
        }
    }
}
