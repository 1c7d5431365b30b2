//! Random loop programs in C: what `warpfold parallelize` makes of them must compute the same.
//!
//! A program is a function with loop nests, and calls of it (`generate`); many are one file, which gcc compiles as it is
//! at -O0, with checks for undefined behaviour. That is the reference. Each file is made parallel under one combination of
//! order, scheme, target and number of threads, compiled by gcc and clang, and run (`campaign`). A program that prints
//! something else is run alone, made smaller (`reduce`), and written to a folder.

mod campaign;
mod dice;
mod generate;
mod process;
mod reduce;
mod tree;

pub use campaign::{Options, Summary, run};
pub use generate::{Language, PLACES, PROVENANCES, STATEMENTS, SURROUNDINGS};
pub use reduce::reduced;
pub use tree::{Call, Node, Program, SUPPORT, SourceLine, file};
