//! fault barrier
//! note Half of each warp waits at a barrier in a branch, the other half at one behind it; the twin has only that.
//! launch 1 64
//! argument zeros 64
//! prints 3 3 3 3
#![no_std]
#![feature(abi_ptx)]

use device_rt::thread;

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn half(out: *mut u32) {
    let here = thread::thread_idx_x();
    if here & 16 == 0 {
        unsafe { *out.add(here as usize) = 3 };
        thread::sync_threads(); //~ //faulty
    }
    thread::sync_threads(); //~
}
