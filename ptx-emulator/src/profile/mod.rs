//! Profiles of launches: exact counts by source line, for estimates of what limits a kernel on a GPU.
//!
//! A machine that profiles ([`Machine::set_profiling`](crate::Machine::set_profiling)) runs launches in one job under an
//! observer; one that does not has none of this.
//!
//! | file | what it holds |
//! |---|---|
//! | `counters` | what is counted |
//! | `analysis` | what the text of a program says: classes of instructions, loads that are in flight together |
//! | `collector` | the observer that counts |
//! | `launch` | the profile of a launch, by source line |
//! | `profiler` | whether a machine profiles; what it knows of programs |

mod analysis;
mod collector;
mod counters;
mod launch;
mod profiler;

pub(crate) use collector::Collector;
pub use counters::{Counters, InstructionClass, WarpTotals};
pub use launch::{LaunchProfile, LineProfile, TextLine};
pub(crate) use profiler::Profiler;
