//! Instructions that are one operation on registers: which there are, and how they are emitted.

use super::decoder::{Operands, RegisterClass, Result};
use super::function::FunctionDecoder;
use crate::instruction::{Op, Reg};
use crate::semantics::{Bfe64, Bin32, Bin64, MadWide, Narrow, Shift64, Tri32, Tri64, Un32, Un64, Wide};
use crate::text::ast::Operand;
use crate::text::types::Type;

/// Declares the kinds of operations by their number of sources.
macro_rules! kinds {
    ($($count:literal: $($kind:ident($($source:literal)+))+;)+) => {
        /// An operation with a destination and sources.
        #[derive(Clone, Copy, Debug)]
        pub(super) enum Form { $($($kind($kind)),+),+ }

        impl Form {
            /// The number of sources.
            pub fn sources(self) -> usize {
                match self { $($(Form::$kind(_) => $count),+),+ }
            }

            pub fn op(self, dest: Reg, sources: [Reg; 3]) -> Op {
                match self { $($(Form::$kind(op) => Op::$kind(op, dest, $(sources[$source]),+)),+),+ }
            }
        }
    };
}
kinds! {
    1: Un32(0) Un64(0) Narrow(0);
    2: Bin32(0 1) Bin64(0 1) Shift64(0 1) Wide(0 1);
    3: Tri32(0 1 2) Tri64(0 1 2) MadWide(0 1 2) Bfe64(0 1 2);
}

/// Declares [`row`] from a table.
macro_rules! forms {
    ($($($name:literal)|+ $variant:literal: $($kind:ident[$($op:tt)+])+ $(; $wide:ident[$($wide_op:tt)+])?)+) => {
        /// The forms of an instruction with registers of up to 32 bits, and those with 64 bits, by type.
        fn row(name: &str, variant: &str) -> Option<[&'static [Option<Form>]; 2]> {
            Some(match (name, variant) {
                $(($($name)|+, $variant) => {
                    [&[$($(forms!(@ $kind $op)),+),+], &[$($(forms!(@ $wide $wide_op)),+)?]]
                })+
                _ => return None,
            })
        }
    };
    (@ $kind:ident -) => { None };
    (@ $kind:ident $op:ident) => { Some(Form::$kind($kind::$op)) };
}
forms! {
    // Name and variant, then the operation for u16, s16, u32, s32, f32, u16x2, s16x2, f16, f16x2; u64, s64, f64.
    "add" "":            Bin32[Add16 Add16 Add Add AddF Add16x2 Add16x2]; Bin64[Add Add AddF]
    "add" "sat":         Bin32[- - - AddSat]
    "sub" "":            Bin32[Sub16 Sub16 Sub Sub SubF]; Bin64[Sub Sub SubF]
    "sub" "sat":         Bin32[- - - SubSat]
    "mul" "":            Bin32[- - - - MulF]; Bin64[- - MulF]
    "mul" "lo":          Bin32[Mul16 Mul16 Mul Mul]; Bin64[Mul Mul]
    "mul" "hi":          Bin32[MulHiU16 MulHiS16 MulHiU MulHiS]; Bin64[MulHiU MulHiS]
    "mul" "wide":        Bin32[MulWideU16 MulWideS16] Wide[MulU MulS]
    "mul24" "lo":        Bin32[- - Mul24U Mul24S]
    "mul24" "hi":        Bin32[- - Mul24HiU Mul24HiS]
    "fma" | "mad" "":    Tri32[- - - - FmaF]; Tri64[- - FmaF]
    "mad" "lo":          Tri32[Mad16 Mad16 Mad Mad]; Tri64[Mad Mad]
    "mad" "hi":          Tri32[MadHiU16 MadHiS16 MadHiU MadHiS]; Tri64[MadHiU MadHiS]
    "mad" "hi.sat":      Tri32[- - - MadHiSat]
    "mad" "wide":        Tri32[MadWideU16 MadWideS16] MadWide[U S]
    "mad24" "lo":        Tri32[- - Mad24U Mad24S]
    "mad24" "hi":        Tri32[- - Mad24HiU Mad24HiS]
    "mad24" "hi.sat":    Tri32[- - - Mad24HiSat]
    "sad" "":            Tri32[SadU16 SadS16 SadU SadS]; Tri64[SadU SadS]
    "div" "":            Bin32[DivU16 DivS16 DivU DivS DivF]; Bin64[DivU DivS DivF]
    "div" "approx":      Bin32[- - - - DivApproxF]
    "rem" "":            Bin32[RemU16 RemS16 RemU RemS]; Bin64[RemU RemS]
    "min" "":            Bin32[MinU MinS16 MinU MinS MinF MinU16x2 MinS16x2]; Bin64[MinU MinS MinF]
    "max" "":            Bin32[MaxU MaxS16 MaxU MaxS MaxF MaxU16x2 MaxS16x2]; Bin64[MaxU MaxS MaxF]
    "min" "relu":        Bin32[- - - MinReluS - - MinReluS16x2]
    "max" "relu":        Bin32[- - - MaxReluS - - MaxReluS16x2]
    "min" "NaN":         Bin32[- - - - MinNanF]
    "max" "NaN":         Bin32[- - - - MaxNanF]
    "copysign" "":       Bin32[- - - - CopysignF]; Bin64[- - CopysignF]
    "neg" "":            Un32[- Neg16 - Neg NegF - - NegHalf NegHalf2]; Un64[- Neg NegF]
    "abs" "":            Un32[- Abs16 - Abs AbsF - - AbsHalf AbsHalf2]; Un64[- Abs AbsF]
    "rcp" "":            Un32[- - - - RcpF]; Un64[- - RcpF]
    "rcp" "approx":      Un32[- - - - RcpF]; Un64[- - RcpGross]
    "sqrt" "":           Un32[- - - - SqrtF]; Un64[- - SqrtF]
    "rsqrt" "":          Un32[- - - - RsqrtF]; Un64[- - RsqrtF]
    "rsqrt" "ftz":       Un32[- - - - RsqrtF]; Un64[- - RsqrtGross]
    "ex2" "":            Un32[- - - - Ex2F]
    "lg2" "":            Un32[- - - - Lg2F]
    "sin" "":            Un32[- - - - SinF]
    "cos" "":            Un32[- - - - CosF]
    "tanh" "":           Un32[- - - - TanhF]
    "and" "":            Bin32[And And And And]; Bin64[And And]
    "or" "":             Bin32[Or Or Or Or]; Bin64[Or Or]
    "xor" "":            Bin32[Xor Xor Xor Xor]; Bin64[Xor Xor]
    "not" "":            Un32[Not16 Not16 Not Not]; Un64[Not Not]
    "cnot" "":           Un32[Cnot Cnot Cnot Cnot]; Un64[Cnot Cnot]
    "brev" "":           Un32[- - Brev Brev]; Un64[Brev Brev]
    "shl" "":            Bin32[Shl16 Shl16 Shl Shl]; Shift64[Shl Shl]
    "shr" "":            Bin32[ShrU ShrS16 ShrU ShrS]; Shift64[ShrU ShrS]
    "shf" "l.wrap":      Tri32[- - ShfLWrap ShfLWrap]
    "shf" "l.clamp":     Tri32[- - ShfLClamp ShfLClamp]
    "shf" "r.wrap":      Tri32[- - ShfRWrap ShfRWrap]
    "shf" "r.clamp":     Tri32[- - ShfRClamp ShfRClamp]
    "popc" "":           Un32[- - Popc Popc]; Narrow[Popc Popc]
    "clz" "":            Un32[- - Clz Clz]; Narrow[Clz Clz]
    "bfind" "":          Un32[- - BfindU BfindS]; Narrow[BfindU BfindS]
    "bfind" "shiftamt":  Un32[- - BfindShiftU BfindShiftS]; Narrow[BfindShiftU BfindShiftS]
    "bfe" "":            Tri32[- - BfeU BfeS]; Bfe64[U S]
    "bmsk" "clamp":      Bin32[- - BmskClamp]
    "bmsk" "wrap":       Bin32[- - BmskWrap]
    "szext" "clamp":     Bin32[- - ZextClamp SextClamp]
    "szext" "wrap":      Bin32[- - ZextWrap SextWrap]
    "fns" "":            Tri32[- - Fns]
    "prmt" "f4e":        Tri32[- - PrmtF4e]
    "prmt" "b4e":        Tri32[- - PrmtB4e]
    "prmt" "rc8":        Tri32[- - PrmtRc8]
    "prmt" "ecl":        Tri32[- - PrmtEcl]
    "prmt" "ecr":        Tri32[- - PrmtEcr]
    "prmt" "rc16":       Tri32[- - PrmtRc16]
}

/// The form of an instruction for a type, which is one of the table's columns.
pub(super) fn form(name: &str, variant: &str, ty: Type) -> Option<Form> {
    let [narrow, wide] = row(name, variant)?;
    let (forms, column) = match ty {
        Type::U16 => (narrow, 0),
        Type::S16 => (narrow, 1),
        Type::U32 => (narrow, 2),
        Type::S32 => (narrow, 3),
        Type::F32 => (narrow, 4),
        Type::U16x2 => (narrow, 5),
        Type::S16x2 => (narrow, 6),
        Type::F16 | Type::Bf16 => (narrow, 7),
        Type::F16x2 | Type::Bf16x2 => (narrow, 8),
        Type::U64 => (wide, 0),
        Type::S64 => (wide, 1),
        Type::F64 => (wide, 2),
        _ => return None,
    };
    *forms.get(column)?
}

impl<'a> FunctionDecoder<'_, 'a> {
    /// The error of an instruction that does not support its type.
    pub(super) fn unsupported_type<T>(&self) -> Result<T> {
        self.reject("this type is not supported")
    }

    /// The operands, if there are `N`.
    pub(super) fn arity<const N: usize>(&self, operands: Operands<'a>) -> Result<&'a [Operand<'a>; N]> {
        operands.try_into().or_else(|_| self.wrong_arity(N, operands))
    }

    /// The error of an instruction that needs another number of operands.
    pub(super) fn wrong_arity<T>(&self, expected: usize, operands: &[Operand<'a>]) -> Result<T> {
        self.reject(format!("expected {expected} operands, found {}", operands.len()))
    }

    /// Emits an instruction. The types are those of the destination and of the sources.
    pub(super) fn form(&mut self, form: Option<Form>, types: [Type; 4], operands: Operands<'a>) -> Result {
        let Some(form) = form else { return self.unsupported_type() };
        let (dest, sources) = self.registers(form, types, operands)?;
        self.emit(form.op(dest, sources))
    }

    /// The registers of an instruction; of sources that it does not have, any.
    pub(super) fn registers(
        &mut self,
        form: Form,
        types: [Type; 4],
        operands: Operands<'a>,
    ) -> Result<(Reg, [Reg; 3])> {
        let ([d, sources @ ..], true) = (operands, operands.len() == 1 + form.sources()) else {
            return self.wrong_arity(1 + form.sources(), operands);
        };
        let dest = self.dest(d, types[0])?;
        let mut registers = [0; 3];
        for ((register, source), &ty) in registers.iter_mut().zip(sources).zip(&types[1..]) {
            *register = self.value(source, ty)?;
        }
        Ok((dest, registers))
    }

    /// A predicate register for a helper operation.
    pub(super) fn temporary_pred(&mut self) -> Result<Reg> {
        self.temporary(RegisterClass::Pred)
    }
}
