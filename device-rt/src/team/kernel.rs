//! The start of a kernel, and what it is told: by the compiler through its environment, by the host
//! through the launch environment. Layouts are those of LLVM 22.

use core::ffi::c_void;

use super::{sharing, state, worker};
use crate::arch::atomic::Word;
use crate::arch::{block_sync, id};

/// What the compiler says of a kernel: a constant of its module, 48 bytes.
#[repr(C)]
pub struct KernelEnvironment {
    /// Whether threads that are not the main one enter the runtime's worker loop (generic mode).
    pub use_generic_state_machine: u8,
    /// Whether parallel regions may be nested.
    pub may_use_nested_parallelism: u8,
    /// Bits of [`SPMD`] and of generic mode (1).
    pub exec_mode: u8,
    /// Bounds of the launch.
    pub min_threads: i32,
    /// The most threads of a block.
    pub max_threads: i32,
    /// The least blocks.
    pub min_teams: i32,
    /// The most blocks.
    pub max_teams: i32,
    /// Bytes of one record of the reduction buffer.
    pub reduction_data_size: i32,
    /// Records in the reduction buffer.
    pub reduction_buffer_length: i32,
    /// Where in the source the kernel is.
    pub ident: *const c_void,
    /// Settings that may change at run time.
    pub dynamic: *const c_void,
}

/// What the host says of one launch: 16 bytes of global memory, made for this launch.
#[repr(C)]
pub struct LaunchEnvironment {
    /// Teams that have delivered to a reduction; 0 at the start. LLVM's name is ReductionCnt.
    pub delivered: Word,
    /// Teams that have asked for a slot; 0 at the start. LLVM's name is ReductionIterCnt.
    pub tickets: Word,
    /// The reduction buffer: an array of records.
    pub reduction_buffer: *mut c_void,
}

/// The bit of [`KernelEnvironment::exec_mode`] that says all threads run the team's code.
pub const SPMD: u8 = 2;

/// The mode of a kernel that was in generic mode before LLVM made all threads run its code.
pub const GENERIC_SPMD: u32 = 3;

/// What tells a thread to run the kernel's body.
pub const RUN: i32 = -1;

const _: () = assert!(size_of::<KernelEnvironment>() == 48 && size_of::<LaunchEnvironment>() == 16);

/// The start of a kernel: makes the team. Gives [`RUN`] to the threads that are to run the kernel's body:
/// in SPMD mode all, in generic mode the main thread. There the workers run parallel regions in here, until
/// the main thread ends the kernel, unless the compiler has given the kernel a loop of its own for them.
///
/// Who must arrive: all threads of the block, converged, before anything else of the runtime. Orders
/// in SPMD mode all memory among them.
///
/// # Safety
/// `environment` is the kernel's; `launch` is what the host gave it: null, all ones (a kernel that
/// does not reduce), or the launch environment of this launch.
#[inline(always)]
pub unsafe fn init(environment: *const KernelEnvironment, launch: *mut LaunchEnvironment) -> i32 {
    // SAFETY: a constant of the module.
    let environment = unsafe { &*environment };
    // Null, or all ones.
    let none = launch.addr().wrapping_add(1) <= 1;
    let launch = if none { state::no_launch() } else { launch };
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
        unsafe { state::start_alone(thread, environment, launch) };
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

/// The end of a kernel, for the threads that ran its body. In SPMD mode nothing is left to do: threads end as
/// they come. In generic mode the main thread sends the workers home.
#[inline(always)]
pub fn deinit() {
    if !state::is_spmd() {
        sharing::check_all_released();
        // SAFETY: the main thread, outside of every region: the workers wait for the next one.
        unsafe { worker::dismiss() };
    }
}
