//! Which innermost reduction has which strategy on a device, and what each would take there.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Asked, Combining, Strategy,
    plan::{InnermostReduction, is_innermost, reordered, without_directives},
    threads::OfTeams,
};
use crate::{
    analysis::{Analysis, AnalysisError, classes::Class, program::Program},
    cost::machine::Device,
    decide::kernels::{Form, Kernel},
    ir::{Loop, LoopId, Node, ReductionOperator, Region},
    rules::{FloatOrder, Rejection, Rule},
    transform::{loop_at, replace},
};

/// The best kernel that executes an innermost loop, by number, in one of some forms.
pub(crate) type KernelOf<'k> =
    &'k dyn Fn(usize, &[Form]) -> Result<Result<(Form, Kernel), Rejection>, AnalysisError>;

/// What is known of a region for a device.
pub(crate) struct OnDevice<'d> {
    pub region: &'d Region,
    pub analysis: &'d Analysis,
    pub order: FloatOrder,
    pub device: Device,
    pub kernel: KernelOf<'d>,
}

/// A region whose innermost reductions have the strategies that are asked for.
pub(crate) struct Directed {
    /// Without the directives, with the loops parallel that are those of threads and teams.
    pub region: Region,
    pub teams: OfTeams,
    /// The innermost loops, which nothing else decides about.
    pub loops: BTreeSet<LoopId>,
}

impl OnDevice<'_> {
    /// The strategies that directives give to loops, and `all` to the other innermost reductions that can have it.
    ///
    /// # Errors
    ///
    /// A directive that cannot be read, or of which the strategy is not possible.
    pub fn directed(&self, all: Option<Asked>) -> Result<Directed, AnalysisError> {
        let program = Program::new(self.region, BTreeMap::new());
        let mut out = Directed {
            region: without_directives(self.region),
            teams: OfTeams::default(),
            loops: BTreeSet::new(),
        };
        for (index, facts) in program.loops.iter().enumerate() {
            let rejected = |what: String| {
                let name = &self.region.variable(facts.node.iterator).name;
                let reason = format!("the strategy of loop `{name}`: {what}");
                AnalysisError::Rejected(Rejection::new(Rule::Schedules, facts.node.at, reason))
            };
            let directive = facts.node.attributes.strategy.clone();
            let asked = directive.clone().transpose().map_err(rejected)?.or(all);
            let Some(asked) = asked else { continue };
            match self.candidate(index, facts.node, asked)? {
                Err(what) if directive.is_some() => return Err(rejected(what)),
                Err(_) => {}
                Ok((strategy, kernel)) => {
                    for other in facts.around.iter().copied().chain([index]) {
                        set_parallel(&mut out.region, other, kernel.loops.contains(&other));
                    }
                    for (_, iterations) in kernel.teams.values() {
                        out.teams.insert(facts.node.id, strategy, *iterations);
                    }
                    out.loops.insert(facts.node.id);
                }
            }
        }
        Ok(out)
    }

    /// What each strategy would take of the innermost reductions, with the loops that are parallel without any: `sectors` are
    /// those of an iteration, if neighbouring threads have the iterations of this loop or of another one.
    pub fn considered(
        &self,
        parallel: &BTreeSet<usize>,
        teams: &BTreeMap<usize, (u32, f64)>,
        sectors: &dyn Fn(usize, usize) -> f64,
    ) -> Result<Vec<InnermostReduction>, AnalysisError> {
        let program = Program::new(self.region, BTreeMap::new());
        let mut out = Vec::new();
        for (index, facts) in program.loops.iter().enumerate() {
            let carries = self.analysis.statements.iter().any(|report| report.carried_by.contains(&index));
            if !is_innermost(facts.node) || !carries {
                continue;
            }
            let mut strategies = Vec::new();
            for strategy in Strategy::DEFAULTS {
                let found = self.candidate(index, facts.node, Asked { strategy, is_counted: false })?;
                strategies.push(match found {
                    Err(what) => (strategy, Err(what)),
                    Ok((strategy, kernel)) => {
                        let of_threads = match strategy {
                            Strategy::InnerParallel { .. } => facts.around.last().copied().unwrap_or(index),
                            _ => index,
                        };
                        let sectors = sectors(of_threads, index);
                        (strategy, Ok(takes(strategy, &kernel, sectors)))
                    }
                });
            }
            let chosen = match teams.get(&index) {
                Some((size, _)) => format!("vector_accumulator, {size}, as it takes the least"),
                None if parallel.contains(&index) => "all threads of the device for one result".into(),
                None if facts.around.iter().any(|outer| parallel.contains(outer)) => {
                    let keeps = strategies.iter().skip(1).all(|(_, possible)| possible.is_err());
                    let why = if keeps { "the others are not possible" } else { "it takes the least" };
                    format!("inner_parallel, as {why}")
                }
                None => "the host, as no loop around it is parallel".into(),
            };
            out.push(InnermostReduction { index, strategies, chosen, machine: "GPU" });
        }
        Ok(out)
    }

    /// An innermost loop with a strategy, the lanes chosen if nobody says how many, or why that is not possible.
    fn candidate(
        &self,
        index: usize,
        looped: &Loop,
        asked: Asked,
    ) -> Result<Result<(Strategy, Kernel), String>, AnalysisError> {
        let forms = match self.forms(index, looped, asked) {
            Ok(forms) => forms,
            Err(what) => return Ok(Err(what)),
        };
        let found = (self.kernel)(index, &forms)?;
        Ok(found.map_err(|rejection| rejection.reason).map(|(form, kernel)| {
            let strategy = match (asked.strategy, form) {
                (Strategy::InnerReduction { end, .. }, Form::Steps(lanes)) => {
                    Strategy::InnerReduction { lanes, end }
                }
                (Strategy::VectorAccumulator { end, .. }, Form::Accumulators(lanes)) => {
                    Strategy::VectorAccumulator { lanes, end }
                }
                (other, _) => other,
            };
            (strategy, kernel)
        }))
    }

    fn forms(&self, index: usize, looped: &Loop, asked: Asked) -> Result<Vec<Form>, String> {
        if !is_innermost(looped) {
            return Err("there is a loop inside it; name an innermost loop".into());
        }
        if self.analysis.loops[index].class != Class::Reduction {
            return Err("it carries no reduction, or something else besides".into());
        }
        let carried = || self.analysis.statements.iter().filter(|report| report.carried_by.contains(&index));
        if asked.strategy.reorders() {
            if let Some(what) = carried().find_map(|report| reordered(report, self.order)) {
                return Err(what);
            }
            if self.order == FloatOrder::Fixed {
                return Err("`--order fixed` has parts of its own; inner_parallel keeps the order".into());
            }
        }
        let said = |lanes: u32| asked.is_counted.then_some(lanes);
        Ok(match asked.strategy {
            Strategy::InnerParallel { .. } => vec![Form::Thread],
            Strategy::InnerReduction { end: Combining::Sequential, .. }
            | Strategy::VectorAccumulator { end: Combining::Sequential, .. } => {
                return Err("the threads of a team are combined by a tree, not one after the other".into());
            }
            Strategy::InnerReduction { lanes, .. } => {
                use ReductionOperator::{ArgMax, ArgMin, First, Last};
                let is_search =
                    |operator: ReductionOperator| matches!(operator, ArgMax | ArgMin | First | Last);
                if carried().any(|report| report.reduction.is_some_and(is_search)) {
                    return Err("a search is combined once, not at each step".into());
                }
                vec![Form::Steps(said(lanes).unwrap_or(self.device.warp))]
            }
            Strategy::VectorAccumulator { lanes, .. } => match said(lanes) {
                Some(lanes) => vec![Form::Accumulators(lanes)],
                None => self.device.team_sizes().map(Form::Accumulators).collect(),
            },
        })
    }
}

/// What a strategy takes, in words.
fn takes(strategy: Strategy, kernel: &Kernel, sectors: f64) -> String {
    let steps = |lanes: u32| {
        let iterations = kernel.teams.values().map(|(_, iterations)| *iterations).sum::<f64>();
        (iterations / f64::from(lanes)).ceil()
    };
    let what = match strategy {
        Strategy::InnerParallel { .. } => "a thread has a row".into(),
        Strategy::InnerReduction { lanes, .. } => {
            format!("a team of {lanes} threads has a row, with {:.0} shuffle trees", steps(lanes))
        }
        Strategy::VectorAccumulator { lanes, .. } => {
            format!("a team of {lanes} threads has a row, with a shuffle tree")
        }
    };
    let time = kernel.cost / 1e3;
    format!("{what}: about {time:.1} us, {sectors:.3} sectors of memory for each element")
}

fn set_parallel(region: &mut Region, index: usize, parallel: bool) {
    let Some(node) = loop_at(region, index) else { return };
    let made = Node::Loop(Loop { parallel, ..node.clone() });
    replace(region, index, vec![made]);
}
