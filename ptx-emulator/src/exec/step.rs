//! Runs a lane group until it must wait, diverges, reaches another group, or has used its quantum.

use std::sync::atomic::{Ordering, fence};

use super::compute::compute;
use super::definedness::compute_bits;
use super::lanes::lanes;
use super::run::{LaneFault, Run, Site, undefined_use};
use super::special_register::SpecialValue;
use super::state::{Block, Frame, GroupState, LaneGroup, Pause, Warp, split_by};
use crate::fault::FaultKind;
use crate::instruction::{Guard, Instruction, Op, Reg};
use crate::launch::LaneGroupChoice;
use crate::memory::{MemoryModel, MemoryOrder, Scope};
use crate::observer::Observer;
use crate::registers::Class;
use crate::semantics::LANES;
use crate::text::types::Space;

/// What happens after an instruction.
#[repr(u32)]
pub(super) enum After {
    /// The group goes on with the instruction that follows.
    Next,
    /// The group goes on at another instruction.
    Jump(u32),
    /// The group pauses in front of an instruction.
    Pause(Pause, u32),
    /// The group's place in the code is already set, or it is gone.
    Left(Pause),
}

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// Runs lane group `g` of warp `w` until it pauses, or has used its budget of instructions: to the end of the basic
    /// block then, unless turns are exact ([`Run::has_exact_turns`]).
    pub(super) fn group(
        &mut self,
        block: &mut Block,
        w: usize,
        g: usize,
        budget: &mut i32,
    ) -> Result<Pause, LaneFault> {
        let program = &**self.module.program();
        let LaneGroup { mask, mut pc, frame, .. } = block.warps[w].groups[g];
        // Counted once: not every processor has an instruction for it.
        let threads = mask.count_ones();
        let alone = block.warps[w].groups.len() == 1;
        let exact = self.has_exact_turns();
        let may_use_code = self.may_use_code();
        // Where compiled code has ended, the interpreter executes at least one instruction.
        let mut ended_at = None;
        let mut first = true;
        let pause = loop {
            let warp = &mut block.warps[w];
            let instruction = program.instruction(pc);
            if instruction.leads || exact {
                if !alone
                    && !first
                    && let Some(pause) = self.overtaken(warp, g, pc)
                {
                    break pause;
                }
                if *budget <= 0 {
                    break Pause::Quantum;
                }
                if may_use_code && ended_at.take() != Some(pc) {
                    let Some((at, after)) = self.run_code(block, w, g, pc, budget) else {
                        // The interpreter goes on, until the next basic block.
                        ended_at = Some(pc);
                        let frame = &mut block.warps[w].frames[frame as usize];
                        frame.spread_scalars(self.module.compiled(), false);
                        continue;
                    };
                    (pc, first) = (at, false);
                    match after {
                        None => ended_at = Some(at),
                        Some(Ok(After::Next)) => pc += 1,
                        Some(Ok(After::Jump(target))) => pc = target,
                        Some(Ok(After::Pause(pause, at))) => {
                            pc = at;
                            break pause;
                        }
                        Some(Ok(After::Left(pause))) => return Ok(pause),
                        Some(Err(fault)) => {
                            block.warps[w].groups[g].pc = pc;
                            return Err(*fault);
                        }
                    }
                    continue;
                }
            }
            let warp = &mut block.warps[w];
            first = false;
            if self.progress.steps_left == 0 {
                // A turn may be longer than what was taken for it.
                self.take_steps(u64::from(self.quantum()));
            }
            if self.progress.steps_left == 0 {
                warp.groups[g].pc = pc;
                return Err(LaneFault::new(FaultKind::StepLimit(self.options.step_limit), mask));
            }
            if instruction.run > 0 && !O::TRACKS_UNDEFINED && !O::TRACKS_USES {
                // Nothing can happen before the end of the run that concerns other groups.
                let left = u32::try_from(self.progress.steps_left).unwrap_or(u32::MAX);
                let mut count = u32::from(instruction.run).min(left);
                if exact {
                    let most = if alone { u32::MAX } else { self.undisturbed(warp, g, pc) };
                    count = count.min(*budget as u32).min(most);
                }
                let code = program.instructions(pc..pc + count);
                let frame = &mut warp.frames[frame as usize];
                let counted = compute(self.vectors, code, frame, self.module.constants(), mask);
                self.spent(count, counted, threads, budget);
                pc += count;
                continue;
            }
            let active = if instruction.guard == Guard::NONE {
                mask
            } else {
                let Some(active) = guarded(warp, g, pc, instruction)? else { return Ok(Pause::Again) };
                active
            };
            if O::TRACKS_USES {
                self.observer.instruction(block.linear, w as u32, pc, mask, active);
            }
            let active_threads = if active == mask { threads } else { active.count_ones() };
            self.spent(1, u64::from(instruction.counted), active_threads, budget);
            if active == 0 {
                pc += 1;
                continue;
            }
            let site = Site { block: block.linear, warp: w as u32, pc };
            let after = match &instruction.op {
                Op::Load(access) => {
                    self.load(warp, &block.shared, frame, access, active, site).map(|()| After::Next)
                }
                Op::Store(access) => {
                    self.store(warp, &mut block.shared, frame, access, active, site).map(|()| After::Next)
                }
                Op::Branch(target) => Ok(self.branch(warp, g, pc, *target, active)),
                _ => self.instruction(block, w, g, pc, active, budget),
            };
            match after {
                Ok(After::Next) => pc += 1,
                Ok(After::Jump(target)) => pc = target,
                Ok(After::Pause(pause, at)) => {
                    pc = at;
                    break pause;
                }
                Ok(After::Left(pause)) => return Ok(pause),
                Err(fault) => {
                    block.warps[w].groups[g].pc = pc;
                    return Err(fault);
                }
            }
        };
        block.warps[w].groups[g].pc = pc;
        Ok(pause)
    }

    /// Whether a turn ends after a number of instructions, and not only where a basic block begins: where interleavings
    /// are chosen.
    #[inline]
    pub(super) fn has_exact_turns(&self) -> bool {
        let options = self.options;
        options.switch_every.is_some() || options.seed.is_some() || options.groups == LaneGroupChoice::Any
    }

    /// Takes steps from the launch and from the turn of the warp, and counts instructions.
    #[inline]
    pub(super) fn spent(&mut self, steps: u32, counted: u64, threads: u32, budget: &mut i32) {
        *budget = budget.saturating_sub_unsigned(steps);
        self.progress.steps_left -= u64::from(steps);
        self.progress.counts.warp_instructions += counted;
        self.progress.counts.thread_instructions += counted * u64::from(threads);
    }

    /// Executes an instruction that is less frequent than those of [`Run::group`] in the lanes of `active`, of which there
    /// is at least one.
    #[inline(never)]
    pub(super) fn instruction(
        &mut self,
        block: &mut Block,
        w: usize,
        g: usize,
        pc: u32,
        active: u32,
        budget: &mut i32,
    ) -> Result<After, LaneFault> {
        let program = &**self.module.program();
        let op = &program.instruction(pc).op;
        let site = Site { block: block.linear, warp: w as u32, pc };
        let Block { id, resident_index, shared, warps, .. } = block;
        let warp = &mut warps[w];
        let frame_index = warp.groups[g].frame;
        let frame = &mut warp.frames[frame_index as usize];
        match op {
            Op::Load(access) => self.load(warp, shared, frame_index, access, active, site)?,
            Op::Store(access) => self.store(warp, shared, frame_index, access, active, site)?,
            Op::Branch(target) => return Ok(self.branch(warp, g, pc, *target, active)),
            Op::Atomic(atomic) => self.atomic(warp, shared, frame_index, atomic, active, site)?,
            Op::BranchIndex(index, table) => {
                warp.groups[g].pc = pc;
                return self.branch_index(warp, g, *index, table);
            }
            Op::Call(call) => {
                warp.groups[g].pc = pc;
                self.call(warp, shared, *id, g, call, site, budget)?;
                if !program.linked.changes_heap(op) {
                    return Ok(After::Left(Pause::Again));
                }
            }
            Op::Return => {
                warp.groups[g].pc = pc;
                return Ok(After::Left(self.ret(warp, g, site)));
            }
            Op::Exit => {
                warp.groups[g].pc = pc;
                self.exit(warp, g);
                return Ok(After::Left(Pause::Exit));
            }
            Op::WarpSync(sync) => {
                warp.groups[g].pc = pc;
                let met = self.sync(warp, g, sync, site)?;
                return Ok(if met { After::Next } else { After::Left(Pause::Sync) });
            }
            Op::Barrier(_) => return Ok(After::Pause(Pause::Barrier, pc)),
            Op::Sleep => {
                // Its warp's turn ends: what it waits for is done by others.
                *budget = (*budget).min(0);
                if O::ACTIVE {
                    self.observer.waits();
                }
                return Ok(After::Pause(Pause::Quantum, pc + 1));
            }
            Op::Fence(order, scope) => self.fence(*order, *scope, active, site),
            Op::Trap => return Err(LaneFault::new(FaultKind::Trap, active)),
            Op::Breakpoint => return Err(LaneFault::new(FaultKind::Breakpoint, active)),
            Op::Special(special, dest) => match self.special(*special, id, *resident_index, w, &warp.tid) {
                SpecialValue::Same(value) => frame.set_same(Class::B32, *dest, value, active),
                SpecialValue::Lanes(values) => frame.set_b32(*dest, &values, 0, active),
            },
            Op::Special64(special, dest) => match self.special(*special, id, *resident_index, w, &warp.tid) {
                SpecialValue::Same(value) => frame.set_same(Class::B64, *dest, value, active),
                SpecialValue::Lanes(values) => frame.set_b64(*dest, &values.map(u64::from), 0, active),
            },
            Op::Alloca(dest, size, align) => {
                self.allocate_local(warp, frame_index, *dest, (*size, *align), active)?;
            }
            Op::StackSave(dest) => {
                let end = u64::from(frame.local_end);
                frame.set_b64(*dest, &[end; LANES], 0, active);
            }
            Op::StackRestore(from) => self.restore_stack(frame, *from, active)?,
            Op::Event(events) => {
                for (bit, count) in self.progress.counts.pmevents.iter_mut().enumerate() {
                    *count += u64::from(events >> bit & 1);
                }
            }
            Op::Activemask(dest) => frame.set_b32(*dest, &[active; LANES], 0, active),
            // Not `_`: a new operation must be put where it is executed.
            Op::Un32(..)
            | Op::Un64(..)
            | Op::Widen(..)
            | Op::Narrow(..)
            | Op::Bin32(..)
            | Op::Bin64(..)
            | Op::Shift64(..)
            | Op::Wide(..)
            | Op::Tri32(..)
            | Op::Tri64(..)
            | Op::MadWide(..)
            | Op::Quad32(..)
            | Op::Bfe64(..)
            | Op::Bfi64(..)
            | Op::Float(_)
            | Op::Carry32(..)
            | Op::Carry64(..)
            | Op::Cmp32(..)
            | Op::Cmp64(..)
            | Op::Sel32(..)
            | Op::Sel64(..)
            | Op::SelPred(..)
            | Op::PredLogic(..)
            | Op::PredNot(..)
            | Op::PredMov(..)
            | Op::Convert(..)
            | Op::FrameAddress(..)
            | Op::Isspacep(..)
            | Op::FromGeneric(..)
            | Op::ToGeneric(..)
            | Op::Nop => {
                let constants = self.module.constants();
                if O::TRACKS_UNDEFINED {
                    compute_bits(self.vectors, program, pc, frame, constants, active);
                } else {
                    compute(self.vectors, program.instructions(pc..pc + 1), frame, constants, active);
                }
            }
        }
        Ok(After::Next)
    }

    /// Lanes of `active` branch; the other lanes of group `g` go on.
    #[inline]
    fn branch(&self, warp: &mut Warp, g: usize, pc: u32, target: u32, active: u32) -> After {
        let group = warp.groups[g];
        if active != group.mask {
            warp.groups[g] = LaneGroup { mask: active, pc: target, ..group };
            warp.groups.push(LaneGroup { mask: group.mask & !active, pc: pc + 1, ..group });
            return After::Left(Pause::Again);
        }
        if warp.groups.len() > 1 && self.options.groups == LaneGroupChoice::Any {
            return After::Pause(Pause::Again, target);
        }
        After::Jump(target)
    }

    /// Lanes of group `g` that branch to the same entry of a table go on as this group.
    fn branch_index(&self, warp: &mut Warp, g: usize, index: Reg, table: &[u32]) -> Result<After, LaneFault> {
        let LaneGroup { mask, frame, .. } = warp.groups[g];
        let (value, undefined) = warp.frames[frame as usize].b32(self.module.constants(), index);
        self.defined(undefined, mask, "a branch")?;
        let value = *value;
        split_by(&mut warp.groups, g, |lane| u64::from(value[lane]));
        let group = &mut warp.groups[g];
        let index = value[group.mask.trailing_zeros() as usize];
        let Some(&target) = table.get(index as usize) else {
            let text = format!("branch index {index} is outside its table of {} targets", table.len());
            return Err(LaneFault::new(FaultKind::BadBranch(text), group.mask));
        };
        group.pc = target;
        Ok(After::Left(Pause::Again))
    }

    fn fence(&mut self, order: MemoryOrder, scope: Scope, active: u32, site: Site) {
        if !M::PLAIN || O::ACTIVE {
            let event = site.event(Space::Global, 0, 0, 0, order, scope);
            if O::ACTIVE {
                self.observer.fence(&event, active);
            }
            self.model.fence(&event, active);
        }
        host_fence(order);
    }

    /// `alloca`: the frame grows by the most that a lane asks for.
    fn allocate_local(
        &mut self,
        warp: &mut Warp,
        frame: u32,
        dest: Reg,
        (size, align): (Reg, u32),
        active: u32,
    ) -> Result<(), LaneFault> {
        let frame = &mut warp.frames[frame as usize];
        let (sizes, undefined) = frame.b64(self.module.constants(), size);
        let most = lanes(active).map(|i| sizes[i]).max().unwrap_or(0);
        self.defined(undefined, active, "the size of an allocation")?;
        let start = u64::from(frame.local_end.next_multiple_of(align));
        let end = start.saturating_add(most).saturating_add(15) & !15;
        if end > u64::from(self.description.local_bytes_per_thread) {
            return Err(self.overflow(end, active));
        }
        frame.local_end = end as u32;
        frame.set_b64(dest, &[start; LANES], 0, active);
        let grown = warp.local.grow(end as u32);
        warp.local.begin_frame(start as u32, (end - start) as u32, active, O::TRACKS_UNDEFINED);
        self.charge(grown, active)
    }

    fn restore_stack(&self, frame: &mut Frame, from: Reg, active: u32) -> Result<(), LaneFault> {
        let (ends, undefined) = frame.b64(self.module.constants(), from);
        let most = lanes(active).map(|i| ends[i]).max().unwrap_or(0);
        // Other lanes of the frame may still use what these lanes release.
        if active == frame.lanes && most <= u64::from(frame.local_end) {
            frame.local_end = (most as u32).max(frame.local_base);
        }
        self.defined(undefined, active, "the stack pointer")
    }

    /// The number of instructions from `pc` on that a diverged group can execute in order, at least one, until
    /// [`Run::overtaken`] may pause it.
    #[inline]
    fn undisturbed(&self, warp: &Warp, g: usize, pc: u32) -> u32 {
        let groups = &warp.groups;
        let mut count = u32::MAX;
        for (i, other) in groups.iter().enumerate() {
            if i == g || other.frame != groups[g].frame {
                continue;
            }
            match other.state {
                GroupState::Ready | GroupState::Converge if other.pc > pc => count = count.min(other.pc - pc),
                GroupState::Ready if self.yields(warp, g) => count = 1,
                GroupState::Ready | GroupState::Converge | GroupState::Sync | GroupState::Barrier(_) => {}
            }
        }
        count
    }

    /// Whether a group pauses once another one is further behind.
    #[inline]
    pub(super) fn yields(&self, warp: &Warp, g: usize) -> bool {
        self.options.groups == LaneGroupChoice::Lowest && warp.groups[g].favoured <= warp.clock
    }

    /// Whether a diverged group has reached another one, or passed one that should run first.
    #[inline]
    fn overtaken(&self, warp: &Warp, g: usize, pc: u32) -> Option<Pause> {
        let groups = &warp.groups;
        let frame = groups[g].frame;
        let yields = self.yields(warp, g);
        for (i, other) in groups.iter().enumerate() {
            if i == g
                || other.frame != frame
                || !matches!(other.state, GroupState::Ready | GroupState::Converge)
            {
                continue;
            }
            let behind = other.state == GroupState::Ready && other.pc < pc;
            if other.pc == pc || behind && yields {
                return Some(Pause::Again);
            }
        }
        None
    }
}

/// The lanes of group `g` for which the guard of the instruction is true. `None` if these must execute it as a group of
/// their own, which the group then is; the others have become one that skips the instruction.
#[inline(always)]
fn guarded(warp: &mut Warp, g: usize, pc: u32, instruction: &Instruction) -> Result<Option<u32>, LaneFault> {
    let group = warp.groups[g];
    let mask = group.mask;
    let Some((guard, negated)) = instruction.guard.get() else { return Ok(Some(mask)) };
    let (value, undefined) = warp.frames[group.frame as usize].pred(guard);
    if undefined & mask != 0 {
        warp.groups[g].pc = pc;
        return Err(undefined_use(undefined & mask, "the guard of an instruction"));
    }
    let active = mask & if negated { !value } else { value };
    if active != mask && active != 0 && instruction.op.needs_whole_group() {
        warp.groups[g] = LaneGroup { mask: active, pc, ..group };
        warp.groups.push(LaneGroup { mask: mask & !active, pc: pc + 1, ..group });
        return Ok(None);
    }
    Ok(Some(active))
}

/// The host's fence for a fence of the program: the host's threads see the same order.
fn host_fence(order: MemoryOrder) {
    match (order.acquires(), order.releases()) {
        (true, true) if order == MemoryOrder::SeqCst => fence(Ordering::SeqCst),
        (true, true) => fence(Ordering::AcqRel),
        (true, false) => fence(Ordering::Acquire),
        (false, true) => fence(Ordering::Release),
        (false, false) => {}
    }
}
