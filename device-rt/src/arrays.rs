//! The kernel that reduces arrays with an operator: a grid of any size over any number of elements.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use crate::arch::id;
use crate::grid;
use crate::reduce::op::{Lift, Storable};

/// Arrays in global memory that are read together: a pointer, or a tuple of pointers.
pub trait Arrays: Copy {
    /// What the arrays have at one index.
    type Item: Copy;

    /// Reads it.
    ///
    /// # Safety
    /// Every array has an element of that index, and nobody writes it.
    unsafe fn item(self, index: u64) -> Self::Item;
}

impl<T: Copy> Arrays for *const T {
    type Item = T;

    #[inline(always)]
    unsafe fn item(self, index: u64) -> T {
        // SAFETY: passed on from the caller.
        unsafe { self.wrapping_add(index as usize).read() }
    }
}

macro_rules! tuples {
    ($($($name:ident $at:tt),*;)*) => {$(
        impl<$($name: Arrays),*> Arrays for ($($name,)*) {
            type Item = ($($name::Item,)*);

            #[inline(always)]
            unsafe fn item(self, index: u64) -> Self::Item {
                // SAFETY: passed on from the caller.
                unsafe { ($(self.$at.item(index),)*) }
            }
        }
    )*};
}

tuples! {
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
}

/// Elements that a thread reads before it combines the first of them: so many loads are under way at a time.
const AT_A_TIME: u64 = 4;

/// Combines elements 0 to `n`-1 and then, in one thread, `result` with them: `result = result op elements`.
///
/// Element i is thread i's of the whole grid, and each thread goes on with the stride of the grid, so the
/// order depends on `n` and the shape of the launch alone.
///
/// Who must arrive: every thread of the grid, each block converged. What it orders: nothing that the end
/// of the launch does not.
///
/// # Safety
/// The threads arrive as said, and every block has an element: `n` is more than the number of threads of
/// all blocks but one. The arrays have `n` elements, which nobody writes; `result` is this launch's alone;
/// `workspace` is as [`grid::reduce`] says for `O::Value`.
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
    let threads = u64::from(id::block_threads());
    let before = u64::from(id::block()) * threads;
    let stride = u64::from(id::grid_blocks()) * threads;
    let live = if n - before < threads { n - before } else { threads };
    let mut index = before + u64::from(id::thread());
    let mut value = MaybeUninit::uninit();
    if index < n {
        // SAFETY: an index below `n`.
        let mut sum = op.lift(unsafe { arrays.item(index) }, index);
        index += stride;
        while n > (AT_A_TIME - 1) * stride && index < n - (AT_A_TIME - 1) * stride {
            let at = |step: u64| index + step * stride;
            // SAFETY: indices below `n`.
            let items = unsafe { [0, 1, 2, 3].map(|step| arrays.item(at(step))) };
            let [first, second, third, fourth] = items;
            sum = op.accumulate(sum, first, at(0));
            sum = op.accumulate(sum, second, at(1));
            sum = op.accumulate(sum, third, at(2));
            sum = op.accumulate(sum, fourth, at(3));
            index += AT_A_TIME * stride;
        }
        while index < n {
            // SAFETY: an index below `n`.
            sum = op.accumulate(sum, unsafe { arrays.item(index) }, index);
            index += stride;
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
