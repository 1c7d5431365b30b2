//! Private copies whose type is known: a value and its operator.

use core::mem::MaybeUninit;

use super::op::Reduce;
use super::private::{Algorithm, Fold, InterWarp, Shuffle, ShuffleDispersed, Store};
use crate::WARP_SIZE;
use crate::arch::{block_sync, id, warp};
use crate::shared::scratch;

/// A thread's value, with what combines it. A thread that has none takes part all the same.
pub struct Value<T, O> {
    /// The value, in threads that have one.
    pub value: MaybeUninit<T>,
    /// The operator.
    pub op: O,
}

/// Words of 32 bits that shuffles and shared memory move a value as. The last one may be a part of one;
/// its rest, and a word of padding, are never looked at.
#[repr(C, align(16))]
struct Words<T>(MaybeUninit<T>);

impl<T: Copy> Words<T> {
    const COUNT: usize = size_of::<T>().div_ceil(size_of::<u32>());

    #[inline(always)]
    fn word(&mut self, at: usize) -> *mut MaybeUninit<u32> {
        (&raw mut self.0).cast::<MaybeUninit<u32>>().wrapping_add(at)
    }
}

/// `value` of the lane `delta` above.
///
/// # Safety
/// The lanes of `mask` arrive, all with the same mask; what comes from any other is undefined.
#[inline(always)]
pub unsafe fn shuffle_down<T: Copy>(mask: u32, value: MaybeUninit<T>, delta: u32) -> MaybeUninit<T> {
    let mut words = Words(value);
    for at in 0..Words::<T>::COUNT {
        let word = words.word(at);
        // SAFETY: the words are inside `Words`, which is as large as its alignment makes it; the members
        // are the caller's promise.
        unsafe { word.write(warp::shuffle_down_word(mask, word.read(), delta)) };
    }
    words.0
}

impl<T: Copy, O: Reduce<T>> Value<T, O> {
    /// `value` with its operator.
    #[inline(always)]
    pub fn new(value: T, op: O) -> Value<T, O> {
        Value { value: MaybeUninit::new(value), op }
    }

    /// # Safety
    /// This thread has a value, and `right` is one.
    #[inline(always)]
    unsafe fn combine(&mut self, right: MaybeUninit<T>) {
        // SAFETY: the caller's promise.
        let (left, right) = unsafe { (self.value.assume_init(), right.assume_init()) };
        self.value.write(self.op.combine(left, right));
    }
}

impl<T: Copy, O: Reduce<T>> Shuffle for Value<T, O> {
    #[inline(always)]
    unsafe fn shuffle_reduce(&mut self, lane: u32, offset: u32, algorithm: Algorithm) {
        // SAFETY: the lanes arrive, as the trait says.
        let remote = unsafe { shuffle_down(warp::ALL_LANES, self.value, offset) };
        let combines = match algorithm {
            Algorithm::Full => true,
            Algorithm::Contiguous => lane < offset,
            Algorithm::Dispersed => lane.is_multiple_of(2) && offset > 0,
        };
        if combines {
            // SAFETY: a lane that combines has a value, and so has the one it takes from.
            unsafe { self.combine(remote) };
        } else if algorithm == Algorithm::Contiguous {
            self.value = remote;
        }
    }
}

impl<T: Copy, O: Reduce<T>> ShuffleDispersed for Value<T, O> {
    #[inline(always)]
    unsafe fn shuffle_reduce_dispersed(&mut self, mask: u32, logical: u32, offset: u32) {
        // SAFETY: the lanes of the mask arrive, as the trait says.
        let remote = unsafe { shuffle_down(mask, self.value, offset) };
        if logical.is_multiple_of(2) && offset > 0 {
            // SAFETY: the lane `offset` above is one of the mask, and all of those have a value.
            unsafe { self.combine(remote) };
        }
    }
}

impl<T: Copy, O: Reduce<T>> InterWarp for Value<T, O> {
    #[inline(always)]
    unsafe fn inter_warp_copy(&mut self, warps: u32) {
        /// Words of a record that pass at a time: those of 32 records take 4 KiB.
        const AT_A_TIME: usize = 32;
        let count = Words::<T>::COUNT;
        let thread = id::thread();
        let (lane, warp) = (warp::lane(thread), thread / WARP_SIZE);
        let mut words = Words(self.value);
        let slots = scratch(if count < AT_A_TIME { count } else { AT_A_TIME });
        // Word by word, one record beside the other: neighbours read from different banks.
        let slot = |word: usize, warp: u32| slots.wrapping_add(word * WARP_SIZE as usize + warp as usize);
        let mut first = 0;
        while first < count {
            let here = if count - first < AT_A_TIME { count - first } else { AT_A_TIME };
            if lane == 0 && warp < warps {
                for word in 0..here {
                    // SAFETY: inside the scratch memory, which nobody reads before the barrier below or still
                    // reads from what came before, which ended with a barrier.
                    unsafe { slot(word, warp).write(words.word(first + word).read()) };
                }
            }
            block_sync();
            if thread < warps {
                for word in 0..here {
                    // SAFETY: written before the barrier, by lane 0 of warp `thread`.
                    unsafe { words.word(first + word).write(slot(word, thread).read()) };
                }
            }
            block_sync();
            first += AT_A_TIME;
        }
        self.value = words.0;
    }
}

/// Records of values in global memory.
#[derive(Clone, Copy, Debug)]
pub struct Records<T>(pub *mut MaybeUninit<T>);

impl<T: Copy, O: Reduce<T>> Store<Value<T, O>> for Records<T> {
    #[inline(always)]
    unsafe fn store(&self, copies: &mut Value<T, O>, record: u32) {
        // SAFETY: the record exists and is this thread's.
        unsafe { self.0.wrapping_add(record as usize).write(copies.value) }
    }
}

impl<T: Copy, O: Reduce<T>> Fold<Value<T, O>> for Records<T> {
    #[inline(always)]
    unsafe fn load(&self, copies: &mut Value<T, O>, record: u32) {
        // SAFETY: the record was stored before.
        copies.value = unsafe { self.0.wrapping_add(record as usize).read() };
    }

    #[inline(always)]
    unsafe fn combine(&self, copies: &mut Value<T, O>, record: u32) {
        // SAFETY: as above, by a thread with a value.
        unsafe { copies.combine(self.0.wrapping_add(record as usize).read()) };
    }
}
