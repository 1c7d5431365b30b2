//! `cvt`: conversions between number types.

use super::arithmetic::rounding;
use super::decoder::{Operands, RegisterClass, Result};
use super::forms::Form;
use super::function::FunctionDecoder;
use super::modifiers::{Modifiers, among};
use crate::instruction::{Op, Reg};
use crate::semantics::convert::{Convert, Scalar};
use crate::semantics::real::{Format, Rounding};
use crate::semantics::{Narrow, Quad32, Tri32, Un32, Un64, Widen};
use crate::text::types::Type;

/// The operation of a conversion: those between numbers of 32 and 64 bits without qualifiers, rounded to the nearest float
/// or cut to an integer, are operations of their own, which are computed in all lanes at a time.
fn converted(convert: Convert, dest: Reg, source: Reg) -> Op {
    const F32: Scalar = Scalar::Float(Format::F32);
    const F64: Scalar = Scalar::Float(Format::F64);
    use Scalar::{Signed, Unsigned};
    let to_float = convert == Convert::plain(convert.to, convert.from);
    let cut = Convert { rounding: Rounding::Zero, whole: true, ..Convert::plain(convert.to, convert.from) };
    match (convert.from, convert.to) {
        (Signed(32), F32) if to_float => Op::Un32(Un32::FFromS, dest, source),
        (Unsigned(32), F32) if to_float => Op::Un32(Un32::FFromU, dest, source),
        (Signed(64), F32) if to_float => Op::Narrow(Narrow::FFromS, dest, source),
        (Unsigned(64), F32) if to_float => Op::Narrow(Narrow::FFromU, dest, source),
        (F64, F32) if to_float => Op::Narrow(Narrow::FFromF, dest, source),
        (Signed(32), F64) if to_float => Op::Widen(Widen::FFromS, dest, source),
        (Unsigned(32), F64) if to_float => Op::Widen(Widen::FFromU, dest, source),
        (Signed(64), F64) if to_float => Op::Un64(Un64::FFromS, dest, source),
        (Unsigned(64), F64) if to_float => Op::Un64(Un64::FFromU, dest, source),
        (F32, F64) if to_float => Op::Widen(Widen::FFromF, dest, source),
        (F32, Signed(32)) if convert == cut => Op::Un32(Un32::SFromF, dest, source),
        (F32, Unsigned(32)) if convert == cut => Op::Un32(Un32::UFromF, dest, source),
        (F32, Signed(64)) if convert == cut => Op::Widen(Widen::SFromF, dest, source),
        (F32, Unsigned(64)) if convert == cut => Op::Widen(Widen::UFromF, dest, source),
        (F64, Signed(32)) if convert == cut => Op::Narrow(Narrow::SFromF, dest, source),
        (F64, Unsigned(32)) if convert == cut => Op::Narrow(Narrow::UFromF, dest, source),
        (F64, Signed(64)) if convert == cut => Op::Un64(Un64::SFromF, dest, source),
        (F64, Unsigned(64)) if convert == cut => Op::Un64(Un64::UFromF, dest, source),
        _ => Op::Convert(Box::new(convert), dest, source),
    }
}

impl<'a> FunctionDecoder<'_, 'a> {
    /// Decodes `name` if it is `cvt`.
    pub(super) fn conversion(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result<Option<()>> {
        if name == "cvt" { self.cvt(mods, operands).map(Some) } else { Ok(None) }
    }

    fn cvt(&mut self, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
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

    fn cvt_one(&mut self, to: Type, from: Type, convert: Convert, operands: Operands<'a>) -> Result {
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
        let class = if to.size() == 8 { RegisterClass::B64 } else { RegisterClass::B32 };
        if class == dest_class && (dest_type.size() == to.size() || !to.signed()) {
            return self.emit(converted(convert, dest, reg));
        }
        let result = self.temporary(class)?;
        self.emit(converted(convert, result, reg))?;
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
        operands: Operands<'a>,
    ) -> Result {
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
    fn cvt_pack(&mut self, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let to = mods.find(among(&[
            ("u16", (Tri32::PackU16, false)),
            ("s16", (Tri32::PackS16, false)),
            ("u8", (Tri32::PackU8, true)),
            ("s8", (Tri32::PackS8, true)),
            ("u4", (Tri32::PackU4, true)),
            ("s4", (Tri32::PackS4, true)),
            ("u2", (Tri32::PackU2, true)),
            ("s2", (Tri32::PackS2, true)),
        ]));
        let (Some((op, third)), true, Type::S32) = (to, mods.has("sat"), mods.ty()?) else {
            return self.reject("this conversion is not supported");
        };
        if third {
            if mods.ty()? != Type::B32 {
                return self.reject("this conversion is not supported");
            }
            return self.form(Some(Form::Tri32(op)), [Type::B32; 4], operands);
        }
        let [d, a, b] = self.arity(operands)?;
        let (dest, a) = (self.dest(d, Type::B32)?, self.value32(a, Type::S32)?);
        let op = Op::Tri32(op, dest, a, self.value32(b, Type::S32)?, a);
        self.emit(op)
    }

    /// Integer conversion: truncates to the narrower type, then extends to the width of the destination
    /// register by the signedness of the source.
    fn resize(
        &mut self,
        to: Type,
        from: Type,
        (dest_class, dest_type, dest): (RegisterClass, Type, Reg),
        (class, reg): (RegisterClass, Reg),
    ) -> Result {
        // The narrower type decides: the extension follows its signedness, except that a value that is
        // extended to `to` and then to the register follows `from` first.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::LANES;

    /// Bit patterns of all kinds: around zero, one, the limits of integers and floats, and others.
    fn samples() -> Vec<u64> {
        let floats = [0.0, 0.5, 1.0, 1.5, 2.5, 16777217.0, 2147483647.0, 4294967295.5, 9.3e18, 1.9e19, 1e300]
            .into_iter()
            .chain([f64::INFINITY, f64::NAN, f64::MIN_POSITIVE, 5e-324, 1e-40, 3.5e38, 4e38]);
        let of_floats =
            floats.flat_map(|v| [v, -v]).flat_map(|v| [v.to_bits(), u64::from((v as f32).to_bits())]);
        let integers = [0, 1, 2, 7, 1 << 24, (1 << 24) + 1, (1 << 25) + 3, 1 << 53, (1 << 53) + 1, 1 << 62]
            .into_iter()
            .chain([i64::MAX, i64::from(i32::MAX), i64::from(u32::MAX), 0x7fff_ff80, 0x7fff_ffc0]);
        let of_integers = integers.flat_map(|n| [n as u64, n.wrapping_neg() as u64, !(n as u64)]);
        let mixed = (1u64..200).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(n as u32 % 64));
        of_floats.chain(of_integers).chain(mixed).collect()
    }

    /// What an operation makes of a value in one lane.
    fn executed(op: &Op, bits: u64) -> Option<u64> {
        let (low, wide) = ([bits as u32; LANES], [bits; LANES]);
        let (mut narrow_out, mut wide_out) = ([0; LANES], [0; LANES]);
        match op {
            Op::Un32(op, ..) => op.planes(&low, &mut narrow_out),
            Op::Narrow(op, ..) => op.planes(&wide, &mut narrow_out),
            Op::Un64(op, ..) => op.planes(&wide, &mut wide_out),
            Op::Widen(op, ..) => op.planes(&low, &mut wide_out),
            _ => return None,
        }
        Some(u64::from(narrow_out[0]) | wide_out[0])
    }

    #[test]
    fn conversions_of_all_lanes_are_those_of_single_lanes() {
        let scalars = [32, 64].into_iter().flat_map(|bits| {
            let format = if bits == 32 { Format::F32 } else { Format::F64 };
            [Scalar::Signed(bits), Scalar::Unsigned(bits), Scalar::Float(format)]
        });
        let scalars: Vec<Scalar> = scalars.collect();
        let mut compared = 0;
        for (&from, &to) in scalars.iter().flat_map(|from| scalars.iter().map(move |to| (from, to))) {
            for (rounding, whole) in [(Rounding::Nearest, false), (Rounding::Zero, true)] {
                let convert = Convert { rounding, whole, ..Convert::plain(to, from) };
                let op = converted(convert, 0, 0);
                for bits in samples() {
                    let Some(value) = executed(&op, bits) else { break };
                    assert_eq!(value, convert.lane(bits), "{convert:?} of {bits:#x}");
                    compared += 1;
                }
            }
        }
        assert_eq!(compared, 18 * samples().len());
    }
}
