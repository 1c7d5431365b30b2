//! The baselines that benchmarks compare with.
//!
//! The *per-variable path* reduces all variables over a warp by a tree ([`reduce_warp`]), and leaves the
//! block stage to its caller, one variable after the other ([`sum_block`]). The *first LLVM GPU runtime*
//! asked whether it could reduce a block at all ([`can_block_reduce`]).

use super::pairing::Halves;
use crate::WARP_SIZE;
use crate::abi::callbacks::{List, SwapReduce};
use crate::arch::warp::{ALL_LANES, lane, shuffle_down};
use crate::arch::{block_sync, id, shared};

/// What [`reduce_warp`] returns to a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum ReturnCode {
    /// There is nothing left to do.
    Nothing = 0,
    /// The caller holds the result.
    Result = 1,
    /// Lane 0 holds the warp's value; the block stage is to follow, variable by variable.
    BlockStage = 3,
}

/// Private copies that lanes of one warp can combine, without a choice of algorithm.
pub trait SwapAndReduce {
    /// Combines the copies of the lane `offset` above where that is below `size`; changes nothing
    /// elsewhere.
    ///
    /// Who must arrive: every lane of the warp that exists, converged, with the same arguments. No
    /// memory is ordered.
    ///
    /// # Safety
    /// The lanes arrive as said; lanes 0 to `size`-1 exist.
    unsafe fn swap_and_reduce(&mut self, offset: u32, size: u32);
}

/// A list that a warp reduces on the per-variable path.
#[derive(Clone, Copy, Debug)]
pub struct SwapList {
    /// The private copies.
    pub list: List,
    /// Combines them between lanes.
    pub swap: SwapReduce,
}

impl SwapAndReduce for SwapList {
    #[inline(always)]
    unsafe fn swap_and_reduce(&mut self, offset: u32, size: u32) {
        // SAFETY: the caller's contract is the callback's.
        unsafe { (self.swap)(self.list, offset as i16, size as i16) }
    }
}

/// Whether the first LLVM GPU runtime could reduce a block by a tree: all threads of the block are in the
/// parallel region, and all lanes of the caller's warp are active. Otherwise each thread updated the result
/// atomically.
pub fn can_block_reduce(region_threads: u32, block_threads: u32, active: u32) -> bool {
    region_threads == block_threads && active == ALL_LANES
}

/// Reduces over the caller's warp into lane 0. If the region has no other warps (`is_only_warp`, a simd region),
/// lane 0 gets [`ReturnCode::Result`]; else all lanes get [`ReturnCode::BlockStage`].
///
/// Who must arrive: every lane of the warp that exists, converged. No memory is ordered.
///
/// # Safety
/// The lanes arrive as said.
#[inline(always)]
pub unsafe fn reduce_warp(copies: &mut impl SwapAndReduce, is_only_warp: bool) -> ReturnCode {
    let (thread, threads) = (id::thread(), id::block_threads());
    let before = thread / WARP_SIZE * WARP_SIZE;
    let lanes = if threads - before < WARP_SIZE { threads - before } else { WARP_SIZE };
    for (offset, size) in Halves::of(lanes) {
        // SAFETY: passed on from the caller.
        unsafe { copies.swap_and_reduce(offset, size) };
    }
    match (is_only_warp, lane(thread)) {
        (false, _) => ReturnCode::BlockStage,
        (true, 0) => ReturnCode::Result,
        (true, _) => ReturnCode::Nothing,
    }
}

/// A number that [`sum_block`] adds.
pub trait Number: Copy {
    /// The number's bits as the low bits of a word.
    fn to_word(self) -> u64;
    /// The number with these bits.
    fn from_word(word: u64) -> Self;
    /// The sum; integers wrap.
    fn plus(self, other: Self) -> Self;
}

macro_rules! numbers {
    ($($t:ty: $to:expr, $from:expr, $plus:expr;)*) => {$(
        impl Number for $t {
            #[inline(always)]
            fn to_word(self) -> u64 {
                $to(self)
            }

            #[inline(always)]
            fn from_word(word: u64) -> $t {
                $from(word)
            }

            #[inline(always)]
            fn plus(self, other: $t) -> $t {
                $plus(self, other)
            }
        }
    )*};
}

numbers! {
    i32: |value| value as u32 as u64, |word| word as i32, i32::wrapping_add;
    i64: |value| value as u64, |word| word as i64, i64::wrapping_add;
    f32: |value: f32| u64::from(value.to_bits()), |word| f32::from_bits(word as u32), |a, b| a + b;
    f64: f64::to_bits, f64::from_bits, |a, b| a + b;
}

/// Sums the values of lane 0 of every warp; afterwards all of these have the sum. True in thread 0.
///
/// There is a barrier between warp 0's sum and the other warps' reading it: without it they would race.
///
/// Who must arrive: every thread of the block, converged. Orders all memory among them.
///
/// # Safety
/// The threads arrive as said; `value` is the caller's own.
#[inline(always)]
pub unsafe fn sum_block<T: Number>(value: *mut T) -> bool {
    let (thread, warps) = (id::thread(), id::block_threads().div_ceil(WARP_SIZE));
    let (warp, lane) = (thread / WARP_SIZE, lane(thread));
    let words = shared::warp_values();
    if lane == 0 {
        // SAFETY: there is a word per warp, and only lane 0 writes it, after the barrier of an earlier call.
        unsafe { words.add(warp as usize).write((*value).to_word()) };
    }
    block_sync();
    if warp == 0 {
        let at = if lane < warps { lane } else { 0 };
        // SAFETY: written before the barrier.
        let mut sum = T::from_word(unsafe { words.add(at as usize).read() });
        for (offset, size) in Halves::of(warps) {
            let word = sum.to_word();
            // SAFETY: all lanes of warp 0 that exist come here with the same offsets.
            let half = |half: u64| u64::from(unsafe { shuffle_down(ALL_LANES, half as u32, offset) });
            let remote = T::from_word(half(word) | half(word >> 32) << 32);
            if lane + offset < size {
                sum = sum.plus(remote);
            }
        }
        if lane == 0 {
            // SAFETY: only this lane reads word 0 before the barrier below.
            unsafe { words.write(sum.to_word()) };
        }
    }
    block_sync();
    if lane == 0 {
        // SAFETY: written before the barrier.
        unsafe { value.write(T::from_word(words.read())) };
    }
    // Reads before the writes of the next call.
    block_sync();
    thread == 0
}
