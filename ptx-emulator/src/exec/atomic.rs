//! Atomic read-modify-writes.

use super::access::{bits_of_bytes, inside_local};
use super::lanes::{LaneOrder, lanes};
use super::run::{LaneFault, Run, Site};
use super::state::{Frame, Warp};
use super::transfer::{AccessAttributes, SpaceLanes, one_allocation, window_mut, writable};
use crate::instruction::{Atomic, AtomicOp, Reg, SINK};
use crate::memory::MemoryModel;
use crate::memory::lane::LaneMemory;
use crate::module::Constants;
use crate::observer::{AccessKind, Observer, Origin, UndefinedBytes, UndefinedSource};
use crate::registers::Class;
use crate::semantics::float::{canon32, canon64, flush32};
use crate::semantics::{LANES, Narrow, Plane64, Widen};
use crate::text::types::Space;

/// The new value of an atomic on up to eight bytes that hold `old`.
fn apply(op: AtomicOp, size: u32, space: Space, old: u64, a: u64, b: u64) -> u64 {
    let signed = |v: u64| if size == 4 { i64::from(v as i32) } else { v as i64 };
    match op {
        AtomicOp::Float(arith) => arith.lane(old, a, a),
        // As on hardware, additions in global memory flush subnormal operands and results; those in shared
        // memory do not.
        AtomicOp::AddF if size == 4 && space == Space::Global => {
            let sum = f32::from_bits(flush32(old as u32)) + f32::from_bits(flush32(a as u32));
            u64::from(flush32(canon32(sum)))
        }
        AtomicOp::Add => old.wrapping_add(a),
        AtomicOp::AddF if size == 4 => {
            u64::from(canon32(f32::from_bits(old as u32) + f32::from_bits(a as u32)))
        }
        AtomicOp::AddF => canon64(f64::from_bits(old) + f64::from_bits(a)),
        // Wraps to zero at the limit, and from zero to the limit.
        AtomicOp::Inc => {
            if old >= a {
                0
            } else {
                old + 1
            }
        }
        AtomicOp::Dec => {
            if old == 0 || old > a {
                a
            } else {
                old - 1
            }
        }
        AtomicOp::And => old & a,
        AtomicOp::Or => old | a,
        AtomicOp::Xor => old ^ a,
        AtomicOp::MinU => old.min(a),
        AtomicOp::MaxU => old.max(a),
        AtomicOp::MinS => signed(old).min(signed(a)) as u64,
        AtomicOp::MaxS => signed(old).max(signed(a)) as u64,
        AtomicOp::Exchange => a,
        AtomicOp::Cas => {
            if old == a {
                b
            } else {
                old
            }
        }
    }
}

/// A word of up to 16 bytes in each lane.
#[derive(Clone, Copy)]
struct Words {
    low: Plane64,
    high: Plane64,
}

impl Words {
    const ZERO: Words = Words { low: [0; LANES], high: [0; LANES] };

    fn get(&self, lane: usize) -> u128 {
        u128::from(self.low[lane]) | u128::from(self.high[lane]) << 64
    }

    fn set(&mut self, lane: usize, value: u128) {
        (self.low[lane], self.high[lane]) = (value as u64, (value >> 64) as u64);
    }
}

/// An atomic while it is executed: its operands, and what it has read.
struct Update<'a> {
    atomic: &'a Atomic,
    a: Words,
    b: Words,
    olds: Words,
    /// The lanes in which any of what was read from local memory is undefined; what was undefined in other memory, where
    /// that is tracked.
    undefined: u32,
    before: UndefinedBytes,
}

impl Update<'_> {
    /// Whether it stores an operand as it is.
    fn exchanges(&self) -> bool {
        matches!(self.atomic.op, AtomicOp::Cas | AtomicOp::Exchange)
    }

    /// The new value of `T` bytes of a lane that hold `old`, which it remembers.
    #[inline]
    fn apply<const T: usize>(&mut self, space: Space, lane: usize, old: u128) -> u128 {
        self.olds.set(lane, old);
        match (T, self.atomic.op) {
            (16, AtomicOp::Cas) if old == self.a.get(lane) => self.b.get(lane),
            (16, AtomicOp::Cas) => old,
            (16, _) => self.a.get(lane),
            (_, op) => apply(op, T as u32, space, old as u64, self.a.low[lane], self.b.low[lane]).into(),
        }
    }

    /// Whether a lane that has executed it has stored a value.
    fn has_stored(&self, lane: usize) -> bool {
        self.atomic.op != AtomicOp::Cas || self.olds.get(lane) == self.a.get(lane)
    }
}

/// The undefined bytes of an operand of an exchange.
fn undefined_operand<const T: usize>(frame: &Frame, constants: &Constants, reg: Reg) -> UndefinedBytes {
    let mut undefined = UndefinedBytes::default();
    let register = (if T < 8 { Class::B32 } else { Class::B64 }, reg);
    if T > 8 || frame.undefined_lanes(constants, register) == 0 {
        return undefined;
    }
    let bits = frame.bits_of(constants, register);
    for (bytes, bits) in undefined.bytes.iter_mut().zip(bits) {
        *bytes = (0..T).filter(|byte| bits >> (8 * byte) & 0xff != 0).fold(0, |m, byte| m | 1 << byte);
    }
    if let Some(known) = frame.undefined_bits(register) {
        (undefined.computed, undefined.origin) = (known.computed, known.origin);
    }
    undefined
}

impl UndefinedBytes {
    /// Adds what is known of other lanes.
    fn merge(&mut self, other: &UndefinedBytes, mask: u32) {
        lanes(mask).for_each(|i| self.bytes[i] = other.bytes[i]);
        self.computed |= other.computed & mask;
        self.origin = self.origin.or(other.origin);
    }

    /// What is undefined of a word of so many bytes once an atomic operation has computed with it.
    fn after_update(&self, size: usize, pc: u32) -> UndefinedBytes {
        let all = ((1u64 << size) - 1) as u32;
        let bytes = self.bytes.map(|bytes| if bytes != 0 { all } else { 0 });
        let known = self.origin.unwrap_or(Origin { pc, from: UndefinedSource::Memory, computed: None });
        let origin = Some(Origin { computed: known.computed.or(Some(pc)), ..known });
        UndefinedBytes { bytes, computed: u32::MAX, origin }
    }
}

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    pub(super) fn atomic(
        &mut self,
        warp: &mut Warp,
        shared: &mut [u8],
        frame: u32,
        atomic: &Atomic,
        active: u32,
        site: Site,
    ) -> Result<(), LaneFault> {
        match atomic.ty.size() {
            2 => self.atomic_sized::<2>(warp, shared, frame, atomic, active, site),
            4 => self.atomic_sized::<4>(warp, shared, frame, atomic, active, site),
            16 => self.atomic_sized::<16>(warp, shared, frame, atomic, active, site),
            _ => self.atomic_sized::<8>(warp, shared, frame, atomic, active, site),
        }
    }

    fn atomic_sized<const T: usize>(
        &mut self,
        warp: &mut Warp,
        shared: &mut [u8],
        frame: u32,
        atomic: &Atomic,
        active: u32,
        site: Site,
    ) -> Result<(), LaneFault> {
        let Warp { frames, local, .. } = warp;
        let frame = &mut frames[frame as usize];
        let mut at = [0; LANES];
        let mut addresses = self.addresses(frame, &atomic.address, active, T, &mut at)?;
        let [(a, undefined), (b, more)] = [atomic.a, atomic.b].map(|reg| self.operand::<T>(frame, reg));
        let before = UndefinedBytes::default();
        let mut update = Update { atomic, a, b, olds: Words::ZERO, undefined: 0, before };
        // Where undefined values are tracked, words may be exchanged of which some bytes are undefined: so LLVM updates
        // one or two bytes atomically.
        if !(O::TRACKS_UNDEFINED && update.exchanges()) {
            self.defined(undefined | more, active, "an atomic")?;
        }
        self.progress.counts.atomics += u64::from(active.count_ones());
        while let Some(in_space) = addresses.next(self.vectors) {
            in_space.aligned(addresses.at, usize::from(atomic.align))?;
            self.count_access::<T>(&in_space, addresses.at);
            if in_space.space == Space::Local {
                self.update_local::<T>(local, &in_space, addresses.at, &mut update)?;
                continue;
            }
            let order = self.lane_order(in_space.lanes);
            if self.update_together::<T>(shared, &in_space, addresses.at, order.clone(), &mut update)? {
                continue;
            }
            self.update_lanes::<T>(shared, (&in_space, addresses.at), order, site, frame, &mut update)?;
        }
        write_results::<T>(frame, &update, active);
        if O::TRACKS_UNDEFINED && T <= 8 && atomic.dest != SINK && update.before.bytes != [0; LANES] {
            let class = if T < 8 { Class::B32 } else { Class::B64 };
            let before = &update.before;
            let bits: Plane64 = std::array::from_fn(|i| bits_of_bytes(before.bytes[i]));
            frame.set_undefined((class, atomic.dest), &bits, active, before.computed, before.origin);
        }
        Ok(())
    }

    /// An operand of `T` bytes in each lane, and the lanes in which it is undefined.
    fn operand<const T: usize>(&self, frame: &Frame, reg: Reg) -> (Words, u32) {
        let constants = self.module.constants();
        let mut words = Words::ZERO;
        if T < 8 {
            let (value, undefined) = frame.b32(constants, reg);
            Widen::Zext.planes(value, &mut words.low);
            return (words, undefined);
        }
        let (low, undefined) = frame.b64(constants, reg);
        words.low = *low;
        if T == 8 {
            return (words, undefined);
        }
        let (high, more) = frame.b64(constants, reg + 1);
        words.high = *high;
        (words, undefined | more)
    }

    fn update_local<const T: usize>(
        &mut self,
        local: &mut LaneMemory,
        in_space: &SpaceLanes,
        addresses: &Plane64,
        update: &mut Update<'_>,
    ) -> Result<(), LaneFault> {
        let mut changed = false;
        for i in self.lane_order(in_space.lanes) {
            let at = inside_local(local, addresses[i], T, i)?;
            let size = T.min(8) as u32;
            let mut old = 0;
            for k in (0..T as u64).step_by(8) {
                let (part, undefined) = local.read(i, at + k, size);
                old |= u128::from(part) << (8 * k);
                update.undefined |= u32::from(undefined) << i;
            }
            let value = update.apply::<T>(in_space.space, i, old);
            changed |= value != old;
            for k in (0..T as u64).step_by(8) {
                let undefined = update.undefined >> i & 1 != 0;
                local.write(i, at + k, size, (value >> (8 * k)) as u64, undefined);
            }
        }
        if O::ACTIVE {
            match changed {
                true => self.observer.progress(),
                false if update.exchanges() => self.observer.waits(),
                false => {}
            }
        }
        Ok(())
    }

    /// Executes an atomic of up to 8 bytes that nobody observes. Lanes that follow each other in `order` and update the same
    /// word do so in one atomic of the host: as if no other thread had come between them. Returns false, and does nothing,
    /// if that is not possible.
    fn update_together<const T: usize>(
        &mut self,
        shared: &mut [u8],
        in_space: &SpaceLanes,
        addresses: &Plane64,
        order: LaneOrder,
        update: &mut Update<'_>,
    ) -> Result<bool, LaneFault> {
        if O::ACTIVE || !M::PLAIN || T > 8 {
            return Ok(false);
        }
        let space = in_space.space;
        let whole = match space {
            Space::Global => {
                one_allocation::<T>(self.vectors, &self.memory, in_space, addresses, &mut self.near)
            }
            Space::Shared => None,
            _ => return Ok(false),
        };
        match whole {
            Some(a) if !(a.region.address() + (in_space.pattern.first - a.base)).is_multiple_of(T as u64) => {
                return Ok(false);
            }
            // As the first lane would find.
            Some(a) => writable(a, 1 << order.clone().next().unwrap_or(0))?,
            None if space == Space::Global => return Ok(false),
            None => {}
        }
        let mut numbers = [0u8; LANES];
        let mut count = 0;
        for lane in order {
            numbers[count] = lane as u8;
            count += 1;
        }
        let mut rest = &numbers[..count];
        while let [first, ..] = rest {
            let address = addresses[usize::from(*first)];
            let same = rest.iter().take_while(|&&i| addresses[usize::from(i)] == address).count();
            let (lanes, others) = rest.split_at(same);
            rest = others;
            let mut all = |old: u64| {
                let apply = |old, &lane: &u8| update.apply::<T>(space, lane.into(), old);
                lanes.iter().fold(u128::from(old), apply) as u64
            };
            match whole {
                Some(a) => {
                    a.region.update_word::<T>((address - a.base) as usize, all);
                }
                None => {
                    let bytes = window_mut::<T>(shared, address, space, lanes[0].into())?;
                    let mut word = [0; 8];
                    word[..T].copy_from_slice(bytes);
                    bytes.copy_from_slice(&all(u64::from_le_bytes(word)).to_le_bytes()[..T]);
                }
            }
        }
        Ok(true)
    }

    /// Executes an atomic lane by lane, with the memory model and the observer.
    fn update_lanes<const T: usize>(
        &mut self,
        shared: &mut [u8],
        (in_space, addresses): (&SpaceLanes, &Plane64),
        order: LaneOrder,
        site: Site,
        frame: &Frame,
        update: &mut Update<'_>,
    ) -> Result<(), LaneFault> {
        let SpaceLanes { space, lanes: mask, .. } = *in_space;
        let atomic = update.atomic;
        let attributes = AccessAttributes { order: atomic.order, scope: atomic.scope, site };
        if O::TRACKS_UNDEFINED {
            let seen = attributes.seen(AccessKind::Atomic, space, addresses, mask, T);
            if let Some(undefined) = self.observer.load_undefined(&seen) {
                update.before.merge(&undefined, mask);
            }
        }
        for i in order {
            let mut in_bytes = |bytes: &mut [u8]| {
                let mut word = [0; 16];
                word[..T].copy_from_slice(bytes);
                let new = update.apply::<T>(space, i, u128::from_le_bytes(word));
                bytes.copy_from_slice(&new.to_le_bytes()[..T]);
            };
            self.update_lane::<T>(shared, space, addresses[i], i, attributes, &mut in_bytes)?;
            if O::ACTIVE && update.has_stored(i) {
                self.observer.atomic_stored(&attributes.event(space, addresses[i], T, i));
            }
        }
        if O::TRACKS_UNDEFINED {
            let stored = lanes(mask).filter(|&i| update.has_stored(i)).fold(0, |m, i| m | 1u32 << i);
            let new = if update.exchanges() {
                let reg = if atomic.op == AtomicOp::Cas { atomic.b } else { atomic.a };
                undefined_operand::<T>(frame, self.module.constants(), reg)
            } else {
                update.before.after_update(T, site.pc)
            };
            let seen = attributes.seen(AccessKind::Atomic, space, addresses, stored, T);
            let any = lanes(stored).any(|i| new.bytes[i] != 0);
            self.observer.store_undefined(&seen, any.then_some(&new));
        }
        Ok(())
    }
}

/// Writes what an atomic has read to its destination.
fn write_results<const T: usize>(frame: &mut Frame, update: &Update<'_>, active: u32) {
    let (dest, Words { low, high }) = (update.atomic.dest, &update.olds);
    if dest == SINK {
        return;
    }
    if T < 8 {
        let mut words = [0; LANES];
        Narrow::Low.planes(low, &mut words);
        frame.set_b32(dest, &words, update.undefined, active);
    } else {
        frame.set_b64(dest, low, update.undefined, active);
    }
    if T == 16 {
        frame.set_b64(dest + 1, high, update.undefined, active);
    }
}
