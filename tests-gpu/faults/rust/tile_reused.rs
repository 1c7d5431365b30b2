//! fault data-race
//! note The next round overwrites the tile while others still read it; the twin has a second barrier in the loop.
//! launch 1 64
//! argument zeros 64
//! argument words 512
//! prints 1800 1808 1816
#![no_std]
#![feature(abi_ptx)]

use device_rt::{shared_array, thread};

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn rounds(out: *mut u32, data: *const u32) {
    let tile = shared_array![u32; 64];
    let here = thread::thread_idx_x() as usize;
    let mut sum = 0;
    for round in 0..8 {
        unsafe { *tile.add(here) = *data.add(round * 64 + here) }; //~
        thread::sync_threads();
        sum += unsafe { *tile.add((here + 1) % 64) }; //~
//fixed:         thread::sync_threads();
    }
    unsafe { *out.add(here) = sum };
}
