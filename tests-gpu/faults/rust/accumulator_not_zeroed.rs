//! fault uninitialised
//! note Threads add to a word that nobody set to zero; in the twin the host did.
//! launch 2 64
//! argument undefined 1 //faulty
//fixed: //! argument zeros 1
//! prints 256
#![no_std]
#![feature(abi_ptx)]

use core::sync::atomic::{AtomicU32, Ordering};

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn count(total: *mut u32) {
    unsafe { AtomicU32::from_ptr(total) }.fetch_add(2, Ordering::Relaxed); //~
}
