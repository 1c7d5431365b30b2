//! Values as bytes, for copies to and from memory that the device uses.

use std::mem::MaybeUninit;

use cust::{
    error::CudaResult,
    memory::{CopyDestination, DeviceBuffer, DeviceCopy, DeviceSlice},
};

use crate::device::Owned;

/// A byte, which may be uninitialised padding.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Byte(MaybeUninit<u8>);

// SAFETY: a byte contains no pointer.
unsafe impl DeviceCopy for Byte {}

/// Device memory for values of any type.
pub(crate) type Memory = Owned<DeviceBuffer<Byte>>;

/// The bytes of elements.
pub(crate) fn bytes_of<T: Copy>(elements: &[T]) -> &[Byte] {
    // SAFETY: a `Byte` may be uninitialised, so every byte of the slice is a valid one.
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

/// A vector of the elements whose bytes `fill` writes, so many.
///
/// # Safety
///
/// Where it succeeds, `fill` writes all bytes, and they are those of elements of the type.
pub(crate) unsafe fn filled<T: Copy, E>(
    bytes: usize,
    fill: impl FnOnce(&mut [Byte]) -> Result<(), E>,
) -> Result<Vec<T>, E> {
    let length = bytes / size_of::<T>().max(1);
    let mut elements = Vec::with_capacity(length);
    let spare: &mut [MaybeUninit<T>] = &mut elements.spare_capacity_mut()[..length];
    // SAFETY: a `Byte` may be uninitialised, as the spare capacity is.
    let spare =
        unsafe { std::slice::from_raw_parts_mut(spare.as_mut_ptr().cast::<Byte>(), size_of_val(spare)) };
    fill(spare)?;
    // SAFETY: the bytes were written, and are those of elements by the caller's promise.
    unsafe { elements.set_len(length) };
    Ok(elements)
}

/// Copies device memory to a vector.
///
/// # Safety
///
/// The memory holds elements of the type.
pub(crate) unsafe fn read<T: Copy>(memory: &DeviceSlice<Byte>) -> CudaResult<Vec<T>> {
    // SAFETY: the copy writes as many bytes as the memory has; the rest is the caller's promise.
    unsafe { filled(memory.len(), |bytes| memory.copy_to(bytes)) }
}
