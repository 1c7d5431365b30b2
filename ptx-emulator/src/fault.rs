//! Why a launch ended early, in enough detail to find the cause.

use crate::source::SourceLocation;
use crate::target_region::TargetRegion;
use crate::text::printable;
use crate::text::types::Space;

/// Why a launch was rejected, or ended with an error of the program.
///
/// Its text ([`Display`](std::fmt::Display)) has everything, in at most 28 lines of 110 columns;
/// [`Fault::report`] writes it for a person. With the feature `serde` it is serialised under the names of its fields, with `kind` (the [name](FaultKind::name)) and `message`
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
    /// The last position of the program's own source before the instruction in its function, if the instruction itself
    /// is code of the OpenMP runtime.
    pub near: Option<SourceLocation>,
    /// Of a value that nobody has written: where it was read.
    pub origin: Option<CodeLocation>,
    /// What explains an access that is out of bounds, if something does.
    pub cause: Option<Cause>,
    /// The memory that an access of global memory goes beyond, or that was freed before it.
    pub memory: Option<NearMemory>,
    /// The text of the source line that a report begins with, if the host has added it ([`Fault::quote`]).
    pub source_text: Option<String>,
    /// Why there is no text of the source line, if the host says so.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub source_hint: Option<&'static str>,
    /// What the host adds: what the memory is, settings that help.
    pub notes: Vec<String>,
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

/// Memory that an access goes beyond, or that was freed before it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NearMemory {
    /// Where it begins.
    pub address: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// Which of the kernel's parameters point into it, counted from 0.
    pub parameters: Vec<u32>,
    /// How many parameters the kernel has.
    pub parameter_count: u32,
}

/// What explains an access that is out of bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case", tag = "kind"))]
#[non_exhaustive]
pub enum Cause {
    /// The address is one of the host's memory, which the device cannot access.
    HostMemory,
    /// The address is near null, and `malloc` has returned null before: the device heap was full.
    HeapFull {
        /// The size of the device heap in bytes.
        bytes: u64,
    },
    /// The address, or what it was before it was converted to one of the state space, points to another space.
    OtherSpace {
        /// The generic address.
        address: u64,
        /// What it points to.
        #[cfg_attr(feature = "serde", serde(serialize_with = "space_name"))]
        space: Space,
    },
}

#[cfg(feature = "serde")]
fn space_name<S: serde::Serializer>(space: &Space, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(space.name())
}

/// How execution came from a position of the source to the one before it in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    /// It is the position of the instruction itself.
    Here,
    /// The code was inlined there.
    Inlined,
    /// The instruction is shortly after it, in the OpenMP runtime.
    Near,
    /// It called a function.
    Called,
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
    /// As [`Fault::near`].
    pub near: Option<SourceLocation>,
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
    /// An access to memory that was freed before.
    #[error("{0}")]
    UseAfterFree(String),
    /// An access whose address is not a multiple of its size.
    #[error("{0}")]
    Misaligned(String),
    /// A store to memory that programs may only read.
    #[error("{0}")]
    ReadOnly(String),
    /// A value that no instruction defined reached a store, branch, address or atomic.
    #[error("{0}")]
    Undefined(String),
    /// As [`FaultKind::Undefined`], of a value that comes from memory that nobody has written, or from a register that was
    /// never assigned. Only a machine that checks for that distinguishes it ([`Checks`](crate::Checks)).
    #[error("{0}")]
    Uninitialised(String),
    /// As [`FaultKind::Undefined`], of a value that comes from a lane that took no part in a shuffle. Only a machine that
    /// checks distinguishes it.
    #[error("{0}")]
    UndefinedLane(String),
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
    /// Threads wait for a change of memory, and none comes. Only a machine that checks finds it.
    #[error("{0}")]
    Livelock(String),
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
    /// The emulator's own code panicked, with this text. The program need not be at fault.
    #[error("the emulator itself failed: {0}")]
    Emulator(String),
}

impl FaultKind {
    /// A short name, stable between versions.
    pub fn name(&self) -> &'static str {
        match self {
            FaultKind::Launch(_) => "refused",
            FaultKind::OutOfBounds(_) => "out-of-bounds",
            FaultKind::UseAfterFree(_) => "use-after-free",
            FaultKind::Misaligned(_) => "misaligned",
            FaultKind::ReadOnly(_) => "read-only",
            FaultKind::Undefined(_) => "undefined-value",
            FaultKind::Uninitialised(_) => "uninitialised",
            FaultKind::UndefinedLane(_) => "undefined-lane",
            FaultKind::Trap => "trap",
            FaultKind::Breakpoint => "breakpoint",
            FaultKind::BadMask(_) | FaultKind::BadBarrier(_) => "barrier",
            FaultKind::Livelock(_) => "livelock",
            FaultKind::Deadlock(_) => "deadlock",
            FaultKind::StepLimit(_) => "step-limit",
            FaultKind::Interrupted(_) => "interrupted",
            FaultKind::BadCall(_) => "bad-call",
            FaultKind::BadBranch(_) => "bad-branch",
            FaultKind::StackOverflow(_) => "stack-overflow",
            FaultKind::BadFree(_) => "bad-free",
            FaultKind::Assertion(_) => "assertion",
            FaultKind::Unresolved(_) => "unresolved",
            FaultKind::Emulator(_) => "emulator",
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
        Fault::without_place(kernel, FaultKind::Launch(why.into()))
    }

    /// A fault of a launch whose thread and instruction are not known.
    pub fn without_place(kernel: &str, kind: FaultKind) -> Box<Fault> {
        Box::new(Fault {
            kind,
            kernel: kernel.to_owned(),
            block: [0; 3],
            thread: [0; 3],
            warp: 0,
            lane: 0,
            place: None,
            near: None,
            origin: None,
            cause: None,
            memory: None,
            source_text: None,
            source_hint: None,
            notes: Vec::new(),
            values: Vec::new(),
            calls: Vec::new(),
            depth: 0,
            lanes: Vec::new(),
        })
    }

    /// The positions in the program's own source that led to the fault, innermost first: the instruction's, where it was
    /// inlined, and the calls. Code of the OpenMP runtime is left out.
    pub(crate) fn source_positions(&self) -> Vec<(Reached, &SourceLocation)> {
        let mut all = Vec::new();
        for (at, place) in self.place.iter().chain(&self.calls).enumerate() {
            let reached = if at == 0 { Reached::Here } else { Reached::Called };
            let here = place.source.iter().map(|source| (reached, source));
            let inlined = place.inlined_at.iter().map(|source| (Reached::Inlined, source));
            let outermost = place.inlined_at.last();
            all.extend(here.chain(inlined).filter(|(_, source)| is_own(&self.kernel, source, outermost)));
            if at == 0 {
                all.extend(self.near.iter().map(|source| (Reached::Near, source)));
            }
        }
        all
    }

    /// The position in the program's own source that a report begins with, if any is known.
    pub fn source_position(&self) -> Option<&SourceLocation> {
        self.source_positions().first().map(|(_, source)| *source)
    }

    /// The line of the OpenMP target region that the kernel was compiled from.
    pub fn target_region_line(&self) -> Option<u32> {
        TargetRegion::of(&self.kernel).map(|region| region.line)
    }

    /// Whether the kernel was compiled from an OpenMP target region.
    pub fn is_in_target_region(&self) -> bool {
        TargetRegion::of(&self.kernel).is_some()
    }

    /// Adds the text of the source line that a report begins with, which `read` looks up; the emulator itself opens no
    /// files.
    pub fn quote(&mut self, read: impl FnOnce(&SourceLocation) -> Quote) {
        let quote = self.source_position().map_or(Quote::Nothing, read);
        match quote {
            Quote::Line(line) => self.source_text = Some(printable(line.trim_end())),
            Quote::Hint(hint) => self.source_hint = Some(hint),
            Quote::Nothing => {}
        }
    }
}

/// The innermost position of an instruction in the program's own source, of its position and of those where that was
/// inlined.
pub(crate) fn own_position<'a>(
    kernel: &str,
    source: Option<&'a SourceLocation>,
    inlined_at: &'a [SourceLocation],
) -> Option<&'a SourceLocation> {
    let outermost = inlined_at.last();
    source.into_iter().chain(inlined_at).find(|source| is_own(kernel, source, outermost))
}

/// Whether a position is in the program's own source, and not in a library that was inlined there. `outermost` is where
/// it was inlined in the end.
fn is_own(kernel: &str, source: &SourceLocation, outermost: Option<&SourceLocation>) -> bool {
    let library = outermost.is_some_and(|outermost| is_of_other_crate(source, outermost));
    source.line != 0 && !is_of_runtime(kernel, source) && !library
}

/// Whether two positions are in different crates of Rust: their paths differ in the first folder, as builds of device
/// code name crates and the library.
fn is_of_other_crate(one: &SourceLocation, other: &SourceLocation) -> bool {
    let root = |source: &SourceLocation| {
        let inside = source.file.strip_prefix('/').filter(|file| file.ends_with(".rs"))?;
        Some(inside.split('/').next().unwrap_or_default().to_owned())
    };
    matches!((root(one), root(other)), (Some(one), Some(other)) if one != other)
}

/// Whether a position is in the OpenMP runtime: it is written in Rust, and target regions are not.
pub(crate) fn is_of_runtime(kernel: &str, source: &SourceLocation) -> bool {
    TargetRegion::of(kernel).is_some() && source.file.ends_with(".rs")
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(file: &str, line: u32) -> SourceLocation {
        SourceLocation { file: file.into(), line, column: 0, function: None }
    }

    #[test]
    fn the_own_position_is_in_the_crate_that_a_library_is_inlined_into() {
        let own = |positions: &[SourceLocation]| {
            let (source, inlined_at) = positions.split_first().expect("a position");
            own_position("pairs", Some(source), inlined_at).cloned()
        };
        let (library, core) = (at("/device_rt/src/warp.rs", 40), at("/rustc/library/core/src/ptr.rs", 7));
        let (inner, outer) = (at("/pairs/src/inner.rs", 3), at("/pairs/src/lib.rs", 15));
        assert_eq!(own(&[core, library.clone(), inner.clone(), outer]), Some(inner));
        // A function of a library that was not inlined, and one without a position of the program's own.
        assert_eq!(own(std::slice::from_ref(&library)), Some(library.clone()));
        assert_eq!(own(&[library.clone(), at("/pairs/src/lib.rs", 0)]), None);
        // C has no crates.
        let (header, main) = (at("/usr/include/a.h", 1), at("/home/main.c", 2));
        assert_eq!(own(&[header.clone(), main]), Some(header));
    }
}
