//! Elements of arrays that an innermost loop updates in every iteration, kept in a scalar while it runs.
//!
//! A compiler does that by itself where it knows that no other access in the loop names the element. In a parallel loop
//! it does not: the loop becomes a function of its own, and the `restrict` of the variables around is lost. Each
//! iteration would wait for the store of the one before.

use crate::{
    annotations::is_openmp,
    compare::{mentions, same_reference},
    transform::{first_condition, where_executed},
    tree::{
        Aliasing, Declaration, Expression, ExpressionKind, If, Loop, Node, Reference, Region, Statement,
        Store, VariableId,
    },
    types::Scalar,
};

/// The region with such elements in scalars, in loops that are inside a parallel one.
pub(crate) fn in_scalars(region: &Region) -> Region {
    let mut out = region.clone();
    let body = std::mem::take(&mut out.body);
    out.body = Scalars { region: &mut out, is_parallel: false }.nodes(body);
    out
}

struct Scalars<'r> {
    region: &'r mut Region,
    is_parallel: bool,
}

impl Scalars<'_> {
    fn nodes(&mut self, nodes: Vec<Node>) -> Vec<Node> {
        nodes.into_iter().flat_map(|node| self.node(node)).collect()
    }

    fn node(&mut self, node: Node) -> Vec<Node> {
        match node {
            Node::If(guard) => {
                let (then, otherwise) = (self.nodes(guard.then), self.nodes(guard.otherwise));
                vec![Node::If(If { then, otherwise, ..guard })]
            }
            // What a person has directed stays as it is.
            Node::Loop(looped) if looped.directives.iter().any(|text| is_openmp(text)) => {
                vec![Node::Loop(looped)]
            }
            Node::Loop(looped) if has_loops(&looped.body) || looped.parallel => {
                let around = self.is_parallel;
                self.is_parallel |= looped.parallel;
                let body = self.nodes(looped.body);
                self.is_parallel = around;
                vec![Node::Loop(Loop { body, ..looped })]
            }
            Node::Loop(looped) if self.is_parallel => self.innermost(looped),
            other => vec![other],
        }
    }

    fn innermost(&mut self, looped: Loop) -> Vec<Node> {
        let mut accesses = Vec::new();
        references(&looped.body, &mut accesses);
        let mut found: Vec<Reference> = Vec::new();
        for (target, store) in accesses.iter().filter_map(|(target, store)| Some((target, (*store)?))) {
            let known = found.iter().any(|known| known.variable == target.variable);
            if !known && is_plain(store) && self.stays(target, &looped, &accesses) {
                found.push((*target).clone());
            }
        }
        if found.is_empty() {
            return vec![Node::Loop(looped)];
        }
        let at = looped.at;
        // Without an iteration there may be no such element.
        let condition = first_condition(&looped);
        let (mut before, mut after, mut body) = (Vec::new(), Vec::new(), looped.body.clone());
        for target in found {
            let scalar = target.scalar;
            let name = format!("{}_value", self.region.variable(target.variable).name);
            let variable = self.region.add_scalar(&name, scalar);
            let own = Reference { variable, path: Vec::new(), scalar, at: target.at };
            let read = |reference: Reference| Expression { kind: ExpressionKind::Read(reference), scalar };
            let value = Some(read(target.clone()));
            before.push(Node::Declaration(Declaration { variable, value, at }));
            body = body.iter().map(|node| replaced(node, &target, &own)).collect();
            let value = read(own);
            after.push(Node::Statement(Statement { target, store: Store::Assign, value, at }));
        }
        let mut then = before;
        then.push(Node::Loop(Loop { body, ..looped }));
        then.extend(after);
        where_executed(condition, then, at)
    }

    /// Whether a target is the same element in all iterations, and the only one of its variable that they access.
    fn stays(&self, target: &Reference, looped: &Loop, accesses: &[(&Reference, Option<&Store>)]) -> bool {
        let changes = |id: VariableId| {
            id == looped.iterator
                || accesses.iter().any(|(other, store)| store.is_some() && other.variable == id)
                || looped.body.iter().any(|node| declares(node, id))
        };
        let header = [&looped.lower, &looped.condition, &looped.step];
        !target.path.is_empty()
            && self.region.variable(target.variable).aliasing != Aliasing::Rows
            && !matches!(target.scalar, Scalar::Complex { .. })
            && !target.subscripts().any(|subscript| mentions(subscript, &changes))
            && !header.into_iter().any(|value| mentions(value, &|id| id == target.variable))
            && accesses.iter().all(|(other, store)| {
                other.variable != target.variable
                    || same_reference(other, target, None) && store.is_none_or(is_plain)
            })
    }
}

/// Whether a store is no atomic one.
fn is_plain(store: &Store) -> bool {
    !matches!(store, Store::Reduce { .. })
}

fn has_loops(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Loop(_) | Node::Private(_) | Node::ReduceDimension(_) => true,
        Node::If(guard) => has_loops(&guard.then) || has_loops(&guard.otherwise),
        _ => false,
    })
}

fn declares(node: &Node, id: VariableId) -> bool {
    match node {
        Node::Declaration(declaration) => declaration.variable == id,
        Node::If(guard) => guard.then.iter().chain(&guard.otherwise).any(|node| declares(node, id)),
        _ => false,
    }
}

/// What statements access, with the store of a target.
fn references<'n>(nodes: &'n [Node], found: &mut Vec<(&'n Reference, Option<&'n Store>)>) {
    let reads =
        |value: &'n Expression, found: &mut Vec<_>| value.visit_reads(&mut |read| found.push((read, None)));
    for node in nodes {
        match node {
            Node::Statement(statement) => {
                statement.target.subscripts().for_each(|subscript| reads(subscript, found));
                reads(&statement.value, found);
                found.push((&statement.target, Some(&statement.store)));
            }
            Node::Declaration(declaration) => {
                declaration.value.iter().for_each(|value| reads(value, found));
            }
            Node::If(guard) => {
                reads(&guard.condition, found);
                references(&guard.then, found);
                references(&guard.otherwise, found);
            }
            _ => {}
        }
    }
}

/// A node with another reference in place of one.
fn replaced(node: &Node, target: &Reference, own: &Reference) -> Node {
    let value = |value: &Expression| in_value(value, target, own);
    let all = |nodes: &[Node]| nodes.iter().map(|node| replaced(node, target, own)).collect();
    match node {
        Node::Statement(statement) => Node::Statement(Statement {
            target: match same_reference(&statement.target, target, None) {
                true => own.clone(),
                false => statement.target.map_subscripts(value),
            },
            value: value(&statement.value),
            ..statement.clone()
        }),
        Node::Declaration(declaration) => Node::Declaration(Declaration {
            value: declaration.value.as_ref().map(value),
            ..declaration.clone()
        }),
        Node::If(guard) => Node::If(If {
            condition: value(&guard.condition),
            then: all(&guard.then),
            otherwise: all(&guard.otherwise),
            at: guard.at,
        }),
        other => other.clone(),
    }
}

fn in_value(value: &Expression, target: &Reference, own: &Reference) -> Expression {
    match &value.kind {
        ExpressionKind::Read(read) if same_reference(read, target, None) => {
            Expression { kind: ExpressionKind::Read(own.clone()), scalar: value.scalar }
        }
        _ => value.map_operands(|operand| in_value(operand, target, own)),
    }
}
