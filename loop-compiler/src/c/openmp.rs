//! What parallel loops need in OpenMP: clauses.

use std::collections::BTreeSet;

use crate::ir::{
    Expression, Loop, Node, ReductionOperator, Reference, Region, Statement, Storage, Store, VariableId, walk,
};

/// The scalars, declared before a parallel loop, that it reduces into, and their operators: those of the `reduction`
/// clause.
pub(crate) fn reductions(looped: &Loop) -> Vec<(VariableId, ReductionOperator)> {
    let (mut declared, mut found) = (BTreeSet::new(), Vec::new());
    for node in walk(&looped.body) {
        match node {
            Node::Declaration(declaration) => _ = declared.insert(declaration.variable),
            Node::Statement(Statement { target, store: Store::Reduce { operator, .. }, .. }) => {
                let reduction = (target.variable, *operator);
                let is_new = !declared.contains(&target.variable) && !found.contains(&reduction);
                found.extend((target.path.is_empty() && is_new).then_some(reduction));
            }
            _ => {}
        }
    }
    found
}

/// The structures, declared before a parallel loop, in which it stores what it finds.
pub(super) fn searches(region: &Region, looped: &Loop) -> Vec<VariableId> {
    let (mut declared, mut found) = (BTreeSet::new(), Vec::new());
    for node in walk(&looped.body) {
        match node {
            Node::Declaration(declaration) => _ = declared.insert(declaration.variable),
            Node::Statement(statement) => {
                let variable = statement.target.variable;
                let is_new = !declared.contains(&variable) && !found.contains(&variable);
                found.extend((is_new && region.searches.contains_key(&variable)).then_some(variable));
            }
            _ => {}
        }
    }
    found
}

/// The sizes, other scalars and pointers of the function that a parallel loop reads, and the iterators of loops around it:
/// those of a `firstprivate` clause. As
/// shared variables they would have an address that the compiler cannot follow, and what it knows of them (`restrict`, a
/// bound that stays the same) would be lost, also in the sequential code beside the loop.
pub(super) fn values(region: &Region, looped: &Loop) -> Vec<VariableId> {
    let is_value = |reference: &&Reference| {
        let variable = region.variable(reference.variable);
        match variable.storage {
            Storage::Local => variable.extents.is_empty() && reference.path.is_empty(),
            Storage::Parameter | Storage::Pointer => true,
            Storage::Global | Storage::Region => false,
        }
    };
    let expressions = || looped.bounds().into_iter().chain(walk(&looped.body).flat_map(Node::expressions));
    let references =
        expressions().flat_map(Expression::reads).chain(walk(&looped.body).filter_map(Node::target));
    let mut read: BTreeSet<VariableId> =
        references.filter(is_value).map(|reference| reference.variable).collect();
    read.extend(expressions().flat_map(Expression::iterators));
    read.remove(&looped.iterator);
    for node in walk(&looped.body) {
        match node {
            Node::Statement(statement) if statement.target.path.is_empty() => {
                read.remove(&statement.target.variable);
            }
            Node::Loop(inner) => _ = read.remove(&inner.iterator),
            _ => {}
        }
    }
    read.into_iter().collect()
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
