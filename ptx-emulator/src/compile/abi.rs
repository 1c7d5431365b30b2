//! What compiled code and the executor share: the layout of [`Context`], and how compiled code ends.

use crate::semantics::{Aligned, LANES, Plane32, Plane64};

/// Where compiled code looks for the allocation of an access first: the one of the last time. One for each access of a
/// function, for each job.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct InlineCache {
    /// The first address of the allocation.
    pub base: u64,
    /// How many addresses from there on may be the first one of an access, so that the whole of it is inside.
    pub limit: u64,
    /// Where the host has the allocation.
    pub host: *mut u8,
}

impl InlineCache {
    /// No allocation.
    pub const EMPTY: InlineCache = InlineCache { base: 0, limit: 0, host: std::ptr::null_mut() };
}

/// A register's place and its undefined lanes, as [`crate::exec`] keeps them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegisterState {
    pub plane: u32,
    pub undefined: u32,
}

/// Executes an instruction for compiled code, in the lanes of a mask; returns 0 if the next one follows. Otherwise compiled
/// code ends.
pub(crate) type Execute = unsafe extern "C" fn(*mut Context, u32, u32) -> u32;

/// Executes a call of a function for compiled code, and the function as far as it runs in compiled code. Returns 0 once it has
/// returned: local memory may have moved then. Otherwise compiled code ends: in front of the call for 1, else as it does
/// where [`Execute`] ends it.
pub(crate) type CallFunction = unsafe extern "C" fn(*mut Context, u32) -> u32;

/// Where the registers of a frame are.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegisterPointers {
    /// Planes, register by register.
    pub b32: *mut Aligned<Plane32>,
    pub b64: *mut Aligned<Plane64>,
    pub states32: *mut RegisterState,
    pub states64: *mut RegisterState,
    pub preds: *mut u32,
    pub undefined_preds: *mut u32,
    /// The values of registers that a scalar stands for, in lane 0.
    pub scalars32: *mut u64,
    pub scalars64: *mut u64,
}

/// The allocation that each lane has accessed last, where all lanes may store: its first address, its bytes, and where the host
/// has it. None if there are 0 bytes.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct NearAllocations {
    pub bases: Aligned<Plane64>,
    pub sizes: Aligned<Plane64>,
    pub hosts: Aligned<Plane64>,
}

impl NearAllocations {
    /// None for any lane.
    pub const NONE: NearAllocations = NearAllocations {
        bases: Aligned([0; LANES]),
        sizes: Aligned([0; LANES]),
        hosts: Aligned([0; LANES]),
    };
}

/// What compiled code gets: the registers of a frame, memory, and where the lane group is.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Context {
    pub registers: RegisterPointers,
    pub constants64: *const Aligned<Plane64>,
    /// Local memory from the frame's first byte on: words of all lanes, and for each word the undefined lanes of its bytes.
    pub local: *mut u8,
    pub local_undefined: *mut u8,
    pub shared: *mut u8,
    pub params: *const u8,
    pub caches: *mut InlineCache,
    pub tid: *const Plane32,
    pub execute: Execute,
    pub call: CallFunction,
    /// Instructions that are left of the turn.
    pub fuel: i64,
    /// Instructions that count, executed so far.
    pub counted: u64,
    /// Lanes that did not take part in instructions that count, because of guards, summed.
    pub idle: u64,
    pub sectors: u64,
    pub passes: u64,
    pub shuffles: u64,
    pub local_base: u64,
    pub shared_bytes: u64,
    pub mask: u32,
    pub lane: u32,
    pub threads: u32,
    /// Instructions from one to another at which the group may meet others: compiled code ends at a basic block there.
    pub watch_from: u32,
    pub watch_length: u32,
    /// Where compiled code has ended.
    pub pc: u32,
    /// Whether lanes may part inside of the code: where the executor would choose those first that are behind.
    pub may_part: u32,
    /// Lanes that wait at `parted_pc` while the others run, if there are any.
    pub parted: u32,
    pub parted_pc: u32,
    pub ntid: [u32; 3],
    pub ctaid: [u32; 3],
    pub nctaid: [u32; 3],
    pub warp: u32,
    /// Counts the sectors of accesses at `addresses` in the lanes of a mask; or, if the argument behind it is not 0, the passes
    /// over the banks of shared memory of accesses to so many bytes.
    pub count: unsafe extern "C" fn(*mut Context, u32, u32),
    pub addresses: Aligned<Plane64>,
    pub near: NearAllocations,
    /// The state of the list of allocations that `near` is of.
    pub near_at: u64,
    /// Replaces `addresses` in the lanes of a mask by where the host has them, if each lane may access so many bytes there, to
    /// store if the argument behind it is not 0. Returns 0 if not, and else counts the sectors and fills `near` and the cache of
    /// a number.
    pub locate_lanes: unsafe extern "C" fn(*mut Context, u32, u32, u32, u32) -> u32,
    /// For [`Context::execute`].
    pub caller: *mut (),
}

/// Compiled code of a function. It begins with the basic block of a number, and returns an [`Ending`].
pub(crate) type Entry = unsafe extern "C" fn(*mut Context, u32) -> u32;

/// Why compiled code has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Ending {
    /// The instruction at `pc` has to be interpreted. It, and what follows in its basic block, is paid for.
    Interpret = 0,
    /// The basic block at `pc` has not begun: the turn is over, or the group may have met another one.
    Block = 1,
    /// [`Context::execute`] has ended the group's turn at `pc`.
    Executed = 2,
}
