//! Scalars that keep a value for the next iteration: `for (i = 0; i < n; i++) { d[i] = a[i] - last; last = a[i]; }`.
//!
//! Where the value does not depend on what the loop changes, it is computed again: `last` is `i == 0 ? last : a[i - 1]`, and no
//! iteration needs the one before it.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    copies::reads_of,
    nodes::{has_break, in_expression, substituted, substituted_in},
};
use crate::{
    cost::policy::{NODES_FOR_COPIES, OPERATIONS_OF_NAME},
    ir::{
        Aliasing, BinaryOperator, Declaration, Expression, ExpressionKind, Loop, Node, Reference, Region,
        Statement, Storage, Store, VariableId,
        arithmetic::{constant, value_of},
        convert,
        types::Scalar,
        walk,
    },
};

/// What a region executes without such scalars, and whether it loads from memory what the source has kept: stores to elements that
/// overlap would change it. `is_over` says of which variables nobody reads the values behind the region.
pub(crate) fn without_rotation(
    region: &Region,
    is_over: &dyn Fn(VariableId) -> bool,
) -> Option<(Vec<Node>, bool)> {
    let (mut body, mut loads) = (region.body.clone(), None);
    if walk(&body).count() > NODES_FOR_COPIES {
        return None;
    }
    // Each time a scalar fewer is set.
    loop {
        let mut search = Search { region, all: &body, is_over, found: None };
        let changed = search.block(&body, false);
        let found = search.found;
        let Some(also) = found else { break };
        (body, loads) = (changed, Some(loads.unwrap_or(false) || also));
    }
    loads.map(|loads| (body, loads))
}

struct Search<'s> {
    region: &'s Region,
    all: &'s [Node],
    is_over: &'s dyn Fn(VariableId) -> bool,
    /// Whether memory is loaded for the scalar that was found.
    found: Option<bool>,
}

impl Search<'_> {
    /// The nodes with a scalar less in one of their loops. What is executed several times has to set the scalar first each time.
    fn block(&mut self, nodes: &[Node], is_repeated: bool) -> Vec<Node> {
        let mut out = Vec::new();
        for (place, node) in nodes.iter().enumerate() {
            let made = match node {
                Node::Loop(looped) if self.found.is_none() => {
                    let is_set = |id| !is_repeated || nodes[..place].iter().any(|node| sets(node, id));
                    self.computed_again(looped, &is_set)
                }
                _ => None,
            };
            out.push(match made {
                Some((looped, loads)) => {
                    self.found = Some(loads);
                    Node::Loop(looped)
                }
                None => {
                    let is_repeated = is_repeated || node.as_loop().is_some();
                    node.clone().map_bodies(|body| self.block(&body, is_repeated))
                }
            });
        }
        out
    }

    /// A loop with a scalar less, of those that are set before it.
    fn computed_again(&self, looped: &Loop, is_set: &dyn Fn(VariableId) -> bool) -> Option<(Loop, bool)> {
        let step = constant(&looped.step).filter(|step| *step != 0)?;
        if has_break(&looped.body) {
            return None;
        }
        let changed = Changed::of(looped);
        if !changed.leaves(&looped.lower) {
            return None;
        }
        looped.body.iter().enumerate().find_map(|(place, node)| {
            let Node::Statement(Statement { target, store: Store::Assign, value, .. }) = node else {
                return None;
            };
            let id = target.variable;
            if !is_set(id) || !self.is_kept(looped, place, target) {
                return None;
            }
            let value = self.with_values(value, &looped.body[..place]);
            let value = convert::convert(value, self.region.variable(id).scalar);
            let is_short = value.walk().count() <= OPERATIONS_OF_NAME;
            if !is_short || !changed.leaves(&value) {
                return None;
            }
            let iterator = self.region.variable(looped.iterator).scalar;
            let now = || Expression { kind: ExpressionKind::Iterator(looped.iterator), scalar: iterator };
            let by = Expression::integer(step.abs(), iterator);
            let back = if step > 0 { BinaryOperator::Subtract } else { BinaryOperator::Add };
            let before = convert::convert(convert::binary(back, now(), by).ok()?, iterator);
            let first = convert::binary(BinaryOperator::Equal, now(), looped.lower.clone()).ok()?;
            let kept = value_of(id, self.region.variable(id).scalar);
            let again = in_expression(&value, looped.iterator, &before);
            let is_shared = |id| self.region.variable(id).aliasing != Aliasing::Distinct;
            let loads = again.reads().iter().any(|read| !read.path.is_empty() || is_shared(read.variable));
            let mut body = looped.body.clone();
            body.remove(place);
            let body = substituted(&body, id, &convert::select(first, kept, again));
            Some((Loop { body, ..looped.clone() }, loads))
        })
    }

    /// Whether a statement of a loop's body alone sets a scalar, behind all that reads it, and nothing else reads it.
    fn is_kept(&self, looped: &Loop, place: usize, target: &Reference) -> bool {
        let id = target.variable;
        let variable = self.region.variable(id);
        let is_own = variable.extents.is_empty()
            && target.path.is_empty()
            && variable.aliasing == Aliasing::Distinct
            && matches!(variable.storage, Storage::Local | Storage::Region);
        let sets = |node: &&Node| node.changed().any(|other| other == id);
        let is_set_once = walk(&looped.body).filter(sets).count() == 1;
        let is_bound = looped.bounds().into_iter().any(|bound| bound.mentions(id));
        is_own
            && is_set_once
            && !is_bound
            && reads_of(&looped.body[place..], id) == 0
            && reads_of(&looped.body, id) > 0
            && reads_of(&looped.body, id) == reads_of(self.all, id)
            && (self.is_over)(id)
    }

    /// A value with those of the scalars that are declared before it.
    fn with_values(&self, value: &Expression, before: &[Node]) -> Expression {
        let mut known: Vec<(VariableId, Expression)> = Vec::new();
        for node in before {
            if let Node::Declaration(Declaration { variable, value: Some(value), .. }) = node {
                let scalar = self.region.variable(*variable).scalar;
                known.push((*variable, convert::convert(substituted_in(value, &known), scalar)));
            }
        }
        substituted_in(value, &known)
    }
}

/// Whether a node gives a scalar a value.
fn sets(node: &Node, id: VariableId) -> bool {
    match node {
        Node::Declaration(declared) => declared.variable == id && declared.value.is_some(),
        Node::Statement(Statement { target, store: Store::Assign, .. }) => {
            target.variable == id && target.path.is_empty()
        }
        _ => false,
    }
}

/// What a loop changes.
struct Changed {
    scalars: BTreeSet<VariableId>,
    arrays: BTreeMap<VariableId, BTreeSet<Vec<String>>>,
}

impl Changed {
    fn of(looped: &Loop) -> Changed {
        let mut changed = Changed { scalars: BTreeSet::new(), arrays: BTreeMap::new() };
        for node in walk(&looped.body) {
            match node.target() {
                Some(target) if !target.path.is_empty() => {
                    let (id, members) = target.array();
                    changed.arrays.entry(id).or_default().insert(members);
                }
                _ => changed.scalars.extend(node.changed()),
            }
        }
        changed
    }

    /// Whether the loop changes nothing of which a value is made, apart from its iterator.
    fn leaves(&self, value: &Expression) -> bool {
        let is_left = |read: &&Reference| {
            let (id, members) = read.array();
            !self.scalars.contains(&id)
                && self.arrays.get(&id).is_none_or(|changed| !changed.contains(&members))
        };
        let is_computed = |part: &Expression| {
            !matches!(part.kind, ExpressionKind::Call(..)) && !matches!(part.scalar, Scalar::Complex { .. })
        };
        value.reads().iter().all(is_left) && value.walk().all(is_computed)
    }
}
