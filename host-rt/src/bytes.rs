//! Values as bytes, on their way to and from device memory.

use std::mem::MaybeUninit;

use cust::{
    error::CudaResult,
    memory::{CopyDestination, DeviceBuffer, DeviceCopy, DeviceSlice},
};

use crate::device::Owned;

/// A byte that has a value or, in padding, none.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Byte(MaybeUninit<u8>);

// SAFETY: a byte points to nothing.
unsafe impl DeviceCopy for Byte {}

/// Device memory for values of any type.
pub(crate) type Memory = Owned<DeviceBuffer<Byte>>;

/// The bytes of elements.
pub(crate) fn bytes_of<T: Copy>(elements: &[T]) -> &[Byte] {
    // SAFETY: every byte of the slice is one with a value or without.
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

/// Copies device memory to elements.
///
/// # Safety
///
/// The memory holds elements of the type.
pub(crate) unsafe fn read<T: Copy>(memory: &DeviceSlice<Byte>) -> CudaResult<Vec<T>> {
    let length = memory.len() / size_of::<T>().max(1);
    let mut elements = Vec::with_capacity(length);
    let room: &mut [MaybeUninit<T>] = &mut elements.spare_capacity_mut()[..length];
    // SAFETY: the bytes of elements without a value are such bytes.
    let room = unsafe { std::slice::from_raw_parts_mut(room.as_mut_ptr().cast::<Byte>(), size_of_val(room)) };
    memory.copy_to(room)?;
    // SAFETY: copied, and elements by the caller's promise.
    unsafe { elements.set_len(length) };
    Ok(elements)
}
