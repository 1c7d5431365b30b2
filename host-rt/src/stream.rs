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

/// Bytes of the header of a workspace: the device runtime's control words.
const HEADER_BYTES: usize = WORKSPACE_HEADER_BYTES;

/// A CUDA stream: operations on it are executed in order. Any thread may use it.
///
/// It owns the workspace of the reductions that run on it. Launches on one stream follow each other, so they
/// can share a workspace; launches on two streams may overlap, so they never do.
#[derive(Debug)]
pub struct Stream {
    // Declared before the stream, so dropped before it: freeing memory waits for operations that use it.
    workspace: Mutex<Option<WorkspaceMemory>>,
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

    /// The device.
    pub fn device(&self) -> &Device {
        self.stream.device()
    }

    pub(crate) fn cuda(&self) -> &CudaStream {
        &self.stream
    }

    /// Locks the workspace, with at least so many words of `counters` and records. Launches that use it are enqueued
    /// while it is locked.
    pub(crate) fn workspace(
        &self,
        counters: u32,
        records: u32,
        record_bytes: u32,
    ) -> Result<Workspace<'_>, Error> {
        // After a panic between two launches the workspace is still usable: only kernels change its control
        // words.
        let mut workspace = self.workspace.lock().unwrap_or_else(PoisonError::into_inner);
        let control = HEADER_BYTES + (counters as usize * size_of::<u32>()).next_multiple_of(HEADER_BYTES);
        let bytes = records as usize * record_bytes as usize;
        let [has_control, has_bytes] =
            workspace.as_ref().map_or([0, 0], |held| [held.control, held.memory.len() - held.control]);
        if has_control < control || has_bytes < bytes {
            *workspace = None;
            *workspace = Some(self.new_workspace(has_control.max(control), has_bytes.max(bytes))?);
        }
        Ok(Workspace(workspace))
    }

    /// Memory for records that no run uses.
    pub(crate) fn unused_records(&self) -> &UnusedRecords {
        &self.records
    }

    /// So many bytes of control words, and then of records.
    fn new_workspace(&self, control: usize, records: usize) -> Result<WorkspaceMemory, Error> {
        let bytes = control + records;
        let doing = || format!("allocating a workspace of {bytes} bytes");
        let memory = Owned::new(self.device(), doing, || {
            // SAFETY: kernels read a record only after it was written; the control words are zeroed here.
            let workspace = unsafe { DeviceBuffer::<u8>::uninitialized(bytes)? };
            let mut words = workspace.index(..control);
            // SAFETY: the buffer outlives the fill, because freeing it waits for the device. The launches
            // that read the words follow on the same stream.
            unsafe { words.set_8_async(0, &self.stream)? };
            Ok(workspace)
        })?;
        Ok(WorkspaceMemory { memory, control })
    }
}

/// The memory of a workspace: words that count the deliveries of chunks, the header of the device runtime's reductions,
/// and records.
#[derive(Debug)]
struct WorkspaceMemory {
    memory: Owned<DeviceBuffer<u8>>,
    /// Bytes before the records: zero before and after each launch.
    control: usize,
}

/// A stream's workspace, locked while launches that use it are enqueued.
pub(crate) struct Workspace<'a>(MutexGuard<'a, Option<WorkspaceMemory>>);

impl Workspace<'_> {
    fn at(&self, offset: impl Fn(&WorkspaceMemory) -> usize) -> u64 {
        let address = |held: &WorkspaceMemory| held.memory.as_device_ptr().as_raw() + offset(held) as u64;
        self.0.as_ref().map_or(0, address)
    }

    /// The device address of the words that count chunks.
    pub fn counters(&self) -> u64 {
        self.at(|_| 0)
    }

    /// The device address of the header, which the records follow.
    pub fn address(&self) -> u64 {
        self.at(|held| held.control - HEADER_BYTES)
    }

    /// The device address of the records.
    pub fn records(&self) -> u64 {
        self.at(|held| held.control)
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
        let workspace =
            |stream: &Stream, records, bytes| stream.workspace(0, records, bytes).unwrap().address();
        let small = workspace(&one, 10, 8);
        assert_eq!([workspace(&one, 10, 8), workspace(&one, 1, 80)], [small; 2]);
        assert_ne!(workspace(&other, 10, 8), small);

        let grown = one.workspace(33, 1000, 24).unwrap();
        assert_eq!([grown.address(), grown.records()].map(|at| at - grown.counters()), [256, 256 + 128]);
        drop(grown);
        let kept = one.workspace(1, 1, 1).unwrap();
        let held = kept.0.as_ref().unwrap();
        assert_eq!((held.memory.len(), held.control), (384 + 24_000, 384));
        let mut control = [1u8; 384];
        held.memory.index(..384).copy_to(&mut control).unwrap();
        assert_eq!(control, [0; 384]);
    }
}
