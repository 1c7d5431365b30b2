//! What is known of registers before a function runs: whether they are defined, how they differ between lanes, and
//! which hold addresses of the function's own frame.
//!
//! How a register varies is found for lanes that run together from one basic block to the next, as they do in compiled
//! code: a branch that only some of them take ends it. So every branch is uniform, and a register has the same value in
//! all lanes if it is made of such values, whatever paths lead there (Karrenberg and Hack, "Improving performance of
//! OpenCL on CPUs", 2012, call these uniform, and those with a constant stride consecutive; there branches may diverge).
//! Where lanes enter compiled code, what is claimed here is compared with the registers.

use std::collections::HashMap;
use std::sync::Arc;

use crate::instruction::{
    Address, AddressBase, CONSTANT, Guard, Instruction, MemoryAccess, Op, SINK, SpecialRegister, SyncKind,
};
use crate::program::{Function, LinkedProgram, Program};
use crate::registers::{Class, Register, operands, read, written};
use crate::semantics::{Bin32, Bin64, MadWide, Narrow, Shift64, Tri32, Tri64, Un32, Un64, Wide, Widen};
use crate::text::types::Space;

/// How the values of a register differ between the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variation {
    /// Nothing is known yet: no value has reached the register.
    None,
    /// The same in all lanes.
    Uniform,
    /// Each lane has the value of the lane before and this, which is not zero; of 32-bit registers modulo 2^32.
    Strided(i64),
    /// Any.
    Varying,
}

impl Variation {
    /// What holds where two paths meet.
    fn join(self, other: Variation) -> Variation {
        match (self, other) {
            (Variation::None, known) | (known, Variation::None) => known,
            (a, b) if a == b => a,
            _ => Variation::Varying,
        }
    }

    /// The stride between lanes, zero if there is no difference.
    pub fn stride(self) -> Option<i64> {
        match self {
            Variation::Uniform => Some(0),
            Variation::Strided(stride) => Some(stride),
            Variation::None | Variation::Varying => None,
        }
    }

    pub fn of_stride(stride: i64) -> Variation {
        if stride == 0 { Variation::Uniform } else { Variation::Strided(stride) }
    }

    /// Whether a scalar stands for all lanes.
    pub fn is_scalar(self) -> bool {
        self.stride().is_some()
    }
}

/// An address in the frame of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameAddress {
    pub offset: i64,
    /// Whether it is a generic address, and not one of local memory.
    pub generic: bool,
}

/// A register's value as an address of the frame: not known yet, known, or something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    None,
    Frame(FrameAddress),
    Other,
}

/// A basic block: instructions of the program, and the blocks that may follow.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub start: u32,
    pub end: u32,
    pub successors: Vec<usize>,
}

/// What is known at a point of a function.
#[derive(Clone, Debug)]
pub(crate) struct State {
    defined: Vec<bool>,
    variation: Vec<Variation>,
    frame: Vec<Known>,
}

/// A function's blocks, and what is known where they begin.
#[derive(Debug)]
pub(crate) struct Flow {
    program: Arc<Program>,
    number: usize,
    pub blocks: Vec<Block>,
    states: Vec<State>,
    /// Of each block, the registers whose values at its beginning are used later.
    live: Vec<Vec<bool>>,
    /// Registers from which addresses come: reports look at them, whether they are used later or not.
    traced: Vec<bool>,
    /// Whether registers may be claimed not to vary.
    scalars: bool,
    /// Whether `%tid.x` of a lane is one more than that of the lane before, and the other axes are equal.
    linear: bool,
}

/// Instructions of the longest block that compiled code executes for some lanes of all.
const MOST_PARTED: u32 = 32;
/// The most registers times basic blocks of a function that is compiled: the analyses keep a byte or more for each.
const MAX_STATE: usize = 1 << 22;

impl Flow {
    /// Of the function with this number; `None` if it is too large.
    pub fn new(program: &Arc<Program>, number: usize, scalars: bool, linear: bool) -> Option<Flow> {
        let linked = &program.linked;
        let function = &linked.functions[number];
        let end = linked.functions.iter().filter(|f| f.defined && f.start > function.start);
        let end = end.map(|f| f.start).min().unwrap_or(linked.code.len() as u32);
        let blocks = blocks(linked, function.start, end);
        let (program, states, live) = (program.clone(), Vec::new(), Vec::new());
        let traced = Vec::new();
        let mut flow = Flow { program, number, blocks, states, live, traced, scalars, linear };
        if flow.registers() * flow.blocks.len() > MAX_STATE {
            return None;
        }
        flow.find_states();
        flow.find_live();
        flow.find_traced();
        Some(flow)
    }

    pub fn linked(&self) -> &LinkedProgram {
        &self.program.linked
    }

    pub fn function(&self) -> &Function {
        &self.program.linked.functions[self.number]
    }

    pub fn instruction(&self, pc: u32) -> &Instruction {
        &self.program.linked.code[pc as usize]
    }

    fn registers(&self) -> usize {
        (self.function().count32 + self.function().count64 + self.function().count_pred) as usize
    }

    /// The place of a register in a state; `None` for constants.
    fn place(&self, (class, reg): Register) -> Option<usize> {
        let before = match class {
            Class::B32 => 0,
            Class::B64 => self.function().count32,
            Class::Pred => self.function().count32 + self.function().count64,
        };
        (reg & CONSTANT == 0).then(|| (before + reg) as usize)
    }

    /// The block that begins with an instruction.
    pub fn block_at(&self, pc: u32) -> Option<usize> {
        self.blocks.binary_search_by_key(&pc, |block| block.start).ok()
    }

    fn find_states(&mut self) {
        let count = self.registers();
        let nothing = State {
            defined: vec![true; count],
            variation: vec![Variation::None; count],
            frame: vec![Known::None; count],
        };
        let start = State {
            defined: vec![false; count],
            variation: vec![Variation::Varying; count],
            frame: vec![Known::Other; count],
        };
        self.states = vec![nothing; self.blocks.len()];
        self.states[0] = start;
        let mut reached = vec![false; self.blocks.len()];
        reached[0] = true;
        let mut waiting = vec![0];
        while let Some(b) = waiting.pop() {
            let mut state = self.states[b].clone();
            for pc in self.blocks[b].start..self.blocks[b].end {
                self.step(&mut state, pc);
            }
            let parted = self.parted_before(b);
            for s in self.blocks[b].successors.clone() {
                if let Some(branch) = parted {
                    // Some lanes may have come here, and others have gone past.
                    self.vary_written(&mut state, b, branch);
                }
                if self.states[s].meet(&state) || !reached[s] {
                    reached[s] = true;
                    waiting.push(s);
                }
            }
        }
    }

    /// Makes the registers vary that a block writes which only some lanes may execute.
    fn vary_written(&self, state: &mut State, b: usize, branch: u32) {
        let Some((guard, _)) = self.instruction(branch).guard.get() else { return };
        if self.place((Class::Pred, guard)).is_some_and(|place| state.variation[place] == Variation::Uniform)
        {
            return;
        }
        for pc in self.blocks[b].start..self.blocks[b].end {
            for place in
                written(&self.instruction(pc).op).into_iter().filter_map(|register| self.place(register))
            {
                state.variation[place] = Variation::Varying;
            }
        }
    }

    /// The branch past a block that is so short that compiled code executes it for the lanes that do not take it, with
    /// the others waiting.
    fn parted_before(&self, b: usize) -> Option<u32> {
        let branch = self.blocks[b].start.checked_sub(1)?;
        let Op::Branch(target) = self.instruction(branch).op else { return None };
        let before = self.blocks.get(b.checked_sub(1)?)?;
        let is_ours = before.end == branch + 1 && self.parts_before(branch, target) == Some(b);
        is_ours.then_some(branch)
    }

    /// Whether the function calls another one.
    pub fn has_calls(&self) -> bool {
        let blocks = self.blocks.iter().flat_map(|block| block.start..block.end);
        blocks.into_iter().any(|pc| matches!(self.instruction(pc).op, Op::Call(_)))
    }

    /// The block behind a guarded branch, if lanes that do not take it need only execute that block to be where the
    /// branch leads.
    pub fn parts_before(&self, branch: u32, target: u32) -> Option<usize> {
        let b = self.block_at(branch + 1)?;
        let block = &self.blocks[b];
        let leads_there = block.successors == [self.block_at(target)?];
        let fits = |pc: u32| {
            let instruction = self.instruction(pc);
            let op = &instruction.op;
            let is_last_branch = pc + 1 == block.end && instruction.guard == Guard::NONE;
            match op {
                Op::Branch(_) => is_last_branch,
                Op::Load(_) | Op::Store(_) | Op::Atomic(_) | Op::Fence(..) => true,
                Op::Special(special, _) | Op::Special64(special, _) => {
                    matches!(special, SpecialRegister::Tid(_))
                }
                op => op.is_on_registers(),
            }
        };
        let is_guarded = self.instruction(branch).guard != Guard::NONE;
        let is_short = block.end - block.start <= MOST_PARTED && target > branch;
        (is_guarded && leads_there && is_short && (block.start..block.end).all(fits)).then_some(b)
    }

    /// Finds which registers are live at the beginning of each block.
    fn find_live(&mut self) {
        let count = self.registers();
        self.live = vec![vec![false; count]; self.blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for b in (0..self.blocks.len()).rev() {
                let mut live = vec![false; count];
                for &s in &self.blocks[b].successors {
                    live.iter_mut().zip(&self.live[s]).for_each(|(live, also)| *live |= also);
                }
                for pc in (self.blocks[b].start..self.blocks[b].end).rev() {
                    self.step_back(&mut live, pc);
                }
                if live != self.live[b] {
                    self.live[b] = live;
                    changed = true;
                }
            }
        }
    }

    fn find_traced(&mut self) {
        self.traced = vec![false; self.registers()];
        let code = || self.blocks.iter().flat_map(|block| block.start..block.end);
        let bases = code().filter_map(|pc| match &self.instruction(pc).op {
            Op::Load(access) | Op::Store(access) => Some(access.address.base),
            Op::Atomic(atomic) => Some(atomic.address.base),
            _ => None,
        });
        let registers = bases.filter_map(|base| match base {
            AddressBase::Reg(reg) => self.place((Class::B64, reg)),
            AddressBase::Frame | AddressBase::Kernel => None,
        });
        let mut waiting: Vec<usize> = registers.collect();
        let mut writers: HashMap<usize, Vec<u32>> = HashMap::new();
        for pc in code() {
            for place in
                written(&self.instruction(pc).op).into_iter().filter_map(|register| self.place(register))
            {
                writers.entry(place).or_default().push(pc);
            }
        }
        while let Some(place) = waiting.pop() {
            if std::mem::replace(&mut self.traced[place], true) {
                continue;
            }
            for &pc in writers.get(&place).into_iter().flatten() {
                let sources = operands(&self.instruction(pc).op).into_iter().flat_map(|(_, sources)| sources);
                let addresses = sources.flatten().filter(|source| source.0 == Class::B64);
                waiting.extend(addresses.filter_map(|source| self.place(source)));
            }
        }
    }

    /// Whether the value that a register has at the end of a block may be looked at.
    pub fn is_kept(&self, block: usize, register: Register) -> bool {
        let Some(place) = self.place(register) else { return false };
        self.traced[place] || self.blocks[block].successors.iter().any(|&next| self.live[next][place])
    }

    /// Whether the value that a register has at the beginning of a block may be looked at.
    pub fn is_kept_in(&self, block: usize, register: Register) -> bool {
        self.place(register).is_some_and(|place| self.traced[place] || self.live[block][place])
    }

    pub fn state(&self, block: usize) -> State {
        self.states[block].clone()
    }

    /// Makes registers that are live behind an instruction those that are in front of it.
    fn step_back(&self, live: &mut [bool], pc: u32) {
        let instruction = self.instruction(pc);
        if instruction.guard == Guard::NONE {
            for place in written(&instruction.op).into_iter().filter_map(|register| self.place(register)) {
                live[place] = false;
            }
        }
        let guard = instruction.guard.get().map(|(reg, _)| (Class::Pred, reg));
        for register in guard.into_iter().chain(read(&instruction.op)) {
            if let Some(place) = self.place(register) {
                live[place] = true;
            }
        }
    }

    /// The registers that are live in front of an instruction of a block: see [`Flow::is_in`].
    pub fn live_at(&self, block: usize, pc: u32) -> Vec<bool> {
        if self.blocks[block].start == pc {
            return self.live[block].clone();
        }
        let mut live = vec![false; self.registers()];
        for &s in &self.blocks[block].successors {
            live.iter_mut().zip(&self.live[s]).for_each(|(live, also)| *live |= also);
        }
        (pc..self.blocks[block].end).rev().for_each(|pc| self.step_back(&mut live, pc));
        live
    }

    /// Whether a register is among those of a list.
    pub fn is_in(&self, list: &[bool], register: Register) -> bool {
        self.place(register).is_some_and(|place| list[place])
    }

    pub fn is_defined(&self, state: &State, register: Register) -> bool {
        self.place(register).is_none_or(|place| state.defined[place])
    }

    pub fn variation(&self, state: &State, register: Register) -> Variation {
        self.place(register).map_or(Variation::Uniform, |place| match state.variation[place] {
            known if state.defined[place] => known,
            _ => Variation::Varying,
        })
    }

    /// A register's value as an address of the frame.
    pub fn frame_address(&self, state: &State, reg: u32) -> Option<FrameAddress> {
        match state.frame[self.place((Class::B64, reg))?] {
            Known::Frame(address) => Some(address),
            Known::None | Known::Other => None,
        }
    }

    /// All registers but predicates, and how they vary.
    pub fn variations<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (Register, Variation)> + 'a {
        let of = |class, count| (0..count).map(move |reg| (class, reg));
        of(Class::B32, self.function().count32)
            .chain(of(Class::B64, self.function().count64))
            .map(|register| (register, self.variation(state, register)))
    }

    /// The predicates that are claimed to be the same in all lanes.
    pub fn uniform_predicates<'a>(&'a self, state: &'a State) -> impl Iterator<Item = u32> + 'a {
        let known = (0..self.function().count_pred).map(|reg| (Class::Pred, reg));
        known.filter(|&known| self.variation(state, known) == Variation::Uniform).map(|(_, reg)| reg)
    }

    /// What is known after an instruction.
    pub fn step(&self, state: &mut State, pc: u32) {
        let instruction = self.instruction(pc);
        let (defined, variation, frame) = (
            self.defines(state, instruction),
            self.varies(state, instruction),
            self.points(state, instruction),
        );
        for register in written(&instruction.op) {
            let Some(place) = self.place(register) else { continue };
            if instruction.guard == Guard::NONE {
                (state.defined[place], state.variation[place], state.frame[place]) =
                    (defined, variation, frame);
            } else {
                state.defined[place] &= defined;
                (state.variation[place], state.frame[place]) = (Variation::Varying, Known::Other);
            }
        }
    }

    /// Whether the results of an instruction are defined in all lanes.
    fn defines(&self, state: &State, instruction: &Instruction) -> bool {
        if let Some((_, sources)) = operands(&instruction.op) {
            let carries = matches!(instruction.op, Op::Carry32(..) | Op::Carry64(..));
            return !carries && sources.into_iter().flatten().all(|source| self.is_defined(state, source));
        }
        match &instruction.op {
            Op::Load(access) => !self.may_be_local(access.address),
            Op::WarpSync(sync) => match sync.kind {
                SyncKind::Vote { .. } | SyncKind::Elect { .. } => true,
                // Where all lanes are alive at the end, all have been.
                SyncKind::Shuffle { value, .. } => {
                    self.scalars
                        && self.literal32(sync.mask) == Some(u32::MAX)
                        && self.is_defined(state, (Class::B32, value))
                }
                _ => false,
            },
            Op::Special(..) | Op::Special64(..) | Op::FrameAddress(..) | Op::Activemask(_) => true,
            _ => false,
        }
    }

    fn may_be_local(&self, address: Address) -> bool {
        address.base == AddressBase::Frame || matches!(address.space, Space::Generic | Space::Local)
    }

    fn points(&self, state: &State, instruction: &Instruction) -> Known {
        let at = |reg| if reg & CONSTANT == 0 { self.frame_address(state, reg) } else { None };
        let moved =
            |reg, by: i64| at(reg).map(|from| FrameAddress { offset: from.offset.wrapping_add(by), ..from });
        let found = match instruction.op {
            Op::FrameAddress(_, offset) => Some(FrameAddress { offset: i64::from(offset), generic: false }),
            Op::Un64(Un64::Mov, _, a) => at(a),
            Op::Bin64(Bin64::Add, _, a, b) => match (self.literal64(a), self.literal64(b)) {
                (_, Some(by)) => moved(a, by),
                (Some(by), _) => moved(b, by),
                _ => None,
            },
            Op::ToGeneric(Space::Local, _, a) => {
                at(a).filter(|from| !from.generic).map(|from| FrameAddress { generic: true, ..from })
            }
            Op::FromGeneric(Space::Local, _, a) => {
                at(a).filter(|from| from.generic).map(|from| FrameAddress { generic: false, ..from })
            }
            _ => None,
        };
        found.map_or(Known::Other, Known::Frame)
    }

    /// The value of a 32-bit constant.
    pub fn literal32(&self, reg: u32) -> Option<u32> {
        (reg & CONSTANT != 0 && reg != SINK).then(|| self.linked().constants32[(reg & !CONSTANT) as usize])
    }

    /// The value of a 64-bit constant, if it does not depend on where the program is loaded.
    pub fn literal64(&self, reg: u32) -> Option<i64> {
        if reg & CONSTANT == 0 || reg == SINK {
            return None;
        }
        let constant = self.linked().constants64[(reg & !CONSTANT) as usize];
        constant.symbol.is_none().then_some(constant.value as i64)
    }

    /// How the result of an instruction varies.
    pub fn varies(&self, state: &State, instruction: &Instruction) -> Variation {
        if !self.scalars {
            return Variation::Varying;
        }
        let op = &instruction.op;
        if !self.defines(state, instruction) {
            return Variation::Varying;
        }
        match op {
            Op::Load(access) => return self.loaded(state, access),
            Op::Special(special, _) | Op::Special64(special, _) => return self.special(*special),
            Op::FrameAddress(..) => return Variation::Uniform,
            Op::WarpSync(_) | Op::Activemask(_) => return Variation::Varying,
            _ => {}
        }
        let Some((_, sources)) = operands(op) else { return Variation::Varying };
        if sources.iter().flatten().all(|&source| self.variation(state, source) == Variation::Uniform) {
            return Variation::Uniform;
        }
        let a32 = |reg| self.variation(state, (Class::B32, reg)).stride();
        let a64 = |reg| self.variation(state, (Class::B64, reg)).stride();
        let of = |stride: Option<i64>| match stride {
            // So that the distance of the first and the last lane is a number of 64 bits, by far.
            Some(stride) if stride.unsigned_abs() < 1 << 40 => Variation::of_stride(stride),
            _ => Variation::Varying,
        };
        // Of 32 bits a stride counts modulo 2^32: the one nearest to zero.
        let of32 = |stride: Option<i64>| of(stride.map(|stride| i64::from(stride as i32)));
        let sum = |a: Option<i64>, b: Option<i64>| Some(a?.wrapping_add(b?));
        let difference = |a: Option<i64>, b: Option<i64>| Some(a?.wrapping_sub(b?));
        let product = |a: Option<i64>, b: Option<i64>| Some(a?.wrapping_mul(b?));
        let l32 = |reg| self.literal32(reg).map(|v| i64::from(v as i32));
        // A factor of a wide product, as it is extended.
        let factor = |reg, signed| if signed { l32(reg) } else { self.literal32(reg).map(i64::from) };
        match *op {
            Op::Un32(Un32::Mov, _, a) => of32(a32(a)),
            Op::Un32(Un32::Neg, _, a) => of32(a32(a).map(i64::wrapping_neg)),
            Op::Un64(Un64::Mov, _, a) | Op::FromGeneric(_, _, a) | Op::ToGeneric(_, _, a) => of(a64(a)),
            Op::Un64(Un64::Neg, _, a) => of(a64(a).map(i64::wrapping_neg)),
            Op::Widen(Widen::Zext | Widen::Sext, _, a) => of(a32(a)),
            Op::Narrow(Narrow::Low, _, a) => of32(a64(a)),
            Op::Bin32(Bin32::Add, _, a, b) => of32(sum(a32(a), a32(b))),
            Op::Bin32(Bin32::Sub, _, a, b) => of32(difference(a32(a), a32(b))),
            Op::Bin32(Bin32::Mul, _, a, b) => match (l32(a), l32(b)) {
                (_, Some(by)) => of32(product(a32(a), Some(by))),
                (Some(by), _) => of32(product(a32(b), Some(by))),
                _ => Variation::Varying,
            },
            Op::Bin32(Bin32::Shl, _, a, b) => match self.literal32(b) {
                Some(by @ 0..32) => of32(a32(a).map(|stride| stride.wrapping_shl(by))),
                _ => Variation::Varying,
            },
            Op::Bin32(Bin32::MinU | Bin32::MaxU | Bin32::MinS | Bin32::MaxS, _, a, b) => {
                // Mostly a bound that all lanes are below, or none.
                match (a32(a), a32(b)) {
                    (Some(stride), Some(0)) | (Some(0), Some(stride)) => of32(Some(stride)),
                    _ => Variation::Varying,
                }
            }
            Op::Bin64(Bin64::MinU | Bin64::MaxU | Bin64::MinS | Bin64::MaxS, _, a, b) => {
                match (a64(a), a64(b)) {
                    (Some(stride), Some(0)) | (Some(0), Some(stride)) => of(Some(stride)),
                    _ => Variation::Varying,
                }
            }
            // Mostly the row of a matrix, which neighbours share.
            Op::Bin32(Bin32::DivU | Bin32::DivS, _, a, b) if a32(a).is_some() && a32(b) == Some(0) => {
                Variation::Uniform
            }
            Op::Bin64(Bin64::DivU | Bin64::DivS, _, a, b) if a64(a).is_some() && a64(b) == Some(0) => {
                Variation::Uniform
            }
            Op::Bin32(Bin32::RemU | Bin32::RemS, _, a, b) if a32(b) == Some(0) => of32(a32(a)),
            Op::Bin64(Bin64::RemU | Bin64::RemS, _, a, b) if a64(b) == Some(0) => of(a64(a)),
            Op::Bin64(Bin64::Add, _, a, b) => of(sum(a64(a), a64(b))),
            Op::Bin64(Bin64::Sub, _, a, b) => of(difference(a64(a), a64(b))),
            Op::Bin64(Bin64::Mul, _, a, b) => match (self.literal64(a), self.literal64(b)) {
                (_, Some(by)) => of(product(a64(a), Some(by))),
                (Some(by), _) => of(product(a64(b), Some(by))),
                _ => Variation::Varying,
            },
            Op::Shift64(Shift64::Shl, _, a, b) => match self.literal32(b) {
                Some(by @ 0..32) => of(a64(a).map(|stride| stride.wrapping_shl(by))),
                _ => Variation::Varying,
            },
            Op::Wide(op @ (Wide::MulU | Wide::MulS), _, a, b) => {
                match [a, b].map(|reg| factor(reg, op == Wide::MulS)) {
                    [_, Some(by)] => of(product(a32(a), Some(by))),
                    [Some(by), _] => of(product(a32(b), Some(by))),
                    _ => Variation::Varying,
                }
            }
            Op::Tri32(Tri32::Mad, _, a, b, c) => {
                let product = match (a32(a), a32(b), l32(a), l32(b)) {
                    (Some(0), Some(0), ..) => Some(0),
                    (stride, _, _, Some(by)) | (_, stride, Some(by), _) => product(stride, Some(by)),
                    _ => None,
                };
                of32(sum(product, a32(c)))
            }
            Op::Tri64(Tri64::Mad, _, a, b, c) => {
                let product = match (a64(a), a64(b), self.literal64(a), self.literal64(b)) {
                    (Some(0), Some(0), ..) => Some(0),
                    (stride, _, _, Some(by)) | (_, stride, Some(by), _) => product(stride, Some(by)),
                    _ => None,
                };
                of(sum(product, a64(c)))
            }
            Op::MadWide(op, _, a, b, c) => {
                let [of_a, of_b] = [a, b].map(|reg| factor(reg, op == MadWide::S));
                let product = match (a32(a), a32(b), of_a, of_b) {
                    (Some(0), Some(0), ..) => Some(0),
                    (stride, _, _, Some(by)) | (_, stride, Some(by), _) => product(stride, Some(by)),
                    _ => None,
                };
                of(sum(product, a64(c)))
            }
            _ => Variation::Varying,
        }
    }

    fn loaded(&self, state: &State, access: &MemoryAccess) -> Variation {
        match access.address.base {
            AddressBase::Kernel => Variation::Uniform,
            AddressBase::Reg(reg) => match self.variation(state, (Class::B64, reg)) {
                Variation::Uniform => Variation::Uniform,
                _ => Variation::Varying,
            },
            AddressBase::Frame => Variation::Varying,
        }
    }

    fn special(&self, special: SpecialRegister) -> Variation {
        use SpecialRegister::*;
        match special {
            Tid(0) if self.linear => Variation::Strided(1),
            Tid(_) if self.linear => Variation::Uniform,
            LaneId => Variation::Strided(1),
            Tid(_) | MaskEq | MaskLt | MaskLe | MaskGt | MaskGe => Variation::Varying,
            _ => Variation::Uniform,
        }
    }
}

impl State {
    /// Adds what holds on another path; returns whether anything has changed.
    fn meet(&mut self, other: &State) -> bool {
        let mut changed = false;
        for (mine, &its) in self.defined.iter_mut().zip(&other.defined) {
            changed |= *mine && !its;
            *mine &= its;
        }
        for (mine, &its) in self.variation.iter_mut().zip(&other.variation) {
            let joined = mine.join(its);
            changed |= joined != *mine;
            *mine = joined;
        }
        for (mine, &its) in self.frame.iter_mut().zip(&other.frame) {
            let joined = match (*mine, its) {
                (Known::None, known) | (known, Known::None) => known,
                (a, b) if a == b => a,
                _ => Known::Other,
            };
            changed |= joined != *mine;
            *mine = joined;
        }
        changed
    }
}

/// The basic blocks of the instructions from `start` to `end`.
fn blocks(program: &LinkedProgram, start: u32, end: u32) -> Vec<Block> {
    let code = &program.code;
    let leads = |pc: &u32| *pc == start || code[*pc as usize].leads;
    let starts: Vec<u32> = (start..end).filter(leads).collect();
    let block_at = |pc: u32| starts.binary_search(&pc).ok();
    let ends = starts[1..].iter().copied().chain([end]);
    let blocks = starts.iter().zip(ends).map(|(&start, end)| {
        let last = &code[end as usize - 1];
        let next = || block_at(end);
        let guarded = last.guard != Guard::NONE;
        let mut successors: Vec<usize> = match &last.op {
            Op::Branch(target) => block_at(*target).into_iter().collect(),
            Op::BranchIndex(_, targets) => targets.iter().filter_map(|&target| block_at(target)).collect(),
            Op::Return | Op::Exit | Op::Trap => Vec::new(),
            _ => next().into_iter().collect(),
        };
        if guarded {
            successors.extend(next());
        }
        successors.dedup();
        Block { start, end, successors }
    });
    blocks.collect()
}
