//! Opens an input: finds the format, unpacks what is compressed, and makes the reader of the format.

use std::path::{Path, PathBuf};

#[cfg(feature = "parquet")]
use crate::parquet::ParquetTable;
use crate::{
    compressed::Compression,
    csv::{CsvOptions, CsvTable},
    detect::{self, Format},
    error::InputError,
    kind::ValueKind,
    npy::{NpyTable, NpzTable},
    raw::RawTable,
    source::{FilePart, Source, name},
    table::{Request, Table},
};

/// An opened input.
pub struct Opened {
    /// Its requested columns.
    pub table: Box<dyn Table>,
    /// How much there is to read, if it is known: for a progress bar, in bytes or another unit of the format.
    pub size: Option<u64>,
}

/// An input whose format is known.
pub struct Recognised {
    /// What is unpacked, if it was packed.
    pub source: Source,
    pub format: Format,
    /// The name without the suffix of a compression.
    pub unpacked: PathBuf,
    pub is_packed: bool,
}

/// Opens a file, or standard input if the path is `-`, and finds its format.
///
/// # Errors
///
/// A file that cannot be opened, a format that is unclear.
pub fn recognise(path: &Path, request: &Request) -> Result<Recognised, InputError> {
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
    let format = match request.format {
        Some(format) => format,
        None => detect::format(&head, &unpacked)
            .map_err(|problem| InputError::Format { name: name(path), problem })?,
    };
    if format == Format::Raw && detect::is_numbers_as_text(&head) {
        (request.warn)(&format!(
            "{} looks like numbers as text, but --format raw reads its bytes as numbers: for text, say --format csv",
            source.name
        ));
    }
    Ok(Recognised { source, format, unpacked, is_packed: compression.is_some() })
}

/// Opens a file, or a part of it; or standard input if the path is `-`. `known` says what the values of a text's columns
/// are.
///
/// # Errors
///
/// Those of [`recognise`], and what the format's reader finds wrong at once.
pub fn open_one(
    path: &Path,
    request: &Request,
    known: Option<&[ValueKind]>,
    part: Option<&FilePart>,
) -> Result<Opened, InputError> {
    let Recognised { source, format, unpacked, is_packed } = recognise(path, request)?;
    #[cfg_attr(not(feature = "parquet"), expect(unused_mut, reason = "Parquet sets it"))]
    let mut size = source.size;
    let table: Box<dyn Table> = match format {
        Format::Csv => {
            let options = CsvOptions {
                columns: &request.columns,
                kinds: known
                    .map(<[ValueKind]>::to_vec)
                    .or_else(|| request.kind.map(|kind| vec![kind; request.columns.len()])),
                header: request.header,
                delimiter: request.delimiter_of(&unpacked),
                skip_missing: request.skip_missing,
            };
            Box::new(CsvTable::open(source, &options, part)?)
        }
        Format::Raw => {
            let source = match part {
                Some(part) => source.part(part.bytes.clone())?,
                None => source,
            };
            Box::new(RawTable::open(source, request, is_packed)?)
        }
        Format::Npy => Box::new(NpyTable::open(source, request, part)?),
        Format::Npz => Box::new(NpzTable::open(&seekable(&source)?, request)?),
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            let table = ParquetTable::open(&seekable(&source)?, request, part)?;
            size = Some(table.size());
            Box::new(table)
        }
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => {
            return Err(InputError::Format {
                name: name(path),
                problem: "is a file of Parquet, and this program was built without the feature `parquet`: build with \
                          `--features parquet`"
                    .into(),
            });
        }
    };
    Ok(Opened { table, size })
}

/// The path of a file that is read from its end.
fn seekable(source: &Source) -> Result<PathBuf, InputError> {
    source.path.clone().ok_or_else(|| InputError::Format {
        name: source.name.clone(),
        problem: "is read from its end: it must be a file, and not be compressed as a whole".into(),
    })
}

#[cfg(all(test, not(feature = "parquet")))]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_parquet_names_the_feature() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), b"PAR1").unwrap();
        let request = Request {
            columns: vec![None],
            format: None,
            kind: None,
            header: false,
            delimiter: None,
            skip_missing: false,
            warn: |_| {},
        };
        let error = open_one(file.path(), &request, None, None).err().unwrap();
        assert!(error.to_string().contains("--features parquet"), "{error}");
    }
}
