//! Which form a nest gets: the forms are proved elsewhere, the costs decide.

pub(crate) mod goal;
pub(crate) mod kernels;
mod nest;
pub mod search;
