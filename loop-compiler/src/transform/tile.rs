//! Strip-mining: a loop becomes one over tiles, and one over the iterations of a tile.

use super::{
    nodes::{in_expression, replace, substituted},
    proof::Proof,
    reorder::movable,
    setting::{Setting, rejected},
};
use crate::{
    analysis::AnalysisError,
    ir::{
        Aliasing, BinaryOperator, Expression, ExpressionKind, Loop, LoopAttributes, Node, Region, Storage,
        Variable, VariableId,
        arithmetic::{add, compare, constant, greatest, least, long, multiply, number, subtract},
        convert,
        types::Scalar,
    },
    rules::Rule,
    transform::privatize::Counted,
};

/// How a loop is divided.
#[derive(Clone, Debug)]
pub struct Tile {
    /// Iterations of a tile.
    pub size: Expression,
    /// The iterator over the tiles, by name.
    pub outer: String,
    /// The iterator inside a tile, from 0: the original one is the sum of both. Without a name the original iterator stays.
    pub inner: Option<String>,
}

/// The region with a loop divided into two; `step` is for messages. The order of execution stays.
///
/// # Errors
///
/// If the trip count of the loop has no simple form, if it is left early, and if a name is taken.
pub fn tile(
    region: &Region,
    index: usize,
    tile: &Tile,
    step: &str,
    setting: Setting<'_>,
) -> Result<Region, AnalysisError> {
    let proof = Proof::new(region, setting)?;
    movable(&proof, index, step)?;
    let node = proof.program.loops[index].node;
    let name = &region.variable(node.iterator).name;
    let at = node.at;
    for new in std::iter::once(&tile.outer).chain(&tile.inner) {
        if is_taken(&proof, index, new) || tile.inner.as_ref() == Some(&tile.outer) {
            return rejected(
                Rule::Model,
                at,
                step,
                format!("`{new}` has a meaning already; choose another name"),
            );
        }
    }
    let stride = constant(&node.step).filter(|step| *step != 0);
    let (Some(counted), Some(stride)) = (Counted::of(node), stride) else {
        let reason = format!("the number of iterations of loop `{name}` has no simple form");
        return rejected(Rule::Model, at, step, reason);
    };
    if constant(&tile.size).is_some_and(|size| size < 1) {
        return rejected(Rule::Model, at, step, "a tile has at least one iteration");
    }
    let mut out = region.clone();
    let size = long(tile.size.clone());
    let divides = divides(&counted, &size, stride, &|value| known(region, value, setting));
    // A size that is not known might be 0, and the loop would not end.
    let least_size = if divides { size } else { greatest(size, number(1)) };
    let width = multiply(least_size, number(stride));
    // Of the loop's own type: conversions to a narrower one would hide from the analysis what is iterated over.
    let scalar = region.variable(node.iterator).scalar;
    let tiles = iterator(&mut out, &tile.outer, scalar);
    let first = iterator_value(tiles, scalar);
    let limit = |from: Expression, end: Expression, all: Expression| match (divides, counted.down) {
        (true, _) => all,
        (false, false) => least(all, subtract(end, from)),
        (false, true) => greatest(all, subtract(end, from)),
    };
    let relation = if counted.down { BinaryOperator::Greater } else { BinaryOperator::Less };
    let inside = match &tile.inner {
        None => {
            let past = add(first.clone(), width.clone());
            let past = match (divides, counted.down) {
                (true, _) => past,
                (false, false) => least(past, counted.end.clone()),
                (false, true) => greatest(past, counted.end.clone()),
            };
            Loop {
                lower: first.clone(),
                condition: compare(relation, iterator_value(node.iterator, scalar), past),
                parallel: false,
                attributes: LoopAttributes::default(),
                ..node.clone()
            }
        }
        Some(inner) => {
            let inner = iterator(&mut out, inner, scalar);
            let place = iterator_value(inner, scalar);
            let kind =
                ExpressionKind::Binary(BinaryOperator::Add, Box::new(first.clone()), Box::new(place.clone()));
            let value = Expression { kind, scalar };
            Loop {
                iterator: inner,
                lower: Expression::integer(0, scalar),
                condition: compare(relation, place, limit(first.clone(), counted.end.clone(), width.clone())),
                step: Expression::integer(stride, scalar),
                parallel: false,
                attributes: LoopAttributes::default(),
                body: substituted(&node.body, node.iterator, &value),
                ..node.clone()
            }
        }
    };
    let over_tiles = Loop {
        id: node.id,
        iterator: tiles,
        declares: true,
        lower: node.lower.clone(),
        condition: in_expression(&node.condition, node.iterator, &first),
        step: convert::convert(width, scalar),
        parallel: node.parallel,
        attributes: node.attributes.clone(),
        body: vec![Node::Loop(inside)],
        at,
    };
    replace(&mut out, index, vec![Node::Loop(over_tiles)]);
    Ok(out)
}

/// Whether a name means something in a loop already. Iterators of loops beside it may have the same name.
fn is_taken(proof: &Proof<'_>, index: usize, name: &str) -> bool {
    let program = &proof.program;
    let region = program.region;
    let beside = |id: VariableId| {
        let mut loops =
            program.loops.iter().enumerate().filter(|(_, facts)| facts.node.iterator == id).peekable();
        loops.peek().is_some()
            && loops.all(|(other, facts)| {
                other != index
                    && !facts.around.contains(&index)
                    && !program.loops[index].around.contains(&other)
            })
    };
    let named = region.variables.iter().enumerate().filter(|(_, variable)| variable.name == name);
    named
        .into_iter()
        .any(|(place, variable)| variable.storage != Storage::Region || !beside(VariableId(place)))
}

fn iterator(region: &mut Region, name: &str, scalar: Scalar) -> VariableId {
    region.add(Variable {
        name: name.into(),
        scalar,
        declared_type: String::new(),
        extents: Vec::new(),
        storage: Storage::Region,
        aliasing: Aliasing::Distinct,
    })
}

fn iterator_value(iterator: VariableId, scalar: Scalar) -> Expression {
    Expression { kind: ExpressionKind::Iterator(iterator), scalar }
}

/// Whether all tiles are whole.
fn divides(
    counted: &Counted,
    size: &Expression,
    stride: i128,
    known: &dyn Fn(&Expression) -> Option<i128>,
) -> bool {
    let distance = subtract(counted.end.clone(), counted.lower.clone());
    if let (Some(distance), Some(size)) = (known(&distance), known(size)) {
        return size > 0 && distance % (size * stride) == 0;
    }
    // A product with the size.
    stride.abs() == 1
        && match &distance.kind {
            ExpressionKind::Binary(BinaryOperator::Multiply, left, right) => {
                let is_size = |side: &Expression| long(side.clone()) == *size;
                is_size(left) || is_size(right)
            }
            _ => distance == *size,
        }
}

/// The value of an integer expression of constants and given sizes.
fn known(region: &Region, value: &Expression, setting: Setting<'_>) -> Option<i128> {
    let part = |value: &Expression| known(region, value, setting);
    Some(match &value.kind {
        ExpressionKind::Integer(value) => *value,
        ExpressionKind::Read(read) if read.path.is_empty() => {
            i128::from(*setting.options.sizes.get(&region.variable(read.variable).name)?)
        }
        ExpressionKind::Cast(inner) if value.scalar.is_integer() => part(inner)?,
        ExpressionKind::Binary(operator, left, right) => {
            let (left, right) = (part(left)?, part(right)?);
            match operator {
                BinaryOperator::Add => left.checked_add(right)?,
                BinaryOperator::Subtract => left.checked_sub(right)?,
                BinaryOperator::Multiply => left.checked_mul(right)?,
                BinaryOperator::Divide => left.checked_div(right)?,
                BinaryOperator::Remainder => left.checked_rem(right)?,
                _ => return None,
            }
        }
        _ => return None,
    })
}
