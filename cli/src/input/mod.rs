//! Input of numbers: a table whose columns are read in batches of bounded size.
//!
//! [`open`] finds the format (`detect.rs`), unpacks a compressed file (`compressed.rs`) and returns the reader of
//! the format, one file each.

mod compressed;
mod csv;
mod detect;
mod error;
mod npy;
mod number;
mod parquet;
mod raw;
mod source;
mod table;

use std::path::Path;

use self::{
    compressed::Compression,
    csv::{CsvOptions, CsvTable},
    npy::{NpyTable, NpzTable},
    parquet::ParquetTable,
    raw::RawTable,
    source::Source,
};
pub use self::{
    detect::Format,
    error::InputError,
    source::name,
    table::{Batch, Column, Request, Table},
};
use crate::messages;

/// An opened input.
pub struct Opened {
    pub table: Box<dyn Table>,
    /// How much there is to read, if it is known.
    pub size: Option<u64>,
}

/// Opens a file, or standard input if the path is `-`.
///
/// # Errors
///
/// A file that cannot be opened, a format that is unclear, and what the format's reader finds wrong at once.
pub fn open(path: &Path, request: &Request) -> Result<Opened, InputError> {
    let mut source = Source::open(path)?;
    let mut head = source.head()?;
    let mut unpacked = path.to_path_buf();
    // Raw values may begin like anything.
    let by_name = Compression::of_name(path);
    let compression =
        Compression::of(&head).filter(|_| request.format != Some(Format::Raw) || by_name.is_some());
    if let Some(compression) = compression {
        let failed = source.name.clone();
        source = compression.unpack(source).map_err(|source| InputError::Read { name: failed, source })?;
        head = source.head()?;
        if by_name.is_some() {
            unpacked.set_extension("");
        }
    }
    let wrong = |problem: &str| InputError::Format { name: name(path), problem: problem.into() };
    let format = match request.format {
        Some(format) => format,
        None => detect::format(&head, &unpacked).map_err(|problem| wrong(&problem))?,
    };
    if format == Format::Raw && detect::is_numbers_as_text(&head) {
        messages::note(format_args!(
            "warpfold: warning: {} looks like numbers as text, but --format raw reads its bytes as numbers: \
             for text, say --format csv",
            source.name
        ));
    }
    let mut size = source.size;
    let table: Box<dyn Table> = match format {
        Format::Csv => {
            let tabs = unpacked.extension().is_some_and(|suffix| suffix == "tsv" || suffix == "tab");
            let options = CsvOptions {
                columns: &request.columns,
                ty: request.ty,
                header: request.header,
                delimiter: request.delimiter.unwrap_or(if tabs { b'\t' } else { b',' }),
                skip_missing: request.skip_missing,
            };
            Box::new(CsvTable::open(source, &options)?)
        }
        Format::Raw => Box::new(RawTable::open(source, request, compression.is_some())?),
        Format::Npy => Box::new(NpyTable::open(source, request)?),
        Format::Npz | Format::Parquet => {
            let Some(file) = source.path.clone() else {
                return Err(wrong(
                    "is read from its end: it must be a file, and not be compressed as a whole",
                ));
            };
            match format {
                Format::Npz => Box::new(NpzTable::open(&file, request)?),
                _ => {
                    let table = ParquetTable::open(&file, request)?;
                    size = Some(table.size());
                    Box::new(table)
                }
            }
        }
    };
    Ok(Opened { table, size })
}
