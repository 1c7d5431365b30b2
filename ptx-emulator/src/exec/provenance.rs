//! Where the address of an access comes from: the allocation that the pointer pointed to before the program added to it.

use super::run::Run;
use super::state::{LaneGroup, Warp};

use crate::instruction::{Address, AddressBase, CONSTANT, MemoryAccess, Op, Reg};
use crate::memory::MemoryModel;
use crate::observer::Observer;
use crate::semantics::{Bin64, Tri64, Un64};

/// The most registers that an address is traced through.
const MAX_REGISTERS: usize = 64;

/// The allocation that a pointer comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Provenance {
    /// Where the allocation begins.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// The kernel's parameter that the pointer was passed in, if it is known.
    pub parameter: Option<u32>,
}

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// The allocation that the address of a group's instruction comes from in a lane.
    ///
    /// The instructions of its function are read backwards: sums lead to their terms, and a term that is a parameter, was
    /// loaded, or is a constant is a pointer if it points into an allocation. None if there is no such term, or if there
    /// are terms of several allocations.
    pub(super) fn provenance(&self, warp: &Warp, group: &LaneGroup, lane: usize) -> Option<Provenance> {
        let program = self.module.program();
        let Address { base: AddressBase::Reg(start), .. } = (match &program.instruction(group.pc).op {
            Op::Load(access) | Op::Store(access) => access.address,
            Op::Atomic(atomic) => atomic.address,
            _ => return None,
        }) else {
            return None;
        };
        let frame = &warp.frames[group.frame as usize];
        let code = program.instructions(program.function_range(group.pc));
        let mut registers = vec![start];
        let (mut next, mut found) = (0, None);
        while let Some(&register) = registers.get(next) {
            next += 1;
            let mut terms = Vec::new();
            let mut pointers = Vec::new();
            let value = || frame.b64(self.module.constants(), register).0[lane];
            if register & CONSTANT != 0 {
                pointers.push((value(), None));
            } else {
                for instruction in code {
                    match &instruction.op {
                        Op::Load(load) if loads(load, register) => {
                            let passed = self.passed(load);
                            pointers.push(passed.map_or_else(|| (value(), None), |(n, at)| (at, Some(n))));
                        }
                        op => terms.extend(terms_of(op, register).into_iter().flatten()),
                    }
                }
            }
            for (pointer, parameter) in pointers {
                let Some(allocation) = self.memory.find(pointer) else { continue };
                let provenance = Provenance { base: allocation.base, size: allocation.size(), parameter };
                match &found {
                    None => found = Some(provenance),
                    Some(known) if known.base != provenance.base => return None,
                    Some(known) if known.parameter == provenance.parameter => {}
                    Some(_) => found = Some(Provenance { parameter: None, ..provenance }),
                }
            }
            for term in terms {
                if !registers.contains(&term) && registers.len() < MAX_REGISTERS {
                    registers.push(term);
                }
            }
        }
        found
    }

    /// The number and the value of the kernel's parameter that a load reads.
    fn passed(&self, load: &MemoryAccess) -> Option<(u32, u64)> {
        let Address { base: AddressBase::Kernel, offset, .. } = load.address else { return None };
        let kernel = &self.module.program().linked.kernels[self.kernel];
        let number = kernel.params.iter().position(|param| i64::from(param.offset) == offset)?;
        let bytes = self.params.get(usize::try_from(offset).ok()?..)?.first_chunk::<8>()?;
        Some((number as u32, u64::from_le_bytes(*bytes)))
    }
}

/// Whether it loads one pointer into a register.
fn loads(load: &MemoryAccess, register: Reg) -> bool {
    load.wide && load.regs[..usize::from(load.count)].contains(&register)
}

/// The registers that a pointer in `register` may come from, if the operation computes it.
fn terms_of(op: &Op, register: Reg) -> [Option<Reg>; 2] {
    match *op {
        Op::Un64(Un64::Mov, to, a) | Op::FromGeneric(_, to, a) | Op::ToGeneric(_, to, a)
            if to == register =>
        {
            [Some(a), None]
        }
        Op::Bin64(Bin64::Add, to, a, b) if to == register => [Some(a), Some(b)],
        Op::Bin64(Bin64::Sub, to, a, _) if to == register => [Some(a), None],
        Op::Tri64(Tri64::Mad, to, _, _, c) | Op::MadWide(_, to, _, _, c) if to == register => [Some(c), None],
        Op::Sel64(to, a, b, _) if to == register => [Some(a), Some(b)],
        _ => [None, None],
    }
}
