//! The protocols between blocks, in every order that a weak memory model allows.
//!
//! The modules of `reduce` are the device runtime's own files. Below them, in [`arch`], a block is one thread
//! of [`loom`] with loom's atomics, fences and records. Loom runs a grid in every order of its steps, lets a
//! read see every write that C11 lets it see, and reports an access to a record that is not ordered after the
//! one before. `docs/protocols.md` lists what these models leave out.

/// Lanes of a warp, as in the device runtime.
pub const WARP_SIZE: u32 = 32;

pub mod arch;
pub mod grid_of_blocks;

#[allow(dead_code, missing_docs, reason = "the models use a part of it")]
pub mod reduce;
