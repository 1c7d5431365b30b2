//! Byte offsets of a text to lines and columns.

/// Where the lines of a text begin.
#[derive(Debug)]
pub(crate) struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    pub fn new(text: &str) -> Lines {
        let after_breaks = text.bytes().enumerate().filter(|b| b.1 == b'\n').map(|b| b.0 as u32 + 1);
        Lines { starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    /// Line and column of a byte offset, both from 1.
    pub fn position(&self, at: u32) -> (u32, u32) {
        let line = self.starts.partition_point(|&s| s <= at);
        (line as u32, at - self.starts[line - 1] + 1)
    }
}
