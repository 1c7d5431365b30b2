//! What can go wrong, with what was being done and where.

use codegen_shim::Type;
use cuda_driver::{DriverKind, Status};
use cust::error::CudaError;

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No driver as wished for.
    #[error(transparent)]
    Driver(#[from] cuda_driver::Error),
    /// A reduction that cannot be expressed, or whose kernels could not be made.
    #[error(transparent)]
    Codegen(#[from] codegen_shim::Error),
    /// A tool that is missing or failed, or a cache that cannot be used.
    #[error(transparent)]
    Toolchain(#[from] toolchain::Error),
    /// The driver refused something, or a kernel failed.
    #[error("{device}: {doing}: {status}{}", report.as_ref().map(|text| format!("\n{text}")).unwrap_or_default())]
    Cuda {
        /// The device's name.
        device: String,
        /// What was being done; for a launch, the kernel.
        doing: String,
        /// The driver's answer.
        status: Status,
        /// The emulator's report of the fault.
        report: Option<String>,
    },
    /// The device is too old for the kernels.
    #[error("{device} is sm_{sm}; the kernels need sm_70 or newer")]
    TooOld {
        /// The device's name.
        device: String,
        /// Its compute capability as one number.
        sm: u32,
    },
    /// As many arrays as the kernels take were not given.
    #[error("the reduction reads {expected} array(s), {given} given")]
    ArrayCount {
        /// What the specification has.
        expected: usize,
        /// What was given.
        given: usize,
    },
    /// An array of another type than the specification's.
    #[error("array {array} has elements of type {given}, the reduction reads {expected}")]
    ArrayType {
        /// Its place in the list, counted from 0.
        array: usize,
        /// What the specification has.
        expected: Type,
        /// What was given.
        given: Type,
    },
    /// More elements are to be reduced than an array has.
    #[error("{n} elements are to be reduced, but array {array} has {length}")]
    ArrayTooShort {
        /// Its place in the list, counted from 0.
        array: usize,
        /// Elements it has.
        length: usize,
        /// Elements to reduce.
        n: u64,
    },
    /// A record that does not belong to the reduction's list.
    #[error("the record holds {given}, the reduction's list is {expected}")]
    Record {
        /// The list's variables with their types.
        expected: String,
        /// The record's.
        given: String,
    },
    /// A run that a part is missing from.
    #[error("a launch of this run was refused, so it has no result")]
    Incomplete,
    /// A slice or a range of another length than the buffer's.
    #[error("{given} elements do not fit the buffer's {length}")]
    Length {
        /// Elements of the buffer.
        length: usize,
        /// What was given; for a range, its end.
        given: usize,
    },
    /// A part of a piece that is no whole number of elements, or longer than the piece.
    #[error(
        "{given} bytes submitted of a piece of {room}: not a whole number of elements of {size} bytes, or too many"
    )]
    Piece {
        /// Bytes of the piece.
        room: usize,
        /// Bytes submitted.
        given: usize,
        /// Bytes of an element.
        size: usize,
    },
    /// Arrays that are reduced together and are not of one length.
    #[error("the arrays have different lengths: {}", list(lengths))]
    Lengths {
        /// The length of each.
        lengths: Vec<usize>,
    },
    /// Kernels that were linked with a device runtime of another version.
    #[error(
        "the kernels were linked with warpfold's device runtime {theirs}, the host is {ours}: build them again with \
         the runtime of this version (`warpfold build`, `warpfold install`)"
    )]
    Version {
        /// The version that the kernels carry.
        theirs: String,
        /// This crate's.
        ours: &'static str,
    },
    /// A kernel that a module has not.
    #[error("there is no kernel {name}, but {}", list(known))]
    NoKernel {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// Arguments that do not fit a kernel's parameters.
    #[error("{kernel} takes parameters of ({}) bytes, and was given ({})", list(expected), list(given))]
    Arguments {
        /// The kernel.
        kernel: String,
        /// The size of each parameter.
        expected: Vec<usize>,
        /// The size of each argument.
        given: Vec<usize>,
    },
}

/// The elements with commas between them.
fn list(elements: &[impl ToString]) -> String {
    elements.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The driver's number for an error of cust's.
pub(crate) fn status_of(error: CudaError) -> Status {
    match error {
        // cust's own refusals, which never reached the driver.
        CudaError::InvalidMemoryAllocation | CudaError::OptixError => Status::INVALID_VALUE,
        error => Status::check(error as i32).err().unwrap_or(Status::UNKNOWN),
    }
}

/// The emulator's report where there is one that belongs to this failure.
pub(crate) fn report(kind: DriverKind, status: Status) -> Option<String> {
    let reported = status.is_sticky()
        || [Status::INVALID_PTX, Status::NO_BINARY_FOR_GPU, Status::LAUNCH_OUT_OF_RESOURCES]
            .contains(&status);
    (kind == DriverKind::Emulator && reported).then(cuda_driver::reports::last_fault).flatten()
}
