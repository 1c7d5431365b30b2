//! How a kernel is launched and what a launch answers.

use crate::counts::Counts;

/// The shape of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LaunchConfig {
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory for each block.
    pub dynamic_shared: u32,
}

impl LaunchConfig {
    /// A one-dimensional launch without dynamic shared memory.
    pub fn linear(blocks: u32, threads: u32) -> LaunchConfig {
        LaunchConfig { grid: [blocks, 1, 1], block: [threads, 1, 1], dynamic_shared: 0 }
    }

    /// Threads of one block.
    pub fn block_threads(&self) -> u64 {
        self.block.iter().map(|&n| u64::from(n)).product()
    }
}

/// Which group of lanes of a warp runs next when its lanes have diverged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LaneGroupChoice {
    /// The group furthest behind: deepest call first, then lowest address. Lanes reconverge as soon as
    /// they can.
    #[default]
    Lowest,
    /// Any group, chosen anew at every branch; lanes that meet at one address run together.
    Any,
}

/// How a launch is run. The same options, program and input give the same run, step by step, unless `jobs` is
/// more than 1 and counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchOptions {
    /// `None`: blocks and warps run in order. `Some`: every choice comes from this seed.
    pub seed: Option<u64>,
    /// Start blocks from the last to the first.
    pub reverse_blocks: bool,
    /// Blocks that are resident at a time; `None`: as many as fit the machine when a seed is given, else
    /// one, and more only when the resident ones wait for something outside.
    pub resident_blocks: Option<u32>,
    /// Switch to another warp after this many instructions; `None`: at barriers, waits and every 256
    /// instructions.
    pub switch_every: Option<u32>,
    /// Which lanes of a diverged warp run next.
    pub groups: LaneGroupChoice,
    /// Warp instructions after which the launch ends with a fault. The default is more than an hour's work.
    pub step_limit: u64,
    /// Bytes of the host that running blocks may take for registers, stacks and shared memory. Fewer blocks are
    /// resident where more would need more than this; a block that needs more by itself ends with a fault.
    pub block_memory: u64,
    /// Threads of the host that work on the blocks of a launch, at most; 0 counts as 1. More than one give up
    /// exact replay: the order of blocks is then the host's, as on a GPU, and so is everything that depends on
    /// it. Counts are exact sums. Only a launch that runs to its end at once, without a seed, in plain memory
    /// and without an observer has several jobs; otherwise this is 1.
    pub jobs: u32,
}

impl Default for LaunchOptions {
    fn default() -> LaunchOptions {
        LaunchOptions {
            seed: None,
            reverse_blocks: false,
            resident_blocks: None,
            switch_every: None,
            groups: LaneGroupChoice::Lowest,
            step_limit: 1 << 38,
            block_memory: 4 << 30,
            jobs: 1,
        }
    }
}

/// What a completed launch answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchReport {
    /// Name of the kernel.
    pub kernel: String,
    /// Shape of the launch.
    pub config: LaunchConfig,
    /// What it did.
    pub counts: Counts,
}
