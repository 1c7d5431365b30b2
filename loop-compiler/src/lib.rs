//! The loop compiler: reductions in plain loops, found and proved.

pub mod convert;
pub mod functions;
pub mod interpret;
pub mod located;
pub mod notation;
pub mod operators;
pub mod tree;
pub mod types;
pub mod verify;
