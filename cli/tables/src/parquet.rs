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
    basic::{ConvertedType, LogicalType, TimeUnit, Type as PhysicalType},
    column::{
        page::{Page, PageMetadata, PageReader},
        reader::{ColumnReader, ColumnReaderImpl, get_column_reader},
    },
    data_type::{DataType, Int96},
    errors::ParquetError,
    file::{
        metadata::RowGroupMetaData,
        reader::{FileReader, SerializedFileReader},
    },
    schema::types::ColumnDescriptor,
};

use crate::{
    error::{InputError, listed},
    kind::{Meaning, Unit, ValueKind},
    number,
    source::{self, FilePart},
    table::{Batch, Column, Request, Table, Values, check_kind},
};

/// Rows of a batch.
const ROWS: usize = 64 << 10;

/// Columns of a file, read row group by row group, and in a row group column by column.
pub struct ParquetTable {
    name: String,
    file: SerializedFileReader<File>,
    /// The position of each column in the file.
    columns: Vec<usize>,
    kinds: Vec<ValueKind>,
    /// The names of the columns, for messages.
    names: Vec<String>,
    skip_missing: bool,
    group: usize,
    /// The row group after the last one that is read.
    end: usize,
    /// Rows of each column in these groups, and before the first one.
    size: u64,
    before: u64,
    /// The column of the row group that is being read.
    field: usize,
    reader: Option<ColumnReader>,
    /// The row that each column is at.
    rows: Vec<u64>,
}

impl ParquetTable {
    /// Reads the description of a file and finds the columns: in all of it, or in the row groups of a part.
    ///
    /// # Errors
    ///
    /// A damaged file, a column that is not there or does not hold plain numbers, another type.
    pub fn open(path: &Path, request: &Request, part: Option<&FilePart>) -> Result<ParquetTable, InputError> {
        let name = source::name(path);
        contained(&name, || ParquetTable::describe(path, request, part))
    }

    fn describe(path: &Path, request: &Request, part: Option<&FilePart>) -> Result<ParquetTable, InputError> {
        let name = source::name(path);
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
        let mut kinds = Vec::new();
        for &column in &columns {
            let kind = kind(&schema.column(column)).map_err(|what| {
                let are_numbers = |index: &usize| kind(&schema.column(*index)).is_ok();
                let numbers = (0..all.len()).filter(are_numbers).map(|index| all[index].as_bytes());
                InputError::Format {
                    name: name.clone(),
                    problem: format!(
                        "has {what} in column '{}', not numbers; columns of numbers are: {}",
                        terminal_text::name(&all[column]),
                        listed(numbers)
                    ),
                }
            })?;
            kinds.push(check_kind(&name, request.kind, kind)?);
        }
        let names = columns.iter().map(|&column| all[column].clone()).collect();
        let skip_missing = request.skip_missing;
        let groups = file.metadata().row_groups();
        let (mut group, mut end, mut before) = (0, groups.len(), 0);
        let mut size = file.metadata().file_metadata().num_rows().max(0) as u64;
        if let Some(FilePart { bytes, .. }) = part {
            let length = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
            let starts = starts(groups, length);
            let rows = |groups: &[RowGroupMetaData]| -> u64 {
                groups.iter().map(|group| group.num_rows().max(0) as u64).sum()
            };
            group = starts.partition_point(|start| *start < bytes.start);
            end = starts.partition_point(|start| *start < bytes.end).max(group);
            (before, size) = (rows(&groups[..group]), rows(&groups[group..end]));
        }
        let rows = vec![before; columns.len()];
        Ok(ParquetTable {
            name,
            file,
            columns,
            kinds,
            names,
            skip_missing,
            group,
            end,
            size,
            before,
            field: 0,
            reader: None,
            rows,
        })
    }

    /// The number of values to read, in rows of all columns.
    pub fn size(&self) -> u64 {
        self.size * self.columns.len() as u64
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
                values(reader, &mut bytes, |value| Ok([u8::from(*value)]))
            }
            Some(ColumnReader::Int32ColumnReader(reader)) => {
                values(reader, &mut bytes, |value| Ok(value.to_ne_bytes()))
            }
            Some(ColumnReader::Int64ColumnReader(reader)) => {
                values(reader, &mut bytes, |value| Ok(value.to_ne_bytes()))
            }
            Some(ColumnReader::FloatColumnReader(reader)) => {
                values(reader, &mut bytes, |value| Ok(value.to_ne_bytes()))
            }
            Some(ColumnReader::DoubleColumnReader(reader)) => {
                values(reader, &mut bytes, |value| Ok(value.to_ne_bytes()))
            }
            Some(ColumnReader::Int96ColumnReader(reader)) => values(reader, &mut bytes, nanoseconds),
            Some(ColumnReader::ByteArrayColumnReader(reader)) => {
                values(reader, &mut bytes, |value| integer(value.data()))
            }
            Some(ColumnReader::FixedLenByteArrayColumnReader(reader)) => match self.kinds[self.field].ty {
                Type::F16 => values(reader, &mut bytes, |value| half(value.data())),
                _ => values(reader, &mut bytes, |value| integer(value.data())),
            },
            None => Ok((0, None)),
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
        let mut missing = (records - bytes.len() / self.kinds[field].ty.size() as usize) as u64;
        if self.skip_missing {
            missing += number::remove_nans(self.kinds[field].ty, &mut bytes);
        }
        Ok(Some(Values { bytes, missing }))
    }
}

/// Where row groups count as starting, in a file of so many bytes: in order, each at a byte of the file.
fn starts(groups: &[RowGroupMetaData], length: u64) -> Vec<u64> {
    let place = |sum: &mut u64, group: &RowGroupMetaData| {
        let after = sum.saturating_add(group.compressed_size().max(0) as u64);
        Some(std::mem::replace(sum, after).min(length.saturating_sub(1)))
    };
    groups.iter().scan(0, place).collect()
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
fn values<T: DataType, const N: usize>(
    reader: &mut ColumnReaderImpl<T>,
    to: &mut Vec<u8>,
    bytes_of: impl Fn(&T::T) -> Result<[u8; N], ParquetError>,
) -> Result<(usize, Option<usize>), ParquetError> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let (records, present, _) = reader.read_records(ROWS, Some(&mut levels), None, &mut values)?;
    to.reserve(values.len() * N);
    for value in &values {
        to.extend_from_slice(&bytes_of(value)?);
    }
    // Where values are missing, those that are there have the highest level.
    let highest = levels.iter().max().copied();
    let first_null = match present {
        0 => 0,
        _ => levels.iter().position(|&level| Some(level) < highest).unwrap_or(0),
    };
    Ok((records, (present < records).then_some(first_null)))
}

/// The integer that big-endian bytes are, as bytes of i128.
fn integer(bytes: &[u8]) -> Result<[u8; 16], ParquetError> {
    let sign = if bytes.first().is_some_and(|first| first & 0x80 != 0) { 0xFF } else { 0 };
    let more = bytes.len().saturating_sub(16);
    let (extension, bytes) = bytes.split_at(more);
    let mut whole = [sign; 16];
    whole[16 - bytes.len()..].copy_from_slice(bytes);
    match extension.iter().all(|&byte| byte == sign) && (whole[0] ^ sign) & 0x80 == 0 {
        true => Ok(i128::from_be_bytes(whole).to_ne_bytes()),
        false => Err(ParquetError::General("a decimal has more than 38 digits".into())),
    }
}

/// The bytes of a 16-bit float, in this machine's order.
fn half(bytes: &[u8]) -> Result<[u8; 2], ParquetError> {
    let bytes = bytes.try_into().map_err(|_| ParquetError::General("a float16 has not 2 bytes".into()))?;
    Ok(u16::from_le_bytes(bytes).to_ne_bytes())
}

/// The nanoseconds since the start of 1970 of a time in the form of old files: nanoseconds of a day, and the day.
fn nanoseconds(time: &Int96) -> Result<[u8; 8], ParquetError> {
    /// The Julian day that starts at noon of 1970-01-01; the form has it start at midnight.
    const DAY_OF_1970: i128 = 2_440_588;
    let [low, high, day] = *time.data() else {
        return Err(ParquetError::General("a time of 96 bits has other bits".into()));
    };
    let nanoseconds = i128::from(high) << 32 | i128::from(low);
    let nanoseconds = (i128::from(day) - DAY_OF_1970) * 86_400_000_000_000 + nanoseconds;
    let range = |_| ParquetError::General("a time of 96 bits is before 1677 or after 2262".into());
    Ok(i64::try_from(nanoseconds).map_err(range)?.to_ne_bytes())
}

/// What a column's values are, or what it holds instead of numbers.
fn kind(column: &ColumnDescriptor) -> Result<ValueKind, String> {
    if column.max_rep_level() > 0 {
        return Err("lists".into());
    }
    let unit = |unit| match unit {
        TimeUnit::MILLIS => Unit::Millisecond,
        TimeUnit::MICROS => Unit::Microsecond,
        TimeUnit::NANOS => Unit::Nanosecond,
    };
    let physical = column.physical_type();
    let logical = logical_type(column)?;
    let (ty, meaning) = match (physical, &logical) {
        (PhysicalType::BOOLEAN, None) => return Ok(ValueKind::BOOLEAN),
        (PhysicalType::INT32, None) => (Type::I32, Meaning::Number),
        (PhysicalType::INT64, None) => (Type::I64, Meaning::Number),
        (PhysicalType::INT32, Some(LogicalType::Integer(int))) if int.is_signed => {
            (Type::I32, Meaning::Number)
        }
        (PhysicalType::INT32, Some(LogicalType::Integer(_))) => (Type::U32, Meaning::Number),
        (PhysicalType::INT64, Some(LogicalType::Integer(int))) if int.is_signed => {
            (Type::I64, Meaning::Number)
        }
        (PhysicalType::INT64, Some(LogicalType::Integer(_))) => (Type::U64, Meaning::Number),
        (PhysicalType::FLOAT, None) => (Type::F32, Meaning::Number),
        (PhysicalType::DOUBLE, None) => (Type::F64, Meaning::Number),
        (PhysicalType::FIXED_LEN_BYTE_ARRAY, Some(LogicalType::Float16)) => (Type::F16, Meaning::Number),
        (_, Some(LogicalType::Decimal(decimal))) => {
            let ty = match physical {
                PhysicalType::INT32 => Type::I32,
                PhysicalType::INT64 => Type::I64,
                _ if decimal.precision <= 38 => Type::I128,
                _ => return Err(format!("decimals of {} digits, more than 38", decimal.precision)),
            };
            (ty, Meaning::Decimal { scale: decimal.scale.max(0).unsigned_abs() })
        }
        (PhysicalType::INT32, Some(LogicalType::Date)) => {
            (Type::I32, Meaning::Instant { unit: Unit::Day, is_utc: false })
        }
        (PhysicalType::INT64, Some(LogicalType::Timestamp(time))) => {
            (Type::I64, Meaning::Instant { unit: unit(time.unit), is_utc: time.is_adjusted_to_u_t_c })
        }
        (PhysicalType::INT96, None) => {
            (Type::I64, Meaning::Instant { unit: Unit::Nanosecond, is_utc: false })
        }
        (PhysicalType::INT32, Some(LogicalType::Time(time))) => {
            (Type::I32, Meaning::TimeOfDay(unit(time.unit)))
        }
        (PhysicalType::INT64, Some(LogicalType::Time(time))) => {
            (Type::I64, Meaning::TimeOfDay(unit(time.unit)))
        }
        (physical, None) => return Err(format!("values of type {physical}")),
        (_, Some(logical)) => {
            // `Variant(…)`: the name is enough.
            let text = format!("{logical:?}");
            return Err(format!("values of type {}", text.split(['(', ' ', '{']).next().unwrap_or_default()));
        }
    };
    Ok(ValueKind { ty, meaning })
}

/// The logical type; old files state it in another form only.
fn logical_type(column: &ColumnDescriptor) -> Result<Option<LogicalType>, String> {
    if let Some(logical) = column.logical_type_ref() {
        return Ok(Some(logical.clone()));
    }
    Ok(Some(match column.converted_type() {
        ConvertedType::NONE => return Ok(None),
        // The physical type has all the values of a narrower one.
        ConvertedType::INT_8 | ConvertedType::INT_16 | ConvertedType::INT_32 => {
            LogicalType::integer(32, true)
        }
        ConvertedType::INT_64 => LogicalType::integer(64, true),
        ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 => {
            LogicalType::integer(32, false)
        }
        ConvertedType::UINT_64 => LogicalType::integer(64, false),
        ConvertedType::DECIMAL => LogicalType::decimal(column.type_scale(), column.type_precision()),
        ConvertedType::DATE => LogicalType::Date,
        ConvertedType::TIME_MILLIS => LogicalType::time(true, TimeUnit::MILLIS),
        ConvertedType::TIME_MICROS => LogicalType::time(true, TimeUnit::MICROS),
        ConvertedType::TIMESTAMP_MILLIS => LogicalType::timestamp(true, TimeUnit::MILLIS),
        ConvertedType::TIMESTAMP_MICROS => LogicalType::timestamp(true, TimeUnit::MICROS),
        other => return Err(format!("values of type {other}")),
    }))
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
    fn kinds(&self) -> &[ValueKind] {
        &self.kinds
    }

    fn next(&mut self) -> Result<Option<Batch>, InputError> {
        while self.group < self.end {
            let name = self.name.clone();
            if let Some(values) = contained(&name, || self.read())? {
                let mut batch = vec![Values::default(); self.kinds.len()];
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

    fn count(&self) -> Option<Vec<u64>> {
        Some(vec![self.size; self.columns.len()])
    }

    fn consumed(&self) -> u64 {
        self.rows.iter().map(|row| row - self.before).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, sync::Arc};

    use parquet::{
        data_type::{ByteArray, ByteArrayType, FixedLenByteArrayType, Int64Type, Int96Type},
        file::writer::SerializedFileWriter,
        schema::parser::parse_message_type,
    };

    use super::*;

    const SCHEMA: &str = "message m { required binary d (DECIMAL(38,3)); required fixed_len_byte_array(2) h (FLOAT16); \
                          required int64 t (TIMESTAMP(MICROS,true)); required int96 o; optional fixed_len_byte_array(5) \
                          f (DECIMAL(10,0)); }";

    fn file() -> Vec<u8> {
        let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
        let mut rows = writer.next_row_group().unwrap();
        let bytes =
            |length: usize| (0..20).map(move |i| ByteArray::from(vec![i; length])).collect::<Vec<_>>();
        let fixed = |length| bytes(length).into_iter().map(Into::into).collect::<Vec<_>>();
        let mut index = 0;
        while let Some(mut column) = rows.next_column().unwrap() {
            match index {
                0 => column.typed::<ByteArrayType>().write_batch(&bytes(15), None, None),
                1 => column.typed::<FixedLenByteArrayType>().write_batch(&fixed(2), None, None),
                2 => column.typed::<Int64Type>().write_batch(&[7; 20], None, None),
                3 => {
                    let mut time = Int96::new();
                    time.set_data(1, 2, 2_440_588);
                    column.typed::<Int96Type>().write_batch(&[time; 20], None, None)
                }
                _ => column.typed::<FixedLenByteArrayType>().write_batch(&fixed(5), Some(&[1; 20]), None),
            }
            .unwrap();
            column.close().unwrap();
            index += 1;
        }
        rows.close().unwrap();
        writer.into_inner().unwrap()
    }

    fn read(path: &Path) -> Result<Vec<usize>, InputError> {
        let request = Request {
            columns: (1..=5).map(|index| Some(Column::Index(index))).collect(),
            format: None,
            kind: None,
            header: false,
            delimiter: None,
            skip_missing: true,
            warn: |_| {},
        };
        let mut table = ParquetTable::open(path, &request, None)?;
        let mut sizes = vec![0; 5];
        while let Some(batch) = table.next()? {
            sizes.iter_mut().zip(&batch).for_each(|(size, values)| *size += values.bytes.len());
        }
        Ok(sizes)
    }

    /// Each byte of a file changes in turn; the file is read or is an error.
    #[test]
    fn damaged_values_are_errors() {
        let file = file();
        let path = tempfile::NamedTempFile::new().unwrap();
        fs::write(path.path(), &file).unwrap();
        assert_eq!(read(path.path()).unwrap(), [320, 40, 160, 160, 320]);
        let mut failures = 0;
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << (at % 8);
            fs::write(path.path(), damaged).unwrap();
            failures += usize::from(read(path.path()).is_err());
        }
        assert!(failures > 20, "{failures}");
    }

    #[test]
    fn integers_of_any_length_are_extended() {
        let value = |bytes: &[u8]| integer(bytes).map(i128::from_ne_bytes).ok();
        assert_eq!([value(&[]), value(&[0xFF]), value(&[0, 0xFF])], [Some(0), Some(-1), Some(255)]);
        assert_eq!(value(&i128::MIN.to_be_bytes()), Some(i128::MIN));
        assert_eq!(value(&[&[0xFF], &i128::MIN.to_be_bytes()[..]].concat()), Some(i128::MIN));
        assert_eq!(value(&[&[0], &i128::MIN.to_be_bytes()[..]].concat()), None);
        assert_eq!(value(&[1; 17]), None);
    }
}
