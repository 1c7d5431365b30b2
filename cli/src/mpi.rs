//! MPI: the messages between the processes that one of its launchers has started.
//!
//! Nothing is linked. The library of the launcher that is recognised is loaded: Open MPI's or MPICH's, whose handles differ in
//! type. Both keep their binary interface: `libmpi.so.40` is Open MPI 3 to 5, `libmpich.so.12` and `libmpi.so.12` are
//! MPICH 3.1 to 4 and what is compatible with it.

use std::{
    env,
    ffi::{c_char, c_int, c_void},
    fmt, ptr,
    str::FromStr,
};

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW, Symbol};

use crate::error::Error;

/// An implementation of MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Implementation {
    OpenMpi,
    Mpich,
}

impl Implementation {
    /// The names of its library.
    fn libraries(self) -> &'static [&'static str] {
        match self {
            Implementation::OpenMpi => &["libmpi.so.40"],
            Implementation::Mpich => &["libmpich.so.12", "libmpi.so.12"],
        }
    }
}

impl fmt::Display for Implementation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Implementation::OpenMpi => "Open MPI",
            Implementation::Mpich => "MPICH",
        })
    }
}

/// Which implementation is to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// That of the launcher, as its variables of the environment tell.
    Auto,
    /// None: the process works alone.
    None,
    One(Implementation),
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        match text {
            "auto" => Ok(Choice::Auto),
            "none" => Ok(Choice::None),
            "openmpi" => Ok(Choice::One(Implementation::OpenMpi)),
            "mpich" => Ok(Choice::One(Implementation::Mpich)),
            _ => Err("it is auto, openmpi, mpich or none".into()),
        }
    }
}

impl Choice {
    /// Whether this process is one of a job.
    pub fn is_job(self) -> bool {
        self.implementation().is_some()
    }

    fn implementation(self) -> Option<Implementation> {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        match self {
            Choice::One(one) => Some(one),
            Choice::None => None,
            Choice::Auto if is_set("OMPI_COMM_WORLD_SIZE") => Some(Implementation::OpenMpi),
            Choice::Auto if is_set("PMI_SIZE") => Some(Implementation::Mpich),
            Choice::Auto => None,
        }
    }
}

/// `MPI_THREAD_FUNNELED`: only the main thread calls.
const FUNNELED: c_int = 1;

/// The tag of all messages.
const TAG: c_int = 0;

/// The functions, for handles of this type.
struct Functions<H> {
    init_thread: Symbol<unsafe extern "C" fn(*mut c_int, *mut *mut *mut c_char, c_int, *mut c_int) -> c_int>,
    comm_rank: Symbol<unsafe extern "C" fn(H, *mut c_int) -> c_int>,
    comm_size: Symbol<unsafe extern "C" fn(H, *mut c_int) -> c_int>,
    comm_split_type: Symbol<unsafe extern "C" fn(H, c_int, c_int, H, *mut H) -> c_int>,
    allgather: Symbol<unsafe extern "C" fn(*const c_void, c_int, H, *mut c_void, c_int, H, H) -> c_int>,
    gatherv: Symbol<
        unsafe extern "C" fn(
            *const c_void,
            c_int,
            H,
            *mut c_void,
            *const c_int,
            *const c_int,
            H,
            c_int,
            H,
        ) -> c_int,
    >,
    send: Symbol<unsafe extern "C" fn(*const c_void, c_int, H, c_int, c_int, H) -> c_int>,
    recv: Symbol<unsafe extern "C" fn(*mut c_void, c_int, H, c_int, c_int, H, *mut c_void) -> c_int>,
    abort: Symbol<unsafe extern "C" fn(H, c_int) -> c_int>,
    finalize: Symbol<unsafe extern "C" fn() -> c_int>,
    /// `MPI_COMM_WORLD`, `MPI_BYTE`, `MPI_INFO_NULL`.
    world: H,
    byte: H,
    no_info: H,
    /// `MPI_COMM_TYPE_SHARED`: processes that share memory.
    shared: c_int,
    /// `MPI_STATUS_IGNORE`.
    no_status: *mut c_void,
    _library: Library,
}

/// Loads the library: its file, and each of its functions.
fn load<H: Copy>(
    implementation: Implementation,
    handles: impl FnOnce(&Library) -> Result<[H; 3], libloading::Error>,
    (shared, no_status): (c_int, *mut c_void),
) -> Result<Functions<H>, Error> {
    let failed = |source| Error::Mpi { implementation: implementation.to_string(), source };
    let mut last = None;
    for &name in implementation.libraries() {
        // SAFETY: the initialisers of an MPI library may run at any time.
        match unsafe { Library::open(Some(name), RTLD_NOW | RTLD_GLOBAL) } {
            Err(error) => last = Some(error),
            Ok(library) => {
                let functions = || {
                    let [world, byte, no_info] = handles(&library)?;
                    // SAFETY: these are the functions of MPI 3, with the implementation's type of handles.
                    unsafe {
                        Ok(Functions {
                            init_thread: library.get(b"MPI_Init_thread\0")?,
                            comm_rank: library.get(b"MPI_Comm_rank\0")?,
                            comm_size: library.get(b"MPI_Comm_size\0")?,
                            comm_split_type: library.get(b"MPI_Comm_split_type\0")?,
                            allgather: library.get(b"MPI_Allgather\0")?,
                            gatherv: library.get(b"MPI_Gatherv\0")?,
                            send: library.get(b"MPI_Send\0")?,
                            recv: library.get(b"MPI_Recv\0")?,
                            abort: library.get(b"MPI_Abort\0")?,
                            finalize: library.get(b"MPI_Finalize\0")?,
                            world,
                            byte,
                            no_info,
                            shared,
                            no_status,
                            _library: library,
                        })
                    }
                };
                return functions().map_err(failed);
            }
        }
    }
    Err(last.map_or_else(|| Error::Usage("no MPI library has a name".into()), failed))
}

/// What the processes do together; every process calls the same in the same order. Errors of the library end the job, as is
/// MPI's default.
trait Calls {
    fn rank(&self) -> c_int;
    fn size(&self) -> c_int;
    /// The number of the process among those of its host.
    fn local_rank(&self) -> c_int;
    /// As many bytes of each process, in the order of the ranks, for each.
    fn all_gather(&self, own: &[u8], all: &mut [u8]);
    /// All bytes of each process for process 0.
    fn gather(&self, own: &[u8], all: &mut [u8], counts: &[c_int], starts: &[c_int]);
    fn send(&self, to: c_int, bytes: &[u8]);
    fn receive(&self, from: c_int, bytes: &mut [u8]);
    fn abort(&self);
    fn finalize(&self);
}

impl<H: Copy> Functions<H> {
    fn number(&self, of: &Symbol<unsafe extern "C" fn(H, *mut c_int) -> c_int>, comm: H) -> c_int {
        let mut number = 0;
        // SAFETY: a communicator, and where its rank or size goes.
        unsafe { of(comm, &raw mut number) };
        number
    }
}

// SAFETY, for all calls: MPI is initialised; buffers have as many bytes as the counts say, which fit into their type because
// `Mpi` checks that.
impl<H: Copy> Calls for Functions<H> {
    fn rank(&self) -> c_int {
        self.number(&self.comm_rank, self.world)
    }

    fn size(&self) -> c_int {
        self.number(&self.comm_size, self.world)
    }

    fn local_rank(&self) -> c_int {
        let mut host = self.world;
        // SAFETY: as above; the new communicator is freed with the process.
        unsafe { (self.comm_split_type)(self.world, self.shared, 0, self.no_info, &raw mut host) };
        self.number(&self.comm_rank, host)
    }

    fn all_gather(&self, own: &[u8], all: &mut [u8]) {
        let count = own.len() as c_int;
        let (from, to) = (own.as_ptr().cast(), all.as_mut_ptr().cast());
        // SAFETY: as above; `all` has room for as many bytes of each process.
        unsafe { (self.allgather)(from, count, self.byte, to, count, self.byte, self.world) };
    }

    fn gather(&self, own: &[u8], all: &mut [u8], counts: &[c_int], starts: &[c_int]) {
        let (from, to) = (own.as_ptr().cast(), all.as_mut_ptr().cast());
        let (counts, starts) = (counts.as_ptr(), starts.as_ptr());
        // SAFETY: as above; counts and starts are of each process, inside of `all`, on process 0, and not read elsewhere.
        unsafe {
            (self.gatherv)(from, own.len() as c_int, self.byte, to, counts, starts, self.byte, 0, self.world)
        };
    }

    fn send(&self, to: c_int, bytes: &[u8]) {
        // SAFETY: as above.
        unsafe { (self.send)(bytes.as_ptr().cast(), bytes.len() as c_int, self.byte, to, TAG, self.world) };
    }

    fn receive(&self, from: c_int, bytes: &mut [u8]) {
        let (to, count) = (bytes.as_mut_ptr().cast(), bytes.len() as c_int);
        // SAFETY: as above; nobody asks for the status.
        unsafe { (self.recv)(to, count, self.byte, from, TAG, self.world, self.no_status) };
    }

    fn abort(&self) {
        // SAFETY: as above.
        unsafe { (self.abort)(self.world, 1) };
    }

    fn finalize(&self) {
        // SAFETY: as above, and nothing is called afterwards.
        unsafe { (self.finalize)() };
    }
}

/// This process among those of its job. Its end is the end of the process's part of the job.
pub struct Mpi {
    calls: Box<dyn Calls>,
    pub rank: usize,
    pub size: usize,
    /// The number of the process among those of its host.
    pub local_rank: usize,
}

impl Mpi {
    /// Joins the job, if there is one.
    ///
    /// # Errors
    ///
    /// [`Error::Mpi`] if the library cannot be loaded.
    pub fn start(choice: Choice) -> Result<Option<Mpi>, Error> {
        let Some(implementation) = choice.implementation() else { return Ok(None) };
        let calls = match implementation {
            Implementation::OpenMpi => {
                let handles = |library: &Library| {
                    // SAFETY: each is an object that its handle is the address of.
                    let address = |name: &[u8]| unsafe {
                        library.get::<*const c_void>(name).map(|symbol| symbol.into_raw().cast_const())
                    };
                    let names = [&b"ompi_mpi_comm_world\0"[..], b"ompi_mpi_byte\0", b"ompi_mpi_info_null\0"];
                    let [world, byte, no_info] = names.map(address);
                    Ok([world?, byte?, no_info?])
                };
                initialised(load::<*const c_void>(implementation, handles, (0, ptr::null_mut()))?)
            }
            Implementation::Mpich => {
                let handles = [0x4400_0000, 0x4c00_010d, 0x1c00_0000];
                let no_status = ptr::without_provenance_mut(1);
                initialised(load::<c_int>(implementation, |_| Ok(handles), (1, no_status))?)
            }
        };
        let number = |value: c_int| usize::try_from(value).unwrap_or(0);
        let (rank, size, local_rank) =
            (number(calls.rank()), number(calls.size()), number(calls.local_rank()));
        Ok(Some(Mpi { calls, rank, size, local_rank }))
    }

    /// The numbers of each process, in the order of the ranks: as many of each.
    pub fn all_gather(&self, own: &[u64]) -> Result<Vec<Vec<u64>>, Error> {
        let bytes: Vec<u8> = own.iter().flat_map(|number| number.to_ne_bytes()).collect();
        check(bytes.len() as u64 * self.size as u64)?;
        let mut all = vec![0; bytes.len() * self.size];
        self.calls.all_gather(&bytes, &mut all);
        let numbers: Vec<u64> =
            all.as_chunks::<8>().0.iter().map(|bytes| u64::from_ne_bytes(*bytes)).collect();
        Ok((0..self.size).map(|rank| numbers[rank * own.len()..(rank + 1) * own.len()].to_vec()).collect())
    }

    /// The bytes of each process, in the order of the ranks, on process 0; nothing elsewhere.
    pub fn gather(&self, own: &[u8]) -> Result<Option<Vec<Vec<u8>>>, Error> {
        let sizes = self.all_gather(&[own.len() as u64])?;
        let sizes: Vec<u64> = sizes.iter().map(|size| size[0]).collect();
        check(sizes.iter().sum())?;
        let starts: Vec<c_int> =
            sizes.iter().scan(0, |sum, size| Some(std::mem::replace(sum, *sum + *size as c_int))).collect();
        let counts: Vec<c_int> = sizes.iter().map(|size| *size as c_int).collect();
        let mut all = if self.rank == 0 { vec![0; sizes.iter().sum::<u64>() as usize] } else { Vec::new() };
        self.calls.gather(own, &mut all, &counts, &starts);
        let part = |(start, count): (&c_int, &c_int)| all[*start as usize..(start + count) as usize].to_vec();
        Ok((self.rank == 0).then(|| starts.iter().zip(&counts).map(part).collect()))
    }

    /// Sends bytes to a process that receives as many.
    pub fn send(&self, to: usize, bytes: &[u8]) -> Result<(), Error> {
        check(bytes.len() as u64)?;
        self.calls.send(to as c_int, bytes);
        Ok(())
    }

    /// Receives so many bytes that a process sends.
    pub fn receive(&self, from: usize, count: usize) -> Result<Vec<u8>, Error> {
        check(count as u64)?;
        let mut bytes = vec![0; count];
        self.calls.receive(from as c_int, &mut bytes);
        Ok(bytes)
    }

    /// Ends all processes of the job, with a status other than 0.
    pub fn abort(&self) {
        self.calls.abort();
    }
}

impl Drop for Mpi {
    fn drop(&mut self) {
        self.calls.finalize();
    }
}

fn initialised<H: Copy + 'static>(functions: Functions<H>) -> Box<dyn Calls> {
    let mut provided = 0;
    // SAFETY: MPI is initialised once, by the main thread, and the command line is none of its business.
    unsafe { (functions.init_thread)(ptr::null_mut(), ptr::null_mut(), FUNNELED, &raw mut provided) };
    Box::new(functions)
}

/// Sizes of messages are of a C `int`.
fn check(bytes: u64) -> Result<(), Error> {
    match c_int::try_from(bytes) {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::Usage(format!("{bytes} bytes are too many for a message of MPI"))),
    }
}
