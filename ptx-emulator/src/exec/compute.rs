//! Operations that only work on registers: each fetches its register planes, applies the meaning that
//! `semantics` gives it to all lanes, and writes the active ones.

use std::slice;

use super::lanes::lanes;
use super::state::{Frame, Operands};
use super::vectors::{Vectors, vectorized};
use crate::instruction::{Carry, Instruction, Logic, Op, Reg};
use crate::memory::address_space::{CODE_BASE, WINDOW, classify, space_base};
use crate::module::Constants;
use crate::registers::Class;
use crate::semantics::{Bin32, Bin64, LANES, Tri32, Wide, select};
use crate::text::types::Space;

/// Executes instructions that only work on registers ([`Op::is_on_registers`]), one after the other and whatever their
/// guards. Returns how many count as instructions.
#[inline]
pub(super) fn compute(
    vectors: Vectors,
    code: &[Instruction],
    frame: &mut Frame,
    constants: &Constants,
    active: u32,
) -> u64 {
    match active.is_power_of_two() {
        true => compute_in_one(code, frame, constants, active),
        false => compute_in_all(vectors, code, frame, constants, active),
    }
}

vectorized! {
    fn compute_in_all(code: &[Instruction], frame: &mut Frame, constants: &Constants, active: u32) -> u64 {
        in_order(code, &mut Registers::<LANES> { frame, constants, first: 0, active, one32: 0, one64: 0 })
    }
}

/// In one lane: all lanes would take several times as long.
#[inline(never)]
fn compute_in_one(code: &[Instruction], frame: &mut Frame, constants: &Constants, active: u32) -> u64 {
    let first = active.trailing_zeros() as usize;
    in_order(code, &mut Registers::<1> { frame, constants, first, active, one32: 0, one64: 0 })
}

#[inline(always)]
fn in_order<const N: usize>(code: &[Instruction], registers: &mut Registers<'_, N>) -> u64 {
    let mut counted = 0;
    for instruction in code {
        operation(&instruction.op, registers);
        counted += u64::from(instruction.counted);
    }
    counted
}

/// The registers of a frame in `N` lanes: in all, or in one. Their masks begin with the first of these lanes.
struct Registers<'a, const N: usize> {
    frame: &'a mut Frame,
    constants: &'a Constants,
    first: usize,
    /// The lanes of the warp that write what they have computed.
    active: u32,
    /// The result of an operation in one lane. In memory of the frame, with the checks that belong to it, it takes a third
    /// longer.
    one32: u32,
    one64: u64,
}

impl<const N: usize> Registers<'_, N> {
    /// The number of the first lane.
    #[inline(always)]
    fn first(&self) -> usize {
        if N == LANES { 0 } else { self.first }
    }

    #[inline(always)]
    fn active(&self) -> u32 {
        self.active >> self.first()
    }

    /// The operands of an operation that has no plane as its result.
    #[inline(always)]
    fn operands(&self) -> LaneOperands<'_, N> {
        LaneOperands { all: self.frame.operands(self.constants), first: self.first() }
    }

    /// The operands of an operation, and where to put its result of 32 bits.
    #[inline(always)]
    fn into32(&mut self) -> (LaneOperands<'_, N>, &mut [u32; N]) {
        let first = self.first();
        if N == LANES {
            let (all, result) = self.frame.operands_and_result32(self.constants);
            return (LaneOperands { all, first }, lanes_for(result));
        }
        let all = self.frame.operands(self.constants);
        (LaneOperands { all, first }, lanes_for(slice::from_mut(&mut self.one32)))
    }

    /// As [`Registers::into32`], of 64 bits.
    #[inline(always)]
    fn into64(&mut self) -> (LaneOperands<'_, N>, &mut [u64; N]) {
        let first = self.first();
        if N == LANES {
            let (all, result) = self.frame.operands_and_result64(self.constants);
            return (LaneOperands { all, first }, lanes_for(result));
        }
        let all = self.frame.operands(self.constants);
        (LaneOperands { all, first }, lanes_for(slice::from_mut(&mut self.one64)))
    }

    /// Makes the result of 32 bits the value of a register.
    #[inline(always)]
    fn set_b32(&mut self, reg: Reg, undefined: u32) {
        if N == LANES {
            self.frame.set_to_result32(reg, undefined, self.active);
        } else {
            let value = self.one32.into();
            self.frame.set_lane(Class::B32, reg, self.first, value, undefined & 1 != 0);
        }
    }

    /// As [`Registers::set_b32`], of 64 bits.
    #[inline(always)]
    fn set_b64(&mut self, reg: Reg, undefined: u32) {
        if N == LANES {
            self.frame.set_to_result64(reg, undefined, self.active);
        } else {
            self.frame.set_lane(Class::B64, reg, self.first, self.one64, undefined & 1 != 0);
        }
    }

    #[inline(always)]
    fn set_pred(&mut self, reg: Reg, value: u32, undefined: u32) {
        self.frame.set_pred(reg, value << self.first(), undefined << self.first(), self.active);
    }

    /// The carries, and the lanes in which they are undefined.
    fn carry(&self) -> (u32, u32) {
        (self.frame.carry >> self.first(), self.frame.undefined_carry >> self.first())
    }

    fn set_carry(&mut self, op: Carry, carries: u32, undefined: u32) {
        if op.writes {
            let (first, active, frame) = (self.first(), self.active, &mut *self.frame);
            frame.carry = frame.carry & !active | carries << first & active;
            frame.undefined_carry = frame.undefined_carry & !active | undefined << first & active;
        }
    }
}

/// The operands of an operation in `N` lanes.
#[derive(Clone, Copy)]
struct LaneOperands<'a, const N: usize> {
    all: Operands<'a>,
    first: usize,
}

impl<'a, const N: usize> LaneOperands<'a, N> {
    /// The values of a 32-bit register or constant, and the lanes in which it is undefined.
    #[inline(always)]
    fn b32(self, reg: Reg) -> (&'a [u32; N], u32) {
        let (plane, undefined) = self.all.b32(reg);
        (lanes_from(plane, self.first), undefined >> self.first)
    }

    /// As [`LaneOperands::b32`], of 64 bits.
    #[inline(always)]
    fn b64(self, reg: Reg) -> (&'a [u64; N], u32) {
        let (plane, undefined) = self.all.b64(reg);
        (lanes_from(plane, self.first), undefined >> self.first)
    }

    #[inline(always)]
    fn pred(self, reg: Reg) -> (u32, u32) {
        let (value, undefined) = self.all.pred(reg);
        (value >> self.first, undefined >> self.first)
    }
}

/// Room for the values of `N` lanes.
#[inline(always)]
fn lanes_for<T, const N: usize>(lanes: &mut [T]) -> &mut [T; N] {
    lanes.first_chunk_mut().expect("there are as many lanes")
}

/// The values of `N` lanes of a plane.
#[inline(always)]
fn lanes_from<T, const N: usize>(plane: &[T; LANES], first: usize) -> &[T; N] {
    plane[first..].first_chunk().expect("there are as many lanes from there on")
}

// A table: one arm for each form of operation.
#[inline(always)]
fn operation<const N: usize>(op: &Op, registers: &mut Registers<'_, N>) {
    let active = registers.active();
    match *op {
        Op::Un32(op, d, a) => {
            let (operands, out) = registers.into32();
            let (a, u) = operands.b32(a);
            op.planes(a, out);
            registers.set_b32(d, u);
        }
        Op::Un64(op, d, a) => {
            let (operands, out) = registers.into64();
            let (a, u) = operands.b64(a);
            op.planes(a, out);
            registers.set_b64(d, u);
        }
        Op::Widen(op, d, a) => {
            let (operands, out) = registers.into64();
            let (a, u) = operands.b32(a);
            op.planes(a, out);
            registers.set_b64(d, u);
        }
        Op::Narrow(op, d, a) => {
            let (operands, out) = registers.into32();
            let (a, u) = operands.b64(a);
            op.planes(a, out);
            registers.set_b32(d, u);
        }
        Op::Bin32(op, d, a, b) => {
            let (operands, out) = registers.into32();
            let ((a, u), (b, v)) = (operands.b32(a), operands.b32(b));
            op.planes(a, b, out);
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
            registers.set_b32(d, undefined);
        }
        Op::Bin64(op, d, a, b) => {
            let (operands, out) = registers.into64();
            let ((a, u), (b, v)) = (operands.b64(a), operands.b64(b));
            op.planes(a, b, out);
            let mut undefined = u | v;
            if undefined & active != 0 {
                undefined = match op {
                    Bin64::And => undefined_logic(a, u, b, v, 0),
                    // LLVM packs a word of a struct with padding by a shift and this.
                    Bin64::Or => u & v,
                    _ => undefined,
                };
            }
            registers.set_b64(d, undefined);
        }
        Op::Shift64(op, d, a, b) => {
            let (operands, out) = registers.into64();
            let ((a, u), (b, v)) = (operands.b64(a), operands.b32(b));
            op.planes(a, b, out);
            registers.set_b64(d, u | v);
        }
        Op::Wide(op, d, a, b) => {
            let (operands, out) = registers.into64();
            let ((a, u), (b, v)) = (operands.b32(a), operands.b32(b));
            op.planes(a, b, out);
            let undefined = if op == Wide::Pack { u & v } else { u | v };
            registers.set_b64(d, undefined);
        }
        Op::Tri32(op, d, a, b, c) => {
            let (operands, out) = registers.into32();
            let ((a, u), (b, v)) = (operands.b32(a), operands.b32(b));
            let (c, x) = operands.b32(c);
            op.planes(a, b, c, out);
            // As for packed halves: bytes that the program never uses.
            let undefined = if op == Tri32::Prmt { u & v | x } else { u | v | x };
            registers.set_b32(d, undefined);
        }
        Op::Tri64(op, d, a, b, c) => {
            let (operands, out) = registers.into64();
            let ((a, u), (b, v)) = (operands.b64(a), operands.b64(b));
            let (c, x) = operands.b64(c);
            op.planes(a, b, c, out);
            registers.set_b64(d, u | v | x);
        }
        Op::MadWide(op, d, a, b, c) => {
            let (operands, out) = registers.into64();
            let ((a, u), (b, v)) = (operands.b32(a), operands.b32(b));
            let (c, x) = operands.b64(c);
            op.planes(a, b, c, out);
            registers.set_b64(d, u | v | x);
        }
        Op::Quad32(op, d, ref sources) => {
            let (operands, out) = registers.into32();
            let [(a, u), (b, v), (c, x), (e, y)] = sources.map(|s| operands.b32(s));
            op.planes(a, b, c, e, out);
            registers.set_b32(d, u | v | x | y);
        }
        Op::Bfe64(op, d, a, b, c) => {
            let (operands, out) = registers.into64();
            let ((a, u), (b, v)) = (operands.b64(a), operands.b32(b));
            let (c, x) = operands.b32(c);
            op.planes(a, b, c, out);
            registers.set_b64(d, u | v | x);
        }
        Op::Bfi64(op, d, ref sources) => {
            let (operands, out) = registers.into64();
            let [a, b, c, e] = **sources;
            let ((a, u), (b, v)) = (operands.b64(a), operands.b64(b));
            let ((c, x), (e, y)) = (operands.b32(c), operands.b32(e));
            op.planes(a, b, c, e, out);
            registers.set_b64(d, u | v | x | y);
        }
        Op::Carry32(carry, d, a, b) => {
            let (carried_in, undefined_in) = registers.carry();
            let (operands, out) = registers.into32();
            let ((a, u), (b, v)) = (operands.b32(a), operands.b32(b));
            let mut carries = 0;
            for i in 0..N {
                let (value, carried) =
                    add_with_carry(u64::from(a[i]), u64::from(b[i]), carry, carried_in >> i & 1, 32);
                out[i] = value as u32;
                carries |= carried << i;
            }
            let undefined = u | v | if carry.reads { undefined_in } else { 0 };
            registers.set_b32(d, undefined);
            registers.set_carry(carry, carries, undefined);
        }
        Op::Carry64(carry, d, a, b) => {
            let (carried_in, undefined_in) = registers.carry();
            let (operands, out) = registers.into64();
            let ((a, u), (b, v)) = (operands.b64(a), operands.b64(b));
            let mut carries = 0;
            for i in 0..N {
                let (value, carried) = add_with_carry(a[i], b[i], carry, carried_in >> i & 1, 64);
                out[i] = value;
                carries |= carried << i;
            }
            let undefined = u | v | if carry.reads { undefined_in } else { 0 };
            registers.set_b64(d, undefined);
            registers.set_carry(carry, carries, undefined);
        }
        Op::Cmp32(op, d, a, b) => {
            let operands = registers.operands();
            let ((a, u), (b, v)) = (operands.b32(a), operands.b32(b));
            let out = op.mask(a, b);
            registers.set_pred(d, out, u | v);
        }
        Op::Cmp64(op, d, a, b) => {
            let operands = registers.operands();
            let ((a, u), (b, v)) = (operands.b64(a), operands.b64(b));
            let out = op.mask(a, b);
            registers.set_pred(d, out, u | v);
        }
        Op::Sel32(d, a, b, p) => {
            let (operands, out) = registers.into32();
            let ((a, u), (b, v), (p, x)) = (operands.b32(a), operands.b32(b), operands.pred(p));
            *out = *b;
            select(a, p, out);
            registers.set_b32(d, p & u | !p & v | x);
        }
        Op::Sel64(d, a, b, p) => {
            let (operands, out) = registers.into64();
            let ((a, u), (b, v), (p, x)) = (operands.b64(a), operands.b64(b), operands.pred(p));
            *out = *b;
            select(a, p, out);
            registers.set_b64(d, p & u | !p & v | x);
        }
        Op::SelPred(d, a, b, p) => {
            let operands = registers.operands();
            let ((a, u), (b, v), (p, x)) = (operands.pred(a), operands.pred(b), operands.pred(p));
            registers.set_pred(d, p & a | !p & b, p & u | !p & v | x);
        }
        Op::PredLogic(logic, d, a, b) => {
            let operands = registers.operands();
            let ((a, u), (b, v)) = (operands.pred(a), operands.pred(b));
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
            registers.set_pred(d, out, (u | v) & !decided);
        }
        Op::PredNot(d, a) => {
            let (a, u) = registers.operands().pred(a);
            registers.set_pred(d, !a, u);
        }
        Op::PredMov(d, a) => {
            let (a, u) = registers.operands().pred(a);
            registers.set_pred(d, a, u);
        }
        Op::Convert(ref convert, d, a) => {
            let operands = registers.operands();
            let (source, u) = if convert.from.wide() {
                let (a, u) = operands.b64(a);
                (*a, u)
            } else {
                let (a, u) = operands.b32(a);
                (a.map(u64::from), u)
            };
            if convert.to.wide() {
                let (_, out) = registers.into64();
                lanes(active).for_each(|i| out[i] = convert.lane(source[i]));
                registers.set_b64(d, u);
            } else {
                let (_, out) = registers.into32();
                lanes(active).for_each(|i| out[i] = convert.lane(source[i]) as u32);
                registers.set_b32(d, u);
            }
        }
        Op::Float(ref float) => {
            let operands = registers.operands();
            let operand = |reg| {
                if float.arith.wide() {
                    let (v, u) = operands.b64(reg);
                    (*v, u)
                } else {
                    let (v, u) = operands.b32(reg);
                    (v.map(u64::from), u)
                }
            };
            let [(a, u), (b, v), (c, x)] = float.sources.map(operand);
            if float.arith.wide() {
                let (_, out) = registers.into64();
                lanes(active).for_each(|i| out[i] = float.arith.lane(a[i], b[i], c[i]));
                registers.set_b64(float.dest, u | v | x);
            } else {
                let (_, out) = registers.into32();
                lanes(active).for_each(|i| out[i] = float.arith.lane(a[i], b[i], c[i]) as u32);
                registers.set_b32(float.dest, u | v | x);
            }
        }
        Op::FrameAddress(d, offset) => {
            let address = u64::from(registers.frame.local_base) + u64::from(offset);
            registers.into64().1.fill(address);
            registers.set_b64(d, 0);
        }
        Op::Isspacep(space, p, a) => {
            let (a, u) = registers.operands().b64(a);
            let is = |address: u64| match space {
                Space::Global | Space::Const => {
                    classify(address).0 == Space::Global && address.wrapping_sub(CODE_BASE) >= WINDOW
                }
                space => classify(address).0 == space,
            };
            let out = (0..N).fold(0, |m, i| m | u32::from(is(a[i])) << i);
            registers.set_pred(p, out, u);
        }
        Op::FromGeneric(space, d, a) => {
            let (operands, out) = registers.into64();
            let (a, u) = operands.b64(a);
            Bin64::Sub.planes(a, &[space_base(space); N], out);
            registers.set_b64(d, u);
        }
        Op::ToGeneric(space, d, a) => {
            let (operands, out) = registers.into64();
            let (a, u) = operands.b64(a);
            Bin64::Add.planes(a, &[space_base(space); N], out);
            registers.set_b64(d, u);
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
fn undefined_logic<T: Copy + PartialEq, const N: usize>(
    a: &[T; N],
    u: u32,
    b: &[T; N],
    v: u32,
    decisive: T,
) -> u32 {
    let equal = |plane: &[T; N]| (0..N).fold(0, |m, i| m | u32::from(plane[i] == decisive) << i);
    (u | v) & !(equal(a) & !u | equal(b) & !v)
}

/// One lane of an addition or subtraction with carry: the value and the carry out. A borrow is a carry.
fn add_with_carry(a: u64, b: u64, op: Carry, carry: u32, bits: u32) -> (u64, u32) {
    let (a, b) = (i128::from(a), i128::from(b));
    let carry = if op.reads { i128::from(carry) } else { 0 };
    let wide = if op.subtract { a - b - carry } else { a + b + carry };
    (wide as u64, u32::from(wide >> bits != 0))
}

#[cfg(test)]
mod tests {
    use super::super::vectors::testing::{Random, in_both};
    use super::*;
    use crate::instruction::{GeneralFloat, Guard};
    use crate::program::Function;
    use crate::semantics::compare::{Cmp32, Cmp64};
    use crate::semantics::convert::{Convert, Scalar};
    use crate::semantics::general_float::{FloatArithmetic, FloatOp};
    use crate::semantics::real::{Format, Rounding};
    use crate::semantics::{
        Bfe64, Bfi64, MadWide, Narrow, Plane32, Plane64, Quad32, Shift64, Tri64, Un32, Un64, Widen,
    };

    /// Registers of each class: operands, and the last one for the result.
    const REGISTERS: u32 = 5;
    const D: Reg = REGISTERS - 1;

    /// Every operation on registers.
    fn operations() -> Vec<Op> {
        let mut all = Vec::new();
        all.extend(Un32::ALL.iter().map(|&op| Op::Un32(op, D, 0)));
        all.extend(Un64::ALL.iter().map(|&op| Op::Un64(op, D, 0)));
        all.extend(Widen::ALL.iter().map(|&op| Op::Widen(op, D, 0)));
        all.extend(Narrow::ALL.iter().map(|&op| Op::Narrow(op, D, 0)));
        all.extend(Bin32::ALL.iter().map(|&op| Op::Bin32(op, D, 0, 1)));
        all.extend(Bin64::ALL.iter().map(|&op| Op::Bin64(op, D, 0, 1)));
        all.extend(Shift64::ALL.iter().map(|&op| Op::Shift64(op, D, 0, 1)));
        all.extend(Wide::ALL.iter().map(|&op| Op::Wide(op, D, 0, 1)));
        all.extend(Tri32::ALL.iter().map(|&op| Op::Tri32(op, D, 0, 1, 2)));
        all.extend(Tri64::ALL.iter().map(|&op| Op::Tri64(op, D, 0, 1, 2)));
        all.extend(MadWide::ALL.iter().map(|&op| Op::MadWide(op, D, 0, 1, 2)));
        all.extend(Bfe64::ALL.iter().map(|&op| Op::Bfe64(op, D, 0, 1, 2)));
        all.extend(Quad32::ALL.iter().map(|&op| Op::Quad32(op, D, Box::new([0, 1, 2, 3]))));
        all.extend(Bfi64::ALL.iter().map(|&op| Op::Bfi64(op, D, Box::new([0, 1, 2, 3]))));
        all.extend(Cmp32::ALL.iter().map(|&op| Op::Cmp32(op, D, 0, 1)));
        all.extend(Cmp64::ALL.iter().map(|&op| Op::Cmp64(op, D, 0, 1)));
        all.extend([Op::Sel32(D, 0, 1, 2), Op::Sel64(D, 0, 1, 2), Op::SelPred(D, 0, 1, 2)]);
        all.extend([Logic::And, Logic::Or, Logic::Xor].map(|op| Op::PredLogic(op, D, 0, 1)));
        all.extend([Op::PredNot(D, 0), Op::PredMov(D, 0), Op::FrameAddress(D, 24), Op::Nop]);
        for bits in 0..8 {
            let carry = Carry { subtract: bits & 1 != 0, reads: bits & 2 != 0, writes: bits & 4 != 0 };
            all.extend([Op::Carry32(carry, D, 0, 1), Op::Carry64(carry, D, 0, 1)]);
        }
        for space in [Space::Global, Space::Shared, Space::Local, Space::Const, Space::Param] {
            all.extend([Op::Isspacep(space, D, 0), Op::FromGeneric(space, D, 0), Op::ToGeneric(space, D, 0)]);
        }
        let formats = [Format::F16, Format::Bf16, Format::F32, Format::F64];
        let scalars = formats.into_iter().map(Scalar::Float);
        let scalars =
            scalars.chain([8, 16, 32, 64].into_iter().flat_map(|b| [Scalar::Signed(b), Scalar::Unsigned(b)]));
        for (from, to) in scalars.clone().flat_map(|from| scalars.clone().map(move |to| (from, to))) {
            all.push(Op::Convert(Box::new(Convert { saturate: true, ..Convert::plain(to, from) }), D, 0));
        }
        use FloatOp::{Add, Div, Ex2, Fma, Max, Min, Mul, Rcp, Sqrt, Sub, Tanh};
        for op in [Add, Sub, Mul, Div, Fma, Min, Max, Rcp, Sqrt, Ex2, Tanh] {
            for (format, parts) in
                formats.into_iter().map(|f| (f, 1)).chain([(Format::F16, 2), (Format::F32, 2)])
            {
                let arith =
                    FloatArithmetic { rounding: Rounding::Down, ..FloatArithmetic::plain(op, format, parts) };
                all.push(Op::Float(Box::new(GeneralFloat { arith, dest: D, sources: [0, 1, 2] })));
            }
        }
        all
    }

    /// A frame whose registers have random values, some of which are undefined.
    fn random_frame(random: &mut Random) -> Frame {
        let mut function = Function::new("f", false);
        (function.count32, function.count64, function.count_pred) = (REGISTERS, REGISTERS, REGISTERS);
        let mut frame = Frame::default();
        frame.reset(&function);
        frame.local_base = 64;
        let has_undefined = random.below(2) == 0;
        let undefined = |random: &mut Random| if has_undefined { random.mask() & random.mask() } else { 0 };
        for reg in 0..REGISTERS {
            frame.set_b32(reg, &random.plane().map(|value| value as u32), undefined(random), u32::MAX);
            let plane = if random.below(4) == 0 { random.addresses(4) } else { random.plane() };
            frame.set_b64(reg, &plane, undefined(random), u32::MAX);
            frame.set_pred(reg, random.value() as u32, undefined(random), u32::MAX);
        }
        (frame.carry, frame.undefined_carry) = (random.value() as u32, undefined(random));
        frame
    }

    /// The values of all registers in lanes where they are defined, and the others.
    #[derive(Debug, PartialEq)]
    struct Values {
        b32: Vec<(Plane32, u32)>,
        b64: Vec<(Plane64, u32)>,
        preds: Vec<(u32, u32)>,
        carry: (u32, u32),
    }

    fn values(frame: &Frame, constants: &Constants) -> Values {
        let known = |undefined: u32, lane: usize| undefined >> lane & 1 == 0;
        Values {
            b32: (0..REGISTERS)
                .map(|reg| {
                    let (plane, u) = frame.b32(constants, reg);
                    (std::array::from_fn(|i| if known(u, i) { plane[i] } else { 0 }), u)
                })
                .collect(),
            b64: (0..REGISTERS)
                .map(|reg| {
                    let (plane, u) = frame.b64(constants, reg);
                    (std::array::from_fn(|i| if known(u, i) { plane[i] } else { 0 }), u)
                })
                .collect(),
            preds: (0..REGISTERS).map(|reg| frame.pred(reg)).map(|(value, u)| (value & !u, u)).collect(),
            carry: (frame.carry & !frame.undefined_carry, frame.undefined_carry),
        }
    }

    #[test]
    fn operations_are_the_same_in_all_vector_instructions_and_in_single_lanes() {
        let constants = Constants::default();
        let mut random = Random(1);
        for op in operations() {
            assert!(op.is_on_registers(), "{op:?}");
            let code = [Instruction { op, guard: Guard::NONE, counted: true, leads: false, run: 0 }];
            for _ in 0..60 {
                let (frame, mask) = (random_frame(&mut random), random.mask());
                let all = in_both(&(&code[0].op, mask, values(&frame, &constants)), |vectors| {
                    let mut frame = frame.clone();
                    // Not `compute`, which takes masks of one lane for itself.
                    assert_eq!(compute_in_all(vectors, &code, &mut frame, &constants, mask), 1);
                    values(&frame, &constants)
                });
                let mut single = frame.clone();
                for lane in lanes(mask) {
                    compute_in_one(&code, &mut single, &constants, 1 << lane);
                }
                assert_eq!(all, values(&single, &constants), "{:?} in lanes of {mask:#x}", code[0].op);
            }
        }
    }
}
