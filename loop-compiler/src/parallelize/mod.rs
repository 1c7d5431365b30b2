//! The choice of parallel loops for a machine, and the region as C with OpenMP's directives.
//!
//! Each loop that [`privatize`] makes parallel is an alternative; their costs are compared by a model of the machine. What
//! is chosen is executed in parallel only if, at run time, the arrays do not overlap, there is enough work, more than one
//! worker and memory for the copies; otherwise the original loops are.

mod text;

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
};

use crate::{
    analysis::{Analysis, AnalysisError, Description, Options, analysis_of, analyze, failed},
    annotations::missing_clauses,
    arithmetic::{self, constant},
    arrays, c,
    classes::Class,
    closed_form::has_closed_form,
    estimate::{Estimate, Values},
    invariant_elements,
    ir::{
        Expression, Loop, LoopAttributes, LoopId, Node, Pragma, Region, VariableId, for_each_loop_mut, loops,
    },
    kernels::{self, Form, Kernels},
    outwards,
    privatize::{Choice, Copies, has_copies, marked, privatize, trips},
    program::{LoopFacts, Program},
    rules::{FloatOrder, Rejection, Rule},
    schedule::{self, Mark, Schedule, Step, simd},
    search::search,
    strategies::{self, Combining, InnermostReduction, OfTeams, OnDevice, Plan, Strategy},
    team_copies,
    team_memory::{self, Team},
    transform::{self, Setting, loop_at, replace, substituted, uses},
};

pub use crate::{
    estimate::ASSUMED_SIZES,
    machine::{CPU, Device, GPU, Machine},
    search::{Considered, Goal, Scheme},
};

/// A loop that takes more than this part of its time in order is as good as sequential for those beside it: the model is no
/// more exact, and at run time it is seldom executed in parallel.
const AS_SEQUENTIAL: f64 = 0.9;

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
    let options = goal.options.begun();
    let goal = Goal { options: &options, ..goal };
    let Goal { machine, order, options, .. } = goal;
    let (declared, in_loops) = transform::declared_in_loops(region);
    let mut region = transform::forwarded(&declared);
    region.identify_loops();
    let region = &region;
    // With a fixed order the same loops have to be parallel on all machines.
    let exact = order == FloatOrder::Fixed;
    let device = machine.device.filter(|_| !exact);
    let model_of = if exact { &*CPU } else { machine };
    let given = Given::of(region, options)?;
    let mut source = region.clone();
    let mut best = chosen(region, order, model_of, options)?;
    let as_written = best.clone();
    // Before iterations of one result became several threads'.
    let (mut undivided, mut alternatives) = (region.clone(), best.alternatives.clone());
    if device.is_some() && given.nests.is_empty() {
        for variant in outwards::variants(region, order, options)? {
            let other = chosen(&variant, order, model_of, options)?;
            // More kernels have to be worth it, beyond what the model knows.
            if other.cost < 0.7 * best.cost {
                (best, source) = (other, variant);
            }
        }
        undivided = source.clone();
        alternatives = best.alternatives.clone();
        // Loops before a nest keep their numbers.
        for nest in outwards::nests(&source, options).into_iter().rev() {
            let Some(variant) = outwards::in_parts(&source, nest.clone(), order, options)? else { continue };
            let other = chosen(&variant, order, model_of, options)?;
            let time = other.alternatives[nest.start].best;
            // Results that several threads update have to be worth it.
            if time < 0.7 * best.alternatives[nest.start].best {
                (best, source) = (other, variant);
                alternatives[nest.start].best = time;
                alternatives[nest.end - 1].strategy = "parts";
                nest.for_each(|index| alternatives[index].parallel = Ok(time));
            }
        }
    }
    let divided = divided(region, &undivided, &as_written, &alternatives, options);
    let mut parallelized = Parallelized {
        alternatives: renumbered(&numbers(&undivided), alternatives),
        region: None,
        workers: None,
        searched: Vec::new(),
        divided,
        innermost: Vec::new(),
        in_loops,
        conditions: Vec::new(),
        tests_work: false,
        maps: None,
        team_threads: BTreeMap::new(),
        enough: None,
        fixed_workers: machine.device.map(|device| device.workers),
        exact,
    };
    if goal.explained && device.is_some() {
        let numbers = numbers(&source);
        let considered = with_model(&source, order, machine, options, |model, chosen| {
            model.on_device_of(&source, |on_device, kernels| {
                on_device.considered(
                    &chosen.loops.iter().copied().collect(),
                    &chosen.teams,
                    &|of_threads, inside| kernels.sectors(of_threads, inside),
                )
            })
        })?;
        let of_region = |one: InnermostReduction| InnermostReduction { index: numbers[one.index], ..one };
        parallelized.innermost = considered.into_iter().map(of_region).collect();
    }
    let mut made = source.clone();
    let loops = Program::new(&source, options.sizes.clone()).loops.into_iter();
    let outermost: Vec<usize> =
        loops.enumerate().map(|(index, facts)| facts.around.first().copied().unwrap_or(index)).collect();
    let (mut given, mut with_copies) = (given, Vec::new());
    if device.is_some() {
        for nest in outwards::nests(&source, options).into_iter().rev() {
            if given.nests.contains(&outermost[nest.start]) || outermost[nest.start] != nest.start {
                continue;
            }
            let kernel: Vec<usize> = nest.clone().filter(|index| best.loops.contains(index)).collect();
            let Some(schedule) = with_team_copies(&source, nest.start, &kernel, order, options)? else {
                continue;
            };
            let Some(node) = loop_at(&made, nest.start).cloned() else { continue };
            let mut directed = made.clone();
            let attributes = LoopAttributes { schedules: vec![Ok(schedule)], ..LoopAttributes::default() };
            replace(&mut directed, nest.start, vec![Node::Loop(Loop { attributes, ..node })]);
            made = directed;
            given.nests.insert(nest.start);
            with_copies.push(nest.start);
        }
    }
    let numbers = numbers(&source);
    let with_copies: Vec<usize> = with_copies.into_iter().map(|index| numbers[index]).collect();
    for alternative in &mut parallelized.alternatives {
        if with_copies.contains(&alternative.index) {
            alternative.strategy = "copies";
        }
    }
    for (index, outermost) in outermost.iter().enumerate() {
        match given.nests.contains(outermost) {
            true if given.legalized.contains(&index) => set_parallel(&mut made, index),
            false if best.loops.contains(&index) => set_parallel(&mut made, index),
            _ => {}
        }
    }
    let mut teams = OfTeams::default();
    for (index, (threads, iterations)) in &best.teams {
        let chosen = loop_at(&source, *index).filter(|_| !given.nests.contains(&outermost[*index]));
        if let Some(node) = chosen {
            let strategy = Strategy::VectorAccumulator { lanes: *threads, end: Combining::Tree };
            teams.insert(node.id, strategy, *iterations);
        }
    }
    let directed = (0..outermost.len()).filter(|index| given.nests.contains(&outermost[*index]));
    let mut directed: BTreeSet<LoopId> =
        directed.filter_map(|index| loop_at(&made, index).map(|node| node.id)).collect();
    // One of each choice that is made at run time.
    let mut assumed = Vec::new();
    let is_searched = |index: &usize| {
        let free = device.is_none() && !given.nests.contains(index);
        free && goal.scheme != Scheme::Codegen && outermost[*index] == *index
    };
    for index in (0..outermost.len()).rev().filter(is_searched) {
        if let Some(found) = search(&made, index, Goal { machine: model_of, ..goal })? {
            made = found.region;
            assumed.push(found.workers);
            let (steps, considered) = (found.steps, found.considered);
            parallelized.searched.push(Searched { index, steps, considered });
        }
    }
    made = schedule::apply(&made, Setting { order, options })?;
    let is_asked_for = goal.strategy.is_some() || strategies::has_directives(&region.body);
    if machine.device.is_some() && is_asked_for {
        let directed = with_model(&made, order, machine, options, |model, _| {
            model.on_device_of(&made, |on_device, _| on_device.directed(goal.strategy))
        })?;
        made = directed.region;
        teams.extend(directed.teams);
    }
    let is_free = |node: &Loop| !node.attributes.has_openmp();
    let has_strategy = machine.device.is_none() && is_asked_for;
    let mut lanes = Plan::default();
    if machine.device.is_none() {
        let known = OnceCell::new();
        if has_strategy {
            let analysis = analysis_of(&made, options, &known)?;
            lanes = strategies::plan(&made, analysis, order, goal.strategy.map(|asked| asked.strategy))
                .map_err(AnalysisError::Rejected)?;
        }
        if strategies::may_have_rows(&made.body) {
            lanes.add_rows(&made, analysis_of(&made, options, &known)?, order);
        }
        if order == FloatOrder::Free {
            lanes.add_lanes(&made, analysis_of(&made, options, &known)?, order);
        }
        made = strategies::without_directives(&made);
        directed.extend(lanes.loops());
        made = schedule::vectorized(&made, &directed, &lanes.rows(), Setting { order, options }, &known)?;
    }
    let loops: BTreeSet<usize> =
        marked(&made).into_iter().filter(|index| loop_at(&made, *index).is_some_and(is_free)).collect();
    let is_changed =
        !loops.is_empty() || has_strategy || lanes.changes_sequential_loops() || made.body != source.body;
    if !is_changed && !schedule::is_directed(&region.body) {
        return Ok(parallelized);
    }
    let ends = |node: &Node| match node {
        Node::Declaration(declaration) if region.used_after.contains(&declaration.variable) => {
            Some(declaration.at)
        }
        _ => None,
    };
    if let Some(at) = region.body.iter().find_map(ends) {
        let reason = "the region declares a variable that is used after it, and that would end with it; \
                      declare it before the region";
        return Err(AnalysisError::Rejected(Rejection::new(Rule::Model, at, reason)));
    }
    let Description { program, context } = Description::of(region, options)?;
    parallelized.conditions = arrays::distinct(&program, &context, machine.device.is_some())
        .map_err(failed(region.at))?
        .map_err(AnalysisError::Rejected)?;
    if machine.device.is_some() {
        let maps =
            arrays::maps(&program, &context).map_err(failed(region.at))?.map_err(AnalysisError::Rejected)?;
        parallelized.maps = Some(maps);
    }
    for alternative in &mut parallelized.alternatives {
        let id = program.loops[alternative.index].node.id;
        alternative.chosen =
            loops.iter().any(|index| loop_at(&made, *index).is_some_and(|node| node.id == id));
    }
    // Without a least work nothing is tested: a check of small sizes must execute what is parallel.
    // Iterations of different lengths go to threads one after the other, which takes longer, and their data from one
    // processor to the other: a triangle of 300 rows that is transposed took 1.8 times as long with two threads.
    let is_uneven = loops.iter().any(|index| loop_at(&made, *index).is_some_and(Loop::is_uneven));
    let least_work = model_of.least_work * if is_uneven { 2 } else { 1 };
    let least_work = Some(least_work).filter(|_| device.is_none() && machine.least_work > 0);
    let mut choice = choice(loops, order, machine.device.is_some(), least_work);
    choice.atomic = schedule::marked(&made, Mark::Atomic);
    choice.is_tested =
        least_work.is_some() && !lanes.changes_sequential_loops() && is_as_written(&made.body, &region.body);
    let privatized = privatize(&made, &choice, options)?;
    let work = c::value(&privatized.region, &privatized.work);
    let mut out;
    if machine.device.is_some() && !c::is_controlled_by_host(&privatized.region, &privatized.region.body) {
        let reason = "the host would need values that the region computes on the device";
        return Err(AnalysisError::Rejected(Rejection::new(Rule::Model, region.at, reason)));
    }
    if let Some(device) = device {
        parallelized.conditions.push(format!("{work} >= {}", machine.least_work));
        out = teams.apply(&simd(&invariant_elements::updated_once(&privatized.region)));
        let shared = schedule::marked(&made, Mark::Shared).into_iter();
        let shared = shared.filter_map(|index| Some(loop_at(&made, index)?.id)).collect();
        let team = Team { workers: privatized.workers, threads: device.team, shared: &shared };
        if !c::is_same_for_team(&out.body) {
            let reason = "a condition or a bound between the parallel loops of a team uses what is stored there; make \
                          only one of the loops parallel";
            return Err(AnalysisError::Rejected(Rejection::new(Rule::Schedules, region.at, reason)));
        }
        (out, parallelized.team_threads) =
            team_memory::placed(&out, &team).map_err(AnalysisError::Rejected)?;
    } else {
        let enough = least_work.map(|least| match &privatized.enough {
            Some(enough) => format!("({})", c::value(&privatized.region, enough)),
            None => format!("{work} >= {least}"),
        });
        // What a person directs is executed so, whatever the sizes are; and small sums in a fixed order have that order.
        let is_directed = has_strategy || schedule::is_directed(&region.body) || !given.nests.is_empty();
        // Without a parallel loop nothing is called, and loops with lanes have tests of their own.
        let is_free = !choice.loops.is_empty() && least_work.is_some() && !exact && !is_directed;
        let several = privatized.several.as_ref().filter(|_| is_free);
        // In the canonical order small loops have the same result.
        let tested = match choice.is_tested && !privatized.canonical {
            true => enough,
            false => {
                parallelized.enough = enough;
                several.map(|several| format!("({})", c::value(&privatized.region, several)))
            }
        };
        parallelized.tests_work = tested.is_some();
        parallelized.conditions.splice(0..0, tested);
        let in_lanes = strategies::in_lanes(&lanes.apply(&privatized.region));
        let is_ours = |attributes: &LoopAttributes| {
            let mut marks = attributes.marks.clone();
            marks.remove(&Mark::Vectorize);
            LoopAttributes { marks, ..attributes.clone() }.is_empty()
        };
        let allowed = transform::Allowed { attributes: &is_ours, lanes: &strategies::stores_neighbours };
        out = simd(&invariant_elements::in_scalars(&transform::peeled(&in_lanes, &allowed)));
    }
    let counts = |workers: &VariableId| {
        let mut extents = out.variables.iter().flat_map(|variable| variable.extents.iter().flatten());
        uses(&out.body, *workers) || extents.any(|extent| transform::mentions(extent, *workers))
    };
    parallelized.workers = privatized.workers.filter(counts);
    assumed.retain(|assumed| uses(&out.body, *assumed));
    if let Some(first) = assumed.first() {
        let known = privatized.workers.unwrap_or(*first);
        out.variables[first.0].name = out.unused_name("workers");
        let value = arithmetic::value_of(known, out.variable(known).scalar);
        for assumed in &assumed {
            out.body = substituted(&out.body, *assumed, &value);
        }
        parallelized.workers = Some(known);
    }
    parallelized.region = Some(out);
    Ok(parallelized)
}

/// The schedule with which each team of a kernel has copies of the small arrays that its threads update; none if there are
/// no such arrays, or if the kernel is not that of the loops of one nest. `kernel` are these loops.
fn with_team_copies(
    region: &Region,
    outermost: usize,
    kernel: &[usize],
    order: FloatOrder,
    options: &Options,
) -> Result<Option<Schedule>, AnalysisError> {
    if kernel.first() != Some(&outermost) {
        return Ok(None);
    }
    let privatized = privatize(region, &kernels::choice(kernel.iter().copied().collect(), order), options)?;
    let id = loop_at(region, outermost).map(|node| node.id);
    let loops = Program::new(region, options.sizes.clone()).loops;
    // Loops that one was divided into are not told apart later.
    let is_divided = loops.iter().filter(|facts| Some(facts.node.id) == id).count() > 1;
    if is_divided || has_copies(&privatized.region.body) {
        return Ok(None);
    }
    let looped = kernels::parallel_loop(&privatized.region.body).filter(|looped| Some(looped.id) == id);
    let Some(looped) = looped.filter(|looped| c::collapsed(looped) == kernel.len()) else { return Ok(None) };
    let Some(updated) = team_copies::updated(&privatized.region, looped) else { return Ok(None) };
    let name =
        |index: &usize| loop_at(region, *index).map(|node| region.variable(node.iterator).name.clone());
    let names: Option<Vec<String>> = kernel.iter().map(name).collect();
    let Some(names) = names.filter(|names| names.iter().collect::<BTreeSet<_>>().len() == names.len()) else {
        return Ok(None);
    };
    let size = team_copies::tile(&updated, kernel.len()).to_string();
    let teams = region.unused_name("part");
    let mut steps = vec![Step::Tile { name: names[0].clone(), size, outer: teams.clone(), inner: None }];
    steps.push(Step::Parallel(teams.clone()));
    steps.extend(names.into_iter().map(Step::Parallel));
    steps.push(Step::Mark(Mark::Shared, teams));
    Ok(Some(Schedule { steps }))
}

/// The loops that a person has made parallel with OpenMP's directives.
#[derive(Default)]
struct Given {
    /// The outermost loops of nests that are directed: the model chooses nothing there.
    nests: BTreeSet<usize>,
    /// The loops whose directives do not name all copies that are needed.
    legalized: BTreeSet<usize>,
}

impl Given {
    fn of(region: &Region, options: &Options) -> Result<Given, AnalysisError> {
        let mut given = Given::default();
        let mut analysis: Option<Analysis> = None;
        let program = Program::new(region, options.sizes.clone());
        for (index, facts) in program.loops.iter().enumerate() {
            let node = facts.node;
            let outermost = facts.around.first().copied().unwrap_or(index);
            if node.attributes.is_directed() {
                given.nests.insert(outermost);
            }
            if !node.parallel || !node.attributes.has_openmp() {
                continue;
            }
            given.nests.insert(outermost);
            let known = match analysis.take() {
                Some(known) => known,
                None => analyze(region, options)?,
            };
            let report = &known.loops[index];
            if matches!(report.class, Class::Scan | Class::Sequential) {
                let why = report.obstacle.as_ref().map(ToString::to_string);
                let why =
                    why.or(report.reason.as_ref().map(|(_, reason)| reason.clone())).unwrap_or_default();
                let reason =
                    format!("a directive makes loop `{}` parallel, but it is not: {why}", report.iterator);
                return Err(AnalysisError::Rejected(Rejection::new(Rule::Annotations, node.at, reason)));
            }
            let (reduced, private) = missing_clauses(&node.attributes.pragmas, report);
            let on_device = node.attributes.pragmas.iter().any(Pragma::is_for_device);
            let complete = reduced.is_empty() && private.is_empty();
            if !on_device && !complete {
                given.legalized.insert(index);
            }
            analysis = Some(known);
        }
        Ok(given)
    }
}

/// Makes a loop parallel, whatever OpenMP's directives say of it.
fn set_parallel(region: &mut Region, index: usize) {
    let Some(node) = loop_at(region, index) else { return };
    let attributes = node.attributes.without_openmp();
    let parallel = Node::Loop(Loop { parallel: true, attributes, ..node.clone() });
    replace(region, index, vec![parallel]);
}

/// What the model chooses.
#[derive(Clone)]
struct Chosen {
    alternatives: Vec<Alternative>,
    loops: Vec<usize>,
    /// See [`Kernel::teams`].
    teams: BTreeMap<usize, (u32, f64)>,
    cost: f64,
}

fn chosen(
    region: &Region,
    order: FloatOrder,
    machine: &Machine,
    options: &Options,
) -> Result<Chosen, AnalysisError> {
    with_model(region, order, machine, options, |_, chosen| Ok(chosen))
}

/// What is made of the model of a region, and of what it chooses.
fn with_model<T>(
    region: &Region,
    order: FloatOrder,
    machine: &Machine,
    options: &Options,
    make: impl FnOnce(&Model<'_, '_>, Chosen) -> Result<T, AnalysisError>,
) -> Result<T, AnalysisError> {
    let Description { program, .. } = Description::of(region, options)?;
    let mut model = Model {
        region,
        order,
        machine,
        options,
        program: &program,
        alternatives: Vec::new(),
        teams: BTreeMap::new(),
        next: 0,
        analysis: OnceCell::new(),
        assumed: ASSUMED_SIZES[0],
    };
    model.alternatives = (0..program.loops.len())
        .map(|index| Alternative {
            index,
            sequential: 0.0,
            parallel: Ok(0.0),
            memory: 0.0,
            chosen: false,
            strategy: "parallel",
            best: 0.0,
            is_atomic: false,
        })
        .collect();
    let mut loops = Vec::new();
    let cost = model.body(&region.body, &mut BTreeMap::new(), &mut loops)?.best;
    if machine.device.is_none() {
        model.leave_beside_sequential(&mut loops);
    }
    let mut teams = model.teams.clone();
    teams.retain(|index, _| loops.contains(index));
    let chosen = Chosen { alternatives: model.alternatives.clone(), loops, teams, cost };
    make(&model, chosen)
}

/// The numbers that a region's loops had before they were moved.
fn numbers(moved: &Region) -> Vec<usize> {
    loops(&moved.body).enumerate().map(|(place, looped)| looped.id.place().unwrap_or(place)).collect()
}

/// The nests of a region that its variant for a device divides into loops which read the same arrays.
fn divided(
    region: &Region,
    variant: &Region,
    as_written: &Chosen,
    best: &[Alternative],
    options: &Options,
) -> Vec<Divided> {
    let original = Program::new(region, options.sizes.clone());
    let program = Program::new(variant, options.sizes.clone());
    let numbers = numbers(variant);
    let outermost = |index: usize| original.loops[index].around.first().copied().unwrap_or(index);
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in (0..program.loops.len()).filter(|index| program.loops[*index].around.is_empty()) {
        parts.entry(outermost(numbers[index])).or_default().push(index);
    }
    let reads = |part: usize| -> BTreeSet<&str> {
        let inside = program.accesses.iter().filter(|access| access.around.first() == Some(&part));
        let arrays = inside.filter(|access| !access.write && !access.reference.path.is_empty());
        arrays.map(|access| variant.variable(access.reference.variable).name.as_str()).collect()
    };
    let divided = parts.into_iter().filter_map(|(index, parts)| {
        let read: Vec<BTreeSet<&str>> = parts.iter().map(|part| reads(*part)).collect();
        let is_read_again = |name: &str| read.iter().filter(|names| names.contains(name)).count() > 1;
        let names: BTreeSet<&str> = read.iter().flatten().copied().collect();
        let read_again: Vec<String> =
            names.into_iter().filter(|name| is_read_again(name)).map(String::from).collect();
        let chosen = as_written.loops.iter().filter(|other| outermost(**other) == index);
        (parts.len() > 1 && !read_again.is_empty()).then(|| Divided {
            index,
            loops: parts.len(),
            read_again,
            time: parts.iter().map(|part| best[*part].best).sum(),
            undivided: as_written.alternatives[index].best,
            is_atomic: chosen.into_iter().any(|other| as_written.alternatives[*other].is_atomic),
        })
    });
    divided.collect()
}

/// The alternatives of the original's loops: of several loops that one was divided into the best.
fn renumbered(numbers: &[usize], alternatives: Vec<Alternative>) -> Vec<Alternative> {
    let mut out: BTreeMap<usize, Alternative> = BTreeMap::new();
    for alternative in alternatives {
        let index = numbers[alternative.index];
        let time =
            |alternative: &Alternative| alternative.parallel.as_ref().copied().unwrap_or(f64::INFINITY);
        match out.get_mut(&index) {
            Some(known) => {
                known.sequential += alternative.sequential;
                if time(&alternative) < time(known) {
                    *known = Alternative { index, sequential: known.sequential, ..alternative };
                }
            }
            None => {
                out.insert(index, Alternative { index, ..alternative });
            }
        }
    }
    out.into_values().collect()
}

fn choice(loops: BTreeSet<usize>, order: FloatOrder, device: bool, least_work: Option<u64>) -> Choice {
    let copies = match (device, order) {
        (true, FloatOrder::Fixed) => Copies::Columns,
        (true, _) => return kernels::choice(loops, order),
        (false, _) => Copies::Workers,
    };
    let (atomic, omitted) = (BTreeSet::new(), BTreeSet::new());
    Choice { loops, copies, atomic, order, least_work, is_tested: false, omitted }
}

/// Whether nodes are those of the source, but for which loops are parallel and which have lanes without a reduction: then
/// one thread executes the source as fast.
fn is_as_written(made: &[Node], source: &[Node]) -> bool {
    fn plain(nodes: &[Node]) -> Vec<Node> {
        let mut out = nodes.to_vec();
        for_each_loop_mut(&mut out, |looped| {
            looped.parallel = false;
            looped.attributes.marks.remove(&Mark::Vectorize);
        });
        out
    }
    plain(made) == plain(source)
}

struct Model<'m, 'r> {
    region: &'r Region,
    order: FloatOrder,
    machine: &'m Machine,
    options: &'m Options,
    program: &'m Program<'r>,
    alternatives: Vec<Alternative>,
    /// See [`Kernel::teams`].
    teams: BTreeMap<usize, (u32, f64)>,
    next: usize,
    /// Made where it is needed.
    analysis: OnceCell<Analysis>,
    /// The value of sizes in the present nest.
    assumed: f64,
}

/// A loop's time: in order, and as its body's best loops are chosen.
struct Inside {
    sequential: f64,
    best: f64,
    chosen: Vec<usize>,
}

/// What a body takes: sequential, and as it is chosen.
#[derive(Clone, Copy, Default)]
struct Cost {
    sequential: f64,
    best: f64,
}

impl<'r> Model<'_, 'r> {
    fn body(
        &mut self,
        nodes: &'r [Node],
        iterators: &mut Values,
        chosen: &mut Vec<usize>,
    ) -> Result<Cost, AnalysisError> {
        let mut cost = Cost::default();
        let mut add = |sequential: f64, best: f64| {
            cost.sequential += sequential;
            cost.best += best;
        };
        for node in nodes {
            match node {
                Node::Loop(_) => {
                    let one = self.looped(iterators, chosen)?;
                    add(one.sequential, one.best);
                }
                Node::Statement(_) | Node::Declaration(_) => {
                    add(self.machine.statement, self.machine.statement)
                }
                _ => {
                    for branch in node.bodies() {
                        let one = self.body(branch, iterators, chosen)?;
                        add(one.sequential, one.best);
                    }
                }
            }
        }
        Ok(cost)
    }

    fn looped(&mut self, iterators: &mut Values, chosen: &mut Vec<usize>) -> Result<Cost, AnalysisError> {
        let index = self.next;
        let cost = self.next_loop(iterators, chosen)?;
        self.alternatives[index].best = cost.best;
        Ok(cost)
    }

    fn next_loop(&mut self, iterators: &mut Values, chosen: &mut Vec<usize>) -> Result<Cost, AnalysisError> {
        let index = self.next;
        self.next += 1;
        if self.program.loops[index].around.is_empty() {
            self.assumed = self.assumed_of(index);
        }
        let node = self.program.loops[index].node;
        let trips = trips(node).and_then(|trips| self.value(&trips, iterators)).unwrap_or(8.0).max(0.0);
        let lower = self.value(&node.lower, iterators).unwrap_or(0.0);
        let step = constant(&node.step).unwrap_or(1) as f64;
        iterators.insert(node.iterator, lower + step * trips / 2.0);
        let mut inside = Vec::new();
        let body = self.body(&node.body, iterators, &mut inside)?;
        iterators.remove(&node.iterator);
        let executed = if self.machine.device.is_none() && has_closed_form(node) { 1.0 } else { trips };
        let sequential = executed * body.sequential;
        let inner = executed * body.best;
        self.alternatives[index].sequential = sequential;
        if self.machine.device.is_some() {
            let here = Inside { sequential, best: inner, chosen: inside };
            return self.on_device(index, iterators, here, chosen);
        }
        let choice = choice(BTreeSet::from([index]), self.order, false, None);
        let alone = privatize(self.region, &choice, self.options);
        let own = &mut self.alternatives[index];
        match alone {
            Err(AnalysisError::Rejected(rejection)) => own.parallel = Err(rejection),
            Err(error) => return Err(error),
            Ok(_) if transform::has_break(&node.body) => {
                let reason = "a `break` leaves it, perhaps at once: other threads would execute in vain what comes after; \
                              a schedule may make it parallel";
                own.parallel = Err(Rejection::new(Rule::Model, node.at, reason));
            }
            Ok(privatized) => {
                let cells = self.estimate(&privatized.region).copies(iterators);
                let workers = self.machine.threads.min(trips.max(1.0));
                let copies: f64 = cells.iter().map(|(count, _)| count).sum();
                let memory: f64 = cells.iter().map(|(count, size)| count * size).sum();
                let own = &mut self.alternatives[index];
                own.memory = memory;
                own.strategy = privatized.strategy();
                let atomic =
                    if kernels::has_atomics(&privatized.region.body) { self.machine.atomic } else { 1.0 };
                let passes = privatized.passes();
                let cost =
                    passes * (self.machine.fork + sequential * atomic / workers) + self.machine.copy * copies;
                own.parallel = Ok(cost);
                if memory > self.machine.memory {
                    let reason = format!("its copies take about {:.1} GB", memory / 1e9);
                    own.parallel = Err(Rejection::new(Rule::Limits, node.at, reason));
                } else if cost < sequential.min(inner) {
                    chosen.push(index);
                    return Ok(Cost { sequential, best: cost });
                }
            }
        }
        chosen.extend(inside);
        Ok(Cost { sequential, best: inner })
    }

    /// Leaves nests sequential beside others that stay sequential on the same arrays and take at least half as long: what
    /// threads change lies in their caches, from where the next loop has to fetch it. (Measured for a stencil: 0.2 to 0.65 of
    /// the speed, where all that can be gained is a third; for k-means 0.7.)
    fn leave_beside_sequential(&mut self, loops: &mut Vec<usize>) {
        let program = self.program;
        let is_in = |index: usize, nest: usize| index == nest || program.loops[index].around.contains(&nest);
        let arrays_in = |nest: usize| -> BTreeSet<usize> {
            let inside = program.accesses.iter().filter(|access| access.around.contains(&nest));
            inside.filter(|access| !access.reference.path.is_empty()).map(|access| access.array).collect()
        };
        let nests = (0..program.loops.len()).filter(|index| program.loops[*index].around.is_empty());
        let gains = |index: usize| {
            let Alternative { sequential, parallel, .. } = &self.alternatives[index];
            parallel.as_ref().is_ok_and(|cost| *cost <= sequential * AS_SEQUENTIAL)
        };
        let (parallel, sequential): (Vec<_>, Vec<_>) =
            nests.partition(|nest| loops.iter().any(|index| is_in(*index, *nest) && gains(*index)));
        for nest in parallel {
            let (own, changed) = (arrays_in(nest), program.arrays_changed_in(nest));
            let shares = |other: &&usize| {
                let (others, changed_there) = (arrays_in(**other), program.arrays_changed_in(**other));
                others.iter().any(|array| changed.contains(array))
                    || own.iter().any(|array| changed_there.contains(array))
            };
            let beside: f64 =
                sequential.iter().filter(shares).map(|other| self.alternatives[*other].sequential).sum();
            if 2.0 * beside >= self.alternatives[nest].sequential {
                let reason =
                    "loops beside it stay sequential on the same arrays, and take at least half as long";
                self.alternatives[nest].parallel =
                    Err(Rejection::new(Rule::Model, program.loops[nest].node.at, reason));
                loops.retain(|index| !is_in(*index, nest));
            }
        }
    }

    /// The value of sizes in the nest of an outermost loop. A loop over parts and the one inside a part count as one.
    fn assumed_of(&self, outermost: usize) -> f64 {
        let loops = &self.program.loops;
        let inside = loops.iter().filter(|other| other.around.contains(&outermost));
        let places = |other: &LoopFacts<'_>| {
            let around: BTreeSet<LoopId> = other.around.iter().map(|index| loops[*index].node.id).collect();
            around.len() - usize::from(around.contains(&other.node.id))
        };
        let depth = inside.map(places).max().unwrap_or_default();
        ASSUMED_SIZES[depth.min(ASSUMED_SIZES.len() - 1)]
    }

    fn kernels(&self, assumed: f64) -> Kernels<'_, 'r> {
        Kernels {
            region: self.region,
            order: self.order,
            machine: self.machine,
            options: self.options,
            program: self.program,
            analysis: &self.analysis,
            assumed,
        }
    }

    /// Nanoseconds of each loop, in order.
    fn times(&self) -> Vec<f64> {
        self.alternatives.iter().map(|alternative| alternative.sequential).collect()
    }

    /// What is made of the strategies of the region's innermost reductions on a device.
    fn on_device_of<T>(
        &self,
        region: &Region,
        make: impl FnOnce(OnDevice<'_>, &Kernels<'_, 'r>) -> Result<T, AnalysisError>,
    ) -> Result<T, AnalysisError> {
        let times = self.times();
        let kernel = |index: usize, forms: &[Form]| {
            let around = &self.program.loops[index].around;
            let assumed = self.assumed_of(around.first().copied().unwrap_or(index));
            self.kernels(assumed).in_form(index, forms, &times)
        };
        let Some(device) = self.machine.device else {
            let reason = "the machine is no device";
            return Err(AnalysisError::Rejected(Rejection::new(Rule::Model, region.at, reason)));
        };
        let analysis = analysis_of(region, self.options, &self.analysis)?;
        let on_device = OnDevice { region, analysis, order: self.order, device, kernel: &kernel };
        make(on_device, &self.kernels(self.assumed))
    }

    /// A loop on a device.
    fn on_device(
        &mut self,
        index: usize,
        iterators: &mut Values,
        inside: Inside,
        chosen: &mut Vec<usize>,
    ) -> Result<Cost, AnalysisError> {
        let Inside { sequential, best, chosen: chosen_inside } = inside;
        let found = self.kernels(self.assumed).best(index, iterators, &self.times())?;
        let own = &mut self.alternatives[index];
        match found {
            Err(rejection) => own.parallel = Err(rejection),
            Ok(kernel) => {
                own.parallel = Ok(kernel.cost);
                own.memory = kernel.memory;
                own.strategy = kernel.strategy;
                own.is_atomic = kernel.is_atomic;
                if kernel.cost < sequential.min(best) {
                    self.teams.retain(|inside, _| !kernel.loops.contains(inside));
                    self.teams.extend(kernel.teams);
                    chosen.extend(kernel.loops);
                    return Ok(Cost { sequential, best: kernel.cost });
                }
            }
        }
        chosen.extend(chosen_inside);
        Ok(Cost { sequential, best })
    }

    fn value(&self, expression: &Expression, iterators: &Values) -> Option<f64> {
        self.estimate(self.region).value(expression, iterators, &BTreeMap::new())
    }

    /// What is assumed of a region that is made of this one: variables that were added say how many threads there are.
    fn estimate<'e>(&'e self, region: &'e Region) -> Estimate<'e> {
        Estimate {
            region,
            options: self.options,
            assumed: self.assumed,
            threads: self.machine.threads,
            known: self.region.variables.len(),
        }
    }
}
