//! Device memory, and memory that host and device share.
//!
//! Pinned, registered and managed memory is memory of the host, which the device reaches at the same address. What
//! frees memory waits for all work of its context, as with NVIDIA's driver; `cuMemFreeAsync` does not.

use ptx_emulator::Machine;

use super::{
    abi::{Address, Handle, HostTarget, In, Out, Outcome, entry_points},
    order::ordered,
    state::{DeviceMemory, HostKind, HostMemory, State, current, memory_status, with, with_context},
    work::{self, Action},
};
use crate::Status;

/// Flags of pinned memory: portable, mapped, write-combined.
const HOST_FLAGS: u32 = 7;

/// Flags of registered memory: portable, mapped, read-only.
const REGISTER_FLAGS: u32 = 11;

/// `CU_MEMHOSTALLOC_DEVICEMAP`.
const HOST_MAPPED: u32 = 2;

/// Flags of managed memory: `CU_MEM_ATTACH_GLOBAL` or `CU_MEM_ATTACH_HOST`, which mean the same here.
const MANAGED_FLAGS: [u32; 2] = [1, 2];

/// Pointer attributes that are 32 bits wide.
const NARROW: [i32; 3] = [2, 8, 9];

entry_points! {
    fn cuMemGetInfo_v2(free: Out<usize>, total: Out<usize>) {
        with_context(|state, _| {
            let (used, all) = state.machine.memory_usage();
            free.set_if_wanted((all - used) as usize);
            total.set_if_wanted(all as usize);
            Ok(())
        })
    }

    fn cuMemAlloc_v2(address: Out<u64>, bytes: usize) {
        allocate(address, bytes, None)
    }

    fn cuMemAllocAsync(address: Out<u64>, bytes: usize, stream: Handle) {
        let pool = with(|state| Ok(state.current_pool()))?;
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
        ordered(|_| "free".to_owned(), |state| free(state, address.0))
    }

    fn cuMemFreeAsync(address: Address, stream: Handle) {
        work::wait_for_room();
        let lost = ordered(|state| format!("free({})", state.name_of(stream)), |state| {
            let context = state.streams.get(&stream).map_or(current(), |known| known.context);
            let stream = state.find_stream(stream, context)?;
            if state.fault_of(context).is_err() || !state.device_memory.contains_key(&address.0) {
                // A failed context does nothing any more, but its memory can go.
                return Ok(true);
            }
            // The program has given the address up now, the device does later.
            state.device_memory.remove(&address.0);
            let start = address.0;
            let free = Box::new(move |machine: &Machine| machine.free(start).map_err(memory_status));
            state.enqueue(stream, context, Action::Task(free));
            work::look_after(state);
            Ok(false)
        })?;
        if lost { ordered(|_| "free".to_owned(), |state| free(state, address.0)) } else { Ok(()) }
    }

    fn cuMemGetAddressRange_v2(base: Out<u64>, bytes: Out<usize>, address: Address) {
        with_context(|state, _| {
            let (start, size) = state.machine.allocation(address.0).ok_or(Status::NOT_FOUND)?;
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
                    // What nobody knows has no attributes; that is no error here.
                    Err(Status::INVALID_VALUE) if NARROW.contains(&attribute) => value.narrow().set(0)?,
                    Err(Status::INVALID_VALUE) => value.set(0)?,
                    outcome => outcome?,
                }
            }
            Ok(())
        })
    }

    fn cuMemAllocHost_v2(address: Out<u64>, bytes: usize) {
        with_context(|state, context| allocate_host(state, context, address, bytes, HostKind::Pinned, HOST_MAPPED))
    }

    fn cuMemHostAlloc(address: Out<u64>, bytes: usize, flags: u32) {
        with_context(|state, context| {
            if flags & !HOST_FLAGS != 0 {
                return Err(Status::INVALID_VALUE);
            }
            allocate_host(state, context, address, bytes, HostKind::Pinned, flags)
        })
    }

    fn cuMemAllocManaged(address: Out<u64>, bytes: usize, flags: u32) {
        with_context(|state, context| {
            if !MANAGED_FLAGS.contains(&flags) {
                return Err(Status::INVALID_VALUE);
            }
            allocate_host(state, context, address, bytes, HostKind::Managed, flags)
        })
    }

    fn cuMemHostRegister_v2(memory: HostTarget, bytes: usize, flags: u32) {
        with_context(|state, context| {
            if flags & !REGISTER_FLAGS != 0 {
                return Err(Status::INVALID_VALUE);
            }
            let start = memory.range(bytes)?;
            // SAFETY: the caller promises memory that lives until it is unregistered, and that nobody uses it
            // during a launch as threads of the kernel may not.
            unsafe { state.machine.map_host(start, bytes) }.map_err(memory_status)?;
            let memory = HostMemory { kind: HostKind::Registered, bytes, context, flags };
            state.host_memory.insert(start.addr().get() as u64, memory);
            Ok(())
        })
    }

    fn cuMemHostUnregister(address: Address) {
        wait_for_owner(address.0);
        with(|state| free_host(state, address.0, HostKind::Registered, Status::HOST_MEMORY_NOT_REGISTERED))
    }

    fn cuMemHostGetDevicePointer_v2(device: Out<u64>, host: Address, flags: u32) {
        with_context(|state, _| {
            if flags != 0 || host_range(state, host.0).is_none() {
                return Err(Status::INVALID_VALUE);
            }
            device.set(host.0)
        })
    }

    fn cuMemHostGetFlags(flags: Out<u32>, address: Address) {
        with_context(|state, _| {
            flags.set(state.host_memory.get(&address.0).ok_or(Status::INVALID_VALUE)?.flags)
        })
    }

    fn cuMemFreeHost(address: Address) {
        wait_for_owner(address.0);
        with(|state| free_host(state, address.0, HostKind::Pinned, Status::INVALID_VALUE))
    }
}

/// Allocates memory, which the program may use at once, whatever a stream has still to do. In a stream's order it comes
/// from a pool.
pub(super) fn allocate(address: Out<u64>, bytes: usize, order: Option<(Handle, Handle)>) -> Outcome {
    let try_once = || {
        ordered(
            |_| format!("allocate({bytes})"),
            |state| {
                let context = state.usable_context(current())?;
                if let Some((stream, _)) = order {
                    state.find_stream(stream, context)?;
                }
                address.check()?;
                let start = state.machine.alloc(bytes as u64).map_err(memory_status)?;
                let pool = order.map(|(_, pool)| pool);
                state.device_memory.insert(start, DeviceMemory { context, bytes: bytes as u64, pool });
                if let Some(pool) = pool {
                    let used = state.used_of(pool);
                    if let Some(pool) = state.pools.get_mut(&pool) {
                        pool.most_used = pool.most_used.max(used);
                    }
                }
                address.set(start)
            },
        )
    };
    with_context(|state, _| state.may_allocate())?;
    match try_once() {
        Err(Status::OUT_OF_MEMORY) => {
            // Memory may be about to be freed.
            work::wait_for_context(current());
            try_once()
        }
        outcome => outcome,
    }
}

/// Waits for the work of the context that memory belongs to.
fn wait_for_owner(address: u64) {
    let owner = with(|state| {
        let device = state.device_memory.get(&address).map(|memory| memory.context);
        Ok(device.or_else(|| state.host_memory.get(&address).map(|memory| memory.context)))
    });
    if let Ok(Some(context)) = owner {
        work::wait_for_context(context);
    }
}

fn free(state: &mut State, address: u64) -> Outcome {
    if address == 0 {
        return Ok(());
    }
    if let Some(memory) = state.device_memory.remove(&address) {
        state.machine.free(address).map_err(memory_status)?;
        return state.fault_of(memory.context);
    }
    free_host(state, address, HostKind::Managed, Status::INVALID_VALUE)
}

fn allocate_host(
    state: &mut State,
    context: Handle,
    address: Out<u64>,
    bytes: usize,
    kind: HostKind,
    flags: u32,
) -> Outcome {
    address.check()?;
    state.may_allocate()?;
    let start = state.machine.alloc_host(bytes as u64).map_err(memory_status)?;
    state.host_memory.insert(start, HostMemory { kind, bytes, context, flags });
    address.set(start)
}

/// Gives up shared memory of this kind that starts here; `lacking` says that there is none.
fn free_host(state: &mut State, address: u64, kind: HostKind, lacking: Status) -> Outcome {
    let memory = state.host_memory.get(&address).filter(|memory| memory.kind == kind).ok_or(lacking)?;
    let context = memory.context;
    state.release_host(address);
    state.fault_of(context)
}

/// The shared memory that an address lies in, and where it starts.
pub(super) fn host_range(state: &State, address: u64) -> Option<(u64, &HostMemory)> {
    let (&base, memory) = state.host_memory.range(..=address).next_back()?;
    (address - base < memory.bytes as u64).then_some((base, memory))
}

/// `CUpointer_attribute` of a device pointer or of shared memory. Answers are 4 or 8 bytes wide.
fn pointer_attribute(
    state: &State,
    context: Handle,
    value: Out<u64>,
    attribute: i32,
    address: u64,
) -> Outcome {
    /// `CU_MEMORYTYPE_HOST` and `CU_MEMORYTYPE_DEVICE`.
    const KINDS: [u32; 2] = [1, 2];
    let host = host_range(state, address).map(|(base, memory)| (base, memory.bytes as u64, memory));
    let (base, bytes, owner, kind) = match host {
        Some((base, bytes, memory)) => (base, bytes, memory.context, Some(memory.kind)),
        None => {
            let (base, bytes) = state.machine.allocation(address).ok_or(Status::INVALID_VALUE)?;
            (base, bytes, state.device_memory.get(&base).map_or(context, |memory| memory.context), None)
        }
    };
    // Managed memory counts as the device's.
    let on_host = kind.is_some_and(|kind| kind != HostKind::Managed);
    match attribute {
        1 => value.set(owner.0 as u64),
        2 => value.narrow().set(KINDS[usize::from(!on_host)]),
        // The address on the device, and on the host, where there is one.
        3 => value.set(address),
        4 if kind.is_some() => value.set(address),
        4 => Err(Status::INVALID_VALUE),
        // Is it managed memory?
        8 => value.narrow().set(u32::from(kind == Some(HostKind::Managed))),
        9 => value.narrow().set(super::device::DEVICE as u32),
        11 => value.set(base),
        12 => value.set(bytes),
        _ => Err(Status::NOT_SUPPORTED),
    }
}
