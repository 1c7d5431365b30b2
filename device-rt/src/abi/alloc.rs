//! Memory that programs ask for.

use core::ffi::c_void;

use crate::alloc::{self, DEFAULT, Handle, Trait};

/// The allocator of a call that names none.
#[inline(always)]
fn named(allocator: Handle) -> Handle {
    if allocator == alloc::NULL { DEFAULT } else { allocator }
}

macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $ty:ty),*) $(-> $ret:ty)? = $body:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// As there.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $ty),*) $(-> $ret)? {
            // SAFETY: the caller's contract is the same.
            unsafe { $body }
        }
    )*};
}

calls! {
    /// [`alloc::allocate`].
    omp_alloc(bytes: u64, allocator: Handle) -> *mut c_void = alloc::allocate(bytes, 0, named(allocator));
    /// [`alloc::allocate`].
    omp_aligned_alloc(alignment: u64, bytes: u64, allocator: Handle) -> *mut c_void =
        alloc::allocate(bytes, alignment, named(allocator));
    /// [`alloc::allocate_zeroed`].
    omp_calloc(count: u64, size: u64, allocator: Handle) -> *mut c_void =
        alloc::allocate_zeroed(count, size, 0, named(allocator));
    /// [`alloc::allocate_zeroed`].
    omp_aligned_calloc(alignment: u64, count: u64, size: u64, allocator: Handle) -> *mut c_void =
        alloc::allocate_zeroed(count, size, alignment, named(allocator));
    /// [`alloc::reallocate`].
    omp_realloc(memory: *mut c_void, bytes: u64, allocator: Handle, _old: Handle) -> *mut c_void =
        alloc::reallocate(memory, bytes, named(allocator));
    /// [`alloc::release`].
    omp_free(memory: *mut c_void, _allocator: Handle) = alloc::release(memory);
    /// [`alloc::init`]: every memory space is the device's heap.
    omp_init_allocator(_space: Handle, count: i32, traits: *const Trait) -> Handle = alloc::init(traits, count);
    /// [`alloc::destroy`].
    omp_destroy_allocator(allocator: Handle) = alloc::destroy(allocator);
    /// [`alloc::allocate`].
    __kmpc_alloc(_thread_number: i32, bytes: u64, allocator: Handle) -> *mut c_void =
        alloc::allocate(bytes, 0, named(allocator));
    /// [`alloc::allocate`].
    __kmpc_aligned_alloc(_thread_number: i32, alignment: u64, bytes: u64, allocator: Handle) -> *mut c_void =
        alloc::allocate(bytes, alignment, named(allocator));
    /// [`alloc::release`].
    __kmpc_free(_thread_number: i32, memory: *mut c_void, _allocator: Handle) = alloc::release(memory);
    /// [`alloc::init`].
    __kmpc_init_allocator(_thread_number: i32, _space: Handle, count: i32, traits: *const Trait) -> Handle =
        alloc::init(traits, count);
    /// [`alloc::destroy`].
    __kmpc_destroy_allocator(_thread_number: i32, allocator: Handle) = alloc::destroy(allocator);
}

/// The default stays what it is: every allocator has the same memory.
#[unsafe(no_mangle)]
pub extern "C" fn omp_set_default_allocator(_allocator: Handle) {}

/// `omp_default_mem_alloc`.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_default_allocator() -> Handle {
    DEFAULT
}
