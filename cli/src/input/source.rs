//! The input, the trait of its readers, and errors.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use codegen_shim::Scalar;

/// An error of the input, with its location.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The file cannot be opened.
    #[error("cannot open {}: {source}", path.display())]
    Open { path: PathBuf, source: io::Error },
    /// A read failed.
    #[error("cannot read {name}: {source}")]
    Read { name: String, source: io::Error },
    /// A raw input ends inside a value.
    #[error(
        "{name} has {bytes} bytes, which is not a multiple of the {size} bytes of {ty}: is it raw {ty}, and complete?"
    )]
    Ragged { name: String, bytes: u64, size: u64, ty: Scalar },
    /// A cell is not a number of the requested type.
    #[error("{name}, line {line}: '{cell}' is not a value of {ty}{hint}")]
    Cell { name: String, line: u64, cell: String, ty: Scalar, hint: &'static str },
    /// A line has too few cells.
    #[error("{name}, line {line}: column {column} is requested, but the line has {cells} columns")]
    Short { name: String, line: u64, column: usize, cells: usize },
    /// The header has no such column.
    #[error("{name} has no column '{column}'; its first line has: {known}")]
    Column { name: String, column: String, known: String },
    /// The text is not CSV.
    #[error("{name}: {message}")]
    Csv { name: String, message: String },
}

/// A source of values, as bytes in this machine's order.
pub trait Values {
    /// Fills the front of `piece` with whole values and returns how many bytes that is; 0 at the end.
    ///
    /// `piece` is not empty and its length is a multiple of the value's size.
    fn fill(&mut self, piece: &mut [u8]) -> Result<usize, InputError>;

    /// Bytes of the input consumed so far, for a progress bar.
    fn consumed(&self) -> u64;
}

/// An opened file or standard input.
pub struct Source {
    /// Its name in messages.
    pub name: String,
    /// Its size, if known.
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
