//! Variables that a thread shares with the others of its team.
//!
//! Compilers allocate what a thread may pass to others by reference, last in, first out. The main thread of
//! generic mode has a stack of 512 bytes in shared memory for it; other threads, and what is too large, use
//! the device's heap.

use core::ffi::c_void;

use crate::arch::{heap, id, shared};
use crate::openmp::print;
use crate::openmp::team::state;

/// What allocations are aligned to, in bytes.
const ALIGNMENT: u64 = 16;

/// Allocates so many bytes that the whole team can reach, aligned to 16.
///
/// Concerns the calling thread only. If the heap is full, the kernel ends with a message.
#[inline(always)]
pub fn allocate(bytes: u64) -> *mut c_void {
    if !state::is_spmd() && state::nesting(id::thread()).is_main_thread() {
        // SAFETY: the main thread's own.
        unsafe {
            let used = state::shared_bytes();
            let start = used.read();
            let room = shared::SHARING_STACK_BYTES as u64 - start;
            if bytes <= room {
                used.write((start + bytes).next_multiple_of(ALIGNMENT));
                return shared::sharing_stack().add(start as usize).cast();
            }
        }
    }
    // The heap may have no memory for an array of no elements, of which only the address counts.
    let memory = heap::allocate(bytes.max(1));
    if memory.is_null() {
        print::heap_is_full();
    }
    memory
}

/// Releases what was allocated last.
///
/// # Safety
/// It came from [`allocate`] in the same thread, which has released everything that it allocated since.
#[inline(always)]
pub unsafe fn release(memory: *mut c_void) {
    let offset = memory.addr().wrapping_sub(shared::sharing_stack().addr());
    // SAFETY: what is not in the stack came from the heap, which is in another state space; the stack is the main
    // thread's. An allocation of no bytes from the full stack is at its end.
    unsafe {
        match !state::is_spmd() && offset <= shared::SHARING_STACK_BYTES {
            true => state::shared_bytes().write(offset as u64),
            false => heap::release(memory),
        }
    }
}

unsafe extern "C" {
    safe fn __warpfold_checks() -> bool;
}

/// Ends the kernel with a message if the main thread of generic mode has not released all that it allocated
/// of shared memory. Programs ask for the check by clang's option `-fopenmp-target-debug=1`; in others
/// nothing is left of it.
#[inline(always)]
pub fn check_all_released() {
    // SAFETY: the main thread's own.
    if __warpfold_checks() && unsafe { state::shared_bytes().read() } != 0 {
        print::sharing_stack_in_use();
    }
}

/// A copy of the captured values that workers can read, to be given back with [`release`].
///
/// # Safety
/// `captured` is an array of `count`.
#[inline(always)]
pub unsafe fn copy(captured: *const *mut c_void, count: u64) -> *mut *mut c_void {
    let shared = allocate(count * size_of::<*mut c_void>() as u64).cast::<*mut c_void>();
    for index in 0..count as usize {
        // SAFETY: both arrays have `count` elements.
        unsafe { shared.add(index).write(captured.add(index).read()) };
    }
    shared
}
