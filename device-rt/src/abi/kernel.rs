//! Start and end of kernels.

use core::ffi::c_void;

use super::layout::{KernelEnvironment, LaunchEnvironment};

symbols! {
    /// Start and end of kernels, and the workers' loop.
    const KERNELS for Compilers;

    device {
        use super::layout::SPMD;
        use crate::arch::id;
        use crate::openmp::team::{kernel, state, worker};
    }

    /// Starts a kernel.
    ///
    /// # Safety
    /// As for [`kernel::init`].
    #[unsafe(link_section = ".without_lines")]
    unsafe fn __kmpc_target_init(
        environment: *const KernelEnvironment, launch: *mut LaunchEnvironment,
    ) -> i32 {
        callers: "every thread of the block, converged, before any other call of the runtime",
        orders: BLOCK,
        result: "-1 in the threads that are to run the kernel's body",
    } => kernel::init(environment, launch);

    /// Ends a kernel.
    fn __kmpc_target_deinit() {
        callers: "every thread to which __kmpc_target_init returned -1", orders: NOTHING, result: NONE,
    } => kernel::deinit();

    /// Whether all threads run the kernel's body.
    ///
    /// Not inlined before LLVM has seen the calls: see [`state::is_spmd`].
    #[inline(never)]
    fn __kmpc_is_spmd_exec_mode() -> i8 => (state::mode() & u32::from(SPMD) != 0) as i8;

    /// The function that workers are to call, or null, in *work; returns whether the caller takes part.
    ///
    /// # Safety
    /// A worker, between the barriers at a region's start and end; `work` is valid.
    unsafe fn __kmpc_kernel_parallel(work: *mut *mut c_void) -> bool {
        callers: WORKER, orders: NOTHING, result: EACH,
    } => {
        let (wrapper, takes_part) = worker::next_region(id::thread());
        work.write(wrapper.cast_mut());
        takes_part
    };

    /// Ends the caller's part of a region: does nothing, as the worker only waits then.
    fn __kmpc_kernel_end_parallel() {
        callers: WORKER, orders: NOTHING, result: NONE,
    } => {};
}
