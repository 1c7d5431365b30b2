//! What the readers of all formats have in common: what is requested of them, and the columns that they return.

use std::{fmt, path::Path, str::FromStr};

use crate::{
    detect::Format,
    error::InputError,
    kind::{Meaning, ValueKind},
};

/// Which column is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// By its name: in the first line of a text, in the file's description of its columns.
    Name(String),
    /// By its position, counting from 1.
    Index(usize),
}

impl FromStr for Column {
    type Err = String;

    /// A whole number is a position, everything else a name.
    fn from_str(text: &str) -> Result<Column, String> {
        match text.parse::<usize>() {
            Ok(0) => Err("columns are counted from 1".into()),
            Ok(index) => Ok(Column::Index(index)),
            Err(_) if text.is_empty() => Err("the name of a column is empty".into()),
            Err(_) => Ok(Column::Name(text.into())),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Column::Name(name) => f.write_str(name),
            Column::Index(index) => write!(f, "{index}"),
        }
    }
}

/// The columns that were requested, in order.
pub trait Table {
    /// What each column's values are: one for each request.
    fn kinds(&self) -> &[ValueKind];

    /// The next values of each column, or `None` at the end. Columns may advance differently.
    ///
    /// # Errors
    ///
    /// What the input has wrong, and where.
    fn next(&mut self) -> Result<Option<Batch>, InputError>;

    /// How many values each column has from here on, if that is known without reading them and none is left out.
    fn count(&self) -> Option<Vec<u64>> {
        None
    }

    /// How much of the input was read, for a progress bar, in the unit of [`Opened::size`](crate::Opened::size).
    fn consumed(&self) -> u64;
}

/// Values of each column.
pub type Batch = Vec<Values>;

/// Consecutive values of a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// Whole values of the column's type, in this machine's byte order.
    pub bytes: Vec<u8>,
    /// Missing values among them, which were left out.
    pub missing: u64,
}

/// What is read from an input, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// The columns; `None` is the only one.
    pub columns: Vec<Option<Column>>,
    /// `None` finds the format.
    pub format: Option<Format>,
    /// What the values are; `None` finds it.
    pub kind: Option<ValueKind>,
    /// The first line of a text holds names.
    pub header: bool,
    /// The character between the cells of a text; `None` is a tab for `*.tsv`, otherwise a comma.
    pub delimiter: Option<u8>,
    /// Missing values are left out, and NaN is one.
    pub skip_missing: bool,
    /// Takes a sentence about an input that can be read but may not be what it is taken for.
    pub warn: fn(&str),
}

impl Request {
    /// The character between the cells of a text with this name.
    pub(crate) fn delimiter_of(&self, unpacked: &Path) -> u8 {
        let tabs = unpacked.extension().is_some_and(|suffix| suffix == "tsv" || suffix == "tab");
        self.delimiter.unwrap_or(if tabs { b'\t' } else { b',' })
    }
}

/// What the values of a file's column are taken as: what the file says, or the numbers that stand for truth values and
/// times if their type is requested.
///
/// # Errors
///
/// Another type is requested than the file's.
pub fn check_kind(
    name: &str,
    requested: Option<ValueKind>,
    found: ValueKind,
) -> Result<ValueKind, InputError> {
    let is_decimal = matches!(found.meaning, Meaning::Decimal { .. });
    match requested {
        None => Ok(found),
        Some(requested) if requested == found => Ok(found),
        Some(requested) if requested == ValueKind::number(found.ty) && !is_decimal => Ok(requested),
        Some(requested) => Err(InputError::Format {
            name: name.to_owned(),
            problem: format!(
                "has values of type {found}, not {requested}: leave out --type (--result T is the type of the results)"
            ),
        }),
    }
}
