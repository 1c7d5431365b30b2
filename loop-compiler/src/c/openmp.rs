//! What parallel loops need in OpenMP: clauses.

use std::collections::BTreeSet;

use crate::tree::{Expression, Loop, Node, ReductionOperator, Reference, Region, Storage, Store, VariableId};

/// The scalars, declared before a parallel loop, that it reduces into, and their operators: those of the `reduction`
/// clause.
pub(crate) fn reductions(looped: &Loop) -> Vec<(VariableId, ReductionOperator)> {
    fn visit(
        nodes: &[Node],
        declared: &mut Vec<VariableId>,
        found: &mut Vec<(VariableId, ReductionOperator)>,
    ) {
        for node in nodes {
            match node {
                Node::Loop(looped) => visit(&looped.body, declared, found),
                Node::If(guard) => {
                    visit(&guard.then, declared, found);
                    visit(&guard.otherwise, declared, found);
                }
                Node::Declaration(declaration) => declared.push(declaration.variable),
                Node::Statement(statement) => {
                    if let (Store::Reduce { operator, .. }, true) =
                        (&statement.store, statement.target.path.is_empty())
                    {
                        let reduction = (statement.target.variable, *operator);
                        if !declared.contains(&reduction.0) && !found.contains(&reduction) {
                            found.push(reduction);
                        }
                    }
                }
                Node::Break(_) | Node::Private(_) | Node::ReduceDimension(_) => {}
            }
        }
    }
    let (mut declared, mut found) = (Vec::new(), Vec::new());
    visit(&looped.body, &mut declared, &mut found);
    found
}

/// The structures, declared before a parallel loop, in which it stores what it finds.
pub(super) fn searches(region: &Region, looped: &Loop) -> Vec<VariableId> {
    fn visit(nodes: &[Node], region: &Region, found: &mut Vec<VariableId>, declared: &mut Vec<VariableId>) {
        for node in nodes {
            match node {
                Node::Loop(looped) => visit(&looped.body, region, found, declared),
                Node::If(guard) => {
                    visit(&guard.then, region, found, declared);
                    visit(&guard.otherwise, region, found, declared);
                }
                Node::Declaration(declaration) => declared.push(declaration.variable),
                Node::Statement(statement) => {
                    let variable = statement.target.variable;
                    if region.searches.contains_key(&variable)
                        && !declared.contains(&variable)
                        && !found.contains(&variable)
                    {
                        found.push(variable);
                    }
                }
                Node::Break(_) | Node::Private(_) | Node::ReduceDimension(_) => {}
            }
        }
    }
    let mut found = Vec::new();
    visit(&looped.body, region, &mut found, &mut Vec::new());
    found
}

/// The sizes, other scalars and pointers of the function that a parallel loop reads, and the iterators of loops around it:
/// those of a `firstprivate` clause. As
/// shared variables they would have an address that the compiler cannot follow, and what it knows of them (`restrict`, a
/// bound that stays the same) would be lost, also in the sequential code beside the loop.
pub(super) fn values(region: &Region, looped: &Loop) -> Vec<VariableId> {
    let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
    let mut visit = |reference: &Reference| {
        let variable = region.variable(reference.variable);
        let is_value = match variable.storage {
            Storage::Local => variable.extents.is_empty() && reference.path.is_empty(),
            Storage::Parameter | Storage::Pointer => true,
            Storage::Global | Storage::Region => false,
        };
        read.extend(is_value.then_some(reference.variable));
    };
    fn targets(nodes: &[Node], written: &mut BTreeSet<VariableId>) {
        for node in nodes {
            match node {
                Node::Statement(statement) if statement.target.path.is_empty() => {
                    written.insert(statement.target.variable);
                }
                Node::Loop(inner) => {
                    written.insert(inner.iterator);
                    targets(&inner.body, written);
                }
                Node::If(guard) => {
                    targets(&guard.then, written);
                    targets(&guard.otherwise, written);
                }
                _ => {}
            }
        }
    }
    visit_references(&Node::Loop(looped.clone()), &mut visit);
    visit_values(&Node::Loop(looped.clone()), &mut |value| {
        value.visit_iterators(&mut |id| {
            read.insert(id);
        });
    });
    written.insert(looped.iterator);
    targets(&looped.body, &mut written);
    read.difference(&written).copied().collect()
}

/// Calls `visit` with every reference in a node.
fn visit_references(node: &Node, visit: &mut dyn FnMut(&Reference)) {
    visit_targets(std::slice::from_ref(node), visit);
    visit_values(node, &mut |value| value.visit_reads(&mut *visit));
}

/// Calls `visit` with every target of a statement.
fn visit_targets(nodes: &[Node], visit: &mut dyn FnMut(&Reference)) {
    for node in nodes {
        match node {
            Node::Loop(looped) => visit_targets(&looped.body, visit),
            Node::If(guard) => {
                visit_targets(&guard.then, visit);
                visit_targets(&guard.otherwise, visit);
            }
            Node::Statement(statement) => visit(&statement.target),
            _ => {}
        }
    }
}

/// Calls `visit` with every expression of a node, subscripts of targets included, but not with what is part of another.
fn visit_values(node: &Node, visit: &mut dyn FnMut(&Expression)) {
    match node {
        Node::Loop(looped) => {
            [&looped.lower, &looped.condition, &looped.step].into_iter().for_each(&mut *visit);
            looped.body.iter().for_each(|node| visit_values(node, visit));
        }
        Node::If(guard) => {
            visit(&guard.condition);
            guard.then.iter().chain(&guard.otherwise).for_each(|node| visit_values(node, visit));
        }
        Node::Statement(statement) => {
            statement.target.subscripts().for_each(&mut *visit);
            visit(&statement.value);
        }
        Node::Declaration(declaration) => declaration.value.iter().for_each(visit),
        Node::Break(_) | Node::Private(_) | Node::ReduceDimension(_) => {}
    }
}

/// How the iterations are given to threads: in turn where the loops inside are of different lengths.
pub(super) fn schedule(looped: &Loop) -> &'static str {
    if looped.has_uneven_parts() {
        " schedule(dynamic)"
    } else if looped.is_uneven() {
        " schedule(guided)"
    } else {
        ""
    }
}
