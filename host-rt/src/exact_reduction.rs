//! Exact sums and dot products.

use device_code::EXACT_SUMS;
use device_rt::reduce::exact::{CELLS, ExactSum};
use device_rt::reduce::op::Plain;
use toolchain::OptLevel;

use crate::geometry::Limits;
use crate::typed::{Column, DeviceArray, Pending};
use crate::{BLOCK_THREADS, Device, Error, Grid, KernelCrate, Module, Stream, module::Shape};

/// Elements whose sums are exact: `f32` and `f64`.
pub trait ExactElement: Plain + Into<f64> + sealed::Kernels {
    /// The sum as a number of this type: rounded to nearest, ties to even.
    fn rounded(sum: &ExactSum) -> Self;
}

mod sealed {
    /// The kernels of [`EXACT_SUMS`](device_code::EXACT_SUMS) for a type of elements, by number.
    pub trait Kernels {
        const SUM: usize;
        const DOT: usize;
    }
}

macro_rules! elements {
    ($($ty:ident $sum:literal $dot:literal $rounded:ident;)*) => {$(
        impl sealed::Kernels for $ty {
            const SUM: usize = $sum;
            const DOT: usize = $dot;
        }

        impl ExactElement for $ty {
            fn rounded(sum: &ExactSum) -> $ty {
                sum.$rounded()
            }
        }
    )*};
}

elements! {
    f32 0 2 to_f32;
    f64 1 3 to_f64;
}

/// Elements that a warp adds at a time, except for products of `f64`.
const TILE: u64 = 512;

/// Blocks of a multiprocessor: enough for the loads in flight that the bandwidth of memory takes, and no more, because each
/// warp combines its lanes' terms at the end.
const RESIDENT: u32 = 3;

/// Exact sums and dot products on a device: real sums of floats, or of their products, that are rounded once. They depend
/// neither on the order of the elements nor on the device; [`ExactSum`] says what they are.
///
/// A sum is an [`ExactSum`], to which other sums can be merged, of the device or of the host.
///
/// ```
/// use host_rt::{Device, ExactReduction, ExactSum, Select};
///
/// # fn main() -> Result<(), host_rt::Error> {
/// let device = Device::open(Select::Emulator)?;
/// let (stream, exact) = (device.stream()?, ExactReduction::new(&device)?);
/// let (sum, dot) = (exact.sum(&stream, &[1e30f32, 1.0, -1e30])?, exact.dot(&stream, &[0.1, 3.0], &[10.0, 4.0])?);
/// let mut all = sum.wait()?;
/// all.merge(&dot.wait()?);
/// all.merge(&[0.5f64, -1e300, 1e300].into_iter().collect());
/// assert_eq!(all.to_f32(), 14.5);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct ExactReduction {
    module: Module,
    limits: Vec<Limits>,
}

impl ExactReduction {
    /// The kernels as the program embeds them ([`EXACT_SUMS`]), or else compiled now at the highest optimisation level.
    ///
    /// # Errors
    ///
    /// As [`ExactReduction::with_opt`].
    pub fn new(device: &Device) -> Result<ExactReduction, Error> {
        ExactReduction::with_opt(device, EXACT_SUMS.opt)
    }

    /// The kernels, compiled at this level; the PTX is cached.
    ///
    /// # Errors
    ///
    /// As [`Module::new`].
    pub fn with_opt(device: &Device, opt: OptLevel) -> Result<ExactReduction, Error> {
        let module = Module::new(device, &KernelCrate { opt, ..EXACT_SUMS })?;
        let limits = EXACT_SUMS.kernels.iter().map(|kernel| {
            let (block_threads, resident_blocks) = module.kernel(kernel)?.residency(BLOCK_THREADS)?;
            let multiprocessors = device.multiprocessors();
            let resident_blocks = resident_blocks.min(RESIDENT * multiprocessors);
            Ok(Limits { block_threads, resident_blocks, multiprocessors })
        });
        let limits = limits.collect::<Result<_, Error>>()?;
        Ok(ExactReduction { module, limits })
    }

    /// Enqueues the sum of all elements on the stream, and does not wait for it.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`].
    pub fn sum<'a, T: ExactElement>(
        &'a self,
        stream: &'a Stream,
        elements: impl Column<'a, Element = T>,
    ) -> Result<PendingExact<'a>, Error> {
        self.launch(stream, T::SUM, vec![elements.load_array(stream.device())?])
    }

    /// Enqueues the sum of all products of two elements with the same index on the stream, and does not wait for it.
    /// Products are not rounded.
    ///
    /// # Errors
    ///
    /// [`Error::Lengths`] for arrays of different lengths, [`Error::Cuda`].
    pub fn dot<'a, T: ExactElement>(
        &'a self,
        stream: &'a Stream,
        x: impl Column<'a, Element = T>,
        y: impl Column<'a, Element = T>,
    ) -> Result<PendingExact<'a>, Error> {
        let device = stream.device();
        self.launch(stream, T::DOT, vec![x.load_array(device)?, y.load_array(device)?])
    }

    fn launch<'a>(
        &'a self,
        stream: &'a Stream,
        kernel: usize,
        arrays: Vec<DeviceArray<'a>>,
    ) -> Result<PendingExact<'a>, Error> {
        let current = stream.device().make_current()?;
        let mut pending = Pending::new(&current, stream, [0; CELLS], arrays)?;
        let n = pending.elements();
        if n > 0 {
            let shape = Shape::from(self.limits[kernel].shape(n, TILE, Grid::Full));
            let values = pending.arguments(&[n]);
            let kernel = self.module.kernel(EXACT_SUMS.kernels[kernel])?;
            // SAFETY: the kernel takes the number of elements, the address of the cells and the arrays'; the blocks are
            // whole warps. `pending` keeps cells and arrays until the launch has ended.
            unsafe { kernel.enqueue(&current, stream, shape, &values)? };
        }
        Ok(PendingExact(pending))
    }
}

/// An exact sum that is enqueued on a stream. The arrays stay borrowed until it has ended: dropping this waits for it.
#[derive(Debug)]
#[must_use = "`wait` returns the sum"]
pub struct PendingExact<'a>(Pending<'a, [u64; CELLS]>);

impl PendingExact<'_> {
    /// Waits for the sum and returns it.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`] if an operation failed.
    pub fn wait(self) -> Result<ExactSum, Error> {
        Ok(ExactSum::from_cells(&self.0.wait()?))
    }
}

impl Device {
    /// The [exact](ExactSum) sum of all elements, rounded once, and waits for it.
    ///
    /// ```
    /// # fn main() -> Result<(), host_rt::Error> {
    /// let device = host_rt::Device::open(host_rt::Select::Emulator)?;
    /// assert_eq!(device.exact_sum(&[1e100, 1.0, -1e100])?, 1.0);
    /// # Ok(()) }
    /// ```
    ///
    /// Each call loads the kernels; an [`ExactReduction`] keeps them, and runs on streams.
    ///
    /// # Errors
    ///
    /// As [`ExactReduction::new`] and [`ExactReduction::sum`].
    pub fn exact_sum<'a, T: ExactElement>(&self, elements: impl Column<'a, Element = T>) -> Result<T, Error> {
        let (stream, exact) = (self.stream()?, ExactReduction::new(self)?);
        let array = elements.load_array(self)?;
        Ok(T::rounded(&exact.launch(&stream, T::SUM, vec![array])?.wait()?))
    }

    /// The [exact](ExactSum) sum of all products of two elements with the same index, rounded once, and waits for it.
    ///
    /// # Errors
    ///
    /// As [`ExactReduction::new`] and [`ExactReduction::dot`].
    pub fn exact_dot<'a, T: ExactElement>(
        &self,
        x: impl Column<'a, Element = T>,
        y: impl Column<'a, Element = T>,
    ) -> Result<T, Error> {
        let (stream, exact) = (self.stream()?, ExactReduction::new(self)?);
        let arrays = vec![x.load_array(self)?, y.load_array(self)?];
        Ok(T::rounded(&exact.launch(&stream, T::DOT, arrays)?.wait()?))
    }
}
