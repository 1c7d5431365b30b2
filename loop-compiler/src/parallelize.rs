//! The choice of parallel loops for a machine, and the region as C with OpenMP's directives.
//!
//! Each loop that [`privatize`] makes parallel is an alternative; their costs are compared by a model of the machine. What
//! is chosen is executed in parallel only if, at run time, the arrays do not overlap, there is enough work, more than one
//! worker and memory for the copies; otherwise the original loops are.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    analysis::{Analysis, AnalysisError, Options, analyze},
    annotations::{is_openmp, missing_clauses},
    arithmetic::constant,
    bounds, c,
    classes::Class,
    estimate::{Declared, Estimate, Values},
    isl::{Context, IslError},
    privatize::{Choice, Copies, marked, privatize, trips},
    program::Program,
    rules::{FloatOrder, Rejection, Rule},
    schedule::{self, Mark, Schedule, Step, simd},
    search::search,
    transform::{Setting, loop_at, replace, substituted, uses},
    tree::{Expression, Loop, Node, Region, Storage, VariableId},
};

pub use crate::{
    estimate::ASSUMED_SIZES,
    machine::{CPU, Machine},
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
    /// How: `parallel`, or `privatized` with copies.
    pub strategy: &'static str,
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
    /// Conditions in C under which arrays do not overlap.
    distinct: Vec<String>,
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
    parallelize_by(region, Goal { machine, scheme: Scheme::Codegen, order, options })
}

/// Chooses parallel loops of a region for a machine: what a person directs or annotates is done or rejected, and the other
/// nests are searched.
///
/// # Errors
///
/// If isl is missing, if nothing may be parallel because of the region as a whole, and if what a person directs is not
/// possible.
pub fn parallelize_by(region: &Region, goal: Goal<'_>) -> Result<Parallelized, AnalysisError> {
    let Goal { machine, order, options, .. } = goal;
    let failed = |error: IslError| match error {
        IslError::Missing(_) => AnalysisError::Library(error),
        error => {
            AnalysisError::Rejected(Rejection::new(Rule::Limits, region.at, format!("too complex: {error}")))
        }
    };
    let program = Program::new(region, options.sizes.clone());
    let mut model = Model {
        region,
        order,
        machine,
        options,
        program: &program,
        alternatives: Vec::new(),
        next: 0,
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
        })
        .collect();
    let mut chosen = Vec::new();
    model.body(&region.body, &mut BTreeMap::new(), &mut chosen)?;
    let mut parallelized = Parallelized {
        alternatives: model.alternatives,
        region: None,
        workers: None,
        searched: Vec::new(),
        distinct: Vec::new(),
    };
    let given = Given::of(region, options)?;
    let mut made = region.clone();
    for (index, facts) in program.loops.iter().enumerate() {
        let outermost = facts.around.first().copied().unwrap_or(index);
        match given.nests.contains(&outermost) {
            true if given.legalized.contains(&index) => set_parallel(&mut made, index),
            false if chosen.contains(&index) => set_parallel(&mut made, index),
            _ => {}
        }
    }
    let mut workers = None;
    let outermost = (0..program.loops.len()).filter(|index| program.loops[*index].around.is_empty());
    for index in
        outermost.rev().filter(|index| goal.scheme != Scheme::Codegen && !given.nests.contains(index))
    {
        if let Some(found) = search(&made, index, goal)? {
            (made, workers) = (found.region, Some(found.workers));
            let (steps, considered) = (found.steps, found.considered);
            parallelized.searched.push(Searched { index, steps, considered });
        }
    }
    made = schedule::apply(&made, Setting { order, options })?;
    let loops: BTreeSet<usize> = marked(&made)
        .into_iter()
        .filter(|index| {
            loop_at(&made, *index).is_some_and(|node| !node.directives.iter().any(|text| is_openmp(text)))
        })
        .collect();
    if loops.is_empty() && !schedule::is_directed(&region.body) {
        return Ok(parallelized);
    }
    if let Some(Node::Declaration(declaration)) =
        region.body.iter().find(|node| matches!(node, Node::Declaration(_)))
    {
        let reason = "the region declares a variable outside of all loops, which would end with it; \
                      declare it before the region";
        return Err(AnalysisError::Rejected(Rejection::new(Rule::Model, declaration.at, reason)));
    }
    let context = Context::new(options.operations, options.time).map_err(failed)?;
    parallelized.distinct = distinct(&program, &context).map_err(failed)?.map_err(AnalysisError::Rejected)?;
    for alternative in &mut parallelized.alternatives {
        let at = program.loops[alternative.index].node.at;
        alternative.chosen =
            loops.iter().any(|index| loop_at(&made, *index).is_some_and(|node| node.at == at));
    }
    let mut choice = choice(loops, order, Some(machine.least_work));
    choice.atomic = schedule::marked(&made, Mark::Atomic);
    let privatized = privatize(&made, &choice, options)?;
    let mut out = simd(&privatized.region);
    parallelized.workers = privatized.workers;
    if let Some(assumed) = workers.filter(|workers| uses(&out.body, *workers)) {
        let known = privatized.workers.unwrap_or(assumed);
        let names =
            (1..).map(|number| if number == 1 { "workers".into() } else { format!("workers_{number}") });
        let taken = |name: &String| out.variables.iter().any(|variable| variable.name == *name);
        out.variables[assumed.0].name = names.into_iter().find(|name| !taken(name)).unwrap_or_default();
        let value = crate::arithmetic::value_of(known, out.variable(known).scalar);
        out.body = substituted(&out.body, assumed, &value);
        parallelized.workers = Some(known);
    }
    parallelized.region = Some(out);
    Ok(parallelized)
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
            if node.directives.iter().any(|text| Schedule::of(text).is_some()) {
                given.nests.insert(outermost);
            }
            if !node.parallel || !node.directives.iter().any(|text| is_openmp(text)) {
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
            let (reduced, private) = missing_clauses(&node.directives, report);
            let on_device = node.directives.iter().any(|text| text.contains("target"));
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
    let directives = node.directives.iter().filter(|text| !is_openmp(text)).cloned().collect();
    let parallel = Node::Loop(Loop { parallel: true, directives, ..node.clone() });
    replace(region, index, vec![parallel]);
}

fn choice(loops: BTreeSet<usize>, order: FloatOrder, least_work: Option<u64>) -> Choice {
    let copies = if order == FloatOrder::Fixed { Copies::Parts } else { Copies::Workers };
    Choice { loops, copies, atomic: BTreeSet::new(), order, least_work, omitted: BTreeSet::new() }
}

impl Parallelized {
    /// The region as C, with `#line` directives if a file is named; `original` is the region that it was made from.
    pub fn text(&self, original: &Region, file: Option<&str>) -> Option<String> {
        let region = self.region.as_ref()?;
        let mut out = String::from("{\n");
        if let Some(workers) = self.workers {
            let name = &region.variable(workers).name;
            out += "#ifdef _OPENMP\n  extern int omp_get_max_threads(void);\n";
            out += &format!("  long {name} = omp_get_max_threads();\n#else\n  long {name} = 1;\n#endif\n");
        }
        if self.distinct.is_empty() {
            out += &c::print_lines(region, 2, file);
        } else {
            out += &format!("  if ({}) {{\n", self.distinct.join("\n      && "));
            out += &c::print_lines(region, 4, file);
            out += "  } else {\n";
            out += &c::print_lines(original, 4, file);
            out += "  }\n";
        }
        Some(out + "}\n")
    }
}

struct Model<'m, 'r> {
    region: &'r Region,
    order: FloatOrder,
    machine: &'m Machine,
    options: &'m Options,
    program: &'m Program<'r>,
    alternatives: Vec<Alternative>,
    next: usize,
    /// The value of sizes in the present nest.
    assumed: f64,
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
                Node::If(guard) => {
                    for branch in [&guard.then, &guard.otherwise] {
                        let one = self.body(branch, iterators, chosen)?;
                        add(one.sequential, one.best);
                    }
                }
                Node::Statement(_) | Node::Declaration(_) => {
                    add(self.machine.statement, self.machine.statement)
                }
                _ => {}
            }
        }
        Ok(cost)
    }

    fn looped(&mut self, iterators: &mut Values, chosen: &mut Vec<usize>) -> Result<Cost, AnalysisError> {
        let index = self.next;
        self.next += 1;
        let loops = &self.program.loops;
        if loops[index].around.is_empty() {
            let inside = loops.iter().filter(|other| other.around.contains(&index));
            let depth = inside.map(|other| other.around.len()).max().unwrap_or_default();
            self.assumed = ASSUMED_SIZES[depth.min(ASSUMED_SIZES.len() - 1)];
        }
        let node = self.program.loops[index].node;
        let trips = trips(node).and_then(|trips| self.value(&trips, iterators)).unwrap_or(8.0).max(0.0);
        let lower = self.value(&node.lower, iterators).unwrap_or(0.0);
        let step = constant(&node.step).unwrap_or(1) as f64;
        iterators.insert(node.iterator, lower + step * trips / 2.0);
        let mut inside = Vec::new();
        let body = self.body(&node.body, iterators, &mut inside)?;
        iterators.remove(&node.iterator);
        let sequential = trips * body.sequential;
        let inner = trips * body.best;
        let alone = privatize(self.region, &choice(BTreeSet::from([index]), self.order, None), self.options);
        let own = &mut self.alternatives[index];
        own.sequential = sequential;
        match alone {
            Err(AnalysisError::Rejected(rejection)) => own.parallel = Err(rejection),
            Err(error) => return Err(error),
            Ok(privatized) => {
                let cells = cells(&privatized.region, self.assumed, &|expression, declared| {
                    self.estimate(&privatized.region).value(expression, iterators, declared)
                });
                let workers = self.machine.threads.min(trips.max(1.0));
                let copies: f64 = cells.iter().map(|(count, _)| count).sum();
                let memory: f64 = cells.iter().map(|(count, size)| count * size).sum();
                let own = &mut self.alternatives[index];
                own.memory = memory;
                own.strategy = if cells.is_empty() { "parallel" } else { "privatized" };
                let cost = self.machine.fork + sequential / workers + self.machine.copy * copies;
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

/// For each private memory its elements and the bytes of one.
fn cells(
    region: &Region,
    unknown: f64,
    value: &dyn Fn(&Expression, &Declared<'_>) -> Option<f64>,
) -> Vec<(f64, f64)> {
    fn visit<'t>(nodes: &'t [Node], declared: &mut Declared<'t>, found: &mut Vec<VariableId>) {
        for node in nodes {
            match node {
                Node::Loop(looped) => visit(&looped.body, declared, found),
                Node::If(guard) => {
                    visit(&guard.then, declared, found);
                    visit(&guard.otherwise, declared, found);
                }
                Node::Declaration(declaration) => {
                    declared.extend(declaration.value.as_ref().map(|value| (declaration.variable, value)));
                }
                Node::Private(private) => found.push(private.variable),
                _ => {}
            }
        }
    }
    let (mut declared, mut found) = (BTreeMap::new(), Vec::new());
    visit(&region.body, &mut declared, &mut found);
    let size = |id: VariableId| {
        let variable = region.variable(id);
        let extents = variable.extents.iter().flatten();
        let count: f64 = extents.map(|extent| value(extent, &declared).unwrap_or(unknown)).product();
        (count, variable.scalar.size() as f64)
    };
    found.into_iter().map(size).collect()
}

/// Conditions under which the arrays of a region do not overlap, or why there are none.
fn distinct(
    program: &Program<'_>,
    context: &std::rc::Rc<Context>,
) -> Result<Result<Vec<String>, Rejection>, IslError> {
    let mut ends: BTreeMap<&String, (String, String)> = BTreeMap::new();
    let region = program.region;
    for name in region.overlaps.iter().flat_map(|(first, second)| [first, second]) {
        if ends.contains_key(name) {
            continue;
        }
        let unknown = || {
            let reason = format!(
                "which elements of `{name}` are accessed is not known, so that it cannot be checked whether it overlaps \
                 with others; declare it restrict, or pass --assume-distinct"
            );
            Ok(Err(Rejection::new(Rule::Aliasing, region.at, reason)))
        };
        let Some(array) = program.arrays.iter().position(|array| array.name == *name) else {
            return unknown();
        };
        let described = &program.arrays[array];
        let variable = region.variable(described.variable);
        if !described.members.is_empty() {
            return unknown();
        }
        let accesses: Vec<usize> =
            (0..program.accesses.len()).filter(|access| program.accesses[*access].array == array).collect();
        let bounds = bounds::everywhere(program, context, &accesses)?;
        let (mut first, mut last) = (variable.name.clone(), variable.name.clone());
        for (place, bounds) in bounds.into_iter().enumerate() {
            let declared = variable.extents.get(place).cloned().flatten();
            let owns = matches!(variable.storage, Storage::Global | Storage::Local);
            let bounds = bounds.or_else(|| {
                let extent = declared.filter(|_| owns)?;
                let end = crate::arithmetic::subtract(extent, crate::arithmetic::number(1));
                Some((crate::arithmetic::number(0), end))
            });
            let Some((least, greatest)) = bounds else { return unknown() };
            first += &format!("[{}]", c::value(region, &least));
            last += &format!("[{}]", c::value(region, &greatest));
        }
        let address = |text: &str| format!("(__UINTPTR_TYPE__) {text}");
        ends.insert(name, (address(&format!("&{first}")), address(&format!("(&{last} + 1)"))));
    }
    let conditions = region.overlaps.iter().map(|(first, second)| {
        let ((first, past_first), (second, past_second)) = (&ends[first], &ends[second]);
        format!("({past_first} <= {second} || {past_second} <= {first})")
    });
    Ok(Ok(conditions.collect()))
}
