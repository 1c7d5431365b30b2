//! Independent loops of perfect nests, moved outwards, so that a device has a thread for each element of a result and each
//! thread keeps the order of its sums.

use std::collections::BTreeSet;

use crate::{
    analysis::{AnalysisError, Options, analyze},
    classes::Class,
    compare::mentions,
    tree::{Loop, Node, Region, VariableId},
};

/// The region with independent loops in front of others; none if that changes nothing.
///
/// A loop may move if nothing depends on anything in another of its iterations, which its class says when it is the
/// outermost of its nest: then all dependences are between instances in one iteration of it, and keep their order.
pub(crate) fn moved(region: &Region, options: &Options) -> Result<Option<Region>, AnalysisError> {
    let mut out = region.clone();
    let mut changed = false;
    for nest in 0..nests(&region.body) {
        let depth = chain(&out, nest).len();
        if depth < 2 {
            continue;
        }
        let mut free = BTreeSet::new();
        for place in 0..depth {
            let order: Vec<usize> =
                std::iter::once(place).chain((0..depth).filter(|at| *at != place)).collect();
            let mut trial = out.clone();
            let number = reorder(&mut trial, nest, &order);
            let analysis = match analyze(&trial, options) {
                Ok(analysis) => analysis,
                Err(AnalysisError::Rejected(_)) => return Ok(None),
                Err(error) => return Err(error),
            };
            if analysis.loops[number].class == Class::Parallel {
                free.insert(place);
            }
        }
        let rest = (0..depth).filter(|place| !free.contains(place));
        let order: Vec<usize> = free.iter().copied().chain(rest).collect();
        if !order.is_sorted() {
            reorder(&mut out, nest, &order);
            changed = true;
        }
    }
    Ok(changed.then_some(out))
}

/// The outermost loops of a region.
fn nests(nodes: &[Node]) -> usize {
    nodes.iter().filter(|node| matches!(node, Node::Loop(_))).count()
}

fn nest(region: &Region, number: usize) -> Option<&Loop> {
    let loops = region.body.iter().filter_map(|node| match node {
        Node::Loop(looped) => Some(looped),
        _ => None,
    });
    loops.into_iter().nth(number)
}

/// The loops of a perfect nest that may be exchanged as far as their bounds say.
fn chain(region: &Region, number: usize) -> Vec<&Loop> {
    let mut chain: Vec<&Loop> = Vec::new();
    let mut next = nest(region, number);
    while let Some(looped) = next {
        let around = |id: VariableId| chain.iter().any(|other| other.iterator == id);
        let fixed =
            ![&looped.lower, &looped.condition, &looped.step].into_iter().any(|part| mentions(part, &around));
        // The last value of an iterator may be read afterwards.
        if !fixed || !looped.declares || !looped.directives.is_empty() {
            break;
        }
        chain.push(looped);
        next = match &looped.body[..] {
            [Node::Loop(inner)] => Some(inner),
            _ => None,
        };
    }
    chain
}

/// Puts the loops of a nest into another order; the number of the first.
fn reorder(region: &mut Region, number: usize, order: &[usize]) -> usize {
    let heads: Vec<Loop> =
        chain(region, number).into_iter().map(|looped| Loop { body: Vec::new(), ..looped.clone() }).collect();
    let mut before = 0;
    let loops = region.body.iter_mut().filter_map(|node| match node {
        Node::Loop(looped) => Some(looped),
        _ => None,
    });
    for (place, looped) in loops.enumerate() {
        if place < number {
            before += count(looped);
            continue;
        }
        let mut inner = &mut *looped;
        for _ in 1..order.len() {
            let [Node::Loop(next)] = &mut inner.body[..] else { return before };
            inner = next;
        }
        let body = std::mem::take(&mut inner.body);
        let nested = order.iter().rev().fold(body, |body, place| {
            let head = heads[*place].clone();
            vec![Node::Loop(Loop { body, ..head })]
        });
        if let Some(Node::Loop(first)) = nested.into_iter().next() {
            *looped = first;
        }
        break;
    }
    before
}

/// A loop and those inside.
fn count(looped: &Loop) -> usize {
    fn inside(nodes: &[Node]) -> usize {
        let of_node = |node: &Node| match node {
            Node::Loop(looped) => count(looped),
            Node::If(guard) => inside(&guard.then) + inside(&guard.otherwise),
            _ => 0,
        };
        nodes.iter().map(of_node).sum()
    }
    1 + inside(&looped.body)
}
