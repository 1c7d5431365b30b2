//! Moving bytes between lanes and memory, and counting what the hardware would move.

use std::sync::atomic::{Ordering, fence};

use super::lanes::{LaneOrder, from_lane, lanes};
use super::run::{Run, Trouble, Who};
use crate::fault::FaultKind;
use crate::memory::address_space::classify;
use crate::memory::global::{Allocation, GlobalMemory, Purpose};
use crate::memory::{MemoryEvent, MemoryModel};
use crate::memory::{MemoryOrder, Scope};
use crate::observer::{AccessKind, Observer};
use crate::semantics::{LANES, Plane64};
use crate::text::types::Space;

/// The bytes of an access, lane by lane.
pub(super) type Rows<const T: usize> = [[u8; T]; LANES];

/// What all lanes of an access have in common.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    pub order: MemoryOrder,
    pub scope: Scope,
    pub who: Who,
}

/// Lanes whose addresses lie in one space; the addresses are offsets there.
pub(super) struct Part {
    pub space: Space,
    pub lanes: u32,
}

/// Turns generic addresses into offsets of one space. Lanes in other spaces are left for later.
pub(super) fn first_part(space: Space, addresses: &mut Plane64, mask: u32) -> Part {
    if space == Space::Const {
        return Part { space: Space::Global, lanes: mask };
    }
    if space != Space::Generic {
        return Part { space, lanes: mask };
    }
    let address = addresses[mask.trailing_zeros() as usize & (LANES - 1)];
    let (first, offset) = classify(address);
    // Windows are 4 GiB long and aligned: lanes that agree in the upper half are in one.
    let mut other = 0;
    for (i, a) in addresses.iter().enumerate() {
        other |= if mask >> i & 1 != 0 { (a ^ address) >> 32 } else { 0 };
    }
    if other == 0 {
        for a in addresses.iter_mut() {
            *a = a.wrapping_sub(address - offset);
        }
        return Part { space: first, lanes: mask };
    }
    let mut part = Part { space: first, lanes: 0 };
    for i in lanes(mask) {
        let (space, offset) = classify(addresses[i]);
        if space == first {
            addresses[i] = offset;
            part.lanes |= 1 << i;
        }
    }
    part
}

/// Fails if an address is not a multiple of `size`.
#[inline]
pub(super) fn aligned(addresses: &Plane64, mask: u32, size: usize) -> Result<(), Trouble> {
    let mut bits = 0;
    for (i, address) in addresses.iter().enumerate() {
        bits |= if mask >> i & 1 != 0 { *address } else { 0 };
    }
    if bits & (size as u64 - 1) == 0 { Ok(()) } else { Err(misaligned(addresses, mask, size)) }
}

#[cold]
fn misaligned(addresses: &Plane64, mask: u32, size: usize) -> Trouble {
    let odd =
        lanes(mask).filter(|&i| !addresses[i].is_multiple_of(size as u64)).fold(0, |m, i| m | 1u32 << i);
    let address = addresses[odd.trailing_zeros() as usize];
    let text = format!("an access of {size} bytes at {address:#x}, which is not a multiple of {size}");
    Trouble::new(FaultKind::Misaligned(text), odd)
}

/// Lowest and highest address of the lanes.
#[inline]
fn extent(addresses: &Plane64, mask: u32) -> (u64, u64) {
    let (mut least, mut most) = (u64::MAX, 0);
    for (i, &address) in addresses.iter().enumerate() {
        let active = mask >> i & 1 != 0;
        least = least.min(if active { address } else { u64::MAX });
        most = most.max(if active { address } else { 0 });
    }
    (least, most)
}

/// Whether lane i accesses the bytes right after those of lane i-1.
#[inline]
fn consecutive<const T: usize>(addresses: &Plane64, mask: u32) -> bool {
    if mask != u32::MAX {
        return false;
    }
    let first = addresses[0];
    let mut off = 0;
    for (i, address) in addresses.iter().enumerate() {
        off |= address.wrapping_sub(first) ^ (i * T) as u64;
    }
    // A row that wraps around the address space is none.
    off == 0 && first <= addresses[LANES - 1]
}

#[cold]
fn outside(memory: &GlobalMemory, address: u64, size: usize, lane: usize) -> Trouble {
    let place = memory.describe(address);
    let text = format!("an access of {size} bytes of global memory at {address:#x}, {place}");
    Trouble::new(FaultKind::OutOfBounds(text), 1 << lane)
}

#[cold]
pub(super) fn outside_window(space: &str, address: u64, size: usize, limit: u64, lane: usize) -> Trouble {
    let text =
        format!("an access of {size} bytes of {space} memory at offset {address:#x}; it has {limit} bytes");
    Trouble::new(FaultKind::OutOfBounds(text), 1 << lane)
}

/// Distinct 32-byte sectors. Accesses are aligned to their size, which is at most a sector.
#[inline]
pub(super) fn sectors(addresses: &Plane64, mask: u32) -> u64 {
    let (mut count, mut last) = (0u64, u64::MAX);
    let mut sorted = true;
    for i in lanes(mask) {
        let sector = addresses[i] / 32;
        count += u64::from(sector != last);
        sorted &= last == u64::MAX || sector >= last;
        last = sector;
    }
    if sorted {
        return count;
    }
    let mut all: Vec<u64> = lanes(mask).map(|i| addresses[i] / 32).collect();
    all.sort_unstable();
    all.dedup();
    all.len() as u64
}

/// Passes over the banks of shared memory. The hardware takes as many lanes at a time as fill 128 bytes
/// (all, halves for 8 bytes, quarters for 16); within them, words of one bank take turns, and lanes that
/// want the same word share it.
pub(super) fn passes(offsets: &Plane64, mask: u32, size: usize) -> u64 {
    let words = size.div_ceil(4);
    let per_turn = LANES / words;
    let mut total = 0;
    for start in (0..LANES).step_by(per_turn) {
        let mut banks = [[0u64; LANES]; LANES];
        let mut depth = [0usize; LANES];
        for i in lanes(mask).filter(|i| (start..start + per_turn).contains(i)) {
            for word in (0..words as u64).map(|k| offsets[i] / 4 + k) {
                let bank = (word % LANES as u64) as usize;
                if !banks[bank][..depth[bank]].contains(&word) {
                    banks[bank][depth[bank]] = word;
                    depth[bank] += 1;
                }
            }
        }
        total += depth.into_iter().max().unwrap_or(0) as u64;
    }
    total
}

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// Whether somebody is to be told of every lane's access.
    const WATCHED: bool = O::ACTIVE || !M::PLAIN;

    /// Counts an access and checks its alignment.
    fn prepare<const T: usize>(
        &mut self,
        space: Space,
        addresses: &Plane64,
        mask: u32,
    ) -> Result<bool, Trouble> {
        aligned(addresses, mask, T)?;
        let row = consecutive::<T>(addresses, mask);
        match space {
            // A row that starts within a sector touches one more at its end.
            Space::Global if row => {
                let first = addresses[0];
                let last = addresses[LANES - 1] + (T as u64 - 1);
                self.progress.counts.global_sectors += last / 32 - first / 32 + 1;
            }
            Space::Global => self.progress.counts.global_sectors += sectors(addresses, mask),
            Space::Shared if row => self.progress.counts.shared_passes += T.div_ceil(4) as u64,
            Space::Shared => self.progress.counts.shared_passes += passes(addresses, mask, T),
            _ => {}
        }
        Ok(row)
    }

    /// Loads from global or shared memory or kernel parameters.
    pub(super) fn load_rows<const T: usize>(
        &mut self,
        shared: &mut [u8],
        part: &Part,
        addresses: &Plane64,
        manner: Manner,
        rows: &mut Rows<T>,
    ) -> Result<(), Trouble> {
        let mask = part.lanes;
        let row = self.prepare::<T>(part.space, addresses, mask)?;
        match part.space {
            Space::Global => {
                match one_allocation::<T>(&self.memory, addresses, mask) {
                    Some(a) if row && !Self::WATCHED => {
                        a.region.read((addresses[0] - a.base) as usize, rows.as_flattened_mut());
                    }
                    whole => {
                        for i in lanes(mask) {
                            let (a, start) = match whole {
                                Some(a) => (a, (addresses[i] - a.base) as usize),
                                None => locate::<T>(&self.memory, addresses[i], i)?,
                            };
                            a.region.read(start, &mut rows[i]);
                            if Self::WATCHED {
                                let event = manner.event(part.space, addresses[i], T, i);
                                watch_load(self.model, self.observer, &event, &mut rows[i]);
                            }
                        }
                    }
                }
                if manner.order.acquires() {
                    fence(Ordering::Acquire);
                }
            }
            Space::Shared => {
                for i in lanes(mask) {
                    rows[i].copy_from_slice(window::<T>(shared, addresses[i], "shared", i)?);
                    if Self::WATCHED {
                        let event = manner.event(part.space, addresses[i], T, i);
                        watch_load(self.model, self.observer, &event, &mut rows[i]);
                    }
                }
            }
            _ => {
                for i in lanes(mask) {
                    rows[i].copy_from_slice(window::<T>(self.params, addresses[i], "parameter", i)?);
                }
            }
        }
        Ok(())
    }

    /// Stores to global or shared memory.
    pub(super) fn store_rows<const T: usize>(
        &mut self,
        shared: &mut [u8],
        part: &Part,
        addresses: &Plane64,
        rows: &Rows<T>,
        manner: Manner,
    ) -> Result<(), Trouble> {
        let mask = part.lanes;
        let row = self.prepare::<T>(part.space, addresses, mask)?;
        // Lanes of a row do not collide.
        let order = if row { from_lane(mask, 0) } else { self.lane_order(mask) };
        match part.space {
            Space::Global => {
                if manner.order.releases() {
                    fence(Ordering::Release);
                }
                let whole = one_allocation::<T>(&self.memory, addresses, mask);
                if let Some(a) = whole {
                    writable(a, mask)?;
                    if row && !Self::WATCHED {
                        a.region.write((addresses[0] - a.base) as usize, rows.as_flattened());
                        return Ok(());
                    }
                }
                for i in order {
                    let (a, start) = match whole {
                        Some(a) => (a, (addresses[i] - a.base) as usize),
                        None => locate::<T>(&self.memory, addresses[i], i)?,
                    };
                    writable(a, 1 << i)?;
                    if Self::WATCHED {
                        let event = manner.event(part.space, addresses[i], T, i);
                        let mut bytes = [0; T];
                        a.region.read(start, &mut bytes);
                        watch_store(self.model, self.observer, &event, &mut bytes, &rows[i]);
                        a.region.write(start, &bytes);
                    } else {
                        a.region.write(start, &rows[i]);
                    }
                }
            }
            Space::Shared => {
                for i in order {
                    let bytes = window_mut::<T>(shared, addresses[i], "shared", i)?;
                    if Self::WATCHED {
                        let event = manner.event(part.space, addresses[i], T, i);
                        watch_store(self.model, self.observer, &event, bytes, &rows[i]);
                    } else {
                        bytes.copy_from_slice(&rows[i]);
                    }
                }
            }
            _ => {
                let text = "a store to the kernel's parameters".to_owned();
                return Err(Trouble::new(FaultKind::ReadOnly(text), mask));
            }
        }
        Ok(())
    }

    /// An atomic update of one lane in global or shared memory. `update` may be called several times; the last
    /// call counts.
    pub(super) fn update_row<const T: usize>(
        &mut self,
        shared: &mut [u8],
        space: Space,
        address: u64,
        lane: usize,
        manner: Manner,
        update: &mut dyn FnMut(&mut [u8]),
    ) -> Result<(), Trouble> {
        let event = manner.event(space, address, T, lane);
        match space {
            Space::Global => {
                let (a, start) = locate::<T>(&self.memory, address, lane)?;
                writable(a, 1 << lane)?;
                if O::ACTIVE {
                    self.observer.access(AccessKind::Atomic, &event);
                }
                if M::PLAIN {
                    a.region.update::<T>(start, update);
                } else {
                    let mut bytes = [0; T];
                    a.region.read(start, &mut bytes);
                    self.model.atomic(&event, &mut bytes, update);
                    a.region.write(start, &bytes);
                }
            }
            Space::Shared => {
                let bytes = window_mut::<T>(shared, address, "shared", lane)?;
                if O::ACTIVE {
                    self.observer.access(AccessKind::Atomic, &event);
                }
                if M::PLAIN {
                    update(bytes);
                } else {
                    self.model.atomic(&event, bytes, update);
                }
            }
            _ => {
                let text = "an atomic on the kernel's parameters".to_owned();
                return Err(Trouble::new(FaultKind::ReadOnly(text), 1 << lane));
            }
        }
        Ok(())
    }

    /// Counts and checks an atomic of a warp.
    pub(super) fn prepare_atomic<const T: usize>(
        &mut self,
        space: Space,
        addresses: &Plane64,
        mask: u32,
    ) -> Result<(), Trouble> {
        self.prepare::<T>(space, addresses, mask).map(|_| ())
    }

    /// The order in which lanes that may collide access memory: ascending, or from a chosen lane on.
    pub(super) fn lane_order(&mut self, mask: u32) -> LaneOrder {
        let start = if self.progress.chooser.seeded() { self.progress.chooser.choose(32) } else { 0 };
        from_lane(mask, start)
    }
}

/// The allocation that holds the accesses of all lanes, if one does.
#[inline]
fn one_allocation<'m, const T: usize>(
    memory: &'m GlobalMemory,
    addresses: &Plane64,
    mask: u32,
) -> Option<&'m Allocation> {
    let (least, most) = extent(addresses, mask);
    let a = memory.find(least)?;
    // `most` may lie anywhere above: compare without overflow.
    (a.size() >= T as u64 && most - a.base <= a.size() - T as u64).then_some(a)
}

/// The allocation and offset of one lane's access.
fn locate<const T: usize>(
    memory: &GlobalMemory,
    address: u64,
    lane: usize,
) -> Result<(&Allocation, usize), Trouble> {
    match memory.find(address) {
        Some(a) if address - a.base + T as u64 <= a.size() => Ok((a, (address - a.base) as usize)),
        _ => Err(outside(memory, address, T, lane)),
    }
}

fn writable(a: &Allocation, mask: u32) -> Result<(), Trouble> {
    if a.purpose != Purpose::Constant {
        return Ok(());
    }
    Err(Trouble::new(FaultKind::ReadOnly("a store to constant memory".into()), mask))
}

/// Tells the observer of a load of `value` and lets the model put another one in its place.
fn watch_load<M: MemoryModel, O: Observer>(
    model: &mut M,
    observer: &mut O,
    event: &MemoryEvent,
    value: &mut [u8],
) {
    if O::ACTIVE {
        observer.access(AccessKind::Load, event);
    }
    let mut memory = [0; 32];
    let memory = &mut memory[..value.len()];
    memory.copy_from_slice(value);
    model.load(event, memory, value);
}

/// Tells the observer of a store and lets the model do it.
fn watch_store<M: MemoryModel, O: Observer>(
    model: &mut M,
    observer: &mut O,
    event: &MemoryEvent,
    memory: &mut [u8],
    value: &[u8],
) {
    if O::ACTIVE {
        observer.access(AccessKind::Store, event);
    }
    model.store(event, memory, value);
}

impl Manner {
    fn event(self, space: Space, address: u64, size: usize, lane: usize) -> MemoryEvent {
        self.who.event(space, address, size as u32, lane, self.order, self.scope)
    }
}

/// The bytes of an access to a small space.
#[inline]
fn window<'m, const T: usize>(
    memory: &'m [u8],
    address: u64,
    name: &str,
    lane: usize,
) -> Result<&'m [u8], Trouble> {
    let limit = memory.len() as u64;
    if address < limit && limit - address >= T as u64 {
        return Ok(&memory[address as usize..address as usize + T]);
    }
    Err(outside_window(name, address, T, limit, lane))
}

/// As [`window`], to be written.
#[inline]
fn window_mut<'m, const T: usize>(
    memory: &'m mut [u8],
    address: u64,
    name: &str,
    lane: usize,
) -> Result<&'m mut [u8], Trouble> {
    let limit = memory.len() as u64;
    if address < limit && limit - address >= T as u64 {
        return Ok(&mut memory[address as usize..address as usize + T]);
    }
    Err(outside_window(name, address, T, limit, lane))
}
