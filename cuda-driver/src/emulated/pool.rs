//! Memory pools. A pool counts the bytes that were allocated from it; freed memory is not kept for later.

use super::{
    abi::{Address, DriverResult, Handle, In, Out, entry_points},
    flags::{AccessFlags, known},
    memory::allocate,
    objects::{Ordinal, Pool},
    state::{State, with, with_context},
};
use crate::Status;

/// `CUmemPool_attribute`: how memory is reused, the bytes that a pool keeps, and its counts.
const REUSE: std::ops::RangeInclusive<i32> = 1..=3;
const RELEASE_THRESHOLD: i32 = 4;
const RESERVED: i32 = 5;
const RESERVED_HIGH: i32 = 6;
const USED: i32 = 7;
const USED_HIGH: i32 = 8;

/// `CU_MEM_ALLOCATION_TYPE_PINNED`.
pub(super) const PINNED: u32 = 1;

/// `CUmemLocationType` of a device, and of the host: as a whole, a NUMA node of it, the current one.
const ON_DEVICE: u32 = 1;
const ON_HOST: std::ops::RangeInclusive<u32> = 2..=4;

/// `CUmemPoolProps`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct PoolProperties {
    allocation: u32,
    handles: u32,
    location: MemoryLocation,
    security: usize,
    max_bytes: usize,
    reserved: [u64; 7],
}

/// `CUmemLocation`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryLocation {
    kind: u32,
    device: i32,
}

/// `CUmemAccessDesc`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct AccessDescription {
    pub location: MemoryLocation,
    pub flags: u32,
}

impl MemoryLocation {
    pub fn of(device: Ordinal) -> MemoryLocation {
        MemoryLocation { kind: ON_DEVICE, device: device.number() }
    }

    /// The device's number, or -1 for the host.
    fn number(&self) -> Result<i32, Status> {
        match self.kind {
            ON_DEVICE => Ok(self.device),
            kind if ON_HOST.contains(&kind) => Ok(-1),
            _ => Err(Status::INVALID_VALUE),
        }
    }

    pub fn device(&self, state: &State) -> Result<Ordinal, Status> {
        if self.kind == ON_DEVICE { state.devices.find(self.device) } else { Err(Status::INVALID_VALUE) }
    }
}

entry_points! {
    fn cuDeviceGetDefaultMemPool(pool: Out<Handle>, device: i32) {
        with(|state| {
            let device = state.devices.find(device)?;
            pool.set(state.default_pool(device))
        })
    }

    fn cuDeviceGetMemPool(pool: Out<Handle>, device: i32) {
        with(|state| {
            let device = state.devices.find(device)?;
            pool.set(state.current_pool(device))
        })
    }

    fn cuDeviceSetMemPool(device: i32, pool: Handle) {
        with(|state| {
            let device = state.devices.find(device)?;
            if find_pool(state, pool)?.device != device {
                return Err(Status::INVALID_VALUE);
            }
            state.devices.get_mut(device).current_pool = Some(pool);
            Ok(())
        })
    }

    fn cuMemPoolCreate(pool: Out<Handle>, properties: In<PoolProperties>) {
        let properties = properties.get()?;
        let device = with(|state| properties.location.device(state))?;
        if properties.allocation != PINNED {
            return Err(Status::INVALID_VALUE);
        }
        if properties.handles != 0 {
            // Pools cannot be shared with other processes.
            return Err(Status::NOT_SUPPORTED);
        }
        with(|state| {
            pool.check()?;
            pool.set(state.new_pool(device))
        })
    }

    fn cuMemPoolDestroy(pool: Handle) {
        with(|state| {
            let device = find_pool(state, pool)?.device;
            if pool == state.default_pool(device) {
                return Err(Status::INVALID_VALUE);
            }
            state.pools.remove(&pool);
            state.devices.get_mut(device).current_pool.take_if(|current| *current == pool);
            Ok(())
        })
    }

    fn cuMemPoolGetAttribute(pool: Handle, attribute: i32, value: Out<u64>) {
        with(|state| {
            let used = state.pool_bytes_in_use(pool);
            let known = find_pool(state, pool)?;
            match attribute {
                _ if REUSE.contains(&attribute) => value.narrow().set(known.reuse[attribute as usize - 1]),
                RELEASE_THRESHOLD => value.set(known.release_threshold),
                RESERVED | USED => value.set(used),
                RESERVED_HIGH | USED_HIGH => value.set(known.most_used),
                _ => Err(Status::INVALID_VALUE),
            }
        })
    }

    fn cuMemPoolSetAttribute(pool: Handle, attribute: i32, value: In<u64>) {
        let wide = || value.get();
        with(|state| {
            let used = state.pool_bytes_in_use(pool);
            let known = find_pool(state, pool)?;
            match attribute {
                _ if REUSE.contains(&attribute) => known.reuse[attribute as usize - 1] = value.narrow().get()?,
                RELEASE_THRESHOLD => known.release_threshold = wide()?,
                // The high-water marks can be reset.
                RESERVED_HIGH | USED_HIGH if wide()? == 0 => known.most_used = used,
                _ => return Err(Status::INVALID_VALUE),
            }
            Ok(())
        })
    }

    fn cuMemPoolTrimTo(pool: Handle, _bytes: usize) {
        with(|state| find_pool(state, pool).map(drop))
    }

    fn cuMemPoolSetAccess(pool: Handle, accesses: In<AccessDescription>, count: usize) {
        with(|state| {
            let own = find_pool(state, pool)?.device;
            for at in 0..count {
                let AccessDescription { location, flags } = accesses.at(at).get()?;
                // The device's own access cannot be revoked, and others have none.
                let expected = if location.device(state)? == own { AccessFlags::all() } else { AccessFlags::empty() };
                if known(flags) != Ok(expected) {
                    return Err(Status::INVALID_VALUE);
                }
            }
            Ok(())
        })
    }

    fn cuMemPoolGetAccess(flags: Out<u32>, pool: Handle, location: In<MemoryLocation>) {
        with(|state| {
            let own = find_pool(state, pool)?.device;
            let access = if location.get()?.device(state)? == own { AccessFlags::all() } else { AccessFlags::empty() };
            flags.set(access.bits())
        })
    }

    fn cuMemAllocFromPoolAsync(address: Out<u64>, bytes: usize, pool: Handle, stream: Handle) {
        with(|state| find_pool(state, pool).map(drop))?;
        allocate(address, bytes, Some((stream, pool)))
    }

    fn cuMemPrefetchAsync(address: Address, bytes: usize, device: i32, stream: Handle) {
        with_context(|state, context| {
            state.find_queue(stream, context)?;
            check_managed(state, address, bytes, device)
        })
    }

    fn cuMemAdvise(address: Address, bytes: usize, _advice: i32, device: i32) {
        with_context(|state, _| check_managed(state, address, bytes, device))
    }

    fn cuStreamAttachMemAsync(stream: Handle, address: Address, bytes: usize, flags: u32) {
        with_context(|state, context| {
            state.find_queue(stream, context)?;
            // All memory, none or one stream's: every stream can use managed memory here.
            if !matches!(flags, 1 | 2 | 4) {
                return Err(Status::INVALID_VALUE);
            }
            check_managed(state, address, bytes, -1)
        })
    }

    fn cuMemPrefetchAsync_v2(
        address: Address,
        bytes: usize,
        location: MemoryLocation,
        _flags: u32,
        stream: Handle,
    ) {
        with_context(|state, context| {
            state.find_queue(stream, context)?;
            check_managed(state, address, bytes, location.number()?)
        })
    }

    fn cuMemAdvise_v2(address: Address, bytes: usize, _advice: i32, location: MemoryLocation) {
        with_context(|state, _| check_managed(state, address, bytes, location.number()?))
    }
}

/// The location of managed memory has no effect here. Device -1 is the host.
fn check_managed(state: &State, address: Address, bytes: usize, device: i32) -> DriverResult {
    if device != -1 {
        state.devices.find(device)?;
    }
    match state.host_range(address.0) {
        Some((base, memory)) if bytes as u64 <= memory.bytes as u64 - (address.0 - base) => Ok(()),
        _ => Err(Status::INVALID_VALUE),
    }
}

fn find_pool(state: &mut State, pool: Handle) -> Result<&mut Pool, Status> {
    state.pools.get_mut(&pool).ok_or(Status::INVALID_HANDLE)
}
