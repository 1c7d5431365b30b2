//! Source positions of instructions: from the `.file` and `.loc` directives of PTX, or from a line table.

use std::fmt;
use std::sync::Arc;

use crate::text::printable;

/// The most inlined calls that a report follows.
const MAX_INLINED: usize = 16;

/// A position in a source file, as `.loc` gives it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SourceLocation {
    /// File name as in the `.file` directive.
    pub file: String,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
    /// Name of the inlined function that the line belongs to, if `.loc` says it.
    pub function: Option<String>,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", printable(&self.file), self.line)?;
        if self.column != 0 {
            write!(f, ":{}", self.column)?;
        }
        self.function.as_ref().map_or(Ok(()), |function| write!(f, " in `{}`", printable(function)))
    }
}

/// Source positions of the lines of a PTX text, from another source than its `.loc` directives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineTable {
    files: Arc<[String]>,
    /// Line of the text, index of the file and line in it, sorted by line of the text.
    lines: Vec<(u32, u32, u32)>,
}

impl LineTable {
    /// A table from entries (line of the text, index into `files`, line in that file), with lines counted
    /// from 1. Of several entries for a line of the text the first counts; entries with an index out of range
    /// are ignored. Tables may share their list of files.
    pub fn new(files: impl Into<Arc<[String]>>, mut lines: Vec<(u32, u32, u32)>) -> LineTable {
        let files = files.into();
        lines.retain(|&(_, file, _)| (file as usize) < files.len());
        lines.sort_by_key(|&(line, _, _)| line);
        lines.dedup_by_key(|&mut (line, _, _)| line);
        LineTable { files, lines }
    }

    /// The position of a line of the text.
    pub(crate) fn find(&self, line: u32) -> Option<SourceLocation> {
        let at = self.lines.binary_search_by_key(&line, |&(line, _, _)| line).ok()?;
        let (_, file, line) = self.lines[at];
        Some(SourceLocation { file: self.files[file as usize].clone(), line, column: 0, function: None })
    }
}

/// The source positions of a program. Many positions share a name, so each name is stored once.
#[derive(Debug, Default)]
pub(crate) struct SourcePositions {
    pub files: Vec<String>,
    pub functions: Vec<String>,
    pub positions: Vec<SourcePosition>,
}

/// A source position. File, function and `inlined_at` are indices plus one; 0 stands for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SourcePosition {
    pub file: u32,
    pub line: u32,
    pub column: u32,
    pub function: u32,
    /// The position at which the function was inlined: an earlier one.
    pub inlined_at: u32,
}

impl SourcePositions {
    /// The position with this number, from 1, and where it was inlined, innermost first.
    pub fn find(&self, number: u32) -> (Option<SourceLocation>, Vec<SourceLocation>) {
        let name = |list: &[String], number: u32| number.checked_sub(1).map(|n| list[n as usize].clone());
        let mut next = number;
        let mut chain = std::iter::from_fn(|| {
            let position = self.positions[next.checked_sub(1)? as usize];
            next = position.inlined_at;
            Some(SourceLocation {
                file: name(&self.files, position.file).unwrap_or_else(|| "?".into()),
                line: position.line,
                column: position.column,
                function: name(&self.functions, position.function),
            })
        });
        let first = chain.next();
        (first, chain.take(MAX_INLINED).collect())
    }
}
