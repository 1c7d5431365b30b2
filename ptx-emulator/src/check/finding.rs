//! What the checks find.

use std::sync::Arc;

use super::values::{UsePoint, computes, destinations, sources};
use crate::fault::CodeLocation;
use crate::fault::own_position;
use crate::instruction::Op;
use crate::observer::AccessKind;
use crate::program::Program;
use crate::source::SourceLocation;
use crate::target_region::TargetRegion;
use crate::text::printable;
use crate::text::types::Space;

/// The most instructions before one of the runtime among which a position of the program's own is searched.
const MAX_STEPS_BACK: usize = 4096;

/// The most instructions behind a load among which one that uses its value is searched.
const MAX_STEPS_TO_USE: usize = 1024;

/// The kinds of mistakes that the checks find. Other mistakes end a launch with a [`Fault`](crate::Fault).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum FindingKind {
    /// Two accesses to the same bytes, at least one of them a write, that nothing orders and that are not both
    /// atomic.
    DataRace,
    /// A value is copied to the host that was computed from bytes that nobody wrote, or from a register that was never
    /// assigned.
    Uninitialised,
    /// A value is copied to the host that comes from a lane which took no part in a shuffle.
    UndefinedLane,
}

/// One of the two accesses of a race.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Side {
    /// What it does: `read`, `write` or `atomic`; `computation` where an undefined value was computed with.
    pub access: &'static str,
    /// Whether it is strong in the sense of PTX: atomic, volatile, relaxed, acquire or release.
    pub strong: bool,
    /// Whether its scope is the block only.
    pub block_scope: bool,
    /// The kernel, or what the host did.
    pub operation: String,
    /// Which launch or host operation it was, from 1.
    pub operation_number: u64,
    /// The block; none for the host.
    pub block: Option<[u32; 3]>,
    /// The thread in its block.
    pub thread: Option<[u32; 3]>,
    /// The instruction; none for the host.
    pub place: Option<CodeLocation>,
    /// The position in the program's own source: the instruction's, or where that was inlined.
    pub source: Option<SourceLocation>,
    /// The text of that line, if the host has added it.
    pub source_text: Option<String>,
}

/// A mistake that the checks have found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// The state space, `global` or `shared`.
    pub space: &'static str,
    /// The address: in shared memory an offset from the start of the block's.
    pub address: u64,
    /// Bytes of the access that showed it.
    pub bytes: u32,
    /// The accesses; that of a race which was executed last comes last.
    pub sides: Vec<Side>,
    /// How often it was found at these instructions.
    pub count: u64,
    /// What the memory is called, if the host has added it.
    pub memory: Option<String>,
    /// Whether the order of the two is not known for certain: there was no memory to tell the readers of the location one
    /// from the other.
    pub possible: bool,
    /// Whether the value comes from a register that was never assigned, and from no memory.
    pub unassigned: bool,
    /// The parameters of the last side's kernel that may be addresses: index and value; and how many it has in all.
    pub parameters: (Vec<(u32, u64)>, u32),
}

impl Finding {
    /// The parameters of the last side's kernel that point into a range of addresses, and how many it has in all; none
    /// for the host.
    pub fn parameters_at(&self, base: u64, bytes: u64) -> Option<(Vec<u32>, u32)> {
        let (parameters, count) = &self.parameters;
        let inside = parameters.iter().filter(|(_, value)| value.wrapping_sub(base) < bytes);
        (*count > 0).then(|| (inside.map(|&(number, _)| number).collect(), *count))
    }
}

/// An instruction that accesses memory.
#[derive(Clone, Debug)]
pub(super) struct SiteInfo {
    pub program: Option<Arc<Program>>,
    pub pc: u32,
    pub kind: AccessKind,
    pub strong: bool,
    pub block_scope: bool,
    /// A compare-and-swap, or a load for one.
    pub swaps: bool,
    pub size: u32,
    /// Where the value of a load may be used, if some threads may not use it; otherwise `None`.
    pub used_at: Option<Box<[UsePoint]>>,
}

impl SiteInfo {
    /// Whether every thread that comes here uses what it reads, or it is no plain read.
    #[inline]
    pub fn is_used(&self) -> bool {
        self.used_at.is_none()
    }

    /// The location of the instruction.
    pub fn place(&self) -> Option<CodeLocation> {
        let program = self.program.as_deref()?;
        let (line, text) = program.instruction_text(self.pc);
        let (source, inlined_at) = program.source(self.pc);
        let functions = program.linked.functions.iter().filter(|f| f.defined && f.start <= self.pc);
        let function = functions.max_by_key(|f| f.start).map(|f| f.name.clone()).unwrap_or_default();
        let text = printable(&text.split_whitespace().collect::<Vec<_>>().join(" "));
        let unit = program.unit_name(self.pc).map(str::to_owned);
        Some(CodeLocation { function, unit, line, text, source, inlined_at })
    }

    /// The position of the instruction in the program's own source, or of the last one before it that has any. LLVM moves
    /// loads to the beginning of a target region, where they have its line: then the position of what uses the value.
    pub fn own_source(&self, kernel: &str) -> Option<SourceLocation> {
        let program = self.program.as_deref()?;
        let own = |pc: u32| {
            let (source, inlined_at) = program.source(pc);
            own_position(kernel, source.as_ref(), &inlined_at).cloned()
        };
        let range = program.function_range(self.pc);
        let source = (range.start..=self.pc).rev().take(MAX_STEPS_BACK).find_map(own)?;
        let region = TargetRegion::of(kernel).map(|region| region.line);
        let Op::Load(load) = &program.instruction(self.pc).op else { return Some(source) };
        if region != Some(source.line) {
            return Some(source);
        }
        let mut registers = destinations(load);
        let inside = (self.pc + 1..range.end).take(MAX_STEPS_TO_USE).find_map(|pc| {
            let op = &program.instruction(pc).op;
            if !sources(op).iter().any(|source| registers.contains(source)) {
                return None;
            }
            registers.extend(computes(op));
            own(pc).filter(|used| used.file == source.file && Some(used.line) != region)
        });
        Some(inside.unwrap_or(source))
    }

    /// What the instruction does, for a person.
    pub fn access(&self) -> &'static str {
        match self.kind {
            AccessKind::Load => "read",
            AccessKind::Store => "write",
            AccessKind::Atomic => "atomic",
        }
    }
}

/// The name of a state space.
pub(super) fn space_name(space: Space) -> &'static str {
    if space == Space::Shared { "shared" } else { "global" }
}
