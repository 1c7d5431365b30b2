//! Atomics and fences between threads of a block or of the device.

unsafe extern "C" {
    fn __warpfold_increment_wrapping_device(word: *mut u32, last: u32) -> u32;
    fn __warpfold_fence_block();
    fn __warpfold_fence_device();
    fn __warpfold_try_lock_device(word: *mut u32) -> bool;
    fn __warpfold_unlock_device(word: *mut u32);
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

/// Takes the lock `word`: waits until it is 0 and makes it 1, at device scope. Everything before the
/// [`unlock`] that freed it comes before the return.
///
/// # Safety
/// As for [`increment_wrapping`]. At most one lane of a warp at a time asks for the same lock, and
/// whoever holds it waits for nobody who may wait for it: then the wait ends, as the holder runs.
#[inline(always)]
pub unsafe fn lock(word: *mut u32) {
    // SAFETY: passed on from the caller.
    while !unsafe { __warpfold_try_lock_device(word) } {}
}

/// Frees a lock; everything before comes before whatever follows the next [`lock`] of it.
///
/// # Safety
/// The caller holds the lock.
#[inline(always)]
pub unsafe fn unlock(word: *mut u32) {
    // SAFETY: passed on from the caller.
    unsafe { __warpfold_unlock_device(word) }
}
