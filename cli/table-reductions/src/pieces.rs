//! A reduction on the device that gets its values in pieces.

use codegen_shim::{KernelSpec, ReductionList, Type};
use host_rt::{Device, Feed, GeneratedReduction, PartialRecord, Record, Stream, canonical::CHUNK};

use crate::{Error, plan::initial};

/// Bytes of a column's values per launch. Two such pieces exist on the host and two on the device; with 8 MiB, the
/// launch overhead of an H200 is below a few percent, and the host needs little memory.
const PIECE_BYTES: usize = 8 << 20;

/// The reductions of this list over one array, one for each device; in the canonical order if they are to be
/// `reproducible`, or if there are several devices.
pub fn reductions(
    devices: &[Device],
    list: ReductionList,
    ty: Type,
    reproducible: bool,
) -> Result<Vec<GeneratedReduction>, Error> {
    let mut spec = KernelSpec::new(list, vec![ty], host_rt::BLOCK_THREADS)?;
    if reproducible || devices.len() > 1 {
        spec = spec.in_canonical_order();
    }
    // A block's reduction over threads takes the emulator as long as thousands of elements. The blocks of a
    // piece still keep some 500 KiB of loads in flight, so that a GPU reduces it faster than it is
    // copied there (calculated).
    let options = host_rt::Options { grid: host_rt::Grid::Sparse, ..Default::default() };
    let one = |device: &Device| Ok(GeneratedReduction::with_options(device, spec.clone(), options)?);
    devices.iter().map(one).collect()
}

/// A reduction that is being fed. Several devices take pieces in turn.
pub struct Pieces<'a> {
    feeds: Vec<Feed<'a>>,
    /// What combines the devices' parts.
    first: (&'a GeneratedReduction, &'a Stream),
    record: Record,
    /// Pieces that were submitted, and the index of the next one's first element.
    submitted: usize,
    elements: u64,
    /// Elements at the beginning that belong to a chunk which begins before, and how many bytes of them there are.
    head: Vec<u8>,
    head_bytes: usize,
    /// Bytes of the piece that is being filled.
    filled: usize,
}

impl<'a> Pieces<'a> {
    /// Starts a reduction of at most this many bytes, as far as is known, on each device with its stream; none without
    /// reductions. `begin` is the index of the first element: without elements before, 0.
    pub fn start(
        reductions: &'a [GeneratedReduction],
        streams: &'a [Stream],
        bytes: Option<u64>,
        begin: u64,
    ) -> Result<Option<Pieces<'a>>, Error> {
        let (Some(reduction), Some(stream)) = (reductions.first(), streams.first()) else { return Ok(None) };
        let piece = bytes.and_then(|bytes| bytes.try_into().ok()).unwrap_or(PIECE_BYTES).min(PIECE_BYTES);
        let record = initial(reduction.spec().list())?;
        let pairs = reductions.iter().zip(streams);
        let feeds = pairs
            .map(|(reduction, stream)| reduction.feed(stream, &record, piece))
            .collect::<Result<_, _>>()?;
        let first = (reduction, stream);
        let elements = begin.next_multiple_of(CHUNK);
        let head_bytes = (elements - begin) as usize * reduction.spec().arrays()[0].size() as usize;
        Ok(Some(Pieces {
            feeds,
            first,
            record,
            submitted: 0,
            elements,
            head: Vec::new(),
            head_bytes,
            filled: 0,
        }))
    }

    /// The device that takes the next piece.
    fn feed(&mut self) -> &mut Feed<'a> {
        let next = self.submitted % self.feeds.len();
        &mut self.feeds[next]
    }

    /// Adds values, and submits the pieces that they fill.
    pub fn add(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        let of_head = bytes.len().min(self.head_bytes - self.head.len());
        self.head.extend(&bytes[..of_head]);
        bytes = &bytes[of_head..];
        while !bytes.is_empty() {
            let filled = self.filled;
            let piece = &mut self.feed().piece()?[filled..];
            let taken = piece.len().min(bytes.len());
            piece[..taken].copy_from_slice(&bytes[..taken]);
            let is_full = taken == piece.len();
            self.filled += taken;
            bytes = &bytes[taken..];
            if is_full {
                self.submit()?;
            }
        }
        Ok(())
    }

    /// Submits the last piece and waits for the result.
    pub fn finish(mut self) -> Result<Record, Error> {
        self.submit()?;
        let Pieces { feeds, first: (reduction, stream), mut record, .. } = self;
        if feeds.len() == 1 {
            return Ok(feeds.into_iter().map(Feed::finish).next().transpose()?.unwrap_or(record));
        }
        reduction.finish(stream, &merged(feeds)?, &mut record)?;
        Ok(record)
    }

    /// The elements at the beginning that are not reduced here: those before the first chunk.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Submits the last piece and waits for what is known of the elements.
    pub fn partial(mut self) -> Result<PartialRecord, Error> {
        self.submit()?;
        merged(self.feeds)
    }

    fn submit(&mut self) -> Result<(), Error> {
        let filled = std::mem::take(&mut self.filled);
        if filled == 0 {
            return Ok(());
        }
        let size = u64::from(self.first.0.spec().arrays()[0].size());
        let elements = self.elements;
        let is_canonical = self.first.0.spec().is_canonical();
        let feed = self.feed();
        if is_canonical {
            feed.seek(elements)?;
        }
        feed.submit(filled)?;
        self.submitted += 1;
        self.elements += filled as u64 / size;
        Ok(())
    }
}

/// What all devices know.
fn merged(feeds: Vec<Feed<'_>>) -> Result<PartialRecord, Error> {
    let mut all = PartialRecord::new();
    for feed in feeds {
        all.merge(feed.partial()?)?;
    }
    Ok(all)
}
