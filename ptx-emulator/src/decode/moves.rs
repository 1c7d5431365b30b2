//! Moves, conversions, comparisons and selections.

use super::arithmetic::rounding;
use super::context::Context;
use super::decoder::RegisterClass;
use super::modifiers::Modifiers;
use crate::instruction::{FALSE, Logic, Op, Reg, SINK};
use crate::semantics::compare::{Cmp32, Cmp64};
use crate::semantics::convert::{Convert, Scalar};
use crate::semantics::real::{Format, Rounding};
use crate::semantics::{Bin32, Narrow, Quad32, Tri32, Un32, Un64, Wide, Widen};
use crate::text::SyntaxError;
use crate::text::ast::Operand;
use crate::text::types::{Space, Type};

impl<'a> Context<'_, 'a> {
    /// Decodes `name` if it moves, converts, compares or selects.
    pub(super) fn movement(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: &'a [Operand<'a>],
    ) -> Result<Option<()>, SyntaxError> {
        match name {
            "mov" => self.mov(mods, operands)?,
            "cvt" => self.cvt(mods, operands)?,
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
            "setp" => self.setp(mods, operands)?,
            "set" => self.set(mods, operands)?,
            "testp" => {
                let test = mods.next(|p| {
                    Some(match p {
                        "finite" => (Cmp32::TestFinite, Cmp64::TestFinite),
                        "infinite" => (Cmp32::TestInfinite, Cmp64::TestInfinite),
                        "number" => (Cmp32::TestNumber, Cmp64::TestNumber),
                        "notanumber" => (Cmp32::TestNotANumber, Cmp64::TestNotANumber),
                        "normal" => (Cmp32::TestNormal, Cmp64::TestNormal),
                        "subnormal" => (Cmp32::TestSubnormal, Cmp64::TestSubnormal),
                        _ => return None,
                    })
                });
                let (Some(test), ty) = (test, mods.ty()?) else {
                    return self.reject("this test is not supported");
                };
                let [p, a] = self.arity(operands)?;
                let dest = self.pred(p)?;
                self.compare(test, ty, dest, a, a)?;
            }
            "selp" => {
                let ty = mods.ty()?;
                let [d, a, b, p] = self.arity(operands)?;
                let (p, negated) = self.pred_or_not(p)?;
                let (a, b) = if negated { (b, a) } else { (a, b) };
                let op = match RegisterClass::of(ty) {
                    Some(RegisterClass::B32) => {
                        Op::Sel32(self.dest(d, ty)?, self.value32(a, ty)?, self.value32(b, ty)?, p)
                    }
                    Some(RegisterClass::B64) => {
                        Op::Sel64(self.dest(d, ty)?, self.value64(a)?, self.value64(b)?, p)
                    }
                    Some(RegisterClass::Pred) => Op::SelPred(self.pred(d)?, self.pred(a)?, self.pred(b)?, p),
                    None => return self.unsupported_type(),
                };
                self.emit(op)?;
            }
            "slct" => {
                let flush = mods.has("ftz");
                let (ty, by) = (mods.ty()?, mods.ty()?);
                if flush && by != Type::F32 || ty.size() < 2 {
                    return self.unsupported_type();
                }
                let [d, a, b, c] = self.arity(operands)?;
                let p = self.temporary_pred()?;
                let (mut selector, zero) = (self.value32(c, by)?, self.constant32(0)?);
                if flush {
                    selector = self.flushed(Un32::FlushF, selector)?;
                }
                let op = match by {
                    Type::S32 => Cmp32::GeS,
                    Type::F32 => Cmp32::GeF,
                    _ => return self.unsupported_type(),
                };
                self.helper(Op::Cmp32(op, p, selector, zero))?;
                let op = match ty.size() {
                    8 => Op::Sel64(self.dest(d, ty)?, self.value64(a)?, self.value64(b)?, p),
                    _ => Op::Sel32(self.dest(d, ty)?, self.value32(a, ty)?, self.value32(b, ty)?, p),
                };
                self.emit(op)?;
            }
            _ => return Ok(None),
        }
        Ok(Some(()))
    }

    fn mov(&mut self, mods: &mut Modifiers<'a>, operands: &'a [Operand<'a>]) -> Result<(), SyntaxError> {
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
    fn mov_b128(&mut self, d: &'a Operand<'a>, a: &'a Operand<'a>) -> Result<(), SyntaxError> {
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
    fn unpack(
        &mut self,
        ty: Type,
        parts: &'a [Operand<'a>],
        whole: &'a Operand<'a>,
    ) -> Result<(), SyntaxError> {
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
                let dests = parts.iter().map(|p| self.dest(p, Type::B8)).collect::<Result<Vec<_>, _>>()?;
                let positions = (0..4).map(|i| self.constant32(8 * i)).collect::<Result<Vec<_>, _>>()?;
                return self
                    .first_of(&dests, |i, dest| Op::Tri32(Tri32::BfeU, dest, source, positions[i], length));
            }
            _ => return self.reject("this combination of sizes is not supported"),
        };
        let source = self.value64(whole)?;
        let part = if parts.len() == 2 { Type::B32 } else { Type::B16 };
        let dests = parts.iter().map(|p| self.dest(p, part)).collect::<Result<Vec<_>, _>>()?;
        self.first_of(&dests, |i, dest| Op::Narrow(narrows[i], dest, source))
    }

    /// Emits one operation for each destination that is not `_`; the first is counted as the instruction.
    fn first_of(&mut self, dests: &[Reg], op: impl Fn(usize, Reg) -> Op) -> Result<(), SyntaxError> {
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
    fn pack(
        &mut self,
        ty: Type,
        whole: &'a Operand<'a>,
        parts: &'a [Operand<'a>],
    ) -> Result<(), SyntaxError> {
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

    fn cvt(&mut self, mods: &mut Modifiers<'a>, operands: &'a [Operand<'a>]) -> Result<(), SyntaxError> {
        if mods.has("pack") {
            return self.cvt_pack(mods, operands);
        }
        let (flush, saturate) = (mods.has("ftz"), mods.has("sat"));
        let (finite, relu) = (mods.has("satfinite"), mods.has("relu"));
        let rounding = mods.find(|p| {
            Some(match p {
                "rna" => (Rounding::Away, false),
                "rni" => (Rounding::Nearest, true),
                "rzi" => (Rounding::Zero, true),
                "rmi" => (Rounding::Down, true),
                "rpi" => (Rounding::Up, true),
                _ => (rounding(p)?, false),
            })
        });
        let (to, from) = (mods.find(ConvertType::parse), mods.find(ConvertType::parse));
        let (Some(to), Some(from)) = (to, from) else {
            return self.reject("this conversion is not supported");
        };
        let (to_scalar, from_scalar) = (to.scalar(), from.scalar());
        let float = |s| matches!(s, Scalar::Float(_));
        let single = |s| matches!(s, Scalar::Float(Format::F32));
        let fits = (!flush || single(to_scalar) || single(from_scalar))
            && (!(finite || relu)
                || matches!(to_scalar, Scalar::Float(f) if !matches!(f, Format::F32 | Format::F64)))
            && (float(to_scalar) || float(from_scalar) || rounding.is_none());
        if !fits {
            return self.reject("these qualifiers do not fit the types");
        }
        let (rounding, whole) = rounding.unwrap_or((Rounding::Nearest, false));
        let convert =
            Convert { to: to_scalar, from: from_scalar, rounding, whole, saturate, flush, finite, relu };
        match (to, from) {
            (ConvertType::Pair(..), _) | (_, ConvertType::Pair(..)) => {
                self.cvt_pair(to, from, convert, operands)
            }
            (ConvertType::One(to), ConvertType::One(from)) => self.cvt_one(to, from, convert, operands),
            (ConvertType::Tf32, ConvertType::One(Type::F32)) => {
                let [d, a] = self.arity(operands)?;
                let (dest, source) = (self.dest(d, Type::B32)?, self.value32(a, Type::F32)?);
                self.emit(Op::Convert(Box::new(convert), dest, source))
            }
            _ => self.reject("this conversion is not supported"),
        }
    }

    fn cvt_one(
        &mut self,
        to: Type,
        from: Type,
        convert: Convert,
        operands: &'a [Operand<'a>],
    ) -> Result<(), SyntaxError> {
        let [d, a] = self.arity(operands)?;
        // Registers may be wider than the types: sources are cut, results are extended.
        let Some((dest_class, dest_type, dest)) = self.register(d)? else {
            return self.reject("the destination is not a register");
        };
        let source = match self.register(a)? {
            Some((class, ty, reg)) if ty.size() >= from.size() && class != RegisterClass::Pred => {
                (class, reg)
            }
            Some(_) => return self.reject("the source is too small"),
            None if from.size() == 8 => (RegisterClass::B64, self.value64(a)?),
            None => (RegisterClass::B32, self.value32(a, from)?),
        };
        if dest_type.size() < to.size() || dest_class == RegisterClass::Pred {
            return self.reject("the destination is too small");
        }
        if to.integer() && from.integer() && !convert.saturate {
            return self.resize(to, from, (dest_class, dest_type, dest), source);
        }
        // The general conversion takes a 32-bit or 64-bit register, depending on the types.
        let mut reg = source.1;
        if source.0 == RegisterClass::B64 && from.size() < 8 {
            let low = self.temporary(RegisterClass::B32)?;
            self.helper(Op::Narrow(Narrow::Low, low, reg))?;
            reg = low;
        }
        let convert = Box::new(convert);
        let class = if to.size() == 8 { RegisterClass::B64 } else { RegisterClass::B32 };
        if class == dest_class && (dest_type.size() == to.size() || !to.signed()) {
            return self.emit(Op::Convert(convert, dest, reg));
        }
        let result = self.temporary(class)?;
        self.emit(Op::Convert(convert, result, reg))?;
        let counted = std::mem::replace(&mut self.counted, false);
        let done = self.resize(to, to, (dest_class, dest_type, dest), (class, result));
        self.counted = counted;
        done
    }

    /// Conversions to and from two small floats in one register: from two floats of single precision, the
    /// first of which goes to the upper half, or from one pair to another.
    fn cvt_pair(
        &mut self,
        to: ConvertType,
        from: ConvertType,
        convert: Convert,
        operands: &'a [Operand<'a>],
    ) -> Result<(), SyntaxError> {
        let ConvertType::Pair(format, bits, dest_type) = to else {
            return self.reject("this conversion is not supported");
        };
        if !matches!(format, Format::F16 | Format::Bf16 | Format::Ue8m0) && !convert.finite {
            return self.reject("`.satfinite` is missing");
        }
        let (d, sources) = match (from, operands) {
            (ConvertType::One(Type::F32), [d, a, b]) => {
                (d, [self.value32(b, Type::F32)?, self.value32(a, Type::F32)?])
            }
            (ConvertType::Pair(_, bits, ty), [d, a]) => {
                let pair = self.value32(a, ty)?;
                let mut parts = [0; 2];
                for (i, part) in parts.iter_mut().enumerate() {
                    *part = self.temporary(RegisterClass::B32)?;
                    let (position, length) = (self.constant32(i as u32 * bits)?, self.constant32(bits)?);
                    self.helper(Op::Tri32(Tri32::BfeU, *part, pair, position, length))?;
                }
                (d, parts)
            }
            _ => return self.reject("the operands do not fit"),
        };
        let dest = self.dest(d, dest_type)?;
        let mut parts = [0; 2];
        for (part, source) in parts.iter_mut().zip(sources) {
            *part = self.temporary(RegisterClass::B32)?;
            self.helper(Op::Convert(Box::new(convert), *part, source))?;
        }
        let bits = self.constant32(bits)?;
        self.emit(Op::Quad32(Quad32::Bfi, dest, Box::new([parts[1], parts[0], bits, bits])))
    }

    /// `cvt.pack.sat`: two integers clamped and packed.
    fn cvt_pack(&mut self, mods: &mut Modifiers<'a>, operands: &'a [Operand<'a>]) -> Result<(), SyntaxError> {
        let to = mods.find(|p| {
            Some(match p {
                "u16" => (Tri32::PackU16, false),
                "s16" => (Tri32::PackS16, false),
                "u8" => (Tri32::PackU8, true),
                "s8" => (Tri32::PackS8, true),
                "u4" => (Tri32::PackU4, true),
                "s4" => (Tri32::PackS4, true),
                "u2" => (Tri32::PackU2, true),
                "s2" => (Tri32::PackS2, true),
                _ => return None,
            })
        });
        let (Some((op, third)), true, Type::S32) = (to, mods.has("sat"), mods.ty()?) else {
            return self.reject("this conversion is not supported");
        };
        if third {
            if mods.ty()? != Type::B32 {
                return self.reject("this conversion is not supported");
            }
            return self.tri32(op, Type::B32, operands);
        }
        let [d, a, b] = self.arity(operands)?;
        let (dest, a) = (self.dest(d, Type::B32)?, self.value32(a, Type::S32)?);
        let op = Op::Tri32(op, dest, a, self.value32(b, Type::S32)?, a);
        self.emit(op)
    }

    /// Integer conversion: truncates to the narrower type, then extends to the width of the destination register by the
    /// signedness of the source.
    fn resize(
        &mut self,
        to: Type,
        from: Type,
        (dest_class, dest_type, dest): (RegisterClass, Type, Reg),
        (class, reg): (RegisterClass, Reg),
    ) -> Result<(), SyntaxError> {
        // The narrower type decides: the extension follows its signedness, except that a value that is extended to `to`
        // and then to the register follows `from` first.
        let narrow = if to.size() <= from.size() { to } else { from };
        let wide_dest = dest_class == RegisterClass::B64;
        let op = match (class, wide_dest) {
            (RegisterClass::B64, true) => match (narrow.size(), narrow.signed()) {
                (8, _) => Op::Un64(Un64::Mov, dest, reg),
                (size, signed) => {
                    let low = self.temporary(RegisterClass::B32)?;
                    self.helper(Op::Narrow(Narrow::Low, low, reg))?;
                    Op::Widen(widening(size, signed), dest, low)
                }
            },
            (_, true) => {
                let op = match (narrow.size(), narrow.signed()) {
                    (2, false) => {
                        let low = self.temporary(RegisterClass::B32)?;
                        self.helper(Op::Un32(Un32::Zext16, low, reg))?;
                        Op::Widen(Widen::Zext, dest, low)
                    }
                    (size, signed) => Op::Widen(widening(size, signed), dest, reg),
                };
                // `cvt.u32.s16` into 64 bits: sign-extended to 32 bits, zero-extended from there.
                if from.signed() && !to.signed() && to.size() == 4 && from.size() < 4 {
                    let low = self.temporary(RegisterClass::B32)?;
                    let extend = if from.size() == 2 { Un32::Sext16 } else { Un32::Sext8 };
                    self.helper(Op::Un32(extend, low, reg))?;
                    return self.emit(Op::Widen(Widen::Zext, dest, low));
                }
                op
            }
            (source, _) => {
                let mut reg = reg;
                if source == RegisterClass::B64 {
                    if narrow.size() == 4 {
                        return self.emit(Op::Narrow(Narrow::Low, dest, reg));
                    }
                    if narrow.size() == 2 && (!narrow.signed() || dest_type.size() == 2) {
                        return self.emit(Op::Narrow(Narrow::Low16, dest, reg));
                    }
                    let low = self.temporary(RegisterClass::B32)?;
                    self.helper(Op::Narrow(Narrow::Low, low, reg))?;
                    reg = low;
                }
                let half = dest_type.size() == 2 || to.size() == 2 && !to.signed();
                let op = match (narrow.size(), narrow.signed()) {
                    (4, _) => Un32::Mov,
                    (2, true) if !half => Un32::Sext16,
                    (2, _) => Un32::Zext16,
                    (_, true) if half => Un32::Sext8To16,
                    (_, true) => Un32::Sext8,
                    (_, false) => Un32::Zext8,
                };
                Op::Un32(op, dest, reg)
            }
        };
        self.emit(op)
    }

    /// A comparison into a predicate, with the operations for both widths.
    fn compare(
        &mut self,
        (op32, op64): (Cmp32, Cmp64),
        ty: Type,
        dest: Reg,
        a: &'a Operand<'a>,
        b: &'a Operand<'a>,
    ) -> Result<(), SyntaxError> {
        let op = if ty.size() == 8 {
            Op::Cmp64(op64, dest, self.value64(a)?, self.value64(b)?)
        } else {
            Op::Cmp32(op32, dest, self.value32(a, ty)?, self.value32(b, ty)?)
        };
        self.emit(op)
    }

    /// Reads the comparison, such as `lt`, the optional combination, such as `and`, and `.ftz`.
    fn comparison(&mut self, mods: &mut Modifiers<'a>) -> Result<(String, Option<Logic>, bool), SyntaxError> {
        let Some(cmp) = mods.next(|p| Some(p.to_owned())) else {
            return self.reject("the comparison is missing");
        };
        let logic = mods.find(|p| match p {
            "and" => Some(Logic::And),
            "or" => Some(Logic::Or),
            "xor" => Some(Logic::Xor),
            _ => None,
        });
        Ok((cmp, logic, mods.has("ftz")))
    }

    fn pick(&self, cmp: &str, ty: Type) -> Result<(Cmp32, Cmp64), SyntaxError> {
        macro_rules! both {
            ($op:ident) => {
                (Cmp32::$op, Cmp64::$op)
            };
        }
        let s16 = ty == Type::S16;
        Ok(match (cmp, ty.float(), ty.signed()) {
            ("eq", false, _) => both!(Eq),
            ("ne", false, _) => both!(Ne),
            ("lt", false, true) if s16 => (Cmp32::LtS16, Cmp64::LtS),
            ("le", false, true) if s16 => (Cmp32::LeS16, Cmp64::LeS),
            ("gt", false, true) if s16 => (Cmp32::GtS16, Cmp64::GtS),
            ("ge", false, true) if s16 => (Cmp32::GeS16, Cmp64::GeS),
            ("lt", false, true) => both!(LtS),
            ("le", false, true) => both!(LeS),
            ("gt", false, true) => both!(GtS),
            ("ge", false, true) => both!(GeS),
            ("lt" | "lo", false, false) => both!(LtU),
            ("le" | "ls", false, false) => both!(LeU),
            ("gt" | "hi", false, false) => both!(GtU),
            ("ge" | "hs", false, false) => both!(GeU),
            ("eq", true, _) => both!(EqF),
            ("ne", true, _) => both!(NeF),
            ("lt", true, _) => both!(LtF),
            ("le", true, _) => both!(LeF),
            ("gt", true, _) => both!(GtF),
            ("ge", true, _) => both!(GeF),
            ("equ", true, _) => both!(EquF),
            ("neu", true, _) => both!(NeuF),
            ("ltu", true, _) => both!(LtuF),
            ("leu", true, _) => both!(LeuF),
            ("gtu", true, _) => both!(GtuF),
            ("geu", true, _) => both!(GeuF),
            ("num", true, _) => both!(NumF),
            ("nan", true, _) => both!(NanF),
            _ => return self.reject("this comparison is not supported"),
        })
    }

    /// Compares into `dest`, with operands flushed for `.ftz`.
    fn compare_flushed(
        &mut self,
        cmp: &str,
        ty: Type,
        flush: bool,
        dest: Reg,
        (a, b): (&'a Operand<'a>, &'a Operand<'a>),
    ) -> Result<(), SyntaxError> {
        let ops = self.pick(cmp, ty)?;
        if matches!(ty, Type::F16 | Type::Bf16) {
            let (a, b) = (self.value32(a, ty)?, self.value32(b, ty)?);
            return self.compare_halves(ops.1, ty, flush, dest, (a, b));
        }
        if !flush {
            return self.compare(ops, ty, dest, a, b);
        }
        if ty != Type::F32 {
            return self.reject("`.ftz` is not supported here");
        }
        let mut sources = [self.value32(a, Type::F32)?, self.value32(b, Type::F32)?];
        for source in &mut sources {
            *source = self.flushed(Un32::FlushF, *source)?;
        }
        self.emit(Op::Cmp32(ops.0, dest, sources[0], sources[1]))
    }

    fn flushed(&mut self, op: Un32, source: Reg) -> Result<Reg, SyntaxError> {
        let flushed = self.temporary(RegisterClass::B32)?;
        self.helper(Op::Un32(op, flushed, source))?;
        Ok(flushed)
    }

    /// A comparison of two 16-bit floats.
    fn compare_halves(
        &mut self,
        op: Cmp64,
        ty: Type,
        flush: bool,
        dest: Reg,
        (mut a, mut b): (Reg, Reg),
    ) -> Result<(), SyntaxError> {
        if flush && ty == Type::Bf16 {
            return self.reject("`.ftz` is not supported here");
        }
        if flush {
            (a, b) = (self.flushed(Un32::FlushHalf, a)?, self.flushed(Un32::FlushHalf, b)?);
        }
        let (a, b) = (self.half_as_double(a, ty)?, self.half_as_double(b, ty)?);
        self.emit(Op::Cmp64(op, dest, a, b))
    }

    /// Comparisons of the low and of the high halves of two pairs of 16-bit floats, into new predicates.
    fn compare_pairs(
        &mut self,
        cmp: &str,
        ty: Type,
        flush: bool,
        (a, b): (&'a Operand<'a>, &'a Operand<'a>),
        combine: Option<(Logic, &'a Operand<'a>)>,
    ) -> Result<[Reg; 2], SyntaxError> {
        let half = if ty == Type::F16x2 { Type::F16 } else { Type::Bf16 };
        let op = self.pick(cmp, half)?.1;
        let (a, b) = (self.value32(a, ty)?, self.value32(b, ty)?);
        let third = combine.map(|(logic, c)| Ok((logic, self.pred_value(c)?))).transpose()?;
        let mut out = [0; 2];
        let counted = self.counted;
        for (dest, cut) in out.iter_mut().zip([Un32::Zext16, Un32::High16]) {
            *dest = self.temporary_pred()?;
            let parts = (self.flushed(cut, a)?, self.flushed(cut, b)?);
            self.compare_halves(op, half, flush, *dest, parts)?;
            if let Some((logic, c)) = third {
                self.helper(Op::PredLogic(logic, *dest, *dest, c))?;
            }
            self.counted = false;
        }
        self.counted = counted;
        Ok(out)
    }

    fn setp(&mut self, mods: &mut Modifiers<'a>, operands: &'a [Operand<'a>]) -> Result<(), SyntaxError> {
        let (cmp, logic, flush) = self.comparison(mods)?;
        let ty = mods.ty()?;
        let (p, q, a, b, c) = match (operands, logic) {
            ([Operand::Pair(p, q), a, b], None) => (self.named_pred(p)?, self.named_pred(q)?, a, b, None),
            ([Operand::Pair(p, q), a, b, c], Some(logic)) => {
                (self.named_pred(p)?, self.named_pred(q)?, a, b, Some((logic, c)))
            }
            ([p, a, b], None) => (self.pred(p)?, SINK, a, b, None),
            ([p, a, b, c], Some(logic)) => (self.pred(p)?, SINK, a, b, Some((logic, c))),
            _ => return self.reject("the operands do not fit"),
        };
        if matches!(ty, Type::F16x2 | Type::Bf16x2) {
            // One predicate for each half.
            let [low, high] = self.compare_pairs(&cmp, ty, flush, (a, b), c)?;
            return self.move_preds([(q, high), (p, low)]);
        }
        if q == SINK && c.is_none() {
            return self.compare_flushed(&cmp, ty, flush, p, (a, b));
        }
        let result = self.temporary_pred()?;
        let third = match c {
            Some((_, c)) => self.pred_value(c)?,
            None => FALSE,
        };
        self.compare_flushed(&cmp, ty, flush, result, (a, b))?;
        let inverse = self.temporary_pred()?;
        self.helper(Op::PredNot(inverse, result))?;
        // The guard may be one of the destinations: both values are computed before either is written.
        let combine = |logic| match logic {
            Some((logic, _)) => (logic, third),
            None => (Logic::Or, FALSE),
        };
        let (logic, third) = combine(c);
        let other = self.temporary_pred()?;
        self.helper(Op::PredLogic(logic, other, inverse, third))?;
        self.helper(Op::PredLogic(logic, result, result, third))?;
        self.move_preds([(q, other), (p, result)])
    }

    /// Copies predicates to their destinations, except to `_`.
    fn move_preds(&mut self, moves: [(Reg, Reg); 2]) -> Result<(), SyntaxError> {
        for (dest, value) in moves {
            if dest != SINK {
                self.helper(Op::PredMov(dest, value))?;
            }
        }
        Ok(())
    }

    fn named_pred(&mut self, name: &'a str) -> Result<Reg, SyntaxError> {
        if name == "_" {
            return Ok(SINK);
        }
        self.pred_register(name)
    }

    fn set(&mut self, mods: &mut Modifiers<'a>, operands: &'a [Operand<'a>]) -> Result<(), SyntaxError> {
        let (cmp, logic, flush) = self.comparison(mods)?;
        let (to, ty) = (mods.ty()?, mods.ty()?);
        let (d, a, b, c) = match (operands, logic) {
            ([d, a, b], None) => (d, a, b, None),
            ([d, a, b, c], Some(logic)) => (d, a, b, Some((logic, c))),
            _ => return self.reject("the operands do not fit"),
        };
        let dest = self.dest(d, to)?;
        let zero = self.constant32(0)?;
        if matches!(ty, Type::F16x2 | Type::Bf16x2) {
            let one = self.constant32(match to {
                Type::U32 | Type::S32 => 0xffff,
                Type::F16x2 if ty == to => 0x3c00,
                Type::Bf16x2 if ty == to => 0x3f80,
                _ => return self.unsupported_type(),
            })?;
            let flags = self.compare_pairs(&cmp, ty, flush, (a, b), c)?;
            let mut halves = [0; 2];
            for (half, flag) in halves.iter_mut().zip(flags) {
                *half = self.temporary(RegisterClass::B32)?;
                self.helper(Op::Sel32(*half, one, zero, flag))?;
            }
            return self.helper(Op::Bin32(Bin32::Pack16, dest, halves[0], halves[1]));
        }
        let half = matches!(ty, Type::F16 | Type::Bf16);
        let one = self.constant32(match to {
            Type::U32 | Type::S32 => u32::MAX,
            Type::U16 | Type::S16 if half => 0xffff,
            Type::F16 => 0x3c00,
            Type::Bf16 => 0x3f80,
            Type::F32 => 1f32.to_bits(),
            _ => return self.unsupported_type(),
        })?;
        let p = self.temporary_pred()?;
        self.compare_flushed(&cmp, ty, flush, p, (a, b))?;
        if let Some((logic, c)) = c {
            let c = self.pred_value(c)?;
            self.helper(Op::PredLogic(logic, p, p, c))?;
        }
        self.helper(Op::Sel32(dest, one, zero, p))
    }
}

/// What `cvt` converts to or from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConvertType {
    One(Type),
    Tf32,
    /// Two numbers of a format, the bits that each takes, and the type of their register.
    Pair(Format, u32, Type),
}

impl ConvertType {
    fn parse(part: &str) -> Option<ConvertType> {
        Some(match part {
            "tf32" => ConvertType::Tf32,
            "f16x2" => ConvertType::Pair(Format::F16, 16, Type::B32),
            "bf16x2" => ConvertType::Pair(Format::Bf16, 16, Type::B32),
            "e5m2x2" => ConvertType::Pair(Format::E5m2, 8, Type::B16),
            "e4m3x2" => ConvertType::Pair(Format::E4m3, 8, Type::B16),
            "e3m2x2" => ConvertType::Pair(Format::E3m2, 8, Type::B16),
            "e2m3x2" => ConvertType::Pair(Format::E2m3, 8, Type::B16),
            "e2m1x2" => ConvertType::Pair(Format::E2m1, 4, Type::B8),
            "ue8m0x2" => ConvertType::Pair(Format::Ue8m0, 8, Type::B16),
            _ => {
                let ty = Type::parse(part)?;
                Scalar::of(ty).map(|_| ConvertType::One(ty))?
            }
        })
    }

    fn scalar(self) -> Scalar {
        match self {
            ConvertType::One(ty) => Scalar::of(ty).unwrap_or(Scalar::Unsigned(ty.bits())),
            ConvertType::Tf32 => Scalar::Float(Format::Tf32),
            ConvertType::Pair(format, ..) => Scalar::Float(format),
        }
    }
}

/// How a value of a smaller size is widened to 64 bits.
fn widening(size: u32, signed: bool) -> Widen {
    match (size, signed) {
        (1, true) => Widen::Sext8,
        (1, false) => Widen::Zext8,
        (2, true) => Widen::Sext16,
        (4, true) => Widen::Sext,
        _ => Widen::Zext,
    }
}
