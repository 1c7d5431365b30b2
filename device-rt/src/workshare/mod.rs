//! Sharing the iterations of loops.

mod bounds;

pub use bounds::{Bounds, Schedule, Share};
