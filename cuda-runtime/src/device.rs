//! Devices: which there are, what they have, and the calling thread's.

use std::ffi::{c_char, c_int, c_void};

use crate::{
    calls::{functions, write},
    context, driver,
    error::{self, Error},
    layouts::Handle,
    registry, version,
};

/// A field of `cudaDeviceProp`.
#[derive(Clone, Copy)]
enum Field {
    /// An `int` with this attribute's value, in every version.
    Int(c_int),
    /// As `Int`, only in version 12.
    Old(c_int),
    /// As `Int`, only since version 13.
    New(c_int),
    /// A `size_t` with this attribute's value.
    Size(c_int),
    /// A `size_t`: the device's memory in bytes.
    Memory,
    /// 256 characters.
    Name,
    /// 16 bytes.
    Uuid,
    /// An identifier of Windows, and its node mask: 12 bytes.
    Luid,
    /// As many `int`s for later versions, in version 12 and since 13.
    Reserved(usize, usize),
}

/// The fields of `cudaDeviceProp`, in order; the numbers are those of `cudaDeviceAttr`, and since C gives the padding,
/// the offsets follow.
const PROPERTIES: &[Field] = {
    use Field::*;
    &[
        Name,
        Uuid,
        Luid,
        Memory,
        Size(8),
        Int(12),
        Int(10),
        Size(11),
        Int(1),
        Int(2),
        Int(3),
        Int(4),
        Int(5),
        Int(6),
        Int(7),
        Old(13),
        Size(9),
        Int(75),
        Int(76),
        Size(14),
        Size(51),
        Old(15),
        Int(16),
        Old(17),
        Int(18),
        Int(19),
        Old(20),
        // Textures, by their dimensions, mipmaps, layers.
        Int(21),
        Int(77),
        Old(69),
        Int(22),
        Int(23),
        Int(73),
        Int(74),
        Int(70),
        Int(71),
        Int(72),
        Int(45),
        Int(46),
        Int(24),
        Int(25),
        Int(26),
        Int(47),
        Int(48),
        Int(49),
        Int(52),
        Int(42),
        Int(43),
        Int(27),
        Int(28),
        Int(29),
        Int(53),
        Int(54),
        // Surfaces.
        Int(55),
        Int(56),
        Int(57),
        Int(58),
        Int(59),
        Int(60),
        Int(61),
        Int(62),
        Int(63),
        Int(64),
        Int(65),
        Int(66),
        Int(67),
        Int(68),
        Size(30),
        Int(31),
        Int(32),
        Int(33),
        Int(34),
        Int(50),
        Int(35),
        Int(40),
        Int(41),
        Old(36),
        Int(37),
        Int(38),
        Int(108),
        Int(39),
        Int(78),
        Int(79),
        Int(80),
        Size(81),
        Int(82),
        Int(83),
        Int(84),
        Int(85),
        Int(86),
        Old(87),
        Int(88),
        Int(89),
        Int(90),
        Int(91),
        Int(95),
        Old(96),
        Size(97),
        Int(100),
        Int(101),
        Int(106),
        Int(109),
        Size(111),
        Int(99),
        Int(112),
        Int(113),
        Int(114),
        Int(115),
        Int(116),
        Int(117),
        Int(118),
        Int(119),
        Int(121),
        Int(125),
        Int(120),
        Int(129),
        New(130),
        New(131),
        New(133),
        New(134),
        New(139),
        New(140),
        New(143),
        Reserved(63, 56),
    ]
};

/// What is known of a device besides its attributes.
struct Description {
    name: [u8; 256],
    uuid: [u8; 16],
    memory: usize,
}

/// The bytes of a `cudaDeviceProp` of a major version.
fn properties(major: u32, description: &Description, attribute: impl Fn(c_int) -> c_int) -> Vec<u8> {
    let mut bytes = Vec::new();
    let is_old = major < 13;
    for &field in PROPERTIES {
        match field {
            Field::Name => bytes.extend_from_slice(&description.name),
            Field::Uuid => bytes.extend_from_slice(&description.uuid),
            Field::Luid => bytes.extend_from_slice(&[0; 12]),
            Field::Memory => put_size(&mut bytes, description.memory),
            Field::Size(number) => put_size(&mut bytes, usize::try_from(attribute(number)).unwrap_or(0)),
            Field::Old(_) if !is_old => {}
            Field::New(_) if is_old => {}
            Field::Int(number) | Field::Old(number) | Field::New(number) => {
                bytes.extend_from_slice(&attribute(number).to_ne_bytes());
            }
            Field::Reserved(old, new) => bytes.resize(bytes.len() + 4 * if is_old { old } else { new }, 0),
        }
    }
    bytes.resize(bytes.len().next_multiple_of(size_of::<usize>()), 0);
    bytes
}

fn put_size(bytes: &mut Vec<u8>, value: usize) {
    bytes.resize(bytes.len().next_multiple_of(size_of::<usize>()), 0);
    bytes.extend_from_slice(&value.to_ne_bytes());
}

fn attribute(device: c_int, number: c_int) -> Result<c_int, Error> {
    let mut value = 0;
    // SAFETY: the pointer is to a live integer.
    unsafe { driver::cuDeviceGetAttribute(&mut value, number, device) }.map(|()| value)
}

/// Writes a device's properties in the layout of a major version, at most `limit` bytes of them.
///
/// # Safety
///
/// `to` is null or valid for as many bytes.
unsafe fn write_properties(to: *mut c_void, device: c_int, major: u32, limit: usize) -> Result<(), Error> {
    if to.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    context::check_device(device)?;
    let mut description = Description { name: [0; 256], uuid: [0; 16], memory: 0 };
    let capacity = description.name.len() as c_int;
    // SAFETY: the pointers are to live values, and the name has this capacity.
    unsafe {
        driver::cuDeviceGetName(description.name.as_mut_ptr().cast(), capacity, device)?;
        driver::cuDeviceGetUuid_v2(&mut description.uuid, device)?;
        driver::cuDeviceTotalMem_v2(&mut description.memory, device)?;
    }
    // A driver does not know attributes that are newer than itself.
    let bytes = properties(major, &description, |number| attribute(device, number).unwrap_or(0));
    // SAFETY: by the caller's promise.
    unsafe { to.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len().min(limit)) };
    Ok(())
}

/// Bytes of `cudaDeviceProp` before version 12, which begins as that of version 12.
const OLDEST_PROPERTIES: usize = 728;

functions! {
    fn cudaGetDeviceCount(count: *mut c_int) {
        driver::cuDeviceGetCount(count)
    }

    fn cudaGetDevice(device: *mut c_int) {
        write(device, context::device()?)
    }

    fn cudaSetDevice(device: c_int) {
        context::select(device)
    }

    fn cudaInitDevice(device: c_int, _device_flags: u32, _flags: u32) {
        context::primary(device).map(drop)
    }

    fn cudaDeviceSynchronize() {
        context::current()?;
        driver::cuCtxSynchronize()
    }

    fn cudaDeviceReset() {
        let device = context::device()?;
        if let Some(context) = context::release(device) {
            registry::forget_context(context);
            driver::cuDevicePrimaryCtxReset_v2(device)?;
            driver::cuCtxSetCurrent(0)?;
        }
        error::forget();
        Ok(())
    }

    fn cudaSetDeviceFlags(flags: u32) {
        driver::cuDevicePrimaryCtxSetFlags_v2(context::device()?, flags)
    }

    fn cudaGetDeviceFlags(flags: *mut u32) {
        let mut active = 0;
        driver::cuDevicePrimaryCtxGetState(context::device()?, flags, &mut active)
    }

    fn cudaGetDeviceProperties(properties: *mut c_void, device: c_int) {
        let major = version::major();
        // Programs of version 12 call the function below; this one was that of version 11.
        write_properties(properties, device, major, if major < 13 { OLDEST_PROPERTIES } else { usize::MAX })
    }

    fn cudaGetDeviceProperties_v2(properties: *mut c_void, device: c_int) {
        write_properties(properties, device, 12, usize::MAX)
    }

    fn cudaChooseDevice(device: *mut c_int, _wanted: *const c_void) {
        // All devices have what programs can ask for.
        context::check_device(0)?;
        write(device, 0)
    }

    fn cudaDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) {
        context::check_device(device)?;
        driver::cuDeviceGetAttribute(value, attribute, device)
    }

    fn cudaDeviceGetLimit(value: *mut usize, limit: c_int) {
        context::current()?;
        driver::cuCtxGetLimit(value, limit)
    }

    fn cudaDeviceSetLimit(limit: c_int, value: usize) {
        context::current()?;
        driver::cuCtxSetLimit(limit, value)
    }

    fn cudaDeviceGetCacheConfig(config: *mut c_int) {
        context::current()?;
        driver::cuCtxGetCacheConfig(config)
    }

    fn cudaDeviceSetCacheConfig(config: c_int) {
        context::current()?;
        driver::cuCtxSetCacheConfig(config)
    }

    fn cudaDeviceGetSharedMemConfig(config: *mut c_int) {
        context::current()?;
        driver::cuCtxGetSharedMemConfig(config)
    }

    fn cudaDeviceSetSharedMemConfig(config: c_int) {
        context::current()?;
        driver::cuCtxSetSharedMemConfig(config)
    }

    fn cudaDeviceFlushGPUDirectRDMAWrites(_target: c_int, _scope: c_int) {
        // No other device writes to a device's memory.
        context::current().map(drop)
    }

    fn cudaCtxResetPersistingL2Cache() {
        context::current()?;
        driver::cuCtxResetPersistingL2Cache()
    }

    fn cudaDeviceGetPCIBusId(text: *mut c_char, capacity: c_int, device: c_int) {
        context::check_device(device)?;
        driver::cuDeviceGetPCIBusId(text, capacity, device)
    }

    fn cudaDeviceGetByPCIBusId(device: *mut c_int, text: *const c_char) {
        driver::cuDeviceGetByPCIBusId(device, text)
    }

    fn cudaDeviceGetP2PAttribute(value: *mut c_int, attribute: c_int, source: c_int, target: c_int) {
        context::check_device(source)?;
        context::check_device(target)?;
        driver::cuDeviceGetP2PAttribute(value, attribute, source, target)
    }

    fn cudaDeviceCanAccessPeer(can: *mut c_int, device: c_int, peer: c_int) {
        context::check_device(device)?;
        context::check_device(peer)?;
        driver::cuDeviceCanAccessPeer(can, device, peer)
    }

    fn cudaDeviceEnablePeerAccess(peer: c_int, flags: u32) {
        context::current()?;
        let peer: Handle = context::primary(peer)?;
        driver::cuCtxEnablePeerAccess(peer, flags)
    }

    fn cudaDeviceDisablePeerAccess(peer: c_int) {
        context::current()?;
        let peer: Handle = context::primary(peer)?;
        driver::cuCtxDisablePeerAccess(peer)
    }
}

// Names of older versions.
functions! {
    fn cudaThreadSynchronize() {
        Error::check(cudaDeviceSynchronize())
    }

    fn cudaThreadExit() {
        Error::check(cudaDeviceReset())
    }

    fn cudaThreadGetLimit(value: *mut usize, limit: c_int) {
        Error::check(cudaDeviceGetLimit(value, limit))
    }

    fn cudaThreadSetLimit(limit: c_int, value: usize) {
        Error::check(cudaDeviceSetLimit(limit, value))
    }

    fn cudaThreadGetCacheConfig(config: *mut c_int) {
        Error::check(cudaDeviceGetCacheConfig(config))
    }

    fn cudaThreadSetCacheConfig(config: c_int) {
        Error::check(cudaDeviceSetCacheConfig(config))
    }

    fn cudaSetDoubleForDevice(_number: *mut f64) {
        Ok(())
    }

    fn cudaSetDoubleForHost(_number: *mut f64) {
        Ok(())
    }
}

/// A description of the elements of a texture (`cudaChannelFormatDesc`).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Channels {
    bits: [c_int; 4],
    kind: c_int,
}

/// `cudaCreateChannelDesc` of the CUDA runtime API.
///
/// # Safety
///
/// None: `unsafe` like all functions of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaCreateChannelDesc(
    x: c_int,
    y: c_int,
    z: c_int,
    w: c_int,
    kind: c_int,
) -> Channels {
    Channels { bits: [x, y, z, w], kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Offsets of fields behind others that only one version has, and the sizes, as C compilers give them for the
    /// headers of CUDA 12.9 and 13.5.
    #[test]
    fn properties_have_the_layout_of_their_version() {
        let description = Description { name: [b'n'; 256], uuid: [1; 16], memory: 1 << 40 };
        for (major, size, offsets) in [
            (
                12,
                1032,
                [
                    (9, 352),
                    (16, 388),
                    (21, 408),
                    (30, 568),
                    (38, 616),
                    (81, 640),
                    (95, 688),
                    (111, 720),
                    (120, 772),
                ],
            ),
            (
                13,
                1008,
                [
                    (9, 352),
                    (16, 384),
                    (21, 396),
                    (30, 552),
                    (38, 596),
                    (81, 624),
                    (95, 668),
                    (111, 696),
                    (120, 748),
                ],
            ),
        ] {
            let bytes = properties(major, &description, |number| 1000 + number);
            assert_eq!(bytes.len(), size, "{major}");
            assert_eq!(bytes[288..296], (1_usize << 40).to_ne_bytes(), "{major}");
            for (number, offset) in offsets {
                assert_eq!(bytes[offset..offset + 4], (1000_i32 + number).to_ne_bytes(), "{major}: {number}");
            }
        }
    }
}
