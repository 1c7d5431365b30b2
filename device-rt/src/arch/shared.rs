//! What the runtime keeps in shared memory.

unsafe extern "C" {
    safe fn __warpfold_legacy_slots() -> *mut u64;
}

/// 32 words, one per warp, for the baseline of the block stage.
#[inline(always)]
pub fn legacy_slots() -> *mut u64 {
    __warpfold_legacy_slots()
}
