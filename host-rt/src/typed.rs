//! Reductions of arrays by operators that are Rust types.

use std::marker::PhantomData;

use cust::memory::DeviceBuffer;
use device_code::{Items, Portable, REDUCTION_KERNEL, record_bytes, reduction_crate, reduction_source};
use device_rt::reduce::{
    canonical::{self, CHUNK},
    op::{Identity, Lift, Plain, Reduce, Storable},
};
use toolchain::OptLevel;

use crate::geometry::Limits;
use crate::{
    BLOCK_THREADS, Buffer, Device, Error, Module, Partial, Stream,
    bytes::{self, Byte, Memory, bytes_of},
    device::Current,
    module::{Bytes, Shape},
    partial,
    run_record::RunRecord,
};

/// An operator over elements of type `I`, compiled for a device. [`Device::reduce`] describes the operators;
/// a `TypedReduction` avoids loading the kernel for each reduction.
///
/// Elements are combined in the [`canonical`] order: the same elements give the same bits on every device,
/// and [`canonical::reduce`] gives them on the host. So the operator need not be commutative, if it
/// [says so](device_rt::reduce::op::Reduce::COMMUTES). Of a NaN the payload may differ.
///
/// ```
/// use host_rt::{Device, Max, TypedReduction, Select, Sum};
///
/// # fn main() -> Result<(), host_rt::Error> {
/// let device = Device::open(Select::Emulator)?;
/// let (one, other) = (device.stream()?, device.stream()?);
/// let reducer = TypedReduction::new(&device, (Sum, Max))?;
/// let sums = reducer.reduce(&one, &[1u32, 5, 2])?;
/// let more = reducer.fold(&other, (100, 0), &[3u32; 100])?;
/// assert_eq!((sums.wait()?, more.wait()?), ((8, 5), (400, 3)));
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct TypedReduction<I, O> {
    module: Module,
    op: O,
    limits: Limits,
    items: PhantomData<fn(I)>,
}

impl<I, O> TypedReduction<I, O>
where
    I: Items,
    O: Lift<I> + Portable,
    O::Value: Storable,
{
    /// The operator as the program embeds it, or else compiled now at the highest optimisation level.
    ///
    /// # Errors
    ///
    /// As [`TypedReduction::with_opt`].
    pub fn new(device: &Device, op: O) -> Result<Self, Error> {
        TypedReduction::with_opt(device, op, OptLevel::O3)
    }

    /// The operator, compiled at this level; the PTX is cached.
    ///
    /// # Errors
    ///
    /// As [`Module::new`].
    pub fn with_opt(device: &Device, op: O, opt: OptLevel) -> Result<Self, Error> {
        let source = reduction_source::<I, O>();
        let sources = [("src/lib.rs", source.as_str())];
        let krate = reduction_crate(&sources, opt);
        let module = Module::new(device, &krate)?;
        let (block_threads, resident_blocks) = module.kernel(REDUCTION_KERNEL)?.residency(BLOCK_THREADS)?;
        let limits = Limits { block_threads, resident_blocks, multiprocessors: device.multiprocessors() };
        Ok(TypedReduction { module, op, limits, items: PhantomData })
    }

    /// Enqueues a reduction of all elements on the stream, and does not wait for it. Without elements the
    /// result is the operator's identity.
    ///
    /// # Errors
    ///
    /// As [`TypedReduction::fold`].
    pub fn reduce<'a>(
        &'a self,
        stream: &'a Stream,
        input: impl Input<'a, Item = I>,
    ) -> Result<Pending<'a, O::Value>, Error>
    where
        O: Identity<O::Value>,
    {
        self.fold(stream, self.op.identity(), input)
    }

    /// Enqueues a reduction of an initial value and all elements on the stream, and does not wait for it. The
    /// initial value is combined once: `initial op elements`.
    ///
    /// # Errors
    ///
    /// [`Error::Lengths`] for arrays of different lengths, [`Error::Cuda`].
    pub fn fold<'a>(
        &'a self,
        stream: &'a Stream,
        initial: O::Value,
        input: impl Input<'a, Item = I>,
    ) -> Result<Pending<'a, O::Value>, Error> {
        let arrays = input.load(stream.device())?;
        let current = stream.device().make_current()?;
        let mut pending = Pending::new(&current, stream, initial, arrays)?;
        let n = pending.elements();
        if n > 0 {
            let chunks = n.div_ceil(CHUNK) as u32;
            let shape = Shape::from(self.limits.chunks(chunks, self.shares()));
            // Locked until the launch that uses it is enqueued.
            let workspace =
                stream.workspace(canonical::counters(chunks), chunks, record_bytes::<O::Value>() as u32)?;
            let before = [n, 0, workspace.counters(), workspace.records()];
            let values = pending.arguments(&before);
            // SAFETY: the kernel takes the count, the first index, the addresses of counters, records and result, and the arrays'; the
            // blocks are whole warps, and chunks have a counter and a record each. `pending` keeps arrays and result until the launch has ended, the
            // stream the workspace.
            unsafe { self.module.kernel(REDUCTION_KERNEL)?.enqueue(&current, stream, shape, &values)? };
        }
        Ok(pending)
    }

    /// The operator.
    pub fn op(&self) -> O {
        self.op
    }

    /// Whether the warps of a block can share a chunk.
    fn shares(&self) -> bool {
        let commutes = <O as Reduce<O::Value>>::COMMUTES;
        canonical::folds_together(commutes, size_of::<I>(), size_of::<O::Value>())
    }
}

/// What the addresses of arrays that kernels read must be multiples of, in bytes.
const ALIGNMENT: u64 = 16;

/// Elements that are copied to the device at once: some tens of megabytes of numbers.
pub(crate) const PIECE: usize = 512 * CHUNK as usize;

impl<I, O> TypedReduction<I, O>
where
    I: Items + Plain,
    O: Lift<I> + Portable,
    O::Value: Storable,
{
    /// Reduces some of the elements, and waits for that; `first` is the first one's index among all.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`].
    pub fn partial(&self, stream: &Stream, first: u64, items: &[I]) -> Result<Partial<I, O>, Error> {
        let (head, whole, tail) = partial::parts(first, items);
        let begin = first + head.len() as u64;
        let mut values = Vec::new();
        for (number, piece) in (0..).zip(whole.chunks(PIECE)) {
            let elements = Buffer::new(stream.device(), piece)?;
            let first = begin + number * PIECE as u64;
            values.append(&mut self.values_of_chunks(stream, first, elements.address(), piece.len())?);
        }
        let ends = [(first, head), (begin + whole.len() as u64, tail)];
        Ok(Partial::of_chunks(self.op, begin / CHUNK, values, ends))
    }

    /// As [`TypedReduction::partial`], of elements in device memory. What fills no chunk at both ends is copied to the host; if the
    /// chunks between begin at an address that is no multiple of 16, they are copied within the device.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`].
    pub fn partial_of(
        &self,
        stream: &Stream,
        first: u64,
        buffer: &Buffer<I>,
    ) -> Result<Partial<I, O>, Error> {
        let [head, whole, tail] = partial::lengths(first, buffer.len());
        let (begin, after) = (first + head as u64, head + whole);
        let (mut values, mut moved) = (Vec::new(), None);
        if whole > 0 {
            let address = buffer.address() + (head * size_of::<I>()) as u64;
            let address = if address.is_multiple_of(ALIGNMENT) {
                address
            } else {
                moved.insert(buffer.copy_of(head..after)?).address()
            };
            values = self.values_of_chunks(stream, begin, address, whole)?;
        }
        let (head, tail) = (buffer.to_vec_of(0..head)?, buffer.to_vec_of(after..after + tail)?);
        let ends = [(first, &head[..]), (begin + whole as u64, &tail[..])];
        Ok(Partial::of_chunks(self.op, begin / CHUNK, values, ends))
    }

    /// Reduces elements that come one after the other, as many at a time as are copied to the device at once; without
    /// elements the result is the operator's identity.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`].
    pub fn reduce_iter(&self, stream: &Stream, items: impl IntoIterator<Item = I>) -> Result<O::Value, Error>
    where
        O: Identity<O::Value>,
    {
        let (mut items, mut all, mut first) = (items.into_iter(), Partial::new(self.op), 0);
        loop {
            let piece: Vec<I> = items.by_ref().take(PIECE).collect();
            all.merge(self.partial(stream, first, &piece)?)?;
            first += piece.len() as u64;
            if piece.len() < PIECE {
                let identity = self.op.identity();
                return Ok(all.finish()?.map_or(identity, |value| self.op.combine(identity, value)));
            }
        }
    }

    /// The values of whole chunks, of so many elements from the element `first` on, which are at an address of the device that
    /// is a multiple of 16. Waits for them.
    fn values_of_chunks(
        &self,
        stream: &Stream,
        first: u64,
        address: u64,
        elements: usize,
    ) -> Result<Vec<O::Value>, Error> {
        let chunks = elements / CHUNK as usize;
        let doing = || format!("allocating the values of {chunks} chunks");
        let bytes = chunks * size_of::<<O::Value as Storable>::Plain>();
        // SAFETY: a `Byte` may be uninitialised.
        let make = || unsafe { DeviceBuffer::<Byte>::uninitialized(bytes) };
        let values = Memory::new(stream.device(), doing, make)?;
        let current = stream.device().make_current()?;
        let shape = Shape::from(self.limits.chunks(chunks as u32, self.shares()));
        let words = [elements as u64, first, 0, 0, values.as_device_ptr().as_raw(), address];
        let words: Vec<Bytes> = words.into_iter().map(Bytes::of).collect();
        // SAFETY: the kernel takes these numbers and addresses: there are no counters, so it stores a value for each chunk.
        // The callers' elements and the values live until the stream was waited for: if that fails, freeing them waits.
        unsafe { self.module.kernel(REDUCTION_KERNEL)?.enqueue(&current, stream, shape, &words)? };
        stream.wait(&current)?;
        let doing = || "copying the values of chunks from the device".to_owned();
        // SAFETY: the kernel has stored values in their plain form.
        let stored: Vec<<O::Value as Storable>::Plain> =
            current.call(doing, || unsafe { bytes::read(&values) })?;
        Ok(stored.into_iter().map(O::Value::load).collect())
    }
}

impl Device {
    /// Reduces all elements of arrays to one value, and waits for it. Without elements it is the operator's
    /// identity: 0 for sums, the type's extreme for minima and maxima of integers, and NaN for those of floating-point
    /// numbers, because these ignore NaN.
    ///
    /// The input is an array or a tuple of up to four: slices of the host, which are copied, or [`Buffer`]s.
    /// A tuple of operators reduces one array by each of them, or each of several arrays by its own operator.
    /// The types are inferred. A user-defined operator is a module of [`device_code!`](crate::device_code!).
    ///
    /// ```
    /// use host_rt::{ArgMax, Device, Max, Min, Select, Sum};
    ///
    /// # fn main() -> Result<(), host_rt::Error> {
    /// let device = Device::open(Select::Emulator)?;
    /// let data: Vec<f64> = (0..1000).map(|i| f64::from(i % 700) - 0.5).collect();
    /// assert_eq!(device.reduce(&data, Sum)?, 289_000.0);
    /// assert_eq!(device.reduce(&data, (Min, Max))?, (-0.5, 698.5));
    /// assert_eq!(device.reduce(&data, ArgMax)?.found(), Some((698.5, 699)));
    ///
    /// let weights = device.buffer(&[2i32; 1000])?;
    /// assert_eq!(device.reduce((&data, &weights), (Max, Sum))?, (698.5, 2000));
    /// # Ok(()) }
    /// ```
    ///
    /// Each call loads the kernel; a [`TypedReduction`] keeps it, and runs on streams.
    ///
    /// # Errors
    ///
    /// As [`TypedReduction::with_opt`] and [`TypedReduction::fold`].
    pub fn reduce<'a, I, O>(&self, input: impl Input<'a, Item = I>, op: O) -> Result<O::Value, Error>
    where
        I: Items,
        O: Lift<I> + Identity<O::Value> + Portable,
        O::Value: Storable,
    {
        self.fold(op.identity(), input, op)
    }

    /// As [`Device::reduce`], with an initial value that is combined with the elements once:
    /// `initial op elements`. The operator needs no identity.
    ///
    /// # Errors
    ///
    /// As [`Device::reduce`].
    pub fn fold<'a, I, O>(
        &self,
        initial: O::Value,
        input: impl Input<'a, Item = I>,
        op: O,
    ) -> Result<O::Value, Error>
    where
        I: Items,
        O: Lift<I> + Portable,
        O::Value: Storable,
    {
        let stream = self.stream()?;
        let reducer = TypedReduction::new(self, op)?;
        let arrays = input.load(self)?;
        reducer.fold(&stream, initial, Loaded { arrays, items: PhantomData })?.wait()
    }
}

/// The result of a reduction that is enqueued on a stream. The arrays stay borrowed until it has ended:
/// dropping this waits for it.
#[derive(Debug)]
#[must_use = "`wait` returns the result"]
pub struct Pending<'a, V: Storable> {
    stream: &'a Stream,
    // Declared before the arrays, so dropped before them: it waits for the launch that reads them.
    result: RunRecord<'a>,
    arrays: Vec<DeviceArray<'a>>,
    value: PhantomData<V>,
}

impl<'a, V: Storable> Pending<'a, V> {
    /// Of a launch that is not enqueued yet: the result is this value.
    pub(crate) fn new(
        current: &Current,
        stream: &'a Stream,
        initial: V,
        arrays: Vec<DeviceArray<'a>>,
    ) -> Result<Self, Error> {
        let lengths: Vec<usize> = arrays.iter().map(|array| array.length).collect();
        if lengths.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(Error::Lengths { lengths });
        }
        let result = stream.record(current, bytes_of(&[initial.store()]))?;
        Ok(Pending { stream, result, arrays, value: PhantomData })
    }

    /// Elements of each array.
    pub(crate) fn elements(&self) -> u64 {
        self.arrays.first().map_or(0, |array| array.length as u64)
    }

    /// The arguments of the launch, which is enqueued now: these words, and the addresses of the result and the arrays.
    pub(crate) fn arguments(&mut self, before: &[u64]) -> Vec<Bytes> {
        self.result.begin_use();
        let arrays = self.arrays.iter().map(|array| array.address);
        before.iter().copied().chain([self.result.address()]).chain(arrays).map(Bytes::of).collect()
    }

    /// Waits for the reduction and returns its result.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`] if an operation failed.
    pub fn wait(mut self) -> Result<V, Error> {
        let current = self.stream.device().make_current()?;
        // SAFETY: the host wrote a value there, and the kernel stores values.
        let values = unsafe { self.result.read::<V::Plain>(&current)? };
        // The record has the size of one value.
        Ok(V::load(values[0]))
    }
}

/// An array in device memory, allocated or borrowed for a reduction.
#[derive(Debug)]
pub struct DeviceArray<'a> {
    address: u64,
    length: usize,
    /// The memory, if it is a copy of an array of the host.
    _copy: Option<Memory>,
    borrowed: PhantomData<&'a ()>,
}

/// One array to reduce: a slice, a vector or an array of the host, or a [`Buffer`].
pub trait Column<'a> {
    /// The element type.
    type Element: Plain;

    /// Copies the array to the device, unless it is there.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`], for example if there is not enough memory.
    fn load_array(self, device: &Device) -> Result<DeviceArray<'a>, Error>;
}

impl<'a, T: Plain> Column<'a> for &'a [T] {
    type Element = T;

    fn load_array(self, device: &Device) -> Result<DeviceArray<'a>, Error> {
        let buffer = Buffer::new(device, self)?;
        Ok(DeviceArray {
            address: buffer.address(),
            length: self.len(),
            _copy: Some(buffer.into_memory()),
            borrowed: PhantomData,
        })
    }
}

impl<'a, T: Plain> Column<'a> for &'a Vec<T> {
    type Element = T;

    fn load_array(self, device: &Device) -> Result<DeviceArray<'a>, Error> {
        self.as_slice().load_array(device)
    }
}

impl<'a, T: Plain, const N: usize> Column<'a> for &'a [T; N] {
    type Element = T;

    fn load_array(self, device: &Device) -> Result<DeviceArray<'a>, Error> {
        self.as_slice().load_array(device)
    }
}

impl<'a, T: Plain> Column<'a> for &'a Buffer<T> {
    type Element = T;

    fn load_array(self, _: &Device) -> Result<DeviceArray<'a>, Error> {
        Ok(DeviceArray { address: self.address(), length: self.len(), _copy: None, borrowed: PhantomData })
    }
}

/// The input of a reduction: one array, or a tuple of arrays of the same length.
pub trait Input<'a> {
    /// The element of an array, or a tuple of the arrays' elements at the same index.
    type Item;

    /// Copies the arrays to the device that are not there.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`], for example if there is not enough memory.
    fn load(self, device: &Device) -> Result<Vec<DeviceArray<'a>>, Error>;
}

impl<'a, C: Column<'a>> Input<'a> for C {
    type Item = C::Element;

    fn load(self, device: &Device) -> Result<Vec<DeviceArray<'a>>, Error> {
        Ok(vec![self.load_array(device)?])
    }
}

macro_rules! inputs {
    ($($($name:ident $at:tt)*;)*) => {$(
        impl<'a, $($name: Column<'a>),*> Input<'a> for ($($name,)*) {
            type Item = ($($name::Element,)*);

            fn load(self, device: &Device) -> Result<Vec<DeviceArray<'a>>, Error> {
                Ok(vec![$(self.$at.load_array(device)?),*])
            }
        }
    )*};
}

inputs! {
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
}

/// Arrays that are in device memory already.
struct Loaded<'a, I> {
    arrays: Vec<DeviceArray<'a>>,
    items: PhantomData<I>,
}

impl<'a, I> Input<'a> for Loaded<'a, I> {
    type Item = I;

    fn load(self, _: &Device) -> Result<Vec<DeviceArray<'a>>, Error> {
        Ok(self.arrays)
    }
}
