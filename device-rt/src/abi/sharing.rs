//! Variables that threads share.

use core::ffi::c_void;

use crate::shared::dynamic_shared_mem;
use crate::team::{sharing, state};

/// [`sharing::allocate`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_alloc_shared(bytes: u64) -> *mut c_void {
    sharing::allocate(bytes)
}

/// [`sharing::release`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_free_shared(memory: *mut c_void, _bytes: u64) {
    // SAFETY: the caller's contract is the same.
    unsafe { sharing::release(memory) }
}

/// Room for the addresses of so many variables, which workers find with [`__kmpc_get_shared_variables`].
///
/// # Safety
/// The main thread, outside of parallel regions; `variables` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_begin_sharing_variables(variables: *mut *mut *mut c_void, count: u64) {
    let shared = sharing::allocate(count * size_of::<*mut c_void>() as u64).cast();
    // SAFETY: passed on from the caller: the workers wait.
    unsafe {
        (*state::region()).captured = shared;
        variables.write(shared);
    }
}

/// Gives that room back.
///
/// # Safety
/// After [`__kmpc_begin_sharing_variables`], in the same thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_end_sharing_variables() {
    // SAFETY: passed on from the caller.
    unsafe { sharing::release((*state::region()).captured.cast()) }
}

/// Where the captured values of the parallel region are.
///
/// # Safety
/// A worker in a parallel region; `variables` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_get_shared_variables(variables: *mut *mut *mut c_void) {
    // SAFETY: written before the barrier at the region's start.
    unsafe { variables.write((*state::region()).captured) }
}

macro_rules! dynamic {
    ($($name:ident)*) => {$(
        /// [`dynamic_shared_mem`].
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() -> *mut c_void {
            dynamic_shared_mem()
        }
    )*};
}

dynamic! { __kmpc_get_dynamic_shared llvm_omp_get_dynamic_shared llvm_omp_target_dynamic_shared_alloc }
