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
    kernel::deinit()
}

/// Whether all threads run the team's code.
///
/// Not inlined before LLVM has seen the calls: see [`state::is_spmd`].
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn __kmpc_is_spmd_exec_mode() -> i8 {
    (state::mode() & u32::from(kernel::SPMD) != 0) as i8
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
