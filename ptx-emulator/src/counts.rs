//! What a launch did, counted exactly.

use std::ops::AddAssign;

/// Exact counts of one launch. They depend only on program, input, launch shape and seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counts {
    /// Instructions times the lanes that executed them: active lanes whose guard predicate is true.
    pub thread_instructions: u64,
    /// Instructions issued by a lane group of a warp, also when no lane's guard was true.
    pub warp_instructions: u64,
    /// Arrivals of a warp (or of a diverged part of one) at a block barrier, `bar.arrive` included.
    pub barriers: u64,
    /// `shfl.sync` instructions issued.
    pub shuffles: u64,
    /// Atomic operations on memory (`atom` and `red`), one for each lane.
    pub atomics: u64,
    /// Distinct 32-byte sectors of global memory accessed, summed over warp instructions.
    pub global_sectors: u64,
    /// Passes over the 32 four-byte banks of shared memory, summed over warp instructions.
    pub shared_passes: u64,
    /// Bytes of local memory of the thread with the deepest stack, where functions may be called below themselves: of other
    /// kernels the compiler of machine code knows how much they need.
    pub stack_bytes: u64,
    /// Profiler events by number: `pmevent` instructions issued by a warp, or by a diverged part of one.
    pub pmevents: [u64; 16],
}

impl Counts {
    /// The counts with their names in reports, in a fixed order.
    pub fn named(&self) -> [(&'static str, u64); 7] {
        [
            ("thread_instructions", self.thread_instructions),
            ("warp_instructions", self.warp_instructions),
            ("barriers", self.barriers),
            ("shuffles", self.shuffles),
            ("atomics", self.atomics),
            ("global_sectors", self.global_sectors),
            ("shared_passes", self.shared_passes),
        ]
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.thread_instructions += other.thread_instructions;
        self.warp_instructions += other.warp_instructions;
        self.barriers += other.barriers;
        self.shuffles += other.shuffles;
        self.atomics += other.atomics;
        self.global_sectors += other.global_sectors;
        self.shared_passes += other.shared_passes;
        self.stack_bytes = self.stack_bytes.max(other.stack_bytes);
        self.pmevents.iter_mut().zip(other.pmevents).for_each(|(count, more)| *count += more);
    }
}
