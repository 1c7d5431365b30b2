//! Variables that the reader has made to hold what a function takes or returns, and members of structures, without the copies
//! between them: `l_x = all.x; sum_x = l_x + s[i].x; all.x = sum_x;` is one update again.
//!
//! Values move to where they are used if nothing between changes what they read, and arithmetic in floating point moves as a whole
//! only: a compiler may contract what stands in one expression.

use std::collections::BTreeSet;

use super::{forward::without_unread, nodes::substituted};
use crate::cost::policy::NODES_FOR_COPIES;
use crate::ir::{
    Aliasing, Declaration, Expression, ExpressionKind, Node, Reference, Region, Statement, Storage, Store,
    VariableId, walk,
};

/// What a region executes, without copies between variables of `made`.
pub(crate) fn without_copies(region: &Region, made: &BTreeSet<VariableId>) -> Vec<Node> {
    if made.is_empty() || walk(&region.body).count() > NODES_FOR_COPIES {
        return without_unread(region.body.clone(), made);
    }
    without_unread(Copies { region, made }.block(region.body.clone()), made)
}

struct Copies<'r> {
    region: &'r Region,
    made: &'r BTreeSet<VariableId>,
}

impl Copies<'_> {
    fn block(&self, nodes: Vec<Node>) -> Vec<Node> {
        let nodes: Vec<Node> =
            nodes.into_iter().map(|node| node.map_bodies(|body| self.block(body))).collect();
        let mut nodes = self.declared_late(nodes);
        // Behind the declarations that it is made of.
        let mut place = nodes.len();
        while place > 0 {
            place -= 1;
            if let Some(shorter) = self.moved(&nodes, place) {
                nodes = shorter;
            }
        }
        // What is declared later may be a copy of what was before.
        let mut place = 0;
        while place < nodes.len() {
            match self.moved(&nodes, place) {
                Some(shorter) => nodes = shorter,
                None => place += 1,
            }
        }
        nodes
    }

    fn made(&self, id: VariableId) -> bool {
        self.made.contains(&id) && self.region.variable(id).extents.is_empty()
    }

    /// Variables that one statement sets are declared there.
    fn declared_late(&self, mut nodes: Vec<Node>) -> Vec<Node> {
        let mut place = 0;
        while place < nodes.len() {
            let (declared, rest) = nodes[place..].split_first().expect("there is one");
            let id = match declared {
                Node::Declaration(Declaration { variable, value: None, .. }) => *variable,
                _ => {
                    place += 1;
                    continue;
                }
            };
            let sets = |node: &Node| node.target().is_some_and(|target| target.variable == id);
            let set = rest.iter().position(sets).filter(|set| {
                let once = walk(rest).filter(|node| sets(node)).count() == 1;
                let is_read = |node: &Node| reads_of(std::slice::from_ref(node), id) > 0;
                once && !rest[..=*set].iter().any(is_read)
            });
            match set.map(|set| &rest[set]) {
                Some(Node::Statement(Statement { store: Store::Assign, value, at, .. })) if self.made(id) => {
                    let late = Declaration { variable: id, value: Some(value.clone()), at: *at };
                    nodes[place + 1 + set.expect("is set")] = Node::Declaration(late);
                    nodes.remove(place);
                }
                _ => place += 1,
            }
        }
        nodes
    }

    /// The nodes without a declaration, if its value can stand where the name does.
    fn moved(&self, nodes: &[Node], place: usize) -> Option<Vec<Node>> {
        let Node::Declaration(Declaration { variable, value: Some(value), .. }) = &nodes[place] else {
            return None;
        };
        let (id, rest) = (*variable, &nodes[place + 1..]);
        let is_set = walk(rest).any(|node| node.target().is_some_and(|target| target.variable == id));
        if !self.made(id) || is_set || value.scalar != self.region.variable(id).scalar {
            return None;
        }
        let uses = reads_of(rest, id);
        if !self.is_name(value) && (uses > 1 || !may_move(rest, id, value)) {
            return None;
        }
        let end = rest.iter().position(|node| self.changes(node, value));
        let within = match end {
            // What a statement reads, it reads before it stores.
            Some(end) if matches!(rest[end], Node::Statement(_)) => &rest[..=end],
            Some(end) => &rest[..end],
            None => rest,
        };
        (reads_of(within, id) == uses).then(|| {
            let mut moved = nodes[..place].to_vec();
            moved.extend(substituted(within, id, value));
            moved.extend_from_slice(&rest[within.len()..]);
            moved
        })
    }

    /// Whether a value costs nothing: a constant, or another variable.
    fn is_name(&self, value: &Expression) -> bool {
        match &value.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Float(_) | ExpressionKind::Iterator(_) => true,
            ExpressionKind::Read(read) => self.is_own(read.variable) && read.subscripts().next().is_none(),
            _ => false,
        }
    }

    /// Whether nothing but its name leads to a variable.
    fn is_own(&self, id: VariableId) -> bool {
        let variable = self.region.variable(id);
        variable.aliasing == Aliasing::Distinct
            && matches!(variable.storage, Storage::Local | Storage::Region)
    }

    /// Whether a node, or one inside, may change what a value reads.
    fn changes(&self, node: &Node, value: &Expression) -> bool {
        let reads = value.reads();
        let meets = |stored: &Reference| {
            reads.iter().any(|read| match read.variable == stored.variable {
                true => {
                    let members = |one: &Reference| one.members().map(str::to_owned).collect::<Vec<_>>();
                    members(read) == members(stored) || members(read).is_empty() || members(stored).is_empty()
                }
                false => !self.is_own(read.variable) && !self.is_own(stored.variable),
            })
        };
        let has_call = value.walk().any(|part| matches!(part.kind, ExpressionKind::Call(..)));
        walk(std::slice::from_ref(node)).any(|inside| {
            let is_set = inside.changed().any(|id| reads.iter().any(|read| read.variable == id));
            let stored = inside.target().is_some_and(|target| meets(target) || has_call);
            stored || is_set && inside.target().is_none()
        })
    }
}

/// How often nodes read a scalar.
pub(super) fn reads_of(nodes: &[Node], id: VariableId) -> usize {
    let is_it = |part: &&Expression| match &part.kind {
        ExpressionKind::Read(read) => read.variable == id,
        ExpressionKind::Iterator(iterator) => *iterator == id,
        _ => false,
    };
    walk(nodes).flat_map(Node::expressions).map(|value| value.walk().filter(is_it).count()).sum()
}

/// Whether the only use of a name is a place for a value that is computed: not in a loop, and as a whole if a compiler could
/// contract it with what is around.
fn may_move(nodes: &[Node], id: VariableId, value: &Expression) -> bool {
    let is_loop = |node: &Node| matches!(node, Node::Loop(_));
    let in_loop =
        walk(nodes).filter(|node| is_loop(node)).any(|node| reads_of(std::slice::from_ref(node), id) > 0);
    let computes = !matches!(value.kind, ExpressionKind::Read(_)) && !value.scalar.is_integer();
    let is_whole = |node: &Node| {
        let whole = match node {
            Node::Statement(Statement { store: Store::Assign, value, .. }) => Some(value),
            Node::Declaration(declared) => declared.value.as_ref(),
            _ => None,
        };
        whole.is_some_and(|whole| matches!(&whole.kind, ExpressionKind::Read(read) if read.variable == id))
    };
    !in_loop && (!computes || walk(nodes).any(is_whole))
}
