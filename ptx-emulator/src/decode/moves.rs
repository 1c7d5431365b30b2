//! Moves, packing and unpacking, and conversions of addresses between state spaces.

use super::decoder::{Operands, RegisterClass, Result};
use super::function::FunctionDecoder;
use super::modifiers::Modifiers;
use crate::instruction::{Op, Reg, SINK};
use crate::semantics::{Bin32, Narrow, Quad32, Tri32, Un32, Un64, Wide};
use crate::text::ast::Operand;
use crate::text::types::{Space, Type};

impl<'a> FunctionDecoder<'_, 'a> {
    /// Decodes `name` if it moves a value or changes the state space of an address.
    pub(super) fn movement(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result<Option<()>> {
        match name {
            "mov" => self.mov(mods, operands)?,
            "cvta" => {
                let to = mods.has("to");
                let space = mods.find(Space::parse);
                if mods.ty()?.size() != 8 {
                    return self.reject("only 64-bit addresses are supported");
                }
                let [d, a] = self.arity(operands)?;
                let (dest, source) = (self.dest(d, Type::U64)?, self.value64(a)?);
                // A function's parameters live in its frame in local memory.
                let space = match space {
                    Some(Space::Param) if !self.entry => Space::Local,
                    Some(space) => space,
                    None => return self.reject("a state space is missing"),
                };
                let op = match (space, to) {
                    (Space::Global | Space::Const, _) => Op::Un64(Un64::Mov, dest, source),
                    (_, true) => Op::FromGeneric(space, dest, source),
                    (_, false) => Op::ToGeneric(space, dest, source),
                };
                self.emit(op)?;
            }
            "isspacep" => {
                let Some(space) = mods.find(Space::parse) else {
                    return self.reject("a state space is missing");
                };
                let [p, a] = self.arity(operands)?;
                let op = Op::Isspacep(space, self.pred(p)?, self.value64(a)?);
                self.emit(op)?;
            }
            _ => return Ok(None),
        }
        Ok(Some(()))
    }

    fn mov(&mut self, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let ty = mods.ty()?;
        let [d, a] = self.arity(operands)?;
        if ty == Type::B128 {
            return self.mov_b128(d, a);
        }
        match (d, a) {
            (Operand::Vector(parts), whole) => return self.unpack(ty, parts, whole),
            (whole, Operand::Vector(parts)) => return self.pack(ty, whole, parts),
            _ => {}
        }
        let op = match RegisterClass::of(ty) {
            Some(RegisterClass::Pred) => Op::PredMov(self.pred(d)?, self.pred_value(a)?),
            Some(RegisterClass::B32) => {
                if ty.size() == 4
                    && let Operand::Name(..) = a
                    && self.register(a)?.is_none_or(|(class, ..)| class != RegisterClass::B32)
                    && let Ok(address) = self.value64(a)
                {
                    // The address of a symbol in a small space, or the low half of a special register.
                    Op::Narrow(Narrow::Low, self.dest(d, ty)?, address)
                } else {
                    Op::Un32(Un32::Mov, self.dest(d, ty)?, self.value32(a, ty)?)
                }
            }
            Some(RegisterClass::B64) => Op::Un64(Un64::Mov, self.dest(d, ty)?, self.value64(a)?),
            None => return self.unsupported_type(),
        };
        self.emit(op)
    }

    /// `mov.b128` between registers of 128 bits, or to and from two of 64.
    fn mov_b128(&mut self, d: &'a Operand<'a>, a: &'a Operand<'a>) -> Result {
        let (to, from) = match (d, a) {
            (Operand::Vector(parts), whole) => {
                let [low, high] = self.arity(parts)?;
                let to = [self.dest(low, Type::B64)?, self.dest(high, Type::B64)?];
                (Some(to), self.b128(whole)?.map(|q| [q, q + 1]))
            }
            (whole, Operand::Vector(parts)) => {
                let [low, high] = self.arity(parts)?;
                let from = [self.value64(low)?, self.value64(high)?];
                (self.b128(whole)?.map(|q| [q, q + 1]), Some(from))
            }
            (to, from) => (self.b128(to)?.map(|q| [q, q + 1]), self.b128(from)?.map(|q| [q, q + 1])),
        };
        let (Some(to), Some(from)) = (to, from) else {
            return self.reject("expected a register of 128 bits");
        };
        self.first_of(&to, |i, dest| Op::Un64(Un64::Mov, dest, from[i]))
    }

    /// `mov.b64 {a, b}, c` and similar: the parts of a value, lowest first.
    fn unpack(&mut self, ty: Type, parts: &'a [Operand<'a>], whole: &'a Operand<'a>) -> Result {
        let narrows: &[Narrow] = match (ty.size(), parts.len()) {
            (8, 2) => &[Narrow::Low, Narrow::High],
            (8, 4) => &[Narrow::Low16, Narrow::Quarter1, Narrow::Quarter2, Narrow::Quarter3],
            (4, 2) => {
                let source = self.value32(whole, ty)?;
                let halves = [self.dest(&parts[0], Type::B16)?, self.dest(&parts[1], Type::B16)?];
                // The source is 32 bits wide, so no destination can overwrite it early.
                return self
                    .first_of(&halves, |i, dest| Op::Un32([Un32::Zext16, Un32::High16][i], dest, source));
            }
            (4, 4) | (2, 2) => {
                let source = self.value32(whole, ty)?;
                let length = self.constant32(8)?;
                let dests = parts.iter().map(|p| self.dest(p, Type::B8)).collect::<Result<Vec<_>>>()?;
                let positions = (0..4).map(|i| self.constant32(8 * i)).collect::<Result<Vec<_>>>()?;
                return self
                    .first_of(&dests, |i, dest| Op::Tri32(Tri32::BfeU, dest, source, positions[i], length));
            }
            _ => return self.reject("this combination of sizes is not supported"),
        };
        let source = self.value64(whole)?;
        let part = if parts.len() == 2 { Type::B32 } else { Type::B16 };
        let dests = parts.iter().map(|p| self.dest(p, part)).collect::<Result<Vec<_>>>()?;
        self.first_of(&dests, |i, dest| Op::Narrow(narrows[i], dest, source))
    }

    /// Emits one operation for each destination that is not `_`; the first is counted as the instruction.
    fn first_of(&mut self, dests: &[Reg], op: impl Fn(usize, Reg) -> Op) -> Result {
        let mut counted = false;
        for (i, &dest) in dests.iter().enumerate().filter(|d| *d.1 != SINK) {
            let op = op(i, dest);
            if counted {
                self.helper(op)?
            } else {
                self.emit(op)?
            }
            counted = true;
        }
        if counted { Ok(()) } else { self.emit(Op::Nop) }
    }

    /// `mov.b64 c, {a, b}` and similar.
    fn pack(&mut self, ty: Type, whole: &'a Operand<'a>, parts: &'a [Operand<'a>]) -> Result {
        let dest = self.dest(whole, ty)?;
        match (ty.size(), parts) {
            (8, [a, b]) => {
                let op = Op::Wide(Wide::Pack, dest, self.value32(a, Type::B32)?, self.value32(b, Type::B32)?);
                self.emit(op)
            }
            (4, [a, b]) => {
                let op =
                    Op::Bin32(Bin32::Pack16, dest, self.value32(a, Type::B16)?, self.value32(b, Type::B16)?);
                self.emit(op)
            }
            (8, [a, b, c, d]) => {
                let (low, high) = (self.temporary(RegisterClass::B32)?, self.temporary(RegisterClass::B32)?);
                for (half, first, second) in [(low, a, b), (high, c, d)] {
                    let op = Op::Bin32(
                        Bin32::Pack16,
                        half,
                        self.value32(first, Type::B16)?,
                        self.value32(second, Type::B16)?,
                    );
                    self.helper(op)?;
                }
                self.emit(Op::Wide(Wide::Pack, dest, low, high))
            }
            (4, [_, _, _, _]) | (2, [_, _]) => {
                let length = self.constant32(8)?;
                let mut all = self.value32(&parts[0], Type::B8)?;
                for (i, part) in parts.iter().enumerate().skip(1) {
                    let (part, position) = (self.value32(part, Type::B8)?, self.constant32(8 * i as u32)?);
                    let next = self.temporary(RegisterClass::B32)?;
                    self.helper(Op::Quad32(Quad32::Bfi, next, Box::new([part, all, position, length])))?;
                    all = next;
                }
                self.emit(Op::Un32(Un32::Mov, dest, all))
            }
            _ => self.reject("this combination of sizes is not supported"),
        }
    }
}
