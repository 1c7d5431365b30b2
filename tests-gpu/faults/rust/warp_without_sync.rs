//! fault data-race
//! note Lanes exchange elements as if a warp ran in step; the twin synchronises the warp.
//! launch 2 32
//! argument zeros 64
//! prints 1 0 3 2
#![no_std]
#![feature(abi_ptx)]

#[allow(unused_imports, reason = "variants use a part")]
use device_rt::{shared_array, thread, warp};

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn swap(out: *mut u32) {
    let tile = shared_array![u32; 32];
    let lane = warp::lane_id() as usize;
    unsafe {
        *tile.add(lane) = thread::thread_idx_x(); //~
//fixed:         warp::sync_warp(warp::ALL_LANES);
        *out.add(thread::index_1d() as usize) = *tile.add(lane ^ 1); //~
    }
}
