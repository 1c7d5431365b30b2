//! What a reduction list and its callbacks are: the agreement between compiler and runtime.

use core::ffi::c_void;
use core::hint::assert_unchecked;

use super::private::{Accumulate, Algorithm, Fold, InterWarp, Shuffle, ShuffleDispersed, Store};
use crate::WARP_SIZE;
use crate::arch::{block_sync, id, warp::lane};

/// Points to an array of generic pointers, one per reduction variable, to the calling thread's
/// private copies.
pub type List = *mut c_void;

/// `(list, lane, offset, algorithm)`: [`Shuffle::shuffle_reduce`].
pub type ShuffleReduce = unsafe extern "C" fn(List, i16, i16, i16);

/// `(list, mask, lane, offset, algorithm)`: the same with the members of its shuffles given;
/// [`ShuffleDispersed::shuffle_reduce_dispersed`] for [`Algorithm::Dispersed`].
pub type ShuffleReduceMasked = unsafe extern "C" fn(List, u32, i16, i16, i16);

/// `(list, offset, size)`: `SwapAndReduce::swap_and_reduce` of the legacy path.
pub type SwapReduce = unsafe extern "C" fn(List, i16, i16);

/// `(list, warps)`: [`InterWarp::inter_warp_copy`] through shared memory; a barrier comes last, which
/// lets the storage be used again.
pub type InterWarpCopy = unsafe extern "C" fn(List, i32);

/// `(buffer, record, list)`, where `buffer` is an array of records: copies the list to the record
/// (list to global copy), the record to the list (global to list copy), combines the record into
/// the list, `list = list op record` (global to list reduce), or the list into the record,
/// `record = record op list` (list to global reduce). One thread by itself.
pub type BufferCallback = unsafe extern "C" fn(*mut c_void, i32, List);

/// A list that a warp reduces.
#[derive(Clone, Copy, Debug)]
pub struct WarpList {
    /// The private copies.
    pub list: List,
    /// Combines them between lanes.
    pub shfl: ShuffleReduce,
}

impl Shuffle for WarpList {
    #[inline(always)]
    unsafe fn shuffle_reduce(&mut self, lane: u32, offset: u32, algorithm: Algorithm) {
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.shfl)(self.list, lane as i16, offset as i16, algorithm as i16) }
    }
}

/// A list that some lanes of a warp reduce.
#[derive(Clone, Copy, Debug)]
pub struct DispersedList {
    /// The private copies.
    pub list: List,
    /// Combines them between lanes.
    pub shfl: ShuffleReduceMasked,
}

impl ShuffleDispersed for DispersedList {
    #[inline(always)]
    unsafe fn shuffle_reduce_dispersed(&mut self, mask: u32, logical: u32, offset: u32) {
        let algorithm = Algorithm::Dispersed as i16;
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.shfl)(self.list, mask, logical as i16, offset as i16, algorithm) }
    }
}

/// A list that a block reduces, with small code if so wanted.
#[derive(Clone, Copy, Debug)]
pub struct BlockList<const COMPACT: bool> {
    /// The private copies.
    pub list: List,
    /// Combines them between lanes.
    pub shfl: ShuffleReduce,
    /// Moves them between warps.
    pub iwcpy: InterWarpCopy,
}

impl<const COMPACT: bool> Shuffle for BlockList<COMPACT> {
    #[inline(always)]
    unsafe fn shuffle_reduce(&mut self, lane: u32, offset: u32, algorithm: Algorithm) {
        // SAFETY: the caller's contract is the same; a distance is at most half a warp.
        unsafe {
            // Callbacks take it as 16 bits: LLVM need not convert what it knows to be small.
            if COMPACT {
                assert_unchecked(offset <= WARP_SIZE / 2);
            }
            WarpList { list: self.list, shfl: self.shfl }.shuffle_reduce(lane, offset, algorithm)
        }
    }
}

impl<const COMPACT: bool> InterWarp for BlockList<COMPACT> {
    const COMPACT: bool = COMPACT;

    #[inline(always)]
    unsafe fn inter_warp_copy(&mut self, warps: u32) {
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.iwcpy)(self.list, warps as i32) }
    }
}

/// Private copies behind a list.
pub trait Listed {
    /// The list.
    fn list(&self) -> List;
}

impl<const COMPACT: bool> Listed for BlockList<COMPACT> {
    #[inline(always)]
    fn list(&self) -> List {
        self.list
    }
}

/// Records that lists are copied to.
#[derive(Clone, Copy, Debug)]
pub struct StoreRecords {
    /// The records.
    pub buffer: *mut c_void,
    /// List to record.
    pub lgcpy: BufferCallback,
}

impl<P: Listed> Store<P> for StoreRecords {
    #[inline(always)]
    unsafe fn store(&self, copies: &mut P, record: u32) {
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.lgcpy)(self.buffer, record as i32, copies.list()) }
    }
}

/// Records that lists are combined into.
#[derive(Clone, Copy, Debug)]
pub struct AccumulateRecords {
    /// The records.
    pub buffer: *mut c_void,
    /// `record = record op list`.
    pub lgred: BufferCallback,
}

impl<P: Listed> Accumulate<P> for AccumulateRecords {
    #[inline(always)]
    unsafe fn accumulate(&self, copies: &mut P, record: u32) {
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.lgred)(self.buffer, record as i32, copies.list()) }
    }
}

/// Records that lists come from.
#[derive(Clone, Copy, Debug)]
pub struct FoldRecords {
    /// The records.
    pub buffer: *mut c_void,
    /// Record to list.
    pub glcpy: BufferCallback,
    /// `list = list op record`.
    pub glred: BufferCallback,
}

impl<P: Listed> Fold<P> for FoldRecords {
    #[inline(always)]
    unsafe fn load(&self, copies: &mut P, record: u32) {
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.glcpy)(self.buffer, record as i32, copies.list()) }
    }

    #[inline(always)]
    unsafe fn combine(&self, copies: &mut P, record: u32) {
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.glred)(self.buffer, record as i32, copies.list()) }
    }
}

/// Records that lists are combined into by a compiler that has no callback for it: the list takes
/// the record in and goes back.
#[derive(Clone, Copy, Debug)]
pub struct ThereAndBack {
    /// List to record.
    pub to: StoreRecords,
    /// Record to list.
    pub from: FoldRecords,
}

impl<P: Listed> Accumulate<P> for ThereAndBack {
    #[inline(always)]
    unsafe fn accumulate(&self, copies: &mut P, record: u32) {
        // SAFETY: the record is the caller's alone.
        unsafe {
            self.from.combine(copies, record);
            self.to.store(copies, record);
        }
    }
}

/// A list that the threads of a block reduce while they fold records: it moves between warps through
/// the records themselves. One barrier for a record of any size and no shared memory, where the
/// callback that clang makes takes two barriers for every word of 4 bytes.
///
/// Thread t has loaded record t, and nobody else has or will: lane 0 of a warp may write where it has read.
#[derive(Clone, Copy, Debug)]
pub struct FoldList {
    /// The list in a warp.
    pub warp: WarpList,
    /// Where it comes from.
    pub from: FoldRecords,
    /// The same records.
    pub to: StoreRecords,
}

impl Listed for FoldList {
    #[inline(always)]
    fn list(&self) -> List {
        self.warp.list
    }
}

impl Shuffle for FoldList {
    #[inline(always)]
    unsafe fn shuffle_reduce(&mut self, lane: u32, offset: u32, algorithm: Algorithm) {
        // SAFETY: the caller's contract is the same; see BlockList.
        unsafe {
            assert_unchecked(offset <= WARP_SIZE / 2);
            self.warp.shuffle_reduce(lane, offset, algorithm)
        }
    }
}

impl InterWarp for FoldList {
    // Where a grid ends, once, and in one block.
    const COMPACT: bool = true;

    #[inline(always)]
    unsafe fn inter_warp_copy(&mut self, warps: u32) {
        let (thread, from, to) = (id::thread(), self.from, self.to);
        if lane(thread) == 0 && thread / WARP_SIZE < warps {
            // SAFETY: this thread has loaded the record with its number, and nobody else uses it.
            unsafe { to.store(self, thread) };
        }
        block_sync();
        if thread < warps {
            // SAFETY: stored before the barrier.
            unsafe { from.load(self, thread * WARP_SIZE) };
        }
    }
}

/// A list that a warp reduces in the way that the design's appendix has it.
#[cfg(target_arch = "nvptx64")]
#[derive(Clone, Copy, Debug)]
pub struct LegacyList {
    /// The private copies.
    pub list: List,
    /// Combines them between lanes.
    pub swap: SwapReduce,
}

#[cfg(target_arch = "nvptx64")]
impl super::legacy::SwapAndReduce for LegacyList {
    #[inline(always)]
    unsafe fn swap_and_reduce(&mut self, offset: u32, size: u32) {
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.swap)(self.list, offset as i16, size as i16) }
    }
}
