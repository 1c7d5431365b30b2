//! The memory of runs' records.
//!
//! A small record lies in page-locked memory of the host, which the device accesses at the same address: the host
//! writes the initial values there, the launches combine them with their results, and the host reads these when it
//! has waited for the stream. Copies of a few bytes would take longer than a small reduction. The driver orders the
//! accesses: a launch sees what the host wrote before it, the host sees after a wait what the kernels wrote, and
//! launches on a stream follow each other.
//!
//! Other records lie in device memory, and are copied: larger ones, whose values a kernel would read over the bus in
//! several turns; those of devices that cannot access such memory; and all while the emulator checks launches, which
//! sees copies of the host, but not how the host accesses memory that it shares with the device.
//!
//! Streams keep the memory that no run uses, because allocating and freeing it takes longer than a small reduction.

use std::mem;

use cuda_driver::{DriverKind, settings};
use cust::memory::{CopyDestination, DeviceBuffer, LockedBuffer};

use crate::{
    Error, Stream,
    bytes::{self, Byte, Memory},
    device::{Current, Owned},
    record_memory::{DEVICE_BYTES, RecordMemory, SHARED_BYTES, Shared, pop},
};

/// A record that launches on a stream read and write. Dropping it waits for them, and then returns its memory to the
/// stream.
#[derive(Debug)]
pub(crate) struct RunRecord<'a> {
    stream: &'a Stream,
    memory: Option<RecordMemory>,
    address: u64,
    length: usize,
    /// Operations on the stream may be unfinished that use the record.
    in_use: bool,
}

impl Stream {
    /// A record with these bytes, for launches on this stream.
    pub(crate) fn record(&self, current: &Current, bytes: &[Byte]) -> Result<RunRecord<'_>, Error> {
        let (memory, address) = if bytes.len() <= SHARED_BYTES && shares_host_memory(current) {
            let mut memory = self.shared_record(current)?;
            memory[..bytes.len()].copy_from_slice(bytes);
            let address = memory.as_ptr().expose_provenance() as u64;
            (RecordMemory::Shared(memory), address)
        } else {
            let memory = self.device_record(current, bytes.len())?;
            let doing = || "copying a record to the device".to_owned();
            current.call(doing, || memory.index(..bytes.len()).copy_from(bytes))?;
            let address = memory.as_device_ptr().as_raw();
            (RecordMemory::Device(memory), address)
        };
        Ok(RunRecord { stream: self, memory: Some(memory), address, length: bytes.len(), in_use: false })
    }

    /// Page-locked memory that nobody uses.
    fn shared_record(&self, current: &Current) -> Result<Shared, Error> {
        if let Some(memory) = pop(&self.unused_records().shared) {
            return Ok(memory);
        }
        let doing = || "allocating a record in page-locked memory".to_owned();
        // SAFETY: a `Byte` may be uninitialised.
        Owned::new(current.device(), doing, || unsafe { LockedBuffer::uninitialized(SHARED_BYTES) })
    }

    /// Device memory that nobody uses, of at least so many bytes.
    fn device_record(&self, current: &Current, bytes: usize) -> Result<Memory, Error> {
        if bytes <= DEVICE_BYTES
            && let Some(memory) = pop(&self.unused_records().device)
        {
            return Ok(memory);
        }
        let size = bytes.max(DEVICE_BYTES);
        let doing = || format!("allocating a record of {size} bytes");
        // SAFETY: a `Byte` may be uninitialised.
        Owned::new(current.device(), doing, || unsafe { DeviceBuffer::uninitialized(size) })
    }
}

/// Whether records are to lie in page-locked memory.
fn shares_host_memory(current: &Current) -> bool {
    let device = current.device();
    device.shares_host_memory() && !(device.kind() == DriverKind::Emulator && settings::checks_launches())
}

impl RunRecord<'_> {
    /// Its address, on the device.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Says that operations are enqueued from now on that use the record, or memory that its owner frees after it:
    /// until somebody has waited for the stream, the record is not read, and its memory is not used again.
    pub fn begin_use(&mut self) {
        self.in_use = true;
    }

    /// Waits for the operations that use the record.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`] if any operation on the stream failed.
    pub fn wait(&mut self, current: &Current) -> Result<(), Error> {
        if self.in_use {
            self.stream.wait(current)?;
            self.in_use = false;
        }
        Ok(())
    }

    /// Its values, when the operations that use it have ended: as many as its bytes hold.
    ///
    /// # Safety
    ///
    /// It holds values of type `T`.
    pub unsafe fn read<T: Copy>(&mut self, current: &Current) -> Result<Vec<T>, Error> {
        self.wait(current)?;
        match &self.memory {
            // SAFETY: all bytes are copied; they are those of values by the caller's promise. The device does not
            // write them meanwhile, because it was waited for.
            Some(RecordMemory::Shared(memory)) => unsafe {
                bytes::filled(self.length, |into| {
                    into.copy_from_slice(&memory[..self.length]);
                    Ok(())
                })
            },
            Some(RecordMemory::Device(memory)) => {
                let doing = || "copying a record from the device".to_owned();
                // SAFETY: the caller's promise.
                current.call(doing, || unsafe { bytes::read(&memory.index(..self.length)) })
            }
            None => Ok(Vec::new()),
        }
    }
}

impl Drop for RunRecord<'_> {
    fn drop(&mut self) {
        let is_in_use = mem::take(&mut self.in_use);
        // Errors are returned by those who read the record.
        let has_ended = !is_in_use || self.stream.synchronize().is_ok();
        // After a failure it is not known what the device still does: the driver frees the memory when it can.
        if let Some(memory) = self.memory.take().filter(|_| has_ended) {
            self.stream.unused_records().keep(memory);
        }
    }
}

#[cfg(test)]
mod tests {
    use cuda_driver::Select;

    use super::*;
    use crate::{Device, Module, bytes::bytes_of, module::Bytes};

    fn stream() -> Stream {
        Device::open(Select::Emulator).unwrap().stream().unwrap()
    }

    /// A record of so many equal bytes.
    fn record(stream: &Stream, byte: u8, bytes: usize) -> RunRecord<'_> {
        let current = stream.device().make_current().unwrap();
        stream.record(&current, bytes_of(&vec![byte; bytes])).unwrap()
    }

    fn read(record: &mut RunRecord) -> Vec<u8> {
        let current = record.stream.device().make_current().unwrap();
        // SAFETY: a record holds bytes.
        unsafe { record.read(&current) }.unwrap()
    }

    #[test]
    fn memory_is_reused_but_never_shared() {
        let stream = stream();
        for size in [24, SHARED_BYTES + 24] {
            let (mut first, mut second) = (record(&stream, 1, size), record(&stream, 2, size - 16));
            let address = first.address();
            assert!((size <= SHARED_BYTES) == matches!(first.memory, Some(RecordMemory::Shared(_))));
            assert_ne!(address, second.address());
            assert_eq!(read(&mut first), vec![1; size]);
            drop(first);
            let mut third = record(&stream, 3, size - 8);
            assert_eq!(third.address(), address);
            assert_eq!(read(&mut third), vec![3; size - 8]);
            assert_eq!(read(&mut second), vec![2; size - 16]);
        }
    }

    #[test]
    fn large_records_have_memory_of_their_own() {
        let stream = stream();
        let mut large = record(&stream, 7, DEVICE_BYTES + 1);
        assert_eq!(read(&mut large), vec![7; DEVICE_BYTES + 1]);
        drop(large);
        assert!(pop(&stream.unused_records().device).is_none());
    }

    /// Counts to a number, and adds 1 to a word then.
    const SLOW: &str = ".version 7.0
.target sm_70
.address_size 64
.visible .entry slow(.param .u64 at, .param .u32 turns)
{
    .reg .pred %p;
    .reg .b32 %r<4>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [at];
    ld.param.u32 %r1, [turns];
    mov.u32 %r2, 0;
COUNT:
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p, %r2, %r1;
    @%p bra COUNT;
    ld.global.u32 %r3, [%rd1];
    add.u32 %r3, %r3, 1;
    st.global.u32 [%rd1], %r3;
    ret;
}";

    #[test]
    fn memory_is_not_reused_before_the_device_is_done() {
        const TURNS: u32 = 300_000;
        let stream = stream();
        let module = Module::from_ptx(stream.device(), SLOW).unwrap();
        let launch = |record: &mut RunRecord| {
            record.begin_use();
            let values = [Bytes::of(record.address()), Bytes::of(TURNS)];
            let current = stream.device().make_current().unwrap();
            // SAFETY: the kernel takes an address and a 32-bit number, and the record has a word.
            unsafe { module.kernel("slow").unwrap().enqueue(&current, &stream, (1, 1).into(), &values) }
                .unwrap();
        };
        for size in [4, SHARED_BYTES + 4] {
            let mut first = record(&stream, 1, size);
            let address = first.address();
            launch(&mut first);
            launch(&mut first);
            // Not read, and not waited for: dropping it does that.
            drop(first);
            let mut second = record(&stream, 8, size);
            assert_eq!(second.address(), address);
            assert_eq!(read(&mut second), vec![8; size]);
            launch(&mut second);
            let sum = u32::from_le_bytes([8; 4]) + 1;
            assert_eq!(read(&mut second)[..4], sum.to_le_bytes());
        }
    }
}
