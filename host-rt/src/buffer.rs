//! Arrays in device memory.

use std::{marker::PhantomData, ops::Range};

use bytemuck::Pod;
use codegen_shim::{Scalar, Type};
use cust::memory::{CopyDestination, DeviceBuffer, DevicePointer, DeviceSlice};
use half::{bf16, f16};
use num_complex::Complex;

use crate::{
    Device, Error,
    bytes::{self, Memory, bytes_of},
    device::Owned,
};

mod sealed {
    pub trait Sealed {}
}

/// Element types of arrays and reduction variables: numbers, complex numbers, and arrays of them. For structs
/// see [`Buffer::array_of`].
pub trait Element: Pod + sealed::Sealed {
    /// The type in a kernel's specification.
    const TYPE: Type;
}

macro_rules! elements {
    ($($rust:ty => $ty:ident),*) => {
        $(
            impl sealed::Sealed for $rust {}
            impl Element for $rust {
                const TYPE: Type = Type::$ty;
            }
        )*
    };
}

elements!(
    i8 => I8, i16 => I16, i32 => I32, i64 => I64, i128 => I128,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64, u128 => U128,
    f16 => F16, bf16 => BF16, f32 => F32, f64 => F64
);

macro_rules! complex {
    ($($rust:ty => $scalar:ident),*) => {
        $(
            impl sealed::Sealed for Complex<$rust> {}
            impl Element for Complex<$rust> {
                const TYPE: Type = Type::Complex(Scalar::$scalar);
            }
        )*
    };
}

complex!(f16 => F16, bf16 => BF16, f32 => F32, f64 => F64);

impl<T: Element, const N: usize> sealed::Sealed for [T; N] {}
impl<T: Element, const N: usize> Element for [T; N] {
    const TYPE: Type = Type::Array(&T::TYPE, N as u32);
}

/// Elements in device memory.
#[derive(Debug)]
pub struct Buffer<T: Copy + 'static> {
    memory: Memory,
    length: usize,
    elements: PhantomData<T>,
}

impl Device {
    /// Allocates device memory and copies these elements to it.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`], for example if there is not enough memory.
    pub fn buffer<T: Copy + 'static>(&self, elements: &[T]) -> Result<Buffer<T>, Error> {
        Buffer::new(self, elements)
    }

    /// Allocates bytes of device memory that nobody has written: kernels that compute with them have no defined
    /// result, and the emulator's checks say so.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`], for example if there is not enough memory.
    pub fn undefined_bytes(&self, bytes: usize) -> Result<Buffer<u8>, Error> {
        let doing = || format!("allocating a buffer of {bytes} bytes");
        // SAFETY: every content is one of bytes; the host reads only what the device's memory holds.
        let memory = Owned::new(self, doing, || unsafe { DeviceBuffer::uninitialized(bytes) })?;
        Ok(Buffer { memory, length: bytes, elements: PhantomData })
    }
}

impl<T: Copy + 'static> Buffer<T> {
    /// Allocates device memory and copies these elements to it.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`], for example if there is not enough memory.
    pub fn new(device: &Device, elements: &[T]) -> Result<Buffer<T>, Error> {
        let doing = || format!("allocating a buffer of {} bytes", size_of_val(elements));
        let memory = Owned::new(device, doing, || DeviceBuffer::from_slice(bytes_of(elements)))?;
        Ok(Buffer { memory, length: elements.len(), elements: PhantomData })
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Replaces the elements, after all operations enqueued on streams before.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for another number of elements than the buffer has, [`Error::Cuda`].
    pub fn copy_from(&mut self, elements: &[T]) -> Result<(), Error> {
        if elements.len() != self.len() {
            return Err(Error::Length { length: self.len(), given: elements.len() });
        }
        let device = self.memory.device().clone();
        device.call(|| "copying to a buffer".to_owned(), || self.memory.copy_from(bytes_of(elements)))
    }

    /// Copies the elements to the host, after all operations enqueued on streams before.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`].
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        let doing = || "copying from a buffer".to_owned();
        // SAFETY: the memory holds elements: copied from the host, or written by kernels, as their callers
        // promised.
        self.memory.device().call(doing, || unsafe { bytes::read(&self.memory) })
    }

    /// Copies a range of the elements, which is inside, to the host.
    pub(crate) fn to_vec_of(&self, range: Range<usize>) -> Result<Vec<T>, Error> {
        if range.is_empty() {
            return Ok(Vec::new());
        }
        let doing = || "copying from a buffer".to_owned();
        let bytes = range.start * size_of::<T>()..range.end * size_of::<T>();
        // SAFETY: as for all elements.
        self.memory.device().call(doing, || unsafe { bytes::read(&self.memory.index(bytes)) })
    }

    /// A buffer on the same device with a range of the elements, which is inside.
    pub(crate) fn copy_of(&self, range: Range<usize>) -> Result<Buffer<T>, Error> {
        let bytes = range.start * size_of::<T>()..range.end * size_of::<T>();
        let doing = || format!("allocating a copy of {} bytes", bytes.len());
        let memory = Owned::new(self.memory.device(), doing, || {
            // SAFETY: all of it is written by the copy, or it is freed.
            let mut copy = unsafe { DeviceBuffer::uninitialized(bytes.len())? };
            copy.copy_from(&self.memory.index(bytes.clone()))?;
            Ok(copy)
        })?;
        Ok(Buffer { memory, length: range.len(), elements: PhantomData })
    }

    /// The device address of the first element; 0 for an empty buffer.
    pub fn address(&self) -> u64 {
        self.memory.as_device_ptr().as_raw()
    }

    /// The memory.
    pub(crate) fn into_memory(self) -> Memory {
        self.memory
    }
}

impl<T: Element> Buffer<T> {
    /// All elements, as the input of a reduction.
    pub fn array(&self) -> Array<'_> {
        Array { address: self.address(), length: self.len(), ty: T::TYPE, buffer: PhantomData }
    }

    /// All bytes as elements of a type that is not an [`Element`], such as a struct.
    ///
    /// # Errors
    ///
    /// [`Error::Length`], in bytes, if the buffer's size is not a multiple of the type's.
    pub fn array_of(&self, ty: Type) -> Result<Array<'_>, Error> {
        let (bytes, size) = (self.memory.len(), ty.size() as usize);
        if size == 0 || !bytes.is_multiple_of(size) {
            return Err(Error::Length { length: bytes, given: size });
        }
        // Allocations are aligned for every type.
        Ok(Array { length: bytes / size, ty, ..self.array() })
    }

    /// A range of elements, as the input of a reduction.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for a range that is not inside the buffer.
    pub fn slice(&self, range: Range<usize>) -> Result<Array<'_>, Error> {
        self.array().slice(range)
    }
}

/// Elements of a buffer, as the input of a reduction.
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    pub(crate) address: u64,
    pub(crate) length: usize,
    pub(crate) ty: Type,
    buffer: PhantomData<&'a ()>,
}

impl Array<'_> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The element type.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// An array in device memory, which the caller keeps allocated as long as the array is used.
    pub(crate) fn from_raw(address: u64, length: usize, ty: Type) -> Array<'static> {
        Array { address, length, ty, buffer: PhantomData }
    }
}

impl<'a> Array<'a> {
    /// The elements of this type at an address of device memory that somebody else has allocated, such as OpenMP's runtime.
    ///
    /// # Safety
    ///
    /// The address is aligned for the type; the memory is of the device that uses the array, has as many elements, and is neither
    /// freed nor written as long as the array is used.
    pub unsafe fn from_address(address: u64, length: usize, ty: Type) -> Array<'a> {
        Array::from_raw(address, length, ty)
    }

    /// A range of the elements.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for a range that is not inside the array.
    pub fn slice(&self, range: Range<usize>) -> Result<Array<'a>, Error> {
        if range.start > range.end || range.end > self.length {
            return Err(Error::Length { length: self.length, given: range.start.max(range.end) });
        }
        let address = self.address + range.start as u64 * u64::from(self.ty.size());
        Ok(Array { address, length: range.len(), ..*self })
    }

    /// Copies the elements to the host, as their bytes, after all operations enqueued on streams before.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`].
    pub fn to_bytes(&self, device: &Device) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; self.length * self.ty.size() as usize];
        if bytes.is_empty() {
            return Ok(bytes);
        }
        let doing = format!("copying {} bytes from the device", bytes.len());
        device.call(
            || doing,
            || {
                let from = DevicePointer::<u8>::from_raw(self.address);
                // SAFETY: whoever made the array said that its memory has so many elements; the slice is only copied from.
                unsafe { DeviceSlice::from_raw_parts(from, bytes.len()) }.copy_to(&mut bytes[..])
            },
        )?;
        Ok(bytes)
    }
}
