//! What a profile counts, of an instruction, a source line or a launch.

use std::ops::AddAssign;

/// The classes of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum InstructionClass {
    /// Integer arithmetic, logic and comparisons.
    Integer,
    /// Arithmetic of single precision.
    Single,
    /// Arithmetic of double precision.
    Double,
    /// Arithmetic of 16 bits: half precision and bfloat16.
    Half,
    /// Conversions between types.
    Convert,
    /// Moves, selections, special registers, conversions of addresses.
    Move,
    /// Loads and stores of global memory, generic ones included.
    Global,
    /// Loads and stores of shared memory.
    Shared,
    /// Loads and stores of local memory.
    Local,
    /// Loads of parameters and constants.
    Parameter,
    /// Atomics.
    Atomic,
    /// Shuffles, votes, matches and reductions of a warp, and `bar.warp`.
    Warp,
    /// Block barriers and fences.
    Barrier,
    /// Branches, calls and returns.
    Branch,
    /// Anything else.
    Other,
}

impl InstructionClass {
    /// All of them, in the order of their numbers.
    pub const ALL: [InstructionClass; 15] = [
        InstructionClass::Integer,
        InstructionClass::Single,
        InstructionClass::Double,
        InstructionClass::Half,
        InstructionClass::Convert,
        InstructionClass::Move,
        InstructionClass::Global,
        InstructionClass::Shared,
        InstructionClass::Local,
        InstructionClass::Parameter,
        InstructionClass::Atomic,
        InstructionClass::Warp,
        InstructionClass::Barrier,
        InstructionClass::Branch,
        InstructionClass::Other,
    ];

    /// The class in a word.
    pub fn name(self) -> &'static str {
        match self {
            InstructionClass::Integer => "integer",
            InstructionClass::Single => "f32",
            InstructionClass::Double => "f64",
            InstructionClass::Half => "f16",
            InstructionClass::Convert => "convert",
            InstructionClass::Move => "move",
            InstructionClass::Global => "global",
            InstructionClass::Shared => "shared",
            InstructionClass::Local => "local",
            InstructionClass::Parameter => "parameter",
            InstructionClass::Atomic => "atomic",
            InstructionClass::Warp => "warp",
            InstructionClass::Barrier => "barrier",
            InstructionClass::Branch => "branch",
            InstructionClass::Other => "other",
        }
    }
}

/// Counters that are all sums, with their names in files.
macro_rules! counters {
    ($($(#[$doc:meta])+ $name:ident,)*) => {
        /// Counts of an instruction, of the instructions of a source line, or of all.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
        pub struct Counters {
            /// Warp instructions by [`InstructionClass`].
            #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zeros"))]
            pub classes: [u64; InstructionClass::ALL.len()],
            $($(#[$doc])+ #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero"))] pub $name: u64,)*
        }

        impl AddAssign<&Counters> for Counters {
            fn add_assign(&mut self, other: &Counters) {
                self.classes.iter_mut().zip(other.classes).for_each(|(count, more)| *count += more);
                $(self.$name += other.$name;)*
            }
        }

        impl Counters {
            /// The counts with their names, apart from the classes.
            pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name),)*].into_iter()
            }
        }
    };
}

#[cfg(feature = "serde")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[cfg(feature = "serde")]
fn is_zeros(counts: &[u64; InstructionClass::ALL.len()]) -> bool {
    counts.iter().all(|count| *count == 0)
}

counters! {
    /// Instructions issued by a warp, or a diverged part of one.
    warp_instructions,
    /// The same, times the lanes that executed them.
    thread_instructions,
    /// Conditional and indexed branches.
    branches,
    /// Those after which lanes of the warp went different ways.
    divergent_branches,
    /// Loads of global memory by a warp.
    load_requests,
    /// Distinct sectors of 32 bytes of each, summed.
    load_sectors,
    /// Bytes that their lanes asked for.
    load_bytes,
    /// Stores to global memory by a warp.
    store_requests,
    /// As of loads.
    store_sectors,
    /// As of loads.
    store_bytes,
    /// Sectors that loads and stores would need if their lanes' bytes were side by side.
    ideal_sectors,
    /// Loads, stores and atomics of shared memory by a warp.
    shared_requests,
    /// Passes over its banks.
    shared_passes,
    /// Passes without conflicts of banks.
    ideal_passes,
    /// Loads and stores of local memory by a warp.
    local_requests,
    /// Atomics of global and shared memory, one for each lane.
    atomics,
    /// Atomics by a warp.
    atomic_requests,
    /// Distinct addresses of each, summed.
    atomic_addresses,
    /// The most lanes with one address of each, summed.
    atomic_turns,
    /// The same, of shared memory alone.
    shared_turns,
    /// Distinct sectors of atomics of global memory.
    atomic_sectors,
    /// Arrivals of a warp at a block barrier.
    barriers,
    /// Times that a warp waited for global memory: loads that depend on no other of the same basic block are one wait,
    /// and those that depend on them the next.
    load_rounds,
    /// Loads of global memory, and atomics with a result, by a warp.
    round_loads,
    /// Bytes that they brought.
    round_bytes,
}

/// Counts of one warp; as a result, the largest of all warps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WarpTotals {
    /// Instructions.
    pub instructions: u64,
    /// Times that it waited for global memory: for loads, see [`Counters::load_rounds`], and at fences of the device for
    /// stores.
    pub rounds: u64,
    /// Arrivals at block barriers.
    pub barriers: u64,
}

impl WarpTotals {
    /// Takes what is larger of another warp.
    pub(super) fn raise(&mut self, other: &WarpTotals) {
        self.instructions = self.instructions.max(other.instructions);
        self.rounds = self.rounds.max(other.rounds);
        self.barriers = self.barriers.max(other.barriers);
    }
}
