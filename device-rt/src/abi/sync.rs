//! Synchronisation.

use super::Ident;
use crate::arch::{block_sync, warp};
use crate::sync;

/// [`sync::barrier`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_barrier(_location: Ident, _thread_number: i32) {
    sync::barrier()
}

/// [`block_sync`]: LLVM guards the code of one thread with it where all threads run a team's code.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_barrier_simple_spmd(_location: Ident, _thread_number: i32) {
    block_sync()
}

/// [`warp::shuffle_down_in`] of all lanes.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_shuffle_int32(value: i32, delta: i16, width: i16) -> i32 {
    // SAFETY: the caller's contract is the same.
    unsafe { warp::shuffle_down_in(warp::ALL_LANES, value as u32, delta as u32, width as u32) as i32 }
}

/// [`warp::shuffle_down_in`] of all lanes, half by half.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_shuffle_int64(value: i64, delta: i16, width: i16) -> i64 {
    let half = |value: i64| {
        // SAFETY: the caller's contract is the same.
        unsafe { warp::shuffle_down_in(warp::ALL_LANES, value as u32, delta as u32, width as u32) }
    };
    let (low, high) = (half(value), half(value >> 32));
    i64::from(low) | i64::from(high) << 32
}
