//! The device runtime for compilers that do not know warpfold.
//!
//! A [`Package`] is the prebuilt runtime with the files to use it: the same in a folder, in an archive and installed. An
//! [`Installation`] puts it, and CUDA's tools, where clang finds them without options, as a [`Change`] that is planned and
//! checked as a whole before anything is changed; a [`removal`] is the change back. Nothing outside the folder that is
//! installed into is read or changed, but for one link that the caller names.

mod change;
mod cuda_link;
mod error;
mod installation;
mod manifest;
mod package;
mod prefix;

pub use self::{
    change::Change,
    cuda_link::CUDA_FOLDER,
    error::Error,
    installation::{CudaChoice, CudaTools, Destination, Installation, clang_prefix, removal, state},
    package::{CLANG_CONFIG, Package, VERSION},
};
