//! Memory that a team shares.

use core::ffi::c_void;

symbols! {
    /// Memory that a team shares.
    const SHARING for Compilers;

    device {
        use crate::arch::shared::dynamic_shared_mem;
        use crate::openmp::team::{sharing, state};
    }

    /// Allocates memory that the whole team can reach, aligned to 16 bytes; released in reverse order.
    fn __kmpc_alloc_shared(bytes: u64) -> *mut c_void => sharing::allocate(bytes);

    /// Releases what __kmpc_alloc_shared returned.
    ///
    /// # Safety
    /// As for [`sharing::release`].
    unsafe fn __kmpc_free_shared(memory: *mut c_void, bytes: u64) => sharing::release(memory);

    /// Allocates an array for the addresses of count captured values; its address goes to *variables.
    ///
    /// # Safety
    /// The main thread, outside of parallel regions; `variables` is valid.
    unsafe fn __kmpc_begin_sharing_variables(variables: *mut c_void, count: u64) {
        callers: MAIN_THREAD, orders: NOTHING, result: NONE,
    } => {
        let shared = sharing::allocate(count * size_of::<*mut c_void>() as u64).cast();
        // The workers wait: nobody reads it now.
        (*state::region()).captured = shared;
        variables.cast::<*mut *mut c_void>().write(shared);
    };

    /// Releases that array.
    ///
    /// # Safety
    /// After `__kmpc_begin_sharing_variables`, in the same thread.
    unsafe fn __kmpc_end_sharing_variables() {
        callers: MAIN_THREAD, orders: NOTHING, result: NONE,
    } => sharing::release((*state::region()).captured.cast());

    /// The address of the region's array of captured values, in *variables.
    ///
    /// # Safety
    /// A worker in a parallel region; `variables` is valid.
    unsafe fn __kmpc_get_shared_variables(variables: *mut c_void) {
        callers: WORKER, orders: NOTHING, result: NONE,
    } => {
        // Written before the barrier at the region's start.
        variables.cast::<*mut *mut c_void>().write((*state::region()).captured)
    };

    /// The shared memory that the launch gives each block, aligned to 16 bytes.
    fn __kmpc_get_dynamic_shared() -> *mut c_void => dynamic_shared_mem();
}

symbols! {
    /// The shared memory of a launch.
    const DYNAMIC_SHARED for Programs;

    /// The shared memory that the launch gives each block, aligned to 16 bytes.
    fn llvm_omp_target_dynamic_shared_alloc() -> *mut c_void => dynamic_shared_mem();

    /// llvm_omp_target_dynamic_shared_alloc by its older name.
    fn llvm_omp_get_dynamic_shared() -> *mut c_void => dynamic_shared_mem();
}
