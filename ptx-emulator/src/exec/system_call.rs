//! System calls of device programs (`vprintf`, `malloc`, `free`, `__assertfail`): they run on the host, one
//! lane after the other. The lanes of a group change the heap together, as others must wait for that.

use super::lanes::lanes;
use super::run::{LaneFault, Run, Site};
use super::state::Warp;
use super::transfer::{AccessAttributes, SpaceLanes, outside_window};
use crate::fault::FaultKind;
use crate::instruction::Call;
use crate::memory::MemoryModel;
use crate::memory::address_space::classify;
use crate::memory::{MemoryOrder, Scope};
use crate::observer::Observer;
use crate::printf::{Arguments, MAX_PRINTED, format};
use crate::semantics::LANES;
use crate::system_call::SystemCall;
use crate::text::types::Space;

/// Bytes of a call of `printf`, read or formatted, that count as a step of the launch: some kilobytes of output
/// take as long as a hundred instructions.
const WORK_PER_STEP: u64 = 64;
/// The most bytes of each string in the report of an assertion.
const MAX_QUOTED: usize = 1 << 10;

/// A lane that makes a system call.
struct Caller<'r, 'l, M, O> {
    run: &'r mut Run<'l, M, O>,
    warp: &'r Warp,
    shared: &'r mut [u8],
    lane: usize,
    site: Site,
}

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// The lanes of group `g` make a system call and continue after it.
    #[allow(clippy::too_many_arguments, reason = "parts of a launch are borrowed apart")]
    pub(super) fn system(
        &mut self,
        warp: &mut Warp,
        shared: &mut [u8],
        block: [u32; 3],
        g: usize,
        call: &Call,
        system: SystemCall,
        site: Site,
        budget: &mut i32,
    ) -> Result<(), LaneFault> {
        let mask = warp.groups[g].mask;
        let mut results = [0; LANES];
        match system {
            SystemCall::Malloc => {
                let bytes = self.first_arguments(warp, g, call)?;
                results = self.allocate(warp, g, block, &bytes);
            }
            SystemCall::Free => {
                let addresses = self.first_arguments(warp, g, call)?;
                self.free(mask, &addresses)?;
            }
            SystemCall::Print => {
                // What the host reads for the call does not count as accesses of the program.
                let counts = self.progress.counts;
                for lane in lanes(mask) {
                    let [text, arguments, ..] = self.arguments(warp, g, call, lane)?;
                    let mut caller = Caller { run: self, warp, shared, lane, site };
                    let (printed, work) = caller.print(text, arguments)?;
                    results[lane] = printed as u64;
                    self.spend(work as u64 / WORK_PER_STEP, budget, 1 << lane)?;
                }
                self.progress.counts = counts;
            }
            SystemCall::AssertFail => {
                let lane = mask.trailing_zeros() as usize;
                let arguments = self.arguments(warp, g, call, lane)?;
                return Err(Caller { run: self, warp, shared, lane, site }.assertion(arguments, block));
            }
        }
        let base = warp.frames[warp.groups[g].frame as usize].local_base;
        for &(offset, size) in &call.returns {
            for lane in lanes(mask) {
                warp.local.write(lane, u64::from(base + offset), size, results[lane], false);
            }
        }
        warp.groups[g].pc += 1;
        Ok(())
    }

    /// A lane's arguments of a system call; 0 for those that it does not have.
    fn arguments(&mut self, warp: &Warp, g: usize, call: &Call, lane: usize) -> Result<[u64; 5], LaneFault> {
        let base = warp.frames[warp.groups[g].frame as usize].local_base;
        let mut values = [0; 5];
        for (value, &(offset, size)) in values.iter_mut().zip(&call.arguments) {
            let (read, undefined) = warp.local.read(lane, u64::from(base + offset), size);
            self.defined(u32::from(undefined) << lane, 1 << lane, "an argument of a system call")?;
            *value = read;
        }
        Ok(values)
    }

    /// The first argument of each lane of group `g`.
    fn first_arguments(&mut self, warp: &Warp, g: usize, call: &Call) -> Result<[u64; LANES], LaneFault> {
        let group = warp.groups[g];
        let mut first = [0; LANES];
        let Some(&(offset, size)) = call.arguments.first() else { return Ok(first) };
        let start = u64::from(warp.frames[group.frame as usize].local_base + offset);
        let mut all_undefined = 0;
        for lane in lanes(group.mask) {
            let (value, undefined) = warp.local.read(lane, start, size);
            first[lane] = value;
            all_undefined |= u32::from(undefined) << lane;
        }
        self.defined(all_undefined, group.mask, "an argument of a system call")?;
        Ok(first)
    }

    /// The addresses, or 0 if the heap is full.
    fn allocate(&mut self, warp: &Warp, g: usize, block: [u32; 3], bytes: &[u64; LANES]) -> [u64; LANES] {
        let mask = warp.groups[g].mask;
        let (addresses, keep) = self.memory.change(|memory| {
            let mut addresses = [0; LANES];
            for lane in lanes(mask) {
                addresses[lane] = memory.heap_allocate(bytes[lane]).unwrap_or(0);
            }
            (addresses, memory.tracks_heap_allocations())
        });
        for lane in lanes(mask).filter(|&lane| addresses[lane] != 0) {
            let (address, bytes) = (addresses[lane], bytes[lane]);
            if O::ACTIVE {
                self.observer.heap(address, bytes.max(1), true);
            }
            if keep {
                let taken = self.heap_allocation(warp, g, lane, block, [address, bytes]);
                self.memory.change(|memory| memory.record_heap_allocation(taken));
            }
        }
        addresses
    }

    fn free(&mut self, mask: u32, addresses: &[u64; LANES]) -> Result<(), LaneFault> {
        let given = || lanes(mask).filter(|&lane| addresses[lane] != 0);
        if O::ACTIVE {
            for lane in given() {
                let bytes = self.memory.find(addresses[lane]).map_or(0, |a| a.size());
                self.observer.heap(addresses[lane], bytes, false);
            }
        }
        let wrong =
            self.memory.change(|memory| given().find(|&lane| memory.heap_free(addresses[lane]).is_err()));
        let Some(lane) = wrong else { return Ok(()) };
        let address = addresses[lane];
        let location = self.memory.describe(address);
        let text = format!(
            "`free` of {address:#x}, which `malloc` did not return or which is already freed: {location}"
        );
        Err(LaneFault::new(FaultKind::BadFree(text), 1 << lane))
    }

    /// Takes the steps that an instruction needs in addition to its own, from the launch and from the turn of
    /// its warp.
    fn spend(&mut self, steps: u64, budget: &mut i32, lanes: u32) -> Result<(), LaneFault> {
        *budget = budget.saturating_sub_unsigned(u32::try_from(steps).unwrap_or(u32::MAX));
        self.take_steps(steps.saturating_add(u64::try_from(*budget).unwrap_or(0)));
        match self.progress.steps_left.checked_sub(steps) {
            Some(left) => {
                self.progress.steps_left = left;
                Ok(())
            }
            None => Err(LaneFault::new(FaultKind::StepLimit(self.options.step_limit), lanes)),
        }
    }
}

impl<M: MemoryModel, O: Observer> Caller<'_, '_, M, O> {
    /// Returns what CUDA does, the number of arguments that were printed, or -1 without a format; and the bytes
    /// that were read or formatted.
    fn print(&mut self, text: u64, arguments: u64) -> Result<(i32, usize), LaneFault> {
        if text == 0 {
            return Ok((-1, 0));
        }
        let text = self.text(text, MAX_PRINTED)?;
        let printed = format(&text, &mut PackedArguments { caller: self, next: arguments })?;
        self.run.output.print(printed.text);
        Ok((printed.arguments as i32, printed.work))
    }

    fn assertion(&mut self, [message, file, line, function, _]: [u64; 5], block: [u32; 3]) -> LaneFault {
        let mut quote = |address| match address {
            0 => Ok("?".to_owned()),
            _ => self.text(address, MAX_QUOTED).map(|t| String::from_utf8_lossy(&t).into_owned()),
        };
        let texts = [file, function, message].map(&mut quote);
        let [file, function, message] = match texts {
            [Ok(file), Ok(function), Ok(message)] => [file, function, message],
            [Err(fault), ..] | [_, Err(fault), _] | [.., Err(fault)] => return fault,
        };
        let [bx, by, bz] = block;
        let [tx, ty, tz] = [0, 1, 2].map(|axis: usize| self.warp.tid[axis][self.lane]);
        let text = format!(
            "{file}:{line}: {function}: block: [{bx},{by},{bz}], thread: [{tx},{ty},{tz}] Assertion `{message}` \
             failed."
        );
        LaneFault::new(FaultKind::Assertion(text), 1 << self.lane)
    }

    /// One byte at a generic address.
    fn byte(&mut self, address: u64) -> Result<u8, LaneFault> {
        let (space, at) = classify(address);
        if space == Space::Local {
            if at >= self.warp.local.size() {
                return Err(outside_window(Space::Local, at, 1, self.warp.local.size(), self.lane));
            }
            let (value, undefined) = self.warp.local.read(self.lane, at, 1);
            let undefined = u32::from(undefined) << self.lane;
            self.run.defined(undefined, 1 << self.lane, "a system call through memory")?;
            return Ok(value as u8);
        }
        let mut addresses = [0; LANES];
        addresses[self.lane] = at;
        let mut bytes = [[0; 1]];
        let in_space = SpaceLanes::one(space, at, self.lane);
        let attributes = AccessAttributes { order: MemoryOrder::Weak, scope: Scope::Cta, site: self.site };
        self.run.load_lanes::<1>(self.shared, &in_space, &addresses, attributes, &mut bytes)?;
        Ok(bytes[0][0])
    }

    /// The text at an address up to its NUL, of at most `most` bytes.
    fn text(&mut self, address: u64, most: usize) -> Result<Vec<u8>, LaneFault> {
        let mut text = Vec::new();
        while text.len() < most {
            match self.byte(address.wrapping_add(text.len() as u64))? {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(text)
    }
}

/// The arguments of `vprintf`, which follow each other in memory.
struct PackedArguments<'c, C> {
    caller: &'c mut C,
    next: u64,
}

impl<M: MemoryModel, O: Observer> Arguments for PackedArguments<'_, Caller<'_, '_, M, O>> {
    type Error = LaneFault;

    fn next(&mut self, bytes: u32) -> Result<u64, LaneFault> {
        let bytes = u64::from(bytes);
        let at = self.next.wrapping_add(bytes - 1) & !(bytes - 1);
        self.next = at.wrapping_add(bytes);
        (0..bytes)
            .try_fold(0, |value, i| Ok(value | u64::from(self.caller.byte(at.wrapping_add(i))?) << (8 * i)))
    }

    fn text(&mut self, address: u64, most: usize) -> Result<Vec<u8>, LaneFault> {
        self.caller.text(address, most)
    }
}
