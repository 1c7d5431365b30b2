//! Calls through the driver's table.
#![allow(unused_macros, reason = "not every test file needs it")]

/// Calls an entry point and returns its status.
macro_rules! call {
    ($name:ident($($value:expr => $ty:ty),* $(,)?)) => {{
        let address = cuda_driver::EntryPoint::$name.address();
        // SAFETY: this is the entry point's signature in cuda.h.
        let entry = unsafe { std::mem::transmute::<*mut (), unsafe extern "C" fn($($ty),*) -> i32>(address) };
        // SAFETY: every pointer is to a live value of its type, as the entry point asks.
        unsafe { entry($($value),*) }
    }};
}
