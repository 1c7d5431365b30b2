//! The estimate.
//!
//! A launch takes at least as long as the busiest part of the GPU works: memory, the second-level cache, the schedulers
//! of a multiprocessor, its shared memory, its barriers, or the address with the most atomics. It also takes at least as
//! long as its longest warp needs for what comes one after the other, and a mean one in each further wave. To the larger of both
//! come the start of the kernel, and the turns between waves, in which the blocks of one end and those of the next have
//! not loaded yet.

use super::gpus::Gpu;
use crate::occupancy::Occupancy;
use crate::profile::{LaunchProfile, WarpTotals};

/// The share of the data sheet's bandwidth that a stream of loads reaches. Fitted (docs/profile.md).
const MEMORY_SHARE: f64 = 0.925;
/// Seconds in which a kernel's first blocks start and its last ones end. Fitted on kernels that Nsight Compute timed.
const KERNEL: f64 = 1.45e-6;
/// Seconds between two waves of blocks. Fitted.
const TURN: f64 = 1.9e-6;
/// A turn takes this share of its wave at most: the waves of short blocks overlap. Assumed.
const TURN_SHARE: f64 = 0.5;
/// Waves after which blocks end at so different times that a turn is hidden. Fitted.
const TURNS: f64 = 16.0;
/// Seconds that the first kernel of a measured run takes more, and each further operation. Fitted.
const FIRST: f64 = 2.05e-6;
const NEXT: f64 = 0.9e-6;

/// Schedulers of a multiprocessor, one instruction a cycle each (CUDA's programming guide, compute capabilities).
const SCHEDULERS: f64 = 4.0;
/// Cycles after which an instruction's result can be used: 4 from Volta on (arXiv 1804.06826; table 3 of PMC10448217).
const DEPENDENT: f64 = 4.0;
/// Cycles of a block barrier that nobody is late for, and arrivals of warps a multiprocessor takes in a cycle: 22 and
/// 0.475 on a V100 (Zhang et al., "A study of single and multi-device synchronization methods in NVIDIA GPUs", 2020).
const BARRIER: f64 = 22.0;
const ARRIVALS: f64 = 0.475;
/// Passes over the banks of shared memory in a cycle: its 32 banks have 4 bytes each (CUDA's programming guide).
const PASSES: f64 = 1.0;
/// Atomics on one address of global memory in a cycle: one, since Kepler (NVIDIA's GK110 white paper).
const ATOMICS: f64 = 1.0;

/// What limits a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Bound {
    /// The bandwidth of memory, or of the second-level cache.
    Memory,
    /// What each warp does one after the other: it waits for loads, or for the results of its instructions.
    Latency,
    /// The instructions that a multiprocessor issues in a cycle.
    Issue,
    /// Passes over the banks of shared memory.
    Shared,
    /// Block barriers.
    Barrier,
    /// Atomics on one address.
    Atomics,
}

impl Bound {
    /// The bound in words.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Memory => "memory",
            Bound::Latency => "latency",
            Bound::Issue => "issue",
            Bound::Shared => "shared memory",
            Bound::Barrier => "barrier",
            Bound::Atomics => "atomics",
        }
    }
}

/// What the estimate needs to know of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LaunchFacts {
    /// Blocks.
    pub blocks: u64,
    /// Threads of a block.
    pub block_threads: u32,
    /// Registers of a thread, if they are known.
    pub registers: Option<u32>,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u64,
    /// Warp instructions of the launch, of PTX.
    pub warp_instructions: u64,
    /// The same of machine code, if they are known.
    pub machine_instructions: Option<u64>,
    /// The largest counts of a warp.
    pub longest: WarpTotals,
    /// Sectors of global memory that were accessed at all.
    pub touched_sectors: u64,
    /// Sectors of all accesses; those of atomics are read and written.
    pub sectors: u64,
    /// Cycles in which shared memory is busy: passes, and turns of atomics.
    pub shared_cycles: u64,
    /// The most atomics on one address of global memory.
    pub hottest: u64,
    /// Arrivals of warps at barriers.
    pub barriers: u64,
    /// Times that warps waited for global memory, the loads that they waited for, and their bytes.
    pub rounds: u64,
    /// Loads.
    pub round_loads: u64,
    /// Bytes.
    pub round_bytes: u64,
}

impl From<&LaunchProfile> for LaunchFacts {
    fn from(profile: &LaunchProfile) -> LaunchFacts {
        let total = &profile.total;
        LaunchFacts {
            blocks: profile.grid.iter().map(|&extent| u64::from(extent)).product(),
            block_threads: profile.block.iter().product(),
            registers: profile.registers,
            shared_bytes: u64::from(profile.shared_bytes),
            warp_instructions: total.warp_instructions,
            machine_instructions: None,
            longest: profile.longest,
            touched_sectors: profile.touched_sectors,
            sectors: total.load_sectors + total.store_sectors + 2 * total.atomic_sectors,
            shared_cycles: total.shared_passes + total.shared_turns,
            hottest: profile.lines.iter().map(|line| line.hottest).max().unwrap_or(0),
            barriers: total.barriers,
            rounds: total.load_rounds,
            round_loads: total.round_loads,
            round_bytes: total.round_bytes,
        }
    }
}

/// Seconds that each part of a launch takes by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Times {
    /// Memory, each sector once.
    pub memory: f64,
    /// The second-level cache, each access.
    pub cache: f64,
    /// Instructions of the busiest multiprocessor.
    pub issue: f64,
    /// Passes over its banks.
    pub shared: f64,
    /// Arrivals at its barriers.
    pub barrier: f64,
    /// Atomics on the address that has most.
    pub atomics: f64,
    /// The longest warp waits for loads, and a mean one in each further wave of blocks.
    pub loads: f64,
    /// They wait for results of instructions.
    pub dependent: f64,
    /// They wait at barriers.
    pub waits: f64,
    /// Waves take turns.
    pub turns: f64,
    /// The kernel starts and ends.
    pub kernel: f64,
}

/// An estimate for one launch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Estimate {
    /// Blocks that fit a multiprocessor.
    pub occupancy: Occupancy,
    /// Waves of blocks.
    pub waves: u64,
    /// Warps that are resident on a multiprocessor in a full wave, or in the only one.
    pub resident_warps: u32,
    /// Loads of global memory that a warp has in flight, on average.
    pub loads_in_flight: f64,
    /// Bytes that the resident warps of a multiprocessor have in flight while they wait.
    pub bytes_in_flight: f64,
    /// Bytes in flight that the bandwidth of memory takes, by Little's law.
    pub bytes_needed: f64,
    /// The parts.
    pub times: Times,
    /// Seconds of the launch.
    pub seconds: f64,
    /// What limits it.
    pub bound: Bound,
}

impl Estimate {
    /// Of a launch on a GPU.
    pub fn new(facts: &LaunchFacts, gpu: &Gpu) -> Estimate {
        let occupancy =
            Occupancy::new(&gpu.machine, facts.block_threads, facts.registers, facts.shared_bytes);
        let multiprocessors = u64::from(gpu.machine.multiprocessors);
        let fitting = u64::from(occupancy.blocks().max(1));
        let waves = facts.blocks.div_ceil(multiprocessors * fitting).max(1);
        let of_busiest = facts.blocks.div_ceil(multiprocessors);
        let block_warps = f64::from(facts.block_threads.div_ceil(32));
        let resident_warps = (of_busiest.min(fitting) * u64::from(facts.block_threads.div_ceil(32))) as u32;
        let share = of_busiest as f64 / facts.blocks.max(1) as f64;
        let cycle = 1.0 / gpu.clock();

        // Few warps do not reach all schedulers.
        let schedulers = SCHEDULERS.min((of_busiest as f64 * block_warps).max(1.0));
        // The longest warp is in one of the waves; the others are as long as most warps.
        let warps = (facts.blocks as f64 * block_warps).max(1.0);
        let repeated = |longest: u64, all: u64, cycles: f64| {
            let others = (waves - 1) as f64 * all as f64 / warps;
            (longest as f64 + others) * cycles * cycle
        };
        let longest = &facts.longest;
        let issued = facts.machine_instructions.unwrap_or(facts.warp_instructions) as f64;
        // A warp's instructions are counted in PTX.
        let of_machine = issued / facts.warp_instructions.max(1) as f64;
        let mut times = Times {
            memory: facts.touched_sectors as f64 * 32.0 / (gpu.memory_bandwidth * MEMORY_SHARE),
            cache: facts.sectors as f64 * 32.0 / gpu.cache_bandwidth,
            issue: issued * share / schedulers * cycle,
            shared: facts.shared_cycles as f64 * share / PASSES * cycle,
            barrier: facts.barriers as f64 * share / ARRIVALS * cycle,
            atomics: facts.hottest as f64 / ATOMICS * cycle,
            loads: repeated(longest.rounds, facts.rounds, gpu.memory_latency),
            dependent: repeated(longest.instructions, facts.warp_instructions, DEPENDENT * of_machine),
            waits: repeated(longest.barriers, facts.barriers, BARRIER),
            turns: 0.0,
            kernel: KERNEL,
        };
        let (busy, part) = busiest(&times);
        let turn = TURN.min(TURN_SHARE * busy / waves as f64);
        times.turns = ((waves - 1) as f64).min(TURNS) * turn;
        let chain = times.loads + times.dependent + times.waits;
        let first_load = if facts.rounds > 0 { gpu.latency() } else { 0.0 };
        let seconds = times.kernel + chain.max(busy + first_load) + times.turns;
        let bound = match (chain > busy, times.waits > times.loads + times.dependent) {
            (false, _) => part,
            (true, true) => Bound::Barrier,
            (true, false) => Bound::Latency,
        };
        let rounds = facts.rounds.max(1) as f64;
        Estimate {
            occupancy,
            waves,
            resident_warps,
            loads_in_flight: facts.round_loads as f64 / rounds,
            bytes_in_flight: facts.round_bytes as f64 / rounds * f64::from(resident_warps),
            bytes_needed: gpu.memory_bandwidth * MEMORY_SHARE * gpu.latency() / multiprocessors as f64,
            times,
            seconds,
            bound,
        }
    }

    /// Seconds of a run as it is measured, with so many operations one after the other: launches that take `seconds` in all,
    /// and others without work of their own, such as a fill of a few bytes.
    pub fn measured(seconds: f64, operations: u64, gpu: &Gpu) -> f64 {
        FIRST + gpu.slower_start + operations.saturating_sub(1) as f64 * NEXT + seconds
    }
}

/// The time of the busiest part of the GPU, and which one it is.
fn busiest(times: &Times) -> (f64, Bound) {
    let parts = [
        (times.memory, Bound::Memory),
        (times.cache, Bound::Memory),
        (times.issue, Bound::Issue),
        (times.shared, Bound::Shared),
        (times.barrier, Bound::Barrier),
        (times.atomics, Bound::Atomics),
    ];
    parts.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, Bound::Memory))
}
