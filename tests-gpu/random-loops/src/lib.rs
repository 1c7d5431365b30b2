//! Random loop programs in C.

mod campaign;
mod dice;
mod generate;
mod process;
mod reduce;
mod tree;

pub use campaign::{Options, Summary, run};
pub use generate::{Language, PROVENANCES, STATEMENTS, SURROUNDINGS};
pub use tree::{Program, SUPPORT, file};
