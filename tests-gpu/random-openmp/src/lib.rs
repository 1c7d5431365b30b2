//! Random OpenMP programs in C and C++ that must give the same result on the device as on the host.
//!
//! A case is a function with one target region (`generate`): structs passed by value, local tables, references and
//! captured scalars of all types, in every kind of construct. The host compiles it without OpenMP at -O0; this is the
//! expected result. clang compiles it for the device in several modes, many cases together, since LLVM optimises a
//! small program differently from a large one (`campaign`). A case that differs is run alone, made smaller, and
//! written to a folder.

mod campaign;
mod generate;

pub use campaign::{MODES, Mode, Options, Summary, run};
pub use generate::{Case, Language, program};
