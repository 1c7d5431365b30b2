//! Loops and what they keep of schedules.

use std::collections::BTreeSet;

use crate::ir::{Loop, Mark, Node, Region, for_each_loop_mut, loops};

/// The loops that keep a property, by number.
pub fn marked(region: &Region, mark: Mark) -> BTreeSet<usize> {
    loops(&region.body)
        .enumerate()
        .filter(|(_, node)| node.attributes.has(mark))
        .map(|(index, _)| index)
        .collect()
}

/// Whether a region has schedules, or what they have left.
pub fn is_directed(nodes: &[Node]) -> bool {
    loops(nodes).any(|looped| looped.attributes.is_directed())
}

/// The number of loops.
pub(super) fn count(region: &Region) -> usize {
    loops(&region.body).count()
}

pub(super) fn loops_in(nodes: &[Node]) -> usize {
    loops(nodes).count()
}

pub(super) fn change(region: &mut Region, index: usize, with: impl FnOnce(&mut Loop)) {
    let (mut place, mut with) = (0, Some(with));
    for_each_loop_mut(&mut region.body, |looped| {
        if place == index {
            with.take().into_iter().for_each(|with| with(looped));
        }
        place += 1;
    });
}
