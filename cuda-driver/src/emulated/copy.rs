//! Copies and fills, in one to three dimensions.
//!
//! Memory of the host that the driver neither allocated nor registered is *pageable*. As CUDA documents it, a
//! copy to such memory returns when it is done, and one from it when the source is no longer needed: small
//! sources are staged, for larger ones the call waits.
//!
//! Pageable memory is checked before it is touched: where the process has no memory, or only read-only memory
//! to write to, the call returns `CUDA_ERROR_INVALID_VALUE`, and the context stays usable. A copy to read-only
//! memory that already holds the bytes succeeds: compilers map constant arrays `tofrom`.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use ptx_emulator::{HostAccess, HostMappings, Machine, MemoryError, check_host};

use super::{
    abi::{Address, DriverResult, Handle, HostSource, HostTarget, In, entry_points},
    background,
    capture::{captured, check_at_once},
    current::current,
    graphs::{NodeKind, NodeWork},
    objects::HostMemoryKind,
    scheduler::Action,
    state::{State, memory_status, report_host_memory, with},
    wait::{recorded_call, wait_for, wait_for_context, wait_for_room},
};
use crate::Status;

entry_points! {
    fn cuMemcpy(to: Address, from: Address, bytes: usize) {
        copy(None, Copy::line(CopyOperand::unified(to), CopyOperand::unified(from), bytes))
    }

    fn cuMemcpyAsync(to: Address, from: Address, bytes: usize, stream: Handle) {
        copy(Some(stream), Copy::line(CopyOperand::unified(to), CopyOperand::unified(from), bytes))
    }

    fn cuMemcpyHtoD_v2(to: Address, from: HostSource, bytes: usize) {
        copy(None, Copy::line(CopyOperand::device(to), CopyOperand::host(from.address()), bytes))
    }

    fn cuMemcpyHtoDAsync_v2(to: Address, from: HostSource, bytes: usize, stream: Handle) {
        copy(Some(stream), Copy::line(CopyOperand::device(to), CopyOperand::host(from.address()), bytes))
    }

    fn cuMemcpyDtoH_v2(to: HostTarget, from: Address, bytes: usize) {
        copy(None, Copy::line(CopyOperand::host(to.as_source().address()), CopyOperand::device(from), bytes))
    }

    fn cuMemcpyDtoHAsync_v2(to: HostTarget, from: Address, bytes: usize, stream: Handle) {
        copy(Some(stream), Copy::line(CopyOperand::host(to.as_source().address()), CopyOperand::device(from), bytes))
    }

    fn cuMemcpyDtoD_v2(to: Address, from: Address, bytes: usize) {
        copy(None, Copy::line(CopyOperand::device(to), CopyOperand::device(from), bytes))
    }

    fn cuMemcpyDtoDAsync_v2(to: Address, from: Address, bytes: usize, stream: Handle) {
        copy(Some(stream), Copy::line(CopyOperand::device(to), CopyOperand::device(from), bytes))
    }

    fn cuMemcpyPeer(to: Address, to_context: Handle, from: Address, from_context: Handle, bytes: usize) {
        check_peers([(to, to_context), (from, from_context)])?;
        // It comes after what both contexts have begun.
        wait_for_context(to_context);
        wait_for_context(from_context);
        copy(None, Copy::line(CopyOperand::device(to), CopyOperand::device(from), bytes))
    }

    fn cuMemcpyPeerAsync(
        to: Address,
        to_context: Handle,
        from: Address,
        from_context: Handle,
        bytes: usize,
        stream: Handle,
    ) {
        check_peers([(to, to_context), (from, from_context)])?;
        copy(Some(stream), Copy::line(CopyOperand::device(to), CopyOperand::device(from), bytes))
    }

    fn cuMemcpy2D_v2(parameters: In<Copy2D>) {
        copy(None, parameters.get()?.copy()?)
    }

    fn cuMemcpy2DUnaligned_v2(parameters: In<Copy2D>) {
        copy(None, parameters.get()?.copy()?)
    }

    fn cuMemcpy2DAsync_v2(parameters: In<Copy2D>, stream: Handle) {
        copy(Some(stream), parameters.get()?.copy()?)
    }

    fn cuMemcpy3D_v2(parameters: In<Copy3D>) {
        copy(None, parameters.get()?.copy()?)
    }

    fn cuMemcpy3DAsync_v2(parameters: In<Copy3D>, stream: Handle) {
        copy(Some(stream), parameters.get()?.copy()?)
    }

    fn cuMemsetD8_v2(address: Address, value: u8, count: usize) {
        fill(None, address.0, &value.to_ne_bytes(), FillArea::line(count))
    }

    fn cuMemsetD8Async(address: Address, value: u8, count: usize, stream: Handle) {
        fill(Some(stream), address.0, &value.to_ne_bytes(), FillArea::line(count))
    }

    fn cuMemsetD16_v2(address: Address, value: u16, count: usize) {
        fill(None, address.0, &value.to_ne_bytes(), FillArea::line(count))
    }

    fn cuMemsetD16Async(address: Address, value: u16, count: usize, stream: Handle) {
        fill(Some(stream), address.0, &value.to_ne_bytes(), FillArea::line(count))
    }

    fn cuMemsetD32_v2(address: Address, value: u32, count: usize) {
        fill(None, address.0, &value.to_ne_bytes(), FillArea::line(count))
    }

    fn cuMemsetD32Async(address: Address, value: u32, count: usize, stream: Handle) {
        fill(Some(stream), address.0, &value.to_ne_bytes(), FillArea::line(count))
    }

    fn cuMemsetD2D8_v2(address: Address, pitch: usize, value: u8, width: usize, height: usize) {
        fill(None, address.0, &value.to_ne_bytes(), FillArea { pitch, width, height })
    }

    fn cuMemsetD2D8Async(address: Address, pitch: usize, value: u8, width: usize, height: usize, stream: Handle) {
        fill(Some(stream), address.0, &value.to_ne_bytes(), FillArea { pitch, width, height })
    }

    fn cuMemsetD2D16_v2(address: Address, pitch: usize, value: u16, width: usize, height: usize) {
        fill(None, address.0, &value.to_ne_bytes(), FillArea { pitch, width, height })
    }

    fn cuMemsetD2D16Async(address: Address, pitch: usize, value: u16, width: usize, height: usize, stream: Handle) {
        fill(Some(stream), address.0, &value.to_ne_bytes(), FillArea { pitch, width, height })
    }

    fn cuMemsetD2D32_v2(address: Address, pitch: usize, value: u32, width: usize, height: usize) {
        fill(None, address.0, &value.to_ne_bytes(), FillArea { pitch, width, height })
    }

    fn cuMemsetD2D32Async(address: Address, pitch: usize, value: u32, width: usize, height: usize, stream: Handle) {
        fill(Some(stream), address.0, &value.to_ne_bytes(), FillArea { pitch, width, height })
    }
}

/// `CUmemorytype`.
const HOST: u32 = 1;
const DEVICE: u32 = 2;
const UNIFIED: u32 = 4;

/// `CUDA_MEMCPY2D`: offset, memory type and addresses of source and target, and the extent.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Copy2D {
    from: Operand2D,
    to: Operand2D,
    width: usize,
    height: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand2D {
    x: usize,
    y: usize,
    kind: u32,
    host: u64,
    device: u64,
    array: usize,
    pitch: usize,
}

/// `CUDA_MEMCPY3D`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Copy3D {
    from: Operand3D,
    to: Operand3D,
    width: usize,
    height: usize,
    depth: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand3D {
    x: usize,
    y: usize,
    z: usize,
    level: usize,
    kind: u32,
    host: u64,
    device: u64,
    array: usize,
    reserved: usize,
    pitch: usize,
    height: usize,
}

impl Copy2D {
    fn copy(&self) -> Result<Copy, Status> {
        let operand = |operand: &Operand2D| {
            let Operand2D { x, y, kind, host, device, array, pitch } = *operand;
            Operand3D { x, y, z: 0, level: 0, kind, host, device, array, reserved: 0, pitch, height: 0 }
        };
        let (from, to) = (operand(&self.from), operand(&self.to));
        Copy3D { from, to, width: self.width, height: self.height, depth: 1 }.copy()
    }
}

impl Copy3D {
    pub fn copy(&self) -> Result<Copy, Status> {
        let extent = [self.width as u64, self.height as u64, self.depth as u64];
        Ok(Copy { to: self.to.operand(extent)?, from: self.from.operand(extent)?, extent })
    }
}

impl Operand3D {
    fn operand(&self, [width, height, depth]: [u64; 3]) -> Result<CopyOperand, Status> {
        // A pitch or height of 0 stands for rows or planes without a gap.
        let pitch = if self.pitch == 0 { width } else { self.pitch as u64 };
        let rows = if self.height == 0 { height } else { self.height as u64 };
        if (height > 1 && pitch < width) || (depth > 1 && rows < height) {
            return Err(Status::INVALID_VALUE);
        }
        let (address_kind, start) = match self.kind {
            HOST => (AddressKind::Host, self.host),
            DEVICE => (AddressKind::Device, self.device),
            UNIFIED => (AddressKind::Unified, self.device),
            // Arrays are for textures, which are not supported.
            _ => return Err(Status::NOT_SUPPORTED),
        };
        let plane = pitch.checked_mul(rows);
        let offset = |plane: u64| {
            let rows = (self.y as u64).checked_mul(pitch)?.checked_add(self.x as u64)?;
            (self.z as u64).checked_mul(plane)?.checked_add(rows)?.checked_add(start)
        };
        let plane = plane.ok_or(Status::INVALID_VALUE)?;
        Ok(CopyOperand { address_kind, start: offset(plane).ok_or(Status::INVALID_VALUE)?, pitch, plane })
    }
}

/// What an address is declared to be.
#[derive(Clone, Copy)]
enum AddressKind {
    Device,
    Host,
    /// Either: the address itself decides.
    Unified,
}

/// The machine that an operand's memory is on, if it is on one.
type OnMachine = Option<Arc<Machine>>;

/// Source or target of a copy: the first byte, and the bytes from row to row and from plane to plane.
#[derive(Clone, Copy)]
struct CopyOperand {
    address_kind: AddressKind,
    start: u64,
    pitch: u64,
    plane: u64,
}

impl CopyOperand {
    fn line(address_kind: AddressKind, start: u64) -> CopyOperand {
        CopyOperand { address_kind, start, pitch: 0, plane: 0 }
    }

    fn device(address: Address) -> CopyOperand {
        CopyOperand::line(AddressKind::Device, address.0)
    }

    fn host(address: u64) -> CopyOperand {
        CopyOperand::line(AddressKind::Host, address)
    }

    fn unified(address: Address) -> CopyOperand {
        CopyOperand::line(AddressKind::Unified, address.0)
    }

    /// The machine whose memory it is, or that shares it; none if it is pageable. Rejects addresses outside every
    /// allocation.
    fn machine(&self, state: &State, [width, height, depth]: [u64; 3]) -> Result<OnMachine, Status> {
        let last_row = (height - 1).checked_mul(self.pitch);
        let last_plane = (depth - 1).checked_mul(self.plane);
        let bytes =
            last_row.zip(last_plane).and_then(|(row, plane)| row.checked_add(plane)?.checked_add(width));
        let bytes = bytes.ok_or(Status::INVALID_VALUE)?;
        let whole = |base: u64, size: u64| bytes <= size - (self.start - base);
        // Memory that the driver allocated ends where it ends; registered memory may be a part of a larger array.
        let shared = || {
            state.host_range(self.start).is_some_and(|(base, memory)| {
                memory.kind != HostMemoryKind::Registered || whole(base, memory.bytes as u64)
            })
        };
        if self.start < Machine::HOST_END && !matches!(self.address_kind, AddressKind::Device) && !shared() {
            let length = usize::try_from(bytes).map_err(|_| Status::INVALID_VALUE)?;
            return HostTarget::at(self.start).range(length).map(|_| None);
        }
        let machine = state.machine_at(self.start);
        match machine.holds(self.start, bytes) {
            true => Ok(Some(machine.clone())),
            false => Err(memory_status(MemoryError::OutOfBounds {
                address: self.start,
                bytes,
                location: "not in one allocation".into(),
            })),
        }
    }
}

/// Rejects a target in memory that was registered for reading only.
fn check_target(state: &State, address: u64) -> Result<(), MemoryError> {
    match state.host_range(address) {
        Some((_, memory)) if memory.is_read_only() => Err(MemoryError::ReadOnly { address }),
        _ => Ok(()),
    }
}

/// A copy of `extent` bytes, rows and planes.
#[derive(Clone, Copy)]
pub(super) struct Copy {
    to: CopyOperand,
    from: CopyOperand,
    extent: [u64; 3],
}

impl fmt::Display for Copy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([width, height, depth], to, from) = (self.extent, self.to.start, self.from.start);
        let rows = height.saturating_mul(depth);
        let rows = if rows > 1 { format!("{rows} rows of ") } else { String::new() };
        write!(f, "a copy of {rows}{width} bytes from {from:#x} to {to:#x}")
    }
}

impl Copy {
    /// One row.
    fn line(to: CopyOperand, from: CopyOperand, bytes: usize) -> Copy {
        Copy { to, from, extent: [bytes as u64, 1, 1] }
    }

    /// Calls `row` with target and source of each row.
    fn rows(&self, mut row: impl FnMut(u64, u64) -> Result<(), MemoryError>) -> Result<(), MemoryError> {
        let [_, height, depth] = self.extent;
        for (z, y) in (0..depth).flat_map(|z| (0..height).map(move |y| (z, y))) {
            let at = |operand: &CopyOperand| operand.start + z * operand.plane + y * operand.pitch;
            row(at(&self.to), at(&self.from))?;
        }
        Ok(())
    }
}

/// Bytes of pageable memory that are staged, at most.
const MOST_STAGED: u64 = 64 << 10;

/// Bytes that are moved at a time: in between, the list of allocations can change.
const CHUNK: usize = 4 << 20;

/// Rows whose memory is checked one by one; more are checked by the list of the process's mappings.
const MOST_CHECKED: u64 = 16;

/// Why a copy failed.
enum CopyError {
    /// The device's side.
    Device(MemoryError),
    /// Pageable memory.
    Host(MemoryError),
}

impl Copy {
    /// Checks the pageable side of a copy, row by row.
    fn check_pageable(&self, access: HostAccess, start: impl Fn(u64, u64) -> u64) -> Result<(), MemoryError> {
        let [width, height, depth] = self.extent;
        if height.saturating_mul(depth) <= MOST_CHECKED {
            return self.rows(|to, from| check_host(start(to, from), width, access));
        }
        let mappings = HostMappings::read();
        self.rows(|to, from| mappings.check(start(to, from), width, access))
    }

    fn check_source(&self) -> Result<(), MemoryError> {
        self.check_pageable(HostAccess::Read, |_, from| from)
    }
}

/// Copies: on a stream, or before the call returns.
fn copy(stream: Option<Handle>, copy: Copy) -> DriverResult {
    match stream {
        Some(stream) if captured(stream, || Arc::new(copy))? => Ok(()),
        Some(_) => perform_copy(stream, copy),
        None => {
            check_at_once()?;
            perform_copy(None, copy)
        }
    }
}

impl NodeWork for Copy {
    fn kind(&self) -> NodeKind {
        NodeKind::Copy
    }

    fn submit(&self, stream: Handle) -> DriverResult {
        perform_copy(Some(stream), *self)
    }
}

fn perform_copy(stream: Option<Handle>, copy: Copy) -> DriverResult {
    let invalid = Arc::new(OnceLock::new());
    let result = start_copy(stream, copy, &invalid);
    match invalid.get() {
        Some(error) => Err(report_host_memory(&copy.to_string(), error)),
        None => result,
    }
}

/// As [`perform_copy`]; host memory that cannot be accessed is described in `invalid`.
fn start_copy(stream: Option<Handle>, copy: Copy, invalid: &Arc<OnceLock<MemoryError>>) -> DriverResult {
    wait_for_room();
    let text = |state: &State| {
        let stream = stream.map_or("at once".to_owned(), |stream| state.streams.name(stream));
        format!("copy({:?}, {stream})", copy.extent)
    };
    let waits = recorded_call(text, |state| {
        let context = state.usable_context(current())?;
        let waits = stream.is_none();
        let queue = state.find_queue(stream.unwrap_or(Handle::NULL), context)?;
        if copy.extent.contains(&0) {
            return Ok(None);
        }
        let (to, from) = (copy.to.machine(state, copy.extent)?, copy.from.machine(state, copy.extent)?);
        if let Err(error) = check_target(state, copy.to.start) {
            let _ = invalid.set(error);
            return Err(Status::INVALID_VALUE);
        }
        let small =
            copy.extent.iter().try_fold(1u64, |all, n| all.checked_mul(*n)).is_some_and(|n| n <= MOST_STAGED);
        // When the driver is idle, copying takes less time than staging.
        let staged = to.clone().filter(|_| !waits && from.is_none() && small && !state.scheduler.is_idle());
        let goes_on = staged.is_some() || (to.is_some() && from.is_some());
        let ticket = if let Some(machine) = staged {
            let bytes = match stage(&copy) {
                Ok(bytes) => bytes,
                Err(error) => {
                    let _ = invalid.set(error);
                    return Err(Status::INVALID_VALUE);
                }
            };
            let task = move || copy_staged(&machine, &copy, &bytes);
            state.enqueue(queue, Action::Task(Box::new(task)))
        } else {
            let invalid = invalid.clone();
            let task = move || match perform(&copy, to, from) {
                Ok(()) => Ok(()),
                Err(CopyError::Device(error)) => Err(freed_meanwhile(error)),
                Err(CopyError::Host(error)) => {
                    // The thread that waits for the copy reports it.
                    let _ = invalid.set(error);
                    Ok(())
                }
            };
            state.enqueue(queue, Action::Task(Box::new(task)))
        };
        if !waits && goes_on {
            background::wake(state);
            return Ok(None);
        }
        Ok(Some((ticket, context)))
    })?;
    match waits {
        Some((ticket, context)) => {
            wait_for(&[ticket]);
            with(|state| state.fault_of(context))
        }
        None => Ok(()),
    }
}

/// A copy of the source, which is pageable.
fn stage(copy: &Copy) -> Result<Vec<u8>, MemoryError> {
    copy.check_source()?;
    let width = copy.extent[0] as usize;
    let mut staged = Vec::new();
    let rows = copy.rows(|_, from| {
        let row = HostTarget::at(from).as_source();
        staged.extend_from_slice(row.bytes(width).unwrap_or_default());
        Ok(())
    });
    rows.map(|()| staged)
}

/// Copies staged bytes to the device.
fn copy_staged(machine: &Machine, copy: &Copy, staged: &[u8]) -> DriverResult {
    let mut rows = staged.chunks(copy.extent[0] as usize);
    copy.rows(|to, _| machine.write(to, rows.next().unwrap_or_default())).map_err(freed_meanwhile)
}

/// Performs a copy. The thread that asked for it waits, so that pageable memory stays as it is.
fn perform(copy: &Copy, to_machine: OnMachine, from_machine: OnMachine) -> Result<(), CopyError> {
    let width = copy.extent[0] as usize;
    if from_machine.is_none() {
        copy.check_source().map_err(CopyError::Host)?;
    }
    if to_machine.is_none() {
        match copy.check_pageable(HostAccess::Write, |to, _| to) {
            Err(MemoryError::ReadOnly { address }) => {
                copy.check_pageable(HostAccess::Read, |to, _| to).map_err(CopyError::Host)?;
                return match changes_nothing(copy, from_machine.as_deref()).map_err(CopyError::Device)? {
                    true => Ok(()),
                    false => Err(CopyError::Host(MemoryError::ReadOnly { address })),
                };
            }
            checked => checked.map_err(CopyError::Host)?,
        }
    }
    let row = |to: u64, from: u64| match (&to_machine, &from_machine) {
        (Some(machine), Some(other)) if Arc::ptr_eq(machine, other) => {
            chunks(width, from < to, |at, bytes| machine.copy(to + at, from + at, bytes as u64))
        }
        (Some(machine), Some(other)) => {
            chunks(width, false, |at, bytes| machine.copy_from(other, to + at, from + at, bytes as u64))
        }
        (Some(machine), None) => chunks(width, false, |at, bytes| {
            machine.write(to + at, HostTarget::at(from + at).as_source().bytes(bytes).unwrap_or_default())
        }),
        (None, Some(machine)) => chunks(width, false, |at, bytes| {
            machine.read(from + at, HostTarget::at(to + at).bytes(bytes).unwrap_or_default())
        }),
        (None, None) => {
            let _ = HostTarget::at(to).copy_from(HostTarget::at(from).as_source(), width);
            Ok(())
        }
    };
    copy.rows(row).map_err(CopyError::Device)
}

/// Calls `each` with the start and the length of each chunk of so many bytes, from the end on if `backwards`.
fn chunks(
    bytes: usize,
    backwards: bool,
    mut each: impl FnMut(u64, usize) -> Result<(), MemoryError>,
) -> Result<(), MemoryError> {
    let count = bytes.div_ceil(CHUNK);
    (0..count).try_for_each(|n| {
        let start = if backwards { count - 1 - n } else { n } * CHUNK;
        each(start as u64, CHUNK.min(bytes - start))
    })
}

/// Whether the target of a copy, which is readable pageable memory, holds the bytes already.
fn changes_nothing(copy: &Copy, from_machine: Option<&Machine>) -> Result<bool, MemoryError> {
    let width = copy.extent[0] as usize;
    let (mut same, mut buffer) = (true, vec![0; width.min(MOST_STAGED as usize)]);
    copy.rows(|to, from| {
        for start in (0..width).step_by(buffer.len()) {
            let bytes = &mut buffer[..(width - start).min(MOST_STAGED as usize)];
            let (to, from) = (to + start as u64, from + start as u64);
            if let Some(machine) = from_machine {
                machine.read(from, bytes)?;
            } else {
                let source = HostTarget::at(from).as_source();
                bytes.copy_from_slice(source.bytes(bytes.len()).unwrap_or_default());
            }
            same &= HostTarget::at(to).as_source().bytes(bytes.len()) == Ok(&*bytes);
        }
        Ok(())
    })?;
    Ok(same)
}

/// The status where memory was freed between the call and the operation.
fn freed_meanwhile(error: MemoryError) -> Status {
    memory_status(error);
    Status::ILLEGAL_ADDRESS
}

/// Rejects addresses that are not in the memory of their context's device.
fn check_peers(peers: [(Address, Handle); 2]) -> DriverResult {
    with(|state| {
        peers.iter().try_for_each(|&(address, context)| {
            let device = state.device_of(state.usable_context(context)?);
            let is_there = state.devices.at(address.0).is_none_or(|_| state.device_at(address.0) == device);
            if is_there { Ok(()) } else { Err(Status::INVALID_VALUE) }
        })
    })
}

/// The target of a fill: `height` rows of `width` elements, `pitch` bytes apart.
#[derive(Clone, Copy)]
pub(super) struct FillArea {
    pub pitch: usize,
    pub width: usize,
    pub height: usize,
}

impl FillArea {
    /// One row.
    fn line(width: usize) -> FillArea {
        FillArea { pitch: 0, width, height: 1 }
    }
}

/// A fill of an area with a pattern.
pub(super) struct Fill {
    pub address: u64,
    pub pattern: Vec<u8>,
    pub area: FillArea,
}

impl NodeWork for Fill {
    fn kind(&self) -> NodeKind {
        NodeKind::Fill
    }

    fn submit(&self, stream: Handle) -> DriverResult {
        perform_fill(Some(stream), self.address, &self.pattern, self.area)
    }
}

/// Fills: on a stream, or before the call returns.
fn fill(stream: Option<Handle>, address: u64, pattern: &[u8], area: FillArea) -> DriverResult {
    match stream {
        Some(stream) if captured(stream, || Arc::new(Fill { address, pattern: pattern.to_vec(), area }))? => {
            Ok(())
        }
        Some(_) => perform_fill(stream, address, pattern, area),
        None => {
            check_at_once()?;
            perform_fill(None, address, pattern, area)
        }
    }
}

fn perform_fill(stream: Option<Handle>, address: u64, pattern: &[u8], area: FillArea) -> DriverResult {
    let mut invalid = None;
    let result = start_fill(stream, address, pattern, area, &mut invalid);
    match invalid {
        Some(error) => {
            let FillArea { width, height, .. } = area;
            let fill = format!("a fill of {height} x {width} elements of {} bytes", pattern.len());
            Err(report_host_memory(&fill, &error))
        }
        None => result,
    }
}

/// As [`perform_fill`]; host memory that cannot be written is described in `invalid`.
fn start_fill(
    stream: Option<Handle>,
    address: u64,
    pattern: &[u8],
    area: FillArea,
    invalid: &mut Option<MemoryError>,
) -> DriverResult {
    wait_for_room();
    let text = |state: &State| {
        let stream = stream.map_or("at once".to_owned(), |stream| state.streams.name(stream));
        let FillArea { width, height, .. } = area;
        format!("fill({} x {width} x {height}, {stream})", pattern.len())
    };
    let waits = recorded_call(text, |state| {
        let context = state.usable_context(current())?;
        let waits = stream.is_none();
        let queue = state.find_queue(stream.unwrap_or(Handle::NULL), context)?;
        check_fill(state, address, pattern, &area)?;
        if area.width == 0 || area.height == 0 {
            return Ok(None);
        }
        if let Err(error) = check_target(state, address) {
            *invalid = Some(error);
            return Err(Status::INVALID_VALUE);
        }
        let (machine, pattern) = (state.machine_at(address).clone(), pattern.to_vec());
        let task = move || {
            let chunk = CHUNK / pattern.len();
            (0..area.height as u64).try_for_each(|row| {
                let start = address + row * area.pitch as u64;
                (0..area.width).step_by(chunk).try_for_each(|at| {
                    let count = chunk.min(area.width - at);
                    machine
                        .fill(start + (at * pattern.len()) as u64, &pattern, count as u64)
                        .map_err(freed_meanwhile)
                })
            })
        };
        let ticket = state.enqueue(queue, Action::Task(Box::new(task)));
        if waits {
            return Ok(Some((ticket, context)));
        }
        background::wake(state);
        Ok(None)
    })?;
    match waits {
        Some((ticket, context)) => {
            wait_for(&[ticket]);
            with(|state| state.fault_of(context))
        }
        None => Ok(()),
    }
}

/// Rejects a fill that does not lie in one allocation.
fn check_fill(state: &State, address: u64, pattern: &[u8], area: &FillArea) -> DriverResult {
    let size = pattern.len() as u64;
    let row = (area.width as u64).checked_mul(size).ok_or(Status::INVALID_VALUE)?;
    let pitch = area.pitch as u64;
    if !address.is_multiple_of(size) || (area.height > 1 && (pitch < row || !pitch.is_multiple_of(size))) {
        return Err(Status::INVALID_VALUE);
    }
    if area.width == 0 || area.height == 0 {
        return Ok(());
    }
    let extent = [row, area.height as u64, 1];
    let target = CopyOperand { address_kind: AddressKind::Device, start: address, pitch, plane: 0 };
    target.machine(state, extent).map(drop)
}
