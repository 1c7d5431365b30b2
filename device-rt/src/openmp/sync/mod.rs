//! Barriers and `copyprivate`; [`lock`] has locks and critical regions.

use core::ffi::c_void;

use crate::WARP_SIZE;
use crate::arch::{block_sync, heap, id, named_barrier, warp};
use crate::openmp::team::state::{self, Nesting};
use crate::openmp::{print, query};

pub mod lock;

/// The number of the hardware barrier of a partial region.
const REGION_BARRIER: u32 = 1;

/// The barrier of the innermost parallel region, or, outside every region, of the team.
///
/// Who must arrive: all threads of the region; outside every region, all of the block, in generic mode the
/// main thread. Orders all memory among them. In a region of one thread it has no effect.
#[inline(always)]
pub fn barrier() {
    match state::nesting(id::thread()) {
        Nesting::OUTSIDE | Nesting::WHOLE_BLOCK | Nesting::AS_ONE | Nesting::SERIALIZED_AS_ONE => {
            block_sync()
        }
        // Here, because LLVM mostly knows the nesting where it inlines this.
        nesting if !nesting.is_shared() => {}
        // SAFETY: passed on from the caller.
        _ => unsafe { __warpfold_call_partial_barrier() },
    }
}

unsafe extern "C" {
    /// [`__warpfold_partial_barrier`], declared not to access the threads' nesting (barrier.ll).
    fn __warpfold_call_partial_barrier();
}

/// The barrier of a partial region, of which the caller is one of several threads.
///
/// Not inlined: the reductions that clang makes have two barriers for every word of 4 bytes.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn __warpfold_partial_barrier() {
    let threads = state::partial_threads();
    if threads < WARP_SIZE {
        // SAFETY: the region is the first lanes of one warp, and all of them come here.
        unsafe { warp::sync_warp((1 << threads) - 1) };
    } else {
        // SAFETY: the region is whole warps, and all their threads come here. Barrier 0 is the block's
        // own, where the threads outside the region wait for its end.
        unsafe { named_barrier(REGION_BARRIER, threads) };
    }
}

/// Bytes of the staging memory for one variable of `copyprivate`, and those at its end that must not change.
const STAGE_BYTES: u64 = 4096;
const GUARD_BYTES: u64 = 16;

/// Copies one thread's variables to the other threads of the region: each calls
/// `copy(list of its own variables, list of that thread's)`.
///
/// clang leaves the variables in local memory, where no other thread can read them, and does not tell their
/// sizes. So the thread copies its own to the heap, by the same function, and the others copy from there. A
/// variable of more than 4080 bytes ends the kernel with a message.
///
/// Who must arrive: all threads of the region, one of which has `is_source`. Orders all memory among them.
///
/// # Safety
/// As said; `list` is an array of `count` addresses, and `copy` may be called with two such lists.
#[inline(always)]
pub unsafe fn copy_private(
    list: *mut c_void,
    count: u64,
    copy: unsafe extern "C" fn(*mut c_void, *mut c_void),
    is_source: bool,
) {
    if query::threads() == 1 {
        return;
    }
    // SAFETY: one thread writes between barriers.
    unsafe {
        if is_source {
            let staged = stage(count);
            copy(staged.cast(), list);
            check_stage(staged, count);
            state::broadcast().write(staged.cast());
        }
        barrier();
        if !is_source {
            copy(list, state::broadcast().read());
        }
        barrier();
        if is_source {
            heap::release(state::broadcast().read());
        }
    }
}

/// A list of `count` addresses in the heap, each of [`STAGE_BYTES`] bytes that follow the list.
fn stage(count: u64) -> *mut *mut c_void {
    let head = (count * size_of::<*mut c_void>() as u64).next_multiple_of(GUARD_BYTES);
    let memory = heap::allocate(head + count * STAGE_BYTES);
    if memory.is_null() {
        print::heap_is_full();
    }
    for index in 0..count {
        // SAFETY: the memory has room for the addresses and what they point to.
        unsafe {
            let variable = memory.byte_add((head + index * STAGE_BYTES) as usize);
            memory.cast::<*mut c_void>().add(index as usize).write(variable);
            guard(variable).write(GUARD);
        }
    }
    memory.cast()
}

/// The guard behind a staged variable, which nothing may overwrite.
const GUARD: [u64; 2] = [0x5741_5250_464f_4c44; 2];

/// The address of the guard.
///
/// # Safety
/// `variable` has [`STAGE_BYTES`].
#[inline(always)]
unsafe fn guard(variable: *mut c_void) -> *mut [u64; 2] {
    // SAFETY: inside of these bytes.
    unsafe { variable.byte_add((STAGE_BYTES - GUARD_BYTES) as usize).cast() }
}

/// Ends the kernel if a variable was larger than its staging memory.
///
/// # Safety
/// `staged` is a list of [`stage`].
#[inline(always)]
unsafe fn check_stage(staged: *const *mut c_void, count: u64) {
    for index in 0..count as usize {
        // SAFETY: as `stage` made it.
        let found = unsafe { guard(staged.add(index).read()).read_volatile() };
        if found != GUARD {
            print::copyprivate_is_too_large();
        }
    }
}
