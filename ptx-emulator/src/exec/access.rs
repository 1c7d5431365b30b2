//! Loads and stores.

use super::lanes::lanes;
use super::run::{LaneFault, Run, Site};
use super::state::{Frame, Warp};
use super::transfer::{AccessAttributes, LaneAddresses, SpaceLanes, outside_window, writable};
use super::vectors::vectorized;
use crate::instruction::{Address, AddressBase, MemoryAccess, SINK};
use crate::memory::MemoryModel;
use crate::memory::address_space::classify;
use crate::memory::global::Allocation;
use crate::memory::lane::LaneMemory;
use crate::module::Constants;
use crate::observer::{AccessKind, Observer, Origin, UndefinedBytes, UndefinedSource};
use crate::registers::Class;
use crate::semantics::{Aligned, LANES, Narrow, Plane64, Wide};
use crate::text::types::Space;

/// An element's value extended to the width of its register.
#[inline(always)]
fn extend(value: u64, access: &MemoryAccess) -> u64 {
    if !access.ty.signed() {
        return value;
    }
    let unused = 64 - access.ty.bits();
    let wide = ((value << unused) as i64 >> unused) as u64;
    wide & (u64::MAX >> (64 - 8 * u32::from(access.extend)))
}

/// One little-endian element of a lane's bytes.
#[inline(always)]
fn element<const T: usize>(row: &[u8; T], index: usize, size: usize) -> u64 {
    let bytes = &row[index * size..(index + 1) * size];
    match size {
        1 => u64::from(bytes[0]),
        2 => u64::from(u16::from_le_bytes(bytes.try_into().unwrap_or_default())),
        4 => u64::from(u32::from_le_bytes(bytes.try_into().unwrap_or_default())),
        _ => u64::from_le_bytes(bytes.try_into().unwrap_or_default()),
    }
}

/// Calls a method with the number of bytes that each lane accesses.
macro_rules! by_bytes {
    ($access:ident, $self:ident.$method:ident $arguments:tt) => {
        match $access.ty.size() * u32::from($access.count) {
            1 => by_bytes!(@call 1, $self.$method $arguments),
            2 => by_bytes!(@call 2, $self.$method $arguments),
            4 => by_bytes!(@call 4, $self.$method $arguments),
            8 => by_bytes!(@call 8, $self.$method $arguments),
            16 => by_bytes!(@call 16, $self.$method $arguments),
            _ => by_bytes!(@call 32, $self.$method $arguments),
        }
    };
    (@call $bytes:literal, $self:ident.$method:ident ($($argument:expr),*)) => {
        $self.$method::<$bytes>($($argument),*)
    };
}

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// Each lane's address of an operand, for an access of `size` bytes, put into `at`.
    #[inline]
    pub(super) fn addresses<'a>(
        &self,
        frame: &Frame,
        address: &Address,
        active: u32,
        size: usize,
        at: &'a mut Plane64,
    ) -> Result<LaneAddresses<'a>, LaneFault> {
        let offset = address.offset as u64;
        Ok(match address.base {
            AddressBase::Reg(reg) => {
                let (base, undefined) = frame.b64(self.module.constants(), reg);
                self.defined(undefined, active, "an address")?;
                LaneAddresses::new(self.vectors, address.space, (base, offset), active, size, at)
            }
            AddressBase::Frame => {
                let start = u64::from(frame.local_base).wrapping_add(offset);
                LaneAddresses::uniform(address.space, start, active, size, at)
            }
            AddressBase::Kernel => LaneAddresses::uniform(address.space, offset, active, size, at),
        })
    }

    /// The offset in local memory of an access of `T` bytes that all lanes make there, if it is aligned and in bounds.
    #[inline]
    fn local_offset<const T: usize>(
        &self,
        frame: &Frame,
        address: &Address,
        local: &LaneMemory,
        active: u32,
    ) -> Result<Option<u32>, LaneFault> {
        let offset = address.offset as u64;
        let start = match address.base {
            AddressBase::Frame => u64::from(frame.local_base).wrapping_add(offset),
            AddressBase::Reg(reg) if matches!(address.space, Space::Generic | Space::Local) => {
                let (base, undefined) = frame.b64(self.module.constants(), reg);
                self.defined(undefined, active, "an address")?;
                let first = base[active.trailing_zeros() as usize & (LANES - 1)];
                let (space, at) = match address.space {
                    Space::Local => (Space::Local, first.wrapping_add(offset)),
                    _ => classify(first.wrapping_add(offset)),
                };
                if space != Space::Local || !are_equal(self.vectors, base, active) {
                    return Ok(None);
                }
                at
            }
            AddressBase::Reg(_) | AddressBase::Kernel => return Ok(None),
        };
        let inside = start <= local.size() && local.size() - start >= T as u64;
        Ok((inside && start.is_multiple_of(T as u64)).then_some(start as u32))
    }

    pub(super) fn load(
        &mut self,
        warp: &mut Warp,
        shared: &[u8],
        frame: u32,
        access: &MemoryAccess,
        active: u32,
        site: Site,
    ) -> Result<(), LaneFault> {
        by_bytes!(access, self.load_sized(warp, shared, frame, access, active, site))
    }

    fn load_sized<const T: usize>(
        &mut self,
        warp: &mut Warp,
        shared: &[u8],
        frame: u32,
        access: &MemoryAccess,
        active: u32,
        site: Site,
    ) -> Result<(), LaneFault> {
        let Warp { frames, local, .. } = warp;
        let frame = &mut frames[frame as usize];
        if has_whole_words(access)
            && let Some(start) = self.local_offset::<T>(frame, &access.address, local, active)?
        {
            load_planes(self.vectors, frame, local, access, start, active);
            if O::TRACKS_UNDEFINED {
                track_local_load(frame, local, access, &[u64::from(start); LANES], active, site);
            }
            return Ok(());
        }
        if active == u32::MAX && self.load_row::<T>(frame, access) {
            return Ok(());
        }
        if !O::TRACKS_UNDEFINED
            && let Some(bytes) = self.parameter::<T>(&access.address)
        {
            write_same(bytes, frame, access, active);
            return Ok(());
        }
        let mut at = Aligned([0; LANES]);
        let mut addresses = self.addresses(frame, &access.address, active, T, &mut at.0)?;
        let attributes = AccessAttributes { order: access.order, scope: access.scope, site };
        while let Some(in_space) = addresses.next(self.vectors) {
            if in_space.space == Space::Local {
                self.load_local::<T>(frame, local, access, &in_space, addresses.at)?;
                if O::TRACKS_UNDEFINED {
                    track_local_load(frame, local, access, addresses.at, in_space.lanes, site);
                }
                continue;
            }
            if self.loads_once(&in_space) {
                let mut bytes = [[0; T]];
                self.load_lanes::<T>(shared, &in_space, addresses.at, attributes, &mut bytes)?;
                write_same(&bytes[0], frame, access, in_space.lanes);
            } else {
                let mut lane_bytes = Aligned([[0; T]; LANES]);
                self.load_lanes::<T>(shared, &in_space, addresses.at, attributes, &mut lane_bytes.0)?;
                write_registers(self.vectors, &lane_bytes.0, frame, access, in_space.lanes);
            }
            if O::TRACKS_UNDEFINED {
                let seen = attributes.seen(AccessKind::Load, in_space.space, addresses.at, in_space.lanes, T);
                if let Some(undefined) = self.observer.load_undefined(&seen) {
                    set_loaded(frame, access, &undefined, in_space.lanes);
                }
            }
        }
        Ok(())
    }

    /// The bytes at an address in the kernel's parameters, if the access is aligned and in bounds.
    #[inline]
    fn parameter<const T: usize>(&self, address: &Address) -> Option<&[u8; T]> {
        if address.base != AddressBase::Kernel || address.space != Space::Param {
            return None;
        }
        let start = usize::try_from(address.offset).ok().filter(|start| start.is_multiple_of(T))?;
        self.params.get(start..)?.first_chunk()
    }

    /// The allocation and the offset of an access by all lanes of words that follow each other in one allocation of global
    /// memory, if no memory model and no observer concerns it: by far the most frequent access to memory of optimised loops.
    #[inline(always)]
    fn row<const T: usize>(&self, frame: &Frame, access: &MemoryAccess) -> Option<(&Allocation, usize)> {
        if !M::PLAIN || O::ACTIVE || !self.options.shortcuts {
            return None;
        }
        let Address { space, base: AddressBase::Reg(reg), offset } = access.address else { return None };
        let fits = access.ty.size() == if access.wide { 8 } else { 4 } && access.count == 1;
        let (base, undefined) = frame.b64(self.module.constants(), reg);
        if !fits || undefined != 0 {
            return None;
        }
        let first = base[0].wrapping_add(offset as u64);
        let is_global = match space {
            Space::Global | Space::Const => true,
            Space::Generic => classify(first) == (Space::Global, first),
            Space::Shared | Space::Local | Space::Param => false,
        };
        if !is_global || !first.is_multiple_of(T as u64) || !are_consecutive::<T>(self.vectors, base) {
            return None;
        }
        let a = self.memory.find(first)?;
        let start = first - a.base;
        (a.size() - start >= (LANES * T) as u64).then_some((a, start as usize))
    }

    /// Counts the sectors of a [`Run::row`] at an offset of an allocation that begins at `base`.
    #[inline(always)]
    fn count_row<const T: usize>(&mut self, base: u64, start: usize) {
        let first = base + start as u64;
        self.progress.counts.global_sectors += (first + (LANES * T) as u64 - 1) / 32 - first / 32 + 1;
    }

    /// Loads a [`Run::row`] straight into the register. Returns false, and does nothing, if it is another access.
    #[inline(never)]
    fn load_row<const T: usize>(&mut self, frame: &mut Frame, access: &MemoryAccess) -> bool {
        if access.order.acquires() {
            return false;
        }
        let Some((a, start)) = self.row::<T>(frame, access) else { return false };
        let done = match access.wide {
            true => {
                frame.plane64_mut(access.regs[0]).is_some_and(|words| a.region.read_words64(start, words))
            }
            false => {
                frame.plane32_mut(access.regs[0]).is_some_and(|words| a.region.read_words32(start, words))
            }
        };
        if done {
            // Mostly the next turn of the loop, or the next block, reads the bytes that the block's other threads leave.
            a.region.prefetch(start + self.config.block_threads() as usize * T, LANES * T);
            self.count_row::<T>(a.base, start);
        }
        done
    }

    fn load_local<const T: usize>(
        &self,
        frame: &mut Frame,
        local: &LaneMemory,
        access: &MemoryAccess,
        in_space: &SpaceLanes,
        addresses: &Plane64,
    ) -> Result<(), LaneFault> {
        in_space.aligned(addresses, T)?;
        if let Some(start) = in_space.one_offset(T, local.size())
            && has_whole_words(access)
        {
            load_planes(self.vectors, frame, local, access, start, in_space.lanes);
            return Ok(());
        }
        let size = access.ty.size() as usize;
        for (k, &reg) in access.regs[..usize::from(access.count)].iter().enumerate() {
            let (mut values, mut undefined) = ([0u64; LANES], 0u32);
            for i in lanes(in_space.lanes) {
                let at = inside_local(local, addresses[i].wrapping_add((k * size) as u64), size, i)?;
                let (value, unknown) = local.read(i, at, size as u32);
                values[i] = extend(value, access);
                undefined |= u32::from(unknown) << i;
            }
            if access.wide {
                frame.set_b64(reg, &values, undefined, in_space.lanes);
            } else {
                frame.set_b32(reg, &values.map(|v| v as u32), undefined, in_space.lanes);
            }
        }
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        warp: &mut Warp,
        shared: &mut [u8],
        frame: u32,
        access: &MemoryAccess,
        active: u32,
        site: Site,
    ) -> Result<(), LaneFault> {
        by_bytes!(access, self.store_sized(warp, shared, frame, access, active, site))
    }

    fn store_sized<const T: usize>(
        &mut self,
        warp: &mut Warp,
        shared: &mut [u8],
        frame: u32,
        access: &MemoryAccess,
        active: u32,
        site: Site,
    ) -> Result<(), LaneFault> {
        let constants = self.module.constants();
        let Warp { frames, local, .. } = warp;
        let frame = &mut frames[frame as usize];
        if access.ty.size() >= 4
            && let Some(start) = self.local_offset::<T>(frame, &access.address, local, active)?
        {
            store_planes(self.vectors, frame, constants, local, access, start, active);
            if O::TRACKS_UNDEFINED {
                let undefined = stored_bytes(frame, constants, access, active, site);
                track_local_store(local, undefined.as_deref(), &[u64::from(start); LANES], T, active);
            }
            return Ok(());
        }
        if active == u32::MAX && self.store_row::<T>(frame, access)? {
            return Ok(());
        }
        let mut at = Aligned([0; LANES]);
        let mut addresses = self.addresses(frame, &access.address, active, T, &mut at.0)?;
        let attributes = AccessAttributes { order: access.order, scope: access.scope, site };
        while let Some(in_space) = addresses.next(self.vectors) {
            if in_space.space == Space::Local {
                self.store_local::<T>(frame, local, access, &in_space, addresses.at)?;
            } else {
                self.store_bytes::<T>(shared, frame, access, &in_space, addresses.at, attributes)?;
            }
            if O::TRACKS_UNDEFINED {
                let undefined = stored_bytes(frame, constants, access, in_space.lanes, site);
                if in_space.space == Space::Local {
                    track_local_store(local, undefined.as_deref(), addresses.at, T, in_space.lanes);
                } else {
                    let (space, lanes) = (in_space.space, in_space.lanes);
                    let seen = attributes.seen(AccessKind::Store, space, addresses.at, lanes, T);
                    self.observer.store_undefined(&seen, undefined.as_deref());
                }
            }
        }
        Ok(())
    }

    /// Stores to global or shared memory.
    fn store_bytes<const T: usize>(
        &mut self,
        shared: &mut [u8],
        frame: &Frame,
        access: &MemoryAccess,
        in_space: &SpaceLanes,
        addresses: &Plane64,
        attributes: AccessAttributes,
    ) -> Result<(), LaneFault> {
        let constants = self.module.constants();
        if in_space.lanes.is_power_of_two() {
            let mut bytes = [[0; T]];
            let undefined = read_lane(frame, constants, access, in_space.lanes, &mut bytes[0]);
            self.storable(undefined, in_space)?;
            return self.store_lanes::<T>(shared, in_space, addresses, &bytes, attributes);
        }
        let mut lane_bytes = Aligned([[0; T]; LANES]);
        let undefined =
            read_registers(self.vectors, frame, constants, access, in_space.lanes, &mut lane_bytes.0);
        self.storable(undefined, in_space)?;
        self.store_lanes::<T>(shared, in_space, addresses, &lane_bytes.0, attributes)
    }

    /// Whether values with these undefined lanes may be stored, where checks do not follow them through memory. In shared
    /// memory blocks exchange tiles of which parts are not set, and not used: what they store there is not known to be a
    /// mistake.
    fn storable(&self, undefined: u32, in_space: &SpaceLanes) -> Result<(), LaneFault> {
        if O::TRACKS_UNDEFINED || in_space.space == Space::Shared {
            return Ok(());
        }
        self.defined(undefined, in_space.lanes, "a store")
    }

    /// As [`Run::load_row`], of a store.
    #[inline(never)]
    fn store_row<const T: usize>(&mut self, frame: &Frame, access: &MemoryAccess) -> Result<bool, LaneFault> {
        if access.order.releases() {
            return Ok(false);
        }
        let Some((a, start)) = self.row::<T>(frame, access) else { return Ok(false) };
        let (constants, reg) = (self.module.constants(), access.regs[0]);
        let undefined = if access.wide { frame.b64(constants, reg).1 } else { frame.b32(constants, reg).1 };
        self.defined(undefined, u32::MAX, "a store")?;
        writable(a, u32::MAX)?;
        let done = match access.wide {
            true => a.region.write_words64(start, frame.b64(constants, reg).0),
            false => a.region.write_words32(start, frame.b32(constants, reg).0),
        };
        if done {
            self.count_row::<T>(a.base, start);
        }
        Ok(done)
    }

    fn store_local<const T: usize>(
        &self,
        frame: &Frame,
        local: &mut LaneMemory,
        access: &MemoryAccess,
        in_space: &SpaceLanes,
        addresses: &Plane64,
    ) -> Result<(), LaneFault> {
        let constants = self.module.constants();
        in_space.aligned(addresses, T)?;
        let size = access.ty.size() as usize;
        if let Some(start) = in_space.one_offset(T, local.size())
            && size >= 4
        {
            store_planes(self.vectors, frame, constants, local, access, start, in_space.lanes);
            return Ok(());
        }
        for (k, &reg) in access.regs[..usize::from(access.count)].iter().enumerate() {
            for i in lanes(in_space.lanes) {
                let (value, undefined) = if access.wide {
                    let (values, undefined) = frame.b64(constants, reg);
                    (values[i], undefined)
                } else {
                    let (values, undefined) = frame.b32(constants, reg);
                    (u64::from(values[i]), undefined)
                };
                let at = inside_local(local, addresses[i].wrapping_add((k * size) as u64), size, i)?;
                local.write(i, at, size as u32, value, undefined >> i & 1 != 0);
            }
        }
        Ok(())
    }
}

/// An offset in local memory at which a lane accesses `size` bytes.
#[inline]
pub(super) fn inside_local(local: &LaneMemory, at: u64, size: usize, lane: usize) -> Result<u64, LaneFault> {
    if at >= local.size() || local.size() - at < size as u64 {
        return Err(outside_window(Space::Local, at, size, local.size(), lane));
    }
    Ok(at)
}

vectorized! {
    /// Whether the values of the lanes of a mask are equal.
    fn are_equal(plane: &Plane64, mask: u32) -> bool {
        let first = plane[mask.trailing_zeros() as usize & (LANES - 1)];
        if mask.is_power_of_two() {
            return true;
        }
        if plane.iter().fold(0, |differing, value| differing | (value ^ first)) == 0 {
            return true;
        }
        mask != u32::MAX && lanes(mask).all(|i| plane[i] == first)
    }
}

/// Where each lane's bytes are after those of the first one, if each accesses the `T` bytes after the lane before.
const fn steps<const T: usize>() -> [u64; LANES] {
    let mut steps = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        steps[lane] = (lane * T) as u64;
        lane += 1;
    }
    steps
}

vectorized! {
    /// Whether each lane's address is `T` above that of the lane before.
    fn are_consecutive<const T: usize>(addresses: &Plane64) -> bool {
        // Hidden from the optimiser, as in comparisons: else it treats the first lane in another way.
        let steps = std::hint::black_box(const { &steps::<T>() });
        let first = addresses[0];
        let mut off = 0;
        for i in 0..LANES {
            off |= addresses[i].wrapping_sub(steps[i]) ^ first;
        }
        off == 0
    }
}

/// The register class of an access.
fn class(access: &MemoryAccess) -> Class {
    if access.wide { Class::B64 } else { Class::B32 }
}

/// The bits of bytes, one bit of `bytes` each.
pub(super) fn bits_of_bytes(bytes: u32) -> u64 {
    (0..8).filter(|byte| bytes >> byte & 1 != 0).fold(0, |bits, byte| bits | 0xff << (8 * byte))
}

/// Says which bits of loaded registers are undefined.
fn set_loaded(frame: &mut Frame, access: &MemoryAccess, undefined: &UndefinedBytes, mask: u32) {
    let size = access.ty.size() as usize;
    for (k, &reg) in access.regs[..usize::from(access.count)].iter().enumerate() {
        if reg == SINK {
            continue;
        }
        let bits: Plane64 = std::array::from_fn(|i| {
            let bits = bits_of_bytes(undefined.bytes[i] >> (k * size) & (((1u64 << size) - 1) as u32));
            // Extended by copies of the sign.
            if access.ty.signed() && size < 8 && bits >> (8 * size - 1) & 1 != 0 {
                bits | u64::MAX << (8 * size)
            } else {
                bits
            }
        });
        frame.set_undefined((class(access), reg), &bits, mask, undefined.computed, undefined.origin);
    }
}

/// After a load from local memory: says which bits are undefined.
fn track_local_load(
    frame: &mut Frame,
    local: &LaneMemory,
    access: &MemoryAccess,
    addresses: &Plane64,
    mask: u32,
    site: Site,
) {
    let regs = &access.regs[..usize::from(access.count)];
    let flagged =
        regs.iter().filter(|&&reg| reg != SINK).fold(0, |m, &reg| m | frame.flags((class(access), reg)));
    if flagged & mask == 0 {
        return;
    }
    let mut undefined = UndefinedBytes::default();
    let size = access.ty.size() * u32::from(access.count);
    for i in lanes(mask) {
        let (bytes, computed, origin) = local.undefined_bytes(i, addresses[i], size);
        undefined.bytes[i] = bytes;
        undefined.computed |= u32::from(computed) << i;
        undefined.origin = undefined.origin.or(origin);
    }
    undefined.origin =
        undefined.origin.or(Some(Origin { pc: site.pc, from: UndefinedSource::Memory, computed: None }));
    set_loaded(frame, access, &undefined, mask);
}

/// The undefined bytes of a store; `None` if there are none.
fn stored_bytes(
    frame: &Frame,
    constants: &Constants,
    access: &MemoryAccess,
    mask: u32,
    site: Site,
) -> Option<Box<UndefinedBytes>> {
    let size = access.ty.size() as usize;
    let mut undefined: Option<Box<UndefinedBytes>> = None;
    for (k, &reg) in access.regs[..usize::from(access.count)].iter().enumerate() {
        let register = (class(access), reg);
        let flagged = frame.undefined_lanes(constants, register) & mask;
        if flagged == 0 {
            continue;
        }
        let undefined = undefined.get_or_insert_default();
        let bits = frame.bits_of(constants, register);
        for i in lanes(flagged) {
            let bytes = (0..size).filter(|byte| bits[i] >> (8 * byte) & 0xff != 0);
            undefined.bytes[i] |= bytes.fold(0, |m, byte| m | 1u32 << (k * size + byte));
        }
        if let Some(known) = frame.undefined_bits(register) {
            undefined.computed |= known.computed & flagged;
            undefined.origin = undefined.origin.or(known.origin);
        } else if access.count == 1 {
            // A register that was never assigned. In a vector it may be padding.
            undefined.computed |= flagged;
            undefined.origin =
                Some(Origin { pc: site.pc, from: UndefinedSource::Register, computed: Some(site.pc) });
        }
    }
    undefined
}

/// After a store to local memory: says which bytes are undefined.
fn track_local_store(
    local: &mut LaneMemory,
    undefined: Option<&UndefinedBytes>,
    addresses: &Plane64,
    size: usize,
    mask: u32,
) {
    let Some(undefined) = undefined else { return };
    for i in lanes(mask) {
        let computed = undefined.computed >> i & 1 != 0;
        local.set_undefined(i, addresses[i], size as u32, undefined.bytes[i], computed, undefined.origin);
    }
}

/// Whether the elements of a load are whole words that need no extension.
#[inline]
fn has_whole_words(access: &MemoryAccess) -> bool {
    let size = access.ty.size();
    size == 4 && access.extend == 4 || size == 8
}

vectorized! {
    /// Loads whole words from the same offset of local memory in all lanes of `mask`: the common case for frames and
    /// unoptimised code.
    fn load_planes(frame: &mut Frame, local: &LaneMemory, access: &MemoryAccess, start: u32, mask: u32) {
        let size = access.ty.size();
        let regs = &access.regs[..usize::from(access.count)];
        for (&reg, at) in regs.iter().zip((start..).step_by(size as usize)) {
            let (low, undefined) = local.plane(at);
            if size == 4 {
                frame.set_b32(reg, low, undefined, mask);
            } else {
                let (high, more) = local.plane(at + 4);
                Wide::Pack.planes(low, high, frame.result64());
                frame.set_to_result64(reg, undefined | more, mask);
            }
        }
    }
}

vectorized! {
    /// As [`load_planes`], for stores of words.
    fn store_planes(
        frame: &Frame,
        constants: &Constants,
        local: &mut LaneMemory,
        access: &MemoryAccess,
        start: u32,
        mask: u32,
    ) {
        let size = access.ty.size();
        let regs = &access.regs[..usize::from(access.count)];
        for (&reg, at) in regs.iter().zip((start..).step_by(size as usize)) {
            if size == 4 {
                let (values, undefined) = frame.b32(constants, reg);
                local.set_plane(at, values, undefined, mask);
            } else {
                let (values, undefined) = frame.b64(constants, reg);
                let mut half = Aligned([0; LANES]);
                Narrow::Low.planes(values, &mut half.0);
                local.set_plane(at, &half.0, undefined, mask);
                Narrow::High.planes(values, &mut half.0);
                local.set_plane(at + 4, &half.0, undefined, mask);
            }
        }
    }
}

/// The bytes that one lane stores, and the lanes in which any of them is undefined.
fn read_lane<const T: usize>(
    frame: &Frame,
    constants: &Constants,
    access: &MemoryAccess,
    mask: u32,
    bytes: &mut [u8; T],
) -> u32 {
    let (size, lane) = (access.ty.size() as usize, mask.trailing_zeros() as usize);
    let mut undefined = 0;
    let regs = &access.regs[..usize::from(access.count)];
    for (to, &reg) in bytes.chunks_exact_mut(size).zip(regs) {
        if access.wide {
            let (values, unknown) = frame.b64(constants, reg);
            to.copy_from_slice(&values[lane].to_le_bytes()[..size]);
            undefined |= unknown;
        } else {
            let (values, unknown) = frame.b32(constants, reg);
            to.copy_from_slice(&values[lane].to_le_bytes()[..size]);
            undefined |= unknown;
        }
    }
    undefined & mask
}

vectorized! {
    /// The bytes that lanes store, and the lanes in which any of them is undefined.
    fn read_registers<const T: usize>(
        frame: &Frame,
        constants: &Constants,
        access: &MemoryAccess,
        mask: u32,
        lane_bytes: &mut [[u8; T]; LANES],
    ) -> u32 {
        let size = access.ty.size() as usize;
        let mut undefined = 0;
        for (k, &reg) in access.regs[..usize::from(access.count)].iter().enumerate() {
            let of = |row: &mut [u8; T], bytes: &[u8]| {
                row[k * bytes.len()..(k + 1) * bytes.len()].copy_from_slice(bytes);
            };
            if access.wide {
                let (values, unknown) = frame.b64(constants, reg);
                undefined |= unknown;
                lane_bytes.iter_mut().zip(values).for_each(|(row, value)| of(row, &value.to_le_bytes()));
                continue;
            }
            let (values, unknown) = frame.b32(constants, reg);
            undefined |= unknown;
            let rows = lane_bytes.iter_mut().zip(values);
            // Each with a constant number of bytes: else each lane's are copied by a function of the host's library.
            match size {
                4 => rows.for_each(|(row, value)| of(row, &value.to_le_bytes())),
                2 => rows.for_each(|(row, value)| of(row, &value.to_le_bytes()[..2])),
                _ => rows.for_each(|(row, value)| of(row, &value.to_le_bytes()[..1])),
            }
        }
        undefined & mask
    }
}

/// Writes the same loaded bytes to the registers of all lanes.
fn write_same<const T: usize>(bytes: &[u8; T], frame: &mut Frame, access: &MemoryAccess, mask: u32) {
    let regs = access.regs[..usize::from(access.count)].iter().enumerate();
    for (k, &reg) in regs.filter(|&(_, &reg)| reg != SINK) {
        let value = extend(element(bytes, k, access.ty.size() as usize), access);
        if mask.is_power_of_two() {
            frame.set_lane(class(access), reg, mask.trailing_zeros() as usize, value, false);
        } else {
            frame.set_same(class(access), reg, value, mask);
        }
    }
}

vectorized! {
    /// Writes loaded bytes to the registers of an access.
    fn write_registers<const T: usize>(
        lane_bytes: &[[u8; T]; LANES],
        frame: &mut Frame,
        access: &MemoryAccess,
        mask: u32,
    ) {
        let size = access.ty.size() as usize;
        let regs = access.regs[..usize::from(access.count)].iter().enumerate();
        for (k, &reg) in regs.filter(|&(_, &reg)| reg != SINK) {
            // Words that need no extension are by far the most frequent.
            if size == 4 && !access.wide {
                let mut out = Aligned([0u32; LANES]);
                for (out, row) in out.0.iter_mut().zip(lane_bytes) {
                    *out = element(row, k, 4) as u32;
                }
                frame.set_b32(reg, &out.0, 0, mask);
                continue;
            }
            let mut out = Aligned([0u64; LANES]);
            if size == 8 {
                for (out, row) in out.0.iter_mut().zip(lane_bytes) {
                    *out = element(row, k, 8);
                }
            } else {
                for (out, row) in out.0.iter_mut().zip(lane_bytes) {
                    *out = extend(element(row, k, size), access);
                }
            }
            if access.wide {
                frame.set_b64(reg, &out.0, 0, mask);
            } else {
                frame.set_b32(reg, &out.0.map(|v| v as u32), 0, mask);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::vectors::testing::{Random, in_both};
    use super::*;
    use crate::instruction::AddressBase;
    use crate::memory::{MemoryOrder, Scope};
    use crate::program::Function;
    use crate::text::types::Type;

    #[test]
    fn addresses_are_compared_as_in_single_lanes() {
        let mut random = Random(1);
        for _ in 0..20_000 {
            let (mask, addresses) = (random.mask(), random.addresses(8));
            let first = addresses[mask.trailing_zeros() as usize];
            let is_equal = in_both(&(mask, addresses), |vectors| are_equal(vectors, &addresses, mask));
            assert_eq!(
                is_equal,
                lanes(mask).all(|lane| addresses[lane] == first),
                "{mask:#x} {addresses:x?}"
            );
            let is_row = in_both(&addresses, |vectors| are_consecutive::<8>(vectors, &addresses));
            let follows = addresses.windows(2).all(|pair| pair[0].wrapping_add(8) == pair[1]);
            assert_eq!(is_row, follows, "{addresses:x?}");
        }
    }

    /// An access of one element or of several by some lanes, and a frame with random values in its registers.
    struct Case {
        access: MemoryAccess,
        frame: Frame,
        mask: u32,
    }

    fn random_case(random: &mut Random) -> Case {
        let types = [Type::U8, Type::S8, Type::U16, Type::S16, Type::B32, Type::S32, Type::F32, Type::B64];
        let ty = types[random.below(8) as usize];
        let count = (1 << random.below(3)).min(32 / ty.size() as u8);
        let wide = ty.size() == 8 || random.below(4) == 0;
        let access = MemoryAccess {
            address: Address { space: Space::Local, base: AddressBase::Frame, offset: 0 },
            ty,
            count,
            wide,
            extend: if wide { 8 } else { 4 },
            order: MemoryOrder::Weak,
            scope: Scope::Gpu,
            regs: [3, 0, 2, 1, 0, 0, 0, 0],
        };
        let mut function = Function::new("f", false);
        (function.count32, function.count64) = (4, 4);
        let mut frame = Frame::default();
        frame.reset(&function);
        for reg in 0..4 {
            let undefined = if random.below(2) == 0 { 0 } else { random.mask() };
            frame.set_b32(reg, &random.plane().map(|value| value as u32), undefined, u32::MAX);
            frame.set_b64(reg, &random.plane(), undefined, u32::MAX);
        }
        Case { access, frame, mask: random.mask() }
    }

    type Values = (Vec<(crate::semantics::Plane32, u32)>, Vec<(Plane64, u32)>);

    fn values(frame: &Frame) -> Values {
        let constants = Constants::default();
        let (b32, b64) = (|reg| frame.b32(&constants, reg), |reg| frame.b64(&constants, reg));
        ((0..4).map(b32).map(|(v, u)| (*v, u)).collect(), (0..4).map(b64).map(|(v, u)| (*v, u)).collect())
    }

    #[test]
    fn registers_are_read_and_written_as_in_single_lanes() {
        let mut random = Random(1);
        for _ in 0..5000 {
            let case = random_case(&mut random);
            let access = &case.access;
            by_bytes!(access, case.registers(&mut random));
        }
    }

    impl Case {
        fn registers<const T: usize>(&self, random: &mut Random) {
            let (Case { access, frame, mask }, constants) = (self, &Constants::default());
            let mask = *mask;
            // Stores take narrow elements from narrow registers.
            let store = &MemoryAccess { wide: access.ty.size() == 8, ..access.clone() };
            let (bytes, undefined) = in_both(&(store, mask), |vectors| {
                let mut bytes = [[0; T]; LANES];
                let undefined = read_registers(vectors, frame, constants, store, mask, &mut bytes);
                (bytes, undefined)
            });
            let mut of_lanes = 0;
            for lane in lanes(mask) {
                let mut row = [0; T];
                of_lanes |= read_lane(frame, constants, store, 1 << lane, &mut row);
                assert_eq!(bytes[lane], row, "{store:?} in lane {lane}");
            }
            assert_eq!(undefined, of_lanes, "{store:?} in {mask:#x}");

            let rows: [[u8; T]; LANES] =
                std::array::from_fn(|_| std::array::from_fn(|_| random.value() as u8));
            let written = in_both(&(access, mask), |vectors| {
                let mut frame = frame.clone();
                write_registers(vectors, &rows, &mut frame, access, mask);
                values(&frame)
            });
            let mut single = frame.clone();
            lanes(mask).for_each(|lane| write_same(&rows[lane], &mut single, access, 1 << lane));
            assert_eq!(written, values(&single), "{access:?} in {mask:#x}");
        }
    }

    #[test]
    fn planes_of_local_memory_are_those_of_single_lanes() {
        let (mut random, constants) = (Random(1), Constants::default());
        for _ in 0..2000 {
            let Case { mut access, frame, mask } = random_case(&mut random);
            if access.ty.size() < 4 {
                continue;
            }
            access.wide = access.ty.size() == 8;
            let start = 32 * random.below(4) as u32;
            let loaded = in_both(&(&access, mask), |vectors| {
                let (mut frame, mut local) = (frame.clone(), LaneMemory::default());
                local.grow(256);
                store_planes(vectors, &frame, &constants, &mut local, &access, start, mask);
                let mut loaded = frame.clone();
                load_planes(vectors, &mut loaded, &local, &access, start, mask);
                // Stored and loaded again, the registers are as before; of another frame they become those of this one.
                assert_eq!(values(&frame), values(&loaded), "{access:?} in {mask:#x}");
                for reg in 0..4 {
                    frame.set_b32(reg, &[7; LANES], 0, u32::MAX);
                    frame.set_b64(reg, &[7; LANES], 0, u32::MAX);
                }
                load_planes(vectors, &mut frame, &local, &access, start, mask);
                values(&frame)
            });
            let regs = &access.regs[..usize::from(access.count)];
            for lane in lanes(mask) {
                for &reg in regs {
                    match access.wide {
                        true => {
                            assert_eq!(loaded.1[reg as usize].0[lane], frame.b64(&constants, reg).0[lane])
                        }
                        false => {
                            assert_eq!(loaded.0[reg as usize].0[lane], frame.b32(&constants, reg).0[lane])
                        }
                    }
                }
            }
        }
    }
}
