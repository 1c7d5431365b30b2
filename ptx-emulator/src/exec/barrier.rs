//! Block barriers.
//!
//! Lanes arrive one by one. A warp counts for 32 threads as soon as all its live lanes have arrived: so a
//! partial last warp, and lanes that have exited, complete a counted barrier as they do on hardware. At a
//! barrier without a count, threads that have exited count as arrived.

use super::lanes::lanes;
use super::run::{LaneFault, Run};
use super::state::{BarrierState, Block, GroupState};
use crate::fault::FaultKind;
use crate::instruction::{Barrier, BarrierKind, Op};
use crate::memory::MemoryModel;
use crate::observer::{BarrierArrival, Observer};
use crate::semantics::LANES;

/// The index of the cluster's barrier.
const CLUSTER: usize = 16;

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// Lane group `g` of warp `w` is at a block barrier.
    pub(super) fn arrive(&mut self, block: &mut Block, w: usize, g: usize) -> Result<(), LaneFault> {
        // Borrowed from the launch, not cloned: all jobs would write the reference count.
        let module = self.module;
        let program = module.program();
        let warp = &mut block.warps[w];
        let group = warp.groups[g];
        let Op::Barrier(barrier) = &program.instruction(group.pc).op else { return Ok(()) };
        if barrier.aligned && group.mask != warp.live {
            // The rest of the warp may still arrive at this instruction.
            warp.groups[g].state = GroupState::Converge;
            self.progress.counts.warp_instructions -= 1;
            self.progress.counts.thread_instructions -= u64::from(group.mask.count_ones());
            return Ok(());
        }
        let (id, expected) = match barrier.kind {
            BarrierKind::ClusterArrive | BarrierKind::ClusterWait => (CLUSTER, None),
            _ => self.operands(block, w, g, barrier)?,
        };
        if barrier.kind == BarrierKind::ClusterWait {
            // The phase in which these lanes arrived is complete: there is nothing to wait for.
            let arrived = block.barriers[CLUSTER].as_ref().map_or(0, |b| b.arrived[w]);
            let group = &mut block.warps[w].groups[g];
            if arrived & group.mask == 0 {
                group.pc += 1;
            } else {
                group.state = GroupState::Barrier(CLUSTER as u8);
            }
            return Ok(());
        }
        let warp = &mut block.warps[w];
        let frame = &warp.frames[group.frame as usize];
        let (vote, undefined) = frame.pred(barrier.predicate);
        self.defined(undefined, group.mask, "a barrier")?;
        let vote = if barrier.negated { !vote } else { vote } & group.mask;
        self.progress.counts.barriers += 1;
        if O::ACTIVE {
            self.observer.barrier_arrive(BarrierArrival {
                block: block.linear,
                warp: w as u32,
                lanes: group.mask,
                barrier: id as u32,
                waits: !matches!(barrier.kind, BarrierKind::Arrive | BarrierKind::ClusterArrive),
                pc: group.pc,
            });
        }
        let count = block.warps.len();
        block.entered |= 1 << id;
        let spare = &mut block.spare_arrivals;
        let mut none = || {
            let mut arrived = spare.pop().unwrap_or_default();
            arrived.clear();
            arrived.resize(count, 0);
            arrived
        };
        let state = block.barriers[id].get_or_insert_with(|| BarrierState {
            expected,
            arrived: none(),
            popc: 0,
            all: true,
            any: false,
        });
        let bad = |text: String| Err(LaneFault::new(FaultKind::BadBarrier(text), group.mask));
        if state.expected != expected {
            let say =
                |e: Option<u32>| e.map_or("all threads of the block".into(), |n| format!("{n} threads"));
            return bad(format!(
                "barrier {id} was entered for {} while other threads wait at it for {}",
                say(expected),
                say(state.expected)
            ));
        }
        let twice = state.arrived[w] & group.mask;
        if twice != 0 {
            return bad(format!("lanes {twice:#010x} arrived twice at barrier {id} before it was complete"));
        }
        state.arrived[w] |= group.mask;
        state.popc += vote.count_ones();
        state.all &= vote == group.mask;
        state.any |= vote != 0;
        let warp = &mut block.warps[w];
        if matches!(barrier.kind, BarrierKind::Arrive | BarrierKind::ClusterArrive) {
            warp.groups[g].pc += 1;
        } else {
            warp.groups[g].state = GroupState::Barrier(id as u8);
        }
        self.check_barrier(block, id)
    }

    /// The number of the barrier, and the threads it expects.
    fn operands(
        &self,
        block: &Block,
        w: usize,
        g: usize,
        barrier: &Barrier,
    ) -> Result<(usize, Option<u32>), LaneFault> {
        let group = block.warps[w].groups[g];
        let frame = &block.warps[w].frames[group.frame as usize];
        let uniform = |reg| {
            let (value, undefined) = frame.b32(self.module.constants(), reg);
            self.defined(undefined, group.mask, "a barrier")?;
            let first = value[group.mask.trailing_zeros() as usize];
            // Mostly a constant.
            if value.iter().fold(0, |differing, value| differing | (value ^ first)) == 0 {
                return Ok(first);
            }
            match lanes(group.mask).find(|&i| value[i] != first) {
                None => Ok(first),
                Some(lane) => {
                    let text = format!(
                        "the lanes of a warp give a barrier different operands: {first} and {}",
                        value[lane]
                    );
                    Err(LaneFault::new(FaultKind::BadBarrier(text), group.mask))
                }
            }
        };
        let id = uniform(barrier.id)?;
        let bad = |text: String| Err(LaneFault::new(FaultKind::BadBarrier(text), group.mask));
        if id > 15 {
            return bad(format!("there is no barrier {id}; a block has barriers 0 to 15"));
        }
        let Some(count) = barrier.count else { return Ok((id as usize, None)) };
        let count = uniform(count)?;
        if count == 0 || count % 32 != 0 {
            return bad(format!(
                "a barrier was entered for {count} threads, which is not a multiple of the warp size"
            ));
        }
        if count > block.warps.len() as u32 * 32 {
            return bad(format!("a barrier was entered for {count} threads; the block has fewer"));
        }
        Ok((id as usize, Some(count)))
    }

    /// Checks all barriers after threads have exited.
    pub(super) fn check_barriers(&mut self, block: &mut Block) -> Result<(), LaneFault> {
        lanes(block.entered).try_for_each(|id| self.check_barrier(block, id))
    }

    /// Completes a barrier at which all expected threads have arrived; faults if it can never complete.
    fn check_barrier(&mut self, block: &mut Block, id: usize) -> Result<(), LaneFault> {
        let Some(state) = &block.barriers[id] else { return Ok(()) };
        let complete = match state.expected {
            None => block.warps.iter().zip(&state.arrived).all(|(w, &arrived)| w.live & !arrived == 0),
            Some(expected) => {
                let (mut have, mut possible) = (0, 0);
                for (warp, &arrived) in block.warps.iter().zip(&state.arrived) {
                    let whole = warp.live & !arrived == 0;
                    if arrived != 0 {
                        have += if whole { 32 } else { arrived.count_ones() };
                    }
                    if arrived != 0 || warp.live != 0 {
                        possible += 32;
                    }
                }
                if possible < expected {
                    let text = format!(
                        "barrier {id} waits for {expected} threads and can never complete: {have} have \
                         arrived and at most {possible} can"
                    );
                    let lanes = state.arrived.iter().copied().find(|&a| a != 0).unwrap_or(1);
                    return Err(LaneFault::new(FaultKind::Deadlock(text), lanes));
                }
                have >= expected
            }
        };
        if !complete {
            return Ok(());
        }
        let Some(state) = block.barriers[id].take() else { return Ok(()) };
        block.entered &= !(1 << id);
        if O::ACTIVE {
            let all = block.warps.iter().zip(&state.arrived).all(|(w, &arrived)| w.live & !arrived == 0);
            self.observer.barrier_complete(block.linear, id as u32, all);
        }
        let program = self.module.program();
        for warp in &mut block.warps {
            for group in &mut warp.groups {
                if group.state != GroupState::Barrier(id as u8) {
                    continue;
                }
                if let Op::Barrier(barrier) = &program.instruction(group.pc).op {
                    let frame = &mut warp.frames[group.frame as usize];
                    let bit = |b: bool| if b { u32::MAX } else { 0 };
                    match barrier.kind {
                        BarrierKind::Popc => {
                            frame.set_b32(barrier.dest, &[state.popc; LANES], 0, group.mask);
                        }
                        BarrierKind::And => frame.set_pred(barrier.dest, bit(state.all), 0, group.mask),
                        BarrierKind::Or => frame.set_pred(barrier.dest, bit(state.any), 0, group.mask),
                        _ => {}
                    }
                }
                group.state = GroupState::Ready;
                group.pc += 1;
            }
        }
        block.spare_arrivals.push(state.arrived);
        Ok(())
    }
}
