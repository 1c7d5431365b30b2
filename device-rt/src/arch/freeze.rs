//! Pointers that LLVM's OpenMP passes shall not follow before inlining.

use core::ffi::c_void;
use core::mem::MaybeUninit;

unsafe extern "C" {
    fn __warpfold_freeze(pointer: MaybeUninit<*const c_void>) -> *const c_void;
}

/// The function that a parameter of a runtime function points to.
///
/// LLVM's OpenMP passes would look up what all callers of the whole program pass for such a parameter, and
/// make a list of comparisons and direct calls of it: the runtime function would grow with the program,
/// contain all regions and, where they are nested, itself, and be inlined nowhere. They do not look up a
/// parameter that is frozen; where the runtime function was inlined it is a constant.
///
/// # Safety
/// `f` is initialised. It is a `MaybeUninit` because LLVM drops the freeze of what is known to be defined.
#[inline(always)]
pub unsafe fn function(f: MaybeUninit<*const c_void>) -> *const c_void {
    // SAFETY: passed on from the caller.
    unsafe { __warpfold_freeze(f) }
}

/// The caller's variable that a parameter of a runtime function points to, for functions that are called
/// again and again for the same variables, and read what they have written the last time.
///
/// LLVM 22's OpenMP passes look up what a program has stored there, and find what the caller stored before
/// the first call, but not what an earlier call did: the loads would become constants, and loops of chunks
/// never end (`tests-gpu/programs/promoted.c`). Where the runtime function was inlined, the variable is in a
/// register all the same.
///
/// # Safety
/// `p` is initialised; for why it may not look so see [`function`].
#[inline(always)]
pub unsafe fn variable<T>(p: MaybeUninit<*mut T>) -> *mut T {
    // SAFETY: passed on from the caller; a thin pointer is read as another.
    unsafe { __warpfold_freeze(p.as_ptr().cast::<MaybeUninit<*const c_void>>().read()).cast_mut().cast() }
}
