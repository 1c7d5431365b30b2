//! The search for a nest's best form: its parts, the order and the tiles of its loops, and which one is parallel.
//!
//! Each form is proved by [`crate::transform`], and costs what a model of the machine says: statements, lines of memory that
//! are read, a parallel loop's begin and end, and copies. The cost is an expression of sizes and workers, which is
//! evaluated for assumed sizes here, and, where the best form depends on them, once more when the program is executed.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use super::{
    goal::{Goal, Scheme},
    nest::{Model, product, real, sum, uses_iterators},
};
use crate::{
    analysis::{Analysis, AnalysisError, Options, analyze, classes::Class},
    cost::{
        machine::Machine,
        policy::{
            FORMS, LOOPS_OF_ALL_ORDERS, OTHER_FORM, OTHER_THREADS, PART_OF_OPERATIONS, SEARCH_TIME,
            SMALL_SIZE,
        },
    },
    ir::{
        Aliasing, BinaryOperator, Expression, ExpressionKind, Loop, Node, Region, Storage, Variable,
        VariableId, arithmetic::number, loops, types::Scalar,
    },
    rules::{FloatOrder, Rejection, Rule},
    transform::{
        self, Setting, Tile, loop_at,
        privatize::{Choice, Copies, privatize},
        schedule::{Schedule, Step},
    },
};

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

impl Considered {
    /// The steps as a schedule.
    pub fn schedule(&self) -> Schedule {
        Schedule { steps: self.steps.clone() }
    }
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
        let plan = Plan::parallel(
            &model,
            &analysis,
            index,
            vec![Step::Parallel(analysis.loops[index].iterator.clone())],
        );
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
    /// The nests of a model with a parallel loop.
    fn parallel(model: &Model<'_>, analysis: &Analysis, index: usize, steps: Vec<Step>) -> Plan {
        let cost = model.cost(Some(index), Some(analysis));
        let mut plan = Plan {
            region: model.region.clone(),
            parallel: vec![index],
            time: model.evaluated(&cost),
            cost,
            steps,
            copies: 0.0,
            aggregations: 0.0,
            memory: 0.0,
        };
        let Some((around, node)) = model.around(index) else { return plan };
        let entries: f64 = around.iter().map(|around| around.count).product();
        for (cells, bytes) in model.cells(analysis, index, node) {
            let copies = model.evaluated(&product(model.workers_of(&model.trips(node)), cells));
            plan.copies += copies;
            plan.aggregations += copies * entries;
            plan.memory += copies * bytes;
        }
        plan
    }

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
                plans.push(Plan::parallel(&model, &analysis, index, steps));
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
