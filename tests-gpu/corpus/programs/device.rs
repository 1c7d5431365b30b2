//! The device crate around a Rust program.
#![no_std]

mod program;

/// # Safety
/// `input` points to 64 words and `output` to memory for 16.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn item(input: *const [u32; 64], output: *mut [u32; 16]) {
    // SAFETY: the caller's promise.
    unsafe { program::item(&*input, &mut *output) }
}

/// The C library function that `core` needs to compare slices.
///
/// # Safety
/// Both point to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memcmp(left: *const u8, right: *const u8, length: usize) -> i32 {
    for at in 0..length {
        // SAFETY: the caller's promise.
        let (left, right) = unsafe { (*left.add(at), *right.add(at)) };
        if left != right {
            return i32::from(left) - i32::from(right);
        }
    }
    0
}
