//! fault use-after-free
//! note The host freed the input before the launch; the twin's host did not.
//! launch 1 64
//! argument zeros 64
//! argument freed 64 //faulty
//fixed: //! argument words 64
//! prints 0 2 4 6
#![no_std]
#![feature(abi_ptx)]

use device_rt::thread;

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn double(out: *mut u32, data: *const u32) {
    let here = thread::thread_idx_x() as usize;
    unsafe { *out.add(here) = *data.add(here) * 2 }; //~
}
