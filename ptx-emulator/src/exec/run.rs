//! A launch while it runs: the state that all parts of the executor share.

use std::sync::{Arc, OnceLock};

use super::chooser::Chooser;
use super::grid::JobPool;
use super::vectors::Vectors;
use crate::compile::{Context, HostCompiler, InlineCache};
use crate::counts::Counts;
use crate::description::MachineDescription;
use crate::fault::FaultKind;
use crate::launch::{LaunchConfig, LaunchOptions};
use crate::memory::global::Near;
use crate::memory::{MemoryEvent, MemoryModel, MemoryOrder, MemoryView, Scope};
use crate::module::LoadedModule;
use crate::observer::Observer;
use crate::print_buffer::PrintBuffer;
use crate::text::types::Space;

/// A fault before the thread, the instruction and the values are added to it.
#[derive(Debug)]
pub(crate) struct LaneFault {
    pub kind: FaultKind,
    /// The lanes at fault.
    pub lanes: u32,
    /// Of an access that is out of bounds: its state space, and its generic address.
    pub access: Option<(Space, u64)>,
    /// The number of the lane group at fault, if it is not the one that ran.
    pub group: Option<usize>,
}

impl LaneFault {
    pub fn new(kind: FaultKind, lanes: u32) -> LaneFault {
        LaneFault { kind, lanes, access: None, group: None }
    }
}

/// The part of a launch's state that every instruction changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    pub chooser: Chooser,
    pub counts: Counts,
    /// Instructions executed by compiled code.
    pub steps_in_code: u64,
    /// The step budget so far, and what is left of it.
    pub steps_given: u64,
    pub steps_left: u64,
    /// Host memory that blocks may take in bytes, and what is left of it.
    pub memory_given: u64,
    pub memory_left: u64,
}

impl Progress {
    pub fn new(options: &LaunchOptions) -> Progress {
        Progress::given(options, options.step_limit, options.block_memory)
    }

    /// The progress of one of several jobs: it starts without steps and takes them from the pool.
    pub fn of_job(options: &LaunchOptions, jobs: u64) -> Progress {
        Progress::given(options, 0, options.block_memory / jobs)
    }

    fn given(options: &LaunchOptions, steps: u64, memory: u64) -> Progress {
        Progress {
            chooser: Chooser::new(options.seed),
            counts: Counts::default(),
            steps_in_code: 0,
            steps_given: steps,
            steps_left: steps,
            memory_given: memory,
            memory_left: memory,
        }
    }
}

/// A launch while one job runs it.
pub(crate) struct Run<'a, M, O> {
    pub description: &'a MachineDescription,
    pub memory: MemoryView<'a>,
    /// Where in its list the last allocation was: the next access mostly concerns the same ones.
    pub near: Near,
    pub module: &'a LoadedModule,
    pub kernel: usize,
    pub config: LaunchConfig,
    pub options: &'a LaunchOptions,
    pub params: &'a [u8],
    pub model: &'a mut M,
    pub observer: &'a mut O,
    pub output: &'a PrintBuffer,
    /// Why the launch is to end, once somebody has interrupted it.
    pub interrupted: &'a OnceLock<String>,
    pub progress: Progress,
    /// The state that several jobs share; `None` if there is only one job.
    pub pool: Option<&'a JobPool>,
    /// Bytes of shared memory that each block has.
    pub shared_bytes: u32,
    pub grid_id: u64,
    pub vectors: Vectors,
    /// What compiles functions for the host.
    pub compiler: Option<&'a Arc<dyn HostCompiler>>,
    /// Whether the threads of each warp follow each other along the first axis.
    pub is_linear: bool,
    /// What compiled code gets: those that no code uses now.
    #[allow(clippy::vec_box, reason = "they are large, and taken and put back often")]
    pub contexts: Vec<Box<Context>>,
    /// How many functions that compiled code has called run now, inside of each other.
    pub nested: u32,
    /// What the clock of the running warp has been given of its turn already, and since when its only group runs, if that is
    /// another time than when its turn went on.
    pub clocked: u64,
    pub since: Option<u64>,
    /// Of each code, where its accesses look for allocations first; as of this number of changes of their list.
    pub caches: Vec<Box<[InlineCache]>>,
    pub caches_at: u64,
}

/// The warp and the instruction that an access belongs to.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub block: u64,
    pub warp: u32,
    pub pc: u32,
}

impl Site {
    pub fn event(
        self,
        space: Space,
        address: u64,
        size: u32,
        lane: usize,
        order: MemoryOrder,
        scope: Scope,
    ) -> MemoryEvent {
        MemoryEvent {
            space,
            address,
            size,
            order,
            scope,
            pc: self.pc,
            block: self.block,
            thread: self.warp * 32 + lane as u32,
        }
    }
}

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// Faults if a value is undefined in any of `lanes`; `what` names its use.
    #[inline]
    pub(super) fn defined(&self, undefined: u32, lanes: u32, what: &str) -> Result<(), LaneFault> {
        if undefined & lanes == 0 {
            return Ok(());
        }
        Err(undefined_use(undefined & lanes, what))
    }
}

#[cold]
pub(super) fn undefined_use(lanes: u32, what: &str) -> LaneFault {
    LaneFault::new(FaultKind::Undefined(format!("an undefined value reached {what}")), lanes)
}
