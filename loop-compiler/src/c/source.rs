//! A source file with its regions, and why it cannot be read.

use std::{
    ffi::OsString,
    io,
    ops::Range,
    path::{Path, PathBuf},
};

use super::pragmas::PragmaError;
use crate::{
    rules::Rejection,
    tree::{Position, Region},
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
#[derive(Debug)]
pub struct SourceFile {
    /// The bytes of the file.
    pub text: Vec<u8>,
    /// In the file's order; they do not overlap.
    pub regions: Vec<SourceRegion>,
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
    /// Its loops, or why they are left alone.
    pub tree: Result<Region, Rejection>,
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file or program.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Pragmas do not fit together.
    #[error("{}:{error}", path.display())]
    Pragma {
        /// The file or program.
        path: PathBuf,
        /// What is wrong with them.
        error: PragmaError,
    },
    /// The file is in another language.
    #[error("{} is {language}; the loop compiler reads C and C++", path.display())]
    Language {
        /// The file or program.
        path: PathBuf,
        /// Its name.
        language: &'static str,
    },
    /// A program or thread cannot be started.
    #[error("{}: {source}", path.display())]
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

impl SourceFile {
    /// The file with other texts in place of its regions; the rest stays byte for byte.
    pub fn with_regions(&self, mut text_of: impl FnMut(&SourceRegion) -> Option<String>) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.text.len());
        let mut copied = 0;
        for region in &self.regions {
            let Some(text) = text_of(region) else { continue };
            out.extend_from_slice(&self.text[copied..region.bytes.start]);
            out.extend_from_slice(text.as_bytes());
            // The `;` of a loop nest's last statement is not among its bytes.
            let rest = &self.text[region.bytes.end..];
            let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let whole = self.text[region.bytes.clone()].ends_with(b"}") || rest.get(blanks) != Some(&b';');
            copied = region.bytes.end + if whole { 0 } else { blanks + 1 };
        }
        out.extend_from_slice(&self.text[copied..]);
        out
    }
}
