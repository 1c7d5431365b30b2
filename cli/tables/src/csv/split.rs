//! Splits a text into blocks that end where a record ends, so that blocks can be parsed independently.

use memchr::{memchr, memchr_iter, memchr3, memrchr};

use crate::{
    error::InputError,
    source::{Source, fill},
};

/// Bytes of a block, if its last record ends there: enough to make the hand-over to another thread cheap, and
/// little enough that a few of them per thread need little memory.
const BLOCK_BYTES: usize = 512 << 10;

/// The longest record, in MiB: after a quote that is not closed, all of the input would be one.
const LIMIT: usize = 16;

/// Whole records.
pub struct Block {
    pub bytes: Vec<u8>,
    /// The number of the first line.
    pub line: u64,
}

/// Reads blocks.
pub struct Splitter {
    source: Source,
    delimiter: u8,
    /// What was read and belongs to the next block.
    rest: Vec<u8>,
    /// The number of the next block's first line.
    line: u64,
    /// Bytes of a byte order mark.
    mark: u64,
    at_end: bool,
}

/// Where records end in a text that begins with a record.
#[derive(Debug, PartialEq)]
struct RecordEnds {
    /// After the last record that certainly ends; 0 if none does.
    last: usize,
    /// Where a quote is opened that is not closed, or not at the end of a cell.
    open_quote: Option<usize>,
    /// After the quote that is closed inside a cell: most often, one before it was not closed.
    text_after_quote: Option<usize>,
}

impl Splitter {
    /// A splitter of this text, whose cells are separated by `delimiter`.
    pub fn new(source: Source, delimiter: u8) -> Splitter {
        Splitter::from_line(source, delimiter, 1)
    }

    /// As [`Splitter::new`], of what begins with a line that is not the first.
    pub fn from_line(source: Source, delimiter: u8, line: u64) -> Splitter {
        Splitter { source, delimiter, rest: Vec::new(), line, mark: 0, at_end: false }
    }

    /// Bytes before the first block.
    pub fn skipped(&self) -> u64 {
        self.mark
    }

    /// The next block, or `None` at the end.
    ///
    /// # Errors
    ///
    /// A failed read, a quote that is not closed, a line that is too long.
    pub fn next(&mut self) -> Result<Option<Block>, InputError> {
        let mut bytes = std::mem::take(&mut self.rest);
        loop {
            self.read_more(&mut bytes)?;
            if bytes.is_empty() {
                return Ok(None);
            }
            let ends = record_ends(&bytes, self.delimiter);
            if let (Some(open), Some(after)) = (ends.open_quote, ends.text_after_quote) {
                return Err(InputError::QuoteInside {
                    name: self.source.name.clone(),
                    line: self.line + lines(&bytes[..open]),
                    end: self.line + lines(&bytes[..after]),
                });
            }
            if self.at_end && ends.open_quote.is_none() {
                break;
            }
            if !self.at_end && ends.last > 0 {
                self.rest = bytes.split_off(ends.last);
                break;
            }
            if self.at_end || bytes.len() > LIMIT << 20 {
                let name = self.source.name.clone();
                return Err(match ends.open_quote {
                    None => InputError::LongLine { name, line: self.line, limit: LIMIT },
                    Some(at) => {
                        let line = self.line + lines(&bytes[..at]);
                        let until = match self.at_end {
                            true => "before the end of the input".into(),
                            false => format!("in {LIMIT} MiB"),
                        };
                        InputError::Quote { name, line, until }
                    }
                });
            }
        }
        let line = self.line;
        self.line += lines(&bytes);
        Ok(Some(Block { bytes, line }))
    }

    /// Appends to the bytes as many again, at least a block.
    fn read_more(&mut self, bytes: &mut Vec<u8>) -> Result<(), InputError> {
        let begins = self.line == 1 && bytes.is_empty();
        let (before, wanted) = (bytes.len(), bytes.len().max(BLOCK_BYTES));
        bytes.resize(before + wanted, 0);
        let filled =
            fill(&mut self.source.reader, &mut bytes[before..]).map_err(|e| self.source.failed(e))?;
        bytes.truncate(before + filled);
        self.at_end = filled < wanted;
        // A byte order mark is not part of the first cell.
        if begins && bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
            self.mark = 3;
        }
        Ok(())
    }
}

/// The number of line ends. As everywhere here, a line ends with `\n`; in a text without any, with `\r`.
pub fn lines(bytes: &[u8]) -> u64 {
    match memchr_iter(b'\n', bytes).count() {
        0 => memchr_iter(b'\r', bytes).count() as u64,
        count => count as u64,
    }
}

fn record_ends(bytes: &[u8], delimiter: u8) -> RecordEnds {
    if memchr(b'"', bytes).is_none() {
        let last = memrchr(b'\n', bytes).or_else(|| {
            // At the very end, a `\n` may follow.
            memrchr(b'\r', &bytes[..bytes.len().saturating_sub(1)])
        });
        return RecordEnds { last: last.map_or(0, |at| at + 1), open_quote: None, text_after_quote: None };
    }
    let mut last = 0;
    // Always at the start of a cell. A quote has a meaning only there, and in the cell that it opens.
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'"' {
            let open_quote = Some(at);
            at += 1;
            loop {
                match memchr(b'"', &bytes[at..]) {
                    None => return RecordEnds { last, open_quote, text_after_quote: None },
                    // Two quotes are one in the cell.
                    Some(found) if bytes.get(at + found + 1) == Some(&b'"') => at += found + 2,
                    Some(found) => {
                        at += found + 1;
                        break;
                    }
                }
            }
            let next = bytes[at..].iter().find(|byte| **byte != b' ');
            if next.is_some_and(|&next| next != delimiter && !matches!(next, b'\n' | b'\r')) {
                return RecordEnds { last, open_quote, text_after_quote: Some(at) };
            }
        }
        match memchr3(delimiter, b'\n', b'\r', &bytes[at..]) {
            None => break,
            Some(found) => {
                at += found + 1;
                if bytes[at - 1] == b'\n' || bytes[at - 1] == b'\r' && at < bytes.len() {
                    last = at;
                }
            }
        }
    }
    RecordEnds { last, open_quote: None, text_after_quote: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(text: &str) -> (usize, Option<usize>) {
        let ends = record_ends(text.as_bytes(), b',');
        (ends.last, ends.open_quote)
    }

    #[test]
    fn records_end_outside_of_quotes() {
        assert_eq!(ends("1,2\n3"), (4, None));
        assert_eq!(ends("1,2\r3\r"), (4, None));
        assert_eq!(ends("\"1\n\",2\n3"), (7, None));
        assert_eq!(ends("1\n\"a\"\"\n,"), (2, Some(2)));
        assert_eq!(ends("1\n\"a\"\"\n\"\n"), (9, None));
        // Not at the start of a cell: a quote like any other character.
        assert_eq!(ends("5\" pipe,1\n7"), (10, None));
        assert_eq!(ends("\"a\" ,1\n7"), (7, None));
        assert_eq!(ends("\"\n"), (0, Some(0)));
    }

    #[test]
    fn text_after_a_closing_quote_is_found() {
        let ends = record_ends(b"1\n\"nut,1\nbolt,2\n\"nail,3\n", b',');
        assert_eq!((ends.open_quote, ends.text_after_quote), (Some(2), Some(17)));
        assert_eq!(record_ends(b"\"a\"\n\"b\"", b',').text_after_quote, None);
    }

    #[test]
    fn blocks_are_whole_records_and_know_their_lines() {
        let row = "1,\"a\nb\"\n";
        let text = row.repeat(3 * BLOCK_BYTES / row.len());
        let mut splitter = Splitter::new(Source::of("x", std::io::Cursor::new(text.clone())), b',');
        let (mut bytes, mut count, mut line) = (Vec::new(), 0, 1);
        while let Some(block) = splitter.next().unwrap() {
            assert!(block.bytes.ends_with(row.as_bytes()));
            assert_eq!(block.line, line);
            line += lines(&block.bytes);
            bytes.extend(block.bytes);
            count += 1;
        }
        assert!(bytes == text.as_bytes() && count >= 3, "{count} blocks");
    }
}
