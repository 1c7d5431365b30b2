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
