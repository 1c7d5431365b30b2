//! Device memory, memory that host and device share, copies and fills.
//!
//! Pinned, registered and managed memory is memory of the host, which the device reaches at the same address.

use ptx_emulator::Machine;

use super::{
    abi::{Address, Handle, HostSource, HostTarget, Out, Outcome, entry_points},
    state::{HostKind, HostMemory, State, memory_status, with, with_context},
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
        with_context(|state, context| allocate(state, context, address, bytes))
    }

    fn cuMemAllocAsync(address: Out<u64>, bytes: usize, stream: Handle) {
        with_stream(stream, |state, context| allocate(state, context, address, bytes))
    }

    fn cuMemFree_v2(address: Address) {
        with(|state| free(state, address.0))
    }

    fn cuMemFreeAsync(address: Address, stream: Handle) {
        with(|state| {
            // A failed context has no usable streams, but its memory can go.
            if let Some(known) = state.streams.get(&stream) {
                state.check_stream(stream, known.context)?;
            } else {
                state.check_stream(stream, Handle::NULL)?;
            }
            free(state, address.0)
        })
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
        with(|state| free_host(state, address.0, HostKind::Pinned, Status::INVALID_VALUE))
    }

    fn cuMemcpy(to: Address, from: Address, bytes: usize) {
        with_context(|state, _| copy_any(state, to.0, from.0, bytes))
    }

    fn cuMemcpyAsync(to: Address, from: Address, bytes: usize, stream: Handle) {
        with_stream(stream, |state, _| copy_any(state, to.0, from.0, bytes))
    }

    fn cuMemcpyHtoD_v2(to: Address, from: HostSource, bytes: usize) {
        with_context(|state, _| to_device(state, to.0, from, bytes))
    }

    fn cuMemcpyHtoDAsync_v2(to: Address, from: HostSource, bytes: usize, stream: Handle) {
        with_stream(stream, |state, _| to_device(state, to.0, from, bytes))
    }

    fn cuMemcpyDtoH_v2(to: HostTarget, from: Address, bytes: usize) {
        with_context(|state, _| to_host(state, to, from.0, bytes))
    }

    fn cuMemcpyDtoHAsync_v2(to: HostTarget, from: Address, bytes: usize, stream: Handle) {
        with_stream(stream, |state, _| to_host(state, to, from.0, bytes))
    }

    fn cuMemcpyDtoD_v2(to: Address, from: Address, bytes: usize) {
        with_context(|state, _| within_device(state, to.0, from.0, bytes))
    }

    fn cuMemcpyDtoDAsync_v2(to: Address, from: Address, bytes: usize, stream: Handle) {
        with_stream(stream, |state, _| within_device(state, to.0, from.0, bytes))
    }

    fn cuMemcpyPeer(to: Address, to_context: Handle, from: Address, from_context: Handle, bytes: usize) {
        with_context(|state, _| {
            state.usable_context(to_context)?;
            state.usable_context(from_context)?;
            within_device(state, to.0, from.0, bytes)
        })
    }

    fn cuMemcpyPeerAsync(
        to: Address,
        to_context: Handle,
        from: Address,
        from_context: Handle,
        bytes: usize,
        stream: Handle,
    ) {
        with_stream(stream, |state, _| {
            state.usable_context(to_context)?;
            state.usable_context(from_context)?;
            within_device(state, to.0, from.0, bytes)
        })
    }

    fn cuMemsetD8_v2(address: Address, value: u8, count: usize) {
        with_context(|state, _| fill(state, address.0, &value.to_ne_bytes(), Area::line(count)))
    }

    fn cuMemsetD16_v2(address: Address, value: u16, count: usize) {
        with_context(|state, _| fill(state, address.0, &value.to_ne_bytes(), Area::line(count)))
    }

    fn cuMemsetD32_v2(address: Address, value: u32, count: usize) {
        with_context(|state, _| fill(state, address.0, &value.to_ne_bytes(), Area::line(count)))
    }

    fn cuMemsetD8Async(address: Address, value: u8, count: usize, stream: Handle) {
        with_stream(stream, |state, _| fill(state, address.0, &value.to_ne_bytes(), Area::line(count)))
    }

    fn cuMemsetD16Async(address: Address, value: u16, count: usize, stream: Handle) {
        with_stream(stream, |state, _| fill(state, address.0, &value.to_ne_bytes(), Area::line(count)))
    }

    fn cuMemsetD32Async(address: Address, value: u32, count: usize, stream: Handle) {
        with_stream(stream, |state, _| fill(state, address.0, &value.to_ne_bytes(), Area::line(count)))
    }

    fn cuMemsetD2D8_v2(address: Address, pitch: usize, value: u8, width: usize, height: usize) {
        with_context(|state, _| fill(state, address.0, &value.to_ne_bytes(), Area { pitch, width, height }))
    }

    fn cuMemsetD2D16_v2(address: Address, pitch: usize, value: u16, width: usize, height: usize) {
        with_context(|state, _| fill(state, address.0, &value.to_ne_bytes(), Area { pitch, width, height }))
    }

    fn cuMemsetD2D32_v2(address: Address, pitch: usize, value: u32, width: usize, height: usize) {
        with_context(|state, _| fill(state, address.0, &value.to_ne_bytes(), Area { pitch, width, height }))
    }

    fn cuMemsetD2D8Async(
        address: Address,
        pitch: usize,
        value: u8,
        width: usize,
        height: usize,
        stream: Handle,
    ) {
        with_stream(stream, |state, _| fill(state, address.0, &value.to_ne_bytes(), Area { pitch, width, height }))
    }

    fn cuMemsetD2D16Async(
        address: Address,
        pitch: usize,
        value: u16,
        width: usize,
        height: usize,
        stream: Handle,
    ) {
        with_stream(stream, |state, _| fill(state, address.0, &value.to_ne_bytes(), Area { pitch, width, height }))
    }

    fn cuMemsetD2D32Async(
        address: Address,
        pitch: usize,
        value: u32,
        width: usize,
        height: usize,
        stream: Handle,
    ) {
        with_stream(stream, |state, _| fill(state, address.0, &value.to_ne_bytes(), Area { pitch, width, height }))
    }
}

/// The state, and the current context after a check of the stream.
fn with_stream(stream: Handle, use_it: impl FnOnce(&mut State, Handle) -> Outcome) -> Outcome {
    with_context(|state, context| {
        state.check_stream(stream, context)?;
        use_it(state, context)
    })
}

fn allocate(state: &mut State, context: Handle, address: Out<u64>, bytes: usize) -> Outcome {
    address.check()?;
    let start = state.machine.alloc(bytes as u64).map_err(memory_status)?;
    state.device_memory.insert(start, context);
    address.set(start)
}

fn free(state: &mut State, address: u64) -> Outcome {
    if address == 0 {
        return Ok(());
    }
    if let Some(context) = state.device_memory.remove(&address) {
        state.machine.free(address).map_err(memory_status)?;
        return state.fault_of(context);
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
fn host_range(state: &State, address: u64) -> Option<(u64, &HostMemory)> {
    let (&base, memory) = state.host_memory.range(..=address).next_back()?;
    (address - base < memory.bytes as u64).then_some((base, memory))
}

/// Whether a copy reaches this range through the machine: it is the device's, or shared. The machine moves bytes
/// so that it does not matter whether ranges overlap.
fn on_machine(state: &State, address: u64, bytes: usize) -> bool {
    let whole = |(base, size): (u64, u64)| bytes as u64 <= size - (address - base);
    address >= Machine::HOST_END || state.machine.allocation(address).is_some_and(whole)
}

fn to_device(state: &mut State, to: u64, from: HostSource, bytes: usize) -> Outcome {
    if on_machine(state, from.address(), bytes) {
        return within_device(state, to, from.address(), bytes);
    }
    state.machine.write(to, from.bytes(bytes)?).map_err(memory_status)
}

fn to_host(state: &mut State, mut to: HostTarget, from: u64, bytes: usize) -> Outcome {
    let target = to.as_source().address();
    if on_machine(state, target, bytes) {
        return within_device(state, target, from, bytes);
    }
    state.machine.read(from, to.bytes(bytes)?).map_err(memory_status)
}

fn within_device(state: &mut State, to: u64, from: u64, bytes: usize) -> Outcome {
    state.machine.copy(to, from, bytes as u64).map_err(memory_status)
}

/// A copy between addresses that say themselves whose they are.
fn copy_any(state: &mut State, to: u64, from: u64, bytes: usize) -> Outcome {
    let (mut to_memory, from_memory) = (HostTarget::at(to), HostTarget::at(from).as_source());
    match (on_machine(state, to, bytes), on_machine(state, from, bytes)) {
        (true, true) => within_device(state, to, from, bytes),
        (true, false) => to_device(state, to, from_memory, bytes),
        (false, true) => to_host(state, to_memory, from, bytes),
        (false, false) => {
            // A copy inside the host may overlap itself.
            let data = from_memory.bytes(bytes)?.to_vec();
            to_memory.bytes(bytes)?.copy_from_slice(&data);
            Ok(())
        }
    }
}

/// What a fill covers: `height` rows of `width` elements, `pitch` bytes apart.
struct Area {
    pitch: usize,
    width: usize,
    height: usize,
}

impl Area {
    /// One row.
    fn line(width: usize) -> Area {
        Area { pitch: 0, width, height: 1 }
    }
}

fn fill(state: &mut State, address: u64, pattern: &[u8], area: Area) -> Outcome {
    let size = pattern.len() as u64;
    let row = (area.width as u64).checked_mul(size).ok_or(Status::INVALID_VALUE)?;
    let pitch = area.pitch as u64;
    if !address.is_multiple_of(size) || (area.height > 1 && (pitch < row || !pitch.is_multiple_of(size))) {
        return Err(Status::INVALID_VALUE);
    }
    if area.width == 0 {
        return Ok(());
    }
    // The last row must lie in the same allocation as the first: no row is written unless all can be, and
    // the number of rows is bounded by the allocation.
    if area.height > 1 {
        let (base, bytes) = state.machine.allocation(address).ok_or(Status::INVALID_VALUE)?;
        let rows_before = pitch.checked_mul(area.height as u64 - 1).ok_or(Status::INVALID_VALUE)?;
        let end = rows_before.checked_add(row).ok_or(Status::INVALID_VALUE)?;
        if end > bytes - (address - base) {
            return Err(Status::INVALID_VALUE);
        }
    }
    for at in 0..area.height as u64 {
        state.machine.fill(address + at * pitch, pattern, area.width as u64).map_err(memory_status)?;
    }
    Ok(())
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
            (base, bytes, state.device_memory.get(&base).copied().unwrap_or(context), None)
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
