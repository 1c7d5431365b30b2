//! Ids and sizes in three dimensions.

use core::arch::nvptx;

macro_rules! dims {
    ($($(#[$doc:meta])* $name:ident = $x:ident, $y:ident, $z:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name() -> [u32; 3] {
            // SAFETY: reads of special registers; they have no precondition.
            unsafe { [nvptx::$x() as u32, nvptx::$y() as u32, nvptx::$z() as u32] }
        }
    )*};
}

dims! {
    /// This thread in its block.
    thread = _thread_idx_x, _thread_idx_y, _thread_idx_z;
    /// This block in its grid.
    block = _block_idx_x, _block_idx_y, _block_idx_z;
    /// Threads of the block.
    block_size = _block_dim_x, _block_dim_y, _block_dim_z;
    /// Blocks of the grid.
    grid_size = _grid_dim_x, _grid_dim_y, _grid_dim_z;
}
