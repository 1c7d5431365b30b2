//! What a person directs of the loops of a region.

use std::collections::BTreeSet;

use crate::{
    analysis::{Analysis, AnalysisError, Options, analyze, classes::Class, program::Program},
    annotations::missing_clauses,
    ir::{Pragma, Region},
    rules::{Rejection, Rule},
};

/// The loops that a person has made parallel with OpenMP's directives.
#[derive(Default)]
pub(super) struct Given {
    /// The outermost loops of nests that are directed: the model chooses nothing there.
    pub nests: BTreeSet<usize>,
    /// The loops whose directives do not name all copies that are needed.
    pub legalized: BTreeSet<usize>,
}

impl Given {
    pub fn of(region: &Region, options: &Options) -> Result<Given, AnalysisError> {
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
