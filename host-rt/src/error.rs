//! Errors.

use std::fmt;

use codegen_shim::Type;
use cuda_driver::{DriverKind, Status};
use cust::error::CudaError;
use device_rt::reduce::exact::NoExactSum;

/// Why an operation failed.
///
/// `{:?}` gives the message, as `{}` does: it is what Rust prints for a `main` that returns the error.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The requested driver is not available.
    #[error(transparent)]
    Driver(#[from] cuda_driver::Error),
    /// A specification that is not valid, or whose kernels cannot be compiled.
    #[error(transparent)]
    Codegen(#[from] codegen_shim::Error),
    /// A tool that is missing or failed, or a cache that cannot be used.
    #[error(transparent)]
    Toolchain(#[from] toolchain::Error),
    /// An empty list of devices.
    #[error("there is no device in the list")]
    NoDevice,
    /// A call of the driver failed, or a kernel.
    #[error("{device}: {doing}: {status}{}", report.as_ref().map(|text| format!("\n{text}")).unwrap_or_default())]
    Cuda {
        /// The device's name.
        device: String,
        /// The operation that failed, such as `launching …`.
        doing: String,
        /// The status that the driver returned.
        status: Status,
        /// The emulator's report of the fault, if there is one.
        report: Option<String>,
    },
    /// The device is too old for the kernels.
    #[error("{device} is sm_{sm}; the kernels need sm_70 or newer")]
    TooOld {
        /// The device's name.
        device: String,
        /// Its compute capability as one number: 90 for 9.0.
        sm: u32,
    },
    /// Another number of arrays than the specification has.
    #[error("the reduction reads {expected} array(s), but {given} are given")]
    ArrayCount {
        /// Arrays of the specification.
        expected: usize,
        /// Arrays given.
        given: usize,
    },
    /// An array with another element type than the specification has.
    #[error("array {array} has elements of type {given}, but the reduction reads {expected}")]
    ArrayType {
        /// Its number, counted from 0.
        array: usize,
        /// The element type of the specification.
        expected: Type,
        /// The element type given.
        given: Type,
    },
    /// An array has fewer elements than are to be reduced.
    #[error("cannot reduce {n} elements: array {array} has {length}")]
    ArrayTooShort {
        /// Its number, counted from 0.
        array: usize,
        /// Its length in elements.
        length: usize,
        /// Elements to reduce.
        n: u64,
    },
    /// A launch in the canonical order, after one for a part of a chunk.
    #[error(
        "nothing can follow {elements} elements: in the canonical order all pieces but the last are multiples of 8192"
    )]
    PartOfChunk {
        /// The elements before.
        elements: u64,
    },
    /// Parts of the elements are reduced by themselves in the canonical order alone.
    #[error("partial results need a reduction in the canonical order")]
    NotCanonical,
    /// Partial results that do not fit together.
    #[error("partial results {what} element {index}")]
    Partial {
        /// What is wrong: that elements are missing, or that several have them.
        what: &'static str,
        /// The index of the first of these elements.
        index: u64,
    },
    /// Bytes that are no partial result of this reduction.
    #[error("these bytes are no partial result of this reduction: {reason}")]
    PartialBytes {
        /// Why.
        reason: String,
    },
    /// Bytes that are no exact sum.
    #[error(transparent)]
    NoExactSum(#[from] NoExactSum),
    /// More elements than the kernels count.
    #[error("cannot reduce {n} elements in one launch, at most {most}: use a run of several")]
    TooManyElements {
        /// Elements to reduce.
        n: u64,
        /// Elements of a launch.
        most: u64,
    },
    /// A record with other variables than the reduction list.
    #[error("the record has ({given}), but the reduction list has ({expected})")]
    Record {
        /// The names and types of the list's variables.
        expected: String,
        /// The types of the record, with names if it has any.
        given: String,
    },
    /// A run without a result, because one of its launches failed.
    #[error("a launch of this run failed, so it has no result")]
    Incomplete,
    /// A slice, or the end of a range, that does not fit a buffer.
    #[error("{given} elements do not fit a buffer of {length} elements")]
    Length {
        /// The buffer's length in elements.
        length: usize,
        /// The slice's length, or the range's end.
        given: usize,
    },
    /// Bytes submitted that are not a whole number of elements, or more than the piece has.
    #[error(
        "cannot submit {given} bytes of a piece of {piece} bytes: more than it has, or not a multiple of the element \
         size of {size} bytes"
    )]
    Piece {
        /// Bytes of the piece.
        piece: usize,
        /// Bytes submitted.
        given: usize,
        /// Bytes of an element.
        size: usize,
    },
    /// Arrays of different lengths that are to be reduced together.
    #[error("the arrays have different lengths: {}", list(lengths))]
    Lengths {
        /// The length of each, in elements.
        lengths: Vec<usize>,
    },
    /// Kernels that were linked with a device runtime of another version.
    #[error(
        "the kernels were linked with warpfold's device runtime {theirs}, but the host has version {ours}; build them \
         again with the runtime of this version (`warpfold build`, `warpfold install`)"
    )]
    Version {
        /// The version in the kernels' module.
        theirs: String,
        /// The version of this crate.
        ours: &'static str,
    },
    /// A module has no kernel of this name.
    #[error("there is no kernel {name}; the module has {}", list(known))]
    NoKernel {
        /// The requested name.
        name: String,
        /// The module's kernels.
        known: Vec<String>,
    },
    /// Arguments of other sizes than a kernel's parameters.
    #[error(
        "{kernel} takes parameters of ({}) bytes, but the arguments have ({}) bytes",
        list(expected),
        list(given)
    )]
    Arguments {
        /// The kernel.
        kernel: String,
        /// The size of each parameter, in bytes.
        expected: Vec<usize>,
        /// The size of each argument, in bytes.
        given: Vec<usize>,
    },
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The elements, separated by commas.
fn list(elements: &[impl ToString]) -> String {
    elements.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The driver's status for an error of cust.
pub(crate) fn status_of(error: CudaError) -> Status {
    match error {
        // Errors that cust reports without calling the driver.
        CudaError::InvalidMemoryAllocation | CudaError::OptixError => Status::INVALID_VALUE,
        error => Status::check(error as i32).err().unwrap_or(Status::UNKNOWN),
    }
}

/// The emulator's report, if there is one for this status.
pub(crate) fn report(kind: DriverKind, status: Status) -> Option<String> {
    let reported = status.is_sticky()
        || [Status::INVALID_PTX, Status::NO_BINARY_FOR_GPU, Status::LAUNCH_OUT_OF_RESOURCES]
            .contains(&status);
    (kind == DriverKind::Emulator && reported).then(cuda_driver::reports::last_report).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_main_that_returns_an_error_prints_its_message() {
        let error = Error::Lengths { lengths: vec![3, 2] };
        assert_eq!(format!("{error:?}"), "the arrays have different lengths: 3, 2");
    }
}
