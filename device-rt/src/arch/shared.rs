//! What the runtime keeps in shared memory.

unsafe extern "C" {
    safe fn __warpfold_legacy_slots() -> *mut u64;
    safe fn __warpfold_sharing_scratch() -> *mut u8;
}

/// 32 words, one per warp, for the baseline of the block stage.
#[inline(always)]
pub fn legacy_slots() -> *mut u64 {
    __warpfold_legacy_slots()
}

/// Bytes of [`scratch`].
pub const SCRATCH_BYTES: usize = 512;

/// Where the main thread of a team in generic mode shares variables, aligned to 16 bytes.
#[inline(always)]
pub fn scratch() -> *mut u8 {
    __warpfold_sharing_scratch()
}
