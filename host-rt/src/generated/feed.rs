//! Reductions of input that the host provides in pieces.

use codegen_shim::Type;
use cust::{
    event::{Event, EventFlags},
    memory::{AsyncCopyDestination, DeviceBuffer, LockedBuffer},
};

use device_rt::reduce::canonical::CHUNK;

use super::partial::PartialRecord;
use super::reduction::{GeneratedReduction, Run};
use crate::{Array, Error, Record, Stream, device::Owned};

/// The number of pieces: one is filled while the device reduces the other.
const PIECES: usize = 2;

/// A reduction of an array that the host provides piece by piece. Pieces are combined in the order in which
/// they are submitted. For given piece sizes and shapes of the launches the result is deterministic; with
/// other sizes a floating-point sum may be rounded differently, but not
/// [in the canonical order](codegen_shim::KernelSpec::in_canonical_order), in which only the last piece may be a part of
/// one.
///
/// ```no_run
/// # fn main() -> Result<(), host_rt::Error> {
/// # let (reduction, stream, record): (host_rt::GeneratedReduction, host_rt::Stream, host_rt::Record) = todo!();
/// # fn read(_: &mut [u8]) -> usize { 0 }
/// let mut feed = reduction.feed(&stream, &record, 8 << 20)?;
/// loop {
///     let bytes = read(feed.piece()?);
///     if bytes == 0 {
///         break;
///     }
///     feed.submit(bytes)?;
/// }
/// let record = feed.finish()?;
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Feed<'a> {
    // Declared first, so dropped first: it waits for the device before the pieces are freed.
    run: Run<'a>,
    stream: &'a Stream,
    ty: Type,
    pieces: [Piece; PIECES],
    /// The piece to fill next.
    next: usize,
}

#[derive(Debug)]
struct Piece {
    /// Pinned, so that the copy to the device is asynchronous.
    host: Owned<LockedBuffer<u8>>,
    device: Owned<DeviceBuffer<u8>>,
    /// Recorded after the copy and the launch for the piece.
    done: Owned<Event>,
    submitted: bool,
}

impl GeneratedReduction {
    /// Starts a reduction of one array that the host provides in pieces of at most `piece_bytes` bytes,
    /// rounded down to whole elements, or [chunks](device_rt::reduce::canonical) in the canonical order, at least one. While the device reduces a piece, the host can fill the
    /// next.
    ///
    /// # Errors
    ///
    /// As [`GeneratedReduction::start`]; [`Error::ArrayCount`] if the reduction does not read exactly one array.
    pub fn feed<'a>(
        &'a self,
        stream: &'a Stream,
        record: &Record,
        piece_bytes: usize,
    ) -> Result<Feed<'a>, Error> {
        Feed::new(self, stream, record, piece_bytes)
    }
}

impl<'a> Feed<'a> {
    fn new(
        reduction: &'a GeneratedReduction,
        stream: &'a Stream,
        record: &Record,
        piece_bytes: usize,
    ) -> Result<Feed<'a>, Error> {
        let &[ty] = reduction.spec().arrays() else {
            return Err(Error::ArrayCount { expected: reduction.spec().arrays().len(), given: 1 });
        };
        let size = ty.size() as usize;
        let least = if reduction.spec().is_canonical() { CHUNK as usize } else { 1 };
        let bytes = (piece_bytes / size / least).max(1) * least * size;
        let run = reduction.start(stream, record)?;
        let pieces = [Piece::new(stream, bytes)?, Piece::new(stream, bytes)?];
        Ok(Feed { run, stream, ty, pieces, next: 0 })
    }

    /// The buffer of the next piece, to be filled from its start; its size is a multiple of the element size.
    /// Waits until the device has reduced the previous contents.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`] if an earlier operation failed.
    pub fn piece(&mut self) -> Result<&mut [u8], Error> {
        let piece = &mut self.pieces[self.next];
        if piece.submitted {
            let doing = || "waiting for a piece".to_owned();
            self.stream.device().call(doing, || piece.done.synchronize())?;
            piece.submitted = false;
        }
        Ok(&mut piece.host[..])
    }

    /// Reduces the first `bytes` bytes of the piece that [`Feed::piece`] returned, in the host's byte order;
    /// does not wait for the result. If `piece` was not called since the last time, this waits as `piece`
    /// does, and submits the previous contents of the buffer.
    ///
    /// # Errors
    ///
    /// [`Error::Piece`] if `bytes` is not a multiple of the element size, or larger than the piece, and
    /// [`Error::PartOfChunk`] in the canonical order, after a piece that was not filled: nothing is submitted;
    /// [`Error::Cuda`], after which [`Feed::finish`] fails.
    pub fn submit(&mut self, bytes: usize) -> Result<(), Error> {
        let (piece, size) = (self.piece()?.len(), self.ty.size() as usize);
        if bytes > piece || !bytes.is_multiple_of(size) {
            return Err(Error::Piece { piece, given: bytes, size });
        }
        if bytes == 0 {
            return Ok(());
        }
        self.run.check_chunks()?;
        self.enqueue(bytes).inspect_err(|_| self.run.abandon())?;
        self.pieces[self.next].submitted = true;
        self.next = (self.next + 1) % PIECES;
        Ok(())
    }

    /// Enqueues the copy of the next piece's first bytes, the launch and the event after it.
    fn enqueue(&mut self, bytes: usize) -> Result<(), Error> {
        let stream = self.stream;
        self.run.begin_use();
        let piece = &mut self.pieces[self.next];
        let doing = || format!("copying a piece of {bytes} bytes to the device");
        // SAFETY: host and device memory of the piece stay valid until its event has completed: `piece` waits
        // for it before the memory is used again, and the run waits for the stream before the memory is
        // freed, and when an operation fails.
        stream.device().call(doing, || unsafe {
            piece.device.index(..bytes).async_copy_from(&piece.host[..bytes], stream.cuda())
        })?;
        let address = piece.device.as_device_ptr().as_raw();
        let array = Array::from_raw(address, bytes / self.ty.size() as usize, self.ty);
        // SAFETY: as above.
        unsafe { self.run.launch(&stream.device().make_current()?, array.length as u64, &[array])? };
        stream.device().call(|| "recording an event".to_owned(), || piece.done.record(stream.cuda()))
    }

    /// As [`Run::seek`], for the next piece.
    ///
    /// # Errors
    ///
    /// As [`Run::seek`].
    pub fn seek(&mut self, first: u64) -> Result<(), Error> {
        self.run.seek(first)
    }

    /// As [`Feed::finish`], with the result of [`Run::partial`].
    ///
    /// # Errors
    ///
    /// As [`Run::partial`], and [`Error::Incomplete`] if a piece could not be submitted.
    pub fn partial(self) -> Result<PartialRecord, Error> {
        // The pieces are freed after the run has waited for the device.
        let Feed { run, pieces, .. } = self;
        let partial = run.partial();
        drop(pieces);
        partial
    }

    /// Waits for the device and returns the record.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`] if an operation failed, [`Error::Incomplete`] if a piece could not be submitted.
    pub fn finish(self) -> Result<Record, Error> {
        // The pieces are freed after the run has waited for the device.
        let Feed { run, pieces, .. } = self;
        let record = run.finish();
        drop(pieces);
        record
    }
}

impl Piece {
    fn new(stream: &Stream, bytes: usize) -> Result<Piece, Error> {
        let device = stream.device();
        let doing = || format!("allocating a piece of {bytes} bytes");
        Ok(Piece {
            host: Owned::new(device, doing, || LockedBuffer::new(&0, bytes))?,
            // SAFETY: only bytes that were copied before are read.
            device: Owned::new(device, doing, || unsafe { DeviceBuffer::uninitialized(bytes) })?,
            done: Owned::new(device, doing, || Event::new(EventFlags::DISABLE_TIMING))?,
            submitted: false,
        })
    }
}
