//! The specification of the kernels that reduce arrays.

use std::ops::RangeInclusive;

use crate::list::Plan;
use crate::{Error, Op, ReductionList, Source, Type, is_legal};

/// Groups of elements that a thread loads at once in an iteration of the inner loop.
///
/// Four 16-byte loads per thread put 64 KiB in flight on a multiprocessor with 1024 threads; 4.8 TB/s
/// at a latency of 0.7 µs over 132 of them (H200) need 26 KiB (calculated, not measured). Instructions
/// per iteration of `warpfold_reduce` at -O2, and registers of the kernel for blocks of 256 (LLVM 22.1.8, ptxas
/// 13.5.37, sm_90):
///
/// | list | elements per iteration | PTX | registers |
/// |---|---|---|---|
/// | i32 sum | 16 | 24 | 30 |
/// | f32 sum | 16 | 24 | 30 |
/// | f64 sum | 8 | 16 | 32 |
/// | f64 sum, f32 sum | 16 of each | 49 | 44 |
/// | i32 sum, min, max of one array | 16 | 56 | 32 |
/// | f64 dot product | 8 of each | 23 | 32 |
///
/// Besides loads and operators an iteration costs three instructions and one or two per array, because a
/// thread's loads are at constant distances.
pub const UNROLL: u32 = 4;

/// The largest unroll factor.
pub const MAX_UNROLL: u32 = 16;

/// 32-bit registers that the loads of an iteration may take; the default unroll factor is lowered to fit.
const LOAD_REGISTERS: u32 = 64;

/// Half the loads of scalars of an iteration are in flight at a time where all take so many 32-bit registers, as those of
/// two arrays do. Dot products have 32 registers then instead of 40 to 48, so that a multiprocessor takes 2048 threads
/// instead of 1280 to 1536, with 128 KiB in flight. With more loads ptxas would put values into local memory.
const HALVED_REGISTERS: RangeInclusive<u32> = 17..=32;

/// 32-bit registers that a thread's accumulators may take; groups are made smaller to fit.
const ACCUMULATOR_REGISTERS: u32 = 64;

/// Bytes of one vector load.
pub(crate) const VECTOR_BYTES: u32 = 16;

/// The largest number of input arrays: 4096 bytes of kernel parameters (the limit of sm_70 on)
/// less the element count, the first index, the workspace and the result, 8 bytes each.
pub const MAX_ARRAYS: usize = 4096 / 8 - 4;

/// A checked specification of the three kernels that reduce input arrays by a reduction list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelSpec {
    list: ReductionList,
    arrays: Vec<Type>,
    block_threads: u32,
    unroll: u32,
    in_flight: u32,
    canonical: bool,
}

impl KernelSpec {
    /// Checks that the list can be computed from arrays of these element types.
    ///
    /// `block_threads`, rounded up to whole warps, becomes the kernels' `.maxntid`: the largest block they can be
    /// launched with, in threads, for which ptxas allocates registers.
    ///
    /// # Errors
    ///
    /// An array index out of range, elements that do not convert to the variable's type, a product of a type
    /// that cannot be multiplied, a map over another number of arrays than its function takes or of other types, a
    /// block size outside 1 to 1024, more than [`MAX_ARRAYS`] arrays.
    pub fn new(list: ReductionList, arrays: Vec<Type>, block_threads: u32) -> Result<Self, Error> {
        if !(1..=1024).contains(&block_threads) {
            return Err(Error::BlockThreads { threads: block_threads });
        }
        if arrays.len() > MAX_ARRAYS {
            return Err(Error::TooManyArrays { arrays: arrays.len(), limit: MAX_ARRAYS });
        }
        for variable in list.variables() {
            let name = || variable.name.clone();
            let element = |array: u32| {
                let missing = || Error::ArrayOutOfRange { variable: name(), array, arrays: arrays.len() };
                arrays.get(array as usize).copied().ok_or_else(missing)
            };
            let converts = |array: u32| {
                let element = element(array)?;
                match element.converts_to(variable.ty) {
                    true => Ok(()),
                    false => Err(Error::ElementType { variable: name(), ty: variable.ty, array, element }),
                }
            };
            match variable.source {
                Source::Array(array) => converts(array)?,
                Source::Product(left, right) => {
                    if !is_legal(variable.ty, Op::Product) {
                        return Err(Error::NoProduct { variable: name(), ty: variable.ty });
                    }
                    converts(left)?;
                    converts(right)?;
                }
                Source::Map(mapper, arrays) => {
                    let elements = arrays.iter().map(|array| element(*array));
                    let elements = elements.collect::<Result<Vec<_>, _>>()?;
                    if arrays.len() != mapper.inputs() {
                        return Err(Error::MapInputs {
                            variable: name(),
                            mapper: mapper.name().to_owned(),
                            inputs: mapper.inputs(),
                            given: arrays.len(),
                        });
                    }
                    let types: Vec<_> = [variable.ty].into_iter().chain(elements).collect();
                    if let Some(reason) = mapper.wrong_types(&types) {
                        return Err(Error::MapTypes {
                            variable: name(),
                            mapper: mapper.name().to_owned(),
                            reason,
                        });
                    }
                }
            }
        }
        let block_threads = block_threads.next_multiple_of(32);
        let mut spec =
            Self { list, arrays, block_threads, unroll: UNROLL, in_flight: UNROLL, canonical: false };
        let group_registers: u32 = spec.used().map(|(_, ty)| (spec.group() * ty.size()).div_ceil(4)).sum();
        while spec.unroll > 1 && spec.unroll * group_registers > LOAD_REGISTERS {
            spec.unroll /= 2;
        }
        let is_halved = spec.takes_scalars() && HALVED_REGISTERS.contains(&(spec.unroll * group_registers));
        spec.in_flight = spec.unroll.div_ceil(if is_halved { 2 } else { 1 });
        Ok(spec)
    }

    /// Sets the unroll factor of the inner loop. The rounding of a float sum depends on it, and on the number
    /// of threads in the grid.
    ///
    /// The default is [`UNROLL`], halved until the loads fit into 64 registers. With it, half of the loads of two arrays
    /// are in flight at a time; with a factor set here all are.
    ///
    /// # Errors
    ///
    /// A factor outside 1 to [`MAX_UNROLL`].
    pub fn with_unroll(mut self, unroll: u32) -> Result<Self, Error> {
        if !(1..=MAX_UNROLL).contains(&unroll) {
            return Err(Error::Unroll { unroll, limit: MAX_UNROLL });
        }
        self.unroll = unroll;
        self.in_flight = unroll;
        Ok(self)
    }

    /// Has values combined in the canonical order (`device_rt::reduce::canonical`): the result then depends on the
    /// elements and the variables alone, not on the grid, the device or the launches that take them. The unroll factor has
    /// no meaning then.
    pub fn in_canonical_order(mut self) -> Self {
        self.canonical = true;
        self
    }

    /// Whether values are combined in the canonical order.
    pub fn is_canonical(&self) -> bool {
        self.canonical
    }

    /// The reduction variables.
    pub fn list(&self) -> &ReductionList {
        &self.list
    }

    /// The element types of the input arrays.
    pub fn arrays(&self) -> &[Type] {
        &self.arrays
    }

    /// The largest block that the kernels can be launched with, in threads.
    pub fn block_threads(&self) -> u32 {
        self.block_threads
    }

    /// The unroll factor of the inner loop, in groups of [`group`](Self::group) elements.
    pub fn unroll(&self) -> u32 {
        self.unroll
    }

    /// The groups whose loads a thread has in flight at a time, of the [`unroll`](Self::unroll) groups of an iteration.
    pub(crate) fn in_flight(&self) -> u32 {
        self.in_flight
    }

    /// Consecutive elements that one thread takes at a time: as many of the narrowest array in use
    /// as fill 16 bytes, so that a group takes a whole number of 16-byte loads from every array; fewer
    /// where the accumulators, one of each variable per position in the group, would take more than 64
    /// registers. A power of two.
    pub fn group(&self) -> u32 {
        let narrowest = self.used().map(|(_, ty)| ty.size()).min().unwrap_or(VECTOR_BYTES);
        let leaves = self.list.entries().iter().flat_map(|entry| &entry.leaves);
        let registers: u32 = leaves.map(|leaf| leaf.scalar.size().div_ceil(4)).sum();
        let most = (VECTOR_BYTES / narrowest).min(ACCUMULATOR_REGISTERS / registers).max(1);
        1 << most.ilog2()
    }

    /// Elements that the 32 threads of a warp load at a time: a group for each thread and load of the inner loop.
    pub fn tile(&self) -> u64 {
        32 * u64::from(self.unroll) * u64::from(self.group())
    }

    /// Whether the elements of all arrays in use are scalars.
    pub(crate) fn takes_scalars(&self) -> bool {
        self.used().all(|(_, ty)| ty.scalar().is_some())
    }

    /// Whether a variable reduces indices as well as values.
    pub(crate) fn needs_index(&self) -> bool {
        self.list.entries().iter().any(|entry| matches!(entry.plan, Plan::Find(..)))
    }

    /// The arrays that some variable reads, in order: their numbers and element types.
    pub(crate) fn used(&self) -> impl Iterator<Item = (usize, Type)> {
        let reads = |index: usize| {
            let mut sources = self.list.variables().iter().flat_map(|variable| variable.source.arrays());
            sources.any(|array| array as usize == index)
        };
        self.arrays.iter().copied().enumerate().filter(move |(index, _)| reads(*index))
    }
}
