//! Several modules to one program, by nvlink's rules: which definition each name stands for, and where it is
//! placed.

mod layout;
mod symbols;

pub(crate) use layout::{Global, Layout, link};
pub(crate) use symbols::undefined;
