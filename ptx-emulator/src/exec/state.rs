//! The state of resident blocks: warps, lane groups, call frames, barriers.

use std::collections::BTreeMap;

use super::lanes::lanes;
use super::planes::{Planes, PlanesView};
use super::undefined::UndefinedBits;
use crate::compile::{Code, CodeKind, CompiledFunctions, RegisterPointers};
use crate::instruction::{CONSTANT, Reg, TRUE};
use crate::memory::lane::LaneMemory;
use crate::module::Constants;
use crate::observer::Origin;
use crate::program::Function;
use crate::registers::Class;
use crate::semantics::{LANES, Plane32, Plane64};

/// What a lane group does or waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum GroupState {
    Ready,
    /// At a `.sync` instruction, until the other lanes of its mask arrive.
    Sync,
    /// In front of an aligned barrier, until the other lanes of the warp arrive.
    Converge,
    /// At a block barrier.
    Barrier(u8),
}

/// Lanes of a warp that execute together: at the same pc and in the same frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LaneGroup {
    pub mask: u32,
    pub pc: u32,
    pub frame: u32,
    pub state: GroupState,
    /// On the warp's clock: when the group ran last, and until when it runs although other groups are further
    /// behind.
    pub since: u64,
    pub favoured: u64,
}

/// In place of a frame's index: no frame.
pub(crate) const NO_FRAME: u32 = u32::MAX;

/// The frame of a call: the registers of the lanes that made the call together. Lanes that diverge inside the
/// callee still share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub function: u32,
    pub parent: u32,
    /// The call instruction in the parent.
    pub call_pc: u32,
    pub depth: u32,
    /// Lanes that have not returned.
    pub lanes: u32,
    /// The first byte of the frame in local memory, and the one after its last, `alloca` included.
    pub local_base: u32,
    pub local_end: u32,
    b32: Planes<u32>,
    b64: Planes<u64>,
    preds: Vec<u32>,
    undefined_preds: Vec<u32>,
    pub carry: u32,
    pub undefined_carry: u32,
    /// What is known of undefined registers, where undefined values are tracked.
    undefined: BTreeMap<(Class, Reg), Box<UndefinedBits>>,
    /// The values of registers that a scalar stands for, in compiled code; and where they do, if they do now.
    scalars32: Vec<u64>,
    scalars64: Vec<u64>,
    pub scalars_at: Option<(CodeKind, u32)>,
}

impl Frame {
    /// Makes this a frame of `function` with every register undefined. Returns by how many bytes of host
    /// memory it has grown.
    pub fn reset(&mut self, function: &Function) -> u64 {
        let before = self.bytes();
        self.b32.reset(function.count32);
        self.b64.reset(function.count64);
        self.preds.resize(function.count_pred as usize, 0);
        self.undefined_preds.clear();
        self.undefined_preds.resize(function.count_pred as usize, u32::MAX);
        (self.carry, self.undefined_carry) = (0, u32::MAX);
        self.undefined.clear();
        self.scalars_at = None;
        self.bytes().saturating_sub(before)
    }

    /// Where the registers are, for compiled code: until a method other than those that set values is called.
    pub(super) fn pointers(&mut self) -> RegisterPointers {
        let (b32, states32) = self.b32.fix();
        let (b64, states64) = self.b64.fix();
        if self.scalars32.len() < self.b32.len() {
            self.scalars32.resize(self.b32.len(), 0);
        }
        if self.scalars64.len() < self.b64.len() {
            self.scalars64.resize(self.b64.len(), 0);
        }
        RegisterPointers {
            b32,
            b64,
            states32,
            states64,
            preds: self.preds.as_mut_ptr(),
            undefined_preds: self.undefined_preds.as_mut_ptr(),
            scalars32: self.scalars32.as_mut_ptr(),
            scalars64: self.scalars64.as_mut_ptr(),
        }
    }

    /// Puts the values of the scalars into the registers that they stand for: into those that are used later, or into all
    /// for a report.
    pub fn spread_scalars(&mut self, compiled: &CompiledFunctions, all: bool) {
        let Some((kind, pc)) = self.scalars_at.take() else { return };
        let Some(code) = compiled.get(self.function, kind) else { return };
        for &((class, reg), stride, is_live) in &code.scalars(pc).registers {
            if !is_live && !all {
                continue;
            }
            if class == Class::B32 {
                let mut next = self.scalars32[reg as usize] as u32;
                let (values, undefined) = self.b32.get_mut(reg);
                *undefined = 0;
                if stride == 0 {
                    values.fill(next);
                    continue;
                }
                for value in values {
                    *value = next;
                    next = next.wrapping_add(stride as u32);
                }
            } else {
                let mut next = self.scalars64[reg as usize];
                let (values, undefined) = self.b64.get_mut(reg);
                *undefined = 0;
                if stride == 0 {
                    values.fill(next);
                    continue;
                }
                for value in values {
                    *value = next;
                    next = next.wrapping_add(stride as u64);
                }
            }
        }
    }

    /// Lets scalars stand for registers as code expects it at an instruction. Returns false, and does nothing, if registers
    /// that are used later have other values.
    pub fn gather_scalars(&mut self, code: &Code, pc: u32) -> bool {
        let scalars = code.scalars(pc);
        let fits = |&((class, reg), stride, is_live): &((Class, Reg), i64, bool)| {
            if !is_live {
                return true;
            }
            match class {
                Class::B32 => {
                    let (values, undefined) = self.b32.view().get(reg);
                    let steps = values.iter().zip(&values[1..]);
                    let off = steps
                        .fold(undefined, |off, (one, next)| off | next.wrapping_sub(*one) ^ stride as u32);
                    off == 0
                }
                _ => {
                    let (values, undefined) = self.b64.view().get(reg);
                    let steps = values.iter().zip(&values[1..]);
                    let off = steps.fold(u64::from(undefined), |off, (one, next)| {
                        off | next.wrapping_sub(*one) ^ stride as u64
                    });
                    off == 0
                }
            }
        };
        let is_same = |&reg: &Reg| matches!(self.preds[reg as usize], 0 | u32::MAX);
        if !scalars.registers.iter().all(fits) || !scalars.predicates.iter().all(is_same) {
            return false;
        }
        for &((class, reg), ..) in &scalars.registers {
            match class {
                Class::B32 => self.scalars32[reg as usize] = u64::from(self.b32.view().get(reg).0[0]),
                _ => self.scalars64[reg as usize] = self.b64.view().get(reg).0[0],
            }
        }
        true
    }

    /// The registers and the constants as operands.
    #[inline(always)]
    pub fn operands<'a>(&'a self, constants: &'a Constants) -> Operands<'a> {
        let (preds, undefined_preds) = (&self.preds, &self.undefined_preds);
        Operands { b32: self.b32.view(), b64: self.b64.view(), preds, undefined_preds, constants }
    }

    /// As [`Frame::operands`], and where to put a result of 32 bits.
    #[inline(always)]
    pub fn operands_and_result32<'a>(
        &'a mut self,
        constants: &'a Constants,
    ) -> (Operands<'a>, &'a mut Plane32) {
        let (b32, result) = self.b32.view_and_result();
        let (preds, undefined_preds) = (&self.preds, &self.undefined_preds);
        (Operands { b32, b64: self.b64.view(), preds, undefined_preds, constants }, result)
    }

    /// As [`Frame::operands`], and where to put a result of 64 bits.
    #[inline(always)]
    pub fn operands_and_result64<'a>(
        &'a mut self,
        constants: &'a Constants,
    ) -> (Operands<'a>, &'a mut Plane64) {
        let (b64, result) = self.b64.view_and_result();
        let (preds, undefined_preds) = (&self.preds, &self.undefined_preds);
        (Operands { b32: self.b32.view(), b64, preds, undefined_preds, constants }, result)
    }

    /// Where to put a result of 64 bits.
    #[inline(always)]
    pub fn result64(&mut self) -> &mut Plane64 {
        self.b64.result()
    }

    /// Makes the result of 32 bits the value of a register in the lanes of a mask, and lanes of it undefined.
    #[inline(always)]
    pub fn set_to_result32(&mut self, reg: Reg, undefined: u32, mask: u32) {
        if reg & CONSTANT == 0 {
            self.b32.set_to_result(reg, undefined, mask);
        }
    }

    /// As [`Frame::set_to_result32`], of 64 bits.
    #[inline(always)]
    pub fn set_to_result64(&mut self, reg: Reg, undefined: u32, mask: u32) {
        if reg & CONSTANT == 0 {
            self.b64.set_to_result(reg, undefined, mask);
        }
    }

    /// The plane of a 32-bit register or constant, and its undefined-lane mask.
    #[inline(always)]
    pub fn b32<'a>(&'a self, constants: &'a Constants, reg: Reg) -> (&'a Plane32, u32) {
        self.operands(constants).b32(reg)
    }

    /// The plane of a 64-bit register or constant, and its undefined-lane mask.
    #[inline(always)]
    pub fn b64<'a>(&'a self, constants: &'a Constants, reg: Reg) -> (&'a Plane64, u32) {
        self.operands(constants).b64(reg)
    }

    /// The lanes in which a predicate is true, and its undefined-lane mask.
    #[inline(always)]
    pub fn pred(&self, reg: Reg) -> (u32, u32) {
        predicate(&self.preds, &self.undefined_preds, reg)
    }

    #[inline(always)]
    pub fn set_b32(&mut self, reg: Reg, value: &Plane32, undefined: u32, mask: u32) {
        if reg & CONSTANT == 0 {
            self.b32.set(reg, value, undefined, mask);
        }
    }

    #[inline(always)]
    pub fn set_b64(&mut self, reg: Reg, value: &Plane64, undefined: u32, mask: u32) {
        if reg & CONSTANT == 0 {
            self.b64.set(reg, value, undefined, mask);
        }
    }

    /// Sets lanes of a register to a defined value that is the same in all of them.
    #[inline(always)]
    pub fn set_same(&mut self, class: Class, reg: Reg, value: u64, mask: u32) {
        let is_whole = mask == u32::MAX;
        match class {
            Class::B32 if is_whole => {
                if let Some(words) = self.plane32_mut(reg) {
                    words.fill(value as u32);
                }
            }
            Class::B64 if is_whole => {
                if let Some(words) = self.plane64_mut(reg) {
                    words.fill(value);
                }
            }
            Class::B32 => self.set_b32(reg, &[value as u32; LANES], 0, mask),
            Class::B64 => self.set_b64(reg, &[value; LANES], 0, mask),
            Class::Pred => self.set_pred(reg, 0u32.wrapping_sub(value as u32 & 1), 0, mask),
        }
    }

    #[inline(always)]
    pub fn set_pred(&mut self, reg: Reg, value: u32, undefined: u32, mask: u32) {
        if reg & CONSTANT != 0 {
            return;
        }
        let (to, masks) = (&mut self.preds[reg as usize], &mut self.undefined_preds[reg as usize]);
        *to = *to & !mask | value & mask;
        *masks = *masks & !mask | undefined & mask;
    }

    /// Sets a register in one lane.
    #[inline(always)]
    pub fn set_lane(&mut self, class: Class, reg: Reg, lane: usize, value: u64, is_undefined: bool) {
        if reg & CONSTANT != 0 {
            return;
        }
        let undefined = match class {
            Class::B32 => {
                let (values, undefined) = self.b32.get_mut(reg);
                values[lane] = value as u32;
                undefined
            }
            Class::B64 => {
                let (values, undefined) = self.b64.get_mut(reg);
                values[lane] = value;
                undefined
            }
            Class::Pred => {
                let bit = (value as u32 & 1) << lane;
                self.preds[reg as usize] = self.preds[reg as usize] & !(1 << lane) | bit;
                &mut self.undefined_preds[reg as usize]
            }
        };
        *undefined = *undefined & !(1 << lane) | u32::from(is_undefined) << lane;
    }

    /// The values of a 64-bit register in all lanes, which are to be replaced and are defined then. `None` for a constant.
    #[inline(always)]
    pub fn plane64_mut(&mut self, reg: Reg) -> Option<&mut Plane64> {
        if reg & CONSTANT != 0 {
            return None;
        }
        let (values, undefined) = self.b64.get_mut(reg);
        *undefined = 0;
        Some(values)
    }

    /// As [`Frame::plane64_mut`], of a 32-bit register.
    #[inline(always)]
    pub fn plane32_mut(&mut self, reg: Reg) -> Option<&mut Plane32> {
        if reg & CONSTANT != 0 {
            return None;
        }
        let (values, undefined) = self.b32.get_mut(reg);
        *undefined = 0;
        Some(values)
    }

    /// Copies lanes from another frame of the same function.
    fn take_lanes(&mut self, other: &Frame, lanes: u32) {
        for (reg, (value, undefined)) in (0..).zip(other.b32.iter()) {
            self.set_b32(reg, value, undefined, lanes);
        }
        for (reg, (value, undefined)) in (0..).zip(other.b64.iter()) {
            self.set_b64(reg, value, undefined, lanes);
        }
        for (reg, (&value, &undefined)) in (0..).zip(other.preds.iter().zip(&other.undefined_preds)) {
            self.set_pred(reg, value, undefined, lanes);
        }
        for (&register, known) in &other.undefined {
            self.set_undefined(
                register,
                &known.bits,
                lanes & other.flags(register),
                known.computed,
                known.origin,
            );
        }
        self.carry = self.carry & !lanes | other.carry & lanes;
        self.undefined_carry = self.undefined_carry & !lanes | other.undefined_carry & lanes;
        self.lanes |= lanes;
    }

    /// What is known of a register that is undefined in some lanes.
    pub fn undefined_bits(&self, register: (Class, Reg)) -> Option<&UndefinedBits> {
        self.undefined.get(&register).map(|known| &**known)
    }

    /// Says which bits of a register are undefined in the lanes of `mask`.
    pub fn set_undefined(
        &mut self,
        register: (Class, Reg),
        bits: &Plane64,
        mask: u32,
        computed: u32,
        origin: Option<Origin>,
    ) {
        let (class, reg) = register;
        if reg & CONSTANT != 0 {
            return;
        }
        let some = lanes(mask).filter(|&i| bits[i] != 0).fold(0, |m, i| m | 1u32 << i);
        let flags = match class {
            Class::B32 => self.b32.get_mut(reg).1,
            Class::B64 => self.b64.get_mut(reg).1,
            Class::Pred => &mut self.undefined_preds[reg as usize],
        };
        *flags = *flags & !mask | some;
        if *flags == 0 {
            self.undefined.remove(&register);
            return;
        }
        if some == 0 {
            return;
        }
        let new = || Box::new(UndefinedBits { bits: [u64::MAX; LANES], computed: 0, origin });
        let known = self.undefined.entry(register).or_insert_with(new);
        lanes(mask).for_each(|i| known.bits[i] = bits[i]);
        known.computed = known.computed & !mask | computed & some;
        known.origin = origin.or(known.origin);
    }

    /// The undefined lanes of a register that is none of the constants.
    pub fn flags(&self, (class, reg): (Class, Reg)) -> u32 {
        match class {
            Class::B32 => self.b32.view().get(reg).1,
            Class::B64 => self.b64.view().get(reg).1,
            Class::Pred => self.undefined_preds[reg as usize],
        }
    }

    /// Replaces the values of a register in all lanes; which lanes are undefined stays as it is.
    pub fn replace_b32(&mut self, reg: Reg, value: &Plane32) {
        *self.b32.get_mut(reg).0 = *value;
    }

    /// As [`Frame::replace_b32`], for a register of 64 bits.
    pub fn replace_b64(&mut self, reg: Reg, value: &Plane64) {
        *self.b64.get_mut(reg).0 = *value;
    }

    /// Host memory of the frame's registers in bytes.
    fn bytes(&self) -> u64 {
        (self.b32.bytes() + self.b64.bytes()) as u64
    }

    fn hash_into(&self, state: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        (self.function, self.parent, self.call_pc, self.lanes, self.local_base, self.local_end).hash(state);
        // Undefined values may hold anything and must not distinguish two states.
        for (value, undefined) in self.b32.iter() {
            undefined.hash(state);
            for (i, v) in value.iter().enumerate().filter(|(i, _)| undefined >> i & 1 == 0) {
                (i, v).hash(state);
            }
        }
        for (value, undefined) in self.b64.iter() {
            undefined.hash(state);
            for (i, v) in value.iter().enumerate().filter(|(i, _)| undefined >> i & 1 == 0) {
                (i, v).hash(state);
            }
        }
        for (value, undefined) in self.preds.iter().zip(&self.undefined_preds) {
            (value & !undefined, undefined).hash(state);
        }
        (self.carry & !self.undefined_carry, self.undefined_carry).hash(state);
    }
}

/// The registers of a frame, and the constants, as operands.
#[derive(Clone, Copy)]
pub(crate) struct Operands<'a> {
    b32: PlanesView<'a, u32>,
    b64: PlanesView<'a, u64>,
    preds: &'a [u32],
    undefined_preds: &'a [u32],
    constants: &'a Constants,
}

impl<'a> Operands<'a> {
    /// The plane of a 32-bit register or constant, and its undefined-lane mask.
    #[inline(always)]
    pub fn b32(self, reg: Reg) -> (&'a Plane32, u32) {
        if reg & CONSTANT != 0 {
            (&self.constants.b32[(reg & !CONSTANT) as usize].0, 0)
        } else {
            self.b32.get(reg)
        }
    }

    /// The plane of a 64-bit register or constant, and its undefined-lane mask.
    #[inline(always)]
    pub fn b64(self, reg: Reg) -> (&'a Plane64, u32) {
        if reg & CONSTANT != 0 {
            (&self.constants.b64[(reg & !CONSTANT) as usize].0, 0)
        } else {
            self.b64.get(reg)
        }
    }

    /// The lanes in which a predicate is true, and its undefined-lane mask.
    #[inline(always)]
    pub fn pred(self, reg: Reg) -> (u32, u32) {
        predicate(self.preds, self.undefined_preds, reg)
    }
}

#[inline(always)]
fn predicate(values: &[u32], undefined: &[u32], reg: Reg) -> (u32, u32) {
    if reg & CONSTANT != 0 {
        (if reg == TRUE { u32::MAX } else { 0 }, 0)
    } else {
        (values[reg as usize], undefined[reg as usize])
    }
}

/// A warp.
#[derive(Clone, Debug, Default)]
pub(crate) struct Warp {
    /// Lanes that have a thread.
    pub exists: u32,
    /// Lanes whose thread has not exited.
    pub live: u32,
    pub groups: Vec<LaneGroup>,
    pub frames: Vec<Frame>,
    pub free_frames: Vec<u32>,
    pub local: LaneMemory,
    pub tid: [Plane32; 3],
    /// Instructions the warp has run.
    pub clock: u64,
}

impl Warp {
    pub fn ready(&self) -> bool {
        self.groups.iter().any(|g| g.state == GroupState::Ready)
    }

    /// As [`Frame::spread_scalars`], in all frames.
    pub fn spread_scalars(&mut self, compiled: &CompiledFunctions, all: bool) {
        self.frames.iter_mut().for_each(|frame| frame.spread_scalars(compiled, all));
    }

    /// Joins lane groups that are ready, or in front of an aligned barrier, at the same instruction of the
    /// same call. Lanes that arrived by separate calls from the same call instruction share one frame again.
    pub fn merge(&mut self) {
        let mut i = 0;
        while i < self.groups.len() {
            let mut j = i + 1;
            while j < self.groups.len() {
                let (a, b) = (self.groups[i], self.groups[j]);
                let free = |s| matches!(s, GroupState::Ready | GroupState::Converge);
                if a.pc == b.pc && free(a.state) && free(b.state) && self.are_equivalent(a.frame, b.frame) {
                    self.move_lanes(b.frame, a.frame, b.mask);
                    self.groups[i].mask |= b.mask;
                    self.groups[i].state = GroupState::Ready;
                    self.groups[i].since = a.since.max(b.since);
                    self.groups.swap_remove(j);
                } else {
                    j += 1;
                }
            }
            i += 1;
        }
    }

    /// Whether two frames come from the same call instructions, all the way up, and have the same range of
    /// local memory.
    fn are_equivalent(&self, mut a: u32, mut b: u32) -> bool {
        while a != b {
            if a == NO_FRAME || b == NO_FRAME {
                return false;
            }
            let (x, y) = (&self.frames[a as usize], &self.frames[b as usize]);
            let key = |f: &Frame| (f.function, f.call_pc, f.depth, f.local_base, f.local_end);
            if key(x) != key(y) {
                return false;
            }
            (a, b) = (x.parent, y.parent);
        }
        true
    }

    /// Moves lanes from one frame to an equivalent one ([`Warp::are_equivalent`]), and the same for their
    /// callers.
    fn move_lanes(&mut self, mut from: u32, mut to: u32, lanes: u32) {
        while from != to {
            let source = std::mem::take(&mut self.frames[from as usize]);
            self.frames[to as usize].take_lanes(&source, lanes);
            let (left, parent) = (source.lanes & !lanes, source.parent);
            self.frames[from as usize] = Frame { lanes: left, ..source };
            if left == 0 {
                self.free_frames.push(from);
            }
            (from, to) = (parent, self.frames[to as usize].parent);
        }
    }

    /// The index of an unused frame.
    pub fn new_frame(&mut self) -> u32 {
        self.free_frames.pop().unwrap_or_else(|| {
            self.frames.push(Frame::default());
            self.frames.len() as u32 - 1
        })
    }

    /// Removes lanes from a frame and, with `all`, from all its callers.
    pub fn leave(&mut self, mut frame: u32, lanes: u32, all: bool) {
        while frame != NO_FRAME {
            let f = &mut self.frames[frame as usize];
            f.lanes &= !lanes;
            let parent = f.parent;
            if f.lanes == 0 {
                self.free_frames.push(frame);
            }
            if !all {
                break;
            }
            frame = parent;
        }
    }
}

/// A block barrier at which threads have arrived.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BarrierState {
    /// Threads expected; `None` for all of the block.
    pub expected: Option<u32>,
    /// Lanes that have arrived, by warp.
    pub arrived: Vec<u32>,
    pub popc: u32,
    pub all: bool,
    pub any: bool,
}

/// A resident block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub id: [u32; 3],
    pub linear: u64,
    /// Its number among the resident blocks, from which its multiprocessor follows: consecutive numbers are
    /// on consecutive multiprocessors.
    pub resident_index: u64,
    pub shared: Vec<u8>,
    pub warps: Vec<Warp>,
    /// The barriers of the block; the last is that of its cluster.
    pub barriers: [Option<BarrierState>; 17],
    /// Which of them threads have arrived at, a bit for each.
    pub entered: u32,
    /// Lists of barriers that are complete, for the next ones.
    pub spare_arrivals: Vec<Vec<u32>>,
    /// The warp that ran last.
    pub last: usize,
}

impl Block {
    pub fn done(&self) -> bool {
        self.warps.iter().all(|w| w.live == 0)
    }

    /// Gives the registers of a warp that has ended to the next one if that has not begun: they are in the host's caches,
    /// and there is nothing in those of the other. The first warp of the next block follows the last one.
    pub fn pass_registers_on(&mut self, w: usize) {
        let next = (w + 1) % self.warps.len();
        let Ok([ended, next]) = self.warps.get_disjoint_mut([w, next]) else { return };
        if ended.live != 0 || next.live != 0 && next.clock != 0 {
            return;
        }
        let (Some(from), Some(to)) = (ended.frames.first_mut(), next.frames.first_mut()) else { return };
        from.b32.exchange_memory(&mut to.b32);
        from.b64.exchange_memory(&mut to.b64);
    }

    /// Hashes everything that decides how the block continues.
    pub fn hash_into(&self, state: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        (self.linear, self.resident_index, self.last, &self.barriers).hash(state);
        self.shared.hash(state);
        for warp in &self.warps {
            (warp.live, &warp.groups, warp.clock).hash(state);
            warp.local.hash_into(state);
            for (i, frame) in warp.frames.iter().enumerate() {
                if frame.lanes != 0 {
                    i.hash(state);
                    frame.hash_into(state);
                }
            }
        }
    }
}

/// Why a lane group stopped running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Pause {
    /// The lane groups of the warp have changed, or another one should run first.
    Again,
    /// The quantum is used up.
    Quantum,
    /// The group is at a `.sync` instruction of the warp.
    Sync,
    /// The group is at a block barrier.
    Barrier,
    /// Lanes have exited.
    Exit,
}

/// Leaves in group `g` the lanes whose value is that of its first lane; the others become a new group at the
/// same instruction.
pub(super) fn split_by(groups: &mut Vec<LaneGroup>, g: usize, value: impl Fn(usize) -> u64) {
    let group = groups[g];
    let mask = group.mask;
    let first = value(mask.trailing_zeros() as usize);
    let same = lanes(mask).filter(|&i| value(i) == first).fold(0, |m, i| m | 1 << i);
    if same != mask {
        groups[g].mask = same;
        groups.push(LaneGroup { mask: mask & !same, ..group });
    }
}
