//! What a report on a profile says of kernels and lines, whatever its format.

use std::path::Path;

use cuda_driver::profiles::{
    Bound, Counters, Estimate, Gpu, InstructionClass, LaunchFacts, LineProfile, Profiles, Times,
};
use cuda_driver::reports::source_name;

use crate::machine_code::{Finder, Registers};

/// The parts of a time.
const MEMORY: &str = "memory";
const CACHE: &str = "second-level cache";
const ISSUE: &str = "issue";
const SHARED: &str = "shared memory";
const BARRIERS: &str = "barriers";
const ATOMICS: &str = "atomics";
const LOADS: &str = "longest warp: loads";
const DEPENDENT: &str = "longest warp: instructions";
const WAITS: &str = "longest warp: barriers";

/// A report on the launches of a program: exact counts, and times estimated from them for a GPU.
pub struct Report {
    pub(crate) gpu: Gpu,
    /// The kernels, those that take longest first.
    pub(crate) kernels: Vec<Kernel>,
}

/// A kernel in one shape.
pub struct Kernel {
    /// Its name in the source: of a target region, the function and the line.
    pub name: String,
    pub symbol: String,
    pub launches: u64,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared_bytes: u32,
    pub registers: Registers,
    /// Of one launch, on average.
    pub facts: LaunchFacts,
    pub estimate: Estimate,
    /// Of all launches.
    pub total: Counters,
    /// The lines, those with the largest share of the bound first.
    pub lines: Vec<Line>,
}

/// A source line.
pub struct Line {
    /// Counts of all launches; atomics on one address are those of one launch, on average.
    pub profile: LineProfile,
    /// Its share of what the bound counts, from 0 to 1.
    pub share: f64,
}

impl Report {
    /// Of the launches that a program made, as they would be on a GPU. ptxas, if there is one, says how many registers kernels
    /// take.
    pub fn new(profiles: &Profiles, gpu: Gpu) -> Report {
        let mut finder = Finder::new(profiles, gpu.machine.sm);
        let mut kernels: Vec<Kernel> = Vec::new();
        for kernel in &profiles.kernels {
            let code = finder.find(kernel);
            let sum = &kernel.sum;
            let facts = LaunchFacts {
                registers: code.registers.count(),
                machine_instructions: code.instructions.map(|count| count as u64),
                ..kernel.facts()
            };
            let estimate = Estimate::new(&facts, &gpu);
            let name = match &sum.region {
                Some((function, line)) => format!("target region at line {line} of `{function}`"),
                None => format!("`{}`", source_name(&sum.kernel)),
            };
            kernels.push(Kernel {
                name,
                symbol: sum.kernel.clone(),
                launches: kernel.launches,
                grid: sum.grid,
                block: sum.block,
                shared_bytes: sum.shared_bytes,
                registers: code.registers,
                facts,
                lines: lines(&sum.lines, kernel.launches, &estimate, &gpu),
                estimate,
                total: sum.total,
            });
        }
        kernels.sort_by(|a, b| b.seconds().total_cmp(&a.seconds()));
        Report { gpu, kernels }
    }

    /// Whether nothing was launched.
    pub fn is_empty(&self) -> bool {
        self.kernels.is_empty()
    }

    /// Seconds of all launches.
    pub(crate) fn seconds(&self) -> f64 {
        self.kernels.iter().map(Kernel::seconds).sum()
    }

    /// Launches of all kernels.
    pub(crate) fn launches(&self) -> u64 {
        self.kernels.iter().map(|kernel| kernel.launches).sum()
    }

    /// Seconds from the start of the first launch to the end of the last, one after the other.
    pub(crate) fn measured(&self) -> f64 {
        Estimate::measured(self.seconds(), self.launches(), &self.gpu)
    }

    /// The GPU's name for people.
    pub(crate) fn gpu_name(&self) -> String {
        self.gpu.name.to_uppercase()
    }
}

/// Lines by their share of what limits a kernel, from the sums of its launches.
fn lines(all: &[LineProfile], launches: u64, estimate: &Estimate, gpu: &Gpu) -> Vec<Line> {
    let weights: Vec<f64> = all.iter().map(|line| weight(line, estimate, gpu)).collect();
    let total: f64 = weights.iter().sum();
    let line = |(line, weight): (&LineProfile, f64)| {
        let hottest = line.hottest.div_ceil(launches.max(1));
        let share = if total > 0.0 { weight / total } else { 0.0 };
        Line { profile: LineProfile { hottest, ..line.clone() }, share }
    };
    let mut lines: Vec<Line> = all.iter().zip(weights).map(line).collect();
    let instructions = |line: &Line| line.profile.counters.warp_instructions;
    lines.sort_by(|a, b| b.share.total_cmp(&a.share).then(instructions(b).cmp(&instructions(a))));
    lines
}

/// What a line adds to the bound of its kernel.
fn weight(line: &LineProfile, estimate: &Estimate, gpu: &Gpu) -> f64 {
    let counters = &line.counters;
    let weight = match estimate.bound {
        Bound::Memory => counters.load_sectors + counters.store_sectors + 2 * counters.atomic_sectors,
        Bound::Issue => counters.warp_instructions,
        Bound::Shared => counters.shared_passes + counters.shared_turns,
        Bound::Barrier => counters.barriers,
        Bound::Atomics => line.hottest,
        Bound::Latency => {
            // Waits for loads, and four cycles for each instruction.
            return counters.load_rounds as f64 * gpu.memory_latency
                + 4.0 * counters.warp_instructions as f64;
        }
    };
    weight as f64
}

impl Kernel {
    /// Seconds of all its launches.
    pub fn seconds(&self) -> f64 {
        self.estimate.seconds * self.launches as f64
    }

    /// Blocks of a launch.
    pub fn blocks(&self) -> u64 {
        self.facts.blocks
    }

    /// Warps of a launch.
    fn warps(&self) -> u64 {
        self.blocks() * u64::from(self.facts.block_threads.div_ceil(32))
    }

    /// Instructions of a warp, by class, the most frequent first.
    pub fn classes(&self) -> Vec<(InstructionClass, f64)> {
        let warps = (self.warps() * self.launches).max(1) as f64;
        let counts = InstructionClass::ALL.into_iter().zip(self.total.classes);
        let mut all: Vec<_> = counts
            .filter(|(_, count)| *count > 0)
            .map(|(class, count)| (class, count as f64 / warps))
            .collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all
    }

    /// Instructions of a warp.
    pub fn instructions_per_warp(&self) -> f64 {
        self.total.warp_instructions as f64 / (self.warps() * self.launches).max(1) as f64
    }

    /// Those of machine code, if they are known.
    pub fn machine_instructions_per_warp(&self) -> Option<f64> {
        Some(self.facts.machine_instructions? as f64 / self.warps().max(1) as f64)
    }

    /// The share of a multiprocessor's warps that can be resident.
    pub fn occupancy(&self, gpu: &Gpu) -> (u64, u32) {
        let warps =
            u64::from(self.estimate.occupancy.blocks()) * u64::from(self.facts.block_threads.div_ceil(32));
        (warps, gpu.machine.max_threads_per_sm / 32)
    }

    /// What limits it, in words.
    pub fn bound(&self) -> &'static str {
        let times = &self.estimate.times;
        match self.estimate.bound {
            Bound::Memory if times.cache > times.memory => "memory (second-level cache)",
            bound => bound.name(),
        }
    }

    /// The part of [`Kernel::times`] that limits it.
    pub fn limiting_part(&self) -> &'static str {
        let parts: &[&str] = match self.estimate.bound {
            Bound::Memory => &[MEMORY, CACHE],
            Bound::Latency => &[LOADS, DEPENDENT],
            Bound::Issue => &[ISSUE],
            Bound::Shared => &[SHARED],
            Bound::Barrier => &[BARRIERS, WAITS],
            Bound::Atomics => &[ATOMICS],
        };
        self.times().into_iter().map(|(name, _)| name).find(|name| parts.contains(name)).unwrap_or_default()
    }

    /// Times by their names, the longest first; what takes no time is left out.
    pub fn times(&self) -> Vec<(&'static str, f64)> {
        let Times { memory, cache, issue, shared, barrier, atomics, loads, dependent, waits, turns, kernel } =
            self.estimate.times;
        let mut all = vec![
            (MEMORY, memory),
            (CACHE, cache),
            (ISSUE, issue),
            (SHARED, shared),
            (BARRIERS, barrier),
            (ATOMICS, atomics),
            (LOADS, loads),
            (DEPENDENT, dependent),
            (WAITS, waits),
            ("turns of waves", turns),
            ("start and end", kernel),
        ];
        all.retain(|(_, seconds)| *seconds > 0.0);
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all
    }
}

impl Line {
    /// Where it is, with the file's name only.
    pub fn place(&self) -> String {
        let LineProfile { file, line, ptx, runtime, .. } = &self.profile;
        let name = Path::new(file).file_name().map_or(file.clone().into(), |name| name.to_string_lossy());
        let form = match (ptx, runtime) {
            (true, _) => " (PTX)",
            (_, true) => " (OpenMP runtime)",
            _ => "",
        };
        format!("{name}:{line}{form}")
    }

    /// What can be wrong with it, and how much, for people.
    pub fn remarks(&self) -> Vec<String> {
        let counters = &self.profile.counters;
        let mut remarks = Vec::new();
        for (name, requests, sectors) in [
            ("load", counters.load_requests, counters.load_sectors),
            ("store", counters.store_requests, counters.store_sectors),
        ] {
            if requests > 0 {
                remarks.push(format!("{:.1} sectors a {name}", sectors as f64 / requests as f64));
            }
        }
        if let Some(share) = coalescing(counters).filter(|share| *share < 0.995) {
            remarks.push(format!("{:.0} % coalesced", 100.0 * share));
        }
        if let Some(passes) = passes(counters) {
            remarks.push(format!("{passes:.1} passes an access of shared memory"));
        }
        if counters.atomics > 0 {
            let turns = counters.atomics as f64 / counters.atomic_addresses.max(1) as f64;
            remarks.push(format!("{turns:.1} lanes an address"));
            if self.profile.hottest > 1 {
                remarks.push(format!("{} atomics on one address", self.profile.hottest));
            }
        }
        if counters.branches > 0 && counters.divergent_branches > 0 {
            let share = counters.divergent_branches as f64 / counters.branches as f64;
            remarks.push(format!("{:.0} % of branches diverge", 100.0 * share));
        }
        if let Some(share) = lanes(counters).filter(|share| *share < 0.95) {
            remarks.push(format!("{:.0} % of lanes active", 100.0 * share));
        }
        if counters.barriers > 0 {
            remarks.push(format!("{} arrivals at barriers", counters.barriers));
        }
        if counters.local_requests > 0 {
            remarks.push(format!("{} accesses of local memory", counters.local_requests));
        }
        remarks
    }
}

/// The share of lanes that execute instructions.
pub fn lanes(counters: &Counters) -> Option<f64> {
    ratio(counters.thread_instructions, 32 * counters.warp_instructions)
}

/// The share of branches after which all lanes go the same way.
pub fn branches(counters: &Counters) -> Option<f64> {
    ratio(counters.branches - counters.divergent_branches.min(counters.branches), counters.branches)
}

/// The share of sectors that bytes side by side would need.
pub fn coalescing(counters: &Counters) -> Option<f64> {
    ratio(counters.ideal_sectors, counters.load_sectors + counters.store_sectors)
}

/// Passes of an access of shared memory.
pub fn passes(counters: &Counters) -> Option<f64> {
    ratio(counters.shared_passes, counters.shared_requests)
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Extents without those that are 1.
pub fn extents([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("({x}, {y})"),
        _ => format!("({x}, {y}, {z})"),
    }
}

/// A number with its noun.
pub fn counted(count: u64, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{s}")
}

/// Microseconds.
pub fn micros(seconds: f64) -> String {
    let micros = seconds * 1e6;
    if micros < 100.0 { format!("{micros:.2} µs") } else { format!("{micros:.0} µs") }
}

/// Bytes with a unit.
pub fn bytes(bytes: f64) -> String {
    if bytes < 1024.0 { format!("{bytes:.0} bytes") } else { format!("{:.1} KiB", bytes / 1024.0) }
}

/// What is known of the registers of a kernel.
pub fn registers(registers: &Registers) -> String {
    match registers {
        Registers::MachineCode(count) => format!("{count} registers (machine code)"),
        Registers::Ptxas(count, version) => format!("{count} registers (ptxas {version})"),
        Registers::Unknown(why) => format!("registers unknown and not counted ({why})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_for_people() {
        assert_eq!(
            [extents([4, 1, 1]), extents([4, 2, 1]), extents([4, 1, 3])],
            ["4", "(4, 2)", "(4, 1, 3)"]
        );
        assert_eq!([micros(1.5e-6), micros(2.5e-3)], ["1.50 µs", "2500 µs"]);
        assert_eq!([bytes(100.0), bytes(2048.0)], ["100 bytes", "2.0 KiB"]);
        assert_eq!([counted(1, "block"), counted(2, "block")], ["1 block", "2 blocks"]);
    }

    #[test]
    fn a_program_without_launches_has_an_empty_report() {
        let report = Report::new(&Profiles::default(), Gpu::h200());
        assert!(report.is_empty() && report.launches() == 0);
    }
}
