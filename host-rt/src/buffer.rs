//! Arrays in device memory.

use std::{marker::PhantomData, ops::Range};

use codegen_shim::Type;
use cust::memory::{CopyDestination, DeviceBuffer, DeviceCopy};

use crate::{Device, Error, device::Owned};

mod sealed {
    pub trait Sealed {}
}

/// A type that arrays and reduction variables can have.
pub trait Element: DeviceCopy + Default + sealed::Sealed {
    /// The type as the kernels know it.
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

elements!(i32 => I32, i64 => I64, f32 => F32, f64 => F64);

/// Elements in device memory.
#[derive(Debug)]
pub struct Buffer<T: Element>(Owned<DeviceBuffer<T>>);

impl<T: Element> Buffer<T> {
    /// Device memory with a copy of these elements.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`], such as for want of memory.
    pub fn new(device: &Device, elements: &[T]) -> Result<Buffer<T>, Error> {
        let doing = || format!("making a buffer of {} bytes", size_of_val(elements));
        Owned::new(device, doing, || DeviceBuffer::from_slice(elements)).map(Buffer)
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Replaces the elements, after the work that streams were given before.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for another number of elements than the buffer has, [`Error::Cuda`].
    pub fn copy_from(&mut self, elements: &[T]) -> Result<(), Error> {
        if elements.len() != self.len() {
            return Err(Error::Length { length: self.len(), given: elements.len() });
        }
        let device = self.0.device().clone();
        device.call(|| "copying to a buffer".to_owned(), || self.0.copy_from(elements))
    }

    /// The elements.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`].
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        let mut elements = vec![T::default(); self.len()];
        self.0.device().call(|| "copying from a buffer".to_owned(), || self.0.copy_to(&mut elements[..]))?;
        Ok(elements)
    }

    /// All elements, for a reduction to read.
    pub fn array(&self) -> Array<'_> {
        let address = self.0.as_device_ptr().as_raw();
        Array { address, length: self.len(), ty: T::TYPE, buffer: PhantomData }
    }

    /// Some elements, for a reduction to read.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for a range that is not inside the buffer.
    pub fn slice(&self, range: Range<usize>) -> Result<Array<'_>, Error> {
        if range.start > range.end || range.end > self.len() {
            return Err(Error::Length { length: self.len(), given: range.start.max(range.end) });
        }
        let all = self.array();
        let address = all.address + (range.start * size_of::<T>()) as u64;
        Ok(Array { address, length: range.len(), ..all })
    }
}

/// A part of a buffer, as a reduction reads it.
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    pub(crate) address: u64,
    pub(crate) length: usize,
    pub(crate) ty: Type,
    buffer: PhantomData<&'a ()>,
}

impl Array<'_> {
    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The elements' type.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// Device memory that the caller keeps alive as long as the array is used.
    pub(crate) fn from_raw(address: u64, length: usize, ty: Type) -> Array<'static> {
        Array { address, length, ty, buffer: PhantomData }
    }
}
