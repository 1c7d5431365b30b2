//! Queries: numbers of threads and teams, nesting, ICVs.

use core::ffi::c_void;

use crate::abi::layout::DeviceEnvironment;
use crate::arch::id;
use crate::openmp::team::state::{self, Icvs, Nesting};
use crate::openmp::team::worker;

/// The caller's nesting.
#[inline(always)]
pub fn nesting() -> Nesting {
    state::nesting(id::thread())
}

/// `omp_get_thread_num`: the number in the innermost parallel region.
///
/// A nested region has one thread, and so has the team outside every region.
#[inline(always)]
pub fn thread_number() -> u32 {
    let thread = id::thread();
    if state::nesting(thread).is_shared() { thread } else { 0 }
}

/// `omp_get_num_threads`: the size of the innermost parallel region.
#[inline(always)]
pub fn threads() -> u32 {
    size(nesting())
}

/// The size of the innermost parallel region.
#[inline(always)]
fn size(nesting: Nesting) -> u32 {
    match (nesting.is_shared(), nesting.is_partial()) {
        (false, _) => 1,
        (true, false) => id::block_threads(),
        (true, true) => state::partial_threads(),
    }
}

/// The size of the outermost parallel region, inside one.
#[inline(always)]
fn outermost_size(nesting: Nesting) -> u32 {
    match (nesting.is_main_thread(), nesting.is_partial()) {
        (true, _) => 1,
        (false, false) => id::block_threads(),
        (false, true) => state::partial_threads(),
    }
}

/// `omp_get_level`: the number of regions that enclose the caller.
#[inline(always)]
pub fn level() -> u32 {
    nesting().level()
}

/// `omp_get_active_level`: the number of these with more than one thread: 0 or 1.
#[inline(always)]
pub fn active_level() -> u32 {
    let nesting = nesting();
    (nesting.level() > 0 && outermost_size(nesting) > 1) as u32
}

/// `omp_get_ancestor_thread_num`: the number, in the region of this level, of the caller or of its ancestor;
/// -1 where there is no such level.
#[inline(always)]
pub fn ancestor_thread_number(level: i32) -> i32 {
    let thread = id::thread();
    let nesting = state::nesting(thread);
    if level < 0 || level > nesting.level() as i32 {
        return -1;
    }
    if level == 1 && !nesting.is_main_thread() { thread as i32 } else { 0 }
}

/// `omp_get_team_size`: the size of the region of this level that encloses the caller; -1 where there is
/// none.
#[inline(always)]
pub fn team_size(level: i32) -> i32 {
    let nesting = nesting();
    if level < 0 || level > nesting.level() as i32 {
        return -1;
    }
    if level == 1 { outermost_size(nesting) as i32 } else { 1 }
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
    if nesting().level() > 0 {
        return 1;
    }
    // SAFETY: the initial task's own.
    let icvs = unsafe { state::icvs().read() };
    let limit = thread_limit();
    match (icvs.serial, icvs.threads) {
        (0, 0) => limit,
        (0, set) if set < limit => set,
        (0, _) => limit,
        _ => 1,
    }
}

/// Changes the ICVs. Inside a parallel region nothing changes: what a thread could set there would only
/// concern regions of one thread.
#[inline(always)]
pub fn set(change: impl FnOnce(&mut Icvs)) {
    if nesting().level() > 0 {
        return;
    }
    // SAFETY: outside of regions the main thread is alone, or all threads write the same.
    unsafe {
        let mut icvs = state::icvs().read();
        change(&mut icvs);
        state::icvs().write(icvs);
    }
}

/// The ICVs.
#[inline(always)]
pub fn icvs() -> Icvs {
    // SAFETY: they are written outside of regions only.
    unsafe { state::icvs().read() }
}

/// The bit of `omp_sched_t` that asks for ascending chunks in each thread, which there always are.
pub const MONOTONIC: u32 = 1 << 31;

unsafe extern "C" {
    safe fn __warpfold_device_environment() -> *const DeviceEnvironment;
}

/// What the host has written about the device.
#[inline(always)]
pub fn device() -> &'static DeviceEnvironment {
    // SAFETY: written before the first launch, never after.
    unsafe { &*__warpfold_device_environment() }
}

/// The device function that stands for a host function: what the program's table has, or the same pointer.
///
/// # Safety
/// The table is the host's, in the order of its functions' addresses.
#[inline(always)]
pub unsafe fn device_function(function: *const c_void) -> *const c_void {
    let device = device();
    let (mut from, mut to) = (0, device.indirect_call_count);
    while from < to {
        let middle = from + (to - from) / 2;
        // SAFETY: below the number of pairs.
        let [host, own] = unsafe { device.indirect_calls.add(middle as usize).read() };
        if host == function {
            return own;
        }
        if host.addr() < function.addr() {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    function
}
