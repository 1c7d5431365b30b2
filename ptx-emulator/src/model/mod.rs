//! How long a launch takes on a GPU, estimated from its counts, and what limits it.
//!
//! | file | what it holds |
//! |---|---|
//! | `gpus` | GPUs: published figures of each |
//! | `estimate` | the estimate: times by limit, and the largest |
//!
//! The model is compared with published times in `tests/model.rs`; `docs/profile.md` has the errors, and what it cannot
//! see.

mod estimate;
mod gpus;

pub use estimate::{Bound, Estimate, LaunchFacts, Times};
pub use gpus::{Gpu, UnknownGpu};
