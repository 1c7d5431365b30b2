//! fault data-race
//! note All threads increment one word by a read and a write; the twin's increment is atomic.
//! launch 2 64
//! argument zeros 1
//! prints 128
#![no_std]
#![feature(abi_ptx)]

#[allow(unused_imports, reason = "variants use a part")]
use core::sync::atomic::{AtomicU32, Ordering};

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn count(total: *mut u32) {
    unsafe { *total += 1 }; //~ //faulty
//fixed:     unsafe { AtomicU32::from_ptr(total) }.fetch_add(1, Ordering::Relaxed);
}
