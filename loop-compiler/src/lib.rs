//! The loop compiler: reductions in plain loops, found and proved.

mod affine;
mod analysis;
mod arithmetic;
mod bounds;
pub mod builder;
pub mod c;
mod classes;
mod compare;
pub mod convert;
mod dependences;
mod detect;
pub mod functions;
pub mod interpret;
pub mod isl;
pub mod located;
pub mod notation;
pub mod operators;
mod outwards;
pub mod parallelize;
mod polynomial;
pub mod privatize;
mod program;
pub mod report;
pub mod rewrite;
pub mod rules;
pub mod schedule;
mod split;
pub mod transform;
pub mod tree;
pub mod types;
pub mod verify;

pub use analysis::{Analysis, AnalysisError, LoopReport, Options, StatementReport, analyze};
pub use classes::{Class, Dependence};
pub use dependences::{Dependences, Granularity, dependences};
pub use detect::DetectionRule;
