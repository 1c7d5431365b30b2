//! Builds faults: the thread, the instruction, register values, the calls, and where the other lanes are.

use super::grid::Grid;
use super::provenance::Provenance;
use super::run::{LaneFault, Run};
use super::state::{Block, GroupState, LaneGroup, Warp};
use crate::fault::{
    Cause, CodeLocation, Fault, FaultKind, LaneState, LanesAt, NearMemory, RegisterValue, own_position,
};
use crate::heap::HeapAllocation;
use crate::instruction::CONSTANT;
use crate::memory::MemoryModel;
use crate::memory::address_space::{HOST_END, NEAR_NULL, classify, space_base};
use crate::memory::global::{Nearness, position};
use crate::memory::{HostAccess, HostMappings};
use crate::observer::{Observer, Origin, UndefinedSource};
use crate::program::Param;
use crate::registers::{Class, read, used_registers, written};
use crate::source::SourceLocation;
use crate::text::printable;
use crate::text::types::Space;

/// The most calls that a backtrace keeps.
const MAX_CALLS: usize = 32;
/// The most lane groups that a fault keeps.
const MAX_GROUPS: usize = 128;
/// The most instructions before one of the runtime among which a position of the program's own is searched.
const MAX_STEPS_BACK: usize = 4096;

/// Whether this process has memory at an address.
fn is_host_memory(address: u64) -> bool {
    let mappings = HostMappings::read();
    // Where the host does not tell, every address counts as accessible.
    (NEAR_NULL..HOST_END).contains(&address)
        && mappings.list().is_some()
        && mappings.check(address, 1, HostAccess::Read).is_ok()
}

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// The fault of lane group `g` of warp `w`.
    pub(super) fn fault(&self, block: &Block, w: usize, g: usize, lane_fault: LaneFault) -> Box<Fault> {
        // A warp whose lanes have all exited may be the reason why others wait for ever: these are reported.
        let waiting = || block.warps.iter().position(|warp| !warp.groups.is_empty());
        let w = if block.warps[w].groups.is_empty() { waiting().unwrap_or(w) } else { w };
        let warp = &block.warps[w];
        let lane = lane_fault.lanes.trailing_zeros().min(31);
        let program = self.module.program();
        let mut fault = Fault::rejected(&program.linked.kernels[self.kernel].name, "");
        fault.block = block.id;
        fault.thread = [0, 1, 2].map(|axis| warp.tid[axis][lane as usize]);
        (fault.warp, fault.lane) = (w as u32, lane);
        if let Some(&group) = warp.groups.get(g).or(warp.groups.first()) {
            fault.place = Some(self.location(warp, group.pc, group.frame));
            fault.values = self.values(warp, group, lane as usize, program.instruction_text(group.pc).1);
            fault.depth = warp.frames[group.frame as usize].depth;
            fault.calls = self.callers(warp, group);
            fault.near = self.near(warp, group);
        }
        let group = warp.groups.get(g).or(warp.groups.first());
        let own = group.and_then(|group| self.provenance(warp, group, lane as usize));
        fault.memory =
            lane_fault.access.and_then(|(space, address)| self.near_memory(space, address, own.as_ref()));
        fault.cause = lane_fault.access.and_then(|(space, address)| self.cause(space, address));
        // Where threads wait for each other, or may do so, all lanes of the block are reported, else those of the warp.
        let whole_block = matches!(
            lane_fault.kind,
            FaultKind::Deadlock(_) | FaultKind::BadBarrier(_) | FaultKind::Interrupted(_)
        );
        let warps = if whole_block { 0..block.warps.len() } else { w..w + 1 };
        fault.lanes = warps.flat_map(|w| self.lanes_at(&block.warps[w], w)).take(MAX_GROUPS).collect();
        if fault.lanes.len() == 1 {
            fault.lanes.clear();
        }
        // What `outside` has begun.
        let at = |text: String| match lane_fault.access {
            Some((Space::Global, address)) => format!("{text}, {}", self.place(address, own.as_ref())),
            _ => text,
        };
        fault.kind = match lane_fault.kind {
            FaultKind::OutOfBounds(text) => FaultKind::OutOfBounds(at(text)),
            FaultKind::UseAfterFree(text) => FaultKind::UseAfterFree(at(text)),
            FaultKind::Undefined(text) if O::TRACKS_UNDEFINED => {
                let group = warp.groups.get(g).or(warp.groups.first());
                let origin = group.and_then(|group| self.undefined_origin(warp, group));
                match origin {
                    Some(origin) if origin.from == UndefinedSource::Memory => {
                        let frame = group.map_or(0, |group| group.frame);
                        fault.origin = Some(self.location(warp, origin.pc, frame));
                        FaultKind::Uninitialised(format!(
                            "{text}: it was read from memory that nobody has written"
                        ))
                    }
                    Some(origin) if origin.from == UndefinedSource::Lane => FaultKind::UndefinedLane(
                        format!("{text}: it comes from a lane that took no part in the instruction"),
                    ),
                    _ => FaultKind::Uninitialised(format!(
                        "{text}: it comes from a variable or register that was never assigned"
                    )),
                }
            }
            kind => kind,
        };
        fault
    }

    /// Where the undefined value came from that an instruction uses.
    fn undefined_origin(&self, warp: &Warp, group: &LaneGroup) -> Option<Origin> {
        let frame = &warp.frames[group.frame as usize];
        let instruction = self.module.program().instruction(group.pc);
        let guard = instruction.guard.get().map(|(reg, _)| (Class::Pred, reg));
        let registers = guard.into_iter().chain(used_registers(&instruction.op));
        let constants = self.module.constants();
        let undefined =
            registers.filter(|&register| frame.undefined_lanes(constants, register) & group.mask != 0);
        undefined.filter_map(|register| frame.undefined_bits(register)?.origin).next()
    }

    /// A lane's allocation on the device heap.
    pub(super) fn heap_allocation(
        &self,
        warp: &Warp,
        g: usize,
        lane: usize,
        block: [u32; 3],
        [address, bytes]: [u64; 2],
    ) -> HeapAllocation {
        let group = warp.groups[g];
        HeapAllocation {
            address,
            bytes,
            kernel: self.module.program().linked.kernels[self.kernel].name.clone(),
            block,
            thread: [0, 1, 2].map(|axis| warp.tid[axis][lane]),
            place: self.location(warp, group.pc, group.frame),
            calls: self.callers(warp, group),
            depth: warp.frames[group.frame as usize].depth,
        }
    }

    /// The location of an instruction that lanes execute in a frame.
    fn location(&self, warp: &Warp, pc: u32, frame: u32) -> CodeLocation {
        let program = self.module.program();
        let (line, text) = program.instruction_text(pc);
        let (source, inlined_at) = program.source(pc);
        CodeLocation {
            function: program.linked.functions[warp.frames[frame as usize].function as usize].name.clone(),
            unit: program.unit_name(pc).map(str::to_owned),
            line,
            text: printable(&text.split_whitespace().collect::<Vec<_>>().join(" ")),
            source,
            inlined_at,
        }
    }

    /// The last position of the program's own source before an instruction of the OpenMP runtime that was inlined: in the
    /// instruction's function, or else where that was called.
    fn near(&self, warp: &Warp, group: LaneGroup) -> Option<SourceLocation> {
        let program = self.module.program();
        let kernel = &program.linked.kernels[self.kernel].name;
        let own = |pc: u32| {
            let (source, inlined_at) = program.source(pc);
            own_position(kernel, source.as_ref(), &inlined_at).cloned()
        };
        if program.source(group.pc).0.is_none() || own(group.pc).is_some() {
            return None;
        }
        let frame = &warp.frames[group.frame as usize];
        let start = program.linked.functions[frame.function as usize].start;
        let before = (start..group.pc).rev().take(MAX_STEPS_BACK).find_map(own);
        before.or_else(|| {
            let calls = self.callers(warp, group);
            let mut own =
                calls.iter().map(|call| own_position(kernel, call.source.as_ref(), &call.inlined_at));
            own.find_map(|position| position.cloned())
        })
    }

    /// Where an address of global memory lies: in relation to the allocation that it comes from, if that is known.
    fn place(&self, address: u64, own: Option<&Provenance>) -> String {
        match self.own_memory(address, own) {
            Some(own) => position(address, own.base, own.size),
            None => self.memory.describe(address),
        }
    }

    /// The allocation that an address comes from, unless the address was one of freed memory.
    fn own_memory<'p>(&self, address: u64, own: Option<&'p Provenance>) -> Option<&'p Provenance> {
        let freed = || self.memory.nearest(address).is_some_and(|nearest| nearest.how == Nearness::Freed);
        own.filter(|_| !freed())
    }

    /// The memory that an access is beyond, or that was freed before it.
    fn near_memory(&self, space: Space, address: u64, own: Option<&Provenance>) -> Option<NearMemory> {
        if space != Space::Global {
            return None;
        }
        let own = self.own_memory(address, own);
        let (base, bytes) = match own {
            Some(own) => (own.base, own.size),
            None => self.memory.nearest(address).map(|near| (near.base, near.size))?,
        };
        let kernel = &self.module.program().linked.kernels[self.kernel];
        let points_there = |param: &Param| {
            let value = self.params.get(param.offset as usize..)?.first_chunk::<8>()?;
            let value = u64::from_le_bytes(*value);
            (param.size == 8 && value.wrapping_sub(base) < bytes).then_some(())
        };
        let numbered = (0..).zip(&kernel.params);
        let parameters = match own.and_then(|own| own.parameter) {
            Some(number) => vec![number],
            None => numbered.filter_map(|(number, param)| points_there(param).map(|()| number)).collect(),
        };
        let parameter_count = kernel.params.len() as u32;
        Some(NearMemory { address: base, bytes, parameters, parameter_count })
    }

    /// What explains an access of a state space that is out of bounds; the address is generic.
    fn cause(&self, space: Space, address: u64) -> Option<Cause> {
        let memory = &self.memory;
        if space != Space::Global {
            let points_to = |address: u64| {
                let (other, _) = classify(address);
                let points_there = match other {
                    Space::Global => memory.find(address).is_some() || is_host_memory(address),
                    _ => other != space,
                };
                points_there.then_some(Cause::OtherSpace { address, space: other })
            };
            // The offset may be a generic address itself.
            return points_to(address).or_else(|| points_to(address.wrapping_sub(space_base(space))));
        }
        if memory.find(address).is_some() {
            return None;
        }
        match memory.heap_that_was_full(address) {
            _ if is_host_memory(address) => Some(Cause::HostMemory),
            Some(bytes) => Some(Cause::HeapFull { bytes }),
            None => None,
        }
    }

    /// The values of the registers that an instruction's text names.
    fn values(&self, warp: &Warp, group: LaneGroup, lane: usize, text: &str) -> Vec<RegisterValue> {
        let frame = &warp.frames[group.frame as usize];
        let function = &self.module.program().linked.functions[frame.function as usize];
        let constants = self.module.constants();
        let find = |names: &[String], name: &str| names.iter().position(|n| n == name).map(|n| n as u32);
        let op = &self.module.program().instruction(group.pc).op;
        let (mut results, sources) = (written(op), read(op));
        results.retain(|register| !sources.contains(register));
        let mut values: Vec<RegisterValue> = Vec::new();
        for name in text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '%' | '_' | '$' | '.'))) {
            if name.is_empty() || values.iter().any(|v| v.register == name) {
                continue;
            }
            let register = find(&function.names32, name)
                .map(|reg| (Class::B32, reg))
                .or_else(|| find(&function.names64, name).map(|reg| (Class::B64, reg)))
                .or_else(|| find(&function.names_pred, name).map(|reg| (Class::Pred, reg)));
            // What it would have written says nothing.
            if register.is_some_and(|register| results.contains(&register)) {
                continue;
            }
            let (value, undefined) = if let Some(reg) = find(&function.names32, name) {
                let (value, undefined) = frame.b32(constants, reg & !CONSTANT);
                let v = value[lane];
                (format!("{v:#x} ({}, f32 {:?})", v as i32, f32::from_bits(v)), undefined)
            } else if let Some(reg) = find(&function.names64, name) {
                let (value, undefined) = frame.b64(constants, reg & !CONSTANT);
                (format!("{:#x} ({})", value[lane], value[lane] as i64), undefined)
            } else if let Some(reg) = find(&function.names_pred, name) {
                let (value, undefined) = frame.pred(reg);
                ((value >> lane & 1 != 0).to_string(), undefined)
            } else {
                continue;
            };
            let value = if undefined >> lane & 1 != 0 { "undefined".into() } else { value };
            values.push(RegisterValue { register: name.to_owned(), value });
        }
        values
    }

    /// The calls that a group is in, innermost first.
    fn callers(&self, warp: &Warp, group: LaneGroup) -> Vec<CodeLocation> {
        let mut calls = Vec::new();
        let mut frame = &warp.frames[group.frame as usize];
        while frame.depth > 0 && calls.len() < MAX_CALLS {
            calls.push(self.location(warp, frame.call_pc, frame.parent));
            frame = &warp.frames[frame.parent as usize];
        }
        calls
    }

    /// Where the lanes of a warp are and what they wait for.
    fn lanes_at<'b>(&'b self, warp: &'b Warp, w: usize) -> impl Iterator<Item = LanesAt> + 'b {
        warp.groups.iter().map(move |group| LanesAt {
            warp: w as u32,
            mask: group.mask,
            state: match group.state {
                GroupState::Ready => LaneState::Ready,
                GroupState::Sync => LaneState::Mask,
                GroupState::Converge => LaneState::Warp,
                GroupState::Barrier(_) => LaneState::Block,
            },
            place: self.location(warp, group.pc, group.frame),
            near: self.near(warp, *group),
        })
    }

    /// The fault of an aligned barrier that only some live lanes of a warp execute.
    pub(super) fn diverged_barrier(&self, block: &Block, w: usize, g: usize) -> LaneFault {
        let warp = &block.warps[w];
        let group = warp.groups[g];
        LaneFault::new(
            FaultKind::BadBarrier(format!(
                "an aligned barrier was executed by lanes {:#010x} of warp {w}, whose live lanes are {:#010x}",
                group.mask, warp.live
            )),
            group.mask,
        )
    }

    /// The fault of a launch that was interrupted: of the warp that ran last, if any did.
    #[cold]
    pub(super) fn interruption(&self, grid: &Grid, why: &str) -> Box<Fault> {
        let kind = FaultKind::Interrupted(why.to_owned());
        let running = grid.resident.get(grid.current).or(grid.resident.first());
        let last = running.and_then(|block| {
            let w = if block.last < block.warps.len() { block.last } else { 0 };
            let g = block.warps.get(w)?.groups.iter().position(|group| group.mask != 0)?;
            Some((block, w, g))
        });
        match last {
            Some((block, w, g)) => {
                let lanes = block.warps[w].groups[g].mask;
                self.fault(block, w, g, LaneFault::new(kind, lanes))
            }
            None => {
                let mut fault = Fault::rejected(&self.module.program().linked.kernels[self.kernel].name, "");
                fault.kind = kind;
                fault
            }
        }
    }

    /// The fault of a block in which no thread can run.
    pub(super) fn deadlock(&self, block: &Block) -> Box<Fault> {
        let first = |state: GroupState| {
            block
                .warps
                .iter()
                .enumerate()
                .find_map(|(w, warp)| warp.groups.iter().position(|g| g.state == state).map(|g| (w, g)))
        };
        if let Some((w, g)) = first(GroupState::Converge) {
            return self.fault(block, w, g, self.diverged_barrier(block, w, g));
        }
        let waiting = block.warps.iter().position(|w| !w.groups.is_empty()).unwrap_or(0);
        let lanes = block.warps[waiting].groups.first().map_or(1, |g| g.mask);
        let mut text = "no thread of the block can run".to_owned();
        for (id, barrier) in block.barriers.iter().enumerate() {
            if let Some(barrier) = barrier {
                let arrived: u32 = barrier.arrived.iter().map(|a| a.count_ones()).sum();
                let wanted = barrier.expected.map_or("all threads".into(), |n| format!("{n}"));
                text += &format!("; barrier {id} has {arrived} threads and waits for {wanted}");
            }
        }
        self.fault(block, waiting, 0, LaneFault::new(FaultKind::Deadlock(text), lanes))
    }
}
