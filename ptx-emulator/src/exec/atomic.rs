//! Atomic read-modify-writes.

use super::access::bits_of_bytes;
use super::lanes::lanes;
use super::run::{LaneFault, Run, Site};
use super::state::{Frame, Warp};
use super::transfer::{AccessAttributes, aligned, lanes_of_first_space, outside_window};
use super::undefined::Class;
use crate::instruction::{Atomic, AtomicOp, Reg, SINK};
use crate::memory::MemoryModel;
use crate::module::Constants;
use crate::observer::{AccessKind, Observer, Origin, UndefinedBytes};
use crate::semantics::float::{canon32, canon64, flush32};
use crate::semantics::{LANES, Plane64};
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
        let known = self.origin.unwrap_or(Origin { pc, memory: true, computed: None });
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
        let constants = self.module.constants();
        let Warp { frames, local, .. } = warp;
        let frame = &mut frames[frame as usize];
        let mut addresses = [0; LANES];
        self.addresses(frame, constants, &atomic.address, active, &mut addresses)?;
        let operand = |reg: Reg| {
            if T < 8 {
                let (v, u) = frame.b32(constants, reg);
                (v.map(u128::from), u)
            } else {
                let (low, u) = frame.b64(constants, reg);
                let mut all = low.map(u128::from);
                if T < 16 {
                    return (all, u);
                }
                let (high, v) = frame.b64(constants, reg + 1);
                all.iter_mut().zip(high).for_each(|(all, &high)| *all |= u128::from(high) << 64);
                (all, u | v)
            }
        };
        let ((a, u), (b, v)) = (operand(atomic.a), operand(atomic.b));
        // Where undefined values are tracked, words may be exchanged of which some bytes are undefined: so LLVM updates
        // one or two bytes atomically.
        let exchanges = matches!(atomic.op, AtomicOp::Cas | AtomicOp::Exchange);
        if !(O::TRACKS_UNDEFINED && exchanges) {
            self.defined(u | v, active, "an atomic")?;
        }
        let fresh = |space, old: u128, i: usize| match (T, atomic.op) {
            (16, AtomicOp::Cas) => {
                if old == a[i] {
                    b[i]
                } else {
                    old
                }
            }
            (16, _) => a[i],
            _ => apply(atomic.op, T as u32, space, old as u64, a[i] as u64, b[i] as u64).into(),
        };
        let attributes = AccessAttributes { order: atomic.order, scope: atomic.scope, site };
        self.progress.counts.atomics += u64::from(active.count_ones());
        let mut before = UndefinedBytes::default();
        let mut olds = [0u128; LANES];
        let mut old_undefined = 0;
        let mut rest = active;
        while rest != 0 {
            let in_space = lanes_of_first_space(atomic.address.space, &mut addresses, rest);
            rest &= !in_space.lanes;
            aligned(&addresses, in_space.lanes, usize::from(atomic.align))?;
            self.prepare_atomic::<T>(in_space.space, &addresses, in_space.lanes)?;
            if O::TRACKS_UNDEFINED && in_space.space != Space::Local {
                let seen = attributes.seen(AccessKind::Atomic, in_space.space, &addresses, in_space.lanes, T);
                if let Some(undefined) = self.observer.load_undefined(&seen) {
                    before.merge(&undefined, in_space.lanes);
                }
            }
            for i in self.lane_order(in_space.lanes) {
                if in_space.space == Space::Local {
                    let at = addresses[i];
                    if at >= local.size() || local.size() - at < T as u64 {
                        return Err(outside_window(Space::Local, at, T, local.size(), i));
                    }
                    let size = T.min(8) as u32;
                    for k in (0..T as u64).step_by(8) {
                        let (old, undefined) = local.read(i, at + k, size);
                        olds[i] |= u128::from(old) << (8 * k);
                        old_undefined |= u32::from(undefined) << i;
                    }
                    let value = fresh(in_space.space, olds[i], i);
                    for k in (0..T as u64).step_by(8) {
                        let undefined = old_undefined >> i & 1 != 0;
                        local.write(i, at + k, size, (value >> (8 * k)) as u64, undefined);
                    }
                    continue;
                }
                let old = &mut olds[i];
                let mut update = |bytes: &mut [u8]| {
                    let mut word = [0; 16];
                    word[..T].copy_from_slice(bytes);
                    *old = u128::from_le_bytes(word);
                    bytes.copy_from_slice(&fresh(in_space.space, *old, i).to_le_bytes()[..T]);
                };
                self.update_lane::<T>(shared, in_space.space, addresses[i], i, attributes, &mut update)?;
                if O::ACTIVE && (atomic.op != AtomicOp::Cas || olds[i] == a[i]) {
                    self.observer.atomic_stored(&attributes.event(in_space.space, addresses[i], T, i));
                }
            }
            if O::TRACKS_UNDEFINED && in_space.space != Space::Local {
                let stored = lanes(in_space.lanes)
                    .filter(|&i| atomic.op != AtomicOp::Cas || olds[i] == a[i])
                    .fold(0, |m, i| m | 1u32 << i);
                let new = match exchanges {
                    true => {
                        let reg = if atomic.op == AtomicOp::Cas { atomic.b } else { atomic.a };
                        undefined_operand::<T>(frame, constants, reg)
                    }
                    false => before.after_update(T, site.pc),
                };
                let seen = attributes.seen(AccessKind::Atomic, in_space.space, &addresses, stored, T);
                let any = lanes(stored).any(|i| new.bytes[i] != 0);
                self.observer.store_undefined(&seen, any.then_some(&new));
            }
        }
        if T < 8 {
            frame.set_b32(atomic.dest, &olds.map(|v| v as u32), old_undefined, active);
        } else {
            frame.set_b64(atomic.dest, &olds.map(|v| v as u64), old_undefined, active);
        }
        if O::TRACKS_UNDEFINED && T <= 8 && atomic.dest != SINK && before.bytes != [0; LANES] {
            let class = if T < 8 { Class::B32 } else { Class::B64 };
            let bits: Plane64 = std::array::from_fn(|i| bits_of_bytes(before.bytes[i]));
            frame.set_undefined((class, atomic.dest), &bits, active, before.computed, before.origin);
        }
        if T == 16 && atomic.dest != SINK {
            frame.set_b64(atomic.dest + 1, &olds.map(|v| (v >> 64) as u64), old_undefined, active);
        }
        Ok(())
    }
}
