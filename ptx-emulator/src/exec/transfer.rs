//! Moves bytes between lanes and global or shared memory, and counts the sectors and bank passes that
//! hardware would need.

use std::sync::atomic::{Ordering, fence};

use super::exchange::accesses_exchanged_word;
use super::lanes::{LaneOrder, from_lane, lanes};
use super::run::{LaneFault, Run, Site};
use super::vectors::{Vectors, vectorized};
use crate::fault::FaultKind;
use crate::memory::address_space::{classify, space_base};
use crate::memory::global::{Allocation, GlobalMemory, Near, Nearness, Purpose};
use crate::memory::{MemoryEvent, MemoryModel};
use crate::memory::{MemoryOrder, Scope};
use crate::observer::{AccessKind, Observer, WarpAccess};
use crate::program::Program;
use crate::semantics::{LANES, Plane64};
use crate::text::types::Space;

/// The bytes of an access: lane by lane, or once for all lanes.
pub(super) type LaneBytes<const T: usize> = [[u8; T]];

/// Where the bytes of a lane are.
#[inline(always)]
fn row<const T: usize>(bytes: &LaneBytes<T>, lane: usize) -> usize {
    if bytes.len() == 1 { 0 } else { lane }
}

/// What all lanes of an access have in common: memory order, scope, warp and instruction.
#[derive(Clone, Copy)]
pub(super) struct AccessAttributes {
    pub order: MemoryOrder,
    pub scope: Scope,
    pub site: Site,
}

/// What the addresses of some lanes have in common.
#[derive(Clone, Copy)]
pub(super) struct Pattern {
    /// The address of the lowest of the lanes.
    pub first: u64,
    /// The bits in which the address of any lane differs from the first one.
    pub differing: u64,
    /// Whether the lanes follow each other, and each accesses the bytes right after those of the lane before.
    pub consecutive: bool,
}

impl Pattern {
    /// Of one address that all lanes of a mask access.
    fn uniform(first: u64, mask: u32) -> Pattern {
        Pattern { first, differing: 0, consecutive: mask.is_power_of_two() }
    }

    /// Whether all lanes access the same address.
    pub fn is_uniform(self) -> bool {
        self.differing == 0
    }
}

vectorized! {
    /// The addresses `base + offset` of the lanes of a mask, which is not empty, and what they have in common as accesses
    /// of `size` bytes.
    fn add_offset(base: &Plane64, offset: u64, mask: u32, size: u64, addresses: &mut Plane64) -> Pattern {
        let lane = mask.trailing_zeros() as usize & (LANES - 1);
        let first = base[lane].wrapping_add(offset);
        if mask.is_power_of_two() {
            addresses[lane] = first;
            return Pattern::uniform(first, mask);
        }
        let start = first.wrapping_sub(lane as u64 * size);
        let (mut differing, mut off) = (0, 0);
        if mask == u32::MAX {
            for i in 0..LANES {
                let address = base[i].wrapping_add(offset);
                addresses[i] = address;
                differing |= address ^ first;
                off |= address ^ start.wrapping_add(i as u64 * size);
            }
        } else {
            for i in 0..LANES {
                let address = base[i].wrapping_add(offset);
                addresses[i] = address;
                let active = 0u64.wrapping_sub(u64::from(mask >> i & 1));
                differing |= (address ^ first) & active;
                off |= (address ^ start.wrapping_add(i as u64 * size)) & active;
            }
        }
        let rest = mask >> lane;
        // A range that wraps around the address space is not consecutive.
        let wraps = first.checked_add(u64::from(rest.count_ones()) * size).is_none();
        Pattern { first, differing, consecutive: off == 0 && rest & rest.wrapping_add(1) == 0 && !wraps }
    }
}

vectorized! {
    fn subtract(addresses: &mut Plane64, start: u64) {
        addresses.iter_mut().for_each(|address| *address = address.wrapping_sub(start));
    }
}

/// The addresses of an access, and the lanes that have not been handled yet.
pub(super) struct LaneAddresses<'a> {
    space: Space,
    pub at: &'a mut Plane64,
    rest: u32,
    size: usize,
    pattern: Pattern,
}

/// Lanes whose addresses lie in one state space; the addresses are offsets there.
#[derive(Clone, Copy)]
pub(super) struct SpaceLanes {
    pub space: Space,
    pub lanes: u32,
    pub pattern: Pattern,
}

impl SpaceLanes {
    /// One lane.
    pub fn one(space: Space, address: u64, lane: usize) -> SpaceLanes {
        SpaceLanes { space, lanes: 1 << lane, pattern: Pattern::uniform(address, 1 << lane) }
    }

    /// Where the lanes' bytes are in an array of all lanes', if the accesses are consecutive.
    fn range(&self) -> std::ops::Range<usize> {
        let start = self.lanes.trailing_zeros() as usize;
        start..start + self.lanes.count_ones() as usize
    }

    /// Faults if an address is not a multiple of `size`.
    #[inline]
    pub fn aligned(&self, addresses: &Plane64, size: usize) -> Result<(), LaneFault> {
        let bits = self.pattern.first | self.pattern.differing;
        if bits & (size as u64 - 1) == 0 { Ok(()) } else { Err(misaligned(addresses, self.lanes, size)) }
    }

    /// The offset that all lanes access, if they share it and it is inside of `limit` bytes.
    #[inline]
    pub fn one_offset(&self, bytes: usize, limit: u64) -> Option<u32> {
        let first = self.pattern.first;
        let inside = first <= limit && limit - first >= bytes as u64;
        (self.pattern.is_uniform() && inside).then_some(first as u32)
    }

    /// The turns in which the hardware serves the lanes of an access to shared memory: it serves as many lanes at a time as
    /// fill 128 bytes (all, a half for 8 bytes, a quarter for 16).
    fn turns(&self, size: usize) -> u64 {
        let per_turn = LANES / size.div_ceil(4);
        let ones = (1u64 << per_turn) - 1;
        (0..LANES).step_by(per_turn).filter(|start| u64::from(self.lanes) >> start & ones != 0).count() as u64
    }
}

impl<'a> LaneAddresses<'a> {
    /// Addresses of accesses of `size` bytes in a state space: those of a plane and an offset, which are put into `at`.
    #[inline]
    pub fn new(
        vectors: Vectors,
        space: Space,
        (base, offset): (&Plane64, u64),
        mask: u32,
        size: usize,
        at: &'a mut Plane64,
    ) -> LaneAddresses<'a> {
        let pattern = add_offset(vectors, base, offset, mask, size as u64, at);
        LaneAddresses { space, at, rest: mask, size, pattern }
    }

    /// The same address in all lanes of a mask.
    pub fn uniform(
        space: Space,
        address: u64,
        mask: u32,
        size: usize,
        at: &'a mut Plane64,
    ) -> LaneAddresses<'a> {
        at.fill(address);
        LaneAddresses { space, at, rest: mask, size, pattern: Pattern::uniform(address, mask) }
    }

    /// The next lanes: those whose addresses are in the same state space as the first one's. Turns their generic addresses
    /// into offsets in that space.
    #[inline]
    pub fn next(&mut self, vectors: Vectors) -> Option<SpaceLanes> {
        let (mask, mut pattern) = (self.rest, self.pattern);
        if mask == 0 {
            return None;
        }
        if self.space != Space::Generic {
            self.rest = 0;
            let space = if self.space == Space::Const { Space::Global } else { self.space };
            return Some(SpaceLanes { space, lanes: mask, pattern });
        }
        let (space, offset) = classify(pattern.first);
        // Windows are 4 GiB long and aligned: lanes that agree in the upper half are in one.
        if pattern.differing >> 32 == 0 {
            self.rest = 0;
            let start = pattern.first - offset;
            if start != 0 {
                subtract(vectors, self.at, start);
                pattern.first = offset;
            }
            return Some(SpaceLanes { space, lanes: mask, pattern });
        }
        Some(self.next_of_several(vectors, space))
    }

    #[cold]
    fn next_of_several(&mut self, vectors: Vectors, space: Space) -> SpaceLanes {
        let mut found = 0;
        for i in lanes(self.rest) {
            let (its, offset) = classify(self.at[i]);
            if its == space {
                self.at[i] = offset;
                found |= 1 << i;
            }
        }
        let mut pattern_of = |mask: u32| {
            let base = *self.at;
            add_offset(vectors, &base, 0, mask, self.size as u64, self.at)
        };
        let pattern = pattern_of(found);
        if self.rest != found {
            self.pattern = pattern_of(self.rest & !found);
        }
        self.rest &= !found;
        SpaceLanes { space, lanes: found, pattern }
    }
}

#[cold]
fn misaligned(addresses: &Plane64, mask: u32, size: usize) -> LaneFault {
    let odd =
        lanes(mask).filter(|&i| !addresses[i].is_multiple_of(size as u64)).fold(0, |m, i| m | 1u32 << i);
    let address = addresses[odd.trailing_zeros() as usize];
    let text = format!("an access of {size} bytes at {address:#x}, which is not a multiple of {size}");
    LaneFault::new(FaultKind::Misaligned(text), odd)
}

vectorized! {
    /// Lowest and highest address of the lanes.
    fn extent(addresses: &Plane64, mask: u32) -> (u64, u64) {
        let (mut least, mut most) = (u64::MAX, 0);
        for (i, &address) in addresses.iter().enumerate() {
            let active = mask >> i & 1 != 0;
            least = least.min(if active { address } else { u64::MAX });
            most = most.max(if active { address } else { 0 });
        }
        (least, most)
    }
}

#[cold]
fn outside(memory: &GlobalMemory, address: u64, size: usize, lane: usize) -> LaneFault {
    // Where that is follows once it is known which allocation the address comes from.
    let text = format!("an access of {size} bytes of global memory at {address:#x}");
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

vectorized! {
    /// The number of distinct 32-byte sectors of all lanes, if these are in ascending order.
    fn ascending_sectors(addresses: &Plane64) -> Option<u64> {
        let (mut count, mut descends) = (1, false);
        for i in 1..LANES {
            let (before, sector) = (addresses[i - 1] / 32, addresses[i] / 32);
            count += u64::from(before != sector);
            descends |= before > sector;
        }
        (!descends).then_some(count)
    }
}

vectorized! {
    /// The number of distinct 32-byte sectors of the lanes of a mask, which is not empty, if these are in ascending order.
    fn ascending_sectors_of_some(addresses: &Plane64, mask: u32) -> Option<u64> {
        let (mut count, mut descends) = (1u64, 0);
        let both = mask & mask << 1;
        // Words of 64 bits instead of conditions, and signed comparisons of what is below 2^59: both in vectors.
        for i in 1..LANES {
            let (before, sector) = (addresses[i - 1] / 32, addresses[i] / 32);
            let counts = 0u64.wrapping_sub(u64::from(both >> i & 1));
            count = count.wrapping_add(u64::from(before != sector) & counts);
            descends |= u64::from(before as i64 > sector as i64) & counts;
        }
        // The lanes behind those that have none, with the last ones before.
        let mut first = mask & !(mask << 1);
        first &= first.wrapping_sub(1);
        while first != 0 {
            let i = first.trailing_zeros() as usize & (LANES - 1);
            let last = 31 - (mask & ((1 << i) - 1)).leading_zeros() as usize;
            let (before, sector) = (addresses[last & (LANES - 1)] / 32, addresses[i] / 32);
            count += u64::from(before != sector);
            descends |= u64::from(before > sector);
            first &= first - 1;
        }
        (descends == 0).then_some(count)
    }
}

/// The number of distinct 32-byte sectors. Accesses are aligned to their size, which is at most a sector.
pub(crate) fn sectors(vectors: Vectors, addresses: &Plane64, mask: u32) -> u64 {
    let ascending = match mask {
        u32::MAX => ascending_sectors(vectors, addresses),
        0 => Some(0),
        _ => ascending_sectors_of_some(vectors, addresses, mask),
    };
    if let Some(count) = ascending {
        return count;
    }
    let mut all = [0; LANES];
    let mut count = 0;
    for i in lanes(mask) {
        let sector = addresses[i] / 32;
        if count == 0 || all[count - 1] != sector {
            all[count] = sector;
            count += 1;
        }
    }
    let all = &mut all[..count];
    all.sort_unstable();
    1 + all.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64
}

/// The number of passes over the banks of shared memory, in one turn after the other ([`SpaceLanes::turns`]). In a turn,
/// different words of one bank take one pass each, and lanes that access the same word share its pass.
pub(crate) fn passes(offsets: &Plane64, mask: u32, size: usize) -> u64 {
    const NONE: u8 = u8::MAX;
    let words = size.div_ceil(4);
    let per_turn = LANES / words;
    let mut total = 0;
    for start in (0..LANES).step_by(per_turn) {
        // The distinct words, and for each the one before it in the same bank.
        let (mut known, mut before, mut count) = ([0u64; LANES], [NONE; LANES], 0u8);
        let (mut last, mut depth, mut most) = ([NONE; LANES], [0u8; LANES], 0);
        let turn = (((1u64 << per_turn) - 1) << start) as u32;
        for i in lanes(mask & turn) {
            for word in (0..words as u64).map(|k| offsets[i] / 4 + k) {
                let bank = (word % LANES as u64) as usize;
                let mut other = last[bank];
                while other != NONE && known[usize::from(other)] != word {
                    other = before[usize::from(other)];
                }
                if other == NONE {
                    known[usize::from(count)] = word;
                    before[usize::from(count)] = last[bank];
                    last[bank] = count;
                    depth[bank] += 1;
                    most = most.max(depth[bank]);
                    count += 1;
                }
            }
        }
        total += u64::from(most);
    }
    total
}

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// Tells the observer of a load.
    #[inline]
    fn observe_load(
        &mut self,
        in_space: &SpaceLanes,
        addresses: &Plane64,
        size: usize,
        attributes: AccessAttributes,
    ) {
        if O::ACTIVE {
            let SpaceLanes { space, lanes, .. } = *in_space;
            self.observer.warp_access(&attributes.seen(AccessKind::Load, space, addresses, lanes, size));
        }
    }

    /// Tells the observer of a store that is about to happen.
    #[inline]
    fn observe_store<const T: usize>(
        &mut self,
        shared: &[u8],
        in_space: &SpaceLanes,
        addresses: &Plane64,
        lane_bytes: &LaneBytes<T>,
        attributes: AccessAttributes,
    ) {
        if !O::ACTIVE {
            return;
        }
        let SpaceLanes { space, lanes, .. } = *in_space;
        let mut access = attributes.seen(AccessKind::Store, space, addresses, lanes, T);
        if self.observer.wants_unchanged(access.block) {
            access.unchanged = self.unchanged(shared, in_space, addresses, lane_bytes);
        }
        self.observer.warp_access(&access);
    }

    /// The lanes whose stores leave the bytes as they are, or as the first lane with the same address has stored them.
    #[cold]
    fn unchanged<const T: usize>(
        &mut self,
        shared: &[u8],
        in_space: &SpaceLanes,
        addresses: &Plane64,
        lane_bytes: &LaneBytes<T>,
    ) -> u32 {
        let SpaceLanes { space, lanes: mask, .. } = *in_space;
        let mut unchanged = 0;
        for i in lanes(mask) {
            let new = &lane_bytes[row(lane_bytes, i)];
            let first = lanes(mask).find(|&first| addresses[first] == addresses[i]).unwrap_or(i);
            let same = if first != i {
                lane_bytes[row(lane_bytes, first)] == *new
            } else if space == Space::Shared {
                window::<T>(shared, addresses[i], space, i).is_ok_and(|bytes| bytes == new)
            } else {
                let mut bytes = [0; T];
                let found = locate::<T>(&self.memory, addresses[i], i, &mut self.near);
                found.is_ok_and(|(a, start)| {
                    a.region.read(start, &mut bytes);
                    bytes == *new
                })
            };
            unchanged |= u32::from(same) << i;
        }
        unchanged
    }

    /// Counts the sectors and bank passes of an aligned access.
    #[inline]
    pub(super) fn count_access<const T: usize>(&mut self, in_space: &SpaceLanes, addresses: &Plane64) {
        let SpaceLanes { space, lanes: mask, pattern } = *in_space;
        let counts = &mut self.progress.counts;
        match space {
            Space::Global if pattern.differing < 32 => counts.global_sectors += 1,
            // A range that starts inside a sector touches one more at its end.
            Space::Global if pattern.consecutive => {
                let last = pattern.first + (u64::from(mask.count_ones()) * T as u64 - 1);
                counts.global_sectors += last / 32 - pattern.first / 32 + 1;
            }
            Space::Global => counts.global_sectors += sectors(self.vectors, addresses, mask),
            Space::Shared if pattern.consecutive || pattern.is_uniform() => {
                counts.shared_passes += in_space.turns(T);
            }
            Space::Shared => counts.shared_passes += passes(addresses, mask, T),
            Space::Param | Space::Local | Space::Const | Space::Generic => {}
        }
    }

    /// Whether the bytes of a load are the same in all lanes.
    #[inline]
    pub(super) fn loads_once(&self, in_space: &SpaceLanes) -> bool {
        M::PLAIN && in_space.pattern.is_uniform()
    }

    /// Loads from global memory, shared memory or the kernel's parameters. `lane_bytes` may be of one lane if
    /// [`Run::loads_once`].
    pub(super) fn load_lanes<const T: usize>(
        &mut self,
        shared: &[u8],
        in_space: &SpaceLanes,
        addresses: &Plane64,
        attributes: AccessAttributes,
        lane_bytes: &mut LaneBytes<T>,
    ) -> Result<(), LaneFault> {
        in_space.aligned(addresses, T)?;
        self.count_access::<T>(in_space, addresses);
        match in_space.space {
            Space::Global => {
                self.observe_load(in_space, addresses, T, attributes);
                self.load_global(in_space, addresses, attributes, lane_bytes)?;
                if attributes.order.acquires() {
                    fence(Ordering::Acquire);
                }
                Ok(())
            }
            Space::Shared => {
                self.observe_load(in_space, addresses, T, attributes);
                self.load_window(shared, in_space, addresses, attributes, lane_bytes)
            }
            _ => self.load_window(self.params, in_space, addresses, attributes, lane_bytes),
        }
    }

    fn load_global<const T: usize>(
        &mut self,
        in_space: &SpaceLanes,
        addresses: &Plane64,
        attributes: AccessAttributes,
        lane_bytes: &mut LaneBytes<T>,
    ) -> Result<(), LaneFault> {
        let SpaceLanes { lanes: mask, pattern, .. } = *in_space;
        let whole = one_allocation::<T>(self.vectors, &self.memory, in_space, addresses, &mut self.near);
        if let Some(a) = whole
            && M::PLAIN
        {
            let start = pattern.first.wrapping_sub(a.base) as usize;
            if let [bytes] = lane_bytes {
                a.region.read(start, bytes);
            } else if pattern.consecutive {
                a.region.read(start, lane_bytes[in_space.range()].as_flattened_mut());
            } else {
                for i in lanes(mask) {
                    a.region.read((addresses[i] - a.base) as usize, &mut lane_bytes[i]);
                }
            }
            return Ok(());
        }
        for i in lanes(mask) {
            let (a, start) = match whole {
                Some(a) => (a, (addresses[i] - a.base) as usize),
                None => {
                    let (program, pc) = (self.module.program(), attributes.site.pc);
                    locate_exchanged::<T>(&self.memory, program, addresses[i], i, pc, &mut self.near)?
                }
            };
            let row = row(lane_bytes, i);
            a.region.read(start, &mut lane_bytes[row]);
            if !M::PLAIN {
                let event = attributes.event(in_space.space, addresses[i], T, i);
                model_load(self.model, &event, &mut lane_bytes[row]);
            }
        }
        Ok(())
    }

    /// Loads from shared memory or from the kernel's parameters, which no memory model concerns.
    fn load_window<const T: usize>(
        &mut self,
        memory: &[u8],
        in_space: &SpaceLanes,
        addresses: &Plane64,
        attributes: AccessAttributes,
        lane_bytes: &mut LaneBytes<T>,
    ) -> Result<(), LaneFault> {
        let SpaceLanes { space, lanes: mask, pattern } = *in_space;
        let modelled = !M::PLAIN && space == Space::Shared;
        let range = in_space.range();
        if let [bytes] = lane_bytes {
            *bytes = *window::<T>(memory, pattern.first, space, range.start)?;
            return Ok(());
        }
        if pattern.consecutive
            && !modelled
            && let Some(bytes) = memory.get(pattern.first as usize..)
            && let Some(bytes) = bytes.get(..T * range.len())
        {
            lane_bytes[range].as_flattened_mut().copy_from_slice(bytes);
            return Ok(());
        }
        for i in lanes(mask) {
            lane_bytes[i] = *window::<T>(memory, addresses[i], space, i)?;
            if modelled {
                let event = attributes.event(space, addresses[i], T, i);
                model_load(self.model, &event, &mut lane_bytes[i]);
            }
        }
        Ok(())
    }

    /// Stores to global or shared memory. `lane_bytes` may be of one lane if no other stores.
    pub(super) fn store_lanes<const T: usize>(
        &mut self,
        shared: &mut [u8],
        in_space: &SpaceLanes,
        addresses: &Plane64,
        lane_bytes: &LaneBytes<T>,
        attributes: AccessAttributes,
    ) -> Result<(), LaneFault> {
        let SpaceLanes { space, lanes: mask, pattern } = *in_space;
        in_space.aligned(addresses, T)?;
        self.count_access::<T>(in_space, addresses);
        // Lanes of a consecutive access do not overlap.
        let apart = pattern.consecutive && mask == u32::MAX;
        let order = if apart { from_lane(mask, 0) } else { self.lane_order(mask) };
        match space {
            Space::Global => {
                if attributes.order.releases() {
                    fence(Ordering::Release);
                }
                self.observe_store(shared, in_space, addresses, lane_bytes, attributes);
                self.store_global(in_space, addresses, lane_bytes, attributes, order)
            }
            Space::Shared => {
                self.observe_store(shared, in_space, addresses, lane_bytes, attributes);
                self.store_shared(shared, in_space, addresses, lane_bytes, attributes, order)
            }
            _ => {
                let text = "a store to the kernel's parameters".to_owned();
                Err(LaneFault::new(FaultKind::ReadOnly(text), mask))
            }
        }
    }

    fn store_global<const T: usize>(
        &mut self,
        in_space: &SpaceLanes,
        addresses: &Plane64,
        lane_bytes: &LaneBytes<T>,
        attributes: AccessAttributes,
        order: LaneOrder,
    ) -> Result<(), LaneFault> {
        let whole = one_allocation::<T>(self.vectors, &self.memory, in_space, addresses, &mut self.near);
        if let Some(a) = whole {
            writable(a, in_space.lanes)?;
            if in_space.pattern.consecutive && M::PLAIN && !O::ACTIVE {
                let start = (in_space.pattern.first - a.base) as usize;
                let rows = if lane_bytes.len() == 1 { lane_bytes } else { &lane_bytes[in_space.range()] };
                a.region.write(start, rows.as_flattened());
                return Ok(());
            }
        }
        for i in order {
            let (a, start) = match whole {
                Some(a) => (a, (addresses[i] - a.base) as usize),
                None => locate::<T>(&self.memory, addresses[i], i, &mut self.near)?,
            };
            writable(a, 1 << i)?;
            let mut bytes = [0; T];
            if O::ACTIVE || !M::PLAIN {
                a.region.read(start, &mut bytes);
            }
            let new = &lane_bytes[row(lane_bytes, i)];
            if O::ACTIVE && M::PLAIN && bytes != *new {
                self.observer.progress();
            }
            if M::PLAIN {
                a.region.write(start, new);
            } else {
                let event = attributes.event(in_space.space, addresses[i], T, i);
                self.model.store(&event, &mut bytes, new);
                a.region.write(start, &bytes);
            }
        }
        Ok(())
    }

    fn store_shared<const T: usize>(
        &mut self,
        shared: &mut [u8],
        in_space: &SpaceLanes,
        addresses: &Plane64,
        lane_bytes: &LaneBytes<T>,
        attributes: AccessAttributes,
        order: LaneOrder,
    ) -> Result<(), LaneFault> {
        let SpaceLanes { pattern, .. } = *in_space;
        let rows = if lane_bytes.len() == 1 { lane_bytes } else { &lane_bytes[in_space.range()] };
        if pattern.consecutive
            && M::PLAIN
            && !O::ACTIVE
            && let Some(to) = shared.get_mut(pattern.first as usize..)
            && let Some(to) = to.get_mut(..T * rows.len())
        {
            to.copy_from_slice(rows.as_flattened());
            return Ok(());
        }
        for i in order {
            let bytes = window_mut::<T>(shared, addresses[i], Space::Shared, i)?;
            let new = &lane_bytes[row(lane_bytes, i)];
            if O::ACTIVE && bytes != new {
                self.observer.progress();
            }
            if M::PLAIN {
                *bytes = *new;
            } else {
                let event = attributes.event(in_space.space, addresses[i], T, i);
                self.model.store(&event, bytes, new);
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
                    locate_exchanged::<T>(&self.memory, program, address, lane, pc, &mut self.near)?
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

    /// The order in which lanes that may collide access memory: ascending, or from a chosen lane on.
    pub(super) fn lane_order(&mut self, mask: u32) -> LaneOrder {
        let start = if self.progress.chooser.seeded() { self.progress.chooser.choose(32) } else { 0 };
        from_lane(mask, start)
    }
}

/// The allocation that holds the accesses of all lanes, if one does; `near` as for [`GlobalMemory::find_near`].
#[inline]
pub(super) fn one_allocation<'m, const T: usize>(
    vectors: Vectors,
    memory: &'m GlobalMemory,
    in_space: &SpaceLanes,
    addresses: &Plane64,
    near: &mut Near,
) -> Option<&'m Allocation> {
    let SpaceLanes { lanes: mask, pattern, .. } = *in_space;
    let (a, most) = if pattern.is_uniform() {
        (memory.find(pattern.first)?, pattern.first)
    } else if pattern.consecutive {
        let most = pattern.first + (u64::from(mask.count_ones()) - 1) * T as u64;
        (memory.find(pattern.first)?, most)
    } else {
        // Lanes with allocations of their own are known by the first and the last one.
        let [first, last] = [mask.trailing_zeros(), 31 - mask.leading_zeros()].map(|lane| lane as usize);
        let a = memory.find_near(pattern.first, first, near)?;
        if addresses[last & (LANES - 1)].wrapping_sub(a.base) >= a.size() {
            return None;
        }
        let (least, most) = extent(vectors, addresses, mask);
        if least < a.base {
            return None;
        }
        (a, most)
    };
    // `most` may lie anywhere above: compare without overflow.
    (a.size() >= T as u64 && most - a.base <= a.size() - T as u64).then_some(a)
}

/// The allocation and offset of one lane's access; `near` as for [`GlobalMemory::find_near`].
#[inline(always)]
fn locate<'m, const T: usize>(
    memory: &'m GlobalMemory,
    address: u64,
    lane: usize,
    near: &mut Near,
) -> Result<(&'m Allocation, usize), LaneFault> {
    if let Some(found) = memory.at_guess(address, T as u64, lane, near) {
        return Ok(found);
    }
    match memory.find_near(address, lane, near) {
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
    near: &mut Near,
) -> Result<(&'m Allocation, usize), LaneFault> {
    match locate::<T>(memory, address, lane, near) {
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
pub(super) fn writable(a: &Allocation, mask: u32) -> Result<(), LaneFault> {
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
        let size = size as u32;
        WarpAccess { kind, space, addresses, lanes, size, order, scope, pc, block, warp, unchanged: 0 }
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
) -> Result<&[u8; T], LaneFault> {
    let bytes = usize::try_from(address).ok().and_then(|at| memory.get(at..)?.first_chunk());
    bytes.ok_or_else(|| outside_window(space, address, T, memory.len() as u64, lane))
}

/// As [`window`], for writing.
#[inline]
pub(super) fn window_mut<const T: usize>(
    memory: &mut [u8],
    address: u64,
    space: Space,
    lane: usize,
) -> Result<&mut [u8; T], LaneFault> {
    let limit = memory.len() as u64;
    let bytes = usize::try_from(address).ok().and_then(|at| memory.get_mut(at..)?.first_chunk_mut());
    bytes.ok_or_else(|| outside_window(space, address, T, limit, lane))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::vectors::testing::{Random, in_both};
    use super::*;

    /// Counts of sectors are those of a set, whatever lanes there are and in whatever order their addresses are.
    #[test]
    fn sectors_are_counted_once() {
        let mut random = 1u64;
        let mut next = || {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            random >> 33
        };
        for round in 0..4000 {
            let mask = match round % 4 {
                0 => u32::MAX,
                1 => 1 << (next() % 32),
                2 => next() as u32 & next() as u32,
                _ => (next() as u32) << 1 | 1,
            };
            let mut addresses = [0; LANES];
            let step = 1 << (next() % 12);
            for (lane, address) in addresses.iter_mut().enumerate() {
                *address = match round % 3 {
                    // Also where a lane that is not active would be out of order.
                    0 if mask >> lane & 1 != 0 => lane as u64 * step,
                    1 => next() % 512,
                    _ => (LANES - lane) as u64 * step,
                };
            }
            let expected: BTreeSet<u64> = lanes(mask).map(|lane| addresses[lane] / 32).collect();
            let count = in_both(&(mask, addresses), |vectors| sectors(vectors, &addresses, mask));
            assert_eq!(count, expected.len() as u64, "{mask:#x} {addresses:?}");
        }
    }

    /// What the addresses of lanes have in common is found lane by lane, too.
    #[test]
    fn patterns_are_those_of_single_lanes() {
        let mut random = Random(1);
        let mut consecutive = 0;
        for _ in 0..20_000 {
            let size = 1 << random.below(5);
            let (mask, mut base, offset) =
                (random.mask(), random.addresses(size), random.value() as i32 as u64);
            // The bases of rows, so that the addresses are in rows.
            base = base.map(|address| address.wrapping_sub(offset));
            let (pattern, of_lanes) = in_both(&(mask, base, offset, size), |vectors| {
                let mut at = [0; LANES];
                let Pattern { first, differing, consecutive } =
                    add_offset(vectors, &base, offset, mask, size, &mut at);
                ((first, differing, consecutive), lanes(mask).map(|lane| at[lane]).collect::<Vec<_>>())
            });
            let expected: Vec<u64> = lanes(mask).map(|lane| base[lane].wrapping_add(offset)).collect();
            assert_eq!(of_lanes, expected);
            let first = expected[0];
            let differing = expected.iter().fold(0, |bits, address| bits | address ^ first);
            let (lowest, count) = (mask.trailing_zeros(), mask.count_ones());
            let is_run = mask >> lowest == u32::MAX >> (32 - count);
            let follows = expected.windows(2).all(|pair| pair[0].checked_add(size) == Some(pair[1]));
            let ends = expected[expected.len() - 1].checked_add(size).is_some();
            let is_consecutive = count == 1 || is_run && follows && ends;
            assert_eq!(pattern, (first, differing, is_consecutive), "{mask:#x} {size} {expected:x?}");
            consecutive += u32::from(is_consecutive && count > 1);

            let found = in_both(&(mask, base), |vectors| extent(vectors, &base, mask));
            let least_and_most = lanes(mask)
                .fold((u64::MAX, 0), |(least, most), lane| (base[lane].min(least), base[lane].max(most)));
            assert_eq!(found, least_and_most);
            in_both(&(base, offset), |vectors| {
                let mut addresses = base;
                subtract(vectors, &mut addresses, offset);
                addresses
            });
        }
        assert!(consecutive > 1000, "{consecutive}");
    }
}
