//! CSV input: one column of numbers.

use std::{
    cell::Cell,
    io::{self, Read},
    rc::Rc,
    str::FromStr,
};

use codegen_shim::Scalar;
use host_rt::{bf16, f16};

use super::source::{InputError, Source, Values};

/// Which column is read.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// By its name in the first line.
    Name(String),
    /// By its position, counting from 1.
    Index(usize),
}

impl FromStr for Column {
    type Err = String;

    /// A whole number is a position, everything else a name.
    fn from_str(text: &str) -> Result<Column, String> {
        match text.parse::<usize>() {
            Ok(0) => Err("columns are counted from 1".into()),
            Ok(index) => Ok(Column::Index(index)),
            Err(_) => Ok(Column::Name(text.into())),
        }
    }
}

/// The longest line, in bytes: after an unclosed quote the rest of the input would be read into memory.
const LINE_LIMIT: u64 = 16 << 20;

/// What may still be read for one line. Offsets count the bytes of the input.
struct Budget {
    left: Cell<u64>,
    /// Where the line begins.
    line_start: Cell<u64>,
}

impl Budget {
    /// Another line begins at this offset.
    fn renew(&self, line_start: u64) {
        self.left.set(LINE_LIMIT);
        self.line_start.set(line_start);
    }
}

/// Fails at a line that is longer than the limit. Empty lines before it do not count.
struct Bounded {
    reader: Box<dyn Read>,
    budget: Rc<Budget>,
    /// Bytes read.
    end: u64,
    /// After the last byte that does not end a line.
    content_end: u64,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.reader.read(buffer)?;
        let chunk = &buffer[..bytes];
        let is_content = |byte: &u8| !matches!(byte, b'\n' | b'\r');
        // With nothing but line ends since the line began, no quote can be open.
        let only_line_ends = self.content_end <= self.budget.line_start.get();
        let free = match only_line_ends {
            true => chunk.iter().position(is_content).unwrap_or(bytes),
            false => 0,
        };
        if let Some(last) = chunk.iter().rposition(is_content) {
            self.content_end = self.end + last as u64 + 1;
        }
        self.end += bytes as u64;
        let left = self.budget.left.get().checked_sub((bytes - free) as u64).ok_or_else(|| {
            io::Error::other(format!("a line has more than {LINE_LIMIT} bytes; is a quote left open?"))
        })?;
        self.budget.left.set(left);
        Ok(bytes)
    }
}

/// Reads the numbers of one column.
///
/// White space around a number is ignored. An empty line is skipped; an empty cell is an error, because only
/// the user can decide to leave values out.
pub struct CsvReader {
    reader: csv::Reader<Bounded>,
    budget: Rc<Budget>,
    row: csv::ByteRecord,
    name: String,
    ty: Scalar,
    column: usize,
    header: bool,
}

impl CsvReader {
    /// Reads numbers of type `ty` from a column of `source`. With `header`, the first line holds names.
    pub fn new(
        source: Source,
        ty: Scalar,
        column: &Column,
        header: bool,
        delimiter: u8,
    ) -> Result<CsvReader, InputError> {
        let header = header || matches!(column, Column::Name(_));
        let budget = Rc::new(Budget { left: Cell::new(LINE_LIMIT), line_start: Cell::new(0) });
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(header)
            .flexible(true)
            .trim(csv::Trim::All)
            .delimiter(delimiter)
            .from_reader(Bounded { reader: source.reader, budget: budget.clone(), end: 0, content_end: 0 });
        let column = match column {
            Column::Index(index) => index - 1,
            Column::Name(wanted) => {
                let headers = reader.byte_headers().map_err(|e| failed(&source.name, e))?;
                headers.iter().position(|h| h == wanted.as_bytes()).ok_or_else(|| InputError::Column {
                    name: source.name.clone(),
                    column: wanted.clone(),
                    known: names(headers),
                })?
            }
        };
        let row = csv::ByteRecord::new();
        Ok(CsvReader { reader, budget, row, name: source.name, ty, column, header })
    }

    fn cell(&self) -> Result<&[u8], InputError> {
        self.row.get(self.column).ok_or_else(|| InputError::Short {
            name: self.name.clone(),
            line: self.line(),
            column: self.column + 1,
            cells: self.row.len(),
        })
    }

    fn line(&self) -> u64 {
        self.row.position().map_or(0, csv::Position::line)
    }

    fn parse<T: FromStr>(&self) -> Result<T, InputError> {
        let cell = self.cell()?;
        std::str::from_utf8(cell).ok().and_then(|text| text.parse().ok()).ok_or_else(|| InputError::Cell {
            name: self.name.clone(),
            line: self.line(),
            cell: shortened(cell),
            ty: self.ty,
            hint: match self.line() {
                1 if !self.header => "; if the first line holds names, add --header",
                _ => "",
            },
        })
    }
}

impl Values for CsvReader {
    fn fill(&mut self, piece: &mut [u8]) -> Result<usize, InputError> {
        let size = self.ty.size() as usize;
        let mut filled = 0;
        for value in piece.chunks_exact_mut(size) {
            self.budget.renew(self.reader.position().byte());
            if !self.reader.read_byte_record(&mut self.row).map_err(|e| failed(&self.name, e))? {
                break;
            }
            macro_rules! store {
                ($($scalar:ident $rust:ty),*) => {
                    match self.ty {
                        $(Scalar::$scalar => value.copy_from_slice(&self.parse::<$rust>()?.to_ne_bytes()),)*
                    }
                };
            }
            store!(
                I8 i8, I16 i16, I32 i32, I64 i64, I128 i128, U8 u8, U16 u16, U32 u32, U64 u64, U128 u128,
                F16 f16, BF16 bf16, F32 f32, F64 f64
            );
            filled += size;
        }
        Ok(filled)
    }

    fn consumed(&self) -> u64 {
        self.reader.position().byte()
    }
}

fn failed(name: &str, error: csv::Error) -> InputError {
    match error.into_kind() {
        csv::ErrorKind::Io(source) => InputError::Read { name: name.into(), source },
        kind => InputError::Csv { name: name.into(), message: format!("{kind:?}") },
    }
}

/// At most 40 characters of a cell: a message is one line.
fn shortened(cell: &[u8]) -> String {
    let text = String::from_utf8_lossy(cell).replace(['\n', '\r'], " ");
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn names(headers: &csv::ByteRecord) -> String {
    let names: Vec<_> = headers.iter().take(20).map(shortened).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &'static str, column: &str, header: bool) -> Result<Vec<i32>, String> {
        let source = Source { name: "t.csv".into(), size: None, reader: Box::new(text.as_bytes()) };
        let column = column.parse().unwrap();
        let mut reader =
            CsvReader::new(source, Scalar::I32, &column, header, b',').map_err(|e| e.to_string())?;
        let mut all = Vec::new();
        let mut piece = [0; 8];
        loop {
            let filled = reader.fill(&mut piece).map_err(|e| e.to_string())?;
            if filled == 0 {
                return Ok(all);
            }
            all.extend(piece[..filled].chunks(4).map(|b| i32::from_ne_bytes(b.try_into().unwrap())));
        }
    }

    #[test]
    fn columns_by_position_and_by_name() {
        assert_eq!(values("1,2\n3,4\n5, 6 \n", "2", false).unwrap(), [2, 4, 6]);
        assert_eq!(values("a,b\n1,2\n3,4\n", "b", false).unwrap(), [2, 4]);
        assert_eq!(values("a,b\n1,2\n", "1", true).unwrap(), [1]);
        assert_eq!(values("", "1", false).unwrap(), [0; 0]);
        assert_eq!(values("7\n\n8", "1", false).unwrap(), [7, 8]);
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(values("1\n2\nx\n", "1", false).unwrap_err(), "t.csv, line 3: 'x' is not a value of i32");
        assert!(values("n\n1\n", "1", false).unwrap_err().ends_with("add --header"));
        assert!(values("1\n2147483648\n", "1", false).unwrap_err().contains("line 2"));
        assert!(values("1,2\n3\n", "2", false).unwrap_err().contains("line 2: column 2"));
        assert!(values("a,b\n", "c", false).unwrap_err().contains("a, b"));
        assert!(values("1\n\"\"\n", "1", false).unwrap_err().contains("line 2: ''"));
        assert!("0".parse::<Column>().is_err());
    }

    #[test]
    fn empty_lines_are_skipped_however_many() {
        for text in ["", "1", "\"1\""] {
            let blank = io::repeat(b'\n').take(LINE_LIMIT + (1 << 20));
            let reader = Box::new(text.as_bytes().chain(blank).chain(&b"\r\n2\n"[..]));
            let source = Source { name: "t.csv".into(), size: None, reader };
            let mut reader = CsvReader::new(source, Scalar::I32, &Column::Index(1), false, b',').unwrap();
            let mut piece = [0; 12];
            let values = if text.is_empty() { 1 } else { 2 };
            assert_eq!(reader.fill(&mut piece).unwrap(), 4 * values);
            assert_eq!(piece[4 * values - 4], 2);
        }
    }

    #[test]
    fn a_quote_left_open_before_empty_lines_is_an_error() {
        for text in ["\"", "1\n\"", "a\"b,\"", "\n\n\""] {
            let reader = Box::new(text.as_bytes().chain(io::repeat(b'\n')));
            let source = Source { name: "t.csv".into(), size: None, reader };
            let mut reader = CsvReader::new(source, Scalar::I32, &Column::Index(1), false, b',').unwrap();
            let error = reader.fill(&mut [0; 8]).unwrap_err().to_string();
            assert!(error.contains("quote"), "{text}: {error}");
        }
    }

    #[test]
    fn a_quote_left_open_does_not_collect_the_whole_input() {
        let endless = Box::new((&b"1\n\""[..]).chain(io::repeat(b'7')));
        let source = Source { name: "t.csv".into(), size: None, reader: endless };
        let mut reader = CsvReader::new(source, Scalar::I32, &Column::Index(1), false, b',').unwrap();
        let error = reader.fill(&mut [0; 8]).unwrap_err().to_string();
        assert!(error.contains("quote"), "{error}");
    }
}
