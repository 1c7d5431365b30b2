//! Vector clocks over the threads of a launch.
//!
//! A clock says of every thread up to which time its accesses are known to come before. It is a persistent tree
//! with 32 branches per level: lanes, warps of a block, blocks. A node has a *floor*, a time that holds for all
//! threads below it, so that a barrier of a block costs one path however many threads it has, and clocks share
//! what they have in common.

use std::sync::Arc;

/// The index of a thread in its launch: the block, then ten bits of the thread. Blocks whose numbers differ by a
/// multiple of 2^20 share an index: a race between them may be missed, none is invented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ThreadIndex(pub u32);

impl ThreadIndex {
    pub fn new(block: u64, thread: u32) -> ThreadIndex {
        ThreadIndex(((block as u32) & 0xf_ffff) << 10 | thread & 1023)
    }

    /// Whether both are threads of one block.
    pub fn same_block(self, other: ThreadIndex) -> bool {
        self.0 >> 10 == other.0 >> 10
    }
}

/// Levels of nodes: lanes of a warp, warps of a block, and four levels of blocks.
const WARP: u32 = 0;
const BLOCK: u32 = 1;
const TOP: u32 = 5;

#[derive(Clone, Debug, Default)]
enum Below {
    #[default]
    Nothing,
    Nodes(Box<[Option<Arc<Node>>; 32]>),
    Lanes([u32; 32]),
}

#[derive(Clone, Debug, Default)]
struct Node {
    floor: u32,
    below: Below,
}

/// A vector clock; a new one knows of no thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock(Option<Arc<Node>>);

impl Clock {
    /// The time up to which a thread's accesses are known.
    pub fn get(&self, thread: ThreadIndex) -> u32 {
        let Some(mut node) = self.0.as_ref() else { return 0 };
        let mut known = 0;
        for level in (WARP..=TOP).rev() {
            known = known.max(node.floor);
            match &node.below {
                Below::Nothing => return known,
                Below::Lanes(times) => return known.max(times[thread.0 as usize & 31]),
                Below::Nodes(nodes) => match &nodes[branch(thread, level)] {
                    Some(next) => node = next,
                    None => return known,
                },
            }
        }
        known
    }

    /// Whether both are the same tree.
    pub fn is_same(&self, other: &Clock) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    /// Knows all threads of a block up to a time that none of them has exceeded.
    pub fn set_block(&mut self, thread: ThreadIndex, time: u32) {
        *self.node(thread, BLOCK) = Node { floor: time, below: Below::Nothing };
    }

    /// Knows the lanes of `mask` in a thread's warp up to their times.
    pub fn set_lanes(&mut self, thread: ThreadIndex, mask: u32, times: &[u32; 32]) {
        let node = self.node(thread, WARP);
        let mut known = match node.below {
            Below::Lanes(known) => known,
            _ => [0; 32],
        };
        for (i, known) in known.iter_mut().enumerate().filter(|(i, _)| mask >> i & 1 != 0) {
            *known = (*known).max(times[i]);
        }
        node.below = Below::Lanes(known);
    }

    /// The node of a level that holds a thread, unshared.
    fn node(&mut self, thread: ThreadIndex, level: u32) -> &mut Node {
        let mut node = Arc::make_mut(self.0.get_or_insert_default());
        for upper in (level + 1..=TOP).rev() {
            if !matches!(node.below, Below::Nodes(_)) {
                node.below = Below::Nodes(Default::default());
            }
            let Below::Nodes(nodes) = &mut node.below else { unreachable!("made above") };
            node = Arc::make_mut(nodes[branch(thread, upper)].get_or_insert_default());
        }
        node
    }

    /// Knows what the other one knows, too.
    pub fn join(&mut self, other: &Clock) {
        match (&mut self.0, &other.0) {
            (_, None) => {}
            (own @ None, Some(other)) => *own = Some(other.clone()),
            (Some(own), Some(other)) => join(own, other),
        }
    }
}

/// The branch of a node of this level that leads to a thread.
fn branch(thread: ThreadIndex, level: u32) -> usize {
    (thread.0 >> (5 * level)) as usize & 31
}

/// Whether a node certainly knows all that another one does.
fn covers(node: &Arc<Node>, other: &Arc<Node>) -> bool {
    if Arc::ptr_eq(node, other) {
        return true;
    }
    if other.floor > node.floor {
        return false;
    }
    match (&node.below, &other.below) {
        (_, Below::Nothing) => true,
        (Below::Nodes(nodes), Below::Nodes(others)) => {
            nodes.iter().zip(others.iter()).all(|pair| match pair {
                (_, None) => true,
                (Some(node), Some(other)) => covers(node, other),
                (None, Some(_)) => false,
            })
        }
        (Below::Lanes(times), Below::Lanes(others)) => {
            times.iter().zip(others).all(|(time, other)| time >= other)
        }
        _ => false,
    }
}

fn join(own: &mut Arc<Node>, other: &Arc<Node>) {
    if covers(own, other) {
        return;
    }
    if covers(other, own) {
        // Shared again: the next comparison of the two ends here. Threads that take a lock in turn depend on it.
        *own = other.clone();
        return;
    }
    let own = Arc::make_mut(own);
    own.floor = own.floor.max(other.floor);
    match (&mut own.below, &other.below) {
        (_, Below::Nothing) => {}
        (below @ Below::Nothing, all) => *below = all.clone(),
        (Below::Nodes(nodes), Below::Nodes(others)) => {
            for (own, other) in nodes.iter_mut().zip(others.iter()) {
                match (own, other) {
                    (_, None) => {}
                    (own @ None, Some(other)) => *own = Some(other.clone()),
                    (Some(own), Some(other)) => join(own, other),
                }
            }
        }
        (Below::Lanes(times), Below::Lanes(others)) => {
            for (own, &other) in times.iter_mut().zip(others) {
                *own = (*own).max(other);
            }
        }
        // Lanes are at the lowest level only, nodes at all others.
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread(block: u64, thread: u32) -> ThreadIndex {
        ThreadIndex::new(block, thread)
    }

    #[test]
    fn a_joined_clock_knows_the_later_time_of_each_thread() {
        let (mut a, mut b) = (Clock::default(), Clock::default());
        a.set_lanes(thread(3, 40), 0b110 << 8, &[7; 32]);
        b.set_lanes(thread(3, 40), 0b010 << 8, &[9; 32]);
        b.set_block(thread(70_000, 0), 5);
        a.join(&b);
        assert_eq!(a.get(thread(3, 41)), 9);
        assert_eq!(a.get(thread(3, 42)), 7);
        assert_eq!(a.get(thread(3, 43)), 0);
        assert_eq!(a.get(thread(3, 73)), 0);
        assert_eq!(a.get(thread(70_000, 1023)), 5);
        assert_eq!(b.get(thread(3, 42)), 0);
    }

    #[test]
    fn a_block_s_floor_replaces_the_times_of_its_lanes() {
        let mut clock = Clock::default();
        clock.set_lanes(thread(1, 0), 1, &[4; 32]);
        let before = clock.clone();
        clock.set_block(thread(1, 0), 6);
        assert_eq!((clock.get(thread(1, 0)), clock.get(thread(1, 1000)), clock.get(thread(2, 0))), (6, 6, 0));
        assert_eq!(before.get(thread(1, 0)), 4);
        clock.set_lanes(thread(1, 0), 1, &[9; 32]);
        assert_eq!((clock.get(thread(1, 0)), clock.get(thread(1, 1))), (9, 6));
        clock.join(&before);
        assert_eq!(clock.get(thread(1, 0)), 9);
    }

    #[test]
    fn joining_is_the_maximum_for_random_clocks() {
        let mut state = 1u64;
        let mut next = |below: u32| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as u32 % below
        };
        for _ in 0..200 {
            let mut clocks = [Clock::default(), Clock::default()];
            let mut times = [vec![0u32; 3 * 64], vec![0; 3 * 64]];
            for which in [0, 1] {
                for _ in 0..next(12) {
                    let (block, warp, time) = (next(3), next(2), 1 + next(50));
                    if next(4) == 0 {
                        let all = &mut times[which][block as usize * 64..][..64];
                        let time = time.max(*all.iter().max().expect("64 of them"));
                        clocks[which].set_block(thread(block.into(), 0), time);
                        all.fill(time);
                    } else {
                        let mask = next(u32::MAX);
                        clocks[which].set_lanes(thread(block.into(), warp * 32), mask, &[time; 32]);
                        for lane in (0..32).filter(|lane| mask >> lane & 1 != 0) {
                            let known = &mut times[which][(block * 64 + warp * 32 + lane) as usize];
                            *known = time.max(*known);
                        }
                    }
                }
            }
            let [mut joined, other] = clocks;
            joined.join(&other);
            for (i, (a, b)) in times[0].iter().zip(&times[1]).enumerate() {
                assert_eq!(joined.get(thread(i as u64 / 64, i as u32 % 64)), *a.max(b), "{i}");
            }
        }
    }
}
