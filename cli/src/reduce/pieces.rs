//! A reduction on the device that gets its values in pieces.

use codegen_shim::{KernelSpec, ReductionList, Type};
use host_rt::{Device, Feed, GeneratedReduction, Record, Stream};

use super::plan::initial;
use crate::error::Error;

/// Bytes of a column's values per launch. Two such pieces exist on the host and two on the device; with 8 MiB, the
/// launch overhead of an H200 is below a few percent, and the host needs little memory.
const PIECE_BYTES: usize = 8 << 20;

/// The reduction of this list over one array; if it is to be `reproducible`, in the canonical order.
pub fn reduction(
    device: &Device,
    list: ReductionList,
    ty: Type,
    reproducible: bool,
) -> Result<GeneratedReduction, Error> {
    let mut spec = KernelSpec::new(list, vec![ty], host_rt::BLOCK_THREADS)?;
    if reproducible {
        spec = spec.in_canonical_order();
    }
    // A block's reduction over threads takes the emulator as long as thousands of elements. The blocks of a
    // piece still keep some 500 KiB of loads in flight, so that a GPU reduces it faster than it is
    // copied there (calculated).
    let options = host_rt::Options { grid: host_rt::Grid::Sparse, ..Default::default() };
    Ok(GeneratedReduction::with_options(device, spec, options)?)
}

/// A reduction that is being fed.
pub struct Pieces<'a> {
    feed: Feed<'a>,
    /// Bytes of the piece that is being filled.
    filled: usize,
}

impl<'a> Pieces<'a> {
    /// Starts a reduction of at most this many bytes, as far as is known.
    pub fn start(
        reduction: &'a GeneratedReduction,
        stream: &'a Stream,
        bytes: Option<u64>,
    ) -> Result<Pieces<'a>, Error> {
        let piece = bytes.and_then(|bytes| bytes.try_into().ok()).unwrap_or(PIECE_BYTES).min(PIECE_BYTES);
        let feed = reduction.feed(stream, &initial(reduction.spec().list())?, piece)?;
        Ok(Pieces { feed, filled: 0 })
    }

    /// Adds values, and submits the pieces that they fill.
    pub fn add(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        while !bytes.is_empty() {
            let piece = &mut self.feed.piece()?[self.filled..];
            let taken = piece.len().min(bytes.len());
            piece[..taken].copy_from_slice(&bytes[..taken]);
            self.filled += taken;
            bytes = &bytes[taken..];
            if taken == piece.len() {
                self.submit()?;
            }
        }
        Ok(())
    }

    /// Submits the last piece and waits for the result.
    pub fn finish(mut self) -> Result<Record, Error> {
        self.submit()?;
        Ok(self.feed.finish()?)
    }

    fn submit(&mut self) -> Result<(), Error> {
        let filled = std::mem::take(&mut self.filled);
        Ok(self.feed.submit(filled)?)
    }
}
