//! Where a thread is; the barriers of its block; fences. Names are those of `cuda_std::thread`.
//!
//! Threads of a block and blocks of a grid are numbered in up to three dimensions. A grid whose threads
//! number 2^32 or more has no [`index`]: use the parts.

use crate::arch::{atomic, block_sync, block_sync_and, block_sync_count, block_sync_or, dim, id, system};

/// Numbers in three dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Vec3<T> {
    /// The fastest.
    pub x: T,
    /// The next.
    pub y: T,
    /// The slowest.
    pub z: T,
}

/// Numbers in two dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Vec2<T> {
    /// The fastest.
    pub x: T,
    /// The slowest.
    pub y: T,
}

macro_rules! dims {
    ($($(#[$doc:meta])* $all:ident, $x:ident, $y:ident, $z:ident = $source:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $all() -> Vec3<u32> {
            let [x, y, z] = dim::$source();
            Vec3 { x, y, z }
        }

        #[doc = concat!("The first of [`", stringify!($all), "`].")]
        #[inline(always)]
        pub fn $x() -> u32 {
            dim::$source()[0]
        }

        #[doc = concat!("The second of [`", stringify!($all), "`].")]
        #[inline(always)]
        pub fn $y() -> u32 {
            dim::$source()[1]
        }

        #[doc = concat!("The third of [`", stringify!($all), "`].")]
        #[inline(always)]
        pub fn $z() -> u32 {
            dim::$source()[2]
        }
    )*};
}

dims! {
    /// This thread in its block, from 0.
    thread_idx, thread_idx_x, thread_idx_y, thread_idx_z = thread;
    /// This block in its grid, from 0.
    block_idx, block_idx_x, block_idx_y, block_idx_z = block;
    /// Threads of the block.
    block_dim, block_dim_x, block_dim_y, block_dim_z = block_size;
    /// Blocks of the grid.
    grid_dim, grid_dim_x, grid_dim_y, grid_dim_z = grid_size;
}

/// This thread's number among all of the grid, whatever the dimensions: block after block, in each
/// thread after thread.
#[inline(always)]
pub fn index() -> u32 {
    id::block() * id::block_threads() + id::thread()
}

/// This thread's number along x.
#[inline(always)]
pub fn index_1d() -> u32 {
    thread_idx_x() + block_idx_x() * block_dim_x()
}

/// This thread's numbers along x and y.
#[inline(always)]
pub fn index_2d() -> Vec2<u32> {
    Vec2 { x: index_1d(), y: thread_idx_y() + block_idx_y() * block_dim_y() }
}

/// This thread's numbers along x, y and z.
#[inline(always)]
pub fn index_3d() -> Vec3<u32> {
    let Vec2 { x, y } = index_2d();
    Vec3 { x, y, z: thread_idx_z() + block_idx_z() * block_dim_z() }
}

/// Whether this is the grid's first thread: its number is 0 in its block, and the block's in the grid.
#[inline(always)]
pub fn first() -> bool {
    dim::block() == [0; 3] && dim::thread() == [0; 3]
}

/// Lanes of a warp.
#[inline(always)]
pub fn warp_size() -> u32 {
    crate::WARP_SIZE
}

/// The barrier of the block. Who must arrive: every thread of the block that has not exited, all at this
/// one call with their warps converged; anything else is undefined. Orders all memory among them.
#[inline(always)]
pub fn sync_threads() {
    block_sync()
}

/// A barrier as [`sync_threads`]; returns the number of threads whose `predicate` is not 0. The warps
/// need not be converged.
#[inline(always)]
pub fn sync_threads_count(predicate: u32) -> u32 {
    block_sync_count(predicate != 0)
}

/// A barrier as [`sync_threads_count`]; returns 1 if every thread's `predicate` is not 0, else 0.
#[inline(always)]
pub fn sync_threads_and(predicate: u32) -> u32 {
    block_sync_and(predicate != 0) as u32
}

/// A barrier as [`sync_threads_count`]; returns 1 if any thread's `predicate` is not 0, else 0.
#[inline(always)]
pub fn sync_threads_or(predicate: u32) -> u32 {
    block_sync_or(predicate != 0) as u32
}

/// Orders this thread's memory accesses before and after it, for all threads of the grid. It does not wait.
#[inline(always)]
pub fn grid_fence() {
    atomic::fence(atomic::Scope::Device)
}

/// Orders this thread's memory accesses before and after it, for all threads of the device. It does not wait.
#[inline(always)]
pub fn device_fence() {
    atomic::fence(atomic::Scope::Device)
}

/// Orders this thread's memory accesses before and after it, also for the host and other devices. It does not
/// wait.
#[inline(always)]
pub fn system_fence() {
    system::fence()
}

/// Suspends the calling thread for about so many nanoseconds.
#[inline(always)]
pub fn nanosleep(nanos: u32) {
    system::nanosleep(nanos)
}
