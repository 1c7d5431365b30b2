//! fault undefined-lane
//! note The second warp has 16 lanes, and a shuffle reads from the others; the twin's warps are full.
//! launch 1 48 //faulty
//fixed: //! launch 1 64
//! argument zeros 64
//! prints 16 18 20 22
#![no_std]
#![feature(abi_ptx)]

use device_rt::{thread, warp};

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn pairs(out: *mut u32) {
    let here = thread::thread_idx_x();
    let other = unsafe { warp::shuffle_down(warp::ALL_LANES, here, 16) }; //~
    unsafe { *out.add(here as usize) = here + other }; //~
}
