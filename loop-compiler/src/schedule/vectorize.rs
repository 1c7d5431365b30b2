//! Loops that are executed by the lanes of a vector.
//!
//! What such a loop reduces into one element is accumulated in a scalar of its own, so that OpenMP's `reduction` clause
//! can name it, and combined with the element after the loop.

use super::{
    language::{Mark, Schedule},
    loops::{change, count, has},
};
use crate::{
    analysis::{AnalysisError, analyze},
    classes::Class,
    compare::same_reference,
    convert, operators,
    privatize::{combine, combined_value},
    rules::{FloatOrder, Rejection, Rule},
    transform::{Setting, loop_at},
    tree::{
        Aliasing, BinaryOperator, Declaration, Expression, ExpressionKind, Loop, Node, ReductionOperator,
        Reference, Region, Statement, Storage, Store, Variable, VariableId,
    },
    types::Scalar,
};

/// The region with the reductions of vectorized loops in scalars.
///
/// # Errors
///
/// If lanes would depend on each other.
pub(super) fn accumulated(region: &Region, setting: Setting<'_>) -> Result<Region, AnalysisError> {
    let mut out = region.clone();
    for index in (0..count(region)).rev() {
        let Some(node) = loop_at(&out, index).filter(|node| has(node, Mark::Vectorize)).cloned() else {
            continue;
        };
        let name = out.variable(node.iterator).name.clone();
        let wrong = |rule: Rule, what: String| {
            let reason = format!("`vectorize({name})` is not possible: {what}");
            Err(AnalysisError::Rejected(Rejection::new(rule, node.at, reason)))
        };
        if node.body.iter().any(|node| matches!(node, Node::Loop(_))) {
            return wrong(
                Rule::Schedules,
                "a loop inside it would be executed by each lane; name an innermost loop".into(),
            );
        }
        let analysis = analyze(&out, setting.options)?;
        let found = &analysis.loops[index];
        match found.class {
            Class::Parallel => continue,
            Class::Reduction => {}
            _ => {
                let (rule, reason) = found.reason.clone().unwrap_or((
                    Rule::Liveness,
                    format!(
                        "each lane needs its own `{}`; declare it in the loop",
                        found.privatized.join("`, `")
                    ),
                ));
                return wrong(rule, found.obstacle.as_ref().map_or(reason, ToString::to_string));
            }
        }
        let mut accumulators: Vec<Accumulator> = Vec::new();
        let mut reductions = Vec::new();
        for report in analysis.statements.iter().filter(|report| report.carried_by.contains(&index)) {
            reductions.extend(report.reduction.map(|operator| (report.at, operator)));
            if report.depends_on_order && setting.order != FloatOrder::Free {
                return wrong(
                    Rule::Floats,
                    format!("lanes sum `{}` in another order, which --order free allows", report.target),
                );
            }
        }
        let mut body = node.body.clone();
        let form = "a vectorized reduction is a statement of the loop's own, such as `s += x;`, into an element that \
                    stays the same";
        for statement in body.iter_mut() {
            let Node::Statement(statement) = statement else { continue };
            let Some((_, operator)) = reductions.iter().find(|(at, _)| *at == statement.at).copied() else {
                continue;
            };
            let invariant = statement.target.subscripts().all(|subscript| !varies(subscript, &node));
            let value = combined_value(statement, operator).cloned().filter(|_| invariant);
            let identity = operators::identity(operator, statement.target.scalar);
            let (Some(value), Some(identity)) = (value, identity) else {
                return wrong(Rule::Schedules, form.into());
            };
            reductions.retain(|(at, _)| *at != statement.at);
            let same = |other: &&Accumulator| {
                other.operator == operator && same_reference(&other.target, &statement.target, None)
            };
            let variable = match accumulators.iter().find(same) {
                Some(known) => known.variable,
                None => {
                    let variable = accumulator(&mut out, statement);
                    let (target, store, at) =
                        (statement.target.clone(), statement.store.clone(), statement.at);
                    accumulators.push(Accumulator { variable, operator, target, store, identity, at });
                    variable
                }
            };
            let scalar = out.variable(variable).scalar;
            let target = Reference { variable, path: Vec::new(), scalar, at: statement.at };
            let value = convert::convert(value, scalar);
            if let Node::Statement(combined) = combine(operator, target, value, statement.at) {
                *statement = combined;
            }
        }
        if !reductions.is_empty() {
            return wrong(Rule::Schedules, form.into());
        }
        let mut nodes = Vec::new();
        for one in &accumulators {
            let scalar = out.variable(one.variable).scalar;
            let value = Some(convert::convert(one.identity.clone(), scalar));
            nodes.push(Node::Declaration(Declaration { variable: one.variable, value, at: one.at }));
        }
        nodes.push(Node::Loop(Loop { body, ..node.clone() }));
        for one in accumulators {
            let scalar = out.variable(one.variable).scalar;
            let value = crate::arithmetic::value_of(one.variable, scalar);
            let value = convert::convert(value, one.target.scalar);
            nodes.push(match one.store {
                // With its initial value.
                store @ Store::Reduce { .. } => {
                    Node::Statement(Statement { target: one.target, store, value, at: one.at })
                }
                _ => combine(one.operator, one.target, value, one.at),
            });
        }
        crate::transform::replace(&mut out, index, nodes);
    }
    Ok(out)
}

/// A scalar that takes the place of an element.
struct Accumulator {
    variable: VariableId,
    operator: ReductionOperator,
    target: Reference,
    store: Store,
    identity: Expression,
    at: crate::tree::Position,
}

/// Signed integers are summed in the unsigned type: sums in another order might overflow.
fn accumulator(region: &mut Region, statement: &Statement) -> VariableId {
    let scalar = match statement.target.scalar {
        Scalar::Integer { bits, signed: true } => Scalar::Integer { bits, signed: false },
        other => other,
    };
    let scalar = match statement.store {
        Store::Update { .. } => scalar,
        _ => statement.target.scalar,
    };
    let base = format!("{}_in_lanes", region.variable(statement.target.variable).name);
    let taken = |name: &String| region.variables.iter().any(|variable| variable.name == *name);
    let numbered = (2..).map(|number| format!("{base}_{number}"));
    let name = std::iter::once(base.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(base);
    region.add(Variable {
        name,
        scalar,
        declared_type: String::new(),
        extents: Vec::new(),
        storage: Storage::Region,
        aliasing: Aliasing::Distinct,
    })
}

/// Whether a subscript may differ between a loop's iterations: it uses the iterator, or what the loop writes.
fn varies(subscript: &Expression, node: &Loop) -> bool {
    let written = |variable: VariableId| {
        node.body.iter().any(|inner| match inner {
            Node::Statement(statement) => statement.target.variable == variable,
            Node::Declaration(declaration) => declaration.variable == variable,
            Node::If(_) => true,
            _ => false,
        })
    };
    let mut found = crate::transform::mentions(subscript, node.iterator);
    subscript.visit_reads(&mut |read| found |= written(read.variable));
    found
}

/// The region with OpenMP's `simd` on its vectorized loops, and without what else is left of schedules: as code is made
/// of it.
pub fn simd(region: &Region) -> Region {
    let mut out = region.clone();
    for index in 0..count(region) {
        change(&mut out, index, |looped| {
            let vectorized = has(looped, Mark::Vectorize);
            looped.directives.retain(|text| Schedule::of(text).is_none());
            if vectorized {
                let clauses: String = reduced(&looped.body)
                    .into_iter()
                    .map(|(variable, operator)| {
                        format!(" reduction({operator}: {})", region.variable(variable).name)
                    })
                    .collect();
                looped.directives.push(format!("#pragma omp simd{clauses}"));
            }
        });
    }
    out
}

/// The scalars that a loop's statements combine, and how.
fn reduced(body: &[Node]) -> Vec<(VariableId, ReductionOperator)> {
    let mut found = Vec::new();
    let mut declared = Vec::new();
    for node in body {
        match node {
            Node::Declaration(declaration) => declared.push(declaration.variable),
            Node::Statement(statement) if statement.target.path.is_empty() => {
                let one = operator(statement).map(|operator| (statement.target.variable, operator));
                found.extend(one.filter(|(variable, _)| !declared.contains(variable)));
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The operator of a statement that [`combine`] has made.
fn operator(statement: &Statement) -> Option<ReductionOperator> {
    let of = |operator: BinaryOperator| ReductionOperator::from_name(operator.symbol());
    match (&statement.store, &statement.value.kind) {
        (Store::Update { operator, .. }, _) => of(*operator),
        (Store::Reduce { operator, .. }, _) => Some(*operator),
        (Store::Assign, ExpressionKind::Select(condition, ..)) => match condition.kind {
            ExpressionKind::Binary(BinaryOperator::Less, ..) => Some(ReductionOperator::Minimum),
            ExpressionKind::Binary(BinaryOperator::Greater, ..) => Some(ReductionOperator::Maximum),
            _ => None,
        },
        (Store::Assign, ExpressionKind::Binary(operator, ..)) => of(*operator),
        _ => None,
    }
}
