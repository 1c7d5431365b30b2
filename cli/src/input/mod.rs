//! Where the numbers come from: a raw file or one column of a CSV file, read in pieces of bounded size.

mod csv;
mod raw;

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

pub use csv::{Column, CsvReader};
pub use raw::RawReader;

use codegen_shim::Scalar;

/// What went wrong with the input, and where.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The file cannot be opened.
    #[error("cannot open {}: {source}", path.display())]
    Open { path: PathBuf, source: io::Error },
    /// Reading failed half way.
    #[error("cannot read {name}: {source}")]
    Read { name: String, source: io::Error },
    /// A raw input ends inside a value.
    #[error(
        "{name} has {bytes} bytes, which is no multiple of the {size} bytes of {ty}: is it raw {ty}, and whole?"
    )]
    Ragged { name: String, bytes: u64, size: u64, ty: Scalar },
    /// A cell is no number of the type asked for.
    #[error("{name}, line {line}: '{cell}' is no {ty}{hint}")]
    Cell { name: String, line: u64, cell: String, ty: Scalar, hint: &'static str },
    /// A line has too few cells.
    #[error("{name}, line {line}: column {column} is asked for, but the line has {cells}")]
    Short { name: String, line: u64, column: usize, cells: usize },
    /// The header has no such column.
    #[error("{name} has no column '{column}'; its first line names: {known}")]
    Column { name: String, column: String, known: String },
    /// The text is no CSV.
    #[error("{name}: {message}")]
    Csv { name: String, message: String },
}

/// A source of values, as bytes in this machine's order.
pub trait Values {
    /// Fills the front of `piece` with whole values and returns how many bytes that is; 0 at the end.
    ///
    /// `piece` has room for at least one value and is a multiple of the value's size.
    fn fill(&mut self, piece: &mut [u8]) -> Result<usize, InputError>;

    /// Bytes of the input consumed so far, for a progress bar.
    fn consumed(&self) -> u64;
}

/// An opened file or standard input.
pub struct Source {
    /// How messages call it.
    pub name: String,
    /// Its size, where it has one.
    pub size: Option<u64>,
    /// The bytes.
    pub reader: Box<dyn Read>,
}

impl Source {
    /// Opens `path`; `-` is standard input.
    pub fn open(path: &Path) -> Result<Source, InputError> {
        if path == Path::new("-") {
            return Ok(Source { name: "standard input".into(), size: None, reader: Box::new(io::stdin()) });
        }
        let open = |source| InputError::Open { path: path.into(), source };
        let file = File::open(path).map_err(open)?;
        let metadata = file.metadata().map_err(open)?;
        if metadata.is_dir() {
            return Err(open(io::Error::other("it is a folder")));
        }
        let size = metadata.is_file().then_some(metadata.len());
        Ok(Source { name: path.display().to_string(), size, reader: Box::new(file) })
    }
}
