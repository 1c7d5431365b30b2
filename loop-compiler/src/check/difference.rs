//! Whether two memories hold the same.

use crate::{
    interpret::{Cells, Memory, Value, same_bits, subscripts},
    tree::Region,
    types::Scalar,
};

/// When two values agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// If their bits are the same; all NaNs agree.
    Bits,
    /// If additions in another order may make the one of the other. Integers are the same.
    Rounded,
}

/// The additions whose rounding may differ, each by half a unit in the last place, are some hundred.
const UNITS: f64 = 200.0;

/// The first value of a region's memory that is another one than expected, as a sentence.
pub fn difference(
    region: &Region,
    expected: &Memory,
    found: &Memory,
    agreement: Agreement,
) -> Option<String> {
    for (variable, members, cells) in expected.iter() {
        let name = region.full_name(variable, members);
        let members: Vec<&str> = members.iter().map(String::as_str).collect();
        let Some(others) = found.cells(variable, &members).filter(|others| others.extents == cells.extents)
        else {
            return Some(format!("`{name}` is missing, or has another shape"));
        };
        let bound = bound(cells);
        for index in 0..cells.len() {
            let (wanted, value) = (cells.value(index), others.value(index));
            let equal =
                same_bits(wanted, value) || agreement == Agreement::Rounded && near(wanted, value, bound);
            if !equal {
                let place: String =
                    subscripts(index as u64, &cells.extents).iter().map(|at| format!("[{at}]")).collect();
                return Some(format!("`{name}{place}` is {}, and not {}", text(value), text(wanted)));
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

fn text(value: Value) -> String {
    match value {
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Complex(real, imaginary) => format!("{real} + {imaginary}i"),
    }
}
