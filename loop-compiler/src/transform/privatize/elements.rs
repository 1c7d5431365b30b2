//! Elements of one array that a nest accesses with constant subscripts (`out[0] += x; out[1] *= x;`), each in a scalar of its
//! own while the nest is executed: reductions into them then have their own operators, and clauses of OpenMP.
//!
//! Only elements that are known to exist, as values are loaded before the nest and stored after it: even if it has no
//! iteration, or else under the condition that it has one.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    analysis::{
        classes::LoopClass,
        program::{Action, Program},
    },
    cost::policy::ELEMENTS_IN_SCALARS,
    ir::{
        Aliasing, Declaration, Expression, ExpressionKind, Loop, Node, Reference, Region, Statement, Step,
        Store, arithmetic::constant, compare::same_reference, first_accesses, types::Scalar,
    },
    transform::{first_condition, replace, where_executed, with_reference},
};

/// The region with such elements in scalars around nests in which chosen loops carry reductions into them; and for each array,
/// by name, its scalars. None if that changes nothing.
pub(super) fn in_scalars(
    program: &Program<'_>,
    classes: &[LoopClass],
    loops: &BTreeSet<usize>,
) -> Option<(Region, BTreeMap<String, Vec<String>>)> {
    let mut out = program.region.clone();
    let mut scalars: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (nest, facts) in program.loops.iter().enumerate().filter(|(_, facts)| facts.around.is_empty()) {
        let inside = loops.iter().filter(|index| {
            **index == nest || program.loops.get(**index).is_some_and(|other| other.around.contains(&nest))
        });
        let arrays: BTreeSet<usize> =
            inside.flat_map(|index| classes[*index].reduced.iter().copied()).collect();
        let mut looped = facts.node.clone();
        let (mut before, mut loads, mut after) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_guarded = false;
        for array in arrays {
            let Some((elements, exist)) = elements(program, nest, facts.node, array) else { continue };
            is_guarded |= !exist;
            for target in elements {
                let subscripts = target.subscripts().filter_map(constant).map(|value| format!("_{value}"));
                let name = program.arrays[array].name.replace('.', "_") + &subscripts.collect::<String>();
                let variable = out.add_scalar(&name.replace('-', "m"), target.scalar);
                let own = Reference { variable, path: Vec::new(), scalar: target.scalar, at: target.at };
                looped.body = with_reference(&looped.body, target, &own);
                scalars
                    .entry(program.arrays[array].name.clone())
                    .or_default()
                    .push(out.variable(variable).name.clone());
                let (at, scalar) = (looped.at, target.scalar);
                let assign = |target: Reference, value: ExpressionKind| {
                    let value = Expression { kind: value, scalar };
                    Node::Statement(Statement { target, store: Store::Assign, value, at })
                };
                before.push(Node::Declaration(Declaration { variable, value: None, at }));
                loads.push(assign(own.clone(), ExpressionKind::Read(target.clone())));
                after.push(assign(target.clone(), ExpressionKind::Read(own)));
            }
        }
        if before.is_empty() {
            continue;
        }
        let (condition, at) = (first_condition(&looped), looped.at);
        // Declarations may be printed in front of a condition, beside those of copies, and statements are one kernel.
        let mut nodes = before;
        nodes.extend(loads);
        nodes.push(Node::Loop(looped));
        nodes.extend(after);
        if is_guarded {
            nodes = where_executed(condition, nodes, at);
        }
        replace(&mut out, nest, nodes);
    }
    (!scalars.is_empty()).then_some((out, scalars))
}

/// The elements of an array that a nest stores to, two to [`ELEMENTS_IN_SCALARS`], and whether they exist even if it has no iteration. None
/// if one of the accesses is not to a constant element, or if it is not known that they exist.
fn elements<'r>(
    program: &Program<'r>,
    nest: usize,
    node: &Loop,
    array: usize,
) -> Option<(Vec<&'r Reference>, bool)> {
    let variable = program.region.variable(program.arrays[array].variable);
    let in_nest: Vec<_> = program.accesses_in(nest, array).map(|access| &program.accesses[access]).collect();
    let is_plain = in_nest.iter().all(|access| {
        let statement = &program.statements[access.statement];
        let reduces =
            matches!(statement.action, Action::Statement(Statement { store: Store::Reduce { .. }, .. }));
        access.reference.subscripts().all(|subscript| constant(subscript).is_some()) && !reduces
    });
    let declared_inside =
        program.arrays[array].declared_in.as_ref().is_some_and(|around| around.contains(&nest));
    let in_header =
        program.statements.iter().filter(|statement| matches!(statement.action, Action::Bounds)).any(
            |statement| statement.accesses.iter().any(|access| program.accesses[*access].array == array),
        );
    if !is_plain || declared_inside || in_header || variable.aliasing == Aliasing::Rows {
        return None;
    }
    let mut stored: Vec<&Reference> = Vec::new();
    for access in in_nest.iter().filter(|access| access.write) {
        if !stored.iter().any(|known| same_reference(known, access.reference, None)) {
            stored.push(access.reference);
        }
    }
    if !(2..=ELEMENTS_IN_SCALARS).contains(&stored.len())
        || stored.iter().any(|target| matches!(target.scalar, Scalar::Complex { .. }))
    {
        return None;
    }
    // What the region accesses whatever happens.
    let is_accessed = |target: &Reference| {
        let outside = |access: &&crate::analysis::program::Access<'_>| {
            access.write && access.around.is_empty() && access.guards.is_empty()
        };
        program
            .accesses
            .iter()
            .filter(outside)
            .any(|access| access.array == array && same_reference(access.reference, target, None))
    };
    let is_declared = |target: &Reference| {
        let mut extents = variable.extents.iter();
        target.path.iter().all(|step| match step {
            Step::Index(subscript) => extents.next().is_some_and(|extent| {
                let length = extent.as_ref().and_then(constant);
                length.zip(constant(subscript)).is_some_and(|(length, at)| (0..length).contains(&at))
            }),
            Step::Member(_) => true,
        })
    };
    if stored.iter().all(|target| is_accessed(target) || is_declared(target)) {
        return Some((stored, true));
    }
    let first = first_accesses(&node.body);
    let is_in_first = |target: &Reference| first.iter().any(|other| same_reference(other, target, None));
    stored.iter().all(|target| is_in_first(target)).then_some((stored, false))
}
