//! The ABI: every exported symbol, declared once with its meaning, its contract and what it calls.
//!
//! Groups are those of LLVM's own runtime where it has the symbols.
//!
//! | module | symbols |
//! |---|---|
//! | `warpfold` | the reductions, for kernels of warpfold and of other generators |
//! | `per_variable` | the baselines: the first LLVM GPU runtime and the per-variable path |
//! | `kernel`, `mapping`, `parallelism` | start and end of kernels; hardware ids; parallel regions |
//! | `state`, `query`, `sharing` | variables; ICVs and what programs ask; memory that a team shares |
//! | `workshare`, `reduction`, `sync`, `tasking` | loops, clang's reductions, synchronization, tasks |
//! | `allocator`, `libc`, `ompx` | memory, functions of C and C++, LLVM's kernel language |
//!
//! [`layout`] has the structures and sizes that both sides of the ABI use, [`callbacks`] the types of the
//! functions that callers pass. `declare.rs` explains how a declaration becomes a function on the device and a
//! table entry on the host. These modules contain no logic.

#[macro_use]
mod declare;

pub mod callbacks;
pub mod layout;

mod allocator;
mod kernel;
mod libc;
mod mapping;
mod ompx;
mod parallelism;
mod per_variable;
mod query;
mod reduction;
mod sharing;
mod state;
mod sync;
mod tasking;
mod warpfold;
mod workshare;

#[cfg(not(target_arch = "nvptx64"))]
mod contract;
#[cfg(not(target_arch = "nvptx64"))]
mod symbol;
#[cfg(not(target_arch = "nvptx64"))]
mod table;

#[cfg(not(target_arch = "nvptx64"))]
pub use symbol::{AbiType, AddressSpace, Contract, Interface, Symbol, SymbolGroup, SymbolKind, Type};
#[cfg(not(target_arch = "nvptx64"))]
pub use table::{ABSENT, GROUPS, names, symbols};

/// The source location of a construct; ignored.
type Ident = *const core::ffi::c_void;
