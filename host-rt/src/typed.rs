//! Reductions of arrays by operators whose types the compiler knows.

use std::marker::PhantomData;

use device_library::device_code::{Code, Items, Portable};
use device_rt::reduce::op::{Identity, Lift, Plain, Storable};
use toolchain::OptLevel;

use crate::{
    BLOCK_THREADS, Buffer, Device, ELEMENTS_PER_BLOCK, Error, KernelCrate, Module, Stream,
    bytes::{Memory, bytes_of},
    module::{Bytes, Shape},
    stream::DeviceRecord,
};

const KERNEL: &str = "warpfold_reduce";

/// An operator over elements of type `I`, compiled for a device: see [`Device::reduce`] for what it does with
/// them. Worth keeping where it is used more than once.
///
/// The result is the same, bit for bit, on every run over the same elements on the same device.
///
/// ```
/// use host_rt::{Device, Max, Reducer, Select, Sum};
///
/// # fn main() -> Result<(), host_rt::Error> {
/// let device = Device::open(Select::Emulator)?;
/// let (one, other) = (device.stream()?, device.stream()?);
/// let reducer = Reducer::new(&device, (Sum, Max))?;
/// let sums = reducer.reduce(&one, &[1u32, 5, 2])?;
/// let more = reducer.fold(&other, (100, 0), &[3u32; 100])?;
/// assert_eq!((sums.wait()?, more.wait()?), ((8, 5), (400, 3)));
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Reducer<I, O> {
    module: Module,
    op: O,
    /// Threads of a block, at most.
    threads: u32,
    /// Blocks that are resident at a time on the whole device.
    resident: u32,
    items: PhantomData<fn(I)>,
}

impl<I, O> Reducer<I, O>
where
    I: Items,
    O: Lift<I> + Portable,
    O::Value: Storable,
{
    /// Bytes of a block's record in the workspace: room for a value in whichever order its fields are there.
    const SLOT_BYTES: usize = {
        let (value, stored) = (size_of::<O::Value>(), size_of::<<O::Value as Storable>::Plain>());
        if value > stored { value } else { stored }
    };

    /// Compiles the operator, as much optimised as there is.
    ///
    /// # Errors
    ///
    /// As [`Reducer::with_opt`].
    pub fn new(device: &Device, op: O) -> Result<Self, Error> {
        Reducer::with_opt(device, op, OptLevel::O3)
    }

    /// Compiles the operator. The PTX is kept in warpfold's cache.
    ///
    /// # Errors
    ///
    /// As [`KernelCrate::ptx`] and [`Module::from_ptx`].
    pub fn with_opt(device: &Device, op: O, opt: OptLevel) -> Result<Self, Error> {
        const {
            assert!(size_of::<O>() == 0, "an operator is a unit struct: its name is its value");
            assert!(Self::SLOT_BYTES > 0, "a value without content needs no reduction");
        }
        let source = Self::source();
        let sources = [("src/lib.rs", source.as_str())];
        let krate = KernelCrate { name: "reduction", sources: &sources, kernels: &[KERNEL], opt };
        let module = Module::new(device, &krate)?;
        let (threads, resident) = module.kernel(KERNEL)?.residency(BLOCK_THREADS)?;
        Ok(Reducer { module, op, threads, resident, items: PhantomData })
    }

    /// The crate of the kernel. It says how values are laid out here, and does not compile where the device's
    /// compiler thinks otherwise.
    fn source() -> String {
        let mut code = Code::default();
        let op = O::name(&mut code);
        let elements = I::elements(&mut code);
        let arrays: Vec<String> =
            elements.iter().enumerate().map(|(at, element)| format!("a{at}: *const {element}")).collect();
        let names: Vec<String> = (0..elements.len()).map(|at| format!("a{at}")).collect();
        let group = |list: &[String]| match list {
            [one] => one.clone(),
            several => format!("({})", several.join(", ")),
        };
        let (item, pointers, parameters) = (group(&elements), group(&names), arrays.join(", "));
        let (size, align) =
            (size_of::<<O::Value as Storable>::Plain>(), align_of::<<O::Value as Storable>::Plain>());
        let (item_bytes, slot) = (size_of::<I>(), Self::SLOT_BYTES);
        code.source(&format!(
            "type Item = {item};\n\
             type Value = <{op} as Lift<Item>>::Value;\n\
             type Stored = <Value as Storable>::Plain;\n\
             const SAME_LAYOUT: bool = size_of::<Stored>() == {size} && align_of::<Stored>() == {align}\n\
             \x20   && size_of::<Value>() <= {slot} && size_of::<Item>() == {item_bytes};\n\
             const _: () = assert!(SAME_LAYOUT, \"host and device lay out values differently\");\n\
             #[unsafe(no_mangle)]\n\
             pub unsafe extern \"ptx-kernel\" fn {KERNEL}(\n\
             \x20   n: u64, workspace: *mut core::ffi::c_void, result: *mut Stored, {parameters}\n\
             ) {{\n\
             \x20   unsafe {{ device_rt::arrays::reduce({op}, n, {pointers}, workspace, result) }}\n\
             }}\n"
        ))
    }

    /// Gives the stream a reduction of all elements, and does not wait for it. Of no elements the result is the
    /// operator's identity.
    ///
    /// # Errors
    ///
    /// As [`Reducer::fold`].
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

    /// Gives the stream a reduction of all elements and an initial value, which is combined with them once:
    /// `initial op elements`. Does not wait for it.
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
        let lengths: Vec<usize> = arrays.iter().map(|array| array.length).collect();
        if lengths.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(Error::Lengths { lengths });
        }
        let n = lengths.first().map_or(0, |&length| length as u64);
        let result = stream.record(bytes_of(&[initial.store()]))?;
        let pending = Pending { stream, result, arrays, value: PhantomData };
        if n > 0 {
            let shape = self.shape(n);
            // Held until the launch that uses it is enqueued.
            let workspace = stream.workspace(shape.blocks[0], Self::SLOT_BYTES as u32)?;
            let mut values =
                vec![Bytes::of(n), Bytes::of(workspace.address()), Bytes::of(pending.result.address())];
            values.extend(pending.arrays.iter().map(|array| Bytes::of(array.address)));
            // SAFETY: the kernel takes the count, three addresses and the arrays'; every block has an element.
            // `pending` keeps arrays and result until the work is done, and the stream the workspace.
            unsafe { self.module.kernel(KERNEL)?.enqueue(stream, shape, &values)? };
        }
        Ok(pending)
    }

    /// As many blocks as are resident at a time; fewer where they would get less than [`ELEMENTS_PER_BLOCK`]
    /// elements, or a thread less than one load. A single block has no more warps than there are loads for.
    fn shape(&self, n: u64) -> Shape {
        let wanted = n.div_ceil(ELEMENTS_PER_BLOCK.max(u64::from(self.threads) * I::PER_LOAD));
        let blocks = wanted.clamp(1, u64::from(self.resident)) as u32;
        let threads = match blocks {
            1 => {
                let units = n / I::PER_LOAD + n % I::PER_LOAD;
                units.next_multiple_of(32).min(u64::from(self.threads)) as u32
            }
            _ => self.threads,
        };
        Shape::from((blocks, threads))
    }
}

impl Device {
    /// Reduces all elements of arrays to one value, and waits for it. Of no elements it is the operator's identity.
    ///
    /// The arrays are slices of the host, which are copied, or [`Buffer`]s, one or a tuple of up to four. A tuple
    /// of operators reduces one array in several ways at once, or each of several arrays in its own. The types are
    /// inferred. An operator of one's own is a module of [`device_code!`](crate::device_code).
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
    /// This loads the kernel each time; a [`Reducer`] keeps it, and runs on streams.
    ///
    /// # Errors
    ///
    /// As [`Reducer::with_opt`] and [`Reducer::fold`].
    pub fn reduce<'a, I, O>(&self, input: impl Input<'a, Item = I>, op: O) -> Result<O::Value, Error>
    where
        I: Items,
        O: Lift<I> + Identity<O::Value> + Portable,
        O::Value: Storable,
    {
        self.fold(op.identity(), input, op)
    }

    /// As [`Device::reduce`], with an initial value that is combined with the elements once: `initial op elements`.
    /// The operator needs no identity.
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
        let reducer = Reducer::new(self, op)?;
        let arrays = input.load(self)?;
        reducer.fold(&stream, initial, Loaded { arrays, items: PhantomData })?.wait()
    }
}

/// A value that a stream is working on. The arrays stay borrowed until it is there: it waits when it goes.
#[derive(Debug)]
#[must_use = "the value comes from `wait`"]
pub struct Pending<'a, V: Storable> {
    stream: &'a Stream,
    result: DeviceRecord<'a>,
    arrays: Vec<Held<'a>>,
    value: PhantomData<V>,
}

impl<V: Storable> Pending<'_, V> {
    /// Waits for the work, and answers the value.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`] if the work failed.
    pub fn wait(self) -> Result<V, Error> {
        self.stream.synchronize()?;
        // SAFETY: the host copied a value there, and the kernel leaves one.
        let values = unsafe { self.result.read::<V::Plain>()? };
        // There is room for exactly one.
        Ok(V::load(values[0]))
    }
}

impl<V: Storable> Drop for Pending<'_, V> {
    fn drop(&mut self) {
        // The launch reads arrays and writes the record: it ends before either goes.
        let _ = self.stream.synchronize();
    }
}

/// An array on the device, for as long as a launch reads it.
#[derive(Debug)]
pub struct Held<'a> {
    address: u64,
    length: usize,
    /// A copy of an array of the host.
    _copy: Option<Memory>,
    borrowed: PhantomData<&'a ()>,
}

/// One array to reduce: a slice, a vector or an array of the host, or a [`Buffer`].
pub trait Column<'a> {
    /// Its elements.
    type Element: Plain;

    /// Has it on the device.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`], such as for want of memory.
    fn hold(self, device: &Device) -> Result<Held<'a>, Error>;
}

impl<'a, T: Plain> Column<'a> for &'a [T] {
    type Element = T;

    fn hold(self, device: &Device) -> Result<Held<'a>, Error> {
        let buffer = Buffer::new(device, self)?;
        Ok(Held {
            address: buffer.address(),
            length: self.len(),
            _copy: Some(buffer.into_memory()),
            borrowed: PhantomData,
        })
    }
}

impl<'a, T: Plain> Column<'a> for &'a Vec<T> {
    type Element = T;

    fn hold(self, device: &Device) -> Result<Held<'a>, Error> {
        self.as_slice().hold(device)
    }
}

impl<'a, T: Plain, const N: usize> Column<'a> for &'a [T; N] {
    type Element = T;

    fn hold(self, device: &Device) -> Result<Held<'a>, Error> {
        self.as_slice().hold(device)
    }
}

impl<'a, T: Plain> Column<'a> for &'a Buffer<T> {
    type Element = T;

    fn hold(self, _: &Device) -> Result<Held<'a>, Error> {
        Ok(Held { address: self.address(), length: self.len(), _copy: None, borrowed: PhantomData })
    }
}

/// What is reduced: one array, or a tuple of arrays of the same length.
pub trait Input<'a> {
    /// What the arrays have at one index.
    type Item;

    /// Has the arrays on the device.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`], such as for want of memory.
    fn load(self, device: &Device) -> Result<Vec<Held<'a>>, Error>;
}

impl<'a, C: Column<'a>> Input<'a> for C {
    type Item = C::Element;

    fn load(self, device: &Device) -> Result<Vec<Held<'a>>, Error> {
        Ok(vec![self.hold(device)?])
    }
}

macro_rules! inputs {
    ($($($name:ident $at:tt)*;)*) => {$(
        impl<'a, $($name: Column<'a>),*> Input<'a> for ($($name,)*) {
            type Item = ($($name::Element,)*);

            fn load(self, device: &Device) -> Result<Vec<Held<'a>>, Error> {
                Ok(vec![$(self.$at.hold(device)?),*])
            }
        }
    )*};
}

inputs! {
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
}

/// Arrays that are there already.
struct Loaded<'a, I> {
    arrays: Vec<Held<'a>>,
    items: PhantomData<I>,
}

impl<'a, I> Input<'a> for Loaded<'a, I> {
    type Item = I;

    fn load(self, _: &Device) -> Result<Vec<Held<'a>>, Error> {
        Ok(self.arrays)
    }
}
