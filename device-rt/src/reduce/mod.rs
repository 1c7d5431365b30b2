//! Reductions that know neither types, operators nor the number of variables.
//!
//! A compiler makes callbacks for its *reduction list* ([`list`]); the algorithms here decide which
//! lane, warp and block combines with which, and in what order. From small to large: a warp, a
//! block, a grid. The plan of each ([`schedule`]) is arithmetic and is tested on the host.
//!
//! The order in which values are combined depends on the number of threads and blocks alone, never
//! on timing: the same launch gives the same bits. It is not the order of the threads, so operators
//! are taken to be commutative as well as associative.

pub mod list;
pub mod schedule;

#[cfg(any(target_arch = "nvptx64", test))]
pub mod block;
#[cfg(any(target_arch = "nvptx64", test))]
pub mod grid;
#[cfg(any(target_arch = "nvptx64", test))]
pub mod warp;

#[cfg(test)]
mod tests;
