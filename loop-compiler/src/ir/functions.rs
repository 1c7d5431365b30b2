//! The pure functions of C's library that a tree may call: their types and values.
//!
//! Values are those of Rust's standard library, which calls the C library's functions on Linux. Functions that it
//! does not have, or computes by itself (`asinh`, `erf`, `tgamma`), have a signature but no value: a tree may call
//! them, but not be interpreted.

use crate::ir::types::Scalar;

type One = (fn(f64) -> f64, fn(f32) -> f32);
type Two = (fn(f64, f64) -> f64, fn(f32, f32) -> f32);
type Three = (fn(f64, f64, f64) -> f64, fn(f32, f32, f32) -> f32);

/// Of `double`; with the suffix `f` the same of `float`.
const ONE: &[(&str, One)] = &[
    ("sqrt", (f64::sqrt, f32::sqrt)),
    ("fabs", (f64::abs, f32::abs)),
    ("exp", (f64::exp, f32::exp)),
    ("exp2", (f64::exp2, f32::exp2)),
    ("expm1", (f64::exp_m1, f32::exp_m1)),
    ("log", (f64::ln, f32::ln)),
    ("log2", (f64::log2, f32::log2)),
    ("log10", (f64::log10, f32::log10)),
    ("log1p", (f64::ln_1p, f32::ln_1p)),
    ("cbrt", (f64::cbrt, f32::cbrt)),
    ("sin", (f64::sin, f32::sin)),
    ("cos", (f64::cos, f32::cos)),
    ("tan", (f64::tan, f32::tan)),
    ("asin", (f64::asin, f32::asin)),
    ("acos", (f64::acos, f32::acos)),
    ("atan", (f64::atan, f32::atan)),
    ("sinh", (f64::sinh, f32::sinh)),
    ("cosh", (f64::cosh, f32::cosh)),
    ("tanh", (f64::tanh, f32::tanh)),
    ("floor", (f64::floor, f32::floor)),
    ("ceil", (f64::ceil, f32::ceil)),
    ("trunc", (f64::trunc, f32::trunc)),
    ("round", (f64::round, f32::round)),
    ("rint", (f64::round_ties_even, f32::round_ties_even)),
    ("nearbyint", (f64::round_ties_even, f32::round_ties_even)),
];

const TWO: &[(&str, Two)] = &[
    ("pow", (f64::powf, f32::powf)),
    ("fmod", (|x, y| x % y, |x, y| x % y)),
    ("atan2", (f64::atan2, f32::atan2)),
    ("hypot", (f64::hypot, f32::hypot)),
    ("copysign", (f64::copysign, f32::copysign)),
    (
        "fmin",
        (|x, y| if y < x || x.is_nan() { y } else { x }, |x, y| if y < x || x.is_nan() { y } else { x }),
    ),
    (
        "fmax",
        (|x, y| if y > x || x.is_nan() { y } else { x }, |x, y| if y > x || x.is_nan() { y } else { x }),
    ),
    ("fdim", (|x, y| if x <= y { 0.0 } else { x - y }, |x, y| if x <= y { 0.0 } else { x - y })),
];

const THREE: &[(&str, Three)] = &[("fma", (f64::mul_add, f32::mul_add))];

/// Functions of one float that have no value here.
const NO_VALUE: &[&str] = &["asinh", "acosh", "atanh", "erf", "erfc", "tgamma", "lgamma", "logb"];

/// The types of the arguments and of the result; `None` if the function is not known.
pub fn signature(name: &str) -> Option<(Vec<Scalar>, Scalar)> {
    let int = |bits| Scalar::Integer { bits, signed: true };
    match name {
        "abs" => return Some((vec![Scalar::INT], Scalar::INT)),
        "labs" | "llabs" => return Some((vec![int(64)], int(64))),
        _ => {}
    }
    let (base, bits) = base(name)?;
    let (float, complex) = (Scalar::Float { bits }, Scalar::Complex { bits });
    match base {
        "creal" | "cimag" | "cabs" => Some((vec![complex], float)),
        "conj" => Some((vec![complex], complex)),
        _ => Some((vec![float; arity(base)?], float)),
    }
}

/// The name of the function of `double`, and the width of the floats that the name stands for; compilers' own names begin with
/// `__builtin_`.
pub fn base(name: &str) -> Option<(&str, u8)> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let known = |name: &str| arity(name).is_some() || matches!(name, "creal" | "cimag" | "cabs" | "conj");
    match name.strip_suffix('f') {
        _ if known(name) => Some((name, 64)),
        Some(base) if known(base) => Some((base, 32)),
        _ => None,
    }
}

fn arity(base: &str) -> Option<usize> {
    if ONE.iter().any(|(name, _)| *name == base) || NO_VALUE.contains(&base) {
        Some(1)
    } else if TWO.iter().any(|(name, _)| *name == base) {
        Some(2)
    } else {
        THREE.iter().any(|(name, _)| *name == base).then_some(3)
    }
}

/// The value of a function of real floats; those of `float` are given and returned widened. `None` if there is no
/// such function of so many arguments, or it has no value here.
pub fn value(name: &str, arguments: &[f64]) -> Option<f64> {
    let (base, bits) = base(name)?;
    let wide = bits == 64;
    match *arguments {
        [x] => {
            let (_, (double, float)) = ONE.iter().find(|(name, _)| *name == base)?;
            Some(if wide { double(x) } else { float(x as f32).into() })
        }
        [x, y] => {
            let (_, (double, float)) = TWO.iter().find(|(name, _)| *name == base)?;
            Some(if wide { double(x, y) } else { float(x as f32, y as f32).into() })
        }
        [x, y, z] => {
            let (_, (double, float)) = THREE.iter().find(|(name, _)| *name == base)?;
            Some(if wide { double(x, y, z) } else { float(x as f32, y as f32, z as f32).into() })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_float_functions_end_with_f() {
        assert_eq!(signature("sqrt"), Some((vec![Scalar::F64], Scalar::F64)));
        assert_eq!(signature("sqrtf"), Some((vec![Scalar::F32], Scalar::F32)));
        assert_eq!(signature("erff"), Some((vec![Scalar::F32], Scalar::F32)));
        assert_eq!(signature("fmaf"), Some((vec![Scalar::F32; 3], Scalar::F32)));
        assert_eq!(signature("f"), None);
        assert_eq!(signature("qsort"), None);
    }

    #[test]
    fn float_functions_round_to_float() {
        assert_eq!(value("sqrtf", &[2.0]), Some(f64::from(2f32.sqrt())));
        assert_eq!(value("sqrt", &[2.0]), Some(2f64.sqrt()));
        assert_eq!(value("fmod", &[-7.5, 2.0]), Some(-1.5));
        assert_eq!(value("fmin", &[f64::NAN, 2.0]), Some(2.0));
        assert_eq!(value("fmax", &[2.0, f64::NAN]), Some(2.0));
        assert_eq!(value("erf", &[1.0]), None);
        assert_eq!(value("sqrt", &[1.0, 2.0]), None);
    }
}
