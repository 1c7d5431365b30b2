//! The shape and the options of a launch, and what a launch returns.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

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

/// Which lane group of a warp runs next when its lanes have diverged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LaneGroupChoice {
    /// The group that is furthest behind: the deepest call first, then the lowest address. Lanes reconverge
    /// as soon as possible.
    #[default]
    Lowest,
    /// Any group, chosen anew at every branch; lanes that meet at one address run together.
    Any,
}

/// What executes the instructions of a launch. The results, the counts and the faults are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The interpreter, and compiled code of functions that it has executed long enough.
    #[default]
    Auto,
    /// The interpreter.
    Interpret,
    /// Compiled code, from the first instruction of a function on.
    Compile,
}

impl Engine {
    /// All, with their names.
    pub const NAMED: [(&'static str, Engine); 3] =
        [("auto", Engine::Auto), ("interpret", Engine::Interpret), ("compile", Engine::Compile)];
}

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(text: &str) -> Result<Engine, UnknownEngine> {
        let found = Engine::NAMED.into_iter().find(|(name, _)| *name == text);
        found.map(|(_, engine)| engine).ok_or(UnknownEngine)
    }
}

impl Display for Engine {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let found = Engine::NAMED.iter().find(|(_, engine)| engine == self);
        f.write_str(found.map_or("", |(name, _)| name))
    }
}

/// A text is not the name of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the engines are auto, interpret and compile")]
pub struct UnknownEngine;

/// How a launch is run. The same options, program and input give the same run, step by step, unless several
/// `jobs` run it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchOptions {
    /// `None`: blocks and warps run in order. `Some`: every scheduling choice comes from this seed.
    pub seed: Option<u64>,
    /// Start blocks from the last to the first.
    pub reverse_blocks: bool,
    /// Blocks that are resident at a time. `None`: with a seed, as many as fit the machine; without one, one
    /// block, and more only while the resident blocks wait for others.
    pub resident_blocks: Option<u32>,
    /// `Some`: a cooperative launch. All its blocks are resident at a time, whatever `resident_blocks` and `block_memory`
    /// say; a grid of more than fit the machine is rejected. The number is the address of 8 zeroed bytes in which the blocks meet, which
    /// kernels read from `%envreg1` (the upper half) and `%envreg2` (the lower half).
    pub cooperative: Option<u64>,
    /// Switch to another warp after this many instructions; `None`: at barriers and waits, and where a basic block begins
    /// after 256 instructions.
    pub switch_every: Option<u32>,
    /// Which lanes of a diverged warp run next.
    pub groups: LaneGroupChoice,
    /// Warp instructions after which the launch ends with a fault; 64 bytes that a call of `printf` reads or
    /// formats count as one more. The default takes more than an hour.
    pub step_limit: u64,
    /// Host memory in bytes that resident blocks may take for registers, stacks and shared memory. Fewer
    /// blocks are resident where more would exceed it; a single block that exceeds it ends with a fault.
    pub block_memory: u64,
    /// The most host threads that run the blocks of a launch; 0 counts as 1. With several jobs a run cannot
    /// be repeated exactly: the order of blocks depends on the host's scheduler, as it does on a GPU, and so
    /// does everything that depends on it. Counts are exact sums. Only a launch that runs to its end at once,
    /// without a seed, in plain memory and without an observer has several jobs; any other launch has one.
    pub jobs: u32,
    /// Whether the launch takes shortcuts that change nothing but its speed: the host's vector instructions, and accesses
    /// of whole rows at once. Without them it is the model of a launch with them.
    pub shortcuts: bool,
    /// What executes the instructions.
    pub engine: Engine,
}

impl Default for LaunchOptions {
    fn default() -> LaunchOptions {
        LaunchOptions {
            seed: None,
            reverse_blocks: false,
            resident_blocks: None,
            cooperative: None,
            switch_every: None,
            groups: LaneGroupChoice::Lowest,
            step_limit: 1 << 38,
            block_memory: 4 << 30,
            jobs: 1,
            shortcuts: true,
            engine: Engine::Auto,
        }
    }
}

/// What a completed launch returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchReport {
    /// Name of the kernel.
    pub kernel: String,
    /// Shape of the launch.
    pub config: LaunchConfig,
    /// What it did.
    pub counts: Counts,
    /// Warp instructions that compiled code has executed, helper operations included.
    pub compiled_instructions: u64,
}
