//! The proof of a step: no two instances that depend on each other change places.

use std::rc::Rc;

use super::setting::{Setting, rejected};
use crate::{
    analysis::{
        AnalysisError, Detection,
        classes::Dependence,
        detect::{Detected, ReductionLike},
        failed,
        program::Program,
    },
    ir::{Position, ReductionOperator, Region},
    isl::{Context, Formula, IslError},
    rules::{FloatOrder, Rule},
};

/// What is known of a region before a step.
pub(super) struct Proof<'r> {
    pub program: Program<'r>,
    detected: Detected,
    context: Rc<Context>,
    order: FloatOrder,
    at: Position,
}

/// What stands against a pair of accesses changing places.
pub(super) enum Obstacle {
    /// They depend on each other.
    Dependence(Dependence),
    /// They are of one reduction, whose order is kept.
    Order(Dependence),
}

impl<'r> Proof<'r> {
    pub fn new(region: &'r Region, setting: Setting<'_>) -> Result<Proof<'r>, AnalysisError> {
        let Detection { program, context, detected } = Detection::of(region, setting.options)?;
        Ok(Proof { program, detected, context, order: setting.order, at: region.at })
    }

    /// Rejects a step if accesses inside a loop change places that must not. `swapped` says when, for a pair of accesses
    /// in copies `a` and `b`: that of `a` was executed first, and will not be; `None` if never.
    pub fn keeps_order(
        &self,
        inside: usize,
        step: &str,
        swapped: impl Fn(usize, usize) -> Option<Formula>,
    ) -> Result<(), AnalysisError> {
        for (from, to) in self.pairs(inside) {
            let Some(condition) = swapped(from, to) else { continue };
            match self.obstacle(inside, (from, to), &condition).map_err(failed(self.at))? {
                None => {}
                Some(Obstacle::Dependence(dependence)) => {
                    let at = dependence.to;
                    return rejected(
                        Rule::Dependences,
                        at,
                        step,
                        format!("{dependence} would be turned around"),
                    );
                }
                Some(Obstacle::Order(dependence)) => {
                    let (at, array) = (dependence.to, &dependence.array);
                    let reason = format!(
                        "it changes the order in which lines {} and {} combine floats in `{array}`; --order free allows \
                         that",
                        dependence.from.line, dependence.to.line
                    );
                    return rejected(Rule::Floats, at, step, reason);
                }
            }
        }
        Ok(())
    }

    /// Pairs of accesses inside a loop to one array, of which one is a write.
    pub fn pairs(&self, inside: usize) -> Vec<(usize, usize)> {
        let accesses = &self.program.accesses;
        let mut found = Vec::new();
        for (from, f) in accesses.iter().enumerate() {
            for (to, t) in accesses.iter().enumerate() {
                let both = f.around.contains(&inside) && t.around.contains(&inside);
                if both && f.array == t.array && (f.write || t.write) {
                    found.push((from, to));
                }
            }
        }
        found
    }

    /// Whether two accesses inside a loop, to an array that lives longer than its iterations, touch one cell under a
    /// condition on their copies `a` and `b`, of which one writes.
    pub fn conflict_inside(&self, index: usize, condition: &Formula) -> Result<bool, IslError> {
        let changed = self.program.arrays_changed_in(index);
        for pair in self.pairs(index) {
            let lives_on = changed.contains(&self.program.accesses[pair.0].array);
            if lives_on && !self.program.conflicts(&self.context, pair, condition.clone())?.is_empty()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What forbids that a pair of accesses changes places under a condition.
    pub fn obstacle(
        &self,
        inside: usize,
        (from, to): (usize, usize),
        condition: &Formula,
    ) -> Result<Option<Obstacle>, IslError> {
        let program = &self.program;
        let set = |further: Formula| {
            let array = program.accesses[from].array;
            let declared = program.arrays[array].declared_in.iter().flatten().copied().collect::<Vec<_>>();
            let within = Formula::and([
                program.same_iterations(&program.loops[inside].around, 'a', 'b'),
                // What an iteration declares is its own.
                program.same_iterations(&declared, 'a', 'b'),
                condition.clone(),
                further,
            ]);
            program.conflicts(&self.context, (from, to), within)
        };
        let all = set(Formula::True)?;
        if all.is_empty()? {
            return Ok(None);
        }
        let dependence = Dependence::between(program, from, to, None);
        let Some(reduction) = self.reduction(from, to) else {
            return Ok(Some(Obstacle::Dependence(dependence)));
        };
        // Where load and store differ, only instances in which they agree accumulate.
        let agreements = self.detected.agreements(program, (from, to));
        if !agreements.is_empty() && !all.subtract(set(Formula::and(agreements))?)?.is_empty()? {
            return Ok(Some(Obstacle::Dependence(dependence)));
        }
        let is_float = program.accesses[from].reference.scalar.is_float() && self.order == FloatOrder::Kept;
        Ok(match reduction.operator {
            // Which element is found depends on the order.
            ReductionOperator::First
            | ReductionOperator::Last
            | ReductionOperator::ArgMin
            | ReductionOperator::ArgMax => Some(Obstacle::Dependence(dependence)),
            _ if is_float => Some(Obstacle::Order(dependence)),
            _ => None,
        })
    }

    /// The reduction of which both accesses are members.
    fn reduction(&self, from: usize, to: usize) -> Option<&ReductionLike> {
        let is_of_both =
            |first: &&ReductionLike| self.detected.of(to).any(|second| second.group == first.group);
        self.detected.of(from).find(is_of_both)
    }
}
