//! The operators, and the columns that they are applied to.

use std::{fmt, str::FromStr};

use codegen_shim::Op;
use tables::Column;

use crate::Error;

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
    Spread {
        /// What the values are.
        population: Population,
        /// Whether it is the root.
        is_root: bool,
    },
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
    /// The column.
    pub column: Option<Column>,
    /// What is computed.
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

/// What is computed of which columns.
#[derive(Clone, Debug)]
pub struct Operators {
    requested: Vec<Requested>,
    columns: Vec<ColumnOperators>,
}

/// A column, `None` for the only one, and the positions of its operators among the requested ones.
#[derive(Clone, Debug)]
pub struct ColumnOperators {
    pub column: Option<Column>,
    pub operators: Vec<usize>,
}

/// The most columns: their pieces take 1 GiB.
const MAX_COLUMNS: usize = 32;

impl Operators {
    /// Operators, each with its column. Those without one are for the columns that are `named`: if there are several, all
    /// operators that follow each other are repeated for each.
    ///
    /// # Errors
    ///
    /// An operator that is requested twice for a column, and more than 32 columns.
    pub fn new(requested: &[Requested], named: &[Column]) -> Result<Operators, Error> {
        let requested = repeated(requested, named);
        let columns = columns(&requested, named)?;
        Ok(Operators { requested, columns })
    }

    /// The columns in the order in which they are named first; `None` is the only one of the table.
    pub fn columns(&self) -> impl Iterator<Item = Option<Column>> {
        self.columns.iter().map(|one| one.column.clone())
    }

    /// All of them, in the order of their results.
    pub(crate) fn requested(&self) -> &[Requested] {
        &self.requested
    }

    /// The columns with their operators.
    pub(crate) fn by_column(&self) -> &[ColumnOperators] {
        &self.columns
    }

    /// The operators at these positions.
    pub(crate) fn at(&self, positions: &[usize]) -> Vec<Operator> {
        positions.iter().map(|&position| self.requested[position].operator).collect()
    }
}

fn repeated(requested: &[Requested], named: &[Column]) -> Vec<Requested> {
    let mut all = Vec::new();
    for run in requested.chunk_by(|one, next| one.column.is_none() && next.column.is_none()) {
        let columns = match (&run[0].column, named) {
            (None, columns @ [_, _, ..]) => columns.iter().map(|column| Some(column.clone())).collect(),
            _ => vec![None],
        };
        for column in columns {
            all.extend(run.iter().map(|requested| Requested {
                column: column.clone().or_else(|| requested.column.clone()),
                operator: requested.operator,
            }));
        }
    }
    all
}

fn columns(requested: &[Requested], named: &[Column]) -> Result<Vec<ColumnOperators>, Error> {
    let mut columns: Vec<ColumnOperators> = Vec::new();
    for (index, one) in requested.iter().enumerate() {
        let column = one.column.clone().or_else(|| named.first().cloned());
        match columns.iter_mut().find(|known| known.column == column) {
            None => columns.push(ColumnOperators { column, operators: vec![index] }),
            Some(ColumnOperators { operators, .. }) => {
                if operators.iter().any(|&known| requested[known].operator == one.operator) {
                    let column = column.map_or_else(
                        || "the only column".into(),
                        |column| format!("column '{}'", terminal_text::name(column)),
                    );
                    let message = format!("{} is requested twice for {column}", one.operator);
                    return Err(Error::Unsupported(message));
                }
                operators.push(index);
            }
        }
    }
    match columns.len() > MAX_COLUMNS {
        true => Err(Error::Unsupported(format!(
            "{} columns are more than {MAX_COLUMNS} at a time",
            columns.len()
        ))),
        false => Ok(columns),
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
