//! Reductions that depend on neither types, operators nor the number of variables.
//!
//! A compiler makes callbacks for its *reduction list*; the algorithms here decide which lane, warp and block
//! combines with which, and in what order. `docs/reduction-algorithms.md` describes them.
//!
//! | module | what is in it |
//! |---|---|
//! | [`private`] | the operations on a thread's private copies that the algorithms use |
//! | `list` | the private copies behind a compiler's list and callbacks |
//! | [`pairing`] | which lane combines with which: arithmetic, tested on the host |
//! | `warp` | full, contiguous and dispersed lanes of a warp |
//! | `block` | the threads of a block |
//! | `grid` | the blocks of a grid, each with its own slot or with a fixed number of slots |
//! | `multiprocessor_slots` | blocks that share the slots of a multiprocessor |
//! | [`canonical`] | the canonical order: the same bits in any grid, on the device and on the host |
//! | [`exact`] | sums of floats that are rounded once, whatever the order, on the device and on the host |
//! | [`op`] | operators over values whose type is known, on the device and on the host |
//! | `value` | the private copies of a kernel written in Rust: a value and its operator |
//! | `per_variable` | the baselines: the per-variable path and the first LLVM GPU runtime |
//!
//! Unless a module states otherwise, the order in which values are combined depends only on the number of
//! threads and blocks, never on timing: the same launch gives the same bits. It is not the order of the
//! threads, so operators must be commutative as well as associative; only the dispersed reduction keeps the
//! order of the lanes, and the canonical order that of the elements where an operator asks for it.

pub mod canonical;
pub mod exact;
pub mod op;
pub mod pairing;
pub mod private;

pub use crate::abi::layout::{WORKSPACE_HEADER_BYTES, slots_header_bytes, workspace_bytes};

#[cfg(any(target_arch = "nvptx64", test))]
pub mod block;
#[cfg(any(target_arch = "nvptx64", test))]
pub mod grid;
#[cfg(any(target_arch = "nvptx64", test))]
pub mod list;
#[cfg(any(target_arch = "nvptx64", test))]
pub mod multiprocessor_slots;
#[cfg(target_arch = "nvptx64")]
pub mod per_variable;
#[cfg(target_arch = "nvptx64")]
pub mod value;
#[cfg(any(target_arch = "nvptx64", test))]
pub mod warp;

#[cfg(test)]
mod tests;
