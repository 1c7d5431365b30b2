//! Device memory, and memory that host and device share.
//!
//! Pinned, registered and managed memory is memory of the host, which every device reaches at the same address.
//! Calls that free memory wait for all operations of its context, as with NVIDIA's driver; `cuMemFreeAsync`
//! does not.

use std::{cell::Cell, sync::Arc};

use ptx_emulator::{HostAccess, Machine, check_host};

use super::{
    abi::{Address, DriverResult, Handle, HostTarget, In, Out, entry_points},
    background,
    current::current,
    flags::{HostFlags, ManagedFlags, known},
    objects::{DeviceMemory, HostMemory, HostMemoryKind},
    scheduler::Action,
    state::{State, map_host, memory_status, with, with_context},
    wait::{recorded_call, wait_for_context, wait_for_room},
};
use crate::{Status, host_site::HostCalls};

/// Pointer attributes that are 32 bits wide.
const NARROW: [i32; 3] = [2, 8, 9];

entry_points! {
    fn cuMemGetInfo_v2(free: Out<usize>, total: Out<usize>) {
        with_context(|state, context| {
            let machine = state.machine_of(context);
            let (used, all) = machine.memory_usage();
            // The host's memory may end first.
            let (taken, limit) = machine.host_usage();
            free.set_if_wanted((all - used).min(limit.saturating_sub(taken)) as usize);
            total.set_if_wanted(all as usize);
            Ok(())
        })
    }

    fn cuMemAlloc_v2(address: Out<u64>, bytes: usize) {
        allocate(address, bytes, None)
    }

    fn cuMemAllocAsync(address: Out<u64>, bytes: usize, stream: Handle) {
        let pool = with_context(|state, context| Ok(state.current_pool(state.device_of(context))))?;
        allocate(address, bytes, Some((stream, pool)))
    }

    fn cuMemAllocPitch_v2(address: Out<u64>, pitch: Out<usize>, width: usize, height: usize, element: u32) {
        /// Rows start at multiples of this.
        const ROW: usize = 512;
        pitch.check()?;
        if ![4, 8, 16].contains(&element) {
            return Err(Status::INVALID_VALUE);
        }
        let row = width.checked_next_multiple_of(ROW).ok_or(Status::INVALID_VALUE)?;
        allocate(address, row.checked_mul(height).ok_or(Status::INVALID_VALUE)?, None)?;
        pitch.set(row)
    }

    fn cuMemFree_v2(address: Address) {
        wait_for_owner(address.0);
        recorded_call(|_| "free".to_owned(), |state| free(state, address.0))
    }

    fn cuMemFreeAsync(address: Address, stream: Handle) {
        wait_for_room();
        let at_once = recorded_call(|state| format!("free({})", state.streams.name(stream)), |state| {
            let context = state.streams.get(stream).map_or(current(), |known| known.context);
            let queue = state.find_queue(stream, context)?;
            if state.fault_of(context).is_err() || !state.device_memory.contains_key(&address.0) {
                // A failed context performs no operation any more, but its memory can be freed.
                return Ok(true);
            }
            // For the program the memory is free now, for the device later.
            state.device_memory.remove(&address.0);
            let freed = FreedMemory { machine: state.machine_at(address.0).clone(), address: address.0 };
            state.enqueue(queue, Action::Task(Box::new(move || {
                drop(freed);
                Ok(())
            })));
            background::wake(state);
            Ok(false)
        })?;
        if at_once { recorded_call(|_| "free".to_owned(), |state| free(state, address.0)) } else { Ok(()) }
    }

    fn cuMemGetAddressRange_v2(base: Out<u64>, bytes: Out<usize>, address: Address) {
        with_context(|state, _| {
            let (start, size) = state.machine_at(address.0).allocation(address.0).ok_or(Status::NOT_FOUND)?;
            base.set_if_wanted(start);
            bytes.set_if_wanted(size as usize);
            Ok(())
        })
    }

    fn cuPointerGetAttribute(value: Out<u64>, attribute: i32, address: Address) {
        with_context(|state, context| pointer_attribute(state, context, value, attribute, address.0))
    }

    fn cuPointerGetAttributes(count: u32, attributes: In<i32>, values: In<usize>, address: Address) {
        with_context(|state, context| {
            for at in 0..count as usize {
                let (attribute, value) = (attributes.at(at).get()?, values.at(at).get()?);
                let value = Out::at(value as *mut u64);
                match pointer_attribute(state, context, value, attribute, address.0) {
                    // An unknown address has no attributes; that is no error here.
                    Err(Status::INVALID_VALUE) if NARROW.contains(&attribute) => value.narrow().set(0)?,
                    Err(Status::INVALID_VALUE) => value.set(0)?,
                    result => result?,
                }
            }
            Ok(())
        })
    }

    fn cuMemAllocHost_v2(address: Out<u64>, bytes: usize) {
        with_context(|state, context| allocate_host(state, context, address, bytes, HostMemoryKind::Pinned, HostFlags::MAPPED))
    }

    fn cuMemHostAlloc(address: Out<u64>, bytes: usize, flags: u32) {
        with_context(|state, context| {
            let flags = host_flags(flags, HostFlags::OF_PINNED)?;
            allocate_host(state, context, address, bytes, HostMemoryKind::Pinned, flags)
        })
    }

    fn cuMemAllocManaged(address: Out<u64>, bytes: usize, flags: u32) {
        with_context(|state, context| {
            let flags: ManagedFlags = known(flags)?;
            if flags.is_empty() || flags.is_all() {
                return Err(Status::INVALID_VALUE);
            }
            let flags = HostFlags::from_bits_retain(flags.bits());
            allocate_host(state, context, address, bytes, HostMemoryKind::Managed, flags)
        })
    }

    fn cuMemHostRegister_v2(memory: HostTarget, bytes: usize, flags: u32) {
        let flags = host_flags(flags, HostFlags::OF_REGISTERED)?;
        let start = memory.range(bytes)?;
        let access = if flags.contains(HostFlags::READ_ONLY) { HostAccess::Read } else { HostAccess::Write };
        // Without the lock: a file of the host's is read.
        let accessible = check_host(memory.as_source().address(), bytes as u64, access);
        with_context(|state, context| {
            accessible.map_err(memory_status)?;
            // SAFETY: the memory is there, and the caller promises that it lives until it is unregistered and
            // that the host does not use it during a launch in ways that would race with the kernel.
            unsafe { map_host(state.devices.machines(), start, bytes, access) }.map_err(memory_status)?;
            let memory = HostMemory { kind: HostMemoryKind::Registered, bytes, context, flags, calls: None };
            state.host_memory.insert(start.addr().get() as u64, memory);
            Ok(())
        })
    }

    fn cuMemHostUnregister(address: Address) {
        wait_for_owner(address.0);
        with(|state| free_host(state, address.0, HostMemoryKind::Registered, Status::HOST_MEMORY_NOT_REGISTERED))
    }

    fn cuMemHostGetDevicePointer_v2(device: Out<u64>, host: Address, flags: u32) {
        with_context(|state, _| {
            if flags != 0 || state.host_range(host.0).is_none() {
                return Err(Status::INVALID_VALUE);
            }
            device.set(host.0)
        })
    }

    fn cuMemHostGetFlags(flags: Out<u32>, address: Address) {
        with_context(|state, _| {
            flags.set(state.host_memory.get(&address.0).ok_or(Status::INVALID_VALUE)?.flags.bits())
        })
    }

    fn cuMemFreeHost(address: Address) {
        wait_for_owner(address.0);
        with(|state| free_host(state, address.0, HostMemoryKind::Pinned, Status::INVALID_VALUE))
    }
}

/// Allocates memory, which the program may use at once, whatever operations a stream still has. A
/// stream-ordered allocation names its stream and the pool that it comes from.
pub(super) fn allocate(
    address: Out<u64>,
    bytes: usize,
    stream_and_pool: Option<(Handle, Handle)>,
) -> DriverResult {
    let calls = with(|state| Ok(state.configuration.checks_leaks))?.then(HostCalls::here);
    let calls = Cell::new(calls);
    let try_once = || {
        recorded_call(
            |_| format!("allocate({bytes})"),
            |state| {
                let context = state.usable_context(current())?;
                if let Some((stream, _)) = stream_and_pool {
                    state.find_queue(stream, context)?;
                }
                address.check()?;
                let pool = stream_and_pool.map(|(_, pool)| pool);
                let of_pool = pool.and_then(|pool| state.pools.get(&pool)).map(|pool| pool.device);
                let device = of_pool.unwrap_or_else(|| state.device_of(context));
                let start = state.devices.get(device).machine.alloc(bytes as u64).map_err(memory_status)?;
                state
                    .device_memory
                    .insert(start, DeviceMemory { context, bytes: bytes as u64, calls: calls.take(), pool });
                if let Some(pool) = pool {
                    let used = state.pool_bytes_in_use(pool);
                    if let Some(pool) = state.pools.get_mut(&pool) {
                        pool.most_used = pool.most_used.max(used);
                    }
                }
                address.set(start)
            },
        )
    };
    with_context(|state, _| state.allocations.count())?;
    match try_once() {
        Err(Status::OUT_OF_MEMORY) => {
            // Operations may be about to free memory.
            wait_for_context(current());
            try_once()
        }
        result => result,
    }
}

/// Device memory that the program has freed: the device frees it when this is dropped, be it because the
/// operations before it on its stream are done or because its context has ended or failed.
struct FreedMemory {
    machine: Arc<Machine>,
    address: u64,
}

impl Drop for FreedMemory {
    fn drop(&mut self) {
        if let Err(error) = self.machine.free(self.address) {
            memory_status(error);
        }
    }
}

/// Waits for the operations of the context that memory belongs to.
fn wait_for_owner(address: u64) {
    let owner = with(|state| {
        let device = state.device_memory.get(&address).map(|memory| memory.context);
        Ok(device.or_else(|| state.host_memory.get(&address).map(|memory| memory.context)))
    });
    if let Ok(Some(context)) = owner {
        wait_for_context(context);
    }
}

/// The flags of host memory, of which those are allowed.
fn host_flags(bits: u32, allowed: HostFlags) -> Result<HostFlags, Status> {
    known(bits).and_then(|flags| if allowed.contains(flags) { Ok(flags) } else { Err(Status::INVALID_VALUE) })
}

fn free(state: &mut State, address: u64) -> DriverResult {
    if address == 0 {
        return Ok(());
    }
    if let Some(memory) = state.device_memory.remove(&address) {
        state.machine_at(address).free(address).map_err(memory_status)?;
        return state.fault_of(memory.context);
    }
    free_host(state, address, HostMemoryKind::Managed, Status::INVALID_VALUE)
}

fn allocate_host(
    state: &mut State,
    context: Handle,
    address: Out<u64>,
    bytes: usize,
    kind: HostMemoryKind,
    flags: HostFlags,
) -> DriverResult {
    address.check()?;
    state.allocations.count()?;
    let start = state.allocate_host(bytes).map_err(memory_status)?;
    let calls = state.configuration.checks_leaks.then(HostCalls::here);
    state.host_memory.insert(start, HostMemory { kind, bytes, context, flags, calls });
    address.set(start)
}

/// Frees shared memory of this kind that starts at an address; `missing` is the status if there is none.
fn free_host(state: &mut State, address: u64, kind: HostMemoryKind, missing: Status) -> DriverResult {
    let memory = state.host_memory.get(&address).filter(|memory| memory.kind == kind).ok_or(missing)?;
    let context = memory.context;
    state.release_host(address);
    state.fault_of(context)
}

/// `CUpointer_attribute` of a device pointer or of shared memory. Values are 4 or 8 bytes wide.
fn pointer_attribute(
    state: &State,
    context: Handle,
    value: Out<u64>,
    attribute: i32,
    address: u64,
) -> DriverResult {
    /// `CU_MEMORYTYPE_HOST` and `CU_MEMORYTYPE_DEVICE`.
    const KINDS: [u32; 2] = [1, 2];
    let host = state.host_range(address).map(|(base, memory)| (base, memory.bytes as u64, memory));
    let (base, bytes, owner, kind) = match host {
        Some((base, bytes, memory)) => (base, bytes, memory.context, Some(memory.kind)),
        None => {
            let (base, bytes) = state.machine_at(address).allocation(address).ok_or(Status::INVALID_VALUE)?;
            (base, bytes, state.device_memory.get(&base).map_or(context, |memory| memory.context), None)
        }
    };
    let device = if kind.is_some() { state.device_of(owner) } else { state.device_at(address) };
    // Managed memory counts as device memory.
    let is_managed = kind.is_some_and(HostMemoryKind::is_managed);
    let on_host = kind.is_some() && !is_managed;
    match attribute {
        1 => value.set(owner.0 as u64),
        2 => value.narrow().set(KINDS[usize::from(!on_host)]),
        // The address on the device, and on the host, if it has one.
        3 => value.set(address),
        4 if kind.is_some() => value.set(address),
        4 => Err(Status::INVALID_VALUE),
        // Is it managed memory?
        8 => value.narrow().set(u32::from(is_managed)),
        9 => value.narrow().set(device.number() as u32),
        11 => value.set(base),
        12 => value.set(bytes),
        _ => Err(Status::NOT_SUPPORTED),
    }
}
