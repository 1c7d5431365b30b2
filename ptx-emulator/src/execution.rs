//! Launches: a kernel runs to its end at once, or in steps.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use crate::check::{CheckedLaunch, LaunchState, OperationOrder};
use crate::counts::Counts;
use crate::exec::{Grid, JobPool, Progress, Run, Vectors};
use crate::fault::Fault;
use crate::launch::{LaunchConfig, LaunchOptions, LaunchReport};
use crate::machine::{Machine, MachineParts};
use crate::memory::global::Near;
use crate::memory::{MemoryModel, PlainMemory};
use crate::module::LoadedModule;
use crate::observer::{NoObserver, Observer};
use crate::profile::{Collector, LaunchProfile};
use crate::program::Program;

/// A launch in progress. A clone of it and a clone of its [`Machine`] are together a complete copy of the
/// state: the copy continues as the original does.
#[derive(Clone, Debug)]
pub struct Execution {
    module: LoadedModule,
    kernel: usize,
    config: LaunchConfig,
    options: LaunchOptions,
    params: Vec<u8>,
    grid_id: u64,
    grid: Grid,
    progress: Progress,
    /// The operations that come before it, and what is known of its threads, for checks.
    order: Option<OperationOrder>,
    checked: Option<Box<LaunchState>>,
    /// What is counted, for a profile.
    profiled: Option<Box<Collector>>,
}

impl Machine {
    /// Runs a kernel to its end.
    ///
    /// `params` is the parameter block, laid out as [`Kernel::params`](crate::Kernel::params) describes. A fault leaves memory as it
    /// was when the fault happened.
    pub fn launch(
        &mut self,
        module: &LoadedModule,
        kernel: &str,
        config: &LaunchConfig,
        params: &[u8],
        options: &LaunchOptions,
    ) -> Result<LaunchReport, Box<Fault>> {
        let mut execution = self.begin(module, kernel, config, params, options)?;
        if execution.begin_checks(self) {
            execution.run_checked(self, None)?;
            return Ok(execution.report());
        }
        execution.finish(self, &mut PlainMemory, &mut NoObserver)
    }

    /// As [`Machine::launch`], under a memory model and with an observer.
    #[allow(clippy::too_many_arguments, reason = "parts of a launch are borrowed apart")]
    pub fn launch_with<M: MemoryModel, O: Observer>(
        &mut self,
        module: &LoadedModule,
        kernel: &str,
        config: &LaunchConfig,
        params: &[u8],
        options: &LaunchOptions,
        model: &mut M,
        observer: &mut O,
    ) -> Result<LaunchReport, Box<Fault>> {
        self.begin(module, kernel, config, params, options)?.finish(self, model, observer)
    }

    /// Prepares a launch that runs in steps.
    pub fn begin(
        &self,
        module: &LoadedModule,
        kernel: &str,
        config: &LaunchConfig,
        params: &[u8],
        options: &LaunchOptions,
    ) -> Result<Execution, Box<Fault>> {
        let program = module.program();
        let Some(number) = program.linked.kernels.iter().position(|k| k.name == kernel) else {
            return Err(Fault::rejected(kernel, format!("{} has no such kernel", program.name())));
        };
        let known = &program.linked.kernels[number];
        self.check_launch(known, config, params).map_err(|why| Fault::rejected(kernel, why))?;
        let per_sm = self.occupancy(known, config.block_threads() as u32, config.dynamic_shared);
        // A block that the limits allow can be launched even where the guessed number of registers says
        // otherwise.
        let resident = u64::from(per_sm.max(1)) * u64::from(self.description().multiprocessors.max(1));
        let blocks = config.grid.iter().fold(1u64, |n, &g| n.saturating_mul(u64::from(g)));
        if options.cooperative.is_some() && blocks > resident {
            let why = format!(
                "a cooperative launch of {blocks} blocks; the machine holds {resident} blocks of this kernel at a time"
            );
            return Err(Fault::rejected(kernel, why));
        }
        let grid_id = self.next_launch();
        Ok(Execution {
            module: module.clone(),
            kernel: number,
            config: *config,
            options: options.clone(),
            params: params.to_vec(),
            grid_id,
            grid: Grid::new(config, options, resident),
            progress: Progress::new(options),
            order: None,
            checked: None,
            profiled: None,
        })
    }
}

impl Execution {
    /// Says which operations come before the launch, for checks; by default all that were begun before it.
    pub fn set_order(&mut self, order: OperationOrder) {
        self.order = Some(order);
    }

    /// Runs one warp for one turn; returns whether the launch has ended.
    pub fn step<M: MemoryModel, O: Observer>(
        &mut self,
        machine: &Machine,
        model: &mut M,
        observer: &mut O,
    ) -> Result<bool, Box<Fault>> {
        self.advance(machine, model, observer, Some(0))
    }

    /// Runs in plain memory for `instructions` warp instructions or a few more, with the checks of the machine;
    /// returns whether the launch has ended. With several jobs, which there are without checks only, it runs to its
    /// end.
    // It has no type parameters, so that it is compiled and optimised with this crate.
    pub fn run(&mut self, machine: &Machine, instructions: u64) -> Result<bool, Box<Fault>> {
        if self.begin_checks(machine) {
            return self.run_checked(machine, Some(instructions));
        }
        if self.begin_profile(machine) {
            return self.run_profiled(machine, Some(instructions));
        }
        match self.jobs() {
            1 => self.advance(machine, &mut PlainMemory, &mut NoObserver, Some(instructions)),
            jobs => self.finish_in_parallel(machine, jobs).map(|()| true),
        }
    }

    /// Whether the launch is checked, from its first instruction on.
    fn begin_checks(&mut self, machine: &Machine) -> bool {
        if self.checked.is_none()
            && !self.grid.has_begun()
            && let Some(mut checker) = machine.checker()
        {
            let program = self.module.program();
            let kernel = &program.linked.kernels[self.kernel];
            let order = self.order.take();
            let params = (&self.params[..], self.options.shortcuts);
            let state = LaunchState::begin(&mut checker, program, kernel, &self.config, params, order);
            self.checked = Some(Box::new(state));
        }
        self.checked.is_some()
    }

    /// As [`Execution::advance`], checked.
    fn run_checked(&mut self, machine: &Machine, instructions: Option<u64>) -> Result<bool, Box<Fault>> {
        let Some((mut launch, mut checker)) = self.checked.take().zip(machine.checker()) else {
            return self.advance(machine, &mut PlainMemory, &mut NoObserver, instructions);
        };
        let module = self.module.clone();
        let program = module.program();
        let shared_bytes = program.linked.shared_end + self.config.dynamic_shared;
        let ended = if checker.tracks_undefined() {
            let (checker, launch) = (&mut *checker, &mut *launch);
            let mut checked = CheckedLaunch::<true> { checker, launch, program, shared_bytes };
            self.advance(machine, &mut PlainMemory, &mut checked, instructions)
        } else {
            let (checker, launch) = (&mut *checker, &mut *launch);
            let mut checked = CheckedLaunch::<false> { checker, launch, program, shared_bytes };
            self.advance(machine, &mut PlainMemory, &mut checked, instructions)
        };
        self.checked = Some(launch);
        ended
    }

    /// Whether the launch is profiled, from its first instruction on.
    fn begin_profile(&mut self, machine: &Machine) -> bool {
        if self.profiled.is_none() && !self.grid.has_begun() {
            self.profiled = machine.profiler().begin(self.module.program()).map(Box::new);
        }
        self.profiled.is_some()
    }

    /// As [`Execution::advance`], with counts by instruction.
    fn run_profiled(&mut self, machine: &Machine, instructions: Option<u64>) -> Result<bool, Box<Fault>> {
        let Some(mut collector) = self.profiled.take() else {
            return self.advance(machine, &mut PlainMemory, &mut NoObserver, instructions);
        };
        let ended = self.advance(machine, &mut PlainMemory, &mut *collector, instructions);
        self.profiled = Some(collector);
        ended
    }

    /// The profile of the launch, once it has ended, if the machine profiles.
    pub fn take_profile(&mut self) -> Option<LaunchProfile> {
        let collector = self.profiled.take()?;
        let program = self.module.program();
        let kernel = &program.linked.kernels[self.kernel];
        Some(LaunchProfile::new(program, kernel, &self.config, *collector))
    }

    /// Host threads that can run the launch.
    fn jobs(&self) -> u64 {
        let jobs = if self.options.seed.is_none() { u64::from(self.options.jobs) } else { 1 };
        jobs.min(self.grid.max_jobs()).max(1)
    }

    /// Runs to the end.
    pub fn finish<M: MemoryModel, O: Observer>(
        &mut self,
        machine: &Machine,
        model: &mut M,
        observer: &mut O,
    ) -> Result<LaunchReport, Box<Fault>> {
        if M::PLAIN && !O::ACTIVE && self.jobs() > 1 {
            self.finish_in_parallel(machine, self.jobs())?;
        } else {
            self.advance(machine, model, observer, None)?;
        }
        Ok(self.report())
    }

    /// The program that the kernel is of.
    pub fn program(&self) -> &Arc<Program> {
        self.module.program()
    }

    /// The kernel's name.
    pub fn kernel_name(&self) -> &str {
        &self.module.program().linked.kernels[self.kernel].name
    }

    /// What the launch has done so far.
    pub fn report(&self) -> LaunchReport {
        let kernel = &self.module.program().linked.kernels[self.kernel];
        let mut counts = self.progress.counts;
        if !kernel.recurses {
            counts.stack_bytes = 0;
        }
        LaunchReport {
            kernel: kernel.name.clone(),
            config: self.config,
            counts,
            compiled_instructions: self.progress.steps_in_code,
        }
    }

    /// A digest of everything that decides how the launch continues, apart from the machine's memory (see
    /// [`Machine::digest`]). Undefined values do not count.
    pub fn digest(&self) -> u64 {
        let mut state = DefaultHasher::new();
        (self.kernel, self.config, &self.params, &self.progress.chooser).hash(&mut state);
        self.grid.hash_into(&mut state);
        state.finish()
    }

    /// Runs warps until the launch has ended or, if a number is given, so many instructions are done.
    fn advance<M: MemoryModel, O: Observer>(
        &mut self,
        machine: &Machine,
        model: &mut M,
        observer: &mut O,
        instructions: Option<u64>,
    ) -> Result<bool, Box<Fault>> {
        machine.look_up_host_memory();
        let mut grid = std::mem::take(&mut self.grid);
        let enough = instructions.map_or(0, |few| self.progress.steps_left.saturating_sub(few));
        let mut run = self.run_on(machine, model, observer, self.progress, None);
        let ended = loop {
            match run.turn(&mut grid) {
                Ok(false) if instructions.is_none() || run.progress.steps_left > enough => {}
                other => break other,
            }
        };
        let progress = run.progress;
        drop(run);
        (self.progress, self.grid) = (progress, grid);
        ended
    }

    /// Runs a grid that has not started on several threads.
    fn finish_in_parallel(&mut self, machine: &Machine, jobs: u64) -> Result<(), Box<Fault>> {
        machine.look_up_host_memory();
        let pool = JobPool::new(self.grid.take_pending(), self.progress.steps_left);
        let execution = &*self;
        let work = || {
            // If this thread panics, the other jobs end, too: they might wait for its blocks for ever.
            let _guard = StopOnPanic(&pool);
            let (mut model, mut observer) = (PlainMemory, NoObserver);
            let progress = Progress::of_job(&execution.options, jobs);
            let mut run = execution.run_on(machine, &mut model, &mut observer, progress, Some(&pool));
            let mut grid = Grid::of_job(&pool);
            loop {
                match run.turn(&mut grid) {
                    Ok(false) => {}
                    Ok(true) => return Ok((run.progress.counts, run.progress.steps_in_code)),
                    Err(fault) => {
                        pool.stop();
                        return Err(fault);
                    }
                }
            }
        };
        let results: Vec<Result<(Counts, u64), Box<Fault>>> = thread::scope(|scope| {
            // If the host cannot create more threads, there are fewer jobs.
            let others: Vec<_> =
                (1..jobs).map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
            let mine = work();
            let others =
                others.into_iter().map(|job| job.join().unwrap_or_else(|panic| resume_unwind(panic)));
            std::iter::once(mine).chain(others).collect()
        });
        // Of several faults, that of the first block is reported; a job without a block may be interrupted.
        let index = |fault: &Fault| (fault.place.is_none(), [2, 1, 0].map(|axis: usize| fault.block[axis]));
        let mut first: Option<Box<Fault>> = None;
        for result in results {
            match result {
                Ok((counts, steps)) => {
                    self.progress.counts += counts;
                    self.progress.steps_in_code += steps;
                }
                Err(fault) if first.as_ref().is_none_or(|first| index(&fault) < index(first)) => {
                    first = Some(fault);
                }
                Err(_) => {}
            }
        }
        first.map_or(Ok(()), Err)
    }

    /// The executor's view of this launch.
    fn run_on<'a, M: MemoryModel, O: Observer>(
        &'a self,
        machine: &'a Machine,
        model: &'a mut M,
        observer: &'a mut O,
        progress: Progress,
        pool: Option<&'a JobPool>,
    ) -> Run<'a, M, O> {
        let MachineParts { description, memory, output, interrupted, compiler } = machine.parts();
        let linked = &self.module.program().linked;
        Run {
            description,
            memory: memory.view(),
            near: Near::default(),
            module: &self.module,
            kernel: self.kernel,
            config: self.config,
            options: &self.options,
            params: &self.params,
            model,
            observer,
            output,
            interrupted,
            progress,
            pool,
            shared_bytes: linked.shared_end + self.config.dynamic_shared,
            grid_id: self.grid_id,
            vectors: if self.options.shortcuts { Vectors::of_host() } else { Vectors::COMMON },
            compiler,
            is_linear: self.config.block[1..] == [1, 1] || self.config.block[0].is_multiple_of(32),
            contexts: Vec::new(),
            nested: 0,
            clocked: 0,
            since: None,
            caches: Vec::new(),
            caches_at: 0,
        }
    }
}

/// Makes all jobs end when one panics.
struct StopOnPanic<'a>(&'a JobPool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}
