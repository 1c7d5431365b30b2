//! fault data-race
//! note The last block sums what the others stored, but no fence orders it; the twin has a fence before and after the counter.
//! launch 4 32
//! argument zeros 1
//! argument zeros 5
//! prints 100
#![no_std]
#![feature(abi_ptx)]

use core::sync::atomic::{AtomicU32, Ordering};

use device_rt::thread;

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn total(out: *mut u32, work: *mut u32) {
    if thread::thread_idx_x() != 0 {
        return;
    }
    let partial = unsafe { work.add(1) };
    let block = thread::block_idx_x();
    unsafe { *partial.add(block as usize) = (block + 1) * 10 }; //~
//fixed:     thread::device_fence();
    let ticket = unsafe { AtomicU32::from_ptr(work) }.fetch_add(1, Ordering::Relaxed);
    if ticket == 3 {
//fixed:         thread::device_fence();
        let mut sum = 0;
        for block in 0..4 {
            sum += unsafe { *partial.add(block) }; //~
        }
        unsafe { *out = sum };
    }
}
