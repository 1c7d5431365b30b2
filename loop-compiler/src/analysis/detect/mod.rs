//! Detection of reductions: which statements combine their target with an associative and commutative operator.
//!
//! The data flow of Doerfert, Streit, Hack and Benaissa, "Polly's Polyhedral Scheduling in the Presence of Reductions"
//! (IMPACT 2015), section 3: each load of the target's cell is followed through the operations to the store. Beyond the
//! paper are minimum and maximum in every form, searches (argmin, argmax, first and last), conditional updates, values
//! that pass through a local variable, and several statements on one target. Whether a loop carries the reduction is
//! asked later, of its dependences.

mod detection;
mod found;
mod searches;
mod symbols;
mod updates;

use std::{collections::BTreeMap, rc::Rc};

use self::detection::Detection;
pub use self::found::DetectionRule;
pub(crate) use self::found::{Combination, Detected, Prefix, ReductionLike};
pub(crate) use self::searches::sentinel;
use crate::{
    analysis::program::{Action, Program},
    isl::{Context, IslError},
};

/// Finds what may be a reduction.
pub(crate) fn detect(
    program: &Program<'_>,
    context: &Rc<Context>,
    rule: DetectionRule,
) -> Result<Detected, IslError> {
    let mut detection = Detection {
        program,
        context,
        rule,
        found: Detected::default(),
        groups: Vec::new(),
        temporaries: BTreeMap::new(),
    };
    detection.find_temporaries();
    for loop_index in 0..program.loops.len() {
        detection.search(loop_index);
    }
    for (index, statement) in program.statements.iter().enumerate() {
        if let Action::Condition(guard) = statement.action {
            detection.guarded(index, guard)?;
        }
    }
    for (index, statement) in program.statements.iter().enumerate() {
        if let Action::Statement(statement) = statement.action
            && !detection.is_found(index)
        {
            detection.statement(index, statement)?;
        }
    }
    for (index, statement) in program.statements.iter().enumerate() {
        if let Action::Statement(statement) = statement.action
            && !detection.is_found(index)
        {
            detection.last(index, statement);
        }
    }
    Ok(detection.found)
}
