use crate::{Op, Type};

/// Why a reduction list or a kernel specification was refused, or why its PTX could not be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text names no element type.
    #[error("unknown type `{text}`; known types: {}", crate::types::join(Type::ALL))]
    UnknownType {
        /// What was given.
        text: String,
    },
    /// The text names no operator.
    #[error("unknown operator `{text}`; known operators: {}", crate::types::join(Op::ALL))]
    UnknownOp {
        /// What was given.
        text: String,
    },
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
    #[error("reduction variable `{variable}`: `{op}` is not defined for `{ty}`")]
    IllegalOperator {
        /// The variable's name.
        variable: String,
        /// Its type.
        ty: Type,
        /// Its operator.
        op: Op,
    },
    /// One record per warp of a full block does not fit into shared memory.
    #[error(
        "reduction variable `{variable}` makes the record larger than {limit} bytes; a block keeps one \
         record per warp in shared memory, so split the list over several kernels"
    )]
    RecordTooLarge {
        /// The first variable that does not fit.
        variable: String,
        /// The largest record, in bytes.
        limit: u32,
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
    /// A product of arrays with different element types.
    #[error(
        "reduction variable `{variable}` multiplies array {left} ({left_type}) by array {right} \
         ({right_type}); the element types must agree"
    )]
    ProductTypes {
        /// The variable's name.
        variable: String,
        /// The left array.
        left: u32,
        /// Its element type.
        left_type: Type,
        /// The right array.
        right: u32,
        /// Its element type.
        right_type: Type,
    },
    /// A variable's type differs from that of the elements it reduces.
    #[error("reduction variable `{variable}` is {ty}, but array {array} holds {element}; they must agree")]
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
    /// A tool was missing or failed.
    #[error(transparent)]
    Toolchain(#[from] toolchain::Error),
}
