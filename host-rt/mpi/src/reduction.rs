//! Reductions of one array of which each process has a part.

use std::{
    any::type_name,
    hash::{DefaultHasher, Hash, Hasher},
};

use host_rt::{
    Feed, GeneratedReduction, Identity, Items, Lift, Partial, PartialRecord, Plain, Portable, Record, Run,
    Storable, Stream, TypedReduction, canonical::CHUNK,
};

use crate::{
    communicator::{Communicator, Messages},
    elements::{Elements, TypedElements},
    error::Error,
    row::Row,
    state::{Failure, To},
};

/// Bytes of elements of the host that are copied to the device at once.
const PIECE_BYTES: usize = 8 << 20;

impl Communicator {
    /// Reduces one array of which each process has a part, in the order of the ranks: those of process 0 are the first. A part may be
    /// empty. The process `root` gets the record, the others `None`.
    ///
    /// The result has the bits of a reduction of all elements on one process in the
    /// [canonical order](host_rt::canonical), which the reduction's specification must ask for. `initial`, that of process 0,
    /// is combined once: `initial op elements`.
    ///
    /// Each process reduces its part on the stream's device. Only what is in one chunk of 8192 elements with those of earlier
    /// processes is sent to these, and some tens of records to process 0; elements in device memory are copied to the host for that,
    /// so MPI need not know the device.
    ///
    /// # Errors
    ///
    /// [`Error::Process`], on all, with the reason of a process that failed; [`Error::Different`], [`Error::NoProcess`],
    /// [`Error::Call`].
    pub fn reduce<'a>(
        &'a self,
        root: usize,
        reduction: &'a GeneratedReduction,
        stream: &'a Stream,
        elements: impl Into<Elements<'a>>,
        initial: &Record,
    ) -> Result<Option<Record>, Error> {
        self.check_root(root)?;
        self.start(reduction, stream, elements)?.wait_at(root, initial)
    }

    /// As [`Communicator::reduce`], with the result on all processes.
    ///
    /// # Errors
    ///
    /// As [`Communicator::reduce`].
    pub fn all_reduce<'a>(
        &'a self,
        reduction: &'a GeneratedReduction,
        stream: &'a Stream,
        elements: impl Into<Elements<'a>>,
        initial: &Record,
    ) -> Result<Record, Error> {
        self.start(reduction, stream, elements)?.wait(initial)
    }

    /// Starts what [`Communicator::reduce`] does. Until the result is waited for, the process can do something else, other
    /// reductions included.
    ///
    /// What goes on meanwhile: kernels over elements in device memory, and the messages with elements of shared chunks, as far as MPI
    /// moves them by itself. Of elements of the host the last 16 MiB are copied and reduced meanwhile, those before are when this
    /// returns. The processes meet once, to tell each other how many elements they have; the records travel when all wait.
    ///
    /// # Errors
    ///
    /// As [`Communicator::reduce`]; what fails on one device is told by [`PendingReduction::wait`].
    pub fn start<'a>(
        &'a self,
        reduction: &'a GeneratedReduction,
        stream: &'a Stream,
        elements: impl Into<Elements<'a>>,
    ) -> Result<PendingReduction<'a>, Error> {
        let elements = elements.into();
        let what = signature(&format!("{:?}", reduction.spec()));
        let row = self.row(check(reduction, &elements).map(|()| [elements.count() as u64, what]))?;
        let (size, count) = (u64::from(elements.ty().size()), elements.count());
        let head = row.sent().map_or(0, |(_, count)| count as usize);
        // What others wait for is sent even if this process has failed.
        let mut failure = None;
        let head_bytes = elements.bytes(stream.device(), 0, head).unwrap_or_else(|error| {
            failure = Some(error);
            vec![0; head * size as usize]
        });
        let messages = row.start_exchange(self, size, head_bytes)?;
        // With elements of others in its last chunk, that comes later.
        let is_shared = !row.received().is_empty();
        let tail = if is_shared { (count - head) % CHUNK as usize } else { 0 };
        let work = match failure {
            Some(error) => Err(error),
            None => LocalReduction::start(
                reduction,
                stream,
                elements,
                row.first(),
                [head, count - head - tail, tail],
            ),
        };
        Ok(PendingReduction { communicator: self, reduction, stream, messages, work })
    }

    /// What the processes know of the elements becomes the result, on process `root`. As they merge, two and two, neighbours become one
    /// record on the streams' devices, so that each message has some tens of records, however many processes there are.
    ///
    /// # Errors
    ///
    /// As [`Communicator::reduce`], and [`Error::Process`] if elements are missing before others.
    pub fn reduce_partial(
        &self,
        root: usize,
        reduction: &GeneratedReduction,
        stream: &Stream,
        own: PartialRecord,
        initial: &Record,
    ) -> Result<Option<Record>, Error> {
        self.check_root(root)?;
        let bytes = self.combine(To::Root(root), reduction, stream, Ok(own), initial)?;
        Ok(bytes.map(|bytes| Record::from_bytes(reduction.spec().list(), &bytes)).transpose()?)
    }

    fn combine(
        &self,
        to: To,
        reduction: &GeneratedReduction,
        stream: &Stream,
        own: Result<PartialRecord, host_rt::Error>,
        initial: &Record,
    ) -> Result<Option<Vec<u8>>, Error> {
        let failed = |error: host_rt::Error| Failure::of(self, error);
        let list = reduction.spec().list();
        let all = self.tree(own.map_err(failed), list, &mut |all| reduction.compact(stream, all))?;
        let result = match self.rank() {
            0 => all.and_then(|all| {
                let mut record = initial.clone();
                reduction.finish(stream, &all, &mut record).map_err(failed)?;
                Ok(record.to_bytes())
            }),
            // Process 0's counts.
            _ => Ok(Vec::new()),
        };
        self.deliver(to, result)
    }

    /// As [`Communicator::reduce`], for an operator that is a Rust type. Without elements on any process the result is the operator's
    /// identity.
    ///
    /// Each process reduces its part on the stream's device. What travels are values, and at most 16382 elements that fill no
    /// chunk, in each message.
    ///
    /// # Errors
    ///
    /// As [`Communicator::reduce`].
    pub fn reduce_typed<'e, I, O>(
        &self,
        root: usize,
        reduction: &TypedReduction<I, O>,
        stream: &Stream,
        elements: impl Into<TypedElements<'e, I>>,
    ) -> Result<Option<O::Value>, Error>
    where
        I: Items + Plain,
        O: Lift<I> + Identity<O::Value> + Portable,
        O::Value: Storable,
    {
        let all = self.partial(To::Root(root), reduction, stream, elements.into())?;
        all.map(|all| result(reduction.op(), &all)).transpose()
    }

    /// As [`Communicator::reduce_typed`], with the result on all processes.
    ///
    /// # Errors
    ///
    /// As [`Communicator::reduce`].
    pub fn all_reduce_typed<'e, I, O>(
        &self,
        reduction: &TypedReduction<I, O>,
        stream: &Stream,
        elements: impl Into<TypedElements<'e, I>>,
    ) -> Result<O::Value, Error>
    where
        I: Items + Plain,
        O: Lift<I> + Identity<O::Value> + Portable,
        O::Value: Storable,
    {
        let all = self.partial(To::All, reduction, stream, elements.into())?;
        result(reduction.op(), &all.unwrap_or_else(|| Partial::new(reduction.op())))
    }

    /// What all processes know of their elements, for those who get it.
    fn partial<I, O>(
        &self,
        to: To,
        reduction: &TypedReduction<I, O>,
        stream: &Stream,
        elements: TypedElements<'_, I>,
    ) -> Result<Option<Partial<I, O>>, Error>
    where
        I: Items + Plain,
        O: Lift<I> + Portable,
        O::Value: Storable,
    {
        if let To::Root(root) = to {
            self.check_root(root)?;
        }
        let what = signature(type_name::<(I, O)>());
        let first = self.row(Ok::<_, Error>([elements.count() as u64, what]))?.first();
        let own = match elements {
            TypedElements::Host(elements) => reduction.partial(stream, first, elements),
            TypedElements::Device(buffer) => reduction.partial_of(stream, first, buffer),
        };
        let op = reduction.op();
        let all = self.tree(own.map_err(|error| Failure::of(self, error)), &op, &mut |_| Ok(()))?;
        let bytes = self.deliver(to, all.map(|all| all.to_bytes()))?;
        Ok(bytes.map(|bytes| Partial::from_bytes(op, &bytes)).transpose()?)
    }

    /// How many elements each process has; each gives its count, and a number for what is to be done with them.
    fn row<E: std::fmt::Display>(&self, own: Result<[u64; 2], E>) -> Result<Row, Error> {
        let (all, ()) = self.agree_on(own.map(|own| (own, ())))?;
        match all.iter().position(|[_, what]| *what != all[0][1]) {
            Some(rank) => Err(Error::Different { rank }),
            None => Ok(Row::new(all.iter().map(|[count, _]| *count).collect(), self.rank())),
        }
    }
}

/// What is known of some of the elements after a reduction on the stream's device, which this waits for. `first` is the first one's
/// index among all, a multiple of [`CHUNK`]. Not collective, and without MPI.
///
/// # Errors
///
/// [`host_rt::Error::PartOfChunk`] for another index, [`host_rt::Error::NotCanonical`], [`host_rt::Error::ArrayType`],
/// [`host_rt::Error::ArrayCount`], [`host_rt::Error::Piece`] for part of an element, [`host_rt::Error::Cuda`].
pub fn partial_record<'a>(
    reduction: &'a GeneratedReduction,
    stream: &'a Stream,
    first: u64,
    elements: impl Into<Elements<'a>>,
) -> Result<PartialRecord, host_rt::Error> {
    let elements = elements.into();
    check(reduction, &elements)?;
    if !first.is_multiple_of(CHUNK) {
        return Err(host_rt::Error::PartOfChunk { elements: first });
    }
    LocalReduction::start(reduction, stream, elements, first, [0, elements.count(), 0])?.finish(
        reduction,
        stream,
        &[],
    )
}

/// A number that stands for a text: the same in all processes of one program.
fn signature(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// An error if these elements cannot be reduced in parts.
fn check(reduction: &GeneratedReduction, elements: &Elements) -> Result<(), host_rt::Error> {
    let (spec, given) = (reduction.spec(), elements.ty());
    if let Elements::Host(bytes, ty) = elements {
        let (piece, size) = (bytes.len(), ty.size() as usize);
        if size == 0 || !piece.is_multiple_of(size) {
            return Err(host_rt::Error::Piece { piece, given: piece, size });
        }
    }
    match *spec.arrays() {
        _ if !spec.is_canonical() => Err(host_rt::Error::NotCanonical),
        [expected] if expected == given => Ok(()),
        [expected] => Err(host_rt::Error::ArrayType { array: 0, expected, given }),
        _ => Err(host_rt::Error::ArrayCount { expected: spec.arrays().len(), given: 1 }),
    }
}

fn result<I, O>(op: O, all: &Partial<I, O>) -> Result<O::Value, Error>
where
    I: Plain,
    O: Lift<I> + Identity<O::Value>,
{
    let identity = op.identity();
    Ok(all.finish()?.map_or(identity, |value| op.combine(identity, value)))
}

/// A reduction that has been started on all processes. All must wait for it, those that need no result as well; dropping it without
/// that leaves the others waiting.
#[must_use = "every process must wait for it"]
pub struct PendingReduction<'a> {
    communicator: &'a Communicator,
    reduction: &'a GeneratedReduction,
    stream: &'a Stream,
    messages: Messages<'a>,
    work: Result<LocalReduction<'a>, host_rt::Error>,
}

/// What the device of this process does.
struct LocalReduction<'a> {
    /// Of all elements but the tail.
    launches: Launches<'a>,
    /// Elements of a chunk that others have elements of, and the index of the first.
    tail: Vec<u8>,
    tail_first: u64,
}

enum Launches<'a> {
    OfHost(Feed<'a>),
    OfDevice(Run<'a>),
}

impl<'a> LocalReduction<'a> {
    /// Starts the launches. The first element's index among all is `first`; the elements are a head that another process reduces, the
    /// others, and a tail.
    fn start(
        reduction: &'a GeneratedReduction,
        stream: &'a Stream,
        elements: Elements<'a>,
        first: u64,
        [head, count, tail]: [usize; 3],
    ) -> Result<LocalReduction<'a>, host_rt::Error> {
        let begin = first + head as u64;
        let none = Record::identity(reduction.spec().list());
        let launches = match elements {
            Elements::Host(bytes, ty) => {
                let size = ty.size() as usize;
                let mut rest = &bytes[head * size..(head + count) * size];
                let mut feed = reduction.feed(stream, &none, rest.len().min(PIECE_BYTES))?;
                if !rest.is_empty() {
                    feed.seek(begin)?;
                }
                while !rest.is_empty() {
                    let piece = feed.piece()?;
                    let (now, later) = rest.split_at(rest.len().min(piece.len()));
                    piece[..now.len()].copy_from_slice(now);
                    feed.submit(now.len())?;
                    rest = later;
                }
                Launches::OfHost(feed)
            }
            Elements::Device(array) => {
                let mut run = reduction.start(stream, &none)?;
                if count > 0 {
                    run.seek(begin)?;
                    run.enqueue(count as u64, &[array.slice(head..head + count)?])?;
                }
                Launches::OfDevice(run)
            }
        };
        let bytes = elements.bytes(stream.device(), head + count, tail)?;
        Ok(LocalReduction { launches, tail: bytes, tail_first: begin + count as u64 })
    }

    /// Waits for the launches, and reduces the tail with the elements of others that follow it.
    fn finish(
        self,
        reduction: &GeneratedReduction,
        stream: &Stream,
        others: &[u8],
    ) -> Result<PartialRecord, host_rt::Error> {
        let mut all = match self.launches {
            Launches::OfHost(feed) => feed.partial()?,
            Launches::OfDevice(run) => run.partial()?,
        };
        let tail = [&self.tail, others].concat();
        if !tail.is_empty() {
            let none = Record::identity(reduction.spec().list());
            let mut feed = reduction.feed(stream, &none, tail.len())?;
            feed.seek(self.tail_first)?;
            feed.piece()?[..tail.len()].copy_from_slice(&tail);
            feed.submit(tail.len())?;
            all.merge(feed.partial()?)?;
        }
        Ok(all)
    }
}

impl PendingReduction<'_> {
    /// Waits for the result, on all processes. `initial`, that of process 0, is combined once.
    ///
    /// # Errors
    ///
    /// As [`Communicator::reduce`].
    pub fn wait(self, initial: &Record) -> Result<Record, Error> {
        let list = self.reduction.spec().list();
        let bytes = self.finish(To::All, initial)?.unwrap_or_default();
        Ok(Record::from_bytes(list, &bytes)?)
    }

    /// As [`PendingReduction::wait`]; the process `root` gets the result, the others `None`.
    ///
    /// # Errors
    ///
    /// As [`Communicator::reduce`].
    pub fn wait_at(self, root: usize, initial: &Record) -> Result<Option<Record>, Error> {
        let list = self.reduction.spec().list();
        self.communicator.check_root(root)?;
        let bytes = self.finish(To::Root(root), initial)?;
        Ok(bytes.map(|bytes| Record::from_bytes(list, &bytes)).transpose()?)
    }

    fn finish(self, to: To, initial: &Record) -> Result<Option<Vec<u8>>, Error> {
        let PendingReduction { communicator, reduction, stream, messages, work } = self;
        let others = messages.wait()?.concat();
        let own = work.and_then(|work| work.finish(reduction, stream, &others));
        communicator.combine(to, reduction, stream, own, initial)
    }
}
