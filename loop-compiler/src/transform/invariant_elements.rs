//! Elements of arrays that are the same in all iterations of an innermost loop, kept in scalars while it runs: those that it
//! updates, and those that it reads while it stores elsewhere.
//!
//! A compiler does that by itself where it knows that no other access in the loop names the element. In a parallel loop
//! it does not: the loop becomes a function of its own, and the `restrict` of the variables around is lost. Each
//! iteration would wait for the store of the one before, and read what it knows.
//!
//! An element that not every iteration accesses stays where it is: another thread may have it, or there may be none.

use crate::{
    ir::{
        Aliasing, BinaryOperator, Declaration, Expression, ExpressionKind, Loop, Node, Position,
        ReductionOperator, Reference, Region, Statement, Store, Variable, VariableId,
        arithmetic::value_of,
        compare::{same_reference, stripped},
        convert, first_accesses, operators, rewrite,
        types::Scalar,
        walk, walk_iteration,
    },
    transform::{first_condition, privatize::combine, reference_in, where_executed, with_reference},
};

/// The region with such elements in scalars, in loops that are inside a parallel one.
pub(crate) fn in_scalars(region: &Region) -> Region {
    let mut out = region.clone();
    let body = std::mem::take(&mut out.body);
    out.body = Scalars { region: &mut out, is_parallel: false, kept: Kept::Own }.nodes(body);
    out
}

/// The region with elements that all iterations of a thread's innermost loop update atomically updated once, after the loop:
/// until then the thread combines in a variable of its own.
pub(crate) fn updated_once(region: &Region) -> Region {
    let mut out = region.clone();
    let body = std::mem::take(&mut out.body);
    out.body = Scalars { region: &mut out, is_parallel: false, kept: Kept::Atomic }.nodes(body);
    out
}

/// The operators with which a thread combines elements before it updates the result.
const COMBINED: [ReductionOperator; 7] = [
    ReductionOperator::Add,
    ReductionOperator::Multiply,
    ReductionOperator::And,
    ReductionOperator::Or,
    ReductionOperator::Xor,
    ReductionOperator::Minimum,
    ReductionOperator::Maximum,
];

/// Which elements are kept in scalars.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// Those that no other thread accesses.
    Own,
    /// Those that threads update atomically.
    Atomic,
}

struct Scalars<'r> {
    region: &'r mut Region,
    is_parallel: bool,
    kept: Kept,
}

impl Scalars<'_> {
    fn nodes(&mut self, nodes: Vec<Node>) -> Vec<Node> {
        nodes.into_iter().flat_map(|node| self.node(node)).collect()
    }

    fn node(&mut self, node: Node) -> Vec<Node> {
        match node {
            // What a person has directed stays as it is.
            Node::Loop(looped) if looped.attributes.has_openmp() => {
                vec![Node::Loop(looped)]
            }
            Node::Loop(looped) if !has_loops(&looped.body) && !looped.parallel => match self.kept {
                _ if !self.is_parallel => vec![Node::Loop(looped)],
                Kept::Own => self.innermost(looped),
                Kept::Atomic => self.combined(looped),
            },
            other => {
                let around = self.is_parallel;
                self.is_parallel |= other.is_parallel();
                let changed = other.map_bodies(|body| self.nodes(body));
                self.is_parallel = around;
                vec![changed]
            }
        }
    }

    fn innermost(&mut self, looped: Loop) -> Vec<Node> {
        let accesses = references(&looped.body);
        let always = first_accesses(&looped.body);
        let is_always = |target: &Reference| always.iter().any(|other| same_reference(other, target, None));
        let mut updated: Vec<Reference> = Vec::new();
        for (target, store) in accesses.iter().filter_map(|(target, store)| Some((target, (*store)?))) {
            let known = updated.iter().any(|known| known.variable == target.variable);
            if !known && is_plain(store) && is_always(target) && self.stays(target, &looped, &accesses) {
                updated.push((*target).clone());
            }
        }
        let stores_elsewhere = accesses.iter().any(|(target, store)| {
            let is_known = updated.iter().any(|known| known.variable == target.variable);
            store.is_some() && !target.path.is_empty() && !is_known
        });
        let (mut read, mut compared): (Vec<Reference>, Vec<Reference>) = (Vec::new(), Vec::new());
        if stores_elsewhere {
            let of_condition = looped.condition.first_reads();
            for (reads, found) in [(&of_condition, &mut compared), (&always, &mut read)] {
                for target in reads {
                    let known = found.iter().any(|known| same_reference(known, target, None));
                    if !known && self.is_invariant(target, &looped, &accesses) {
                        found.push((*target).clone());
                    }
                }
            }
            read.retain(|target| !compared.iter().any(|known| same_reference(known, target, None)));
        }
        if updated.is_empty() && read.is_empty() && compared.is_empty() {
            return vec![Node::Loop(looped)];
        }
        let at = looped.at;
        let mut nodes = Vec::new();
        let mut looped = looped;
        // Before what is read, which their subscripts may contain.
        let (mut begin, mut after) = (Vec::new(), Vec::new());
        for target in &updated {
            let own = match sets_first(&looped.body, target) {
                true => self.declared(target, None, &mut begin, at),
                false => self.kept(target, &mut begin, at),
            };
            looped.body = with_reference(&looped.body, target, &own);
            let value = Expression { scalar: own.scalar, kind: ExpressionKind::Read(own) };
            let target = target.clone();
            after.push(Node::Statement(Statement { target, store: Store::Assign, value, at }));
        }
        for target in &compared {
            let own = self.kept(target, &mut nodes, at);
            looped.condition = reference_in(&looped.condition, target, &own);
            looped.body = with_reference(&looped.body, target, &own);
        }
        if updated.is_empty() && read.is_empty() {
            nodes.push(Node::Loop(looped));
            return nodes;
        }
        // Without an iteration there may be no such element.
        let condition = first_condition(&looped);
        let mut then = Vec::new();
        for target in read {
            let own = self.kept(&target, &mut then, at);
            looped.body = with_reference(&looped.body, &target, &own);
        }
        then.extend(begin);
        then.push(Node::Loop(looped));
        then.extend(after);
        nodes.extend(where_executed(condition, then, at));
        nodes
    }

    /// An innermost loop with what it updates atomically, and always the same elements, updated after it.
    fn combined(&mut self, looped: Loop) -> Vec<Node> {
        let accesses = references(&looped.body);
        let always = first_accesses(&looped.body);
        let mut found: Vec<(Reference, ReductionOperator, Expression)> = Vec::new();
        for (target, store) in &accesses {
            let Some(Store::Reduce { operator, init }) = store else { continue };
            let is_same =
                |store: &Store| matches!(store, Store::Reduce { operator: other, .. } if other == operator);
            let is_such = |(other, store): &(&Reference, Option<&Store>)| {
                other.variable != target.variable
                    || same_reference(other, target, None) && store.is_some_and(is_same)
            };
            let is_known = found.iter().any(|(known, ..)| known.variable == target.variable);
            let is_always = always.iter().any(|other| same_reference(other, target, None));
            let is_combined =
                operators::identity(*operator, target.scalar).is_some() && COMBINED.contains(operator);
            if is_combined
                && !is_known
                && is_always
                && accesses.iter().all(is_such)
                && self.is_one_target(target, &looped, &accesses)
            {
                found.push(((*target).clone(), *operator, init.clone()));
            }
        }
        if found.is_empty() {
            return vec![Node::Loop(looped)];
        }
        let (at, mut looped) = (looped.at, looped);
        let mut nodes = self.nearer_end(&mut looped);
        let condition = first_condition(&looped);
        let (mut then, mut after) = (Vec::new(), Vec::new());
        for (target, operator, init) in found {
            let scalar = target.scalar;
            let name = format!("{}_part", self.region.variable(target.variable).name);
            let variable = self.region.add_scalar(&name, scalar);
            let value = operators::identity(operator, scalar);
            then.push(Node::Declaration(Declaration { variable, value, at }));
            let own = Reference { variable, path: Vec::new(), scalar, at: target.at };
            looped.body = combined_in(&looped.body, &target, &own);
            let value = Expression { scalar, kind: ExpressionKind::Read(own) };
            after.push(Node::Statement(Statement {
                target,
                store: Store::Reduce { operator, init },
                value,
                at,
            }));
        }
        then.push(Node::Loop(looped));
        then.extend(after);
        nodes.extend(where_executed(condition, then, at));
        nodes
    }

    /// Gives the end of a loop over a part, the nearer of two, a variable of the iterator's type, as a compiler unrolls loops
    /// up to such ends: 58 thousand instructions of a warp instead of 107 for the sums of 500 columns of 600 rows. The end
    /// is not behind the one that the iterator had in the source, so that its type holds it.
    fn nearer_end(&mut self, looped: &mut Loop) -> Vec<Node> {
        let ExpressionKind::Binary(BinaryOperator::Less, left, right) = &looped.condition.kind else {
            return Vec::new();
        };
        let is_iterator =
            matches!(stripped(left).kind, ExpressionKind::Iterator(id) if id == looped.iterator);
        if !is_iterator || !matches!(stripped(right).kind, ExpressionKind::Select(..)) {
            return Vec::new();
        }
        let Variable { name, scalar, .. } = self.region.variable(looped.iterator);
        let (name, scalar) = (format!("{name}_past"), *scalar);
        let past = self.region.add_scalar(&name, scalar);
        let iterator = Expression { kind: ExpressionKind::Iterator(looped.iterator), scalar };
        let value = Some(convert::convert((**right).clone(), scalar));
        let Ok(condition) = convert::binary(BinaryOperator::Less, iterator, value_of(past, scalar)) else {
            return Vec::new();
        };
        looped.condition = condition;
        vec![Node::Declaration(Declaration { variable: past, value, at: looped.at })]
    }

    /// A scalar that begins with the value of an element.
    fn kept(&mut self, target: &Reference, nodes: &mut Vec<Node>, at: Position) -> Reference {
        let value = Expression { kind: ExpressionKind::Read(target.clone()), scalar: target.scalar };
        self.declared(target, Some(value), nodes, at)
    }

    /// A scalar in place of an element.
    fn declared(
        &mut self,
        target: &Reference,
        value: Option<Expression>,
        nodes: &mut Vec<Node>,
        at: Position,
    ) -> Reference {
        let scalar = target.scalar;
        let name = format!("{}_value", self.region.variable(target.variable).name);
        let variable = self.region.add_scalar(&name, scalar);
        nodes.push(Node::Declaration(Declaration { variable, value, at }));
        Reference { variable, path: Vec::new(), scalar, at: target.at }
    }

    /// Whether what is read is the same element with the same value in all iterations.
    fn is_invariant(
        &self,
        target: &Reference,
        looped: &Loop,
        accesses: &[(&Reference, Option<&Store>)],
    ) -> bool {
        self.is_one(target, looped, accesses)
            && !accesses.iter().any(|(other, store)| store.is_some() && other.variable == target.variable)
    }

    /// As [`Scalars::is_one`], of an element that the loop's header does not read either.
    fn is_one_target(
        &self,
        target: &Reference,
        looped: &Loop,
        accesses: &[(&Reference, Option<&Store>)],
    ) -> bool {
        self.is_one(target, looped, accesses)
            && !looped.bounds().into_iter().any(|bound| bound.mentions(target.variable))
    }

    /// Whether a reference is to the same element in all iterations.
    fn is_one(&self, target: &Reference, looped: &Loop, accesses: &[(&Reference, Option<&Store>)]) -> bool {
        let changes = |id: VariableId| {
            id == looped.iterator
                || accesses.iter().any(|(other, store)| store.is_some() && other.variable == id)
                || looped.body.iter().any(|node| declares(node, id))
        };
        !target.path.is_empty()
            && self.region.variable(target.variable).aliasing != Aliasing::Rows
            && !matches!(target.scalar, Scalar::Complex { .. })
            && !looped.body.iter().any(|node| declares(node, target.variable))
            && !target.subscripts().flat_map(Expression::variables).any(changes)
    }

    /// Whether a target is the same element in all iterations, and the only one of its variable that they access.
    fn stays(&self, target: &Reference, looped: &Loop, accesses: &[(&Reference, Option<&Store>)]) -> bool {
        self.is_one_target(target, looped, accesses)
            && accesses.iter().all(|(other, store)| {
                other.variable != target.variable
                    || same_reference(other, target, None) && store.is_none_or(is_plain)
            })
    }
}

/// Statements that combine with an element, combining with a scalar instead.
fn combined_in(nodes: &[Node], element: &Reference, own: &Reference) -> Vec<Node> {
    rewrite(nodes.to_vec(), &mut |node| match node {
        Node::Statement(Statement { target, store: Store::Reduce { operator, .. }, value, at })
            if same_reference(&target, element, None) =>
        {
            vec![combine(operator, own.clone(), value, at)]
        }
        other => vec![other],
    })
}

/// Whether a store is no atomic one.
fn is_plain(store: &Store) -> bool {
    !matches!(store, Store::Reduce { .. })
}

/// Whether an iteration stores to an element before it may read it: a private copy has no value before.
fn sets_first(nodes: &[Node], element: &Reference) -> bool {
    for node in nodes {
        let accesses = references(std::slice::from_ref(node));
        let sets = |(target, store): &(&Reference, Option<&Store>)| {
            matches!(store, Some(Store::Assign)) && same_reference(target, element, None)
        };
        match (node, accesses.iter().filter(|(other, _)| other.variable == element.variable).count()) {
            (_, 0) => {}
            (Node::Statement(_), 1) => return accesses.last().is_some_and(sets),
            _ => return false,
        }
    }
    false
}

fn has_loops(nodes: &[Node]) -> bool {
    walk(nodes).any(|node| matches!(node, Node::Loop(_) | Node::Private(_) | Node::ReduceDimension(_)))
}

fn declares(node: &Node, id: VariableId) -> bool {
    walk_iteration(std::slice::from_ref(node))
        .any(|node| matches!(node, Node::Declaration(declaration) if declaration.variable == id))
}

/// What an iteration accesses, with the store of a target.
fn references(nodes: &[Node]) -> Vec<(&Reference, Option<&Store>)> {
    let mut found = Vec::new();
    for node in walk_iteration(nodes).filter(|node| !matches!(node, Node::Loop(_))) {
        found.extend(node.reads().into_iter().map(|read| (read, None)));
        if let Node::Statement(statement) = node {
            found.push((&statement.target, Some(&statement.store)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{c::print, ir::notation::parse};

    /// The element that a loop updates is named by one that it reads, which has a scalar of its own.
    #[test]
    fn an_element_may_be_named_by_another_one() {
        let text = "func @f(n: i32, m: i32, k: memref<? x i32>, h: memref<? x i32>, r: memref<? x i32>) {
  par.for i: i32 in range(0 : n) {
    for j: i32 in range(0 : m) {
      h[k[i]] = h[k[i]] + 1
      r[j] = k[i]
    }
  }
}";
        let printed = print(&in_scalars(&parse(text, "").unwrap()[0]), 0);
        let body = printed.split("for (int j").nth(1).unwrap();
        let (body, after) = body.split_once('}').unwrap();
        assert!(body.contains("h_value = h_value + 1;") && body.contains("r[j] = k_value;"), "{printed}");
        assert!(!body.contains("h["), "{printed}");
        assert!(after.contains("h[k[i]] = h_value;"), "{printed}");
    }
}
