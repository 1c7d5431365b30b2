//! The device heap of the CUDA driver (8 MiB unless the host sets another limit).

use core::ffi::c_void;

unsafe extern "C" {
    safe fn malloc(bytes: u64) -> *mut c_void;
    fn free(memory: *mut c_void);
}

/// Allocates so many bytes of the device heap, aligned to 16 bytes; null if it is full.
#[inline(always)]
pub fn allocate(bytes: u64) -> *mut c_void {
    malloc(bytes)
}

/// Releases memory of the heap; null has no effect.
///
/// # Safety
/// It came from [`allocate`] and is not used afterwards.
#[inline(always)]
pub unsafe fn release(memory: *mut c_void) {
    // SAFETY: passed on from the caller.
    unsafe { free(memory) }
}
