//! The choice of parallel loops for a machine, and the region as C with OpenMP's directives.
//!
//! A region goes through the [`passes`]. Each loop that [`crate::privatize`] makes parallel is an alternative; their costs are
//! compared by a model of the machine. What is chosen is executed in parallel only if, at run time, the arrays do not
//! overlap, there is enough work, more than one worker and memory for the copies; otherwise the original loops are.

mod divided;
mod given;
mod passes;
mod statements;
mod text;

use std::collections::BTreeMap;

use crate::{
    analysis::{AnalysisError, Options},
    arrays,
    ir::{LoopId, Region, VariableId},
    rules::{FloatOrder, Rejection},
    schedule::Step,
    strategies::InnermostReduction,
};

pub use self::passes::{PASSES, Pass, Ran};
pub use crate::{
    estimate::ASSUMED_SIZES,
    machine::{CPU, Device, GPU, Machine},
    search::{Considered, Goal, Scheme},
};

/// A loop as an alternative.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The loop, by number.
    pub index: usize,
    /// Nanoseconds of one execution of the loop, in order.
    pub sequential: f64,
    /// In parallel, or why it is no alternative.
    pub parallel: Result<f64, Rejection>,
    /// Bytes of copies.
    pub memory: f64,
    /// Whether it is chosen.
    pub chosen: bool,
    /// How: `parallel`, `privatized` with copies, `scan` with two passes, `teams` whose threads divide loops inside, `parts`
    /// of iterations, each with a thread that updates the result, or `copies` of what is updated, one for each team.
    pub strategy: &'static str,
    /// Nanoseconds with what is best: the loop in parallel, or loops inside it, or none.
    best: f64,
    /// Whether threads of that update elements atomically.
    is_atomic: bool,
}

/// A nest that is divided into several loops for a device, some of which read the same arrays.
#[derive(Clone, Debug)]
pub struct Divided {
    /// The outermost loop, by number.
    pub index: usize,
    /// How many loops are made of it.
    pub loops: usize,
    /// Arrays that several of them read.
    pub read_again: Vec<String>,
    /// Nanoseconds of all of them.
    pub time: f64,
    /// Nanoseconds of the nest as it is written, in its best form.
    pub undivided: f64,
    /// Whether that form updates elements atomically.
    pub is_atomic: bool,
}

/// A nest whose form was searched.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The outermost loop, by number.
    pub index: usize,
    /// The steps that were taken.
    pub steps: Vec<Step>,
    /// What was considered, the cheapest first.
    pub considered: Vec<Considered>,
}

/// A region for a machine.
#[derive(Clone, Debug)]
pub struct Parallelized {
    /// The loops, in the order of the region.
    pub alternatives: Vec<Alternative>,
    /// The region with parallel loops; none if no loop is chosen.
    pub region: Option<Region>,
    /// The variable that is set to the number of threads, if it is needed.
    pub workers: Option<VariableId>,
    /// The nests whose form was searched.
    pub searched: Vec<Searched>,
    /// On a device: the nests that are divided although that reads arrays again.
    pub divided: Vec<Divided>,
    /// On a device and where it is asked for: what strategies would take of innermost reductions.
    pub innermost: Vec<InnermostReduction>,
    /// The scalars of the function that loops of the region declare now.
    in_loops: Vec<String>,
    /// Conditions in C under which the region is executed in parallel.
    conditions: Vec<String>,
    /// Whether the first of them is that there is work enough for another function.
    tests_work: bool,
    /// What the arrays' clauses on a device say.
    maps: Option<Vec<arrays::Map>>,
    /// Threads of the teams of a kernel, by its loop, where it is not OpenMP's choice.
    team_threads: BTreeMap<LoopId, u32>,
    /// The condition in C under which there is enough work for several threads, if `conditions` has it not.
    enough: Option<String>,
    /// How many workers there are, if that is not OpenMP's number of threads.
    fixed_workers: Option<u32>,
    /// Whether results must not depend on where they are computed.
    exact: bool,
}

impl Parallelized {
    /// On a device: the parameters that are taken to have as many elements as they are declared with.
    pub fn declared_lengths(&self) -> Vec<String> {
        let (Some(region), Some(maps)) = (&self.region, &self.maps) else { return Vec::new() };
        maps.iter().filter_map(arrays::Map::declared).map(|id| region.variable(id).name.clone()).collect()
    }
}

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
    passes::run(region, Goal { options: &options, ..goal }, PASSES.iter().filter(|pass| pass.is_usual), trace)
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
    let mut last = region.clone();
    let mut observed = |ran: &Ran<'_>| {
        last.clone_from(ran.region);
        trace(ran);
    };
    let goal = Goal { options: &options, ..goal };
    let mut made = passes::run(region, goal, passes.iter().copied(), &mut observed)?;
    made.region.get_or_insert(last);
    if goal.machine.device.is_some() {
        made.maps.get_or_insert_default();
    }
    Ok(made)
}
