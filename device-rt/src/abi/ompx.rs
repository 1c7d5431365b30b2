//! LLVM's kernel language: the hardware by plain names (`ompx.h`).

symbols! {
    /// LLVM's kernel language (ompx.h).
    const OMPX for Programs;

    device {
        use crate::arch::warp::{ballot, shuffle_down_in};
        use crate::arch::{block_sync, block_sync_divergent, dim};

        /// The component of dimension 0, 1 or 2; 0 of any other.
        #[inline(always)]
        fn component([x, y, z]: [u32; 3], dimension: i32) -> i32 {
            match dimension {
                0 => x as i32,
                1 => y as i32,
                2 => z as i32,
                _ => 0,
            }
        }

        /// The 32 bits of another lane.
        ///
        /// # Safety
        /// As for [`shuffle_down_in`].
        #[inline(always)]
        unsafe fn word(mask: u64, value: u32, delta: u32, width: i32) -> u32 {
            // SAFETY: passed on from the caller.
            unsafe { shuffle_down_in(mask as u32, value, delta, width as u32) }
        }

        /// The 64 bits of another lane.
        ///
        /// # Safety
        /// As for [`shuffle_down_in`].
        #[inline(always)]
        unsafe fn double_word(mask: u64, value: u64, delta: u32, width: i32) -> u64 {
            // SAFETY: passed on from the caller.
            unsafe {
                let (low, high) =
                    (word(mask, value as u32, delta, width), word(mask, (value >> 32) as u32, delta, width));
                u64::from(low) | u64::from(high) << 32
            }
        }
    }

    /// The thread in its block, in dimension 0, 1 or 2.
    fn ompx_thread_id(dimension: i32) -> i32 => component(dim::thread(), dimension);

    /// The size of the block, in dimension 0, 1 or 2.
    fn ompx_block_dim(dimension: i32) -> i32 => component(dim::block_size(), dimension);

    /// The block in its grid, in dimension 0, 1 or 2.
    fn ompx_block_id(dimension: i32) -> i32 => component(dim::block(), dimension);

    /// The size of the grid, in dimension 0, 1 or 2.
    fn ompx_grid_dim(dimension: i32) -> i32 => component(dim::grid_size(), dimension);

    /// The barrier of the block, which orders all memory whatever the order asked for.
    fn ompx_sync_block(order: i32) {
        callers: EVERY_THREAD, orders: BLOCK, result: NONE,
    } => block_sync();

    /// The barrier of the block.
    fn ompx_sync_block_acq_rel() {
        callers: EVERY_THREAD, orders: BLOCK, result: NONE,
    } => block_sync();

    /// The barrier of the block, for threads at different places of the program.
    fn ompx_sync_block_divergent(order: i32) {
        callers: "every thread of the block, each where it is", orders: BLOCK, result: NONE,
    } => block_sync_divergent();

    /// The lanes of the mask, its low 32 bits, whose predicate holds.
    ///
    /// # Safety
    /// As for [`ballot`].
    unsafe fn ompx_ballot_sync(mask: u64, predicate: i32) -> u64 {
        callers: "the lanes of the mask", orders: NOTHING, result: EACH,
    } => u64::from(ballot(mask as u32, predicate != 0));

    /// The value of the lane delta above, in segments of width lanes.
    ///
    /// # Safety
    /// As for [`shuffle_down_in`].
    unsafe fn ompx_shfl_down_sync_i(mask: u64, value: i32, delta: u32, width: i32) -> i32 {
        callers: "the lanes of the mask", orders: NOTHING, result: SHUFFLED,
    } => word(mask, value as u32, delta, width) as i32;

    /// The value of the lane delta above, in segments of width lanes.
    ///
    /// # Safety
    /// As for [`shuffle_down_in`].
    unsafe fn ompx_shfl_down_sync_f(mask: u64, value: f32, delta: u32, width: i32) -> f32 {
        callers: "the lanes of the mask", orders: NOTHING, result: SHUFFLED,
    } => f32::from_bits(word(mask, value.to_bits(), delta, width));

    /// The value of the lane delta above, in segments of width lanes.
    ///
    /// # Safety
    /// As for [`shuffle_down_in`].
    unsafe fn ompx_shfl_down_sync_l(mask: u64, value: i64, delta: u32, width: i32) -> i64 {
        callers: "the lanes of the mask", orders: NOTHING, result: SHUFFLED,
    } => double_word(mask, value as u64, delta, width) as i64;

    /// The value of the lane delta above, in segments of width lanes.
    ///
    /// # Safety
    /// As for [`shuffle_down_in`].
    unsafe fn ompx_shfl_down_sync_d(mask: u64, value: f64, delta: u32, width: i32) -> f64 {
        callers: "the lanes of the mask", orders: NOTHING, result: SHUFFLED,
    } => f64::from_bits(double_word(mask, value.to_bits(), delta, width));
}
