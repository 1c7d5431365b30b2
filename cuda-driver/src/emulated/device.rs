//! Initialisation, and the one device and its attributes.

use ptx_emulator::{Machine, MachineDescription};

use super::{
    abi::{DriverResult, Out, Text, entry_points},
    state::{self, with},
};
use crate::Status;

/// The only device.
pub(super) const DEVICE: i32 = 0;

/// The PCI address that the device reports.
const PCI_BUS_ID: &str = "0000:00:00.0";

/// A UUID that no real device has.
const UUID: [u8; 16] = *b"warpfoldemulator";

/// Rejects all devices but the emulated one.
pub(super) fn check_device(device: i32) -> DriverResult {
    if device == DEVICE { Ok(()) } else { Err(Status::INVALID_DEVICE) }
}

fn describe<T>(device: i32, of: impl FnOnce(&MachineDescription) -> T) -> Result<T, Status> {
    with(|state| {
        check_device(device)?;
        Ok(of(state.machine.description()))
    })
}

entry_points! {
    fn cuInit(flags: u32) {
        if flags != 0 {
            return Err(Status::INVALID_VALUE);
        }
        state::initialise().map_err(|_| Status::INVALID_VALUE)
    }

    fn cuDeviceGetCount(count: Out<i32>) {
        with(|_| count.set(1))
    }

    fn cuDeviceGet(device: Out<i32>, ordinal: i32) {
        with(|_| {
            check_device(ordinal)?;
            device.set(ordinal)
        })
    }

    fn cuDeviceGetName(name: Out<u8>, capacity: i32, device: i32) {
        name.set_text(&describe(device, |machine| machine.name.clone())?, capacity)
    }

    fn cuDeviceGetUuid(uuid: Out<[u8; 16]>, device: i32) {
        describe(device, |_| uuid.set(UUID))?
    }

    fn cuDeviceGetUuid_v2(uuid: Out<[u8; 16]>, device: i32) {
        describe(device, |_| uuid.set(UUID))?
    }

    fn cuDeviceTotalMem_v2(bytes: Out<usize>, device: i32) {
        bytes.set(describe(device, |machine| machine.memory_bytes)? as usize)
    }

    fn cuDeviceComputeCapability(major: Out<i32>, minor: Out<i32>, device: i32) {
        let sm = describe(device, |machine| machine.sm)? as i32;
        major.set(sm / 10)?;
        minor.set(sm % 10)
    }

    fn cuDeviceGetAttribute(value: Out<i32>, attribute: i32, device: i32) {
        value.set(with(|state| {
            check_device(device)?;
            self::attribute(&state.machine, attribute).ok_or(Status::INVALID_VALUE)
        })?)
    }

    fn cuDeviceGetPCIBusId(text: Out<u8>, capacity: i32, device: i32) {
        describe(device, |_| text.set_text(PCI_BUS_ID, capacity))?
    }

    fn cuDeviceGetByPCIBusId(device: Out<i32>, text: Text) {
        with(|_| if text.text()? == PCI_BUS_ID { device.set(DEVICE) } else { Err(Status::INVALID_DEVICE) })
    }

    fn cuDeviceGetP2PAttribute(_value: Out<i32>, _attribute: i32, source: i32, target: i32) {
        with(|_| {
            check_device(source)?;
            check_device(target)?;
            // A device is not its own peer.
            Err(Status::INVALID_DEVICE)
        })
    }

    fn cuDeviceCanAccessPeer(can: Out<i32>, device: i32, peer: i32) {
        with(|_| {
            check_device(device)?;
            check_device(peer)?;
            can.set(0)
        })
    }
}

/// The last known `CUdevice_attribute`.
const LAST_ATTRIBUTE: i32 = 148;

/// A device attribute by its number in `cuda.h`. Attributes of features that the emulator does not have
/// (textures, peers) are 0.
fn attribute(whole: &Machine, attribute: i32) -> Option<i32> {
    let machine = whole.description();
    if !(1..=LAST_ATTRIBUTE).contains(&attribute) {
        return None;
    }
    let number = match attribute {
        1 => machine.max_threads_per_block,
        2 => machine.max_block[0],
        3 => machine.max_block[1],
        4 => machine.max_block[2],
        5 => machine.max_grid[0],
        6 => machine.max_grid[1],
        7 => machine.max_grid[2],
        8 => machine.shared_per_block,
        9 => machine.constant_bytes,
        10 => 32,
        // Largest pitch of copies in bytes: no limit but the interface's.
        11 => i32::MAX as u32,
        12 => machine.registers_per_block,
        13 => machine.clock_khz,
        16 => machine.multiprocessors,
        // Host memory can be mapped, registered and managed, and has the same address on both sides.
        19 | 83 | 89 | 91 | 99 => 1,
        36 => machine.memory_clock_khz,
        37 => machine.memory_bus_bits,
        38 => machine.l2_bytes,
        39 => machine.max_threads_per_sm,
        // Unified addressing: host and device addresses can be told apart.
        41 => 1,
        75 => machine.sm / 10,
        76 => machine.sm % 10,
        // Stream priorities, which are kept; caching of global and local memory, which has no visible effect.
        78..=80 => 1,
        81 => machine.shared_per_sm,
        82 => machine.registers_per_sm,
        // Ratio of single to double precision throughput of these GPUs.
        87 => 2,
        // Access to pageable memory, through the host's own page tables.
        88 | 100 => u32::from(whole.is_unified()),
        // Virtual memory management.
        102 => 1,
        97 => machine.shared_per_block_optin,
        106 => machine.max_blocks_per_sm,
        111 => machine.shared_reserved_per_block,
        // Memory pools.
        115 => 1,
        _ => 0,
    };
    Some(i32::try_from(number).unwrap_or(i32::MAX))
}
