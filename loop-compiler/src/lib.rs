//! The loop compiler: reductions in plain loops, found and proved.

mod affine;
mod analysis;
mod annotations;
mod arithmetic;
mod bounds;
pub mod builder;
pub mod c;
mod classes;
mod compare;
pub mod convert;
mod dependences;
mod detect;
mod estimate;
pub mod functions;
pub mod interpret;
pub mod isl;
pub mod located;
pub mod machine;
pub mod notation;
pub mod operators;
pub mod parallelize;
pub mod privatize;
mod program;
pub mod report;
pub mod rewrite;
pub mod rules;
pub mod schedule;
pub mod search;
pub mod transform;
pub mod tree;
pub mod types;
pub mod verify;

pub use analysis::{Analysis, AnalysisError, LoopReport, Options, StatementReport, analyze};
pub use classes::{Class, Dependence};
pub use dependences::{Dependences, Granularity, dependences};
pub use detect::DetectionRule;
