//! The GPU that is emulated: the limits and sizes that programs and launches can observe.

/// Limits and sizes of a GPU. The names follow the CUDA driver's device attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineDescription {
    /// The device's name.
    pub name: String,
    /// Compute capability as one number: 90 means 9.0.
    pub sm: u32,
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// Threads in a block.
    pub max_threads_per_block: u32,
    /// Block extents in x, y, z.
    pub max_block: [u32; 3],
    /// Grid extents in x, y, z.
    pub max_grid: [u32; 3],
    /// Threads resident on one multiprocessor.
    pub max_threads_per_sm: u32,
    /// Blocks resident on one multiprocessor.
    pub max_blocks_per_sm: u32,
    /// 32-bit registers of one multiprocessor.
    pub registers_per_sm: u32,
    /// 32-bit registers a block can use.
    pub registers_per_block: u32,
    /// Bytes of shared memory of one multiprocessor.
    pub shared_per_sm: u32,
    /// Bytes of shared memory that a block may use without opting in to more.
    pub shared_per_block: u32,
    /// Bytes of shared memory that a block may opt in to.
    pub shared_per_block_optin: u32,
    /// Bytes of shared memory that the system takes from each block.
    pub shared_reserved_per_block: u32,
    /// Bytes of constant memory.
    pub constant_bytes: u32,
    /// Bytes of local memory a thread may use, its call frames included.
    pub local_bytes_per_thread: u32,
    /// Bytes of global memory that allocations can use.
    pub memory_bytes: u64,
    /// Core clock in kHz; also what `%globaltimer` is derived from.
    pub clock_khz: u32,
    /// Memory clock in kHz.
    pub memory_clock_khz: u32,
    /// Width of the memory bus in bits.
    pub memory_bus_bits: u32,
    /// Bytes of second-level cache.
    pub l2_bytes: u32,
}

impl MachineDescription {
    /// NVIDIA B200 (sm_100, 148 multiprocessors).
    pub fn b200() -> MachineDescription {
        MachineDescription {
            name: "B200 (emulated)".into(),
            sm: 100,
            multiprocessors: 148,
            shared_per_sm: 228 << 10,
            shared_per_block_optin: 227 << 10,
            clock_khz: 1_965_000,
            memory_clock_khz: 3_996_000,
            memory_bus_bits: 8192,
            l2_bytes: 126 << 20,
            ..MachineDescription::common()
        }
    }

    /// NVIDIA H200 (sm_90, 132 multiprocessors).
    pub fn h200() -> MachineDescription {
        MachineDescription {
            name: "H200 (emulated)".into(),
            sm: 90,
            multiprocessors: 132,
            shared_per_sm: 228 << 10,
            shared_per_block_optin: 227 << 10,
            clock_khz: 1_980_000,
            memory_clock_khz: 3_201_000,
            memory_bus_bits: 6144,
            l2_bytes: 50 << 20,
            ..MachineDescription::common()
        }
    }

    /// NVIDIA A100 (sm_80, 108 multiprocessors).
    pub fn a100() -> MachineDescription {
        MachineDescription {
            name: "A100 (emulated)".into(),
            sm: 80,
            multiprocessors: 108,
            shared_per_sm: 164 << 10,
            shared_per_block_optin: 163 << 10,
            clock_khz: 1_410_000,
            memory_clock_khz: 1_215_000,
            memory_bus_bits: 5120,
            l2_bytes: 40 << 20,
            ..MachineDescription::common()
        }
    }

    /// NVIDIA V100 (sm_70, 80 multiprocessors).
    pub fn v100() -> MachineDescription {
        MachineDescription {
            name: "V100 (emulated)".into(),
            sm: 70,
            multiprocessors: 80,
            shared_per_sm: 96 << 10,
            shared_per_block_optin: 96 << 10,
            shared_reserved_per_block: 0,
            clock_khz: 1_530_000,
            memory_clock_khz: 877_000,
            memory_bus_bits: 4096,
            l2_bytes: 6 << 20,
            ..MachineDescription::common()
        }
    }

    /// What sm_70 to sm_100 have in common. Global memory is smaller than on a real card, as it is host
    /// memory.
    fn common() -> MachineDescription {
        MachineDescription {
            name: String::new(),
            sm: 0,
            multiprocessors: 0,
            max_threads_per_block: 1024,
            max_block: [1024, 1024, 64],
            max_grid: [i32::MAX as u32, 65535, 65535],
            max_threads_per_sm: 2048,
            max_blocks_per_sm: 32,
            registers_per_sm: 65536,
            registers_per_block: 65536,
            shared_per_sm: 0,
            shared_per_block: 48 << 10,
            shared_per_block_optin: 0,
            shared_reserved_per_block: 1 << 10,
            constant_bytes: 64 << 10,
            local_bytes_per_thread: 512 << 10,
            memory_bytes: 4 << 30,
            clock_khz: 0,
            memory_clock_khz: 0,
            memory_bus_bits: 0,
            l2_bytes: 0,
        }
    }
}

impl Default for MachineDescription {
    fn default() -> MachineDescription {
        MachineDescription::h200()
    }
}
