//! Initialisation, and the devices and their attributes.

use ptx_emulator::{Machine, MachineDescription};

use super::{
    abi::{Out, Text, entry_points},
    objects::Ordinal,
    state::{self, with},
};
use crate::Status;

/// The PCI address that a device reports.
fn pci_bus_id(device: Ordinal) -> String {
    format!("0000:{:02x}:00.0", device.number())
}

/// A UUID that no real device has, and no other emulated one of this process.
fn uuid(device: Ordinal) -> [u8; 16] {
    let mut uuid = *b"warpfoldemulator";
    uuid[15] = uuid[15].wrapping_add(device.number() as u8);
    uuid
}

fn describe<T>(device: i32, of: impl FnOnce(&MachineDescription) -> T) -> Result<T, Status> {
    with(|state| Ok(of(state.devices.get(state.devices.find(device)?).machine.description())))
}

entry_points! {
    fn cuInit(flags: u32) {
        if flags != 0 {
            return Err(Status::INVALID_VALUE);
        }
        state::initialise().map_err(|_| Status::INVALID_VALUE)
    }

    fn cuDeviceGetCount(count: Out<i32>) {
        with(|state| count.set(state.devices.count() as i32))
    }

    fn cuDeviceGet(device: Out<i32>, ordinal: i32) {
        with(|state| device.set(state.devices.find(ordinal)?.number()))
    }

    fn cuDeviceGetName(name: Out<u8>, capacity: i32, device: i32) {
        name.set_text(&describe(device, |machine| machine.name.clone())?, capacity)
    }

    fn cuDeviceGetUuid(uuid: Out<[u8; 16]>, device: i32) {
        with(|state| uuid.set(self::uuid(state.devices.find(device)?)))
    }

    fn cuDeviceGetUuid_v2(uuid: Out<[u8; 16]>, device: i32) {
        with(|state| uuid.set(self::uuid(state.devices.find(device)?)))
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
        with(|state| {
            let machine = &state.devices.get(state.devices.find(device)?).machine;
            value.set(self::attribute(machine, attribute).ok_or(Status::INVALID_VALUE)?)
        })
    }

    fn cuDeviceGetPCIBusId(text: Out<u8>, capacity: i32, device: i32) {
        with(|state| text.set_text(&pci_bus_id(state.devices.find(device)?), capacity))
    }

    fn cuDeviceGetByPCIBusId(device: Out<i32>, text: Text) {
        let text = text.text()?;
        with(|state| {
            let known = state.devices.ordinals().find(|&device| pci_bus_id(device) == text);
            device.set(known.ok_or(Status::INVALID_DEVICE)?.number())
        })
    }

    fn cuDeviceGetP2PAttribute(value: Out<i32>, attribute: i32, source: i32, target: i32) {
        with(|state| {
            // A device is not its own peer.
            if state.devices.find(source)? == state.devices.find(target)? {
                return Err(Status::INVALID_DEVICE);
            }
            // Rank of the link's speed, access, atomics, access of arrays, parts of atomics: no device accesses another's
            // memory.
            if (1..=5).contains(&attribute) { value.set(0) } else { Err(Status::INVALID_VALUE) }
        })
    }

    fn cuDeviceCanAccessPeer(can: Out<i32>, device: i32, peer: i32) {
        with(|state| {
            state.devices.find(device)?;
            state.devices.find(peer)?;
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
        // Cooperative launches.
        95 => 1,
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
