//! Errors.

use crate::ops::{Op, UnknownOp, legal_operators};
use crate::types::{Type, UnknownType, shortened};

/// Why a reduction list, a specification or a user function is rejected, or why its PTX cannot be compiled.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is not a type.
    #[error(transparent)]
    UnknownType(#[from] UnknownType),
    /// The text is not an operator.
    #[error(transparent)]
    UnknownOp(#[from] UnknownOp),
    /// The list has no variable.
    #[error("the reduction list is empty; it needs at least one variable")]
    EmptyList,
    /// A variable has an empty name.
    #[error("reduction variable {index} (counted from 0) has an empty name")]
    UnnamedVariable {
        /// Its index in the list, counted from 0.
        index: usize,
    },
    /// Two variables share a name.
    #[error("reduction variable `{variable}` occurs twice; names must differ")]
    DuplicateName {
        /// The name.
        variable: String,
    },
    /// [`RULES`](crate::RULES) has no row for operator and type.
    #[error(
        "reduction variable `{variable}`: `{op}` is not defined for {ty}; operators for {ty}: {}",
        legal_operators(*ty)
    )]
    IllegalOperator {
        /// The variable's name.
        variable: String,
        /// Its type.
        ty: Type,
        /// Its operator.
        op: Op,
    },
    /// A type without scalars.
    #[error("reduction variable `{variable}`: {ty} has a size of 0 bytes")]
    NoSize {
        /// The variable's name.
        variable: String,
        /// Its type.
        ty: Type,
    },
    /// A combiner for another type.
    #[error("reduction variable `{variable}` has type {ty}, but {combiner} combines {expected}")]
    CombinerType {
        /// The variable's name.
        variable: String,
        /// Its type.
        ty: Type,
        /// The combiner's name.
        combiner: String,
        /// The type that it combines.
        expected: Type,
    },
    /// The record is too large.
    #[error(
        "reduction variable `{variable}` makes the record larger than {limit} bytes; split the list over \
         several kernels, or reduce a long array by batches"
    )]
    RecordTooLarge {
        /// The first variable that does not fit.
        variable: String,
        /// The largest record, in bytes.
        limit: u32,
    },
    /// The record has too many scalars.
    #[error(
        "reduction variable `{variable}` makes the record hold more than {limit} scalars; split the list over \
         several kernels, or reduce a long array by batches"
    )]
    TooManyScalars {
        /// The first variable that does not fit.
        variable: String,
        /// The largest number of scalars.
        limit: usize,
    },
    /// A variable reads an array that the kernel does not have.
    #[error(
        "reduction variable `{variable}` reads array {array}, but there are only {arrays} (counted from 0)"
    )]
    ArrayOutOfRange {
        /// The variable's name.
        variable: String,
        /// The array it reads.
        array: u32,
        /// How many arrays the kernel has.
        arrays: usize,
    },
    /// A variable reads elements that do not convert to its type.
    #[error(
        "reduction variable `{variable}` has type {ty}, but array {array} has elements of type {element}, which \
         do not all convert to {ty}"
    )]
    ElementType {
        /// The variable's name.
        variable: String,
        /// The variable's type.
        ty: Type,
        /// The array it reads.
        array: u32,
        /// The array's element type.
        element: Type,
    },
    /// A product of values that cannot be multiplied.
    #[error("reduction variable `{variable}` reduces products, but {ty} values cannot be multiplied")]
    NoProduct {
        /// The variable's name.
        variable: String,
        /// The variable's type.
        ty: Type,
    },
    /// A map over another number of arrays than its function takes.
    #[error(
        "reduction variable `{variable}`: {mapper} takes {inputs} element(s), but {given} array(s) are given"
    )]
    MapInputs {
        /// The variable's name.
        variable: String,
        /// The function.
        mapper: String,
        /// How many elements it takes.
        inputs: usize,
        /// How many arrays were given.
        given: usize,
    },
    /// A map of other types than those of the variable and the arrays.
    #[error("reduction variable `{variable}`: {mapper}: {reason}")]
    MapTypes {
        /// The variable's name.
        variable: String,
        /// The function.
        mapper: String,
        /// Its type, and the one that it must have.
        reason: String,
    },
    /// The hardware has no blocks of this size.
    #[error("a block cannot have {threads} threads; choose 1 to 1024")]
    BlockThreads {
        /// The requested block size, in threads.
        threads: u32,
    },
    /// The kernel's parameters exceed CUDA's limit.
    #[error("{arrays} input arrays exceed the limit of 4096 bytes of kernel parameters; at most {limit} fit")]
    TooManyArrays {
        /// How many were given.
        arrays: usize,
        /// How many fit.
        limit: usize,
    },
    /// The unroll factor is outside its range.
    #[error("unroll factor {unroll} is out of range; choose 1 to {limit}")]
    Unroll {
        /// The requested factor.
        unroll: u32,
        /// The largest factor.
        limit: u32,
    },
    /// A user function that cannot be used.
    #[error("{function}: {reason}")]
    UserFunction {
        /// The function, with the name of its module.
        function: String,
        /// The reason.
        reason: String,
    },
    /// A text that is not a specification.
    #[error("`{}`: {reason}", shortened(text))]
    Syntax {
        /// The text.
        text: String,
        /// The expected syntax.
        reason: String,
    },
    /// An error in a variable's text.
    #[error("reduction variable `{variable}`: {source}")]
    InVariable {
        /// The variable's name.
        variable: String,
        /// The error.
        source: Box<Error>,
    },
    /// Two variables give an array different element types.
    #[error(
        "array {array} has elements of type {} in variable `{}` and {} in variable `{}`",
        types[0], variables[0], types[1], variables[1]
    )]
    ArrayTypes {
        /// The array.
        array: u32,
        /// The variables.
        variables: [String; 2],
        /// The type that each gives.
        types: [Type; 2],
    },
    /// An array that no variable reads, below one that is read.
    #[error("no variable reads array {array}; arrays are numbered from 0 without gaps")]
    ArrayUnused {
        /// The array.
        array: u32,
    },
    /// A file with functions cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: std::path::PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// A tool is missing or failed.
    #[error(transparent)]
    Toolchain(#[from] toolchain::Error),
}
