//! Faults with everything that helps to find their cause.

use super::state::{Block, Group, State, Warp};
use super::{Run, Trouble};
use crate::fault::{Fault, FaultKind, clip};
use crate::memory::MemoryModel;
use crate::observer::Observer;
use crate::op::CONSTANT;

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// The fault of a group.
    pub(super) fn fault(&self, block: &Block, w: usize, g: usize, trouble: Trouble) -> Box<Fault> {
        let warp = &block.warps[w];
        let lane = trouble.lanes.trailing_zeros().min(31) as usize;
        let group = warp.groups.get(g).or(warp.groups.first()).copied();
        let mut fault = Fault {
            kind: trouble.kind,
            kernel: self.module.program().linked.kernels[self.kernel].name.clone(),
            block: block.id,
            thread: [0, 1, 2].map(|axis| warp.tid[axis][lane]),
            ptx_unit: None,
            ptx_line: 0,
            ptx_text: String::new(),
            source: None,
            values: Vec::new(),
            notes: trouble.notes,
        };
        if let Some(group) = group {
            let program = self.module.program();
            let (line, text) = program.instruction_text(group.pc);
            fault.ptx_line = line;
            fault.ptx_unit = program.unit_name(group.pc).map(str::to_owned);
            fault.ptx_text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            fault.source = program.source(group.pc).cloned();
            fault.values = self.values(warp, group, lane, text);
            fault.notes.extend(self.callers(warp, group));
        }
        Box::new(fault)
    }

    /// Values of the registers that an instruction's text names.
    fn values(&self, warp: &Warp, group: Group, lane: usize, text: &str) -> Vec<(String, String)> {
        let frame = &warp.frames[group.frame as usize];
        let function = &self.module.program().linked.functions[frame.function as usize];
        let constants = self.module.constants();
        let slot = |names: &[String], name: &str| names.iter().position(|n| n == name).map(|n| n as u32);
        let mut values: Vec<(String, String)> = Vec::new();
        for name in text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '%' | '_' | '$' | '.'))) {
            if name.is_empty() || values.iter().any(|v| v.0 == name) {
                continue;
            }
            let (value, undefined) = if let Some(slot) = slot(&function.names32, name) {
                let (value, undefined) = frame.word(constants, slot & !CONSTANT);
                let v = value[lane];
                (format!("{v:#x} ({}, f32 {:?})", v as i32, f32::from_bits(v)), undefined)
            } else if let Some(slot) = slot(&function.names64, name) {
                let (value, undefined) = frame.double(constants, slot & !CONSTANT);
                (format!("{:#x} ({})", value[lane], value[lane] as i64), undefined)
            } else if let Some(slot) = slot(&function.names_pred, name) {
                let (value, undefined) = frame.pred(slot);
                ((value >> lane & 1 != 0).to_string(), undefined)
            } else {
                continue;
            };
            let value = if undefined >> lane & 1 != 0 { "undefined".into() } else { value };
            values.push((name.to_owned(), value));
        }
        values
    }

    /// Who called the function that a group is in, innermost first.
    fn callers(&self, warp: &Warp, group: Group) -> Vec<String> {
        let program = self.module.program();
        let mut notes = Vec::new();
        let mut frame = &warp.frames[group.frame as usize];
        while frame.depth > 0 && notes.len() < 16 {
            let name = &program.linked.functions[frame.function as usize].name;
            let (line, _) = program.instruction_text(frame.call_pc);
            let unit = program.unit_name(frame.call_pc).map_or(String::new(), |unit| format!(" of {unit}"));
            notes.push(format!("in `{}`, called at PTX line {line}{unit}", clip(name)));
            frame = &warp.frames[frame.parent as usize];
        }
        notes
    }

    /// One line for each group of a warp: who is where, and waits for what.
    pub(super) fn where_warp_is(&self, warp: &Warp, w: usize) -> Vec<String> {
        let program = self.module.program();
        let line = |group: &Group| {
            let (line, text) = program.instruction_text(group.pc);
            let what = match group.state {
                State::Ready => "is at",
                State::Sync => "waits for lanes of its mask at",
                State::Converge => "waits for the rest of the warp at",
                State::Barrier(_) => "waits for the block at",
            };
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("warp {w} lanes {:#010x} {what} line {line}: {text}", group.mask)
        };
        warp.groups.iter().map(line).collect()
    }

    /// As [`Run::where_warp_is`].
    pub(super) fn where_groups_are(&self, block: &Block, w: usize) -> Vec<String> {
        self.where_warp_is(&block.warps[w], w)
    }

    /// The fault of a block in which nobody can run.
    pub(super) fn deadlock(&self, block: &Block) -> Box<Fault> {
        let notes: Vec<String> =
            (0..block.warps.len()).flat_map(|w| self.where_groups_are(block, w)).collect();
        let first = |state: State| {
            block
                .warps
                .iter()
                .enumerate()
                .find_map(|(w, warp)| warp.groups.iter().position(|g| g.state == state).map(|g| (w, g)))
        };
        if let Some((w, g)) = first(State::Converge) {
            let mut trouble = self.diverged_barrier(block, w, g);
            trouble.notes = notes;
            return self.fault(block, w, g, trouble);
        }
        let waiting = block.warps.iter().position(|w| !w.groups.is_empty()).unwrap_or(0);
        let lanes = block.warps[waiting].groups.first().map_or(1, |g| g.mask);
        let mut text = "nobody in the block can run".to_owned();
        for (id, barrier) in block.barriers.iter().enumerate() {
            if let Some(barrier) = barrier {
                let arrived: u32 = barrier.arrived.iter().map(|a| a.count_ones()).sum();
                let wanted = barrier.expected.map_or("all threads".into(), |n| format!("{n}"));
                text += &format!("; barrier {id} has {arrived} threads and waits for {wanted}");
            }
        }
        let trouble = Trouble { kind: FaultKind::Deadlock(text), lanes, notes };
        self.fault(block, waiting, 0, trouble)
    }
}
