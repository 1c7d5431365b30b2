//! The kernels of exact sums.
#![no_std]
#![feature(abi_ptx)]

use device_rt::exact::sum;

/// # Safety
/// As for [`sum`]; so are the others.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn exact_sum_f32(n: u64, cells: *mut u64, x: *const f32) {
    unsafe { sum(n, x, cells) }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn exact_sum_f64(n: u64, cells: *mut u64, x: *const f64) {
    unsafe { sum(n, x, cells) }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn exact_dot_f32(n: u64, cells: *mut u64, x: *const f32, y: *const f32) {
    unsafe { sum(n, (x, y), cells) }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn exact_dot_f64(n: u64, cells: *mut u64, x: *const f64, y: *const f64) {
    unsafe { sum(n, (x, y), cells) }
}
