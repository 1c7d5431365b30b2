//! Calls through the driver's table.

/// Calls an entry point and returns its status.
macro_rules! call {
    ($name:ident($($value:expr => $ty:ty),* $(,)?)) => {{
        let address = cuda_driver::EntryPoint::$name.address();
        // SAFETY: this is the entry point's signature in cuda.h.
        let entry = unsafe { std::mem::transmute::<*mut (), unsafe extern "C" fn($($ty),*) -> i32>(address) };
        // SAFETY: every pointer is null or to a live value of its type; addresses that are numbers are for the
        // driver to check.
        unsafe { entry($($value),*) }
    }};
}
