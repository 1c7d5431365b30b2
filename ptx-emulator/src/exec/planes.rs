//! The registers of one class in a frame.

use std::marker::PhantomData;

use crate::compile::RegisterState;
use crate::instruction::Reg;
use crate::semantics::{Aligned, LANES, Word, select};

/// The values of registers in all lanes, and the lanes in which each is undefined.
///
/// There is one plane more than there are registers. An operation puts its result there, as it must not write to a plane
/// that it reads, and then the register gets that plane and leaves its old one for the next result. So results are not
/// copied: copies were a third of the time of operations, mostly because they wait for the stores of the operation.
#[derive(Clone, Debug)]
pub(super) struct Planes<T> {
    planes: Vec<Aligned<[T; LANES]>>,
    /// Numbers of planes are below `planes.len()`, and each occurs once here or as `spare`.
    registers: Vec<RegisterState>,
    /// The plane of no register.
    spare: u32,
    /// Whether each register has the plane of its number, and keeps it: compiled code finds it there.
    is_fixed: bool,
}

impl<T> Default for Planes<T> {
    fn default() -> Planes<T> {
        Planes { planes: Vec::new(), registers: Vec::new(), spare: 0, is_fixed: false }
    }
}

impl<T: Word> Planes<T> {
    /// Makes this `count` registers, all of them undefined.
    pub fn reset(&mut self, count: u32) {
        // Not made smaller: frames are used again for other functions, and new planes are filled with zeros.
        if self.planes.len() <= count as usize {
            self.planes.resize(count as usize + 1, Aligned([T::ZERO; LANES]));
        }
        self.spare = count;
        self.registers.clear();
        self.registers.extend((0..count).map(|plane| RegisterState { plane, undefined: u32::MAX }));
    }

    /// Gives each register the plane of its number, for good. Returns where the planes and the states of the registers are:
    /// as long as the registers are only used through these and by methods that set values.
    pub fn fix(&mut self) -> (*mut Aligned<[T; LANES]>, *mut RegisterState) {
        if !self.is_fixed {
            let values: Vec<_> = self.registers.iter().map(|r| self.planes[r.plane as usize]).collect();
            self.planes[..values.len()].copy_from_slice(&values);
            (0..).zip(&mut self.registers).for_each(|(plane, register)| register.plane = plane);
            (self.spare, self.is_fixed) = (self.registers.len() as u32, true);
        }
        (self.planes.as_mut_ptr(), self.registers.as_mut_ptr())
    }

    /// Exchanges the memory of the values if there are as many registers, whose values are lost.
    pub fn exchange_memory(&mut self, other: &mut Planes<T>) {
        if self.planes.len() == other.planes.len() {
            std::mem::swap(&mut self.planes, &mut other.planes);
        }
    }

    /// The number of registers.
    pub fn len(&self) -> usize {
        self.registers.len()
    }

    /// Host memory of the values in bytes.
    pub fn bytes(&self) -> usize {
        self.planes.capacity() * size_of::<Aligned<[T; LANES]>>()
    }

    #[inline(always)]
    pub fn view(&self) -> PlanesView<'_, T> {
        PlanesView { planes: self.planes.as_ptr(), registers: &self.registers, lifetime: PhantomData }
    }

    /// The registers, and the plane for a result.
    #[inline(always)]
    pub fn view_and_result(&mut self) -> (PlanesView<'_, T>, &mut [T; LANES]) {
        let spare = self.spare as usize;
        assert!(spare < self.planes.len(), "a frame without a function has no registers");
        let planes = self.planes.as_mut_ptr();
        // SAFETY: inside the vector, as just checked. The view does not access it, as it is the plane of no register.
        let result = unsafe { &mut (*planes.add(spare)).0 };
        (PlanesView { planes, registers: &self.registers, lifetime: PhantomData }, result)
    }

    /// The plane for a result.
    #[inline(always)]
    pub fn result(&mut self) -> &mut [T; LANES] {
        &mut self.planes[self.spare as usize].0
    }

    /// Makes the result the value of a register in the lanes of a mask, and lanes of it undefined.
    #[inline(always)]
    pub fn set_to_result(&mut self, reg: Reg, undefined: u32, mask: u32) {
        let register = &mut self.registers[reg as usize];
        if mask == u32::MAX && !self.is_fixed {
            std::mem::swap(&mut register.plane, &mut self.spare);
            register.undefined = undefined;
        } else {
            register.undefined = register.undefined & !mask | undefined & mask;
            let places = [register.plane as usize, self.spare as usize];
            if let Ok([to, from]) = self.planes.get_disjoint_mut(places) {
                // Hidden from the optimiser, which would prepare the mask for all of a run before it knows whether it is used.
                select(&from.0, std::hint::black_box(mask), &mut to.0);
            }
        }
    }

    /// Sets lanes of a register.
    #[inline(always)]
    pub fn set(&mut self, reg: Reg, value: &[T; LANES], undefined: u32, mask: u32) {
        let register = &mut self.registers[reg as usize];
        let to = &mut self.planes[register.plane as usize].0;
        if mask == u32::MAX {
            *to = *value;
            register.undefined = undefined;
        } else {
            // As above.
            select(value, std::hint::black_box(mask), to);
            register.undefined = register.undefined & !mask | undefined & mask;
        }
    }

    /// The values of a register, to be changed, and its undefined lanes.
    #[inline(always)]
    pub fn get_mut(&mut self, reg: Reg) -> (&mut [T; LANES], &mut u32) {
        let register = &mut self.registers[reg as usize];
        (&mut self.planes[register.plane as usize].0, &mut register.undefined)
    }

    /// The values and the undefined lanes of all registers.
    pub fn iter(&self) -> impl Iterator<Item = (&[T; LANES], u32)> {
        self.registers.iter().map(|register| (&self.planes[register.plane as usize].0, register.undefined))
    }
}

/// Registers as operands.
#[derive(Clone, Copy)]
pub(super) struct PlanesView<'a, T> {
    /// Those of a [`Planes`] that is borrowed for `'a`, all but the spare one.
    planes: *const Aligned<[T; LANES]>,
    registers: &'a [RegisterState],
    lifetime: PhantomData<&'a [T; LANES]>,
}

impl<'a, T> PlanesView<'a, T> {
    /// The values of a register, and its undefined lanes.
    #[inline(always)]
    pub fn get(self, reg: Reg) -> (&'a [T; LANES], u32) {
        let RegisterState { plane, undefined } = self.registers[reg as usize];
        // SAFETY: planes of registers are inside the vector, which is borrowed for 'a. Nothing writes to them as long:
        // `view_and_result` lends only the spare plane.
        (unsafe { &(*self.planes.add(plane as usize)).0 }, undefined)
    }
}
