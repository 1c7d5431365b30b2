//! The operators of the command, and the columns that they are applied to.

use std::{fmt, str::FromStr};

use codegen_shim::Op;
use tables::Column;

/// What is computed from the values of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operator {
    /// The number of values.
    Count,
    /// The arithmetic mean, in f64.
    Mean,
    /// The value in the middle, or the mean of the two in the middle.
    Median,
    /// The variance in f64, or its square root.
    Spread { population: Population, is_root: bool },
    /// A reduction operator of the device.
    Device(Op),
}

/// What the values are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Population {
    /// A sample: the sum of squared deviations is divided by the count less one.
    Sample,
    /// All there is: it is divided by the count.
    Whole,
}

/// The operators that are not the device's, with their names.
const OWN: [(&str, Operator); 7] = [
    ("count", Operator::Count),
    ("mean", Operator::Mean),
    ("median", Operator::Median),
    ("var", Operator::Spread { population: Population::Sample, is_root: false }),
    ("stddev", Operator::Spread { population: Population::Sample, is_root: true }),
    ("pvar", Operator::Spread { population: Population::Whole, is_root: false }),
    ("pstddev", Operator::Spread { population: Population::Whole, is_root: true }),
];

impl FromStr for Operator {
    type Err = String;

    fn from_str(text: &str) -> Result<Operator, String> {
        let own = OWN.iter().find(|(name, _)| *name == text).map(|(_, operator)| *operator);
        own.map_or_else(|| text.parse().map(Operator::Device), Ok).map_err(|_| {
            let device = Op::ALL.iter().map(Op::to_string);
            let names: Vec<_> = device.chain(OWN.iter().map(|(name, _)| (*name).to_owned())).collect();
            format!("unknown operator '{text}'; known operators: {}, + * & | ^ && ||", names.join(", "))
        })
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operator::Device(op) => op.fmt(f),
            own => f.write_str(OWN.iter().find(|(_, operator)| operator == own).map_or("", |(name, _)| name)),
        }
    }
}

/// An operator and, if it is given with the operator, its column.
#[derive(Clone, Debug, PartialEq)]
pub struct Requested {
    pub column: Option<Column>,
    pub operator: Operator,
}

/// `OP` or `COLUMN:OP`; a column's name may contain colons.
impl FromStr for Requested {
    type Err = String;

    fn from_str(text: &str) -> Result<Requested, String> {
        match text.rsplit_once(':') {
            None => Ok(Requested { column: None, operator: text.parse()? }),
            Some((column, operator)) => {
                Ok(Requested { column: Some(column.parse()?), operator: operator.parse()? })
            }
        }
    }
}

impl fmt::Display for Requested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.column {
            Some(column) => write!(f, "{}:{}", terminal_text::name(column), self.operator),
            None => self.operator.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for text in [
            "count", "mean", "median", "var", "stddev", "pvar", "pstddev", "sum", "argmin", "a b:sum",
            "2:mean", "a:b:max",
        ] {
            assert_eq!(text.parse::<Requested>().unwrap().to_string(), text);
        }
        assert_eq!("x:+".parse::<Requested>().unwrap().to_string(), "x:sum");
        for text in ["", "mode", "sum:", ":sum", "0:sum", "x:y"] {
            assert!(text.parse::<Requested>().is_err(), "{text}");
        }
        let error = "mode".parse::<Operator>().unwrap_err();
        assert!(error.contains("sum, product, min, max") && error.contains("stddev"), "{error}");
    }
}
