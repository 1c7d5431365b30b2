//! The start and end of kernels.

use crate::team::kernel::{self, KernelEnvironment, LaunchEnvironment};

/// [`kernel::init`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_target_init(
    environment: *const KernelEnvironment,
    launch: *mut LaunchEnvironment,
) -> i32 {
    // SAFETY: the caller's contract is the same.
    unsafe { kernel::init(environment, launch) }
}

/// [`kernel::deinit`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_target_deinit() {
    kernel::deinit()
}
