//! Streams, each with a workspace of its own.

use std::sync::{Mutex, MutexGuard, PoisonError};

use codegen_shim::MAX_RECORD_BYTES;
use cust::{
    memory::{CopyDestination, DeviceBuffer},
    stream::{Stream as CudaStream, StreamFlags},
};
use device_rt::abi::layout::WORKSPACE_HEADER_BYTES;

use crate::{
    Device, Error,
    bytes::{self, Byte, Memory},
    device::Owned,
};

/// Bytes of a workspace before its records: the count of finished teams, and room for what else may be needed.
const HEADER_BYTES: usize = WORKSPACE_HEADER_BYTES;

/// Bytes of the device memory that a run keeps its record in: one size that every list's record fits. A larger
/// one, such as a value of a typed reduction may need, has memory of its own.
const RECORD_BYTES: usize = MAX_RECORD_BYTES as usize;

/// An order of work on a device. Any thread may use it.
///
/// It owns the workspace of the reductions that run on it: launches on one stream follow each other, so they
/// can share it, while launches on two streams may overlap and never do. It also keeps the memory of records
/// that no run uses, because making and freeing device memory costs more than a small reduction.
#[derive(Debug)]
pub struct Stream {
    // Declared before the stream: freeing device memory waits for the work that uses it.
    workspace: Mutex<Option<Owned<DeviceBuffer<u8>>>>,
    records: Mutex<Vec<Memory>>,
    stream: Owned<CudaStream>,
}

impl Device {
    /// A new stream: work on it is done in order.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`].
    pub fn stream(&self) -> Result<Stream, Error> {
        Stream::new(self)
    }
}

impl Stream {
    pub(crate) fn new(device: &Device) -> Result<Stream, Error> {
        // Ordered with the default stream, where plain copies to and from the device are done.
        let make = || CudaStream::new(StreamFlags::DEFAULT, None);
        let stream = Owned::new(device, || "making a stream".to_owned(), make)?;
        Ok(Stream { workspace: Mutex::new(None), records: Mutex::new(Vec::new()), stream })
    }

    /// Waits until all work given to the stream is done.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`] if any of it failed.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.device().call(|| "waiting for a stream".to_owned(), || self.stream.synchronize())
    }

    pub(crate) fn device(&self) -> &Device {
        self.stream.device()
    }

    pub(crate) fn cuda(&self) -> &CudaStream {
        &self.stream
    }

    /// The workspace, with room for `slots` records. Launches that use it are enqueued while it is held.
    pub(crate) fn workspace(&self, slots: u32, record_bytes: u32) -> Result<Workspace<'_>, Error> {
        // A panic between two launches leaves a workspace that the next launch can use: its count of teams is
        // only touched by kernels.
        let mut held = self.workspace.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = HEADER_BYTES + slots as usize * record_bytes as usize;
        if held.as_ref().is_none_or(|workspace| workspace.len() < bytes) {
            *held = None;
            *held = Some(self.new_workspace(bytes)?);
        }
        Ok(Workspace(held))
    }

    /// Device memory with these bytes of a record.
    pub(crate) fn record(&self, bytes: &[Byte]) -> Result<DeviceRecord<'_>, Error> {
        let room = bytes.len().max(RECORD_BYTES);
        let free = match room {
            RECORD_BYTES => self.records.lock().unwrap_or_else(PoisonError::into_inner).pop(),
            _ => None,
        };
        let memory = match free {
            Some(memory) => memory,
            None => {
                // SAFETY: what is read of it was written before.
                let make = || unsafe { DeviceBuffer::uninitialized(room) };
                Owned::new(self.device(), || "making a record".to_owned(), make)?
            }
        };
        let doing = || "copying a record to the device".to_owned();
        self.device().call(doing, || memory.index(..bytes.len()).copy_from(bytes))?;
        Ok(DeviceRecord { stream: self, memory: Some(memory), length: bytes.len() })
    }

    fn new_workspace(&self, bytes: usize) -> Result<Owned<DeviceBuffer<u8>>, Error> {
        let doing = || format!("making a workspace of {bytes} bytes");
        Owned::new(self.device(), doing, || {
            // SAFETY: kernels read a record only after having written it; the header is zeroed here.
            let workspace = unsafe { DeviceBuffer::<u8>::uninitialized(bytes)? };
            let mut header = workspace.index(..HEADER_BYTES);
            // SAFETY: the buffer outlives the fill: it is freed by a call that waits for the device. The
            // launches that read the header follow on the same stream.
            unsafe { header.set_8_async(0, &self.stream)? };
            Ok(workspace)
        })
    }
}

/// A stream's workspace, held while launches that use it are enqueued.
pub(crate) struct Workspace<'a>(MutexGuard<'a, Option<Owned<DeviceBuffer<u8>>>>);

impl Workspace<'_> {
    /// Its device address.
    pub fn address(&self) -> u64 {
        self.0.as_ref().map_or(0, |workspace| workspace.as_device_ptr().as_raw())
    }
}

/// A record on the device. Its memory goes back to the stream; work that uses it is done before.
#[derive(Debug)]
pub(crate) struct DeviceRecord<'a> {
    stream: &'a Stream,
    memory: Option<Memory>,
    length: usize,
}

impl DeviceRecord<'_> {
    /// Its device address.
    pub fn address(&self) -> u64 {
        self.memory.as_ref().map_or(0, |memory| memory.as_device_ptr().as_raw())
    }

    /// What it holds, after the work that was enqueued before: as many values as there is room for.
    ///
    /// # Safety
    ///
    /// It holds values of the type.
    pub unsafe fn read<T: Copy>(&self) -> Result<Vec<T>, Error> {
        let Some(memory) = &self.memory else { return Ok(Vec::new()) };
        let doing = || "copying a record from the device".to_owned();
        // SAFETY: the caller's promise.
        self.stream.device().call(doing, || unsafe { bytes::read(&memory.index(..self.length)) })
    }
}

impl Drop for DeviceRecord<'_> {
    fn drop(&mut self) {
        let usual = self.memory.take().filter(|memory| memory.len() == RECORD_BYTES);
        self.stream.records.lock().unwrap_or_else(PoisonError::into_inner).extend(usual);
    }
}

#[cfg(test)]
mod tests {
    use cuda_driver::Select;

    use super::*;
    use crate::bytes::bytes_of;

    #[test]
    fn workspaces_grow_and_are_each_stream_s_own() {
        let device = Device::open(Select::Emulator).unwrap();
        let (one, other) = (device.stream().unwrap(), device.stream().unwrap());
        let small = one.workspace(10, 8).unwrap().address();
        assert_eq!(one.workspace(10, 8).unwrap().address(), small);
        assert_eq!(one.workspace(1, 80).unwrap().address(), small);
        assert_ne!(other.workspace(10, 8).unwrap().address(), small);

        let grown = one.workspace(1000, 24).unwrap();
        let memory = grown.0.as_ref().unwrap();
        assert_eq!(memory.len(), HEADER_BYTES + 24_000);
        let mut header = [1u8; HEADER_BYTES];
        memory.index(..HEADER_BYTES).copy_to(&mut header).unwrap();
        assert_eq!(header, [0; HEADER_BYTES]);
    }

    #[test]
    fn records_are_used_again_but_never_by_two() {
        let device = Device::open(Select::Emulator).unwrap();
        let stream = device.stream().unwrap();
        // SAFETY: a record holds bytes.
        let bytes = |record: &DeviceRecord| unsafe { record.read::<u8>() }.unwrap();
        let first = stream.record(bytes_of(&[1u8; 24])).unwrap();
        let second = stream.record(bytes_of(&[2u8; 8])).unwrap();
        assert_ne!(first.address(), second.address());
        assert_eq!((bytes(&first), bytes(&second)), (vec![1; 24], vec![2; 8]));
        let address = first.address();
        drop(first);
        let third = stream.record(bytes_of(&[3u8; 16])).unwrap();
        assert_eq!(third.address(), address);
        assert_eq!((bytes(&third), bytes(&second)), (vec![3; 16], vec![2; 8]));
    }
}
