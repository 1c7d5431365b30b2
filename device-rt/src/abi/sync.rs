//! Synchronisation.

use core::ffi::c_void;

use super::Ident;
use crate::arch::atomic::Word;
use crate::arch::cell::{Device, Fences};
use crate::arch::warp::{active_lanes, sync_warp};
use crate::arch::{block_sync, block_sync_divergent};
use crate::sync::lock;
use crate::{query, sync};

/// [`sync::barrier`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_barrier(_location: Ident, _thread_number: i32) {
    sync::barrier()
}

/// [`sync::barrier`]. Nothing is ever cancelled.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_cancel_barrier(_location: Ident, _thread_number: i32) -> i32 {
    sync::barrier();
    0
}

/// [`block_sync`]: LLVM guards the code of one thread with it where all threads run a team's code.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_barrier_simple_spmd(_location: Ident, _thread_number: i32) {
    block_sync()
}

/// [`block_sync_divergent`]: the barrier between the main thread and the workers that LLVM makes.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_barrier_simple_generic(_location: Ident, _thread_number: i32) {
    block_sync_divergent()
}

/// Nothing is ever cancelled: `OMP_CANCELLATION` is false on the device.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_cancel(_location: Ident, _thread_number: i32, _kind: i32) -> i32 {
    0
}

/// Nothing is ever cancelled.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_cancellationpoint(_location: Ident, _thread_number: i32, _kind: i32) -> i32 {
    0
}

/// A fence of the device, in one order with all others.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_flush(_location: Ident) {
    Device::total_fence()
}

/// [`lock::set`]. The compiler lets the lanes of a warp come one after the other.
///
/// # Safety
/// `name` is the critical region's, 8 words that were 0 at the start of the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_critical(_location: Ident, _thread_number: i32, name: *mut [i32; 8]) {
    // SAFETY: passed on from the caller.
    unsafe { lock::set(name.cast::<Word>()) }
}

/// [`lock::set`]: hints change nothing.
///
/// # Safety
/// As for [`__kmpc_critical`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_critical_with_hint(
    _location: Ident,
    _thread_number: i32,
    name: *mut [i32; 8],
    _hint: u32,
) {
    // SAFETY: passed on from the caller.
    unsafe { lock::set(name.cast::<Word>()) }
}

/// [`lock::unset`].
///
/// # Safety
/// As for [`__kmpc_critical`], and the caller is in the region.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_end_critical(_location: Ident, _thread_number: i32, name: *mut [i32; 8]) {
    // SAFETY: passed on from the caller.
    unsafe { lock::unset(name.cast::<Word>()) }
}

/// 1 in the first thread of the region.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_master(_location: Ident, _thread_number: i32) -> i32 {
    (query::thread_number() == 0) as i32
}

/// 1 in the thread of this number.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_masked(_location: Ident, _thread_number: i32, filter: i32) -> i32 {
    (query::thread_number() == filter as u32) as i32
}

/// 1 in one thread of the region: the first.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_single(_location: Ident, _thread_number: i32) -> i32 {
    (query::thread_number() == 0) as i32
}

macro_rules! nothing {
    ($($name:ident)*) => {$(
        /// Nothing is left to do.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(_location: Ident, _thread_number: i32) {}
    )*};
}

// One thread has a loop with `ordered` regions (workshare/dynamic.rs): they are in order by themselves.
nothing! { __kmpc_end_master __kmpc_end_masked __kmpc_end_single __kmpc_ordered __kmpc_end_ordered }

/// [`sync::copy_private`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_copyprivate(
    _location: Ident,
    _thread_number: i32,
    bytes: u64,
    list: *mut c_void,
    copy: unsafe extern "C" fn(*mut c_void, *mut c_void),
    did_it: i32,
) {
    // SAFETY: the caller's contract is the same.
    unsafe { sync::copy_private(list, bytes / size_of::<*mut c_void>() as u64, copy, did_it != 0) }
}

/// [`active_lanes`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_warp_active_thread_mask() -> u64 {
    u64::from(active_lanes())
}

/// [`sync_warp`] of the mask's low 32 bits.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_syncwarp(mask: u64) {
    // SAFETY: passed on from the caller.
    unsafe { sync_warp(mask as u32) }
}
