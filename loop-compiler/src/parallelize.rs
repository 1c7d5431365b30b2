//! The choice of parallel loops for a machine, and the region as C with OpenMP's directives.
//!
//! Each loop that [`privatize`] makes parallel is an alternative; their costs are compared by a model of the machine. What
//! is chosen is executed in parallel only if, at run time, the arrays do not overlap, there is enough work, more than one
//! worker and memory for the copies; otherwise the original loops are.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    accumulators,
    affine::Case,
    analysis::{Analysis, AnalysisError, Description, Options, analyze, failed},
    annotations::{is_openmp, missing_clauses},
    arithmetic::{self, add, constant, number, subtract},
    bounds, c,
    classes::Class,
    estimate::{Declared, Estimate, Values},
    isl::{Context, IslError},
    outwards,
    privatize::{Choice, Copies, marked, privatize, trips},
    program::{Access, Program},
    rules::{FloatOrder, Rejection, Rule},
    schedule::{self, Mark, Schedule, Step, simd},
    search::search,
    transform::{Setting, loop_at, replace, substituted, uses},
    tree::{Aliasing, Expression, Loop, Node, Position, Region, Storage, Store, VariableId},
};

pub use crate::{
    estimate::ASSUMED_SIZES,
    machine::{CPU, Device, GPU, Machine},
    search::{Considered, Goal, Scheme},
};

/// An array or a structure that a device needs.
#[derive(Clone, Debug)]
struct Map {
    variable: VariableId,
    /// Whether the region changes it.
    changed: bool,
    /// Of a pointer the first element and their number, by the names of variables that have the values.
    section: Option<[(String, Expression); 2]>,
}

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
    /// Conditions in C under which the region is executed in parallel.
    conditions: Vec<String>,
    /// What the arrays' clauses on a device say.
    maps: Option<Vec<Map>>,
    /// The condition in C under which there is enough work for several threads.
    enough: Option<String>,
    /// How many workers there are, if that is not OpenMP's number of threads.
    fixed_workers: Option<u32>,
    /// Whether results must not depend on where they are computed.
    exact: bool,
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
    // The order that is fixed is that of the CPU's parts: the loops must be the same.
    let exact = order == FloatOrder::Fixed;
    let device = machine.device.filter(|_| !exact);
    let model_of = if exact { &*CPU } else { machine };
    let given = Given::of(region, options)?;
    let mut source = region.clone();
    let mut best = chosen(region, order, model_of, options)?;
    if device.is_some() && given.nests.is_empty() {
        for variant in outwards::variants(region, order, options)? {
            let other = chosen(&variant, order, model_of, options)?;
            // More kernels have to be worth it, beyond what the model knows.
            if other.cost < 0.7 * best.cost {
                (best, source) = (other, variant);
            }
        }
    }
    let mut parallelized = Parallelized {
        alternatives: renumbered(&renumbering(region, &source), best.alternatives),
        region: None,
        workers: None,
        searched: Vec::new(),
        conditions: Vec::new(),
        maps: None,
        enough: None,
        fixed_workers: device.map(|device| device.workers),
        exact,
    };
    let mut made = source.clone();
    let loops = Program::new(&source, options.sizes.clone()).loops.into_iter();
    let outermost: Vec<usize> =
        loops.enumerate().map(|(index, facts)| facts.around.first().copied().unwrap_or(index)).collect();
    for (index, outermost) in outermost.iter().enumerate() {
        match given.nests.contains(outermost) {
            true if given.legalized.contains(&index) => set_parallel(&mut made, index),
            false if best.loops.contains(&index) => set_parallel(&mut made, index),
            _ => {}
        }
    }
    let directed = (0..outermost.len()).filter(|index| given.nests.contains(&outermost[*index]));
    let directed: BTreeSet<Position> =
        directed.filter_map(|index| loop_at(&made, index).map(|node| node.at)).collect();
    let mut workers = None;
    let is_searched = |index: &usize| {
        let free = device.is_none() && !given.nests.contains(index);
        free && goal.scheme != Scheme::Codegen && outermost[*index] == *index
    };
    for index in (0..outermost.len()).rev().filter(is_searched) {
        if let Some(found) = search(&made, index, Goal { machine: model_of, ..goal })? {
            (made, workers) = (found.region, Some(found.workers));
            let (steps, considered) = (found.steps, found.considered);
            parallelized.searched.push(Searched { index, steps, considered });
        }
    }
    made = schedule::apply(&made, Setting { order, options })?;
    let is_free = |node: &Loop| !node.directives.iter().any(|text| is_openmp(text));
    let loops: BTreeSet<usize> =
        marked(&made).into_iter().filter(|index| loop_at(&made, *index).is_some_and(is_free)).collect();
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
    let Description { program, context } = Description::of(region, options)?;
    parallelized.conditions =
        distinct(&program, &context).map_err(failed(region.at))?.map_err(AnalysisError::Rejected)?;
    if machine.device.is_some() {
        let maps = maps(&program, &context).map_err(failed(region.at))?.map_err(AnalysisError::Rejected)?;
        parallelized.maps = Some(maps);
    }
    for alternative in &mut parallelized.alternatives {
        let at = program.loops[alternative.index].node.at;
        alternative.chosen =
            loops.iter().any(|index| loop_at(&made, *index).is_some_and(|node| node.at == at));
    }
    if machine.device.is_none() {
        made = schedule::vectorized(&made, &directed, Setting { order, options })?;
    }
    // Without a least work nothing is tested: a check of small sizes must execute what is parallel.
    let least_work = Some(model_of.least_work).filter(|_| device.is_none() && machine.least_work > 0);
    let mut choice = choice(loops, order, device.is_some(), least_work);
    choice.atomic = schedule::marked(&made, Mark::Atomic);
    let privatized = privatize(&made, &choice, options)?;
    let work = c::value(&privatized.region, &privatized.work);
    match least_work {
        None => parallelized.conditions.push(format!("{work} >= {}", machine.least_work)),
        Some(least) => parallelized.enough = Some(format!("{work} >= {least}")),
    }
    let mut out = match machine.device {
        Some(_) => privatized.region,
        None => accumulators::in_scalars(&privatized.region),
    };
    out = simd(&out);
    parallelized.workers = privatized.workers;
    if let Some(assumed) = workers.filter(|workers| uses(&out.body, *workers)) {
        let known = privatized.workers.unwrap_or(assumed);
        out.variables[assumed.0].name = out.unused_name("workers");
        let value = arithmetic::value_of(known, out.variable(known).scalar);
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

/// What the model chooses.
struct Chosen {
    alternatives: Vec<Alternative>,
    loops: Vec<usize>,
    cost: f64,
}

fn chosen(
    region: &Region,
    order: FloatOrder,
    machine: &Machine,
    options: &Options,
) -> Result<Chosen, AnalysisError> {
    let Description { program, .. } = Description::of(region, options)?;
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
    let mut loops = Vec::new();
    let cost = model.body(&region.body, &mut BTreeMap::new(), &mut loops)?.best;
    Ok(Chosen { alternatives: model.alternatives, loops, cost })
}

/// The numbers of a region's loops in another one, in which they have another order.
fn renumbering(original: &Region, moved: &Region) -> Vec<usize> {
    fn loops(nodes: &[Node], found: &mut Vec<(Position, VariableId)>) {
        for node in nodes {
            match node {
                Node::Loop(looped) => {
                    found.push((looped.at, looped.iterator));
                    loops(&looped.body, found);
                }
                Node::If(guard) => {
                    loops(&guard.then, found);
                    loops(&guard.otherwise, found);
                }
                _ => {}
            }
        }
    }
    let (mut first, mut second) = (Vec::new(), Vec::new());
    loops(&original.body, &mut first);
    loops(&moved.body, &mut second);
    let number = |(place, looped)| first.iter().position(|other| other == looped).unwrap_or(place);
    second.iter().enumerate().map(number).collect()
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
    let copies = match order {
        FloatOrder::Fixed => Copies::Parts,
        _ if device => Copies::Device,
        _ => Copies::Workers,
    };
    Choice { loops, copies, atomic: BTreeSet::new(), order, least_work, omitted: BTreeSet::new() }
}

impl Parallelized {
    /// The region as C, with `#line` directives if a file is named; `original` is the region that it was made from.
    pub fn text(&self, original: &Region, file: Option<&str>) -> Option<String> {
        let region = self.region.as_ref()?;
        let mut out = String::from("{\n");
        if self.exact {
            out += "  #pragma STDC FP_CONTRACT OFF\n";
        }
        match (self.workers, self.fixed_workers) {
            (Some(workers), Some(count)) => {
                out += &format!("  long {} = {count};\n", region.variable(workers).name);
            }
            (Some(workers), None) => {
                let name = &region.variable(workers).name;
                out += "#ifdef _OPENMP\n  extern int omp_get_max_threads(void);\n";
                // With little work the call would take longer than the loops.
                let threads = match &self.enough {
                    Some(enough) => format!("{enough} ? omp_get_max_threads() : 1"),
                    None => "omp_get_max_threads()".into(),
                };
                out += &format!("  long {name} = {threads};\n#else\n  long {name} = 1;\n#endif\n");
            }
            (None, _) => {}
        }
        let body = |indent| match &self.maps {
            None => c::print_lines(region, indent, file),
            Some(maps) if maps.is_empty() => c::print_device(region, indent, file),
            Some(maps) => {
                let blank = " ".repeat(indent);
                let (mut values, mut clauses) = (String::new(), String::new());
                for Map { variable, changed, section } in maps {
                    let name = &region.variable(*variable).name;
                    let moved = if *changed { "tofrom" } else { "to" };
                    clauses += &format!(" map({moved}: {name}");
                    // clang 22 makes wrong code of `?:` in a clause.
                    if let Some([(first, least), (count, number)]) = section {
                        let (least, number) = (c::value(region, least), c::value(region, number));
                        values += &format!("{blank}long {first} = {least}, {count} = {number};\n");
                        clauses += &format!("[{first}:{count}]");
                    }
                    clauses += ")";
                }
                let inside = c::print_device(region, indent + 2, file);
                format!("{values}{blank}#pragma omp target data{clauses}\n{blank}{{\n{inside}{blank}}}\n")
            }
        };
        if self.conditions.is_empty() {
            out += &body(2);
        } else {
            out += &format!("  if ({}) {{\n", self.conditions.join("\n      && "));
            out += &body(4);
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
        self.alternatives[index].sequential = sequential;
        if self.machine.device.is_some() {
            return self.on_device(index, iterators, Cost { sequential, best: inner }, inside, chosen);
        }
        let choice = choice(BTreeSet::from([index]), self.order, false, None);
        let alone = privatize(self.region, &choice, self.options);
        let own = &mut self.alternatives[index];
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
                let atomic = if has_atomics(&privatized.region.body) { self.machine.atomic } else { 1.0 };
                let cost = self.machine.fork + sequential * atomic / workers + self.machine.copy * copies;
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

    /// A loop on a device: alone, or with those inside that it may be collapsed with.
    fn on_device(
        &mut self,
        index: usize,
        iterators: &mut Values,
        inside: Cost,
        chosen_inside: Vec<usize>,
        chosen: &mut Vec<usize>,
    ) -> Result<Cost, AnalysisError> {
        let sequential = inside.sequential;
        let mut best: Option<(f64, BTreeSet<usize>, f64)> = None;
        let mut loops = BTreeSet::new();
        let mut next = Some(index);
        let mut threads = 1.0;
        let mut around = Values::new();
        while let Some(innermost) = next {
            let node = self.program.loops[innermost].node;
            let trips = trips(node).and_then(|trips| self.value(&trips, iterators)).unwrap_or(8.0).max(0.0);
            threads *= trips.max(1.0);
            loops.insert(innermost);
            let choice = choice(loops.clone(), self.order, true, None);
            let privatized = match privatize(self.region, &choice, self.options) {
                Ok(privatized) => privatized.region,
                Err(AnalysisError::Rejected(rejection)) => {
                    if best.is_none() {
                        self.alternatives[index].parallel = Err(rejection);
                    }
                    break;
                }
                Err(error) => return Err(error),
            };
            let cells = cells(&privatized, self.assumed, &|expression, declared| {
                self.estimate(&privatized).value(expression, iterators, declared)
            });
            if loops.len() > 1 && (!cells.is_empty() || !are_collapsed(&privatized, loops.len())) {
                break;
            }
            if !c::is_controlled_by_host(&privatized, &privatized.body) {
                let reason = "the host would need values that the region computes on the device";
                self.alternatives[index].parallel = Err(Rejection::new(Rule::Model, node.at, reason));
                break;
            }
            let (cost, memory) = self.device_cost(innermost, threads, sequential, &privatized, &cells);
            if memory > self.machine.memory {
                if best.is_none() {
                    let reason = format!("its copies take about {:.1} GB", memory / 1e9);
                    self.alternatives[index].parallel = Err(Rejection::new(Rule::Limits, node.at, reason));
                }
                break;
            }
            if best.as_ref().is_none_or(|(least, ..)| cost <= *least) {
                best = Some((cost, loops.clone(), memory));
                self.alternatives[index].strategy = if cells.is_empty() { "parallel" } else { "privatized" };
            }
            let lower = self.value(&node.lower, iterators).unwrap_or(0.0);
            let middle = lower + constant(&node.step).unwrap_or(1) as f64 * trips / 2.0;
            around.insert(node.iterator, middle);
            iterators.insert(node.iterator, middle);
            next = matches!(&node.body[..], [Node::Loop(_)]).then_some(innermost + 1);
        }
        for iterator in around.keys() {
            iterators.remove(iterator);
        }
        if let Some((cost, loops, memory)) = best {
            let own = &mut self.alternatives[index];
            own.parallel = Ok(cost);
            own.memory = memory;
            if cost < sequential.min(inside.best) {
                chosen.extend(loops);
                return Ok(Cost { sequential, best: cost });
            }
        }
        chosen.extend(chosen_inside);
        Ok(inside)
    }

    /// What a kernel takes with so many threads, neighbours being iterations of the innermost loop, and bytes of copies.
    fn device_cost(
        &self,
        innermost: usize,
        threads: f64,
        sequential: f64,
        privatized: &Region,
        cells: &[(f64, f64)],
    ) -> (f64, f64) {
        let Some(device) = self.machine.device else { return (f64::INFINITY, 0.0) };
        let copies: f64 = cells.iter().map(|(count, _)| count).sum();
        let memory: f64 = cells.iter().map(|(count, size)| count * size).sum();
        let accesses: Vec<_> = self
            .program
            .accesses
            .iter()
            .filter(|access| access.around.contains(&innermost) && !access.subscripts.is_empty())
            .collect();
        // Neighbours share what they access if it is the same element, or the next one.
        let is_near = |access: &&&Access<'_>| {
            let mut subscripts = access.subscripts.iter().rev();
            let moves = |subscript: &Option<Vec<Case>>| match subscript.as_deref() {
                Some([only]) => only.value.coefficient(innermost),
                _ => 2,
            };
            let last = subscripts.next().map_or(0, moves);
            last.abs() <= 1 && subscripts.all(|subscript| moves(subscript) == 0)
        };
        let near = accesses.iter().filter(is_near).count() as f64;
        let all = (accesses.len() as f64).max(1.0);
        let reach = (near + device.distant * (all - near)).max(all) / all;
        let slow = device.slower
            * (reach + self.machine.atomic * f64::from(u8::from(has_atomics(&privatized.body))));
        let workers = if cells.is_empty() { threads } else { threads.min(f64::from(device.workers)) };
        let parallel = workers.min(self.machine.threads);
        (self.machine.fork + sequential * slow / parallel + self.machine.copy * copies, memory)
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

/// Whether so many loops, one inside the other, are one kernel.
fn are_collapsed(region: &Region, number: usize) -> bool {
    fn find(nodes: &[Node]) -> Option<&Loop> {
        nodes.iter().find_map(|node| match node {
            Node::Loop(looped) if looped.parallel => Some(looped),
            Node::Loop(looped) => find(&looped.body),
            Node::If(guard) => find(&guard.then).or_else(|| find(&guard.otherwise)),
            _ => None,
        })
    }
    find(&region.body).is_some_and(|looped| c::collapsed(looped) == number)
}

/// Whether elements of arrays are reduced into by several threads.
fn has_atomics(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Loop(looped) => has_atomics(&looped.body),
        Node::If(guard) => has_atomics(&guard.then) || has_atomics(&guard.otherwise),
        Node::Statement(statement) => {
            matches!(statement.store, Store::Reduce { .. }) && !statement.target.path.is_empty()
        }
        _ => false,
    })
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
                let end = subtract(extent, number(1));
                Some((number(0), end))
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

/// What is moved to the device, and back, as OpenMP's clauses say it; or which array's elements are not known.
fn maps(
    program: &Program<'_>,
    context: &std::rc::Rc<Context>,
) -> Result<Result<Vec<Map>, Rejection>, IslError> {
    let region = program.region;
    let mut variables: BTreeMap<VariableId, bool> = BTreeMap::new();
    for access in &program.accesses {
        let array = &program.arrays[access.array];
        let is_scalar = access.reference.path.is_empty();
        if is_scalar || array.declared_in.is_some() {
            continue;
        }
        *variables.entry(array.variable).or_default() |= access.write;
    }
    let mut clauses = Vec::new();
    for (id, changed) in variables {
        let variable = region.variable(id);
        let unknown = |why: &str| {
            let reason = format!(
                "which elements of `{}` are accessed is not known, so that it cannot be mapped to the device: {why}",
                variable.name
            );
            Ok(Err(Rejection::new(Rule::Model, region.at, reason)))
        };
        if variable.aliasing == Aliasing::Rows {
            return unknown("its rows may lie anywhere; use one array");
        }
        let is_object = variable.extents.first().is_none_or(Option::is_some)
            && matches!(variable.storage, Storage::Global | Storage::Local);
        if is_object {
            clauses.push(Map { variable: id, changed, section: None });
            continue;
        }
        let mut box_of: Option<(Expression, Expression)> = None;
        for array in (0..program.arrays.len()).filter(|array| program.arrays[*array].variable == id) {
            let accesses: Vec<usize> = (0..program.accesses.len())
                .filter(|access| program.accesses[*access].array == array)
                .collect();
            if accesses.is_empty() {
                continue;
            }
            let bounds = bounds::everywhere(program, context, &accesses)?.into_iter().next().flatten();
            let declared = variable.extents.first().cloned().flatten();
            let bounds = bounds.or_else(|| Some((number(0), subtract(declared?, number(1)))));
            let Some((first, last)) = bounds else {
                return unknown("declare it as an array, or access it through a pointer to one");
            };
            box_of = Some(match box_of {
                None => (first, last),
                Some((least, most)) => (arithmetic::least(least, first), arithmetic::greatest(most, last)),
            });
        }
        let Some((first, last)) = box_of else { continue };
        let count = arithmetic::greatest(subtract(add(last, number(1)), first.clone()), number(0));
        let section = Some([
            (unused(region, &format!("{}_first", variable.name)), first),
            (unused(region, &format!("{}_count", variable.name)), count),
        ]);
        clauses.push(Map { variable: id, changed, section });
    }
    Ok(Ok(clauses))
}

/// A name that no variable of the region has, nor one of those that are made for it.
fn unused(region: &Region, name: &str) -> String {
    let mut name = name.to_string();
    while region.variables.iter().any(|variable| variable.name == name) {
        name += "_";
    }
    name
}
