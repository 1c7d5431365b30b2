//! The shapes of launches: how many blocks of how many threads reduce so many elements.
//!
//! A *tile* is what a warp loads at a time, a *turn* the tiles that all warps of a grid take once. How many elements
//! a tile has depends on types and operators, and is the kernels' to say ([`KernelSpec::tile`]); everything else is
//! decided here, for all kernels that reduce arrays:
//!
//! | elements | blocks | threads of a block |
//! |---|---|---|
//! | at most a tile for each warp of a block | 1 | 32 for each tile |
//! | fewer than a tile for two warps on every multiprocessor | a tile for each warp | the largest |
//! | more | a tile for each warp, at least one block on every multiprocessor | the largest that allow it: all, a half or a quarter |
//! | more than the device's resident warps have tiles | as few turns as possible, and as few blocks as that takes | the largest |
//!
//! A block takes a reduction over its threads and a slot, some 80 instructions of each warp. So warps have whole
//! tiles, blocks are as large as they can be, and the last turn is as full as the others. With 2^20 `i32` on 132
//! multiprocessors that makes 256 blocks of 256 threads, a tile of 512 elements for each warp, and 32 KiB in
//! flight on a multiprocessor; with 2^24, 1024 blocks in four turns.
//!
//! [`KernelSpec::tile`]: codegen_shim::KernelSpec::tile

use device_rt::reduce::canonical::SHARING_THREADS;

/// The recommended block size, in threads.
///
/// Eight such blocks fill a multiprocessor's 2048 threads, so that seven can run while one waits at a
/// barrier; with larger blocks, small inputs are distributed less evenly.
pub const BLOCK_THREADS: u32 = 256;

/// What a grid is chosen for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Grid {
    /// Short time on a GPU: all multiprocessors work.
    #[default]
    Full,
    /// Few instructions: each warp takes [`SPARSE_TURNS`] tiles, so that little is spent on combining the results of
    /// threads. For the emulator, which executes one instruction after the other.
    Sparse,
}

/// Tiles that a warp takes in a [`Grid::Sparse`]: 2^15 elements of a block of `f64`.
pub const SPARSE_TURNS: u64 = 16;

/// Threads of a warp.
const WARP: u64 = 32;

/// The smallest blocks that an input is distributed with, in threads: two warps.
const SMALLEST: u64 = 2 * WARP;

/// What a kernel and a device allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The largest block, in threads.
    pub(crate) block_threads: u32,
    /// Such blocks that are resident on the device at a time, at least 1.
    pub(crate) resident_blocks: u32,
    pub(crate) multiprocessors: u32,
}

impl Limits {
    /// The shape of a launch for `n` elements, with tiles of `tile` elements: blocks, and threads per block.
    pub(crate) fn shape(self, n: u64, tile: u64, grid: Grid) -> (u32, u32) {
        let largest = u64::from(self.block_threads);
        let tiles = n.div_ceil(tile).max(1);
        let blocks_of = |threads: u64| tiles.div_ceil(threads.div_ceil(WARP));
        let (blocks, threads) = match grid {
            _ if blocks_of(largest) == 1 => (1, (tiles * WARP).min(largest)),
            Grid::Sparse => (blocks_of(largest).div_ceil(SPARSE_TURNS), largest),
            Grid::Full => {
                let sizes = [largest, largest / 2, largest / 4].into_iter();
                let fills = |&threads: &u64| {
                    let is_whole = threads == largest || threads.is_multiple_of(WARP) && threads >= SMALLEST;
                    is_whole && blocks_of(threads) >= u64::from(self.multiprocessors)
                };
                let threads = sizes.into_iter().find(fills).unwrap_or(largest);
                (blocks_of(threads), threads)
            }
        };
        // Smaller blocks are resident in a larger number, and few enough.
        let turns = blocks.div_ceil(u64::from(self.resident_blocks) * (largest / threads));
        (blocks.div_ceil(turns) as u32, threads as u32)
    }
}

impl Limits {
    /// The shape of a launch in which each warp takes a chunk: blocks, and threads per block. Where the warps of
    /// a block [can share](device_rt::reduce::canonical::folds_together) a chunk, they do as long as multiprocessors have
    /// few; otherwise a block has as few warps as give every multiprocessor one.
    pub(crate) fn chunks(self, chunks: u32, shares: bool) -> (u32, u32) {
        let multiprocessors = self.multiprocessors.max(1);
        if shares && self.block_threads >= SHARING_THREADS && chunks <= SHARED_CHUNKS * multiprocessors {
            return (chunks, SHARING_THREADS);
        }
        let most = (self.block_threads / WARP as u32).max(1);
        let warps = (chunks / multiprocessors).clamp(1, most);
        (chunks.div_ceil(warps), warps * WARP as u32)
    }
}

/// Chunks for each multiprocessor up to which blocks share them.
const SHARED_CHUNKS: u32 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    const H200: Limits = Limits { block_threads: 256, resident_blocks: 1056, multiprocessors: 132 };

    #[test]
    fn an_input_gets_the_shape_of_its_row() {
        let shape = |n| H200.shape(n, 512, Grid::Full);
        assert_eq!([0, 1, 512].map(shape), [(1, 32); 3]);
        assert_eq!([513, 1000, 1024, 4096].map(shape), [(1, 64), (1, 64), (1, 64), (1, 256)]);
        assert_eq!([4097, 1 << 16, 1 << 17].map(shape), [(2, 256), (16, 256), (32, 256)]);
        assert_eq!([1 << 18, 1 << 19].map(shape), [(256, 64), (256, 128)]);
        assert_eq!([1 << 20, 1 << 22].map(shape), [(256, 256), (1024, 256)]);
        // Four turns, and five of 1057 blocks' tiles.
        assert_eq!([1 << 24, 1056 * 4096 * 4 + 1].map(shape), [(1024, 256), (845, 256)]);
        assert_eq!(H200.shape(1 << 20, 256, Grid::Sparse), (32, 256));
        assert_eq!(H200.shape(1000, 256, Grid::Sparse), (1, 128));
    }

    #[test]
    fn chunks_are_for_all_multiprocessors_first() {
        let own = |n| H200.chunks(n, false);
        assert_eq!([1, 132, 133, 264].map(own), [(1, 32), (132, 32), (133, 32), (132, 64)]);
        assert_eq!([1056, 8192].map(own), [(132, 256), (1024, 256)]);
        assert_eq!([1, 528, 529].map(|n| H200.chunks(n, true)), [(1, 128), (528, 128), (133, 128)]);
    }

    /// Every block has at least one element of a turn, whatever the device.
    #[test]
    fn no_block_is_without_work() {
        for (block_threads, resident_blocks, multiprocessors) in
            [(256, 1056, 132), (96, 3, 3), (1, 16, 8), (33, 40, 20), (1024, 2, 1), (64, 1, 4)]
        {
            let limits = Limits { block_threads, resident_blocks, multiprocessors };
            for tile in [128, 512, 4096] {
                for n in (0..40).map(|at| (1u64 << at) - 1).chain((1..2000).map(|at| at * 977)) {
                    for grid in [Grid::Full, Grid::Sparse] {
                        let (blocks, threads) = limits.shape(n, tile, grid);
                        assert!(blocks >= 1 && (1..=block_threads).contains(&threads), "{limits:?} {n}");
                        let warps = u64::from(threads.div_ceil(32));
                        let of_others = (u64::from(blocks) - 1) * warps * tile;
                        assert!(blocks == 1 || of_others < n, "{limits:?} {n} {tile}: {blocks} of {threads}");
                        let resident = resident_blocks * (block_threads / threads);
                        assert!(blocks <= resident, "{limits:?} {n} {tile}: {blocks} of {threads}");
                    }
                }
            }
        }
    }
}
