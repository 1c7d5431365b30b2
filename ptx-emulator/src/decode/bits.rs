//! Logic, shifts and bit fields.

use super::decoder::RegisterClass;
use super::function::FunctionDecoder;
use super::modifiers::Modifiers;
use crate::instruction::{Logic, Op, SINK};
use crate::semantics::compare::Cmp32;
use crate::semantics::{Bfe64, Bfi64, Bin32, Bin64, Narrow, Quad32, Shift64, Tri32, Un32, Un64};
use crate::text::SyntaxError;
use crate::text::ast::Operand;
use crate::text::types::Type;

impl<'a> FunctionDecoder<'_, 'a> {
    /// Decodes `name` if it works on bits.
    pub(super) fn bit_operation(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: &'a [Operand<'a>],
    ) -> Result<Option<()>, SyntaxError> {
        match name {
            "and" | "or" | "xor" => self.logic(name, mods, operands)?,
            "not" => match mods.ty()? {
                Type::Pred => {
                    let [d, a] = self.arity(operands)?;
                    let (dest, source) = (self.pred(d)?, self.pred(a)?);
                    self.emit(Op::PredNot(dest, source))?;
                }
                ty if ty.size() == 2 => self.un32(Un32::Not16, ty, operands)?,
                ty if ty.size() == 8 => self.un64(Un64::Not, ty, operands)?,
                ty => self.un32(Un32::Not, ty, operands)?,
            },
            "cnot" => match mods.ty()? {
                ty if ty.size() == 8 => self.un64(Un64::Cnot, ty, operands)?,
                ty => self.un32(Un32::Cnot, ty, operands)?,
            },
            "brev" => match mods.ty()? {
                ty if ty.size() == 8 => self.un64(Un64::Brev, ty, operands)?,
                ty if ty.size() == 4 => self.un32(Un32::Brev, ty, operands)?,
                _ => return self.unsupported_type(),
            },
            "shl" | "shr" => self.shift(name, mods, operands)?,
            "shf" => {
                let left = mods.has("l");
                let right = !left && mods.has("r");
                let wrap = mods.has("wrap");
                if !left && !right || !wrap && !mods.has("clamp") || mods.ty()?.size() != 4 {
                    return self.reject("this form is not supported");
                }
                let op = match (left, wrap) {
                    (true, true) => Tri32::ShfLWrap,
                    (true, false) => Tri32::ShfLClamp,
                    (false, true) => Tri32::ShfRWrap,
                    (false, false) => Tri32::ShfRClamp,
                };
                self.tri32(op, Type::B32, operands)?;
            }
            "prmt" => {
                if mods.ty()? != Type::B32 {
                    return self.unsupported_type();
                }
                let mode = mods.find(|p| {
                    Some(match p {
                        "f4e" => Tri32::PrmtF4e,
                        "b4e" => Tri32::PrmtB4e,
                        "rc8" => Tri32::PrmtRc8,
                        "ecl" => Tri32::PrmtEcl,
                        "ecr" => Tri32::PrmtEcr,
                        "rc16" => Tri32::PrmtRc16,
                        _ => return None,
                    })
                });
                match mode {
                    Some(mode) => self.tri32(mode, Type::B32, operands)?,
                    None => self.permute(operands)?,
                }
            }
            "fns" => {
                if mods.ty()? != Type::B32 {
                    return self.unsupported_type();
                }
                self.tri32(Tri32::Fns, Type::B32, operands)?;
            }
            "bmsk" | "szext" => {
                let clamp = mods.has("clamp");
                if !clamp && !mods.has("wrap") {
                    return self.reject("`.clamp` or `.wrap` is missing");
                }
                let op = match (name, mods.ty()?, clamp) {
                    ("bmsk", Type::B32, true) => Bin32::BmskClamp,
                    ("bmsk", Type::B32, false) => Bin32::BmskWrap,
                    ("szext", Type::U32, true) => Bin32::ZextClamp,
                    ("szext", Type::U32, false) => Bin32::ZextWrap,
                    ("szext", Type::S32, true) => Bin32::SextClamp,
                    ("szext", Type::S32, false) => Bin32::SextWrap,
                    _ => return self.unsupported_type(),
                };
                self.bin32(op, Type::B32, operands)?;
            }
            "popc" | "clz" | "bfind" => self.count(name, mods, operands)?,
            "bfe" => {
                let ty = mods.ty()?;
                let [d, a, position, length] = self.arity(operands)?;
                let dest = self.dest(d, ty)?;
                let field = (self.value32(position, Type::U32)?, self.value32(length, Type::U32)?);
                let op = match ty {
                    Type::U32 => Op::Tri32(Tri32::BfeU, dest, self.value32(a, ty)?, field.0, field.1),
                    Type::S32 => Op::Tri32(Tri32::BfeS, dest, self.value32(a, ty)?, field.0, field.1),
                    Type::U64 => Op::Bfe64(Bfe64::U, dest, self.value64(a)?, field.0, field.1),
                    Type::S64 => Op::Bfe64(Bfe64::S, dest, self.value64(a)?, field.0, field.1),
                    _ => return self.unsupported_type(),
                };
                self.emit(op)?;
            }
            "bfi" => {
                let ty = mods.ty()?;
                let [d, a, b, position, length] = self.arity(operands)?;
                let dest = self.dest(d, ty)?;
                let field = (self.value32(position, Type::U32)?, self.value32(length, Type::U32)?);
                let op = match ty {
                    Type::B32 => {
                        let (a, b) = (self.value32(a, ty)?, self.value32(b, ty)?);
                        Op::Quad32(Quad32::Bfi, dest, Box::new([a, b, field.0, field.1]))
                    }
                    Type::B64 => {
                        let (a, b) = (self.value64(a)?, self.value64(b)?);
                        Op::Bfi64(Bfi64::Bfi, dest, Box::new([a, b, field.0, field.1]))
                    }
                    _ => return self.unsupported_type(),
                };
                self.emit(op)?;
            }
            "lop3" => self.lop3(mods, operands)?,
            _ => return Ok(None),
        }
        Ok(Some(()))
    }

    /// A source of `prmt` of which a constant selector takes no byte is not read: LLVM leaves it undefined.
    fn permute(&mut self, operands: &'a [Operand<'a>]) -> Result<(), SyntaxError> {
        let [d, a, b, selector] = self.arity(operands)?;
        let dest = self.dest(d, Type::B32)?;
        let (mut a, mut b) = (self.value32(a, Type::B32)?, self.value32(b, Type::B32)?);
        if let Operand::Int(selector) = selector {
            match selector & 0x4444 {
                0 => b = a,
                0x4444 => a = b,
                _ => {}
            }
        }
        let op = Op::Tri32(Tri32::Prmt, dest, a, b, self.value32(selector, Type::B32)?);
        self.emit(op)
    }

    fn lop3(&mut self, mods: &mut Modifiers<'a>, operands: &'a [Operand<'a>]) -> Result<(), SyntaxError> {
        let combine = mods.find(|p| match p {
            "or" => Some(Logic::Or),
            "and" => Some(Logic::And),
            _ => None,
        });
        if mods.ty()? != Type::B32 {
            return self.unsupported_type();
        }
        let (d, flag, [a, b, c, table], third) = match (operands, combine) {
            ([d, rest @ ..], None) => (self.dest(d, Type::B32)?, SINK, self.arity(rest)?, None),
            ([Operand::Pair(d, p), rest @ .., q], Some(logic)) => {
                let dest =
                    if *d == "_" { self.temporary(RegisterClass::B32)? } else { self.b32_register(d)? };
                (dest, self.pred_register(p)?, self.arity(rest)?, Some((logic, q)))
            }
            _ => return self.reject("the operands do not fit"),
        };
        let sources = [
            self.value32(a, Type::B32)?,
            self.value32(b, Type::B32)?,
            self.value32(c, Type::B32)?,
            self.value32(table, Type::B32)?,
        ];
        self.emit(Op::Quad32(Quad32::Lop3, d, Box::new(sources)))?;
        let Some((logic, q)) = third else { return Ok(()) };
        // `lop3.or d|p, a, b, c, table, q`: p says whether any bit is set, combined with q.
        let (set, zero) = (self.temporary_pred()?, self.constant32(0)?);
        let q = self.pred_value(q)?;
        self.helper(Op::Cmp32(Cmp32::Ne, set, d, zero))?;
        self.helper(Op::PredLogic(logic, flag, set, q))
    }

    fn logic(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: &'a [Operand<'a>],
    ) -> Result<(), SyntaxError> {
        let ty = mods.ty()?;
        if ty == Type::Pred {
            let op = match name {
                "and" => Logic::And,
                "or" => Logic::Or,
                _ => Logic::Xor,
            };
            let [d, a, b] = self.arity(operands)?;
            let op = Op::PredLogic(op, self.pred(d)?, self.pred_value(a)?, self.pred_value(b)?);
            return self.emit(op);
        }
        if ty.size() == 8 {
            let op = match name {
                "and" => Bin64::And,
                "or" => Bin64::Or,
                _ => Bin64::Xor,
            };
            return self.bin64(op, ty, operands);
        }
        let op = match name {
            "and" => Bin32::And,
            "or" => Bin32::Or,
            _ => Bin32::Xor,
        };
        self.bin32(op, ty, operands)
    }

    fn shift(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: &'a [Operand<'a>],
    ) -> Result<(), SyntaxError> {
        let ty = mods.ty()?;
        let [d, a, by] = self.arity(operands)?;
        let dest = self.dest(d, ty)?;
        let by = self.value32(by, Type::U32)?;
        let left = name == "shl";
        let op = match (ty.size(), left, ty.signed()) {
            (2, true, _) => Op::Bin32(Bin32::Shl16, dest, self.value32(a, ty)?, by),
            (2, false, false) => Op::Bin32(Bin32::ShrU, dest, self.value32(a, ty)?, by),
            (2, false, true) => Op::Bin32(Bin32::ShrS16, dest, self.value32(a, ty)?, by),
            (4, true, _) => Op::Bin32(Bin32::Shl, dest, self.value32(a, ty)?, by),
            (4, false, false) => Op::Bin32(Bin32::ShrU, dest, self.value32(a, ty)?, by),
            (4, false, true) => Op::Bin32(Bin32::ShrS, dest, self.value32(a, ty)?, by),
            (8, true, _) => Op::Shift64(Shift64::Shl, dest, self.value64(a)?, by),
            (8, false, false) => Op::Shift64(Shift64::ShrU, dest, self.value64(a)?, by),
            (8, false, true) => Op::Shift64(Shift64::ShrS, dest, self.value64(a)?, by),
            _ => return self.unsupported_type(),
        };
        self.emit(op)
    }

    /// Instructions whose result has 32 bits whatever the operand has.
    fn count(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: &'a [Operand<'a>],
    ) -> Result<(), SyntaxError> {
        let shift = mods.has("shiftamt");
        let ty = mods.ty()?;
        let [d, a] = self.arity(operands)?;
        let dest = self.dest(d, Type::U32)?;
        let op = match (name, ty.size(), ty.signed(), shift) {
            ("popc", 4, ..) => Op::Un32(Un32::Popc, dest, self.value32(a, ty)?),
            ("popc", 8, ..) => Op::Narrow(Narrow::Popc, dest, self.value64(a)?),
            ("clz", 4, ..) => Op::Un32(Un32::Clz, dest, self.value32(a, ty)?),
            ("clz", 8, ..) => Op::Narrow(Narrow::Clz, dest, self.value64(a)?),
            ("bfind", 4, false, false) => Op::Un32(Un32::BfindU, dest, self.value32(a, ty)?),
            ("bfind", 4, true, false) => Op::Un32(Un32::BfindS, dest, self.value32(a, ty)?),
            ("bfind", 4, false, true) => Op::Un32(Un32::BfindShiftU, dest, self.value32(a, ty)?),
            ("bfind", 4, true, true) => Op::Un32(Un32::BfindShiftS, dest, self.value32(a, ty)?),
            ("bfind", 8, false, false) => Op::Narrow(Narrow::BfindU, dest, self.value64(a)?),
            ("bfind", 8, true, false) => Op::Narrow(Narrow::BfindS, dest, self.value64(a)?),
            ("bfind", 8, false, true) => Op::Narrow(Narrow::BfindShiftU, dest, self.value64(a)?),
            ("bfind", 8, true, true) => Op::Narrow(Narrow::BfindShiftS, dest, self.value64(a)?),
            _ => return self.unsupported_type(),
        };
        self.emit(op)
    }
}
