//! What C and C++ expect of their libraries, and what LLVM makes calls of.

use core::ffi::c_void;

use super::Ident;
use super::layout::Complex;

symbols! {
    /// Messages, indirect calls and profiles.
    const COMPILER_CALLS for Compilers;

    device {
        use crate::arch::atomic::Word;
        use crate::complex;
        use crate::openmp::sync::lock;
        use crate::openmp::{print, query};

        unsafe extern "C" {
            fn __warpfold_atomic_lock(address: *const c_void) -> *const Word;
        }

        /// Runs `body` under the lock that stands for an address: objects too large for the hardware's
        /// atomics.
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

        /// The number that a text is, as C writes integers; 0 if it is none.
        ///
        /// # Safety
        /// It ends with a 0.
        #[inline(always)]
        unsafe fn payload(text: *const u8) -> u64 {
            // SAFETY: passed on from the caller: nothing behind the 0 is read.
            let at = |index: usize| unsafe { text.add(index).read() };
            let (base, start) = match at(0) {
                b'0' if at(1) | 0x20 == b'x' => (16, 2),
                b'0' => (8, 0),
                _ => (10, 0),
            };
            let (mut value, mut index) = (0u64, start);
            while at(index) != 0 {
                let digit = match at(index) {
                    byte @ b'0'..=b'9' => u64::from(byte - b'0'),
                    byte @ (b'a'..=b'f' | b'A'..=b'F') => u64::from((byte | 0x20) - b'a') + 10,
                    _ => base,
                };
                if digit >= base {
                    return 0;
                }
                value = value.wrapping_mul(base).wrapping_add(digit);
                index += 1;
            }
            value
        }

        /// Compares texts up to their end, or so many bytes of them, as C does.
        ///
        /// # Safety
        /// A 0 ends both, or they have so many bytes.
        #[inline(always)]
        unsafe fn compare(one: *const c_void, other: *const c_void, bytes: u64) -> i32 {
            for index in 0..bytes as usize {
                // SAFETY: passed on from the caller: nothing behind a 0 is read.
                let byte = |text: *const c_void| unsafe { text.cast::<u8>().add(index).read() };
                let (one, other) = (byte(one), byte(other));
                if one != other || one == 0 {
                    return i32::from(one) - i32::from(other);
                }
            }
            0
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
    }

    /// Prints the message of an error directive; severity 2 ends the kernel.
    ///
    /// # Safety
    /// `message` is null or ends with a 0.
    unsafe fn __kmpc_error(location: Ident, severity: i32, message: *const c_void) => {
        const FATAL: i32 = 2;
        print::error(severity == FATAL, message.cast())
    };

    /// vprintf as LLVM 19 calls it.
    ///
    /// # Safety
    /// As for [`print::print`].
    unsafe fn __llvm_omp_vprintf(format: *const c_void, arguments: *const c_void, bytes: u32) -> i32
        => print::print(format.cast(), arguments);

    /// The device's function for one of the host's, or the same pointer if there is none.
    ///
    /// # Safety
    /// As for [`query::device_function`].
    unsafe fn __llvm_omp_indirect_call_lookup(function: *const c_void) -> *const c_void
        => query::device_function(function);

    /// Does nothing: profiles are the host's.
    fn __llvm_profile_register_function(data: *mut c_void) => {};

    /// Does nothing: profiles are the host's.
    fn __llvm_profile_register_names_function(names: *mut c_void, bytes: i64) => {};

    /// Does nothing: profiles are the host's.
    fn __llvm_profile_instrument_memop(value: i64, data: *mut c_void, counter: i32) => {};
}

symbols! {
    /// Functions of the libraries of C and C++.
    const LIBC for Programs;

    /// Ends the kernel.
    fn abort() => print::abort();

    /// Ends the kernel.
    fn __cxa_pure_virtual() => print::abort();

    /// Ends the kernel.
    fn __cxa_deleted_virtual() => print::abort();

    /// A quiet NaN, with the number in the text as its payload.
    ///
    /// # Safety
    /// The text ends with a 0.
    unsafe fn nan(text: *const c_void) -> f64
        => f64::from_bits(f64::NAN.to_bits() | payload(text.cast()) & ((1 << 51) - 1));

    /// A quiet NaN, with the number in the text as its payload.
    ///
    /// # Safety
    /// The text ends with a 0.
    unsafe fn nanf(text: *const c_void) -> f32
        => f32::from_bits(f32::NAN.to_bits() | payload(text.cast()) as u32 & ((1 << 22) - 1));

    /// Prints the assertion that failed, and ends the kernel.
    ///
    /// # Safety
    /// As for [`print::assertion_failed`].
    unsafe fn __assert_fail(
        expression: *const c_void, file: *const c_void, line: u32, function: *const c_void,
    ) => print::assertion_failed(expression.cast(), file.cast(), line, function.cast());

    /// Compares bytes, as C does.
    ///
    /// # Safety
    /// Both have so many bytes.
    #[linkage = "weak"]
    unsafe fn memcmp(one: *const c_void, other: *const c_void, bytes: u64) -> i32 => {
        for index in 0..bytes as usize {
            let (one, other) = (one.cast::<u8>().add(index).read(), other.cast::<u8>().add(index).read());
            if one != other {
                return i32::from(one) - i32::from(other);
            }
        }
        0
    };

    /// The number of bytes before the 0 that ends a text.
    ///
    /// # Safety
    /// A 0 ends it.
    #[linkage = "weak"]
    unsafe fn strlen(text: *const c_void) -> u64 => {
        let mut length = 0;
        while text.cast::<u8>().add(length).read() != 0 {
            length += 1;
        }
        length as u64
    };

    /// Compares texts, as C does.
    ///
    /// # Safety
    /// A 0 ends both.
    #[linkage = "weak"]
    unsafe fn strcmp(one: *const c_void, other: *const c_void) -> i32 => compare(one, other, u64::MAX);

    /// Compares at most so many bytes of texts, as C does.
    ///
    /// # Safety
    /// A 0 ends both, or they have so many bytes.
    #[linkage = "weak"]
    unsafe fn strncmp(one: *const c_void, other: *const c_void, bytes: u64) -> i32
        => compare(one, other, bytes);

    /// Copies a text with the 0 that ends it.
    ///
    /// # Safety
    /// A 0 ends `from`, `to` has room for it, and they do not overlap.
    #[linkage = "weak"]
    unsafe fn strcpy(to: *mut c_void, from: *const c_void) -> *mut c_void => {
        let mut index = 0;
        loop {
            let byte = from.cast::<u8>().add(index).read();
            to.cast::<u8>().add(index).write(byte);
            if byte == 0 {
                return to;
            }
            index += 1;
        }
    };

    /// Prints a text and a line end.
    ///
    /// # Safety
    /// A 0 ends it.
    #[linkage = "weak"]
    unsafe fn puts(text: *const c_void) -> i32
        => print::print(c"%s\n".as_ptr().cast(), (&raw const text).cast());

    /// The product of two complex numbers, the real part first, as C's Annex G defines it.
    // Not "C", here and below: that returns bytes, where clang's callers expect `{ T, T }`.
    extern "unadjusted" fn __mulsc3(a: f32, b: f32, c: f32, d: f32) -> Complex<f32> => {
        let (real, imaginary) = complex::single::product((a, b), (c, d));
        Complex(real, imaginary)
    };

    /// The quotient of two complex numbers, as C's Annex G defines it.
    extern "unadjusted" fn __divsc3(a: f32, b: f32, c: f32, d: f32) -> Complex<f32> => {
        let (real, imaginary) = complex::single::quotient((a, b), (c, d));
        Complex(real, imaginary)
    };

    /// The product of two complex numbers, the real part first, as C's Annex G defines it.
    extern "unadjusted" fn __muldc3(a: f64, b: f64, c: f64, d: f64) -> Complex<f64> => {
        let (real, imaginary) = complex::double::product((a, b), (c, d));
        Complex(real, imaginary)
    };

    /// The quotient of two complex numbers, as C's Annex G defines it.
    extern "unadjusted" fn __divdc3(a: f64, b: f64, c: f64, d: f64) -> Complex<f64> => {
        let (real, imaginary) = complex::double::quotient((a, b), (c, d));
        Complex(real, imaginary)
    };

    /// Reads an object that is too large for the hardware's atomics.
    ///
    /// # Safety
    /// Both have so many bytes.
    unsafe fn __atomic_load(bytes: u64, object: *const c_void, result: *mut c_void, order: i32) {
        callers: ALONE, orders: LOCKED_OBJECT, result: NONE,
    } => locked(object.cast(), || copy(result.cast(), object.cast(), bytes));

    /// Writes such an object.
    ///
    /// # Safety
    /// Both have so many bytes.
    unsafe fn __atomic_store(bytes: u64, object: *mut c_void, value: *const c_void, order: i32) {
        callers: ALONE, orders: LOCKED_OBJECT, result: NONE,
    } => locked(object.cast(), || copy(object.cast(), value.cast(), bytes));

    /// Atomically exchanges such an object; the old value goes to *result.
    ///
    /// # Safety
    /// All have so many bytes.
    unsafe fn __atomic_exchange(
        bytes: u64, object: *mut c_void, value: *const c_void, result: *mut c_void, order: i32,
    ) {
        callers: ALONE, orders: LOCKED_OBJECT, result: NONE,
    } => {
        let (object, value, result) = (object.cast::<u8>(), value.cast::<u8>(), result.cast::<u8>());
        locked(object, || {
            for index in 0..bytes as usize {
                let (old, new) = (object.add(index).read_volatile(), value.add(index).read_volatile());
                object.add(index).write_volatile(new);
                result.add(index).write_volatile(old);
            }
        })
    };

    /// Writes such an object if it equals *expected, else copies it there; returns whether it was equal.
    ///
    /// # Safety
    /// All have so many bytes.
    unsafe fn __atomic_compare_exchange(
        bytes: u64, object: *mut c_void, expected: *mut c_void, value: *const c_void, success: i32,
        failure: i32,
    ) -> bool {
        callers: ALONE, orders: LOCKED_OBJECT, result: EACH,
    } => {
        let (object, expected, value) = (object.cast::<u8>(), expected.cast::<u8>(), value.cast::<u8>());
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
    };
}
