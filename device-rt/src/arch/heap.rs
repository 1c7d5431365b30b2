//! The device's heap, as every CUDA driver has it (8 MiB unless the host sets another limit).

use core::ffi::c_void;

unsafe extern "C" {
    safe fn malloc(bytes: u64) -> *mut c_void;
    fn free(memory: *mut c_void);
}

/// Memory of so many bytes in the device's heap, aligned to 16 bytes, or null.
#[inline(always)]
pub fn allocate(bytes: u64) -> *mut c_void {
    malloc(bytes)
}

/// Gives memory of the heap back; null is nothing.
///
/// # Safety
/// It came from [`allocate`] and is used no more.
#[inline(always)]
pub unsafe fn release(memory: *mut c_void) {
    // SAFETY: passed on from the caller.
    unsafe { free(memory) }
}
