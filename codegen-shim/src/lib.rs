//! Reduction callbacks and grid-stride kernels as LLVM IR.
//!
//! The device runtime knows how values move between lanes, warps and blocks, but not their types or
//! operators. From a list of reduction variables this crate writes the callbacks by which the runtime
//! accesses private copies ([`emit_callbacks`]), kernels that reduce arrays ([`emit_kernels`]), and both for
//! arrays whose length is known only at run time ([`emit_batches`], [`emit_columns`]). The output is LLVM 22
//! IR text for `nvptx64-nvidia-cuda`, a function of the specification alone; [`kernel_ptx`] links it with the
//! runtime and compiles it to PTX.
//!
//! Variables are given as values ([`Variable`]) or as text ([`Specification`]). Operators and maps may be
//! user functions in C or LLVM IR ([`Combiner`], [`Mapper`]).
//!
//! A new operator takes rows in [`RULES`], a new callback one emitter.

mod accumulate;
mod batches;
mod callbacks;
mod canonical;
mod common;
mod error;
mod function;
mod interner;
mod ir;
mod kernels;
mod list;
mod load;
mod ops;
mod ptx;
mod signature;
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
