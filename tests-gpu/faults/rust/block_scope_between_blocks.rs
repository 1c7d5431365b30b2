//! fault data-race
//! note Blocks add to one float with an atomic of a block's scope; the twin's scope is the device.
//! launch 2 64
//! argument zeros 1
//! prints 1124073472
#![no_std]
#![feature(abi_ptx)]

use core::sync::atomic::Ordering;

#[allow(unused_imports)]
use device_rt::atomic::{AtomicF32, BlockAtomicF32};

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn sum(total: *mut u32) {
    unsafe { (*total.cast::<BlockAtomicF32>()).fetch_add(1.0, Ordering::Relaxed) }; //~ //faulty
//fixed:     unsafe { (*total.cast::<AtomicF32>()).fetch_add(1.0, Ordering::Relaxed) };
}
