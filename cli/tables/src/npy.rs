//! NumPy's files: an array (`.npy`), or a zip archive of arrays (`.npz`).

use std::{
    fs::File,
    io::{self, Cursor, Read, Seek, SeekFrom},
    ops::Range,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use codegen_shim::{Scalar, Type};
use flate2::{CrcReader, read::DeflateDecoder};
use npyz::{DType, Endianness, NpyHeader, Order, TimeUnits, TypeChar, TypeStr};

use crate::{
    error::{InputError, listed},
    kind::{Meaning, Unit, ValueKind},
    number,
    source::{self, FilePart, Source, fill},
    table::{Batch, Column, Request, Table, Values, check_kind},
};

/// Bytes of a batch, rounded down to whole elements, and the limit of an element.
const BATCH_BYTES: usize = 1 << 20;

/// The limit of a header, in bytes: NumPy itself reads no more than 10 000 characters.
const HEADER_LIMIT: usize = 64 << 10;

/// Elements `first`, `first + step`, … of an array, `count` of them, and a number in each.
struct Field {
    kind: ValueKind,
    /// The number of a time that is none.
    none: Option<i64>,
    /// The number's offset in an element, in bytes.
    offset: usize,
    /// The file has the other byte order.
    is_swapped: bool,
    first: u64,
    step: u64,
    count: u64,
}

/// Columns of an array: of a two-dimensional array, or of one with named fields; or all of its elements.
pub struct NpyTable {
    source: Source,
    fields: Vec<Field>,
    kinds: Vec<ValueKind>,
    /// Bytes of the header.
    begin: u64,
    /// Bytes of an element.
    element: usize,
    /// The number of elements, or the index after those of the part.
    length: u64,
    /// The index of the next element.
    read: u64,
    skip_missing: bool,
}

impl NpyTable {
    /// Reads the header of an array and finds the columns: in all of it, or in a part of its elements.
    ///
    /// # Errors
    ///
    /// A damaged header, elements that are not numbers, a column that is not there, another type.
    pub fn open(
        mut source: Source,
        request: &Request,
        part: Option<&FilePart>,
    ) -> Result<NpyTable, InputError> {
        let (header, begin) = header(&mut source)?;
        let wrong = |problem: String| InputError::Format { name: source.name.clone(), problem };
        let dtype = header.dtype();
        let element = dtype.num_bytes().filter(|bytes| (1..=BATCH_BYTES).contains(bytes));
        let element =
            element.ok_or_else(|| wrong(format!("has elements of type {}, not numbers", dtype.descr())))?;
        let shape = header.shape();
        let length = shape.iter().try_fold(1_u64, |product, &length| product.checked_mul(length));
        let length = length.filter(|length| length.checked_mul(element as u64).is_some());
        let length = length.ok_or_else(|| wrong(format!("has a shape, {shape:?}, that no file can have")))?;
        let array = Array { name: &source.name, dtype: &dtype, shape, order: header.order(), length };
        let field = |column: &Option<Column>| array.field(column.as_ref(), request.kind);
        let fields: Vec<Field> = request.columns.iter().map(field).collect::<Result<_, _>>()?;
        let kinds = fields.iter().map(|field| field.kind).collect();
        let skip_missing = request.skip_missing;
        let mut table = NpyTable { source, fields, kinds, begin, element, length, read: 0, skip_missing };
        if let Some(FilePart { bytes, .. }) = part {
            table.source = table.source.part(bytes.clone())?;
            let index = |at: u64| (at - begin) / element as u64;
            (table.read, table.length) = (index(bytes.start), index(bytes.end));
        }
        Ok(table)
    }

    /// Where the elements begin, the bytes of one, and how many there are.
    pub fn extent(&self) -> (u64, u64, u64) {
        (self.begin, self.element as u64, self.length)
    }

    fn wrong(&self, problem: String) -> InputError {
        InputError::Format { name: self.source.name.clone(), problem }
    }
}

/// Reads the header, and says how many bytes it has; the reader is then at the first element.
fn header(source: &mut Source) -> Result<(NpyHeader, u64), InputError> {
    let mut start = vec![0; 12];
    let filled = fill(&mut source.reader, &mut start).map_err(|e| source.failed(e))?;
    // Version 1 has a length of two bytes at byte 8, later versions one of four.
    let (length, fixed) = match start[6] {
        1 => (usize::from(u16::from_le_bytes([start[8], start[9]])), 10),
        _ => (u32::from_le_bytes([start[8], start[9], start[10], start[11]]) as usize, 12),
    };
    let problem = |problem: String| InputError::Format { name: source.name.clone(), problem };
    if !start.starts_with(b"\x93NUMPY") {
        return Err(problem("is not an array of NumPy".into()));
    }
    if filled < start.len() || length > HEADER_LIMIT {
        return Err(problem("has a damaged header".into()));
    }
    let end = (fixed + length).max(start.len());
    start.resize(end, 0);
    let filled = fill(&mut source.reader, &mut start[12..]).map_err(|e| source.failed(e))?;
    let mut header = Cursor::new(&start[..12 + filled]);
    let header = NpyHeader::from_reader(&mut header).map_err(|error| InputError::Format {
        name: source.name.clone(),
        problem: format!("has a damaged header: {error}"),
    })?;
    Ok((header, end as u64))
}

/// What a header says of an array.
struct Array<'a> {
    name: &'a str,
    dtype: &'a DType,
    shape: &'a [u64],
    order: Order,
    /// The number of elements.
    length: u64,
}

impl Array<'_> {
    fn field(&self, column: Option<&Column>, requested: Option<ValueKind>) -> Result<Field, InputError> {
        let wrong = |problem: String| InputError::Format { name: self.name.to_owned(), problem };
        let all = (0, 1, self.length);
        let (text, offset, (first, step, count)) = match (self.dtype, column) {
            (DType::Record(fields), column) => {
                let unknown = |column: &str| InputError::Column {
                    name: self.name.to_owned(),
                    column: column.to_owned(),
                    known: listed(fields.iter().map(|field| field.name.as_bytes())),
                };
                let at = match column {
                    None => return Err(unknown("")),
                    Some(Column::Index(index)) => index - 1,
                    Some(Column::Name(name)) => {
                        fields.iter().position(|field| field.name == *name).unwrap_or(fields.len())
                    }
                };
                let field = fields
                    .get(at)
                    .ok_or_else(|| unknown(&column.map_or_else(String::new, Column::to_string)))?;
                let before = fields[..at].iter().filter_map(|field| field.dtype.num_bytes()).sum();
                let DType::Plain(text) = &field.dtype else {
                    return Err(wrong(format!(
                        "has no plain number in column '{}'",
                        terminal_text::name(&field.name)
                    )));
                };
                (text, before, all)
            }
            (DType::Plain(text), None) => (text, 0, all),
            (DType::Plain(text), Some(Column::Index(index))) if *index as u64 <= self.columns() => {
                let (column, columns) = (*index as u64 - 1, self.columns());
                let rows = self.length / columns;
                let elements = match self.order {
                    Order::C => (column, columns, rows),
                    Order::Fortran => (column * rows, 1, rows),
                };
                (text, 0, elements)
            }
            (DType::Plain(_), Some(column)) => {
                return Err(InputError::Column {
                    name: self.name.to_owned(),
                    column: column.to_string(),
                    known: match self.columns() {
                        1 => "1".into(),
                        columns => format!("1 to {columns}"),
                    },
                });
            }
            (DType::Array(..), _) => return Err(wrong("has elements that are arrays".into())),
        };
        let kind = kind(text).map_err(|hint| {
            wrong(format!("has elements of type {}, not numbers{hint}", terminal_text::name(text)))
        })?;
        let none = (text.type_char() == TypeChar::DateTime).then_some(i64::MIN);
        let kind = check_kind(self.name, requested, kind)?;
        let is_swapped = text.endianness() == Endianness::Big && cfg!(target_endian = "little")
            || text.endianness() == Endianness::Little && cfg!(target_endian = "big");
        Ok(Field { kind, none, offset, is_swapped, first, step, count })
    }

    /// The number of columns: of an array of other than two dimensions, one.
    fn columns(&self) -> u64 {
        match self.shape {
            [_, columns] => (*columns).max(1),
            _ => 1,
        }
    }
}

/// What an element is, or a hint what to do if it is not a number.
fn kind(text: &TypeStr) -> Result<ValueKind, String> {
    Ok(ValueKind::number(match (text.type_char(), text.num_bytes().unwrap_or(0)) {
        (TypeChar::Bool, 1) => return Ok(ValueKind::BOOLEAN),
        (TypeChar::DateTime, 8) => {
            let unit = match text.time_units() {
                Some(TimeUnits::Day) => Unit::Day,
                Some(TimeUnits::Second) => Unit::Second,
                Some(TimeUnits::Millisecond) => Unit::Millisecond,
                Some(TimeUnits::Microsecond) => Unit::Microsecond,
                Some(TimeUnits::Nanosecond) => Unit::Nanosecond,
                _ => {
                    return Err(
                        ": convert them by `.astype('datetime64[s]')`, or another of D, s, ms, us and ns"
                            .into(),
                    );
                }
            };
            return Ok(ValueKind { ty: Type::I64, meaning: Meaning::Instant { unit, is_utc: false } });
        }
        (TypeChar::TimeDelta, _) => return Err(": convert them by `.astype('int64')`".into()),
        (TypeChar::Uint, 1) => Type::U8,
        (TypeChar::Uint, 2) => Type::U16,
        (TypeChar::Uint, 4) => Type::U32,
        (TypeChar::Uint, 8) => Type::U64,
        (TypeChar::Int, 1) => Type::I8,
        (TypeChar::Int, 2) => Type::I16,
        (TypeChar::Int, 4) => Type::I32,
        (TypeChar::Int, 8) => Type::I64,
        (TypeChar::Float, 2) => Type::F16,
        (TypeChar::Float, 4) => Type::F32,
        (TypeChar::Float, 8) => Type::F64,
        (TypeChar::Complex, 8) => Type::Complex(Scalar::F32),
        (TypeChar::Complex, 16) => Type::Complex(Scalar::F64),
        _ => return Err(String::new()),
    }))
}

impl Table for NpyTable {
    fn kinds(&self) -> &[ValueKind] {
        &self.kinds
    }

    fn next(&mut self) -> Result<Option<Batch>, InputError> {
        let most = (BATCH_BYTES / self.element) as u64;
        let wanted = (self.length - self.read).min(most) as usize * self.element;
        let mut bytes = vec![0; wanted.max(1)];
        let filled = fill(&mut self.source.reader, &mut bytes).map_err(|e| self.source.failed(e))?;
        if wanted == 0 && filled > 0 {
            let problem =
                format!("goes on after the {} elements of its header: is it two arrays?", self.length);
            return Err(self.wrong(problem));
        }
        if filled < wanted {
            let read = self.read + (filled / self.element) as u64;
            return Err(
                self.wrong(format!("ends after {read} of {} elements: it is not complete", self.length))
            );
        }
        if wanted == 0 {
            return Ok(None);
        }
        let mut batch = Batch::new();
        for field in &self.fields {
            let mut values = field.select(&bytes[..wanted], self.element, self.read);
            let missing = match field.none {
                Some(none) => {
                    let before = values.len();
                    values = values
                        .chunks_exact(8)
                        .filter(|value| **value != none.to_ne_bytes())
                        .flatten()
                        .copied()
                        .collect();
                    ((before - values.len()) / 8) as u64
                }
                None if self.skip_missing => number::remove_nans(field.kind.ty, &mut values),
                None => 0,
            };
            if missing > 0 && !self.skip_missing {
                return Err(self.wrong("has NaT, no time; --skip-missing leaves such values out".into()));
            }
            batch.push(Values { bytes: values, missing });
        }
        self.read += (wanted / self.element) as u64;
        Ok(Some(batch))
    }

    fn count(&self) -> Option<Vec<u64>> {
        Some(self.fields.iter().map(|field| field.count_in(self.read..self.length)).collect())
    }

    fn consumed(&self) -> u64 {
        self.source.consumed.load(Ordering::Relaxed)
    }
}

impl Field {
    /// How many of its elements have an index in this range.
    fn count_in(&self, range: Range<u64>) -> u64 {
        let before = |index: u64| index.saturating_sub(self.first).div_ceil(self.step).min(self.count);
        before(range.end) - before(range.start)
    }

    /// The numbers among these elements, the first of which has the index `at`.
    fn select(&self, elements: &[u8], element: usize, at: u64) -> Vec<u8> {
        let size = self.kind.ty.size() as usize;
        let mut values = Vec::new();
        if self.step == 1 && self.first == 0 && size == element {
            values.extend_from_slice(elements);
        } else {
            // The first index of the field from `at` on.
            let skipped = at.saturating_sub(self.first).div_ceil(self.step);
            let (mut number, mut index) = (skipped, self.first + skipped * self.step);
            while number < self.count && index - at < (elements.len() / element) as u64 {
                let start = (index - at) as usize * element + self.offset;
                values.extend_from_slice(&elements[start..start + size]);
                number += 1;
                index += self.step;
            }
        }
        if self.is_swapped {
            let part = match self.kind.ty {
                Type::Complex(part) => part.size() as usize,
                _ => size,
            };
            values.chunks_exact_mut(part).for_each(<[u8]>::reverse);
        }
        values
    }
}

/// Arrays of an archive: a column is all of an array.
pub struct NpzTable {
    kinds: Vec<ValueKind>,
    /// Read one after the other.
    tables: Vec<NpyTable>,
    next: usize,
    consumed: Arc<AtomicU64>,
}

impl NpzTable {
    /// Finds the arrays and reads their headers.
    ///
    /// # Errors
    ///
    /// A damaged archive, an array that is not there, and those of [`NpyTable::open`].
    pub fn open(path: &Path, request: &Request) -> Result<NpzTable, InputError> {
        let name = source::name(path);
        let consumed = Arc::new(AtomicU64::new(0));
        let open = || File::open(path).map_err(|source| InputError::Open { path: path.into(), source });
        let broken = |error: zip::result::ZipError| InputError::Format {
            name: name.clone(),
            problem: format!("is a damaged archive: {error}"),
        };
        let mut archive = zip::ZipArchive::new(open()?).map_err(broken)?;
        let mut names = Vec::new();
        for entry in archive.file_names() {
            let entry = entry.map_err(broken)?;
            names.push(entry.strip_suffix(".npy").unwrap_or(&entry).to_owned());
        }
        let unknown = |column: String| InputError::Column {
            name: name.clone(),
            column,
            known: listed(names.iter().map(String::as_bytes)),
        };
        let mut tables = Vec::new();
        for column in &request.columns {
            let index = match column {
                None if names.len() > 1 => {
                    let hint = format!("; its arrays are: {}", listed(names.iter().map(String::as_bytes)));
                    let problem =
                        format!("has {} arrays: choose with --column, or --op NAME:OP{hint}", names.len());
                    return Err(InputError::Format { name, problem });
                }
                None => 0,
                Some(Column::Index(index)) => index - 1,
                Some(Column::Name(wanted)) => {
                    names.iter().position(|name| name == wanted).unwrap_or(names.len())
                }
            };
            if index >= names.len() {
                return Err(unknown(column.as_ref().map_or_else(|| "1".into(), Column::to_string)));
            }
            let entry = archive.by_index(index).map_err(broken)?;
            let start = entry.data_start().unwrap_or(0);
            let mut file = open()?;
            file.seek(SeekFrom::Start(start))
                .map_err(|source| InputError::Read { name: name.clone(), source })?;
            let packed = file.take(entry.compressed_size());
            let packed = io::BufReader::new(packed);
            let unpacked: Box<dyn Read + Send> = match entry.compression() {
                zip::CompressionMethod::Stored => Box::new(packed),
                zip::CompressionMethod::Deflated => Box::new(DeflateDecoder::new(packed)),
                other => {
                    let problem =
                        format!("has an array that is compressed by {other}, which is not supported");
                    return Err(InputError::Format { name, problem });
                }
            };
            let reader =
                Checked { reader: CrcReader::new(unpacked), crc: entry.crc32(), consumed: consumed.clone() };
            let source = Source {
                name: format!("{name}, array {}", names[index]),
                path: None,
                size: None,
                consumed: consumed.clone(),
                reader: Box::new(reader),
            };
            let whole = Request { columns: vec![None], ..request.clone() };
            tables.push(NpyTable::open(source, &whole, None)?);
        }
        let kinds = tables.iter().map(|table| table.kinds[0]).collect();
        Ok(NpzTable { kinds, tables, next: 0, consumed })
    }
}

impl Table for NpzTable {
    fn kinds(&self) -> &[ValueKind] {
        &self.kinds
    }

    fn next(&mut self) -> Result<Option<Batch>, InputError> {
        while let Some(table) = self.tables.get_mut(self.next) {
            if let Some(values) = table.next()? {
                let mut batch = vec![Values::default(); self.kinds.len()];
                batch[self.next] = values.into_iter().next().unwrap_or_default();
                return Ok(Some(batch));
            }
            self.next += 1;
        }
        Ok(None)
    }

    fn consumed(&self) -> u64 {
        self.consumed.load(Ordering::Relaxed)
    }
}

/// The bytes of an archive's entry; the checksum is compared at the end.
struct Checked<R> {
    reader: CrcReader<R>,
    crc: u32,
    consumed: Arc<AtomicU64>,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.reader.read(buffer)?;
        self.consumed.fetch_add(bytes as u64, Ordering::Relaxed);
        if bytes == 0 && !buffer.is_empty() && self.reader.crc().sum() != self.crc {
            return Err(io::Error::other("its checksum is wrong: the archive is damaged"));
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An array of version 1 with this description and these bytes.
    fn array(description: &str, data: &[u8]) -> Vec<u8> {
        let header = format!("{description}\n");
        let length = (header.len() as u16).to_le_bytes();
        [&b"\x93NUMPY\x01\0"[..], &length, header.as_bytes(), data].concat()
    }

    fn described(descr: &str, fortran: &str, shape: &str) -> String {
        format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}")
    }

    fn read(file: Vec<u8>, column: Option<&str>) -> Result<(Type, Vec<u8>), String> {
        let request = Request {
            columns: vec![column.map(|column| column.parse().unwrap())],
            format: None,
            kind: None,
            header: false,
            delimiter: None,
            skip_missing: false,
            warn: |_| {},
        };
        let mut table = NpyTable::open(Source::of("a.npy", Cursor::new(file)), &request, None)
            .map_err(|e| e.to_string())?;
        let mut bytes = Vec::new();
        while let Some(batch) = table.next().map_err(|e| e.to_string())? {
            bytes.extend_from_slice(&batch[0].bytes);
        }
        Ok((table.kinds[0].ty, bytes))
    }

    #[test]
    fn columns_of_matrices_in_both_orders() {
        let data = [1_u8, 2, 3, 4, 5, 6];
        let c = array(&described("'|u1'", "False", "(2, 3)"), &data);
        assert_eq!(read(c.clone(), None).unwrap(), (Type::U8, data.to_vec()));
        assert_eq!(read(c.clone(), Some("2")).unwrap().1, [2, 5]);
        assert!(read(c.clone(), Some("4")).unwrap_err().contains("1 to 3"));
        assert!(read(c, Some("x")).unwrap_err().contains("no column 'x'"));
        let fortran = array(&described("'|u1'", "True", "(2, 3)"), &data);
        assert_eq!(read(fortran, Some("2")).unwrap().1, [3, 4]);
    }

    #[test]
    fn columns_are_selected_across_batches() {
        let rows = BATCH_BYTES;
        let data: Vec<u8> = (0..rows).flat_map(|row| [row as u8, 1, 2]).collect();
        let file = array(&described("'|u1'", "False", &format!("({rows}, 3)")), &data);
        let column = read(file, Some("1")).unwrap().1;
        assert!(column.len() == rows && column.iter().enumerate().all(|(row, &value)| value == row as u8));
    }

    #[test]
    fn named_fields_and_byte_orders() {
        let data =
            [&1_u8.to_be_bytes()[..], &0.5_f64.to_be_bytes(), &2_u8.to_be_bytes(), &2.5_f64.to_be_bytes()];
        let file = array(&described("[('n', '|u1'), ('x', '>f8')]", "False", "(2,)"), &data.concat());
        let expected = [0.5_f64, 2.5].map(f64::to_ne_bytes).concat();
        assert_eq!(read(file.clone(), Some("x")).unwrap(), (Type::F64, expected));
        assert_eq!(read(file.clone(), Some("1")).unwrap(), (Type::U8, vec![1, 2]));
        assert!(read(file, None).unwrap_err().contains("n, x"));
        let pair = [1.0_f32, 2.0].map(f32::to_be_bytes).concat();
        let complex = array(&described("'>c8'", "False", "(1,)"), &pair);
        let expected = [1.0_f32, 2.0].map(f32::to_ne_bytes).concat();
        assert_eq!(read(complex, None).unwrap(), (Type::Complex(Scalar::F32), expected));
    }

    #[test]
    fn wrong_lengths_and_headers_are_errors() {
        let shape = |shape: &str| described("'<i4'", "False", shape);
        let cut = read(array(&shape("(3,)"), &[0; 11]), None).unwrap_err();
        assert!(cut.contains("after 2 of 3 elements"), "{cut}");
        assert!(read(array(&shape("(3,)"), &[0; 13]), None).unwrap_err().contains("goes on"));
        assert!(read(array(&shape("(9000000000000000000,)"), &[]), None).unwrap_err().contains("shape"));
        assert!(read(array(&shape("(4294967296, 4294967296)"), &[]), None).unwrap_err().contains("shape"));
        for description in
            [described("'<U3'", "False", "(1,)"), described("'|O'", "False", "(1,)"), "{".into()]
        {
            let error = read(array(&description, &[0; 12]), None).unwrap_err();
            assert!(error.contains("not numbers") || error.contains("damaged"), "{error}");
        }
        let mut long = array(&shape("(1,)"), &[0; 4]);
        long[6] = 2;
        long[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(read(long, None).unwrap_err().contains("damaged header"));
    }
}
