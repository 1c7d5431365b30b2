//! Atomics and fences between threads of a block or of the device.

unsafe extern "C" {
    fn __warpfold_increment_wrapping_device(word: *mut u32, last: u32) -> u32;
    fn __warpfold_fence_block();
    fn __warpfold_fence_device();
}

/// The threads that a fence orders memory for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those of the block (PTX `.cta`).
    Block,
    /// Those of the device (PTX `.gpu`).
    Device,
}

/// Orders this thread's earlier reads and writes before its later ones, as threads in `scope` see
/// them (acquire and release). Concerns the calling thread only; nobody else need arrive.
#[inline(always)]
pub fn fence(scope: Scope) {
    // SAFETY: a fence has no precondition.
    unsafe {
        match scope {
            Scope::Block => __warpfold_fence_block(),
            Scope::Device => __warpfold_fence_device(),
        }
    }
}

/// Adds 1 to `word`, or sets it to 0 if it is `last` already; gives the old value. Device scope,
/// relaxed: pair it with [`fence`].
///
/// # Safety
/// `word` is valid and aligned, in global or shared memory, and other threads access it by atomics
/// only for as long as this may run.
#[inline(always)]
pub unsafe fn increment_wrapping(word: *mut u32, last: u32) -> u32 {
    // SAFETY: passed on from the caller.
    unsafe { __warpfold_increment_wrapping_device(word, last) }
}
