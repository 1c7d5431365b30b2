//! What parallel loops need in OpenMP: clauses.

use crate::{
    compare::mentions,
    tree::{Expression, Loop, Node, ReductionOperator, Store, VariableId},
};

/// The scalars, declared before a parallel loop, that it reduces into, and their operators: those of the `reduction`
/// clause.
pub(super) fn reductions(looped: &Loop) -> Vec<(VariableId, ReductionOperator)> {
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

/// How the iterations are given to threads: in turn where the loops inside are of different lengths.
pub(super) fn schedule(looped: &Loop) -> &'static str {
    let uses = |value: &Expression, iterator: VariableId| mentions(value, &|id| id == iterator);
    let uneven = looped.body.iter().any(|node| match node {
        Node::Loop(inner) => uses(&inner.lower, looped.iterator) || uses(&inner.condition, looped.iterator),
        _ => false,
    });
    if uneven { " schedule(guided)" } else { "" }
}
