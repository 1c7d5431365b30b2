//! Why a launch ended early, said so that a person can find the place.

use std::fmt;

/// A launch that was refused or ended by an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// The kernel that was launched.
    pub kernel: String,
    /// `%ctaid` of the block at fault.
    pub block: [u32; 3],
    /// `%tid` of the first thread at fault.
    pub thread: [u32; 3],
    /// Name of the PTX text the instruction is in, if the program was linked from several.
    pub ptx_unit: Option<String>,
    /// Line of the instruction in its PTX text, from 1; 0 when no instruction is at fault.
    pub ptx_line: u32,
    /// The instruction as written.
    pub ptx_text: String,
    /// Source position from the `.loc` directives, if there are any.
    pub source: Option<SourceLocation>,
    /// The instruction's register operands and their values in the thread at fault.
    pub values: Vec<(String, String)>,
    /// Further lines: who waits where, which functions called which.
    pub notes: Vec<String>,
}

/// A position in a source file, as `.loc` gives it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceLocation {
    /// File name as in the `.file` directive.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
}

/// The kinds of fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// The launch was refused before any thread ran.
    #[error("the launch was refused: {0}")]
    Launch(String),
    /// An access outside every live allocation, or across the end of one.
    #[error("{0}")]
    OutOfBounds(String),
    /// An access whose address is not a multiple of its size.
    #[error("{0}")]
    Misaligned(String),
    /// A store to memory that programs may only read.
    #[error("{0}")]
    ReadOnly(String),
    /// A value that no instruction defined reached a store, branch, address or atomic.
    #[error("{0}")]
    Undefined(String),
    /// `trap`.
    #[error("the program executed `trap`")]
    Trap,
    /// `brkpt`.
    #[error("the program executed `brkpt`")]
    Breakpoint,
    /// A `.sync` warp instruction executed with a member mask that its rules forbid.
    #[error("{0}")]
    BadMask(String),
    /// An aligned barrier executed by a part of a warp, or misused barrier operands.
    #[error("{0}")]
    BadBarrier(String),
    /// Nobody in the block can run.
    #[error("{0}")]
    Deadlock(String),
    /// The step limit was reached.
    #[error("the launch reached its limit of {0} warp instructions")]
    StepLimit(u64),
    /// An indirect call to an address that is no function, or with the wrong parameters.
    #[error("{0}")]
    BadCall(String),
    /// A branch index outside its table.
    #[error("{0}")]
    BadBranch(String),
    /// Call frames or `alloca` outgrew a thread's local memory.
    #[error("{0}")]
    StackOverflow(String),
    /// `free` of an address that `malloc` did not return, or of one that was freed before.
    #[error("{0}")]
    BadFree(String),
    /// An assertion of the program failed: `__assertfail` was called.
    #[error("{0}")]
    Assertion(String),
    /// A function that is declared but not defined was called.
    #[error("{0}")]
    Unresolved(String),
}

/// Lines of notes that [`Fault`] shows; with the rest they fit a screen of 24 lines.
const SHOWN_NOTES: usize = 10;
/// Operand values that [`Fault`] shows.
const SHOWN_VALUES: usize = 6;
/// Characters shown of any text that comes from the program.
const SHOWN_TEXT: usize = 160;

/// `text` cut to a length that a line can show.
pub(crate) fn clip(text: &str) -> String {
    match text.char_indices().nth(SHOWN_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl Fault {
    /// A fault of a launch that never started.
    pub(crate) fn refused(kernel: &str, why: impl Into<String>) -> Box<Fault> {
        Box::new(Fault {
            kind: FaultKind::Launch(why.into()),
            kernel: kernel.to_owned(),
            block: [0; 3],
            thread: [0; 3],
            ptx_unit: None,
            ptx_line: 0,
            ptx_text: String::new(),
            source: None,
            values: Vec::new(),
            notes: Vec::new(),
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel {}: {}", clip(&self.kernel), clip(&self.kind.to_string()))?;
        if self.ptx_line != 0 {
            let ([bx, by, bz], [tx, ty, tz]) = (self.block, self.thread);
            write!(f, "\n  in block ({bx},{by},{bz}) thread ({tx},{ty},{tz})")?;
            let unit = self.ptx_unit.as_ref().map_or(String::new(), |unit| format!(" of {}", clip(unit)));
            write!(f, "\n  at PTX line {}{unit}: {}", self.ptx_line, clip(&self.ptx_text))?;
        }
        if let Some(source) = &self.source {
            write!(f, "\n  from {}:{}:{}", clip(&source.file), source.line, source.column)?;
        }
        for (name, value) in self.values.iter().take(SHOWN_VALUES) {
            write!(f, "\n  {} = {}", clip(name), value)?;
        }
        for note in self.notes.iter().take(SHOWN_NOTES) {
            write!(f, "\n  {}", clip(note))?;
        }
        if self.notes.len() > SHOWN_NOTES {
            write!(f, "\n  … and {} more", self.notes.len() - SHOWN_NOTES)?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}
