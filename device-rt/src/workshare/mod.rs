//! Sharing the iterations of loops.

mod bounds;
#[cfg(target_arch = "nvptx64")]
mod callback;
#[cfg(target_arch = "nvptx64")]
mod doacross;
#[cfg(target_arch = "nvptx64")]
mod dynamic;
#[cfg(target_arch = "nvptx64")]
mod share;

pub use bounds::{Bounds, Schedule, Share};
#[cfg(target_arch = "nvptx64")]
pub use callback::{Deal, Loop};
#[cfg(target_arch = "nvptx64")]
pub use doacross::{Dimension, begin_doacross, end_doacross, post, wait};
#[cfg(target_arch = "nvptx64")]
pub use dynamic::{Chunk, Dispatch, Extent};
#[cfg(target_arch = "nvptx64")]
pub use share::settled;
