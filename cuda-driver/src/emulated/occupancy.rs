//! Occupancy: how many blocks a multiprocessor can hold.

use super::{
    abi::{DriverResult, Handle, Out, entry_points},
    state::with,
};
use crate::Status;

/// Dynamic shared memory of a block as a function of its threads.
type SharedOfBlock = Option<unsafe extern "C" fn(i32) -> usize>;

const WARP: u32 = 32;

entry_points! {
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: Out<i32>,
        function: Handle,
        block_threads: i32,
        dynamic_shared: usize,
    ) {
        blocks.set(occupancy(function, threads(block_threads)?, dynamic_shared)? as i32)
    }

    fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: Out<i32>,
        function: Handle,
        block_threads: i32,
        dynamic_shared: usize,
        _flags: u32,
    ) {
        blocks.set(occupancy(function, threads(block_threads)?, dynamic_shared)? as i32)
    }

    fn cuOccupancyMaxPotentialBlockSize(
        grid: Out<i32>,
        block: Out<i32>,
        function: Handle,
        shared_of_block: SharedOfBlock,
        dynamic_shared: usize,
        limit: i32,
    ) {
        best_block(grid, block, function, shared_of_block, dynamic_shared, limit)
    }

    fn cuOccupancyMaxPotentialBlockSizeWithFlags(
        grid: Out<i32>,
        block: Out<i32>,
        function: Handle,
        shared_of_block: SharedOfBlock,
        dynamic_shared: usize,
        limit: i32,
        _flags: u32,
    ) {
        best_block(grid, block, function, shared_of_block, dynamic_shared, limit)
    }

    fn cuOccupancyAvailableDynamicSMemPerBlock(
        bytes: Out<usize>,
        function: Handle,
        blocks: i32,
        block_threads: i32,
    ) {
        let (blocks, threads) = (u32::try_from(blocks).unwrap_or(0), threads(block_threads)?);
        if blocks == 0 || occupancy(function, threads, 0)? < blocks {
            return Err(Status::INVALID_VALUE);
        }
        // The largest size with which `blocks` blocks still fit, found by bisection.
        let (_, all) = of_device(function)?;
        let (mut fits, mut too_much) = (0, all as usize + 1);
        while too_much - fits > 1 {
            let middle = fits + (too_much - fits) / 2;
            match occupancy(function, threads, middle)? >= blocks {
                true => fits = middle,
                false => too_much = middle,
            }
        }
        bytes.set(fits)
    }
}

fn threads(block_threads: i32) -> Result<u32, Status> {
    u32::try_from(block_threads).ok().filter(|&threads| threads > 0).ok_or(Status::INVALID_VALUE)
}

fn occupancy(function: Handle, block_threads: u32, dynamic_shared: usize) -> Result<u32, Status> {
    with(|state| {
        let (function, module) = state.find_function(function)?;
        let kernel = module.loaded.program().kernel(&function.kernel).ok_or(Status::INVALID_HANDLE)?;
        let dynamic_shared = u32::try_from(dynamic_shared).unwrap_or(u32::MAX);
        Ok(state.machine_of(module.context).occupancy(kernel, block_threads, dynamic_shared))
    })
}

/// Multiprocessors of a function's device, and bytes of shared memory of each.
fn of_device(function: Handle) -> Result<(u32, u32), Status> {
    with(|state| {
        let (_, module) = state.find_function(function)?;
        let machine = state.machine_of(module.context).description();
        Ok((machine.multiprocessors, machine.shared_per_sm))
    })
}

/// The block size, in whole warps, that keeps the most threads resident; the largest of equals.
fn best_block(
    grid: Out<i32>,
    block: Out<i32>,
    function: Handle,
    shared_of_block: SharedOfBlock,
    dynamic_shared: usize,
    limit: i32,
) -> DriverResult {
    grid.check()?;
    block.check()?;
    let (multiprocessors, _) = of_device(function)?;
    let most = with(|state| {
        let (function, module) = state.find_function(function)?;
        let kernel = module.loaded.program().kernel(&function.kernel).ok_or(Status::INVALID_HANDLE)?;
        Ok(kernel.max_threads)
    })?;
    // 0 means no limit.
    let most = if limit > 0 { most.min(limit as u32) } else { most };
    let mut best = (0, 0, 0);
    for warps in 1..=most.div_ceil(WARP) {
        let threads = (warps * WARP).min(most);
        let shared = match shared_of_block {
            // SAFETY: the caller promises a function of a block size; no lock is held.
            Some(of_block) => unsafe { of_block(threads as i32) },
            None => dynamic_shared,
        };
        let blocks = occupancy(function, threads, shared)?;
        if blocks * threads >= best.0 && blocks > 0 {
            best = (blocks * threads, threads, blocks);
        }
    }
    let (resident, threads, blocks) = best;
    if resident == 0 {
        return Err(Status::INVALID_VALUE);
    }
    block.set(threads as i32)?;
    grid.set((blocks * multiprocessors) as i32)
}
