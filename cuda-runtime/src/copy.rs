//! Copies: lines, rectangles, boxes, variables, and between devices.

use std::ffi::{c_int, c_void};

use crate::{
    calls::{functions, read},
    context, driver,
    error::{Error, Outcome},
    layouts::{
        Address, Copy3D, DriverCopy2D, DriverCopy3D, DriverSide2D, DriverSide3D, Extent, PeerCopy3D,
        PitchedPointer, Position, Stream,
    },
    registry::variable,
};

/// `CUmemorytype`.
const HOST: c_int = 1;
const DEVICE: c_int = 2;
const EITHER: c_int = 4;

/// The direction of a copy (`cudaMemcpyKind`).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    HostToHost,
    HostToDevice,
    DeviceToHost,
    DeviceToDevice,
    /// Addresses tell.
    Default,
}

impl Direction {
    fn of(kind: c_int) -> Result<Direction, Error> {
        Ok(match kind {
            0 => Direction::HostToHost,
            1 => Direction::HostToDevice,
            2 => Direction::DeviceToHost,
            3 => Direction::DeviceToDevice,
            4 => Direction::Default,
            _ => return Err(Error::INVALID_DIRECTION),
        })
    }

    /// Kinds of memory of source and target.
    fn sides(self) -> (c_int, c_int) {
        match self {
            Direction::HostToHost => (HOST, HOST),
            Direction::HostToDevice => (HOST, DEVICE),
            Direction::DeviceToHost => (DEVICE, HOST),
            Direction::DeviceToDevice => (DEVICE, DEVICE),
            Direction::Default => (EITHER, EITHER),
        }
    }
}

/// Whether a call returns before its copy is done, and on which stream it is.
#[derive(Clone, Copy)]
enum When {
    Now,
    /// On the calling thread's default stream, and finished when the call returns.
    NowOnThread,
    On(Stream),
}

impl When {
    /// Makes a copy, given what begins it on a stream.
    fn run(self, now: impl FnOnce() -> Outcome, begin: impl FnOnce(Stream) -> Outcome) -> Outcome {
        match self {
            When::Now => now(),
            When::On(stream) => begin(stream),
            When::NowOnThread => {
                begin(Stream::PER_THREAD)?;
                // SAFETY: nothing is asked of the caller.
                unsafe { driver::cuStreamSynchronize(Stream::PER_THREAD) }
            }
        }
    }
}

/// # Safety
///
/// Both addresses are valid for `bytes` bytes, on the sides that `kind` says; for a copy that does not happen now they
/// stay so until it is done.
unsafe fn line(to: Address, from: Address, bytes: usize, kind: c_int, when: When) -> Outcome {
    context::current()?;
    let direction = Direction::of(kind)?;
    if bytes == 0 {
        return Ok(());
    }
    // SAFETY: by the caller's promise.
    when.run(
        || unsafe {
            match direction {
                Direction::HostToDevice => driver::cuMemcpyHtoD_v2(to, from as *const c_void, bytes),
                Direction::DeviceToHost => driver::cuMemcpyDtoH_v2(to as *mut c_void, from, bytes),
                Direction::DeviceToDevice => driver::cuMemcpyDtoD_v2(to, from, bytes),
                Direction::HostToHost | Direction::Default => driver::cuMemcpy(to, from, bytes),
            }
        },
        |stream| unsafe {
            match direction {
                Direction::HostToDevice => {
                    driver::cuMemcpyHtoDAsync_v2(to, from as *const c_void, bytes, stream)
                }
                Direction::DeviceToHost => {
                    driver::cuMemcpyDtoHAsync_v2(to as *mut c_void, from, bytes, stream)
                }
                Direction::DeviceToDevice => driver::cuMemcpyDtoDAsync_v2(to, from, bytes, stream),
                Direction::HostToHost | Direction::Default => driver::cuMemcpyAsync(to, from, bytes, stream),
            }
        },
    )
}

/// A copy of a line of bytes.
pub(crate) struct Line {
    pub to: Address,
    pub from: Address,
    pub bytes: usize,
    pub kind: c_int,
}

impl Line {
    /// To a variable.
    pub fn to_variable(
        symbol: *const c_void,
        from: *const c_void,
        bytes: usize,
        offset: usize,
        kind: c_int,
    ) -> Result<Line, Error> {
        let sides = Direction::of(kind)?;
        if !matches!(sides, Direction::HostToDevice | Direction::DeviceToDevice | Direction::Default) {
            return Err(Error::INVALID_DIRECTION);
        }
        Ok(Line { to: part_of_variable(symbol, offset, bytes)?, from: from as Address, bytes, kind })
    }

    /// From a variable.
    pub fn from_variable(
        to: *mut c_void,
        symbol: *const c_void,
        bytes: usize,
        offset: usize,
        kind: c_int,
    ) -> Result<Line, Error> {
        let sides = Direction::of(kind)?;
        if !matches!(sides, Direction::DeviceToHost | Direction::DeviceToDevice | Direction::Default) {
            return Err(Error::INVALID_DIRECTION);
        }
        Ok(Line { to: to as Address, from: part_of_variable(symbol, offset, bytes)?, bytes, kind })
    }

    /// As a copy in three dimensions.
    pub fn whole(&self) -> Copy3D {
        let memory = |address: Address| PitchedPointer {
            pointer: address as *mut c_void,
            pitch: self.bytes,
            width: self.bytes,
            height: 1,
        };
        let start = Position { x: 0, y: 0, z: 0 };
        Copy3D {
            source_array: 0,
            source_position: start,
            source: memory(self.from),
            target_array: 0,
            target_position: start,
            target: memory(self.to),
            extent: Extent { width: self.bytes, height: 1, depth: 1 },
            kind: self.kind,
        }
    }
}

/// The line of a variable from `offset` on.
fn part_of_variable(symbol: *const c_void, offset: usize, bytes: usize) -> Result<Address, Error> {
    let (start, size) = variable(symbol)?;
    match offset.checked_add(bytes) {
        Some(end) if end <= size => Ok(start + offset as u64),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// # Safety
///
/// As for [`line`].
unsafe fn to_variable(
    symbol: *const c_void,
    from: *const c_void,
    bytes: usize,
    offset: usize,
    kind: c_int,
    when: When,
) -> Outcome {
    let Line { to, from, .. } = Line::to_variable(symbol, from, bytes, offset, kind)?;
    // SAFETY: by the caller's promise.
    unsafe { line(to, from, bytes, kind, when) }
}

/// # Safety
///
/// As for [`line`].
unsafe fn from_variable(
    to: *mut c_void,
    symbol: *const c_void,
    bytes: usize,
    offset: usize,
    kind: c_int,
    when: When,
) -> Outcome {
    let Line { to, from, .. } = Line::from_variable(to, symbol, bytes, offset, kind)?;
    // SAFETY: by the caller's promise.
    unsafe { line(to, from, bytes, kind, when) }
}

/// A rectangle of bytes: its first row's address, and the bytes from row to row.
#[derive(Clone, Copy)]
struct Rows {
    start: Address,
    pitch: usize,
}

impl Rows {
    fn side(self, kind: c_int) -> DriverSide2D {
        DriverSide2D {
            x: 0,
            y: 0,
            kind,
            host: self.start as *mut c_void,
            device: self.start,
            array: 0,
            pitch: self.pitch,
        }
    }
}

/// # Safety
///
/// As for [`line`], of each row.
unsafe fn rectangle(to: Rows, from: Rows, width: usize, height: usize, kind: c_int, when: When) -> Outcome {
    context::current()?;
    let (source, target) = Direction::of(kind)?.sides();
    if width == 0 || height == 0 {
        return Ok(());
    }
    if width > to.pitch || width > from.pitch {
        return Err(Error::INVALID_PITCH);
    }
    let copy = DriverCopy2D { source: from.side(source), target: to.side(target), width, height };
    // SAFETY: by the caller's promise.
    when.run(
        || unsafe { driver::cuMemcpy2DUnaligned_v2(&copy) },
        |stream| unsafe { driver::cuMemcpy2DAsync_v2(&copy, stream) },
    )
}

/// # Safety
///
/// `copy` is null or points to a copy; as for [`line`], of each row.
unsafe fn cuboid(copy: *const Copy3D, when: When) -> Outcome {
    context::current()?;
    // SAFETY: by the caller's promise.
    let copy = unsafe { read(copy)? };
    let Extent { width, height, depth } = copy.extent;
    let copy = for_driver(&copy)?;
    if width == 0 || height == 0 || depth == 0 {
        return Ok(());
    }
    // SAFETY: by the caller's promise.
    when.run(
        || unsafe { driver::cuMemcpy3D_v2(&copy) },
        |stream| unsafe { driver::cuMemcpy3DAsync_v2(&copy, stream) },
    )
}

/// The driver's description of a copy in three dimensions.
pub(crate) fn for_driver(copy: &Copy3D) -> Result<DriverCopy3D, Error> {
    if copy.source_array != 0 || copy.target_array != 0 {
        crate::unsupported::say("cudaMemcpy3D", crate::unsupported::ARRAYS);
        return Err(Error::NOT_SUPPORTED);
    }
    let (source, target) = Direction::of(copy.kind)?.sides();
    let side = |memory: PitchedPointer, Position { x, y, z }: Position, kind| DriverSide3D {
        x,
        y,
        z,
        level: 0,
        kind,
        host: memory.pointer,
        device: memory.pointer as Address,
        array: 0,
        reserved: 0,
        pitch: memory.pitch,
        height: memory.height,
    };
    Ok(DriverCopy3D {
        source: side(copy.source, copy.source_position, source),
        target: side(copy.target, copy.target_position, target),
        width: copy.extent.width,
        height: copy.extent.height,
        depth: copy.extent.depth,
    })
}

/// A copy between devices as one whose addresses tell the devices.
///
/// # Safety
///
/// `copy` is null or points to a copy; as for [`line`], of each row.
unsafe fn cuboid_of_peers(copy: *const PeerCopy3D, when: When) -> Outcome {
    // SAFETY: by the caller's promise.
    let copy = unsafe { read(copy)? };
    context::primary(copy.source_device)?;
    context::primary(copy.target_device)?;
    let copy = Copy3D {
        source_array: copy.source_array,
        source_position: copy.source_position,
        source: copy.source,
        target_array: copy.target_array,
        target_position: copy.target_position,
        target: copy.target,
        extent: copy.extent,
        kind: 4,
    };
    // SAFETY: by the caller's promise.
    unsafe { cuboid(&copy, when) }
}

functions! {
    fn cudaMemcpy(to: *mut c_void, from: *const c_void, bytes: usize, kind: c_int) {
        line(to as Address, from as Address, bytes, kind, When::Now)
    }

    fn cudaMemcpy_ptds(to: *mut c_void, from: *const c_void, bytes: usize, kind: c_int) {
        line(to as Address, from as Address, bytes, kind, When::NowOnThread)
    }

    fn cudaMemcpyAsync | cudaMemcpyAsync_ptsz(
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
        kind: c_int,
        stream: Stream,
    ) {
        line(to as Address, from as Address, bytes, kind, When::On(stream))
    }

    fn cudaMemcpyWithAttributesAsync | cudaMemcpyWithAttributesAsync_ptsz(
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
        _attributes: *mut c_void,
        stream: Stream,
    ) {
        line(to as Address, from as Address, bytes, 4, When::On(stream))
    }

    fn cudaMemcpyPeer(
        to: *mut c_void,
        to_device: c_int,
        from: *const c_void,
        from_device: c_int,
        bytes: usize,
    ) {
        context::current()?;
        let (to_context, from_context) = (context::primary(to_device)?, context::primary(from_device)?);
        driver::cuMemcpyPeer(to as Address, to_context, from as Address, from_context, bytes)
    }

    fn cudaMemcpyPeerAsync(
        to: *mut c_void,
        to_device: c_int,
        from: *const c_void,
        from_device: c_int,
        bytes: usize,
        stream: Stream,
    ) {
        context::current()?;
        let (to_context, from_context) = (context::primary(to_device)?, context::primary(from_device)?);
        driver::cuMemcpyPeerAsync(to as Address, to_context, from as Address, from_context, bytes, stream)
    }

    fn cudaMemcpyToSymbol(
        symbol: *const c_void,
        from: *const c_void,
        bytes: usize,
        offset: usize,
        kind: c_int,
    ) {
        to_variable(symbol, from, bytes, offset, kind, When::Now)
    }

    fn cudaMemcpyToSymbol_ptds(
        symbol: *const c_void,
        from: *const c_void,
        bytes: usize,
        offset: usize,
        kind: c_int,
    ) {
        to_variable(symbol, from, bytes, offset, kind, When::NowOnThread)
    }

    fn cudaMemcpyToSymbolAsync | cudaMemcpyToSymbolAsync_ptsz(
        symbol: *const c_void,
        from: *const c_void,
        bytes: usize,
        offset: usize,
        kind: c_int,
        stream: Stream,
    ) {
        to_variable(symbol, from, bytes, offset, kind, When::On(stream))
    }

    fn cudaMemcpyFromSymbol(
        to: *mut c_void,
        symbol: *const c_void,
        bytes: usize,
        offset: usize,
        kind: c_int,
    ) {
        from_variable(to, symbol, bytes, offset, kind, When::Now)
    }

    fn cudaMemcpyFromSymbol_ptds(
        to: *mut c_void,
        symbol: *const c_void,
        bytes: usize,
        offset: usize,
        kind: c_int,
    ) {
        from_variable(to, symbol, bytes, offset, kind, When::NowOnThread)
    }

    fn cudaMemcpyFromSymbolAsync | cudaMemcpyFromSymbolAsync_ptsz(
        to: *mut c_void,
        symbol: *const c_void,
        bytes: usize,
        offset: usize,
        kind: c_int,
        stream: Stream,
    ) {
        from_variable(to, symbol, bytes, offset, kind, When::On(stream))
    }

    fn cudaMemcpy2D(
        to: *mut c_void,
        to_pitch: usize,
        from: *const c_void,
        from_pitch: usize,
        width: usize,
        height: usize,
        kind: c_int,
    ) {
        let to = Rows { start: to as Address, pitch: to_pitch };
        rectangle(to, Rows { start: from as Address, pitch: from_pitch }, width, height, kind, When::Now)
    }

    fn cudaMemcpy2D_ptds(
        to: *mut c_void,
        to_pitch: usize,
        from: *const c_void,
        from_pitch: usize,
        width: usize,
        height: usize,
        kind: c_int,
    ) {
        let to = Rows { start: to as Address, pitch: to_pitch };
        let from = Rows { start: from as Address, pitch: from_pitch };
        rectangle(to, from, width, height, kind, When::NowOnThread)
    }

    fn cudaMemcpy2DAsync | cudaMemcpy2DAsync_ptsz(
        to: *mut c_void,
        to_pitch: usize,
        from: *const c_void,
        from_pitch: usize,
        width: usize,
        height: usize,
        kind: c_int,
        stream: Stream,
    ) {
        let to = Rows { start: to as Address, pitch: to_pitch };
        let from = Rows { start: from as Address, pitch: from_pitch };
        rectangle(to, from, width, height, kind, When::On(stream))
    }

    fn cudaMemcpy3D(copy: *const Copy3D) {
        cuboid(copy, When::Now)
    }

    fn cudaMemcpy3D_ptds(copy: *const Copy3D) {
        cuboid(copy, When::NowOnThread)
    }

    fn cudaMemcpy3DAsync | cudaMemcpy3DAsync_ptsz(copy: *const Copy3D, stream: Stream) {
        cuboid(copy, When::On(stream))
    }

    fn cudaMemcpy3DPeer(copy: *const PeerCopy3D) {
        cuboid_of_peers(copy, When::Now)
    }

    fn cudaMemcpy3DPeer_ptds(copy: *const PeerCopy3D) {
        cuboid_of_peers(copy, When::NowOnThread)
    }

    fn cudaMemcpy3DPeerAsync | cudaMemcpy3DPeerAsync_ptsz(copy: *const PeerCopy3D, stream: Stream) {
        cuboid_of_peers(copy, When::On(stream))
    }
}
