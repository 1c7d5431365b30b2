//! The loop compiler: reductions in plain loops, found and proved.

mod analysis;
mod annotations;
pub mod c;
pub mod check;
mod cost;
mod decide;
pub mod interpret;
pub mod ir;
pub mod isl;
pub mod openmp;
pub mod parallelize;
pub mod report;
pub mod rewrite;
pub mod rules;
pub mod transform;

pub use cost::machine;
pub use decide::search;
pub use ir::{builder, convert, functions, located, notation, operators, types, verify};
pub use transform::{privatize, schedule, simplify, strategies};

pub use analysis::classes::{Class, Dependence};
pub use analysis::dependences::{Dependences, Granularity, dependences};
pub use analysis::detect::DetectionRule;
pub use analysis::{Analysis, AnalysisError, LoopReport, Options, StatementReport, analyze, assumed};
