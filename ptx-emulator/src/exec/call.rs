//! Calls, returns, exits.

use super::run::{LaneFault, Run, Site};
use super::state::{Block, GroupState, NO_FRAME, Pause, Warp, split_by};
use crate::fault::FaultKind;
use crate::instruction::{Call, CallTarget, Op};
use crate::memory::MemoryModel;
use crate::memory::address_space::{CODE_BASE, WINDOW};
use crate::observer::Observer;
use crate::program::Param;
use crate::text::printable;

/// The deepest nesting of calls.
const MAX_DEPTH: u32 = 1 << 12;

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// Lane group `g` calls a function. Lanes that call another function become a group of their own, which
    /// calls later.
    #[allow(clippy::too_many_arguments, reason = "parts of a launch are borrowed apart")]
    pub(super) fn call(
        &mut self,
        warp: &mut Warp,
        shared: &mut [u8],
        block: [u32; 3],
        g: usize,
        call: &Call,
        site: Site,
        budget: &mut i32,
    ) -> Result<(), LaneFault> {
        let program = self.module.program();
        let mask = warp.groups[g].mask;
        let number = match call.target {
            CallTarget::Function(number) => number,
            CallTarget::Pointer(reg) => {
                let frame = &warp.frames[warp.groups[g].frame as usize];
                let (addresses, undefined) = frame.b64(self.module.constants(), reg);
                self.defined(undefined, mask, "the target of a call")?;
                let addresses = *addresses;
                split_by(&mut warp.groups, g, |lane| addresses[lane]);
                self.callee(addresses[mask.trailing_zeros() as usize], call, warp.groups[g].mask)?
            }
        };
        let mask = warp.groups[g].mask;
        let callee = &program.linked.functions[number as usize];
        if let Some(system) = callee.system {
            if O::ACTIVE {
                self.observer.call(site.block, site.warp, mask, &callee.name);
            }
            self.system(warp, shared, block, g, call, system, site, budget)?;
            if O::ACTIVE {
                self.observer.call_return(site.block, site.warp, mask);
            }
            return Ok(());
        }
        if !callee.defined {
            let text = format!("`{}` is declared but not defined", printable(&callee.name));
            return Err(LaneFault::new(FaultKind::Unresolved(text), mask));
        }
        let caller = warp.groups[g].frame;
        let index = warp.new_frame();
        let (caller_base, base, depth) = {
            let f = &warp.frames[caller as usize];
            (f.local_base, f.local_end.next_multiple_of(callee.frame_align), f.depth + 1)
        };
        let end = base + callee.frame_bytes;
        if end > self.description.local_bytes_per_thread || depth > MAX_DEPTH {
            warp.free_frames.push(index);
            if end > self.description.local_bytes_per_thread {
                return Err(self.overflow(u64::from(end), mask));
            }
            let text =
                format!("calls are nested {depth} deep; the last call was of `{}`", printable(&callee.name));
            return Err(LaneFault::new(FaultKind::StackOverflow(text), mask));
        }
        let deepest = &mut self.progress.counts.stack_bytes;
        *deepest = (*deepest).max(u64::from(end));
        let f = &mut warp.frames[index as usize];
        let grown = f.reset(callee) + warp.local.grow(end);
        self.charge(grown, mask)?;
        (f.function, f.parent, f.call_pc, f.depth, f.lanes) = (number, caller, site.pc, depth, mask);
        (f.local_base, f.local_end) = (base, end);
        warp.local.begin_frame(base, callee.frame_bytes, mask, O::TRACKS_UNDEFINED);
        for (&(from, size), to) in call.arguments.iter().zip(&callee.params) {
            warp.local.copy(base + to.offset, caller_base + from, size, mask);
        }
        let group = &mut warp.groups[g];
        (group.frame, group.pc) = (index, callee.start);
        if O::ACTIVE {
            self.observer.call(site.block, site.warp, mask, &callee.name);
        }
        Ok(())
    }

    /// The fault of a stack that has outgrown local memory.
    pub(super) fn overflow(&self, bytes: u64, lanes: u32) -> LaneFault {
        let most = self.description.local_bytes_per_thread;
        let text = format!("the stack would need {bytes} bytes of local memory, and a thread has {most}");
        LaneFault::new(FaultKind::StackOverflow(text), lanes)
    }

    /// Takes host memory for frames and stacks from what the launch may use.
    pub(super) fn charge(&mut self, bytes: u64, lanes: u32) -> Result<(), LaneFault> {
        match self.progress.memory_left.checked_sub(bytes) {
            Some(left) => {
                self.progress.memory_left = left;
                Ok(())
            }
            None => {
                let given = self.progress.memory_given;
                let text = format!(
                    "the call frames of the resident blocks need more than the {given} bytes of host memory \
                     that the launch may use"
                );
                Err(LaneFault::new(FaultKind::StackOverflow(text), lanes))
            }
        }
    }

    /// The function at an address; a fault if there is none or its parameters have other sizes than the
    /// call's.
    fn callee(&self, address: u64, call: &Call, lanes: u32) -> Result<u32, LaneFault> {
        let bad = |text: String| LaneFault::new(FaultKind::BadCall(text), lanes);
        let functions = &self.module.program().linked.functions;
        let number = self.module.function_at(address).filter(|&n| functions.get(n).is_some_and(|f| !f.entry));
        let Some(number) = number else {
            let other = address.wrapping_sub(CODE_BASE) < WINDOW;
            let what = if other { "not a function of this module" } else { "not a function" };
            return Err(bad(format!("the target of a call, {address:#x}, is {what}")));
        };
        let function = &functions[number];
        let fits = |have: &[(u32, u32)], want: &[Param]| {
            have.len() == want.len() && have.iter().zip(want).all(|(have, want)| have.1 == want.size)
        };
        // As on hardware, a caller may leave a result, and gets an undefined one where the function has none:
        // flang's tasks return nothing, clang's an int.
        let no_result = call.returns.is_empty() || function.returns.is_empty();
        if !fits(&call.arguments, &function.params) || !no_result && !fits(&call.returns, &function.returns) {
            return Err(bad(format!(
                "`{}` was called with other parameters than it declares",
                printable(&function.name)
            )));
        }
        Ok(number as u32)
    }

    /// Lane group `g` returns.
    pub(super) fn ret(&mut self, warp: &mut Warp, g: usize, site: Site) -> Pause {
        let group = warp.groups[g];
        let frame = &warp.frames[group.frame as usize];
        let (parent, call_pc, base) = (frame.parent, frame.call_pc, frame.local_base);
        if parent == NO_FRAME {
            self.exit(warp, g);
            return Pause::Exit;
        }
        let program = self.module.program();
        let callee = &program.linked.functions[frame.function as usize];
        if let Op::Call(call) = &program.instruction(call_pc).op {
            let caller_base = warp.frames[parent as usize].local_base;
            for (&(to, size), from) in call.returns.iter().zip(&callee.returns) {
                warp.local.copy(caller_base + to, base + from.offset, size, group.mask);
            }
            for &(to, size) in &call.returns[callee.returns.len().min(call.returns.len())..] {
                warp.local.undefine(caller_base + to, size, group.mask);
            }
        }
        warp.leave(group.frame, group.mask, false);
        let group = &mut warp.groups[g];
        (group.frame, group.pc) = (parent, call_pc + 1);
        if O::ACTIVE {
            self.observer.call_return(site.block, site.warp, group.mask);
        }
        Pause::Again
    }

    /// The threads of lane group `g` exit.
    pub(super) fn exit(&mut self, warp: &mut Warp, g: usize) {
        let group = warp.groups.swap_remove(g);
        warp.live &= !group.mask;
        warp.leave(group.frame, group.mask, true);
    }

    /// Called after lanes of a warp have exited: those in front of an aligned barrier may now be all that are
    /// live.
    pub(super) fn release_converged(&self, block: &mut Block, w: usize) {
        let warp = &mut block.warps[w];
        let live = warp.live;
        for group in &mut warp.groups {
            if group.state == GroupState::Converge && group.mask == live {
                group.state = GroupState::Ready;
            }
        }
    }
}
