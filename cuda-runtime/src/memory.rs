//! Memory of the device and of the host: allocations, pools, addresses, and setting bytes.

use std::ffi::{c_int, c_void};

use crate::{
    calls::{functions, read, write},
    context, driver,
    error::{Error, Outcome},
    layouts::{Address, Extent, Handle, Location, PitchedPointer, PointerAttributes, Stream},
    version,
};

/// Bytes that the elements of rows have at most: alignment of each row.
const WIDEST_ELEMENT: u32 = 16;

/// Words at the end of `cudaPointerAttributes` for later versions, since version 13.
const POINTER_RESERVED: usize = 8;

/// `CUpointer_attribute`s.
const MEMORY_TYPE: c_int = 2;
const DEVICE_POINTER: c_int = 3;
const HOST_POINTER: c_int = 4;
const IS_MANAGED: c_int = 8;
const DEVICE: c_int = 9;

/// `cudaMemLocationType` of a device, and of the host in its two forms.
const LOCATION_DEVICE: c_int = 1;
const LOCATIONS_HOST: [c_int; 2] = [2, 4];

/// The driver's number of the host.
const HOST: c_int = -1;

functions! {
    fn cudaMalloc(address: *mut *mut c_void, bytes: usize) {
        context::current()?;
        if bytes == 0 {
            return write(address, std::ptr::null_mut());
        }
        allocate(address, |start| driver::cuMemAlloc_v2(start, bytes))
    }

    fn cudaFree(address: *mut c_void) {
        context::current()?;
        if address.is_null() { Ok(()) } else { driver::cuMemFree_v2(address as Address) }
    }

    fn cudaMallocManaged(address: *mut *mut c_void, bytes: usize, flags: u32) {
        context::current()?;
        allocate(address, |start| driver::cuMemAllocManaged(start, bytes, flags))
    }

    fn cudaMallocPitch(address: *mut *mut c_void, pitch: *mut usize, width: usize, height: usize) {
        context::current()?;
        if width == 0 || height == 0 {
            write(pitch, 0)?;
            return write(address, std::ptr::null_mut());
        }
        allocate(address, |start| driver::cuMemAllocPitch_v2(start, pitch, width, height, WIDEST_ELEMENT))
    }

    fn cudaMalloc3D(memory: *mut PitchedPointer, extent: Extent) {
        context::current()?;
        let Extent { width, height, depth } = extent;
        let rows = height.checked_mul(depth).ok_or(Error::INVALID_VALUE)?;
        let (mut start, mut pitch) = (0, 0);
        if width != 0 && rows != 0 {
            driver::cuMemAllocPitch_v2(&mut start, &mut pitch, width, rows, WIDEST_ELEMENT)?;
        }
        write(memory, PitchedPointer { pointer: start as *mut c_void, pitch, width, height })
    }

    fn cudaMallocHost(address: *mut *mut c_void, bytes: usize) {
        context::current()?;
        pinned(address, bytes, 0)
    }

    fn cudaHostAlloc(address: *mut *mut c_void, bytes: usize, flags: u32) {
        context::current()?;
        pinned(address, bytes, flags)
    }

    fn cudaFreeHost(address: *mut c_void) {
        context::current()?;
        if address.is_null() { Ok(()) } else { driver::cuMemFreeHost(address) }
    }

    fn cudaHostRegister(memory: *mut c_void, bytes: usize, flags: u32) {
        context::current()?;
        driver::cuMemHostRegister_v2(memory, bytes, flags)
    }

    fn cudaHostUnregister(memory: *mut c_void) {
        context::current()?;
        driver::cuMemHostUnregister(memory)
    }

    fn cudaHostGetDevicePointer(device: *mut *mut c_void, host: *mut c_void, flags: u32) {
        context::current()?;
        allocate(device, |start| driver::cuMemHostGetDevicePointer_v2(start, host, flags))
    }

    fn cudaHostGetFlags(flags: *mut u32, host: *mut c_void) {
        context::current()?;
        driver::cuMemHostGetFlags(flags, host)
    }

    fn cudaMemGetInfo(free: *mut usize, total: *mut usize) {
        context::current()?;
        driver::cuMemGetInfo_v2(free, total)
    }

    fn cudaMallocAsync | cudaMallocAsync_ptsz(address: *mut *mut c_void, bytes: usize, stream: Stream) {
        context::current()?;
        if bytes == 0 {
            return write(address, std::ptr::null_mut());
        }
        allocate(address, |start| driver::cuMemAllocAsync(start, bytes, stream))
    }

    fn cudaMallocFromPoolAsync | cudaMallocFromPoolAsync_ptsz(
        address: *mut *mut c_void,
        bytes: usize,
        pool: Handle,
        stream: Stream,
    ) {
        context::current()?;
        allocate(address, |start| driver::cuMemAllocFromPoolAsync(start, bytes, pool, stream))
    }

    fn cudaFreeAsync | cudaFreeAsync_ptsz(address: *mut c_void, stream: Stream) {
        context::current()?;
        if address.is_null() { Ok(()) } else { driver::cuMemFreeAsync(address as Address, stream) }
    }

    fn cudaMemPoolCreate(pool: *mut Handle, properties: *const c_void) {
        context::current()?;
        driver::cuMemPoolCreate(pool, properties)
    }

    fn cudaMemPoolDestroy(pool: Handle) {
        driver::cuMemPoolDestroy(pool)
    }

    fn cudaMemPoolTrimTo(pool: Handle, bytes: usize) {
        driver::cuMemPoolTrimTo(pool, bytes)
    }

    fn cudaMemPoolSetAttribute(pool: Handle, attribute: c_int, value: *mut c_void) {
        driver::cuMemPoolSetAttribute(pool, attribute, value)
    }

    fn cudaMemPoolGetAttribute(pool: Handle, attribute: c_int, value: *mut c_void) {
        driver::cuMemPoolGetAttribute(pool, attribute, value)
    }

    fn cudaMemPoolSetAccess(pool: Handle, accesses: *const c_void, count: usize) {
        driver::cuMemPoolSetAccess(pool, accesses, count)
    }

    fn cudaMemPoolGetAccess(flags: *mut c_int, pool: Handle, location: *const c_void) {
        let mut wide = 0;
        driver::cuMemPoolGetAccess(&mut wide, pool, location)?;
        write(flags, wide as c_int)
    }

    fn cudaDeviceGetDefaultMemPool(pool: *mut Handle, device: c_int) {
        context::primary(device)?;
        driver::cuDeviceGetDefaultMemPool(pool, device)
    }

    fn cudaDeviceGetMemPool(pool: *mut Handle, device: c_int) {
        context::primary(device)?;
        driver::cuDeviceGetMemPool(pool, device)
    }

    fn cudaDeviceSetMemPool(device: c_int, pool: Handle) {
        context::primary(device)?;
        driver::cuDeviceSetMemPool(device, pool)
    }

    fn cudaMemGetDefaultMemPool(pool: *mut Handle, location: *const Location, _kind: c_int) {
        let device = device_of(read(location)?)?;
        context::primary(device)?;
        driver::cuDeviceGetDefaultMemPool(pool, device)
    }

    fn cudaMemGetMemPool(pool: *mut Handle, location: *const Location, _kind: c_int) {
        let device = device_of(read(location)?)?;
        context::primary(device)?;
        driver::cuDeviceGetMemPool(pool, device)
    }

    fn cudaMemSetMemPool(location: *const Location, _kind: c_int, pool: Handle) {
        let device = device_of(read(location)?)?;
        context::primary(device)?;
        driver::cuDeviceSetMemPool(device, pool)
    }

    fn cudaPointerGetAttributes(attributes: *mut PointerAttributes, pointer: *const c_void) {
        context::current()?;
        write(attributes, self::attributes(pointer as Address)?)?;
        if version::major() >= 13 {
            write(attributes.add(1).cast(), [0_u64; POINTER_RESERVED])?;
        }
        Ok(())
    }

    fn cudaMemRangeGetAttribute(
        data: *mut c_void,
        data_bytes: usize,
        attribute: c_int,
        address: *const c_void,
        bytes: usize,
    ) {
        context::current()?;
        driver::cuMemRangeGetAttribute(data, data_bytes, attribute, address as Address, bytes)
    }

    fn cudaMemRangeGetAttributes(
        data: *mut *mut c_void,
        data_bytes: *mut usize,
        attributes: *mut c_int,
        count: usize,
        address: *const c_void,
        bytes: usize,
    ) {
        context::current()?;
        for at in 0..count {
            let (data, data_bytes, attribute) =
                (read(data.add(at))?, read(data_bytes.add(at))?, read(attributes.add(at))?);
            driver::cuMemRangeGetAttribute(data, data_bytes, attribute, address as Address, bytes)?;
        }
        Ok(())
    }

    fn cudaMemAdvise_v2(address: *const c_void, bytes: usize, advice: c_int, location: Location) {
        context::current()?;
        driver::cuMemAdvise(address as Address, bytes, advice, device_of(location)?)
    }

    fn cudaMemPrefetchAsync_v2 | cudaMemPrefetchAsync_v2_ptsz(
        address: *const c_void,
        bytes: usize,
        location: Location,
        _flags: u32,
        stream: Stream,
    ) {
        context::current()?;
        driver::cuMemPrefetchAsync(address as Address, bytes, device_of(location)?, stream)
    }

    fn cudaStreamAttachMemAsync | cudaStreamAttachMemAsync_ptsz(
        stream: Stream,
        address: *mut c_void,
        bytes: usize,
        flags: u32,
    ) {
        context::current()?;
        driver::cuStreamAttachMemAsync(stream, address as Address, bytes, flags)
    }

    fn cudaMemset(address: *mut c_void, value: c_int, count: usize) {
        context::current()?;
        driver::cuMemsetD8_v2(address as Address, value as u8, count)
    }

    fn cudaMemset_ptds(address: *mut c_void, value: c_int, count: usize) {
        context::current()?;
        driver::cuMemsetD8Async(address as Address, value as u8, count, Stream::PER_THREAD)
    }

    fn cudaMemsetAsync | cudaMemsetAsync_ptsz(
        address: *mut c_void,
        value: c_int,
        count: usize,
        stream: Stream,
    ) {
        context::current()?;
        driver::cuMemsetD8Async(address as Address, value as u8, count, stream)
    }

    fn cudaMemset2D(address: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize) {
        context::current()?;
        driver::cuMemsetD2D8_v2(address as Address, pitch, value as u8, width, height)
    }

    fn cudaMemset2D_ptds(address: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize) {
        context::current()?;
        driver::cuMemsetD2D8Async(address as Address, pitch, value as u8, width, height, Stream::PER_THREAD)
    }

    fn cudaMemset2DAsync | cudaMemset2DAsync_ptsz(
        address: *mut c_void,
        pitch: usize,
        value: c_int,
        width: usize,
        height: usize,
        stream: Stream,
    ) {
        context::current()?;
        driver::cuMemsetD2D8Async(address as Address, pitch, value as u8, width, height, stream)
    }

    fn cudaMemset3D(memory: PitchedPointer, value: c_int, extent: Extent) {
        context::current()?;
        set_3d(memory, extent, |start, width, height| {
            driver::cuMemsetD2D8_v2(start, memory.pitch, value as u8, width, height)
        })
    }

    fn cudaMemset3D_ptds(memory: PitchedPointer, value: c_int, extent: Extent) {
        context::current()?;
        set_3d(memory, extent, |start, width, height| {
            driver::cuMemsetD2D8Async(start, memory.pitch, value as u8, width, height, Stream::PER_THREAD)
        })
    }

    fn cudaMemset3DAsync | cudaMemset3DAsync_ptsz(
        memory: PitchedPointer,
        value: c_int,
        extent: Extent,
        stream: Stream,
    ) {
        context::current()?;
        set_3d(memory, extent, |start, width, height| {
            driver::cuMemsetD2D8Async(start, memory.pitch, value as u8, width, height, stream)
        })
    }
}

/// Allocates by a call of the driver, and writes the address.
///
/// # Safety
///
/// `address` is null or valid for a write.
unsafe fn allocate(address: *mut *mut c_void, driver: impl FnOnce(&mut Address) -> Outcome) -> Outcome {
    if address.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let mut start = 0;
    driver(&mut start)?;
    // SAFETY: by the caller's promise.
    unsafe { write(address, start as *mut c_void) }
}

/// Allocates memory of the host, none for no bytes.
///
/// # Safety
///
/// `address` is null or valid for a write.
unsafe fn pinned(address: *mut *mut c_void, bytes: usize, flags: u32) -> Outcome {
    // SAFETY: by the caller's promise; the driver rejects null.
    unsafe {
        if bytes == 0 {
            write(address, std::ptr::null_mut())
        } else {
            driver::cuMemHostAlloc(address, bytes, flags)
        }
    }
}

/// The device of a location, or the driver's number of the host.
fn device_of(location: Location) -> Result<c_int, Error> {
    match location.kind {
        LOCATION_DEVICE => Ok(location.id),
        kind if LOCATIONS_HOST.contains(&kind) => Ok(HOST),
        _ => Err(Error::INVALID_VALUE),
    }
}

/// Sets bytes plane by plane: `set` takes a plane's start, width and height.
fn set_3d(memory: PitchedPointer, extent: Extent, set: impl Fn(Address, usize, usize) -> Outcome) -> Outcome {
    let Extent { width, height, depth } = extent;
    if width == 0 || height == 0 || depth == 0 {
        return Ok(());
    }
    if width > memory.pitch && (height > 1 || depth > 1) {
        return Err(Error::INVALID_PITCH);
    }
    let plane = memory.pitch.checked_mul(memory.height.max(height)).ok_or(Error::INVALID_VALUE)?;
    for at in 0..depth {
        let offset = plane.checked_mul(at).ok_or(Error::INVALID_VALUE)?;
        set((memory.pointer as Address).wrapping_add(offset as u64), width, height)?;
    }
    Ok(())
}

/// What an address points to: memory of the host that the driver does not know (0), or that it knows (1), of the
/// device (2), or managed (3).
fn attributes(address: Address) -> Result<PointerAttributes, Error> {
    let (mut memory, mut managed, mut device) = (0_u32, 0_u32, 0_i32);
    let (mut device_pointer, mut host_pointer) = (0_u64, 0_u64);
    let attributes = [MEMORY_TYPE, IS_MANAGED, DEVICE, DEVICE_POINTER, HOST_POINTER];
    let values: [*mut c_void; 5] = [
        (&raw mut memory).cast(),
        (&raw mut managed).cast(),
        (&raw mut device).cast(),
        (&raw mut device_pointer).cast(),
        (&raw mut host_pointer).cast(),
    ];
    // SAFETY: there is a live value of its type for each attribute.
    unsafe {
        driver::cuPointerGetAttributes(
            attributes.len() as u32,
            attributes.as_ptr(),
            values.as_ptr(),
            address,
        )?;
    }
    let kind = if managed != 0 { 3 } else { memory };
    // An address that the driver does not know is that of the host's own memory.
    let (device, host_pointer) = if kind == 0 { (-2, address) } else { (device, host_pointer) };
    Ok(PointerAttributes {
        kind: kind as c_int,
        device,
        device_pointer: device_pointer as *mut c_void,
        host_pointer: host_pointer as *mut c_void,
    })
}

/// `cudaMemAdvise` of the CUDA runtime API: a location since version 13, the number of a device before.
///
/// # Safety
///
/// As CUDA's documentation of the function says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaMemAdvise(
    address: *const c_void,
    bytes: usize,
    advice: c_int,
    place: Location,
) -> c_int {
    // SAFETY: by the promise of this function's caller. The number of a device, which is all that older programs
    // pass, is in the register's lower half, where a location has its kind.
    unsafe { cudaMemAdvise_v2(address, bytes, advice, located(place)) }
}

/// `cudaMemPrefetchAsync` of the CUDA runtime API since version 13.
///
/// # Safety
///
/// As CUDA's documentation of the function says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaMemPrefetchAsync(
    address: *const c_void,
    bytes: usize,
    place: Location,
    flags: u64,
    stream: Stream,
) -> c_int {
    // SAFETY: by the promise of this function's caller. Older programs pass the stream where newer ones pass flags.
    unsafe {
        let stream = if version::major() < 13 { Stream(flags as usize) } else { stream };
        cudaMemPrefetchAsync_v2(address, bytes, located(place), 0, stream)
    }
}

/// `cudaMemPrefetchAsync` where 0 means the calling thread's default stream.
///
/// # Safety
///
/// As CUDA's documentation of the function says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaMemPrefetchAsync_ptsz(
    address: *const c_void,
    bytes: usize,
    place: Location,
    flags: u64,
    stream: Stream,
) -> c_int {
    // SAFETY: as in `cudaMemPrefetchAsync`.
    unsafe {
        let stream = if version::major() < 13 { Stream(flags as usize) } else { stream };
        cudaMemPrefetchAsync_v2_ptsz(address, bytes, located(place), 0, stream)
    }
}

/// The location that a program of this library's version means.
fn located(place: Location) -> Location {
    match version::major() {
        13.. => place,
        // The number of a device, or -1 for the host.
        _ if place.kind == HOST => Location { kind: LOCATIONS_HOST[0], id: 0 },
        _ => Location { kind: LOCATION_DEVICE, id: place.kind },
    }
}
