//! GPUs with their published figures.

use std::fmt;
use std::str::FromStr;

use crate::description::MachineDescription;

/// A GPU that times are estimated for.
#[derive(Clone, Debug, PartialEq)]
pub struct Gpu {
    /// Its name on the command line.
    pub name: &'static str,
    /// Multiprocessors, their limits, and the clock.
    pub machine: MachineDescription,
    /// Bytes per second of its memory, as the data sheet has them.
    pub memory_bandwidth: f64,
    /// Bytes per second of its second-level cache.
    pub cache_bandwidth: f64,
    /// Clock cycles of a load from memory that nothing else delays.
    pub memory_latency: f64,
    /// Seconds by which the first kernel of a measured run takes longer than on an H200.
    pub slower_start: f64,
}

/// There is no GPU of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownGpu;

impl fmt::Display for UnknownGpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the GPUs are h200, h100, b200, a100 and v100")
    }
}

/// Cycles of a load from memory: 478.8 on an H100 PCIe and 466.3 on an A100 (arXiv 2402.13499, table of latencies).
const HOPPER_LATENCY: f64 = 478.8;
const AMPERE_LATENCY: f64 = 466.3;
/// For a V100: about 400 (table 3 of PMC10448217, which has one figure for V100, A100 and H100).
const VOLTA_LATENCY: f64 = 400.0;

/// Bandwidths of second-level caches: table 3 of PMC10448217.
const V100_CACHE: f64 = 3.133e12;
const A100_CACHE: f64 = 7.219e12;
const H100_CACHE: f64 = 8.986e12;

impl Gpu {
    /// NVIDIA H200 (SXM): 4.8 TB/s. The chip is that of the H100.
    pub fn h200() -> Gpu {
        Gpu {
            name: "h200",
            machine: MachineDescription::h200(),
            memory_bandwidth: 4.8e12,
            cache_bandwidth: H100_CACHE,
            memory_latency: HOPPER_LATENCY,
            slower_start: 0.0,
        }
    }

    /// NVIDIA H100 (SXM, 80 GB HBM3): 3.35 TB/s.
    pub fn h100() -> Gpu {
        Gpu { name: "h100", memory_bandwidth: 3.35e12, ..Gpu::h200() }
    }

    /// NVIDIA B200: 7.7 TB/s, from a bus of 7680 bits at 3.996 GHz (pytorch/ao 4002); "8 TB/s" is rounded up. Latency and
    /// cache are taken to be those of an H100, per multiprocessor.
    pub fn b200() -> Gpu {
        let machine = MachineDescription::b200();
        let cache = H100_CACHE * f64::from(machine.multiprocessors) / 132.0;
        Gpu {
            name: "b200",
            machine,
            memory_bandwidth: 7.7e12,
            cache_bandwidth: cache,
            memory_latency: HOPPER_LATENCY,
            // Fitted on CUB's sum of 2^16 elements (docs/profile.md).
            slower_start: 4.4e-6,
        }
    }

    /// NVIDIA A100 (SXM, 80 GB): 2.039 TB/s.
    pub fn a100() -> Gpu {
        Gpu {
            name: "a100",
            machine: MachineDescription::a100(),
            memory_bandwidth: 2.039e12,
            cache_bandwidth: A100_CACHE,
            memory_latency: AMPERE_LATENCY,
            slower_start: 0.0,
        }
    }

    /// NVIDIA V100 (SXM): 0.9 TB/s.
    pub fn v100() -> Gpu {
        Gpu {
            name: "v100",
            machine: MachineDescription::v100(),
            memory_bandwidth: 0.9e12,
            cache_bandwidth: V100_CACHE,
            memory_latency: VOLTA_LATENCY,
            slower_start: 0.0,
        }
    }

    /// All of them.
    pub fn all() -> [Gpu; 5] {
        [Gpu::h200(), Gpu::h100(), Gpu::b200(), Gpu::a100(), Gpu::v100()]
    }

    /// Clock cycles in a second.
    pub fn clock(&self) -> f64 {
        f64::from(self.machine.clock_khz) * 1e3
    }

    /// Seconds of a load from memory.
    pub fn latency(&self) -> f64 {
        self.memory_latency / self.clock()
    }
}

impl FromStr for Gpu {
    type Err = UnknownGpu;

    fn from_str(name: &str) -> Result<Gpu, UnknownGpu> {
        Gpu::all().into_iter().find(|gpu| gpu.name.eq_ignore_ascii_case(name)).ok_or(UnknownGpu)
    }
}
