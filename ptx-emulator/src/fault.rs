//! Why a launch ended early, in enough detail to find the cause.

use crate::source::SourceLocation;
use crate::text::printable;

/// Why a launch was rejected, or ended with an error of the program.
///
/// Its text ([`Display`](std::fmt::Display)) takes at most 24 lines of 110 columns. With the feature `serde`
/// it is serialised under the names of its fields, with `kind` (the [name](FaultKind::name)) and `message`
/// (the kind's text) in place of the kind.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Fault {
    /// What went wrong.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub kind: FaultKind,
    /// The kernel that was launched.
    pub kernel: String,
    /// `%ctaid` of the block at fault.
    pub block: [u32; 3],
    /// `%tid` of the first thread at fault.
    pub thread: [u32; 3],
    /// That thread's warp in its block.
    pub warp: u32,
    /// That thread's lane in its warp.
    pub lane: u32,
    /// The instruction at fault; `None` if no thread ran.
    pub place: Option<CodeLocation>,
    /// The text of the source line, if the host has added it ([`Fault::quote`]).
    pub source_text: Option<String>,
    /// Why there is no text of the source line, if the host says so.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub source_hint: Option<&'static str>,
    /// The instruction's registers and their values in the thread at fault.
    pub values: Vec<RegisterValue>,
    /// The calls that the thread is in, innermost first; the outermost of very many are left out.
    pub calls: Vec<CodeLocation>,
    /// How many calls the thread is in.
    pub depth: u32,
    /// Where the lanes of the warp are, or those of the whole block if its threads wait for each other. Empty
    /// if all are at one instruction.
    pub lanes: Vec<LanesAt>,
}

/// What a host knows of the text of a source line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quote {
    /// The line.
    Line(String),
    /// What the user can do to see the line.
    Hint(&'static str),
    /// Nothing.
    Nothing,
}

/// The location of an instruction in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CodeLocation {
    /// The function that the instruction is in.
    pub function: String,
    /// Name of the PTX text that the instruction is in, if the program was linked from several.
    pub unit: Option<String>,
    /// Line of the instruction in its PTX text, from 1.
    pub line: u32,
    /// The instruction as written.
    pub text: String,
    /// Source position from the `.loc` directives, if there are any.
    pub source: Option<SourceLocation>,
    /// Where the source's function was inlined, innermost first.
    pub inlined_at: Vec<SourceLocation>,
}

/// A register of the instruction at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RegisterValue {
    /// Its name.
    pub register: String,
    /// Its value: hexadecimal with readings of it, `true` or `false`, or `undefined`.
    pub value: String,
}

/// Lanes of a warp that are at the same instruction together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LanesAt {
    /// The warp in its block.
    pub warp: u32,
    /// The lanes, one bit each.
    pub mask: u32,
    /// What the lanes wait for.
    pub state: LaneState,
    /// The instruction that they are at.
    pub place: CodeLocation,
}

/// What lanes wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum LaneState {
    /// Nothing: they can run.
    Ready,
    /// The other lanes of a `.sync` instruction's member mask.
    Mask,
    /// The rest of the warp, in front of an aligned barrier.
    Warp,
    /// The other threads at a barrier of the block.
    Block,
}

/// The kinds of fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// The launch was rejected before any thread ran.
    #[error("the launch was rejected: {0}")]
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
    /// An aligned barrier executed by some lanes of a warp only, or misused barrier operands.
    #[error("{0}")]
    BadBarrier(String),
    /// No thread of the block can run.
    #[error("{0}")]
    Deadlock(String),
    /// The step limit was reached.
    #[error("the launch reached its limit of {0} warp instructions")]
    StepLimit(u64),
    /// The launch was interrupted ([`Machine::interrupt`](crate::Machine::interrupt)), for this reason. The
    /// fault says where it was: in the warp that ran last.
    #[error("the launch was interrupted: {0}")]
    Interrupted(String),
    /// An indirect call to an address that is not a function, or with the wrong parameters.
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

impl FaultKind {
    /// A short name, stable between versions.
    pub fn name(&self) -> &'static str {
        match self {
            FaultKind::Launch(_) => "refused",
            FaultKind::OutOfBounds(_) => "out-of-bounds",
            FaultKind::Misaligned(_) => "misaligned",
            FaultKind::ReadOnly(_) => "read-only",
            FaultKind::Undefined(_) => "undefined-value",
            FaultKind::Trap => "trap",
            FaultKind::Breakpoint => "breakpoint",
            FaultKind::BadMask(_) => "bad-mask",
            FaultKind::BadBarrier(_) => "bad-barrier",
            FaultKind::Deadlock(_) => "deadlock",
            FaultKind::StepLimit(_) => "step-limit",
            FaultKind::Interrupted(_) => "interrupted",
            FaultKind::BadCall(_) => "bad-call",
            FaultKind::BadBranch(_) => "bad-branch",
            FaultKind::StackOverflow(_) => "stack-overflow",
            FaultKind::BadFree(_) => "bad-free",
            FaultKind::Assertion(_) => "assertion",
            FaultKind::Unresolved(_) => "unresolved",
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for FaultKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut fields = serializer.serialize_struct("FaultKind", 2)?;
        fields.serialize_field("kind", self.name())?;
        fields.serialize_field("message", &self.to_string())?;
        fields.end()
    }
}

impl Fault {
    /// A fault of a launch that never started.
    pub(crate) fn rejected(kernel: &str, why: impl Into<String>) -> Box<Fault> {
        Box::new(Fault {
            kind: FaultKind::Launch(why.into()),
            kernel: kernel.to_owned(),
            block: [0; 3],
            thread: [0; 3],
            warp: 0,
            lane: 0,
            place: None,
            source_text: None,
            source_hint: None,
            values: Vec::new(),
            calls: Vec::new(),
            depth: 0,
            lanes: Vec::new(),
        })
    }

    /// Adds the text of the source line, which `read` looks up; the emulator itself opens no files.
    pub fn quote(&mut self, read: impl FnOnce(&SourceLocation) -> Quote) {
        let source = self.place.as_ref().and_then(|place| place.source.as_ref());
        match source.map_or(Quote::Nothing, read) {
            Quote::Line(line) => self.source_text = Some(printable(line.trim_end())),
            Quote::Hint(hint) => self.source_hint = Some(hint),
            Quote::Nothing => {}
        }
    }
}

impl std::error::Error for Fault {}
