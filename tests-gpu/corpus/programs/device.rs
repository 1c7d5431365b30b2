//! Around a program on the device.
#![no_std]

mod program;

/// # Safety
/// `input` has 64 words and `output` room for 16.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn item(input: *const [u32; 64], output: *mut [u32; 16]) {
    // SAFETY: as the caller promises.
    unsafe { program::item(&*input, &mut *output) }
}

/// What `core` asks of a C library to compare slices.
///
/// # Safety
/// Both have `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memcmp(left: *const u8, right: *const u8, length: usize) -> i32 {
    for at in 0..length {
        // SAFETY: as the caller promises.
        let (left, right) = unsafe { (*left.add(at), *right.add(at)) };
        if left != right {
            return i32::from(left) - i32::from(right);
        }
    }
    0
}
