//! Fences for the whole system, sleep, and the clock.

unsafe extern "C" {
    safe fn __warpfold_fence_system();
    safe fn __warpfold_nanosleep(nanoseconds: u32);
    safe fn __warpfold_nanoseconds() -> u64;
}

/// Orders this thread's earlier reads and writes before its later ones, also as the host and other devices
/// see them. Concerns the calling thread only.
#[inline(always)]
pub fn fence() {
    __warpfold_fence_system()
}

/// Suspends the calling thread for about so long, between 0 and twice that.
#[inline(always)]
pub fn nanosleep(nanoseconds: u32) {
    __warpfold_nanosleep(nanoseconds)
}

/// Nanoseconds since some moment, the same for all threads of the device.
#[inline(always)]
pub fn nanoseconds() -> u64 {
    __warpfold_nanoseconds()
}
