//! fault uninitialised
//! note Elements of a buffer that nobody wrote are used as indices; the twin's buffer holds the indices.
//! launch 1 64
//! argument zeros 64
//! argument undefined 64 //faulty
//fixed: //! argument words 64
//! argument words 64
//! prints 0 1 2 3
#![no_std]
#![feature(abi_ptx)]

use device_rt::thread;

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn gather(out: *mut u32, indices: *const u32, data: *const u32) {
    let here = thread::thread_idx_x() as usize;
    let index = unsafe { *indices.add(here) }; //~
    unsafe { *out.add(here) = *data.add(index as usize % 64) }; //~
}
