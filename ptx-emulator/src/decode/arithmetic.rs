//! Arithmetic instructions.

use super::decoder::RegisterClass;
use super::function::FunctionDecoder;
use super::modifiers::Modifiers;
use crate::instruction::{Carry, GeneralFloat, Op, Reg};
use crate::semantics::convert::{Convert, Scalar};
use crate::semantics::general_float::{FloatArithmetic, FloatOp};
use crate::semantics::real::{Format, Rounding};
use crate::semantics::{Bin32, Bin64, MadWide, Tri32, Tri64, Un32, Un64, Wide};
use crate::text::SyntaxError;
use crate::text::ast::Operand;
use crate::text::types::Type;

type Operands<'a> = &'a [Operand<'a>];

/// Float qualifiers of an instruction.
#[derive(Clone, Copy, Debug, Default)]
struct Qualifiers {
    /// None if none is written, or if the instruction is an approximation.
    rounding: Option<Rounding>,
    approx: bool,
    flush: bool,
    saturate: bool,
    relu: bool,
    nan: bool,
    abs: bool,
    xor_sign: bool,
}

/// The qualifiers that a float instruction may have.
fn legal(name: &str, ty: Type) -> Option<&'static [&'static str]> {
    use Type::{Bf16, Bf16x2, F16, F16x2, F32, F32x2, F64};
    Some(match (name, ty) {
        ("add" | "sub" | "mul" | "fma" | "mad", F32) => &["rn", "rz", "rm", "rp", "ftz", "sat"],
        ("add" | "sub" | "mul" | "fma", F32x2) => &["rn", "rz", "rm", "rp", "ftz"],
        ("add" | "sub" | "mul" | "fma" | "mad" | "div" | "sqrt", F64) => &["rn", "rz", "rm", "rp"],
        ("add" | "sub" | "mul", F16 | F16x2) => &["rn", "ftz", "sat"],
        ("add" | "sub" | "mul", Bf16 | Bf16x2) => &["rn"],
        ("fma", F16 | F16x2) => &["rn", "ftz", "sat", "relu"],
        ("fma", Bf16 | Bf16x2) => &["rn", "relu"],
        ("div", F32) => &["rn", "rz", "rm", "rp", "ftz", "approx", "full"],
        ("rcp" | "sqrt", F32) => &["rn", "rz", "rm", "rp", "ftz", "approx"],
        ("rcp", F64) => &["rn", "rz", "rm", "rp", "ftz", "approx"],
        ("rsqrt", F32 | F64) | ("ex2" | "lg2" | "sin" | "cos", F32) => &["approx", "ftz"],
        ("ex2", Bf16 | Bf16x2) => &["approx", "ftz"],
        ("ex2", F16 | F16x2) | ("tanh", F32 | F16 | F16x2 | Bf16 | Bf16x2) => &["approx"],
        ("min" | "max", F32 | F16 | F16x2) => &["ftz", "NaN", "xorsign", "abs"],
        ("min" | "max", Bf16 | Bf16x2) => &["NaN", "xorsign", "abs"],
        ("neg" | "abs", F32 | F16 | F16x2) => &["ftz"],
        ("neg" | "abs", F64 | Bf16 | Bf16x2) | ("min" | "max", F64) | ("copysign", F32 | F64) => &[],
        _ => return None,
    })
}

impl<'a> FunctionDecoder<'_, 'a> {
    /// Decodes `name` if it is arithmetic.
    pub(super) fn arithmetic(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result<Option<()>, SyntaxError> {
        match name {
            "add" | "sub" | "addc" | "subc" => self.add(name, mods, operands)?,
            "mul" | "mul24" => self.mul(name, mods, operands)?,
            "mad" | "mad24" | "madc" | "fma" => self.mad(name, mods, operands)?,
            "div" | "rem" | "min" | "max" | "copysign" => self.binary(name, mods, operands)?,
            "neg" | "abs" | "rcp" | "sqrt" | "rsqrt" | "ex2" | "lg2" | "sin" | "cos" | "tanh" => {
                self.unary(name, mods, operands)?;
            }
            "sad" => match mods.ty()? {
                ty @ Type::U16 => self.tri32(Tri32::SadU16, ty, operands)?,
                ty @ Type::S16 => self.tri32(Tri32::SadS16, ty, operands)?,
                ty @ Type::U32 => self.tri32(Tri32::SadU, ty, operands)?,
                ty @ Type::S32 => self.tri32(Tri32::SadS, ty, operands)?,
                ty @ Type::U64 => self.tri64(Tri64::SadU, ty, operands)?,
                ty @ Type::S64 => self.tri64(Tri64::SadS, ty, operands)?,
                _ => return self.unsupported_type(),
            },
            "dp4a" | "dp2a" => self.dot_product(name, mods, operands)?,
            _ => return Ok(None),
        }
        Ok(Some(()))
    }

    /// Consumes the float qualifiers that the instruction may have.
    fn qualifiers(
        &mut self,
        name: &str,
        ty: Type,
        mods: &mut Modifiers<'a>,
    ) -> Result<Qualifiers, SyntaxError> {
        let Some(legal) = legal(name, ty) else { return self.unsupported_type() };
        let rounding = mods.find(|p| if legal.contains(&p) { rounding(p) } else { None });
        let mut has = |part: &str| legal.contains(&part) && mods.has(part);
        let q = Qualifiers {
            rounding,
            approx: has("approx") || has("full"),
            flush: has("ftz"),
            saturate: has("sat"),
            relu: has("relu"),
            nan: has("NaN"),
            xor_sign: has("xorsign"),
            abs: has("abs"),
        };
        if q.approx && q.rounding.is_some() || q.saturate && q.relu {
            return self.reject("these qualifiers cannot be combined");
        }
        Ok(q)
    }

    /// A float operation of the general path.
    fn float(
        &mut self,
        op: FloatOp,
        ty: Type,
        q: Qualifiers,
        operands: Operands<'a>,
    ) -> Result<(), SyntaxError> {
        let Some((format, parts)) = Format::of(ty) else { return self.unsupported_type() };
        let arity = match op {
            FloatOp::Fma => 3,
            FloatOp::Min | FloatOp::Max if ty == Type::F32 && operands.len() == 4 => 3,
            FloatOp::Rcp | FloatOp::Sqrt | FloatOp::Ex2 | FloatOp::Tanh => 1,
            _ => 2,
        };
        let [d, sources @ ..] = operands else { return self.reject("the operands are missing") };
        if sources.len() != arity {
            return self.reject(format!("expected {} operands, found {}", arity + 1, operands.len()));
        }
        let arith = FloatArithmetic {
            op,
            format,
            parts,
            rounding: q.rounding.unwrap_or(Rounding::Nearest),
            flush: q.flush,
            saturate: q.saturate,
            relu: q.relu,
            nan: q.nan,
            abs: q.abs,
            xor_sign: q.xor_sign,
            three: arity == 3,
        };
        let dest = self.dest(d, ty)?;
        let mut regs = [0; 3];
        for (reg, source) in regs.iter_mut().zip(sources) {
            *reg = if arith.wide() { self.value64(source)? } else { self.value32(source, ty)? };
        }
        // The executor reads three operands in any case.
        for i in arity..3 {
            regs[i] = regs[0];
        }
        self.emit(Op::Float(Box::new(GeneralFloat { arith, dest, sources: regs })))
    }

    /// A source of single precision, flushed with `.ftz`.
    fn source_f32(&mut self, operand: &'a Operand<'a>, q: Qualifiers) -> Result<Reg, SyntaxError> {
        let reg = self.value32(operand, Type::F32)?;
        if !q.flush {
            return Ok(reg);
        }
        let temporary = self.temporary(RegisterClass::B32)?;
        self.helper(Op::Un32(Un32::FlushF, temporary, reg))?;
        Ok(temporary)
    }

    /// The helper operations after an operation of single precision.
    fn finish_f32(&mut self, dest: Reg, q: Qualifiers) -> Result<(), SyntaxError> {
        if q.flush {
            self.helper(Op::Un32(Un32::FlushF, dest, dest))?;
        }
        if q.saturate {
            self.helper(Op::Un32(Un32::SaturateF, dest, dest))?;
        }
        Ok(())
    }

    /// The destination of an operation that helper operations change.
    fn dest_f32(&mut self, operand: &'a Operand<'a>) -> Result<Reg, SyntaxError> {
        if *operand == Operand::Name("_", 0) {
            return self.temporary(RegisterClass::B32);
        }
        self.dest(operand, Type::F32)
    }

    fn un_f32(&mut self, op: Un32, q: Qualifiers, operands: Operands<'a>) -> Result<(), SyntaxError> {
        let [d, a] = self.arity(operands)?;
        let dest = self.dest_f32(d)?;
        let source = self.source_f32(a, q)?;
        self.emit(Op::Un32(op, dest, source))?;
        self.finish_f32(dest, q)
    }

    fn bin_f32(&mut self, op: Bin32, q: Qualifiers, operands: Operands<'a>) -> Result<(), SyntaxError> {
        let [d, a, b] = self.arity(operands)?;
        let dest = self.dest_f32(d)?;
        let op = Op::Bin32(op, dest, self.source_f32(a, q)?, self.source_f32(b, q)?);
        self.emit(op)?;
        self.finish_f32(dest, q)
    }

    fn fma_f32(&mut self, q: Qualifiers, operands: Operands<'a>) -> Result<(), SyntaxError> {
        let [d, a, b, c] = self.arity(operands)?;
        let dest = self.dest_f32(d)?;
        let (a, b) = (self.source_f32(a, q)?, self.source_f32(b, q)?);
        let c = self.source_f32(c, q)?;
        self.emit(Op::Tri32(Tri32::FmaF, dest, a, b, c))?;
        self.finish_f32(dest, q)
    }

    /// A source of half precision as a double; exact.
    pub(super) fn half_as_double(&mut self, half: Reg, ty: Type) -> Result<Reg, SyntaxError> {
        let Some((format, _)) = Format::of(ty) else { return self.unsupported_type() };
        let wide = self.temporary(RegisterClass::B64)?;
        let convert = Convert::plain(Scalar::Float(Format::F64), Scalar::Float(format));
        self.helper(Op::Convert(Box::new(convert), wide, half))?;
        Ok(wide)
    }

    /// `add.f32.f16` and similar: all operands but the last are of half precision and are converted first.
    fn mixed(
        &mut self,
        op: FloatOp,
        ty: Type,
        q: Qualifiers,
        operands: Operands<'a>,
    ) -> Result<(), SyntaxError> {
        let (Some((format, 1)), false) = (Format::of(ty), q.flush) else { return self.unsupported_type() };
        if !matches!(ty, Type::F16 | Type::Bf16) {
            return self.unsupported_type();
        }
        let arity = if op == FloatOp::Fma { 4 } else { 3 };
        let ([d, halves @ .., last], true) = (operands, operands.len() == arity) else {
            return self.reject(format!("expected {arity} operands, found {}", operands.len()));
        };
        let dest = self.dest(d, Type::F32)?;
        let mut sources = Vec::new();
        for half in halves {
            let half = self.value32(half, ty)?;
            let wide = self.temporary(RegisterClass::B32)?;
            let convert = Convert::plain(Scalar::Float(Format::F32), Scalar::Float(format));
            self.helper(Op::Convert(Box::new(convert), wide, half))?;
            sources.push(wide);
        }
        sources.push(self.value32(last, Type::F32)?);
        let c = *sources.last().unwrap_or(&dest);
        let arith = FloatArithmetic {
            rounding: q.rounding.unwrap_or(Rounding::Nearest),
            saturate: q.saturate,
            ..FloatArithmetic::plain(op, Format::F32, 1)
        };
        let sources = [sources[0], sources[1], c];
        self.emit(Op::Float(Box::new(GeneralFloat { arith, dest, sources })))
    }

    fn add(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result<(), SyntaxError> {
        let subtract = name.starts_with("sub");
        let (reads, writes) = (name.ends_with('c'), mods.has("cc"));
        let ty = mods.ty()?;
        if reads || writes {
            let [d, a, b] = self.arity(operands)?;
            let (dest, carry) = (self.dest(d, ty)?, Carry { subtract, reads, writes });
            return match ty {
                Type::U32 | Type::S32 | Type::B32 => {
                    let op = Op::Carry32(carry, dest, self.value32(a, ty)?, self.value32(b, ty)?);
                    self.emit(op)
                }
                Type::U64 | Type::S64 | Type::B64 => {
                    let op = Op::Carry64(carry, dest, self.value64(a)?, self.value64(b)?);
                    self.emit(op)
                }
                _ => self.unsupported_type(),
            };
        }
        let narrow = |add, sub| if subtract { sub } else { add };
        let wide = |add, sub| if subtract { sub } else { add };
        match ty {
            Type::U16 | Type::S16 => return self.bin32(narrow(Bin32::Add16, Bin32::Sub16), ty, operands),
            Type::U16x2 | Type::S16x2 if !subtract => return self.bin32(Bin32::Add16x2, ty, operands),
            Type::S32 if mods.has("sat") => {
                return self.bin32(narrow(Bin32::AddSat, Bin32::SubSat), ty, operands);
            }
            Type::U32 | Type::S32 => return self.bin32(narrow(Bin32::Add, Bin32::Sub), ty, operands),
            Type::U64 | Type::S64 => return self.bin64(wide(Bin64::Add, Bin64::Sub), ty, operands),
            _ => {}
        }
        let q = self.qualifiers(name, ty, mods)?;
        let general = if subtract { FloatOp::Sub } else { FloatOp::Add };
        if ty == Type::F32
            && let Some(half) = mods.find(Type::parse)
        {
            return self.mixed(general, half, q, operands);
        }
        match (ty, nearest(q)) {
            (Type::F32, true) => self.bin_f32(narrow(Bin32::AddF, Bin32::SubF), q, operands),
            (Type::F64, true) => self.bin64(wide(Bin64::AddF, Bin64::SubF), ty, operands),
            _ => self.float(general, ty, q, operands),
        }
    }

    fn mul(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result<(), SyntaxError> {
        let ty = mods.ty()?;
        if !ty.integer() {
            let q = self.qualifiers(name, ty, mods)?;
            return match (ty, nearest(q)) {
                (Type::F32, true) => self.bin_f32(Bin32::MulF, q, operands),
                (Type::F64, true) => self.bin64(Bin64::MulF, ty, operands),
                _ => self.float(FloatOp::Mul, ty, q, operands),
            };
        }
        let Some(part) = mods.find(ProductPart::parse) else {
            return self.reject("`.lo`, `.hi` or `.wide` is missing");
        };
        match (name, part, ty) {
            ("mul24", ProductPart::Low, Type::U32) => self.bin32(Bin32::Mul24U, ty, operands),
            ("mul24", ProductPart::Low, Type::S32) => self.bin32(Bin32::Mul24S, ty, operands),
            ("mul24", ProductPart::High, Type::U32) => self.bin32(Bin32::Mul24HiU, ty, operands),
            ("mul24", ProductPart::High, Type::S32) => self.bin32(Bin32::Mul24HiS, ty, operands),
            ("mul", ProductPart::Wide, _) => {
                let [d, a, b] = self.arity(operands)?;
                let (a, b) = (self.value32(a, ty)?, self.value32(b, ty)?);
                let op = match ty {
                    Type::U16 => Op::Bin32(Bin32::MulWideU16, self.dest(d, Type::U32)?, a, b),
                    Type::S16 => Op::Bin32(Bin32::MulWideS16, self.dest(d, Type::S32)?, a, b),
                    Type::U32 => Op::Wide(Wide::MulU, self.dest(d, Type::U64)?, a, b),
                    Type::S32 => Op::Wide(Wide::MulS, self.dest(d, Type::S64)?, a, b),
                    _ => return self.unsupported_type(),
                };
                self.emit(op)
            }
            ("mul", ProductPart::Low, Type::U16 | Type::S16) => self.bin32(Bin32::Mul16, ty, operands),
            ("mul", ProductPart::High, Type::U16) => self.bin32(Bin32::MulHiU16, ty, operands),
            ("mul", ProductPart::High, Type::S16) => self.bin32(Bin32::MulHiS16, ty, operands),
            ("mul", ProductPart::Low, Type::U32 | Type::S32) => self.bin32(Bin32::Mul, ty, operands),
            ("mul", ProductPart::High, Type::U32) => self.bin32(Bin32::MulHiU, ty, operands),
            ("mul", ProductPart::High, Type::S32) => self.bin32(Bin32::MulHiS, ty, operands),
            ("mul", ProductPart::Low, Type::U64 | Type::S64) => self.bin64(Bin64::Mul, ty, operands),
            ("mul", ProductPart::High, Type::U64) => self.bin64(Bin64::MulHiU, ty, operands),
            ("mul", ProductPart::High, Type::S64) => self.bin64(Bin64::MulHiS, ty, operands),
            _ => self.unsupported_type(),
        }
    }

    fn mad(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result<(), SyntaxError> {
        let ty = mods.ty()?;
        if !ty.integer() && name != "mad24" && name != "madc" {
            let q = self.qualifiers(name, ty, mods)?;
            if ty == Type::F32
                && name == "fma"
                && let Some(half) = mods.find(Type::parse)
            {
                return self.mixed(FloatOp::Fma, half, q, operands);
            }
            return match (ty, nearest(q)) {
                (Type::F32, true) => self.fma_f32(q, operands),
                (Type::F64, true) => self.tri64(Tri64::FmaF, ty, operands),
                _ => self.float(FloatOp::Fma, ty, q, operands),
            };
        }
        let Some(part) = mods.find(ProductPart::parse) else {
            return self.reject("`.lo`, `.hi` or `.wide` is missing");
        };
        let writes = (name == "mad" || name == "madc") && mods.has("cc");
        if writes || name == "madc" {
            return self.mad_carry(
                part,
                Carry { subtract: false, reads: name == "madc", writes },
                ty,
                operands,
            );
        }
        let saturate = part == ProductPart::High && ty == Type::S32 && mods.has("sat");
        match (name, part, ty) {
            ("mad24", ProductPart::Low, Type::U32) => self.tri32(Tri32::Mad24U, ty, operands),
            ("mad24", ProductPart::Low, Type::S32) => self.tri32(Tri32::Mad24S, ty, operands),
            ("mad24", ProductPart::High, Type::U32) => self.tri32(Tri32::Mad24HiU, ty, operands),
            ("mad24", ProductPart::High, Type::S32) if saturate => {
                self.tri32(Tri32::Mad24HiSat, ty, operands)
            }
            ("mad24", ProductPart::High, Type::S32) => self.tri32(Tri32::Mad24HiS, ty, operands),
            ("mad", ProductPart::Wide, _) => {
                let [d, a, b, c] = self.arity(operands)?;
                let (a, b) = (self.value32(a, ty)?, self.value32(b, ty)?);
                let word = if ty.signed() { Type::S32 } else { Type::U32 };
                let op = match ty {
                    Type::U16 => {
                        Op::Tri32(Tri32::MadWideU16, self.dest(d, word)?, a, b, self.value32(c, word)?)
                    }
                    Type::S16 => {
                        Op::Tri32(Tri32::MadWideS16, self.dest(d, word)?, a, b, self.value32(c, word)?)
                    }
                    Type::U32 => Op::MadWide(MadWide::U, self.dest(d, Type::U64)?, a, b, self.value64(c)?),
                    Type::S32 => Op::MadWide(MadWide::S, self.dest(d, Type::S64)?, a, b, self.value64(c)?),
                    _ => return self.unsupported_type(),
                };
                self.emit(op)
            }
            ("mad", ProductPart::Low, Type::U16 | Type::S16) => self.tri32(Tri32::Mad16, ty, operands),
            ("mad", ProductPart::High, Type::U16) => self.tri32(Tri32::MadHiU16, ty, operands),
            ("mad", ProductPart::High, Type::S16) => self.tri32(Tri32::MadHiS16, ty, operands),
            ("mad", ProductPart::Low, Type::U32 | Type::S32) => self.tri32(Tri32::Mad, ty, operands),
            ("mad", ProductPart::High, Type::U32) => self.tri32(Tri32::MadHiU, ty, operands),
            ("mad", ProductPart::High, Type::S32) if saturate => self.tri32(Tri32::MadHiSat, ty, operands),
            ("mad", ProductPart::High, Type::S32) => self.tri32(Tri32::MadHiS, ty, operands),
            ("mad", ProductPart::Low, Type::U64 | Type::S64) => self.tri64(Tri64::Mad, ty, operands),
            ("mad", ProductPart::High, Type::U64) => self.tri64(Tri64::MadHiU, ty, operands),
            ("mad", ProductPart::High, Type::S64) => self.tri64(Tri64::MadHiS, ty, operands),
            _ => self.unsupported_type(),
        }
    }

    /// `mad.cc` and `madc`: the product, then an addition with carry.
    fn mad_carry(
        &mut self,
        part: ProductPart,
        carry: Carry,
        ty: Type,
        operands: Operands<'a>,
    ) -> Result<(), SyntaxError> {
        let [d, a, b, c] = self.arity(operands)?;
        let dest = self.dest(d, ty)?;
        let narrow = match (part, ty) {
            (ProductPart::Low, Type::U32 | Type::S32) => Some(Bin32::Mul),
            (ProductPart::High, Type::U32) => Some(Bin32::MulHiU),
            (ProductPart::High, Type::S32) => Some(Bin32::MulHiS),
            _ => None,
        };
        if let Some(op) = narrow {
            let product = self.temporary(RegisterClass::B32)?;
            let op = Op::Bin32(op, product, self.value32(a, ty)?, self.value32(b, ty)?);
            self.helper(op)?;
            let op = Op::Carry32(carry, dest, product, self.value32(c, ty)?);
            return self.emit(op);
        }
        let op = match (part, ty) {
            (ProductPart::Low, Type::U64 | Type::S64) => Bin64::Mul,
            (ProductPart::High, Type::U64) => Bin64::MulHiU,
            (ProductPart::High, Type::S64) => Bin64::MulHiS,
            _ => return self.unsupported_type(),
        };
        let product = self.temporary(RegisterClass::B64)?;
        let op = Op::Bin64(op, product, self.value64(a)?, self.value64(b)?);
        self.helper(op)?;
        let op = Op::Carry64(carry, dest, product, self.value64(c)?);
        self.emit(op)
    }

    fn dot_product(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result<(), SyntaxError> {
        let half = if name == "dp2a" { mods.find(ProductPart::parse) } else { None };
        let (a, b) = (mods.ty()?, mods.ty()?);
        if a.size() != 4 || b.size() != 4 || !a.integer() || !b.integer() {
            return self.unsupported_type();
        }
        let op = match (half, a.signed(), b.signed()) {
            (None, false, false) if name == "dp4a" => Tri32::Dp4aUU,
            (None, false, true) if name == "dp4a" => Tri32::Dp4aUS,
            (None, true, false) if name == "dp4a" => Tri32::Dp4aSU,
            (None, true, true) if name == "dp4a" => Tri32::Dp4aSS,
            (Some(ProductPart::Low), false, false) => Tri32::Dp2aLoUU,
            (Some(ProductPart::Low), false, true) => Tri32::Dp2aLoUS,
            (Some(ProductPart::Low), true, false) => Tri32::Dp2aLoSU,
            (Some(ProductPart::Low), true, true) => Tri32::Dp2aLoSS,
            (Some(ProductPart::High), false, false) => Tri32::Dp2aHiUU,
            (Some(ProductPart::High), false, true) => Tri32::Dp2aHiUS,
            (Some(ProductPart::High), true, false) => Tri32::Dp2aHiSU,
            (Some(ProductPart::High), true, true) => Tri32::Dp2aHiSS,
            _ => return self.reject("`.lo` or `.hi` is missing"),
        };
        self.tri32(op, Type::B32, operands)
    }

    fn binary(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result<(), SyntaxError> {
        let ty = mods.ty()?;
        if Format::of(ty).is_some() {
            let q = self.qualifiers(name, ty, mods)?;
            let exotic = q.xor_sign || q.abs || operands.len() == 4;
            if q.xor_sign && (!q.abs || operands.len() == 4) {
                return self.reject("`.xorsign` needs `.abs` and two operands");
            }
            if q.abs && !q.xor_sign && operands.len() != 4 {
                return self.reject("`.abs` needs `.xorsign` or three operands");
            }
            if name == "div" && ty == Type::F32 && q.rounding.is_none() && !q.approx {
                return self.reject("a rounding, `.approx` or `.full` is missing");
            }
            return match (name, ty) {
                ("div", Type::F32) if q.approx => self.bin_f32(Bin32::DivApproxF, q, operands),
                ("div", Type::F32) if nearest(q) => self.bin_f32(Bin32::DivF, q, operands),
                ("div", Type::F64) if nearest(q) => self.bin64(Bin64::DivF, ty, operands),
                ("div", _) => self.float(FloatOp::Div, ty, q, operands),
                ("min", Type::F32) if !exotic && !q.nan => self.bin_f32(Bin32::MinF, q, operands),
                ("max", Type::F32) if !exotic && !q.nan => self.bin_f32(Bin32::MaxF, q, operands),
                ("min", Type::F32) if !exotic => self.bin_f32(Bin32::MinNanF, q, operands),
                ("max", Type::F32) if !exotic => self.bin_f32(Bin32::MaxNanF, q, operands),
                ("min", Type::F64) => self.bin64(Bin64::MinF, ty, operands),
                ("max", Type::F64) => self.bin64(Bin64::MaxF, ty, operands),
                ("min", _) => self.float(FloatOp::Min, ty, q, operands),
                ("max", _) => self.float(FloatOp::Max, ty, q, operands),
                (_, Type::F32) => self.bin32(Bin32::CopysignF, ty, operands),
                _ => self.bin64(Bin64::CopysignF, ty, operands),
            };
        }
        let relu = matches!((name, ty), ("min" | "max", Type::S32 | Type::S16x2)) && mods.has("relu");
        if ty.size() == 8 {
            let op = match (name, ty) {
                ("div", Type::U64) => Bin64::DivU,
                ("div", Type::S64) => Bin64::DivS,
                ("rem", Type::U64) => Bin64::RemU,
                ("rem", Type::S64) => Bin64::RemS,
                ("min", Type::U64) => Bin64::MinU,
                ("min", Type::S64) => Bin64::MinS,
                ("max", Type::U64) => Bin64::MaxU,
                ("max", Type::S64) => Bin64::MaxS,
                _ => return self.unsupported_type(),
            };
            return self.bin64(op, ty, operands);
        }
        let op = match (name, ty) {
            ("div", Type::U32) => Bin32::DivU,
            ("div", Type::S32) => Bin32::DivS,
            ("rem", Type::U32) => Bin32::RemU,
            ("rem", Type::S32) => Bin32::RemS,
            ("min", Type::S32) if relu => Bin32::MinReluS,
            ("max", Type::S32) if relu => Bin32::MaxReluS,
            ("min", Type::S16x2) if relu => Bin32::MinReluS16x2,
            ("max", Type::S16x2) if relu => Bin32::MaxReluS16x2,
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
            ("min", Type::U16x2) => Bin32::MinU16x2,
            ("max", Type::U16x2) => Bin32::MaxU16x2,
            ("min", Type::S16x2) => Bin32::MinS16x2,
            ("max", Type::S16x2) => Bin32::MaxS16x2,
            _ => return self.unsupported_type(),
        };
        self.bin32(op, ty, operands)
    }

    fn unary(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result<(), SyntaxError> {
        let ty = mods.ty()?;
        match (name, ty) {
            ("neg", Type::S16) => return self.un32(Un32::Neg16, ty, operands),
            ("neg", Type::S32) => return self.un32(Un32::Neg, ty, operands),
            ("neg", Type::S64) => return self.un64(Un64::Neg, ty, operands),
            ("abs", Type::S16) => return self.un32(Un32::Abs16, ty, operands),
            ("abs", Type::S32) => return self.un32(Un32::Abs, ty, operands),
            ("abs", Type::S64) => return self.un64(Un64::Abs, ty, operands),
            _ => {}
        }
        let q = self.qualifiers(name, ty, mods)?;
        // Approximations return the correctly rounded value, except for a few special operands.
        let exact = nearest(q) || q.approx;
        if !matches!(name, "neg" | "abs") && q.rounding.is_none() && !q.approx {
            return self.reject("a rounding or `.approx` is missing");
        }
        let needs_flush = name == "rcp" && ty == Type::F64 || ty == Type::Bf16 || ty == Type::Bf16x2;
        if matches!(name, "rcp" | "ex2") && needs_flush && q.approx != q.flush {
            return self.reject("`.approx` and `.ftz` need each other here");
        }
        match (name, ty) {
            ("neg", Type::F64) => self.un64(Un64::NegF, ty, operands),
            ("abs", Type::F64) => self.un64(Un64::AbsF, ty, operands),
            ("rcp", Type::F64) if q.approx => self.un64(Un64::RcpGross, ty, operands),
            ("rcp", Type::F64) if exact => self.un64(Un64::RcpF, ty, operands),
            ("sqrt", Type::F64) if exact => self.un64(Un64::SqrtF, ty, operands),
            ("rsqrt", Type::F64) if q.flush => self.un64(Un64::RsqrtGross, ty, operands),
            ("rsqrt", Type::F64) => self.un64(Un64::RsqrtF, ty, operands),
            ("neg", Type::F32) => self.un_f32(Un32::NegF, q, operands),
            ("abs", Type::F32) => self.un_f32(Un32::AbsF, q, operands),
            ("rcp", Type::F32) if exact => self.un_f32(Un32::RcpF, q, operands),
            ("sqrt", Type::F32) if exact => self.un_f32(Un32::SqrtF, q, operands),
            ("rsqrt", Type::F32) => self.un_f32(Un32::RsqrtF, q, operands),
            ("ex2", Type::F32) => self.un_f32(Un32::Ex2F, q, operands),
            ("lg2", Type::F32) => self.un_f32(Un32::Lg2F, q, operands),
            ("sin", Type::F32) => self.un_f32(Un32::SinF, q, operands),
            ("cos", Type::F32) => self.un_f32(Un32::CosF, q, operands),
            ("tanh", Type::F32) => self.un_f32(Un32::TanhF, q, operands),
            ("rcp", _) => self.float(FloatOp::Rcp, ty, q, operands),
            ("sqrt", _) => self.float(FloatOp::Sqrt, ty, q, operands),
            ("ex2", _) => self.float(FloatOp::Ex2, ty, q, operands),
            ("tanh", _) => self.float(FloatOp::Tanh, ty, q, operands),
            ("neg" | "abs", _) => {
                let two = matches!(ty, Type::F16x2 | Type::Bf16x2);
                let op = match (name, two) {
                    ("neg", false) => Un32::NegHalf,
                    ("neg", true) => Un32::NegHalf2,
                    (_, false) => Un32::AbsHalf,
                    (_, true) => Un32::AbsHalf2,
                };
                let [d, a] = self.arity(operands)?;
                let (dest, mut source) = (self.dest(d, ty)?, self.value32(a, ty)?);
                if q.flush {
                    let flushed = self.temporary(RegisterClass::B32)?;
                    let flush = if two { Un32::FlushHalf2 } else { Un32::FlushHalf };
                    self.helper(Op::Un32(flush, flushed, source))?;
                    source = flushed;
                }
                self.emit(Op::Un32(op, dest, source))
            }
            _ => self.unsupported_type(),
        }
    }
}

/// Whether the rounding is to nearest.
fn nearest(q: Qualifiers) -> bool {
    matches!(q.rounding, None | Some(Rounding::Nearest)) && !q.approx
}

/// The rounding of a float result.
pub(super) fn rounding(part: &str) -> Option<Rounding> {
    Some(match part {
        "rn" => Rounding::Nearest,
        "rz" => Rounding::Zero,
        "rm" => Rounding::Down,
        "rp" => Rounding::Up,
        _ => return None,
    })
}

/// Which part of a product an instruction computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProductPart {
    Low,
    High,
    Wide,
}

impl ProductPart {
    fn parse(part: &str) -> Option<ProductPart> {
        Some(match part {
            "lo" => ProductPart::Low,
            "hi" => ProductPart::High,
            "wide" => ProductPart::Wide,
            _ => return None,
        })
    }
}
