//! What becomes of a loaded value, as far as the program says.
//!
//! A read takes part in a race only if its value matters. LLVM loads before loops and branches what only some threads
//! use, and lets all threads compute what one of them stores: the others' values are dropped. So a value counts from
//! the first instruction on that stores it, branches on it, uses it in an address or hands it to others; moving it
//! and computing with it does not count.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::instruction::{
    Address, AddressBase, Atomic, AtomicOp, CONSTANT, CallTarget, Instruction, MemoryAccess, Op, Reg,
    SyncKind,
};
use crate::program::Program;
use crate::registers::{Class, Register, operands};
use crate::semantics::{Bin64, Un64};

/// Instructions after a load among which a compare-and-swap at its address is searched.
const CAS_DISTANCE: u32 = 64;

/// Instructions after a load among which a use that no thread avoids is searched.
const USE_DISTANCE: u32 = 256;

/// An instruction that may use a loaded value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UsePoint {
    pub pc: u32,
    /// Whether the value decides which lanes execute it: then all lanes use it that come there.
    pub by_guard: bool,
}

/// What the instructions of a function read.
#[derive(Clone, Debug, Default)]
pub(super) struct FunctionReads(HashMap<Register, Vec<u32>>);

impl FunctionReads {
    /// Of the instructions of a function.
    pub fn new(program: &Program, instructions: Range<u32>) -> FunctionReads {
        let mut reads = HashMap::<_, Vec<u32>>::new();
        for pc in instructions {
            let instruction = program.instruction(pc);
            for register in sources(&instruction.op).into_iter().chain(guard(instruction)) {
                let all = reads.entry(register).or_default();
                if all.last() != Some(&pc) {
                    all.push(pc);
                }
            }
        }
        FunctionReads(reads)
    }

    /// The instructions that may use what a load brings. Registers count as one variable wherever they are assigned, so
    /// that some of the instructions may use other values.
    pub fn uses(&self, program: &Program, load: &MemoryAccess) -> Vec<UsePoint> {
        let (mut uses, mut known) = (Vec::<UsePoint>::new(), HashSet::new());
        let mut registers = destinations(load);
        while let Some(register) = registers.pop() {
            if !known.insert(register) {
                continue;
            }
            for &pc in self.0.get(&register).into_iter().flatten() {
                let instruction = program.instruction(pc);
                if let Some(dest) = computes(&instruction.op) {
                    registers.push(dest);
                    continue;
                }
                let by_guard = guard(instruction) == Some(register);
                match uses.iter_mut().find(|known| known.pc == pc) {
                    Some(known) => known.by_guard |= by_guard,
                    None => uses.push(UsePoint { pc, by_guard }),
                }
            }
        }
        uses
    }
}

/// Whether every thread that executes a load uses its value, as far as that shows before the next branch.
pub(super) fn is_certainly_used(program: &Program, pc: u32, load: &MemoryAccess) -> bool {
    let mut holders = destinations(load);
    let mut pc = pc + 1;
    for _ in 0..USE_DISTANCE {
        let Some(instruction) = program.linked.code.get(pc as usize) else { return false };
        let guard = guard(instruction);
        let guarded = guard.is_some();
        let by_guard = guard.is_some_and(|guard| holders.contains(&guard));
        let reads = sources(&instruction.op).iter().any(|source| holders.contains(source));
        pc += 1;
        if let Some(dest) = computes(&instruction.op) {
            if reads || by_guard {
                holders.push(dest);
            } else if !guarded {
                holders.retain(|&holder| holder != dest);
            }
            continue;
        }
        if by_guard || reads && !guarded {
            return true;
        }
        match &instruction.op {
            Op::Branch(target) if !guarded => pc = *target,
            Op::Branch(_) | Op::BranchIndex(..) => return false,
            Op::Return | Op::Exit | Op::Trap if !guarded => return false,
            Op::Load(load) if !guarded => {
                let overwritten = destinations(load);
                holders.retain(|holder| !overwritten.contains(holder));
            }
            _ => {}
        }
        if holders.is_empty() {
            return false;
        }
    }
    false
}

/// The registers that a load writes.
pub(crate) fn destinations(load: &MemoryAccess) -> Vec<Register> {
    let class = if load.wide { Class::B64 } else { Class::B32 };
    load.regs[..usize::from(load.count)]
        .iter()
        .filter(|&&reg| is_register(reg))
        .map(|&reg| (class, reg))
        .collect()
}

fn is_register(reg: Reg) -> bool {
    reg & CONSTANT == 0
}

/// The register that an operation computes and does nothing else. What sets the carry is not followed further: it counts
/// as a use.
pub(super) fn computes(op: &Op) -> Option<Register> {
    match op {
        Op::Carry32(carry, ..) | Op::Carry64(carry, ..) if carry.writes => None,
        op => operands(op).map(|(dest, _)| dest),
    }
}

fn guard(instruction: &Instruction) -> Option<Register> {
    instruction.guard.get().map(|(reg, _)| (Class::Pred, reg))
}

/// The registers that an operation reads.
pub(crate) fn sources(op: &Op) -> Vec<Register> {
    use Class::{B32, B64, Pred};
    let base = |address: &Address| match address.base {
        AddressBase::Reg(reg) => Some((B64, reg)),
        AddressBase::Frame | AddressBase::Kernel => None,
    };
    let mut all: Vec<Register> = match op {
        Op::Load(load) => base(&load.address).into_iter().collect(),
        Op::Store(store) => {
            let class = if store.wide { B64 } else { B32 };
            let values = store.regs[..usize::from(store.count)].iter().map(|&reg| (class, reg));
            base(&store.address).into_iter().chain(values).collect()
        }
        Op::Atomic(atomic) => {
            let Atomic { address, op, ty, a, b, .. } = &**atomic;
            let class = if ty.size() > 4 { B64 } else { B32 };
            let swapped = (*op == AtomicOp::Cas).then_some((class, *b));
            base(address).into_iter().chain([(class, *a)]).chain(swapped).collect()
        }
        Op::WarpSync(sync) => {
            let mut all = vec![(B32, sync.mask)];
            match sync.kind {
                SyncKind::Shuffle { value, lane, clamp, .. } => {
                    all.extend([value, lane, clamp].map(|reg| (B32, reg)))
                }
                SyncKind::Vote { value, .. } => all.push((Pred, value)),
                SyncKind::Match { wide, value, .. } => all.push((if wide { B64 } else { B32 }, value)),
                SyncKind::Redux { value, .. } => all.push((B32, value)),
                SyncKind::Product(ref product) => all.extend(product.sources()),
                SyncKind::Barrier | SyncKind::Elect { .. } => {}
            }
            all
        }
        Op::Barrier(barrier) => {
            let count = barrier.count.map(|count| (B32, count));
            [(B32, barrier.id), (Pred, barrier.predicate)].into_iter().chain(count).collect()
        }
        Op::BranchIndex(index, _) => vec![(B32, *index)],
        Op::Call(call) => match call.target {
            CallTarget::Pointer(reg) => vec![(B64, reg)],
            CallTarget::Function(_) => Vec::new(),
        },
        Op::Alloca(_, size, _) => vec![(B64, *size)],
        Op::StackRestore(from) => vec![(B64, *from)],
        op => operands(op).into_iter().flat_map(|(_, sources)| sources.into_iter().flatten()).collect(),
    };
    all.retain(|&(_, reg)| is_register(reg));
    all
}

/// Whether an instruction is a compare-and-swap, or a load that only gives a loop around one its first guess. So LLVM's
/// atomics of one or two bytes, and of operations that hardware does not have, begin: another thread's atomic in between
/// is harmless.
pub(super) fn swaps(program: &Program, pc: u32) -> bool {
    let code = &program.linked.code;
    let load = match &code[pc as usize].op {
        Op::Atomic(atomic) => return atomic.op == AtomicOp::Cas,
        Op::Load(load) => load,
        _ => return false,
    };
    let Some((base, offset)) = origin_of_address(program, pc, &load.address) else { return false };
    let size = i64::from(load.ty.size() * u32::from(load.count));
    let later = (pc + 1..).zip(code.iter().skip(pc as usize + 1)).take(CAS_DISTANCE as usize);
    let mut swaps = later.filter_map(|(pc, instruction)| match &instruction.op {
        Op::Atomic(atomic) if atomic.op == AtomicOp::Cas => Some((pc, atomic)),
        _ => None,
    });
    // LLVM loads only the part of the word that it does not know.
    let holds =
        |at: i64, swapped: i64| at <= offset && offset.saturating_add(size) <= at.saturating_add(swapped);
    swaps.any(|(pc, atomic)| {
        origin_of_address(program, pc, &atomic.address)
            .is_some_and(|(swapped, at)| swapped == base && holds(at, atomic.ty.size().into()))
    })
}

/// The register that an address comes from, through the copies and additions that unoptimised code has before it, and
/// the offset from there.
fn origin_of_address(program: &Program, pc: u32, address: &Address) -> Option<(Reg, i64)> {
    let AddressBase::Reg(mut base) = address.base else { return None };
    let mut offset = address.offset;
    let before = program.linked.code[..pc as usize].iter().rev().take(CAS_DISTANCE as usize);
    for instruction in before {
        match instruction.op {
            Op::Un64(Un64::Mov, to, from) if to == base => base = from,
            Op::Bin64(Bin64::Add, to, from, by) if to == base && by & CONSTANT != 0 => {
                let by = program.linked.constants64.get((by & !CONSTANT) as usize)?;
                offset = by.symbol.is_none().then(|| offset.wrapping_add(by.value as i64))?;
                base = from;
            }
            _ => {}
        }
    }
    Some((base, offset))
}
