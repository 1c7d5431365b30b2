//! Loops directly inside each other, in another order.

use std::ops::Range;

use super::{
    nodes::replace,
    proof::Proof,
    setting::{Setting, possible, rejected},
};
use crate::{
    analysis::{AnalysisError, failed},
    ir::{Loop, Node, Region},
    isl::Formula,
    rules::Rule,
};

/// The region with loops, each directly inside another of them, in the order of `loops`; `step` is for messages.
///
/// # Errors
///
/// If the loops are not directly inside each other, if the bounds of one depend on another one that it would no longer
/// be inside of, and if the new order turns a dependence around.
pub fn reorder(
    region: &Region,
    loops: &[usize],
    step: &str,
    setting: Setting<'_>,
) -> Result<Region, AnalysisError> {
    let proof = Proof::new(region, setting)?;
    let band = band(&proof, loops, step)?;
    bounds_keep(&proof, &band, step)?;
    proof.keeps_order(band[0], step, |from, to| {
        let inside = is_inside(&proof, &band, from) && is_inside(&proof, &band, to);
        let first = first_by(&proof, &band, 'a', 'b');
        let later = first_by(&proof, loops, 'b', 'a');
        inside.then(|| Formula::and([first, later]))
    })?;
    let facts = &proof.program.loops;
    let mut body = facts[band[band.len() - 1]].node.body.clone();
    for index in loops.iter().rev() {
        body = vec![Node::Loop(Loop { body, ..facts[*index].node.clone() })];
    }
    let mut out = region.clone();
    replace(&mut out, band[0], body);
    Ok(out)
}

/// The loops of a perfect nest that may be its outermost one, and of which no two iterations depend on each other then.
/// Dependences that they do not carry keep their order, whatever loops are inside.
pub(crate) fn independent(
    region: &Region,
    nest: Range<usize>,
    step: &str,
    setting: Setting<'_>,
) -> Result<Vec<usize>, AnalysisError> {
    let proof = Proof::new(region, setting)?;
    let whole: Vec<usize> = nest.clone().collect();
    let mut found = Vec::new();
    if possible(bounds_keep(&proof, &whole, step))?.is_none() {
        return Ok(found);
    }
    let around = &proof.program.loops[nest.start].around;
    let outside = proof.program.same_iterations(around, 'a', 'b');
    for index in nest.clone() {
        let order: Vec<usize> =
            std::iter::once(index).chain(nest.clone().filter(|other| *other != index)).collect();
        if possible(band(&proof, &order, step))?.is_none() {
            continue;
        }
        let condition = Formula::and([outside.clone(), proof.program.earlier(index, 'a', 'b')]);
        if !proof.conflict_inside(index, &condition).map_err(failed(region.at))? {
            found.push(index);
        }
    }
    Ok(found)
}

/// The loops in the order in which they are; an error if they are not directly inside each other, or if the bounds of one
/// need another one that it would not be inside of in the order of `loops`.
fn band(proof: &Proof<'_>, loops: &[usize], step: &str) -> Result<Vec<usize>, AnalysisError> {
    let mut band = loops.to_vec();
    band.sort_unstable();
    band.dedup();
    let region = proof.program.region;
    if band.is_empty() || band.len() != loops.len() {
        return rejected(Rule::Model, region.at, step, "it has to name each of several loops once");
    }
    let facts = &proof.program.loops;
    let name = |index: usize| &region.variable(facts[index].node.iterator).name;
    for pair in band.windows(2) {
        let (outer, inner) = (pair[0], pair[1]);
        let at = facts[inner].node.at;
        if !facts[inner].around.contains(&outer) {
            return rejected(
                Rule::Model,
                at,
                step,
                format!("`{}` is not inside `{}`", name(inner), name(outer)),
            );
        }
        let direct = matches!(&facts[outer].node.body[..], [Node::Loop(only)] if std::ptr::eq(only, facts[inner].node));
        if !direct {
            let (inner, outer) = (name(inner), name(outer));
            let reason = format!(
                "`{inner}` is not all that is in `{outer}`; name the loops between them, or distribute({outer}) first"
            );
            return rejected(Rule::Model, at, step, reason);
        }
    }
    for (place, index) in loops.iter().enumerate() {
        movable(proof, *index, step)?;
        let node = facts[*index].node;
        for inner in &loops[place + 1..] {
            let iterator = facts[*inner].node.iterator;
            if node.bounds().into_iter().any(|bound| bound.mentions(iterator)) {
                let reason = format!("the bounds of `{}` depend on `{}`", name(*index), name(*inner));
                return rejected(Rule::Model, node.at, step, reason);
            }
        }
    }
    Ok(band)
}

fn is_inside(proof: &Proof<'_>, band: &[usize], access: usize) -> bool {
    let around = &proof.program.accesses[access].around;
    band.iter().all(|index| around.contains(index))
}

/// Rejects loops that change what a bound of theirs reads.
fn bounds_keep(proof: &Proof<'_>, band: &[usize], step: &str) -> Result<(), AnalysisError> {
    proof.keeps_order(band[0], step, |from, to| {
        let inside = is_inside(proof, band, from) && is_inside(proof, band, to);
        (!inside).then_some(Formula::True)
    })
}

/// Whether one copy is in an earlier iteration of loops in this order.
fn first_by(proof: &Proof<'_>, loops: &[usize], first: char, second: char) -> Formula {
    let program = &proof.program;
    let cases = loops.iter().enumerate().map(|(depth, index)| {
        let same = program.same_iterations(&loops[..depth], first, second);
        Formula::and([same, program.earlier(*index, first, second)])
    });
    Formula::or(cases)
}

/// Rejects loops that no step moves: those that are left early, whose iterator others may read, or in which memory is
/// reduced.
pub(super) fn movable(proof: &Proof<'_>, index: usize, step: &str) -> Result<(), AnalysisError> {
    let facts = &proof.program.loops[index];
    let name = &proof.program.region.variable(facts.node.iterator).name;
    if let Some(at) = facts.leaves {
        return rejected(Rule::Searches, at, step, format!("loop `{name}` is left early"));
    }
    if let Some(at) = facts.opaque {
        return rejected(Rule::Model, at, step, format!("a dimension is reduced inside loop `{name}`"));
    }
    if !facts.node.declares {
        let reason =
            format!("`{name}` is declared before its loop, and keeps a value; declare it in the loop");
        return rejected(Rule::Liveness, facts.node.at, step, reason);
    }
    Ok(())
}
