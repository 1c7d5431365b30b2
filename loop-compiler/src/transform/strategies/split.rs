//! Innermost reductions split into lanes: one reduction into the lanes of a vector, and one of the lanes.
//!
//! `VectorAccumulator` has an accumulator in each lane and reduces the lanes once, at the end; lane `l` has the elements
//! `l`, `l + lanes`, `l + 2 * lanes`, …. `InnerReduction` reduces so many elements to one at each step. What is left of the
//! iterations follows in order. Both add in another order than the source, but in one that is defined.

use super::{
    Combining, Strategy,
    lanes::{
        Moves, array, array_declared, assign, chunks, declared, each, element, iterated, moved, movement,
        read,
    },
};
use crate::{
    analysis::reduced::{self, Operators},
    ir::{
        BinaryOperator, Declaration, Expression, If, Loop, LoopAttributes, Node, Pairing, ReduceDimension,
        ReductionOperator, Reference, Region, Step, Store, VariableId,
        arithmetic::{add, compare, constant, divide, multiply, number, value_of},
        compare::{mentions, same_reference},
        convert, operators,
        types::Scalar,
    },
    transform::{
        in_expression,
        privatize::{Counted, combine},
    },
};

/// Why a loop has not the form that lanes need.
pub(super) fn obstacle(region: &Region, looped: &Loop, operators: &Operators) -> Option<String> {
    reductions(region, looped, operators).err()
}

/// A loop with its reductions split into lanes; `None` if it has not the form for it.
pub(super) fn split(
    region: &mut Region,
    looped: &Loop,
    strategy: Strategy,
    operators: &Operators,
) -> Option<Vec<Node>> {
    let (count, end, at_each_step) = match strategy {
        Strategy::InnerParallel { .. } => return None,
        Strategy::InnerReduction { lanes, end } => (lanes, end, true),
        Strategy::VectorAccumulator { lanes, end } => (lanes, end, false),
    };
    let steps = reductions(region, looped, operators).ok()?;
    let counted = Counted::of(looped)?;
    let count = i128::from(count);
    let at = looped.at;
    let scalar = region.variable(looped.iterator).scalar;
    let name = region.variable(looped.iterator).name.clone();
    // One array of lanes for each element that is reduced into.
    let mut arrays: Vec<(Reference, ReductionOperator, VariableId)> = Vec::new();
    for step in &steps {
        if !arrays.iter().any(|(target, ..)| same_reference(target, &step.target, None)) {
            let name = format!("{}_of_lanes", region.variable(step.target.variable).name);
            let scalar = accumulated_in(step.operator, step.target.scalar);
            arrays.push((step.target.clone(), step.operator, array(region, &name, scalar, &[count])));
        }
    }
    let lane = region.add_scalar("lane", Scalar::INT);
    let chunk = region.add_scalar(&format!("{name}_of_lane_0"), scalar);
    let in_lanes = region.add_scalar(&format!("{name}_in_lanes"), Scalar::LONG);
    let whole = multiply(divide(counted.trips(&[]), number(count)), number(count));
    let iterations = value_of(in_lanes, Scalar::LONG);
    let past = add(counted.lower.clone(), iterations.clone());
    let at_lane = |array: VariableId, lane: Expression| {
        let scalar = region.variable(array).scalar;
        element(array, vec![lane], scalar, at)
    };
    let own = |array: VariableId| at_lane(array, iterated(lane, Scalar::INT));
    let lanes = |body: Vec<Node>| each(lane, count, LoopAttributes::of_lanes(), body, at);
    let iteration = moved(&iterated(chunk, scalar), lane);
    let here = |value: &Expression| in_expression(value, looped.iterator, &iteration);

    // What each lane does with its element.
    let mut has_value: Vec<VariableId> = Vec::new();
    let mut of_lane = Vec::new();
    for node in &looped.body {
        if let Node::Declaration(declaration) = node {
            let value = declaration.value.as_ref().map(here);
            of_lane.push(Node::Declaration(Declaration { value, ..declaration.clone() }));
            continue;
        }
        for step in operators.steps(node)? {
            let (.., array) =
                arrays.iter().find(|(target, ..)| same_reference(target, &step.target, None))?;
            let own = own(*array);
            let value = convert::convert(here(&step.value), own.scalar);
            // The first one of a step sets the lane.
            of_lane.push(if at_each_step && !has_value.contains(array) {
                has_value.push(*array);
                assign(&own, value)
            } else {
                combine(step.operator, own, value, step.at)
            });
        }
    }
    let mut ends = Vec::new();
    for (target, operator, array) in &arrays {
        ends.push(Node::ReduceDimension(ReduceDimension {
            target: None,
            source: *array,
            dimension: 0,
            indices: Vec::new(),
            ranges: Vec::new(),
            mapped: Vec::new(),
            operator: *operator,
            init: None,
            pairing: if end == Combining::Tree { Pairing::Halves } else { Pairing::InOrder },
            at,
        }));
        let first = read(&at_lane(*array, number(0)));
        ends.push(combine(*operator, target.clone(), convert::convert(first, target.scalar), target.at));
    }
    let declarations = arrays.iter().map(|(.., array)| array_declared(*array, at));
    let mut then = Vec::new();
    if at_each_step {
        let body = declarations.chain([lanes(of_lane)]).chain(ends).collect();
        then.push(chunks(chunk, scalar, (&counted.lower, &past), count, body, at));
    } else {
        then.extend(declarations);
        let mut begin = Vec::new();
        for (_, operator, array) in &arrays {
            let own = own(*array);
            begin.push(assign(&own, operators::identity(*operator, own.scalar)?));
        }
        then.push(lanes(begin));
        then.push(chunks(chunk, scalar, (&counted.lower, &past), count, vec![lanes(of_lane)], at));
        then.extend(ends);
    }
    let some = compare(BinaryOperator::Greater, iterations, number(0));
    Some(vec![
        declared(in_lanes, whole, at),
        // Without an iteration there may be no such element.
        Node::If(If { condition: some, then, otherwise: Vec::new(), at }),
        Node::Loop(Loop { lower: convert::convert(past, scalar), ..looped.clone() }),
    ])
}

/// Whether two elements of an array are different ones: constant subscripts or members in one place differ.
fn differ(first: &Reference, second: &Reference) -> bool {
    first.path.len() == second.path.len()
        && first.path.iter().zip(&second.path).any(|steps| match steps {
            (Step::Index(first), Step::Index(second)) => {
                matches!((constant(first), constant(second)), (Some(first), Some(second)) if first != second)
            }
            (Step::Member(first), Step::Member(second)) => first != second,
            _ => false,
        })
}

/// Signed integers are summed in the unsigned type: sums in another order might overflow.
fn accumulated_in(operator: ReductionOperator, scalar: Scalar) -> Scalar {
    match operator {
        ReductionOperator::Add | ReductionOperator::Multiply => scalar.unsigned(),
        _ => scalar,
    }
}

/// The reductions of a loop, or why there is something else in it.
pub(super) fn reductions(
    region: &Region,
    looped: &Loop,
    operators: &Operators,
) -> Result<Vec<reduced::Step>, String> {
    let name = |id: VariableId| &region.variable(id).name;
    let by_one = Counted::of(looped).filter(|counted| constant(&counted.step) == Some(1));
    if by_one.is_none() {
        return Err(format!("`{}` does not increase by one", name(looped.iterator)));
    }
    if !matches!(region.variable(looped.iterator).scalar, Scalar::Integer { bits: 32 | 64, .. }) {
        return Err(format!("`{}` has a type that is promoted", name(looped.iterator)));
    }
    let mut found: Vec<reduced::Step> = Vec::new();
    let mut declared = Vec::new();
    for node in &looped.body {
        if let Node::Declaration(declaration) = node
            && declaration.value.is_some()
        {
            declared.push(declaration.variable);
            continue;
        }
        let Some(steps) = operators.steps(node) else {
            return Err(
                "it does more than to reduce values, as in `s += x;`, into elements that stay the same"
                    .into(),
            );
        };
        for step in steps {
            let target = &step.target;
            if matches!(step.store, Store::Reduce { .. }) {
                return Err(format!("`{}` is updated atomically", name(target.variable)));
            }
            if !step.exists_in(&looped.body) {
                return Err(format!("no iteration may update the element of `{}`", name(target.variable)));
            }
            if movement(target, looped.iterator) != Moves::Not || declared.contains(&target.variable) {
                return Err(format!(
                    "the element of `{}` is not the same in all iterations",
                    name(target.variable)
                ));
            }
            if operators::identity(step.operator, accumulated_in(step.operator, target.scalar)).is_none() {
                return Err(format!("`{}` has a type without lanes", name(target.variable)));
            }
            found.push(step);
        }
    }
    // Lanes must not see what other lanes have reduced.
    for step in &found {
        let is_target = |id: VariableId| found.iter().any(|other| other.target.variable == id);
        let reads = mentions(&step.value, &is_target)
            || step.target.subscripts().any(|subscript| mentions(subscript, &is_target));
        let apart = found.iter().all(|other| {
            let alike = same_reference(&other.target, &step.target, None);
            (other.target.variable != step.target.variable || alike || differ(&other.target, &step.target))
                && (!alike || other.operator == step.operator)
        });
        if reads || !apart {
            return Err(format!("`{}` is used in more than one way", name(step.target.variable)));
        }
    }
    match found.is_empty() {
        true => Err("it has no reduction".into()),
        false => Ok(found),
    }
}
