//! Errors of the input, with their location.

use std::{io, path::PathBuf};

use codegen_shim::Type;

use super::kind::ValueKind;
use crate::messages;

/// An error of the input. `name` is that of the input, lines count from 1.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The file cannot be opened.
    #[error("cannot open {}: {source}", messages::name(path.display()))]
    Open { path: PathBuf, source: io::Error },
    /// A read failed, or the data are damaged.
    #[error("cannot read {name}: {source}")]
    Read { name: String, source: io::Error },
    /// A raw input ends inside a value.
    #[error(
        "{name} has {bytes} bytes, which is not a multiple of the {size} bytes of {ty}: is it raw {ty}, and complete?"
    )]
    Ragged { name: String, bytes: u64, size: u64, ty: Type },
    /// A cell is not a number of the requested type.
    #[error("{name}, line {line}, column {column}: '{cell}' is not a value of {kind}{hint}")]
    Cell { name: String, line: u64, column: usize, cell: String, kind: ValueKind, hint: String },
    /// A value is missing.
    #[error("{name}, line {line}, column {column}: {found}; --skip-missing leaves such values out")]
    Missing { name: String, line: u64, column: usize, found: String },
    /// A value of a file without lines is missing.
    #[error(
        "{name}, column '{}', row {row} is null; --skip-missing leaves such values out",
        messages::name(column)
    )]
    Null { name: String, column: String, row: u64 },
    /// A line has too few cells.
    #[error("{name}, line {line}: column {column} is requested, but the line has {cells} column(s)")]
    Short { name: String, line: u64, column: usize, cells: usize },
    /// A line has several cells, and no column was chosen.
    #[error("{name}, line {line}: there are {cells} columns: choose with --column, or --op COLUMN:OP{hint}")]
    Choose { name: String, line: u64, cells: usize, hint: String },
    /// There is no column, or array, of this name or position.
    #[error("{name} has no column '{}'; it has: {known}", messages::name(column))]
    Column { name: String, column: String, known: String },
    /// The text ends, or the limit of a line is reached, inside quotes.
    #[error(
        "{name}, line {line}: a quote is opened and not closed {until}; within quotes, a quote is written as two"
    )]
    Quote { name: String, line: u64, until: String },
    /// Text follows a closing quote: the lines between may be one cell by mistake.
    #[error(
        "{name}, line {line}: a quote is opened and, in line {end}, closed in the middle of a cell: is one of them \
         missing? Within quotes, a quote is written as two"
    )]
    QuoteInside { name: String, line: u64, end: u64 },
    /// A line is too long.
    #[error("{name}, line {line}: the line has more than {limit} MiB: is this a text with line ends?")]
    LongLine { name: String, line: u64, limit: usize },
    /// The format cannot be recognised, or the content is not what the format says.
    #[error("{name} {problem}")]
    Format { name: String, problem: String },
}

/// At most 40 characters of a text from the input: a message is one line.
pub fn shortened(text: &[u8]) -> String {
    // No more characters than bytes are shown.
    let text = messages::name(String::from_utf8_lossy(&text[..text.len().min(200)]));
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The first names of a list, for messages.
pub fn listed<'a>(names: impl Iterator<Item = &'a [u8]>) -> String {
    let mut names = names.map(shortened);
    let first: Vec<_> = names.by_ref().take(20).collect();
    let more = names.count();
    match more {
        0 => first.join(", "),
        more => format!("{}, and {more} more", first.join(", ")),
    }
}
