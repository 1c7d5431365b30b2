//! Memory whose addresses the program manages: ranges of addresses that are reserved, memory that has none, mappings of the
//! one at the other, and who may access them.

use ptx_emulator::HostAccess;

use super::{
    abi::{Address, DriverResult, Handle, In, Out, entry_points},
    current::current,
    flags::{AccessFlags, known},
    objects::{Mapping, Ordinal, Physical},
    pool::{AccessDescription, MemoryLocation, PINNED},
    state::{State, memory_status, with},
    wait::recorded_call,
};
use crate::Status;

/// Sizes and addresses are multiples of this, as on a GPU.
const GRANULARITY: u64 = 2 << 20;

/// `CUmemAllocationProp`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct AllocationProperties {
    allocation: u32,
    handles: u32,
    location: MemoryLocation,
    security: usize,
    flags: [u8; 8],
}

impl AllocationProperties {
    /// The device that they ask for.
    fn device(&self, state: &State) -> Result<Ordinal, Status> {
        let device = self.location.device(state)?;
        match (self.allocation, self.handles) {
            (PINNED, 0) => Ok(device),
            // Memory cannot be shared with other processes.
            (PINNED, _) => Err(Status::NOT_SUPPORTED),
            _ => Err(Status::INVALID_VALUE),
        }
    }
}

entry_points! {
    fn cuMemGetAllocationGranularity(granularity: Out<usize>, properties: In<AllocationProperties>, option: u32) {
        with(|state| {
            properties.get()?.device(state)?;
            // The least one, and the one that is recommended.
            if option > 1 {
                return Err(Status::INVALID_VALUE);
            }
            granularity.set(GRANULARITY as usize)
        })
    }

    fn cuMemAddressReserve(address: Out<u64>, bytes: usize, alignment: usize, _wanted: Address, flags: u64) {
        recorded_call(|_| format!("reserve({bytes})"), |state| {
            address.check()?;
            let alignment = (alignment as u64).max(GRANULARITY);
            if flags != 0 || !alignment.is_power_of_two() {
                return Err(Status::INVALID_VALUE);
            }
            let bytes = whole(bytes)?;
            let start = state.machine_of(current()).reserve(bytes, alignment).map_err(memory_status)?;
            // Memory of any device can be mapped there.
            let own = state.devices.at(start);
            let others = state.devices.ordinals().filter(|&device| Some(device) != own);
            others.for_each(|device| state.devices.get(device).machine.share_reserved(start, bytes));
            state.virtual_memory.reserved.insert(start, bytes);
            address.set(start)
        })
    }

    fn cuMemAddressFree(address: Address, bytes: usize) {
        recorded_call(|_| "unreserve".to_owned(), |state| {
            let known = state.virtual_memory.reserved.get(&address.0) == Some(&(bytes as u64));
            if !known || state.virtual_memory.mappings.range(address.0..address.0 + bytes as u64).next().is_some() {
                return Err(Status::INVALID_VALUE);
            }
            state.virtual_memory.reserved.remove(&address.0);
            let unreserved = state.devices.machines().map(|machine| machine.unreserve(address.0, bytes as u64));
            unreserved.collect::<Result<(), _>>().map_err(memory_status)
        })
    }

    fn cuMemCreate(handle: Out<Handle>, bytes: usize, properties: In<AllocationProperties>, flags: u64) {
        with(|state| state.allocations.count())?;
        recorded_call(|_| format!("create({bytes})"), |state| {
            handle.check()?;
            let properties = properties.get()?;
            let device = properties.device(state)?;
            if flags != 0 {
                return Err(Status::INVALID_VALUE);
            }
            let memory = state.devices.get(device).machine.alloc_unmapped(whole(bytes)?).map_err(memory_status)?;
            let new = state.new_handle();
            let flags = properties.flags;
            state.virtual_memory.physical.insert(new, Physical { device, memory, flags, references: 1, mappings: 0 });
            handle.set(new)
        })
    }

    fn cuMemRelease(handle: Handle) {
        recorded_call(|_| "release".to_owned(), |state| {
            let physical = find(state, handle)?;
            physical.references = physical.references.checked_sub(1).ok_or(Status::INVALID_VALUE)?;
            free_unused(state, handle);
            Ok(())
        })
    }

    fn cuMemRetainAllocationHandle(handle: Out<Handle>, address: Address) {
        with(|state| {
            let known = state.virtual_memory.mapping_of(address.0).ok_or(Status::INVALID_VALUE)?.1.handle;
            find(state, known)?.references += 1;
            handle.set(known)
        })
    }

    fn cuMemGetAllocationPropertiesFromHandle(properties: Out<AllocationProperties>, handle: Handle) {
        with(|state| {
            let Physical { device, flags, .. } = *find(state, handle)?;
            let location = MemoryLocation::of(device);
            properties.set(AllocationProperties { allocation: PINNED, handles: 0, location, security: 0, flags })
        })
    }

    fn cuMemMap(address: Address, bytes: usize, offset: usize, handle: Handle, flags: u64) {
        recorded_call(|_| format!("map({bytes})"), |state| {
            let (bytes, offset) = (whole(bytes)?, offset as u64);
            let physical = find(state, handle)?;
            let is_inside = offset.checked_add(bytes).is_some_and(|end| end <= physical.memory.size());
            if flags != 0 || !is_inside || !offset.is_multiple_of(GRANULARITY) || !address.0.is_multiple_of(GRANULARITY) {
                return Err(Status::INVALID_VALUE);
            }
            let known = &state.virtual_memory;
            let (start, size) = known.reserved.range(..=address.0).next_back().ok_or(Status::INVALID_VALUE)?;
            let is_reserved = address.0 - start <= *size && bytes <= size - (address.0 - start);
            if !is_reserved || known.overlaps(address.0, bytes) {
                return Err(Status::INVALID_VALUE);
            }
            find(state, handle)?.mappings += 1;
            // Nobody may access it yet.
            let mapping = Mapping { bytes, handle, offset, access: AccessFlags::empty() };
            state.virtual_memory.mappings.insert(address.0, mapping);
            Ok(())
        })
    }

    fn cuMemUnmap(address: Address, bytes: usize) {
        recorded_call(|_| "unmap".to_owned(), |state| {
            for start in state.virtual_memory.covered(address.0, bytes as u64)? {
                let Some(mapping) = state.virtual_memory.mappings.remove(&start) else { continue };
                let physical = find(state, mapping.handle)?;
                physical.mappings -= 1;
                if !mapping.access.is_empty() {
                    let device = physical.device;
                    state.devices.get(device).machine.unmap(start).map_err(memory_status)?;
                }
                free_unused(state, mapping.handle);
            }
            Ok(())
        })
    }

    fn cuMemSetAccess(address: Address, bytes: usize, accesses: In<AccessDescription>, count: usize) {
        recorded_call(|_| "access".to_owned(), |state| {
            let covered = state.virtual_memory.covered(address.0, bytes as u64)?;
            for at in 0..count {
                let AccessDescription { location, flags } = accesses.at(at).get()?;
                let device = location.device(state)?;
                let flags: AccessFlags = known(flags)?;
                if flags == AccessFlags::WRITE {
                    return Err(Status::INVALID_VALUE);
                }
                for start in &covered {
                    set_access(state, *start, device, flags)?;
                }
            }
            Ok(())
        })
    }

    fn cuMemGetAccess(flags: Out<u64>, location: In<MemoryLocation>, address: Address) {
        with(|state| {
            let device = location.get()?.device(state)?;
            let (_, mapping) = state.virtual_memory.mapping_of(address.0).ok_or(Status::INVALID_VALUE)?;
            let has_it = state.virtual_memory.device_at(address.0) == Some(device);
            flags.set(if has_it { u64::from(mapping.access.bits()) } else { 0 })
        })
    }
}

/// A size that is a multiple of the granularity.
fn whole(bytes: usize) -> Result<u64, Status> {
    let bytes = bytes as u64;
    if bytes > 0 && bytes.is_multiple_of(GRANULARITY) { Ok(bytes) } else { Err(Status::INVALID_VALUE) }
}

fn find(state: &mut State, handle: Handle) -> Result<&mut Physical, Status> {
    state.virtual_memory.physical.get_mut(&handle).ok_or(Status::INVALID_VALUE)
}

/// Frees memory that has neither a handle nor an address.
fn free_unused(state: &mut State, handle: Handle) {
    let is_unused = |physical: &Physical| physical.references == 0 && physical.mappings == 0;
    if state.virtual_memory.physical.get(&handle).is_some_and(is_unused)
        && let Some(Physical { device, memory, .. }) = state.virtual_memory.physical.remove(&handle)
    {
        state.devices.get(device).machine.free_unmapped(memory);
    }
}

/// Sets what a device may do with the memory of a mapping: only one whose memory it is may access it.
fn set_access(state: &mut State, start: u64, device: Ordinal, flags: AccessFlags) -> DriverResult {
    let known = &mut state.virtual_memory;
    let (Some(mapping), physical) = (known.mappings.get_mut(&start), &known.physical) else { return Ok(()) };
    let physical = physical.get(&mapping.handle).ok_or(Status::INVALID_VALUE)?;
    if physical.device != device {
        return if flags.is_empty() { Ok(()) } else { Err(Status::NOT_SUPPORTED) };
    }
    if mapping.access == flags {
        return Ok(());
    }
    let machine = &state.devices.get(device).machine;
    if !mapping.access.is_empty() {
        machine.unmap(start).map_err(memory_status)?;
    }
    mapping.access = flags;
    if flags.is_empty() {
        return Ok(());
    }
    let access = if flags.contains(AccessFlags::WRITE) { HostAccess::Write } else { HostAccess::Read };
    machine.map(start, &physical.memory, mapping.offset, mapping.bytes, access).map_err(memory_status)
}
