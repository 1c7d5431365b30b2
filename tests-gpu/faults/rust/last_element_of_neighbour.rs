//! fault out-of-bounds
//! note The last thread reads the element behind the end of the array; in the twin it does not.
//! launch 2 32
//! argument zeros 64
//! argument words 64
//! argument u32 64
//! prints 1 1 1 1
#![no_std]
#![feature(abi_ptx)]

use device_rt::thread;

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn differences(out: *mut u32, data: *const u32, count: u32) {
    let here = thread::index_1d();
    if here < count { //faulty
//fixed:     if here + 1 < count {
        let here = here as usize;
        unsafe { *out.add(here) = *data.add(here + 1) - *data.add(here) }; //~
    }
}
