//! Operations that only work on registers: each fetches its register planes, applies the meaning that
//! `semantics` gives it to all lanes, and writes the active ones.

use super::lanes::lanes;
use super::state::Frame;
use super::vectors::vectorized;
use crate::instruction::{Carry, Instruction, Logic, Op};
use crate::memory::address_space::{CODE_BASE, WINDOW, classify, space_base};
use crate::module::Constants;
use crate::semantics::{Bin32, Bin64, LANES, Tri32, Wide, select};
use crate::text::types::Space;

vectorized! {
    /// Executes instructions that only work on registers ([`Op::is_on_registers`]), one after the other and whatever their
    /// guards. Returns how many count as instructions.
    pub(super) fn compute(code: &[Instruction], frame: &mut Frame, constants: &Constants, active: u32) -> u64 {
        let mut counted = 0;
        for instruction in code {
            operation(&instruction.op, frame, constants, active);
            counted += u64::from(instruction.counted);
        }
        counted
    }
}

// A table: one arm for each form of operation.
#[inline(always)]
fn operation(op: &Op, frame: &mut Frame, constants: &Constants, active: u32) {
    match *op {
        Op::Un32(op, d, a) => {
            let (a, u) = frame.b32(constants, a);
            let mut out = [0; LANES];
            op.planes(a, &mut out);
            frame.set_b32(d, &out, u, active);
        }
        Op::Un64(op, d, a) => {
            let (a, u) = frame.b64(constants, a);
            let mut out = [0; LANES];
            op.planes(a, &mut out);
            frame.set_b64(d, &out, u, active);
        }
        Op::Widen(op, d, a) => {
            let (a, u) = frame.b32(constants, a);
            let mut out = [0; LANES];
            op.planes(a, &mut out);
            frame.set_b64(d, &out, u, active);
        }
        Op::Narrow(op, d, a) => {
            let (a, u) = frame.b64(constants, a);
            let mut out = [0; LANES];
            op.planes(a, &mut out);
            frame.set_b32(d, &out, u, active);
        }
        Op::Bin32(op, d, a, b) => {
            let ((a, u), (b, v)) = (frame.b32(constants, a), frame.b32(constants, b));
            let mut out = [0; LANES];
            op.planes(a, b, &mut out);
            let mut undefined = u | v;
            if undefined & active != 0 {
                undefined = match op {
                    Bin32::And => undefined_logic(a, u, b, v, 0),
                    Bin32::Or => undefined_logic(a, u, b, v, u32::MAX),
                    // Compilers leave halves undefined that the program never uses.
                    Bin32::Pack16 => u & v,
                    _ => undefined,
                };
            }
            frame.set_b32(d, &out, undefined, active);
        }
        Op::Bin64(op, d, a, b) => {
            let ((a, u), (b, v)) = (frame.b64(constants, a), frame.b64(constants, b));
            let mut out = [0; LANES];
            op.planes(a, b, &mut out);
            let mut undefined = u | v;
            if undefined & active != 0 {
                undefined = match op {
                    Bin64::And => undefined_logic(a, u, b, v, 0),
                    // LLVM packs a word of a struct with padding by a shift and this.
                    Bin64::Or => u & v,
                    _ => undefined,
                };
            }
            frame.set_b64(d, &out, undefined, active);
        }
        Op::Shift64(op, d, a, b) => {
            let ((a, u), (b, v)) = (frame.b64(constants, a), frame.b32(constants, b));
            let mut out = [0; LANES];
            op.planes(a, b, &mut out);
            frame.set_b64(d, &out, u | v, active);
        }
        Op::Wide(op, d, a, b) => {
            let ((a, u), (b, v)) = (frame.b32(constants, a), frame.b32(constants, b));
            let mut out = [0; LANES];
            op.planes(a, b, &mut out);
            let undefined = if op == Wide::Pack { u & v } else { u | v };
            frame.set_b64(d, &out, undefined, active);
        }
        Op::Tri32(op, d, a, b, c) => {
            let ((a, u), (b, v)) = (frame.b32(constants, a), frame.b32(constants, b));
            let (c, x) = frame.b32(constants, c);
            let mut out = [0; LANES];
            op.planes(a, b, c, &mut out);
            // As for packed halves: bytes that the program never uses.
            let undefined = if op == Tri32::Prmt { u & v | x } else { u | v | x };
            frame.set_b32(d, &out, undefined, active);
        }
        Op::Tri64(op, d, a, b, c) => {
            let ((a, u), (b, v)) = (frame.b64(constants, a), frame.b64(constants, b));
            let (c, x) = frame.b64(constants, c);
            let mut out = [0; LANES];
            op.planes(a, b, c, &mut out);
            frame.set_b64(d, &out, u | v | x, active);
        }
        Op::MadWide(op, d, a, b, c) => {
            let ((a, u), (b, v)) = (frame.b32(constants, a), frame.b32(constants, b));
            let (c, x) = frame.b64(constants, c);
            let mut out = [0; LANES];
            op.planes(a, b, c, &mut out);
            frame.set_b64(d, &out, u | v | x, active);
        }
        Op::Quad32(op, d, ref sources) => {
            let [(a, u), (b, v), (c, x), (e, y)] = sources.map(|s| frame.b32(constants, s));
            let mut out = [0; LANES];
            op.planes(a, b, c, e, &mut out);
            frame.set_b32(d, &out, u | v | x | y, active);
        }
        Op::Bfe64(op, d, a, b, c) => {
            let ((a, u), (b, v)) = (frame.b64(constants, a), frame.b32(constants, b));
            let (c, x) = frame.b32(constants, c);
            let mut out = [0; LANES];
            op.planes(a, b, c, &mut out);
            frame.set_b64(d, &out, u | v | x, active);
        }
        Op::Bfi64(op, d, ref sources) => {
            let [a, b, c, e] = **sources;
            let ((a, u), (b, v)) = (frame.b64(constants, a), frame.b64(constants, b));
            let ((c, x), (e, y)) = (frame.b32(constants, c), frame.b32(constants, e));
            let mut out = [0; LANES];
            op.planes(a, b, c, e, &mut out);
            frame.set_b64(d, &out, u | v | x | y, active);
        }
        Op::Carry32(carry, d, a, b) => {
            let ((a, u), (b, v)) = (frame.b32(constants, a), frame.b32(constants, b));
            let mut out = [0; LANES];
            let mut carries = 0;
            for i in 0..LANES {
                let (value, carried) =
                    add_with_carry(u64::from(a[i]), u64::from(b[i]), carry, frame.carry >> i & 1, 32);
                out[i] = value as u32;
                carries |= carried << i;
            }
            let undefined = u | v | if carry.reads { frame.undefined_carry } else { 0 };
            frame.set_b32(d, &out, undefined, active);
            set_carry(frame, carry, carries, undefined, active);
        }
        Op::Carry64(carry, d, a, b) => {
            let ((a, u), (b, v)) = (frame.b64(constants, a), frame.b64(constants, b));
            let mut out = [0; LANES];
            let mut carries = 0;
            for i in 0..LANES {
                let (value, carried) = add_with_carry(a[i], b[i], carry, frame.carry >> i & 1, 64);
                out[i] = value;
                carries |= carried << i;
            }
            let undefined = u | v | if carry.reads { frame.undefined_carry } else { 0 };
            frame.set_b64(d, &out, undefined, active);
            set_carry(frame, carry, carries, undefined, active);
        }
        Op::Cmp32(op, d, a, b) => {
            let ((a, u), (b, v)) = (frame.b32(constants, a), frame.b32(constants, b));
            let out = op.mask(a, b);
            frame.set_pred(d, out, u | v, active);
        }
        Op::Cmp64(op, d, a, b) => {
            let ((a, u), (b, v)) = (frame.b64(constants, a), frame.b64(constants, b));
            let out = op.mask(a, b);
            frame.set_pred(d, out, u | v, active);
        }
        Op::Sel32(d, a, b, p) => {
            let ((a, u), (b, v), (p, x)) = (frame.b32(constants, a), frame.b32(constants, b), frame.pred(p));
            let mut out = *b;
            select(a, p, &mut out);
            frame.set_b32(d, &out, p & u | !p & v | x, active);
        }
        Op::Sel64(d, a, b, p) => {
            let ((a, u), (b, v), (p, x)) = (frame.b64(constants, a), frame.b64(constants, b), frame.pred(p));
            let mut out = *b;
            select(a, p, &mut out);
            frame.set_b64(d, &out, p & u | !p & v | x, active);
        }
        Op::SelPred(d, a, b, p) => {
            let ((a, u), (b, v), (p, x)) = (frame.pred(a), frame.pred(b), frame.pred(p));
            frame.set_pred(d, p & a | !p & b, p & u | !p & v | x, active);
        }
        Op::PredLogic(logic, d, a, b) => {
            let ((a, u), (b, v)) = (frame.pred(a), frame.pred(b));
            // A defined operand that determines the result makes it defined.
            let (out, decided) = match logic {
                Logic::And => (a & b, !a & !u | !b & !v),
                Logic::Or => (a | b, a & !u | b & !v),
                Logic::Xor => (a ^ b, 0),
            };
            // Undefined bits must not affect a determined result.
            let out = match logic {
                Logic::And => out & !(!a & !u | !b & !v),
                Logic::Or => out | decided,
                Logic::Xor => out,
            };
            frame.set_pred(d, out, (u | v) & !decided, active);
        }
        Op::PredNot(d, a) => {
            let (a, u) = frame.pred(a);
            frame.set_pred(d, !a, u, active);
        }
        Op::PredMov(d, a) => {
            let (a, u) = frame.pred(a);
            frame.set_pred(d, a, u, active);
        }
        Op::Convert(ref convert, d, a) => {
            let (source, u) = if convert.from.wide() {
                let (a, u) = frame.b64(constants, a);
                (*a, u)
            } else {
                let (a, u) = frame.b32(constants, a);
                (a.map(u64::from), u)
            };
            let mut out = [0; LANES];
            for i in lanes(active) {
                out[i] = convert.lane(source[i]);
            }
            if convert.to.wide() {
                frame.set_b64(d, &out, u, active);
            } else {
                frame.set_b32(d, &out.map(|v| v as u32), u, active);
            }
        }
        Op::Float(ref float) => {
            let operand = |reg| {
                if float.arith.wide() {
                    let (v, u) = frame.b64(constants, reg);
                    (*v, u)
                } else {
                    let (v, u) = frame.b32(constants, reg);
                    (v.map(u64::from), u)
                }
            };
            let [(a, u), (b, v), (c, x)] = float.sources.map(operand);
            let mut out = [0; LANES];
            for i in lanes(active) {
                out[i] = float.arith.lane(a[i], b[i], c[i]);
            }
            if float.arith.wide() {
                frame.set_b64(float.dest, &out, u | v | x, active);
            } else {
                frame.set_b32(float.dest, &out.map(|v| v as u32), u | v | x, active);
            }
        }
        Op::FrameAddress(d, offset) => {
            let address = u64::from(frame.local_base) + u64::from(offset);
            frame.set_b64(d, &[address; LANES], 0, active);
        }
        Op::Isspacep(space, p, a) => {
            let (a, u) = frame.b64(constants, a);
            let is = |address: u64| match space {
                Space::Global | Space::Const => {
                    classify(address).0 == Space::Global && address.wrapping_sub(CODE_BASE) >= WINDOW
                }
                space => classify(address).0 == space,
            };
            let out = (0..LANES).fold(0, |m, i| m | u32::from(is(a[i])) << i);
            frame.set_pred(p, out, u, active);
        }
        Op::FromGeneric(space, d, a) => {
            let (a, u) = frame.b64(constants, a);
            let out = a.map(|address| address.wrapping_sub(space_base(space)));
            frame.set_b64(d, &out, u, active);
        }
        Op::ToGeneric(space, d, a) => {
            let (a, u) = frame.b64(constants, a);
            let out = a.map(|address| address.wrapping_add(space_base(space)));
            frame.set_b64(d, &out, u, active);
        }
        Op::Nop => {}
        // Not on registers alone: executed by `step`.
        Op::Special(..) | Op::Special64(..) | Op::Alloca(..) | Op::StackSave(_) | Op::StackRestore(_) => {}
        Op::Load(_) | Op::Store(_) | Op::Atomic(_) | Op::Fence(..) | Op::Activemask(_) | Op::Event(_) => {}
        Op::WarpSync(_) | Op::Barrier(_) | Op::Branch(_) | Op::BranchIndex(..) | Op::Call(_) => {}
        Op::Return | Op::Exit | Op::Trap | Op::Breakpoint | Op::Sleep => {}
    }
}

/// The undefined-lane mask of `a & b` or `a | b`: a defined operand that is all zeros (all ones) determines
/// the result.
#[cold]
fn undefined_logic<T: Copy + PartialEq>(a: &[T; LANES], u: u32, b: &[T; LANES], v: u32, decisive: T) -> u32 {
    let equal = |plane: &[T; LANES]| (0..LANES).fold(0, |m, i| m | u32::from(plane[i] == decisive) << i);
    (u | v) & !(equal(a) & !u | equal(b) & !v)
}

/// One lane of an addition or subtraction with carry: the value and the carry out. A borrow is a carry.
fn add_with_carry(a: u64, b: u64, op: Carry, carry: u32, bits: u32) -> (u64, u32) {
    let (a, b) = (i128::from(a), i128::from(b));
    let carry = if op.reads { i128::from(carry) } else { 0 };
    let wide = if op.subtract { a - b - carry } else { a + b + carry };
    (wide as u64, u32::from(wide >> bits != 0))
}

fn set_carry(frame: &mut Frame, op: Carry, carries: u32, undefined: u32, active: u32) {
    if op.writes {
        frame.carry = frame.carry & !active | carries & active;
        frame.undefined_carry = frame.undefined_carry & !active | undefined & active;
    }
}
