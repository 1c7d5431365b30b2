//! fault uninitialised
//! note Half of the threads write their element of shared memory, and all add to it; in the twin all write.
//! launch 1 64
//! argument zeros 64
//! prints 1 2 3 4
#![no_std]
#![feature(abi_ptx)]

use device_rt::{shared_array, thread};

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn increment(out: *mut u32) {
    let tile = shared_array![u32; 64];
    let here = thread::thread_idx_x();
    let place = unsafe { tile.add((here ^ 1) as usize) };
    let written = 32; //faulty
//fixed:     let written = 64;
    if here < written {
        unsafe { *place = here ^ 1 };
    }
    thread::sync_threads();
    unsafe { *out.add(here as usize) = *tile.add(here as usize) + 1 }; //~
}
