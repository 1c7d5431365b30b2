//! Reduction callbacks and grid-stride kernels as LLVM IR.
//!
//! The device runtime knows how values travel between lanes, warps and blocks, and nothing of what
//! they are. This crate supplies the other half: from a list of reduction variables it writes the
//! callbacks through which the runtime touches them ([`emit_callbacks`]), kernels that reduce
//! arrays ([`emit_kernels`]), and both for arrays whose length is known only when the program runs
//! ([`emit_batches`], [`emit_columns`]). The text is LLVM 22 IR for `nvptx64-nvidia-cuda`; [`kernel_ptx`]
//! links it with the runtime and makes PTX.
//!
//! Variables are given as values ([`Variable`]) or as text ([`Specification`]); operators and maps may be
//! functions of the user's, in C or LLVM IR ([`Combiner`], [`Mapper`]).
//!
//! Adding an operator means rows in [`RULES`]; adding a callback means one emitter.

mod accumulate;
mod batches;
mod callbacks;
mod emit;
mod error;
mod function;
mod interner;
mod ir;
mod kernels;
mod list;
mod load;
mod ops;
mod ptx;
mod spec;
mod text;
mod types;

pub use batches::{BATCH_FUNCTIONS, BatchedList, COLUMNS, ColumnSpec, emit_batches, emit_columns};
pub use callbacks::{CALLBACKS, emit_callbacks};
pub use error::Error;
pub use function::{Combiner, Mapper};
pub use kernels::{KERNELS, emit_kernels};
pub use list::{MAX_RECORD_BYTES, MAX_SCALARS, RecordLayout, ReductionList, Source, Variable};
pub use load::UserModule;
pub use ops::{Identity, Lowering, Op, RULES, Rule, UnknownOp, is_legal, rule};
pub use ptx::{columns_ptx, kernel_ptx};
pub use spec::{KernelSpec, MAX_ARRAYS, MAX_UNROLL, UNROLL};
pub use text::Specification;
pub use types::{Class, Scalar, Type, UnknownType};
