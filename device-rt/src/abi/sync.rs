//! Synchronization: barriers, critical regions, locks, and constructs that one thread runs.

use core::ffi::c_void;

use super::Ident;
use super::callbacks::CopyPrivate;

symbols! {
    /// Synchronization.
    const SYNCHRONIZATION for Compilers;

    device {
        use crate::arch::atomic::{Word, Word64};
        use crate::arch::float_atomic::{Device, Fences};
        use crate::arch::warp::{active_lanes, sync_warp};
        use crate::arch::{block_sync, block_sync_divergent};
        use crate::openmp::sync::{self, lock};
        use crate::openmp::query;
    }

    /// The barrier of the parallel region, or outside every region of the team.
    fn __kmpc_barrier(location: Ident, thread: i32) {
        callers: REGION, orders: AMONG_CALLERS, result: NONE,
    } => sync::barrier();

    /// The barrier of the block, with which LLVM guards code for one thread in SPMD mode.
    fn __kmpc_barrier_simple_spmd(location: Ident, thread: i32) {
        callers: EVERY_THREAD, orders: BLOCK, result: NONE,
    } => block_sync();

    /// The barrier between main thread and workers, in the workers' loop that LLVM makes.
    fn __kmpc_barrier_simple_generic(location: Ident, thread: i32) {
        callers: "main thread and workers, each where it is", orders: AMONG_CALLERS, result: NONE,
    } => block_sync_divergent();

    /// __kmpc_barrier; nothing is ever cancelled.
    fn __kmpc_cancel_barrier(location: Ident, thread: i32) -> i32 {
        callers: REGION, orders: AMONG_CALLERS, result: "0, returned to each caller",
    } => {
        sync::barrier();
        0
    };

    /// 0: nothing is ever cancelled.
    ///
    /// `OMP_CANCELLATION` is false on the device.
    fn __kmpc_cancel(location: Ident, thread: i32, kind: i32) -> i32 => 0;

    /// 0: nothing is ever cancelled.
    fn __kmpc_cancellationpoint(location: Ident, thread: i32, kind: i32) -> i32 => 0;

    /// Orders the caller's memory accesses, as all threads of the device see them.
    fn __kmpc_flush(location: Ident) {
        callers: ALONE, orders: "all memory, for the caller, in one order with all other flushes",
        result: NONE,
    } => Device::total_fence();

    /// Enters a critical region: waits until no other thread is in it.
    ///
    /// The compiler serializes the lanes of a warp.
    ///
    /// # Safety
    /// `name` is the critical region's, 8 words that were 0 at the start of the program.
    unsafe fn __kmpc_critical(location: Ident, thread: i32, name: *mut i32) {
        callers: ONE_LANE, orders: LOCK_TAKEN, result: NONE,
    } => lock::set(name.cast::<Word>());

    /// __kmpc_critical; hints have no effect.
    ///
    /// # Safety
    /// As for `__kmpc_critical`.
    unsafe fn __kmpc_critical_with_hint(location: Ident, thread: i32, name: *mut i32, hint: u32) {
        callers: ONE_LANE, orders: LOCK_TAKEN, result: NONE,
    } => lock::set(name.cast::<Word>());

    /// Leaves a critical region.
    ///
    /// # Safety
    /// As for `__kmpc_critical`, and the caller is in the region.
    unsafe fn __kmpc_end_critical(location: Ident, thread: i32, name: *mut i32) {
        callers: "the thread in the region", orders: LOCK_GIVEN, result: NONE,
    } => lock::unset(name.cast::<Word>());

    /// Whether the caller is thread 0 of the region.
    fn __kmpc_master(location: Ident, thread: i32) -> i32 => (query::thread_number() == 0) as i32;

    /// Whether the caller is the thread of this number.
    fn __kmpc_masked(location: Ident, thread: i32, filter: i32) -> i32
        => (query::thread_number() == filter as u32) as i32;

    /// 1 in one thread of the region, thread 0.
    fn __kmpc_single(location: Ident, thread: i32) -> i32 => (query::thread_number() == 0) as i32;

    /// Does nothing.
    fn __kmpc_end_master(location: Ident, thread: i32) => {};

    /// Does nothing.
    fn __kmpc_end_masked(location: Ident, thread: i32) => {};

    /// Does nothing.
    fn __kmpc_end_single(location: Ident, thread: i32) => {};

    /// Does nothing: one thread runs a loop with ordered regions, in order.
    fn __kmpc_ordered(location: Ident, thread: i32) => {};

    /// Does nothing: one thread runs a loop with ordered regions, in order.
    fn __kmpc_end_ordered(location: Ident, thread: i32) => {};

    /// Calls copy(own list, list of the thread with did_it) in all other threads of the region.
    ///
    /// # Safety
    /// As for [`sync::copy_private`].
    #[unsafe(link_section = ".without_lines")]
    unsafe fn __kmpc_copyprivate(
        location: Ident, thread: i32, bytes: u64, list: *mut c_void, copy: CopyPrivate, did_it: i32,
    ) {
        callers: REGION, orders: AMONG_CALLERS, result: NONE,
    } => sync::copy_private(list, bytes / size_of::<*mut c_void>() as u64, copy, did_it != 0);

    /// The lanes that run this call together.
    fn __kmpc_warp_active_thread_mask() -> u64 => u64::from(active_lanes());

    /// Waits for the lanes of the mask, the low 32 bits.
    ///
    /// # Safety
    /// As for [`sync_warp`].
    unsafe fn __kmpc_syncwarp(mask: u64) {
        callers: "the lanes of the mask", orders: AMONG_CALLERS, result: NONE,
    } => sync_warp(mask as u32);
}

symbols! {
    /// Locks: omp_lock_t and omp_nest_lock_t have the size of a pointer.
    const LOCKS for Programs;

    /// Makes a lock that no thread holds.
    ///
    /// # Safety
    /// As for [`lock::init`].
    unsafe fn omp_init_lock(lock: *mut c_void) => lock::init(lock.cast::<Word64>());

    /// Makes a lock that no thread holds; hints have no effect.
    ///
    /// # Safety
    /// As for [`lock::init`].
    unsafe fn omp_init_lock_with_hint(lock: *mut c_void, hint: u32) => lock::init(lock.cast::<Word64>());

    /// Destroys a lock.
    ///
    /// # Safety
    /// As for [`lock::init`].
    unsafe fn omp_destroy_lock(lock: *mut c_void) => lock::init(lock.cast::<Word64>());

    /// Waits for the lock and takes it.
    ///
    /// # Safety
    /// As for [`lock::set`].
    unsafe fn omp_set_lock(lock: *mut c_void) {
        callers: ALONE, orders: LOCK_TAKEN, result: NONE,
    } => lock::set(lock.cast::<Word>());

    /// Releases the lock.
    ///
    /// # Safety
    /// As for [`lock::unset`].
    unsafe fn omp_unset_lock(lock: *mut c_void) {
        callers: LOCK_HOLDER, orders: LOCK_GIVEN, result: NONE,
    } => lock::unset(lock.cast::<Word>());

    /// Takes the lock if no thread holds it; returns whether the caller holds it now.
    ///
    /// # Safety
    /// As for [`lock::test`].
    unsafe fn omp_test_lock(lock: *mut c_void) -> i32 {
        callers: ALONE, orders: "if taken, what the last holder did happens before what the caller does next",
        result: EACH,
    } => lock::test(lock.cast::<Word>()) as i32;

    /// Makes a nestable lock that no thread holds.
    ///
    /// # Safety
    /// As for [`lock::init`].
    unsafe fn omp_init_nest_lock(lock: *mut c_void) => lock::init(lock.cast::<Word64>());

    /// Makes a nestable lock that no thread holds; hints have no effect.
    ///
    /// # Safety
    /// As for [`lock::init`].
    unsafe fn omp_init_nest_lock_with_hint(lock: *mut c_void, hint: u32) => lock::init(lock.cast::<Word64>());

    /// Destroys a nestable lock.
    ///
    /// # Safety
    /// As for [`lock::init`].
    unsafe fn omp_destroy_nest_lock(lock: *mut c_void) => lock::init(lock.cast::<Word64>());

    /// Waits for the nestable lock and takes it once more.
    ///
    /// # Safety
    /// As for [`lock::set_nested`].
    unsafe fn omp_set_nest_lock(lock: *mut c_void) {
        callers: ALONE, orders: LOCK_TAKEN, result: NONE,
    } => lock::set_nested(lock.cast::<Word64>());

    /// Releases the nestable lock once.
    ///
    /// # Safety
    /// As for [`lock::unset_nested`].
    unsafe fn omp_unset_nest_lock(lock: *mut c_void) {
        callers: LOCK_HOLDER, orders: LOCK_GIVEN, result: NONE,
    } => lock::unset_nested(lock.cast::<Word64>());

    /// Takes the nestable lock if no other thread holds it; returns how many times the caller holds it then.
    ///
    /// # Safety
    /// As for [`lock::test_nested`].
    unsafe fn omp_test_nest_lock(lock: *mut c_void) -> i32 {
        callers: ALONE, orders: "if taken, what the last holder did happens before what the caller does next",
        result: EACH,
    } => lock::test_nested(lock.cast::<Word64>());
}
