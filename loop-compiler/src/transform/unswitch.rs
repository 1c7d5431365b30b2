//! Loop unswitching: a condition that is the same in all iterations is tested once, around two loops.
//!
//! `for (…) { A; if (c) B; else C; }` is `if (c) for (…) { A; B; } else for (…) { A; C; }`. The condition is computed even if the
//! loop has no iteration, so that it has to be free of traps; it reads scalars only.

use crate::cost::policy::UNSWITCHED_COPIES;
use crate::ir::{
    Aliasing, BinaryOperator, Expression, ExpressionKind, If, Loop, Node, Region, rewrite, walk,
};

/// The region with its loops unswitched, from the innermost ones.
pub(crate) fn unswitched(region: &Region) -> Region {
    let body = rewrite(region.body.clone(), &mut |node| match node {
        Node::Loop(looped) => of_loop(region, looped, UNSWITCHED_COPIES),
        other => vec![other],
    });
    Region { body, ..region.clone() }
}

/// A loop, or what is made of it with so many copies.
fn of_loop(region: &Region, looped: Loop, copies: usize) -> Vec<Node> {
    let is_switch =
        |node: &Node| matches!(node, Node::If(guard) if is_invariant(region, &looped, &guard.condition));
    let Some(place) = looped.body.iter().position(is_switch).filter(|_| copies > 1) else {
        return vec![Node::Loop(looped)];
    };
    let Node::If(If { condition, then, otherwise, at }) = looped.body[place].clone() else {
        return vec![Node::Loop(looped)];
    };
    let with = |branch: Vec<Node>| {
        let mut body = looped.body.clone();
        body.splice(place..=place, branch);
        of_loop(region, Loop { body, ..looped.clone() }, copies / 2)
    };
    vec![Node::either(condition, with(then), with(otherwise), at)]
}

/// Whether a condition has the same value before the loop and in each of its iterations, and cannot trap.
fn is_invariant(region: &Region, looped: &Loop, condition: &Expression) -> bool {
    let is_changed = |id| {
        looped.iterator == id || walk(&looped.body).any(|node| node.changed().any(|changed| changed == id))
    };
    // A constant needs no loop of its own.
    condition.variables().next().is_some()
        && condition.walk().all(|value| match &value.kind {
            ExpressionKind::Read(read) => {
                let is_own = region.variable(read.variable).aliasing == Aliasing::Distinct;
                read.path.is_empty() && is_own && !is_changed(read.variable)
            }
            ExpressionKind::Iterator(id) => !is_changed(*id),
            ExpressionKind::Binary(operator, ..) => {
                !matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder)
            }
            ExpressionKind::Call(..) => false,
            _ => true,
        })
}
