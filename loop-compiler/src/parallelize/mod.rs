//! The choice of parallel loops for a machine, and the region as C with OpenMP's directives.
//!
//! A region goes through [`PASSES`]. Each loop that [`crate::transform::privatize`] makes parallel is an alternative; their costs are
//! compared by a model of the machine. What is chosen is executed in parallel only if, at run time, the arrays do not
//! overlap, there is enough work, more than one worker and memory for the copies; otherwise the original loops are.

mod divided;
mod given;
mod made;
mod passes;
mod statements;
mod text;

use crate::{
    analysis::{AnalysisError, Options},
    ir::Region,
    rules::FloatOrder,
};

pub use self::{
    made::{Alternative, Divided, Parallelized, Searched},
    passes::{PASSES, Pass, Ran},
    text::Original,
};
pub use crate::{
    cost::{
        machine::{CPU, Device, GPU, Machine},
        policy::ASSUMED_SIZES,
    },
    decide::{
        goal::{Goal, Scheme},
        search::Considered,
    },
};

/// Chooses parallel loops of a region for a machine, as [`parallelize_by`] does, with the loops where they are.
///
/// # Errors
///
/// See [`parallelize_by`].
pub fn parallelize(
    region: &Region,
    order: FloatOrder,
    machine: &Machine,
    options: &Options,
) -> Result<Parallelized, AnalysisError> {
    let goal = Goal { machine, scheme: Scheme::Codegen, order, options, strategy: None, explained: false };
    parallelize_by(region, goal)
}

/// Chooses parallel loops of a region for a machine: what a person directs or annotates is done or rejected, and the other
/// nests are searched.
///
/// # Errors
///
/// If isl is missing, if nothing may be parallel because of the region as a whole, and if what a person directs is not
/// possible.
pub fn parallelize_by(region: &Region, goal: Goal<'_>) -> Result<Parallelized, AnalysisError> {
    parallelize_traced(region, goal, &mut |_| {})
}

/// As [`parallelize_by`], and tells `trace` of each pass that has run.
///
/// # Errors
///
/// See [`parallelize_by`].
pub fn parallelize_traced(
    region: &Region,
    goal: Goal<'_>,
    trace: &mut dyn FnMut(&Ran<'_>),
) -> Result<Parallelized, AnalysisError> {
    let options = goal.options.begun();
    let usual = PASSES.iter().filter(|pass| pass.is_usual);
    let region = &with_own_positions(region);
    let (made, _) = passes::run(region, Goal { options: &options, ..goal }, usual, trace)?;
    Ok(made)
}

/// Runs passes over a region, in their order; the result has the region that they make, whether they change it or not.
///
/// # Errors
///
/// Those of the passes.
pub fn run_passes(
    region: &Region,
    goal: Goal<'_>,
    passes: &[&Pass],
    trace: &mut dyn FnMut(&Ran<'_>),
) -> Result<Parallelized, AnalysisError> {
    let options = goal.options.begun();
    let goal = Goal { options: &options, ..goal };
    let region = &with_own_positions(region);
    let (mut made, last) = passes::run(region, goal, passes.iter().copied(), trace)?;
    made.region.get_or_insert(last);
    if goal.machine.device.is_some() {
        made.maps.get_or_insert_default();
    }
    Ok(made)
}

/// The region as passes need it: those of a builder have no positions.
fn with_own_positions(region: &Region) -> Region {
    let mut region = region.clone();
    region.separate_positions();
    region
}
