//! What a team remembers, in the block's shared memory.
//!
//! A thread's place is its own: it alone reads and writes it, so entering and leaving a parallel
//! region takes no barrier for it. The rest is the team's, written by thread 0 between barriers.

use core::ffi::c_void;
use core::ptr::addr_of_mut;

use super::kernel::{KernelEnvironment, LaunchEnvironment};
use crate::arch::id;
use crate::reduce::grid::Control;

/// The most threads of a block.
const MAX_THREADS: usize = 1024;

/// The team's part of shared memory: `__warpfold_team` of arch/state.ll.
#[repr(C)]
struct Team {
    launch: *mut LaunchEnvironment,
    /// Threads of a parallel region that is a part of the block.
    part_threads: u32,
    /// Records in the launch's reduction buffer.
    reduction_records: u32,
    /// The most threads that the compiler has made the kernel for.
    max_threads: u32,
    reserved: u32,
    place: [Place; MAX_THREADS],
}

/// Where a thread is: the parallel regions that it is in, nested ones and those of one thread too, and
/// whether the outermost is a part of the block. One byte, because barriers and queries begin with it: a
/// single load tells the usual places, outside every region and in one of the whole block, from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Place(u8);

impl Place {
    /// Outside every parallel region.
    pub const OUTSIDE: Place = Place(0);

    /// In a parallel region of all threads of the block, and no other.
    pub const WHOLE_BLOCK: Place = Place(1);

    /// In a parallel region of some threads of the block, and no other.
    pub const PART: Place = Place(1 | Place::IN_PART);

    const IN_PART: u8 = 0x80;

    /// How many regions the thread is in; up to 127 are told apart.
    #[inline(always)]
    pub fn level(self) -> u8 {
        self.0 & !Place::IN_PART
    }

    /// In one more region, of one thread.
    #[inline(always)]
    pub fn nested(self) -> Place {
        Place(self.0 + (self.level() < !Place::IN_PART) as u8)
    }
}

const _: () = assert!(size_of::<Team>() == 1048);

unsafe extern "C" {
    safe fn __warpfold_team_state() -> *mut Team;
}

/// A new team, as thread `thread` makes its part of it.
///
/// # Safety
/// Every thread of the block calls this once, and a barrier follows before anything is read.
#[inline(always)]
pub unsafe fn start(thread: u32, environment: &KernelEnvironment, launch: *mut LaunchEnvironment) {
    let team = __warpfold_team_state();
    // SAFETY: thread 0 alone writes these, nobody reads before the barrier.
    unsafe {
        if thread == 0 {
            (*team).launch = launch;
            (*team).reduction_records = environment.reduction_buffer_length as u32;
            (*team).max_threads = environment.max_threads as u32;
        }
    }
    set_place(thread, Place::OUTSIDE);
}

/// The launch environment, or null.
#[inline(always)]
fn launch() -> *mut LaunchEnvironment {
    // SAFETY: written before the barrier of the kernel's start, never after.
    unsafe { (*__warpfold_team_state()).launch }
}

/// The records of the launch's reduction buffer; null where the launch has none.
#[inline(always)]
pub fn reduction_buffer() -> *mut c_void {
    let launch = launch();
    if launch.is_null() {
        return core::ptr::null_mut();
    }
    // SAFETY: the host made it for this launch.
    unsafe { (*launch).reduction_buffer }
}

/// How many records the launch's reduction buffer has.
#[inline(always)]
pub fn reduction_records() -> u32 {
    // SAFETY: written before the barrier of the kernel's start, never after.
    unsafe { (*__warpfold_team_state()).reduction_records }
}

/// The most threads that the compiler has made the kernel for.
#[inline(always)]
pub fn max_threads() -> u32 {
    // SAFETY: written before the barrier of the kernel's start, never after.
    unsafe { (*__warpfold_team_state()).max_threads }
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

/// Where the caller, thread `thread`, is.
#[inline(always)]
pub fn place(thread: u32) -> Place {
    // SAFETY: ids are below 1024, and a thread reads its own place only.
    unsafe { addr_of_mut!((*__warpfold_team_state()).place).cast::<Place>().add(thread as usize).read() }
}

/// Sets where the caller, thread `thread`, is.
#[inline(always)]
pub fn set_place(thread: u32, place: Place) {
    // SAFETY: as for the read.
    unsafe {
        addr_of_mut!((*__warpfold_team_state()).place).cast::<Place>().add(thread as usize).write(place)
    }
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
/// Thread 0 alone, with a barrier of the block before and after.
#[inline(always)]
pub unsafe fn set_part_threads(threads: u32) {
    // SAFETY: the barriers keep the readers away.
    unsafe { (*__warpfold_team_state()).part_threads = threads }
}
