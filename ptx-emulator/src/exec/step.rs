//! Runs a lane group until it must wait, diverges, reaches another group, or has used its quantum.

use std::sync::atomic::{Ordering, fence};

use super::compute::compute;
use super::definedness::compute_bits;
use super::lanes::lanes;
use super::run::{LaneFault, Run, Site, undefined_use};
use super::state::{Block, GroupState, LaneGroup, Pause, Warp, split_by};
use crate::fault::FaultKind;
use crate::instruction::Op;
use crate::launch::LaneGroupChoice;
use crate::memory::MemoryModel;
use crate::memory::MemoryOrder;
use crate::observer::Observer;
use crate::semantics::LANES;
use crate::text::types::Space;

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// Runs lane group `g` of warp `w` for at most `budget` instructions.
    pub(super) fn group(
        &mut self,
        block: &mut Block,
        w: usize,
        g: usize,
        budget: &mut u32,
    ) -> Result<Pause, LaneFault> {
        let module = self.module;
        let program = &**module.program();
        let constants = module.constants();
        let group = block.warps[w].groups[g];
        let LaneGroup { mask, mut pc, frame: frame_index, .. } = group;
        let alone = block.warps[w].groups.len() == 1;
        let mut first = true;
        let pause = loop {
            let warp = &mut block.warps[w];
            if !alone
                && !first
                && let Some(pause) = self.overtaken(warp, g, pc)
            {
                break pause;
            }
            first = false;
            if *budget == 0 {
                break Pause::Quantum;
            }
            if self.progress.steps_left == 0 {
                warp.groups[g].pc = pc;
                return Err(LaneFault::new(FaultKind::StepLimit(self.options.step_limit), mask));
            }
            let instruction = program.instruction(pc);
            let frame = &mut warp.frames[frame_index as usize];
            let mut active = mask;
            let site = Site { block: block.linear, warp: w as u32, pc };
            if let Some((guard, negated)) = instruction.guard.get() {
                let (value, undefined) = frame.pred(guard);
                if undefined & mask != 0 {
                    warp.groups[g].pc = pc;
                    return Err(undefined_use(undefined & mask, "the guard of an instruction"));
                }
                active &= if negated { !value } else { value };
                if active != mask && active != 0 && instruction.op.needs_whole_group() {
                    // The lanes whose guard is true execute the instruction as a group of their own; the
                    // others skip it.
                    warp.groups[g] = LaneGroup { mask: active, pc, ..group };
                    warp.groups.push(LaneGroup { mask: mask & !active, pc: pc + 1, ..group });
                    return Ok(Pause::Again);
                }
            }
            if O::TRACKS_USES {
                self.observer.instruction(site.block, site.warp, pc, mask, active);
            }
            *budget -= 1;
            self.progress.steps_left -= 1;
            if instruction.counted {
                self.progress.counts.warp_instructions += 1;
                self.progress.counts.thread_instructions += u64::from(active.count_ones());
            }
            if active == 0 {
                pc += 1;
                continue;
            }
            let done = match &instruction.op {
                Op::Branch(target) => {
                    if active == mask {
                        pc = *target;
                        if !alone && self.options.groups == LaneGroupChoice::Any {
                            break Pause::Again;
                        }
                        continue;
                    }
                    warp.groups[g] = LaneGroup { mask: active, pc: *target, ..group };
                    warp.groups.push(LaneGroup { mask: mask & !active, pc: pc + 1, ..group });
                    return Ok(Pause::Again);
                }
                Op::BranchIndex(index, table) => {
                    warp.groups[g].pc = pc;
                    let (value, undefined) = frame.b32(constants, *index);
                    self.defined(undefined, mask, "a branch")?;
                    let value = *value;
                    split_by(&mut warp.groups, g, |lane| u64::from(value[lane]));
                    let group = &mut warp.groups[g];
                    let index = value[group.mask.trailing_zeros() as usize];
                    match table.get(index as usize) {
                        Some(&target) => group.pc = target,
                        None => {
                            let text = format!(
                                "branch index {index} is outside its table of {} targets",
                                table.len()
                            );
                            return Err(LaneFault::new(FaultKind::BadBranch(text), group.mask));
                        }
                    }
                    return Ok(Pause::Again);
                }
                Op::Call(call) => {
                    warp.groups[g].pc = pc;
                    self.call(warp, &mut block.shared, block.id, g, call, site, budget)?;
                    return Ok(Pause::Again);
                }
                Op::Return => {
                    warp.groups[g].pc = pc;
                    return Ok(self.ret(warp, g, site));
                }
                Op::Exit => {
                    warp.groups[g].pc = pc;
                    self.exit(warp, g);
                    return Ok(Pause::Exit);
                }
                Op::WarpSync(sync) => {
                    warp.groups[g].pc = pc;
                    if self.sync(warp, g, sync, site)? {
                        pc += 1;
                        continue;
                    }
                    return Ok(Pause::Sync);
                }
                Op::Barrier(_) => {
                    warp.groups[g].pc = pc;
                    return Ok(Pause::Barrier);
                }
                Op::Load(access) => self.load(warp, &mut block.shared, frame_index, access, active, site),
                Op::Store(access) => self.store(warp, &mut block.shared, frame_index, access, active, site),
                Op::Atomic(atomic) => self.atomic(warp, &mut block.shared, frame_index, atomic, active, site),
                Op::Fence(order, scope) => {
                    if !M::PLAIN || O::ACTIVE {
                        let event = site.event(Space::Global, 0, 0, 0, *order, *scope);
                        if O::ACTIVE {
                            self.observer.fence(&event, active);
                        }
                        self.model.fence(&event, active);
                    }
                    host_fence(*order);
                    Ok(())
                }
                Op::Sleep => {
                    // Its warp's turn ends: what it waits for is done by others.
                    pc += 1;
                    *budget = 0;
                    break Pause::Quantum;
                }
                Op::Trap => Err(LaneFault::new(FaultKind::Trap, active)),
                Op::Breakpoint => Err(LaneFault::new(FaultKind::Breakpoint, active)),
                Op::Special(special, dest) => {
                    let value = self.special(*special, &block.id, block.resident_index, w, &warp.tid);
                    frame.set_b32(*dest, &value.map(|v| v as u32), 0, active);
                    Ok(())
                }
                Op::Special64(special, dest) => {
                    let value = self.special(*special, &block.id, block.resident_index, w, &warp.tid);
                    frame.set_b64(*dest, &value, 0, active);
                    Ok(())
                }
                Op::Alloca(dest, size, align) => {
                    let (sizes, undefined) = frame.b64(constants, *size);
                    let most = lanes(active).map(|i| sizes[i]).max().unwrap_or(0);
                    self.defined(undefined, active, "the size of an allocation").and_then(|()| {
                        let start = u64::from(frame.local_end.next_multiple_of(*align));
                        let end = start.saturating_add(most).saturating_add(15) & !15;
                        if end > u64::from(self.description.local_bytes_per_thread) {
                            return Err(self.overflow(end, active));
                        }
                        frame.local_end = end as u32;
                        frame.set_b64(*dest, &[start; LANES], 0, active);
                        let grown = warp.local.grow(end as u32);
                        warp.local.begin_frame(
                            start as u32,
                            (end - start) as u32,
                            active,
                            O::TRACKS_UNDEFINED,
                        );
                        self.charge(grown, active)
                    })
                }
                Op::StackSave(dest) => {
                    let end = u64::from(frame.local_end);
                    frame.set_b64(*dest, &[end; LANES], 0, active);
                    Ok(())
                }
                Op::StackRestore(from) => {
                    let (ends, undefined) = frame.b64(constants, *from);
                    let most = lanes(active).map(|i| ends[i]).max().unwrap_or(0);
                    // Other lanes of the frame may still use what these lanes release.
                    if active == frame.lanes && most <= u64::from(frame.local_end) {
                        frame.local_end = (most as u32).max(frame.local_base);
                    }
                    self.defined(undefined, active, "the stack pointer")
                }
                Op::Event(events) => {
                    for (bit, count) in self.progress.counts.pmevents.iter_mut().enumerate() {
                        *count += u64::from(events >> bit & 1);
                    }
                    Ok(())
                }
                Op::Activemask(dest) => {
                    frame.set_b32(*dest, &[active; LANES], 0, active);
                    Ok(())
                }
                op if O::TRACKS_UNDEFINED => {
                    compute_bits(op, frame, constants, active, program, pc);
                    Ok(())
                }
                op => {
                    compute(op, frame, constants, active);
                    Ok(())
                }
            };
            if let Err(fault) = done {
                block.warps[w].groups[g].pc = pc;
                return Err(fault);
            }
            pc += 1;
        };
        block.warps[w].groups[g].pc = pc;
        Ok(pause)
    }

    /// Whether a diverged group has reached another one, or passed one that should run first.
    #[inline]
    fn overtaken(&self, warp: &Warp, g: usize, pc: u32) -> Option<Pause> {
        let groups = &warp.groups;
        let frame = groups[g].frame;
        let yields = self.options.groups == LaneGroupChoice::Lowest && groups[g].favoured <= warp.clock;
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
