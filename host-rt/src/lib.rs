//! Devices, buffers, kernels and reductions, launched from the host.
//!
//! A [`Device`] is a GPU, or the PTX emulator if there is none; the rest of the program is the same. There are two
//! kinds of reductions:
//!
//! - A [`GeneratedReduction`] is specified at run time: a [`KernelSpec`] is a list of variables with their operators,
//!   by name, and the arrays that they read. A [`Record`] holds the variables' initial values before a run and their
//!   results after it. [`ColumnReduction`] is the same for the columns of matrices.
//! - A [`TypedReduction`] is of an operator that is a Rust type, one of the user's own, too; results have the
//!   operator's type. [`Device::reduce`] makes and runs one.
//!
//! An [`ExactReduction`] makes sums of floats and dot products that are rounded once, whatever the order of the elements.
//!
//! Reductions do not depend on timing: the same input, device and shape of the launch give the same bits on
//! every run, floating-point sums included. Those of a [`TypedReduction`] depend on neither device nor shape: elements are
//! combined in the [`canonical`] order.
//!
//! ```
//! use host_rt::{
//!     BLOCK_THREADS, Device, GeneratedReduction, KernelSpec, Op, Record, ReductionList, Select, Source, Type,
//!     Value, Variable,
//! };
//!
//! # fn main() -> Result<(), host_rt::Error> {
//! // The sum of array 0, and the smallest element of array 1.
//! let list = ReductionList::new(vec![
//!     Variable { name: "sum".into(), ty: Type::I64, op: Op::Sum, source: Source::Array(0) },
//!     Variable { name: "least".into(), ty: Type::F32, op: Op::Min, source: Source::Array(1) },
//! ])?;
//! let mut record = Record::new(&list, &[Value::I64(1000), Value::F32(f32::INFINITY)])?;
//!
//! // `Select::Auto` takes a GPU if there is one.
//! let device = Device::open(Select::Emulator)?;
//! let reduction = GeneratedReduction::new(&device, KernelSpec::new(list, vec![Type::I64, Type::F32], BLOCK_THREADS)?)?;
//!
//! let a = device.buffer(&(1..=100).collect::<Vec<i64>>())?;
//! let b = device.buffer(&(0..100).map(|i| 0.5 - i as f32).collect::<Vec<f32>>())?;
//! let stream = device.stream()?;
//! reduction.run(&stream, 100, &[a.array(), b.array()], &mut record)?;
//!
//! // The initial values are included once.
//! assert_eq!(record.get("sum"), Some(Value::I64(6050)));
//! assert_eq!(record.get("least"), Some(Value::F32(-98.5)));
//! # Ok(()) }
//! ```
//!
//! Input that arrives in several arrays, or that is larger than memory, is reduced with [`GeneratedReduction::start`]
//! or [`GeneratedReduction::feed`]: the device keeps the record, and computes while the host reads.
//!
//! # Building
//!
//! The build script of `cust`, the binding to CUDA's driver, needs a `libcuda.so` to link with. Inside this
//! workspace `.cargo/config.toml` provides one. A crate outside is built with
//! `CUDA_LIBRARY_PATH=$(warpfold config --cuda-link-dir) cargo build`; see [`cuda_link_dir`]. The driver is
//! loaded at run time, and a program starts without one.

mod buffer;
mod bytes;
mod device;
mod devices;
mod error;
mod exact_reduction;
mod generated;
mod geometry;
mod link_dir;
mod loaded;
mod module;
mod partial;
mod record;
mod record_memory;
mod run_record;
mod stream;
mod typed;

pub use buffer::{Array, Buffer, Element};
pub use codegen_shim::{
    ColumnSpec, Combiner, KernelSpec, Mapper, Op, ReductionList, Scalar, Source, Type, Variable,
};
pub use cuda_driver::{DriverKind, Select};
pub use device::Device;
pub use device_code::{Items, KernelCrate, Portable, device_code};
pub use device_rt::reduce::op::{
    All, And, Any, ArgMax, ArgMin, Identity, Indexed, Lift, Max, Min, Or, Plain, Product, Reduce, Storable,
    Sum, Xor, reduce,
};
pub use device_rt::{
    plain,
    reduce::{
        canonical,
        exact::{ExactSum, NoExactSum},
        workspace_bytes,
    },
};
pub use devices::{Devices, MultiDeviceReduction};
pub use error::Error;
pub use exact_reduction::{ExactElement, ExactReduction, PendingExact};
pub use generated::{ColumnReduction, Feed, Finalize, GeneratedReduction, Options, PartialRecord, Run};
pub use geometry::{BLOCK_THREADS, Grid, SPARSE_TURNS};
pub use half::{bf16, f16};
pub use link_dir::cuda_link_dir;
pub use module::{Argument, Arguments, Bytes, Kernel, Launch, Module, Shape};
pub use num_complex::Complex;
pub use partial::Partial;
pub use record::{Record, Value};
pub use stream::Stream;
pub use toolchain::OptLevel;
pub use typed::{Column, DeviceArray, Input, Pending, TypedReduction};
