//! What is made of a region.

use std::collections::BTreeMap;

use crate::{
    analysis::arrays,
    decide::search::Considered,
    ir::{LoopId, Region, VariableId},
    rules::Rejection,
    transform::{schedule::Step, strategies::InnermostReduction},
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
    pub(super) best: f64,
    /// Whether threads of that update elements atomically.
    pub(super) is_atomic: bool,
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
    pub(super) in_loops: Vec<String>,
    /// Conditions in C under which the region is executed in parallel.
    pub(super) conditions: Vec<String>,
    /// Whether the first of them is that there is work enough for another function.
    pub(super) tests_work: bool,
    /// What the arrays' clauses on a device say.
    pub(super) maps: Option<Vec<arrays::Map>>,
    /// Threads of the teams of a kernel, by its loop, where it is not OpenMP's choice.
    pub(super) team_threads: BTreeMap<LoopId, u32>,
    /// The condition in C under which there is enough work for several threads, if `conditions` has it not.
    pub(super) enough: Option<String>,
    /// How many workers there are, if that is not OpenMP's number of threads.
    pub(super) fixed_workers: Option<u32>,
    /// Whether results must not depend on where they are computed.
    pub(super) exact: bool,
}

impl Parallelized {
    /// On a device: the parameters that are taken to have as many elements as they are declared with.
    pub fn declared_lengths(&self) -> Vec<String> {
        let (Some(region), Some(maps)) = (&self.region, &self.maps) else { return Vec::new() };
        maps.iter().filter_map(arrays::Map::declared).map(|id| region.variable(id).name.clone()).collect()
    }
}
