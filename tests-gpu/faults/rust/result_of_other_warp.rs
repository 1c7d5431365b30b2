//! fault data-race
//! note Thread 0 stores the block's size before the second warp reads it, without a barrier; the twin has one.
//! launch 1 64
//! argument zeros 64
//! prints 64 65 66 67
#![no_std]
#![feature(abi_ptx)]

use device_rt::{shared_array, thread};

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn offset(out: *mut u32) {
    let size = shared_array![u32; 1];
    let here = thread::thread_idx_x();
    if here == 0 {
        unsafe { *size = 0 };
    }
    thread::sync_threads();
    if here == 0 {
        unsafe { *size = thread::block_dim_x() }; //~
    }
//fixed:     thread::sync_threads();
    unsafe { *out.add(here as usize) = *size + here }; //~
}
