//! `.sync` instructions of a warp: the lanes of a mask synchronise and exchange values.
//!
//! A lane group that holds all live lanes of its mask executes at once. Otherwise it waits until the missing
//! lanes are at an instruction of the same kind in other groups; it need not be the same instruction.

use super::lanes::lanes;
use super::run::{LaneFault, Run, Site};
use super::state::{Block, GroupState, LaneGroup, Warp, split_by};
use super::undefined::UndefinedBits;
use super::vectors::vectorized;
use crate::fault::FaultKind;
use crate::instruction::{CONSTANT, Op, ReduxOp, Reg, ShuffleMode, SyncKind, VoteMode, WarpSync};
use crate::memory::MemoryModel;
use crate::observer::{Observer, Origin, UndefinedSource};
use crate::registers::{Class, shuffle_source};
use crate::semantics::float::SIGN32;
use crate::semantics::real::Format;
use crate::semantics::{LANES, Plane32, Plane64, select};

/// A lane group that takes part in a `.sync` operation, and its instruction.
pub(super) struct Participant<'p> {
    pub group: LaneGroup,
    kind: &'p SyncKind,
}

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// Lane group `g` is at a `.sync` instruction. Returns whether it has executed it; if not, it waits.
    pub(super) fn sync(
        &mut self,
        warp: &mut Warp,
        g: usize,
        sync: &WarpSync,
        site: Site,
    ) -> Result<bool, LaneFault> {
        let group = warp.groups[g];
        let frame = &warp.frames[group.frame as usize];
        let (masks, undefined) = frame.b32(self.module.constants(), sync.mask);
        self.defined(undefined, group.mask, "a member mask")?;
        let first = masks[group.mask.trailing_zeros() as usize & (LANES - 1)];
        // Mostly a constant.
        let equal = sync.mask & CONSTANT != 0
            || masks.iter().fold(0, |differing, mask| differing | (mask ^ first)) == 0;
        let outside = match equal {
            true => group.mask & !first,
            false => lanes(group.mask).filter(|&i| masks[i] >> i & 1 == 0).fold(0, |m, i| m | 1u32 << i),
        };
        if outside != 0 {
            let lane = outside.trailing_zeros() as usize;
            let text = format!("lane {lane} is not in its own member mask {:#010x}", masks[lane]);
            return Err(LaneFault::new(FaultKind::BadMask(text), outside));
        }
        if matches!(sync.kind, SyncKind::Shuffle { .. }) {
            self.progress.counts.shuffles += 1;
        }
        if !equal && lanes(group.mask).any(|i| masks[i] != first) {
            let masks = *masks;
            // Disjoint subsets may synchronise in one instruction; subsets that overlap are a fault.
            for i in lanes(group.mask) {
                for j in lanes(masks[i] & group.mask) {
                    if masks[j] != masks[i] {
                        let text = format!(
                            "lanes {i} and {j} give member masks {:#010x} and {:#010x} that overlap",
                            masks[i], masks[j]
                        );
                        return Err(LaneFault::new(FaultKind::BadMask(text), 1 << i | 1 << j));
                    }
                }
            }
            warp.groups[g].state = GroupState::Sync;
            let mut rest = g;
            loop {
                let before = warp.groups.len();
                split_by(&mut warp.groups, rest, |i| u64::from(masks[i]));
                if warp.groups.len() == before {
                    break;
                }
                rest = before;
            }
            return Ok(false);
        }
        if first & warp.live == group.mask {
            let participant = Participant { group, kind: &sync.kind };
            self.execute(warp, &[participant], first, site);
            return Ok(true);
        }
        warp.groups[g].state = GroupState::Sync;
        Ok(false)
    }

    /// Executes the `.sync` instructions of waiting groups whose masks are complete.
    pub(super) fn meet(&mut self, block: &mut Block, w: usize) -> Result<(), LaneFault> {
        let (linear, warp) = (block.linear, &mut block.warps[w]);
        // Borrowed from the launch, not cloned: all jobs would write the reference count.
        let module = self.module;
        let program = module.program();
        let instruction = |pc: u32| match &program.instruction(pc).op {
            Op::WarpSync(sync) => Some(&**sync),
            _ => None,
        };
        loop {
            let mut progressed = false;
            // Lanes that wait for others which have gone into another `.sync` instruction may still meet them
            // later: the others may only need each other. It is a fault once no lane of the warp can go on.
            let mut mismatch = None;
            for g in 0..warp.groups.len() {
                let group = warp.groups[g];
                if group.state != GroupState::Sync {
                    continue;
                }
                let Some(sync) = instruction(group.pc) else { continue };
                let mask_of = |group: &LaneGroup| {
                    let sync = instruction(group.pc)?;
                    let frame = &warp.frames[group.frame as usize];
                    let (masks, _) = frame.b32(self.module.constants(), sync.mask);
                    Some((masks[group.mask.trailing_zeros() as usize], sync))
                };
                let Some((mask, _)) = mask_of(&group) else { continue };
                // The other waiting groups of the mask, and their instructions.
                let mut participants = Vec::new();
                let mut present = 0;
                for other in warp.groups.iter().filter(|o| o.state == GroupState::Sync && o.mask & mask != 0)
                {
                    let Some((its_mask, its)) = mask_of(other) else { continue };
                    if its_mask != mask || !its.kind.meets(&sync.kind) {
                        if mismatch.is_some() {
                            continue;
                        }
                        let text = format!(
                            "lanes {:#010x} wait with member mask {mask:#010x} for lanes {:#010x}, which \
                             execute another `.sync` instruction with member mask {its_mask:#010x}",
                            group.mask, other.mask
                        );
                        mismatch = Some(LaneFault::new(FaultKind::BadMask(text), group.mask));
                        continue;
                    }
                    present |= other.mask;
                    participants.push(Participant { group: *other, kind: &its.kind });
                }
                if present != mask & warp.live {
                    continue;
                }
                let site = Site { block: linear, warp: w as u32, pc: group.pc };
                self.execute(warp, &participants, mask, site);
                for group in &mut warp.groups {
                    if group.state == GroupState::Sync && group.mask & mask != 0 {
                        group.state = GroupState::Ready;
                        group.pc += 1;
                    }
                }
                progressed = true;
                break;
            }
            if !progressed {
                let stuck = warp.groups.iter().all(|group| group.state == GroupState::Sync);
                return mismatch.filter(|_| stuck).map_or(Ok(()), Err);
            }
        }
    }

    /// Executes a `.sync` operation of groups that together hold all live lanes of `mask`.
    fn execute(&mut self, warp: &mut Warp, participants: &[Participant<'_>], mask: u32, site: Site) {
        let present = participants.iter().fold(0, |m, p| m | p.group.mask);
        if O::ACTIVE {
            let orders_memory = matches!(participants[0].kind, SyncKind::Barrier);
            self.observer.warp_sync(site.block, site.warp, present, site.pc, orders_memory);
        }
        match participants[0].kind {
            SyncKind::Barrier => {}
            SyncKind::Shuffle { mode, .. } => self.shuffle(warp, participants, *mode, present, site),
            SyncKind::Vote { mode, .. } => self.vote(warp, participants, *mode, present),
            SyncKind::Match { all, wide, .. } => self.matching(warp, participants, *all, *wide, present),
            SyncKind::Redux { op, .. } => self.redux(warp, participants, *op, present),
            SyncKind::Product(product) => self.matrix_product(warp, participants, product),
            SyncKind::Elect { .. } => {
                let leader = (mask & present).trailing_zeros();
                for p in participants {
                    if let SyncKind::Elect { dest, elected } = *p.kind {
                        let frame = &mut warp.frames[p.group.frame as usize];
                        frame.set_b32(dest, &[leader; LANES], 0, p.group.mask);
                        frame.set_pred(elected, 1 << leader, 0, p.group.mask);
                    }
                }
            }
        }
    }

    /// Gathers a 32-bit operand of all groups, in `all` if there are several; lanes that do not take part are undefined.
    #[inline]
    fn gather<'w>(
        &'w self,
        warp: &'w Warp,
        participants: &[Participant<'_>],
        all: &'w mut Plane32,
        reg: impl Fn(&SyncKind) -> Reg,
    ) -> (&'w Plane32, u32) {
        if let [Participant { group: LaneGroup { mask: u32::MAX, frame, .. }, kind }] = participants {
            return warp.frames[*frame as usize].b32(self.module.constants(), reg(kind));
        }
        let mut undefined = u32::MAX;
        for p in participants {
            let frame = &warp.frames[p.group.frame as usize];
            let (value, u) = frame.b32(self.module.constants(), reg(p.kind));
            select(value, p.group.mask, all);
            undefined = undefined & !p.group.mask | u & p.group.mask;
        }
        (all, undefined)
    }

    /// What is undefined of the values that lanes give to a shuffle; lanes that do not take part are undefined.
    fn gather_undefined(&self, warp: &Warp, participants: &[Participant<'_>]) -> UndefinedBits {
        let mut all = UndefinedBits { bits: [u64::MAX; LANES], computed: 0, origin: None };
        for p in participants {
            let SyncKind::Shuffle { value, .. } = *p.kind else { continue };
            let frame = &warp.frames[p.group.frame as usize];
            let bits = frame.bits_of(self.module.constants(), (Class::B32, value));
            lanes(p.group.mask).for_each(|i| all.bits[i] = bits[i]);
            if let Some(known) = frame.undefined_bits((Class::B32, value)) {
                all.computed |= known.computed & p.group.mask;
                all.origin = all.origin.or(known.origin);
            }
        }
        all
    }

    fn shuffle(
        &self,
        warp: &mut Warp,
        participants: &[Participant<'_>],
        mode: ShuffleMode,
        present: u32,
        site: Site,
    ) {
        let (mut values, mut lanes_by, mut clamps) = ([0; LANES], [0; LANES], [0; LANES]);
        let none = crate::instruction::SINK;
        let (value, undefined) = self.gather(warp, participants, &mut values, |kind| match kind {
            SyncKind::Shuffle { value, .. } => *value,
            _ => none,
        });
        let (by, by_undefined) = self.gather(warp, participants, &mut lanes_by, |kind| match kind {
            SyncKind::Shuffle { lane, .. } => *lane,
            _ => none,
        });
        let (clamp, clamp_undefined) = self.gather(warp, participants, &mut clamps, |kind| match kind {
            SyncKind::Shuffle { clamp, .. } => *clamp,
            _ => none,
        });
        let tracked = O::TRACKS_UNDEFINED.then(|| self.gather_undefined(warp, participants));
        let Shuffled { sources, values: out, undefined: unknown, inside: valid } =
            shuffled(self.vectors, mode, value, undefined, by, clamp);
        let out_undefined = by_undefined | clamp_undefined | unknown;
        let undefined_out = tracked.map(|tracked| {
            let mut undefined_out = UndefinedBits { bits: [0; LANES], computed: 0, origin: None };
            for i in lanes(present) {
                let source = sources[i];
                undefined_out.bits[i] = tracked.bits[source as usize];
                undefined_out.computed |= (tracked.computed >> source & 1) << i;
                if present >> source & 1 == 0 {
                    undefined_out.origin =
                        Some(Origin { pc: site.pc, from: UndefinedSource::Lane, computed: Some(site.pc) });
                    undefined_out.computed |= 1 << i;
                } else {
                    undefined_out.origin = undefined_out.origin.or(tracked.origin);
                }
            }
            undefined_out
        });
        for p in participants {
            if let SyncKind::Shuffle { dest, valid: flag, .. } = *p.kind {
                let frame = &mut warp.frames[p.group.frame as usize];
                frame.set_b32(dest, &out, out_undefined, p.group.mask);
                frame.set_pred(flag, valid, by_undefined | clamp_undefined, p.group.mask);
                if let Some(UndefinedBits { bits, computed, origin }) = &undefined_out
                    && out_undefined & p.group.mask != 0
                {
                    frame.set_undefined(
                        (Class::B32, dest),
                        bits,
                        out_undefined & p.group.mask,
                        *computed,
                        *origin,
                    );
                }
            }
        }
    }

    fn vote(&self, warp: &mut Warp, participants: &[Participant<'_>], mode: VoteMode, present: u32) {
        let (mut votes, mut undefined) = (0, 0);
        for p in participants {
            if let SyncKind::Vote { value, negated, .. } = *p.kind {
                let (v, u) = warp.frames[p.group.frame as usize].pred(value);
                votes |= if negated { !v } else { v } & p.group.mask;
                undefined |= u & p.group.mask;
            }
        }
        let result = match mode {
            VoteMode::All => votes == present,
            VoteMode::Any => votes != 0,
            VoteMode::Uniform => votes == present || votes == 0,
            VoteMode::Ballot => false,
        };
        let all = |bit: bool| if bit { u32::MAX } else { 0 };
        for p in participants {
            if let SyncKind::Vote { dest, .. } = *p.kind {
                let frame = &mut warp.frames[p.group.frame as usize];
                if mode == VoteMode::Ballot {
                    frame.set_b32(dest, &[votes; LANES], all(undefined != 0), p.group.mask);
                } else {
                    frame.set_pred(dest, all(result), all(undefined != 0), p.group.mask);
                }
            }
        }
    }

    fn matching(
        &self,
        warp: &mut Warp,
        participants: &[Participant<'_>],
        all: bool,
        wide: bool,
        present: u32,
    ) {
        let mut values: Plane64 = [0; LANES];
        let mut undefined = 0;
        for p in participants {
            let SyncKind::Match { value, .. } = *p.kind else { continue };
            let frame = &warp.frames[p.group.frame as usize];
            let u = if wide {
                let (v, u) = frame.b64(self.module.constants(), value);
                lanes(p.group.mask).for_each(|i| values[i] = v[i]);
                u
            } else {
                let (v, u) = frame.b32(self.module.constants(), value);
                lanes(p.group.mask).for_each(|i| values[i] = u64::from(v[i]));
                u
            };
            undefined |= u & p.group.mask;
        }
        let same =
            |i: usize| lanes(present).filter(|&j| values[j] == values[i]).fold(0, |m, j| m | 1u32 << j);
        let (mut out, mut valid) = ([0; LANES], 0);
        for i in lanes(present) {
            let set = same(i);
            out[i] = if all && set != present { 0 } else { set };
            valid |= u32::from(set == present) << i;
        }
        let undefined = if undefined != 0 { u32::MAX } else { 0 };
        for p in participants {
            if let SyncKind::Match { dest, valid: flag, .. } = *p.kind {
                let frame = &mut warp.frames[p.group.frame as usize];
                frame.set_b32(dest, &out, undefined, p.group.mask);
                frame.set_pred(flag, valid, undefined, p.group.mask);
            }
        }
    }

    fn redux(&self, warp: &mut Warp, participants: &[Participant<'_>], op: ReduxOp, present: u32) {
        let mut all = [0; LANES];
        let (values, undefined) = self.gather(warp, participants, &mut all, |kind| match kind {
            SyncKind::Redux { value, .. } => *value,
            _ => crate::instruction::FALSE,
        });
        // A single float is combined with itself, so that its sign and NaN come out as the operation defines.
        let alone =
            matches!(op, ReduxOp::Extreme { .. }).then(|| values[present.trailing_zeros() as usize & 31]);
        let members = lanes(present).map(|i| values[i]).chain(alone);
        let result = members.reduce(|a, b| match op {
            ReduxOp::Add => a.wrapping_add(b),
            ReduxOp::MinU => a.min(b),
            ReduxOp::MaxU => a.max(b),
            ReduxOp::MinS => (a as i32).min(b as i32) as u32,
            ReduxOp::MaxS => (a as i32).max(b as i32) as u32,
            ReduxOp::And => a & b,
            ReduxOp::Or => a | b,
            ReduxOp::Xor => a ^ b,
            ReduxOp::Extreme { greatest, abs, nan } => {
                let [a, b] = [a, b].map(|v| if abs { v & !SIGN32 } else { v }.into());
                Format::F32.extreme(a, b, greatest, nan) as u32
            }
        });
        let undefined = if undefined & present != 0 { u32::MAX } else { 0 };
        for p in participants {
            if let SyncKind::Redux { dest, .. } = *p.kind {
                let frame = &mut warp.frames[p.group.frame as usize];
                frame.set_b32(dest, &[result.unwrap_or(0); LANES], undefined, p.group.mask);
            }
        }
    }
}

/// What a shuffle gives to each lane.
#[derive(Debug, PartialEq)]
struct Shuffled {
    sources: Plane32,
    values: Plane32,
    undefined: u32,
    /// The lanes whose source is in their segment.
    inside: u32,
}

vectorized! {
    fn shuffled(
        mode: ShuffleMode,
        value: &Plane32,
        undefined: u32,
        by: &Plane32,
        clamp: &Plane32,
    ) -> Shuffled {
        // A loop for each mode, so that none decides in each lane.
        match mode {
            ShuffleMode::Up => exchanged(value, undefined, by, clamp, |i, by, clamp| {
                shuffle_source(ShuffleMode::Up, i, by, clamp)
            }),
            ShuffleMode::Down => exchanged(value, undefined, by, clamp, |i, by, clamp| {
                shuffle_source(ShuffleMode::Down, i, by, clamp)
            }),
            ShuffleMode::Butterfly => exchanged(value, undefined, by, clamp, |i, by, clamp| {
                shuffle_source(ShuffleMode::Butterfly, i, by, clamp)
            }),
            ShuffleMode::Index => exchanged(value, undefined, by, clamp, |i, by, clamp| {
                shuffle_source(ShuffleMode::Index, i, by, clamp)
            }),
        }
    }
}

#[inline(always)]
fn exchanged(
    value: &Plane32,
    undefined: u32,
    by: &Plane32,
    clamp: &Plane32,
    source_of: impl Fn(u32, u32, u32) -> (u32, bool),
) -> Shuffled {
    let mut out = Shuffled { sources: [0; LANES], values: [0; LANES], undefined: 0, inside: 0 };
    // Apart from the mask that is made of it, so that the compiler makes vectors of this loop.
    let mut flags = [0; LANES];
    for i in 0..LANES {
        let (source, inside) = source_of(i as u32, by[i], clamp[i]);
        out.sources[i] = source;
        flags[i] = u32::from(inside);
    }
    out.inside = flags.iter().enumerate().fold(0, |mask, (i, flag)| mask | flag << i);
    for i in 0..LANES {
        out.values[i] = value[out.sources[i] as usize & (LANES - 1)];
    }
    if undefined != 0 {
        for i in 0..LANES {
            out.undefined |= (undefined >> (out.sources[i] & 31) & 1) << i;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::vectors::testing::{Random, in_both};
    use super::*;

    #[test]
    fn shuffles_are_the_same_in_all_vector_instructions() {
        let mut random = Random(1);
        let modes = [ShuffleMode::Up, ShuffleMode::Down, ShuffleMode::Butterfly, ShuffleMode::Index];
        for round in 0..20_000 {
            let mode = modes[round % 4];
            let [value, by, clamp] = [(); 3].map(|()| random.plane().map(|value| value as u32));
            let undefined = if random.below(2) == 0 { 0 } else { random.mask() };
            let all = in_both(&(mode, by, clamp), |vectors| {
                shuffled(vectors, mode, &value, undefined, &by, &clamp)
            });
            for i in 0..LANES {
                let (source, is_inside) = shuffle_source(mode, i as u32, by[i], clamp[i]);
                assert_eq!((all.sources[i], all.inside >> i & 1), (source, u32::from(is_inside)), "{mode:?}");
                assert_eq!(all.values[i], value[source as usize & (LANES - 1)], "{mode:?}");
                assert_eq!(all.undefined >> i & 1, undefined >> (source & 31) & 1, "{mode:?}");
            }
        }
    }
}
