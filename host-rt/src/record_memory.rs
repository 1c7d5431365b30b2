//! Memory for the records of runs, and what of it no run uses.

use std::sync::{Mutex, PoisonError};

use codegen_shim::MAX_RECORD_BYTES;
use cust::memory::LockedBuffer;

use crate::{
    bytes::{Byte, Memory},
    device::Owned,
};

/// Bytes of a record in page-locked memory, at most: 64 variables of 8 bytes, which ptxas has a kernel read at once,
/// before the first result is stored.
pub(crate) const SHARED_BYTES: usize = 512;

/// Bytes of device memory for a record: the same size for all lists, so that it can be reused. A larger value, which a
/// typed reduction may have, gets separate memory.
pub(crate) const DEVICE_BYTES: usize = MAX_RECORD_BYTES as usize;

/// Memory for records that no run uses.
#[derive(Debug, Default)]
pub(crate) struct UnusedRecords {
    pub shared: Mutex<Vec<Shared>>,
    pub device: Mutex<Vec<Memory>>,
}

/// Page-locked memory of the host.
pub(crate) type Shared = Owned<LockedBuffer<Byte>>;

/// The memory of a record.
#[derive(Debug)]
pub(crate) enum RecordMemory {
    Shared(Shared),
    Device(Memory),
}

/// Takes memory from a list.
pub(crate) fn pop<T>(unused: &Mutex<Vec<T>>) -> Option<T> {
    // A panic leaves a list that is complete.
    unused.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

/// Puts memory into a list.
fn push<T>(unused: &Mutex<Vec<T>>, memory: T) {
    unused.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
}

impl UnusedRecords {
    /// Keeps memory that the device has no operations for any more.
    pub fn keep(&self, memory: RecordMemory) {
        match memory {
            RecordMemory::Shared(memory) => push(&self.shared, memory),
            RecordMemory::Device(memory) if memory.len() == DEVICE_BYTES => push(&self.device, memory),
            RecordMemory::Device(_) => {}
        }
    }
}
