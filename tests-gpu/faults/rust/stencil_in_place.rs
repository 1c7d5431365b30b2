//! fault data-race
//! note Threads update an array in place and read the next element, also that of the next block; the twin reads another array.
//! launch 4 32
//! argument words 128
//! argument words 128
//! prints 1 3 5 7
#![no_std]
#![feature(abi_ptx)]

use device_rt::thread;

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn stencil(data: *mut u32, old: *const u32) {
    let here = thread::index_1d() as usize;
    let next = (here + 1) % 128;
    unsafe {
        *data.add(here) += *data.add(next); //~ //faulty
//fixed:         *data.add(here) += *old.add(next);
    }
    let _ = old;
}
