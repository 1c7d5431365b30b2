//! The kernel that reduces arrays with an operator: a grid of any size over any number of elements.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use crate::WARP_SIZE;
use crate::arch::{block_sync, id, warp};
use crate::reduce::canonical::{self, CHUNK, COLUMNS, Column, SEGMENT, SHARING_THREADS};
use crate::reduce::op::{Lift, Reduce, Storable};
use crate::reduce::value::{Records, Value};
use crate::shared_array;

/// Neighbouring columns of a lane.
const LANE_COLUMNS: usize = (COLUMNS / WARP_SIZE as u64) as usize;

/// Arrays in global memory that are read together: a pointer, or a tuple of pointers.
pub trait Arrays: Copy {
    /// The elements of the arrays at one index.
    type Item: Copy;

    /// Four neighbouring elements, which are read together.
    type Four: Copy;

    /// Reads an element.
    ///
    /// # Safety
    /// Every array has an element of that index, and no thread writes it.
    unsafe fn item(self, index: u64) -> Self::Item;

    /// Reads the element `index`, a multiple of 4, and the three after it.
    ///
    /// # Safety
    /// As for [`item`](Self::item), of all four; the arrays are aligned to 16 bytes.
    unsafe fn four(self, index: u64) -> Self::Four;

    /// One of four elements.
    fn of(four: &Self::Four, at: usize) -> Self::Item;
}

/// What a thread reads with one load: 16 bytes.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Wide(MaybeUninit<[u8; 16]>);

impl<T: Copy> Arrays for *const T {
    type Item = T;
    type Four = [T; 4];

    #[inline(always)]
    unsafe fn item(self, index: u64) -> T {
        // SAFETY: passed on from the caller.
        unsafe { self.wrapping_add(index as usize).read() }
    }

    #[inline(always)]
    unsafe fn four(self, index: u64) -> [T; 4] {
        let from = self.wrapping_add(index as usize);
        let mut four = MaybeUninit::<[T; 4]>::uninit();
        // SAFETY: four elements, whose alignment is their size times 4, or 16 bytes.
        unsafe {
            match size_of::<T>() {
                1 => four
                    .as_mut_ptr()
                    .cast::<MaybeUninit<u32>>()
                    .write_unaligned(from.cast::<MaybeUninit<u32>>().read()),
                2 => four
                    .as_mut_ptr()
                    .cast::<MaybeUninit<u64>>()
                    .write_unaligned(from.cast::<MaybeUninit<u64>>().read()),
                size if size.is_multiple_of(4) && 16 % size == 0 => {
                    let (from, to) = (from.cast::<Wide>(), four.as_mut_ptr().cast::<Wide>());
                    to.write_unaligned(from.read());
                    if size > 4 {
                        to.wrapping_add(1).write_unaligned(from.wrapping_add(1).read());
                    }
                    if size > 8 {
                        to.wrapping_add(2).write_unaligned(from.wrapping_add(2).read());
                        to.wrapping_add(3).write_unaligned(from.wrapping_add(3).read());
                    }
                }
                _ => four.as_mut_ptr().write(from.cast::<[T; 4]>().read()),
            }
            four.assume_init()
        }
    }

    #[inline(always)]
    fn of(four: &[T; 4], at: usize) -> T {
        four[at]
    }
}

macro_rules! tuples {
    ($($($name:ident $at:tt),*;)*) => {$(
        impl<$($name: Arrays),*> Arrays for ($($name,)*) {
            type Item = ($($name::Item,)*);
            type Four = ($($name::Four,)*);

            #[inline(always)]
            unsafe fn item(self, index: u64) -> Self::Item {
                // SAFETY: passed on from the caller.
                unsafe { ($(self.$at.item(index),)*) }
            }

            #[inline(always)]
            unsafe fn four(self, index: u64) -> Self::Four {
                // SAFETY: passed on from the caller.
                unsafe { ($(self.$at.four(index),)*) }
            }

            #[inline(always)]
            fn of(four: &Self::Four, at: usize) -> Self::Item {
                ($($name::of(&four.$at, at),)*)
            }
        }
    )*};
}

tuples! {
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
}

/// Does something for the numbers of four columns or 16 rows, as far as they are below a constant. LLVM does not unroll
/// loops as large as these, and would keep what they read in local memory.
macro_rules! unrolled {
    ($at:ident of 4 => $body:expr) => { unrolled! { $at < 4 => $body; 0 1 2 3 } };
    ($at:ident of 4, below $count:expr => $body:expr) => { unrolled! { $at < $count => $body; 0 1 2 3 } };
    ($at:ident of 16, below $count:expr => $body:expr) => {
        unrolled! { $at < $count => $body; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 }
    };
    ($at:ident < $count:expr => $body:expr; $($number:literal)*) => {$(
        if const { $number < $count } {
            let $at: usize = $number;
            $body
        }
    )*};
}

/// How a kernel over these arrays reads chunks.
struct Reads<A, O>(A, O);

impl<A: Arrays, O: Lift<A::Item>> Reads<A, O> {
    const COMMUTES: bool = <O as Reduce<O::Value>>::COMMUTES;
    const TOGETHER: bool =
        canonical::folds_together(Self::COMMUTES, size_of::<A::Item>(), size_of::<O::Value>());

    /// Rows whose loads a thread has in flight: 64 registers.
    const IN_FLIGHT: usize = match size_of::<A::Four>() {
        0..=16 => 16,
        17..=32 => 8,
        _ => 4,
    };

    /// Single elements whose loads a thread has in flight.
    const SINGLE: usize = if size_of::<A::Item>() <= 16 { 4 } else { 1 };
}

/// The values of a lane's columns, as far as it has them.
type Columns<V> = [MaybeUninit<V>; LANE_COLUMNS];

/// No values. The bytes are defined: LLVM keeps small values of several columns in one register, and the emulator would
/// take all of it for undefined.
const fn none<V: Copy>() -> Columns<V> {
    [MaybeUninit::zeroed(); LANE_COLUMNS]
}

/// An operator on elements that follow others: their indices go on from `first`.
#[derive(Clone, Copy)]
struct After<O> {
    op: O,
    first: u64,
}

impl<T: Copy, O: Reduce<T>> Reduce<T> for After<O> {
    const COMMUTES: bool = O::COMMUTES;

    #[inline(always)]
    fn combine(self, left: T, right: T) -> T {
        self.op.combine(left, right)
    }
}

impl<I, O: Lift<I>> Lift<I> for After<O> {
    type Value = O::Value;

    #[inline(always)]
    fn lift(self, item: I, index: u64) -> O::Value {
        self.op.lift(item, self.first + index)
    }

    #[inline(always)]
    fn accumulate(self, value: O::Value, item: I, index: u64) -> O::Value {
        self.op.accumulate(value, item, self.first + index)
    }
}

/// Combines the `n` elements of arrays in the [canonical order](canonical) and then, in one thread, `result` with them:
/// `result = result op elements`. The bits depend on nothing but the elements and the operator. `first` is the index of
/// the first element among all, a multiple of [`CHUNK`]. Without `counters` the value of each chunk is
/// stored in `result`, an array of as many values, and there are no records.
///
/// A warp takes a chunk of elements at a time, or, with as many blocks of 128 threads as chunks, a block, if values are
/// small. The value of each chunk goes to a record of its own, and the last of 32 warps to deliver theirs combines them.
///
/// Who must arrive: every thread of the grid, each block converged. What it orders: nothing beyond what the
/// end of the launch orders.
///
/// # Safety
/// The threads arrive as said, in blocks of whole warps; `n` is at least 1. The arrays have `n` elements, which no
/// thread writes, and are aligned to 16 bytes; only this launch uses `result`, and `counters` and `records`, which are as
/// for [`canonical::climb`] with [`CHUNK`] elements for each chunk.
#[inline(always)]
pub unsafe fn reduce<A: Arrays, O: Lift<A::Item>>(
    op: O,
    n: u64,
    first: u64,
    arrays: A,
    counters: *mut c_void,
    records: *mut c_void,
    result: *mut <O::Value as Storable>::Plain,
) where
    O::Value: Storable,
{
    let op = After { op, first };
    let chunks = n.div_ceil(CHUNK) as u32;
    let (thread, block) = (id::thread(), id::block());
    let (block_warps, lane) = (id::block_threads() / WARP_SIZE, warp::lane(thread));
    let warps = id::grid_blocks() * block_warps;
    let shares = const { Reads::<A, O>::TOGETHER }
        && block_warps * WARP_SIZE == SHARING_THREADS
        && chunks <= id::grid_blocks();
    let mut chunk = if shares { block } else { block * block_warps + thread / WARP_SIZE };
    while chunk < chunks {
        let first = chunk as u64 * CHUNK;
        let length = if n - first < CHUNK { n - first } else { CHUNK };
        // SAFETY: the chunk's elements exist. Where a block shares a chunk, all of it is here, and never again.
        let columns = unsafe {
            match shares {
                true => shared_columns(op, arrays, first, length, lane, thread / WARP_SIZE),
                false => Some(own_columns(op, arrays, first, length, lane)),
            }
        };
        let Some(columns) = columns else { return };
        let count = canonical::columns(length, Reads::<A, O>::COMMUTES);
        // SAFETY: a column has a value if its number is below the count.
        let value = unsafe { lane_value(op, columns, lane as u64 * LANE_COLUMNS as u64, count) };
        let mut copies = Value::new(value, op);
        let lanes = count.div_ceil(LANE_COLUMNS as u64) as u32;
        // SAFETY: the warp is whole, and all of it has this chunk; lane 0 has a value. Counters and records are as the
        // caller says.
        unsafe {
            canonical::combine_lanes(&mut copies, lanes, lane);
            let records = Records(records.cast());
            if counters.is_null() {
                if lane == 0 {
                    result.wrapping_add(chunk as usize).write(copies.value.assume_init().store());
                }
            } else if canonical::climb(&mut copies, lane, chunk, chunks, counters.cast(), &records, &records)
            {
                let total = copies.value.assume_init();
                result.write(op.combine(Storable::load(result.read()), total).store());
            }
        }
        // As many as there are chunks at least, if blocks share them.
        chunk += warps;
    }
}

/// Elements of a segment of all columns.
const ALL: u64 = COLUMNS * SEGMENT;

/// The values of a lane's columns in the chunk that begins with the element `first`.
///
/// # Safety
/// The elements exist, no thread writes them, and the arrays are aligned to 16 bytes.
#[inline(always)]
unsafe fn own_columns<A: Arrays, O: Lift<A::Item>>(
    op: O,
    arrays: A,
    first: u64,
    length: u64,
    lane: u32,
) -> Columns<O::Value> {
    let own = lane as u64 * LANE_COLUMNS as u64;
    let mut columns = none();
    if !const { Reads::<A, O>::TOGETHER } {
        unrolled!(at of 4 => {
            let column = Column::of(own + at as u64, length, Reads::<A, O>::COMMUTES);
            if column.rows > 0 {
                // SAFETY: the elements exist.
                columns[at] = unsafe { column_value(op, arrays, first, column) };
            }
        });
        return columns;
    }
    let whole = length / ALL;
    for segment in 0..whole {
        // SAFETY: a whole segment of all columns.
        let values = unsafe { whole_segment(op, arrays, first + own + segment * ALL) };
        unrolled!(at of 4 => columns[at] = match segment {
            0 => values[at],
            // SAFETY: both are of whole segments.
            _ => unsafe { both(op, columns[at], values[at]) },
        });
    }
    // SAFETY: the elements exist.
    let rest = unsafe { rest_of_columns(op, arrays, first + whole * ALL, length % ALL, own) };
    unrolled!(at of 4 => if own + (at as u64) < length % ALL {
        columns[at] = match whole {
            0 => rest[at],
            // SAFETY: of a whole segment, and of a column that has more.
            _ => unsafe { both(op, columns[at], rest[at]) },
        };
    });
    columns
}

/// As [`own_columns`], by the four warps of a block, each of which takes a segment; warp 0 gets the values.
///
/// Who must arrive: every thread of the block, converged. What it orders: all memory among them.
///
/// # Safety
/// As for [`own_columns`]; the threads arrive as said, and once in a launch.
#[inline(always)]
unsafe fn shared_columns<A: Arrays, O: Lift<A::Item>>(
    op: O,
    arrays: A,
    first: u64,
    length: u64,
    lane: u32,
    warp: u32,
) -> Option<Columns<O::Value>> {
    const VALUES: usize = COLUMNS as usize * (SHARING_THREADS / WARP_SIZE - 1) as usize;
    let values = match size_of::<O::Value>() {
        0..=4 => shared_array![u32; VALUES].cast::<MaybeUninit<O::Value>>(),
        5..=8 => shared_array![u64; VALUES].cast::<MaybeUninit<O::Value>>(),
        _ => shared_array![u128; VALUES].cast::<MaybeUninit<O::Value>>(),
    };
    // Neighbouring lanes access neighbouring values.
    let place = |segment: u32, at: usize| {
        values
            .wrapping_add((segment as usize - 1) * COLUMNS as usize + at * WARP_SIZE as usize + lane as usize)
    };
    let own = lane as u64 * LANE_COLUMNS as u64;
    let (whole, rest) = ((length / ALL) as u32, length % ALL);
    let begin = first + warp as u64 * ALL;
    // SAFETY: of the segments before the rest all elements exist, and of the rest so many; a warp after it has none.
    let mut columns = unsafe {
        match warp < whole {
            true => whole_segment(op, arrays, begin + own),
            false if warp == whole => rest_of_columns(op, arrays, begin, rest, own),
            false => none(),
        }
    };
    // Whether the lane has elements of a segment in one of its columns.
    let has = |segment: u32, at: usize| segment < whole || segment == whole && own + (at as u64) < rest;
    if warp > 0 {
        unrolled!(at of 4 => if has(warp, at) {
            // SAFETY: a place of this thread's own, which the lane of warp 0 reads after the barrier.
            unsafe { place(warp, at).write(columns[at]) }
        });
    }
    block_sync();
    if warp > 0 {
        return None;
    }
    unrolled!(segment of 4 => if segment > 0 {
        let segment = segment as u32;
        unrolled!(at of 4 => if has(segment, at) {
            // SAFETY: written before the barrier, by a warp with values of these columns; the segments before have some.
            columns[at] = unsafe { both(op, columns[at], place(segment, at).read()) };
        });
    });
    Some(columns)
}

/// The values of a lane's columns, the first of which is `own`, where fewer than a segment of all columns is left: so many
/// elements from the element `first` on.
///
/// # Safety
/// The elements exist, and no thread writes them.
#[inline(always)]
unsafe fn rest_of_columns<A: Arrays, O: Lift<A::Item>>(
    op: O,
    arrays: A,
    first: u64,
    elements: u64,
    own: u64,
) -> Columns<O::Value> {
    let mut columns = none();
    unrolled!(at of 4 => {
        let column = Column::of(own + at as u64, elements, true);
        if column.rows > 0 {
            // SAFETY: the elements exist.
            columns[at] = unsafe { column_value(op, arrays, first, column) };
        }
    });
    columns
}

/// A lane's columns combined, the first of which has the number `own`.
///
/// # Safety
/// Columns with a number below `count` have a value.
#[inline(always)]
unsafe fn lane_value<V: Copy, O: Reduce<V>>(
    op: O,
    mut columns: Columns<V>,
    own: u64,
    count: u64,
) -> MaybeUninit<V> {
    let has = |at| own + at < count;
    // SAFETY: passed on from the caller: those before one with a value have one, too.
    unsafe {
        if has(1) {
            columns[0] = both(op, columns[0], columns[1]);
        }
        if has(3) {
            columns[2] = both(op, columns[2], columns[3]);
        }
        if has(2) {
            columns[0] = both(op, columns[0], columns[2]);
        }
    }
    columns[0]
}

/// `left op right`.
///
/// # Safety
/// Both are values.
#[inline(always)]
unsafe fn both<V: Copy, O: Reduce<V>>(op: O, left: MaybeUninit<V>, right: MaybeUninit<V>) -> MaybeUninit<V> {
    // SAFETY: the caller's promise.
    MaybeUninit::new(unsafe { op.combine(left.assume_init(), right.assume_init()) })
}

/// The values of a segment of four neighbouring columns, the first of which begins with the element `first`.
///
/// # Safety
/// The elements exist, no thread writes them, and the arrays are aligned to 16 bytes.
#[inline(always)]
unsafe fn whole_segment<A: Arrays, O: Lift<A::Item>>(op: O, arrays: A, first: u64) -> Columns<O::Value> {
    let mut columns = [MaybeUninit::<O::Value>::uninit(); LANE_COLUMNS];
    let mut row = 0;
    while row < SEGMENT {
        let mut read = [MaybeUninit::<A::Four>::uninit(); 16];
        // All loads come first, so that they are in flight together.
        unrolled!(number of 16, below Reads::<A, O>::IN_FLIGHT => {
            // SAFETY: passed on from the caller.
            read[number].write(unsafe { arrays.four(first + (row + number as u64) * COLUMNS) });
        });
        unrolled!(number of 16, below Reads::<A, O>::IN_FLIGHT => {
            // SAFETY: read above.
            let four = unsafe { read[number].assume_init() };
            unrolled!(at of 4 => {
                let (item, index) = (A::of(&four, at), first + (row + number as u64) * COLUMNS + at as u64);
                columns[at] = MaybeUninit::new(match number {
                    0 if row == 0 => op.lift(item, index),
                    // SAFETY: the first row gave it a value.
                    _ => op.accumulate(unsafe { columns[at].assume_init() }, item, index),
                });
            });
        });
        row += Reads::<A, O>::IN_FLIGHT as u64;
    }
    columns
}

/// The value of a column that has rows, of a chunk that begins with the element `first`.
///
/// # Safety
/// The elements exist, and no thread writes them.
#[inline(always)]
unsafe fn column_value<A: Arrays, O: Lift<A::Item>>(
    op: O,
    arrays: A,
    first: u64,
    column: Column,
) -> MaybeUninit<O::Value> {
    let index = |row: u64| first + column.first + row * column.step;
    let mut total = MaybeUninit::uninit();
    let mut row = 0;
    while row < column.rows {
        let begin = row;
        let end = if column.rows - row < SEGMENT { column.rows } else { row + SEGMENT };
        // SAFETY: an element of the column.
        let mut value = op.lift(unsafe { arrays.item(index(row)) }, index(row));
        row += 1;
        while row < end {
            let mut read = [MaybeUninit::<A::Item>::uninit(); 4];
            unrolled!(number of 4, below Reads::<A, O>::SINGLE => {
                let at = if row + (number as u64) < end { row + number as u64 } else { end - 1 };
                // SAFETY: an element of the column: its last one again if there are no more.
                read[number].write(unsafe { arrays.item(index(at)) });
            });
            unrolled!(number of 4, below Reads::<A, O>::SINGLE => {
                if row + (number as u64) < end {
                    // SAFETY: read above.
                    value = op.accumulate(value, unsafe { read[number].assume_init() }, index(row + number as u64));
                }
            });
            row += Reads::<A, O>::SINGLE as u64;
        }
        row = end;
        let value = MaybeUninit::new(value);
        // SAFETY: the segments before gave it a value.
        total = if begin == 0 { value } else { unsafe { both(op, total, value) } };
    }
    total
}
