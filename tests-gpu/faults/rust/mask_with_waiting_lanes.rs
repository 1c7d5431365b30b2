//! fault deadlock
//! note Half of a warp synchronises with lanes that wait for it at the block's barrier; the twin's mask is that half.
//! launch 1 64
//! argument zeros 64
//! prints 64 64 64 64
#![no_std]
#![feature(abi_ptx)]

use device_rt::{thread, warp};

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn half(out: *mut u32) {
    if warp::lane_id() < 16 {
        unsafe { warp::sync_warp(warp::ALL_LANES) }; //~ //faulty
//fixed:         unsafe { warp::sync_warp(0xffff) };
    }
    let count = thread::sync_threads_count(1); //~
    unsafe { *out.add(thread::thread_idx_x() as usize) = count };
}
