//! Products of matrices by the lanes of a warp: `mma`, `wmma`, `ldmatrix`.
//!
//! A `wmma.load` or `wmma.store` becomes loads and stores of the elements that a lane holds, an `ldmatrix` shuffles of
//! addresses and loads, so that checks and counts are those of any other access.

use super::decoder::{Operands, RegisterClass, Result};
use super::function::FunctionDecoder;
use super::modifiers::{Modifiers, among};
use crate::instruction::{
    Address, AddressBase, MatrixProduct, MemoryAccess, Op, Reg, SINK, ShuffleMode, SpecialRegister, SyncKind,
    WarpSync,
};
use crate::memory::{MemoryOrder, Scope};
use crate::semantics::matrix::{Element, Matrix, Shape, Spread};
use crate::semantics::{Bin32, Bin64, Narrow, Shift64, Un32, Wide, Widen};
use crate::text::ast::Operand;
use crate::text::types::{Space, Type};

const SIGNED: Element = Element::Int8 { signed: true };
const UNSIGNED: Element = Element::Int8 { signed: false };

/// The shape of a word such as `m16n8k16`.
fn size(word: &str) -> Option<[u32; 3]> {
    let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}

fn element(word: &str) -> Option<Element> {
    among(&[
        ("f16", Element::Half),
        ("bf16", Element::Bfloat),
        ("tf32", Element::Tensor),
        ("f32", Element::Single),
        ("f64", Element::Double),
        ("s8", SIGNED),
        ("u8", UNSIGNED),
        ("s32", Element::Int32),
    ])(word)
}

/// Whether there is such a product.
fn is_known(shape: &Shape) -> bool {
    use Element::*;
    let [a, b, c] = shape.elements;
    let sizes: &[[u32; 3]] = match (shape.spread, a, b, c) {
        (Spread::Defined, Half, Half, Half | Single) | (Spread::Defined, Bfloat, Bfloat, Single) => {
            &[[16, 8, 8], [16, 8, 16]]
        }
        (Spread::Defined, Tensor, Tensor, Single) => &[[16, 8, 4], [16, 8, 8]],
        (Spread::Defined | Spread::Open, Double, Double, Double) => &[[8, 8, 4]],
        (Spread::Defined, Int8 { .. }, Int8 { .. }, Int32) => &[[8, 8, 16], [16, 8, 16], [16, 8, 32]],
        (Spread::Open, Half, Half, Half | Single) | (Spread::Open, Bfloat, Bfloat, Single) => {
            &[[16, 16, 16], [32, 8, 16], [8, 32, 16]]
        }
        (Spread::Open, Tensor, Tensor, Single) => &[[16, 16, 8]],
        (Spread::Open, Int8 { .. }, Int8 { .. }, Int32) if a == b => {
            &[[16, 16, 16], [32, 8, 16], [8, 32, 16]]
        }
        _ => return false,
    };
    sizes.contains(&shape.size)
}

impl<'a> FunctionDecoder<'_, 'a> {
    /// Decodes `name` if it works on matrices.
    pub(super) fn matrix_operation(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result<Option<()>> {
        if !matches!(name, "mma" | "wmma" | "ldmatrix") {
            return Ok(None);
        }
        let is_load = name == "wmma" && mods.has("load");
        let is_store = name == "wmma" && mods.has("store");
        if name == "wmma" && !is_load && !is_store && !mods.has("mma") {
            return self.no_matrix();
        }
        if !mods.has("sync") || !mods.has("aligned") {
            return self.no_matrix();
        }
        match name {
            "ldmatrix" => self.load_matrices(mods, operands)?,
            _ if is_load || is_store => self.fragment(is_store, mods, operands)?,
            _ => self.matrix_product(name == "wmma", mods, operands)?,
        }
        Ok(Some(()))
    }

    fn no_matrix<T>(&self) -> Result<T> {
        self.reject("this form is not supported: tensor cores")
    }

    /// The registers that hold a matrix, and their type.
    fn matrix_operands(
        &mut self,
        operand: &'a Operand<'a>,
        shape: &Shape,
        matrix: Matrix,
    ) -> Result<(&'a [Operand<'a>], Type)> {
        let all = if let Operand::Vector(all) = operand { &all[..] } else { std::slice::from_ref(operand) };
        if all.len() != shape.registers(matrix) as usize {
            return self.reject("the operands do not fit");
        }
        Ok((all, if shape.element(matrix) == Element::Double { Type::F64 } else { Type::B32 }))
    }

    /// The registers of a matrix that an instruction reads.
    fn matrix_registers(
        &mut self,
        operand: &'a Operand<'a>,
        shape: &Shape,
        matrix: Matrix,
    ) -> Result<Box<[Reg]>> {
        let (all, ty) = self.matrix_operands(operand, shape, matrix)?;
        all.iter().map(|operand| self.value(operand, ty)).collect()
    }

    /// The registers of a matrix that an instruction writes.
    fn matrix_results(
        &mut self,
        operand: &'a Operand<'a>,
        shape: &Shape,
        matrix: Matrix,
    ) -> Result<Box<[Reg]>> {
        let (all, ty) = self.matrix_operands(operand, shape, matrix)?;
        all.iter().map(|operand| self.dest(operand, ty)).collect()
    }

    fn matrix_product(&mut self, is_open: bool, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let Some(size) = mods.find(size) else { return self.no_matrix() };
        // The order of elements in memory: that of fragments is the same for both.
        let orders: Vec<bool> =
            std::iter::from_fn(|| mods.find(among(&[("row", false), ("col", true)]))).collect();
        if !is_open && orders != [false, true] || is_open && orders.len() != 2 {
            return self.no_matrix();
        }
        let clamp = mods.has("satfinite");
        mods.has("rn");
        let types: Vec<Element> = std::iter::from_fn(|| mods.find(element)).collect();
        let elements = match types[..] {
            [d, c] if is_open && d == c => [Element::Half, Element::Half, c],
            [d, a, b, c] if d == c => [a, b, c],
            _ => return self.no_matrix(),
        };
        let spread = if is_open { Spread::Open } else { Spread::Defined };
        let shape = Shape { spread, size, elements, clamp };
        if !is_known(&shape) || clamp && elements[2] != Element::Int32 {
            return self.no_matrix();
        }
        let [d, a, b, c] = self.arity(operands)?;
        let product = MatrixProduct {
            shape,
            dest: self.matrix_results(d, &shape, Matrix::C)?,
            a: self.matrix_registers(a, &shape, Matrix::A)?,
            b: self.matrix_registers(b, &shape, Matrix::B)?,
            c: self.matrix_registers(c, &shape, Matrix::C)?,
        };
        let mask = self.constant32(u32::MAX)?;
        self.emit(Op::WarpSync(Box::new(WarpSync { mask, kind: SyncKind::Product(Box::new(product)) })))
    }

    /// `wmma.load` or `wmma.store`.
    fn fragment(&mut self, is_store: bool, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let known: &[(&str, Matrix)] = match is_store {
            true => &[("d", Matrix::C)],
            false => &[("a", Matrix::A), ("b", Matrix::B), ("c", Matrix::C)],
        };
        let matrix = mods.find(among(known));
        let is_column = mods.find(among(&[("row", false), ("col", true)]));
        let (Some(matrix), Some(is_column), Some(size)) = (matrix, is_column, mods.find(size)) else {
            return self.no_matrix();
        };
        let space = mods.find(Space::parse);
        let Some(element) = mods.find(element) else { return self.no_matrix() };
        // A shape that such a fragment is of.
        let of_c = match element {
            SIGNED | UNSIGNED => Element::Int32,
            Element::Double => Element::Double,
            _ => Element::Single,
        };
        let elements = match (matrix, element) {
            (Matrix::A | Matrix::B, element) => [element, element, of_c],
            (_, Element::Int32) => [SIGNED, SIGNED, element],
            (_, Element::Double) => [element; 3],
            // Of single precision are the sums of several types.
            (_, element) if size == [16, 16, 8] => [Element::Tensor, Element::Tensor, element],
            (_, element) => [Element::Half, Element::Half, element],
        };
        let shape = Shape { spread: Spread::Open, size, elements, clamp: false };
        if !is_known(&shape) {
            return self.no_matrix();
        }
        let (fragment, pointer, stride) = match (is_store, operands) {
            (false, [d, p]) => (d, p, None),
            (false, [d, p, stride]) => (d, p, Some(stride)),
            (true, [p, s]) => (s, p, None),
            (true, [p, s, stride]) => (s, p, Some(stride)),
            _ => return self.reject("the operands do not fit"),
        };
        let registers = match is_store {
            true => self.matrix_registers(fragment, &shape, matrix)?,
            false => self.matrix_results(fragment, &shape, matrix)?,
        };
        let (lines, length) = shape.lines(matrix);
        let in_lane = shape.registers(matrix) * element.in_register();
        // Whether a line is contiguous: rows of `a` and `c`, columns of `b`.
        let is_contiguous = is_column == (matrix == Matrix::B);
        let stride = match stride {
            Some(stride) => self.value32(stride, Type::U32)?,
            None => self.constant32(if is_contiguous { length } else { lines })?,
        };

        // The line of the lane, and its first element there.
        let [lane, line, first] = [(); 3].map(|()| self.temporary(RegisterClass::B32));
        let (lane, line, first) = (lane?, line?, first?);
        self.helper(Op::Special(SpecialRegister::LaneId, lane))?;
        let constant = self.constant32(lines - 1)?;
        self.helper(Op::Bin32(Bin32::And, line, lane, constant))?;
        let constant = self.constant32(lines.trailing_zeros())?;
        self.helper(Op::Bin32(Bin32::ShrU, first, lane, constant))?;
        let constant = self.constant32(length / in_lane - 1)?;
        self.helper(Op::Bin32(Bin32::And, first, first, constant))?;
        let constant = self.constant32(in_lane)?;
        self.helper(Op::Bin32(Bin32::Mul, first, first, constant))?;

        // The address of its first element, and the distance between elements.
        let (by_stride, by_one) = if is_contiguous { (line, first) } else { (first, line) };
        let (base, more, step) = (
            self.temporary(RegisterClass::B64)?,
            self.temporary(RegisterClass::B64)?,
            self.temporary(RegisterClass::B64)?,
        );
        let bytes = element.bits() / 8;
        self.helper(Op::Wide(Wide::MulU, base, by_stride, stride))?;
        self.helper(Op::Widen(Widen::Zext, more, by_one))?;
        self.helper(Op::Bin64(Bin64::Add, base, base, more))?;
        let shift = self.constant32(bytes.trailing_zeros())?;
        self.helper(Op::Shift64(Shift64::Shl, base, base, shift))?;
        let address = self.address(pointer, space)?;
        let AddressBase::Reg(pointer) = address.base else {
            return self.reject("this operand is not supported");
        };
        self.helper(Op::Bin64(Bin64::Add, base, base, pointer))?;
        self.helper(Op::Widen(Widen::Zext, step, stride))?;
        self.helper(Op::Shift64(Shift64::Shl, step, step, shift))?;

        let at = |offset: i64| Address {
            base: AddressBase::Reg(base),
            offset: address.offset + offset,
            ..address
        };
        // The instruction counts as one, which the first access stands for.
        let mut is_first = true;
        let mut access = |this: &mut Self, op: Op| match std::mem::take(&mut is_first) {
            true => this.emit(op),
            false => this.helper(op),
        };
        if is_contiguous {
            let word = if bytes == 8 { Type::B64 } else { Type::B32 };
            for (number, &register) in registers.iter().enumerate() {
                let place = at(number as i64 * i64::from(word.size()));
                access(self, element_access(is_store, place, word, register))?;
            }
            return Ok(());
        }
        let word = match bytes {
            1 => Type::B8,
            2 => Type::B16,
            4 => Type::B32,
            _ => Type::B64,
        };
        let part = self.temporary(RegisterClass::B32)?;
        for number in 0..in_lane {
            if number > 0 {
                self.helper(Op::Bin64(Bin64::Add, base, base, step))?;
            }
            let register = registers[(number / element.in_register()) as usize];
            let shift = number % element.in_register() * element.bits();
            if element.in_register() == 1 {
                access(self, element_access(is_store, at(0), word, register))?;
                continue;
            }
            let amount = self.constant32(shift)?;
            if is_store {
                self.helper(Op::Bin32(Bin32::ShrU, part, register, amount))?;
                access(self, element_access(true, at(0), word, part))?;
                continue;
            }
            access(self, element_access(false, at(0), word, part))?;
            if shift == 0 {
                self.helper(Op::Un32(Un32::Mov, register, part))?;
            } else {
                self.helper(Op::Bin32(Bin32::Shl, part, part, amount))?;
                self.helper(Op::Bin32(Bin32::Or, register, register, part))?;
            }
        }
        Ok(())
    }

    /// `ldmatrix`: eight lanes have the addresses of the rows of a matrix of 8 x 8 halves, which all lanes get two of.
    fn load_matrices(&mut self, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let count = mods.find(among(&[("x1", 1u32), ("x2", 2), ("x4", 4)]));
        let is_transposed = mods.has("trans");
        let space = mods.find(Space::parse);
        let (Some(count), true, true) = (count, mods.has("m8n8"), mods.has("b16")) else {
            return self.no_matrix();
        };
        if space.is_some_and(|space| space != Space::Shared) {
            return self.no_matrix();
        }
        let [d, pointer] = self.arity(operands)?;
        let single = std::slice::from_ref(d);
        let all = if let Operand::Vector(all) = d { &all[..] } else { single };
        if all.len() != count as usize {
            return self.reject("the operands do not fit");
        }
        let registers: Vec<Reg> = all.iter().map(|d| self.dest(d, Type::B32)).collect::<Result<_>>()?;
        let address = self.address(pointer, space)?;
        let AddressBase::Reg(pointer) = address.base else {
            return self.reject("this operand is not supported");
        };
        let [lane, quad, within, low, high, got_low, got_high, part] =
            [(); 8].map(|()| self.temporary(RegisterClass::B32));
        let (lane, quad, within, low, high) = (lane?, quad?, within?, low?, high?);
        let (got_low, got_high, part) = (got_low?, got_high?, part?);
        let [from, offset] = [(); 2].map(|()| self.temporary(RegisterClass::B64));
        let (from, offset) = (from?, offset?);
        let [two, three, mask, clamp] = [2, 3, u32::MAX, 31].map(|value| self.constant32(value));
        let (two, three, mask, clamp) = (two?, three?, mask?, clamp?);
        self.helper(Op::Special(SpecialRegister::LaneId, lane))?;
        self.helper(Op::Bin32(Bin32::ShrU, quad, lane, two))?;
        self.helper(Op::Bin32(Bin32::And, within, lane, three))?;
        self.helper(Op::Narrow(Narrow::Low, low, pointer))?;
        self.helper(Op::Narrow(Narrow::High, high, pointer))?;
        let mut is_first = true;
        for (number, register) in registers.into_iter().enumerate() {
            // The row that has the lane's halves: one, or two of a transposed matrix.
            for half in 0..if is_transposed { 2 } else { 1 } {
                let source = self.temporary(RegisterClass::B32)?;
                let base = self.constant32(number as u32 * 8 + half)?;
                if is_transposed {
                    self.helper(Op::Bin32(Bin32::Add, source, within, within))?;
                    self.helper(Op::Bin32(Bin32::Add, source, source, base))?;
                } else {
                    self.helper(Op::Bin32(Bin32::Add, source, quad, base))?;
                }
                for (value, dest) in [(low, got_low), (high, got_high)] {
                    let (mode, valid, lane) = (ShuffleMode::Index, SINK, source);
                    let kind = SyncKind::Shuffle { mode, dest, valid, value, lane, clamp };
                    self.helper(Op::WarpSync(Box::new(WarpSync { mask, kind })))?;
                }
                self.helper(Op::Wide(Wide::Pack, from, got_low, got_high))?;
                let (index, bytes, ty) =
                    if is_transposed { (quad, 2, Type::B16) } else { (within, 4, Type::B32) };
                let bytes = self.constant32(bytes)?;
                self.helper(Op::Wide(Wide::MulU, offset, index, bytes))?;
                self.helper(Op::Bin64(Bin64::Add, from, from, offset))?;
                let place = Address { base: AddressBase::Reg(from), ..address };
                let dest = if half == 1 { part } else { register };
                let load = element_access(false, place, ty, dest);
                match std::mem::take(&mut is_first) {
                    true => self.emit(load)?,
                    false => self.helper(load)?,
                }
            }
            if is_transposed {
                self.helper(Op::Bin32(Bin32::Pack16, register, register, part))?;
            }
        }
        Ok(())
    }
}

/// A load or store of one element.
fn element_access(is_store: bool, address: Address, ty: Type, register: Reg) -> Op {
    let mut regs = [SINK; 8];
    regs[0] = register;
    let access = MemoryAccess {
        address,
        ty,
        count: 1,
        wide: ty.size() == 8,
        extend: ty.size().max(4) as u8,
        order: MemoryOrder::Weak,
        scope: Scope::Cta,
        regs,
    };
    if is_store { Op::Store(Box::new(access)) } else { Op::Load(Box::new(access)) }
}
