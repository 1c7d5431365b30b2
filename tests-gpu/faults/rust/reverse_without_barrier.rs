//! fault data-race
//! note Each thread reads an element of shared memory that another one writes; the twin has a barrier in between.
//! launch 2 64
//! argument words 128
//! prints 63 62 61 60
#![no_std]
#![feature(abi_ptx)]

use device_rt::{shared_array, thread};

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn reverse(data: *mut u32) {
    let tile = shared_array![u32; 64];
    let (here, all) = (thread::thread_idx_x() as usize, thread::index_1d() as usize);
    unsafe {
        *tile.add(here) = *data.add(all); //~
//fixed:         thread::sync_threads();
        *data.add(all) = *tile.add(63 - here); //~
    }
}
