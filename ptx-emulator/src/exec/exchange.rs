//! Words that a compare-and-swap exchanges, to change one or two bytes of them.
//!
//! LLVM makes such loops of atomic updates of one or two bytes: the word of 4 bytes around them is loaded, compared and
//! exchanged. Its other bytes may be undefined, or lie beyond the end of the allocation, and stay as they are. The
//! instructions of such a loop are recognised by the registers that they share with the compare-and-swap.

use crate::instruction::{Atomic, AtomicOp, Op};
use crate::program::Program;

/// The compare-and-swap of 4 bytes at a pc.
fn exchange(program: &Program, pc: u32) -> Option<&Atomic> {
    match &program.instruction(pc).op {
        Op::Atomic(atomic) if atomic.op == AtomicOp::Cas && atomic.ty.size() == 4 => Some(atomic),
        _ => None,
    }
}

/// Whether an instruction accesses a word that is exchanged: as the compare-and-swap, or as a load of what that compares
/// first.
pub(super) fn accesses_exchanged_word(program: &Program, pc: u32) -> bool {
    match &program.instruction(pc).op {
        Op::Load(load) => {
            let mut exchanges = program.function_range(pc).filter_map(|pc| exchange(program, pc));
            let of = |atomic: &Atomic| (atomic.address.base, atomic.address.offset);
            exchanges.any(|atomic| of(atomic) == (load.address.base, load.address.offset))
        }
        _ => exchange(program, pc).is_some(),
    }
}

/// Whether an instruction compares what a compare-and-swap returned with what it expected.
pub(super) fn compares_exchanged_word(program: &Program, pc: u32) -> bool {
    let Op::Cmp32(_, _, a, b) = program.instruction(pc).op else { return false };
    let mut exchanges = program.function_range(pc).filter_map(|pc| exchange(program, pc));
    exchanges.any(|atomic| [(a, b), (b, a)].contains(&(atomic.dest, atomic.a)))
}
