//! Start and end of a kernel.

use super::{sharing, state, worker};
use crate::abi::layout::{KernelEnvironment, LaunchEnvironment, SPMD};
use crate::arch::{block_sync, id};

/// What [`init`] returns to the threads that are to run the kernel's body.
pub const RUN: i32 = -1;

/// Starts a kernel: makes the team. Returns [`RUN`] to the threads that are to run the kernel's body: in SPMD
/// mode all, in generic mode the main thread. The workers of generic mode stay in here and run parallel
/// regions until the main thread ends the kernel, unless the compiler has given the kernel a loop of its own
/// for them.
///
/// Who must arrive: all threads of the block, converged, before anything else of the runtime. Orders
/// in SPMD mode all memory among them.
///
/// # Safety
/// `environment` is the kernel's; `launch` is what the host passed: null, all ones (a kernel that
/// does not reduce), or the launch environment of this launch.
#[inline(always)]
pub unsafe fn init(environment: *const KernelEnvironment, launch: *mut LaunchEnvironment) -> i32 {
    // SAFETY: a constant of the module.
    let environment = unsafe { &*environment };
    let thread = id::thread();
    if environment.exec_mode & SPMD != 0 {
        // SAFETY: every thread comes here, before the barrier.
        unsafe { state::start(thread, environment, launch) };
        block_sync();
        return RUN;
    }
    let main = worker::main_thread();
    if thread == main {
        // SAFETY: the main thread, which meets the workers when it starts a region or ends the kernel.
        unsafe { state::start_generic(thread, environment, launch) };
        return RUN;
    }
    // The other lanes of the main thread's warp have nothing to do.
    if thread < main && environment.use_generic_state_machine != 0 {
        // SAFETY: every worker comes here, and the main thread to the regions' start and end.
        unsafe { worker::run(thread) };
    }
    // Not RUN: there are at most 1024 threads.
    thread as i32
}

/// Ends a kernel, for the threads that ran its body. In SPMD mode nothing is left to do: each thread ends by
/// itself. In generic mode the main thread terminates the workers.
#[inline(always)]
pub fn deinit() {
    if !state::is_spmd() {
        sharing::check_all_released();
        // SAFETY: the main thread, outside of every region: the workers wait for the next one.
        unsafe { worker::terminate_workers() };
    }
}
