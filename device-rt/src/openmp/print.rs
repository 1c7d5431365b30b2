//! What kernels print, to the host's standard output.

use core::ffi::{CStr, c_char, c_void};

unsafe extern "C" {
    fn vprintf(format: *const u8, arguments: *const c_void) -> i32;
    fn __assertfail(
        expression: *const c_char,
        file: *const c_char,
        line: u32,
        function: *const c_char,
        character_bytes: u64,
    );
}

/// `printf` with its arguments in memory, each at a multiple of its size. Returns the number of arguments, or
/// a negative number if it failed.
///
/// # Safety
/// `format` ends with a 0, and the arguments are those that it lists.
#[inline(always)]
pub unsafe fn print(format: *const u8, arguments: *const c_void) -> i32 {
    // SAFETY: passed on from the caller.
    unsafe { vprintf(format, arguments) }
}

/// Ends the kernel.
#[inline(always)]
pub fn abort() -> ! {
    // SAFETY: trap has no precondition.
    unsafe { core::arch::nvptx::trap() }
}

/// Ends the kernel with a message.
#[inline(always)]
fn fail(message: &CStr) -> ! {
    // SAFETY: the message has no arguments.
    unsafe { print(message.as_ptr().cast(), core::ptr::null()) };
    abort()
}

/// Ends the kernel with the message of a failed `assert`: the driver prints it with block and thread, and says to the host
/// that it was an assertion.
///
/// # Safety
/// All three texts end with a 0.
#[inline(never)]
#[cold]
pub unsafe fn assertion_failed(
    expression: *const c_char,
    file: *const c_char,
    line: u32,
    function: *const c_char,
) -> ! {
    // SAFETY: passed on from the caller; characters have 1 byte.
    unsafe { __assertfail(expression, file, line, function, 1) };
    abort()
}

/// Prints the message of an `error` directive, and ends the kernel if it is fatal.
///
/// # Safety
/// `message` is null or ends with a 0.
#[inline(never)]
#[cold]
pub unsafe fn error(is_fatal: bool, message: *const c_char) {
    let message = if message.is_null() { c"an error directive".as_ptr() } else { message };
    let format = if is_fatal { c"error: %s\n" } else { c"warning: %s\n" };
    // SAFETY: passed on from the caller.
    unsafe { print(format.as_ptr().cast(), (&raw const message).cast()) };
    if is_fatal {
        abort()
    }
}

/// Ends the kernel with a message: the device's heap is too small.
#[inline(never)]
#[cold]
pub fn heap_is_full() -> ! {
    fail(c"warpfold: the device's heap is full; LIBOMPTARGET_HEAP_SIZE=BYTES makes it larger\n")
}

/// Ends the kernel with a message: shared memory was not released.
#[inline(never)]
#[cold]
pub fn sharing_stack_in_use() -> ! {
    fail(c"warpfold: the kernel ends, and shared variables of its main thread were not given back\n")
}

/// Ends the kernel with a message: a variable of `copyprivate` is too large.
#[inline(never)]
#[cold]
pub fn copyprivate_is_too_large() -> ! {
    fail(c"warpfold: copyprivate of a variable of more than 4080 bytes\n")
}
