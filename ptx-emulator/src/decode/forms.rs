//! Common forms of instructions: a destination and one to three sources of one width.

use super::decoder::RegisterClass;
use super::function::FunctionDecoder;
use crate::instruction::{Op, Reg};
use crate::semantics::{Bin32, Bin64, Tri32, Tri64, Un32, Un64};
use crate::text::SyntaxError;
use crate::text::ast::Operand;
use crate::text::types::Type;

impl<'a> FunctionDecoder<'_, 'a> {
    /// The error of an instruction that does not support its type.
    pub(super) fn unsupported_type<T>(&self) -> Result<T, SyntaxError> {
        self.reject("this type is not supported")
    }

    /// The operands, if there are `N`.
    pub(super) fn arity<const N: usize>(
        &self,
        operands: &'a [Operand<'a>],
    ) -> Result<&'a [Operand<'a>; N], SyntaxError> {
        match operands.try_into() {
            Ok(operands) => Ok(operands),
            Err(_) => self.reject(format!("expected {N} operands, found {}", operands.len())),
        }
    }

    pub(super) fn un32(
        &mut self,
        op: Un32,
        ty: Type,
        operands: &'a [Operand<'a>],
    ) -> Result<(), SyntaxError> {
        let [d, a] = self.arity(operands)?;
        let op = Op::Un32(op, self.dest(d, ty)?, self.value32(a, ty)?);
        self.emit(op)
    }

    pub(super) fn un64(
        &mut self,
        op: Un64,
        ty: Type,
        operands: &'a [Operand<'a>],
    ) -> Result<(), SyntaxError> {
        let [d, a] = self.arity(operands)?;
        let op = Op::Un64(op, self.dest(d, ty)?, self.value64(a)?);
        self.emit(op)
    }

    pub(super) fn bin32(
        &mut self,
        op: Bin32,
        ty: Type,
        operands: &'a [Operand<'a>],
    ) -> Result<(), SyntaxError> {
        let [d, a, b] = self.arity(operands)?;
        let op = Op::Bin32(op, self.dest(d, ty)?, self.value32(a, ty)?, self.value32(b, ty)?);
        self.emit(op)
    }

    pub(super) fn bin64(
        &mut self,
        op: Bin64,
        ty: Type,
        operands: &'a [Operand<'a>],
    ) -> Result<(), SyntaxError> {
        let [d, a, b] = self.arity(operands)?;
        let op = Op::Bin64(op, self.dest(d, ty)?, self.value64(a)?, self.value64(b)?);
        self.emit(op)
    }

    pub(super) fn tri32(
        &mut self,
        op: Tri32,
        ty: Type,
        operands: &'a [Operand<'a>],
    ) -> Result<(), SyntaxError> {
        let [d, a, b, c] = self.arity(operands)?;
        let dest = self.dest(d, ty)?;
        let op = Op::Tri32(op, dest, self.value32(a, ty)?, self.value32(b, ty)?, self.value32(c, ty)?);
        self.emit(op)
    }

    pub(super) fn tri64(
        &mut self,
        op: Tri64,
        ty: Type,
        operands: &'a [Operand<'a>],
    ) -> Result<(), SyntaxError> {
        let [d, a, b, c] = self.arity(operands)?;
        let dest = self.dest(d, ty)?;
        let op = Op::Tri64(op, dest, self.value64(a)?, self.value64(b)?, self.value64(c)?);
        self.emit(op)
    }

    /// A predicate register for a helper operation.
    pub(super) fn temporary_pred(&mut self) -> Result<Reg, SyntaxError> {
        self.temporary(RegisterClass::Pred)
    }
}
