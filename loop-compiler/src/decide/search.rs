//! The search for a nest's best form: its parts, the order and the tiles of its loops, and which one is parallel.
//!
//! Each form is proved by [`crate::transform`], and costs what a model of the machine says: statements, lines of memory that
//! are read, a parallel loop's begin and end, and copies. The cost is an expression of sizes and workers, which is
//! evaluated for assumed sizes here, and, where the best form depends on them, once more when the program is executed.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use crate::{
    analysis::{Analysis, AnalysisError, Options, analyze, classes::Class},
    cost::policy::{
        ASSUMED_SIZES, FORMS, LOOPS_OF_ALL_ORDERS, OTHER_FORM, OTHER_THREADS, PART_OF_OPERATIONS,
        SEARCH_TIME, SMALL_SIZE, UNKNOWN_TRIPS,
    },
    cost::{
        estimate::{Estimate, Values},
        machine::Machine,
    },
    ir::{
        Aliasing, BinaryOperator, Expression, ExpressionKind, Loop, Node, Reference, Region, Step as Path,
        Storage, Variable, VariableId,
        arithmetic::{least, long, number, value_of},
        convert, loops,
        types::Scalar,
    },
    rules::{FloatOrder, Rejection, Rule},
    transform::{
        self, Setting, Tile, loop_at,
        privatize::{Choice, Copies, Counted, privatize},
        schedule::{Schedule, Step},
        strategies::Asked,
    },
};

/// What the search knows of reductions: the three schemes of Polly's article.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// Reduction-enabled code generation: loops stay where they are.
    Codegen,
    /// Reduction-enabled scheduling: loops are transformed, and copies cost nothing.
    Scheduling,
    /// Reduction-aware scheduling: copies have their cost.
    #[default]
    Aware,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Scheme; 3] = [Scheme::Codegen, Scheme::Scheduling, Scheme::Aware];

    /// The name in options.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Codegen => "codegen",
            Scheme::Scheduling => "scheduling",
            Scheme::Aware => "aware",
        }
    }
}

/// What is searched for.
#[derive(Clone, Copy, Debug)]
pub struct Goal<'g> {
    /// The machine.
    pub machine: &'g Machine,
    /// What is known of reductions.
    pub scheme: Scheme,
    /// Whether floating-point operations may be reordered.
    pub order: FloatOrder,
    /// How regions are analysed.
    pub options: &'g Options,
    /// The strategy of innermost reductions that can have it and have no directive for another one.
    pub strategy: Option<Asked>,
    /// Whether it is to be said, for a device, what strategies would take.
    pub explained: bool,
}

/// A form of a nest that was considered.
#[derive(Clone, Debug)]
pub struct Considered {
    /// The steps that lead to it, as a schedule has them; none for the nest as it is.
    pub steps: Vec<Step>,
    /// Nanoseconds.
    pub time: f64,
    /// Elements of copies.
    pub copies: f64,
    /// Elements of copies that are combined.
    pub aggregations: f64,
    /// Bytes of copies.
    pub memory: f64,
    /// Why it is not taken although it may be the best.
    pub rejected: Option<Rejection>,
}

/// The form that is taken.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The region with the nest in this form, in which the loops that are to be parallel say so.
    pub region: Region,
    /// The variable that stands for the number of workers in a choice at run time.
    pub workers: VariableId,
    /// The steps.
    pub steps: Vec<Step>,
    /// What was considered, the cheapest first.
    pub considered: Vec<Considered>,
}

/// What copies a loop of a nest needs if it is parallel: the table of the article's seventh figure.
pub fn placements(region: &Region, goal: Goal<'_>) -> Result<Vec<Considered>, AnalysisError> {
    let (region, workers) = with_workers(region);
    let analysis = analyze(&region, goal.options)?;
    let model = Model::new(&region, workers, goal);
    let placed = |index: usize| {
        let plan = model.plan(&analysis, index, vec![Step::Parallel(analysis.loops[index].iterator.clone())]);
        let Plan { steps, time, copies, aggregations, memory, .. } = plan;
        Considered { steps, time, copies, aggregations, memory, rejected: None }
    };
    Ok((0..analysis.loops.len()).map(placed).collect())
}

/// Searches the best form of the nest of an outermost loop; none if that is the nest as it is, in order.
pub(crate) fn search(region: &Region, index: usize, goal: Goal<'_>) -> Result<Option<Found>, AnalysisError> {
    let operations = goal.options.operations / PART_OF_OPERATIONS;
    let options = Options { operations, ..goal.options.clone() };
    let goal = Goal { options: &options, ..goal };
    let (region, workers) = with_workers(region);
    let Some(node) = loop_at(&region, index) else { return Ok(None) };
    let mut alone = Region { body: vec![Node::Loop(node.clone())], ..region.clone() };
    for inner in 0..count(&alone.body) {
        set_parallel(&mut alone, inner, false);
    }
    let mut search = Search {
        goal,
        workers,
        names: BTreeMap::new(),
        forms: 0,
        deadline: Instant::now() + SEARCH_TIME,
        considered: Vec::new(),
    };
    let mut owned = alone.clone();
    if goal.scheme != Scheme::Codegen
        && let Some(own) = transform::possible(transform::own_iterators(&alone, 0, "the search"))?
    {
        owned = own.region;
        search.names = own.names.into_iter().map(|(name, own)| (own, name)).collect();
    }
    let mut plans = search.nests(&alone, &owned)?;
    plans.sort_by(|first, second| first.time.total_cmp(&second.time));
    let in_order = search.in_order(&alone);
    let Some(best) = search.taken(&mut plans, |plan| plan.time < in_order)? else {
        return Ok(None);
    };
    let steps = best.steps.clone();
    let other = search.other(&mut plans, &best)?;
    let made = match other {
        Some(other) => search.at_run_time(best, other),
        None => best.region,
    };
    let mut out = Region { variables: made.variables, ..region };
    transform::replace(&mut out, index, made.body);
    search.considered.sort_by(|first, second| first.time.total_cmp(&second.time));
    Ok(Some(Found { region: out, workers, steps, considered: search.considered }))
}

/// The region with a variable for the number of workers.
fn with_workers(region: &Region) -> (Region, VariableId) {
    let mut region = region.clone();
    let workers = region.add(Variable {
        name: "workers of the choice".into(),
        scalar: Scalar::LONG,
        declared_type: String::new(),
        extents: Vec::new(),
        storage: Storage::Local,
        aliasing: Aliasing::Distinct,
    });
    (region, workers)
}

/// A form with parallel loops.
#[derive(Clone)]
struct Plan {
    /// The nests.
    region: Region,
    /// The parallel loops, by number.
    parallel: Vec<usize>,
    cost: Expression,
    time: f64,
    steps: Vec<Step>,
    copies: f64,
    aggregations: f64,
    memory: f64,
}

impl Plan {
    fn in_order(region: &Region) -> Plan {
        Plan {
            region: region.clone(),
            parallel: Vec::new(),
            cost: real(0.0),
            time: 0.0,
            steps: Vec::new(),
            copies: 0.0,
            aggregations: 0.0,
            memory: 0.0,
        }
    }
}

/// Where a form may be the best.
#[derive(Clone, Copy)]
struct Situation {
    threads: f64,
    /// A size that is [`SMALL_SIZE`].
    small: Option<VariableId>,
}

struct Search<'g> {
    goal: Goal<'g>,
    workers: VariableId,
    /// What iterators are called in the source.
    names: BTreeMap<String, String>,
    forms: usize,
    deadline: Instant,
    considered: Vec<Considered>,
}

impl Search<'_> {
    fn setting(&self) -> Setting<'_> {
        Setting { order: self.goal.order, options: self.goal.options }
    }

    fn is_over(&self) -> bool {
        self.forms >= FORMS || Instant::now() > self.deadline
    }

    fn in_order(&self, region: &Region) -> f64 {
        let model = Model::new(region, self.workers, self.goal);
        model.evaluated(&model.cost(None, None))
    }

    /// The name of a loop's iterator in the source.
    fn name(&self, region: &Region, index: usize) -> String {
        let name = loop_at(region, index).map_or("", |node| region.variable(node.iterator).name.as_str());
        self.names.get(name).map_or(name, String::as_str).to_string()
    }

    /// The first of the plans that satisfies a condition and can be executed: its parallel loops say so then.
    fn taken(
        &mut self,
        plans: &mut Vec<Plan>,
        condition: impl Fn(&Plan) -> bool,
    ) -> Result<Option<Plan>, AnalysisError> {
        while let Some(place) = plans.iter().position(&condition) {
            let mut plan = plans.remove(place);
            let rejected = self.rejection(&plan)?;
            if rejected.is_none() {
                for index in plan.parallel.clone() {
                    set_parallel(&mut plan.region, index, true);
                }
                return Ok(Some(plan));
            }
            if let Some(considered) = self.considered.iter_mut().find(|one| one.steps == plan.steps) {
                considered.rejected = rejected;
            }
        }
        Ok(None)
    }

    /// All plans with the nest in one piece, and with its parts.
    fn nests(&mut self, alone: &Region, owned: &Region) -> Result<Vec<Plan>, AnalysisError> {
        let mut plans = self.band(alone, owned)?;
        if self.goal.scheme != Scheme::Codegen {
            for (steps, parts) in self.in_parts(owned)? {
                plans.extend(self.sequence(&parts, &steps)?);
            }
        }
        for plan in &plans {
            self.considered.push(Considered {
                steps: plan.steps.clone(),
                time: plan.time,
                copies: plan.copies,
                aggregations: plan.aggregations,
                memory: plan.memory,
                rejected: None,
            });
        }
        Ok(plans)
    }

    /// A nest in parts: those of the outermost loop, and as many as there can be.
    fn in_parts(&self, region: &Region) -> Result<Vec<(Vec<Step>, Region)>, AnalysisError> {
        let mut found: Vec<(Vec<Step>, Region)> = Vec::new();
        let outer = transform::possible(transform::parts(region, 0, self.setting()))?.flatten();
        if let Some(parts) = outer {
            found.push((vec![Step::Distribute(self.name(region, 0))], parts));
        }
        let (mut all, mut steps) = (region.clone(), Vec::new());
        loop {
            let mut changed = false;
            for index in (0..count(&all.body)).rev() {
                if let Some(parts) =
                    transform::possible(transform::parts(&all, index, self.setting()))?.flatten()
                {
                    steps.push(Step::Distribute(self.name(&all, index)));
                    all = parts;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        steps.dedup();
        if found.last().is_none_or(|(_, parts)| *parts != all) && !steps.is_empty() {
            found.push((steps, all));
        }
        Ok(found)
    }

    /// Plans of several nests after each other: in each situation each nest with the best of its own.
    fn sequence(&mut self, region: &Region, steps: &[Step]) -> Result<Vec<Plan>, AnalysisError> {
        let mut parts = Vec::new();
        for node in &region.body {
            let nest = Region { body: vec![node.clone()], ..region.clone() };
            let mut plans = match node {
                Node::Loop(_) => self.band(&nest, &nest)?,
                _ => Vec::new(),
            };
            let model = Model::new(&nest, self.workers, self.goal);
            let cost = model.cost(None, None);
            let time = model.evaluated(&cost);
            plans.push(Plan { cost, time, ..Plan::in_order(&nest) });
            parts.push(plans);
        }
        let mut found: Vec<Plan> = Vec::new();
        for situation in self.situations(region) {
            let mut whole = Plan {
                steps: steps.to_vec(),
                ..Plan::in_order(&Region { body: Vec::new(), ..region.clone() })
            };
            for plans in &mut parts {
                plans.sort_by(|first, second| {
                    self.time_in(first, situation).total_cmp(&self.time_in(second, situation))
                });
                // The nest in order is always possible.
                while let Some(best) = plans.first() {
                    if best.parallel.is_empty() || self.rejection(best)?.is_none() {
                        break;
                    }
                    plans.remove(0);
                }
                let Some(best) = plans.first() else { continue };
                let before = count(&whole.region.body);
                whole.parallel.extend(best.parallel.iter().map(|index| before + index));
                whole.time += best.time;
                whole.cost = sum(whole.cost, best.cost.clone());
                whole.copies += best.copies;
                whole.aggregations += best.aggregations;
                whole.memory += best.memory;
                whole.region = joined(&whole.region, &best.region, region.variables.len());
                whole.steps.extend(best.steps.iter().cloned());
            }
            if !whole.parallel.is_empty() && found.iter().all(|other| other.steps != whole.steps) {
                found.push(whole);
            }
        }
        Ok(found)
    }

    /// Numbers of workers, and sizes that are small: for which a form may be the best. The first one is the assumed one.
    fn situations(&self, region: &Region) -> Vec<Situation> {
        let threads = self.goal.machine.threads;
        let mut situations = vec![Situation { threads, small: None }];
        if self.goal.scheme != Scheme::Aware || self.goal.order == FloatOrder::Fixed {
            return situations;
        }
        situations.extend(OTHER_THREADS.map(|threads| Situation { threads, small: None }));
        let mut sizes = BTreeSet::new();
        let cost = Model::new(region, self.workers, self.goal).cost(None, None);
        cost.visit_reads(&mut |read| {
            sizes.insert(read.variable);
        });
        situations.extend(sizes.into_iter().map(|size| Situation { threads, small: Some(size) }));
        situations
    }

    fn time_in(&self, plan: &Plan, situation: Situation) -> f64 {
        let machine = Machine { threads: situation.threads, ..self.goal.machine.clone() };
        let mut options = self.goal.options.clone();
        if let Some(size) = situation.small {
            options.sizes.entry(plan.region.variable(size).name.clone()).or_insert(SMALL_SIZE);
        }
        let goal = Goal { machine: &machine, options: &options, ..self.goal };
        Model::new(&plan.region, self.workers, goal).evaluated(&plan.cost)
    }

    /// The plans of one nest: the order and the tiles of the loops that are directly inside each other.
    fn band(&mut self, alone: &Region, owned: &Region) -> Result<Vec<Plan>, AnalysisError> {
        let mut forms = vec![(Vec::new(), alone.clone())];
        let Some(analysis) = transform::possible(analyze(alone, self.goal.options))? else {
            return Ok(Vec::new());
        };
        let free = analysis.loops.first().is_some_and(|looped| looped.class == Class::Parallel);
        if self.goal.scheme != Scheme::Codegen && !free {
            self.moved(owned, &mut forms)?;
        }
        let mut plans = Vec::new();
        for (place, (steps, region)) in forms.into_iter().enumerate() {
            if self.is_over() {
                break;
            }
            self.forms += 1;
            let analysis = match place {
                0 => Some(analysis.clone()),
                _ => transform::possible(analyze(&region, self.goal.options))?,
            };
            let Some(analysis) = analysis else { continue };
            let model = Model::new(&region, self.workers, self.goal);
            for index in 0..analysis.loops.len() {
                if matches!(analysis.loops[index].class, Class::Scan | Class::Sequential) {
                    continue;
                }
                let mut steps = steps.clone();
                steps.push(Step::Parallel(self.name(&region, index)));
                plans.push(model.plan(&analysis, index, steps));
            }
        }
        Ok(plans)
    }

    /// Why the loops of a form cannot be parallel after all.
    fn rejection(&self, plan: &Plan) -> Result<Option<Rejection>, AnalysisError> {
        if self.goal.scheme != Scheme::Scheduling && plan.memory > self.goal.machine.memory {
            let reason = format!("its copies take about {:.1} GB", plan.memory / 1e9);
            return Ok(Some(Rejection::new(Rule::Limits, plan.region.at, reason)));
        }
        let choice = Choice {
            loops: plan.parallel.iter().copied().collect(),
            copies: Copies::Workers,
            atomic: BTreeSet::new(),
            order: self.goal.order,
            least_work: None,
            is_tested: false,
            omitted: BTreeSet::new(),
        };
        match privatize(&plan.region, &choice, self.goal.options) {
            Ok(_) => Ok(None),
            Err(AnalysisError::Rejected(rejection)) => Ok(Some(rejection)),
            Err(error) => Err(error),
        }
    }

    /// The forms of a nest whose loops change places, or have tiles.
    fn moved(&self, region: &Region, forms: &mut Vec<(Vec<Step>, Region)>) -> Result<(), AnalysisError> {
        let depth = band_depth(region);
        let all: Vec<usize> = (0..depth).collect();
        for order in orders(depth).into_iter().skip(1) {
            let step = Step::Reorder(order.iter().map(|index| self.name(region, *index)).collect());
            let made = transform::reorder(region, &order, &format!("`{step}`"), self.setting());
            forms.extend(transform::possible(made)?.map(|made| (vec![step], made)));
        }
        if depth < 2 {
            return Ok(());
        }
        let tile = |region: &Region, index: usize| -> Result<Option<(Step, Region)>, AnalysisError> {
            let size = self.goal.machine.tile as i128;
            let outer = unique(region, &format!("{}_tile", self.name(region, index)));
            let step = Step::Tile {
                name: self.name(region, index),
                size: size.to_string(),
                outer: outer.clone(),
                inner: None,
            };
            let tile = Tile { size: number(size), outer, inner: None };
            let made = transform::tile(region, index, &tile, &format!("`{step}`"), self.setting());
            Ok(transform::possible(made)?.map(|made| (step, made)))
        };
        // Tiles of one loop, outermost.
        for index in &all[1..] {
            let Some((step, made)) = tile(region, *index)? else { continue };
            let order: Vec<usize> =
                std::iter::once(*index).chain((0..=depth).filter(|place| place != index)).collect();
            self.ordered(&made, order, vec![step], forms)?;
        }
        // Tiles of all loops.
        let (mut made, mut steps) = (region.clone(), Vec::new());
        for index in all.iter().rev() {
            let Some((step, next)) = tile(&made, *index)? else { return Ok(()) };
            steps.insert(0, step);
            made = next;
        }
        let order = (0..depth).map(|index| 2 * index).chain((0..depth).map(|index| 2 * index + 1)).collect();
        self.ordered(&made, order, steps, forms)
    }

    fn ordered(
        &self,
        region: &Region,
        order: Vec<usize>,
        mut steps: Vec<Step>,
        forms: &mut Vec<(Vec<Step>, Region)>,
    ) -> Result<(), AnalysisError> {
        let step = Step::Reorder(order.iter().map(|index| self.name(region, *index)).collect());
        let made = transform::reorder(region, &order, &format!("`{step}`"), self.setting());
        if let Some(made) = transform::possible(made)? {
            steps.push(step);
            forms.push((steps, made));
        }
        Ok(())
    }

    /// Another form that is the best for other sizes or numbers of workers.
    fn other(&mut self, plans: &mut Vec<Plan>, best: &Plan) -> Result<Option<Plan>, AnalysisError> {
        if uses_iterators(&best.cost) {
            return Ok(None);
        }
        for situation in self.situations(&best.region).into_iter().skip(1) {
            let least = OTHER_FORM * self.time_in(best, situation);
            let mut better: Vec<(f64, &Plan)> = plans
                .iter()
                .map(|plan| (self.time_in(plan, situation), plan))
                .filter(|(time, plan)| *time < least && !uses_iterators(&plan.cost))
                .collect();
            better.sort_by(|first, second| first.0.total_cmp(&second.0));
            let Some(steps) = better.first().map(|(_, plan)| plan.steps.clone()) else { continue };
            if let Some(found) = self.taken(plans, |plan| plan.steps == steps)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Both forms, and a condition that chooses the cheaper one.
    fn at_run_time(&self, best: Plan, other: Plan) -> Region {
        let condition = Expression {
            kind: ExpressionKind::Binary(
                BinaryOperator::LessEqual,
                Box::new(best.cost),
                Box::new(other.cost),
            ),
            scalar: Scalar::INT,
        };
        let mut region = best.region;
        let then = std::mem::take(&mut region.body);
        let mut region = joined(&region, &other.region, self.workers.0 + 1);
        let otherwise = std::mem::take(&mut region.body);
        region.body = vec![Node::either(condition, then, otherwise, region.at)];
        region
    }
}

/// A region with the nodes of another one behind its own. Variables that either has added, from a number on, may have the
/// same numbers: those of the other one get their own.
fn joined(region: &Region, other: &Region, shared: usize) -> Region {
    let mut out = region.clone();
    let by = region.variables.len() - shared;
    out.variables.extend(other.variables[shared..].iter().cloned());
    out.body.extend(transform::renumbered(&other.body, shared, by));
    out
}

fn unique(region: &Region, name: &str) -> String {
    let taken = |name: &String| region.variables.iter().any(|variable| variable.name == *name);
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_string()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

fn count(nodes: &[Node]) -> usize {
    loops(nodes).count()
}

/// How many loops are directly inside each other, from the first.
fn band_depth(region: &Region) -> usize {
    let Some(Node::Loop(first)) = region.body.first() else { return 0 };
    let (mut depth, mut body) = (1, &first.body);
    while let [Node::Loop(only)] = &body[..] {
        depth += 1;
        body = &only.body;
    }
    depth
}

/// The orders of some loops; of more than three those with one of them moved outermost.
fn orders(depth: usize) -> Vec<Vec<usize>> {
    if depth > LOOPS_OF_ALL_ORDERS {
        let moved =
            |first: usize| std::iter::once(first).chain((0..depth).filter(move |other| *other != first));
        return (0..depth).map(|first| moved(first).collect()).collect();
    }
    let mut found = vec![Vec::new()];
    for _ in 0..depth {
        found = found
            .into_iter()
            .flat_map(|begin: Vec<usize>| {
                let rest = (0..depth).filter(|next| !begin.contains(next)).collect::<Vec<_>>();
                rest.into_iter().map(move |next| begin.iter().copied().chain([next]).collect::<Vec<_>>())
            })
            .collect();
    }
    found
}

fn set_parallel(region: &mut Region, index: usize, parallel: bool) {
    if let Some(node) = loop_at(region, index).cloned() {
        transform::replace(region, index, vec![Node::Loop(Loop { parallel, ..node })]);
    }
}

fn uses_iterators(value: &Expression) -> bool {
    value.iterators().next().is_some()
}

// Costs, as expressions of type double.

fn real(value: f64) -> Expression {
    Expression { kind: ExpressionKind::Float(value), scalar: Scalar::F64 }
}

fn float(value: Expression) -> Expression {
    match value.kind {
        ExpressionKind::Integer(value) => real(value as f64),
        _ => convert::convert(value, Scalar::F64),
    }
}

fn folded(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    let (left, right) = (float(left), float(right));
    let value = |side: &Expression| match side.kind {
        ExpressionKind::Float(value) => Some(value),
        _ => None,
    };
    match (operator, value(&left), value(&right)) {
        (BinaryOperator::Add, Some(left), Some(right)) => real(left + right),
        (BinaryOperator::Multiply, Some(left), Some(right)) => real(left * right),
        (BinaryOperator::Add, Some(0.0), _) => right,
        (BinaryOperator::Add, _, Some(0.0)) => left,
        (BinaryOperator::Multiply, Some(1.0), _) => right,
        (BinaryOperator::Multiply, _, Some(1.0)) => left,
        (BinaryOperator::Multiply, Some(0.0), _) | (BinaryOperator::Multiply, _, Some(0.0)) => real(0.0),
        _ => Expression {
            kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
            scalar: Scalar::F64,
        },
    }
}

fn sum(left: Expression, right: Expression) -> Expression {
    folded(BinaryOperator::Add, left, right)
}

fn product(left: Expression, right: Expression) -> Expression {
    folded(BinaryOperator::Multiply, left, right)
}

/// A loop around what is costed.
#[derive(Clone)]
struct Around {
    iterator: VariableId,
    step: f64,
    trips: Expression,
    count: f64,
}

/// The cost of a nest.
struct Model<'m> {
    region: &'m Region,
    workers: VariableId,
    goal: Goal<'m>,
    assumed: f64,
    /// The iterators' values in the middle of their loops, and with sizes twice as large.
    middles: Values,
    wide_middles: Values,
}

impl<'m> Model<'m> {
    fn new(region: &'m Region, workers: VariableId, goal: Goal<'m>) -> Model<'m> {
        let depth = depth(&region.body);
        let assumed = ASSUMED_SIZES[depth.saturating_sub(1).min(ASSUMED_SIZES.len() - 1)];
        let (middles, wide_middles) = (Values::new(), Values::new());
        let mut model = Model { region, workers, goal, assumed: 2.0 * assumed, middles, wide_middles };
        model.find_middles(&region.body);
        model.wide_middles = std::mem::take(&mut model.middles);
        model.assumed = assumed;
        model.find_middles(&region.body);
        model
    }

    /// The iterations of a loop. Where they are as many for all sizes, as in a tile, that is their number.
    fn trips(&self, node: &Loop) -> Expression {
        let trips = trips(node);
        if !uses_iterators(&trips) {
            return trips;
        }
        let wide = Model {
            assumed: 2.0 * self.assumed,
            middles: self.wide_middles.clone(),
            wide_middles: Values::new(),
            region: self.region,
            workers: self.workers,
            goal: self.goal,
        };
        let (first, second) = (self.evaluated(&trips), wide.evaluated(&trips));
        if first == second { real(first) } else { trips }
    }

    fn find_middles(&mut self, nodes: &[Node]) {
        for looped in loops(nodes) {
            let trips = self.evaluated(&trips(looped));
            let lower = self.value(&looped.lower, &self.middles).unwrap_or(0.0);
            let step = self.value(&looped.step, &self.middles).unwrap_or(1.0);
            self.middles.insert(looped.iterator, lower + step * (trips / 2.0).floor());
        }
    }

    fn value(&self, expression: &Expression, iterators: &Values) -> Option<f64> {
        let estimate = Estimate {
            region: self.region,
            options: self.goal.options,
            assumed: self.assumed,
            threads: self.goal.machine.threads,
            known: self.workers.0,
        };
        estimate.value(expression, iterators, &BTreeMap::new())
    }

    fn evaluated(&self, cost: &Expression) -> f64 {
        self.value(cost, &self.middles).unwrap_or(f64::INFINITY).max(0.0)
    }

    /// The region with a parallel loop.
    fn plan(&self, analysis: &Analysis, index: usize, steps: Vec<Step>) -> Plan {
        let cost = self.cost(Some(index), Some(analysis));
        let mut plan = Plan {
            region: self.region.clone(),
            parallel: vec![index],
            time: self.evaluated(&cost),
            cost,
            steps,
            copies: 0.0,
            aggregations: 0.0,
            memory: 0.0,
        };
        let Some((around, node)) = self.around(index) else { return plan };
        let entries: f64 = around.iter().map(|around| around.count).product();
        for (cells, bytes) in self.cells(analysis, index, node) {
            let copies = self.evaluated(&product(self.workers_of(&self.trips(node)), cells));
            plan.copies += copies;
            plan.aggregations += copies * entries;
            plan.memory += copies * bytes;
        }
        plan
    }

    /// The cost of the nest, with a parallel loop or without one.
    fn cost(&self, parallel: Option<usize>, analysis: Option<&Analysis>) -> Expression {
        self.nodes(&self.region.body, &mut 0, &mut Vec::new(), parallel.zip(analysis))
    }

    fn nodes(
        &self,
        nodes: &[Node],
        next: &mut usize,
        around: &mut Vec<Around>,
        parallel: Option<(usize, &Analysis)>,
    ) -> Expression {
        let mut cost = real(0.0);
        for node in nodes {
            let one = match node {
                Node::Loop(looped) => self.looped(looped, next, around, parallel),
                Node::Statement(statement) => {
                    let mut lines = self.lines(&statement.target, around);
                    statement.value.visit_reads(&mut |read| lines += self.lines(read, around));
                    real(self.goal.machine.statement + lines)
                }
                Node::Declaration(_) => real(self.goal.machine.statement),
                _ => {
                    let [then, otherwise] = node.bodies();
                    let then = self.nodes(then, next, around, parallel);
                    sum(then, self.nodes(otherwise, next, around, parallel))
                }
            };
            cost = sum(cost, one);
        }
        cost
    }

    fn looped(
        &self,
        node: &Loop,
        next: &mut usize,
        around: &mut Vec<Around>,
        parallel: Option<(usize, &Analysis)>,
    ) -> Expression {
        let index = *next;
        *next += 1;
        let trips = self.trips(node);
        around.push(self.entered(node));
        let body = self.nodes(&node.body, next, around, parallel);
        around.pop();
        let mut cost = product(trips.clone(), body);
        if let Some((_, analysis)) = parallel.filter(|(chosen, _)| *chosen == index) {
            let workers = self.workers_of(&trips);
            cost = Expression {
                kind: ExpressionKind::Binary(
                    BinaryOperator::Divide,
                    Box::new(cost),
                    Box::new(workers.clone()),
                ),
                scalar: Scalar::F64,
            };
            cost = sum(cost, real(self.goal.machine.fork));
            if self.goal.scheme != Scheme::Scheduling {
                for (cells, _) in self.cells(analysis, index, node) {
                    cost = sum(cost, product(real(self.goal.machine.copy), product(workers.clone(), cells)));
                }
            }
        }
        cost
    }

    fn entered(&self, node: &Loop) -> Around {
        let trips = self.trips(node);
        let count = self.evaluated(&trips);
        let step = self.value(&node.step, &self.middles).unwrap_or(1.0);
        Around { iterator: node.iterator, step, trips, count }
    }

    /// Workers of a loop: at most as many as it has iterations.
    fn workers_of(&self, trips: &Expression) -> Expression {
        float(least(value_of(self.workers, Scalar::LONG), long(as_long(trips))))
    }

    /// The loops around a loop, and the loop.
    fn around(&self, index: usize) -> Option<(Vec<Around>, &Loop)> {
        fn find<'n>(
            model: &Model<'_>,
            nodes: &'n [Node],
            left: &mut usize,
            around: &mut Vec<Around>,
        ) -> Option<&'n Loop> {
            for node in nodes {
                if let Node::Loop(looped) = node {
                    if *left == 0 {
                        return Some(looped);
                    }
                    *left -= 1;
                    around.push(model.entered(looped));
                }
                let mut bodies = node.bodies().into_iter();
                if let Some(found) = bodies.find_map(|body| find(model, body, left, around)) {
                    return Some(found);
                }
                if matches!(node, Node::Loop(_)) {
                    around.pop();
                }
            }
            None
        }
        let mut around = Vec::new();
        let node = find(self, &self.region.body, &mut { index }, &mut around)?;
        Some((around, node))
    }

    /// For each array that a loop reduces into, the elements of a copy, and the bytes of one.
    fn cells(&self, analysis: &Analysis, index: usize, node: &Loop) -> Vec<(Expression, f64)> {
        let report = &analysis.loops[index];
        let mut found = Vec::new();
        for array in &report.reduced {
            let mut best: Option<(Expression, f64)> = None;
            let mut inside = vec![self.entered(node)];
            self.visit_targets(&node.body, &mut inside, &mut |target, inside| {
                let variable = self.region.variable(target.variable);
                let own = *array == variable.name || array.starts_with(&format!("{}.", variable.name));
                if !own {
                    return;
                }
                let mut cells = real(1.0);
                for (place, subscript) in target.subscripts().enumerate() {
                    let extent = variable.extents.get(place).cloned().flatten();
                    cells = product(cells, self.range(subscript, inside, extent));
                }
                let bytes = target.scalar.size() as f64;
                let more = |known: &(Expression, f64)| self.evaluated(&known.0) < self.evaluated(&cells);
                if best.as_ref().is_none_or(more) {
                    best = Some((cells, bytes));
                }
            });
            found.extend(best);
        }
        found
    }

    fn visit_targets(
        &self,
        nodes: &[Node],
        inside: &mut Vec<Around>,
        with: &mut impl FnMut(&Reference, &[Around]),
    ) {
        for node in nodes {
            let depth = inside.len();
            inside.extend(node.as_loop().map(|looped| self.entered(looped)));
            node.target().into_iter().for_each(|target| with(target, inside));
            node.bodies().into_iter().for_each(|body| self.visit_targets(body, inside, with));
            inside.truncate(depth);
        }
    }

    /// How many values a subscript has in these loops.
    fn range(&self, subscript: &Expression, inside: &[Around], extent: Option<Expression>) -> Expression {
        let mut range = real(1.0);
        for around in inside {
            match self.moves(subscript, around) {
                Some(0.0) => {}
                Some(moves) => {
                    let before = Expression {
                        kind: ExpressionKind::Binary(
                            BinaryOperator::Subtract,
                            Box::new(float(around.trips.clone())),
                            Box::new(real(1.0)),
                        ),
                        scalar: Scalar::F64,
                    };
                    range = sum(range, product(real(moves.abs()), before));
                }
                None => return extent.map_or(real(self.assumed), float),
            }
        }
        // Not more than there are, as `i % 4` is.
        match extent {
            Some(extent) if self.evaluated(&float(extent.clone())) < self.evaluated(&range) => float(extent),
            _ => range,
        }
    }

    /// How far a subscript moves in an iteration of a loop.
    fn moves(&self, subscript: &Expression, around: &Around) -> Option<f64> {
        if !subscript.mentions(around.iterator) {
            return Some(0.0);
        }
        let mut next = self.middles.clone();
        *next.get_mut(&around.iterator)? += around.step;
        Some(self.value(subscript, &next)? - self.value(subscript, &self.middles)?)
    }

    /// Nanoseconds for what an access reads from memory, on average.
    fn lines(&self, reference: &Reference, around: &[Around]) -> f64 {
        let machine = self.goal.machine;
        let subscripts: Vec<&Expression> = reference
            .path
            .iter()
            .filter_map(|step| match step {
                Path::Index(index) => Some(index),
                Path::Member(_) => None,
            })
            .collect();
        let Some((last, rest)) = subscripts.split_last() else { return 0.0 };
        let share = |moves: f64| (moves.abs() * reference.scalar.size() as f64 / machine.line_bytes).min(1.0);
        let Some(innermost) = around.last() else { return machine.line };
        let stays = |around: &Around| rest.iter().all(|subscript| self.moves(subscript, around) == Some(0.0));
        let next = around.len().checked_sub(2).map(|place| &around[place]);
        if let (true, Some(moves)) = (stays(innermost), self.moves(last, innermost)) {
            // Where the loop begins again, it goes on elsewhere.
            let jumps = moves != 0.0 && next.is_some_and(|next| !stays(next));
            let jump = if jumps { machine.jump / innermost.count.max(1.0) } else { 0.0 };
            return machine.line * share(moves) + jump;
        }
        // Lines that the innermost loop leaves in the cache are read again by the next one.
        let kept = innermost.count * machine.line_bytes <= machine.cache_bytes;
        match next.filter(|next| kept && stays(next)).and_then(|next| self.moves(last, next)) {
            Some(moves) => machine.line * share(moves),
            None => machine.line,
        }
    }
}

fn depth(nodes: &[Node]) -> usize {
    let one = |node: &Node| match node {
        // A loop over tiles is none of its own.
        Node::Loop(looped) if matches!(looped.step.kind, ExpressionKind::Integer(-1..=1)) => {
            1 + depth(&looped.body)
        }
        Node::Loop(looped) => depth(&looped.body).max(1),
        _ => node.bodies().into_iter().map(depth).max().unwrap_or(0),
    };
    nodes.iter().map(one).max().unwrap_or(0)
}

/// The iterations of a loop; 8 if that has no simple form.
fn trips(node: &Loop) -> Expression {
    Counted::of(node).map_or(real(UNKNOWN_TRIPS), |counted| float(counted.trips(&[])))
}

/// What was converted to a double.
fn as_long(value: &Expression) -> Expression {
    match &value.kind {
        ExpressionKind::Cast(inner) => (**inner).clone(),
        ExpressionKind::Float(value) => number(*value as i128),
        _ => value.clone(),
    }
}

impl Considered {
    /// The steps as a schedule.
    pub fn schedule(&self) -> Schedule {
        Schedule { steps: self.steps.clone() }
    }
}
