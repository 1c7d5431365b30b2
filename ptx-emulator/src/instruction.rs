//! The decoded instruction set: registers are numbered, labels and symbols are resolved.

use crate::memory::{MemoryOrder, Scope};
use crate::semantics::compare::{Cmp32, Cmp64};
use crate::semantics::convert::Convert;
use crate::semantics::general_float::FloatArithmetic;
use crate::semantics::matrix::Shape;
use crate::semantics::{
    Bfe64, Bfi64, Bin32, Bin64, MadWide, Narrow, Quad32, Shift64, Tri32, Tri64, Un32, Un64, Wide, Widen,
};
use crate::text::types::{Space, Type};

/// The number of a register in its class or, with [`CONSTANT`] set, the index of a constant of that class.
pub(crate) type Reg = u32;
/// Marks a [`Reg`] that is a constant.
pub(crate) const CONSTANT: u32 = 1 << 31;
/// The predicate constant that is false in all lanes; [`TRUE`] follows it.
pub(crate) const FALSE: u32 = CONSTANT;
/// The predicate constant that is true in all lanes.
pub(crate) const TRUE: u32 = CONSTANT | 1;
/// In place of a destination: the result is discarded.
pub(crate) const SINK: u32 = u32::MAX;

/// An instruction and its guard.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub op: Op,
    pub guard: Guard,
    /// Whether it counts as an instruction; false for the helper operations of a PTX instruction that needs
    /// several.
    pub counted: bool,
    /// Whether a basic block begins here: a branch may lead here, or lanes may wait here, or go on from here as a group
    /// of their own. Set by [`mark_blocks`], as is the next.
    pub leads: bool,
    /// How many instructions of the same basic block from this one on, in the order of the code, only work on registers
    /// and have no guard; at most 2^16 - 1.
    pub run: u16,
}

/// Sets [`Instruction::leads`] and [`Instruction::run`] in all of a program's code; `starts` are the first instructions
/// of its functions.
pub(crate) fn mark_blocks(code: &mut [Instruction], starts: impl Iterator<Item = u32>) {
    let mut leaders: Vec<u32> = starts.collect();
    for (pc, instruction) in (0..).zip(&*code) {
        match &instruction.op {
            Op::Branch(target) => leaders.push(*target),
            Op::BranchIndex(_, targets) => leaders.extend(&targets[..]),
            _ => {}
        }
        if instruction.op.ends_block() {
            leaders.push(pc + 1);
        }
        if instruction.op.needs_whole_group() {
            leaders.push(pc);
        }
    }
    for leader in leaders {
        if let Some(instruction) = code.get_mut(leader as usize) {
            instruction.leads = true;
        }
    }
    let (mut run, mut next_leads) = (0u16, false);
    for instruction in code.iter_mut().rev() {
        let plain = instruction.guard == Guard::NONE && instruction.op.is_on_registers();
        let rest = if next_leads { 0 } else { run };
        run = if plain { rest.saturating_add(1) } else { 0 };
        (instruction.run, next_leads) = (run, instruction.leads);
    }
}

/// A guard predicate: 0 is none, otherwise twice the register plus two, plus one if negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guard(pub u32);

impl Guard {
    pub const NONE: Guard = Guard(0);

    pub fn new(reg: Reg, negated: bool) -> Guard {
        Guard((reg + 1) * 2 + u32::from(negated))
    }

    /// Register and negation.
    #[inline]
    pub fn get(self) -> Option<(u32, bool)> {
        (self.0 != 0).then(|| (self.0 / 2 - 1, self.0 & 1 != 0))
    }
}

/// How predicates combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logic {
    And,
    Or,
    Xor,
}

/// Special registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpecialRegister {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    LaneId,
    WarpId,
    NwarpId,
    SmId,
    NsmId,
    GridId,
    MaskEq,
    MaskLt,
    MaskLe,
    MaskGt,
    MaskGe,
    Clock,
    ClockHigh,
    GlobalTimer,
    GlobalTimerHigh,
    DynamicShared,
    TotalShared,
    /// The upper and the lower half of the address where the blocks of a cooperative launch meet.
    MeetingHigh,
    MeetingLow,
    Zero,
    One,
}

/// Where an address comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressBase {
    /// A 64-bit register or constant.
    Reg(Reg),
    /// The function's own frame in local memory: parameters, depot, call arguments.
    Frame,
    /// The kernel's parameter block.
    Kernel,
}

/// An address operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub space: Space,
    pub base: AddressBase,
    pub offset: i64,
}

/// A load or store.
#[derive(Clone, Debug)]
pub(crate) struct MemoryAccess {
    pub address: Address,
    /// Type of one element in memory.
    pub ty: Type,
    /// Elements: 1, 2, 4 or 8.
    pub count: u8,
    /// Whether the registers are 64 bits wide.
    pub wide: bool,
    /// Bytes of a register that a loaded value is extended to: 2, 4 or 8.
    pub extend: u8,
    pub order: MemoryOrder,
    pub scope: Scope,
    pub regs: [Reg; 8],
}

/// What an atomic operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicOp {
    Add,
    /// Addition of single or double precision.
    AddF,
    /// Any other arithmetic of floats.
    Float(FloatArithmetic),
    Inc,
    Dec,
    And,
    Or,
    Xor,
    MinU,
    MaxU,
    MinS,
    MaxS,
    Exchange,
    Cas,
}

/// An atomic read-modify-write.
#[derive(Clone, Debug)]
pub(crate) struct Atomic {
    pub address: Address,
    /// The alignment of the address: the size of the value, or of the vector it is part of.
    pub align: u8,
    pub op: AtomicOp,
    pub ty: Type,
    /// Where the old value goes; [`SINK`] for `red`.
    pub dest: Reg,
    pub a: Reg,
    /// The new value of a compare-and-swap.
    pub b: Reg,
    pub order: MemoryOrder,
    pub scope: Scope,
}

/// Kinds of shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShuffleMode {
    Up,
    Down,
    Butterfly,
    Index,
}

/// Kinds of vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VoteMode {
    All,
    Any,
    Uniform,
    Ballot,
}

/// Kinds of `redux.sync`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReduxOp {
    Add,
    MinU,
    MaxU,
    MinS,
    MaxS,
    And,
    Or,
    Xor,
    /// A minimum or maximum of single precision.
    Extreme {
        greatest: bool,
        abs: bool,
        nan: bool,
    },
}

/// A `.sync` instruction of a warp, which waits for the lanes of its mask.
#[derive(Clone, Debug)]
pub(crate) struct WarpSync {
    pub mask: Reg,
    pub kind: SyncKind,
}

/// What a `.sync` instruction of a warp does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SyncKind {
    Barrier,
    Shuffle { mode: ShuffleMode, dest: Reg, valid: Reg, value: Reg, lane: Reg, clamp: Reg },
    Vote { mode: VoteMode, dest: Reg, value: Reg, negated: bool },
    Match { all: bool, wide: bool, dest: Reg, valid: Reg, value: Reg },
    Redux { op: ReduxOp, dest: Reg, value: Reg },
    Elect { dest: Reg, elected: Reg },
    Product(Box<MatrixProduct>),
}

/// A product of matrices, and the registers of their elements.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MatrixProduct {
    pub shape: Shape,
    pub dest: Box<[Reg]>,
    pub a: Box<[Reg]>,
    pub b: Box<[Reg]>,
    pub c: Box<[Reg]>,
}

impl SyncKind {
    /// Whether lanes at the two instructions synchronise with each other: same operation and qualifiers.
    pub fn meets(&self, other: &SyncKind) -> bool {
        use SyncKind::*;
        match (self, other) {
            (Barrier, Barrier) | (Elect { .. }, Elect { .. }) => true,
            (Shuffle { mode: a, .. }, Shuffle { mode: b, .. }) => a == b,
            (Vote { mode: a, .. }, Vote { mode: b, .. }) => a == b,
            (Match { all: a, wide: v, .. }, Match { all: b, wide: w, .. }) => a == b && v == w,
            (Redux { op: a, .. }, Redux { op: b, .. }) => a == b,
            (Product(a), Product(b)) => a == b,
            _ => false,
        }
    }
}

/// What a block barrier does and returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarrierKind {
    /// Wait.
    Sync,
    /// Arrive without waiting.
    Arrive,
    /// Wait and count the true predicates.
    Popc,
    /// Wait and take the conjunction.
    And,
    /// Wait and take the disjunction.
    Or,
    /// Arrive at the barrier of the cluster, which is one block.
    ClusterArrive,
    /// Wait until the phase of the cluster's barrier that was arrived at is complete.
    ClusterWait,
}

/// A block barrier.
#[derive(Clone, Debug)]
pub(crate) struct Barrier {
    pub kind: BarrierKind,
    /// Whether whole warps must arrive together.
    pub aligned: bool,
    pub id: Reg,
    /// Threads expected, or all of the block.
    pub count: Option<Reg>,
    /// Result register: 32 bits for [`BarrierKind::Popc`], else a predicate.
    pub dest: Reg,
    pub predicate: Reg,
    pub negated: bool,
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub target: CallTarget,
    /// Frame offset in the caller and size of each argument, in order.
    pub arguments: Vec<(u32, u32)>,
    /// As the arguments, for results.
    pub returns: Vec<(u32, u32)>,
}

/// The callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallTarget {
    /// A function, by index.
    Function(u32),
    /// The function whose address is in a register.
    Pointer(Reg),
}

/// Additions and subtractions that read or write the carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Carry {
    pub subtract: bool,
    pub reads: bool,
    pub writes: bool,
}

/// Float arithmetic of the general path; unused operands repeat the first.
#[derive(Clone, Debug)]
pub(crate) struct GeneralFloat {
    pub arith: FloatArithmetic,
    pub dest: Reg,
    pub sources: [Reg; 3],
}

/// An operation.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Un32(Un32, Reg, Reg),
    Un64(Un64, Reg, Reg),
    Widen(Widen, Reg, Reg),
    Narrow(Narrow, Reg, Reg),
    Bin32(Bin32, Reg, Reg, Reg),
    Bin64(Bin64, Reg, Reg, Reg),
    Shift64(Shift64, Reg, Reg, Reg),
    Wide(Wide, Reg, Reg, Reg),
    Tri32(Tri32, Reg, Reg, Reg, Reg),
    Tri64(Tri64, Reg, Reg, Reg, Reg),
    MadWide(MadWide, Reg, Reg, Reg, Reg),
    Quad32(Quad32, Reg, Box<[Reg; 4]>),
    Bfe64(Bfe64, Reg, Reg, Reg, Reg),
    Bfi64(Bfi64, Reg, Box<[Reg; 4]>),
    Float(Box<GeneralFloat>),
    Carry32(Carry, Reg, Reg, Reg),
    Carry64(Carry, Reg, Reg, Reg),
    Cmp32(Cmp32, Reg, Reg, Reg),
    Cmp64(Cmp64, Reg, Reg, Reg),
    Sel32(Reg, Reg, Reg, Reg),
    Sel64(Reg, Reg, Reg, Reg),
    SelPred(Reg, Reg, Reg, Reg),
    PredLogic(Logic, Reg, Reg, Reg),
    PredNot(Reg, Reg),
    PredMov(Reg, Reg),
    /// Destination and source, each 32 or 64 bits wide as the sizes of the types say.
    Convert(Box<Convert>, Reg, Reg),
    Special(SpecialRegister, Reg),
    /// As [`Op::Special`], into a 64-bit register.
    Special64(SpecialRegister, Reg),
    /// The address in local memory of a byte of the frame.
    FrameAddress(Reg, u32),
    Alloca(Reg, Reg, u32),
    StackSave(Reg),
    StackRestore(Reg),
    Isspacep(Space, Reg, Reg),
    /// Generic address to an address of a space.
    FromGeneric(Space, Reg, Reg),
    /// Address of a space to a generic address.
    ToGeneric(Space, Reg, Reg),
    Load(Box<MemoryAccess>),
    Store(Box<MemoryAccess>),
    Atomic(Box<Atomic>),
    Fence(MemoryOrder, Scope),
    Activemask(Reg),
    /// Profiler events, one for each bit.
    Event(u16),
    WarpSync(Box<WarpSync>),
    Barrier(Box<Barrier>),
    Branch(u32),
    BranchIndex(Reg, Box<[u32]>),
    Call(Box<Call>),
    Return,
    Exit,
    Trap,
    Breakpoint,
    /// Ends the turn of the warp.
    Sleep,
    Nop,
}

impl Op {
    /// Whether it only works on registers of the own frame, which `exec::compute` does. All others are executed by
    /// `exec::step`.
    pub fn is_on_registers(&self) -> bool {
        use Op::*;
        match self {
            Un32(..) | Un64(..) | Widen(..) | Narrow(..) | Bin32(..) | Bin64(..) | Shift64(..) | Wide(..) => {
                true
            }
            Tri32(..) | Tri64(..) | MadWide(..) | Quad32(..) | Bfe64(..) | Bfi64(..) | Float(_) => true,
            Carry32(..) | Carry64(..) | Cmp32(..) | Cmp64(..) | Sel32(..) | Sel64(..) | SelPred(..) => true,
            PredLogic(..) | PredNot(..) | PredMov(..) | Convert(..) | FrameAddress(..) => true,
            Isspacep(..) | FromGeneric(..) | ToGeneric(..) | Nop => true,
            Special(..) | Special64(..) | Alloca(..) | StackSave(_) | StackRestore(_) => false,
            Load(_) | Store(_) | Atomic(_) | Fence(..) | Activemask(_) | Event(_) => false,
            WarpSync(_) | Barrier(_) | Branch(_) | BranchIndex(..) | Call(_) | Return | Exit => false,
            Trap | Breakpoint | Sleep => false,
        }
    }

    /// Whether a basic block ends with the operation: lanes may wait there, or not go on with the next one.
    fn ends_block(&self) -> bool {
        self.needs_whole_group() || matches!(self, Op::Branch(_) | Op::Sleep | Op::Trap | Op::Breakpoint)
    }

    /// Whether lanes whose guard is false must be split off before the operation runs.
    pub fn needs_whole_group(&self) -> bool {
        matches!(self, Op::WarpSync(_) | Op::Barrier(_) | Op::Return | Op::Exit | Op::Call(_))
            || matches!(self, Op::BranchIndex(..))
    }
}
