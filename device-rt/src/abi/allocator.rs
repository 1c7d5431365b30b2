//! Memory that programs allocate.

use core::ffi::c_void;

use super::layout::AllocatorTrait;

symbols! {
    /// Memory that programs allocate, as compilers call it.
    const COMPILER_CALLS for Compilers;

    device {
        use crate::openmp::alloc::{self, DEFAULT, Handle};

        /// The allocator of a call, or the default one where it names none.
        #[inline(always)]
        fn named(allocator: Handle) -> Handle {
            if allocator == alloc::NULL { DEFAULT } else { allocator }
        }
    }

    /// omp_alloc.
    ///
    /// # Safety
    /// As for [`alloc::allocate`].
    unsafe fn __kmpc_alloc(thread: i32, bytes: u64, allocator: u64) -> *mut c_void
        => alloc::allocate(bytes, 0, named(allocator));

    /// omp_aligned_alloc.
    ///
    /// # Safety
    /// As for [`alloc::allocate`].
    unsafe fn __kmpc_aligned_alloc(thread: i32, alignment: u64, bytes: u64, allocator: u64) -> *mut c_void
        => alloc::allocate(bytes, alignment, named(allocator));

    /// omp_free.
    ///
    /// # Safety
    /// As for [`alloc::release`].
    unsafe fn __kmpc_free(thread: i32, memory: *mut c_void, allocator: u64) => alloc::release(memory);

    /// omp_init_allocator.
    ///
    /// # Safety
    /// As for [`alloc::init`].
    unsafe fn __kmpc_init_allocator(thread: i32, space: u64, count: i32, traits: *const AllocatorTrait) -> u64
        => alloc::init(traits, count);

    /// omp_destroy_allocator.
    ///
    /// # Safety
    /// As for [`alloc::destroy`].
    unsafe fn __kmpc_destroy_allocator(thread: i32, allocator: u64) => alloc::destroy(allocator);
}

symbols! {
    /// Memory of the device's heap.
    const OMP_ALLOC for Programs;

    /// Allocates memory.
    ///
    /// # Safety
    /// As for [`alloc::allocate`].
    unsafe fn omp_alloc(bytes: u64, allocator: u64) -> *mut c_void
        => alloc::allocate(bytes, 0, named(allocator));

    /// Allocates memory of this alignment.
    ///
    /// # Safety
    /// As for [`alloc::allocate`].
    unsafe fn omp_aligned_alloc(alignment: u64, bytes: u64, allocator: u64) -> *mut c_void
        => alloc::allocate(bytes, alignment, named(allocator));

    /// Allocates count elements of size bytes, all 0.
    ///
    /// # Safety
    /// As for [`alloc::allocate_zeroed`].
    unsafe fn omp_calloc(count: u64, size: u64, allocator: u64) -> *mut c_void
        => alloc::allocate_zeroed(count, size, 0, named(allocator));

    /// Allocates count elements of size bytes, all 0, of this alignment.
    ///
    /// # Safety
    /// As for [`alloc::allocate_zeroed`].
    unsafe fn omp_aligned_calloc(alignment: u64, count: u64, size: u64, allocator: u64) -> *mut c_void
        => alloc::allocate_zeroed(count, size, alignment, named(allocator));

    /// Allocates memory of another size with the old contents, and frees the old memory.
    ///
    /// # Safety
    /// As for [`alloc::reallocate`].
    unsafe fn omp_realloc(memory: *mut c_void, bytes: u64, allocator: u64, old: u64) -> *mut c_void
        => alloc::reallocate(memory, bytes, named(allocator));

    /// Frees memory.
    ///
    /// # Safety
    /// As for [`alloc::release`].
    unsafe fn omp_free(memory: *mut c_void, allocator: u64) => alloc::release(memory);

    /// Makes an allocator with these traits, of which alignment and fallback have an effect.
    ///
    /// Every memory space is the device's heap.
    ///
    /// # Safety
    /// As for [`alloc::init`].
    unsafe fn omp_init_allocator(space: u64, count: i32, traits: *const AllocatorTrait) -> u64
        => alloc::init(traits, count);

    /// Destroys an allocator.
    ///
    /// # Safety
    /// As for [`alloc::destroy`].
    unsafe fn omp_destroy_allocator(allocator: u64) => alloc::destroy(allocator);

    /// Does nothing: all allocators have the same memory.
    fn omp_set_default_allocator(allocator: u64) => {};

    /// omp_default_mem_alloc.
    fn omp_get_default_allocator() -> u64 => DEFAULT;
}
