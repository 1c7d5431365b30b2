//! Comparisons, tests and selections.

use super::decoder::{Operands, RegisterClass, Result};
use super::function::FunctionDecoder;
use super::modifiers::{Modifiers, among};
use crate::instruction::{FALSE, Logic, Op, Reg, SINK};
use crate::semantics::compare::{Cmp32, Cmp64};
use crate::semantics::{Bin32, Un32};
use crate::text::ast::Operand;
use crate::text::types::Type;

impl<'a> FunctionDecoder<'_, 'a> {
    /// Decodes `name` if it compares, tests or selects.
    pub(super) fn selection(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result<Option<()>> {
        match name {
            "setp" => self.setp(mods, operands)?,
            "set" => self.set(mods, operands)?,
            "testp" => {
                let test = mods.next(among(&[
                    ("finite", (Cmp32::TestFinite, Cmp64::TestFinite)),
                    ("infinite", (Cmp32::TestInfinite, Cmp64::TestInfinite)),
                    ("number", (Cmp32::TestNumber, Cmp64::TestNumber)),
                    ("notanumber", (Cmp32::TestNotANumber, Cmp64::TestNotANumber)),
                    ("normal", (Cmp32::TestNormal, Cmp64::TestNormal)),
                    ("subnormal", (Cmp32::TestSubnormal, Cmp64::TestSubnormal)),
                ]));
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

    /// A comparison into a predicate, with the operations for both widths.
    fn compare(
        &mut self,
        (op32, op64): (Cmp32, Cmp64),
        ty: Type,
        dest: Reg,
        a: &'a Operand<'a>,
        b: &'a Operand<'a>,
    ) -> Result {
        let op = if ty.size() == 8 {
            Op::Cmp64(op64, dest, self.value64(a)?, self.value64(b)?)
        } else {
            Op::Cmp32(op32, dest, self.value32(a, ty)?, self.value32(b, ty)?)
        };
        self.emit(op)
    }

    /// Reads the comparison, such as `lt`, the optional combination, such as `and`, and `.ftz`.
    fn comparison(&mut self, mods: &mut Modifiers<'a>) -> Result<(String, Option<Logic>, bool)> {
        let Some(cmp) = mods.next(|p| Some(p.to_owned())) else {
            return self.reject("the comparison is missing");
        };
        let logic = mods.find(among(&[("and", Logic::And), ("or", Logic::Or), ("xor", Logic::Xor)]));
        Ok((cmp, logic, mods.has("ftz")))
    }

    fn pick(&self, cmp: &str, ty: Type) -> Result<(Cmp32, Cmp64)> {
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
    ) -> Result {
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

    /// A comparison of two 16-bit floats.
    fn compare_halves(
        &mut self,
        op: Cmp64,
        ty: Type,
        flush: bool,
        dest: Reg,
        (mut a, mut b): (Reg, Reg),
    ) -> Result {
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
    ) -> Result<[Reg; 2]> {
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

    fn setp(&mut self, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
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
    fn move_preds(&mut self, moves: [(Reg, Reg); 2]) -> Result {
        for (dest, value) in moves {
            if dest != SINK {
                self.helper(Op::PredMov(dest, value))?;
            }
        }
        Ok(())
    }

    fn named_pred(&mut self, name: &'a str) -> Result<Reg> {
        if name == "_" {
            return Ok(SINK);
        }
        self.pred_register(name)
    }

    fn set(&mut self, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
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
