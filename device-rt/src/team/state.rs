//! What a team remembers, in the block's shared memory.
//!
//! A thread's place is its own: it alone reads and writes it, so entering and leaving a parallel
//! region takes no barrier for it. The rest is the team's, written by thread 0 between barriers.

use core::ffi::c_void;
use core::mem::offset_of;
use core::ptr::addr_of_mut;

use super::kernel::{KernelEnvironment, LaunchEnvironment};
use crate::arch::id;
use crate::reduce::grid::Control;
use crate::reduce::list::Layout;
use crate::workshare::Dispatch;

/// The most threads of a block.
const MAX_THREADS: usize = 1024;

/// The team's part of shared memory: `__warpfold_team` of arch/state.ll.
#[repr(C)]
struct Team {
    launch: *mut LaunchEnvironment,
    /// Threads of a parallel region that is a part of the block.
    part_threads: u32,
    /// The most threads that the compiler has made the kernel for.
    max_threads: u16,
    /// How the kernel runs: [`KernelEnvironment::exec_mode`].
    mode: u16,
    /// How the launch's reduction buffer is used.
    layout: Layout,
    settings: Settings,
    region: Region,
    /// Bytes of the scratch memory in which the main thread shares variables.
    shared_bytes: u64,
    /// The loop that the threads of the region take chunks of.
    dispatch: Dispatch,
    /// The loop whose iterations wait for each other; null outside one.
    doacross: *mut c_void,
    /// What the thread of a `single` construct hands to the others.
    broadcast: *mut c_void,
    place: [Place; MAX_THREADS],
}

/// What the initial task of the team has set for what it starts: internal control variables of OpenMP.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Settings {
    /// Threads of parallel regions without a `num_threads` clause; 0 where nothing is set.
    pub threads: u32,
    /// Whether no parallel region has more than one thread (`max-active-levels-var` is 0).
    pub flat: u32,
    /// What `schedule(runtime)` means: a value of `omp_sched_t`, 0 where nothing is set.
    pub schedule: u32,
    /// Its chunk; 0 or less stands for the default.
    pub chunk: i32,
}

impl Settings {
    const UNSET: Settings = Settings { threads: 0, flat: 0, schedule: 0, chunk: 0 };
}

/// What the main thread tells the workers of a parallel region in generic mode.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Region {
    /// What the workers call; null tells them to leave.
    pub work: Work,
    /// The captured values, which the workers ask for.
    pub captured: *mut *mut c_void,
}

/// `(0, number of the thread)`: asks for the captured values and calls the outlined function with them.
/// Compilers make one for each outlined function that may run in generic mode.
pub type Work = *const c_void;

const IN_TASK: u8 = Place::TASK | Place::FINAL;

/// Where a thread is: the parallel regions that it is in, nested ones and those of one thread too, and
/// whether the outermost is a part of the block. One byte, because barriers and queries begin with it: a
/// single load tells the usual places, outside every region and in one of the whole block, from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Place(u8);

impl Place {
    /// Outside every parallel region, as all threads of the block are in SPMD mode.
    pub const OUTSIDE: Place = Place(0);

    /// Outside every parallel region, as the main thread is in generic mode, alone.
    pub const ALONE: Place = Place(Place::MAIN);

    /// In a parallel region of all threads of the block, and no other.
    pub const WHOLE_BLOCK: Place = Place(1);

    /// In a parallel region of some threads of the block, and no other.
    pub const PART: Place = Place(1 | Place::IN_PART);

    const IN_PART: u8 = 0x80;
    /// The main thread of generic mode, outside of regions that it shares with workers.
    const MAIN: u8 = 0x40;
    /// In an explicit task.
    const TASK: u8 = 0x20;
    /// In a final task.
    const FINAL: u8 = 0x10;
    const LEVELS: u8 = 0x0f;

    /// How many regions the thread is in; up to 15 are told apart.
    #[inline(always)]
    pub fn level(self) -> u8 {
        self.0 & Place::LEVELS
    }

    /// In one more region, of one thread.
    #[inline(always)]
    pub fn nested(self) -> Place {
        Place((self.0 & !IN_TASK) + (self.level() < Place::LEVELS) as u8)
    }

    /// In an explicit task.
    #[inline(always)]
    pub fn in_task(self, is_final: bool) -> Place {
        Place(self.0 | if is_final { IN_TASK } else { Place::TASK })
    }

    /// Whether it is in an explicit task of the innermost region.
    #[inline(always)]
    pub fn is_in_task(self) -> bool {
        self.0 & Place::TASK != 0
    }

    /// Whether that task, or one around it, is final.
    #[inline(always)]
    pub fn is_in_final(self) -> bool {
        self.0 & Place::FINAL != 0
    }

    /// In one region less, outside of tasks.
    #[inline(always)]
    pub fn outer(self) -> Place {
        Place((self.0 & !IN_TASK) - (self.level() > 0) as u8)
    }

    /// As a number, for [`from_bits`](Self::from_bits).
    #[inline(always)]
    pub fn bits(self) -> u64 {
        u64::from(self.0)
    }

    /// The place whose number this is.
    #[inline(always)]
    pub fn from_bits(bits: u64) -> Place {
        Place(bits as u8)
    }

    /// Whether the thread is the main one of generic mode, and no worker is with it.
    #[inline(always)]
    pub fn is_alone(self) -> bool {
        self.0 & Place::MAIN != 0
    }

    /// Whether it is in one region, the threads of the block or a part of them, and no other.
    #[inline(always)]
    pub fn is_shared(self) -> bool {
        self.0 & (Place::MAIN | Place::LEVELS) == 1
    }

    /// Whether the outermost region is that of some threads of the block.
    #[inline(always)]
    pub fn is_in_part(self) -> bool {
        self.0 & Place::IN_PART != 0
    }
}

// state.ll has the same figures.
const _: () = assert!(size_of::<Team>() == 1144 && offset_of!(Team, place) == 120);

unsafe extern "C" {
    safe fn __warpfold_team_state() -> *mut Team;
    safe fn __kmpc_is_spmd_exec_mode() -> i8;
    safe fn __warpfold_no_launch_environment() -> *mut LaunchEnvironment;
    fn __warpfold_place(thread: u32) -> u8;
    fn __warpfold_set_place(thread: u32, place: u8);
}

/// A new team in SPMD mode, as thread `thread` makes its part of it.
///
/// # Safety
/// Every thread of the block calls this once, and a barrier follows before anything is read.
#[inline(always)]
pub unsafe fn start(thread: u32, environment: &KernelEnvironment, launch: *mut LaunchEnvironment) {
    if thread == 0 {
        // SAFETY: thread 0 alone writes these, nobody reads before the barrier.
        unsafe { describe(environment, launch) };
    }
    set_place(thread, Place::OUTSIDE);
}

/// A new team in generic mode, as its main thread, `thread`, makes it.
///
/// # Safety
/// The main thread calls this once, before it meets the workers at a barrier.
#[inline(always)]
pub unsafe fn start_alone(thread: u32, environment: &KernelEnvironment, launch: *mut LaunchEnvironment) {
    // SAFETY: the others read nothing before that barrier.
    unsafe {
        describe(environment, launch);
        (*__warpfold_team_state()).shared_bytes = 0;
    }
    set_place(thread, Place::ALONE);
}

/// # Safety
/// One thread, before any reads.
#[inline(always)]
unsafe fn describe(environment: &KernelEnvironment, launch: *mut LaunchEnvironment) {
    let team = __warpfold_team_state();
    // SAFETY: passed on from the caller.
    unsafe {
        (*team).launch = launch;
        (*team).max_threads = environment.max_threads as u16;
        (*team).mode = u16::from(environment.exec_mode);
        (*team).layout = Layout::aligned(
            environment.reduction_buffer_length as u32,
            environment.reduction_data_size as u32,
        );
        (*team).settings = Settings::UNSET;
    }
}

/// What stands for the launch environment of a launch that has none: zeros, which nobody writes.
#[inline(always)]
pub fn no_launch() -> *mut LaunchEnvironment {
    __warpfold_no_launch_environment()
}

/// The launch environment, or [`no_launch`].
#[inline(always)]
fn launch() -> *mut LaunchEnvironment {
    // SAFETY: written before the barrier of the kernel's start, never after.
    unsafe { (*__warpfold_team_state()).launch }
}

/// The records of the launch's reduction buffer; null where the launch has none.
#[inline(always)]
pub fn reduction_buffer() -> *mut c_void {
    // SAFETY: the host made it for this launch, or it is a constant.
    unsafe { (*launch()).reduction_buffer }
}

/// How the launch's reduction buffer is used.
#[inline(always)]
pub fn reduction_layout() -> Layout {
    // SAFETY: written before the barrier of the kernel's start, never after.
    unsafe { (*__warpfold_team_state()).layout }
}

/// The most threads that the compiler has made the kernel for.
#[inline(always)]
pub fn max_threads() -> u32 {
    // SAFETY: written before the barrier of the kernel's start, never after.
    unsafe { u32::from((*__warpfold_team_state()).max_threads) }
}

/// The words with which the launch's teams share its reduction buffer.
///
/// # Safety
/// The launch has a launch environment.
#[inline(always)]
pub unsafe fn reduction_control() -> Control {
    let launch = launch();
    // SAFETY: passed on from the caller.
    unsafe { Control { delivered: &raw const (*launch).delivered, tickets: &raw const (*launch).tickets } }
}

/// How the kernel runs: [`KernelEnvironment::exec_mode`].
#[inline(always)]
pub fn mode() -> u32 {
    // SAFETY: written before the first barrier of the kernel, never after.
    unsafe { u32::from((*__warpfold_team_state()).mode) }
}

/// Whether all threads run the team's code.
///
/// Asks by a call of the exported function: LLVM knows the answer for many kernels, and puts it there.
#[inline(always)]
pub fn is_spmd() -> bool {
    __kmpc_is_spmd_exec_mode() != 0
}

/// What the initial task has set. Written by it alone, outside of parallel regions.
#[inline(always)]
pub fn settings() -> *mut Settings {
    // SAFETY: an address inside the team's state.
    unsafe { addr_of_mut!((*__warpfold_team_state()).settings) }
}

/// What the workers of generic mode are to do. Written by the main thread, between the barrier at the end
/// of one region and that at the start of the next.
#[inline(always)]
pub fn region() -> *mut Region {
    // SAFETY: an address inside the team's state.
    unsafe { addr_of_mut!((*__warpfold_team_state()).region) }
}

/// Bytes in use of the memory where the main thread of generic mode shares variables; its own alone.
#[inline(always)]
pub fn shared_bytes() -> *mut u64 {
    // SAFETY: an address inside the team's state.
    unsafe { addr_of_mut!((*__warpfold_team_state()).shared_bytes) }
}

/// The loop that the threads of the region take chunks of.
#[inline(always)]
pub fn dispatch() -> *mut Dispatch {
    // SAFETY: an address inside the team's state.
    unsafe { addr_of_mut!((*__warpfold_team_state()).dispatch) }
}

/// Where the region's loop whose iterations wait for each other is kept.
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

/// Where the caller, thread `thread`, is.
#[inline(always)]
pub fn place(thread: u32) -> Place {
    // SAFETY: ids are below 1024, and a thread reads its own place only.
    Place(unsafe { __warpfold_place(thread) })
}

/// Sets where the caller, thread `thread`, is.
#[inline(always)]
pub fn set_place(thread: u32, place: Place) {
    // SAFETY: as for the read.
    unsafe { __warpfold_set_place(thread, place.0) }
}

/// Threads of the outermost parallel region, where that is a part of the block.
#[inline(always)]
pub fn part_threads() -> u32 {
    // SAFETY: written between barriers.
    unsafe { (*__warpfold_team_state()).part_threads }
}

/// Sets the number of threads of a parallel region that is a part of the block.
///
/// # Safety
/// One thread, with a barrier of the block before and after.
#[inline(always)]
pub unsafe fn set_part_threads(threads: u32) {
    // SAFETY: the barriers keep the readers away.
    unsafe { (*__warpfold_team_state()).part_threads = threads }
}
