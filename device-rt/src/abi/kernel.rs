//! The start and end of kernels.

use crate::arch::id;
use crate::team::kernel::{self, KernelEnvironment, LaunchEnvironment};
use crate::team::state::{self, Work};
use crate::team::worker;

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
    kernel::deinit(__kmpc_is_spmd_exec_mode() != 0)
}

/// [`state::is_spmd`].
///
/// Not inlined here: LLVM knows the answer for many kernels, and puts it where it finds a call.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn __kmpc_is_spmd_exec_mode() -> i8 {
    state::is_spmd() as i8
}

/// [`worker::next_region`].
///
/// # Safety
/// A worker, between the barriers at a region's start and end; `work` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_kernel_parallel(work: *mut Work) -> bool {
    let (next, takes_part) = worker::next_region(id::thread());
    // SAFETY: passed on from the caller.
    unsafe { work.write(next) };
    takes_part
}

/// [`worker::end_region`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_kernel_end_parallel() {
    worker::end_region(id::thread())
}
