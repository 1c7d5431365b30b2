//! fault data-race
//! note The flag that announces the data is stored with relaxed order; the twin's store releases.
//! launch 2 32
//! argument zeros 1
//! argument zeros 2
//! prints 42
#![no_std]
#![feature(abi_ptx)]

use core::sync::atomic::{AtomicU32, Ordering};

use device_rt::thread;

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn message(out: *mut u32, mail: *mut u32) {
    if thread::thread_idx_x() != 0 {
        return;
    }
    let flag = unsafe { AtomicU32::from_ptr(mail) };
    if thread::block_idx_x() == 0 {
        unsafe { *mail.add(1) = 42 }; //~
        flag.store(1, Ordering::Relaxed); //faulty
//fixed:         flag.store(1, Ordering::Release);
    } else {
        while flag.load(Ordering::Acquire) == 0 {}
        unsafe { *out = *mail.add(1) }; //~
    }
}
