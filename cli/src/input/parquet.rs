//! Parquet: columns of numbers.

use std::{
    cell::Cell,
    fs::File,
    panic::{self, AssertUnwindSafe},
    path::Path,
    sync::Once,
};

use codegen_shim::Type;
use parquet::{
    basic::{LogicalType, Type as PhysicalType},
    column::{
        page::{Page, PageMetadata, PageReader},
        reader::{ColumnReader, ColumnReaderImpl, get_column_reader},
    },
    data_type::DataType,
    errors::ParquetError,
    file::reader::{FileReader, SerializedFileReader},
    schema::types::ColumnDescriptor,
};

use super::{
    error::{InputError, listed},
    number,
    table::{Batch, Column, Request, Table, Values, check_type},
};
use crate::messages;

/// Rows of a batch.
const ROWS: usize = 64 << 10;

/// Columns of a file, read row group by row group, and in a row group column by column.
pub struct ParquetTable {
    name: String,
    file: SerializedFileReader<File>,
    /// The position of each column in the file.
    columns: Vec<usize>,
    types: Vec<Type>,
    /// The names of the columns, for messages.
    names: Vec<String>,
    skip_missing: bool,
    group: usize,
    /// The column of the row group that is being read.
    field: usize,
    reader: Option<ColumnReader>,
    /// Rows of each column that were read.
    rows: Vec<u64>,
}

impl ParquetTable {
    /// Reads the description of a file and finds the columns.
    ///
    /// # Errors
    ///
    /// A damaged file, a column that is not there or does not hold plain numbers, another type.
    pub fn open(path: &Path, request: &Request) -> Result<ParquetTable, InputError> {
        let name = super::name(path);
        contained(&name, || ParquetTable::describe(path, request))
    }

    fn describe(path: &Path, request: &Request) -> Result<ParquetTable, InputError> {
        let name = super::name(path);
        let file = File::open(path).map_err(|source| InputError::Open { path: path.into(), source })?;
        let file = SerializedFileReader::new(file).map_err(|error| broken(&name, &error))?;
        let schema = file.metadata().file_metadata().schema_descr();
        let all: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
        let known = || listed(all.iter().map(String::as_bytes));
        let mut columns = Vec::new();
        for column in &request.columns {
            let (index, wanted) = match column {
                None if all.len() > 1 => {
                    let problem = format!(
                        "has {} columns: choose with --column, or --op COLUMN:OP; they are: {}",
                        all.len(),
                        known()
                    );
                    return Err(InputError::Format { name, problem });
                }
                None => (0, "1".to_owned()),
                Some(Column::Index(index)) => (index - 1, index.to_string()),
                Some(Column::Name(wanted)) => {
                    (all.iter().position(|name| name == wanted).unwrap_or(all.len()), wanted.clone())
                }
            };
            if index >= all.len() {
                return Err(InputError::Column { name, column: wanted, known: known() });
            }
            columns.push(index);
        }
        let mut types = Vec::new();
        for &column in &columns {
            let ty = number_type(&schema.column(column)).map_err(|what| InputError::Format {
                name: name.clone(),
                problem: format!("has {what} in column '{}', not numbers", messages::name(&all[column])),
            })?;
            check_type(&name, request.ty, ty)?;
            types.push(ty);
        }
        let names = columns.iter().map(|&column| all[column].clone()).collect();
        let rows = vec![0; columns.len()];
        let skip_missing = request.skip_missing;
        Ok(ParquetTable {
            name,
            file,
            columns,
            types,
            names,
            skip_missing,
            group: 0,
            field: 0,
            reader: None,
            rows,
        })
    }

    /// The number of values to read, in rows of all columns.
    pub fn size(&self) -> u64 {
        let rows = self.file.metadata().file_metadata().num_rows().max(0);
        rows as u64 * self.columns.len() as u64
    }

    /// The values of the next rows of a column chunk; `None` at its end.
    fn read(&mut self) -> Result<Option<Values>, InputError> {
        let name = &self.name;
        let failed = |error: ParquetError| broken(name, &error);
        if self.reader.is_none() {
            let group = self.file.get_row_group(self.group).map_err(failed)?;
            let column = self.columns[self.field];
            let pages = Pages(group.get_column_page_reader(column).map_err(failed)?);
            let description = self.file.metadata().file_metadata().schema_descr().column(column);
            self.reader = Some(get_column_reader(description, Box::new(pages)));
        }
        let mut bytes = Vec::new();
        let read = match &mut self.reader {
            Some(ColumnReader::BoolColumnReader(reader)) => {
                values(reader, &mut bytes, |value, to| to.push(u8::from(*value)))
            }
            Some(ColumnReader::Int32ColumnReader(reader)) => {
                values(reader, &mut bytes, |value, to| to.extend_from_slice(&value.to_ne_bytes()))
            }
            Some(ColumnReader::Int64ColumnReader(reader)) => {
                values(reader, &mut bytes, |value, to| to.extend_from_slice(&value.to_ne_bytes()))
            }
            Some(ColumnReader::FloatColumnReader(reader)) => {
                values(reader, &mut bytes, |value, to| to.extend_from_slice(&value.to_ne_bytes()))
            }
            Some(ColumnReader::DoubleColumnReader(reader)) => {
                values(reader, &mut bytes, |value, to| to.extend_from_slice(&value.to_ne_bytes()))
            }
            _ => Err(ParquetError::General("a column of another type than the description says".into())),
        };
        let (records, first_null) = read.map_err(failed)?;
        if records == 0 {
            return Ok(None);
        }
        let field = self.field;
        if let Some(null) = first_null.filter(|_| !self.skip_missing) {
            let (name, column) = (self.name.clone(), self.names[field].clone());
            return Err(InputError::Null { name, column, row: self.rows[field] + null as u64 + 1 });
        }
        self.rows[field] += records as u64;
        let mut missing = (records - bytes.len() / self.types[field].size() as usize) as u64;
        if self.skip_missing {
            missing += number::remove_nans(self.types[field], &mut bytes);
        }
        Ok(Some(Values { bytes, missing }))
    }
}

/// The pages of a column chunk. A page takes as much memory as the file says, at most 2 GiB.
struct Pages(Box<dyn PageReader>);

impl PageReader for Pages {
    fn get_next_page(&mut self) -> parquet::errors::Result<Option<Page>> {
        let page = self.0.get_next_page()?;
        // The decoder allocates what a dictionary says that it has.
        if let Some(Page::DictionaryPage { buf, num_values, .. }) = &page
            && *num_values as usize > buf.len()
        {
            return Err(ParquetError::General("a dictionary has fewer values than it says".into()));
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> parquet::errors::Result<Option<PageMetadata>> {
        self.0.peek_next_page()
    }

    fn skip_next_page(&mut self) -> parquet::errors::Result<()> {
        self.0.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> parquet::errors::Result<bool> {
        self.0.at_record_boundary()
    }
}

impl Iterator for Pages {
    type Item = parquet::errors::Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

/// Reads up to [`ROWS`] rows and appends the values that are there; returns the number of rows, and the first one
/// without a value, from 0.
fn values<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    to: &mut Vec<u8>,
    append: impl Fn(&T::T, &mut Vec<u8>),
) -> Result<(usize, Option<usize>), ParquetError> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let (records, present, _) = reader.read_records(ROWS, Some(&mut levels), None, &mut values)?;
    to.reserve(values.len() * size_of::<T::T>());
    values.iter().for_each(|value| append(value, to));
    // Where values are missing, those that are there have the highest level.
    let highest = levels.iter().max().copied();
    let first_null = match present {
        0 => 0,
        _ => levels.iter().position(|&level| Some(level) < highest).unwrap_or(0),
    };
    Ok((records, (present < records).then_some(first_null)))
}

/// The type of a column's numbers, or what it holds instead.
fn number_type(column: &ColumnDescriptor) -> Result<Type, String> {
    if column.max_rep_level() > 0 {
        return Err("lists".into());
    }
    Ok(match (column.physical_type(), column.logical_type_ref()) {
        (PhysicalType::BOOLEAN, None) => Type::U8,
        (PhysicalType::INT32, None) => Type::I32,
        (PhysicalType::INT64, None) => Type::I64,
        (PhysicalType::INT32, Some(LogicalType::Integer(int))) if int.is_signed => Type::I32,
        (PhysicalType::INT32, Some(LogicalType::Integer(_))) => Type::U32,
        (PhysicalType::INT64, Some(LogicalType::Integer(int))) if int.is_signed => Type::I64,
        (PhysicalType::INT64, Some(LogicalType::Integer(_))) => Type::U64,
        (PhysicalType::FLOAT, None) => Type::F32,
        (PhysicalType::DOUBLE, None) => Type::F64,
        (physical, None) => return Err(format!("values of type {physical}")),
        (_, Some(logical)) => {
            // `Timestamp(…)`, `Decimal(…)`: the name is enough.
            let text = format!("{logical:?}");
            return Err(format!("values of type {}", text.split(['(', ' ', '{']).next().unwrap_or_default()));
        }
    })
}

/// Runs code of the package `parquet`, which panics on some damaged files: a panic becomes an error, and its message
/// is not shown.
fn contained<T>(name: &str, run: impl FnOnce() -> Result<T, InputError>) -> Result<T, InputError> {
    thread_local! {
        static IS_CONTAINED: Cell<bool> = const { Cell::new(false) };
    }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let shown = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_CONTAINED.get() {
                shown(panic);
            }
        }));
    });
    IS_CONTAINED.set(true);
    // What was being changed is not used after an error.
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    IS_CONTAINED.set(false);
    result.unwrap_or_else(|_| {
        Err(InputError::Format {
            name: name.to_owned(),
            problem: "cannot be read as Parquet: it is damaged".into(),
        })
    })
}

fn broken(name: &str, error: &ParquetError) -> InputError {
    InputError::Format { name: name.to_owned(), problem: format!("cannot be read as Parquet: {error}") }
}

impl Table for ParquetTable {
    fn types(&self) -> &[Type] {
        &self.types
    }

    fn next(&mut self) -> Result<Option<Batch>, InputError> {
        while self.group < self.file.num_row_groups() {
            let name = self.name.clone();
            if let Some(values) = contained(&name, || self.read())? {
                let mut batch = vec![Values::default(); self.types.len()];
                batch[self.field] = values;
                return Ok(Some(batch));
            }
            self.reader = None;
            self.field += 1;
            if self.field == self.columns.len() {
                self.field = 0;
                self.group += 1;
            }
        }
        let expected = self.size();
        match self.consumed() == expected {
            true => Ok(None),
            false => Err(InputError::Format {
                name: self.name.clone(),
                problem: format!(
                    "has {} values, but its description says {expected}: it is damaged",
                    self.consumed()
                ),
            }),
        }
    }

    fn consumed(&self) -> u64 {
        self.rows.iter().sum()
    }
}
