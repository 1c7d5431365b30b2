//! Findings: what the checks, and the emulator's faults, say of a program, from one run or several.
//!
//! The driver appends each report as a line of JSON to a file. Findings of several runs with the same kind and lines are
//! one. Those that a file of suppressions names are left out.

mod error;
mod finding;
mod findings;
mod sarif;
mod suppressions;

pub use self::{
    error::Error,
    findings::{Findings, ReportFormat},
};
