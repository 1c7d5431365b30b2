//! Memory for programs: `omp_alloc` and its relatives.
//!
//! All of it comes from the device's heap. An allocator is one of OpenMP's predefined ones, or a set of
//! traits that the program has chosen, of which alignment and fallback have an effect.

use core::ffi::c_void;

use crate::abi::layout::AllocatorTrait;
use crate::arch::heap;
use crate::openmp::print;

/// An allocator: OpenMP's predefined ones are small numbers, others the address of an [`Allocator`].
pub type Handle = u64;

/// `omp_null_allocator`.
pub const NULL: Handle = 0;

/// `omp_default_mem_alloc`.
pub const DEFAULT: Handle = 1;

/// Numbers up to this are OpenMP's and LLVM's predefined allocators: no address is as low.
const LAST_PREDEFINED: Handle = 4095;

/// The header before an allocation: where the heap's memory starts, and the size.
#[repr(C)]
struct Header {
    start: *mut c_void,
    bytes: u64,
}

const HEADER: u64 = size_of::<Header>() as u64;

/// An allocator that the program has made.
#[derive(Debug)]
#[repr(C)]
struct Allocator {
    alignment: u64,
    fallback: u64,
    fallback_to: Handle,
}

/// Keys of traits, and values of the fallback trait.
const ALIGNMENT: u32 = 2;
const FALLBACK: u32 = 5;
const FALLBACK_DATA: u32 = 6;
const ABORT: u64 = 13;
const ALLOCATOR: u64 = 14;

/// The most traits that are read.
const MAX_TRAITS: i32 = 64;

/// The traits of an allocator.
///
/// # Safety
/// A handle that is not predefined came from [`init`].
#[inline(always)]
unsafe fn traits_of(allocator: Handle) -> Allocator {
    if allocator <= LAST_PREDEFINED {
        return Allocator { alignment: 16, fallback: 0, fallback_to: NULL };
    }
    // SAFETY: passed on from the caller.
    unsafe { core::ptr::with_exposed_provenance::<Allocator>(allocator as usize).read() }
}

/// Makes an allocator with these traits; [`NULL`] if the heap is full.
///
/// # Safety
/// `traits` is an array of `count`.
pub unsafe fn init(traits: *const AllocatorTrait, count: i32) -> Handle {
    let memory = heap::allocate(size_of::<Allocator>() as u64).cast::<Allocator>();
    if memory.is_null() {
        return NULL;
    }
    let mut allocator = Allocator { alignment: 16, fallback: 0, fallback_to: NULL };
    let count = if count < MAX_TRAITS { count } else { MAX_TRAITS };
    for index in 0..count {
        // SAFETY: passed on from the caller.
        let AllocatorTrait { key, value, .. } = unsafe { traits.add(index as usize).read() };
        match key {
            ALIGNMENT if value.is_power_of_two() => allocator.alignment = value,
            FALLBACK => allocator.fallback = value,
            FALLBACK_DATA => allocator.fallback_to = value,
            _ => {}
        }
    }
    // SAFETY: just allocated.
    unsafe { memory.write(allocator) };
    memory.expose_provenance() as Handle
}

/// Destroys an allocator; no effect on a predefined one.
///
/// # Safety
/// It is not used afterwards.
pub unsafe fn destroy(allocator: Handle) {
    if allocator > LAST_PREDEFINED {
        // SAFETY: it came from `init`.
        unsafe { heap::release(core::ptr::with_exposed_provenance_mut(allocator as usize)) };
    }
}

/// Allocates so many bytes, aligned to `alignment` or more. Null for 0 bytes, or if the heap is full.
///
/// # Safety
/// A handle that is not predefined came from [`init`].
pub unsafe fn allocate(bytes: u64, alignment: u64, allocator: Handle) -> *mut c_void {
    if bytes == 0 {
        return core::ptr::null_mut();
    }
    // SAFETY: passed on from the caller.
    let traits = unsafe { traits_of(allocator) };
    let alignment = if alignment > traits.alignment { alignment } else { traits.alignment };
    let memory = aligned(bytes, alignment);
    match (memory.is_null(), traits.fallback) {
        (true, ABORT) => print::heap_is_full(),
        // Every allocator has the same memory.
        (true, ALLOCATOR) if traits.fallback_to > LAST_PREDEFINED => aligned(bytes, 16),
        _ => memory,
    }
}

/// Memory of the heap, with a header.
fn aligned(bytes: u64, alignment: u64) -> *mut c_void {
    let alignment = if alignment > HEADER { alignment } else { HEADER };
    if !alignment.is_power_of_two() {
        return core::ptr::null_mut();
    }
    let Some(whole) = bytes.checked_add(alignment).and_then(|sum| sum.checked_add(HEADER)) else {
        return core::ptr::null_mut();
    };
    let start = heap::allocate(whole);
    if start.is_null() {
        return start;
    }
    // SAFETY: the first multiple of the alignment after the header, and `bytes` after it, lie in the memory.
    unsafe {
        let address = start.addr() as u64;
        let offset = ((address + HEADER + alignment - 1) & !(alignment - 1)) - address;
        let memory = start.byte_add(offset as usize);
        memory.cast::<Header>().sub(1).write(Header { start, bytes });
        memory
    }
}

/// As [`allocate`], for `count` elements of `size` bytes, all 0.
///
/// # Safety
/// As there.
pub unsafe fn allocate_zeroed(count: u64, size: u64, alignment: u64, allocator: Handle) -> *mut c_void {
    let Some(bytes) = count.checked_mul(size) else { return core::ptr::null_mut() };
    // SAFETY: passed on from the caller; the memory is as large.
    unsafe {
        let memory = allocate(bytes, alignment, allocator);
        if !memory.is_null() {
            memory.cast::<u8>().write_bytes(0, bytes as usize);
        }
        memory
    }
}

/// Allocates memory of another size with the contents of `memory`, which it releases. If it returns null,
/// `memory` is as before; a size of 0 only releases it.
///
/// # Safety
/// `memory` is null or came from these functions; a handle that is not predefined came from [`init`].
pub unsafe fn reallocate(memory: *mut c_void, bytes: u64, allocator: Handle) -> *mut c_void {
    // SAFETY: passed on from the caller.
    unsafe {
        if bytes == 0 {
            release(memory);
            return core::ptr::null_mut();
        }
        let new = allocate(bytes, 0, allocator);
        if !new.is_null() && !memory.is_null() {
            let old = (*memory.cast::<Header>().sub(1)).bytes;
            let kept = if old < bytes { old } else { bytes };
            new.cast::<u8>().copy_from_nonoverlapping(memory.cast(), kept as usize);
            release(memory);
        }
        new
    }
}

/// Releases memory; null has no effect.
///
/// # Safety
/// It came from these functions and is not used afterwards.
pub unsafe fn release(memory: *mut c_void) {
    if !memory.is_null() {
        // SAFETY: the header is before it.
        unsafe { heap::release((*memory.cast::<Header>().sub(1)).start) };
    }
}
