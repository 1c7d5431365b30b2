//! What warpfold knows about clang and flang as compilers of OpenMP offloading: their [arguments](Arguments), what they
//! [make wrong device code of](reject_defects), what their [messages](run) mean, and the [host's runtime](HostOpenMp) that
//! programs load.

mod arguments;
mod cuda;
mod defects;
mod error;
mod host_openmp;
mod messages;

pub use self::{
    arguments::{Arguments, takes_word},
    cuda::CudaUse,
    defects::reject_defects,
    error::Error,
    host_openmp::HostOpenMp,
    messages::{run, run_flang},
};
