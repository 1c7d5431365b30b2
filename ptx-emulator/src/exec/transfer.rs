//! Moves bytes between lanes and global or shared memory, and counts the sectors and bank passes that
//! hardware would need.

use std::sync::atomic::{Ordering, fence};

use super::exchange::accesses_exchanged_word;
use super::lanes::{LaneOrder, from_lane, lanes};
use super::run::{LaneFault, Run, Site};
use crate::fault::FaultKind;
use crate::memory::address_space::{classify, space_base};
use crate::memory::global::{Allocation, GlobalMemory, Nearness, Purpose};
use crate::memory::{MemoryEvent, MemoryModel};
use crate::memory::{MemoryOrder, Scope};
use crate::observer::{AccessKind, Observer, WarpAccess};
use crate::program::Program;
use crate::semantics::{LANES, Plane64};
use crate::text::types::Space;

/// The bytes of an access, lane by lane.
pub(super) type LaneBytes<const T: usize> = [[u8; T]; LANES];

/// What all lanes of an access have in common: memory order, scope, warp and instruction.
#[derive(Clone, Copy)]
pub(super) struct AccessAttributes {
    pub order: MemoryOrder,
    pub scope: Scope,
    pub site: Site,
}

/// The lanes whose addresses lie in one state space; the addresses are offsets there.
pub(super) struct SpaceLanes {
    pub space: Space,
    pub lanes: u32,
}

/// The lanes whose addresses are in the same state space as the first lane's. Turns their generic addresses
/// into offsets in that space; the caller handles the other lanes after them.
pub(super) fn lanes_of_first_space(space: Space, addresses: &mut Plane64, mask: u32) -> SpaceLanes {
    if space == Space::Const {
        return SpaceLanes { space: Space::Global, lanes: mask };
    }
    if space != Space::Generic {
        return SpaceLanes { space, lanes: mask };
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
        return SpaceLanes { space: first, lanes: mask };
    }
    let mut in_space = SpaceLanes { space: first, lanes: 0 };
    for i in lanes(mask) {
        let (space, offset) = classify(addresses[i]);
        if space == first {
            addresses[i] = offset;
            in_space.lanes |= 1 << i;
        }
    }
    in_space
}

/// Faults if an address is not a multiple of `size`.
#[inline]
pub(super) fn aligned(addresses: &Plane64, mask: u32, size: usize) -> Result<(), LaneFault> {
    let mut bits = 0;
    for (i, address) in addresses.iter().enumerate() {
        bits |= if mask >> i & 1 != 0 { *address } else { 0 };
    }
    if bits & (size as u64 - 1) == 0 { Ok(()) } else { Err(misaligned(addresses, mask, size)) }
}

#[cold]
fn misaligned(addresses: &Plane64, mask: u32, size: usize) -> LaneFault {
    let odd =
        lanes(mask).filter(|&i| !addresses[i].is_multiple_of(size as u64)).fold(0, |m, i| m | 1u32 << i);
    let address = addresses[odd.trailing_zeros() as usize];
    let text = format!("an access of {size} bytes at {address:#x}, which is not a multiple of {size}");
    LaneFault::new(FaultKind::Misaligned(text), odd)
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
fn is_contiguous<const T: usize>(addresses: &Plane64, mask: u32) -> bool {
    if mask != u32::MAX {
        return false;
    }
    let first = addresses[0];
    let mut off = 0;
    for (i, address) in addresses.iter().enumerate() {
        off |= address.wrapping_sub(first) ^ (i * T) as u64;
    }
    // A range that wraps around the address space is not contiguous.
    off == 0 && first <= addresses[LANES - 1]
}

#[cold]
fn outside(memory: &GlobalMemory, address: u64, size: usize, lane: usize) -> LaneFault {
    let place = memory.describe(address);
    let text = format!("an access of {size} bytes of global memory at {address:#x}, {place}");
    let access = Some((Space::Global, address));
    let freed = memory.nearest(address).is_some_and(|nearest| nearest.how == Nearness::Freed);
    let kind = if freed { FaultKind::UseAfterFree(text) } else { FaultKind::OutOfBounds(text) };
    LaneFault { access, ..LaneFault::new(kind, 1 << lane) }
}

#[cold]
pub(super) fn outside_window(space: Space, offset: u64, size: usize, limit: u64, lane: usize) -> LaneFault {
    let name = space.name();
    let text =
        format!("an access of {size} bytes of {name} memory at offset {offset:#x}, which has {limit} bytes");
    let access = Some((space, space_base(space).wrapping_add(offset)));
    LaneFault { access, ..LaneFault::new(FaultKind::OutOfBounds(text), 1 << lane) }
}

/// The number of distinct 32-byte sectors. Accesses are aligned to their size, which is at most a sector.
#[inline]
pub(crate) fn sectors(addresses: &Plane64, mask: u32) -> u64 {
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

/// The number of passes over the banks of shared memory. The hardware serves as many lanes at a time as fill
/// 128 bytes (all, a half for 8 bytes, a quarter for 16). Among them, different words of one bank take one
/// pass each, and lanes that access the same word share its pass.
pub(crate) fn passes(offsets: &Plane64, mask: u32, size: usize) -> u64 {
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
    /// Tells the observer of a load or store.
    #[inline]
    fn observe(
        &mut self,
        kind: AccessKind,
        in_space: &SpaceLanes,
        addresses: &Plane64,
        size: usize,
        attributes: AccessAttributes,
    ) {
        if O::ACTIVE {
            let SpaceLanes { space, lanes } = *in_space;
            self.observer.warp_access(&attributes.seen(kind, space, addresses, lanes, size));
        }
    }

    /// Checks the alignment of an access and counts it. Returns whether the lanes' bytes are contiguous.
    fn prepare<const T: usize>(
        &mut self,
        space: Space,
        addresses: &Plane64,
        mask: u32,
    ) -> Result<bool, LaneFault> {
        aligned(addresses, mask, T)?;
        let contiguous = is_contiguous::<T>(addresses, mask);
        match space {
            // A contiguous range that starts inside a sector touches one more at its end.
            Space::Global if contiguous => {
                let first = addresses[0];
                let last = addresses[LANES - 1] + (T as u64 - 1);
                self.progress.counts.global_sectors += last / 32 - first / 32 + 1;
            }
            Space::Global => self.progress.counts.global_sectors += sectors(addresses, mask),
            Space::Shared if contiguous => self.progress.counts.shared_passes += T.div_ceil(4) as u64,
            Space::Shared => self.progress.counts.shared_passes += passes(addresses, mask, T),
            _ => {}
        }
        Ok(contiguous)
    }

    /// Loads from global memory, shared memory or the kernel's parameters.
    pub(super) fn load_lanes<const T: usize>(
        &mut self,
        shared: &mut [u8],
        in_space: &SpaceLanes,
        addresses: &Plane64,
        attributes: AccessAttributes,
        lane_bytes: &mut LaneBytes<T>,
    ) -> Result<(), LaneFault> {
        let mask = in_space.lanes;
        let contiguous = self.prepare::<T>(in_space.space, addresses, mask)?;
        match in_space.space {
            Space::Global => {
                self.observe(AccessKind::Load, in_space, addresses, T, attributes);
                match one_allocation::<T>(&self.memory, addresses, mask) {
                    Some(a) if contiguous && M::PLAIN => {
                        a.region.read((addresses[0] - a.base) as usize, lane_bytes.as_flattened_mut());
                    }
                    whole => {
                        for i in lanes(mask) {
                            let (a, start) = match whole {
                                Some(a) => (a, (addresses[i] - a.base) as usize),
                                None => {
                                    let program = self.module.program();
                                    let pc = attributes.site.pc;
                                    locate_exchanged::<T>(&self.memory, program, addresses[i], i, pc)?
                                }
                            };
                            a.region.read(start, &mut lane_bytes[i]);
                            if !M::PLAIN {
                                let event = attributes.event(in_space.space, addresses[i], T, i);
                                model_load(self.model, &event, &mut lane_bytes[i]);
                            }
                        }
                    }
                }
                if attributes.order.acquires() {
                    fence(Ordering::Acquire);
                }
            }
            Space::Shared => {
                self.observe(AccessKind::Load, in_space, addresses, T, attributes);
                for i in lanes(mask) {
                    lane_bytes[i].copy_from_slice(window::<T>(shared, addresses[i], Space::Shared, i)?);
                    if !M::PLAIN {
                        let event = attributes.event(in_space.space, addresses[i], T, i);
                        model_load(self.model, &event, &mut lane_bytes[i]);
                    }
                }
            }
            _ => {
                for i in lanes(mask) {
                    lane_bytes[i].copy_from_slice(window::<T>(self.params, addresses[i], Space::Param, i)?);
                }
            }
        }
        Ok(())
    }

    /// Stores to global or shared memory.
    pub(super) fn store_lanes<const T: usize>(
        &mut self,
        shared: &mut [u8],
        in_space: &SpaceLanes,
        addresses: &Plane64,
        lane_bytes: &LaneBytes<T>,
        attributes: AccessAttributes,
    ) -> Result<(), LaneFault> {
        let mask = in_space.lanes;
        let contiguous = self.prepare::<T>(in_space.space, addresses, mask)?;
        // Lanes of a contiguous access do not overlap.
        let order = if contiguous { from_lane(mask, 0) } else { self.lane_order(mask) };
        match in_space.space {
            Space::Global => {
                if attributes.order.releases() {
                    fence(Ordering::Release);
                }
                self.observe(AccessKind::Store, in_space, addresses, T, attributes);
                let whole = one_allocation::<T>(&self.memory, addresses, mask);
                if let Some(a) = whole {
                    writable(a, mask)?;
                    if contiguous && M::PLAIN {
                        if O::ACTIVE {
                            let mut old: LaneBytes<T> = [[0; T]; LANES];
                            a.region.read((addresses[0] - a.base) as usize, old.as_flattened_mut());
                            if old != *lane_bytes {
                                self.observer.progress();
                            }
                        }
                        a.region.write((addresses[0] - a.base) as usize, lane_bytes.as_flattened());
                        return Ok(());
                    }
                }
                for i in order {
                    let (a, start) = match whole {
                        Some(a) => (a, (addresses[i] - a.base) as usize),
                        None => locate::<T>(&self.memory, addresses[i], i)?,
                    };
                    writable(a, 1 << i)?;
                    if M::PLAIN {
                        if O::ACTIVE {
                            let mut old = [0; T];
                            a.region.read(start, &mut old);
                            if old != lane_bytes[i] {
                                self.observer.progress();
                            }
                        }
                        a.region.write(start, &lane_bytes[i]);
                    } else {
                        let event = attributes.event(in_space.space, addresses[i], T, i);
                        let mut bytes = [0; T];
                        a.region.read(start, &mut bytes);
                        self.model.store(&event, &mut bytes, &lane_bytes[i]);
                        a.region.write(start, &bytes);
                    }
                }
            }
            Space::Shared => {
                self.observe(AccessKind::Store, in_space, addresses, T, attributes);
                for i in order {
                    let bytes = window_mut::<T>(shared, addresses[i], Space::Shared, i)?;
                    if O::ACTIVE && *bytes != lane_bytes[i] {
                        self.observer.progress();
                    }
                    if M::PLAIN {
                        bytes.copy_from_slice(&lane_bytes[i]);
                    } else {
                        let event = attributes.event(in_space.space, addresses[i], T, i);
                        self.model.store(&event, bytes, &lane_bytes[i]);
                    }
                }
            }
            _ => {
                let text = "a store to the kernel's parameters".to_owned();
                return Err(LaneFault::new(FaultKind::ReadOnly(text), mask));
            }
        }
        Ok(())
    }

    /// An atomic update by one lane in global or shared memory. `update` may be called several times; its
    /// last result is stored.
    pub(super) fn update_lane<const T: usize>(
        &mut self,
        shared: &mut [u8],
        space: Space,
        address: u64,
        lane: usize,
        attributes: AccessAttributes,
        update: &mut dyn FnMut(&mut [u8]),
    ) -> Result<(), LaneFault> {
        let event = attributes.event(space, address, T, lane);
        let mut changed = false;
        let mut update = |bytes: &mut [u8]| {
            let mut old = [0; T];
            if O::ACTIVE {
                old.copy_from_slice(bytes);
            }
            update(bytes);
            changed = O::ACTIVE && *bytes != old;
        };
        let update: &mut dyn FnMut(&mut [u8]) = &mut update;
        match space {
            Space::Global => {
                let (a, start) = {
                    let (program, pc) = (self.module.program(), attributes.site.pc);
                    locate_exchanged::<T>(&self.memory, program, address, lane, pc)?
                };
                writable(a, 1 << lane)?;
                if O::ACTIVE {
                    self.observer.access(AccessKind::Atomic, &event);
                }
                let inside = T.min(a.size() as usize - start);
                let mut beyond = false;
                let update: &mut dyn FnMut(&mut [u8]) = &mut |bytes: &mut [u8]| {
                    let mut old = [0; T];
                    old[inside..].copy_from_slice(&bytes[inside..]);
                    update(bytes);
                    beyond = old[inside..] != bytes[inside..];
                };
                if M::PLAIN {
                    a.region.update::<T>(start, update);
                } else {
                    let mut bytes = [0; T];
                    a.region.read(start, &mut bytes);
                    self.model.atomic(&event, &mut bytes, update);
                    a.region.write(start, &bytes);
                }
                if beyond {
                    return Err(outside(&self.memory, address, T, lane));
                }
            }
            Space::Shared => {
                let bytes = window_mut::<T>(shared, address, Space::Shared, lane)?;
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
                return Err(LaneFault::new(FaultKind::ReadOnly(text), 1 << lane));
            }
        }
        if changed {
            self.observer.progress();
        }
        Ok(())
    }

    /// Checks the alignment of a warp's atomic and counts it.
    pub(super) fn prepare_atomic<const T: usize>(
        &mut self,
        space: Space,
        addresses: &Plane64,
        mask: u32,
    ) -> Result<(), LaneFault> {
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
#[inline(always)]
fn locate<const T: usize>(
    memory: &GlobalMemory,
    address: u64,
    lane: usize,
) -> Result<(&Allocation, usize), LaneFault> {
    match memory.find(address) {
        Some(a) if address - a.base + T as u64 <= a.size() => Ok((a, (address - a.base) as usize)),
        _ => Err(outside(memory, address, T, lane)),
    }
}

/// As [`locate`]. A word that a compare-and-swap exchanges may end beyond its allocation.
#[inline(always)]
fn locate_exchanged<'m, const T: usize>(
    memory: &'m GlobalMemory,
    program: &Program,
    address: u64,
    lane: usize,
    pc: u32,
) -> Result<(&'m Allocation, usize), LaneFault> {
    match locate::<T>(memory, address, lane) {
        Err(fault) => last_word::<T>(memory, program, address, pc).ok_or(fault),
        found => found,
    }
}

/// The word of 4 bytes at the end of an allocation, if the instruction may access it whole.
#[cold]
fn last_word<'m, const T: usize>(
    memory: &'m GlobalMemory,
    program: &Program,
    address: u64,
    pc: u32,
) -> Option<(&'m Allocation, usize)> {
    let may_access = |a: &&Allocation| a.region.is_owned() && accesses_exchanged_word(program, pc);
    let found = memory.find(address).filter(|_| T == 4).filter(may_access)?;
    let start = address - found.base;
    (start + 4 <= found.size().next_multiple_of(4)).then_some((found, start as usize))
}

#[inline]
fn writable(a: &Allocation, mask: u32) -> Result<(), LaneFault> {
    if !matches!(a.purpose, Purpose::Constant | Purpose::HostReadOnly) {
        return Ok(());
    }
    Err(read_only(a, mask))
}

#[cold]
fn read_only(a: &Allocation, mask: u32) -> LaneFault {
    let what = match a.purpose {
        Purpose::Constant => "constant memory".into(),
        _ => format!("read-only memory of the host, {} bytes at {:#x}", a.size(), a.base),
    };
    LaneFault::new(FaultKind::ReadOnly(format!("a store to {what}")), mask)
}

/// A load of `value`, which the memory model may replace.
fn model_load<M: MemoryModel>(model: &mut M, event: &MemoryEvent, value: &mut [u8]) {
    let mut memory = [0; 32];
    let memory = &mut memory[..value.len()];
    memory.copy_from_slice(value);
    model.load(event, memory, value);
}

impl AccessAttributes {
    /// The accesses of lanes as the observer sees them.
    #[inline]
    pub fn seen(
        self,
        kind: AccessKind,
        space: Space,
        addresses: &Plane64,
        lanes: u32,
        size: usize,
    ) -> WarpAccess<'_> {
        let AccessAttributes { order, scope, site: Site { block, warp, pc } } = self;
        WarpAccess { kind, space, addresses, lanes, size: size as u32, order, scope, pc, block, warp }
    }

    pub(super) fn event(self, space: Space, address: u64, size: usize, lane: usize) -> MemoryEvent {
        self.site.event(space, address, size as u32, lane, self.order, self.scope)
    }
}

/// The bytes of an access to shared memory or to parameters.
#[inline]
fn window<const T: usize>(
    memory: &[u8],
    address: u64,
    space: Space,
    lane: usize,
) -> Result<&[u8], LaneFault> {
    let limit = memory.len() as u64;
    if address < limit && limit - address >= T as u64 {
        return Ok(&memory[address as usize..address as usize + T]);
    }
    Err(outside_window(space, address, T, limit, lane))
}

/// As [`window`], for writing.
#[inline]
fn window_mut<const T: usize>(
    memory: &mut [u8],
    address: u64,
    space: Space,
    lane: usize,
) -> Result<&mut [u8], LaneFault> {
    let limit = memory.len() as u64;
    if address < limit && limit - address >= T as u64 {
        return Ok(&mut memory[address as usize..address as usize + T]);
    }
    Err(outside_window(space, address, T, limit, lane))
}
