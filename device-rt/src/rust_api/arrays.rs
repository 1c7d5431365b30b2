//! The kernel that reduces arrays with an operator: a grid of any size over any number of elements.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use crate::arch::id;
use crate::reduce::op::{Lift, Storable, elements_per_load, loads_in_flight};
use crate::rust_api::grid;

/// Arrays in global memory that are read together: a pointer, or a tuple of pointers.
pub trait Arrays: Copy {
    /// The elements of the arrays at one index.
    type Item: Copy;

    /// A group of neighbouring elements, which are read together.
    type Loaded: Copy;

    /// Elements of a group.
    const PER_LOAD: u64;

    /// Reads an element.
    ///
    /// # Safety
    /// Every array has an element of that index, and no thread writes it.
    unsafe fn item(self, index: u64) -> Self::Item;

    /// Reads a group.
    ///
    /// # Safety
    /// As for [`item`](Self::item), of all elements of the group.
    unsafe fn load(self, number: u64) -> Self::Loaded;

    /// An element of a group.
    ///
    /// # Safety
    /// `at` is less than [`PER_LOAD`](Self::PER_LOAD).
    unsafe fn of(group: &Self::Loaded, at: u64) -> Self::Item;
}

/// 16 bytes or one larger element: what a thread reads with one load.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub union WideLoad<T: Copy> {
    one: T,
    bytes: [u8; 16],
}

impl<T: Copy> Arrays for *const T {
    type Item = T;
    type Loaded = WideLoad<T>;
    const PER_LOAD: u64 = elements_per_load::<T>();

    #[inline(always)]
    unsafe fn item(self, index: u64) -> T {
        // SAFETY: passed on from the caller.
        unsafe { self.wrapping_add(index as usize).read() }
    }

    #[inline(always)]
    unsafe fn load(self, number: u64) -> WideLoad<T> {
        match Self::PER_LOAD {
            // SAFETY: passed on from the caller.
            1 => WideLoad { one: unsafe { self.item(number) } },
            // SAFETY: as above: the elements fill the group, and so do groups the array, whose alignment is
            // theirs.
            _ => unsafe { self.cast::<WideLoad<T>>().wrapping_add(number as usize).read() },
        }
    }

    #[inline(always)]
    unsafe fn of(group: &WideLoad<T>, at: u64) -> T {
        // SAFETY: the caller promises that so many elements were read.
        unsafe { (&raw const *group).cast::<T>().wrapping_add(at as usize).read() }
    }
}

macro_rules! tuples {
    ($($($name:ident $at:tt),*;)*) => {$(
        impl<$($name: Arrays),*> Arrays for ($($name,)*) {
            type Item = ($($name::Item,)*);
            type Loaded = Self::Item;
            const PER_LOAD: u64 = 1;

            #[inline(always)]
            unsafe fn item(self, index: u64) -> Self::Item {
                // SAFETY: passed on from the caller.
                unsafe { ($(self.$at.item(index),)*) }
            }

            #[inline(always)]
            unsafe fn load(self, number: u64) -> Self::Item {
                // SAFETY: passed on from the caller.
                unsafe { self.item(number) }
            }

            #[inline(always)]
            unsafe fn of(group: &Self::Item, _at: u64) -> Self::Item {
                *group
            }
        }
    )*};
}

tuples! {
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
}

/// Combines elements 0 to `n`-1 and then, in one thread, `result` with them: `result = result op elements`.
///
/// Whole groups of elements come first, then the remaining elements one by one: unit i belongs to thread i of
/// the whole grid, and each thread goes on with the stride of the grid. So the order depends only on `n` and
/// the shape of the launch.
///
/// Who must arrive: every thread of the grid, each block converged. What it orders: nothing beyond what the
/// end of the launch orders.
///
/// # Safety
/// The threads arrive as said, and every block has an element: `n` is more than a group's elements for each
/// thread of all blocks but one. The arrays have `n` elements, which no thread writes, and are aligned to 16
/// bytes; only this launch uses `result`; `workspace` is as [`grid::reduce`] requires for `O::Value`.
#[inline(always)]
pub unsafe fn reduce<A: Arrays, O: Lift<A::Item>>(
    op: O,
    n: u64,
    arrays: A,
    workspace: *mut c_void,
    result: *mut <O::Value as Storable>::Plain,
) where
    O::Value: Storable,
{
    let (groups, units) = (n / A::PER_LOAD, n / A::PER_LOAD + n % A::PER_LOAD);
    let threads = u64::from(id::block_threads());
    let before = u64::from(id::block()) * threads;
    let stride = u64::from(id::grid_blocks()) * threads;
    let live = if units - before < threads { units - before } else { threads };
    // Combines a group's elements into what came before, if anything did.
    let fold = |sum: Option<O::Value>, group: A::Loaded, number: u64| {
        let first = number * A::PER_LOAD;
        // SAFETY: the group has so many elements.
        let item = |at| unsafe { A::of(&group, at) };
        let mut sum = match sum {
            Some(sum) => op.accumulate(sum, item(0), first),
            None => op.lift(item(0), first),
        };
        for at in 1..A::PER_LOAD {
            sum = op.accumulate(sum, item(at), first + at);
        }
        sum
    };
    let single = |unit: u64| groups * A::PER_LOAD + (unit - groups);
    let mut unit = before + u64::from(id::thread());
    let mut value = MaybeUninit::uninit();
    if unit < units {
        let mut sum = match unit < groups {
            // SAFETY: a group, or an element after the last one.
            true => fold(None, unsafe { arrays.load(unit) }, unit),
            false => op.lift(unsafe { arrays.item(single(unit)) }, single(unit)),
        };
        unit += stride;
        let ahead = (loads_in_flight(A::PER_LOAD) as u64 - 1) * stride;
        while groups > ahead && unit < groups - ahead {
            let mut read = [MaybeUninit::<A::Loaded>::uninit(); 4];
            for step in 0..loads_in_flight(A::PER_LOAD) {
                // SAFETY: a group.
                read[step].write(unsafe { arrays.load(unit + step as u64 * stride) });
            }
            for group in read.iter().take(loads_in_flight(A::PER_LOAD)) {
                // SAFETY: read above.
                sum = fold(Some(sum), unsafe { group.assume_init() }, unit);
                unit += stride;
            }
        }
        while unit < groups {
            // SAFETY: a group.
            sum = fold(Some(sum), unsafe { arrays.load(unit) }, unit);
            unit += stride;
        }
        while unit < units {
            // SAFETY: an element after the last group.
            sum = op.accumulate(sum, unsafe { arrays.item(single(unit)) }, single(unit));
            unit += stride;
        }
        value.write(sum);
    }
    // SAFETY: every block has an element, so its first `live` threads have a value; the rest is passed on.
    let total = unsafe { grid::reduce_first(value, op, live as u32, workspace) };
    if let Some(total) = total {
        // SAFETY: one thread of the grid comes here.
        unsafe { result.write(op.combine(Storable::load(result.read()), total).store()) };
    }
}
