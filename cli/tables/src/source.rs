//! The opened input: its name, its bytes, how much of them was read.

use std::{
    fs::File,
    io::{self, ErrorKind, Read, Seek, SeekFrom},
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::error::InputError;

/// Bytes at the start that decide about the format.
pub const HEAD: usize = 64 << 10;

/// The path that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// The name of an input in messages.
pub fn name(path: &Path) -> String {
    match path == Path::new(STANDARD_INPUT) {
        true => "standard input".into(),
        false => terminal_text::name(path.display()),
    }
}

/// A part of a file that is neither compressed nor read from its end: whole records of a text, or whole values.
#[derive(Clone, Debug)]
pub struct FilePart {
    pub bytes: Range<u64>,
    /// The number of its first line, in a text.
    pub line: u64,
}

/// An opened file or standard input.
pub struct Source {
    /// Its name in messages.
    pub name: String,
    /// The file, if it is one whose parts can be read in any order.
    pub path: Option<PathBuf>,
    /// Its size, if known.
    pub size: Option<u64>,
    /// Bytes of the file that were read, compressed ones if the file is compressed.
    pub consumed: Arc<AtomicU64>,
    /// The bytes.
    pub reader: Box<dyn Read + Send>,
}

impl Source {
    /// Opens `path`; `-` is standard input.
    pub fn open(path: &Path) -> Result<Source, InputError> {
        if path == Path::new(STANDARD_INPUT) {
            return Ok(Source::counted(name(path), None, None, io::stdin()));
        }
        let open = |source| InputError::Open { path: path.into(), source };
        let file = File::open(path).map_err(open)?;
        let metadata = file.metadata().map_err(open)?;
        if metadata.is_dir() {
            return Err(open(io::Error::other("it is a folder")));
        }
        let is_file = metadata.is_file();
        let size = is_file.then_some(metadata.len());
        Ok(Source::counted(name(path), is_file.then(|| path.into()), size, file))
    }

    fn counted(
        name: String,
        path: Option<PathBuf>,
        size: Option<u64>,
        reader: impl Read + Send + 'static,
    ) -> Source {
        let consumed = Arc::new(AtomicU64::new(0));
        let reader = Box::new(Counted { reader, consumed: consumed.clone() });
        Source { name, path, size, consumed, reader }
    }

    /// The bytes `range` of a file.
    ///
    /// # Errors
    ///
    /// A file that cannot be opened again.
    pub fn part(&self, range: Range<u64>) -> Result<Source, InputError> {
        let path = self.path.clone().unwrap_or_default();
        let open = |source| InputError::Open { path: path.clone(), source };
        let mut file = File::open(&path).map_err(open)?;
        file.seek(SeekFrom::Start(range.start)).map_err(open)?;
        let bytes = range.end - range.start;
        Ok(Source::counted(self.name.clone(), self.path.clone(), Some(bytes), file.take(bytes)))
    }

    /// A source of these bytes.
    #[cfg(test)]
    pub fn of(name: &str, reader: impl Read + Send + 'static) -> Source {
        Source::counted(name.into(), None, None, reader)
    }

    /// The first bytes, at most [`HEAD`], which the reader still returns.
    pub fn head(&mut self) -> Result<Vec<u8>, InputError> {
        let mut head = vec![0; HEAD];
        let filled = fill(&mut self.reader, &mut head).map_err(|source| self.failed(source))?;
        head.truncate(filled);
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(io::Cursor::new(head.clone()).chain(rest));
        Ok(head)
    }

    /// The error of a read.
    pub fn failed(&self, source: io::Error) -> InputError {
        InputError::Read { name: self.name.clone(), source }
    }
}

/// Reads until the buffer is full or the input ends; returns how many bytes that is.
pub fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(bytes) => filled += bytes,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}

/// Counts the bytes of a reader.
struct Counted<R> {
    reader: R,
    consumed: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.reader.read(buffer)?;
        self.consumed.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(bytes)
    }
}
