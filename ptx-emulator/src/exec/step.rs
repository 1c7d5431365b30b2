//! Runs a group of lanes until it must wait, splits, meets another group, or has used its time.

use std::sync::atomic::{Ordering, fence};

use super::state::{Block, Frame, Group, State, Warp};
use super::{Run, Trouble, Who};
use crate::fault::FaultKind;
use crate::launch::GroupChoice;
use crate::memory::{CODE_BASE, LOCAL_BASE, MemoryModel, PARAM_BASE, SHARED_BASE, WINDOW};
use crate::observer::Observer;
use crate::op::{Carry, Logic, Op, Order, Special};
use crate::semantics::{Bin32, Bin64, LANES, Plane32, Plane64, Tri32, Wide};
use crate::text::types::Space;

/// Why a group stopped running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// The groups of the warp have changed, or one is further behind.
    Again,
    /// The time is used up.
    Quantum,
    /// It stands at a `.sync` instruction of the warp.
    Sync,
    /// It stands at a block barrier.
    Barrier,
    /// Lanes have exited.
    Exit,
}

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// Runs group `g` of warp `w`.
    pub(super) fn group(
        &mut self,
        block: &mut Block,
        w: usize,
        g: usize,
        budget: &mut u32,
    ) -> Result<Pause, Trouble> {
        let module = self.module;
        let program = &**module.program();
        let constants = module.constants();
        let group = block.warps[w].groups[g];
        let Group { mask, mut pc, frame: frame_index, .. } = group;
        let alone = block.warps[w].groups.len() == 1;
        let mut first = true;
        let pause = loop {
            let warp = &mut block.warps[w];
            if !alone
                && !first
                && let Some(pause) = self.overtaken(warp, g, pc)
            {
                break pause;
            }
            first = false;
            if *budget == 0 {
                break Pause::Quantum;
            }
            if self.progress.steps_left == 0 {
                warp.groups[g].pc = pc;
                return Err(Trouble::new(FaultKind::StepLimit(self.options.step_limit), mask));
            }
            let instruction = program.instruction(pc);
            let frame = &mut warp.frames[frame_index as usize];
            let mut active = mask;
            if let Some((slot, negated)) = instruction.guard.get() {
                let (value, undefined) = frame.pred(slot);
                if undefined & mask != 0 {
                    warp.groups[g].pc = pc;
                    return Err(super::undefined_use(undefined & mask, "the guard of an instruction"));
                }
                active &= if negated { !value } else { value };
                if active != mask && active != 0 && instruction.op.needs_whole_group() {
                    // The others go on; these execute the instruction as a group of their own.
                    warp.groups[g] = Group { mask: active, pc, ..group };
                    warp.groups.push(Group { mask: mask & !active, pc: pc + 1, ..group });
                    return Ok(Pause::Again);
                }
            }
            *budget -= 1;
            self.progress.steps_left -= 1;
            if instruction.counted {
                self.progress.counts.warp_instructions += 1;
                self.progress.counts.thread_instructions += u64::from(active.count_ones());
            }
            if active == 0 {
                pc += 1;
                continue;
            }
            let who = Who { block: block.linear, warp: w as u32, pc };
            let done = match &instruction.op {
                Op::Branch(target) => {
                    if active == mask {
                        pc = *target;
                        if !alone && self.options.groups == GroupChoice::Any {
                            break Pause::Again;
                        }
                        continue;
                    }
                    warp.groups[g] = Group { mask: active, pc: *target, ..group };
                    warp.groups.push(Group { mask: mask & !active, pc: pc + 1, ..group });
                    return Ok(Pause::Again);
                }
                Op::BranchIndex(index, table) => {
                    warp.groups[g].pc = pc;
                    let (value, undefined) = frame.word(constants, *index);
                    self.defined(undefined, mask, "a branch")?;
                    let value = *value;
                    split_by(&mut warp.groups, g, |lane| u64::from(value[lane]));
                    let group = &mut warp.groups[g];
                    let index = value[group.mask.trailing_zeros() as usize];
                    match table.get(index as usize) {
                        Some(&target) => group.pc = target,
                        None => {
                            let text = format!("branch index {index} of a table of {}", table.len());
                            return Err(Trouble::new(FaultKind::BadBranch(text), group.mask));
                        }
                    }
                    return Ok(Pause::Again);
                }
                Op::Call(call) => {
                    warp.groups[g].pc = pc;
                    self.call(warp, &mut block.shared, block.id, g, call, who)?;
                    return Ok(Pause::Again);
                }
                Op::Return => {
                    warp.groups[g].pc = pc;
                    return Ok(self.ret(warp, g, who));
                }
                Op::Exit => {
                    warp.groups[g].pc = pc;
                    self.exit(warp, g);
                    return Ok(Pause::Exit);
                }
                Op::WarpSync(sync) => {
                    warp.groups[g].pc = pc;
                    if self.sync(warp, g, sync, who)? {
                        pc += 1;
                        continue;
                    }
                    return Ok(Pause::Sync);
                }
                Op::Barrier(_) => {
                    warp.groups[g].pc = pc;
                    return Ok(Pause::Barrier);
                }
                Op::Load(access) => self.load(warp, &mut block.shared, frame_index, access, active, who),
                Op::Store(access) => self.store(warp, &mut block.shared, frame_index, access, active, who),
                Op::Atomic(atomic) => self.atomic(warp, &mut block.shared, frame_index, atomic, active, who),
                Op::Fence(order, scope) => {
                    if !M::PLAIN || O::ACTIVE {
                        let event = who.event(Space::Global, 0, 0, 0, *order, *scope);
                        self.model.fence(&event, active);
                        self.observer.fence(&event, active);
                    }
                    host_fence(*order);
                    Ok(())
                }
                Op::Trap => Err(Trouble::new(FaultKind::Trap, active)),
                Op::Breakpoint => Err(Trouble::new(FaultKind::Breakpoint, active)),
                Op::Special(special, dest) => {
                    let value = self.special(*special, &block.id, block.place, w, &warp.tid);
                    frame.set_word(*dest, &value.map(|v| v as u32), 0, active);
                    Ok(())
                }
                Op::Special64(special, dest) => {
                    let value = self.special(*special, &block.id, block.place, w, &warp.tid);
                    frame.set_double(*dest, &value, 0, active);
                    Ok(())
                }
                Op::Alloca(dest, size, align) => {
                    let (sizes, undefined) = frame.double(constants, *size);
                    let most = super::lanes(active).map(|i| sizes[i]).max().unwrap_or(0);
                    self.defined(undefined, active, "the size of an allocation").and_then(|()| {
                        let start = u64::from(frame.local_end.next_multiple_of(*align));
                        let end = start.saturating_add(most).saturating_add(15) & !15;
                        if end > u64::from(self.description.local_bytes_per_thread) {
                            return Err(self.overflow(end, active));
                        }
                        frame.local_end = end as u32;
                        frame.set_double(*dest, &[start; LANES], 0, active);
                        let grown = warp.local.grow(end as u32);
                        warp.local.define(start as u32, (end - start) as u32, active);
                        self.charge(grown, active)
                    })
                }
                Op::StackSave(dest) => {
                    let end = u64::from(frame.local_end);
                    frame.set_double(*dest, &[end; LANES], 0, active);
                    Ok(())
                }
                Op::StackRestore(from) => {
                    let (ends, undefined) = frame.double(constants, *from);
                    let most = super::lanes(active).map(|i| ends[i]).max().unwrap_or(0);
                    // Lanes that are elsewhere may still use what these lanes give up.
                    if active == frame.lanes && most <= u64::from(frame.local_end) {
                        frame.local_end = (most as u32).max(frame.local_base);
                    }
                    self.defined(undefined, active, "the stack pointer")
                }
                Op::Event(events) => {
                    for (bit, count) in self.progress.counts.pmevents.iter_mut().enumerate() {
                        *count += u64::from(events >> bit & 1);
                    }
                    Ok(())
                }
                Op::Activemask(dest) => {
                    frame.set_word(*dest, &[active; LANES], 0, active);
                    Ok(())
                }
                op => {
                    compute(op, frame, constants, active);
                    Ok(())
                }
            };
            if let Err(trouble) = done {
                block.warps[w].groups[g].pc = pc;
                return Err(trouble);
            }
            pc += 1;
        };
        block.warps[w].groups[g].pc = pc;
        Ok(pause)
    }

    /// Whether a diverged group has met another one, or passed one that should run first.
    #[inline]
    fn overtaken(&self, warp: &Warp, g: usize, pc: u32) -> Option<Pause> {
        let groups = &warp.groups;
        let frame = groups[g].frame;
        let yields = self.options.groups == GroupChoice::Lowest && groups[g].favoured <= warp.clock;
        for (i, other) in groups.iter().enumerate() {
            if i == g || other.frame != frame || !matches!(other.state, State::Ready | State::Converge) {
                continue;
            }
            let behind = other.state == State::Ready && other.pc < pc;
            if other.pc == pc || behind && yields {
                return Some(Pause::Again);
            }
        }
        None
    }

    fn special(&self, special: Special, id: &[u32; 3], place: u64, w: usize, tid: &[Plane32; 3]) -> Plane64 {
        let all = |v: u64| [v; LANES];
        let per_lane = |f: fn(u32) -> u32| std::array::from_fn(|i| u64::from(f(i as u32)));
        let time = self.progress.steps_given - self.progress.steps_left;
        match special {
            Special::Tid(axis) => tid[usize::from(axis)].map(u64::from),
            Special::Ntid(axis) => all(u64::from(self.config.block[usize::from(axis)])),
            Special::Ctaid(axis) => all(u64::from(id[usize::from(axis)])),
            Special::Nctaid(axis) => all(u64::from(self.config.grid[usize::from(axis)])),
            Special::LaneId => per_lane(|i| i),
            Special::WarpId => all(w as u64),
            Special::NwarpId => all(u64::from(self.description.max_threads_per_sm / 32)),
            Special::SmId => all(place % u64::from(self.description.multiprocessors.max(1))),
            Special::NsmId => all(u64::from(self.description.multiprocessors)),
            Special::GridId => all(self.grid_id),
            Special::MaskEq => per_lane(|i| 1 << i),
            Special::MaskLt => per_lane(|i| (1 << i) - 1),
            Special::MaskLe => per_lane(|i| (2u64 << i).wrapping_sub(1) as u32),
            Special::MaskGt => per_lane(|i| !((2u64 << i).wrapping_sub(1) as u32)),
            Special::MaskGe => per_lane(|i| !((1 << i) - 1)),
            // One instruction takes one cycle, and one nanosecond.
            Special::Clock | Special::GlobalTimer => all(time),
            Special::ClockHigh | Special::GlobalTimerHigh => all(time >> 32),
            Special::DynamicShared => all(u64::from(self.config.dynamic_shared)),
            Special::TotalShared => all(u64::from(self.shared_bytes)),
            Special::Zero => all(0),
            Special::One => all(1),
        }
    }

    /// The complaint about a stack that has outgrown local memory.
    pub(super) fn overflow(&self, bytes: u64, lanes: u32) -> Trouble {
        let most = self.description.local_bytes_per_thread;
        let text = format!("the stack would need {bytes} bytes of local memory; a thread has {most}");
        Trouble::new(FaultKind::StackOverflow(text), lanes)
    }
}

/// Leaves in group `g` the lanes that agree with its first lane; the others become a group of their own at
/// the same instruction.
pub(super) fn split_by(groups: &mut Vec<Group>, g: usize, value: impl Fn(usize) -> u64) {
    let group = groups[g];
    let mask = group.mask;
    let first = value(mask.trailing_zeros() as usize);
    let same = super::lanes(mask).filter(|&i| value(i) == first).fold(0, |m, i| m | 1 << i);
    if same != mask {
        groups[g].mask = same;
        groups.push(Group { mask: mask & !same, ..group });
    }
}

/// A fence of the program orders what the host sees, too.
fn host_fence(order: Order) {
    match (order.acquires(), order.releases()) {
        (true, true) if order == Order::SeqCst => fence(Ordering::SeqCst),
        (true, true) => fence(Ordering::AcqRel),
        (true, false) => fence(Ordering::Acquire),
        (false, true) => fence(Ordering::Release),
        (false, false) => {}
    }
}

/// Which state space a generic address lies in, and its offset there.
#[inline]
pub(super) fn classify(address: u64) -> (Space, u64) {
    match address {
        _ if address.wrapping_sub(SHARED_BASE) < WINDOW => (Space::Shared, address - SHARED_BASE),
        _ if address.wrapping_sub(LOCAL_BASE) < WINDOW => (Space::Local, address - LOCAL_BASE),
        _ if address.wrapping_sub(PARAM_BASE) < WINDOW => (Space::Param, address - PARAM_BASE),
        _ => (Space::Global, address),
    }
}

/// First generic address of a space.
fn window(space: Space) -> u64 {
    match space {
        Space::Shared => SHARED_BASE,
        Space::Local => LOCAL_BASE,
        Space::Param => PARAM_BASE,
        Space::Generic | Space::Global | Space::Const => 0,
    }
}

/// Operations that only work on registers.
#[inline]
fn compute(op: &Op, frame: &mut Frame, constants: &super::state::Constants, active: u32) {
    match *op {
        Op::Un32(op, d, a) => {
            let (a, u) = frame.word(constants, a);
            let out = op.planes(a);
            frame.set_word(d, &out, u, active);
        }
        Op::Un64(op, d, a) => {
            let (a, u) = frame.double(constants, a);
            let out = op.planes(a);
            frame.set_double(d, &out, u, active);
        }
        Op::Widen(op, d, a) => {
            let (a, u) = frame.word(constants, a);
            let out = op.planes(a);
            frame.set_double(d, &out, u, active);
        }
        Op::Narrow(op, d, a) => {
            let (a, u) = frame.double(constants, a);
            let out = op.planes(a);
            frame.set_word(d, &out, u, active);
        }
        Op::Bin32(op, d, a, b) => {
            let ((a, u), (b, v)) = (frame.word(constants, a), frame.word(constants, b));
            let out = op.planes(a, b);
            let mut undefined = u | v;
            if undefined & active != 0 {
                undefined = match op {
                    Bin32::And => partly(a, u, b, v, 0),
                    Bin32::Or => partly(a, u, b, v, u32::MAX),
                    // Compilers leave parts undefined that nobody looks at.
                    Bin32::Pack16 => u & v,
                    _ => undefined,
                };
            }
            frame.set_word(d, &out, undefined, active);
        }
        Op::Bin64(op, d, a, b) => {
            let ((a, u), (b, v)) = (frame.double(constants, a), frame.double(constants, b));
            let out = op.planes(a, b);
            let mut undefined = u | v;
            if undefined & active != 0 {
                undefined = match op {
                    Bin64::And => partly(a, u, b, v, 0),
                    Bin64::Or => partly(a, u, b, v, u64::MAX),
                    _ => undefined,
                };
            }
            frame.set_double(d, &out, undefined, active);
        }
        Op::Shift64(op, d, a, b) => {
            let ((a, u), (b, v)) = (frame.double(constants, a), frame.word(constants, b));
            let out = op.planes(a, b);
            frame.set_double(d, &out, u | v, active);
        }
        Op::Wide(op, d, a, b) => {
            let ((a, u), (b, v)) = (frame.word(constants, a), frame.word(constants, b));
            let out = op.planes(a, b);
            let undefined = if op == Wide::Pack { u & v } else { u | v };
            frame.set_double(d, &out, undefined, active);
        }
        Op::Tri32(op, d, a, b, c) => {
            let ((a, u), (b, v)) = (frame.word(constants, a), frame.word(constants, b));
            let (c, x) = frame.word(constants, c);
            let out = op.planes(a, b, c);
            // As for the packed halves: bytes that nobody looks at.
            let undefined = if op == Tri32::Prmt { u & v | x } else { u | v | x };
            frame.set_word(d, &out, undefined, active);
        }
        Op::Tri64(op, d, a, b, c) => {
            let ((a, u), (b, v)) = (frame.double(constants, a), frame.double(constants, b));
            let (c, x) = frame.double(constants, c);
            let out = op.planes(a, b, c);
            frame.set_double(d, &out, u | v | x, active);
        }
        Op::MadWide(op, d, a, b, c) => {
            let ((a, u), (b, v)) = (frame.word(constants, a), frame.word(constants, b));
            let (c, x) = frame.double(constants, c);
            let out = op.planes(a, b, c);
            frame.set_double(d, &out, u | v | x, active);
        }
        Op::Quad32(op, d, ref sources) => {
            let [(a, u), (b, v), (c, x), (e, y)] = sources.map(|s| frame.word(constants, s));
            let out = op.planes(a, b, c, e);
            frame.set_word(d, &out, u | v | x | y, active);
        }
        Op::Bfe64(op, d, a, b, c) => {
            let ((a, u), (b, v)) = (frame.double(constants, a), frame.word(constants, b));
            let (c, x) = frame.word(constants, c);
            let out = op.planes(a, b, c);
            frame.set_double(d, &out, u | v | x, active);
        }
        Op::Bfi64(op, d, ref sources) => {
            let [a, b, c, e] = **sources;
            let ((a, u), (b, v)) = (frame.double(constants, a), frame.double(constants, b));
            let ((c, x), (e, y)) = (frame.word(constants, c), frame.word(constants, e));
            let out = op.planes(a, b, c, e);
            frame.set_double(d, &out, u | v | x | y, active);
        }
        Op::Carry32(carry, d, a, b) => {
            let ((a, u), (b, v)) = (frame.word(constants, a), frame.word(constants, b));
            let mut out = [0; LANES];
            let mut carries = 0;
            for i in 0..LANES {
                let (value, carried) =
                    add_with_carry(u64::from(a[i]), u64::from(b[i]), carry, frame.carry >> i & 1, 32);
                out[i] = value as u32;
                carries |= carried << i;
            }
            let undefined = u | v | if carry.reads { frame.undefined_carry } else { 0 };
            frame.set_word(d, &out, undefined, active);
            set_carry(frame, carry, carries, undefined, active);
        }
        Op::Carry64(carry, d, a, b) => {
            let ((a, u), (b, v)) = (frame.double(constants, a), frame.double(constants, b));
            let mut out = [0; LANES];
            let mut carries = 0;
            for i in 0..LANES {
                let (value, carried) = add_with_carry(a[i], b[i], carry, frame.carry >> i & 1, 64);
                out[i] = value;
                carries |= carried << i;
            }
            let undefined = u | v | if carry.reads { frame.undefined_carry } else { 0 };
            frame.set_double(d, &out, undefined, active);
            set_carry(frame, carry, carries, undefined, active);
        }
        Op::Cmp32(op, d, a, b) => {
            let ((a, u), (b, v)) = (frame.word(constants, a), frame.word(constants, b));
            let out = op.mask(a, b);
            frame.set_pred(d, out, u | v, active);
        }
        Op::Cmp64(op, d, a, b) => {
            let ((a, u), (b, v)) = (frame.double(constants, a), frame.double(constants, b));
            let out = op.mask(a, b);
            frame.set_pred(d, out, u | v, active);
        }
        Op::Sel32(d, a, b, p) => {
            let ((a, u), (b, v), (p, x)) =
                (frame.word(constants, a), frame.word(constants, b), frame.pred(p));
            let out: Plane32 = std::array::from_fn(|i| if p >> i & 1 != 0 { a[i] } else { b[i] });
            frame.set_word(d, &out, p & u | !p & v | x, active);
        }
        Op::Sel64(d, a, b, p) => {
            let ((a, u), (b, v), (p, x)) =
                (frame.double(constants, a), frame.double(constants, b), frame.pred(p));
            let out: Plane64 = std::array::from_fn(|i| if p >> i & 1 != 0 { a[i] } else { b[i] });
            frame.set_double(d, &out, p & u | !p & v | x, active);
        }
        Op::SelPred(d, a, b, p) => {
            let ((a, u), (b, v), (p, x)) = (frame.pred(a), frame.pred(b), frame.pred(p));
            frame.set_pred(d, p & a | !p & b, p & u | !p & v | x, active);
        }
        Op::PredLogic(logic, d, a, b) => {
            let ((a, u), (b, v)) = (frame.pred(a), frame.pred(b));
            // A defined operand that decides the result makes it defined.
            let (out, decided) = match logic {
                Logic::And => (a & b, !a & !u | !b & !v),
                Logic::Or => (a | b, a & !u | b & !v),
                Logic::Xor => (a ^ b, 0),
            };
            // Undefined bits must not leak into a decided result.
            let out = match logic {
                Logic::And => out & !(!a & !u | !b & !v),
                Logic::Or => out | decided,
                Logic::Xor => out,
            };
            frame.set_pred(d, out, (u | v) & !decided, active);
        }
        Op::PredNot(d, a) => {
            let (a, u) = frame.pred(a);
            frame.set_pred(d, !a, u, active);
        }
        Op::PredMov(d, a) => {
            let (a, u) = frame.pred(a);
            frame.set_pred(d, a, u, active);
        }
        Op::Convert(ref convert, d, a) => {
            let (source, u) = if convert.from.wide() {
                let (a, u) = frame.double(constants, a);
                (*a, u)
            } else {
                let (a, u) = frame.word(constants, a);
                (a.map(u64::from), u)
            };
            let mut out = [0; LANES];
            for i in super::lanes(active) {
                out[i] = convert.lane(source[i]);
            }
            if convert.to.wide() {
                frame.set_double(d, &out, u, active);
            } else {
                frame.set_word(d, &out.map(|v| v as u32), u, active);
            }
        }
        Op::Float(ref float) => {
            let operand = |reg| {
                if float.arith.wide() {
                    let (v, u) = frame.double(constants, reg);
                    (*v, u)
                } else {
                    let (v, u) = frame.word(constants, reg);
                    (v.map(u64::from), u)
                }
            };
            let [(a, u), (b, v), (c, x)] = float.sources.map(operand);
            let mut out = [0; LANES];
            for i in super::lanes(active) {
                out[i] = float.arith.lane(a[i], b[i], c[i]);
            }
            if float.arith.wide() {
                frame.set_double(float.dest, &out, u | v | x, active);
            } else {
                frame.set_word(float.dest, &out.map(|v| v as u32), u | v | x, active);
            }
        }
        Op::FrameAddress(d, offset) => {
            let address = u64::from(frame.local_base) + u64::from(offset);
            frame.set_double(d, &[address; LANES], 0, active);
        }
        Op::Isspacep(space, p, a) => {
            let (a, u) = frame.double(constants, a);
            let is = |address: u64| match space {
                Space::Global | Space::Const => {
                    classify(address).0 == Space::Global && address.wrapping_sub(CODE_BASE) >= WINDOW
                }
                space => classify(address).0 == space,
            };
            let out = (0..LANES).fold(0, |m, i| m | u32::from(is(a[i])) << i);
            frame.set_pred(p, out, u, active);
        }
        Op::FromGeneric(space, d, a) => {
            let (a, u) = frame.double(constants, a);
            let out = a.map(|address| address.wrapping_sub(window(space)));
            frame.set_double(d, &out, u, active);
        }
        Op::ToGeneric(space, d, a) => {
            let (a, u) = frame.double(constants, a);
            let out = a.map(|address| address.wrapping_add(window(space)));
            frame.set_double(d, &out, u, active);
        }
        _ => {}
    }
}

/// Undefined lanes of `a & b` or `a | b`: a defined operand that is all zeros (all ones) decides.
#[cold]
fn partly<T: Copy + PartialEq>(a: &[T; LANES], u: u32, b: &[T; LANES], v: u32, decisive: T) -> u32 {
    let equal = |plane: &[T; LANES]| (0..LANES).fold(0, |m, i| m | u32::from(plane[i] == decisive) << i);
    (u | v) & !(equal(a) & !u | equal(b) & !v)
}

/// One lane of an addition or subtraction with carry: the value and the carry out. A borrow is a carry.
fn add_with_carry(a: u64, b: u64, op: Carry, carry: u32, bits: u32) -> (u64, u32) {
    let (a, b) = (i128::from(a), i128::from(b));
    let carry = if op.reads { i128::from(carry) } else { 0 };
    let wide = if op.subtract { a - b - carry } else { a + b + carry };
    (wide as u64, u32::from(wide >> bits != 0))
}

fn set_carry(frame: &mut Frame, op: Carry, carries: u32, undefined: u32, active: u32) {
    if op.writes {
        frame.carry = frame.carry & !active | carries & active;
        frame.undefined_carry = frame.undefined_carry & !active | undefined & active;
    }
}
