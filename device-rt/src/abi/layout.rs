//! Layouts and sizes that compilers, the host and the runtime agree on. Those that are not warpfold's own are
//! LLVM 22's.

use core::ffi::c_void;

/// Bytes before the first record of a workspace. The header's first word counts the blocks that have stored
/// their record; it is zero before the first launch, and every launch leaves it zero. The rest is reserved.
pub const WORKSPACE_HEADER_BYTES: usize = 128;

/// Bytes of global memory that a reduction of `T` over a grid of `blocks` blocks needs, aligned to 16: zero
/// before the first launch, and every launch leaves them ready for the next. A workspace serves one reduction
/// of one launch at a time.
pub const fn workspace_bytes<T>(blocks: usize) -> usize {
    WORKSPACE_HEADER_BYTES + blocks * size_of::<T>()
}

/// Bytes before the first record of a workspace whose slots are `rows` rows: the header, then for each row a
/// word whose bits are the slots in use and, after those of all rows, a word whose bits are the filled ones.
/// Zero before the first launch; every reduction that was finalized leaves them zero.
pub const fn slots_header_bytes(rows: usize) -> usize {
    WORKSPACE_HEADER_BYTES + (2 * rows * size_of::<u32>()).next_multiple_of(WORKSPACE_HEADER_BYTES)
}

/// The most threads of a block.
pub const MAX_BLOCK_THREADS: usize = 1024;

/// Bytes of `__warpfold_team`, the state of a team's regions in shared memory (`openmp::team::state`). `arch/state.ll`
/// and `arch/openmp_only/llvm_used.ll` have the same number.
pub const TEAM_STATE_BYTES: usize = 88;

/// Bytes of `__warpfold_version`, a text that ends with 0.
pub const VERSION_BYTES: usize = 16;

/// Bytes of `__warpfold_image_slots`, the slots that launches use one at a time (`reduce::grid::ImageSlots`): 3200 teams,
/// libomptarget's default, have records of up to 320 bytes.
pub const IMAGE_SLOT_BYTES: usize = 1 << 20;

/// Locks of `__warpfold_atomic_locks`, 4 bytes each.
pub const ATOMIC_LOCKS: usize = 64;

/// What the compiler says of a kernel: a constant of its module.
#[repr(C)]
pub struct KernelEnvironment {
    /// Whether threads that are not the main one enter the runtime's worker loop (generic mode).
    pub use_generic_state_machine: u8,
    /// Whether parallel regions may be nested.
    pub may_use_nested_parallelism: u8,
    /// Bits: [`GENERIC`], [`SPMD`].
    pub exec_mode: u8,
    /// Minimum of threads in a block.
    pub min_threads: i32,
    /// Maximum of threads in a block.
    pub max_threads: i32,
    /// Minimum of blocks.
    pub min_teams: i32,
    /// Maximum of blocks.
    pub max_teams: i32,
    /// Bytes of one record of the reduction buffer.
    pub reduction_data_size: i32,
    /// Records in the reduction buffer; since LLVM 23 not there: what follows is 8 bytes nearer.
    pub reduction_buffer_length: i32,
    /// The kernel's source location.
    pub ident: *const c_void,
    /// LLVM's DynamicEnvironment.
    pub dynamic: *const c_void,
}

/// The bit of [`KernelEnvironment::exec_mode`] for generic mode: the main thread runs the team's code.
pub const GENERIC: u8 = 1;

/// The bit of [`KernelEnvironment::exec_mode`] for SPMD mode: all threads run the team's code.
pub const SPMD: u8 = 2;

/// The mode of a kernel that was in generic mode before LLVM turned it into an SPMD kernel.
pub const GENERIC_SPMD: u8 = GENERIC | SPMD;

/// What the host says of one launch, in global memory made for this launch.
#[repr(C)]
pub struct LaunchEnvironment {
    /// Teams that have delivered to a reduction; 0 at the start. LLVM's name is ReductionCnt.
    pub delivered: u32,
    /// Teams that have asked for a slot; 0 at the start. LLVM's name is ReductionIterCnt.
    pub tickets: u32,
    /// The reduction buffer: an array of records.
    pub reduction_buffer: *mut c_void,
}

/// What the host says of one launch since LLVM 23. Kernels that need nothing of it may get an address that is none.
#[repr(C)]
pub struct LaunchEnvironment23 {
    /// The reduction buffer: an array of as many records as there are teams.
    pub reduction_buffer: *mut c_void,
    /// Memory that stands for dynamic shared memory.
    pub dynamic_memory: *mut c_void,
    /// Teams that have delivered to a reduction; 0 at the start. LLVM's name is ReductionTeamsDone.
    pub delivered: u32,
    /// Bytes of dynamic shared memory.
    pub dynamic_memory_bytes: u32,
    /// Where dynamic shared memory is.
    pub dynamic_memory_kind: u8,
}

/// What libomptarget writes into `__omp_rtl_device_environment` after it has loaded an image.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct DeviceEnvironment {
    /// Bits of what to check and trace.
    pub debug: u32,
    /// How many devices the host has.
    pub devices: u32,
    /// The number of this one.
    pub device: u32,
    /// Bytes of shared memory that the host gives each block.
    pub dynamic_memory: u32,
    /// Ticks of the clock in a second.
    pub clock_frequency: u64,
    /// Pairs of a host function and its device function, in the order of the host's addresses.
    pub indirect_calls: *const [*const c_void; 2],
    /// How many pairs there are.
    pub indirect_call_count: u64,
    /// Warps that the device runs at a time.
    pub hardware_parallelism: u64,
}

/// `(number of the thread, the task)`: runs a task. clang's return an int, which is 0, and flang's return nothing.
pub type TaskRoutine = unsafe extern "C" fn(i32, *mut Task) -> i32;

/// A task. Its private variables follow, then the addresses of the shared ones.
#[derive(Debug)]
#[repr(C)]
pub struct Task {
    /// Where the addresses of the shared variables are.
    pub shareds: *mut c_void,
    /// Runs it.
    pub routine: TaskRoutine,
    /// Where an untied task continues.
    pub part: i32,
    /// Padding.
    pub reserved: u32,
    /// Destroys its private variables.
    pub destructors: Option<TaskRoutine>,
    /// Its priority, or nothing.
    pub priority: u64,
}

/// A task of a `taskloop` construct.
#[derive(Debug)]
#[repr(C)]
pub struct LoopTask {
    /// The task.
    pub task: Task,
    /// The first iteration.
    pub lower: u64,
    /// The last iteration.
    pub upper: u64,
    /// The loop's step.
    pub step: i64,
    /// Whether it has the loop's last iteration.
    pub last: i32,
}

/// One loop of a doacross nest: the values of its variable.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct DoacrossDimension {
    /// The first.
    pub lower: i64,
    /// The last.
    pub upper: i64,
    /// What is added each time.
    pub step: i64,
}

/// A trait of an allocator and its value: `omp_alloctrait_t`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct AllocatorTrait {
    /// The trait: `omp_alloctrait_key_t`.
    pub key: u32,
    /// Padding.
    pub reserved: u32,
    /// Its value.
    pub value: u64,
}

/// A complex number, as LLVM returns it in registers.
#[repr(C)]
pub struct Complex<T>(pub T, pub T);

const _: () = assert!(size_of::<KernelEnvironment>() == 48 && size_of::<LaunchEnvironment>() == 16);
const _: () = assert!(size_of::<LaunchEnvironment23>() == 32);
const _: () = assert!(size_of::<DeviceEnvironment>() == 48 && size_of::<Task>() == 40);

#[cfg(test)]
mod tests {
    use super::*;
    use core::mem::offset_of;

    /// The offsets of LLVM 22's structures, beside those that the test of the C header compares.
    #[test]
    fn offsets_are_those_of_llvm() {
        assert_eq!(
            [offset_of!(Task, routine), offset_of!(Task, part), offset_of!(Task, destructors)],
            [8, 16, 24]
        );
        assert_eq!(
            [offset_of!(Task, priority), offset_of!(LoopTask, lower), offset_of!(LoopTask, last)],
            [32, 40, 64]
        );
        assert_eq!(offset_of!(DeviceEnvironment, clock_frequency), 16);
        assert_eq!(offset_of!(KernelEnvironment, ident), 32);
        assert_eq!(offset_of!(LaunchEnvironment23, delivered), 16);
        assert_eq!(offset_of!(DeviceEnvironment, indirect_calls), 24);
        assert_eq!(offset_of!(DeviceEnvironment, hardware_parallelism), 40);
        assert_eq!([offset_of!(AllocatorTrait, value), size_of::<AllocatorTrait>()], [8, 16]);
        assert_eq!([offset_of!(DoacrossDimension, step), size_of::<DoacrossDimension>()], [16, 24]);
    }

    #[test]
    fn workspace_headers_hold_a_count_and_the_words_of_rows() {
        assert_eq!([0, 1, 16, 17].map(slots_header_bytes), [128, 256, 256, 384]);
        assert_eq!(workspace_bytes::<[f64; 3]>(10), WORKSPACE_HEADER_BYTES + 240);
    }
}
