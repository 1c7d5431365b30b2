//! Copies and fills, in one to three dimensions.
//!
//! Memory of the host that the driver did not give out and that was not registered is *pageable*. As CUDA documents
//! it, a copy to such memory returns when it is done, and one from it when its bytes are no longer needed: a few are
//! kept aside, for more the call waits.

use ptx_emulator::{Machine, MemoryError};

use super::{
    abi::{Address, Handle, HostSource, HostTarget, In, Outcome, entry_points},
    memory::host_range,
    order::ordered,
    state::{State, current, memory_status, with},
    work::{self, Action},
};
use crate::Status;

entry_points! {
    fn cuMemcpy(to: Address, from: Address, bytes: usize) {
        copy(None, Copy::line(Side::any(to), Side::any(from), bytes))
    }

    fn cuMemcpyAsync(to: Address, from: Address, bytes: usize, stream: Handle) {
        copy(Some(stream), Copy::line(Side::any(to), Side::any(from), bytes))
    }

    fn cuMemcpyHtoD_v2(to: Address, from: HostSource, bytes: usize) {
        copy(None, Copy::line(Side::device(to), Side::host(from.address()), bytes))
    }

    fn cuMemcpyHtoDAsync_v2(to: Address, from: HostSource, bytes: usize, stream: Handle) {
        copy(Some(stream), Copy::line(Side::device(to), Side::host(from.address()), bytes))
    }

    fn cuMemcpyDtoH_v2(to: HostTarget, from: Address, bytes: usize) {
        copy(None, Copy::line(Side::host(to.as_source().address()), Side::device(from), bytes))
    }

    fn cuMemcpyDtoHAsync_v2(to: HostTarget, from: Address, bytes: usize, stream: Handle) {
        copy(Some(stream), Copy::line(Side::host(to.as_source().address()), Side::device(from), bytes))
    }

    fn cuMemcpyDtoD_v2(to: Address, from: Address, bytes: usize) {
        copy(None, Copy::line(Side::device(to), Side::device(from), bytes))
    }

    fn cuMemcpyDtoDAsync_v2(to: Address, from: Address, bytes: usize, stream: Handle) {
        copy(Some(stream), Copy::line(Side::device(to), Side::device(from), bytes))
    }

    fn cuMemcpyPeer(to: Address, to_context: Handle, from: Address, from_context: Handle, bytes: usize) {
        check_contexts([to_context, from_context])?;
        copy(None, Copy::line(Side::device(to), Side::device(from), bytes))
    }

    fn cuMemcpyPeerAsync(
        to: Address,
        to_context: Handle,
        from: Address,
        from_context: Handle,
        bytes: usize,
        stream: Handle,
    ) {
        check_contexts([to_context, from_context])?;
        copy(Some(stream), Copy::line(Side::device(to), Side::device(from), bytes))
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
        fill(None, address.0, &value.to_ne_bytes(), Area::line(count))
    }

    fn cuMemsetD8Async(address: Address, value: u8, count: usize, stream: Handle) {
        fill(Some(stream), address.0, &value.to_ne_bytes(), Area::line(count))
    }

    fn cuMemsetD16_v2(address: Address, value: u16, count: usize) {
        fill(None, address.0, &value.to_ne_bytes(), Area::line(count))
    }

    fn cuMemsetD16Async(address: Address, value: u16, count: usize, stream: Handle) {
        fill(Some(stream), address.0, &value.to_ne_bytes(), Area::line(count))
    }

    fn cuMemsetD32_v2(address: Address, value: u32, count: usize) {
        fill(None, address.0, &value.to_ne_bytes(), Area::line(count))
    }

    fn cuMemsetD32Async(address: Address, value: u32, count: usize, stream: Handle) {
        fill(Some(stream), address.0, &value.to_ne_bytes(), Area::line(count))
    }

    fn cuMemsetD2D8_v2(address: Address, pitch: usize, value: u8, width: usize, height: usize) {
        fill(None, address.0, &value.to_ne_bytes(), Area { pitch, width, height })
    }

    fn cuMemsetD2D8Async(address: Address, pitch: usize, value: u8, width: usize, height: usize, stream: Handle) {
        fill(Some(stream), address.0, &value.to_ne_bytes(), Area { pitch, width, height })
    }

    fn cuMemsetD2D16_v2(address: Address, pitch: usize, value: u16, width: usize, height: usize) {
        fill(None, address.0, &value.to_ne_bytes(), Area { pitch, width, height })
    }

    fn cuMemsetD2D16Async(address: Address, pitch: usize, value: u16, width: usize, height: usize, stream: Handle) {
        fill(Some(stream), address.0, &value.to_ne_bytes(), Area { pitch, width, height })
    }

    fn cuMemsetD2D32_v2(address: Address, pitch: usize, value: u32, width: usize, height: usize) {
        fill(None, address.0, &value.to_ne_bytes(), Area { pitch, width, height })
    }

    fn cuMemsetD2D32Async(address: Address, pitch: usize, value: u32, width: usize, height: usize, stream: Handle) {
        fill(Some(stream), address.0, &value.to_ne_bytes(), Area { pitch, width, height })
    }
}

/// `CUmemorytype`.
const HOST: u32 = 1;
const DEVICE: u32 = 2;
const UNIFIED: u32 = 4;

/// What `cuMemcpy2D` takes (`CUDA_MEMCPY2D`): offset, kind and addresses of source and target, and the extent.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Copy2D {
    from: Side2D,
    to: Side2D,
    width: usize,
    height: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Side2D {
    x: usize,
    y: usize,
    kind: u32,
    host: u64,
    device: u64,
    array: usize,
    pitch: usize,
}

/// What `cuMemcpy3D` takes (`CUDA_MEMCPY3D`).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Copy3D {
    from: Side3D,
    to: Side3D,
    width: usize,
    height: usize,
    depth: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Side3D {
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
        let side = |side: &Side2D| {
            let Side2D { x, y, kind, host, device, array, pitch } = *side;
            Side3D { x, y, z: 0, level: 0, kind, host, device, array, reserved: 0, pitch, height: 0 }
        };
        let (from, to) = (side(&self.from), side(&self.to));
        Copy3D { from, to, width: self.width, height: self.height, depth: 1 }.copy()
    }
}

impl Copy3D {
    fn copy(&self) -> Result<Copy, Status> {
        let extent = [self.width as u64, self.height as u64, self.depth as u64];
        Ok(Copy { to: self.to.side(extent)?, from: self.from.side(extent)?, extent })
    }
}

impl Side3D {
    fn side(&self, [width, height, depth]: [u64; 3]) -> Result<Side, Status> {
        // No pitch or height stands for rows or planes without a gap.
        let pitch = if self.pitch == 0 { width } else { self.pitch as u64 };
        let rows = if self.height == 0 { height } else { self.height as u64 };
        if (height > 1 && pitch < width) || (depth > 1 && rows < height) {
            return Err(Status::INVALID_VALUE);
        }
        let (what, start) = match self.kind {
            HOST => (What::Host, self.host),
            DEVICE => (What::Device, self.device),
            UNIFIED => (What::Any, self.device),
            // Arrays are for textures, which are not there.
            _ => return Err(Status::NOT_SUPPORTED),
        };
        let plane = pitch.checked_mul(rows);
        let offset = |plane: u64| {
            let rows = (self.y as u64).checked_mul(pitch)?.checked_add(self.x as u64)?;
            (self.z as u64).checked_mul(plane)?.checked_add(rows)?.checked_add(start)
        };
        let plane = plane.ok_or(Status::INVALID_VALUE)?;
        Ok(Side { what, start: offset(plane).ok_or(Status::INVALID_VALUE)?, pitch, plane })
    }
}

/// Whose an address is said to be.
#[derive(Clone, Copy)]
enum What {
    Device,
    Host,
    /// The address says it itself.
    Any,
}

/// Source or target of a copy: the first byte, and the bytes from row to row and from plane to plane.
#[derive(Clone, Copy)]
struct Side {
    what: What,
    start: u64,
    pitch: u64,
    plane: u64,
}

impl Side {
    fn line(what: What, start: u64) -> Side {
        Side { what, start, pitch: 0, plane: 0 }
    }

    fn device(address: Address) -> Side {
        Side::line(What::Device, address.0)
    }

    fn host(address: u64) -> Side {
        Side::line(What::Host, address)
    }

    fn any(address: Address) -> Side {
        Side::line(What::Any, address.0)
    }

    /// Whether the machine reaches it; else it is pageable. Refuses what is nobody's.
    fn on_machine(&self, state: &State, [width, height, depth]: [u64; 3]) -> Result<bool, Status> {
        let last_row = (height - 1).checked_mul(self.pitch);
        let last_plane = (depth - 1).checked_mul(self.plane);
        let bytes =
            last_row.zip(last_plane).and_then(|(row, plane)| row.checked_add(plane)?.checked_add(width));
        let bytes = bytes.ok_or(Status::INVALID_VALUE)?;
        let whole = |base: u64, size: u64| bytes <= size - (self.start - base);
        let shared = || host_range(state, self.start).is_some_and(|(base, m)| whole(base, m.bytes as u64));
        if self.start < Machine::HOST_END && !matches!(self.what, What::Device) && !shared() {
            let length = usize::try_from(bytes).map_err(|_| Status::INVALID_VALUE)?;
            return HostTarget::at(self.start).range(length).map(|_| false);
        }
        match state.machine.allocation(self.start) {
            Some((base, size)) if whole(base, size) => Ok(true),
            _ => Err(memory_status(MemoryError::OutOfBounds {
                address: self.start,
                bytes,
                location: "not in one allocation".into(),
            })),
        }
    }
}

/// A copy of `extent` bytes, rows and planes.
#[derive(Clone, Copy)]
struct Copy {
    to: Side,
    from: Side,
    extent: [u64; 3],
}

impl Copy {
    /// One row.
    fn line(to: Side, from: Side, bytes: usize) -> Copy {
        Copy { to, from, extent: [bytes as u64, 1, 1] }
    }

    /// Calls `row` with target and source of each row.
    fn rows(&self, mut row: impl FnMut(u64, u64) -> Result<(), MemoryError>) -> Result<(), MemoryError> {
        let [_, height, depth] = self.extent;
        for (z, y) in (0..depth).flat_map(|z| (0..height).map(move |y| (z, y))) {
            let at = |side: &Side| side.start + z * side.plane + y * side.pitch;
            row(at(&self.to), at(&self.from))?;
        }
        Ok(())
    }
}

/// Bytes of pageable memory that are kept aside, at most.
const STAGED: u64 = 64 << 10;

/// Bytes that are moved at once: in between, the list of allocations can change.
const CHUNK: usize = 4 << 20;

/// Copies: on a stream, or before the call returns.
fn copy(stream: Option<Handle>, copy: Copy) -> Outcome {
    work::wait_for_room();
    let text = |state: &State| {
        let stream = stream.map_or("at once".to_owned(), |stream| state.name_of(stream));
        format!("copy({:?}, {stream})", copy.extent)
    };
    let waits = ordered(text, |state| {
        let context = state.usable_context(current())?;
        let waits = stream.is_none();
        let stream = state.find_stream(stream.unwrap_or(Handle::NULL), context)?;
        if copy.extent.contains(&0) {
            return Ok(None);
        }
        let on_machine = [copy.to.on_machine(state, copy.extent)?, copy.from.on_machine(state, copy.extent)?];
        let few =
            copy.extent.iter().try_fold(1u64, |all, n| all.checked_mul(*n)).is_some_and(|n| n <= STAGED);
        // Where nothing else is to be done, a copy takes less time than keeping the bytes.
        let aside = !waits && on_machine == [true, false] && few && !state.work.is_idle();
        let ticket = if aside {
            let bytes = keep(&copy)?;
            let task = move |machine: &Machine| write(machine, &copy, &bytes);
            state.enqueue(stream, context, Action::Task(Box::new(task)))
        } else {
            let task = move |machine: &Machine| perform(machine, &copy, on_machine);
            state.enqueue(stream, context, Action::Task(Box::new(task)))
        };
        if !waits && (aside || on_machine == [true, true]) {
            work::look_after(state);
            return Ok(None);
        }
        Ok(Some((ticket, context)))
    })?;
    match waits {
        Some((ticket, context)) => {
            work::wait_for(&[ticket]);
            with(|state| state.fault_of(context))
        }
        None => Ok(()),
    }
}

/// A copy of the source, which is pageable.
fn keep(copy: &Copy) -> Result<Vec<u8>, Status> {
    let width = copy.extent[0] as usize;
    let mut kept = Vec::new();
    let rows = copy.rows(|_, from| {
        let row = HostTarget::at(from).as_source();
        kept.extend_from_slice(row.bytes(width).unwrap_or_default());
        Ok(())
    });
    rows.map(|()| kept).map_err(memory_status)
}

/// Copies to the device what was kept.
fn write(machine: &Machine, copy: &Copy, kept: &[u8]) -> Outcome {
    let mut rows = kept.chunks(copy.extent[0] as usize);
    copy.rows(|to, _| machine.write(to, rows.next().unwrap_or_default())).map_err(lost)
}

/// Copies. Pageable memory is valid, because whoever asked for the copy waits.
fn perform(machine: &Machine, copy: &Copy, on_machine: [bool; 2]) -> Outcome {
    let width = copy.extent[0] as usize;
    let chunks = |to: u64, from: u64, move_chunk: &dyn Fn(u64, u64, usize) -> Result<(), MemoryError>| {
        (0..width)
            .step_by(CHUNK)
            .try_for_each(|at| move_chunk(to + at as u64, from + at as u64, CHUNK.min(width - at)))
    };
    let row = |to: u64, from: u64| match on_machine {
        [true, true] => machine.copy(to, from, width as u64),
        [true, false] => chunks(to, from, &|to, from, bytes| {
            machine.write(to, HostTarget::at(from).as_source().bytes(bytes).unwrap_or_default())
        }),
        [false, true] => chunks(to, from, &|to, from, bytes| {
            machine.read(from, HostTarget::at(to).bytes(bytes).unwrap_or_default())
        }),
        [false, false] => {
            // A copy inside the host may overlap itself.
            let data = HostTarget::at(from).as_source().bytes(width).unwrap_or_default().to_vec();
            HostTarget::at(to).bytes(width).unwrap_or_default().copy_from_slice(&data);
            Ok(())
        }
    };
    copy.rows(row).map_err(lost)
}

/// Memory that was there when the work was asked for is gone.
fn lost(error: MemoryError) -> Status {
    memory_status(error);
    Status::ILLEGAL_ADDRESS
}

fn check_contexts(contexts: [Handle; 2]) -> Outcome {
    with(|state| contexts.iter().try_for_each(|&context| state.usable_context(context).map(drop)))
}

/// What a fill covers: `height` rows of `width` elements, `pitch` bytes apart.
#[derive(Clone, Copy)]
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

/// Fills: on a stream, or before the call returns.
fn fill(stream: Option<Handle>, address: u64, pattern: &[u8], area: Area) -> Outcome {
    work::wait_for_room();
    let text = |state: &State| {
        let stream = stream.map_or("at once".to_owned(), |stream| state.name_of(stream));
        let Area { width, height, .. } = area;
        format!("fill({} x {width} x {height}, {stream})", pattern.len())
    };
    let waits = ordered(text, |state| {
        let context = state.usable_context(current())?;
        let waits = stream.is_none();
        let stream = state.find_stream(stream.unwrap_or(Handle::NULL), context)?;
        check_fill(state, address, pattern, &area)?;
        if area.width == 0 || area.height == 0 {
            return Ok(None);
        }
        let pattern = pattern.to_vec();
        let task = move |machine: &Machine| {
            let at_once = CHUNK / pattern.len();
            (0..area.height as u64).try_for_each(|row| {
                let start = address + row * area.pitch as u64;
                (0..area.width).step_by(at_once).try_for_each(|at| {
                    let count = at_once.min(area.width - at);
                    machine.fill(start + (at * pattern.len()) as u64, &pattern, count as u64).map_err(lost)
                })
            })
        };
        let ticket = state.enqueue(stream, context, Action::Task(Box::new(task)));
        if waits {
            return Ok(Some((ticket, context)));
        }
        work::look_after(state);
        Ok(None)
    })?;
    match waits {
        Some((ticket, context)) => {
            work::wait_for(&[ticket]);
            with(|state| state.fault_of(context))
        }
        None => Ok(()),
    }
}

/// Refuses a fill that does not lie in one allocation.
fn check_fill(state: &State, address: u64, pattern: &[u8], area: &Area) -> Outcome {
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
    let side = Side { what: What::Device, start: address, pitch, plane: 0 };
    side.on_machine(state, extent).map(drop)
}
