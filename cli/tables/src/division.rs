//! Divides files among several processes, so that each reads a part of their bytes.
//!
//! All files together are one row of bytes, of which each process has as many. A text is cut where a record begins, values
//! where one begins, Parquet between row groups. What cannot be read from within, such as a compressed file, is read as a whole by the process that has
//! its first byte. The parts are in the order of the processes.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Seek, SeekFrom},
    ops::Range,
    path::{Path, PathBuf},
};

use memchr::{memchr, memchr_iter, memmem};

use crate::{
    csv,
    detect::Format,
    error::InputError,
    files::check_kinds,
    kind::ValueKind,
    npy::NpyTable,
    open::{Recognised, open_one, recognise},
    source::{FilePart, fill, name},
    table::{Batch, Request, Table},
};

/// Bytes that are read at once.
const BLOCK: usize = 1 << 20;

/// The longest line of a text that is divided.
const LONGEST_LINE: u64 = 16 << 20;

/// What of the input one process reads.
pub struct Share {
    request: Request,
    /// The first of all files.
    first: PathBuf,
    files: Vec<SharedFile>,
}

struct SharedFile {
    path: PathBuf,
    /// `None` is all of it.
    part: Option<FilePart>,
    /// How many records the part has, if it is of a text.
    records: Option<u64>,
}

/// How the bytes of a file can be divided.
struct Form {
    /// The first byte that can be the start of a part, and the number of lines before.
    begin: u64,
    lines: u64,
    cut: Cut,
}

/// Where a part can begin.
#[derive(Clone, Copy, PartialEq)]
enum Cut {
    /// Where a line of a text does.
    Line,
    /// Where a value of so many bytes does.
    Value(u64),
    /// Anywhere: the format's reader takes what begins in the part.
    Byte,
}

/// What the lines of a part of a text are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Lines {
    count: u64,
    /// Those that are not empty.
    records: u64,
    /// Each is a record: there are no quotes, and no lines end in another way.
    are_records: bool,
}

impl Share {
    /// The share of process `number` of `count`. `agree` gives each process's numbers, in the order of the processes, to all.
    ///
    /// # Errors
    ///
    /// A file that cannot be opened, or is none; those of `agree`.
    pub fn new<E: From<InputError>>(
        paths: &[PathBuf],
        request: &Request,
        (number, count): (u64, u64),
        agree: impl FnOnce(&[u64]) -> Result<Vec<Vec<u64>>, E>,
    ) -> Result<Share, E> {
        let forms = paths.iter().map(|path| form(path, request)).collect::<Result<Vec<_>, _>>()?;
        let total: u64 = forms.iter().map(|(size, _)| *size).sum();
        let border = |number: u64| (u128::from(total) * u128::from(number) / u128::from(count)) as u64;
        let own = border(number)..border(number + 1);
        let (mut before, mut parts, mut numbers) = (0, Vec::new(), Vec::new());
        for (path, (size, form)) in paths.iter().zip(&forms) {
            let part = match form {
                Some(form) => Some(form.part(
                    path,
                    *size,
                    own.start.saturating_sub(before),
                    own.end.saturating_sub(before),
                )?),
                None => None,
            };
            let lines = match (&part, form) {
                (Some(part), Some(Form { cut: Cut::Line, .. })) => scan(path, part)?,
                _ => Lines { are_records: true, ..Lines::default() },
            };
            numbers.extend([lines.count, lines.records, u64::from(!lines.are_records)]);
            parts.push((part, own.contains(&before) && *size > 0));
            before += size;
        }
        let all = agree(&numbers)?;
        let mut files = Vec::new();
        for (index, ((part, has_start), (_, form))) in parts.into_iter().zip(&forms).enumerate() {
            let of = |process: &Vec<u64>, what: usize| process.get(3 * index + what).copied().unwrap_or(0);
            let is_divided = all.iter().all(|process| of(process, 2) == 0);
            let path = paths[index].clone();
            match (part, form) {
                (Some(bytes), Some(form)) if is_divided => {
                    let earlier = all.iter().take(number as usize).map(|process| of(process, 0));
                    let line = form.lines + earlier.sum::<u64>() + 1;
                    let records = (form.cut == Cut::Line).then_some(numbers[3 * index + 1]);
                    if !bytes.is_empty() {
                        files.push(SharedFile { path, part: Some(FilePart { bytes, line }), records });
                    }
                }
                _ if has_start => files.push(SharedFile { path, part: None, records: None }),
                _ => {}
            }
        }
        let first = paths.first().cloned().unwrap_or_default();
        Ok(Share { request: request.clone(), first, files })
    }

    /// Opens the share. Its columns have values of these kinds, which are those of the first file.
    pub fn open<'s>(&'s self, kinds: &[ValueKind]) -> impl Table + use<'s> {
        SharedTable { share: self, kinds: kinds.to_vec(), next: 0, current: None }
    }

    /// How many values each column of the share has; those of kinds that the first file has.
    ///
    /// # Errors
    ///
    /// What the input has wrong.
    pub fn counts(&self, kinds: &[ValueKind]) -> Result<Vec<u64>, InputError> {
        let mut counts = vec![0; kinds.len()];
        for (index, file) in self.files.iter().enumerate() {
            if let Some(records) = file.records.filter(|_| !self.request.skip_missing) {
                counts.iter_mut().for_each(|count| *count += records);
                continue;
            }
            let mut table = self.open_file(index, kinds)?;
            if let Some(known) = table.count().filter(|_| !self.request.skip_missing) {
                counts.iter_mut().zip(known).for_each(|(count, known)| *count += known);
                continue;
            }
            while let Some(batch) = table.next()? {
                for ((count, values), kind) in counts.iter_mut().zip(&batch).zip(kinds) {
                    *count += values.bytes.len() as u64 / u64::from(kind.ty.size());
                }
            }
        }
        Ok(counts)
    }

    fn open_file(&self, index: usize, kinds: &[ValueKind]) -> Result<Box<dyn Table>, InputError> {
        let SharedFile { path, part, .. } = &self.files[index];
        let table = open_one(path, &self.request, Some(kinds), part.as_ref())?.table;
        check_kinds(&name(&self.first), kinds, path, &*table, &self.request)?;
        Ok(table)
    }
}

/// The values of a share, one file after the other.
struct SharedTable<'a> {
    share: &'a Share,
    kinds: Vec<ValueKind>,
    next: usize,
    current: Option<Box<dyn Table>>,
}

impl Table for SharedTable<'_> {
    fn kinds(&self) -> &[ValueKind] {
        &self.kinds
    }

    fn next(&mut self) -> Result<Option<Batch>, InputError> {
        loop {
            if let Some(table) = &mut self.current
                && let Some(batch) = table.next()?
            {
                return Ok(Some(batch));
            }
            if self.next == self.share.files.len() {
                return Ok(None);
            }
            self.current = Some(self.share.open_file(self.next, &self.kinds)?);
            self.next += 1;
        }
    }

    fn consumed(&self) -> u64 {
        self.current.as_ref().map_or(0, |table| table.consumed())
    }
}

/// The size of a file, and how it can be divided, if it can be.
fn form(path: &Path, request: &Request) -> Result<(u64, Option<Form>), InputError> {
    let Recognised { source, format, unpacked, is_packed } = recognise(path, request)?;
    let Some(size) = source.size else {
        let problem = "is no file, and cannot be divided among several processes".into();
        return Err(InputError::Format { name: name(path), problem });
    };
    if is_packed {
        return Ok((size, None));
    }
    let values = |begin: u64, value: u64| Form { begin, lines: 0, cut: Cut::Value(value) };
    let form = match format {
        Format::Csv => {
            let (begin, lines) = csv::records_begin(source, request, &unpacked)?;
            Some(Form { begin, lines, cut: Cut::Line })
        }
        Format::Raw => request.kind.map(|kind| values(0, u64::from(kind.ty.size()))),
        Format::Npy => {
            let (begin, element, length) = NpyTable::open(source, request, None)?.extent();
            // Another size is an error, which who reads all of it finds.
            (begin + element * length == size).then(|| values(begin, element))
        }
        Format::Parquet => Some(Form { begin: 0, lines: 0, cut: Cut::Byte }),
        Format::Npz => None,
    };
    let is_whole = |form: &Form| match form.cut {
        Cut::Value(value) => (size - form.begin.min(size)).is_multiple_of(value),
        Cut::Line | Cut::Byte => true,
    };
    Ok((size, form.filter(is_whole)))
}

impl Form {
    /// The bytes of the values or records that begin in these bytes of a file.
    fn part(&self, path: &Path, size: u64, start: u64, end: u64) -> Result<Range<u64>, InputError> {
        let border = |at: u64| {
            let at = at.min(size);
            match self.cut {
                _ if at <= self.begin => Ok(self.begin.min(size)),
                Cut::Value(value) => Ok(self.begin + (at - self.begin).next_multiple_of(value)),
                Cut::Line => line_start(path, at),
                Cut::Byte => Ok(at),
            }
        };
        Ok(border(start)?..border(end)?)
    }
}

fn opened(path: &Path, at: u64) -> Result<File, InputError> {
    let open = |source| InputError::Open { path: path.into(), source };
    let mut file = File::open(path).map_err(open)?;
    file.seek(SeekFrom::Start(at)).map_err(open)?;
    Ok(file)
}

/// Where the first line starts from byte `at` > 0 on; the end of the file if none does.
fn line_start(path: &Path, at: u64) -> Result<u64, InputError> {
    let failed = |source| InputError::Read { name: name(path), source };
    let (mut file, mut from, mut block) = (opened(path, at - 1)?, at - 1, vec![0; 64 << 10]);
    loop {
        let filled = fill(&mut file, &mut block).map_err(failed)?;
        match memchr(b'\n', &block[..filled]) {
            Some(found) => return Ok(from + found as u64 + 1),
            None if filled < block.len() => return Ok(from + filled as u64),
            None => from += filled as u64,
        }
    }
}

/// Counts the lines of a part of a text.
fn scan(path: &Path, part: &Range<u64>) -> Result<Lines, InputError> {
    let failed = |source| InputError::Read { name: name(path), source };
    let mut file = opened(path, part.start)?.take(part.end - part.start);
    let empty_line = memmem::Finder::new(b"\n\n");
    let (mut block, mut last, mut empty, mut lines) = (vec![0; BLOCK], b'\n', 0, 0);
    loop {
        let filled = fill(&mut file, &mut block).map_err(failed)?;
        let bytes = &block[..filled];
        if memchr(b'"', bytes).is_some() {
            return Ok(Lines::default());
        }
        if memchr(b'\r', bytes).is_some() {
            return scan_with_returns(path, part);
        }
        let Some(&end) = bytes.last() else { break };
        lines += memchr_iter(b'\n', bytes).count() as u64;
        empty += u64::from(last == b'\n' && bytes[0] == b'\n');
        let mut from = 0;
        while let Some(found) = empty_line.find(&bytes[from..]) {
            empty += 1;
            from += found + 1;
        }
        last = end;
    }
    let unfinished = u64::from(last != b'\n');
    Ok(Lines { count: lines, records: lines - empty + unfinished, are_records: true })
}

/// As [`scan`], where lines may end with `\r\n`.
fn scan_with_returns(path: &Path, part: &Range<u64>) -> Result<Lines, InputError> {
    let failed = |source| InputError::Read { name: name(path), source };
    let mut reader = BufReader::with_capacity(BLOCK, opened(path, part.start)?.take(part.end - part.start));
    let (mut line, mut lines) = (Vec::new(), Lines { are_records: true, ..Lines::default() });
    loop {
        line.clear();
        let filled = (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(failed)?;
        if filled == 0 {
            return Ok(lines);
        }
        let is_ended = line.last() == Some(&b'\n');
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if filled as u64 == LONGEST_LINE || memchr(b'\r', text).is_some() || memchr(b'"', text).is_some() {
            return Ok(Lines::default());
        }
        lines.count += u64::from(is_ended);
        lines.records += u64::from(!text.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use codegen_shim::Type;

    use super::*;
    use crate::{Column, open};

    fn request(text: bool) -> Request {
        Request {
            columns: vec![None],
            format: None,
            kind: (!text).then_some(ValueKind::number(Type::I16)),
            header: false,
            delimiter: None,
            skip_missing: false,
            warn: |_| {},
        }
    }

    /// Values of all columns of a table.
    fn values(table: &mut dyn Table) -> Result<Vec<Vec<u8>>, InputError> {
        let mut all = vec![Vec::new(); table.kinds().len()];
        while let Some(batch) = table.next()? {
            all.iter_mut().zip(batch).for_each(|(all, values)| all.extend(values.bytes));
        }
        Ok(all)
    }

    /// Checks that the shares of any number of processes are all values in order, and that each is counted.
    fn check(paths: &[PathBuf], request: &Request) {
        let mut whole = open(paths, request.clone()).unwrap().table;
        let kinds = whole.kinds().to_vec();
        let expected = values(&mut *whole).unwrap();
        for count in [1, 3, 20] {
            // What each process would say: the first pass only asks.
            let mut said = Vec::new();
            for number in 0..count {
                let mut ask = |numbers: &[u64]| {
                    said.push(numbers.to_vec());
                    Ok::<_, InputError>(vec![numbers.to_vec(); count as usize])
                };
                Share::new(paths, request, (number, count), &mut ask).unwrap();
            }
            let mut found = vec![Vec::new(); kinds.len()];
            for number in 0..count {
                let agree = |_: &[u64]| Ok::<_, InputError>(said.clone());
                let share = Share::new(paths, request, (number, count), agree).unwrap();
                let part = values(&mut share.open(&kinds)).unwrap();
                let sizes =
                    part.iter().zip(&kinds).map(|(part, kind)| part.len() as u64 / u64::from(kind.ty.size()));
                assert_eq!(share.counts(&kinds).unwrap(), sizes.collect::<Vec<_>>(), "{number} of {count}");
                found.iter_mut().zip(part).for_each(|(found, part)| found.extend(part));
            }
            assert!(found == expected, "{paths:?} for {count}");
        }
    }

    #[test]
    fn shares_are_the_whole_input_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let lines: String = (0..1000).map(|n| format!("{}\n", n * n)).collect();
        let plain = write("plain", lines.as_bytes());
        let unended = write("unended", lines.trim_end().as_bytes());
        let spaced = write("spaced", lines.replace("9\n", "9\n\n\n").as_bytes());
        let returns = write("returns", lines.replace('\n', "\r\n").replace("4\r\n", "4\r\n\r\n").as_bytes());
        let lone = write("lone", lines.replace('\n', "\r").as_bytes());
        let mixed = write("mixed", lines.replacen("1\n", "1\r", 3).as_bytes());
        let quoted = write("quoted", lines.replace("\n16\n", "\n\"16\"\n").as_bytes());
        let marked = write("marked", format!("\u{feff}{lines}").as_bytes());
        let one = write("one", b"5");
        let empty = write("empty", b"");
        let texts = [&plain, &unended, &spaced, &returns, &lone, &mixed, &quoted, &marked, &one];
        for path in texts {
            check(std::slice::from_ref(path), &request(true));
        }
        check(&texts.map(PathBuf::clone), &request(true));
        check(&[plain, empty, one], &request(true));

        let table: String =
            (0..500).map(|n| format!("{n},x{n},{}\n", if n % 3 == 0 { "" } else { "2.5" })).collect();
        let named = write("named", format!("\n\na,b,c\n{table}").as_bytes());
        let columns = vec![Some(Column::Name("c".into())), Some(Column::Name("a".into()))];
        check(std::slice::from_ref(&named), &Request { columns, skip_missing: true, ..request(true) });
        let columns = vec![Some(Column::Name("a".into()))];
        check(&[named.clone(), named], &Request { columns, ..request(true) });

        let raw =
            write("values.raw", &(0..2001_u32).flat_map(|n| (n as i16).to_le_bytes()).collect::<Vec<_>>());
        check(&[raw.clone(), raw], &request(false));
        let descr = "{'descr': '<i2', 'fortran_order': False, 'shape': (500, 4), }";
        let header = format!("{descr:117}\n");
        let mut npy =
            [&b"\x93NUMPY\x01\x00"[..], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
        npy.extend((0..2000_u32).flat_map(|n| (n as i16).to_le_bytes()));
        let npy = write("array.npy", &npy);
        check(std::slice::from_ref(&npy), &request(false));
        let columns = vec![Some(Column::Index(4)), Some(Column::Index(2))];
        check(&[npy.clone(), npy], &Request { columns, ..request(false) });
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn row_groups_are_divided() {
        use parquet::{
            data_type::Int32Type, file::writer::SerializedFileWriter, schema::parser::parse_message_type,
        };

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("groups.parquet");
        let schema = parse_message_type("message m { required int32 a; required int32 b; }").unwrap().into();
        let mut writer =
            SerializedFileWriter::new(File::create(&path).unwrap(), schema, Default::default()).unwrap();
        for group in 0..9 {
            let mut rows = writer.next_row_group().unwrap();
            for column in 0..2 {
                let mut to = rows.next_column().unwrap().unwrap();
                // One group has no rows, one has many.
                let count = [70, 0, 3000, 1, 500, 500, 2, 40, 9][group];
                let values: Vec<i32> = (0..count).map(|row| row * 7 + group as i32 + column).collect();
                to.typed::<Int32Type>().write_batch(&values, None, None).unwrap();
                to.close().unwrap();
            }
            rows.close().unwrap();
        }
        writer.close().unwrap();
        let columns = vec![Some(Column::Name("b".into())), Some(Column::Index(1))];
        check(std::slice::from_ref(&path), &Request { columns: columns.clone(), ..request(true) });
        check(&[path.clone(), path], &Request { columns, skip_missing: true, ..request(true) });
    }

    #[test]
    fn what_is_no_file_cannot_be_divided() {
        let share = Share::new(&["-".into()], &request(true), (0, 2), |_| Ok::<_, InputError>(Vec::new()));
        let message = share.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(message.contains("cannot be divided"), "{message}");
    }
}
