//! Arithmetic instructions.

use super::decoder::{Operands, RegisterClass, Result};
use super::forms::{Form, form};
use super::function::FunctionDecoder;
use super::modifiers::{Modifiers, among};
use crate::instruction::{Carry, GeneralFloat, Op, Reg, SINK};
use crate::semantics::convert::{Convert, Scalar};
use crate::semantics::general_float::{FloatArithmetic, FloatOp};
use crate::semantics::real::{Format, Rounding};
use crate::semantics::video::{PartsForm, PartsOp};
use crate::semantics::{Quad32, Tri32, Un32};
use crate::text::types::Type;

/// Which part of a product an instruction computes.
const PARTS: [&str; 3] = ["lo", "hi", "wide"];

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
    ) -> Result<Option<()>> {
        match name {
            "add" | "sub" | "addc" | "subc" => self.add(name, mods, operands)?,
            "mul" | "mul24" | "mad" | "mad24" | "madc" | "fma" => self.product(name, mods, operands)?,
            "min" | "max" => {
                let ty = mods.ty()?;
                let relu = matches!(ty, Type::S32 | Type::S16x2) && mods.has("relu");
                self.number(name, if relu { "relu" } else { "" }, ty, mods, operands)?;
            }
            "div" | "rem" | "copysign" | "neg" | "abs" | "rcp" | "sqrt" | "rsqrt" | "ex2" | "lg2" | "sin"
            | "cos" | "tanh" | "sad" => {
                let ty = mods.ty()?;
                self.number(name, "", ty, mods, operands)?;
            }
            "dp4a" | "dp2a" => self.dot_product(name, mods, operands)?,
            _ if parts_name(name).is_some() => self.parts(name, mods, operands)?,
            _ => return Ok(None),
        }
        Ok(Some(()))
    }

    /// Consumes the float qualifiers that the instruction may have.
    fn qualifiers(&mut self, name: &str, ty: Type, mods: &mut Modifiers<'a>) -> Result<Qualifiers> {
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
    fn float(&mut self, op: FloatOp, ty: Type, q: Qualifiers, operands: Operands<'a>) -> Result {
        let Some((format, parts)) = Format::of(ty) else { return self.unsupported_type() };
        let arity = match op {
            FloatOp::Fma => 3,
            FloatOp::Min | FloatOp::Max if ty == Type::F32 && operands.len() == 4 => 3,
            FloatOp::Rcp | FloatOp::Sqrt | FloatOp::Ex2 | FloatOp::Tanh => 1,
            _ => 2,
        };
        let [d, sources @ ..] = operands else { return self.reject("the operands are missing") };
        if sources.len() != arity {
            return self.wrong_arity(arity + 1, operands);
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
            *reg = self.value(source, ty)?;
        }
        // The executor reads three operands in any case.
        for i in arity..3 {
            regs[i] = regs[0];
        }
        self.emit(Op::Float(Box::new(GeneralFloat { arith, dest, sources: regs })))
    }

    /// An operation of floats that all lanes compute at a time: of sources flushed with `.ftz`, and with a result that
    /// helper operations flush and saturate if it is of single precision.
    fn fast_float(&mut self, form: Form, ty: Type, q: Qualifiers, operands: Operands<'a>) -> Result {
        let (mut dest, mut sources) = self.registers(form, [ty; 4], operands)?;
        let flush = match ty {
            Type::F32 => Un32::FlushF,
            Type::F16x2 => Un32::FlushHalf2,
            _ => Un32::FlushHalf,
        };
        if q.flush && ty != Type::F64 {
            for source in &mut sources[..form.sources()] {
                *source = self.flushed(flush, *source)?;
            }
        }
        let after = if ty == Type::F32 { [q.flush, q.saturate] } else { [false; 2] };
        if dest == SINK && after != [false; 2] {
            dest = self.temporary(RegisterClass::B32)?;
        }
        self.emit(form.op(dest, sources))?;
        for (op, is_wanted) in [Un32::FlushF, Un32::SaturateF].into_iter().zip(after) {
            if is_wanted {
                self.helper(Op::Un32(op, dest, dest))?;
            }
        }
        Ok(())
    }

    /// A new register with the source, flushed.
    pub(super) fn flushed(&mut self, op: Un32, source: Reg) -> Result<Reg> {
        let flushed = self.temporary(RegisterClass::B32)?;
        self.helper(Op::Un32(op, flushed, source))?;
        Ok(flushed)
    }

    /// A source of half precision as a double; exact.
    pub(super) fn half_as_double(&mut self, half: Reg, ty: Type) -> Result<Reg> {
        let Some((format, _)) = Format::of(ty) else { return self.unsupported_type() };
        let wide = self.temporary(RegisterClass::B64)?;
        let convert = Convert::plain(Scalar::Float(Format::F64), Scalar::Float(format));
        self.helper(Op::Convert(Box::new(convert), wide, half))?;
        Ok(wide)
    }

    /// `add.f32.f16` and similar: all operands but the last are of half precision and are converted first.
    fn mixed(&mut self, op: FloatOp, ty: Type, q: Qualifiers, operands: Operands<'a>) -> Result {
        let (Some((format, 1)), false) = (Format::of(ty), q.flush) else { return self.unsupported_type() };
        if !matches!(ty, Type::F16 | Type::Bf16) {
            return self.unsupported_type();
        }
        let arity = if op == FloatOp::Fma { 4 } else { 3 };
        let ([d, halves @ .., last], true) = (operands, operands.len() == arity) else {
            return self.wrong_arity(arity, operands);
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

    fn add(&mut self, name: &str, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let (reads, writes) = (name.ends_with('c'), mods.has("cc"));
        let ty = mods.ty()?;
        if reads || writes {
            let [d, a, b] = self.arity(operands)?;
            let (dest, carry) =
                (self.dest(d, ty)?, Carry { subtract: name.starts_with("sub"), reads, writes });
            let operation = match ty {
                Type::U32 | Type::S32 | Type::B32 => Op::Carry32,
                Type::U64 | Type::S64 | Type::B64 => Op::Carry64,
                _ => return self.unsupported_type(),
            };
            let op = operation(carry, dest, self.value(a, ty)?, self.value(b, ty)?);
            return self.emit(op);
        }
        let saturate = ty == Type::S32 && mods.has("sat");
        self.number(name, if saturate { "sat" } else { "" }, ty, mods, operands)
    }

    fn product(&mut self, name: &str, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let ty = mods.ty()?;
        if !ty.integer() && !matches!(name, "mad24" | "madc") {
            return self.float_arithmetic(name, ty, mods, operands);
        }
        let Some(part) = mods.one_of(&PARTS) else {
            return self.reject("`.lo`, `.hi` or `.wide` is missing");
        };
        let (reads, writes) = (name == "madc", matches!(name, "mad" | "madc") && mods.has("cc"));
        if reads || writes {
            return self.mad_carry(part, Carry { subtract: false, reads, writes }, ty, operands);
        }
        let saturate = name.starts_with("mad") && part == "hi" && ty == Type::S32 && mods.has("sat");
        let form = form(name, if saturate { "hi.sat" } else { part }, ty);
        let result = match ty {
            _ if part != "wide" => ty,
            Type::U16 => Type::U32,
            Type::S16 => Type::S32,
            Type::U32 => Type::U64,
            _ => Type::S64,
        };
        self.form(form, [result, ty, ty, result], operands)
    }

    /// `mad.cc` and `madc`: the product, then an addition with carry.
    fn mad_carry(&mut self, part: &str, carry: Carry, ty: Type, operands: Operands<'a>) -> Result {
        let [d, a, b, c] = self.arity(operands)?;
        let dest = self.dest(d, ty)?;
        let (operation, class) = match ty.size() {
            8 => (Op::Carry64 as fn(_, _, _, _) -> _, RegisterClass::B64),
            4 => (Op::Carry32 as _, RegisterClass::B32),
            _ => return self.unsupported_type(),
        };
        let Some(form) = form("mul", part, ty).filter(|_| part != "wide") else {
            return self.unsupported_type();
        };
        let product = self.temporary(class)?;
        let op = form.op(product, [self.value(a, ty)?, self.value(b, ty)?, 0]);
        self.helper(op)?;
        let op = operation(carry, dest, product, self.value(c, ty)?);
        self.emit(op)
    }

    fn dot_product(&mut self, name: &str, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        use Tri32::*;
        let half = if name == "dp2a" { mods.one_of(&PARTS) } else { None };
        let (a, b) = (mods.ty()?, mods.ty()?);
        if a.size() != 4 || b.size() != 4 || !a.integer() || !b.integer() {
            return self.unsupported_type();
        }
        let by_signs = match (name, half) {
            ("dp4a", _) => [Dp4aUU, Dp4aUS, Dp4aSU, Dp4aSS],
            (_, Some("lo")) => [Dp2aLoUU, Dp2aLoUS, Dp2aLoSU, Dp2aLoSS],
            (_, Some("hi")) => [Dp2aHiUU, Dp2aHiUS, Dp2aHiSU, Dp2aHiSS],
            _ => return self.reject("`.lo` or `.hi` is missing"),
        };
        let op = by_signs[usize::from(a.signed()) * 2 + usize::from(b.signed())];
        self.form(Some(Form::Tri32(op)), [Type::B32; 4], operands)
    }

    /// An instruction on the halves or bytes of words. Of its operands all elements are taken, in their order.
    fn parts(&mut self, name: &str, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let Some((operation, bytes)) = parts_name(name) else { return self.unsupported_type() };
        let (sum, saturate) = (mods.has("add"), mods.has("sat"));
        if sum && saturate {
            return self.reject("these qualifiers cannot be combined");
        }
        let op = match operation {
            "vset" => mods.find(among(&[
                ("eq", PartsOp::Eq),
                ("ne", PartsOp::Ne),
                ("lt", PartsOp::Lt),
                ("le", PartsOp::Le),
                ("gt", PartsOp::Gt),
                ("ge", PartsOp::Ge),
            ])),
            "vadd" => Some(PartsOp::Add),
            "vsub" => Some(PartsOp::Sub),
            "vavrg" => Some(PartsOp::Average),
            "vabsdiff" => Some(PartsOp::AbsDiff),
            "vmin" => Some(PartsOp::Min),
            _ => Some(PartsOp::Max),
        };
        let Some(op) = op else { return self.reject("this comparison is not supported") };
        let mut sign = || match mods.ty()? {
            Type::U32 => Ok(false),
            Type::S32 => Ok(true),
            _ => self.unsupported_type(),
        };
        // `vset` does not name the type of its result, which is 0 or 1.
        let of_result = if operation == "vset" { false } else { sign()? };
        let signed = [sign()?, sign()?, of_result];
        if op == PartsOp::Average && signed != [false; 3] || saturate && operation == "vset" {
            return self.unsupported_type();
        }
        let [d, a, b, c] = self.arity(operands)?;
        let dest = self.dest(d, Type::U32)?;
        let (a, b) = (self.value32(a, Type::U32)?, self.value32(b, Type::U32)?);
        // Without a sum it stands for elements that have no result: there are none.
        let c = if sum { self.value32(c, Type::U32)? } else { self.constant32(0)? };
        let code = self.constant32(PartsForm { op, bytes, signed, saturate, sum }.code())?;
        self.emit(Op::Quad32(Quad32::Parts, dest, Box::new([a, b, c, code])))
    }

    /// Arithmetic of integers that the table of forms has, or of floats.
    fn number(
        &mut self,
        name: &str,
        variant: &str,
        ty: Type,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result {
        if Format::of(ty).is_some() {
            return self.float_arithmetic(name, ty, mods, operands);
        }
        self.form(form(name, variant, ty), [ty; 4], operands)
    }

    fn float_arithmetic(
        &mut self,
        name: &str,
        ty: Type,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result {
        let q = self.qualifiers(name, ty, mods)?;
        let extreme_of_three = matches!(name, "min" | "max") && operands.len() == 4;
        if q.xor_sign && (!q.abs || extreme_of_three) {
            return self.reject("`.xorsign` needs `.abs` and two operands");
        }
        if q.abs && !q.xor_sign && !extreme_of_three {
            return self.reject("`.abs` needs `.xorsign` or three operands");
        }
        let is_rounded = q.rounding.is_some() || q.approx;
        if name == "div" && ty == Type::F32 && !is_rounded {
            return self.reject("a rounding, `.approx` or `.full` is missing");
        }
        if matches!(name, "rcp" | "sqrt" | "rsqrt" | "ex2" | "lg2" | "sin" | "cos" | "tanh") && !is_rounded {
            return self.reject("a rounding or `.approx` is missing");
        }
        let needs_flush = name == "rcp" && ty == Type::F64 || ty == Type::Bf16 || ty == Type::Bf16x2;
        if matches!(name, "rcp" | "ex2") && needs_flush && q.approx != q.flush {
            return self.reject("`.approx` and `.ftz` need each other here");
        }
        let general = match name {
            "add" => Some(FloatOp::Add),
            "sub" => Some(FloatOp::Sub),
            "mul" => Some(FloatOp::Mul),
            "mad" | "fma" => Some(FloatOp::Fma),
            "div" => Some(FloatOp::Div),
            "min" => Some(FloatOp::Min),
            "max" => Some(FloatOp::Max),
            "rcp" => Some(FloatOp::Rcp),
            "sqrt" => Some(FloatOp::Sqrt),
            "ex2" => Some(FloatOp::Ex2),
            "tanh" => Some(FloatOp::Tanh),
            _ => None,
        };
        if let (Type::F32, "add" | "sub" | "fma", Some(op)) = (ty, name, general)
            && let Some(half) = mods.find(Type::parse)
        {
            return self.mixed(op, half, q, operands);
        }
        // Most approximations are the correctly rounded value.
        let variant = match name {
            "min" | "max" if q.nan => "NaN",
            "div" | "rcp" if q.approx => "approx",
            "rsqrt" if q.flush => "ftz",
            _ => "",
        };
        let nearest = matches!(q.rounding, None | Some(Rounding::Nearest));
        match (form(name, variant, ty), general) {
            (Some(form), _) if nearest && !q.abs && !extreme_of_three => {
                self.fast_float(form, ty, q, operands)
            }
            (_, Some(op)) => self.float(op, ty, q, operands),
            _ => self.unsupported_type(),
        }
    }
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

/// The operation of an instruction on halves or bytes, and whether it is on bytes.
fn parts_name(name: &str) -> Option<(&str, bool)> {
    let (operation, bytes) = match name.strip_suffix('4') {
        Some(operation) => (operation, true),
        None => (name.strip_suffix('2')?, false),
    };
    let known = ["vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset"];
    known.contains(&operation).then_some((operation, bytes))
}
