//! Reductions of elements that come from the host in pieces.

use codegen_shim::Type;
use cust::{
    event::{Event, EventFlags},
    memory::{AsyncCopyDestination, DeviceBuffer, LockedBuffer},
};

use crate::{Array, Error, Record, Reduction, Run, Stream, device::Owned};

/// Pieces in flight: one is filled while the device has the other.
const PIECES: usize = 2;

/// A reduction of one array that the host fills piece by piece. Parts are combined in the order in which they
/// are submitted.
///
/// ```no_run
/// # fn main() -> Result<(), host_rt::Error> {
/// # let (reduction, stream, record): (host_rt::Reduction, host_rt::Stream, host_rt::Record) = todo!();
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
    // Declared first: it waits for the device before the pieces go.
    run: Run<'a>,
    stream: &'a Stream,
    ty: Type,
    pieces: [Piece; PIECES],
    /// The piece to fill next.
    next: usize,
}

#[derive(Debug)]
struct Piece {
    /// Pinned, so that the device can fetch it while the host goes on.
    host: Owned<LockedBuffer<u8>>,
    device: Owned<DeviceBuffer<u8>>,
    /// Recorded when the work on the piece was enqueued.
    done: Owned<Event>,
    submitted: bool,
}

impl Reduction {
    /// Starts a reduction of one array whose elements come from the host in pieces of at most `piece_bytes`
    /// bytes. While the device works on one piece, the next can be filled.
    ///
    /// # Errors
    ///
    /// As [`Reduction::start`]; [`Error::ArrayCount`] if the reduction reads another number of arrays than one.
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
        reduction: &'a Reduction,
        stream: &'a Stream,
        record: &Record,
        piece_bytes: usize,
    ) -> Result<Feed<'a>, Error> {
        let &[ty] = reduction.spec().arrays() else {
            return Err(Error::ArrayCount { expected: reduction.spec().arrays().len(), given: 1 });
        };
        let size = ty.size() as usize;
        let bytes = (piece_bytes / size).max(1) * size;
        let run = reduction.start(stream, record)?;
        let pieces = [Piece::new(stream, bytes)?, Piece::new(stream, bytes)?];
        Ok(Feed { run, stream, ty, pieces, next: 0 })
    }

    /// The next piece to fill, from its front: room for a whole number of elements, at least one. Waits until
    /// the device has done with what was in it.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`] if earlier work failed.
    pub fn piece(&mut self) -> Result<&mut [u8], Error> {
        let piece = &mut self.pieces[self.next];
        if piece.submitted {
            let doing = || "waiting for a piece".to_owned();
            self.stream.device().call(doing, || piece.done.synchronize())?;
            piece.submitted = false;
        }
        Ok(&mut piece.host[..])
    }

    /// Gives the device the first `bytes` bytes of the piece that [`Feed::piece`] answered, in this machine's
    /// byte order. Without a piece asked for since the last time, this waits as `piece` does, and submits what
    /// is in it.
    ///
    /// # Errors
    ///
    /// [`Error::Piece`] if that is no whole number of elements, or more than the piece has room for;
    /// [`Error::Cuda`].
    pub fn submit(&mut self, bytes: usize) -> Result<(), Error> {
        let (room, size) = (self.piece()?.len(), self.ty.size() as usize);
        if bytes > room || !bytes.is_multiple_of(size) {
            return Err(Error::Piece { room, given: bytes, size });
        }
        if bytes == 0 {
            return Ok(());
        }
        self.enqueue(bytes).inspect_err(|_| self.run.abandon())?;
        self.pieces[self.next].submitted = true;
        self.next = (self.next + 1) % PIECES;
        Ok(())
    }

    /// Enqueues the copy of the next piece's first bytes, the launch over them and the event after it.
    fn enqueue(&mut self, bytes: usize) -> Result<(), Error> {
        let stream = self.stream;
        let piece = &mut self.pieces[self.next];
        let doing = || format!("copying a piece of {bytes} bytes to the device");
        // SAFETY: host and device memory of the piece stay until its event has happened: `piece` waits for it
        // before the memory is used again, and the run waits for the stream before it is freed or when
        // something fails.
        stream.device().call(doing, || unsafe {
            piece.device.index(..bytes).async_copy_from(&piece.host[..bytes], stream.cuda())
        })?;
        let address = piece.device.as_device_ptr().as_raw();
        let array = Array::from_raw(address, bytes / self.ty.size() as usize, self.ty);
        // SAFETY: as above.
        unsafe { self.run.launch(array.length as u64, &[array])? };
        stream.device().call(|| "recording an event".to_owned(), || piece.done.record(stream.cuda()))
    }

    /// Waits for the device and answers the record.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`] if any of the work failed.
    pub fn finish(self) -> Result<Record, Error> {
        // The pieces stay until the run has waited for the device.
        let Feed { run, pieces, .. } = self;
        let record = run.finish();
        drop(pieces);
        record
    }
}

impl Piece {
    fn new(stream: &Stream, bytes: usize) -> Result<Piece, Error> {
        let device = stream.device();
        let doing = || format!("making a piece of {bytes} bytes");
        Ok(Piece {
            host: Owned::new(device, doing, || LockedBuffer::new(&0, bytes))?,
            // SAFETY: only the part that was copied before is read.
            device: Owned::new(device, doing, || unsafe { DeviceBuffer::uninitialized(bytes) })?,
            done: Owned::new(device, doing, || Event::new(EventFlags::DISABLE_TIMING))?,
            submitted: false,
        })
    }
}
