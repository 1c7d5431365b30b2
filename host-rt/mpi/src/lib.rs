//! Reductions of arrays that the processes of an MPI job have parts of.
//!
//! A [`Communicator`] is the processes that do something together. Each gives its elements, on the host or in the memory of its
//! device, as many as it has; the result has the bits of one process that has all of them, in the
//! [canonical order](host_rt::canonical):
//!
//! - [`Communicator::reduce`], [`all_reduce`](Communicator::all_reduce) and [`start`](Communicator::start) for a
//!   [`GeneratedReduction`](host_rt::GeneratedReduction),
//! - [`Communicator::reduce_typed`] and [`all_reduce_typed`](Communicator::all_reduce_typed) for a
//!   [`TypedReduction`](host_rt::TypedReduction), whose operator need not commute,
//! - [`Communicator::reduce_state`], [`all_reduce_state`](Communicator::all_reduce_state),
//!   [`scan_state`](Communicator::scan_state) and [`exclusive_scan_state`](Communicator::exclusive_scan_state) for what
//!   each process knows already: a [`Partial`](host_rt::Partial), [`PartialRecord`](host_rt::PartialRecord),
//!   [`ExactSum`](host_rt::ExactSum), or a [`State`] of one's own.
//!
//! Nothing is linked: the MPI that the program runs is used, or that of the launcher is loaded, be it Open MPI or MPICH.
//!
//! # Files
//!
//! Each file uses only files above it in this list:
//!
//! | file | what is in it |
//! |---|---|
//! | `implementation` | Open MPI and MPICH, and which one is used |
//! | `error` | errors |
//! | `library` | the library of MPI and its functions |
//! | `output` | whether a launcher has read what was written |
//! | `communicator` | processes, and what they tell each other |
//! | `row` | chunks that several processes have elements of |
//! | `state` | trees and scans of states |
//! | `elements` | the elements of a process |
//! | `reduction` | reductions of arrays |

mod communicator;
mod elements;
mod error;
mod implementation;
mod library;
mod output;
mod reduction;
mod row;
mod state;

pub use communicator::Communicator;
pub use elements::{Elements, TypedElements};
pub use error::Error;
pub use implementation::{Choice, Implementation};
pub use reduction::{PendingReduction, partial_record};
pub use row::Row;
pub use state::State;
