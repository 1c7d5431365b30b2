//! Logic, shifts and bit fields.

use super::decoder::{Operands, RegisterClass, Result};
use super::forms::form;
use super::function::FunctionDecoder;
use super::modifiers::{Modifiers, among};
use crate::instruction::{Logic, Op, SINK};
use crate::semantics::compare::Cmp32;
use crate::semantics::{Bfi64, Quad32, Tri32};
use crate::text::ast::Operand;
use crate::text::types::Type;

impl<'a> FunctionDecoder<'_, 'a> {
    /// Decodes `name` if it works on bits.
    pub(super) fn bit_operation(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result<Option<()>> {
        match name {
            "and" | "or" | "xor" | "not" | "cnot" | "brev" => {
                let ty = mods.ty()?;
                if ty == Type::Pred {
                    self.predicate_logic(name, operands)?;
                } else {
                    self.form(form(name, "", word(ty)), [ty; 4], operands)?;
                }
            }
            "shl" | "shr" => {
                let ty = mods.ty()?;
                let form = form(name, "", word(ty)).filter(|_| ty.size() > 1);
                self.form(form, [ty, ty, Type::U32, ty], operands)?;
            }
            "shf" => {
                let left = mods.has("l");
                let right = !left && mods.has("r");
                let wrap = mods.has("wrap");
                if !left && !right || !wrap && !mods.has("clamp") || mods.ty()?.size() != 4 {
                    return self.reject("this form is not supported");
                }
                let variant = match (left, wrap) {
                    (true, true) => "l.wrap",
                    (true, false) => "l.clamp",
                    (false, true) => "r.wrap",
                    (false, false) => "r.clamp",
                };
                self.form(form(name, variant, Type::U32), [Type::B32; 4], operands)?;
            }
            "prmt" | "fns" => {
                if mods.ty()? != Type::B32 {
                    return self.unsupported_type();
                }
                let mode = match name {
                    "prmt" => mods.one_of(&["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]),
                    _ => Some(""),
                };
                match mode {
                    Some(mode) => self.form(form(name, mode, Type::U32), [Type::B32; 4], operands)?,
                    None => self.permute(operands)?,
                }
            }
            "bmsk" | "szext" => {
                let clamp = mods.has("clamp");
                if !clamp && !mods.has("wrap") {
                    return self.reject("`.clamp` or `.wrap` is missing");
                }
                let ty = match (name, mods.ty()?) {
                    ("bmsk", Type::B32) => Type::U32,
                    ("szext", ty) => ty,
                    _ => return self.unsupported_type(),
                };
                self.form(form(name, if clamp { "clamp" } else { "wrap" }, ty), [Type::B32; 4], operands)?;
            }
            // The result has 32 bits whatever the operand has.
            "popc" | "clz" | "bfind" => {
                let variant = if mods.has("shiftamt") && name == "bfind" { "shiftamt" } else { "" };
                let ty = mods.ty()?;
                self.form(form(name, variant, word(ty)), [Type::U32, ty, ty, ty], operands)?;
            }
            "bfe" => {
                let ty = mods.ty()?;
                self.form(form(name, "", ty), [ty, ty, Type::U32, Type::U32], operands)?;
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
    fn permute(&mut self, operands: Operands<'a>) -> Result {
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

    fn lop3(&mut self, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let combine = mods.find(among(&[("or", Logic::Or), ("and", Logic::And)]));
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

    fn predicate_logic(&mut self, name: &str, operands: Operands<'a>) -> Result {
        let logic = match name {
            "and" => Logic::And,
            "or" => Logic::Or,
            "xor" => Logic::Xor,
            "not" => {
                let [d, a] = self.arity(operands)?;
                let (dest, source) = (self.pred(d)?, self.pred(a)?);
                return self.emit(Op::PredNot(dest, source));
            }
            _ => return self.unsupported_type(),
        };
        let [d, a, b] = self.arity(operands)?;
        let op = Op::PredLogic(logic, self.pred(d)?, self.pred_value(a)?, self.pred_value(b)?);
        self.emit(op)
    }
}

/// The integer type of the same width and sign, for instructions on bits of any type. Those of a byte are as of 16 bits.
fn word(ty: Type) -> Type {
    match (ty.size(), ty.signed()) {
        (1 | 2, false) => Type::U16,
        (1 | 2, true) => Type::S16,
        (4, false) => Type::U32,
        (4, true) => Type::S32,
        (8, false) => Type::U64,
        (8, true) => Type::S64,
        _ => ty,
    }
}
