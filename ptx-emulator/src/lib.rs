//! A PTX emulator with warp semantics.
//!
//! PTX text goes through these stages: tokens, module, linked and decoded program, warp executor. A
//! [`Program`] is checked text; a [`Machine`] holds memory and runs its kernels; a launch answers with
//! exact [`Counts`] or ends with a [`Fault`] that names the thread, the PTX line and the source line.
//!
//! The emulator knows PTX and the machine it describes; it knows nothing of CUDA's API or of OpenMP.

mod counts;
mod decode;
mod description;
mod exec;
mod execution;
mod fault;
mod fault_text;
mod heap;
mod instruction;
mod launch;
mod link;
mod load;
mod machine;
mod memory;
mod module;
mod observer;
mod print_buffer;
mod printf;
mod program;
mod semantics;
mod source;
mod system_call;
mod text;

pub use counts::Counts;
pub use description::MachineDescription;
pub use execution::Execution;
pub use fault::{CodeLocation, Fault, FaultKind, LaneState, LanesAt, RegisterValue};
pub use heap::HeapAllocation;
pub use launch::{LaneGroupChoice, LaunchConfig, LaunchOptions, LaunchReport};
pub use load::{Declaration, LoadError, declarations};
pub use machine::{Machine, ModuleError};
pub use memory::{MemoryError, MemoryEvent, MemoryModel, MemoryOrder, PlainMemory, Scope};
pub use module::LoadedModule;
pub use observer::{AccessKind, NoObserver, Observer};
pub use print_buffer::Output;
pub use program::{Kernel, Param, Program};
pub use source::{LineTable, SourceLocation};
pub use text::split_units;
pub use text::types::Space;
