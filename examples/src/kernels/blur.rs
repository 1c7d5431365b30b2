//! Kernels in Rust: a device crate that uses `device_rt`.
#![no_std]
#![feature(abi_ptx)]

use device_rt::reduce::op::Max;
use device_rt::{block, shared_array, thread};

/// Threads of a block.
const THREADS: usize = 128;

/// The mean of each element and its neighbours; the first and the last have one neighbour. For blocks of
/// `THREADS` threads.
///
/// # Safety
/// `from` and `to` have `n` elements.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn blur(n: u32, from: *const f32, to: *mut f32) {
    // The block's elements, and one more on each side.
    let tile = shared_array![f32; THREADS + 2];
    let (i, here) = (thread::index_1d(), thread::thread_idx_x() as usize + 1);
    let load = |i: u32| match i < n {
        // SAFETY: below `n`.
        true => unsafe { from.add(i as usize).read() },
        false => 0.0,
    };
    // SAFETY: inside the tile, each element by one thread.
    unsafe {
        tile.add(here).write(load(i));
        if here == 1 {
            tile.write(load(i.wrapping_sub(1)));
        }
        if here == THREADS {
            tile.add(here + 1).write(load(i + 1));
        }
    }
    // Every thread reaches the barrier; afterwards the elements that other threads stored are visible.
    thread::sync_threads();
    if i < n {
        let count = 1 + (i > 0) as u32 + (i + 1 < n) as u32;
        // SAFETY: written before the barrier and not again.
        let sum = unsafe { tile.add(here - 1).read() + tile.add(here).read() + tile.add(here + 1).read() };
        // SAFETY: below `n`.
        unsafe { to.add(i as usize).write(sum / count as f32) };
    }
}

/// The largest element of each block.
///
/// # Safety
/// `data` has an element for each thread, `peaks` one for each block.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn peaks(data: *const f32, peaks: *mut f32) {
    // SAFETY: an element for each thread.
    let value = unsafe { data.add(thread::index_1d() as usize).read() };
    // Thread 0 gets the result.
    // SAFETY: every thread of the block executes this.
    if let Some(peak) = unsafe { block::reduce(value, Max) } {
        // SAFETY: an element for each block.
        unsafe { peaks.add(thread::block_idx_x() as usize).write(peak) };
    }
}
