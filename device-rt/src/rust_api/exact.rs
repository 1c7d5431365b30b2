//! The kernel that adds arrays, or the products of two arrays, exactly: a grid of any size over any number of elements.
//!
//! Each lane keeps [`Terms`], to which it adds 16 floats at a time. What does not fit goes to fixed point in the block's
//! shared memory, element by element. Integers are added there, and from there to global memory, by atomics: their order
//! does not change a sum.

use crate::WARP_SIZE;
use crate::arch::atomic::{self, Word, Word64};
use crate::arch::{block_sync, float, id};
use crate::reduce::exact::{self, CELLS, DIGITS, FixedPoint, SPECIALS, TERMS, Terms};
use crate::{shared_array, warp};

/// Floats that a lane adds to its terms at a time.
const BATCH: usize = 16;

/// What a lane reads with one load.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Wide([u32; 4]);

/// Elements of 4 or 8 bytes.
pub trait Float: Copy + Default + Into<f64> {}

impl Float for f32 {}
impl Float for f64 {}

/// Where a lane's elements are: rows of 16 bytes, one from each lane of its warp in turn.
#[derive(Clone, Copy)]
pub struct LaneRows {
    /// Its first element.
    first: u64,
    /// Elements of the arrays.
    n: u64,
    /// Whether all of the warp's elements exist.
    whole: bool,
}

impl LaneRows {
    /// The index of one of the lane's elements.
    #[inline(always)]
    fn index<T>(self, at: usize) -> u64 {
        let row = const { size_of::<Wide>() / size_of::<T>() };
        self.first + (at / row * row * WARP_SIZE as usize + at % row) as u64
    }

    /// The lane's elements of an array; 0 in place of those that do not exist.
    ///
    /// # Safety
    /// The array has the elements, no thread writes them, and it is aligned to 16 bytes.
    #[inline(always)]
    unsafe fn read<T: Float, const N: usize>(self, array: *const T) -> [T; N] {
        let mut elements = [T::default(); N];
        let row = const { size_of::<Wide>() / size_of::<T>() };
        const {
            assert!(
                size_of::<Wide>().is_multiple_of(size_of::<T>()) && (N * size_of::<T>()).is_multiple_of(16)
            )
        };
        let mut at = 0;
        if self.whole {
            while at < N {
                let from = array.wrapping_add(self.index::<T>(at) as usize).cast::<Wide>();
                // SAFETY: a row of elements, and as many of the result.
                unsafe { elements.as_mut_ptr().wrapping_add(at).cast::<Wide>().write_unaligned(from.read()) };
                at += row;
            }
            return elements;
        }
        while at < N {
            let index = self.index::<T>(at);
            if index < self.n {
                // SAFETY: the element exists.
                elements[at] = unsafe { array.wrapping_add(index as usize).read() };
            }
            at += 1;
        }
        elements
    }
}

/// What is added: the elements of an array, or the products of those of two.
pub trait Addends: Copy {
    /// The arrays' elements.
    type Element: Float;

    /// Elements of an array that a lane reads at a time.
    const READ: usize;

    /// The lane's addends as floats, and whether these are exact.
    ///
    /// # Safety
    /// The arrays have the elements, no thread writes them, and they are aligned to 16 bytes.
    unsafe fn floats(self, rows: LaneRows) -> ([f64; BATCH], bool);

    /// Adds one addend.
    ///
    /// # Safety
    /// The arrays have this element, and no thread writes it.
    unsafe fn add_to(self, to: &mut impl FixedPoint, index: u64);
}

impl<T: Float> Addends for *const T {
    type Element = T;

    const READ: usize = BATCH;

    #[inline(always)]
    unsafe fn floats(self, rows: LaneRows) -> ([f64; BATCH], bool) {
        // SAFETY: passed on from the caller.
        (widened(unsafe { rows.read(self) }), true)
    }

    #[inline(always)]
    unsafe fn add_to(self, to: &mut impl FixedPoint, index: u64) {
        // SAFETY: passed on from the caller.
        exact::add(to, unsafe { self.wrapping_add(index as usize).read() }.into());
    }
}

#[inline(always)]
fn widened<T: Float, const N: usize>(elements: [T; N]) -> [f64; N] {
    let mut floats = [0.0; N];
    let mut at = 0;
    while at < N {
        floats[at] = elements[at].into();
        at += 1;
    }
    floats
}

/// Products of `f32` are `f64`.
impl Addends for (*const f32, *const f32) {
    type Element = f32;

    const READ: usize = BATCH;

    #[inline(always)]
    unsafe fn floats(self, rows: LaneRows) -> ([f64; BATCH], bool) {
        // SAFETY: passed on from the caller.
        let (mut products, more) =
            unsafe { (widened(rows.read(self.0)), widened::<f32, BATCH>(rows.read(self.1))) };
        let mut at = 0;
        while at < BATCH {
            products[at] *= more[at];
            at += 1;
        }
        (products, true)
    }

    #[inline(always)]
    unsafe fn add_to(self, to: &mut impl FixedPoint, index: u64) {
        // SAFETY: passed on from the caller.
        let (x, y) = unsafe {
            (self.0.wrapping_add(index as usize).read(), self.1.wrapping_add(index as usize).read())
        };
        exact::add(to, x as f64 * y as f64);
    }
}

/// A product of `f64` of at least this magnitude has an error that is an `f64`: its last bit is 2^106 times smaller at
/// most, and not below 2^-1074.
const LEAST: f64 = f64::from_bits((1023 - 960) << 52);

/// Products of `f64` are two `f64`, if they are not too small.
impl Addends for (*const f64, *const f64) {
    type Element = f64;

    const READ: usize = BATCH / 2;

    #[inline(always)]
    unsafe fn floats(self, rows: LaneRows) -> ([f64; BATCH], bool) {
        // SAFETY: passed on from the caller.
        let (x, y) =
            unsafe { (rows.read::<f64, { BATCH / 2 }>(self.0), rows.read::<f64, { BATCH / 2 }>(self.1)) };
        let (mut floats, mut is_exact) = ([0.0; BATCH], true);
        let mut at = 0;
        while at < BATCH / 2 {
            let product = x[at] * y[at];
            floats[2 * at] = product;
            // What is too large is not finite here, and does not fit into terms.
            floats[2 * at + 1] = float::fused(x[at], y[at], -product);
            is_exact &= product.abs() >= LEAST || x[at] == 0.0 || y[at] == 0.0;
            at += 1;
        }
        (floats, is_exact)
    }

    #[inline(always)]
    unsafe fn add_to(self, to: &mut impl FixedPoint, index: u64) {
        // SAFETY: passed on from the caller.
        let (x, y) = unsafe {
            (self.0.wrapping_add(index as usize).read(), self.1.wrapping_add(index as usize).read())
        };
        exact::add_product(to, x, y);
    }
}

/// Fixed point in shared memory: digits of what is positive, of what is negative, and whether there are specials. Only
/// added to, by atomics that carry into the next digit; two magnitudes, so that a sum around 0 does not carry through all.
struct Shared(*mut u32);

const WORDS: usize = 2 * DIGITS + SPECIALS;

impl Shared {
    #[inline(always)]
    fn word(&self, at: usize) -> *const Word {
        self.0.wrapping_add(at).cast()
    }
}

impl FixedPoint for Shared {
    #[inline(always)]
    fn add_digit(&mut self, negative: bool, place: usize, digit: u32) -> bool {
        // SAFETY: a word, which is accessed atomically between the barriers of `sum`.
        let old = unsafe { atomic::add(self.word(place + if negative { DIGITS } else { 0 }), digit) };
        // Both have only positive digits.
        old.checked_add(digit).is_none()
    }

    #[inline(always)]
    fn note_special(&mut self, number: usize) {
        // SAFETY: as above.
        unsafe { atomic::store(self.word(2 * DIGITS + number), 1) };
    }
}

/// Adds the `n` elements of an array, or products of elements of two, to [`CELLS`] (see
/// [`ExactSum::from_cells`](exact::ExactSum::from_cells)). What is added depends on the elements alone, but for how carries
/// are distributed over the cells.
///
/// Who must arrive: every thread of the grid, each block converged. What it orders: nothing beyond what the end of
/// the launch orders.
///
/// # Safety
/// The threads arrive as said, in blocks of whole warps. The arrays have `n` elements, which no thread writes, and are
/// aligned to 16 bytes; the cells are aligned to 8 bytes, and only accessed atomically while this may run.
#[inline(always)]
pub unsafe fn sum<A: Addends>(n: u64, arrays: A, cells: *mut u64) {
    let mut shared = Shared(shared_array![u32; WORDS]);
    let (thread, threads) = (id::thread(), id::block_threads());
    let mut at = thread as usize;
    while at < WORDS {
        // SAFETY: the word is this thread's until the barrier.
        unsafe { shared.0.wrapping_add(at).write(0) };
        at += threads as usize;
    }
    block_sync();

    let (lane, warps) = (warp::lane_id(), threads / WARP_SIZE);
    let tile_length = (A::READ * WARP_SIZE as usize) as u64;
    let mut tile = (id::block() * warps + thread / WARP_SIZE) as u64 * tile_length;
    let mut terms = Terms::ZERO;
    while tile < n {
        let row = const { size_of::<Wide>() / size_of::<A::Element>() };
        let rows = LaneRows { first: tile + lane as u64 * row as u64, n, whole: n - tile >= tile_length };
        // SAFETY: passed on from the caller.
        let (floats, is_exact) = unsafe { arrays.floats(rows) };
        if !(is_exact && terms.add(floats)) {
            // The next batch may fit, when the terms are empty.
            for _ in 0..TERMS {
                exact::add(&mut shared, terms.take());
            }
            let mut at = 0;
            while at < A::READ {
                let index = rows.index::<A::Element>(at);
                if index < n {
                    // SAFETY: passed on from the caller.
                    unsafe { arrays.add_to(&mut shared, index) };
                }
                at += 1;
            }
        }
        tile += id::grid_blocks() as u64 * warps as u64 * tile_length;
    }

    let mut offset = WARP_SIZE / 2;
    while offset > 0 {
        // SAFETY: all lanes of the warp are here, which the conditions of the loops above do not divide.
        let mut other = unsafe { warp::shuffle_down(warp::ALL_LANES, terms, offset) };
        if lane < offset && !terms.add(other.floats()) {
            for _ in 0..TERMS {
                exact::add(&mut shared, other.take());
            }
        }
        offset /= 2;
    }
    if lane == 0 {
        for _ in 0..TERMS {
            exact::add(&mut shared, terms.take());
        }
    }

    block_sync();
    let mut at = thread as usize;
    while at < CELLS {
        let word = |at: usize| shared.0.wrapping_add(at);
        // SAFETY: after the barrier nobody writes shared memory.
        let value = unsafe {
            match at < DIGITS {
                true => word(at).read() as i64 - word(DIGITS + at).read() as i64,
                false => word(DIGITS + at).read() as i64,
            }
        };
        if value != 0 {
            // SAFETY: a cell, as the caller says.
            unsafe { atomic::add_long(cells.wrapping_add(at).cast::<Word64>(), value as u64) };
        }
        at += threads as usize;
    }
}
