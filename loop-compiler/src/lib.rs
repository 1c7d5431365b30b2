//! The loop compiler: reductions in plain loops, found and proved.

pub mod tree;
pub mod types;
