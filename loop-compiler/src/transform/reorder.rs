//! Loops directly inside each other, in another order.

use super::{
    nodes::replace,
    proof::Proof,
    setting::{Setting, rejected},
};
use crate::{
    analysis::AnalysisError,
    ir::{Loop, Node, Region},
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
    let mut band = loops.to_vec();
    band.sort_unstable();
    band.dedup();
    let (Some(&outermost), true) = (band.first(), band.len() == loops.len()) else {
        return rejected(Rule::Model, region.at, step, "it has to name each of several loops once");
    };
    let proof = Proof::new(region, setting)?;
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
        movable(&proof, *index, step)?;
        let node = facts[*index].node;
        for inner in &loops[place + 1..] {
            let iterator = facts[*inner].node.iterator;
            if node.bounds().into_iter().any(|bound| bound.mentions(iterator)) {
                let reason = format!("the bounds of `{}` depend on `{}`", name(*index), name(*inner));
                return rejected(Rule::Model, node.at, step, reason);
            }
        }
    }
    proof.keeps_order(outermost, step, |from, to| {
        let inside = |access: usize| {
            let around = &proof.program.accesses[access].around;
            band.iter().all(|index| around.contains(index))
        };
        // What a bound reads, the loops must not change.
        if !inside(from) || !inside(to) {
            return Some("true".into());
        }
        let first = first_by(&proof, &band, 'a', 'b');
        let later = first_by(&proof, loops, 'b', 'a');
        Some(format!("({first}) and ({later})"))
    })?;
    let mut body = facts[*band.last().unwrap_or(&outermost)].node.body.clone();
    for index in loops.iter().rev() {
        body = vec![Node::Loop(Loop { body, ..facts[*index].node.clone() })];
    }
    let mut out = region.clone();
    replace(&mut out, outermost, body);
    Ok(out)
}

/// Whether one copy is in an earlier iteration of loops in this order.
fn first_by(proof: &Proof<'_>, loops: &[usize], first: char, second: char) -> String {
    let program = &proof.program;
    let cases = loops.iter().enumerate().map(|(depth, index)| {
        let same = program.same_iterations(&loops[..depth], first, second);
        format!("({same} and {})", program.earlier(*index, first, second))
    });
    cases.collect::<Vec<_>>().join(" or ")
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
