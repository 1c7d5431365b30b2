//! fault misaligned
//! note A word is read from the middle of another one; the twin reads whole words.
//! launch 1 32
//! argument zeros 32
//! argument words 40
//! prints 1 2 3 4
#![no_std]
#![feature(abi_ptx)]

use device_rt::thread;

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn parse(out: *mut u32, bytes: *const u8) {
    let here = thread::thread_idx_x() as usize;
    let at = here * 4 + 2; //faulty
//fixed:     let at = here * 4 + 4;
    unsafe { *out.add(here) = *bytes.add(at).cast::<u32>() }; //~
}
