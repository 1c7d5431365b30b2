//! What the text of a program says of its instructions: their classes, and which loads of global memory a warp can have
//! in flight together.
//!
//! A warp waits for loads in *rounds*. Within a basic block, loads whose addresses depend on no other load of it are the
//! first round, those that depend on the first one's values are the second, and so on: ptxas moves loads up to where
//! their addresses are known, as far as no store is in between. A load after a store is in a round after those that the
//! store waits for, unless it is of memory that nobody writes (`ld.global.nc`). No load is moved over a barrier or a fence:
//! it is in a round after all that instructions before it wait for. A fence of the device, and an atomic that releases to it,
//! wait as long as a load does, until the stores before them have reached the second-level cache.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::counters::InstructionClass;
use crate::check::{destinations, sources};
use crate::instruction::{CONSTANT, Op, SINK, SyncKind};
use crate::memory::{MemoryOrder, Scope};
use crate::program::{LinkedProgram, Program};
use crate::registers::{Class, Register, operands};
use crate::text::types::Space;

/// What is known of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub class: InstructionClass,
    /// Whether it counts; some PTX instructions are several operations.
    pub counted: bool,
    /// Whether it is a branch that may send lanes different ways.
    pub branch: Branch,
    /// Whether it is a load of global memory, or an atomic with a result.
    pub loads: bool,
    /// Whether it is the first such one of a round.
    pub round: bool,
    /// Whether it waits until the device sees what was stored before.
    pub waits_for_stores: bool,
    /// Whether it accesses local memory for certain.
    pub local: bool,
}

/// How lanes may leave an instruction on different ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Branch {
    No,
    /// Those whose guard is true jump.
    Guarded,
    /// A value chooses the target.
    Indexed,
}

/// The analysis of a program.
#[derive(Debug)]
pub(crate) struct Analysis {
    sites: Vec<Site>,
}

impl Analysis {
    /// Of all functions of a program.
    pub fn new(program: &Program) -> Analysis {
        let code = &program.linked.code;
        let sites = (0..code.len() as u32).map(|pc| site(program, pc)).collect();
        let mut analysis = Analysis { sites };
        for block in basic_blocks(&program.linked) {
            analysis.mark_rounds(program, block);
        }
        analysis
    }

    /// The instructions of the program.
    pub(super) fn instructions(&self) -> usize {
        self.sites.len()
    }

    #[inline]
    pub(super) fn site(&self, pc: u32) -> Site {
        self.sites[pc as usize]
    }

    /// Marks the first load of each round of a basic block.
    fn mark_rounds(&mut self, program: &Program, block: Range<u32>) {
        // The round after which a register's value is there; 0 for those that are there at the start.
        let mut ready: HashMap<Register, u32> = HashMap::new();
        let (mut after_stores, mut after_barriers, mut waited, mut rounds) = (0, 0, 0, 0);
        for pc in block {
            let instruction = program.instruction(pc);
            let guard = instruction.guard.get().map(|(reg, _)| (Class::Pred, reg));
            let reads = sources(&instruction.op).into_iter().chain(guard);
            let waits = reads.map(|register| ready.get(&register).copied().unwrap_or(0)).max().unwrap_or(0);
            waited = waits.max(waited);
            let written = match &instruction.op {
                Op::Load(load) if self.site(pc).loads => {
                    let constant = program.instruction_text(pc).1.contains(".nc");
                    let round = 1 + waits.max(after_barriers).max(if constant { 0 } else { after_stores });
                    self.begin_round(pc, round, &mut rounds);
                    destinations(load).into_iter().map(|register| (register, round)).collect()
                }
                Op::Load(load) => destinations(load).into_iter().map(|register| (register, waits)).collect(),
                Op::Store(store) => {
                    if store.address.space != Space::Local {
                        after_stores = after_stores.max(waits);
                    }
                    Vec::new()
                }
                Op::Atomic(atomic) => {
                    let round = 1 + waits.max(after_stores).max(after_barriers);
                    after_stores = after_stores.max(waits);
                    if self.site(pc).loads {
                        self.begin_round(pc, round, &mut rounds);
                    }
                    let class = if atomic.ty.size() > 4 { Class::B64 } else { Class::B32 };
                    vec![((class, atomic.dest), round)]
                }
                Op::WarpSync(sync) => match sync.kind {
                    SyncKind::Shuffle { dest, .. }
                    | SyncKind::Vote { dest, .. }
                    | SyncKind::Match { dest, .. }
                    | SyncKind::Redux { dest, .. } => vec![((Class::B32, dest), waits)],
                    SyncKind::Barrier => {
                        after_barriers = waited;
                        Vec::new()
                    }
                    SyncKind::Product(ref product) => {
                        product.results().map(|result| (result, waits)).collect()
                    }
                    SyncKind::Elect { .. } => Vec::new(),
                },
                Op::Fence(..) | Op::Barrier(_) => {
                    after_barriers = waited;
                    Vec::new()
                }
                op => operands(op).map(|(dest, _)| (dest, waits)).into_iter().collect(),
            };
            ready.extend(written.into_iter().filter(|((_, reg), _)| reg & CONSTANT == 0));
        }
    }

    fn begin_round(&mut self, pc: u32, round: u32, rounds: &mut u32) {
        if round > *rounds {
            *rounds = round;
            self.sites[pc as usize].round = true;
        }
    }
}

/// Ranges of instructions that are entered at their first one only.
fn basic_blocks(linked: &LinkedProgram) -> Vec<Range<u32>> {
    let end = linked.code.len() as u32;
    let mut starts: HashSet<u32> =
        linked.functions.iter().filter(|function| function.defined).map(|function| function.start).collect();
    for (pc, instruction) in (0..).zip(&linked.code) {
        match &instruction.op {
            Op::Branch(target) => {
                starts.extend([*target, pc + 1]);
            }
            Op::BranchIndex(_, targets) => {
                starts.extend(targets.iter().copied().chain([pc + 1]));
            }
            Op::Call(_) | Op::Return | Op::Exit | Op::Trap => {
                starts.insert(pc + 1);
            }
            _ => {}
        }
    }
    let mut starts: Vec<u32> = starts.into_iter().filter(|&start| start < end).collect();
    starts.sort_unstable();
    let ends = starts.iter().skip(1).copied().chain([end]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

fn site(program: &Program, pc: u32) -> Site {
    let instruction = program.instruction(pc);
    let of_global = |space| matches!(space, Space::Global | Space::Generic);
    let (loads, local) = match &instruction.op {
        Op::Load(load) => (of_global(load.address.space), load.address.space == Space::Local),
        Op::Store(store) => (false, store.address.space == Space::Local),
        Op::Atomic(atomic) => (of_global(atomic.address.space) && atomic.dest != SINK, false),
        _ => (false, false),
    };
    let released = match &instruction.op {
        Op::Fence(order, scope) => Some((*order, *scope)),
        Op::Store(store) => Some((store.order, store.scope)),
        Op::Atomic(atomic) => Some((atomic.order, atomic.scope)),
        _ => None,
    };
    let waits_for_stores = released.is_some_and(|(order, scope)| {
        matches!(order, MemoryOrder::Release | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
            && matches!(scope, Scope::Gpu | Scope::Sys)
    });
    let branch = match &instruction.op {
        Op::Branch(_) if instruction.guard.get().is_some() => Branch::Guarded,
        Op::BranchIndex(..) => Branch::Indexed,
        _ => Branch::No,
    };
    let class = class(&instruction.op, program.instruction_text(pc).1);
    Site { class, counted: instruction.counted, branch, loads, round: false, waits_for_stores, local }
}

/// The class of an operation with the text of its instruction.
fn class(op: &Op, text: &str) -> InstructionClass {
    let of_space = |space| match space {
        Space::Shared => InstructionClass::Shared,
        Space::Local => InstructionClass::Local,
        Space::Param | Space::Const => InstructionClass::Parameter,
        _ => InstructionClass::Global,
    };
    match op {
        Op::Load(access) | Op::Store(access) => of_space(access.address.space),
        Op::Atomic(_) => InstructionClass::Atomic,
        Op::WarpSync(_) | Op::Activemask(_) => InstructionClass::Warp,
        Op::Barrier(_) | Op::Fence(..) => InstructionClass::Barrier,
        Op::Branch(_) | Op::BranchIndex(..) | Op::Call(_) | Op::Return | Op::Exit => InstructionClass::Branch,
        Op::Trap
        | Op::Breakpoint
        | Op::Sleep
        | Op::Nop
        | Op::Event(_)
        | Op::Alloca(..)
        | Op::StackSave(_)
        | Op::StackRestore(_) => InstructionClass::Other,
        _ => class_of_text(text),
    }
}

/// The class of an operation on registers, from its name and its last type.
fn class_of_text(text: &str) -> InstructionClass {
    let opcode = text.split_whitespace().find(|word| !word.starts_with('@')).unwrap_or_default();
    let mut words = opcode.trim_end_matches(';').split('.');
    let name = words.next().unwrap_or_default();
    let ty = words.next_back().unwrap_or_default();
    match name {
        "mov" | "selp" | "slct" | "cvta" | "isspacep" => InstructionClass::Move,
        "cvt" => InstructionClass::Convert,
        _ => match ty {
            "f64" => InstructionClass::Double,
            "f32" | "f32x2" => InstructionClass::Single,
            "f16" | "f16x2" | "bf16" | "bf16x2" => InstructionClass::Half,
            _ => InstructionClass::Integer,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analysed(body: &str) -> (Analysis, Program) {
        let ptx = format!(
            ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n\
             .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<3>; .reg .f32 %f<9>;\n\
             ld.param.u64 %rd1, [p];\n{body}\nret;\n}}\n"
        );
        let program = Program::load("k", ptx.as_bytes()).expect("it loads");
        (Analysis::new(&program), program)
    }

    /// The rounds and the loads of a body.
    fn rounds(body: &str) -> (usize, usize) {
        let (analysis, _) = analysed(body);
        let count = |of: fn(&Site) -> bool| analysis.sites.iter().filter(|site| of(site)).count();
        (count(|site| site.round), count(|site| site.loads))
    }

    #[test]
    fn loads_that_wait_for_none_are_one_round() {
        let four = "ld.global.f32 %f1, [%rd1]; add.f32 %f5, %f1, %f1; ld.global.f32 %f2, [%rd1+4];\n\
            ld.global.f32 %f3, [%rd1+8]; ld.global.f32 %f4, [%rd1+12];";
        assert_eq!(rounds(four), (1, 4));
        let chain = "ld.global.u64 %rd2, [%rd1]; ld.global.u64 %rd3, [%rd2]; ld.global.u64 %rd4, [%rd3+8];";
        assert_eq!(rounds(chain), (3, 3));
    }

    #[test]
    fn a_load_is_not_moved_over_a_store_that_waits() {
        let copy = |nc: &str| {
            format!(
                "ld.global{nc}.f32 %f1, [%rd1]; st.global.f32 [%rd1+64], %f1;\n\
                 ld.global{nc}.f32 %f2, [%rd1+4]; st.global.f32 [%rd1+68], %f2;"
            )
        };
        assert_eq!(rounds(&copy("")), (2, 2));
        assert_eq!(rounds(&copy(".nc")), (1, 2));
    }

    #[test]
    fn a_load_is_not_moved_over_a_barrier() {
        for barrier in ["bar.warp.sync -1;", "bar.sync 0;", "fence.acq_rel.gpu;"] {
            let halves = |between: &str| {
                format!(
                    "ld.global.nc.f32 %f1, [%rd1]; ld.global.nc.f32 %f2, [%rd1+4]; {between}\n\
                     ld.global.nc.f32 %f3, [%rd1+8]; ld.global.nc.f32 %f4, [%rd1+12];"
                )
            };
            let sum = "add.f32 %f5, %f1, %f2;";
            assert_eq!(rounds(&halves(&format!("{sum}{barrier}"))), (2, 4), "{barrier}");
            // Nothing waits before the barrier.
            assert_eq!(rounds(&halves(barrier)), (1, 4), "{barrier}");
        }
    }

    #[test]
    fn rounds_end_with_their_basic_block() {
        let branch = "ld.global.f32 %f1, [%rd1]; setp.eq.u64 %p1, %rd1, 0; @%p1 bra END;\n\
            ld.global.f32 %f2, [%rd1+4];\nEND: ld.global.f32 %f3, [%rd1+8];";
        assert_eq!(rounds(branch), (3, 3));
    }

    #[test]
    fn classes_follow_from_names_and_types() {
        let body = "add.u32 %r1, %r1, 1; @%p1 fma.rn.f32 %f1, %f2, %f2, %f1; cvt.rn.f32.u32 %f2, %r1;\n\
            selp.b32 %r2, %r1, %r1, %p1; setp.lt.f32 %p2, %f1, %f2; bar.sync 0;";
        let (analysis, program) = analysed(body);
        let class = |text: &str| {
            let pc = (0..).find(|&pc| program.instruction_text(pc).1.contains(text)).expect("an instruction");
            analysis.site(pc).class.name()
        };
        assert_eq!(
            ["ld.param", "add.u32", "fma", "cvt", "selp", "setp", "bar", "ret"].map(class),
            ["parameter", "integer", "f32", "convert", "move", "f32", "barrier", "branch"]
        );
    }
}
