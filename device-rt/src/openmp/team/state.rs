//! The state of a team, in the block's shared memory.
//!
//! A thread's nesting is private: only that thread reads and writes it, so entering and leaving a parallel region
//! takes no barrier for it. The rest is the team's, written by one thread between barriers.

use core::ffi::c_void;
use core::ptr::addr_of_mut;

use crate::abi::layout::{
    GENERIC_SPMD, KernelEnvironment, LaunchEnvironment, LaunchEnvironment23, TEAM_STATE_BYTES,
};
use crate::arch::atomic::Word;
use crate::openmp::workshare::dispatch::Dispatch;
use crate::reduce::grid::Control;
use crate::reduce::list::Layout;

/// The state of the team's regions: `__warpfold_team` of arch/state.ll. What kernels write at their start are variables
/// of their own there.
#[repr(C)]
struct Team {
    /// Threads of a partial region.
    partial_threads: u32,
    region: Region,
    /// Bytes in use of the stack in which the main thread shares variables.
    shared_bytes: u64,
    /// The dynamically scheduled loop of the region.
    dispatch: Dispatch,
    /// The region's loop nest whose iterations wait for each other; null outside one.
    doacross: *mut c_void,
    /// What one thread of the region hands to the others.
    broadcast: *mut c_void,
}

/// Internal control variables of OpenMP, as the initial task of the team has set them.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Icvs {
    /// `nthreads-var`: threads of parallel regions without a `num_threads` clause; 0 where nothing is set.
    pub threads: u32,
    /// Whether `max-active-levels-var` is 0: every parallel region has one thread.
    pub serial: u32,
    /// `run-sched-var`: what `schedule(runtime)` means, a value of `omp_sched_t`; 0 where nothing is set.
    pub schedule: u32,
    /// Its chunk; 0 or less stands for the default.
    pub chunk: i32,
}

impl Icvs {
    const UNSET: Icvs = Icvs { threads: 0, serial: 0, schedule: 0, chunk: 0 };
}

/// The parallel region that the main thread gives its workers in generic mode.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Region {
    /// What the workers call; null at the end of the kernel.
    pub wrapper: RegionWrapper,
    /// The captured values, which the wrapper asks for.
    pub captured: *mut *mut c_void,
}

/// `(0, number of the thread)`: asks for the captured values and calls the outlined function with them.
/// Compilers make such a wrapper for each outlined function that may run in generic mode.
pub type RegionWrapper = *const c_void;

/// How a thread is nested: the number of parallel regions that enclose it, regions of one thread included,
/// whether the outermost is partial, and at which level its innermost task began. One number, because barriers and
/// queries begin with it: a single load tells the usual cases, outside every region and in one of the whole block,
/// from all others.
///
/// A task belongs to the level where it began: a region inside it only adds a level, and leaving that region, which
/// may be a call of its own without memory of what was before, leads back into the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Nesting(u32);

impl Nesting {
    /// Outside every parallel region, as all threads of the block are in SPMD mode.
    pub const OUTSIDE: Nesting = Nesting(0);

    /// As [`Nesting::OUTSIDE`], in a kernel that LLVM has made an SPMD one: all threads execute what the program has for
    /// one. The bit says something else in a task only.
    pub const AS_ONE: Nesting = Nesting(Nesting::FINAL);

    /// In a region of one thread there.
    pub const SERIALIZED_AS_ONE: Nesting = Nesting(Nesting::FINAL | 1);

    /// Outside every parallel region, as the main thread of generic mode is, alone.
    pub const MAIN_THREAD: Nesting = Nesting(Nesting::MAIN);

    /// In a parallel region of all threads of the block, and no other.
    pub const WHOLE_BLOCK: Nesting = Nesting(1);

    /// In a parallel region of some threads of the block, and no other.
    pub const PARTIAL: Nesting = Nesting(1 | Nesting::IN_PARTIAL);

    const IN_PARTIAL: u32 = 1 << 31;
    /// The main thread of generic mode, outside of regions that workers run.
    const MAIN: u32 = 1 << 30;
    /// In an explicit task, which began at [`Nesting::TASK_LEVEL`].
    const TASK: u32 = 1 << 29;
    /// That task is final.
    const FINAL: u32 = 1 << 28;
    const TASK_LEVEL: u32 = Nesting::LEVELS << Nesting::TASK_SHIFT;
    const TASK_SHIFT: u32 = 14;
    const LEVELS: u32 = (1 << 14) - 1;

    /// The number of enclosing regions.
    #[inline(always)]
    pub fn level(self) -> u32 {
        self.0 & Nesting::LEVELS
    }

    /// In one more region, of one thread. The levels do not run out: a thread's local memory, of 512 KiB at most, is full
    /// of frames before.
    #[inline(always)]
    pub fn nested(self) -> Nesting {
        Nesting(self.0 + 1)
    }

    /// In an explicit task.
    #[inline(always)]
    pub fn in_task(self, is_final: bool) -> Nesting {
        let flags =
            if is_final || self.is_in_final() { Nesting::TASK | Nesting::FINAL } else { Nesting::TASK };
        let outside = self.0 & !(Nesting::TASK | Nesting::FINAL | Nesting::TASK_LEVEL);
        Nesting(outside | flags | self.level() << Nesting::TASK_SHIFT)
    }

    /// Whether the thread is in an explicit task of the innermost region.
    #[inline(always)]
    pub fn is_in_task(self) -> bool {
        self.0 & Nesting::TASK != 0 && (self.0 >> Nesting::TASK_SHIFT) & Nesting::LEVELS == self.level()
    }

    /// Whether that task, or one around it, is final.
    #[inline(always)]
    pub fn is_in_final(self) -> bool {
        self.0 & Nesting::FINAL != 0 && self.is_in_task()
    }

    /// In one region less, in the task that encountered it, if any.
    #[inline(always)]
    pub fn outer(self) -> Nesting {
        Nesting(self.0 - (self.level() > 0) as u32)
    }

    /// As a number, for [`from_bits`](Self::from_bits).
    #[inline(always)]
    pub fn bits(self) -> u64 {
        u64::from(self.0)
    }

    /// The nesting with this number.
    #[inline(always)]
    pub fn from_bits(bits: u64) -> Nesting {
        Nesting(bits as u32)
    }

    /// Whether the thread is the main one of generic mode, outside of regions that workers run.
    #[inline(always)]
    pub fn is_main_thread(self) -> bool {
        self.0 & Nesting::MAIN != 0
    }

    /// Whether it is in exactly one region, which the threads of the block or some of them share.
    #[inline(always)]
    pub fn is_shared(self) -> bool {
        self.0 & (Nesting::MAIN | Nesting::LEVELS) == 1
    }

    /// Whether the outermost region is partial.
    #[inline(always)]
    pub fn is_partial(self) -> bool {
        self.0 & Nesting::IN_PARTIAL != 0
    }
}

const _: () = assert!(size_of::<Team>() == TEAM_STATE_BYTES);
const _: () = assert!(size_of::<Icvs>() == 16 && size_of::<Layout>() == 12);

unsafe extern "C" {
    safe fn __warpfold_team_state() -> *mut Team;
    safe fn __warpfold_address_of_launch() -> *mut *mut LaunchEnvironment;
    safe fn __warpfold_address_of_max_threads() -> *mut u32;
    safe fn __warpfold_address_of_mode() -> *mut u32;
    safe fn __warpfold_address_of_layout() -> *mut Layout;
    safe fn __warpfold_address_of_icvs() -> *mut Icvs;
    safe fn __warpfold_address_of_image_slots() -> *mut c_void;
    safe fn __warpfold_address_of_image_slots_in_use() -> *const Word;
    safe fn __kmpc_is_spmd_exec_mode() -> i8;
    fn __warpfold_nesting(thread: u32) -> u32;
    fn __warpfold_set_nesting(thread: u32, nesting: u32);
}

/// Starts a team in SPMD mode, for thread `thread`.
///
/// # Safety
/// Every thread of the block calls this once, and a barrier follows before anything is read.
#[inline(always)]
pub unsafe fn start(thread: u32, environment: &KernelEnvironment, launch: *mut LaunchEnvironment) {
    if thread == 0 {
        // SAFETY: only thread 0 writes these, and no thread reads them before the barrier.
        unsafe { describe(environment, launch) };
    }
    let as_one = environment.exec_mode == GENERIC_SPMD;
    set_nesting(thread, if as_one { Nesting::AS_ONE } else { Nesting::OUTSIDE });
}

/// Starts a team in generic mode, by its main thread, `thread`.
///
/// # Safety
/// The main thread calls this once, before it meets the workers at a barrier.
#[inline(always)]
pub unsafe fn start_generic(thread: u32, environment: &KernelEnvironment, launch: *mut LaunchEnvironment) {
    // SAFETY: the workers read nothing before that barrier.
    unsafe {
        describe(environment, launch);
        (*__warpfold_team_state()).shared_bytes = 0;
    }
    set_nesting(thread, Nesting::MAIN_THREAD);
}

/// Writes what holds for the whole kernel.
///
/// # Safety
/// One thread, before any thread reads.
#[inline(always)]
unsafe fn describe(environment: &KernelEnvironment, launch: *mut LaunchEnvironment) {
    // SAFETY: passed on from the caller.
    unsafe {
        *__warpfold_address_of_launch() = launch;
        *__warpfold_address_of_max_threads() = environment.max_threads as u32;
        *__warpfold_address_of_mode() = u32::from(environment.exec_mode);
        *__warpfold_address_of_layout() = Layout::aligned(
            environment.reduction_buffer_length as u32,
            environment.reduction_data_size as u32,
        );
        *__warpfold_address_of_icvs() = Icvs::UNSET;
    }
}

/// What the host passed as the launch environment.
#[inline(always)]
fn launch() -> *mut LaunchEnvironment {
    // SAFETY: written before the barrier of the kernel's start, never after.
    unsafe { *__warpfold_address_of_launch() }
}

/// The records of the launch's reduction buffer.
///
/// # Safety
/// The launch has a launch environment.
#[inline(always)]
pub unsafe fn reduction_buffer() -> *mut c_void {
    // SAFETY: passed on from the caller: the host made it for this launch.
    unsafe { (*launch()).reduction_buffer }
}

/// The records of the launch's reduction buffer, and the word that counts those that are delivered, as LLVM 23 has them.
///
/// # Safety
/// The launch has more than one team, of a kernel of LLVM 23 that reduces over teams.
#[inline(always)]
pub unsafe fn reduction_of_23() -> (*mut c_void, *const Word) {
    let launch: *mut LaunchEnvironment23 = launch().cast();
    // SAFETY: passed on from the caller: the host made it for this launch.
    unsafe { ((*launch).reduction_buffer, (&raw const (*launch).delivered).cast()) }
}

/// How the launch's reduction buffer is used.
#[inline(always)]
pub fn reduction_layout() -> Layout {
    // SAFETY: written before the barrier of the kernel's start, never after.
    unsafe { *__warpfold_address_of_layout() }
}

/// The most threads that the compiler has made the kernel for.
#[inline(always)]
pub fn max_threads() -> u32 {
    // SAFETY: written before the barrier of the kernel's start, never after.
    unsafe { *__warpfold_address_of_max_threads() }
}

/// The words with which the launch's teams share its reduction buffer.
///
/// # Safety
/// The launch has a launch environment.
#[inline(always)]
pub unsafe fn reduction_control() -> Control {
    let launch = launch();
    // SAFETY: passed on from the caller.
    unsafe {
        let (delivered, tickets) = (&raw const (*launch).delivered, &raw const (*launch).tickets);
        Control { delivered: delivered.cast(), tickets: tickets.cast() }
    }
}

/// The memory of the image's slots, of [`IMAGE_SLOT_BYTES`](crate::abi::layout::IMAGE_SLOT_BYTES).
#[inline(always)]
pub fn image_slots() -> *mut c_void {
    __warpfold_address_of_image_slots()
}

/// 1 while a launch uses them, else 0.
#[inline(always)]
pub fn image_slots_in_use() -> *const Word {
    __warpfold_address_of_image_slots_in_use()
}

/// How the kernel runs: [`KernelEnvironment::exec_mode`].
#[inline(always)]
pub fn mode() -> u32 {
    // SAFETY: written before the first barrier of the kernel, never after.
    unsafe { *__warpfold_address_of_mode() }
}

/// Whether all threads run the team's code.
///
/// A call of the exported function: LLVM knows what it returns in many kernels, and replaces the call.
#[inline(always)]
pub fn is_spmd() -> bool {
    __kmpc_is_spmd_exec_mode() != 0
}

/// The ICVs. Only the initial task writes them, outside of parallel regions.
#[inline(always)]
pub fn icvs() -> *mut Icvs {
    __warpfold_address_of_icvs()
}

/// The region that the workers of generic mode are to run. The main thread writes it, between the barrier at
/// the end of one region and that at the start of the next.
#[inline(always)]
pub fn region() -> *mut Region {
    // SAFETY: an address inside the team's state.
    unsafe { addr_of_mut!((*__warpfold_team_state()).region) }
}

/// Bytes in use of the stack in which the main thread of generic mode shares variables; only that thread uses
/// it.
#[inline(always)]
pub fn shared_bytes() -> *mut u64 {
    // SAFETY: an address inside the team's state.
    unsafe { addr_of_mut!((*__warpfold_team_state()).shared_bytes) }
}

/// The dynamically scheduled loop of the region.
#[inline(always)]
pub fn dispatch() -> *mut Dispatch {
    // SAFETY: an address inside the team's state.
    unsafe { addr_of_mut!((*__warpfold_team_state()).dispatch) }
}

/// The region's loop nest whose iterations wait for each other.
#[inline(always)]
pub fn doacross() -> *mut *mut c_void {
    // SAFETY: an address inside the team's state.
    unsafe { addr_of_mut!((*__warpfold_team_state()).doacross) }
}

/// What one thread of the region hands to the others, between barriers.
#[inline(always)]
pub fn broadcast() -> *mut *mut c_void {
    // SAFETY: an address inside the team's state.
    unsafe { addr_of_mut!((*__warpfold_team_state()).broadcast) }
}

/// The nesting of the caller, thread `thread`.
#[inline(always)]
pub fn nesting(thread: u32) -> Nesting {
    // SAFETY: ids are below 1024, and a thread reads only its own.
    Nesting(unsafe { __warpfold_nesting(thread) })
}

/// Sets the nesting of the caller, thread `thread`.
#[inline(always)]
pub fn set_nesting(thread: u32, nesting: Nesting) {
    // SAFETY: as for the read.
    unsafe { __warpfold_set_nesting(thread, nesting.0) }
}

/// Threads of the outermost parallel region, where that is partial.
#[inline(always)]
pub fn partial_threads() -> u32 {
    // SAFETY: written between barriers.
    unsafe { (*__warpfold_team_state()).partial_threads }
}

/// Sets the number of threads of a partial region.
///
/// # Safety
/// One thread, with a barrier of the block before and after.
#[inline(always)]
pub unsafe fn set_partial_threads(threads: u32) {
    // SAFETY: the barriers keep the readers away.
    unsafe { (*__warpfold_team_state()).partial_threads = threads }
}
