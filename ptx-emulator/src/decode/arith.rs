//! Arithmetic instructions.

use super::Class;
use super::function::Context;
use super::mods::Mods;
use crate::op::{Carry, Op, Reg};
use crate::semantics::convert::{Convert, Rounding};
use crate::semantics::{Bin32, Bin64, MadWide, Tri32, Tri64, Un32, Un64, Wide};
use crate::text::SyntaxError;
use crate::text::ast::Operand;
use crate::text::types::Type;

type Operands<'a> = &'a [Operand<'a>];

/// Float qualifiers of an instruction.
struct Float {
    flush: bool,
    saturate: bool,
}

impl<'a> Context<'_, 'a> {
    /// Decodes `name` if it is arithmetic.
    pub(super) fn arithmetic(
        &mut self,
        name: &str,
        mods: &mut Mods<'a>,
        operands: Operands<'a>,
    ) -> Result<Option<()>, SyntaxError> {
        match name {
            "add" | "sub" | "addc" | "subc" => self.add(name, mods, operands)?,
            "mul" | "mul24" => self.mul(name, mods, operands)?,
            "mad" | "mad24" | "fma" => self.mad(name, mods, operands)?,
            "div" | "rem" | "min" | "max" | "copysign" => self.binary(name, mods, operands)?,
            "neg" | "abs" | "rcp" | "sqrt" | "rsqrt" | "ex2" | "lg2" | "sin" | "cos" | "tanh" => {
                self.unary(name, mods, operands)?;
            }
            "sad" => {
                let ty = mods.ty()?;
                match (ty.size(), ty.signed()) {
                    (4, false) => self.tri32(Tri32::SadU, ty, operands)?,
                    (4, true) => self.tri32(Tri32::SadS, ty, operands)?,
                    (8, false) => self.tri64(Tri64::SadU, ty, operands)?,
                    (8, true) => self.tri64(Tri64::SadS, ty, operands)?,
                    _ => return self.refuse("this type is not supported"),
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(()))
    }

    /// Rounding and float qualifiers; only round-to-nearest is implemented for arithmetic.
    fn float(&mut self, mods: &mut Mods<'a>) -> Result<Float, SyntaxError> {
        // The approximations of `.approx` and `.full` are answered with the correctly rounded value.
        let _ = mods.has("rn") || mods.has("approx") || mods.has("full");
        Ok(Float { flush: mods.has("ftz"), saturate: mods.has("sat") })
    }

    /// Source of single precision, flushed if asked.
    fn source_f32(&mut self, operand: &'a Operand<'a>, float: &Float) -> Result<Reg, SyntaxError> {
        let reg = self.value32(operand, Type::F32)?;
        if !float.flush {
            return Ok(reg);
        }
        let temporary = self.temporary(Class::Word)?;
        self.helper(Op::Un32(Un32::FlushF, temporary, reg))?;
        Ok(temporary)
    }

    /// Steps after an operation of single precision.
    fn finish_f32(&mut self, dest: Reg, float: &Float) -> Result<(), SyntaxError> {
        if float.flush {
            self.helper(Op::Un32(Un32::FlushF, dest, dest))?;
        }
        if float.saturate {
            self.helper(Op::Un32(Un32::SaturateF, dest, dest))?;
        }
        Ok(())
    }

    pub(super) fn arity<const N: usize>(
        &self,
        operands: Operands<'a>,
    ) -> Result<&'a [Operand<'a>; N], SyntaxError> {
        match operands.try_into() {
            Ok(operands) => Ok(operands),
            Err(_) => self.refuse(format!("{N} operands were expected, not {}", operands.len())),
        }
    }

    pub(super) fn un32(&mut self, op: Un32, ty: Type, operands: Operands<'a>) -> Result<(), SyntaxError> {
        let [d, a] = self.arity(operands)?;
        let op = Op::Un32(op, self.dest(d, ty)?, self.value32(a, ty)?);
        self.emit(op)
    }

    pub(super) fn un64(&mut self, op: Un64, ty: Type, operands: Operands<'a>) -> Result<(), SyntaxError> {
        let [d, a] = self.arity(operands)?;
        let op = Op::Un64(op, self.dest(d, ty)?, self.value64(a)?);
        self.emit(op)
    }

    pub(super) fn bin32(&mut self, op: Bin32, ty: Type, operands: Operands<'a>) -> Result<(), SyntaxError> {
        let [d, a, b] = self.arity(operands)?;
        let op = Op::Bin32(op, self.dest(d, ty)?, self.value32(a, ty)?, self.value32(b, ty)?);
        self.emit(op)
    }

    pub(super) fn bin64(&mut self, op: Bin64, ty: Type, operands: Operands<'a>) -> Result<(), SyntaxError> {
        let [d, a, b] = self.arity(operands)?;
        let op = Op::Bin64(op, self.dest(d, ty)?, self.value64(a)?, self.value64(b)?);
        self.emit(op)
    }

    fn tri32(&mut self, op: Tri32, ty: Type, operands: Operands<'a>) -> Result<(), SyntaxError> {
        let [d, a, b, c] = self.arity(operands)?;
        let dest = self.dest(d, ty)?;
        let op = Op::Tri32(op, dest, self.value32(a, ty)?, self.value32(b, ty)?, self.value32(c, ty)?);
        self.emit(op)
    }

    fn tri64(&mut self, op: Tri64, ty: Type, operands: Operands<'a>) -> Result<(), SyntaxError> {
        let [d, a, b, c] = self.arity(operands)?;
        let dest = self.dest(d, ty)?;
        let op = Op::Tri64(op, dest, self.value64(a)?, self.value64(b)?, self.value64(c)?);
        self.emit(op)
    }

    fn bin_f32(&mut self, op: Bin32, float: &Float, operands: Operands<'a>) -> Result<(), SyntaxError> {
        let [d, a, b] = self.arity(operands)?;
        let dest = self.dest(d, Type::F32)?;
        let op = Op::Bin32(op, dest, self.source_f32(a, float)?, self.source_f32(b, float)?);
        self.emit(op)?;
        self.finish_f32(dest, float)
    }

    /// A source of half precision as a double; exact.
    pub(super) fn source_half(&mut self, operand: &'a Operand<'a>) -> Result<Reg, SyntaxError> {
        let reg = self.value32(operand, Type::F16)?;
        let wide = self.temporary(Class::Double)?;
        self.helper(Op::Convert(Box::new(plain_convert(Type::F64, Type::F16)), wide, reg))?;
        Ok(wide)
    }

    /// Arithmetic of half precision, done in double precision and rounded once: sums and products of two
    /// halves are exact there, and so is every `fma` whose rounding could hang on it.
    fn half(&mut self, name: &str, mods: &mut Mods<'a>, operands: Operands<'a>) -> Result<(), SyntaxError> {
        mods.has("rn");
        let result = self.temporary(Class::Double)?;
        let (d, op) = match (name, operands) {
            ("add", [d, a, b]) => {
                (d, Op::Bin64(Bin64::AddF, result, self.source_half(a)?, self.source_half(b)?))
            }
            ("sub", [d, a, b]) => {
                (d, Op::Bin64(Bin64::SubF, result, self.source_half(a)?, self.source_half(b)?))
            }
            ("mul", [d, a, b]) => {
                (d, Op::Bin64(Bin64::MulF, result, self.source_half(a)?, self.source_half(b)?))
            }
            ("min", [d, a, b]) => {
                (d, Op::Bin64(Bin64::MinF, result, self.source_half(a)?, self.source_half(b)?))
            }
            ("max", [d, a, b]) => {
                (d, Op::Bin64(Bin64::MaxF, result, self.source_half(a)?, self.source_half(b)?))
            }
            ("fma", [d, a, b, c]) => {
                let (a, b) = (self.source_half(a)?, self.source_half(b)?);
                (d, Op::Tri64(Tri64::FmaF, result, a, b, self.source_half(c)?))
            }
            _ => return self.refuse("this type is not supported"),
        };
        let dest = self.dest(d, Type::F16)?;
        self.helper(op)?;
        self.emit(Op::Convert(Box::new(plain_convert(Type::F16, Type::F64)), dest, result))
    }

    fn add(&mut self, name: &str, mods: &mut Mods<'a>, operands: Operands<'a>) -> Result<(), SyntaxError> {
        let subtract = name.starts_with("sub");
        let (reads, writes) = (name.ends_with('c'), mods.has("cc"));
        let ty = mods.ty()?;
        let pick = |add, sub| if subtract { sub } else { add };
        let wide = |add, sub| if subtract { sub } else { add };
        if reads || writes {
            let [d, a, b] = self.arity(operands)?;
            let carry = Carry { subtract, reads, writes };
            let dest = self.dest(d, ty)?;
            let op = match ty {
                Type::U32 | Type::S32 | Type::B32 => {
                    Op::Carry32(carry, dest, self.value32(a, ty)?, self.value32(b, ty)?)
                }
                Type::U64 | Type::S64 | Type::B64 => {
                    Op::Carry64(carry, dest, self.value64(a)?, self.value64(b)?)
                }
                _ => return self.refuse("this type is not supported"),
            };
            return self.emit(op);
        }
        match ty {
            Type::U16 | Type::S16 => self.bin32(pick(Bin32::Add16, Bin32::Sub16), ty, operands),
            Type::S32 if mods.has("sat") => self.bin32(pick(Bin32::AddSat, Bin32::SubSat), ty, operands),
            Type::U32 | Type::S32 => self.bin32(pick(Bin32::Add, Bin32::Sub), ty, operands),
            Type::U64 | Type::S64 => self.bin64(wide(Bin64::Add, Bin64::Sub), ty, operands),
            Type::F32 => {
                let float = self.float(mods)?;
                self.bin_f32(pick(Bin32::AddF, Bin32::SubF), &float, operands)
            }
            Type::F64 => {
                mods.has("rn");
                self.bin64(wide(Bin64::AddF, Bin64::SubF), ty, operands)
            }
            Type::F16 => self.half(name, mods, operands),
            _ => self.refuse("this type is not supported"),
        }
    }

    fn mul(&mut self, name: &str, mods: &mut Mods<'a>, operands: Operands<'a>) -> Result<(), SyntaxError> {
        let ty = mods.ty()?;
        let (wide, high) = (mods.has("wide"), mods.has("hi"));
        mods.has("lo");
        if name == "mul24" {
            let op = match (ty, high) {
                (Type::U32, false) => Bin32::Mul24U,
                (Type::S32, false) => Bin32::Mul24S,
                (Type::U32, true) => Bin32::Mul24HiU,
                (Type::S32, true) => Bin32::Mul24HiS,
                _ => return self.refuse("this type is not supported"),
            };
            return self.bin32(op, ty, operands);
        }
        if wide {
            let [d, a, b] = self.arity(operands)?;
            let (a, b) = (self.value32(a, ty)?, self.value32(b, ty)?);
            let op = match ty {
                Type::U16 => Op::Bin32(Bin32::MulWideU16, self.dest(d, Type::U32)?, a, b),
                Type::S16 => Op::Bin32(Bin32::MulWideS16, self.dest(d, Type::S32)?, a, b),
                Type::U32 => Op::Wide(Wide::MulU, self.dest(d, Type::U64)?, a, b),
                Type::S32 => Op::Wide(Wide::MulS, self.dest(d, Type::S64)?, a, b),
                _ => return self.refuse("this type is not supported"),
            };
            return self.emit(op);
        }
        match (ty, high) {
            (Type::U16 | Type::S16, false) => self.bin32(Bin32::Mul16, ty, operands),
            (Type::U16, true) => self.bin32(Bin32::MulHiU16, ty, operands),
            (Type::S16, true) => self.bin32(Bin32::MulHiS16, ty, operands),
            (Type::U32 | Type::S32, false) => self.bin32(Bin32::Mul, ty, operands),
            (Type::U32, true) => self.bin32(Bin32::MulHiU, ty, operands),
            (Type::S32, true) => self.bin32(Bin32::MulHiS, ty, operands),
            (Type::U64 | Type::S64, false) => self.bin64(Bin64::Mul, ty, operands),
            (Type::U64, true) => self.bin64(Bin64::MulHiU, ty, operands),
            (Type::S64, true) => self.bin64(Bin64::MulHiS, ty, operands),
            (Type::F32, false) => {
                let float = self.float(mods)?;
                self.bin_f32(Bin32::MulF, &float, operands)
            }
            (Type::F64, false) => {
                mods.has("rn");
                self.bin64(Bin64::MulF, ty, operands)
            }
            (Type::F16, false) => self.half(name, mods, operands),
            _ => self.refuse("this type is not supported"),
        }
    }

    fn mad(&mut self, name: &str, mods: &mut Mods<'a>, operands: Operands<'a>) -> Result<(), SyntaxError> {
        let ty = mods.ty()?;
        let (wide, high) = (mods.has("wide"), mods.has("hi"));
        mods.has("lo");
        if name == "mad24" {
            return match (ty, high) {
                (Type::U32, false) => self.tri32(Tri32::Mad24U, ty, operands),
                (Type::S32, false) => self.tri32(Tri32::Mad24S, ty, operands),
                _ => self.refuse("this type is not supported"),
            };
        }
        if wide {
            let [d, a, b, c] = self.arity(operands)?;
            let (a, b) = (self.value32(a, ty)?, self.value32(b, ty)?);
            let op = match ty {
                Type::U16 => {
                    Op::Tri32(Tri32::MadWideU16, self.dest(d, Type::U32)?, a, b, self.value32(c, Type::U32)?)
                }
                Type::S16 => {
                    Op::Tri32(Tri32::MadWideS16, self.dest(d, Type::S32)?, a, b, self.value32(c, Type::S32)?)
                }
                Type::U32 => Op::MadWide(MadWide::U, self.dest(d, Type::U64)?, a, b, self.value64(c)?),
                Type::S32 => Op::MadWide(MadWide::S, self.dest(d, Type::S64)?, a, b, self.value64(c)?),
                _ => return self.refuse("this type is not supported"),
            };
            return self.emit(op);
        }
        match (ty, high) {
            (Type::U16 | Type::S16, false) => self.tri32(Tri32::Mad16, ty, operands),
            (Type::U32 | Type::S32, false) => self.tri32(Tri32::Mad, ty, operands),
            (Type::U32, true) => self.tri32(Tri32::MadHiU, ty, operands),
            (Type::S32, true) => self.tri32(Tri32::MadHiS, ty, operands),
            (Type::U64 | Type::S64, false) => self.tri64(Tri64::Mad, ty, operands),
            (Type::U64, true) => self.tri64(Tri64::MadHiU, ty, operands),
            (Type::S64, true) => self.tri64(Tri64::MadHiS, ty, operands),
            (Type::F32, false) => {
                let float = self.float(mods)?;
                let [d, a, b, c] = self.arity(operands)?;
                let dest = self.dest(d, ty)?;
                let (a, b) = (self.source_f32(a, &float)?, self.source_f32(b, &float)?);
                let c = self.source_f32(c, &float)?;
                self.emit(Op::Tri32(Tri32::FmaF, dest, a, b, c))?;
                self.finish_f32(dest, &float)
            }
            (Type::F64, false) => {
                mods.has("rn");
                self.tri64(Tri64::FmaF, ty, operands)
            }
            (Type::F16, false) if name == "fma" => self.half(name, mods, operands),
            _ => self.refuse("this type is not supported"),
        }
    }

    fn binary(&mut self, name: &str, mods: &mut Mods<'a>, operands: Operands<'a>) -> Result<(), SyntaxError> {
        let nan = mods.has("NaN");
        let ty = mods.ty()?;
        match ty {
            Type::F32 => {
                let float = self.float(mods)?;
                let op = match (name, nan) {
                    ("div", false) => Bin32::DivF,
                    ("min", false) => Bin32::MinF,
                    ("max", false) => Bin32::MaxF,
                    ("min", true) => Bin32::MinNanF,
                    ("max", true) => Bin32::MaxNanF,
                    ("copysign", false) => Bin32::CopysignF,
                    _ => return self.refuse("this type is not supported"),
                };
                return self.bin_f32(op, &float, operands);
            }
            Type::F64 => {
                if name == "div" {
                    mods.has("rn");
                }
                let op = match (name, nan) {
                    ("div", false) => Bin64::DivF,
                    ("min", false) => Bin64::MinF,
                    ("max", false) => Bin64::MaxF,
                    ("copysign", false) => Bin64::CopysignF,
                    _ => return self.refuse("this type is not supported"),
                };
                return self.bin64(op, ty, operands);
            }
            Type::F16 if !nan => return self.half(name, mods, operands),
            _ if nan || !ty.integer() => return self.refuse("this type is not supported"),
            _ => {}
        }
        if ty.size() == 8 {
            let op = match (name, ty.signed()) {
                ("div", false) => Bin64::DivU,
                ("div", true) => Bin64::DivS,
                ("rem", false) => Bin64::RemU,
                ("rem", true) => Bin64::RemS,
                ("min", false) => Bin64::MinU,
                ("min", true) => Bin64::MinS,
                ("max", false) => Bin64::MaxU,
                ("max", true) => Bin64::MaxS,
                _ => return self.refuse("this type is not supported"),
            };
            return self.bin64(op, ty, operands);
        }
        let op = match (name, ty) {
            ("div", Type::U32) => Bin32::DivU,
            ("div", Type::S32) => Bin32::DivS,
            ("rem", Type::U32) => Bin32::RemU,
            ("rem", Type::S32) => Bin32::RemS,
            ("min", Type::U32 | Type::U16) => Bin32::MinU,
            ("min", Type::S32) => Bin32::MinS,
            ("max", Type::U32 | Type::U16) => Bin32::MaxU,
            ("max", Type::S32) => Bin32::MaxS,
            ("div", Type::U16) => Bin32::DivU16,
            ("div", Type::S16) => Bin32::DivS16,
            ("rem", Type::U16) => Bin32::RemU16,
            ("rem", Type::S16) => Bin32::RemS16,
            ("min", Type::S16) => Bin32::MinS16,
            ("max", Type::S16) => Bin32::MaxS16,
            _ => return self.refuse("this type is not supported"),
        };
        self.bin32(op, ty, operands)
    }

    fn unary(&mut self, name: &str, mods: &mut Mods<'a>, operands: Operands<'a>) -> Result<(), SyntaxError> {
        let ty = mods.ty()?;
        let float = self.float(mods)?;
        if ty == Type::F64 {
            let op = match name {
                "neg" => Un64::NegF,
                "abs" => Un64::AbsF,
                "rcp" => Un64::RcpF,
                "sqrt" => Un64::SqrtF,
                "rsqrt" => Un64::RsqrtF,
                _ => return self.refuse("this type is not supported"),
            };
            return self.un64(op, ty, operands);
        }
        if ty == Type::F32 {
            let op = match name {
                "neg" => Un32::NegF,
                "abs" => Un32::AbsF,
                "rcp" => Un32::RcpF,
                "sqrt" => Un32::SqrtF,
                "rsqrt" => Un32::RsqrtF,
                "ex2" => Un32::Ex2F,
                "lg2" => Un32::Lg2F,
                "sin" => Un32::SinF,
                "cos" => Un32::CosF,
                _ => Un32::TanhF,
            };
            let [d, a] = self.arity(operands)?;
            let dest = self.dest(d, ty)?;
            let source = self.source_f32(a, &float)?;
            self.emit(Op::Un32(op, dest, source))?;
            return self.finish_f32(dest, &float);
        }
        match (name, ty) {
            ("neg", Type::S16) => self.un32(Un32::Neg16, ty, operands),
            ("neg", Type::S32) => self.un32(Un32::Neg, ty, operands),
            ("neg", Type::S64) => self.un64(Un64::Neg, ty, operands),
            ("neg", Type::F16 | Type::Bf16) => self.un32(Un32::NegHalf, ty, operands),
            ("abs", Type::S16) => self.un32(Un32::Abs16, ty, operands),
            ("abs", Type::S32) => self.un32(Un32::Abs, ty, operands),
            ("abs", Type::S64) => self.un64(Un64::Abs, ty, operands),
            ("abs", Type::F16 | Type::Bf16) => self.un32(Un32::AbsHalf, ty, operands),
            _ => self.refuse("this type is not supported"),
        }
    }
}

/// A conversion with nothing but its types.
fn plain_convert(to: Type, from: Type) -> Convert {
    Convert { to, from, rounding: Rounding::Nearest, whole: false, saturate: false, flush: false }
}
