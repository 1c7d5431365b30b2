//! Convergent calls of the callbacks: the lanes that arrive here together enter the callback together.

use core::ffi::c_void;

use crate::reduce::list::{Algorithm, BufferCallback, InterWarpCopy, List, ShuffleReduce};

unsafe extern "C" {
    fn __warpfold_call_shuffle_reduce(f: ShuffleReduce, list: List, lane: i16, offset: i16, algorithm: i16);
    fn __warpfold_call_inter_warp_copy(f: InterWarpCopy, list: List, warps: i32);
    fn __warpfold_call_buffer(f: BufferCallback, buffer: *mut c_void, slot: i32, list: List);
}

/// Calls a [`ShuffleReduce`].
///
/// # Safety
/// The callback fits the list; every existing lane of the warp arrives with equal `offset` and `algorithm`.
#[inline(always)]
pub unsafe fn shuffle_reduce(f: ShuffleReduce, list: List, lane: u32, offset: u32, algorithm: Algorithm) {
    // SAFETY: passed on from the caller. Lanes and offsets are below 32.
    unsafe { __warpfold_call_shuffle_reduce(f, list, lane as i16, offset as i16, algorithm as i16) }
}

/// Calls an [`InterWarpCopy`].
///
/// # Safety
/// The callback fits the list; every thread of the block arrives with equal `warps`.
#[inline(always)]
pub unsafe fn inter_warp_copy(f: InterWarpCopy, list: List, warps: u32) {
    // SAFETY: passed on from the caller.
    unsafe { __warpfold_call_inter_warp_copy(f, list, warps as i32) }
}

/// Calls a [`BufferCallback`].
///
/// # Safety
/// The callback fits the list, and `buffer` has a record at `slot`. Only the calling thread takes part.
#[inline(always)]
pub unsafe fn buffer(f: BufferCallback, buffer: *mut c_void, slot: u32, list: List) {
    // SAFETY: passed on from the caller.
    unsafe { __warpfold_call_buffer(f, buffer, slot as i32, list) }
}
