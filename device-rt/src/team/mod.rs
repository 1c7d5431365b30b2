//! A team: the threads of one block, from the start of a kernel to its end.
//!
//! | module | what is in it |
//! |---|---|
//! | [`kernel`] | what compiler and host tell a kernel, its start and end |
//! | [`state`] | what a team remembers: levels, the size of a parallel region |
//! | [`parallel`] | parallel regions |
//!
//! Kernels run in SPMD mode: all threads of the block run the code of the team together, and enter
//! parallel regions together. A kernel in generic mode stops with a trap.

pub mod kernel;
pub mod outlined;
pub mod parallel;
pub mod state;
