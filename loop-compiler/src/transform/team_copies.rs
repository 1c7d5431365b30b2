//! Small arrays that the threads of a kernel update atomically: each team updates a copy of its own, in the memory of its
//! block, and adds that to the array at its end.
//!
//! A histogram of 2.4 million bytes in 256 bins took 768 µs on an H200 while all threads updated one array: its elements are
//! in few slices of the second-level cache, and each takes one update after the other.

use std::collections::{BTreeMap, BTreeSet};

use crate::cost::policy::{
    BYTES_OF_TEAM_COPIES, ITERATIONS_OF_TEAM_COPY, ROWS_OF_TEAM, THREADS_BY_ELEMENTS, step_of,
};
use crate::ir::{
    Aliasing, BinaryOperator, Declaration, Expression, ExpressionKind, Loop, LoopAttributes, LoopId, Node,
    ReductionOperator, Reference, Region, Statement, Step, Storage, Store, Variable, VariableId,
    arithmetic::constant, for_each_mut, operators::identity, types::Scalar, walk,
};

/// An array that threads update.
pub(crate) struct Updated {
    variable: VariableId,
    operator: ReductionOperator,
    init: Expression,
    extents: Vec<i128>,
}

/// The arrays that a kernel's threads update; none if one of them is too large or of unknown size, if the kernel uses its
/// elements otherwise, or if there is no atomic form for a copy.
pub(crate) fn updated(region: &Region, kernel: &Loop) -> Option<Vec<Updated>> {
    let mut found = Found::default();
    found.nodes(region, std::slice::from_ref(&Node::Loop(kernel.clone())))?;
    if found.updated.keys().any(|variable| found.used.contains(variable)) {
        return None;
    }
    let bytes = |one: &Updated| {
        one.extents.iter().product::<i128>() * region.variable(one.variable).scalar.size() as i128
    };
    let updated: Vec<Updated> = found.updated.into_values().collect();
    let fits = updated.iter().map(bytes).sum::<i128>() <= BYTES_OF_TEAM_COPIES;
    (fits && !updated.is_empty()).then_some(updated)
}

/// Threads of a team.
pub(crate) fn threads(updated: &[Updated]) -> u32 {
    let elements: i128 = updated.iter().map(|one| one.extents.iter().product::<i128>()).sum();
    step_of(&THREADS_BY_ELEMENTS, elements).unwrap_or_default()
}

/// Iterations of a kernel's outermost loop that a team takes, where threads have those of so many loops.
pub(crate) fn tile(updated: &[Updated], loops: usize) -> i128 {
    match loops {
        1 => i128::from(threads(updated) * ITERATIONS_OF_TEAM_COPY),
        _ => ROWS_OF_TEAM,
    }
}

/// Gives each team of a kernel, whose outermost loop is that of teams, copies of the arrays that its threads update.
pub(crate) fn add(region: &mut Region, teams: &mut Loop, updated: &[Updated]) {
    let mut copies = BTreeMap::new();
    let (mut begin, mut end) = (Vec::new(), Vec::new());
    for one in updated {
        let array = region.variable(one.variable).clone();
        let extents = one.extents.iter().map(|extent| Some(Expression::integer(*extent, Scalar::INT)));
        let copy = variable(
            region,
            Variable {
                name: region.unused_name(&format!("{}_of_team", array.name)),
                declared_type: String::new(),
                extents: extents.collect(),
                storage: Storage::Region,
                aliasing: Aliasing::Distinct,
                ..array.clone()
            },
        );
        copies.insert(one.variable, copy);
        begin.push(Node::Declaration(Declaration { variable: copy, value: None, at: teams.at }));
        let Some(start) = identity(one.operator, array.scalar) else { continue };
        begin.push(elements(region, teams, &one.extents, |path| Statement {
            target: Reference { variable: copy, path, scalar: array.scalar, at: teams.at },
            store: Store::Assign,
            value: start.clone(),
            at: teams.at,
        }));
        end.push(elements(region, teams, &one.extents, |path| {
            let scalar = array.scalar;
            let element = |variable| Reference { variable, path: path.clone(), scalar, at: teams.at };
            let read = |variable| Expression { kind: ExpressionKind::Read(element(variable)), scalar };
            // Where an update begins with what its element holds, it is another element here.
            let init = match one.init.mentions(one.variable) {
                true => read(one.variable),
                false => one.init.clone(),
            };
            Statement {
                target: element(one.variable),
                store: Store::Reduce { operator: one.operator, init },
                value: read(copy),
                at: teams.at,
            }
        }));
    }
    let body = std::mem::take(&mut teams.body);
    teams.body = begin.into_iter().chain(renamed(body, &copies)).chain(end).collect();
}

/// Loops over all elements, whose iterations belong to a team's threads.
fn elements(
    region: &mut Region,
    teams: &Loop,
    extents: &[i128],
    statement: impl FnOnce(Vec<Step>) -> Statement,
) -> Node {
    let iterators: Vec<VariableId> = extents
        .iter()
        .map(|_| {
            let element = Variable {
                name: region.unused_name("element"),
                scalar: Scalar::INT,
                declared_type: String::new(),
                extents: Vec::new(),
                storage: Storage::Region,
                aliasing: Aliasing::Distinct,
            };
            variable(region, element)
        })
        .collect();
    let value =
        |iterator: &VariableId| Expression { kind: ExpressionKind::Iterator(*iterator), scalar: Scalar::INT };
    let path = iterators.iter().map(|iterator| Step::Index(value(iterator))).collect();
    let mut node = Node::Statement(statement(path));
    for (iterator, extent) in iterators.iter().zip(extents).rev() {
        let past = Expression::integer(*extent, Scalar::INT);
        // Without the conversions that `compare` has, which OpenMP does not allow there.
        let condition =
            ExpressionKind::Binary(BinaryOperator::Less, Box::new(value(iterator)), Box::new(past));
        node = Node::Loop(Loop {
            id: LoopId::NONE,
            iterator: *iterator,
            declares: true,
            lower: Expression::integer(0, Scalar::INT),
            condition: Expression { kind: condition, scalar: Scalar::INT },
            step: Expression::integer(1, Scalar::INT),
            parallel: true,
            attributes: LoopAttributes::default(),
            body: vec![node],
            at: teams.at,
        });
    }
    node
}

fn variable(region: &mut Region, variable: Variable) -> VariableId {
    region.variables.push(variable);
    VariableId(region.variables.len() - 1)
}

/// Nodes whose updates go to copies.
fn renamed(mut nodes: Vec<Node>, copies: &BTreeMap<VariableId, VariableId>) -> Vec<Node> {
    for_each_mut(&mut nodes, &mut |node| {
        if let Node::Statement(statement) = node
            && let Some(copy) = copies.get(&statement.target.variable)
        {
            statement.target.variable = *copy;
        }
    });
    nodes
}

/// What a kernel does with arrays.
#[derive(Default)]
struct Found {
    declared: BTreeSet<VariableId>,
    updated: BTreeMap<VariableId, Updated>,
    /// Read, or stored to otherwise.
    used: BTreeSet<VariableId>,
}

impl Found {
    fn nodes(&mut self, region: &Region, nodes: &[Node]) -> Option<()> {
        walk(nodes).try_for_each(|node| self.node(region, node))
    }

    fn node(&mut self, region: &Region, node: &Node) -> Option<()> {
        self.used.extend(node.reads().into_iter().map(|read| read.variable));
        match node {
            Node::Loop(_) | Node::If(_) => Some(()),
            Node::Declaration(declaration) => {
                self.declared.insert(declaration.variable);
                Some(())
            }
            Node::Statement(statement) => {
                let variable = statement.target.variable;
                match &statement.store {
                    _ if self.declared.contains(&variable) => Some(()),
                    Store::Reduce { operator, init } => {
                        let one = of_update(region, &statement.target, *operator, init)?;
                        let known = self.updated.entry(variable).or_insert(one);
                        (known.operator == *operator).then_some(())
                    }
                    _ => {
                        self.used.insert(variable);
                        Some(())
                    }
                }
            }
            Node::Break(_) | Node::Private(_) | Node::ReduceDimension(_) => None,
        }
    }
}

/// An update of an element of an array, if each team can have a copy of that.
fn of_update(
    region: &Region,
    target: &Reference,
    operator: ReductionOperator,
    init: &Expression,
) -> Option<Updated> {
    use ReductionOperator as R;
    let array = region.variable(target.variable);
    let has_atomic = match array.scalar {
        Scalar::Integer { bits: 32 | 64, .. } => {
            matches!(operator, R::Add | R::Minimum | R::Maximum | R::And | R::Or | R::Xor)
        }
        Scalar::Float { bits: 32 | 64 } => operator == R::Add,
        _ => false,
    };
    let is_element = !target.path.is_empty()
        && target.path.len() == array.extents.len()
        && target.path.iter().all(|step| matches!(step, Step::Index(_)));
    let extents: Option<Vec<i128>> =
        array.extents.iter().map(|extent| extent.as_ref().and_then(constant)).collect();
    identity(operator, array.scalar)?;
    let extents = extents.filter(|_| has_atomic && is_element)?;
    Some(Updated { variable: target.variable, operator, init: init.clone(), extents })
}
