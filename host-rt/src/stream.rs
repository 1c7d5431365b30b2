//! Streams, each with its own workspace.

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

/// Bytes of a workspace before its slots: the device runtime's control words.
const HEADER_BYTES: usize = WORKSPACE_HEADER_BYTES;

/// Bytes of the device memory for a run's record: the same size for all lists, so that it can be reused. A
/// larger value, which a typed reduction may have, gets separate memory.
const RECORD_BYTES: usize = MAX_RECORD_BYTES as usize;

/// A CUDA stream: operations on it are executed in order. Any thread may use it.
///
/// It owns the workspace of the reductions that run on it. Launches on one stream follow each other, so they
/// can share a workspace; launches on two streams may overlap, so they never do. The stream also keeps the
/// memory of records that no run uses, because allocating and freeing device memory takes longer than a small
/// reduction.
#[derive(Debug)]
pub struct Stream {
    // Declared before the stream, so dropped before it: freeing device memory waits for operations that use
    // it.
    workspace: Mutex<Option<Owned<DeviceBuffer<u8>>>>,
    records: Mutex<Vec<Memory>>,
    stream: Owned<CudaStream>,
}

impl Device {
    /// Creates a stream.
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
        // A blocking stream: ordered with the default stream, on which synchronous copies are executed.
        let make = || CudaStream::new(StreamFlags::DEFAULT, None);
        let stream = Owned::new(device, || "creating a stream".to_owned(), make)?;
        Ok(Stream { workspace: Mutex::new(None), records: Mutex::new(Vec::new()), stream })
    }

    /// Waits until all operations enqueued on the stream have ended.
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

    /// Locks the workspace, with at least `slots` slots. Launches that use it are enqueued while it is
    /// locked.
    pub(crate) fn workspace(&self, slots: u32, record_bytes: u32) -> Result<Workspace<'_>, Error> {
        // After a panic between two launches the workspace is still usable: only kernels change its control
        // words.
        let mut workspace = self.workspace.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = HEADER_BYTES + slots as usize * record_bytes as usize;
        if workspace.as_ref().is_none_or(|memory| memory.len() < bytes) {
            *workspace = None;
            *workspace = Some(self.new_workspace(bytes)?);
        }
        Ok(Workspace(workspace))
    }

    /// Copies the bytes of a record to device memory.
    pub(crate) fn record(&self, bytes: &[Byte]) -> Result<DeviceRecord<'_>, Error> {
        let size = bytes.len().max(RECORD_BYTES);
        let unused = match size {
            RECORD_BYTES => self.records.lock().unwrap_or_else(PoisonError::into_inner).pop(),
            _ => None,
        };
        let memory = match unused {
            Some(memory) => memory,
            None => {
                // SAFETY: only bytes that were written before are read.
                let make = || unsafe { DeviceBuffer::uninitialized(size) };
                Owned::new(self.device(), || "allocating a record".to_owned(), make)?
            }
        };
        let doing = || "copying a record to the device".to_owned();
        self.device().call(doing, || memory.index(..bytes.len()).copy_from(bytes))?;
        Ok(DeviceRecord { stream: self, memory: Some(memory), length: bytes.len() })
    }

    fn new_workspace(&self, bytes: usize) -> Result<Owned<DeviceBuffer<u8>>, Error> {
        let doing = || format!("allocating a workspace of {bytes} bytes");
        Owned::new(self.device(), doing, || {
            // SAFETY: kernels read a slot only after a block has written it; the header is zeroed here.
            let workspace = unsafe { DeviceBuffer::<u8>::uninitialized(bytes)? };
            let mut header = workspace.index(..HEADER_BYTES);
            // SAFETY: the buffer outlives the fill, because freeing it waits for the device. The launches
            // that read the header follow on the same stream.
            unsafe { header.set_8_async(0, &self.stream)? };
            Ok(workspace)
        })
    }
}

/// A stream's workspace, locked while launches that use it are enqueued.
pub(crate) struct Workspace<'a>(MutexGuard<'a, Option<Owned<DeviceBuffer<u8>>>>);

impl Workspace<'_> {
    /// Its device address.
    pub fn address(&self) -> u64 {
        self.0.as_ref().map_or(0, |workspace| workspace.as_device_ptr().as_raw())
    }
}

/// A record in device memory. Dropping it returns the memory to the stream, after the operations that use it
/// have ended.
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

    /// Copies its values to the host, after the operations enqueued before: as many as its bytes hold.
    ///
    /// # Safety
    ///
    /// It holds values of type `T`.
    pub unsafe fn read<T: Copy>(&self) -> Result<Vec<T>, Error> {
        let Some(memory) = &self.memory else { return Ok(Vec::new()) };
        let doing = || "copying a record from the device".to_owned();
        // SAFETY: the caller's promise.
        self.stream.device().call(doing, || unsafe { bytes::read(&memory.index(..self.length)) })
    }
}

impl Drop for DeviceRecord<'_> {
    fn drop(&mut self) {
        let reusable = self.memory.take().filter(|memory| memory.len() == RECORD_BYTES);
        self.stream.records.lock().unwrap_or_else(PoisonError::into_inner).extend(reusable);
    }
}

#[cfg(test)]
mod tests {
    use cuda_driver::Select;

    use super::*;
    use crate::bytes::bytes_of;

    #[test]
    fn each_stream_has_a_workspace_that_grows() {
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
    fn record_memory_is_reused_but_never_shared() {
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
