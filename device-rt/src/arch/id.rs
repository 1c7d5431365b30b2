//! Linear ids and sizes. In the OpenMP library blocks and grids have one dimension, elsewhere up to three. A
//! block has at most 1024 threads; a grid that reduces has fewer than 2^31 blocks, so that ids and sizes fit
//! the `i32` of the callbacks.

use core::arch::nvptx;

unsafe extern "C" {
    safe fn __warpfold_multiprocessor() -> u32;
    safe fn __warpfold_block_threads() -> u32;
    /// Whether blocks and grids have one dimension: a constant of the build (grid_1d.ll, grid_3d.ll).
    safe fn __warpfold_is_1d() -> bool;
}

/// This thread's number in its block: `tid.x + ntid.x * (tid.y + ntid.y * tid.z)`.
#[inline(always)]
pub fn thread() -> u32 {
    if __warpfold_is_1d() {
        // SAFETY: as below.
        return unsafe { nvptx::_thread_idx_x() } as u32;
    }
    // SAFETY: reads of special registers; they have no precondition.
    let [x, y, z, nx, ny] = unsafe {
        [
            nvptx::_thread_idx_x(),
            nvptx::_thread_idx_y(),
            nvptx::_thread_idx_z(),
            nvptx::_block_dim_x(),
            nvptx::_block_dim_y(),
        ]
    };
    (x + nx * (y + ny * z)) as u32
}

/// The number of threads of the block.
#[inline(always)]
pub fn block_threads() -> u32 {
    if __warpfold_is_1d() {
        // SAFETY: as below.
        return unsafe { nvptx::_block_dim_x() } as u32;
    }
    // SAFETY: reads of special registers; they have no precondition.
    let [x, y, z] = unsafe { [nvptx::_block_dim_x(), nvptx::_block_dim_y(), nvptx::_block_dim_z()] };
    (x * y * z) as u32
}

/// As [`block_threads`], where blocks have one dimension, without the range that LLVM knows of it. LLVM's OpenMP passes
/// replace the result of a function that returns the size of the block with the constant of a `thread_limit` clause. One
/// above 1024 contradicts the range, and the rest of the kernel would count as unreachable.
#[inline(always)]
pub fn unranged_block_threads() -> u32 {
    __warpfold_block_threads()
}

/// This block's number in the grid, numbered like threads in a block.
#[inline(always)]
pub fn block() -> u32 {
    if __warpfold_is_1d() {
        // SAFETY: as below.
        return unsafe { nvptx::_block_idx_x() } as u32;
    }
    // SAFETY: reads of special registers; they have no precondition.
    let [x, y, z, nx, ny] = unsafe {
        [
            nvptx::_block_idx_x(),
            nvptx::_block_idx_y(),
            nvptx::_block_idx_z(),
            nvptx::_grid_dim_x(),
            nvptx::_grid_dim_y(),
        ]
    };
    (x + nx * (y + ny * z)) as u32
}

/// The number of blocks of the grid.
#[inline(always)]
pub fn grid_blocks() -> u32 {
    if __warpfold_is_1d() {
        // SAFETY: as below.
        return unsafe { nvptx::_grid_dim_x() } as u32;
    }
    // SAFETY: reads of special registers; they have no precondition.
    let [x, y, z] = unsafe { [nvptx::_grid_dim_x(), nvptx::_grid_dim_y(), nvptx::_grid_dim_z()] };
    (x * y * z) as u32
}

/// The multiprocessor that this thread runs on now; numbers may have gaps, and a thread may move.
#[inline(always)]
pub fn multiprocessor() -> u32 {
    __warpfold_multiprocessor()
}
