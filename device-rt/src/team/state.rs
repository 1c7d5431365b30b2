//! What a team remembers, in the block's shared memory.
//!
//! A thread's level is its own: it alone reads and writes it, so entering and leaving a parallel
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
    /// Threads of the parallel region; 0 stands for all of the block.
    region_threads: u32,
    /// Records in the launch's reduction buffer.
    reduction_records: u32,
    level: [u8; MAX_THREADS],
}

const _: () = assert!(size_of::<Team>() == 1040);

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
            (*team).region_threads = 0;
            (*team).reduction_records = environment.reduction_buffer_length as u32;
        }
    }
    set_level(thread, 0);
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

/// Parallel regions that this thread is in, nested ones and those of one thread too.
#[inline(always)]
pub fn level(thread: u32) -> u8 {
    // SAFETY: ids are below 1024, and a thread reads its own level only.
    unsafe { addr_of_mut!((*__warpfold_team_state()).level).cast::<u8>().add(thread as usize).read() }
}

/// Sets the level of `thread`, which is the caller.
#[inline(always)]
pub fn set_level(thread: u32, level: u8) {
    // SAFETY: as for the read.
    unsafe { addr_of_mut!((*__warpfold_team_state()).level).cast::<u8>().add(thread as usize).write(level) }
}

/// Threads of the outermost parallel region.
#[inline(always)]
pub fn region_threads() -> u32 {
    // SAFETY: written between barriers.
    let threads = unsafe { (*__warpfold_team_state()).region_threads };
    if threads == 0 { id::block_threads() } else { threads }
}

/// Whether the parallel region has fewer threads than the block.
#[inline(always)]
pub fn region_is_part() -> bool {
    // SAFETY: written between barriers.
    unsafe { (*__warpfold_team_state()).region_threads != 0 }
}

/// Sets the number of threads of the parallel region; 0 stands for all of the block.
///
/// # Safety
/// Thread 0 alone, with a barrier of the block before and after.
#[inline(always)]
pub unsafe fn set_region_threads(threads: u32) {
    // SAFETY: the barriers keep the readers away.
    unsafe { (*__warpfold_team_state()).region_threads = threads }
}
