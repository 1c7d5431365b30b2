//! Why a reduction list, a specification or a function of the user's is rejected.

use crate::ops::{Op, UnknownOp, legal_operators};
use crate::types::{Type, UnknownType, shortened};

/// Why a reduction list or a kernel specification was rejected, or why its PTX could not be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text names no element type.
    #[error(transparent)]
    UnknownType(#[from] UnknownType),
    /// The text names no operator.
    #[error(transparent)]
    UnknownOp(#[from] UnknownOp),
    /// The list has no variable.
    #[error("the reduction list is empty; it needs at least one variable")]
    EmptyList,
    /// A variable has an empty name.
    #[error("reduction variable {index} (counted from 0) has an empty name")]
    UnnamedVariable {
        /// Its place in the list, counted from 0.
        index: usize,
    },
    /// Two variables share a name.
    #[error("reduction variable `{variable}` occurs twice; names must differ")]
    DuplicateName {
        /// The name.
        variable: String,
    },
    /// [`RULES`](crate::RULES) has no row for the pair.
    #[error(
        "reduction variable `{variable}`: `{op}` is not defined for {ty}, which has {}",
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
    /// A type without any scalar.
    #[error("reduction variable `{variable}`: {ty} holds nothing")]
    NoSize {
        /// The variable's name.
        variable: String,
        /// Its type.
        ty: Type,
    },
    /// A combiner for another type.
    #[error("reduction variable `{variable}` is {ty}, but {combiner} combines {expected}")]
    CombinerType {
        /// The variable's name.
        variable: String,
        /// Its type.
        ty: Type,
        /// What is asked to combine.
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
        /// The largest number.
        limit: usize,
    },
    /// A variable reads an array that the kernel does not have.
    #[error("reduction variable `{variable}` reads array {array}, but the kernel has {arrays} (0-based)")]
    ArrayOutOfRange {
        /// The variable's name.
        variable: String,
        /// The array it reads.
        array: u32,
        /// How many arrays the kernel has.
        arrays: usize,
    },
    /// A variable's type differs from that of the elements it reduces, and those do not convert to it.
    #[error(
        "reduction variable `{variable}` is {ty}, but array {array} holds {element}, whose values are not all \
         {ty}"
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
    #[error("reduction variable `{variable}` reduces products, and {ty} has no product")]
    NoProduct {
        /// The variable's name.
        variable: String,
        /// The variable's type.
        ty: Type,
    },
    /// A map over another number of arrays than its function takes.
    #[error("reduction variable `{variable}`: {mapper} takes {inputs} value(s), {given} array(s) given")]
    MapInputs {
        /// The variable's name.
        variable: String,
        /// The function.
        mapper: String,
        /// How many values it takes.
        inputs: usize,
        /// How many arrays were given.
        given: usize,
    },
    /// The block size is outside what the hardware allows.
    #[error("a block of {threads} threads is impossible; choose 1 to 1024")]
    BlockThreads {
        /// The block size asked for.
        threads: u32,
    },
    /// The kernel's parameters would not fit.
    #[error("{arrays} input arrays exceed the kernel parameter limit of 4096 bytes; at most {limit} fit")]
    TooManyArrays {
        /// How many were asked for.
        arrays: usize,
        /// How many fit.
        limit: usize,
    },
    /// The unroll factor is outside its range.
    #[error("unroll factor {unroll} is out of range; choose 1 to {limit}")]
    Unroll {
        /// The factor asked for.
        unroll: u32,
        /// The largest factor.
        limit: u32,
    },
    /// A function of the user's that cannot be used.
    #[error("{function}: {reason}")]
    UserFunction {
        /// The function, with where it is from.
        function: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A text that is no specification.
    #[error("`{}`: {reason}", shortened(text))]
    Syntax {
        /// The text.
        text: String,
        /// What is expected.
        reason: String,
    },
    /// Something is wrong inside a variable's text.
    #[error("reduction variable `{variable}`: {source}")]
    InVariable {
        /// The variable's name.
        variable: String,
        /// What is wrong.
        source: Box<Error>,
    },
    /// Two variables say different things of an array.
    #[error(
        "array {array} holds {} by variable `{}` and {} by variable `{}`",
        types[0], variables[0], types[1], variables[1]
    )]
    ArrayTypes {
        /// The array.
        array: u32,
        /// The variables.
        variables: [String; 2],
        /// What each says.
        types: [Type; 2],
    },
    /// An array that is passed over.
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
        /// Why.
        source: std::io::Error,
    },
    /// A tool was missing or failed.
    #[error(transparent)]
    Toolchain(#[from] toolchain::Error),
}
