//! Finding and running rustc, LLVM, clang and ptxas; building device crates to bitcode and PTX.
//!
//! The crate does not know what is built. From a [`DeviceCrate`] (sources of a `no_std` Rust crate and LLVM
//! IR files) it makes one architecture-neutral bitcode file, from a [`PtxBuild`] (modules to link, kernels to
//! keep) PTX. Results are kept in a versioned, private [`Cache`], keyed by the inputs, the flags and the
//! versions of the tools: the same inputs and tools give the same result.
//!
//! ```no_run
//! # fn main() -> Result<(), toolchain::Error> {
//! use toolchain::{DeviceCrate, Input, OptLevel, PtxBuild, Tools};
//! let tools = Tools::find()?;
//! let runtime = tools.device_bitcode(&DeviceCrate {
//!     name: "tiny",
//!     edition: "2024",
//!     sources: &[("src/lib.rs", "#![no_std] …")],
//!     exports: &["tiny_entry"],
//!     dependencies: &[],
//! })?;
//! let ptx = tools.ptx(&PtxBuild {
//!     modules: &[Input::Ir("define ptx_kernel void @k() { … }"), Input::Bitcode(&runtime)],
//!     keep: &["k"],
//!     sm: 90,
//!     opt: OptLevel::O2,
//! })?;
//! # let _ = ptx; Ok(()) }
//! ```

mod cache;
mod clang;
mod clang_config;
mod cuda;
mod cuda_toolkit;
mod device;
mod driver_folder;
mod error;
mod find;
mod flang;
mod host_code;
mod inventory;
mod ir;
mod llvm_choice;
mod machine_code;
mod narrow_stores;
mod offload;
mod path_list;
mod prebuilt;
mod process;
mod ptx;
mod ptx_check;
mod purpose;
pub mod setup;
mod stock;
mod tool;
mod tools;
mod version;

pub use cache::{Cache, file_sha256};
pub use clang::ClangBuild;
pub use clang_config::DeviceCode;
pub use cuda_toolkit::CudaToolkit;
pub use device::DeviceCrate;
pub use driver_folder::DriverFolder;
pub use error::Error;
pub use flang::{Attempt, FlangSteps};
pub use host_code::HostCode;
pub use inventory::{Finding, Status, inventory, is_ready, other_llvms};
pub use ir::IrBuild;
pub use llvm_choice::{LLVM_VARIABLE, TRIED_LLVM, UNTRIED_VARIABLE, choose_llvm};
pub use machine_code::MachineCode;
pub use narrow_stores::without_narrow_stores;
pub use offload::{Language, OffloadBuild, ptxas_script};
pub use path_list::prepended;
pub use prebuilt::{ARCHIVE, BITCODE, Prebuilt, RUNTIME_FOLDER};
pub use ptx::{Input, OptLevel, PtxBuild, ptx_version};
pub use ptx_check::{FunctionUse, PtxasReport};
pub use purpose::Purpose;
pub use stock::{StockClang, StockCuda, StockRuntime, named_cuda, stock_cuda};
pub use tool::{LlvmTools, RustTools, Tool};
pub use tools::Tools;
pub use version::Version;
