//! fault out-of-bounds
//! note The array in shared memory has 32 elements for 64 threads; the twin's has 64.
//! launch 1 64
//! argument zeros 64
//! prints 63 62 61 60
#![no_std]
#![feature(abi_ptx)]

use device_rt::{shared_array, thread};

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn reverse(out: *mut u32) {
    let tile = shared_array![u32; 32]; //faulty
//fixed:     let tile = shared_array![u32; 64];
    let here = thread::thread_idx_x();
    unsafe { *tile.add(here as usize) = here }; //~
    thread::sync_threads();
    unsafe { *out.add(here as usize) = *tile.add(63 - here as usize) };
}
