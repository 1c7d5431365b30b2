//! fault livelock
//! note The lane that holds a lock waits for the lanes that want it; the twin releases the lock before it waits.
//! launch 1 32
//! argument zeros 1
//! argument zeros 1
//! prints 32
#![no_std]
#![feature(abi_ptx)]

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use device_rt::{thread, warp};

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn locked(sum: *mut u32, lock: *mut u32) {
    let lock = unsafe { AtomicU32::from_ptr(lock) };
    while lock.compare_exchange(0, 1, Relaxed, Relaxed).is_err() {} //~
    thread::device_fence();
    unsafe { *sum += 1 };
    thread::device_fence();
//fixed:     lock.store(0, Relaxed);
    unsafe { warp::sync_warp(warp::ALL_LANES) }; //~
    lock.store(0, Relaxed); //faulty
}
