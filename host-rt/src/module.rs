//! User kernels: compiling, loading and launching them.

use std::{collections::BTreeMap, ffi::c_void, marker::PhantomData};

use cust::function::{BlockSize, FunctionAttribute, GridSize};
use device_code::KernelCrate;
use device_rt::reduce::op::Plain;

use crate::{
    Array, Buffer, Device, Error, Stream,
    device::{Current, target},
    loaded::Loaded,
};

/// Kernels loaded to a device.
#[derive(Debug)]
pub struct Module {
    module: Loaded,
    /// The sizes of each kernel's parameters, in bytes.
    kernels: BTreeMap<String, Vec<usize>>,
}

impl Module {
    /// Loads a crate of kernels: as the program embeds it, or else compiled now ([`KernelCrate::ptx`]).
    ///
    /// # Errors
    ///
    /// As [`KernelCrate::ptx`] and [`Module::from_ptx`]; [`Error::TooOld`] for a device older than sm_70.
    pub fn new(device: &Device, krate: &KernelCrate) -> Result<Module, Error> {
        Module::from_ptx(device, &krate.ptx(target(device)?)?)
    }

    /// Loads PTX text from any source.
    ///
    /// # Errors
    ///
    /// [`Error::Version`] if it was linked with another version of this project's OpenMP device runtime,
    /// [`Error::Cuda`] if the driver rejects it.
    pub fn from_ptx(device: &Device, ptx: &str) -> Result<Module, Error> {
        check_version(ptx)?;
        let doing = || "loading kernels".to_owned();
        let kernels = parameters(ptx);
        let module = Loaded::new(device, doing, ptx, kernels.keys().cloned())?;
        Ok(Module { module, kernels })
    }

    /// The names of the kernels, in alphabetical order, with the sizes of their parameters in bytes.
    pub fn kernels(&self) -> impl Iterator<Item = (&str, &[usize])> {
        self.kernels.iter().map(|(name, parameters)| (&**name, &**parameters))
    }

    /// A kernel of the module.
    ///
    /// # Errors
    ///
    /// [`Error::NoKernel`] if there is no kernel of this name.
    pub fn kernel(&self, name: &str) -> Result<Kernel<'_>, Error> {
        match self.kernels.get_key_value(name) {
            Some((name, parameters)) => Ok(Kernel { module: self, name, parameters }),
            None => {
                Err(Error::NoKernel { name: name.to_owned(), known: self.kernels.keys().cloned().collect() })
            }
        }
    }
}

/// Checks that the first two numbers of the runtime's version in the kernels are those of the host: then they
/// agree on the layout of buffers and records. Kernels without the runtime have no version.
fn check_version(ptx: &str) -> Result<(), Error> {
    const OURS: &str = env!("CARGO_PKG_VERSION");
    let major_minor = |version: &str| version.split('.').take(2).map(String::from).collect::<Vec<_>>();
    match runtime_version(ptx) {
        Some(theirs) if major_minor(&theirs) != major_minor(OURS) => {
            Err(Error::Version { theirs, ours: OURS })
        }
        _ => Ok(()),
    }
}

/// The version in `.const .align 4 .b8 __warpfold_version[16] = {48, 46, 49, …};`.
fn runtime_version(ptx: &str) -> Option<String> {
    let line = ptx.lines().find(|line| line.contains(" __warpfold_version[") && line.contains('{'))?;
    let (_, values) = line.split_once('{')?;
    let bytes = values.split('}').next()?.split(',').map_while(|value| value.trim().parse::<u8>().ok());
    Some(bytes.take_while(|byte| *byte != 0).map(char::from).collect())
}

/// A kernel of a [`Module`].
#[derive(Clone, Copy, Debug)]
pub struct Kernel<'a> {
    module: &'a Module,
    name: &'a str,
    parameters: &'a [usize],
}

/// The shape of a launch. `(blocks, threads)` converts to a one-dimensional shape without dynamic shared
/// memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Blocks of the grid: x, y, z.
    pub blocks: [u32; 3],
    /// Threads of a block: x, y, z.
    pub threads: [u32; 3],
    /// Bytes of dynamic shared memory per block.
    pub shared_bytes: u32,
}

impl From<(u32, u32)> for Shape {
    fn from((blocks, threads): (u32, u32)) -> Shape {
        Shape { blocks: [blocks, 1, 1], threads: [threads, 1, 1], shared_bytes: 0 }
    }
}

impl<'a> Kernel<'a> {
    /// Enqueues a launch on the stream and does not wait for it.
    ///
    /// # Errors
    ///
    /// [`Error::Arguments`] for arguments of other sizes than the kernel's parameters; [`Error::Cuda`] if the
    /// driver rejects the launch, or if an earlier operation failed.
    ///
    /// # Safety
    ///
    /// The arguments have the types of the kernel's parameters: a buffer is a pointer to its first element,
    /// any other argument is passed by value. The kernel accesses the buffers within their bounds and does
    /// not write to those given by a shared reference, its threads meet the contracts of the functions that
    /// they call, and no operation on another stream conflicts with it. The emulator reports most violations;
    /// on a GPU the behaviour is undefined.
    pub unsafe fn launch<'b, A: Arguments + 'b>(
        &self,
        stream: &'b Stream,
        shape: impl Into<Shape>,
        arguments: A,
    ) -> Result<Launch<'b>, Error>
    where
        'a: 'b,
    {
        let values = arguments.values();
        if !values.iter().map(Bytes::len).eq(self.parameters.iter().copied()) {
            return Err(Error::Arguments {
                kernel: self.name.to_owned(),
                expected: self.parameters.to_vec(),
                given: values.iter().map(Bytes::len).collect(),
            });
        }
        // SAFETY: as many values as parameters, of their sizes; the rest is the caller's promise.
        unsafe { self.enqueue(&stream.device().make_current()?, stream, shape.into(), &values)? };
        Ok(Launch { stream, borrowed: PhantomData })
    }

    /// # Safety
    ///
    /// The values are the kernel's arguments, and the memory they point to stays allocated until the launch
    /// has ended.
    pub(crate) unsafe fn enqueue(
        &self,
        current: &Current,
        stream: &Stream,
        shape: Shape,
        values: &[Bytes],
    ) -> Result<(), Error> {
        let pointers: Vec<*mut c_void> =
            values.iter().map(|bytes| bytes.0.as_ptr().cast_mut().cast()).collect();
        let Shape { blocks: [x, y, z], threads: [tx, ty, tz], shared_bytes } = shape;
        let doing = || format!("launching {} with {x}x{y}x{z} block(s) of {tx}x{ty}x{tz} threads", self.name);
        current.call(doing, || {
            let function = self.module.module.function(self.name)?;
            let (grid, block) = (GridSize::xyz(x, y, z), BlockSize::xyz(tx, ty, tz));
            // SAFETY: a pointer for each parameter, to a value of its size; the driver copies the values
            // before it returns. The rest is the caller's promise.
            unsafe { stream.cuda().launch(function, grid, block, shared_bytes, &pointers) }
        })
    }

    /// The largest block size in threads, at most `wanted`, and the number of such blocks that are resident
    /// on the whole device at a time, at least 1.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`].
    pub fn residency(&self, wanted: u32) -> Result<(u32, u32), Error> {
        let device = self.module.module.device();
        device.call(
            || format!("querying the attributes of {}", self.name),
            || {
                let function = self.module.module.function(self.name)?;
                let most = function.get_attribute(FunctionAttribute::MaxThreadsPerBlock)?;
                let threads = wanted.min(most.max(1) as u32);
                let blocks = function.max_active_blocks_per_multiprocessor(BlockSize::x(threads), 0)?;
                Ok((threads, (blocks * device.multiprocessors()).max(1)))
            },
        )
    }
}

/// A launch enqueued on a stream. The arguments stay borrowed until it has ended: dropping this waits for it.
#[derive(Debug)]
#[must_use = "dropping this waits for the launch"]
pub struct Launch<'a> {
    stream: &'a Stream,
    borrowed: PhantomData<&'a mut ()>,
}

impl Launch<'_> {
    /// Waits until the launch has ended.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`] if it failed.
    pub fn wait(self) -> Result<(), Error> {
        self.stream.synchronize()
    }
}

impl Drop for Launch<'_> {
    fn drop(&mut self) {
        // Errors are returned by `wait`.
        let _ = self.stream.synchronize();
    }
}

/// The bytes of an argument, aligned for every type.
#[derive(Debug)]
pub struct Bytes(Vec<u128>, usize);

impl Bytes {
    pub(crate) fn of<T: Plain>(value: T) -> Bytes {
        let size = size_of::<T>();
        let mut words = vec![0u128; size.div_ceil(size_of::<u128>()).max(1)];
        // SAFETY: the words are large enough and aligned for the value; plain data is its bytes.
        unsafe { words.as_mut_ptr().cast::<T>().write(value) };
        Bytes(words, size)
    }

    fn len(&self) -> usize {
        self.1
    }
}

/// An argument of a kernel: a plain value, or a buffer or an array, which is passed as a pointer to its first
/// element.
pub trait Argument {
    /// The bytes that the kernel receives.
    fn bytes(&self) -> Bytes;
}

impl<T: Plain> Argument for T {
    fn bytes(&self) -> Bytes {
        Bytes::of(*self)
    }
}

impl<T: Copy + 'static> Argument for &Buffer<T> {
    fn bytes(&self) -> Bytes {
        Bytes::of(self.address())
    }
}

impl<T: Copy + 'static> Argument for &mut Buffer<T> {
    fn bytes(&self) -> Bytes {
        Bytes::of(self.address())
    }
}

impl Argument for Array<'_> {
    fn bytes(&self) -> Bytes {
        Bytes::of(self.address)
    }
}

/// The arguments of a kernel: a tuple of up to eight arguments.
pub trait Arguments {
    /// The bytes of each argument, in order.
    fn values(&self) -> Vec<Bytes>;
}

macro_rules! arguments {
    ($($($name:ident $at:tt)*;)*) => {$(
        impl<$($name: Argument),*> Arguments for ($($name,)*) {
            fn values(&self) -> Vec<Bytes> {
                vec![$(self.$at.bytes()),*]
            }
        }
    )*};
}

arguments! {
    ;
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
}

/// The sizes of each kernel's parameters in a PTX text, in bytes, from `.entry name(.param .type name, …)`.
fn parameters(ptx: &str) -> BTreeMap<String, Vec<usize>> {
    let without_comments: String =
        ptx.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut kernels = BTreeMap::new();
    for entry in without_comments.split(".entry").skip(1) {
        let end = entry.find(['{', ';']).unwrap_or(entry.len());
        let (name, list) = entry[..end].split_once('(').unwrap_or((&entry[..end], ""));
        let list = list.rsplit_once(')').map_or("", |(list, _)| list);
        let sizes = list.split(',').filter(|one| one.contains(".param")).map(parameter_bytes).collect();
        kernels.insert(name.trim().to_owned(), sizes);
    }
    kernels
}

/// `.param .align 8 .b8 name[16]` has 16 bytes, `.param .u64 .ptr .global name` has 8.
fn parameter_bytes(parameter: &str) -> usize {
    let elements = parameter
        .split_once('[')
        .and_then(|(_, rest)| rest.split(']').next())
        .map_or(1, |number| number.trim().parse().unwrap_or(0));
    let width = |word: &str| {
        let bits = word.strip_prefix('.')?.strip_prefix(['b', 'u', 's', 'f'])?;
        bits.parse::<usize>().ok()
    };
    parameter.split_whitespace().find_map(width).map_or(0, |bits| bits / 8 * elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_of_another_version_are_rejected() {
        let ptx = |version: &str| {
            let bytes: Vec<String> = version.bytes().chain([0, 0]).map(|byte| byte.to_string()).collect();
            format!(
                ".version 8.0\n.weak .const .align 4 .b8 __warpfold_version[16] = {{{}}};\n",
                bytes.join(", ")
            )
        };
        let ours = env!("CARGO_PKG_VERSION");
        assert_eq!(runtime_version(&ptx(ours)).as_deref(), Some(ours));
        assert!(check_version(&ptx(ours)).is_ok() && check_version(".version 8.0").is_ok());
        let error = check_version(&ptx("9.9.9")).unwrap_err().to_string();
        assert!(
            error.contains("9.9.9") && error.contains(ours) && error.contains("warpfold install"),
            "{error}"
        );
    }

    #[test]
    fn parameter_sizes_are_parsed() {
        let text = "\
.visible .entry first( // a comment (with more
	.param .u64 .ptr .align 1 first_param_0,
	.param .f32 first_param_1,
	.param .align 8 .b8 first_param_2[24]
) // -- Begin
.maxntid 128
{ ret; }
.entry second()
{ ret; }
.entry third { ret; }";
        let expected = [("first", vec![8, 4, 24]), ("second", vec![]), ("third", vec![])];
        assert_eq!(parameters(text), expected.map(|(name, sizes)| (name.to_owned(), sizes)).into());
    }
}
