//! Which bits of registers are undefined, for checks of uninitialised memory.
//!
//! Without checks an undefined value is one bit per lane and register, and a store of it to global memory is a fault. (In shared memory
//! blocks exchange tiles of which parts are not set, and not used.) With checks every bit counts, so that a word with the padding of a struct may be loaded, taken apart and
//! stored. What an operation makes of undefined bits is found by executing it several times, with these bits zero, one
//! and mixed: the bits of the result that differ are undefined. So there is no second table of all operations.

use super::compute::compute;
use super::exchange::compares_exchanged_word;
use super::lanes::lanes;
use super::state::Frame;

use super::vectors::Vectors;
use crate::instruction::{CONSTANT, Op, Reg};
use crate::module::Constants;
use crate::observer::{Origin, UndefinedSource};
use crate::program::Program;
use crate::registers::{Class, Register, operands};
use crate::semantics::{Bin32, Bin64, LANES, Plane32, Plane64, Quad32, Shift64, Tri32, Un32, Un64, Wide};

/// In place of undefined bits.
const PATTERNS: [u64; 4] = [0, u64::MAX, 0x5555_5555_5555_5555, 0xc3a5_9696_3c5a_6969];

/// Whether an operation moves bits, and computes nothing.
fn moves_bits(op: &Op) -> bool {
    match *op {
        Op::Un32(op, ..) => matches!(
            op,
            Un32::Mov
                | Un32::Sext8
                | Un32::Sext8To16
                | Un32::Sext16
                | Un32::Zext8
                | Un32::Zext16
                | Un32::High16
        ),
        Op::Un64(op, ..) => op == Un64::Mov,
        Op::Widen(..) | Op::Narrow(..) | Op::Sel32(..) | Op::Sel64(..) | Op::Bfe64(..) | Op::Bfi64(..) => {
            true
        }
        Op::PredMov(..) | Op::SelPred(..) => true,
        Op::Bin32(op, ..) => matches!(
            op,
            Bin32::And
                | Bin32::Or
                | Bin32::Xor
                | Bin32::Shl
                | Bin32::ShrU
                | Bin32::ShrS
                | Bin32::Shl16
                | Bin32::ShrS16
                | Bin32::Pack16
        ),
        Op::Bin64(op, ..) => matches!(op, Bin64::And | Bin64::Or | Bin64::Xor),
        Op::Shift64(op, ..) => matches!(op, Shift64::Shl | Shift64::ShrU | Shift64::ShrS),
        Op::Wide(op, ..) => op == Wide::Pack,
        Op::Tri32(op, ..) => matches!(
            op,
            Tri32::Prmt
                | Tri32::ShfLWrap
                | Tri32::ShfLClamp
                | Tri32::ShfRWrap
                | Tri32::ShfRClamp
                | Tri32::BfeU
        ),
        Op::Quad32(op, ..) => matches!(op, Quad32::Lop3 | Quad32::Bfi),
        Op::Convert(ref convert, ..) => convert.moves_bits(),
        _ => false,
    }
}

/// As [`compute`], with every undefined bit of the sources taken into account.
pub(super) fn compute_bits(
    vectors: Vectors,
    program: &Program,
    pc: u32,
    frame: &mut Frame,
    constants: &Constants,
    active: u32,
) {
    let instruction = program.instruction(pc);
    let op = &instruction.op;
    let execute = |frame: &mut Frame| {
        compute(vectors, std::slice::from_ref(instruction), frame, constants, active);
    };
    let Some((dest, sources)) = operands(op) else { return execute(frame) };
    let any = sources.iter().flatten().fold(0, |any, &source| any | frame.undefined_lanes(constants, source));
    if any & active == 0 {
        execute(frame);
        return;
    }
    let undefined = any & active;
    let mut origin = None;
    let mut computed = if moves_bits(op) { 0 } else { undefined };
    for &source in sources.iter().flatten() {
        if let Some(known) = frame.undefined_bits(source) {
            computed |= known.computed & frame.undefined_lanes(constants, source) & active;
            origin = origin.or(known.origin);
        }
    }
    if computed != 0 {
        // A register that was never assigned has no origin yet.
        let known = origin.unwrap_or(Origin { pc, from: UndefinedSource::Register, computed: None });
        origin = Some(Origin { computed: known.computed.or(Some(pc)), ..known });
    }
    if dest.0 == Class::Pred || sources.iter().flatten().any(|source| source.0 == Class::Pred) {
        // A predicate has one bit, for which `compute` is exact.
        execute(frame);
        let lanes = frame.undefined_lanes(constants, dest) & active;
        if lanes != 0 {
            let bits = match op {
                Op::Sel32(_, a, b, p) | Op::Sel64(_, a, b, p) => {
                    let ((p, unknown), class) = (frame.pred(*p), dest.0);
                    let (a, b) =
                        (frame.bits_of(constants, (class, *a)), frame.bits_of(constants, (class, *b)));
                    std::array::from_fn(|i| match (unknown >> i & 1 != 0, p >> i & 1 != 0) {
                        (true, _) => u64::MAX,
                        (_, true) => a[i],
                        (_, false) => b[i],
                    })
                }
                // Both sides are the same word: bits that are undefined in both are the same, too.
                Op::Cmp32(_, _, a, b) if compares_exchanged_word(program, pc) => {
                    let side = |reg| frame.bits_of(constants, (Class::B32, reg));
                    let (a, b) = (side(*a), side(*b));
                    std::array::from_fn(|i| a[i] ^ b[i])
                }
                _ => [u64::MAX; LANES],
            };
            let bits = std::array::from_fn(|i| if lanes >> i & 1 != 0 { bits[i] } else { 0 });
            frame.set_undefined(dest, &bits, active, computed, origin);
        }
        return;
    }
    let bits: [Option<(Register, Plane64)>; 4] =
        sources.map(|source| source.map(|source| (source, frame.bits_of(constants, source))));
    let saved = sources.map(|source| source.map(|(class, reg)| frame.plane(constants, class, reg)));
    let carry = (frame.carry, frame.undefined_carry);
    let mut differ = [0u64; LANES];
    let mut first: Plane64 = [0; LANES];
    for (n, pattern) in PATTERNS.into_iter().enumerate() {
        for (source, value) in bits.iter().zip(&saved) {
            if let (Some(((class, reg), bits)), Some(value)) = (source, value)
                && reg & CONSTANT == 0
            {
                let filled: Plane64 = std::array::from_fn(|i| value[i] & !bits[i] | pattern & bits[i]);
                frame.set_plane(*class, *reg, &filled);
            }
        }
        (frame.carry, frame.undefined_carry) = carry;
        execute(frame);
        let out = frame.plane(constants, dest.0, dest.1);
        match n {
            0 => first = out,
            _ => lanes(active).for_each(|i| differ[i] |= out[i] ^ first[i]),
        }
    }
    // The sources as they were, and the result of the values that they really have.
    for (source, value) in sources.iter().zip(&saved) {
        if let (Some((class, reg)), Some(value)) = (source, value)
            && reg & CONSTANT == 0
        {
            frame.set_plane(*class, *reg, value);
        }
    }
    (frame.carry, frame.undefined_carry) = carry;
    execute(frame);
    frame.set_undefined(dest, &differ, active, computed, origin);
}

impl Frame {
    /// The lanes in which a register is undefined.
    pub(crate) fn undefined_lanes(&self, constants: &Constants, (class, reg): Register) -> u32 {
        match class {
            Class::B32 => self.b32(constants, reg).1,
            Class::B64 => self.b64(constants, reg).1,
            Class::Pred => self.pred(reg).1,
        }
    }

    /// The undefined bits of a register in each lane.
    pub(crate) fn bits_of(&self, constants: &Constants, register: Register) -> Plane64 {
        let undefined = self.undefined_lanes(constants, register);
        let all = if register.0 == Class::B64 { u64::MAX } else { u64::from(u32::MAX) };
        let known = self.undefined_bits(register);
        std::array::from_fn(|i| match (undefined >> i & 1, known) {
            (0, _) => 0,
            (_, Some(known)) => known.bits[i] & all,
            (_, None) => all,
        })
    }

    fn plane(&self, constants: &Constants, class: Class, reg: Reg) -> Plane64 {
        match class {
            Class::B32 => self.b32(constants, reg).0.map(u64::from),
            Class::B64 => *self.b64(constants, reg).0,
            Class::Pred => [0; LANES],
        }
    }

    /// Sets the values of a register in all lanes.
    fn set_plane(&mut self, class: Class, reg: Reg, value: &Plane64) {
        match class {
            Class::B32 => {
                let narrow: Plane32 = value.map(|v| v as u32);
                self.replace_b32(reg, &narrow);
            }
            Class::B64 => self.replace_b64(reg, value),
            Class::Pred => {}
        }
    }
}
