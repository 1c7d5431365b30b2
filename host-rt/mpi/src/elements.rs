//! The elements of one process.

use host_rt::{Array, Buffer, Device, Element, Error, Type};

/// Elements of one process for a generated reduction, on the host or in the memory of its device.
#[derive(Clone, Copy, Debug)]
pub enum Elements<'a> {
    /// On the host: their bytes, in its byte order, and their type.
    Host(&'a [u8], Type),
    /// In device memory.
    Device(Array<'a>),
}

impl<'a, T: Element> From<&'a [T]> for Elements<'a> {
    fn from(elements: &'a [T]) -> Elements<'a> {
        Elements::Host(bytemuck::cast_slice(elements), T::TYPE)
    }
}

impl<'a, T: Element> From<&'a Vec<T>> for Elements<'a> {
    fn from(elements: &'a Vec<T>) -> Elements<'a> {
        Elements::from(&elements[..])
    }
}

impl<'a, T: Element> From<&'a Buffer<T>> for Elements<'a> {
    fn from(buffer: &'a Buffer<T>) -> Elements<'a> {
        Elements::Device(buffer.array())
    }
}

impl<'a> From<Array<'a>> for Elements<'a> {
    fn from(array: Array<'a>) -> Elements<'a> {
        Elements::Device(array)
    }
}

impl Elements<'_> {
    /// Their type.
    pub fn ty(&self) -> Type {
        match self {
            Elements::Host(_, ty) => *ty,
            Elements::Device(array) => array.ty(),
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Elements::Host(bytes, ty) => bytes.len() / (ty.size() as usize).max(1),
            Elements::Device(array) => array.len(),
        }
    }

    /// The bytes of `count` elements, which are there, from one on.
    pub(crate) fn bytes(&self, device: &Device, first: usize, count: usize) -> Result<Vec<u8>, Error> {
        let size = self.ty().size() as usize;
        match self {
            Elements::Host(bytes, _) => Ok(bytes[first * size..(first + count) * size].to_vec()),
            Elements::Device(array) => array.slice(first..first + count)?.to_bytes(device),
        }
    }
}

/// Elements of one process for a typed reduction, on the host or in the memory of its device.
#[derive(Debug)]
pub enum TypedElements<'a, I: Copy + 'static> {
    /// On the host.
    Host(&'a [I]),
    /// In device memory.
    Device(&'a Buffer<I>),
}

impl<'a, I: Copy> From<&'a [I]> for TypedElements<'a, I> {
    fn from(elements: &'a [I]) -> Self {
        TypedElements::Host(elements)
    }
}

impl<'a, I: Copy> From<&'a Vec<I>> for TypedElements<'a, I> {
    fn from(elements: &'a Vec<I>) -> Self {
        TypedElements::Host(elements)
    }
}

impl<'a, I: Copy> From<&'a Buffer<I>> for TypedElements<'a, I> {
    fn from(buffer: &'a Buffer<I>) -> Self {
        TypedElements::Device(buffer)
    }
}

impl<I: Copy> TypedElements<'_, I> {
    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            TypedElements::Host(elements) => elements.len(),
            TypedElements::Device(buffer) => buffer.len(),
        }
    }
}
