//! Loop fusion: adjacent loops with the same iterations as one.
//!
//! An iteration of the second loop is executed before later ones of the first then: legal if none of them depend on each
//! other.

use std::collections::BTreeSet;

use super::{
    nodes::{in_expression, loop_at, replace, substituted},
    proof::Proof,
    reorder::movable,
    setting::{Setting, possible},
};
use crate::{
    analysis::{AnalysisError, failed},
    ir::{Expression, ExpressionKind, Loop, Node, Region, compare::same},
    isl::{Affine, Formula, Term},
};

const STEP: &str = "loop fusion";

/// The region with adjacent loops fused as far as their dependences allow; none if that changes nothing.
///
/// # Errors
///
/// If the analysis fails.
pub(crate) fn fused(region: &Region, setting: Setting<'_>) -> Result<Option<Region>, AnalysisError> {
    let mut out: Option<Region> = None;
    while let Some(made) = one_fused(out.as_ref().unwrap_or(region), setting)? {
        out = Some(made);
    }
    Ok(out)
}

/// The region with the first two adjacent loops fused that can be.
fn one_fused(region: &Region, setting: Setting<'_>) -> Result<Option<Region>, AnalysisError> {
    let mut pairs = Vec::new();
    adjacent(&region.body, &mut 0, &mut pairs);
    pairs.retain(|(first, second)| {
        let loops = loop_at(region, *first).zip(loop_at(region, *second));
        loops.is_some_and(|(first, second)| have_same_iterations(region, first, second))
    });
    if pairs.is_empty() {
        return Ok(None);
    }
    let proof = Proof::new(region, setting)?;
    for (first, second) in pairs {
        if !may_be_fused(&proof, first, second)? {
            continue;
        }
        let (one, other) = (proof.program.loops[first].node, proof.program.loops[second].node);
        let mut body = one.body.clone();
        body.extend(substituted(&other.body, other.iterator, &iterator_of(region, one)));
        let mut out = region.clone();
        // The loop before keeps its number.
        replace(&mut out, second, Vec::new());
        replace(&mut out, first, vec![Node::Loop(Loop { body, ..one.clone() })]);
        return Ok(Some(out));
    }
    Ok(None)
}

/// The numbers of loops that stand directly behind each other.
fn adjacent(nodes: &[Node], next: &mut usize, pairs: &mut Vec<(usize, usize)>) {
    let mut before = None;
    for node in nodes {
        let own = node.as_loop().map(|_| {
            *next += 1;
            *next - 1
        });
        node.bodies().into_iter().for_each(|body| adjacent(body, next, pairs));
        pairs.extend(before.zip(own));
        before = own;
    }
}

fn iterator_of(region: &Region, looped: &Loop) -> Expression {
    let kind = ExpressionKind::Iterator(looped.iterator);
    Expression { kind, scalar: region.variable(looped.iterator).scalar }
}

/// Whether two loops have the same bounds, steps and types, nobody says what becomes of them, and their bodies may stand in
/// one scope.
fn have_same_iterations(region: &Region, first: &Loop, second: &Loop) -> bool {
    let iterator = iterator_of(region, first);
    let condition = in_expression(&second.condition, second.iterator, &iterator);
    let is_plain = |looped: &Loop| looped.attributes.is_empty() && !looped.parallel;
    let names = |looped: &Loop| -> BTreeSet<&str> {
        looped.body.iter().filter_map(Node::declared).map(|id| region.variable(id).name.as_str()).collect()
    };
    iterator.scalar == region.variable(second.iterator).scalar
        && same(&first.lower, &second.lower, None)
        && same(&first.step, &second.step, None)
        && same(&first.condition, &condition, None)
        && is_plain(first)
        && is_plain(second)
        && names(first).is_disjoint(&names(second))
}

/// Whether no iteration of the second loop depends on a later one of the first, and neither changes their bounds.
fn may_be_fused(proof: &Proof<'_>, first: usize, second: usize) -> Result<bool, AnalysisError> {
    let program = &proof.program;
    for index in [first, second] {
        // Bounds that are exact read only what the region does not change.
        if !program.are_exact(&[index]) || possible(movable(proof, index, STEP))?.is_none() {
            return Ok(false);
        }
    }
    let [a, b] = [('a', first), ('b', second)].map(|(copy, index)| Affine::term(Term::Named(copy, index)));
    let before = match program.loops[first].direction > 0 {
        true => Formula::less(b, a),
        false => Formula::less(a, b),
    };
    for (from, f) in program.accesses.iter().enumerate().filter(|(_, f)| f.around.contains(&first)) {
        for (to, t) in program.accesses.iter().enumerate().filter(|(_, t)| t.around.contains(&second)) {
            if f.array == t.array && (f.write || t.write) {
                let obstacle = proof.obstacle(first, (from, to), &before);
                if obstacle.map_err(failed(program.region.at))?.is_some() {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}
