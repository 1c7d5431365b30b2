//! Whether two memories hold the same.

use crate::{
    interpret::{Cells, Memory, Value, same_bits, subscripts},
    ir::{Region, VariableId, types::Scalar},
};

/// When two values agree.
#[derive(Clone, Copy, Debug)]
pub enum Agreement<'m> {
    /// If their bits are the same; all NaNs agree.
    Bits,
    /// If additions in another order may make the one of the other. Integers are the same. The memories are those that
    /// are expected of inputs that differ in the last bit: recurrences may magnify the differences, and so roundings.
    Rounded(&'m [Memory]),
}

/// The additions whose rounding may differ, each by half a unit in the last place, are some hundred.
const UNITS: f64 = 200.0;

/// The first value of a region's memory that is another one than expected, as a sentence.
pub fn difference(
    region: &Region,
    expected: &Memory,
    found: &Memory,
    agreement: Agreement<'_>,
) -> Option<String> {
    // What a scalar holds that nothing uses after the region may differ.
    let is_changed = |variable: VariableId| {
        let variable = region.variable(variable);
        let is_it = |(name, _): &(String, String)| *name == variable.name;
        variable.extents.is_empty() && region.changed_for_nobody.iter().any(is_it)
    };
    let used = expected
        .iter()
        .filter(|(variable, ..)| !region.unused_outside.contains(variable) && !is_changed(*variable));
    for (variable, members, cells) in used {
        let name = region.full_name(variable, members);
        let members: Vec<&str> = members.iter().map(String::as_str).collect();
        let Some(others) = found.cells(variable, &members).filter(|others| others.extents == cells.extents)
        else {
            return Some(format!("`{name}` is missing, or has another shape"));
        };
        let bound = match agreement {
            Agreement::Bits => 0.0,
            Agreement::Rounded(nearby) => {
                bound(cells).max(UNITS * magnified(cells, variable, &members, nearby))
            }
        };
        for index in 0..cells.len() {
            let (wanted, value) = (cells.value(index), others.value(index));
            let equal = same_bits(wanted, value)
                || !matches!(agreement, Agreement::Bits) && near(wanted, value, bound);
            if !equal {
                let place: String =
                    subscripts(index as u64, &cells.extents).iter().map(|at| format!("[{at}]")).collect();
                return Some(format!("`{name}{place}` is {value}, and not {wanted}"));
            }
        }
    }
    None
}

/// How much values of an array may differ.
fn bound(cells: &Cells) -> f64 {
    let epsilon = match cells.scalar {
        Scalar::Half(format) => 2f64.powi(1 - i32::from(format.precision())),
        Scalar::Float { bits: 32 } | Scalar::Complex { bits: 32 } => f64::from(f32::EPSILON),
        Scalar::Float { .. } | Scalar::Complex { .. } => f64::EPSILON,
        _ => return 0.0,
    };
    let size = |value: Value| match value {
        Value::Integer(_) => 0.0,
        Value::Float(value) => value.abs(),
        Value::Complex(real, imaginary) => real.abs().max(imaginary.abs()),
    };
    let sizes = (0..cells.len()).map(|index| size(cells.value(index)));
    UNITS * epsilon * sizes.filter(|size| size.is_finite()).fold(1.0, f64::max)
}

/// How far values of an array are from those of inputs that differ in the last bit: of several the least, since changes
/// may also lead to another decision.
fn magnified(cells: &Cells, variable: VariableId, members: &[&str], nearby: &[Memory]) -> f64 {
    let distance = |memory: &Memory| {
        let others = memory.cells(variable, members).filter(|others| others.len() == cells.len())?;
        let distances = (0..cells.len()).map(|index| match (cells.value(index), others.value(index)) {
            (Value::Float(a), Value::Float(b)) => (a - b).abs(),
            (Value::Complex(a, b), Value::Complex(c, d)) => (a - c).abs().max((b - d).abs()),
            _ => 0.0,
        });
        Some(distances.filter(|distance| distance.is_finite()).fold(0.0, f64::max))
    };
    nearby.iter().filter_map(distance).min_by(f64::total_cmp).unwrap_or(0.0)
}

fn near(wanted: Value, value: Value, bound: f64) -> bool {
    let near = |wanted: f64, value: f64| {
        wanted == value || wanted.is_nan() && value.is_nan() || (wanted - value).abs() <= bound
    };
    match (wanted, value) {
        (Value::Float(wanted), Value::Float(value)) => near(wanted, value),
        (Value::Complex(a, b), Value::Complex(c, d)) => near(a, c) && near(b, d),
        (wanted, value) => wanted == value,
    }
}
