//! What a thread can ask about where it is, and what the initial task has set.

use core::ffi::c_void;

use crate::arch::id;
use crate::team::state::{self, Place, Settings};
use crate::team::worker;

/// Where the caller is.
#[inline(always)]
pub fn place() -> Place {
    state::place(id::thread())
}

/// `omp_get_thread_num`: the number in the innermost parallel region.
///
/// A nested region has one thread, and so has the team outside every region.
#[inline(always)]
pub fn thread_number() -> u32 {
    let thread = id::thread();
    if state::place(thread).is_shared() { thread } else { 0 }
}

/// `omp_get_num_threads`: the size of the innermost parallel region.
#[inline(always)]
pub fn threads() -> u32 {
    size(place())
}

/// The size of the innermost parallel region there.
#[inline(always)]
fn size(place: Place) -> u32 {
    match (place.is_shared(), place.is_in_part()) {
        (false, _) => 1,
        (true, false) => id::block_threads(),
        (true, true) => state::part_threads(),
    }
}

/// The size of the outermost parallel region of a place inside one.
#[inline(always)]
fn outermost_size(place: Place) -> u32 {
    match (place.is_alone(), place.is_in_part()) {
        (true, _) => 1,
        (false, false) => id::block_threads(),
        (false, true) => state::part_threads(),
    }
}

/// `omp_get_level`: how many regions enclose the caller; up to 15 are told apart.
#[inline(always)]
pub fn level() -> u32 {
    u32::from(place().level())
}

/// `omp_get_active_level`: how many of these have more than one thread: none or one.
#[inline(always)]
pub fn active_level() -> u32 {
    let place = place();
    (place.level() > 0 && outermost_size(place) > 1) as u32
}

/// `omp_get_ancestor_thread_num`: the caller's number, or that of the thread that it comes from, in the region
/// of this level; -1 where there is no such level.
#[inline(always)]
pub fn ancestor_thread_number(level: i32) -> i32 {
    let thread = id::thread();
    let place = state::place(thread);
    if level < 0 || level > i32::from(place.level()) {
        return -1;
    }
    if level == 1 && !place.is_alone() { thread as i32 } else { 0 }
}

/// `omp_get_team_size`: the size of the region of this level that encloses the caller; -1 where there is none.
#[inline(always)]
pub fn team_size(level: i32) -> i32 {
    let place = place();
    if level < 0 || level > i32::from(place.level()) {
        return -1;
    }
    if level == 1 { outermost_size(place) as i32 } else { 1 }
}

/// `omp_get_thread_limit`: the most threads of a parallel region of this team.
#[inline(always)]
pub fn thread_limit() -> u32 {
    if state::is_spmd() {
        return id::block_threads();
    }
    worker::workers().max(1)
}

/// `omp_get_max_threads`: the most threads of a region that the caller would start now without a
/// `num_threads` clause.
#[inline(always)]
pub fn max_threads() -> u32 {
    if place().level() > 0 {
        return 1;
    }
    // SAFETY: the initial task's own.
    let settings = unsafe { state::settings().read() };
    let limit = thread_limit();
    match (settings.flat, settings.threads) {
        (0, 0) => limit,
        (0, set) if set < limit => set,
        (0, _) => limit,
        _ => 1,
    }
}

/// Changes what the initial task has set. Inside a parallel region nothing changes: what a thread could set
/// there would concern regions of one thread alone.
#[inline(always)]
pub fn set(change: impl FnOnce(&mut Settings)) {
    if place().level() > 0 {
        return;
    }
    // SAFETY: outside of regions the main thread is alone, or all threads write the same.
    unsafe {
        let mut settings = state::settings().read();
        change(&mut settings);
        state::settings().write(settings);
    }
}

/// What the initial task has set.
#[inline(always)]
pub fn settings() -> Settings {
    // SAFETY: written outside of regions alone.
    unsafe { state::settings().read() }
}

/// The bit of `omp_sched_t` that asks for ascending chunks in each thread, which there always are.
pub const MONOTONIC: u32 = 1 << 31;

/// What libomptarget tells the device of itself: `__omp_rtl_device_environment`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct DeviceEnvironment {
    /// Bits of what to check and trace.
    pub debug: u32,
    /// How many devices the host has.
    pub devices: u32,
    /// The number of this one.
    pub device: u32,
    /// Bytes of shared memory that the host gives each block.
    pub dynamic_memory: u32,
    /// Ticks of the clock in a second.
    pub clock_frequency: u64,
    /// Pairs of a host's and a device's function, in order of the host's.
    pub indirect_calls: *const [*const c_void; 2],
    /// How many pairs there are.
    pub indirect_call_count: u64,
    /// Warps that the device runs at a time.
    pub hardware_parallelism: u64,
}

const _: () = assert!(size_of::<DeviceEnvironment>() == 48);

unsafe extern "C" {
    safe fn __warpfold_device_environment() -> *const DeviceEnvironment;
}

/// What the host said of the device.
#[inline(always)]
pub fn device() -> &'static DeviceEnvironment {
    // SAFETY: written before the first launch, never after.
    unsafe { &*__warpfold_device_environment() }
}
