//! Which form a nest gets: the forms are proved elsewhere, the costs decide.

pub(crate) mod kernels;
pub mod search;
