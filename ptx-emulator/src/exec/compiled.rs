//! Runs lane groups in compiled code.
//!
//! Compiled code ends in front of an instruction that it does not have, at a branch that only some lanes take, and where a
//! fault is to be reported: the interpreter executes that instruction, with the same registers and the same memory. So all
//! that is particular to threads has one home.

use std::sync::{Mutex, PoisonError};

use super::lanes::lanes;
use super::run::{LaneFault, Run, Site};
use super::state::{Block, Frame, GroupState, LaneGroup, Pause, Warp};
use super::step::After;
use super::transfer::{passes, sectors};
use crate::compile::{
    Code, CodeKind, CompiledFunctions, Context, Ending, InlineCache, Lanes, NearAllocations,
    RegisterPointers, Request, compile,
};
use crate::instruction::{AddressBase, BarrierKind, CONSTANT, CallTarget, Guard, Op};
use crate::launch::Engine;
use crate::memory::MemoryModel;
use crate::memory::address_space::classify;
use crate::memory::global::{Allocation, Purpose};
use crate::observer::Observer;
use crate::program::Program;
use crate::semantics::{Aligned, LANES};
use crate::text::types::Space;

/// How often lanes enter a function's code before it counts how often they could not.
const TRIALS: u32 = 256;

/// What compiled code needs to let the interpreter's function execute an instruction.
struct Caller<'c, 'r, M, O> {
    run: *mut Run<'r, M, O>,
    block: *mut Block,
    w: usize,
    g: usize,
    code: &'c Code,
    caches: *mut [InlineCache],
    kind: CodeKind,
    outcome: Option<Outcome>,
    /// The instruction of a called function that has a fault.
    at: Option<u32>,
    /// The budget at the beginning; what of it functions have taken that were called; and what the launch has been charged of
    /// the rest.
    budget: i32,
    nested: u64,
    charged: u64,
}

/// What happens after an instruction that code has let the interpreter execute. It is small: it is returned often.
pub(super) type Outcome = Result<After, Box<LaneFault>>;

impl<'r, M: MemoryModel, O: Observer> Run<'r, M, O> {
    /// Whether functions may run in compiled code: in plain memory, unobserved, and not in chosen interleavings.
    pub(super) fn may_use_code(&self) -> bool {
        M::PLAIN
            && !O::ACTIVE
            && !self.has_exact_turns()
            && self.options.shortcuts
            && self.options.engine != Engine::Interpret
    }

    /// The kind of code that a group's lanes need.
    fn kind(&self, mask: u32, is_alone: bool) -> CodeKind {
        match mask {
            u32::MAX if is_alone && self.is_linear => CodeKind::Linear,
            u32::MAX if is_alone => CodeKind::All,
            _ if mask.is_power_of_two() => CodeKind::One,
            _ => CodeKind::Some,
        }
    }

    /// Notes that the interpreter has executed instructions of a group, and has its function compiled if that is worth it.
    #[inline]
    pub(super) fn note_interpreted(&self, function: u32, mask: u32, is_alone: bool, instructions: u64) {
        let Some(compiler) = self.compiler else { return };
        if self.options.engine == Engine::Compile {
            return;
        }
        let (program, compiled) = (self.module.program(), self.module.compiled());
        let kind = self.kind(mask, is_alone);
        if let Some(request) = compiled.note(program, function, kind, instructions) {
            let (compiled, program, compiler) = (compiled.clone(), program.clone(), compiler.clone());
            // If the host cannot create more threads, the function stays interpreted.
            let _ = std::thread::Builder::new().name("compile".into()).spawn(move || {
                // One at a time: they are not to take all of the host.
                static TURN: Mutex<()> = Mutex::new(());
                let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
                compile(&compiled, &program, function, kind, &*compiler, request);
            });
        }
    }

    /// Runs a group from the beginning of a basic block on in compiled code. `None` if there is none for it. Returns the
    /// instruction in front of which the group is then, or, if the interpreter's function has executed it, what happens
    /// after it.
    pub(super) fn run_code(
        &mut self,
        block: &mut Block,
        w: usize,
        g: usize,
        pc: u32,
        budget: &mut i32,
    ) -> Option<(u32, Option<Outcome>)> {
        let module = self.module;
        let (program, compiled) = (module.program(), module.compiled());
        let warp = &mut block.warps[w];
        let group = warp.groups[g];
        let is_alone = warp.groups.len() == 1;
        let frame = &mut warp.frames[group.frame as usize];
        let function = frame.function;
        let mut kind = self.kind(group.mask, is_alone);
        let find = |kind| {
            if self.options.engine == Engine::Compile
                && let Some(compiler) = self.compiler
            {
                compile(compiled, program, function, kind, &**compiler, Request::Compile);
            }
            compiled.get(function, kind)
        };
        let mut code = find(kind)?;
        let pointers = frame.pointers();
        if code.lanes == Lanes::All && !fits(program, compiled, frame, code, kind, pc) {
            kind = CodeKind::Some;
            code = find(kind)?;
        }
        if code.lanes != Lanes::All {
            frame.spread_scalars(compiled, false);
        }
        let number = code.block_at(pc)?;
        let longest = u64::from(budget.unsigned_abs()) + u64::from(code.longest_block);
        self.take_steps(longest);
        if self.progress.steps_left < longest {
            return None;
        }
        let mut context = self.contexts.pop().unwrap_or_else(|| self.new_context());
        context.registers = pointers;
        self.describe(&mut context, block, w, g, *budget);
        if pc.wrapping_sub(context.watch_from) <= context.watch_length {
            self.contexts.push(context);
            return None;
        }
        let mut caches = self.take_caches(code, &mut context);
        context.caches = caches.as_mut_ptr();
        let mut caller = Caller {
            run: self,
            block,
            w,
            g,
            code,
            caches: &raw mut *caches,
            kind,
            outcome: None,
            at: None,
            budget: *budget,
            nested: 0,
            charged: 0,
        };
        context.caller = (&raw mut caller).cast();
        // SAFETY: the context describes this group, and the code is of its function for its lanes; what it points to stays
        // where it is: frames, local and shared memory grow only at instructions at which the code ends. While the code
        // runs, nothing else refers to what it changes; `execute` borrows it again from the caller's pointers.
        let ending = unsafe { (code.entry)(&raw mut *context, number) };
        let Caller { outcome, at, nested, charged, .. } = caller;
        self.caches[code.number as usize] = caches;
        let pc = context.pc;
        let warp = &mut block.warps[w];
        // What scalars stand for is that of where the code has ended.
        let has_scalars = code.lanes == Lanes::All && context.parted == 0;
        warp.frames[group.frame as usize].scalars_at = has_scalars.then_some((kind, pc));
        // What was paid for and has not been executed.
        let rest = match ending {
            _ if ending == Ending::Block as u32 => pc..pc,
            _ if ending == Ending::Executed as u32 => pc + 1..code.block_end(pc),
            _ => pc..code.block_end(pc),
        };
        let all_steps = (i64::from(*budget) - context.fuel) as u64 - rest.len() as u64;
        let steps = all_steps - nested;
        let unpaid = program.instructions(rest).iter().filter(|instruction| instruction.counted).count();
        let counted = context.counted - unpaid as u64;
        let idle = context.idle - unpaid as u64 * u64::from(context.parted.count_ones());
        *budget = budget.saturating_sub_unsigned(all_steps as u32);
        self.progress.steps_in_code += steps;
        self.progress.steps_left -= steps - charged;
        let counts = &mut self.progress.counts;
        counts.warp_instructions += counted;
        counts.thread_instructions += counted * u64::from(group.mask.count_ones()) - idle;
        counts.global_sectors += context.sectors;
        counts.shared_passes += context.passes;
        counts.shuffles += context.shuffles;
        let (parted, parted_pc) = (context.parted, context.parted_pc);
        self.contexts.push(context);
        if parted != 0 {
            // The code has ended while some lanes waited: groups as a branch makes them.
            warp.groups[g] = LaneGroup { mask: parted, pc: parted_pc, ..group };
            warp.groups.push(LaneGroup { mask: group.mask & !parted, pc, ..group });
            let running = warp.groups.len() - 1;
            return Some(match outcome {
                Some(Err(fault)) => {
                    (parted_pc, Some(Err(Box::new(LaneFault { group: Some(running), ..*fault }))))
                }
                _ => (pc, Some(Ok(After::Left(Pause::Again)))),
            });
        }
        let frame = &mut warp.frames[group.frame as usize];
        let is_needed = match &outcome {
            // The group has got no further than a function that it has called.
            Some(Ok(_)) if program.linked.calls_code(&program.instruction(pc).op) => false,
            Some(_) => true,
            None => ending == Ending::Interpret as u32 && reads_registers(&program.instruction(pc).op),
        };
        if is_needed {
            // A report shows registers that the instruction's text names, whether they are used later or not.
            let op = &program.instruction(pc).op;
            let is_harmless = outcome.is_none() && (matches!(op, Op::Branch(_)) || op.is_on_registers());
            frame.spread_scalars(compiled, !is_harmless);
        }
        Some((at.unwrap_or(pc), outcome))
    }

    /// Calls a function from code of a group that is alone, and runs it in code. `Ok` once it has returned; otherwise where
    /// its group is then, and what happens.
    fn call_from_code(
        &mut self,
        block: &mut Block,
        (w, g): (usize, usize),
        pc: u32,
        budget: &mut i32,
    ) -> Result<(), (u32, Outcome)> {
        let program = self.module.program();
        let site = Site { block: block.linear, warp: w as u32, pc };
        let Block { id, shared, warps, .. } = &mut *block;
        let warp = &mut warps[w];
        let mask = warp.groups[g].mask;
        let Op::Call(call) = &program.instruction(pc).op else { return Ok(()) };
        warp.groups[g].pc = pc;
        if let Err(fault) = self.call(warp, shared, *id, g, call, site, budget) {
            return Err((pc, Err(Box::new(fault))));
        }
        let start = warp.groups[g].pc;
        self.nested += 1;
        let ended = self.run_code(block, w, g, start, budget);
        self.nested -= 1;
        let (at, outcome) = match ended {
            None => (start, Ok(After::Left(Pause::Again))),
            Some((at, None)) => {
                let instruction = program.instruction(at);
                let warp = &mut block.warps[w];
                let returns = matches!(instruction.op, Op::Return) && instruction.guard == Guard::NONE;
                if returns && warp.groups[g].mask == mask && self.progress.steps_left > 0 {
                    self.spent(1, u64::from(instruction.counted), mask.count_ones(), budget);
                    warp.groups[g].pc = at;
                    self.ret(warp, g, Site { pc: at, ..site });
                    return Ok(());
                }
                (at, Ok(After::Left(Pause::Again)))
            }
            Some((at, Some(Ok(After::Next)))) => (at + 1, Ok(After::Left(Pause::Again))),
            Some((_, Some(Ok(After::Jump(at))))) => (at, Ok(After::Left(Pause::Again))),
            Some((_, Some(Ok(After::Pause(pause, at))))) => (at, Ok(After::Left(pause))),
            // Its place is set, or it is gone.
            Some((_, Some(Ok(After::Left(pause))))) => return Err((pc, Ok(After::Left(pause)))),
            Some((at, Some(Err(fault)))) => (at, Err(fault)),
        };
        block.warps[w].groups[g].pc = at;
        Err((at, outcome))
    }

    /// Gives the clock of the warp that runs steps of its turn before the turn has ended; returns the time.
    fn clock(&mut self, warp: &mut Warp, steps: u64) -> u64 {
        self.clocked += steps;
        warp.clock += steps;
        warp.clock
    }

    /// The places where code looks for allocations, empty if the list of allocations may have changed; as are those of the
    /// context.
    fn take_caches(&mut self, code: &Code, context: &mut Context) -> Box<[InlineCache]> {
        let changes = self.memory.changes();
        if context.near_at != changes {
            (context.near, context.near_at) = (NearAllocations::NONE, changes);
        }
        if self.caches_at != changes {
            self.caches.iter_mut().for_each(|caches| caches.fill(InlineCache::EMPTY));
            self.caches_at = changes;
        }
        let number = code.number as usize;
        if self.caches.len() <= number {
            self.caches.resize_with(number + 1, Default::default);
        }
        let mut caches = std::mem::take(&mut self.caches[number]);
        if caches.len() != code.caches.len() {
            caches = vec![InlineCache::EMPTY; code.caches.len()].into();
        }
        caches
    }

    /// A context of the launch.
    fn new_context(&self) -> Box<Context> {
        let registers = RegisterPointers {
            b32: std::ptr::null_mut(),
            b64: std::ptr::null_mut(),
            states32: std::ptr::null_mut(),
            states64: std::ptr::null_mut(),
            preds: std::ptr::null_mut(),
            undefined_preds: std::ptr::null_mut(),
            scalars32: std::ptr::null_mut(),
            scalars64: std::ptr::null_mut(),
        };
        Box::new(Context {
            registers,
            constants64: self.module.constants().b64.as_ptr(),
            local: std::ptr::null_mut(),
            local_undefined: std::ptr::null_mut(),
            shared: std::ptr::null_mut(),
            params: self.params.as_ptr(),
            caches: std::ptr::null_mut(),
            tid: std::ptr::null(),
            execute: execute::<M, O>,
            call: call_function::<M, O>,
            fuel: 0,
            counted: 0,
            idle: 0,
            sectors: 0,
            passes: 0,
            shuffles: 0,
            local_base: 0,
            shared_bytes: 0,
            mask: 0,
            lane: 0,
            threads: 0,
            watch_from: 0,
            watch_length: 0,
            pc: 0,
            may_part: 0,
            parted: 0,
            parted_pc: 0,
            ntid: self.config.block,
            ctaid: [0; 3],
            nctaid: self.config.grid,
            warp: 0,
            count: count::<M, O>,
            near: NearAllocations::NONE,
            near_at: 0,
            addresses: Aligned([0; LANES]),
            locate_lanes: locate_lanes::<M, O>,
            caller: std::ptr::null_mut(),
        })
    }

    /// Describes a group, of which nothing has been executed yet, in a context that has its registers.
    fn describe(&self, context: &mut Context, block: &mut Block, w: usize, g: usize, budget: i32) {
        let Block { id, shared, warps, .. } = block;
        let warp = &mut warps[w];
        let group = warp.groups[g];
        let local_base = warp.frames[group.frame as usize].local_base;
        (context.watch_from, context.watch_length) = self.watched(warp, g);
        (context.local, context.local_undefined) = warp.local.pointers(local_base);
        context.local_base = u64::from(local_base);
        (context.shared, context.shared_bytes) = (shared.as_mut_ptr(), shared.len() as u64);
        context.tid = warp.tid.as_ptr();
        (context.mask, context.lane) = (group.mask, group.mask.trailing_zeros());
        context.threads = group.mask.count_ones();
        context.fuel = i64::from(budget);
        (context.counted, context.idle) = (0, 0);
        (context.sectors, context.passes, context.shuffles) = (0, 0, 0);
        (context.ctaid, context.warp) = (*id, w as u32);
        // Lanes that are behind are chosen first, unless a group runs for some time because it has waited.
        context.may_part = u32::from(group.favoured <= warp.clock);
        context.parted = 0;
    }

    /// From which instruction on, and how far, a group may meet others, or pass one that should run first: a superset of
    /// where [`Run::overtaken`] pauses it.
    fn watched(&self, warp: &Warp, g: usize) -> (u32, u32) {
        let groups = &warp.groups;
        let free = |state| matches!(state, GroupState::Ready | GroupState::Converge);
        let others = groups
            .iter()
            .enumerate()
            .filter(|&(i, other)| i != g && other.frame == groups[g].frame && free(other.state));
        let (least, most) =
            others.fold((u32::MAX, 0), |(least, most), (_, other)| (least.min(other.pc), most.max(other.pc)));
        match least {
            u32::MAX => (u32::MAX, 0),
            _ if self.yields(warp, g) => (least, u32::MAX - least),
            _ => (least, most - least),
        }
    }
}

/// Whether registers hold what code expects at an instruction; lets scalars stand for them then.
fn fits(
    program: &Program,
    compiled: &CompiledFunctions,
    frame: &mut Frame,
    code: &Code,
    kind: CodeKind,
    pc: u32,
) -> bool {
    use std::sync::atomic::Ordering::Relaxed;
    if let Some((known, at)) = frame.scalars_at
        && known == kind
    {
        // Mostly the scalars are still those of when the code ended.
        let follows = at + 1 == pc && !reads_registers(&program.instruction(at).op);
        if at == pc || follows && code.keeps_scalars(at) {
            return true;
        }
    }
    frame.spread_scalars(compiled, false);
    let (mismatches, entered) = (code.mismatches.load(Relaxed), code.entered.load(Relaxed));
    if entered > TRIALS && mismatches > entered / 2 {
        return false;
    }
    code.entered.store(entered.saturating_add(1), Relaxed);
    if frame.gather_scalars(code, pc) {
        return true;
    }
    code.mismatches.store(mismatches.saturating_add(1), Relaxed);
    false
}

/// Whether the interpreter reads or writes registers when it executes an operation at which code ends.
fn reads_registers(op: &Op) -> bool {
    match op {
        Op::Return | Op::Exit | Op::Sleep => false,
        Op::Call(call) => !matches!(call.target, CallTarget::Function(_)),
        Op::Barrier(barrier) => {
            // Predicates have no scalars.
            let constant = |reg| reg & CONSTANT != 0;
            let writes = barrier.kind == BarrierKind::Popc;
            writes || !constant(barrier.id) || !barrier.count.is_none_or(constant)
        }
        _ => true,
    }
}

/// Executes an instruction for compiled code: see [`crate::compile::Execute`].
///
/// # Safety
///
/// The context is that of code that runs now, in [`Run::run_code`].
unsafe extern "C" fn execute<M: MemoryModel, O: Observer>(
    context: *mut Context,
    pc: u32,
    active: u32,
) -> u32 {
    // SAFETY: `run_code` has put its caller there, which lives until the code has ended.
    let caller = unsafe { &mut *(*context).caller.cast::<Caller<'_, '_, M, O>>() };
    // SAFETY: they are borrowed by `run_code`, which does not use them before the code has ended.
    let (run, block) = unsafe { (&mut *caller.run, &mut *caller.block) };
    let (w, g) = (caller.w, caller.g);
    // What the code has not paid for takes no part of the budget.
    let mut budget = i32::MAX;
    let changes = run.memory.changes();
    match run.instruction(block, w, g, pc, active, &mut budget) {
        Ok(After::Next) => {
            // SAFETY: `run_code` has lent them to the code, which does not use them now.
            let caches = unsafe { &mut *caller.caches };
            if run.memory.changes() != changes {
                caches.fill(InlineCache::EMPTY);
                // SAFETY: the context is the code's, which does not use it now.
                unsafe { (*context).near = NearAllocations::NONE };
            } else {
                for number in caller.code.caches_of(pc) {
                    let extent = caller.code.caches[number].1;
                    if let Some(cache) = run.cache(block, w, g, pc, extent) {
                        caches[number] = cache;
                    }
                }
            }
            0
        }
        other => {
            // SAFETY: the context is the code's, which ends now.
            unsafe { (*context).pc = pc };
            caller.outcome = Some(other.map_err(Box::new));
            1
        }
    }
}

/// How many functions that compiled code has called may run inside of each other: each takes some of the host's stack.
const MOST_NESTED: u32 = 8;

/// Calls a function for compiled code: see [`crate::compile::CallFunction`].
///
/// # Safety
///
/// The context is that of code that runs now, in [`Run::run_code`].
unsafe extern "C" fn call_function<M: MemoryModel, O: Observer>(context: *mut Context, pc: u32) -> u32 {
    // SAFETY: as promised; the code does not use it now.
    let context = unsafe { &mut *context };
    // SAFETY: `run_code` has put its caller there, which lives until the code has ended.
    let caller = unsafe { &mut *context.caller.cast::<Caller<'_, '_, M, O>>() };
    // SAFETY: they are borrowed by `run_code`, which does not use them before the code has ended.
    let (run, block) = unsafe { (&mut *caller.run, &mut *caller.block) };
    let (w, g) = (caller.w, caller.g);
    context.pc = pc;
    if block.warps[w].groups.len() != 1 || run.nested == MOST_NESTED {
        return 1;
    }
    // The launch and the warp's clock are at the call.
    let own = (i64::from(caller.budget) - context.fuel) as u64 - caller.nested;
    run.progress.steps_left -= own - caller.charged;
    let now = run.clock(&mut block.warps[w], own - caller.charged);
    caller.charged = own;
    block.warps[w].groups[g].since = now;
    let frame = block.warps[w].groups[g].frame as usize;
    let has_scalars = caller.code.lanes == Lanes::All;
    block.warps[w].frames[frame].scalars_at = has_scalars.then_some((caller.kind, pc));
    let (changes, clocked) = (run.memory.changes(), run.clocked);
    let mut budget = i32::try_from(context.fuel).unwrap_or(i32::MAX);
    let result = run.call_from_code(block, (w, g), pc, &mut budget);
    let steps = (context.fuel - i64::from(budget)) as u64;
    context.fuel -= steps as i64;
    caller.nested += steps;
    if run.memory.changes() != changes {
        // SAFETY: `run_code` has lent them to the code, which does not use them now.
        unsafe { &mut *caller.caches }.fill(InlineCache::EMPTY);
        (context.near, context.near_at) = (NearAllocations::NONE, run.memory.changes());
    }
    let warp = &mut block.warps[w];
    if let Err((at, outcome)) = result {
        // The group goes on where it is, as if nobody had asked which one is to run.
        run.since.get_or_insert(now);
        caller.at = outcome.is_err().then_some(at);
        caller.outcome = Some(outcome);
        return 2;
    }
    // Functions that it has called have given the clock their steps.
    let now = run.clock(warp, steps - (run.clocked - clocked));
    warp.groups[g].since = now;
    (context.local, context.local_undefined) = warp.local.pointers(context.local_base as u32);
    let longest = u64::try_from(context.fuel).unwrap_or(0) + u64::from(caller.code.longest_block);
    run.take_steps(longest);
    if run.progress.steps_left < longest {
        caller.outcome = Some(Ok(After::Left(Pause::Again)));
        return 2;
    }
    0
}

/// Counts sectors or passes for compiled code: see [`Context::count`].
///
/// # Safety
///
/// The context is that of code that runs now, in [`Run::run_code`].
unsafe extern "C" fn count<M: MemoryModel, O: Observer>(context: *mut Context, mask: u32, shared_bytes: u32) {
    // SAFETY: as promised; the code does not use it now.
    let context = unsafe { &mut *context };
    if shared_bytes != 0 {
        context.passes += passes(&context.addresses.0, mask, shared_bytes as usize);
        return;
    }
    // SAFETY: `run_code` has put its caller there, which lives until the code has ended.
    let vectors = unsafe { (*(*context.caller.cast::<Caller<'_, '_, M, O>>()).run).vectors };
    context.sectors += sectors(vectors, &context.addresses.0, mask);
}

/// Finds the allocations of lanes for compiled code: see [`Context::locate_lanes`].
///
/// # Safety
///
/// The context is that of code that runs now, in [`Run::run_code`].
unsafe extern "C" fn locate_lanes<M: MemoryModel, O: Observer>(
    context: *mut Context,
    mask: u32,
    bytes: u32,
    stores: u32,
    number: u32,
) -> u32 {
    // SAFETY: as promised; the code does not use it now.
    let context = unsafe { &mut *context };
    // SAFETY: `run_code` has put its caller there, which lives until the code has ended.
    let caller = unsafe { &mut *context.caller.cast::<Caller<'_, '_, M, O>>() };
    // SAFETY: `run_code` has lent both to the code, which does not use them now.
    let (run, caches) = unsafe { (&mut *caller.run, &mut *caller.caches) };
    let bytes = u64::from(bytes);
    let mut found = [0; LANES];
    let mut cache = InlineCache::EMPTY;
    for lane in lanes(mask) {
        let address = context.addresses.0[lane];
        let is_global = classify(address).0 == Space::Global && address.is_multiple_of(bytes);
        let known = run.memory.at_guess(address, bytes, lane, &run.near).or_else(|| {
            let allocation = run.memory.find_near(address, lane, &mut run.near)?;
            let offset = address - allocation.base;
            (bytes <= allocation.size() - offset).then_some((allocation, offset as usize))
        });
        let Some((allocation, offset)) = known.filter(|_| is_global) else { return 0 };
        let Some(in_this) = cached(allocation, bytes, stores != 0) else { return 0 };
        if !is_read_only(allocation) {
            context.near.bases.0[lane] = allocation.base;
            context.near.sizes.0[lane] = allocation.size();
            context.near.hosts.0[lane] = in_this.host.expose_provenance() as u64;
        }
        cache = in_this;
        found[lane] = cache.host.wrapping_add(offset).expose_provenance() as u64;
    }
    context.sectors += sectors(run.vectors, &context.addresses.0, mask);
    lanes(mask).for_each(|lane| context.addresses.0[lane] = found[lane]);
    caches[number as usize] = cache;
    1
}

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// The allocation that the lowest lane of a group accesses, if accesses of `extent` bytes may look there first.
    fn cache(&self, block: &Block, w: usize, g: usize, pc: u32, extent: u64) -> Option<InlineCache> {
        let (access, stores) = match &self.module.program().instruction(pc).op {
            Op::Load(access) => (access, false),
            Op::Store(access) => (access, true),
            _ => return None,
        };
        let AddressBase::Reg(reg) = access.address.base else { return None };
        let warp = &block.warps[w];
        let group = warp.groups[g];
        let lane = group.mask.trailing_zeros() as usize & 31;
        let base = warp.frames[group.frame as usize].b64(self.module.constants(), reg).0[lane];
        let address = base.wrapping_add(access.address.offset as u64);
        if access.address.space == Space::Generic && classify(address).0 != Space::Global {
            return None;
        }
        cached(self.memory.find(address)?, extent, stores)
    }
}

/// Whether device code must not store there.
fn is_read_only(allocation: &Allocation) -> bool {
    matches!(allocation.purpose, Purpose::Constant | Purpose::HostReadOnly)
}

/// An allocation for accesses of `extent` bytes; `None` if compiled code may not access it by itself.
fn cached(allocation: &Allocation, extent: u64, stores: bool) -> Option<InlineCache> {
    // Both addresses must be multiples of the same powers of two, as far as accesses need it.
    let is_aligned = allocation.region.address().wrapping_sub(allocation.base).is_multiple_of(16);
    if stores && is_read_only(allocation) || !is_aligned {
        return None;
    }
    let limit = (allocation.size() + 1).checked_sub(extent)?;
    Some(InlineCache { base: allocation.base, limit, host: allocation.region.pointer() })
}
