//! The functions of the system: they run on the host, one lane after the other.

use super::lanes::lanes;
use super::row::{Manner, Part, Rows, outside_window};
use super::run::{Run, Trouble, Who};
use super::state::Warp;
use crate::fault::FaultKind;
use crate::format::{Arguments, MAX_PRINTED, format};
use crate::memory::MemoryModel;
use crate::memory::address_space::classify;
use crate::memory::{MemoryOrder, Scope};
use crate::observer::Observer;
use crate::op::Call;
use crate::semantics::LANES;
use crate::system::System;
use crate::text::types::Space;

/// Bytes of each text in the report of an assertion.
const MAX_QUOTED: usize = 1 << 10;

/// A lane that calls the system.
struct Caller<'r, 'l, M, O> {
    run: &'r mut Run<'l, M, O>,
    warp: &'r Warp,
    shared: &'r mut [u8],
    lane: usize,
    who: Who,
}

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// The lanes of group `g` call a function of the system and go on.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn system(
        &mut self,
        warp: &mut Warp,
        shared: &mut [u8],
        block: [u32; 3],
        g: usize,
        call: &Call,
        system: System,
        who: Who,
    ) -> Result<(), Trouble> {
        let group = warp.groups[g];
        let base = warp.frames[group.frame as usize].local_base;
        // What the host reads for the program is no access of the program's.
        let counts = self.progress.counts;
        for lane in lanes(group.mask) {
            let mut values = [0; 5];
            for (value, &(offset, size)) in values.iter_mut().zip(&call.arguments) {
                let (read, undefined) = warp.local.read(lane, u64::from(base + offset), size);
                self.defined(u32::from(undefined) << lane, 1 << lane, "an argument of a system call")?;
                *value = read;
            }
            let mut caller = Caller { run: self, warp, shared, lane, who };
            let result = match system {
                System::Print => caller.print(values[0], values[1])? as u64,
                System::Malloc => caller.allocate(g, block, values[0]),
                System::Free => {
                    caller.free(values[0])?;
                    0
                }
                System::AssertFail => return Err(caller.assertion(values, block)),
            };
            for &(offset, size) in &call.returns {
                warp.local.write(lane, u64::from(base + offset), size, result, false);
            }
        }
        self.progress.counts = counts;
        warp.groups[g].pc += 1;
        Ok(())
    }
}

impl<M: MemoryModel, O: Observer> Caller<'_, '_, M, O> {
    /// Answers as CUDA does: the number of arguments that were printed, -1 without a format.
    fn print(&mut self, text: u64, arguments: u64) -> Result<i32, Trouble> {
        if text == 0 {
            return Ok(-1);
        }
        let text = self.text(text, MAX_PRINTED)?;
        let printed = format(&text, &mut Packed { caller: self, next: arguments })?;
        self.run.output.print(printed.text);
        Ok(printed.arguments as i32)
    }

    /// The address, 0 when the heap is full.
    fn allocate(&mut self, g: usize, block: [u32; 3], bytes: u64) -> u64 {
        let (address, keep) = self
            .run
            .memory
            .change(|memory| (memory.heap_allocate(bytes).unwrap_or(0), memory.tracks_heap_allocations()));
        if keep && address != 0 {
            let taken = self.run.heap_block(self.warp, g, self.lane, block, [address, bytes]);
            self.run.memory.change(|memory| memory.heap_taken(taken));
        }
        address
    }

    fn free(&mut self, address: u64) -> Result<(), Trouble> {
        if address == 0 {
            return Ok(());
        }
        self.run.memory.change(|memory| memory.heap_free(address)).map_err(|_| {
            let place = self.run.memory.describe(address);
            let text = format!("`free` of {address:#x}, which `malloc` did not return or was freed: {place}");
            Trouble::new(FaultKind::BadFree(text), 1 << self.lane)
        })
    }

    fn assertion(&mut self, [message, file, line, function, _]: [u64; 5], block: [u32; 3]) -> Trouble {
        let mut quote = |address| match address {
            0 => Ok("?".to_owned()),
            _ => self.text(address, MAX_QUOTED).map(|t| String::from_utf8_lossy(&t).into_owned()),
        };
        let texts = [file, function, message].map(&mut quote);
        let [file, function, message] = match texts {
            [Ok(file), Ok(function), Ok(message)] => [file, function, message],
            [Err(trouble), ..] | [_, Err(trouble), _] | [.., Err(trouble)] => return trouble,
        };
        let [bx, by, bz] = block;
        let [tx, ty, tz] = [0, 1, 2].map(|axis: usize| self.warp.tid[axis][self.lane]);
        let text = format!(
            "{file}:{line}: {function}: block: [{bx},{by},{bz}], thread: [{tx},{ty},{tz}] Assertion `{message}` \
             failed."
        );
        Trouble::new(FaultKind::Assertion(text), 1 << self.lane)
    }

    /// One byte at a generic address.
    fn byte(&mut self, address: u64) -> Result<u8, Trouble> {
        let (space, at) = classify(address);
        if space == Space::Local {
            if at >= self.warp.local.size() {
                return Err(outside_window("local", at, 1, self.warp.local.size(), self.lane));
            }
            let (value, undefined) = self.warp.local.read(self.lane, at, 1);
            let undefined = u32::from(undefined) << self.lane;
            self.run.defined(undefined, 1 << self.lane, "a system call through memory")?;
            return Ok(value as u8);
        }
        let mut addresses = [0; LANES];
        addresses[self.lane] = at;
        let mut rows: Rows<1> = [[0; 1]; LANES];
        let part = Part { space, lanes: 1 << self.lane };
        let manner = Manner { order: MemoryOrder::Weak, scope: Scope::Cta, who: self.who };
        self.run.load_rows::<1>(self.shared, &part, &addresses, manner, &mut rows)?;
        Ok(rows[self.lane][0])
    }

    /// The text at an address up to its NUL, of at most `most` bytes.
    fn text(&mut self, address: u64, most: usize) -> Result<Vec<u8>, Trouble> {
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

/// Arguments that lie one after the other in memory.
struct Packed<'c, C> {
    caller: &'c mut C,
    next: u64,
}

impl<M: MemoryModel, O: Observer> Arguments for Packed<'_, Caller<'_, '_, M, O>> {
    type Error = Trouble;

    fn next(&mut self, bytes: u32) -> Result<u64, Trouble> {
        let bytes = u64::from(bytes);
        let at = self.next.wrapping_add(bytes - 1) & !(bytes - 1);
        self.next = at.wrapping_add(bytes);
        (0..bytes)
            .try_fold(0, |value, i| Ok(value | u64::from(self.caller.byte(at.wrapping_add(i))?) << (8 * i)))
    }

    fn text(&mut self, address: u64, most: usize) -> Result<Vec<u8>, Trouble> {
        self.caller.text(address, most)
    }
}
