//! Checks of what hardware hides: data races, and memory that nobody has written.
//!
//! A machine with [`Checks`] keeps shadow memory and tells what it finds ([`Machine::take_findings`]). A launch
//! then runs in one job and takes several times as long; a machine without checks does nothing of this.
//!
//! | file | what it holds |
//! |---|---|
//! | `options` | which checks there are |
//! | `clock` | vector clocks of the threads of a launch |
//! | `threads` | what threads know of each other: barriers, fences, releases and acquires |
//! | `pages` | a table of the pages of memory |
//! | `shadow` | who accessed each byte last |
//! | `footprint`, `history` | the accesses to a page as long as they have shapes and nothing may race |
//! | `readers` | who has read each location since its last write |
//! | `definedness` | which bytes nobody has written |
//! | `operations` | launches, and copies of the host: which of them come before which |
//! | `comparison` | compares an access with those before it |
//! | `values`, `unused` | where loaded values are used; what was read and not used yet |
//! | `sites` | the instructions that access memory |
//! | `launch` | what the threads of a launch do |
//! | `races` | what a machine knows of all of that, and what was found |
//! | `finding`, `text` | what was found; its text |
//!
//! [`Machine::take_findings`]: crate::Machine::take_findings

mod cell;
mod clock;
mod comparison;
mod definedness;
mod finding;
mod footprint;
mod history;
mod launch;
mod operations;
mod options;
mod pages;
mod races;
mod readers;
mod shadow;
mod sites;
mod text;
mod threads;
mod unused;
mod values;

pub use finding::{Finding, FindingKind, Side};
pub(crate) use launch::{CheckedLaunch, LaunchState};
pub use operations::OperationOrder;
pub use options::Checks;
pub(crate) use races::Checker;
pub(crate) use values::{destinations, sources};
