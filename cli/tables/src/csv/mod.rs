//! CSV input: columns of numbers.
//!
//! One thread reads and splits the text into blocks of whole records (`split.rs`), others parse blocks, and
//! whoever calls [`Table::next`] gets them in order: the result does not depend on the number of threads.

mod split;

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, sync_channel},
    },
    thread,
};

use codegen_shim::Type;
use memchr::{memchr, memchr_iter};

use self::split::{Block, Splitter, lines};
use crate::{
    error::{InputError, listed, shortened},
    kind::ValueKind,
    number::{self, Guess},
    source::{FilePart, Source},
    table::{Batch, Column, Request, Table, Values},
};

/// How a text is read.
pub struct CsvOptions<'a> {
    /// The columns; `None` is the only one.
    pub columns: &'a [Option<Column>],
    /// What the values of each column are; `None` looks at the first block.
    pub kinds: Option<Vec<ValueKind>>,
    /// The first line holds names. Implied by a column's name.
    pub header: bool,
    pub delimiter: u8,
    /// Missing values are left out.
    pub skip_missing: bool,
}

/// A column to be parsed.
struct Field {
    /// From 0.
    column: usize,
    kind: ValueKind,
    /// Nobody chose a column: then a line has one cell.
    is_only: bool,
}

/// What the threads that parse need to know.
struct Layout {
    name: String,
    delimiter: u8,
    fields: Vec<Field>,
    /// The fields in the order of their columns.
    order: Vec<usize>,
    header: bool,
    /// The last line that was looked at to find the types, if the user did not give one.
    looked_until: Option<u64>,
    skip_missing: bool,
}

/// The columns of a text.
///
/// White space around a number is ignored, and empty lines are skipped.
pub struct CsvTable {
    kinds: Vec<ValueKind>,
    consumed: Arc<AtomicU64>,
    /// One for each thread that parses; the threads take blocks in turn.
    parsed: Vec<Receiver<Result<Batch, InputError>>>,
    next: usize,
}

/// The most threads that parse: beyond, the thread that reads is the slowest.
const MAX_PARSERS: usize = 8;

/// Blocks that wait for each thread, and results that wait to be taken.
const WAITING: usize = 2;

impl CsvTable {
    /// Reads the head of a text and starts to parse it, or a part of it that has no header.
    ///
    /// # Errors
    ///
    /// A column that is not there, a column without numbers, where their type is not given.
    pub fn open(
        source: Source,
        options: &CsvOptions,
        part: Option<&FilePart>,
    ) -> Result<CsvTable, InputError> {
        let (name, mut consumed) = (source.name.clone(), source.consumed.clone());
        let of_part = part.map(|part| Ok((source.part(part.bytes.clone())?, part.line))).transpose()?;
        let mut splitter = Splitter::new(source, options.delimiter);
        let mut first = splitter.next()?.unwrap_or(Block { bytes: Vec::new(), line: 1 });
        let header = options.header || names_columns(options.columns);
        let (record, _) = first_record(&mut first, options.delimiter, header);
        let columns = columns(&name, options.columns, &record)?;
        let looked_until = options.kinds.is_none().then(|| first.line + lines(&first.bytes));
        let mut layout = Layout {
            name,
            delimiter: options.delimiter,
            order: Vec::new(),
            fields: columns
                .iter()
                .zip(options.columns)
                .enumerate()
                .map(|(index, (column, chosen))| Field {
                    column: *column,
                    kind: options.kinds.as_ref().map_or(ValueKind::number(Type::F64), |kinds| kinds[index]),
                    is_only: chosen.is_none(),
                })
                .collect(),
            header,
            looked_until,
            skip_missing: options.skip_missing,
        };
        layout.order = (0..layout.fields.len()).collect();
        layout.order.sort_by_key(|&field| layout.fields[field].column);
        if options.kinds.is_none() {
            layout.guess_kinds(&first)?;
        }
        if let Some((source, line)) = of_part {
            consumed = source.consumed.clone();
            splitter = Splitter::from_line(source, options.delimiter, line);
            first = splitter.next()?.unwrap_or(Block { bytes: Vec::new(), line });
        }
        let kinds = layout.fields.iter().map(|field| field.kind).collect();
        Ok(CsvTable { kinds, consumed, parsed: start(splitter, first, layout), next: 0 })
    }
}

impl Table for CsvTable {
    fn kinds(&self) -> &[ValueKind] {
        &self.kinds
    }

    fn next(&mut self) -> Result<Option<Batch>, InputError> {
        // The first thread without a result is the first without a block: the input has ended.
        let parsed = self.parsed[self.next].recv().ok().transpose();
        self.next = (self.next + 1) % self.parsed.len();
        parsed
    }

    fn consumed(&self) -> u64 {
        self.consumed.load(Ordering::Relaxed)
    }
}

/// Starts the threads; returns where the results of each arrive. They end when the input does, or when nobody
/// takes their results any more; a read that waits for a pipe ends with the process.
fn start(mut splitter: Splitter, first: Block, layout: Layout) -> Vec<Receiver<Result<Batch, InputError>>> {
    let parsers = thread::available_parallelism().map_or(1, |cores| cores.get().min(MAX_PARSERS));
    let layout = Arc::new(layout);
    let mut blocks = Vec::new();
    let mut parsed = Vec::new();
    for _ in 0..parsers {
        let (block_sender, block_receiver) = sync_channel::<Result<Block, InputError>>(WAITING);
        let (batch_sender, batch_receiver) = sync_channel(WAITING);
        let layout = layout.clone();
        thread::spawn(move || {
            for block in block_receiver {
                if batch_sender.send(block.and_then(|block| layout.parse(&block))).is_err() {
                    break;
                }
            }
        });
        blocks.push(block_sender);
        parsed.push(batch_receiver);
    }
    thread::spawn(move || {
        let mut next = Ok(Some(first));
        for sender in blocks.iter().cycle() {
            let Some(block) = next.transpose() else {
                break;
            };
            let is_last = block.is_err();
            if sender.send(block).is_err() || is_last {
                break;
            }
            next = splitter.next();
        }
    });
    parsed
}

fn reader(bytes: &[u8], delimiter: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(bytes)
}

/// Whether a column is given by its name.
fn names_columns(columns: &[Option<Column>]) -> bool {
    columns.iter().any(|column| matches!(column, Some(Column::Name(_))))
}

/// Where the records begin that are no header, and how many lines are before.
///
/// # Errors
///
/// Those of reading the first records.
pub fn records_begin(source: Source, request: &Request, unpacked: &Path) -> Result<(u64, u64), InputError> {
    let header = request.header || names_columns(&request.columns);
    if !header {
        return Ok((0, 0));
    }
    let delimiter = request.delimiter_of(unpacked);
    let mut splitter = Splitter::new(source, delimiter);
    let mut first = splitter.next()?.unwrap_or(Block { bytes: Vec::new(), line: 1 });
    let (_, bytes) = first_record(&mut first, delimiter, true);
    Ok((splitter.skipped() + bytes as u64, first.line - 1))
}

/// The cells of the first record. If they are the header, they are removed from the block: so many bytes.
fn first_record(block: &mut Block, delimiter: u8, header: bool) -> (csv::ByteRecord, usize) {
    let mut record = csv::ByteRecord::new();
    let mut reader = reader(&block.bytes, delimiter);
    // Reading from memory does not fail, nor do lines of different lengths.
    let _ = reader.read_byte_record(&mut record);
    record.trim();
    let end = if header { reader.position().byte() as usize } else { 0 };
    block.line += lines(&block.bytes[..end]);
    block.bytes.drain(..end);
    (record, end)
}

/// The positions of the columns, from 0.
fn columns(name: &str, chosen: &[Option<Column>], first: &csv::ByteRecord) -> Result<Vec<usize>, InputError> {
    let position = |column: &Option<Column>| match column {
        None if first.len() > 1 => Err(InputError::Choose {
            name: name.into(),
            line: 1,
            cells: first.len(),
            hint: format!("; the first line has: {}", listed(first.iter())),
        }),
        None => Ok(0),
        Some(Column::Index(index)) => Ok(index - 1),
        Some(Column::Name(wanted)) => {
            first.iter().position(|cell| cell == wanted.as_bytes()).ok_or_else(|| InputError::Column {
                name: name.into(),
                column: wanted.clone(),
                known: listed(first.iter()),
            })
        }
    };
    chosen.iter().map(position).collect()
}

impl Layout {
    /// Sets the kinds of the fields to those of the values in a block.
    fn guess_kinds(&mut self, block: &Block) -> Result<(), InputError> {
        let mut guesses = vec![Guess::default(); self.fields.len()];
        self.records(block, |field, cell, line| {
            let is_skipped = self.skip_missing && number::is_missing(cell);
            let before = guesses[field].kind();
            match is_skipped || guesses[field].see(cell) {
                true => Ok(()),
                false if before == ValueKind::BOOLEAN => Err(self.wrong(field, before, cell, line)),
                false => Err(self.wrong(field, ValueKind::number(Type::F64), cell, line)),
            }
        })?;
        for (field, guess) in self.fields.iter_mut().zip(guesses) {
            field.kind = guess.kind();
        }
        Ok(())
    }

    fn parse(&self, block: &Block) -> Result<Batch, InputError> {
        let mut batch: Batch = self.fields.iter().map(|_| Values::default()).collect();
        let quoted = memchr(b'"', &block.bytes).is_some();
        let lone_return = || {
            memchr_iter(b'\r', &block.bytes)
                .any(|at| block.bytes.get(at + 1).is_some_and(|&next| next != b'\n'))
        };
        let take = |field: usize, cell: &[u8], line| {
            let values = &mut batch[field];
            if self.skip_missing && number::is_missing(cell) {
                values.missing += 1;
                return Ok(());
            }
            match number::append(self.fields[field].kind, cell, &mut values.bytes) {
                true => Ok(()),
                false => Err(self.wrong(field, self.fields[field].kind, cell, line)),
            }
        };
        match quoted || lone_return() {
            true => self.records(block, take)?,
            false => self.plain_lines(block, take)?,
        }
        Ok(batch)
    }

    /// Calls `take` with field, cell and line of every cell that is read.
    fn records(
        &self,
        block: &Block,
        mut take: impl FnMut(usize, &[u8], u64) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        let mut reader = reader(&block.bytes, self.delimiter);
        let mut record = csv::ByteRecord::new();
        let (mut line, mut counted) = (block.line, 0);
        // Reading from memory does not fail, nor do lines of different lengths.
        while reader.read_byte_record(&mut record).unwrap_or(false) {
            // Empty lines before a record are part of it here.
            let start = record.position().map_or(0, |position| position.byte() as usize);
            let is_content = |byte: &u8| !matches!(byte, b'\n' | b'\r');
            let start = start + block.bytes[start..].iter().position(is_content).unwrap_or(0);
            line += lines(&block.bytes[counted..start]);
            counted = start;
            for &field in &self.order {
                let column = self.fields[field].column;
                let cell = record.get(column).ok_or_else(|| self.short(column, record.len(), line))?;
                self.check_only(field, record.len(), line)?;
                take(field, cell.trim_ascii(), line)?;
            }
        }
        Ok(())
    }

    /// As [`Layout::records`], for a block without quotes whose lines end with `\n` or `\r\n`.
    fn plain_lines(
        &self,
        block: &Block,
        mut take: impl FnMut(usize, &[u8], u64) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        let mut rest = &block.bytes[..];
        let mut line = block.line;
        while !rest.is_empty() {
            let end = memchr(b'\n', rest).unwrap_or(rest.len());
            let text = &rest[..end];
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            if !text.is_empty() {
                self.plain_line(text, line, &mut take)?;
            }
            line += 1;
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        Ok(())
    }

    #[inline]
    fn plain_line(
        &self,
        text: &[u8],
        line: u64,
        take: &mut impl FnMut(usize, &[u8], u64) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        let cells = || memchr_iter(self.delimiter, text).count() + 1;
        let mut rest = text;
        let mut number = 0;
        for &field in &self.order {
            let column = self.fields[field].column;
            while number < column {
                let end = memchr(self.delimiter, rest).ok_or_else(|| self.short(column, cells(), line))?;
                rest = &rest[end + 1..];
                number += 1;
            }
            let end = memchr(self.delimiter, rest).unwrap_or(rest.len());
            if end < text.len() {
                self.check_only(field, cells(), line)?;
            }
            take(field, rest[..end].trim_ascii(), line)?;
        }
        Ok(())
    }

    fn short(&self, column: usize, cells: usize, line: u64) -> InputError {
        InputError::Short { name: self.name.clone(), line, column: column + 1, cells }
    }

    /// An error if no column was chosen and a line has several cells.
    fn check_only(&self, field: usize, cells: usize, line: u64) -> Result<(), InputError> {
        match self.fields[field].is_only && cells > 1 {
            true => Err(InputError::Choose { name: self.name.clone(), line, cells, hint: String::new() }),
            false => Ok(()),
        }
    }

    /// The error of a cell that is not of the kind that the field's values are.
    #[cold]
    fn wrong(&self, field: usize, kind: ValueKind, cell: &[u8], line: u64) -> InputError {
        let column = self.fields[field].column;
        let (name, column, text) = (self.name.clone(), column + 1, shortened(cell));
        let is_number = number::is_number(cell);
        if number::is_missing(cell) && !is_number {
            let found = match cell {
                [] => "the cell is empty".into(),
                _ => format!("'{text}' is not a number"),
            };
            return InputError::Missing { name, line, column, found };
        }
        let separator =
            b";\t| ".iter().find(|&&separator| separator != self.delimiter && cell.contains(&separator));
        let hint = match (self.looked_until, separator) {
            _ if line == 1 && !self.header => "; if the first line holds names, add --header".into(),
            _ if kind == ValueKind::BOOLEAN => match cell {
                b"0" | b"1" => "; --type bool takes 0 and 1 for false and true".into(),
                _ => String::new(),
            },
            (Some(until), _) if is_number && line >= until => format!(
                "; this type was found in the lines before {until}, so say --type f64, or another that has \
                 all of the numbers"
            ),
            _ if is_number => "; --type f64, or a wider type, may have it".into(),
            _ if is_date(cell) => {
                "; dates and times are read from Parquet and NumPy files, not from text".into()
            }
            (_, Some(b'\t')) => "; if tabs separate the cells, add --delimiter tab".into(),
            (_, Some(separator)) => {
                format!("; if '{0}' separates the cells, add --delimiter '{0}'", char::from(*separator))
            }
            _ => String::new(),
        };
        InputError::Cell { name, line, column, cell: text, kind, hint }
    }
}

/// Whether a cell begins like a date of ISO 8601.
fn is_date(cell: &[u8]) -> bool {
    cell.len() >= 10
        && cell[..10].iter().zip(b"0000-00-00").all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            _ => byte == form,
        })
}

#[cfg(test)]
mod tests;
