//! fault data-race
//! note The first threads read the bins while others still count; the twin has a barrier in between.
//! launch 1 128
//! argument zeros 4
//! prints 32 32 32 32
#![no_std]
#![feature(abi_ptx)]

use core::sync::atomic::{AtomicU32, Ordering};

use device_rt::{shared_array, thread};

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn histogram(out: *mut u32) {
    let bins = shared_array![u32; 4];
    let here = thread::thread_idx_x() as usize;
    if here < 4 {
        unsafe { *bins.add(here) = 0 };
    }
    thread::sync_threads();
    unsafe { AtomicU32::from_ptr(bins.add(here % 4)) }.fetch_add(1, Ordering::Relaxed); //~
//fixed:     thread::sync_threads();
    if here < 4 {
        unsafe { *out.add(here) = *bins.add(here) }; //~
    }
}
