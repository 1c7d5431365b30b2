//! Streams, each with its own workspace.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cust::{
    memory::DeviceBuffer,
    stream::{Stream as CudaStream, StreamFlags},
};
use device_rt::abi::layout::WORKSPACE_HEADER_BYTES;

use crate::{
    Device, Error,
    device::{Current, Owned},
    record_memory::UnusedRecords,
};

/// Bytes of a workspace before its slots: the device runtime's control words.
const HEADER_BYTES: usize = WORKSPACE_HEADER_BYTES;

/// A CUDA stream: operations on it are executed in order. Any thread may use it.
///
/// It owns the workspace of the reductions that run on it. Launches on one stream follow each other, so they
/// can share a workspace; launches on two streams may overlap, so they never do.
#[derive(Debug)]
pub struct Stream {
    // Declared before the stream, so dropped before it: freeing memory waits for operations that use it.
    workspace: Mutex<Option<Owned<DeviceBuffer<u8>>>>,
    records: UnusedRecords,
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
        Ok(Stream { workspace: Mutex::new(None), records: UnusedRecords::default(), stream })
    }

    /// Waits until all operations enqueued on the stream have ended.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`] if any of it failed.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.wait(&self.device().make_current()?)
    }

    /// As [`Stream::synchronize`].
    pub(crate) fn wait(&self, current: &Current) -> Result<(), Error> {
        current.call(|| "waiting for a stream".to_owned(), || self.stream.synchronize())
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

    /// Memory for records that no run uses.
    pub(crate) fn unused_records(&self) -> &UnusedRecords {
        &self.records
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

#[cfg(test)]
mod tests {
    use cuda_driver::Select;
    use cust::memory::CopyDestination;

    use super::*;

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
}
