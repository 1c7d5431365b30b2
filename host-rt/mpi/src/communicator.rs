//! The processes that do something together, and what they tell each other.

use std::{ffi::c_int, fmt, mem, process, rc::Rc, thread};

use crate::{
    error::Error,
    implementation::Choice,
    library::{self, Calls, Number, length},
    output,
};

/// The processes that do something together, of which this one has a number: its *rank*.
///
/// Its methods are *collective* unless they say otherwise: every process calls the same methods in the same order, or those that
/// do wait for ever for those that do not. They are called on the thread that has initialised MPI, as `MPI_THREAD_FUNNELED` asks
/// for, so a communicator stays on its thread.
///
/// An error of one process is an error of all ([`Error::Process`]), wherever a method can fail on one alone; those of MPI
/// itself end the job, unless the program has told MPI to return them. What fails outside of these methods is told the
/// others by [`Communicator::agree`], or ends the job by [`Communicator::or_abort`].
///
/// ```no_run
/// use host_rt::{Device, Select, Sum, TypedReduction};
/// use mpi_rt::{Choice, Communicator};
///
/// # fn main() -> Result<(), mpi_rt::Error> {
/// let Some(communicator) = Communicator::world(Choice::Auto)? else { return Ok(()) };
/// let device = communicator.agree(Device::open(Select::Auto))?;
/// let (stream, sum) = (device.stream()?, TypedReduction::new(&device, Sum)?);
/// // Each process has some of the numbers.
/// let numbers = vec![0.1f64; 1000 * communicator.rank()];
/// let total: f64 = communicator.all_reduce_typed(&sum, &stream, &numbers[..])?;
/// # let _ = total; Ok(()) }
/// ```
pub struct Communicator {
    calls: Rc<dyn Calls>,
    comm: Number,
    at_end: AtEnd,
    rank: usize,
    size: usize,
}

/// What becomes of MPI's communicator in the end.
enum AtEnd {
    /// It is a copy, which is freed.
    Free,
    /// MPI was initialised for it, and is finalised.
    Finalise,
}

impl Communicator {
    /// All processes of the job; `None` if this process is in no job.
    ///
    /// If the program has initialised MPI, as its library is loaded, that is used, and the program finalises it after the
    /// communicator was dropped. Otherwise MPI is initialised now, and finalised when the communicator is dropped: once in a
    /// process, and together with all others. A panic ends the job instead. Who must call: all processes of the job.
    ///
    /// # Errors
    ///
    /// [`Error::Library`], [`Error::Finalised`], [`Error::Call`].
    pub fn world(choice: Choice) -> Result<Option<Communicator>, Error> {
        if choice != Choice::None
            && let Some(calls) = library::running()
        {
            let copy = calls.duplicate(calls.world())?;
            return Communicator::new(calls, copy, AtEnd::Free).map(Some);
        }
        let Some(calls) = library::of_launcher(choice)? else { return Ok(None) };
        if calls.is_finalised() {
            return Err(Error::Finalised);
        }
        calls.start()?;
        let world = calls.world();
        Communicator::new(calls, world, AtEnd::Finalise).map(Some)
    }

    /// The processes of a communicator of the program, which has initialised MPI: by its handle in Fortran, as `MPI_Comm_c2f`
    /// gives it. Messages do not mix with the program's, because MPI makes a copy of the communicator. Who must call: all its
    /// processes.
    ///
    /// # Errors
    ///
    /// [`Error::NotRunning`], [`Error::Call`] for what is no communicator, if MPI returns errors.
    pub fn of_fortran(handle: c_int) -> Result<Communicator, Error> {
        let calls = library::running().ok_or(Error::NotRunning)?;
        let copy = calls.duplicate(calls.of_fortran(handle))?;
        Communicator::new(calls, copy, AtEnd::Free)
    }

    fn new(calls: Rc<dyn Calls>, comm: Number, at_end: AtEnd) -> Result<Communicator, Error> {
        let (rank, size) = (calls.rank(comm)?, calls.size(comm)?);
        Ok(Communicator { calls, comm, at_end, rank, size })
    }

    /// The number of this process, from 0 on. Not collective.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many processes there are. Not collective.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of this process among those of its host, from 0 on: for the choice of a device.
    ///
    /// # Errors
    ///
    /// [`Error::Call`].
    pub fn local_rank(&self) -> Result<usize, Error> {
        let host = self.calls.of_host(self.comm)?;
        let rank = self.calls.rank(host);
        self.calls.free(host);
        rank
    }

    /// Ends all processes of the job, with a status other than 0. One process is enough.
    ///
    /// What this process has written to standard output and standard error is read by the launcher first: MPICH's launcher ends
    /// without it otherwise.
    pub fn abort(&self) {
        output::until_read();
        self.calls.abort(self.comm);
    }

    /// The value; or, after an error of this process alone, the end of the job: the error is written to standard error, with the
    /// process's number, and all processes end. Not collective: others, which may be waiting for this one, need not know.
    pub fn or_abort<T, E: fmt::Display>(&self, result: Result<T, E>) -> T {
        match result {
            Ok(value) => value,
            Err(error) => {
                eprintln!("process {} of {}: {error}", self.rank, self.size);
                self.abort();
                process::exit(1)
            }
        }
    }

    /// The numbers of each process, in the order of the ranks: as many of each.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`], [`Error::Call`].
    pub fn all_gather(&self, own: &[u64]) -> Result<Vec<Vec<u64>>, Error> {
        let bytes: Vec<u8> = own.iter().flat_map(|number| number.to_ne_bytes()).collect();
        length(bytes.len() as u64 * self.size as u64)?;
        let mut all = vec![0; bytes.len() * self.size];
        self.calls.all_gather(self.comm, &bytes, &mut all)?;
        let numbers: Vec<u64> =
            all.as_chunks::<8>().0.iter().map(|bytes| u64::from_ne_bytes(*bytes)).collect();
        Ok((0..self.size).map(|rank| numbers[rank * own.len()..(rank + 1) * own.len()].to_vec()).collect())
    }

    /// The bytes that the process `root` has, on all. The others' are replaced.
    ///
    /// # Errors
    ///
    /// [`Error::NoProcess`], [`Error::TooLong`], [`Error::Call`].
    pub fn broadcast(&self, root: usize, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
        self.check_root(root)?;
        let mut count = (bytes.len() as u64).to_ne_bytes();
        self.calls.broadcast(self.comm, root, &mut count)?;
        let count = u64::from_ne_bytes(count);
        length(count)?;
        let mut all = if self.rank == root { bytes } else { vec![0; count as usize] };
        self.calls.broadcast(self.comm, root, &mut all)?;
        Ok(all)
    }

    /// What this process has done by itself, if all have succeeded; otherwise an error on all of them, with the reason of the first
    /// one that failed.
    ///
    /// # Errors
    ///
    /// [`Error::Process`], [`Error::Call`].
    pub fn agree<T, E: fmt::Display>(&self, own: Result<T, E>) -> Result<T, Error> {
        self.agree_on(own.map(|value| ([], value))).map(|(_, value)| value)
    }

    /// As [`Communicator::agree`], with some numbers of each process for all.
    pub(crate) fn agree_on<const N: usize, T, E: fmt::Display>(
        &self,
        own: Result<([u64; N], T), E>,
    ) -> Result<(Vec<[u64; N]>, T), Error> {
        let numbers = own.as_ref().map_or([0; N], |(numbers, _)| *numbers);
        let mut sent = vec![u64::from(own.is_err())];
        sent.extend(numbers);
        let all = self.all_gather(&sent)?;
        let failed = all.iter().position(|numbers| numbers[0] != 0);
        match (failed, own) {
            (None, Ok((_, value))) => {
                let of = |numbers: &Vec<u64>| std::array::from_fn(|at| numbers[at + 1]);
                Ok((all.iter().map(of).collect(), value))
            }
            (Some(rank), own) => {
                let reason = own.err().map_or_else(Vec::new, |error| error.to_string().into_bytes());
                let reason = self.broadcast(rank, reason)?;
                Err(self.process(rank, String::from_utf8_lossy(&reason).into_owned()))
            }
            // Its own flag says so.
            (None, Err(error)) => Err(self.process(self.rank, error.to_string())),
        }
    }

    /// The error of a process.
    pub(crate) fn process(&self, rank: usize, reason: String) -> Error {
        Error::Process { rank, size: self.size, reason }
    }

    /// An error, the same on all processes, if there is no such process.
    pub(crate) fn check_root(&self, root: usize) -> Result<(), Error> {
        if root < self.size { Ok(()) } else { Err(Error::NoProcess { root, size: self.size }) }
    }

    /// Messages of this process, none so far. Not collective, but each that is sent is received.
    pub(crate) fn messages(&self) -> Messages<'_> {
        Messages { communicator: self, pending: Pending::default() }
    }

    /// Sends bytes to one process, and receives those of another one, whose number is not known; each if there is one.
    pub(crate) fn exchange(
        &self,
        sent: Option<(usize, &[u8])>,
        from: Option<usize>,
    ) -> Result<Option<Vec<u8>>, Error> {
        let mut counts = self.messages();
        if let Some((to, bytes)) = sent {
            counts.send(to, (bytes.len() as u64).to_ne_bytes().to_vec())?;
        }
        if let Some(from) = from {
            counts.receive(from, 8)?;
        }
        let counts = counts.wait()?;
        let mut messages = self.messages();
        if let Some((to, bytes)) = sent {
            messages.send(to, bytes.to_vec())?;
        }
        if let (Some(from), Some(count)) = (from, counts.first()) {
            let count = count.first_chunk().map_or(0, |bytes| u64::from_ne_bytes(*bytes));
            messages.receive(from, count as usize)?;
        }
        Ok(messages.wait()?.pop())
    }
}

impl fmt::Debug for Communicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} of {}", self.rank, self.size)
    }
}

impl Drop for Communicator {
    fn drop(&mut self) {
        match self.at_end {
            // The others may wait for this process, and would not come.
            AtEnd::Finalise if thread::panicking() => self.abort(),
            // To free it takes all processes. The program may have finalised MPI before, which has freed all communicators.
            AtEnd::Free if !thread::panicking() && !self.calls.is_finalised() => self.calls.free(self.comm),
            AtEnd::Free => {}
            AtEnd::Finalise => self.calls.finalise(),
        }
    }
}

/// Messages that are on their way. Dropping them waits.
pub(crate) struct Messages<'c> {
    communicator: &'c Communicator,
    pending: Pending,
}

#[derive(Default)]
struct Pending {
    requests: Vec<Number>,
    sent: Vec<Vec<u8>>,
    received: Vec<Vec<u8>>,
}

impl Messages<'_> {
    /// Starts to send bytes to a process that receives as many.
    pub fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), Error> {
        let Communicator { calls, comm, .. } = self.communicator;
        let pending = &mut self.pending;
        // SAFETY: the bytes are kept, where they are, until all requests were waited for: a vector that moves does not move them.
        pending.requests.push(unsafe { calls.send(*comm, to, &bytes)? });
        pending.sent.push(bytes);
        Ok(())
    }

    /// Starts to receive so many bytes that a process sends.
    pub fn receive(&mut self, from: usize, count: usize) -> Result<(), Error> {
        length(count as u64)?;
        let Communicator { calls, comm, .. } = self.communicator;
        let pending = &mut self.pending;
        let mut bytes = vec![0; count];
        // SAFETY: as for those that are sent.
        pending.requests.push(unsafe { calls.receive(*comm, from, &mut bytes)? });
        pending.received.push(bytes);
        Ok(())
    }

    /// Waits until all were sent and received; returns those that were received, in the order of the calls.
    pub fn wait(mut self) -> Result<Vec<Vec<u8>>, Error> {
        self.complete()
    }

    fn complete(&mut self) -> Result<Vec<Vec<u8>>, Error> {
        let pending = mem::take(&mut self.pending);
        if pending.requests.is_empty() {
            return Ok(Vec::new());
        }
        match self.communicator.calls.wait(&pending.requests) {
            Ok(()) => Ok(pending.received),
            Err(error) => {
                // MPI may still use the memory.
                mem::forget(pending);
                Err(error)
            }
        }
    }
}

impl Drop for Messages<'_> {
    fn drop(&mut self) {
        // Nobody is left who could be told of an error.
        let _ = self.complete();
    }
}
