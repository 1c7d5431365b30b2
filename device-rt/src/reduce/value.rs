//! Private copies whose type is known: a value and its operator.

use core::mem::MaybeUninit;

use super::op::Reduce;
use super::private::{Algorithm, Fold, InterWarp, Load, Shuffle, ShuffleDispersed, Store};
use crate::WARP_SIZE;
use crate::arch::shared::scratch;
use crate::arch::{block_sync, id, warp};

/// A thread's value and its operator. A thread without a value takes part as well.
pub struct Value<T, O> {
    /// The value, in threads that have one.
    pub value: MaybeUninit<T>,
    /// The operator.
    pub op: O,
}

/// A value as the 32-bit words that shuffles and shared memory move.
#[repr(C, align(16))]
struct Words<T>(MaybeUninit<T>);

impl<T: Copy> Words<T> {
    const COUNT: usize = size_of::<T>().div_ceil(size_of::<u32>());

    /// Whether padding gets a value byte by byte. LLVM then sees which bytes are padding, and nothing is left
    /// of this in the code; of whole words it would keep registers that were never written, and the emulator
    /// would take all that is in one word with them for undefined. For larger values it would not unroll the
    /// loops.
    const BY_BYTE: bool = size_of::<T>() <= 64;

    #[inline(always)]
    fn new(value: MaybeUninit<T>) -> Words<T> {
        let mut words = Words(MaybeUninit::uninit());
        if !size_of::<T>().is_multiple_of(size_of::<u32>()) {
            // The bytes of the last word behind the value.
            words.set(Self::COUNT - 1, 0);
        }
        words.0 = value;
        words
    }

    /// The value with defined padding, so that it is the same on all paths that meet.
    #[inline(always)]
    fn with_padding(value: MaybeUninit<T>) -> MaybeUninit<T> {
        let mut words = Words::new(value);
        if Self::BY_BYTE {
            for at in 0..Self::COUNT {
                words.set(at, words.get(at));
            }
        }
        words.0
    }

    /// One of the words, with defined padding.
    #[inline(always)]
    fn get(&self, at: usize) -> u32 {
        let words = (&raw const self.0).cast::<MaybeUninit<u32>>().wrapping_add(at);
        let bytes = words.cast::<MaybeUninit<u8>>();
        // SAFETY: the alignment makes `Words` as large as all words.
        let byte = |at: usize| warp::some_byte(unsafe { bytes.wrapping_add(at).read() });
        match Self::BY_BYTE {
            true => u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]),
            // SAFETY: as above.
            false => warp::some_word(unsafe { words.read() }),
        }
    }

    #[inline(always)]
    fn set(&mut self, at: usize, word: u32) {
        let words = (&raw mut self.0).cast::<u32>();
        // SAFETY: as above.
        unsafe { words.wrapping_add(at).write(word) };
    }
}

/// Another lane's `value`, fetched word by word by `exchange`.
#[inline(always)]
pub fn exchanged<T: Copy>(value: MaybeUninit<T>, exchange: impl Fn(u32) -> u32) -> MaybeUninit<T> {
    let mut words = Words::new(value);
    for at in 0..Words::<T>::COUNT {
        words.set(at, exchange(words.get(at)));
    }
    words.0
}

/// `value` of the lane `delta` above.
///
/// # Safety
/// The lanes of `mask` arrive, all with the same mask; a value from any other lane is undefined.
#[inline(always)]
unsafe fn shuffle_down<T: Copy>(mask: u32, value: MaybeUninit<T>, delta: u32) -> MaybeUninit<T> {
    // SAFETY: passed on from the caller.
    exchanged(value, |word| unsafe { warp::shuffle_down(mask, word, delta) })
}

impl<T: Copy, O: Reduce<T>> Value<T, O> {
    /// `value`, or none, with its operator.
    #[inline(always)]
    pub fn new(value: MaybeUninit<T>, op: O) -> Value<T, O> {
        Value { value: Words::with_padding(value), op }
    }

    /// # Safety
    /// This thread has a value, and `right` is one.
    #[inline(always)]
    unsafe fn combine(&mut self, right: MaybeUninit<T>) {
        // SAFETY: the caller's promise.
        let (left, right) = unsafe { (self.value.assume_init(), right.assume_init()) };
        self.value = Words::with_padding(MaybeUninit::new(self.op.combine(left, right)));
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
            // SAFETY: a lane that combines has a value, and so has the lane that it fetches from.
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
        /// Words of a record that move at a time: those of 32 records take 4 KiB.
        const AT_A_TIME: usize = 32;
        let count = Words::<T>::COUNT;
        let thread = id::thread();
        let (lane, warp) = (warp::lane(thread), thread / WARP_SIZE);
        let mut words = Words::new(self.value);
        let staged = scratch(if count < AT_A_TIME { count } else { AT_A_TIME });
        // Word by word, the records side by side: neighbouring lanes read from different banks.
        let at = |word: usize, warp: u32| staged.wrapping_add(word * WARP_SIZE as usize + warp as usize);
        let mut first = 0;
        while first < count {
            let here = if count - first < AT_A_TIME { count - first } else { AT_A_TIME };
            if lane == 0 && warp < warps {
                for word in 0..here {
                    // SAFETY: inside the scratch memory. Earlier reads ended with a barrier, and later ones
                    // follow the barrier below.
                    unsafe { at(word, warp).write(words.get(first + word)) };
                }
            }
            block_sync();
            if thread < warps {
                for word in 0..here {
                    // SAFETY: written before the barrier, by lane 0 of warp `thread`.
                    words.set(first + word, unsafe { at(word, thread).read() });
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

impl<T: Copy, O: Reduce<T>> Load<Value<T, O>> for Records<T> {
    #[inline(always)]
    unsafe fn load(&self, copies: &mut Value<T, O>, record: u32) {
        // SAFETY: the record was stored before.
        copies.value = unsafe { self.0.wrapping_add(record as usize).read() };
    }
}

impl<T: Copy, O: Reduce<T>> Fold<Value<T, O>> for Records<T> {
    #[inline(always)]
    unsafe fn combine(&self, copies: &mut Value<T, O>, record: u32) {
        // SAFETY: as above, by a thread with a value.
        unsafe { copies.combine(self.0.wrapping_add(record as usize).read()) };
    }
}
