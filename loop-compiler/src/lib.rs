//! The loop compiler: reductions in plain loops, found and proved.

mod affine;
mod analysis;
pub mod c;
mod classes;
mod detect;
pub mod isl;
mod program;
pub mod report;
pub mod rewrite;
pub mod rules;
pub mod tree;
pub mod types;

pub use analysis::{Analysis, AnalysisError, LoopReport, Options, StatementReport, analyze};
pub use classes::{Class, Dependence};
pub use detect::DetectionRule;
