//! fault livelock
//! note A thread waits until a counter reaches the number of threads, but one does not count; in the twin all do.
//! launch 1 64
//! argument zeros 1
//! prints 64
#![no_std]
#![feature(abi_ptx)]

use core::sync::atomic::{AtomicU32, Ordering};

use device_rt::thread;

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn wait(counter: *mut u32) {
    let counter = unsafe { AtomicU32::from_ptr(counter) };
    let here = thread::thread_idx_x();
    if here != 5 { //faulty
//fixed:     if here != 64 {
        counter.fetch_add(1, Ordering::Relaxed);
    }
    if here == 32 {
        while counter.load(Ordering::Relaxed) != 64 {} //~
    }
}
