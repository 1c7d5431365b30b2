//! Which block, warp and lane group runs next. Every choice goes through [`Chooser::choose`].
//!
//! [`Chooser::choose`]: super::chooser::Chooser::choose

use std::sync::atomic::Ordering;

use super::grid::{BlockStart, Grid};
use super::run::{LaneFault, Run};
use super::state::{Block, Frame, GroupState, LaneGroup, NO_FRAME, Pause};
use crate::fault::{Fault, FaultKind};
use crate::launch::LaneGroupChoice;
use crate::memory::MemoryModel;
use crate::observer::Observer;

/// Instructions that a warp runs before the next warp gets its turn. Measured on the grid-stride sum of 256
/// MB (million thread-instructions per second): 16: 979, 64: 992, 256: 983, 1024: 839, 8192: 765. Warps that
/// run far ahead of their neighbours access memory in strides that cache badly. 64 to 256 are equal within the
/// noise; the largest of them switches least.
const QUANTUM: u32 = 256;
/// Instructions after which a ready lane group that has waited runs next, even if others are behind it.
const STARVED: u64 = 4096;
/// Rounds over all its warps that a block gets before another block is made resident, in case the first one
/// waits for a block that has not started.
const ROUNDS_BEFORE_NEXT_BLOCK: u32 = 16;

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// Runs one warp for one turn; returns whether the grid has ended.
    pub fn turn(&mut self, grid: &mut Grid) -> Result<bool, Box<Fault>> {
        if O::ACTIVE && !std::mem::replace(&mut grid.begun, true) {
            let name = &self.module.program().linked.kernels[self.kernel].name;
            self.observer.kernel_begin(name);
        }
        if let Some(why) = self.interrupted.get() {
            grid.resident.iter_mut().for_each(|block| self.spread_scalars(block));
            return Err(self.interruption(grid, why));
        }
        if let Some(pool) = self.pool {
            if pool.stopped.load(Ordering::Relaxed) {
                return Ok(true);
            }
            let quantum = u64::from(self.quantum());
            if self.progress.steps_left < quantum {
                self.memory.pause();
                self.take_steps(quantum);
            }
        }
        while (grid.resident.len() as u64) < grid.target_resident {
            let scarce = self.progress.memory_left < self.progress.memory_given / 4
                || (grid.resident.len() as u64 + 1).saturating_mul(self.block_bytes())
                    > self.progress.memory_given / 4 * 3;
            // The blocks of a cooperative launch wait for each other: with fewer it would never end.
            let may_wait = self.options.cooperative.is_none();
            if scarce && may_wait && grid.spare.is_empty() && !grid.resident.is_empty() {
                break;
            }
            let chooser = &mut self.progress.chooser;
            let start = match self.pool {
                Some(pool) => pool.pending().take(chooser),
                None => grid.pending.take(chooser),
            };
            let Some(start) = start else { break };
            let mut block = grid.spare.pop().unwrap_or_default();
            self.start(&mut block, start);
            grid.resident.push(block);
        }
        if grid.resident.is_empty() {
            if let Some(pool) = self.pool
                && !pool.pending().is_empty()
            {
                // The other jobs run as many blocks as may be resident.
                std::thread::yield_now();
                return Ok(false);
            }
            if O::ACTIVE {
                self.observer.kernel_end();
            }
            return Ok(true);
        }
        let seeded = self.progress.chooser.seeded();
        grid.current %= grid.resident.len();
        if seeded {
            grid.current = self.progress.chooser.choose(grid.resident.len() as u32) as usize;
        }
        let block = &mut grid.resident[grid.current];
        if self.block(block)? {
            let block = grid.resident.remove(grid.current);
            match self.pool {
                Some(pool) => pool.pending().release(block.resident_index),
                None => grid.pending.release(block.resident_index),
            }
            if O::ACTIVE {
                self.observer.block_end(block.linear);
            }
            grid.spare.push(block);
            grid.turns = 0;
            return Ok(false);
        }
        grid.turns += 1;
        if grid.turns >= ROUNDS_BEFORE_NEXT_BLOCK * block.warps.len() as u32 {
            // The block may wait for one that has not started.
            grid.turns = 0;
            grid.current += 1;
            if grid.current == grid.resident.len() || seeded {
                grid.target_resident = (grid.target_resident * 2).min(grid.max_resident);
            }
        }
        Ok(false)
    }

    /// As one of several jobs, takes steps from the common budget, so that `wanted` are left if it still has them: steps
    /// that a job has not taken yet are not the end of the launch.
    pub(super) fn take_steps(&mut self, wanted: u64) {
        if let Some(pool) = self.pool
            && self.progress.steps_left < wanted
        {
            let more = pool.take_steps(wanted - self.progress.steps_left);
            self.progress.steps_left += more;
            self.progress.steps_given += more;
        }
    }

    /// Host memory that a block takes once each of its warps is in every function that it can reach.
    fn block_bytes(&self) -> u64 {
        let kernel = &self.module.program().linked.kernels[self.kernel];
        let warps = self.config.block_threads().div_ceil(32);
        u64::from(self.shared_bytes).saturating_add(warps.saturating_mul(kernel.warp_bytes))
    }

    /// Instructions that a warp runs in one turn.
    pub(super) fn quantum(&self) -> u32 {
        self.options.switch_every.unwrap_or(QUANTUM).max(1)
    }

    /// Initialises a block.
    fn start(&mut self, block: &mut Block, BlockStart { block: linear, resident_index }: BlockStart) {
        let [gx, gy, _] = self.config.grid.map(u64::from);
        block.id = [(linear % gx) as u32, (linear / gx % gy) as u32, (linear / gx / gy) as u32];
        (block.linear, block.resident_index) = (linear, resident_index);
        let before = block.shared.capacity();
        block.shared.clear();
        block.shared.resize(self.shared_bytes as usize, 0);
        let mut grown = (block.shared.capacity() - before) as u64;
        if std::mem::take(&mut block.entered) != 0 {
            block.barriers = Default::default();
        }
        block.last = usize::MAX;
        let [bx, by, _] = self.config.block;
        let threads = self.config.block_threads() as u32;
        let warps = threads.div_ceil(32) as usize;
        // The other warps are those of a block of this launch that has ended: they have the same threads.
        let known = block.warps.len();
        block.warps.resize_with(warps, Default::default);
        let number = self.module.program().linked.kernel_functions[self.kernel];
        let function = &self.module.program().linked.functions[number as usize];
        for (w, warp) in block.warps.iter_mut().enumerate() {
            let first = w as u32 * 32;
            let count = (threads - first).min(32);
            warp.exists = u32::MAX >> (32 - count);
            warp.live = warp.exists;
            if w >= known {
                for lane in 0..32u32 {
                    let t = first + lane;
                    let tid = [t % bx, t / bx % by, t / bx / by];
                    for (axis, &id) in warp.tid.iter_mut().zip(&tid) {
                        axis[lane as usize] = id;
                    }
                }
            }
            warp.free_frames.clear();
            warp.free_frames.extend((0..warp.frames.len() as u32).rev());
            let frame = warp.new_frame();
            grown += warp.local.grow(function.frame_bytes);
            warp.local.begin_frame(0, function.frame_bytes, u32::MAX, O::TRACKS_UNDEFINED);
            let f: &mut Frame = &mut warp.frames[frame as usize];
            grown += f.reset(function);
            (f.function, f.parent, f.depth, f.lanes) = (number, NO_FRAME, 0, warp.exists);
            (f.local_base, f.local_end) = (0, function.frame_bytes);
            warp.groups.clear();
            warp.groups.push(LaneGroup {
                mask: warp.exists,
                pc: function.start,
                frame,
                state: GroupState::Ready,
                since: 0,
                favoured: 0,
            });
            warp.clock = 0;
        }
        // One block always fits. Further ones start only while there is memory for more blocks of this size.
        self.progress.memory_left = self.progress.memory_left.saturating_sub(grown);
        if O::ACTIVE {
            self.observer.block_begin(linear);
        }
    }

    /// Puts the values of scalars that compiled code uses into registers, for a report.
    fn spread_scalars(&self, block: &mut Block) {
        let compiled = self.module.compiled();
        block.warps.iter_mut().for_each(|warp| warp.spread_scalars(compiled, true));
    }

    /// Runs one warp of a block for one turn; returns whether the block has ended.
    fn block(&mut self, block: &mut Block) -> Result<bool, Box<Fault>> {
        let ready = block.warps.iter().filter(|w| w.ready()).count() as u32;
        if ready == 0 {
            self.spread_scalars(block);
            return Err(self.deadlock(block));
        }
        let w = if self.progress.chooser.seeded() {
            let pick = self.progress.chooser.choose(ready) as usize;
            block.warps.iter().enumerate().filter(|w| w.1.ready()).nth(pick).map_or(0, |w| w.0)
        } else {
            let count = block.warps.len();
            let from = block.last.wrapping_add(1);
            (0..count).map(|i| (from + i) % count).find(|&w| block.warps[w].ready()).unwrap_or(0)
        };
        block.last = w;
        if let Err((lane_fault, group)) = self.warp(block, w, self.quantum()) {
            self.spread_scalars(block);
            return Err(self.fault(block, w, group, lane_fault));
        }
        block.pass_registers_on(w);
        Ok(block.done())
    }

    /// Runs a warp until it has used its quantum or none of its lane groups is ready. An error names the
    /// group that caused it.
    fn warp(&mut self, block: &mut Block, w: usize, quantum: u32) -> Result<(), (LaneFault, usize)> {
        let mut budget = i32::try_from(quantum).unwrap_or(i32::MAX);
        self.since = None;
        while budget > 0 {
            let warp = &mut block.warps[w];
            if warp.groups.len() > 1 {
                // Scalars stand for registers of all lanes.
                warp.spread_scalars(self.module.compiled(), false);
                warp.merge();
            }
            let Some(g) = self.pick(block, w) else {
                return self.unaligned(block, w);
            };
            let (before, in_code) = (budget, self.progress.steps_in_code);
            let warp = &block.warps[w];
            let (group, is_alone) = (warp.groups[g], warp.groups.len() == 1);
            let function = warp.frames[group.frame as usize].function;
            let pause = self.group(block, w, g, &mut budget).map_err(|t| {
                let at_fault = t.group.unwrap_or(g);
                (t, at_fault)
            })?;
            let steps = u64::from(before.wrapping_sub(budget) as u32);
            block.warps[w].clock += steps - std::mem::take(&mut self.clocked);
            let interpreted = steps.saturating_sub(self.progress.steps_in_code - in_code);
            self.note_interpreted(function, group.mask, is_alone, interpreted);
            match pause {
                Pause::Again | Pause::Quantum => {}
                Pause::Sync => self.meet(block, w).map_err(|t| (t, g))?,
                Pause::Barrier => self.arrive(block, w, g).map_err(|t| (t, g))?,
                Pause::Exit => {
                    if O::ACTIVE {
                        self.observer.progress();
                    }
                    // Others may have waited for the lanes that have exited.
                    self.meet(block, w).map_err(|t| (t, 0))?;
                    self.release_converged(block, w);
                    self.check_barriers(block).map_err(|t| (t, 0))?;
                }
            }
        }
        if O::ACTIVE
            && let Some(why) = self.observer.stuck()
        {
            let warp = &block.warps[w];
            let g = warp.groups.iter().position(|group| group.state == GroupState::Ready).unwrap_or(0);
            let lanes = warp.groups.get(g).map_or(1, |group| group.mask);
            return Err((LaneFault::new(FaultKind::Livelock(why), lanes), g));
        }
        // The last step may have brought the last lanes to a barrier: a warp whose groups all wait gets no
        // other turn.
        let warp = &mut block.warps[w];
        if warp.groups.len() > 1 {
            warp.spread_scalars(self.module.compiled(), false);
            warp.merge();
        }
        Ok(())
    }

    /// The lane group to run next.
    fn pick(&mut self, block: &mut Block, w: usize) -> Option<usize> {
        let since = self.since.take();
        let warp = &mut block.warps[w];
        if let [only] = &mut warp.groups[..] {
            // The waiting time of lanes that diverge from here on starts now.
            only.since = since.unwrap_or(warp.clock);
            return (only.state == GroupState::Ready).then_some(0);
        }
        let mut ready = [0u8; 32];
        let mut count = 0;
        for (i, g) in warp.groups.iter().enumerate() {
            if g.state == GroupState::Ready {
                ready[count] = i as u8;
                count += 1;
            }
        }
        if count == 0 {
            return None;
        }
        if self.options.groups == LaneGroupChoice::Any {
            return Some(usize::from(ready[self.progress.chooser.choose(count as u32) as usize]));
        }
        let ready = &ready[..count];
        let groups = &warp.groups;
        let group = |i: u8| groups[usize::from(i)];
        let clock = warp.clock;
        let chosen = if let Some(&favourite) = ready.iter().find(|&&i| group(i).favoured > clock) {
            favourite
        } else if let Some(&oldest) =
            ready.iter().filter(|&&i| clock - group(i).since > STARVED).min_by_key(|&&i| group(i).since)
        {
            // A group that spins must let the other groups of its warp run.
            warp.groups[usize::from(oldest)].favoured = clock + u64::from(QUANTUM);
            oldest
        } else {
            let progress = |&&i: &&u8| (u32::MAX - warp.frames[group(i).frame as usize].depth, group(i).pc);
            *ready.iter().min_by_key(progress)?
        };
        warp.groups[usize::from(chosen)].since = clock;
        Some(usize::from(chosen))
    }

    /// Called when no lane group of a warp is ready. A group in front of an aligned barrier can then never be
    /// joined by lanes of the warp that wait elsewhere: a fault.
    fn unaligned(&self, block: &Block, w: usize) -> Result<(), (LaneFault, usize)> {
        let warp = &block.warps[w];
        let Some(g) = warp.groups.iter().position(|g| g.state == GroupState::Converge) else { return Ok(()) };
        let mut others = warp.groups.iter().enumerate().filter(|&(i, _)| i != g);
        let elsewhere = others.any(|(_, g)| matches!(g.state, GroupState::Converge | GroupState::Sync));
        if elsewhere { Err((self.diverged_barrier(block, w, g), g)) } else { Ok(()) }
    }
}
