//! The passes that a region goes through on its way to parallel code, in their order.

use std::{
    borrow::Cow,
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    time::{Duration, Instant},
};

use super::{
    divided::{divided, numbers, renumbered},
    given::Given,
    made::{Parallelized, Searched},
    statements::{Chosen, choice, chosen, with_model},
};
use crate::{
    analysis::{
        Analyses, Analysis, AnalysisError, Description, Options, analysis_of, arrays, failed,
        program::Program,
    },
    c,
    cost::{
        machine::{CPU, Device, Machine},
        policy::{MORE_KERNELS, WORK_OF_UNEVEN},
    },
    decide::{
        goal::{Goal, Scheme},
        kernels,
        search::search,
    },
    ir::{
        Combining, Loop, LoopAttributes, LoopId, Mark, Node, Region, Schedule, Strategy, VariableId,
        arithmetic, for_each_loop_mut, loops, verify::verify_between_passes,
    },
    rules::{FloatOrder, Rejection, Rule},
    transform::{
        self, Setting, invariant_elements, loop_at, outwards,
        privatize::{Choice, Privatized, has_copies, marked, privatize, privatize_classified},
        replace,
        schedule::{self, Step, simd},
        simplify,
        strategies::{self, InnermostReduction, OfTeams, Plan},
        substituted, team_copies,
        team_memory::{self, Team},
        uses,
    },
};

/// A pass over a region.
pub struct Pass {
    /// Its name, in lower case with hyphens; or the step of a schedule.
    pub name: Cow<'static, str>,
    /// What it does, for people.
    pub about: &'static str,
    /// Whether [`crate::parallelize::parallelize_by`] has it; others run where they are named.
    pub is_usual: bool,
    run: Run,
}

/// What a pass does.
enum Run {
    Function(fn(&mut Unit<'_>) -> Result<Flow, AnalysisError>),
    /// Performs a schedule in each nest that has its loops.
    Schedule(Schedule),
}

impl Pass {
    const fn new(
        name: &'static str,
        about: &'static str,
        run: fn(&mut Unit<'_>) -> Result<Flow, AnalysisError>,
    ) -> Pass {
        Pass { name: Cow::Borrowed(name), about, is_usual: true, run: Run::Function(run) }
    }

    /// A pass that only runs where it is named.
    const fn named(
        name: &'static str,
        about: &'static str,
        run: fn(&mut Unit<'_>) -> Result<Flow, AnalysisError>,
    ) -> Pass {
        Pass { name: Cow::Borrowed(name), about, is_usual: false, run: Run::Function(run) }
    }

    /// A pass that performs a step of a schedule, `tile(i, 32, i_tile)`, in each nest that has the step's loops.
    ///
    /// # Errors
    ///
    /// What is wrong with the step.
    pub fn of_step(text: &str) -> Result<Pass, String> {
        let schedule = Schedule::parse(&format!("schedule({text})"))?;
        let about = "performs a step of a schedule";
        Ok(Pass { name: text.to_string().into(), about, is_usual: false, run: Run::Schedule(schedule) })
    }
}

/// A pass that has run.
pub struct Ran<'r> {
    /// The pass.
    pub pass: &'r Pass,
    /// The region after it.
    pub region: &'r Region,
    /// Whether it has changed the region.
    pub changed: bool,
    /// How long it took.
    pub time: Duration,
}

/// What comes after a pass.
enum Flow {
    Next,
    /// Nothing is to be made of the region.
    Done,
}

/// The passes, in their order.
pub static PASSES: &[Pass] = &[
    Pass::new(
        "normalize",
        "declares scalars in the loops that use them, and puts values in place of names",
        normalize,
    ),
    Pass::named("simplify", "makes reductions cheaper whose results share what they combine", simplify),
    Pass::named("own-iterators", "lets loops declare their iterators", own_iterators),
    Pass::named("sink", "moves declarations between two loops into the inner one", sink),
    Pass::named("distribute", "makes a loop of each part of a body, as far as dependences allow", distribute),
    Pass::named(
        "fuse",
        "makes one loop of adjacent ones with the same iterations, as far as dependences allow",
        fuse,
    ),
    Pass::named("unswitch", "tests conditions that a loop does not change around it", unswitch),
    Pass::new(
        "choose",
        "chooses parallel loops by the model of the machine; for a GPU moves loops outwards and divides them",
        choose,
    ),
    Pass::new(
        "explain",
        "finds what strategies would take of innermost reductions on a GPU, if that is asked for",
        explain,
    ),
    Pass::new("team-copies", "directs copies of small arrays for each team of a GPU", direct_team_copies),
    Pass::new("mark", "makes the chosen loops parallel", mark),
    Pass::new("search", "searches the form of each nest, unless the scheme is codegen", search_nests),
    Pass::new("schedule", "performs schedules", perform_schedules),
    Pass::new("strategies", "decides which strategy innermost reductions have", decide_strategies),
    Pass::new("vectorize", "finds innermost loops for OpenMP's simd, on a CPU", vectorize),
    Pass::new(
        "guard",
        "finds the conditions under which the parallel code is right, and what a GPU needs of arrays",
        guard,
    ),
    Pass::new("privatize", "gives parallel loops their private copies", privatize_loops),
    Pass::new("work", "finds when there is enough work for the parallel code", test_work),
    Pass::new("lanes", "puts innermost reductions and searches into vector lanes, on a CPU", lanes),
    Pass::new("peel", "executes the first and last iterations of parallel loops apart, on a CPU", peel),
    Pass::new(
        "scalars",
        "keeps elements that a loop does not change in scalars, and updates shared ones once",
        scalars,
    ),
    Pass::new("simd", "writes OpenMP's simd in front of vectorized loops", write_simd),
    Pass::new(
        "teams",
        "divides innermost reductions among the threads of a team, and places copies in its memory, on a GPU",
        teams,
    ),
    Pass::new("workers", "declares the number of workers", declare_workers),
];

/// A region on its way through the passes.
struct Unit<'g> {
    goal: Goal<'g>,
    /// The machine whose model decides. With a fixed order the same loops have to be parallel on all machines.
    model_of: &'g Machine,
    /// The device, if loops are chosen for it.
    device: Option<Device>,
    /// The region as it was read, normalized.
    original: Region,
    /// That with the loops moved that the choice has moved; once loops are private, as it was before.
    source: Region,
    /// As it is now.
    region: Region,
    /// What is known of it, until a pass changes it.
    known: OnceCell<Analysis>,
    given: Given,
    chosen: Chosen,
    /// The outermost loop around each loop of `source`.
    outermost: Vec<usize>,
    /// Loops of nests that a person directs.
    directed: BTreeSet<LoopId>,
    /// One variable for each choice that is made at run time.
    assumed: Vec<VariableId>,
    teams: OfTeams,
    lanes: Plan,
    /// Whether a person asks for strategies on a CPU.
    has_strategy: bool,
    choice: Option<Choice>,
    privatized: Option<Privatized>,
    made: Parallelized,
}

impl Unit<'_> {
    fn setting(&self) -> Setting<'_> {
        Setting { order: self.goal.order, options: self.goal.options }
    }

    /// Takes another region in place of what there is, before loops are chosen.
    fn replaced(&mut self, mut region: Region) {
        region.identify_loops();
        self.original = region.clone();
        self.source = region.clone();
        self.region = region;
    }

    fn is_for_cpu(&self) -> bool {
        self.goal.machine.device.is_none()
    }

    fn exact(&self) -> bool {
        self.goal.order == FloatOrder::Fixed
    }

    fn rejected<T>(&self, rule: Rule, reason: &str) -> Result<T, AnalysisError> {
        Err(AnalysisError::Rejected(Rejection::new(rule, self.original.at, reason)))
    }
}

/// Takes a region through passes. What is made has a region if something is to be made; beside it is the region after the last
/// pass that ran.
pub(super) fn run<'p>(
    region: &Region,
    goal: Goal<'_>,
    passes: impl IntoIterator<Item = &'p Pass>,
    trace: &mut dyn FnMut(&Ran<'_>),
) -> Result<(Parallelized, Region), AnalysisError> {
    let exact = goal.order == FloatOrder::Fixed;
    let mut region = region.clone();
    region.identify_loops();
    let mut unit = Unit {
        goal,
        model_of: if exact { &CPU } else { goal.machine },
        device: goal.machine.device.filter(|_| !exact),
        original: region.clone(),
        source: region.clone(),
        region,
        known: OnceCell::new(),
        given: Given::default(),
        chosen: Chosen::default(),
        outermost: Vec::new(),
        directed: BTreeSet::new(),
        assumed: Vec::new(),
        teams: OfTeams::default(),
        lanes: Plan::default(),
        has_strategy: false,
        choice: None,
        privatized: None,
        made: Parallelized {
            alternatives: Vec::new(),
            region: None,
            workers: None,
            searched: Vec::new(),
            divided: Vec::new(),
            innermost: Vec::new(),
            in_loops: Vec::new(),
            conditions: Vec::new(),
            tests_work: false,
            maps: None,
            team_threads: BTreeMap::new(),
            enough: None,
            fixed_workers: goal.machine.device.map(|device| device.workers),
            exact,
        },
    };
    for pass in passes {
        let (begin, before) = (Instant::now(), unit.region.clone());
        let flow = match &pass.run {
            Run::Function(run) => run(&mut unit)?,
            Run::Schedule(schedule) => perform(&mut unit, schedule)?,
        };
        let changed = unit.region != before;
        verified(&unit, pass)?;
        if changed {
            unit.known = OnceCell::new();
        }
        trace(&Ran { pass, region: &unit.region, changed, time: begin.elapsed() });
        if matches!(flow, Flow::Done) {
            return Ok((unit.made, unit.region));
        }
    }
    unit.made.region = Some(unit.region.clone());
    Ok((unit.made, unit.region))
}

/// In tests: whether what a pass has made is well formed.
fn verified(unit: &Unit<'_>, pass: &Pass) -> Result<(), AnalysisError> {
    if !cfg!(debug_assertions) {
        return Ok(());
    }
    verify_between_passes(&unit.region).map_err(|error| {
        let reason = format!("what the pass `{}` has made is not well formed: {error}", pass.name);
        AnalysisError::Rejected(Rejection::new(Rule::Model, unit.original.at, reason))
    })
}

fn perform(unit: &mut Unit<'_>, schedule: &Schedule) -> Result<Flow, AnalysisError> {
    let mut region = unit.region.clone();
    let names: Vec<&str> = schedule.steps.iter().flat_map(|step| step.loops()).collect();
    let mut is_found = false;
    for node in &mut region.body {
        let Node::Loop(looped) = node else { continue };
        let around = std::slice::from_ref(&*looped).iter().chain(loops(&looped.body));
        let iterators: BTreeSet<&str> =
            around.map(|looped| unit.region.variable(looped.iterator).name.as_str()).collect();
        if names.iter().all(|name| iterators.contains(name)) {
            looped.attributes.schedules.push(Ok(schedule.clone()));
            is_found = true;
        }
    }
    if !is_found {
        return unit.rejected(Rule::Schedules, &format!("no nest has the loops of `{schedule}`"));
    }
    let performed = schedule::apply(&region, unit.setting())?;
    unit.replaced(performed);
    Ok(Flow::Next)
}

fn simplify(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    let setting = simplify::Setting::new(unit.goal.order, unit.goal.options);
    let simplified = simplify::simplify(&unit.region, &setting)?;
    unit.replaced(simplified.region);
    Ok(Flow::Next)
}

fn own_iterators(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    let step = "the pass own-iterators";
    let owned = transform::with_own_iterators(&unit.region, unit.goal.options, step, |_| true)?;
    unit.replaced(owned);
    Ok(Flow::Next)
}

fn sink(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    if let Some(sunk) = transform::sunk(&unit.region) {
        unit.replaced(sunk);
    }
    Ok(Flow::Next)
}

fn distribute(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    if let Some(divided) = transform::divided(&unit.region, |_| true, unit.setting())? {
        unit.replaced(divided);
    }
    Ok(Flow::Next)
}

fn fuse(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    if let Some(fused) = transform::fused(&unit.region, unit.setting())? {
        unit.replaced(fused);
    }
    Ok(Flow::Next)
}

fn unswitch(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    unit.replaced(transform::unswitched(&unit.region));
    Ok(Flow::Next)
}

fn normalize(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    let (declared, in_loops) = transform::declared_in_loops(&unit.original);
    unit.made.in_loops = in_loops;
    unit.original = transform::forwarded(&declared);
    unit.original.identify_loops();
    unit.source = unit.original.clone();
    unit.region = unit.original.clone();
    unit.given = Given::of(&unit.original, unit.goal.options)?;
    Ok(Flow::Next)
}

fn choose(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    let Goal { order, options, .. } = unit.goal;
    let region = &unit.original;
    let mut best = chosen(region, order, unit.model_of, options)?;
    let as_written = best.clone();
    // Before iterations of one result became several threads'.
    let (mut undivided, mut alternatives) = (region.clone(), best.alternatives.clone());
    if unit.device.is_some() && unit.given.nests.is_empty() {
        for variant in outwards::variants(region, order, options)? {
            let other = chosen(&variant, order, unit.model_of, options)?;
            if other.cost < MORE_KERNELS * best.cost {
                (best, unit.source) = (other, variant);
            }
        }
        undivided = unit.source.clone();
        alternatives = best.alternatives.clone();
        let parts = |wanted: &dyn Fn(usize) -> bool| outwards::in_parts(&undivided, wanted, order, options);
        let (mut divided, mut nests) = parts(&|_| true)?;
        if !nests.is_empty() {
            let mut other = chosen(&divided, order, unit.model_of, options)?;
            // Each nest in parts has one loop more. Results that several threads update have to be worth it.
            let time = |other: &Chosen, place: usize, nest: &Range<usize>| {
                other.alternatives[nest.start + place].best
            };
            let is_better = |(place, nest): (usize, &Range<usize>)| {
                (time(&other, place, nest) < MORE_KERNELS * best.alternatives[nest.start].best)
                    .then_some(nest.start)
            };
            let better: BTreeSet<usize> = nests.iter().enumerate().filter_map(is_better).collect();
            if better.len() < nests.len() {
                (divided, nests) = parts(&|first| better.contains(&first))?;
                other = chosen(&divided, order, unit.model_of, options)?;
            }
            for (place, nest) in nests.iter().enumerate() {
                let time = time(&other, place, nest);
                alternatives[nest.start].best = time;
                alternatives[nest.end - 1].strategy = "parts";
                nest.clone().for_each(|index| alternatives[index].parallel = Ok(time));
            }
            if !nests.is_empty() {
                (best, unit.source) = (other, divided);
            }
        }
    }
    unit.made.divided = divided(region, &undivided, &as_written, &alternatives, options);
    unit.made.alternatives = renumbered(&numbers(&undivided), alternatives);
    unit.chosen = best;
    unit.region = unit.source.clone();
    let loops = Program::new(&unit.source, options.sizes.clone()).loops.into_iter();
    unit.outermost =
        loops.enumerate().map(|(index, facts)| facts.around.first().copied().unwrap_or(index)).collect();
    Ok(Flow::Next)
}

fn explain(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    if !unit.goal.explained || unit.device.is_none() {
        return Ok(Flow::Next);
    }
    let Goal { machine, order, options, .. } = unit.goal;
    let (source, numbers) = (&unit.source, numbers(&unit.source));
    let considered = with_model(source, order, machine, options, |model, chosen| {
        model.on_device_of(source, |on_device, kernels| {
            on_device.considered(
                &chosen.loops.iter().copied().collect(),
                &chosen.teams,
                &|of_threads, inside| kernels.sectors(of_threads, inside),
            )
        })
    })?;
    let of_region = |one: InnermostReduction| InnermostReduction { index: numbers[one.index], ..one };
    unit.made.innermost = considered.into_iter().map(of_region).collect();
    Ok(Flow::Next)
}

fn direct_team_copies(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    if unit.device.is_none() {
        return Ok(Flow::Next);
    }
    let Goal { order, options, .. } = unit.goal;
    let numbers = numbers(&unit.source);
    let known = Analyses::new(&unit.source, options);
    for nest in outwards::nests(&unit.source, options).into_iter().rev() {
        let outermost = unit.outermost[nest.start];
        if unit.given.nests.contains(&outermost) || outermost != nest.start {
            continue;
        }
        let kernel: Vec<usize> = nest.clone().filter(|index| unit.chosen.loops.contains(index)).collect();
        let Some(schedule) = with_team_copies(&unit.source, &known, nest.start, &kernel, order, options)?
        else {
            continue;
        };
        let Some(node) = loop_at(&unit.region, nest.start).cloned() else { continue };
        let attributes = LoopAttributes { schedules: vec![Ok(schedule)], ..LoopAttributes::default() };
        replace(&mut unit.region, nest.start, vec![Node::Loop(Loop { attributes, ..node })]);
        unit.given.nests.insert(nest.start);
        let mut alternatives = unit.made.alternatives.iter_mut();
        alternatives
            .by_ref()
            .filter(|one| one.index == numbers[nest.start])
            .for_each(|one| one.strategy = "copies");
    }
    Ok(Flow::Next)
}

fn mark(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    for (index, outermost) in unit.outermost.iter().enumerate() {
        match unit.given.nests.contains(outermost) {
            true if unit.given.legalized.contains(&index) => set_parallel(&mut unit.region, index),
            false if unit.chosen.loops.contains(&index) => set_parallel(&mut unit.region, index),
            _ => {}
        }
    }
    for (index, (threads, iterations)) in &unit.chosen.teams {
        let is_directed = unit.given.nests.contains(&unit.outermost[*index]);
        if let Some(node) = loop_at(&unit.source, *index).filter(|_| !is_directed) {
            let strategy = Strategy::VectorAccumulator { lanes: *threads, end: Combining::Tree };
            unit.teams.insert(node.id, strategy, *iterations);
        }
    }
    let directed =
        (0..unit.outermost.len()).filter(|index| unit.given.nests.contains(&unit.outermost[*index]));
    unit.directed = directed.filter_map(|index| Some(loop_at(&unit.region, index)?.id)).collect();
    Ok(Flow::Next)
}

fn search_nests(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    let is_searched = |index: &usize| {
        let free = unit.device.is_none() && !unit.given.nests.contains(index);
        free && unit.goal.scheme != Scheme::Codegen && unit.outermost[*index] == *index
    };
    for index in (0..unit.outermost.len()).rev().filter(is_searched) {
        if let Some(found) = search(&unit.region, index, Goal { machine: unit.model_of, ..unit.goal })? {
            unit.region = found.region;
            unit.assumed.push(found.workers);
            let (steps, considered) = (found.steps, found.considered);
            unit.made.searched.push(Searched { index, steps, considered });
        }
    }
    Ok(Flow::Next)
}

fn perform_schedules(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    unit.region = schedule::apply(&unit.region, unit.setting())?;
    Ok(Flow::Next)
}

fn decide_strategies(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    let Goal { machine, order, options, strategy, .. } = unit.goal;
    let is_asked_for = strategy.is_some() || strategies::has_directives(&unit.original.body);
    unit.has_strategy = unit.is_for_cpu() && is_asked_for;
    if !unit.is_for_cpu() {
        if is_asked_for {
            let region = &unit.region;
            let directed = with_model(region, order, machine, options, |model, _| {
                model.on_device_of(region, |on_device, _| on_device.directed(strategy))
            })?;
            unit.region = directed.region;
            unit.teams.extend(directed.teams);
        }
        return Ok(Flow::Next);
    }
    let (region, known) = (&unit.region, &unit.known);
    if unit.has_strategy {
        let analysis = analysis_of(region, options, known)?;
        let all = strategy.map(|asked| asked.strategy);
        unit.lanes = strategies::plan(region, analysis, order, all).map_err(AnalysisError::Rejected)?;
    }
    if strategies::may_have_rows(&region.body) {
        unit.lanes.add_rows(region, analysis_of(region, options, known)?, order);
    }
    if order == FloatOrder::Free {
        unit.lanes.add_lanes(region, analysis_of(region, options, known)?, order);
    }
    unit.region = strategies::without_directives(region);
    unit.directed.extend(unit.lanes.loops());
    Ok(Flow::Next)
}

fn vectorize(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    if unit.is_for_cpu() {
        let rows = unit.lanes.rows();
        unit.region = schedule::vectorized(&unit.region, &unit.directed, &rows, unit.setting(), &unit.known)?;
    }
    Ok(Flow::Next)
}

fn guard(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    let is_free = |node: &Loop| !node.attributes.has_openmp();
    let region = &unit.region;
    let loops: BTreeSet<usize> =
        marked(region).into_iter().filter(|index| loop_at(region, *index).is_some_and(is_free)).collect();
    let is_changed = !loops.is_empty()
        || unit.has_strategy
        || unit.lanes.changes_sequential_loops()
        || region.body != unit.source.body;
    if !is_changed && !schedule::is_directed(&unit.original.body) {
        return Ok(Flow::Done);
    }
    let ends = |node: &Node| match node {
        Node::Declaration(declaration) => {
            unit.original.used_after.contains(&declaration.variable).then_some(declaration.at)
        }
        _ => None,
    };
    if let Some(at) = unit.original.body.iter().find_map(ends) {
        let reason = "the region declares a variable that is used after it, and that would end with it; \
                      declare it before the region";
        return Err(AnalysisError::Rejected(Rejection::new(Rule::Model, at, reason)));
    }
    let Description { program, context } = Description::of(&unit.original, unit.goal.options)?;
    let failed = failed(unit.original.at);
    let distinct = arrays::distinct(&program, &context, !unit.is_for_cpu())
        .map_err(failed)?
        .map_err(AnalysisError::Rejected)?;
    let assumed = unit.original.assumed.iter().map(|condition| c::value(&unit.original, condition));
    // A null pointer has nothing that could be moved to a device.
    let tests = unit.original.null_tests.values().filter(|_| !unit.is_for_cpu());
    let tests = tests.map(|test| unit.original.variable(*test).name.clone());
    unit.made.conditions = tests.chain(assumed).chain(distinct).collect();
    if !unit.is_for_cpu() {
        let maps = arrays::maps(&program, &context).map_err(failed)?.map_err(AnalysisError::Rejected)?;
        unit.made.maps = Some(maps);
    }
    let parallel: BTreeSet<LoopId> =
        loops.iter().filter_map(|index| Some(loop_at(&unit.region, *index)?.id)).collect();
    for alternative in &mut unit.made.alternatives {
        alternative.chosen = parallel.contains(&program.loops[alternative.index].node.id);
    }
    // Without a least work nothing is tested: a check of small sizes must execute what is parallel.
    let is_uneven = loops.iter().any(|index| loop_at(&unit.region, *index).is_some_and(Loop::is_uneven));
    let least_work = unit.model_of.least_work * if is_uneven { WORK_OF_UNEVEN } else { 1 };
    let is_tested = unit.device.is_none() && unit.goal.machine.least_work > 0;
    let least_work = Some(least_work).filter(|_| is_tested);
    let mut choice = choice(loops, unit.goal.order, !unit.is_for_cpu(), least_work);
    choice.atomic = schedule::marked(&unit.region, Mark::Atomic);
    choice.is_tested = least_work.is_some()
        && !unit.lanes.changes_sequential_loops()
        && is_as_written(&unit.region.body, &unit.original.body);
    unit.choice = Some(choice);
    Ok(Flow::Next)
}

fn privatize_loops(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    // Without a guard loops are parallel in all cases.
    let (order, is_device) = (unit.goal.order, !unit.is_for_cpu());
    let region = &unit.region;
    let choice = unit.choice.get_or_insert_with(|| choice(marked(region), order, is_device, None));
    let privatized = privatize(region, choice, unit.goal.options)?;
    unit.source = std::mem::replace(&mut unit.region, privatized.region.clone());
    unit.privatized = Some(privatized);
    Ok(Flow::Next)
}

fn test_work(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    let (Some(choice), Some(privatized)) = (&unit.choice, &unit.privatized) else { return Ok(Flow::Done) };
    let region = &unit.region;
    let work = c::value(region, &privatized.work);
    if !unit.is_for_cpu() && !c::is_controlled_by_host(region, &region.body) {
        return unit
            .rejected(Rule::Model, "the host would need values that the region computes on the device");
    }
    if unit.device.is_some() {
        unit.made.conditions.push(format!("{work} >= {}", unit.goal.machine.least_work));
        return Ok(Flow::Next);
    }
    let enough = choice.least_work.map(|least| match &privatized.enough {
        Some(enough) => format!("({})", c::value(region, enough)),
        None => format!("{work} >= {least}"),
    });
    // What a person directs is executed so, whatever the sizes are; and small sums in a fixed order have that order.
    let is_directed =
        unit.has_strategy || schedule::is_directed(&unit.original.body) || !unit.given.nests.is_empty();
    // Without a parallel loop nothing is called, and loops with lanes have tests of their own.
    let is_free = !choice.loops.is_empty() && choice.least_work.is_some() && !unit.exact() && !is_directed;
    let several = privatized.several.as_ref().filter(|_| is_free);
    // In the canonical order small loops have the same result.
    let tested = match choice.is_tested && !privatized.canonical {
        true => enough,
        false => {
            unit.made.enough = enough;
            several.map(|several| format!("({})", c::value(region, several)))
        }
    };
    unit.made.tests_work = tested.is_some();
    unit.made.conditions.splice(0..0, tested);
    Ok(Flow::Next)
}

fn lanes(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    if unit.device.is_none() {
        unit.region = strategies::in_lanes(&unit.lanes.apply(&unit.region));
    }
    Ok(Flow::Next)
}

fn peel(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    if unit.device.is_none() {
        let is_ours = |attributes: &LoopAttributes| {
            let mut marks = attributes.marks.clone();
            marks.remove(&Mark::Vectorize);
            LoopAttributes { marks, ..attributes.clone() }.is_empty()
        };
        let allowed = transform::Allowed { attributes: &is_ours, lanes: &strategies::stores_neighbours };
        unit.region = transform::peeled(&unit.region, &allowed);
    }
    Ok(Flow::Next)
}

fn scalars(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    unit.region = match unit.device {
        Some(_) => invariant_elements::updated_once(&unit.region),
        None => invariant_elements::in_scalars(&unit.region),
    };
    Ok(Flow::Next)
}

fn write_simd(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    unit.region = simd(&unit.region);
    Ok(Flow::Next)
}

fn teams(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    let Some(device) = unit.device else { return Ok(Flow::Next) };
    let out = unit.teams.apply(&unit.region);
    let shared = schedule::marked(&unit.source, Mark::Shared).into_iter();
    let shared = shared.filter_map(|index| Some(loop_at(&unit.source, index)?.id)).collect();
    let workers = unit.privatized.as_ref().and_then(|privatized| privatized.workers);
    let team = Team { workers, threads: device.team, shared: &shared };
    if !c::is_same_for_team(&out.body) {
        let reason = "a condition or a bound between the parallel loops of a team uses what is stored there; make \
                      only one of the loops parallel";
        return unit.rejected(Rule::Schedules, reason);
    }
    (unit.region, unit.made.team_threads) =
        team_memory::placed(&out, &team).map_err(AnalysisError::Rejected)?;
    Ok(Flow::Next)
}

fn declare_workers(unit: &mut Unit<'_>) -> Result<Flow, AnalysisError> {
    let workers = unit.privatized.as_ref().and_then(|privatized| privatized.workers);
    let out = &mut unit.region;
    let counts = |workers: &VariableId| {
        let mut extents = out.variables.iter().flat_map(|variable| variable.extents.iter().flatten());
        uses(&out.body, *workers) || extents.any(|extent| extent.mentions(*workers))
    };
    unit.made.workers = workers.filter(counts);
    unit.assumed.retain(|assumed| uses(&out.body, *assumed));
    if let Some(first) = unit.assumed.first() {
        let known = workers.unwrap_or(*first);
        out.variables[first.0].name = out.unused_name("workers");
        let value = arithmetic::value_of(known, out.variable(known).scalar);
        for assumed in &unit.assumed {
            out.body = substituted(&out.body, *assumed, &value);
        }
        unit.made.workers = Some(known);
    }
    Ok(Flow::Next)
}

/// The schedule with which each team of a kernel has copies of the small arrays that its threads update; none if there are
/// no such arrays, or if the kernel is not that of the loops of one nest. `kernel` are these loops.
fn with_team_copies(
    region: &Region,
    known: &Analyses<'_>,
    outermost: usize,
    kernel: &[usize],
    order: FloatOrder,
    options: &Options,
) -> Result<Option<Schedule>, AnalysisError> {
    if kernel.first() != Some(&outermost) {
        return Ok(None);
    }
    let choice = kernels::choice(kernel.iter().copied().collect(), order);
    let privatized = privatize_classified(known.classified()?, &choice, options)?;
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

/// Makes a loop parallel, whatever OpenMP's directives say of it.
fn set_parallel(region: &mut Region, index: usize) {
    let Some(node) = loop_at(region, index) else { return };
    let attributes = node.attributes.without_openmp();
    let parallel = Node::Loop(Loop { parallel: true, attributes, ..node.clone() });
    replace(region, index, vec![parallel]);
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
