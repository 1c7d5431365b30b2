//! What a reduction list and its callbacks are: the agreement between compiler and runtime.

use core::ffi::c_void;

/// Points to an array of generic pointers, one per reduction variable, to the calling thread's
/// private copies.
pub type List = *mut c_void;

/// `(list, lane, offset, algorithm)`: fetches each variable from the lane `offset` above by a
/// shuffle and treats it as [`Algorithm`] says. The receiver is the left operand:
/// `list = list op remote`. All existing lanes of the warp take part.
pub type ShuffleReduce = unsafe extern "C" fn(List, i16, i16, i16);

/// `(list, warps)`: lane 0 of each warp puts its variables into shared memory; barrier; linear
/// thread `t < warps` takes those of warp `t`; barrier. All threads of the block take part; the
/// barriers order memory among them, and the last one lets the storage be used again.
pub type InterWarpCopy = unsafe extern "C" fn(List, i32);

/// `(buffer, slot, list)`, where `buffer` is an array of records: copies the list to the record
/// (list to global copy), the record to the list (global to list copy), or combines the record into
/// the list, `list = list op record` (global to list reduce). One thread by itself.
pub type BufferCallback = unsafe extern "C" fn(*mut c_void, i32, List);

/// What a [`ShuffleReduce`] does with what it fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i16)]
pub enum Algorithm {
    /// Always combines.
    Full = 0,
    /// Combines where `lane < offset`, else copies.
    Contiguous = 1,
}

/// Bytes before the first record of a workspace. The header's first word counts the blocks that
/// have stored their record; it is zero before the first launch, and every launch leaves it zero.
/// The rest is reserved.
pub const WORKSPACE_HEADER_BYTES: usize = 128;
