//! Loops and what they keep of schedules.

use std::collections::BTreeSet;

use super::language::{Mark, Schedule};
use crate::{
    transform::loop_at,
    tree::{Loop, Node, Region},
};

/// The loops that keep a property, by number.
pub fn marked(region: &Region, mark: Mark) -> BTreeSet<usize> {
    (0..count(region)).filter(|index| loop_at(region, *index).is_some_and(|node| has(node, mark))).collect()
}

/// Whether a region has schedules, or what they have left.
pub fn is_directed(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Loop(looped) => {
            looped.directives.iter().any(|text| Schedule::of(text).is_some()) || is_directed(&looped.body)
        }
        Node::If(guard) => is_directed(&guard.then) || is_directed(&guard.otherwise),
        _ => false,
    })
}

pub(super) fn has(node: &Loop, mark: Mark) -> bool {
    Schedule::marks(&node.directives, mark)
}

/// The number of loops.
pub(super) fn count(region: &Region) -> usize {
    loops_in(&region.body)
}

pub(super) fn loops_in(nodes: &[Node]) -> usize {
    let number = |node: &Node| match node {
        Node::Loop(looped) => 1 + loops_in(&looped.body),
        Node::If(guard) => loops_in(&guard.then) + loops_in(&guard.otherwise),
        _ => 0,
    };
    nodes.iter().map(number).sum()
}

pub(super) fn change(region: &mut Region, index: usize, with: impl FnOnce(&mut Loop)) {
    fn visit<F: FnOnce(&mut Loop)>(nodes: &mut [Node], left: &mut usize, with: &mut Option<F>) {
        for node in nodes {
            match node {
                Node::Loop(looped) => {
                    if *left == 0 {
                        with.take().into_iter().for_each(|with| with(looped));
                    }
                    *left = left.wrapping_sub(1);
                    visit(&mut looped.body, left, with);
                }
                Node::If(guard) => {
                    visit(&mut guard.then, left, with);
                    visit(&mut guard.otherwise, left, with);
                }
                _ => {}
            }
        }
    }
    visit(&mut region.body, &mut { index }, &mut Some(with));
}
