//! fault data-race
//! note One block announces data to another by an atomic of a block's scope, so that flag and data race; the twin's scope is the device.
//! launch 2 32
//! argument zeros 1
//! argument zeros 2
//! prints 42
#![no_std]
#![feature(abi_ptx)]

use core::sync::atomic::Ordering;

#[allow(unused_imports, reason = "variants use a part")]
use device_rt::atomic::{AtomicF32, BlockAtomicF32};
use device_rt::thread;

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn message(out: *mut u32, mail: *mut u32) {
    if thread::thread_idx_x() != 0 {
        return;
    }
    let flag = mail.cast::<BlockAtomicF32>(); //faulty
//fixed:     let flag = mail.cast::<AtomicF32>();
    if thread::block_idx_x() == 0 {
        unsafe { *mail.add(1) = 42 }; //~
        unsafe { (*flag).store(1.0, Ordering::Release) }; //~
    } else {
        while unsafe { (*flag).load(Ordering::Acquire) } == 0.0 {} //~
        unsafe { *out = *mail.add(1) }; //~
    }
}
