//! The floor that touches the hardware; nothing above it does.
//!
//! Ids come from `core::arch::nvptx`. What Rust cannot say comes from the
//! `.ll` files beside the Rust ones, linked before LLVM optimises: shared memory (Rust has no
//! address space 3), atomics and fences with a scope, barriers, shuffles and votes. No `asm!`: LLVM takes it
//! for freely movable. Calls through pointers need no floor: the build makes every one of them
//! `convergent`, so that the lanes which arrive together enter the callee together.

pub mod atomic;
pub mod cell;
pub mod dim;
pub mod float;
pub mod heap;
pub mod id;
pub mod shared;
pub mod system;
pub mod warp;

use core::ffi::c_void;
use core::mem::MaybeUninit;

/// The barrier of the block: every thread of it that has not exited arrives, all at this one
/// instruction with their warps converged. Orders all memory among them.
#[inline(always)]
pub fn block_sync() {
    __warpfold_block_sync()
}

unsafe extern "C" {
    fn __warpfold_frozen(f: MaybeUninit<*const c_void>) -> *const c_void;
    safe fn __warpfold_block_sync();
    safe fn __warpfold_block_sync_any(holds: bool) -> bool;
    safe fn __warpfold_sync_divergent();
    fn __warpfold_part_sync(barrier: u32, threads: u32);
    safe fn __warpfold_sync_count(predicate: bool) -> u32;
    safe fn __warpfold_sync_and(predicate: bool) -> bool;
    safe fn __warpfold_sync_or(predicate: bool) -> bool;
}

/// A barrier as [`block_sync`], which says whether `holds` is true in any thread.
#[inline(always)]
pub fn block_sync_any(holds: bool) -> bool {
    __warpfold_block_sync_any(holds)
}

/// The barrier of the block for threads that arrive at different places of the code, their warps converged or
/// not: every thread of the block that has not exited. Orders all memory among them.
#[inline(always)]
pub fn block_sync_divergent() {
    __warpfold_sync_divergent()
}

/// A barrier of `threads` threads of the block, whole warps of them. Orders all memory among them.
///
/// # Safety
/// `threads` is a multiple of 32; `barrier` is 1 to 15 (0 is the block's own), and so many threads
/// come here with the same number, and nobody else.
#[inline(always)]
pub unsafe fn part_sync(barrier: u32, threads: u32) {
    // SAFETY: passed on from the caller.
    unsafe { __warpfold_part_sync(barrier, threads) }
}

macro_rules! sync_and_tell {
    ($($(#[$doc:meta])* $name:ident $ret:ty = $symbol:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// Who must arrive: every thread of the block that has not exited, at this one call; their warps
        /// need not be converged. Orders all memory among them.
        #[inline(always)]
        pub fn $name(predicate: bool) -> $ret {
            $symbol(predicate)
        }
    )*};
}

sync_and_tell! {
    /// A barrier that gives the number of threads whose `predicate` holds.
    block_sync_count u32 = __warpfold_sync_count;
    /// A barrier that says whether `predicate` holds in every thread.
    block_sync_and bool = __warpfold_sync_and;
    /// A barrier that says whether `predicate` holds in any thread.
    block_sync_or bool = __warpfold_sync_or;
}

/// The function that a parameter of a runtime function points to.
///
/// LLVM's OpenMP passes would look up what all callers of the whole program pass for such a parameter, and make a
/// list of comparisons and direct calls of it: the runtime function would grow with the program, contain all
/// regions and, where they are nested, itself, and be inlined nowhere. A parameter that is frozen is not looked
/// up; where the runtime function was inlined it is a constant.
///
/// # Safety
/// `f` is initialised. It is a `MaybeUninit` as LLVM drops the freeze of what is known to be defined.
#[inline(always)]
pub unsafe fn function(f: MaybeUninit<*const c_void>) -> *const c_void {
    // SAFETY: passed on from the caller.
    unsafe { __warpfold_frozen(f) }
}

/// The caller's variable that a parameter of a runtime function points to, for functions that are called again and
/// again for the same variables, and read what they have written the last time.
///
/// LLVM 22's OpenMP passes look up what a program has stored there, and find what the caller stored before the first
/// call, but not what an earlier call did: the loads would become constants, and loops of chunks never end
/// (`tests-gpu/programs/promoted.c`). Where the runtime function was inlined, the variable is in a register all the same.
///
/// # Safety
/// `p` is initialised; for why it may not look so see [`function`].
#[inline(always)]
pub unsafe fn variable<T>(p: MaybeUninit<*mut T>) -> *mut T {
    // SAFETY: passed on from the caller; a thin pointer is read as another.
    unsafe { __warpfold_frozen(p.as_ptr().cast::<MaybeUninit<*const c_void>>().read()).cast_mut().cast() }
}
