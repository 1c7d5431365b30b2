//! Iterators that are declared before their loops: the loops of a nest get their own, and the variables are set behind it.

use std::collections::BTreeMap;

use super::{
    nodes::{loop_at, replace, substituted, uses},
    setting::rejected,
};
use crate::{
    analysis::{AnalysisError, Options, program::Program},
    ir::{
        Aliasing, BinaryOperator, Expression, ExpressionKind, Loop, LoopAttributes, Node, Region, Storage,
        Variable, VariableId,
        arithmetic::{compare, subtract, value_of},
        convert, loops, walk,
    },
    rules::Rule,
};

/// A nest whose loops declare their iterators.
#[derive(Debug)]
pub struct Owned {
    /// The region.
    pub region: Region,
    /// The loops behind the nest that set the variables.
    pub added: usize,
    /// By name: what iterators are called now.
    pub names: BTreeMap<String, String>,
}

/// The region in which the loops of a nest declare their iterators.
///
/// # Errors
///
/// If the variables' values behind the nest are not known.
pub fn own_iterators(region: &Region, index: usize, step: &str) -> Result<Owned, AnalysisError> {
    let mut owned = Owned { region: region.clone(), added: 0, names: BTreeMap::new() };
    let Some(node) = loop_at(region, index) else { return Ok(owned) };
    let before = before_loops(node);
    if before.is_empty() {
        return Ok(owned);
    }
    let wrong = |what: &str| {
        let reason = format!("{what}; declare iterators in their loops");
        rejected(Rule::Liveness, node.at, step, reason)
    };
    if !is_regular(node, true) {
        return wrong("the last value of an iterator that is declared before its loop is not known");
    }
    let limits = nest(node).flat_map(|looped| [&looped.lower, &looped.condition]);
    let is_changed = |id: VariableId| !before.contains(&id) && writes(&node.body, id);
    if limits.flat_map(Expression::reads).any(|read| is_changed(read.variable)) {
        return wrong("the nest changes the bounds of its loops");
    }
    let own = with_own(node, &mut owned);
    if before.iter().any(|id| uses(std::slice::from_ref(&own), *id)) {
        return wrong("an iterator is used outside of its loop");
    }
    let behind = last_values(node, &BTreeMap::new());
    let mut nodes = vec![own];
    owned.added = behind.iter().map(loops_in).sum();
    nodes.extend(behind);
    replace(&mut owned.region, index, nodes);
    Ok(owned)
}

/// The region with iterators of their own for the nests that are `wanted`, by their outermost loops, where that is possible.
///
/// # Errors
///
/// If isl is missing.
pub(crate) fn with_own_iterators(
    region: &Region,
    options: &Options,
    step: &str,
    wanted: impl Fn(&Loop) -> bool,
) -> Result<Region, AnalysisError> {
    let mut out = region.clone();
    let loops = Program::new(region, options.sizes.clone()).loops.into_iter().enumerate();
    let outermost: Vec<usize> = loops
        .filter(|(_, facts)| facts.around.is_empty() && wanted(facts.node))
        .map(|(index, _)| index)
        .collect();
    // Loops before this one keep their numbers.
    for index in outermost.into_iter().rev() {
        match own_iterators(&out, index, step) {
            Ok(owned) => out = owned.region,
            Err(AnalysisError::Rejected(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(out)
}

/// The loops that set variables behind a nest.
fn loops_in(node: &Node) -> usize {
    loops(std::slice::from_ref(node)).count()
}

/// A loop and those inside.
fn nest(node: &Loop) -> impl Iterator<Item = &Loop> {
    std::iter::once(node).chain(loops(&node.body))
}

/// The variables that loops use and do not declare.
fn before_loops(node: &Loop) -> Vec<VariableId> {
    let mut found = Vec::new();
    for looped in nest(node) {
        if !looped.declares && !found.contains(&looped.iterator) {
            found.push(looped.iterator);
        }
    }
    found
}

/// Whether such loops stand only in each other, and are not left early.
fn is_regular(node: &Loop, around: bool) -> bool {
    let direct = |one: &Node| match one {
        Node::Loop(looped) => is_regular(looped, around && !node.declares),
        Node::If(_) => one.children().all(|one| match one {
            Node::Loop(looped) => before_loops(looped).is_empty(),
            Node::If(_) | Node::Break(_) => false,
            _ => true,
        }),
        Node::Break(_) => node.declares,
        _ => true,
    };
    before_loops(node).is_empty() || (around || node.declares) && node.body.iter().all(direct)
}

fn writes(nodes: &[Node], id: VariableId) -> bool {
    walk(nodes).any(|node| match node {
        Node::Loop(looped) => !looped.declares && looped.iterator == id,
        Node::ReduceDimension(_) => true,
        _ => node.changed().any(|changed| changed == id),
    })
}

fn with_own(node: &Loop, owned: &mut Owned) -> Node {
    let mut body = node.body.clone();
    let (mut iterator, mut condition) = (node.iterator, node.condition.clone());
    if !node.declares {
        let variable = owned.region.variable(iterator).clone();
        let taken = |name: &String| owned.region.variables.iter().any(|variable| variable.name == *name);
        let names = (1..).map(|number| match number {
            1 => format!("{}_own", variable.name),
            number => format!("{}_own_{number}", variable.name),
        });
        let known = owned.names.get(&variable.name).cloned();
        let name = known.unwrap_or_else(|| names.into_iter().find(|name| !taken(name)).unwrap_or_default());
        owned.names.insert(variable.name.clone(), name.clone());
        iterator = owned.region.add(Variable {
            name,
            scalar: variable.scalar,
            declared_type: String::new(),
            extents: Vec::new(),
            storage: Storage::Region,
            aliasing: Aliasing::Distinct,
        });
        let value = Expression { kind: ExpressionKind::Iterator(iterator), scalar: variable.scalar };
        body = substituted(&body, node.iterator, &value);
        condition = super::nodes::in_expression(&condition, node.iterator, &value);
    }
    let inside = |inner: Node| match inner {
        Node::Loop(looped) => with_own(&looped, owned),
        other => other,
    };
    let body = body.into_iter().map(inside).collect();
    Node::Loop(Loop { iterator, condition, declares: true, body, ..node.clone() })
}

/// Empty loops that leave in the variables what the nest leaves there.
fn last_values(node: &Loop, iterators: &BTreeMap<VariableId, Expression>) -> Vec<Node> {
    if node.declares {
        return Vec::new();
    }
    let with = |value: &Expression| {
        iterators
            .iter()
            .fold(value.clone(), |value, (id, last)| super::nodes::in_expression(&value, *id, last))
    };
    let scalar = node.step.scalar;
    let lower = with(&node.lower);
    let mut nodes = vec![Node::Loop(Loop {
        lower: lower.clone(),
        condition: with(&node.condition),
        parallel: false,
        attributes: LoopAttributes::default(),
        body: Vec::new(),
        ..node.clone()
    })];
    let last = convert::convert(subtract(value_of(node.iterator, scalar), node.step.clone()), scalar);
    let mut inside = iterators.clone();
    inside.insert(node.iterator, last);
    let inner = node.body.iter().filter_map(Node::as_loop);
    let then: Vec<Node> = inner.flat_map(|looped| last_values(looped, &inside)).collect();
    if !then.is_empty() {
        let condition = compare(BinaryOperator::NotEqual, value_of(node.iterator, scalar), lower);
        nodes.push(Node::guarded(condition, then, node.at));
    }
    nodes
}
