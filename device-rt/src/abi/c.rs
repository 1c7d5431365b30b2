//! What C and C++ expect of their libraries, and what LLVM makes calls of.

use core::ffi::{c_char, c_void};

use super::Ident;
use crate::arch::atomic::Word;
use crate::sync::lock;
use crate::{complex, print};

/// [`print::print`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __llvm_omp_vprintf(
    format: *const c_char,
    arguments: *const c_void,
    _bytes: u32,
) -> i32 {
    // SAFETY: the caller's contract is the same.
    unsafe { print::print(format.cast(), arguments) }
}

/// [`print::assertion_failed`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __assert_fail(
    expression: *const c_char,
    file: *const c_char,
    line: u32,
    function: *const c_char,
) {
    // SAFETY: the caller's contract is the same.
    unsafe { print::assertion_failed(expression, file, line, function) }
}

/// [`print::error`]: what an `error` directive says.
///
/// # Safety
/// `message` is null or ends with a 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_error(_location: Ident, severity: i32, message: *const c_char) {
    const FATAL: i32 = 2;
    // SAFETY: the caller's contract is the same.
    unsafe { print::error(severity == FATAL, message) }
}

macro_rules! ends {
    ($($name:ident)*) => {$(
        /// [`print::abort`].
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() {
            print::abort()
        }
    )*};
}

ends! { abort __cxa_pure_virtual __cxa_deleted_virtual }

/// Profiles are the host's.
#[unsafe(no_mangle)]
pub extern "C" fn __llvm_profile_register_function(_data: *mut c_void) {}

/// Profiles are the host's.
#[unsafe(no_mangle)]
pub extern "C" fn __llvm_profile_register_names_function(_names: *mut c_void, _bytes: i64) {}

/// Profiles are the host's.
#[unsafe(no_mangle)]
pub extern "C" fn __llvm_profile_instrument_memop(_value: i64, _data: *mut c_void, _counter: i32) {}

/// Compares bytes, as C does.
///
/// # Safety
/// Both have so many bytes.
#[unsafe(no_mangle)]
#[linkage = "weak"]
pub unsafe extern "C" fn memcmp(one: *const u8, other: *const u8, bytes: u64) -> i32 {
    for index in 0..bytes as usize {
        // SAFETY: passed on from the caller.
        let (one, other) = unsafe { (one.add(index).read(), other.add(index).read()) };
        if one != other {
            return i32::from(one) - i32::from(other);
        }
    }
    0
}

/// Two numbers, as LLVM returns them in registers.
#[repr(C)]
pub struct Complex<T>(T, T);

macro_rules! complex {
    ($($name:ident = $function:path, $real:ident;)*) => {$(
        /// The function of its name in [`complex`].
        // Not "C": that returns bytes, where clang's callers expect `{ T, T }`.
        #[unsafe(no_mangle)]
        pub extern "unadjusted" fn $name(a: $real, b: $real, c: $real, d: $real) -> Complex<$real> {
            let (real, imaginary) = $function((a, b), (c, d));
            Complex(real, imaginary)
        }
    )*};
}

complex! {
    __mulsc3 = complex::single::product, f32;
    __divsc3 = complex::single::quotient, f32;
    __muldc3 = complex::double::product, f64;
    __divdc3 = complex::double::quotient, f64;
}

unsafe extern "C" {
    fn __warpfold_atomic_lock(address: *const c_void) -> *const Word;
}

/// Runs `body` under the lock that stands for an address: objects too large for the hardware's atomics.
///
/// # Safety
/// As `body`.
#[inline(always)]
unsafe fn locked<R>(address: *const u8, body: impl FnOnce() -> R) -> R {
    // SAFETY: a lock of the table.
    unsafe {
        let word = __warpfold_atomic_lock(address.cast());
        lock::set(word);
        let result = body();
        lock::unset(word);
        result
    }
}

/// Copies an object.
///
/// # Safety
/// Both have so many bytes.
#[inline(always)]
unsafe fn copy(to: *mut u8, from: *const u8, bytes: u64) {
    for index in 0..bytes as usize {
        // SAFETY: passed on from the caller.
        unsafe { to.add(index).write_volatile(from.add(index).read_volatile()) };
    }
}

/// Reads an object that others change by these functions.
///
/// # Safety
/// Both have so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __atomic_load(bytes: u64, object: *const u8, result: *mut u8, _order: i32) {
    // SAFETY: passed on from the caller.
    unsafe { locked(object, || copy(result, object, bytes)) }
}

/// Writes one.
///
/// # Safety
/// Both have so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __atomic_store(bytes: u64, object: *mut u8, value: *const u8, _order: i32) {
    // SAFETY: passed on from the caller.
    unsafe { locked(object, || copy(object, value, bytes)) }
}

/// Writes one, and tells what was there.
///
/// # Safety
/// All have so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __atomic_exchange(
    bytes: u64,
    object: *mut u8,
    value: *const u8,
    result: *mut u8,
    _order: i32,
) {
    // SAFETY: passed on from the caller.
    unsafe {
        locked(object, || {
            for index in 0..bytes as usize {
                let (old, new) = (object.add(index).read_volatile(), value.add(index).read_volatile());
                object.add(index).write_volatile(new);
                result.add(index).write_volatile(old);
            }
        })
    }
}

/// Writes one if it is what is expected, or tells what it is; whether it was.
///
/// # Safety
/// All have so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __atomic_compare_exchange(
    bytes: u64,
    object: *mut u8,
    expected: *mut u8,
    value: *const u8,
    _success: i32,
    _failure: i32,
) -> bool {
    // SAFETY: passed on from the caller.
    unsafe {
        locked(object, || {
            let mut same = true;
            for index in 0..bytes as usize {
                same &= object.add(index).read_volatile() == expected.add(index).read_volatile();
            }
            match same {
                true => copy(object, value, bytes),
                false => copy(expected, object, bytes),
            }
            same
        })
    }
}
