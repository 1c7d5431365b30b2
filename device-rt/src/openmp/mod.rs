//! OpenMP on the GPU.
//!
//! | module | what is in it |
//! |---|---|
//! | [`team`] | start and end of kernels, parallel regions, workers, shared variables |
//! | [`workshare`] | loops whose iterations threads or teams share |
//! | [`sync`] | barriers, locks, `copyprivate` |
//! | [`tasking`] | tasks |
//! | [`query`] | numbers of threads and teams, nesting, ICVs |
//! | [`alloc`], [`print`] | memory for programs, what kernels print |

pub mod alloc;
pub mod print;
pub mod query;
pub mod sync;
pub mod tasking;
pub mod team;
pub mod workshare;
