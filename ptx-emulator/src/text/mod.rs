//! PTX text to a syntax tree: tokens, then declarations and statements. No name is resolved here.

pub(crate) mod ast;
mod body;
mod clip;
mod error;
mod lexer;
mod lines;
mod module;
mod parser;
pub(crate) mod types;
mod units;
mod variable;

pub(crate) use clip::clip;
pub(crate) use error::{SyntaxError, UnitError, error};
pub(crate) use lines::Lines;
pub(crate) use module::parse;
pub use units::split_units;
