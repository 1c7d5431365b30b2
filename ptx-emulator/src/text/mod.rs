//! PTX text to a syntax tree: tokens, then declarations and statements. No name is resolved here.

pub(crate) mod ast;
mod body;
mod error;
mod lexer;
mod lines;
mod module;
mod parser;
mod printable;
pub(crate) mod types;
mod units;
mod variable;

pub(crate) use error::{SyntaxError, UnitError, error};
pub(crate) use lines::Lines;
pub(crate) use module::parse;
pub use printable::printable;
pub use units::split_units;
