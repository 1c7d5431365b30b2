//! Initialisation, and the one device and its attributes.

use ptx_emulator::{Machine, MachineDescription};

use super::{
    abi::{Out, Outcome, Text, entry_points},
    state::{self, with},
};
use crate::Status;

/// The only device.
pub(super) const DEVICE: i32 = 0;

/// Where the device claims to sit.
const PCI_BUS_ID: &str = "0000:00:00.0";

/// A UUID that no real device has: it spells what this is.
const UUID: [u8; 16] = *b"warpfoldemulator";

/// Refuses devices that are not there.
pub(super) fn check_device(device: i32) -> Outcome {
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

    fn cuDeviceGetName(name: Out<u8>, room: i32, device: i32) {
        name.set_text(&describe(device, |machine| machine.name.clone())?, room)
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

    fn cuDeviceGetPCIBusId(text: Out<u8>, room: i32, device: i32) {
        describe(device, |_| text.set_text(PCI_BUS_ID, room))?
    }

    fn cuDeviceGetByPCIBusId(device: Out<i32>, text: Text) {
        with(|_| if text.text()? == PCI_BUS_ID { device.set(DEVICE) } else { Err(Status::INVALID_DEVICE) })
    }

    fn cuDeviceGetP2PAttribute(_value: Out<i32>, _attribute: i32, source: i32, target: i32) {
        with(|_| {
            check_device(source)?;
            check_device(target)?;
            // A device and itself are no peers.
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

/// The last `CUdevice_attribute` that is answered at all.
const LAST_ATTRIBUTE: i32 = 148;

/// A device attribute by its number in `cuda.h`. Attributes of things that the emulator does not have (textures,
/// peers) are 0.
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
        // Pitch of copies in bytes: any that the interface can express.
        11 => i32::MAX as u32,
        12 => machine.registers_per_block,
        13 => machine.clock_khz,
        16 => machine.multiprocessors,
        // Host memory can be mapped, registered and managed, at the same address on both sides.
        19 | 83 | 89 | 91 | 99 => 1,
        36 => machine.memory_clock_khz,
        37 => machine.memory_bus_bits,
        38 => machine.l2_bytes,
        39 => machine.max_threads_per_sm,
        // Unified addressing: host and device addresses can be told apart.
        41 => 1,
        75 => machine.sm / 10,
        76 => machine.sm % 10,
        // Stream priorities are kept; caching of global and local memory changes nothing observable.
        78..=80 => 1,
        81 => machine.shared_per_sm,
        82 => machine.registers_per_sm,
        // A ratio of single to double precision rate, as of these machines.
        87 => 2,
        // Pageable memory, by the host's own page tables.
        88 | 100 => u32::from(whole.is_unified()),
        97 => machine.shared_per_block_optin,
        106 => machine.max_blocks_per_sm,
        111 => machine.shared_reserved_per_block,
        // Memory pools.
        115 => 1,
        _ => 0,
    };
    Some(i32::try_from(number).unwrap_or(i32::MAX))
}
