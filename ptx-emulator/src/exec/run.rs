//! A launch while it runs: what all parts of the executor work on.

use super::chooser::Chooser;
use super::grid::JobPool;
use crate::counts::Counts;
use crate::description::MachineDescription;
use crate::fault::FaultKind;
use crate::launch::{LaunchConfig, LaunchOptions};
use crate::memory::{MemoryEvent, MemoryModel, View};
use crate::memory::{MemoryOrder, Scope};
use crate::module::LoadedModule;
use crate::observer::Observer;
use crate::output::Sink;
use crate::text::types::Space;

/// Why a group of lanes cannot go on.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub kind: FaultKind,
    /// The lanes at fault.
    pub lanes: u32,
}

impl Trouble {
    pub fn new(kind: FaultKind, lanes: u32) -> Trouble {
        Trouble { kind, lanes }
    }
}

/// What changes with every instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    pub chooser: Chooser,
    pub counts: Counts,
    /// Steps that were given, and those of them that are left.
    pub steps_given: u64,
    pub steps_left: u64,
    /// Bytes of the host that blocks were given, and those that they may still take.
    pub memory_given: u64,
    pub memory_left: u64,
}

impl Progress {
    pub fn new(options: &LaunchOptions) -> Progress {
        Progress::given(options, options.step_limit, options.block_memory)
    }

    /// That of one of several jobs: it takes its steps from the pool's.
    pub fn of_job(options: &LaunchOptions, jobs: u64) -> Progress {
        Progress::given(options, 0, options.block_memory / jobs)
    }

    fn given(options: &LaunchOptions, steps: u64, memory: u64) -> Progress {
        Progress {
            chooser: Chooser::new(options.seed),
            counts: Counts::default(),
            steps_given: steps,
            steps_left: steps,
            memory_given: memory,
            memory_left: memory,
        }
    }
}

/// A launch while it runs.
pub(crate) struct Run<'a, M, O> {
    pub description: &'a MachineDescription,
    pub memory: View<'a>,
    pub module: &'a LoadedModule,
    pub kernel: usize,
    pub config: LaunchConfig,
    pub options: &'a LaunchOptions,
    pub params: &'a [u8],
    pub model: &'a mut M,
    pub observer: &'a mut O,
    pub output: &'a Sink,
    pub progress: Progress,
    /// The other jobs, where there are several.
    pub pool: Option<&'a JobPool>,
    /// Bytes of shared memory that addresses may reach.
    pub shared_bytes: u32,
    pub grid_id: u64,
}

/// Which thread and instruction an access belongs to.
#[derive(Clone, Copy)]
pub(super) struct Who {
    pub block: u64,
    pub warp: u32,
    pub pc: u32,
}

impl Who {
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
    /// Fails if any of `lanes` is undefined.
    #[inline]
    pub(super) fn defined(&self, undefined: u32, lanes: u32, what: &str) -> Result<(), Trouble> {
        if undefined & lanes == 0 {
            return Ok(());
        }
        Err(undefined_use(undefined & lanes, what))
    }
}

#[cold]
pub(super) fn undefined_use(lanes: u32, what: &str) -> Trouble {
    Trouble::new(FaultKind::Undefined(format!("an undefined value reached {what}")), lanes)
}
