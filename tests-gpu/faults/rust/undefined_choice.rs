//! fault uninitialised
//! note Elements of a buffer that nobody wrote choose the result; the twin's buffer holds zeros.
//! launch 2 32
//! argument zeros 64
//! argument undefined 64 //faulty
//fixed: //! argument zeros 64
//! prints 5 5 5 5
#![no_std]
#![feature(abi_ptx)]

use device_rt::thread;

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn choose(out: *mut u32, flags: *const u32) {
    let here = thread::index_1d() as usize;
    unsafe { *out.add(here) = if *flags.add(here) == 0 { 5 } else { 6 } }; //~
}
