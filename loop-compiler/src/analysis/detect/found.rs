//! What detection finds.

use std::collections::BTreeMap;

use crate::{analysis::program::Program, ir::ReductionOperator, isl::Formula, rules::Rule};

/// Where the paper's text and its examples differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetectionRule {
    /// Whether another load of the target's array disturbs only where it reads the same cell in the same instance
    /// (the sentence about `A[i % 2] + A[i % 2 + 1]`), or wherever its range meets the target's (the definition).
    pub by_instance: bool,
    /// Whether `x - e` is taken as `x + (-e)`.
    pub subtraction: bool,
}

impl Default for DetectionRule {
    fn default() -> DetectionRule {
        DetectionRule { by_instance: true, subtraction: true }
    }
}

/// Statements that update a target in a way that may be reordered: `(S, l, ⊕, s)` of the paper.
#[derive(Clone, Debug)]
pub(crate) struct ReductionLike {
    pub operator: ReductionOperator,
    /// Equal for statements that form one reduction: same operator, same targets.
    pub group: usize,
    /// The statements that store.
    pub statements: Vec<usize>,
    /// The `if` whose condition is part of the form, if there is one.
    pub guard: Option<usize>,
    /// Accesses to the targets that belong to it, loads and stores.
    pub members: Vec<usize>,
    /// The load and the store, where they name the same cell in some instances only.
    pub only_where_equal: Option<(usize, usize)>,
}

/// An accumulation whose intermediate values are stored or used: into the next cell, `b[i] = b[i - 1] + a[i]`, or through a
/// local variable that has other uses. It is a scan if a loop carries nothing else.
#[derive(Clone, Debug)]
pub(crate) struct Prefix {
    pub combination: Combination,
    pub loads: Vec<usize>,
    pub store: usize,
    /// Whether load and store name different cells, so that only a distance of one iteration makes a scan.
    pub next_cell: bool,
}

/// What becomes of a value that is loaded and stored again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combination {
    /// It is combined with others.
    Operator(ReductionOperator),
    /// It is multiplied by a factor, and something is added: a linear recurrence.
    Linear,
}

/// What detection finds.
#[derive(Debug, Default)]
pub(crate) struct Detected {
    pub reductions: Vec<ReductionLike>,
    pub prefixes: Vec<Prefix>,
    /// By statement: why something that resembles a reduction is none.
    pub rejected: BTreeMap<usize, (Rule, String)>,
}

impl Detected {
    /// The reductions of which an access is a member.
    pub fn of(&self, access: usize) -> impl Iterator<Item = &ReductionLike> {
        self.reductions.iter().filter(move |reduction| reduction.members.contains(&access))
    }

    /// When instances of two accesses, in copies `a` and `b`, load and store the same cell, as conditions; none if they
    /// always do.
    pub fn agreements(&self, program: &Program<'_>, (from, to): (usize, usize)) -> Vec<Formula> {
        let mut conditions = Vec::new();
        for (access, copy) in [(from, 'a'), (to, 'b')] {
            for (load, store) in self.of(access).filter_map(|reduction| reduction.only_where_equal) {
                let [load, store] = [load, store].map(|access| &program.accesses[access]);
                conditions.push(program.same_cell(load, copy, store, copy));
            }
        }
        conditions
    }
}
