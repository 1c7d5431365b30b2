//! What the driver's handles and addresses stand for: contexts, modules, functions, streams, events and
//! memory.

use std::{
    collections::{BTreeMap, HashMap},
    ffi::CString,
    time::Instant,
};

use ptx_emulator::{LoadedModule, UnmappedMemory};

use super::{
    abi::Handle,
    flags::{AccessFlags, ContextFlags, EventFlags, HostFlags, StreamFlags},
    scheduler::Ticket,
};
use crate::{Status, host_site::HostCalls};

/// The number of a device, `CUdevice`, which is one of the devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ordinal(pub(super) usize);

impl Ordinal {
    /// As the interface has it.
    pub fn number(self) -> i32 {
        self.0 as i32
    }
}

/// A device's primary context, which everybody shares.
#[derive(Default)]
pub(crate) struct Primary {
    pub context: Option<Handle>,
    pub retained: u32,
    pub flags: ContextFlags,
}

#[derive(Default)]
pub(crate) struct Context {
    pub device: Ordinal,
    pub flags: ContextFlags,
    pub primary: bool,
    /// The failure of a kernel; afterwards the context can only be destroyed.
    pub fault: Option<Status>,
    /// Limits that were set, by `CUlimit`.
    pub limits: HashMap<u32, usize>,
    pub cache_config: u32,
    pub shared_config: u32,
    /// The default streams of threads, by the number of the thread.
    pub thread_streams: HashMap<u64, Handle>,
}

pub(crate) struct Module {
    pub context: Handle,
    pub loaded: LoadedModule,
    /// Handles that were given out, by kernel name.
    pub functions: HashMap<String, Handle>,
    /// Kernels that the image has only as machine code.
    pub without_ptx: Vec<String>,
}

pub(crate) struct Function {
    pub module: Handle,
    pub kernel: String,
    /// Dynamic shared memory allowed, if `cuFuncSetAttribute` raised it.
    pub dynamic_shared: Option<u32>,
    /// The preferred carveout, which is kept and has no effect.
    pub carveout: i32,
    /// The kernel's name, for callers.
    pub name: CString,
}

/// Images that a program links while it runs.
pub(crate) struct Link {
    /// The architecture of the result, 90 for 9.0.
    pub sm: u32,
    /// Where the program wants messages.
    pub errors: Option<LogBuffer>,
    /// PTX texts, each with the name of its input.
    pub units: Vec<(String, String)>,
    /// The linked image.
    pub output: Option<Box<[u8]>>,
}

/// A buffer of a program for messages: addresses of its text and of the size in it, and its capacity.
#[derive(Clone, Copy)]
pub(crate) struct LogBuffer {
    pub text: u64,
    pub capacity: usize,
    pub written: usize,
}

pub(crate) struct Stream {
    pub context: Handle,
    pub flags: StreamFlags,
    pub priority: i32,
    /// The program has destroyed it; it ends with its operations.
    pub destroyed: bool,
    /// Its number among all streams that were ever created, from 1.
    pub number: u64,
}

pub(crate) struct Event {
    pub context: Handle,
    pub flags: EventFlags,
    /// The operation that records it; 0 if none ever did.
    pub ticket: Ticket,
    /// When it was recorded.
    pub time: Option<Instant>,
}

/// Memory of the device.
pub(crate) struct DeviceMemory {
    pub context: Handle,
    pub bytes: u64,
    /// Where the program allocated it, if leaks are reported.
    pub calls: Option<HostCalls>,
    /// The pool that a stream-ordered allocation came from.
    pub pool: Option<Handle>,
}

/// Memory whose addresses the program manages.
#[derive(Default)]
pub(crate) struct VirtualMemory {
    /// Bytes that are reserved, by their first address.
    pub reserved: BTreeMap<u64, u64>,
    pub physical: HashMap<Handle, Physical>,
    /// By their first address.
    pub mappings: BTreeMap<u64, Mapping>,
}

/// Memory that is mapped at addresses, or not.
pub(crate) struct Physical {
    pub device: Ordinal,
    pub memory: UnmappedMemory,
    /// What the program wanted of it, which has no effect.
    pub flags: [u8; 8],
    /// How many handles the program has.
    pub references: u32,
    pub mappings: u32,
}

/// Where memory has an address.
pub(crate) struct Mapping {
    pub bytes: u64,
    pub handle: Handle,
    pub offset: u64,
    /// `CUmemAccess_flags` of the device.
    pub access: AccessFlags,
}

impl VirtualMemory {
    /// The device whose memory is mapped at an address.
    pub fn device_at(&self, address: u64) -> Option<Ordinal> {
        let (_, mapping) = self.mapping_of(address)?;
        self.physical.get(&mapping.handle).map(|physical| physical.device)
    }

    /// The mapping that an address is in, and where it starts.
    pub fn mapping_of(&self, address: u64) -> Option<(u64, &Mapping)> {
        let (start, mapping) = self.mappings.range(..=address).next_back()?;
        (address - start < mapping.bytes).then_some((*start, mapping))
    }

    /// Whether something is mapped in a range.
    pub fn overlaps(&self, address: u64, bytes: u64) -> bool {
        self.mapping_of(address).is_some() || self.mappings.range(address..address + bytes).next().is_some()
    }

    /// Where the mappings start that a range is made of, without gaps.
    pub fn covered(&self, address: u64, bytes: u64) -> Result<Vec<u64>, Status> {
        let end = address.checked_add(bytes).ok_or(Status::INVALID_VALUE)?;
        let (mut at, mut starts) = (address, Vec::new());
        while at < end {
            starts.push(at);
            at += self.mappings.get(&at).ok_or(Status::INVALID_VALUE)?.bytes;
        }
        if at == end && bytes > 0 { Ok(starts) } else { Err(Status::INVALID_VALUE) }
    }
}

/// A memory pool: settings that have no effect, and a count.
pub(crate) struct Pool {
    pub device: Ordinal,
    pub reuse: [u32; 3],
    pub release_threshold: u64,
    /// Bytes that were in use at most.
    pub most_used: u64,
}

/// How memory of the host came to be shared with the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostMemoryKind {
    Pinned,
    Registered,
    Managed,
    /// A managed variable of a module, which ends with the module.
    Variable,
}

/// Memory of the host that every device reaches at the same address.
pub(crate) struct HostMemory {
    pub kind: HostMemoryKind,
    pub bytes: usize,
    pub context: Handle,
    pub flags: HostFlags,
    /// Where the program allocated it, if leaks are reported.
    pub calls: Option<HostCalls>,
}

impl HostMemoryKind {
    /// Whether CUDA calls it managed memory.
    pub fn is_managed(self) -> bool {
        matches!(self, HostMemoryKind::Managed | HostMemoryKind::Variable)
    }
}

impl HostMemory {
    pub fn is_read_only(&self) -> bool {
        self.kind == HostMemoryKind::Registered && self.flags.contains(HostFlags::READ_ONLY)
    }
}
