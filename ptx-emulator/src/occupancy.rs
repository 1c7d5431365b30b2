//! How many blocks of a kernel a multiprocessor holds, and what limits them.

use crate::description::MachineDescription;

/// Threads of a warp.
const WARP: u32 = 32;

/// What limits the blocks of a kernel on a multiprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum OccupancyLimit {
    /// Its threads.
    Threads,
    /// Its registers.
    Registers,
    /// Its shared memory.
    Shared,
    /// The most blocks that it holds of any kernel.
    Blocks,
}

impl OccupancyLimit {
    /// The resource in words.
    pub fn name(self) -> &'static str {
        match self {
            OccupancyLimit::Threads => "threads",
            OccupancyLimit::Registers => "registers",
            OccupancyLimit::Shared => "shared memory",
            OccupancyLimit::Blocks => "blocks",
        }
    }
}

/// The blocks of a kernel that fit one multiprocessor, by each resource alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Occupancy {
    /// By its threads.
    pub by_threads: u32,
    /// By its registers.
    pub by_registers: u32,
    /// By its shared memory.
    pub by_shared: u32,
    /// The most blocks of any kernel.
    pub by_blocks: u32,
}

impl Occupancy {
    /// Of blocks of so many threads, with so many registers a thread and so many bytes of shared memory a block. Without
    /// a number of registers these do not limit.
    pub fn new(
        machine: &MachineDescription,
        block_threads: u32,
        registers: Option<u32>,
        shared: u64,
    ) -> Occupancy {
        let warps = block_threads.div_ceil(WARP).max(1);
        // The hardware allocates registers to whole warps, in units of 256.
        let of_block =
            registers.map(|registers| (registers.clamp(16, 255) * WARP).next_multiple_of(256) * warps);
        let shared = (shared + u64::from(machine.shared_reserved_per_block)).max(1);
        Occupancy {
            by_threads: machine.max_threads_per_sm / (warps * WARP),
            by_registers: of_block.map_or(u32::MAX, |of_block| machine.registers_per_sm / of_block),
            by_shared: u32::try_from(u64::from(machine.shared_per_sm) / shared).unwrap_or(u32::MAX),
            by_blocks: machine.max_blocks_per_sm,
        }
    }

    /// Blocks that fit.
    pub fn blocks(&self) -> u32 {
        self.by_threads.min(self.by_registers).min(self.by_shared).min(self.by_blocks)
    }

    /// The resource that allows the fewest blocks; of several, threads come first.
    pub fn limit(&self) -> OccupancyLimit {
        let all = [
            (self.by_threads, OccupancyLimit::Threads),
            (self.by_registers, OccupancyLimit::Registers),
            (self.by_shared, OccupancyLimit::Shared),
            (self.by_blocks, OccupancyLimit::Blocks),
        ];
        all.into_iter()
            .find(|(blocks, _)| *blocks == self.blocks())
            .map_or(OccupancyLimit::Threads, |it| it.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kernels of 256 threads with 32, 40 and 48 registers have 8, 6 and 5 resident blocks.
    #[test]
    fn each_resource_limits_where_it_is_short() {
        let h200 = MachineDescription::h200();
        let of = |threads, registers, shared| {
            let occupancy = Occupancy::new(&h200, threads, Some(registers), shared);
            (occupancy.blocks(), occupancy.limit())
        };
        assert_eq!(of(256, 32, 0), (8, OccupancyLimit::Threads));
        assert_eq!(of(256, 33, 0), (6, OccupancyLimit::Registers));
        assert_eq!([40, 48].map(|registers| of(256, registers, 0).0), [6, 5]);
        assert_eq!(of(256, 32, 32 << 10), (6, OccupancyLimit::Shared));
        assert_eq!(of(32, 16, 0), (32, OccupancyLimit::Blocks));
        assert_eq!(Occupancy::new(&h200, 256, None, 0).blocks(), 8);
    }
}
