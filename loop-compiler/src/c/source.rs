//! A source file with its regions, and why it cannot be read.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fmt, io,
    ops::Range,
    path::{Path, PathBuf},
};

use super::{pragmas::PragmaError, surroundings::Surroundings};
use crate::{
    ir::{Directive, Loop, Position, Region, loops},
    rules::Rejection,
};

/// What is read, and how.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    /// The program `clang`, of LLVM 22.
    pub clang: &'a Path,
    /// The file, which is read from the disk.
    pub file: &'a Path,
    /// Options for clang: include paths, definitions, the language's version.
    pub arguments: &'a [OsString],
    /// Whether every loop nest is a region, besides what stands between pragmas.
    pub auto: bool,
    /// Whether arrays and pointers are taken to be distinct.
    pub assume_distinct: bool,
}

impl Input<'_> {
    /// Whether objects have the types by which they are accessed, as C says, unless an option for clang says otherwise.
    pub(super) fn strict_aliasing(&self) -> bool {
        let last = self.arguments.iter().rfind(|word| {
            word.to_str().is_some_and(|word| matches!(word, "-fstrict-aliasing" | "-fno-strict-aliasing"))
        });
        last.is_none_or(|word| word == "-fstrict-aliasing")
    }
}

/// A file with its regions.
#[derive(Debug, Default)]
pub struct SourceFile {
    /// The bytes of the file.
    pub text: Vec<u8>,
    /// In the file's order. They do not overlap, but those that are left alone may have others inside.
    pub regions: Vec<SourceRegion>,
    /// The names that it uses or sees.
    pub names: Names,
    /// Loops with directives, if these are to be checked.
    pub directives: Vec<LoopDirective>,
}

/// The names of a file.
#[derive(Clone, Debug, Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// A name that is not among them: this one, or with a number.
    pub fn unused(&self, base: &str) -> String {
        let numbered = (2..).map(|number| format!("{base}_{number}"));
        std::iter::once(base.to_owned())
            .chain(numbered)
            .find(|name| !self.0.contains(name))
            .unwrap_or_default()
    }

    /// Adds a name.
    pub fn insert(&mut self, name: String) {
        self.0.insert(name);
    }
}

impl<S: Into<String>> FromIterator<S> for Names {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Names {
        Names(names.into_iter().map(Into::into).collect())
    }
}

/// A region of a file.
#[derive(Debug)]
pub struct SourceRegion {
    /// The bytes between the pragmas, or of the loop nest.
    pub bytes: Range<usize>,
    /// Where it begins.
    pub at: Position,
    /// The function around it.
    pub function: String,
    /// Iterators that are declared outside, and that nothing uses if the region's loops declare theirs.
    pub unused: Vec<String>,
    /// What a function in front of the one around it can take from there; none if its code has to stay in that one.
    pub surroundings: Option<Surroundings>,
    /// Whether it is the body of a loop or a branch, without braces: one statement has to take its place.
    pub is_body: bool,
    /// Statements that assert, when it is compiled, that the macros on which it depends are those with which it was read.
    pub assertions: Vec<String>,
    /// Its loops, or why they are left alone.
    pub tree: Result<Region, Rejection>,
}

/// A loop of the source with a directive that shares its iterations.
#[derive(Clone, Debug)]
pub struct LoopDirective {
    /// Where the loop begins.
    pub at: Position,
    /// The bytes of the loop.
    pub bytes: Range<usize>,
    /// The line of the directive.
    pub line: u32,
    /// The directive as it is written.
    pub text: String,
    /// The directive, with the clauses of the parallel regions around it.
    pub directive: Directive,
    /// Variables from outside of the loop that it changes, by name.
    pub changed: BTreeSet<String>,
    /// Of these, those that every iteration changes, with the line: of which there must not be one for all threads.
    pub always: Vec<(String, u32)>,
    /// Variables from outside of the loop that it names.
    pub named: BTreeSet<String>,
    /// Of these, those that the function may read behind it before it sets them again.
    pub live: BTreeSet<String>,
    /// Whether that is not known, as the function has labels.
    pub has_jumps: bool,
    /// Variables of which each thread has its own, as the parallel region around the loop declares them.
    pub own: BTreeSet<String>,
    /// Names that stand for several variables of the function.
    pub ambiguous: BTreeSet<String>,
    /// Variables of the file of which each thread has its own.
    pub threadprivate: BTreeSet<String>,
}

/// A name as part of a line: line ends and other control characters are escaped, so that it cannot look like another line.
pub(crate) fn on_one_line(name: impl fmt::Display) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_unicode().to_string() } else { c.to_string() };
    name.to_string().chars().map(escaped).collect()
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("{}: {source}", on_one_line(path.display()))]
    Read {
        /// The file or program.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Pragmas do not fit together.
    #[error("{}:{error}", on_one_line(path.display()))]
    Pragma {
        /// The file or program.
        path: PathBuf,
        /// What is wrong with them.
        error: PragmaError,
    },
    /// The file is in another language.
    #[error("{} is {language}; the loop compiler reads C and C++", on_one_line(path.display()))]
    Language {
        /// The file or program.
        path: PathBuf,
        /// Its name.
        language: &'static str,
    },
    /// A program or thread cannot be started.
    #[error("{}: {source}", on_one_line(path.display()))]
    Start {
        /// The file or program.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// clang's own messages.
    #[error("{messages}")]
    Rejected {
        /// As clang wrote them.
        messages: String,
    },
    /// What clang printed is no syntax tree.
    #[error("the syntax tree of clang cannot be read: {0}\nhint: clang of LLVM 22 is needed")]
    SyntaxTree(String),
}

/// What takes the place of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The text in place of the region's.
    pub text: String,
    /// A function in front of the one around the region, and the byte where it begins.
    pub function: Option<(usize, String)>,
    /// Whether the region's text in the source is a part of the text, and what follows from its own variables, too.
    pub has_source: bool,
}

impl From<String> for Replacement {
    fn from(text: String) -> Replacement {
        Replacement { text, function: None, has_source: false }
    }
}

impl SourceFile {
    /// The text of a region without the indentation that it has there; none if other indentation would change it, or if
    /// directives stand in it.
    pub fn text_of(&self, region: &SourceRegion) -> Option<String> {
        let bytes = region.bytes.clone();
        let text = std::str::from_utf8(self.text.get(bytes.clone())?).ok()?;
        let directs = |looped: &Loop| looped.parallel || !looped.attributes.pragmas.is_empty();
        let has_directives = region.tree.iter().any(|tree| loops(&tree.body).any(directs));
        // A string may go on behind a line's end.
        if has_directives || ["\\\n", "\\\r", "#pragma", "_Pragma"].iter().any(|part| text.contains(part)) {
            return None;
        }
        let line = self.text[..bytes.start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let first = text.lines().find(|line| !line.trim().is_empty())?;
        let blanks = match text.starts_with(|c: char| c.is_whitespace()) {
            true => &first[..first.len() - first.trim_start().len()],
            false => {
                let before = std::str::from_utf8(&self.text[line..bytes.start]).ok()?;
                &before[..before.len() - before.trim_start().len()]
            }
        };
        let lines = text.lines().map(|line| line.strip_prefix(blanks).unwrap_or(line).trim_end());
        let mut out: Vec<&str> = lines.skip_while(|line| line.is_empty()).collect();
        while out.pop_if(|line| line.is_empty()).is_some() {}
        // The `;` of a loop nest's last statement is not among its bytes: it may end with the `}` of a compound literal.
        let rest = self.text[bytes.end..].iter().find(|byte| !byte.is_ascii_whitespace());
        let is_whole = text.starts_with(|c: char| c.is_whitespace()) || rest != Some(&b';');
        Some(out.join("\n") + if is_whole { "\n" } else { ";\n" })
    }

    /// The file with other texts in place of its regions; the rest stays byte for byte.
    pub fn with_regions<R: Into<Replacement>>(
        &self,
        mut text_of: impl FnMut(&SourceRegion) -> Option<R>,
    ) -> Vec<u8> {
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        for region in &self.regions {
            let Some(Replacement { text, function, .. }) = text_of(region).map(R::into) else { continue };
            edits.extend(function.map(|(at, function)| {
                let begins_line = at == 0 || self.text[..at].ends_with(b"\n");
                (at..at, if begins_line { function } else { format!("\n{function}") })
            }));
            // The `;` of a loop nest's last statement is not among its bytes.
            let rest = &self.text[region.bytes.end..];
            let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let whole = self.text[region.bytes.clone()].ends_with(b"}") || rest.get(blanks) != Some(&b';');
            let end = region.bytes.end + if whole { 0 } else { blanks + 1 };
            edits.push((region.bytes.start..end, text));
        }
        // Functions at one place keep their order.
        edits.sort_by_key(|(bytes, _)| bytes.start);
        let mut out = Vec::with_capacity(self.text.len());
        let mut copied = 0;
        for (bytes, text) in edits {
            out.extend_from_slice(&self.text[copied..bytes.start]);
            out.extend_from_slice(text.as_bytes());
            copied = bytes.end;
        }
        out.extend_from_slice(&self.text[copied..]);
        out
    }
}
