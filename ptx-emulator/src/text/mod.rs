//! PTX text to a syntax tree: tokens, then declarations and statements. Nothing is resolved here.

pub(crate) mod ast;
mod body;
mod lexer;
mod parser;
pub(crate) mod types;

pub(crate) use parser::parse;

/// A complaint about the text at a byte offset.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    pub at: u32,
    pub message: String,
    /// The name that no text defines, if that is the complaint.
    pub undefined: Option<String>,
}

/// Shorthand for a complaint.
pub(crate) fn error<T>(at: u32, message: impl Into<String>) -> Result<T, SyntaxError> {
    Err(SyntaxError { at, message: message.into(), undefined: None })
}

/// Where lines begin, to turn byte offsets into lines and columns.
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

/// The PTX modules of a text that holds several, one after the other, each from its `.version` line on. What
/// precedes the first stays with it, so that lines count from the start; a text without `.version` is one.
pub fn split_units(text: &str) -> Vec<&str> {
    let is_version = |line: &str| {
        let rest = line.trim_start().strip_prefix(".version");
        rest.is_some_and(|rest| rest.starts_with([' ', '\t']))
    };
    let mut units = Vec::new();
    let (mut start, mut at, mut found) = (0, 0, false);
    for line in text.split_inclusive('\n') {
        if is_version(line) && std::mem::replace(&mut found, true) {
            units.push(&text[start..at]);
            start = at;
        }
        at += line.len();
    }
    units.push(&text[start..]);
    units
}
