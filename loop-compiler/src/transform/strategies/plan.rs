//! Which innermost reduction has which strategy, and the region with all of them.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use super::{
    inner_parallel::{self, InRows, goes_down_columns, has_form, in_rows, is_independent},
    lanes::{Moves, movement},
    split,
};
use crate::{
    analysis::{
        Analysis, AnalysisError, Options, StatementReport, analyze,
        classes::Class,
        program::{Access, LoopFacts, Program},
        reduced::{Operators, with_selections},
    },
    c,
    cost::policy::{BYTES_OF_LANES, COLUMNS_OF_TILE, ROWS_TOGETHER},
    ir::{
        Combining, Loop, LoopId, Node, ReductionOperator, Region, Strategy, arithmetic::constant,
        for_each_loop_mut, loops,
    },
    rules::{FloatOrder, Rejection, Rule},
    transform::{
        privatize::Counted,
        schedule::{is_plain, where_many},
    },
};

/// The strategies of a region's innermost reductions. It is applied to the region, or to one with parallel loops made of it.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// By the position of the loop: those that are split.
    splits: BTreeMap<LoopId, (Strategy, Operators)>,
    /// Those that nobody asked for.
    of_limits: BTreeSet<LoopId>,
    /// By the position of the loop around: rows in lanes.
    rows: BTreeMap<LoopId, InRows>,
    /// The operators of reductions whose rows are in lanes.
    in_rows: Operators,
    /// The innermost loops of these rows.
    in_rows_of: BTreeSet<LoopId>,
    /// Why innermost reductions are left that could not have the strategy for all.
    pub left: Vec<Rejection>,
}

/// The strategies that directives `#pragma warpfold strategy(…)` give to loops, and `all` to the other innermost reductions
/// that can have it.
///
/// # Errors
///
/// A directive that cannot be read, or of which the strategy is not possible.
pub fn plan(
    region: &Region,
    analysis: &Analysis,
    order: FloatOrder,
    all: Option<Strategy>,
) -> Result<Plan, Rejection> {
    let mut planner = Planner { region, analysis, order, all, plan: Plan::default() };
    let program = Program::new(region, BTreeMap::new());
    for (index, facts) in program.loops.iter().enumerate() {
        planner.looped(index, facts.node, outer(&program, index))?;
    }
    Ok(planner.plan)
}

/// An innermost reduction, and what each strategy would make of it.
#[derive(Clone, Debug)]
pub struct InnermostReduction {
    /// The loop, by number.
    pub index: usize,
    /// The strategies with what they take, or why they are not possible.
    pub strategies: Vec<(Strategy, Result<String, String>)>,
    /// What is chosen if nobody asks for something else, and why.
    pub chosen: String,
    /// For which machine: `CPU` or `GPU`.
    pub machine: &'static str,
}

/// What strategies would make of a region's innermost reductions.
pub fn innermost_reductions(
    region: &Region,
    analysis: &Analysis,
    order: FloatOrder,
) -> Vec<InnermostReduction> {
    let planner = Planner { region, analysis, order, all: None, plan: Plan::default() };
    let program = Program::new(region, BTreeMap::new());
    let of_loop = |(index, facts): (usize, &LoopFacts<'_>)| {
        if !is_innermost(facts.node) || !planner.carries_reduction(index) {
            return None;
        }
        let counted = Counted::of(facts.node);
        let trips = counted.as_ref().map(|counted| counted.trips(&[]));
        let known = trips.as_ref().and_then(constant);
        let text = match (&counted, &trips) {
            (Some(counted), _) if constant(&counted.lower) == Some(0) => c::value(region, &counted.end),
            (_, Some(trips)) => c::value(region, trips),
            _ => String::new(),
        };
        // Whole vectors of so many elements.
        let vectors = |lanes: u32| match known {
            Some(trips) => (trips / i128::from(lanes)).to_string(),
            None if lanes == 1 => text.clone(),
            None => format!("{text} / {lanes}"),
        };
        let each = |strategy: Strategy| {
            let takes = planner.possible(facts.node, index, outer(&program, index), strategy);
            (strategy, takes.map(|_| strategy.takes(&vectors)))
        };
        let strategies: Vec<_> = Strategy::DEFAULTS.into_iter().map(each).collect();
        let mut carried = analysis.statements.iter().filter(|report| report.carried_by.contains(&index));
        let has_columns = outer(&program, index)
            .is_some_and(|(_, rows)| goes_down_columns(facts.node, rows.iterator) && strategies[0].1.is_ok());
        let chosen = match (carried.any(|report| report.depends_on_order), order, &strategies[0].1) {
            _ if has_columns => {
                "inner_parallel, where there are 32 rows or more, as neighbouring rows read neighbours"
            }
            _ if planner.of_limits(&program, index).is_some() => {
                "vector_accumulator, as compilers make no vectors of minima and maxima of floats"
            }
            (false, ..) => "what the compiler makes of the loop, as it may reorder this reduction itself",
            (true, FloatOrder::Free, Ok(_)) if inner_parallel::reads_far(facts.node) => {
                "inner_parallel, where there are 32 rows or more, as it reads what lies far apart"
            }
            (true, FloatOrder::Free, _) => {
                "OpenMP's `simd`, of which the compiler makes as many accumulators as the processor has use for"
            }
            (true, _, Ok(_)) => "inner_parallel, where there are 32 rows or more, as it keeps the order",
            (true, _, Err(_)) => "one element after the other, as the order is kept",
        };
        Some(InnermostReduction { index, strategies, chosen: chosen.into(), machine: "CPU" })
    };
    program.loops.iter().enumerate().filter_map(of_loop).collect()
}

/// The loop directly around another one.
fn outer<'p>(program: &Program<'p>, index: usize) -> Option<(usize, &'p Loop)> {
    let outer = program.loops[index].around.last().copied()?;
    Some((outer, program.loops[outer].node))
}

/// A region with the strategies that directives and a person give, as [`plan`] does.
///
/// # Errors
///
/// Those of the analysis and of [`plan`].
pub fn apply(
    region: &Region,
    order: FloatOrder,
    options: &Options,
    all: Option<Strategy>,
) -> Result<Region, AnalysisError> {
    if all.is_none() && !has_directives(&region.body) {
        return Ok(region.clone());
    }
    let plan = plan(region, &analyze(region, options)?, order, all).map_err(AnalysisError::Rejected)?;
    Ok(plan.apply(region))
}

/// The region without directives of strategies.
pub(crate) fn without_directives(region: &Region) -> Region {
    Region { body: without_strategies(&region.body), ..region.clone() }
}

fn without_strategies(nodes: &[Node]) -> Vec<Node> {
    let mut out = nodes.to_vec();
    for_each_loop_mut(&mut out, |looped| looped.attributes.strategy = None);
    out
}

/// Whether a loop of a region has a directive with a strategy.
pub(crate) fn has_directives(nodes: &[Node]) -> bool {
    loops(nodes).any(|looped| looped.attributes.strategy.is_some())
}

impl Plan {
    /// Whether something changes loops that are not parallel, too.
    pub fn changes_sequential_loops(&self) -> bool {
        !self.splits.is_empty() || !self.rows.is_empty()
    }

    /// The innermost loops that a person has directed.
    pub(crate) fn loops(&self) -> BTreeSet<LoopId> {
        self.splits.keys().chain(&self.in_rows_of).copied().collect()
    }

    /// The loops whose iterations are in lanes.
    pub(crate) fn rows(&self) -> BTreeSet<LoopId> {
        self.rows.keys().copied().collect()
    }

    /// Adds rows in lanes for floats whose order is kept, and for columns, where nothing else is planned.
    pub(crate) fn add_rows(&mut self, region: &Region, analysis: &Analysis, order: FloatOrder) {
        let mut rows_of = BTreeSet::new();
        for (at, apart) in inner_parallel::rows(region, analysis, order) {
            let rows = InRows { columns: COLUMNS_OF_TILE, forced: false, apart };
            self.rows.entry(at).or_insert(rows);
            rows_of.insert(at);
        }
        // `if (value < target) target = value;` as a selection, in their inner loops.
        let program = Program::new(region, BTreeMap::new());
        for (index, _) in program.loops.iter().enumerate() {
            if outer(&program, index).is_some_and(|(_, rows)| rows_of.contains(&rows.id)) {
                let carried = analysis.statements.iter().filter(|report| report.carried_by.contains(&index));
                for report in carried {
                    self.in_rows.extend(report.reduction.map(|operator| (report.at, operator)));
                }
            }
        }
    }

    /// Adds accumulators in lanes for [minima and maxima](Planner::of_limits).
    pub(crate) fn add_lanes(&mut self, region: &Region, analysis: &Analysis, order: FloatOrder) {
        let program = Program::new(region, BTreeMap::new());
        let planner = Planner { region, analysis, order, all: None, plan: Plan::default() };
        for (index, facts) in program.loops.iter().enumerate() {
            let found = planner.of_limits(&program, index).filter(|_| facts.node.attributes.is_empty());
            if let Some(split) = found
                && let Entry::Vacant(entry) = self.splits.entry(facts.node.id)
            {
                entry.insert(split);
                self.of_limits.insert(facts.node.id);
            }
        }
    }

    /// A region with these strategies, without directives for them.
    pub fn apply(&self, region: &Region) -> Region {
        let mut out = without_directives(region);
        let body = std::mem::take(&mut out.body);
        out.body = self.split(&mut out, body);
        in_rows(&out, &self.rows, &self.in_rows)
    }

    /// How an innermost loop is split, and the operators of its reductions.
    pub(super) fn split_of(&self, looped: &Loop) -> Option<(Strategy, &Operators)> {
        self.splits.get(&looped.id).map(|(strategy, operators)| (*strategy, operators))
    }

    fn split(&self, region: &mut Region, nodes: Vec<Node>) -> Vec<Node> {
        let mut out = Vec::new();
        for node in nodes {
            let made = node.as_loop().and_then(|looped| {
                let is_free = !looped.parallel && looped.attributes.is_empty() && is_innermost(looped);
                let (strategy, operators) = self.splits.get(&looped.id).filter(|_| is_free)?;
                let made = split::split(region, looped, *strategy, operators)?;
                Some(match self.of_limits.contains(&looped.id) {
                    true => where_many(made, looped),
                    false => made,
                })
            });
            out.extend(made.unwrap_or_else(|| vec![node.map_bodies(|body| self.split(region, body))]));
        }
        out
    }
}

struct Planner<'p> {
    region: &'p Region,
    analysis: &'p Analysis,
    order: FloatOrder,
    all: Option<Strategy>,
    plan: Plan,
}

impl Planner<'_> {
    fn looped(
        &mut self,
        index: usize,
        looped: &Loop,
        outer: Option<(usize, &Loop)>,
    ) -> Result<(), Rejection> {
        let rejection = |what: String| {
            let name = &self.region.variable(looped.iterator).name;
            let reason = format!("the strategy of loop `{name}`: {what}");
            Rejection::new(Rule::Schedules, looped.at, reason)
        };
        let directed = match looped.attributes.strategy.clone().map(|asked| asked.map(|asked| asked.strategy))
        {
            Some(Ok(strategy)) => Some(strategy),
            Some(Err(what)) => return Err(rejection(what)),
            None => None,
        };
        if let Some(strategy) = directed.or(self.all) {
            match self.possible(looped, index, outer, strategy) {
                Ok(operators) => self.add(looped, outer, strategy, operators),
                Err(what) if directed.is_some() => return Err(rejection(what)),
                Err(what) if self.carries_reduction(index) => {
                    let left = rejection(what);
                    self.plan.left.push(left);
                }
                Err(_) => {}
            }
        }
        Ok(())
    }

    fn carries_reduction(&self, index: usize) -> bool {
        self.analysis.statements.iter().any(|report| report.carried_by.contains(&index))
    }

    /// Accumulators in lanes for a loop with minima or maxima of floats in any order, which compilers take one after the other:
    /// a NaN might be lost. (Norms of 1000 by 1000 on two processors: 1.8 times clang's speed without, 8 to 14 with them.) Not for
    /// a minimum and a maximum alone: clang 22 compares the lanes of one with those of the other, which takes 2.5 times as long as
    /// `fmin` and `fmax` do.
    fn of_limits(&self, program: &Program<'_>, index: usize) -> Option<(Strategy, Operators)> {
        let looped = program.loops[index].node;
        let carried = self.analysis.statements.iter().filter(|report| report.carried_by.contains(&index));
        let (limits, others): (Vec<_>, Vec<_>) =
            carried.partition(|report| report.reduction.is_some_and(ReductionOperator::is_extreme));
        let has_limit = limits.len() == 1 || !limits.is_empty() && !others.is_empty();
        let inside = program.accesses.iter().filter(|access| access.around.last() == Some(&index));
        let is_near = |access: &Access<'_>| movement(access.reference, looped.iterator) != Moves::Far;
        let (mut is_float, mut size, mut near) = (false, 1, true);
        for access in inside {
            is_float |= access.write && access.reference.scalar.is_float();
            size = size.max(access.reference.scalar.size());
            near &= is_near(access);
        }
        let lanes = BYTES_OF_LANES / size as u32;
        let trips = Counted::of(looped).and_then(|counted| constant(&counted.trips(&[])));
        let is_short = trips.is_some_and(|trips| trips < 2 * i128::from(lanes));
        let is_free = self.order == FloatOrder::Free;
        if !is_free || !has_limit || !is_float || !near || is_short || !looped.body.iter().all(is_plain) {
            return None;
        }
        let strategy = Strategy::VectorAccumulator { lanes, end: Combining::Tree };
        Some((strategy, self.possible(looped, index, None, strategy).ok()?))
    }

    /// The operators of a loop's reductions, or why a strategy is not possible.
    fn possible(
        &self,
        looped: &Loop,
        index: usize,
        outer: Option<(usize, &Loop)>,
        strategy: Strategy,
    ) -> Result<Operators, String> {
        if !is_innermost(looped) {
            return Err("there is a loop inside it; name an innermost loop".into());
        }
        let report = &self.analysis.loops[index];
        if report.class != Class::Reduction {
            return Err("it carries no reduction, or something else besides".into());
        }
        let carried = self.analysis.statements.iter().filter(|report| report.carried_by.contains(&index));
        let mut operators = Operators::new(self.order);
        for report in carried {
            if let Some(what) = reordered(report, self.order).filter(|_| strategy.reorders()) {
                return Err(what);
            }
            operators.extend(report.reduction.map(|operator| (report.at, operator)));
        }
        if strategy.reorders() {
            return match split::obstacle(self.region, looped, &operators) {
                Some(what) => Err(what),
                None => Ok(operators),
            };
        }
        let Some((around, rows)) = outer else {
            return Err("there is no loop around it whose iterations could be lanes".into());
        };
        let name = &self.region.variable(rows.iterator).name;
        if !is_independent(self.region, &self.analysis.loops[around]) {
            return Err(format!("the iterations of `{name}` around it depend on each other"));
        }
        let body = with_selections(&without_strategies(&rows.body), &operators);
        let apart = inner_parallel::apart(self.region, self.analysis).contains(&rows.id);
        match has_form(self.region, &Loop { body, ..rows.clone() }, ROWS_TOGETHER, apart) {
            true => Ok(operators),
            false => {
                Err(format!("loop `{name}` around it does more than lanes can do, or has few iterations"))
            }
        }
    }

    fn add(
        &mut self,
        looped: &Loop,
        outer: Option<(usize, &Loop)>,
        strategy: Strategy,
        operators: Operators,
    ) {
        match (strategy, outer) {
            (Strategy::InnerParallel { columns }, Some((_, rows))) => {
                let columns = i128::from(columns);
                let apart = inner_parallel::apart(self.region, self.analysis).contains(&rows.id);
                self.plan.rows.insert(rows.id, InRows { columns, forced: true, apart });
                self.plan.in_rows.extend(operators.iter());
                self.plan.in_rows_of.insert(looped.id);
            }
            _ => {
                self.plan.splits.insert(looped.id, (strategy, operators));
            }
        }
    }
}

/// Why a statement's reduction is not possible in another order, if it is not.
pub(super) fn reordered(report: &StatementReport, order: FloatOrder) -> Option<String> {
    (report.depends_on_order && order != FloatOrder::Free).then(|| {
        format!(
            "lanes add to `{}` in another order, which --order free allows; inner_parallel keeps the order",
            report.target
        )
    })
}

pub(super) fn is_innermost(looped: &Loop) -> bool {
    loops(&looped.body).next().is_none()
}
