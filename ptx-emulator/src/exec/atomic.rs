//! Atomic read-modify-writes.

use super::row::{Manner, first_part, outside_window};
use super::state::Warp;
use super::{Run, Trouble, Who};
use crate::memory::MemoryModel;
use crate::observer::Observer;
use crate::op::{Atomic, AtomicOp};
use crate::semantics::LANES;
use crate::semantics::float::{canon32, canon64};
use crate::text::types::Space;

/// The new value of `size` bytes that held `old`.
pub(crate) fn apply(op: AtomicOp, size: u32, old: u64, a: u64, b: u64) -> u64 {
    let signed = |v: u64| if size == 4 { i64::from(v as i32) } else { v as i64 };
    match op {
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

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    pub(super) fn atomic(
        &mut self,
        warp: &mut Warp,
        shared: &mut [u8],
        frame: u32,
        atomic: &Atomic,
        active: u32,
        who: Who,
    ) -> Result<(), Trouble> {
        match atomic.ty.size() {
            2 => self.atomic_sized::<2>(warp, shared, frame, atomic, active, who),
            4 => self.atomic_sized::<4>(warp, shared, frame, atomic, active, who),
            _ => self.atomic_sized::<8>(warp, shared, frame, atomic, active, who),
        }
    }

    fn atomic_sized<const T: usize>(
        &mut self,
        warp: &mut Warp,
        shared: &mut [u8],
        frame: u32,
        atomic: &Atomic,
        active: u32,
        who: Who,
    ) -> Result<(), Trouble> {
        let constants = self.module.constants();
        let Warp { frames, local, .. } = warp;
        let frame = &mut frames[frame as usize];
        let mut addresses = [0; LANES];
        self.addresses(frame, constants, &atomic.address, active, &mut addresses)?;
        let operand = |reg| {
            if T == 8 {
                let (v, u) = frame.double(constants, reg);
                (*v, u)
            } else {
                let (v, u) = frame.word(constants, reg);
                (v.map(u64::from), u)
            }
        };
        let ((a, u), (b, v)) = (operand(atomic.a), operand(atomic.b));
        self.defined(u | v, active, "an atomic")?;
        let manner = Manner { order: atomic.order, scope: atomic.scope, who };
        self.progress.counts.atomics += u64::from(active.count_ones());
        let mut olds = [0u64; LANES];
        let mut old_undefined = 0;
        let mut rest = active;
        while rest != 0 {
            let part = first_part(atomic.address.space, &mut addresses, rest);
            rest &= !part.lanes;
            self.prepare_atomic::<T>(part.space, &addresses, part.lanes)?;
            for i in self.lane_order(part.lanes) {
                if part.space == Space::Local {
                    let at = addresses[i];
                    if at >= local.size() || local.size() - at < T as u64 {
                        return Err(outside_window("local", at, T, local.size(), i));
                    }
                    let (old, undefined) = local.read(i, at, T as u32);
                    olds[i] = old;
                    old_undefined |= u32::from(undefined) << i;
                    local.write(i, at, T as u32, apply(atomic.op, T as u32, old, a[i], b[i]), undefined);
                    continue;
                }
                let (old, x, y) = (&mut olds[i], a[i], b[i]);
                let mut update = |bytes: &mut [u8]| {
                    let mut word = [0; 8];
                    word[..T].copy_from_slice(bytes);
                    *old = u64::from_le_bytes(word);
                    bytes.copy_from_slice(&apply(atomic.op, T as u32, *old, x, y).to_le_bytes()[..T]);
                };
                self.update_row::<T>(shared, part.space, addresses[i], i, manner, &mut update)?;
            }
        }
        if T == 8 {
            frame.set_double(atomic.dest, &olds, old_undefined, active);
        } else {
            frame.set_word(atomic.dest, &olds.map(|v| v as u32), old_undefined, active);
        }
        Ok(())
    }
}
