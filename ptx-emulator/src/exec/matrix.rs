//! Products of matrices by the lanes of a warp.

use super::lanes::lanes;
use super::run::Run;
use super::state::Warp;
use super::warp_sync::Participant;
use crate::instruction::{MatrixProduct, Reg};
use crate::memory::MemoryModel;
use crate::observer::Observer;
use crate::registers::Class;
use crate::semantics::matrix::{Matrix, Shape};
use crate::semantics::{LANES, Plane32, Plane64};

/// The bits of an element in the registers of a lane.
fn element(shape: &Shape, matrix: Matrix, planes: &[Plane64], line: u32, at: u32) -> u64 {
    let (lane, number) = shape.place(matrix, line, at);
    let (element, packed) = (shape.element(matrix), shape.element(matrix).in_register());
    let word = planes[(number / packed) as usize][lane as usize] >> (number % packed * element.bits());
    word & (u64::MAX >> (64 - element.bits()))
}

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// Executes a product. Where any element is undefined, so are all results.
    pub(super) fn matrix_product(
        &self,
        warp: &mut Warp,
        participants: &[Participant<'_>],
        product: &MatrixProduct,
    ) {
        let shape = &product.shape;
        let mut undefined = false;
        let mut planes = |matrix: Matrix, regs: &[Reg]| {
            let of = |&reg: &Reg| self.plane(warp, participants, product.class(matrix), reg, &mut undefined);
            regs.iter().map(of).collect::<Vec<Plane64>>()
        };
        let (a, b, c) =
            (planes(Matrix::A, &product.a), planes(Matrix::B, &product.b), planes(Matrix::C, &product.c));
        let lines = |matrix: Matrix, planes: &[Plane64]| -> Vec<Vec<u64>> {
            let (lines, length) = shape.lines(matrix);
            (0..lines)
                .map(|line| (0..length).map(|at| element(shape, matrix, planes, line, at)).collect())
                .collect()
        };
        let (rows, columns) = (lines(Matrix::A, &a), lines(Matrix::B, &b));
        let (of_c, packed) = (shape.element(Matrix::C), shape.element(Matrix::C).in_register());
        let mut results = vec![[0u64; LANES]; product.dest.len()];
        for (row, a) in (0..).zip(&rows) {
            for (column, b) in (0..).zip(&columns) {
                let sum = shape.sum(a, b, element(shape, Matrix::C, &c, row, column));
                let (lane, number) = shape.place(Matrix::C, row, column);
                results[(number / packed) as usize][lane as usize] |= sum << (number % packed * of_c.bits());
            }
        }
        let undefined = if undefined { u32::MAX } else { 0 };
        for p in participants {
            let frame = &mut warp.frames[p.group.frame as usize];
            for (&dest, plane) in product.dest.iter().zip(&results) {
                match product.class(Matrix::C) {
                    Class::B64 => frame.set_b64(dest, plane, undefined, p.group.mask),
                    _ => frame.set_b32(dest, &plane.map(|word| word as u32), undefined, p.group.mask),
                }
            }
        }
    }

    /// The values of a register in all lanes. Lanes that take no part are undefined.
    fn plane(
        &self,
        warp: &Warp,
        participants: &[Participant<'_>],
        class: Class,
        reg: Reg,
        undefined: &mut bool,
    ) -> Plane64 {
        let mut all = [0; LANES];
        let mut missing = u32::MAX;
        for p in participants {
            let frame = &warp.frames[p.group.frame as usize];
            let wide;
            let (values, unknown): (&Plane64, u32) = match class {
                Class::B64 => frame.b64(self.module.constants(), reg),
                _ => {
                    let (values, unknown): (&Plane32, u32) = frame.b32(self.module.constants(), reg);
                    wide = values.map(u64::from);
                    (&wide, unknown)
                }
            };
            lanes(p.group.mask).for_each(|lane| all[lane] = values[lane]);
            missing = missing & !p.group.mask | unknown & p.group.mask;
        }
        *undefined |= missing != 0;
        all
    }
}
