//! Errors of the input, with their location.

use std::{io, path::PathBuf};

use codegen_shim::Type;

use crate::kind::ValueKind;

/// An error of the input, as a sentence that names the input and the place in it. `name` is that of the input, lines,
/// columns and rows count from 1.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The file cannot be opened.
    #[error("cannot open {}: {source}", terminal_text::name(path.display()))]
    Open {
        /// Its path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A read failed, or the data are damaged.
    #[error("cannot read {name}: {source}")]
    Read {
        /// The input.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// A raw input ends inside a value.
    #[error(
        "{name} has {bytes} bytes, which is not a multiple of the {size} bytes of {ty}: is it raw {ty}, and complete?"
    )]
    Ragged {
        /// The input.
        name: String,
        /// The bytes it has.
        bytes: u64,
        /// The bytes of a value.
        size: u64,
        /// The type of the values.
        ty: Type,
    },
    /// A cell is not a number of the requested type.
    #[error("{name}, line {line}, column {column}: '{cell}' is not a value of {kind}{hint}")]
    Cell {
        /// The input.
        name: String,
        /// The line.
        line: u64,
        /// The column.
        column: usize,
        /// The beginning of what it contains.
        cell: String,
        /// What the values of the column are.
        kind: ValueKind,
        /// The end of the sentence: what to do, if that is known.
        hint: String,
    },
    /// A value is missing.
    #[error("{name}, line {line}, column {column}: {found}; --skip-missing leaves such values out")]
    Missing {
        /// The input.
        name: String,
        /// The line.
        line: u64,
        /// The column.
        column: usize,
        /// What is there instead.
        found: String,
    },
    /// A value of a file without lines is missing.
    #[error(
        "{name}, column '{}', row {row} is null; --skip-missing leaves such values out",
        terminal_text::name(column)
    )]
    Null {
        /// The input.
        name: String,
        /// The name of the column.
        column: String,
        /// The row.
        row: u64,
    },
    /// A line has too few cells.
    #[error("{name}, line {line}: column {column} is requested, but the line has {cells} column(s)")]
    Short {
        /// The input.
        name: String,
        /// The line.
        line: u64,
        /// The column that is requested.
        column: usize,
        /// The cells that the line has.
        cells: usize,
    },
    /// A line has several cells, and no column was chosen.
    #[error("{name}, line {line}: there are {cells} columns: choose with --column, or --op COLUMN:OP{hint}")]
    Choose {
        /// The input.
        name: String,
        /// The line.
        line: u64,
        /// The cells that the line has.
        cells: usize,
        /// The end of the sentence: the names of the columns, if the text has some.
        hint: String,
    },
    /// There is no column, or array, of this name or position.
    #[error("{name} has no column '{}'; it has: {known}", terminal_text::name(column))]
    Column {
        /// The input.
        name: String,
        /// The name or position that is requested.
        column: String,
        /// Those that there are.
        known: String,
    },
    /// The text ends, or the limit of a line is reached, inside quotes.
    #[error(
        "{name}, line {line}: a quote is opened and not closed {until}; within quotes, a quote is written as two"
    )]
    Quote {
        /// The input.
        name: String,
        /// The line of the quote.
        line: u64,
        /// How far it was looked for its end.
        until: String,
    },
    /// Text follows a closing quote: the lines between may be one cell by mistake.
    #[error(
        "{name}, line {line}: a quote is opened and, in line {end}, closed in the middle of a cell: is one of them \
         missing? Within quotes, a quote is written as two"
    )]
    QuoteInside {
        /// The input.
        name: String,
        /// The line of the opening quote.
        line: u64,
        /// The line of the closing quote.
        end: u64,
    },
    /// A line is too long.
    #[error("{name}, line {line}: the line has more than {limit} MiB: is this a text with line ends?")]
    LongLine {
        /// The input.
        name: String,
        /// The line.
        line: u64,
        /// The most that a line may have, in MiB.
        limit: usize,
    },
    /// The format cannot be recognised, or the content is not what the format says.
    #[error("{name} {problem}")]
    Format {
        /// The input.
        name: String,
        /// The end of the sentence that begins with the name: what is wrong, and what to do.
        problem: String,
    },
}

/// At most 40 characters of a text from the input: a message is one line.
pub fn shortened(text: &[u8]) -> String {
    // No more characters than bytes are shown.
    let text = terminal_text::name(String::from_utf8_lossy(&text[..text.len().min(200)]));
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
