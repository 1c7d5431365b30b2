//! What each process knows becomes what all know: a tree of the processes, and scans.

use std::fmt;

use host_rt::{ExactSum, Lift, Partial, PartialRecord, Plain, ReductionList, Storable};

use crate::{communicator::Communicator, error::Error};

/// What is known of some of the elements, as a value that merges with others and travels as bytes.
pub trait State: Sized {
    /// What it takes to read one: the same on all processes.
    type Context: ?Sized;

    /// The bytes that [`State::from_bytes`] reads.
    fn to_bytes(&self) -> Vec<u8>;

    /// The state of these bytes.
    ///
    /// # Errors
    ///
    /// For bytes of anything else.
    fn from_bytes(context: &Self::Context, bytes: &[u8]) -> Result<Self, host_rt::Error>;

    /// Adds what a process with a higher rank knows.
    ///
    /// # Errors
    ///
    /// If the two do not fit together.
    fn merge(&mut self, later: Self) -> Result<(), host_rt::Error>;
}

impl State for PartialRecord {
    type Context = ReductionList;

    fn to_bytes(&self) -> Vec<u8> {
        PartialRecord::to_bytes(self)
    }

    fn from_bytes(list: &ReductionList, bytes: &[u8]) -> Result<PartialRecord, host_rt::Error> {
        PartialRecord::from_bytes(list, bytes)
    }

    fn merge(&mut self, later: PartialRecord) -> Result<(), host_rt::Error> {
        PartialRecord::merge(self, later)
    }
}

impl<I: Plain, O: Lift<I, Value: Storable>> State for Partial<I, O> {
    type Context = O;

    fn to_bytes(&self) -> Vec<u8> {
        Partial::to_bytes(self)
    }

    fn from_bytes(op: &O, bytes: &[u8]) -> Result<Self, host_rt::Error> {
        Partial::from_bytes(*op, bytes)
    }

    fn merge(&mut self, later: Self) -> Result<(), host_rt::Error> {
        Partial::merge(self, later)
    }
}

impl State for ExactSum {
    type Context = ();

    fn to_bytes(&self) -> Vec<u8> {
        ExactSum::to_bytes(self).to_vec()
    }

    fn from_bytes((): &(), bytes: &[u8]) -> Result<ExactSum, host_rt::Error> {
        Ok(ExactSum::from_bytes(bytes)?)
    }

    fn merge(&mut self, later: ExactSum) -> Result<(), host_rt::Error> {
        ExactSum::merge(self, &later);
        Ok(())
    }
}

/// Who gets a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    Root(usize),
    All,
}

/// The failure of a process, on its way to all.
pub(crate) struct Failure {
    rank: usize,
    reason: String,
}

impl Failure {
    pub fn of(communicator: &Communicator, reason: impl fmt::Display) -> Failure {
        Failure { rank: communicator.rank(), reason: reason.to_string() }
    }
}

/// Bytes or a failure, as one message: 0 and the bytes, or 1, the rank and the reason.
fn framed(content: Result<&[u8], &Failure>) -> Vec<u8> {
    match content {
        Ok(bytes) => [&[0], bytes].concat(),
        Err(failure) => [&[1][..], &(failure.rank as u64).to_ne_bytes(), failure.reason.as_bytes()].concat(),
    }
}

/// What is in such a message.
fn content(message: &[u8]) -> Result<&[u8], Failure> {
    match message.split_first() {
        Some((0, bytes)) => Ok(bytes),
        Some((_, rest)) if let Some((rank, reason)) = rest.split_first_chunk() => Err(Failure {
            rank: u64::from_ne_bytes(*rank) as usize,
            reason: String::from_utf8_lossy(reason).into_owned(),
        }),
        _ => Err(Failure { rank: 0, reason: "it has sent less than it said".into() }),
    }
}

impl Communicator {
    /// Merges the states of all processes, in the order of the ranks; the process `root` gets the result, the others `None`. Two
    /// neighbours merge, then two neighbouring pairs, and so on: what a process gets grows as the state does.
    ///
    /// # Errors
    ///
    /// [`Error::Process`], on all, if states do not fit together; [`Error::NoProcess`], [`Error::TooLong`], [`Error::Call`].
    pub fn reduce_state<S: State>(
        &self,
        root: usize,
        own: S,
        context: &S::Context,
    ) -> Result<Option<S>, Error> {
        self.check_root(root)?;
        let all = self.tree(Ok(own), context, &mut |_| Ok(()))?.map(|all| all.to_bytes());
        let bytes = self.deliver(To::Root(root), all)?;
        Ok(bytes.map(|bytes| S::from_bytes(context, &bytes)).transpose()?)
    }

    /// As [`Communicator::reduce_state`], with the result on all processes.
    ///
    /// # Errors
    ///
    /// As [`Communicator::reduce_state`].
    pub fn all_reduce_state<S: State>(&self, own: S, context: &S::Context) -> Result<S, Error> {
        let all = self.tree(Ok(own), context, &mut |_| Ok(()))?.map(|all| all.to_bytes());
        let bytes = self.deliver(To::All, all)?.unwrap_or_default();
        Ok(S::from_bytes(context, &bytes)?)
    }

    /// Merges the states of the processes up to this one, itself included, in the order of the ranks.
    ///
    /// # Errors
    ///
    /// As [`Communicator::reduce_state`].
    pub fn scan_state<S: State>(&self, own: S, context: &S::Context) -> Result<S, Error> {
        Ok(self.scans(own, context)?.1)
    }

    /// Merges the states of the processes before this one, in the order of the ranks; `None` on process 0, before which there is
    /// none.
    ///
    /// # Errors
    ///
    /// As [`Communicator::reduce_state`].
    pub fn exclusive_scan_state<S: State>(&self, own: S, context: &S::Context) -> Result<Option<S>, Error> {
        Ok(self.scans(own, context)?.0)
    }

    /// The exclusive and the inclusive scan: in each step a process passes on what it and twice as many before it know.
    fn scans<S: State>(&self, own: S, context: &S::Context) -> Result<(Option<S>, S), Error> {
        let (rank, size) = (self.rank(), self.size());
        let read = |bytes: &[u8]| S::from_bytes(context, bytes).map_err(|e| Failure::of(self, e));
        let merged = |mut earlier: S, later: S| {
            earlier.merge(later).map(|()| earlier).map_err(|error| Failure::of(self, error))
        };
        let mut states = Ok((None, own));
        let mut distance = 1;
        while distance < size {
            let message = match &states {
                Ok((_, all)) => framed(Ok(&S::to_bytes(all))),
                Err(failure) => framed(Err(failure)),
            };
            let sent = (rank + distance < size).then_some((rank + distance, &message[..]));
            if let Some(earlier) = self.exchange(sent, rank.checked_sub(distance))? {
                states = states.and_then(|(before, all)| {
                    let earlier = content(&earlier)?;
                    let before = match before {
                        Some(before) => merged(read(earlier)?, before)?,
                        None => read(earlier)?,
                    };
                    Ok((Some(before), merged(read(earlier)?, all)?))
                });
            }
            distance *= 2;
        }
        self.agree(states.map_err(|failure: Failure| failure.reason))
    }

    /// Merges the states of all processes on process 0; elsewhere the result is a part of it. `merged` is called for each state that
    /// was merged.
    pub(crate) fn tree<S: State>(
        &self,
        own: Result<S, Failure>,
        context: &S::Context,
        merged: &mut dyn FnMut(&mut S) -> Result<(), host_rt::Error>,
    ) -> Result<Result<S, Failure>, Error> {
        let (rank, size) = (self.rank(), self.size());
        let (mut all, mut distance) = (own, 1);
        while distance < size && rank.is_multiple_of(2 * distance) {
            if let Some(later) = (rank + distance < size).then_some(rank + distance) {
                let message = self.exchange(None, Some(later))?.unwrap_or_default();
                all = all.and_then(|mut all| {
                    let later = S::from_bytes(context, content(&message)?);
                    let known = later.and_then(|later| all.merge(later)).and_then(|()| merged(&mut all));
                    known.map_err(|error| Failure::of(self, error))?;
                    Ok(all)
                });
            }
            distance *= 2;
        }
        if rank > 0 {
            let message = match &all {
                Ok(all) => framed(Ok(&all.to_bytes())),
                Err(failure) => framed(Err(failure)),
            };
            self.exchange(Some((rank - distance, &message)), None)?;
        }
        Ok(all)
    }

    /// What process 0 has, for those who get it; its failure is an error of all.
    pub(crate) fn deliver(&self, to: To, result: Result<Vec<u8>, Failure>) -> Result<Option<Vec<u8>>, Error> {
        let message = match (&result, to) {
            (Ok(bytes), To::All) => framed(Ok(bytes)),
            (Ok(_), To::Root(_)) => framed(Ok(&[])),
            (Err(failure), _) => framed(Err(failure)),
        };
        let message = self.broadcast(0, message)?;
        let bytes = content(&message).map_err(|failure| self.process(failure.rank, failure.reason))?;
        match to {
            To::All => Ok(Some(bytes.to_vec())),
            To::Root(0) => Ok((self.rank() == 0).then(|| result.unwrap_or_default())),
            To::Root(root) => {
                let bytes = result.unwrap_or_default();
                let sent = (self.rank() == 0).then_some((root, &bytes[..]));
                self.exchange(sent, (self.rank() == root).then_some(0))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_back_and_shorter_ones_are_failures() {
        assert_eq!(content(&framed(Ok(b"abc"))).ok(), Some(&b"abc"[..]));
        let failure = Failure { rank: 3, reason: "no memory".into() };
        let message = framed(Err(&failure));
        let read = content(&message).expect_err("a failure");
        assert_eq!((read.rank, read.reason.as_str()), (3, "no memory"));
        assert!(content(&[]).is_err() && content(&message[..5]).is_err());
    }
}
