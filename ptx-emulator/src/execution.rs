//! A launch that runs in steps.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::exec::schedule::Grid;
use crate::exec::{Progress, Run};
use crate::fault::Fault;
use crate::launch::{LaunchConfig, LaunchOptions, LaunchReport};
use crate::machine::{LoadedModule, Machine};
use crate::memory::MemoryModel;
use crate::observer::Observer;

/// A launch in progress. Together with its [`Machine`] a clone of it is a complete copy of the state: both
/// go on alike, or differ where their seeds do.
#[derive(Clone, Debug)]
pub struct Execution {
    pub(crate) module: LoadedModule,
    pub(crate) kernel: usize,
    pub(crate) config: LaunchConfig,
    pub(crate) options: LaunchOptions,
    pub(crate) params: Vec<u8>,
    pub(crate) grid_id: u64,
    pub(crate) grid: Grid,
    pub(crate) progress: Progress,
}

impl Execution {
    /// Gives one warp its turn; true when the launch has ended.
    pub fn step<M: MemoryModel, O: Observer>(
        &mut self,
        machine: &mut Machine,
        model: &mut M,
        observer: &mut O,
    ) -> Result<bool, Box<Fault>> {
        self.advance(machine, model, observer, true)
    }

    /// Runs to the end.
    pub fn finish<M: MemoryModel, O: Observer>(
        &mut self,
        machine: &mut Machine,
        model: &mut M,
        observer: &mut O,
    ) -> Result<LaunchReport, Box<Fault>> {
        self.advance(machine, model, observer, false)?;
        Ok(self.report())
    }

    /// What the launch has done so far.
    pub fn report(&self) -> LaunchReport {
        let kernel = self.module.program().linked.kernels[self.kernel].name.clone();
        LaunchReport { kernel, config: self.config, counts: self.progress.counts }
    }

    /// A digest of everything that decides how the launch goes on, apart from the machine's memory (see
    /// [`Machine::digest`]). Undefined values do not count.
    pub fn digest(&self) -> u64 {
        let mut state = DefaultHasher::new();
        (self.kernel, self.config, &self.params, &self.progress.chooser).hash(&mut state);
        self.grid.hash_into(&mut state);
        state.finish()
    }

    fn advance<M: MemoryModel, O: Observer>(
        &mut self,
        machine: &mut Machine,
        model: &mut M,
        observer: &mut O,
        once: bool,
    ) -> Result<bool, Box<Fault>> {
        let (description, memory, output) = machine.parts();
        let linked = &self.module.program().linked;
        let mut run = Run {
            description,
            memory: memory.view(),
            module: &self.module,
            kernel: self.kernel,
            config: self.config,
            options: &self.options,
            params: &self.params,
            model,
            observer,
            output,
            progress: self.progress,
            shared_bytes: linked.shared_end + self.config.dynamic_shared,
            grid_id: self.grid_id,
        };
        let ended = loop {
            match run.turn(&mut self.grid) {
                Ok(false) if !once => {}
                other => break other,
            }
        };
        self.progress = run.progress;
        ended
    }
}
