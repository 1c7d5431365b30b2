//! The library of MPI, and its functions.
//!
//! Nothing is linked. The library that the program has loaded, or that of the launcher that is recognised, is used: Open MPI's or
//! MPICH's, whose handles differ in type. Both keep their binary interface: `libmpi.so.40` is Open MPI 3 to 5, `libmpich.so.12` and
//! `libmpi.so.12` are MPICH 3.1 to 4 and what is compatible with it.

use std::{
    ffi::{CStr, c_char, c_int, c_void},
    mem, ptr,
    rc::Rc,
};

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};

use crate::{
    error::Error,
    implementation::{Choice, Implementation},
};

/// The library that the program has loaded and initialised, if there is one and it is not finalised.
pub(crate) fn running() -> Option<Rc<dyn Calls>> {
    let loaded = |implementation: Implementation| {
        let names = implementation.libraries().iter();
        // SAFETY: nothing is loaded: it is there already, or there is none.
        names
            .filter_map(|name| unsafe { Library::open(Some(*name), RTLD_NOW | libc::RTLD_NOLOAD) }.ok())
            .next()
    };
    Implementation::ALL.into_iter().find_map(|implementation| {
        let calls = functions(implementation, loaded(implementation)?).ok()?;
        (calls.is_initialised() && !calls.is_finalised()).then_some(calls)
    })
}

/// The library of the launcher, loaded and not yet initialised; none if no launcher started this process.
pub(crate) fn of_launcher(choice: Choice) -> Result<Option<Rc<dyn Calls>>, Error> {
    let Some(implementation) = choice.of_launcher() else { return Ok(None) };
    let failed = |source| Error::Library { implementation, source };
    let mut last = None;
    for name in implementation.libraries() {
        // SAFETY: the initialisers of an MPI library may run at any time.
        match unsafe { Library::open(Some(*name), RTLD_NOW | RTLD_GLOBAL) } {
            Ok(library) => return functions(implementation, library).map(Some).map_err(failed),
            Err(error) => last = Some(error),
        }
    }
    last.map_or(Ok(None), |error| Err(failed(error)))
}

/// The functions of a loaded library, which stays loaded.
fn functions(implementation: Implementation, library: Library) -> Result<Rc<dyn Calls>, libloading::Error> {
    match implementation {
        Implementation::OpenMpi => {
            // SAFETY: each is an object that its handle is the address of.
            let address = |name: &[u8]| unsafe {
                library.get::<*const c_void>(name).map(|symbol| symbol.into_raw().cast_const())
            };
            let names = [&b"ompi_mpi_comm_world\0"[..], b"ompi_mpi_byte\0", b"ompi_mpi_info_null\0"];
            let [world, byte, no_info] = names.map(address);
            let constants = Constants {
                world: world?,
                byte: byte?,
                no_info: no_info?,
                shared: 0,
                no_status: ptr::null_mut(),
            };
            // SAFETY: the function has this type in Open MPI, whose handles are pointers.
            let convert =
                unsafe { *library.get::<unsafe extern "C" fn(c_int) -> *const c_void>(b"MPI_Comm_f2c\0")? };
            // SAFETY: it takes any number, and of one that is no communicator's it says so by a handle that is none.
            calls_of(library, constants, move |number| unsafe { convert(number) })
        }
        Implementation::Mpich => {
            let constants = Constants {
                world: 0x4400_0000,
                byte: 0x4c00_010d,
                no_info: 0x1c00_0000,
                shared: 1,
                no_status: ptr::without_provenance_mut(1),
            };
            calls_of(library, constants, |number| number)
        }
    }
}

fn calls_of<H: Handle>(
    library: Library,
    constants: Constants<H>,
    of_fortran: impl Fn(c_int) -> H + 'static,
) -> Result<Rc<dyn Calls>, libloading::Error> {
    // SAFETY: these are the functions of MPI 3, with the implementation's type of handles.
    let functions = unsafe { Functions::<H>::load(&library)? };
    // MPI must not be unloaded: it has threads and destructors of its own.
    mem::forget(library);
    Ok(Rc::new(Loaded { functions, constants, of_fortran: Box::new(of_fortran) }))
}

/// A handle of an implementation: a C `int`, or a pointer. Here all are numbers.
trait Handle: Copy + 'static {
    fn to_number(self) -> usize;
    fn of_number(number: usize) -> Self;
}

impl Handle for c_int {
    fn to_number(self) -> usize {
        self as usize
    }

    fn of_number(number: usize) -> c_int {
        number as c_int
    }
}

impl Handle for *const c_void {
    fn to_number(self) -> usize {
        self.expose_provenance()
    }

    fn of_number(number: usize) -> *const c_void {
        ptr::with_exposed_provenance(number)
    }
}

/// What MPI's header has as constants.
struct Constants<H> {
    /// `MPI_COMM_WORLD`, `MPI_BYTE`, `MPI_INFO_NULL`.
    world: H,
    byte: H,
    no_info: H,
    /// `MPI_COMM_TYPE_SHARED`: processes that share memory.
    shared: c_int,
    /// `MPI_STATUS_IGNORE` and `MPI_STATUSES_IGNORE`.
    no_status: *mut c_void,
}

macro_rules! functions {
    ($($field:ident $name:literal ($($argument:ty),*);)*) => {
        /// The functions, for handles of this type.
        struct Functions<H> {
            $($field: unsafe extern "C" fn($($argument),*) -> c_int,)*
        }

        impl<H: Handle> Functions<H> {
            /// # Safety
            ///
            /// The library's functions have these types, and it stays loaded.
            unsafe fn load(library: &Library) -> Result<Functions<H>, libloading::Error> {
                // SAFETY: the caller's promise.
                unsafe { Ok(Functions { $($field: *library.get(concat!($name, "\0").as_bytes())?,)* }) }
            }
        }
    };
}

functions! {
    init_thread "MPI_Init_thread" (*mut c_int, *mut *mut *mut c_char, c_int, *mut c_int);
    initialized "MPI_Initialized" (*mut c_int);
    finalized "MPI_Finalized" (*mut c_int);
    finalize "MPI_Finalize" ();
    abort "MPI_Abort" (H, c_int);
    error_string "MPI_Error_string" (c_int, *mut c_char, *mut c_int);
    comm_rank "MPI_Comm_rank" (H, *mut c_int);
    comm_size "MPI_Comm_size" (H, *mut c_int);
    comm_dup "MPI_Comm_dup" (H, *mut H);
    comm_split_type "MPI_Comm_split_type" (H, c_int, c_int, H, *mut H);
    comm_free "MPI_Comm_free" (*mut H);
    allgather "MPI_Allgather" (*const c_void, c_int, H, *mut c_void, c_int, H, H);
    bcast "MPI_Bcast" (*mut c_void, c_int, H, c_int, H);
    isend "MPI_Isend" (*const c_void, c_int, H, c_int, c_int, H, *mut H);
    irecv "MPI_Irecv" (*mut c_void, c_int, H, c_int, c_int, H, *mut H);
    waitall "MPI_Waitall" (c_int, *mut H, *mut c_void);
}

/// `MPI_THREAD_FUNNELED`: only the main thread calls.
const FUNNELED: c_int = 1;

/// The tag of all messages.
const TAG: c_int = 0;

/// Bytes of MPI's longest description of an error, in either implementation.
const LONGEST_REASON: usize = 1024;

/// A handle as a number: of a communicator, or a request.
pub(crate) type Number = usize;

/// MPI's functions, as far as they are used. Handles are numbers; communicators are live ones of this MPI, which is initialised
/// unless it is said otherwise.
pub(crate) trait Calls {
    /// Initialises MPI, which is not: by its main thread.
    fn start(&self) -> Result<(), Error>;
    /// These two may be called at any time.
    fn is_initialised(&self) -> bool;
    fn is_finalised(&self) -> bool;
    /// Nothing else is called afterwards.
    fn finalise(&self);
    fn abort(&self, comm: Number);
    fn world(&self) -> Number;
    /// The communicator with this handle in Fortran.
    fn of_fortran(&self, handle: c_int) -> Number;
    fn rank(&self, comm: Number) -> Result<usize, Error>;
    fn size(&self, comm: Number) -> Result<usize, Error>;
    fn duplicate(&self, comm: Number) -> Result<Number, Error>;
    /// The processes of this one's host.
    fn of_host(&self, comm: Number) -> Result<Number, Error>;
    fn free(&self, comm: Number);
    /// As many bytes of each process, in the order of the ranks, for each.
    fn all_gather(&self, comm: Number, own: &[u8], all: &mut [u8]) -> Result<(), Error>;
    fn broadcast(&self, comm: Number, root: usize, bytes: &mut [u8]) -> Result<(), Error>;
    /// Starts to send; the bytes stay there, and unchanged, until the request was waited for.
    ///
    /// # Safety
    ///
    /// The caller sees to that.
    unsafe fn send(&self, comm: Number, to: usize, bytes: &[u8]) -> Result<Number, Error>;
    /// Starts to receive as many bytes; nobody accesses them until the request was waited for.
    ///
    /// # Safety
    ///
    /// The caller sees to that.
    unsafe fn receive(&self, comm: Number, from: usize, bytes: &mut [u8]) -> Result<Number, Error>;
    fn wait(&self, requests: &[Number]) -> Result<(), Error>;
}

/// A library.
struct Loaded<H> {
    functions: Functions<H>,
    constants: Constants<H>,
    of_fortran: Box<dyn Fn(c_int) -> H>,
}

impl<H: Handle> Loaded<H> {
    /// An error unless the code is `MPI_SUCCESS`.
    fn check(&self, function: &'static str, code: c_int) -> Result<(), Error> {
        if code == 0 {
            return Ok(());
        }
        let (mut text, mut length) = ([0 as c_char; LONGEST_REASON], 0);
        // SAFETY: MPI is initialised, or it could not have failed; the text has room for the longest, and stays terminated.
        let reason = unsafe {
            (self.functions.error_string)(code, text.as_mut_ptr(), &raw mut length);
            text[LONGEST_REASON - 1] = 0;
            CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned()
        };
        Err(Error::Call { function, reason })
    }

    /// What a function says of MPI's state.
    fn flag(&self, of: unsafe extern "C" fn(*mut c_int) -> c_int) -> bool {
        let mut flag = 0;
        // SAFETY: it may be called at any time; where its answer goes.
        unsafe { of(&raw mut flag) };
        flag != 0
    }

    fn number(
        &self,
        function: &'static str,
        of: unsafe extern "C" fn(H, *mut c_int) -> c_int,
        comm: Number,
    ) -> Result<usize, Error> {
        let mut number = 0;
        // SAFETY: a communicator, and where its rank or size goes.
        self.check(function, unsafe { of(H::of_number(comm), &raw mut number) })?;
        Ok(number.max(0) as usize)
    }
}

// SAFETY, for all calls: MPI is initialised; buffers have as many bytes as the counts say, which `length` has checked.
impl<H: Handle> Calls for Loaded<H> {
    fn start(&self) -> Result<(), Error> {
        let mut provided = 0;
        // SAFETY: MPI is initialised once, and the command line is none of its business.
        let code = unsafe {
            (self.functions.init_thread)(ptr::null_mut(), ptr::null_mut(), FUNNELED, &raw mut provided)
        };
        self.check("MPI_Init_thread", code)
    }

    fn is_initialised(&self) -> bool {
        self.flag(self.functions.initialized)
    }

    fn is_finalised(&self) -> bool {
        self.flag(self.functions.finalized)
    }

    fn finalise(&self) {
        // SAFETY: as above, and nothing is called afterwards.
        unsafe { (self.functions.finalize)() };
    }

    fn abort(&self, comm: Number) {
        // SAFETY: as above.
        unsafe { (self.functions.abort)(H::of_number(comm), 1) };
    }

    fn world(&self) -> Number {
        self.constants.world.to_number()
    }

    fn of_fortran(&self, handle: c_int) -> Number {
        (self.of_fortran)(handle).to_number()
    }

    fn rank(&self, comm: Number) -> Result<usize, Error> {
        self.number("MPI_Comm_rank", self.functions.comm_rank, comm)
    }

    fn size(&self, comm: Number) -> Result<usize, Error> {
        self.number("MPI_Comm_size", self.functions.comm_size, comm)
    }

    fn duplicate(&self, comm: Number) -> Result<Number, Error> {
        let mut copy = self.constants.world;
        // SAFETY: as above; where the copy goes.
        self.check("MPI_Comm_dup", unsafe { (self.functions.comm_dup)(H::of_number(comm), &raw mut copy) })?;
        Ok(copy.to_number())
    }

    fn of_host(&self, comm: Number) -> Result<Number, Error> {
        let Constants { world, shared, no_info, .. } = self.constants;
        let mut host = world;
        // SAFETY: as above; where the new communicator goes.
        let code = unsafe {
            (self.functions.comm_split_type)(H::of_number(comm), shared, 0, no_info, &raw mut host)
        };
        self.check("MPI_Comm_split_type", code)?;
        Ok(host.to_number())
    }

    fn free(&self, comm: Number) {
        let mut comm = H::of_number(comm);
        // SAFETY: as above; nobody uses the communicator afterwards.
        unsafe { (self.functions.comm_free)(&raw mut comm) };
    }

    fn all_gather(&self, comm: Number, own: &[u8], all: &mut [u8]) -> Result<(), Error> {
        let (count, byte) = (length(own.len() as u64)?, self.constants.byte);
        let (from, to) = (own.as_ptr().cast(), all.as_mut_ptr().cast());
        // SAFETY: as above; `all` has room for as many bytes of each process.
        let code =
            unsafe { (self.functions.allgather)(from, count, byte, to, count, byte, H::of_number(comm)) };
        self.check("MPI_Allgather", code)
    }

    fn broadcast(&self, comm: Number, root: usize, bytes: &mut [u8]) -> Result<(), Error> {
        let (count, byte) = (length(bytes.len() as u64)?, self.constants.byte);
        let to = bytes.as_mut_ptr().cast();
        // SAFETY: as above.
        let code = unsafe { (self.functions.bcast)(to, count, byte, root as c_int, H::of_number(comm)) };
        self.check("MPI_Bcast", code)
    }

    unsafe fn send(&self, comm: Number, to: usize, bytes: &[u8]) -> Result<Number, Error> {
        let (count, Constants { byte, world, .. }) = (length(bytes.len() as u64)?, &self.constants);
        let (from, comm, mut request) = (bytes.as_ptr().cast(), H::of_number(comm), *world);
        // SAFETY: as above; the caller keeps the bytes.
        let code =
            unsafe { (self.functions.isend)(from, count, *byte, to as c_int, TAG, comm, &raw mut request) };
        self.check("MPI_Isend", code)?;
        Ok(request.to_number())
    }

    unsafe fn receive(&self, comm: Number, from: usize, bytes: &mut [u8]) -> Result<Number, Error> {
        let (count, Constants { byte, world, .. }) = (length(bytes.len() as u64)?, &self.constants);
        let (to, comm, mut request) = (bytes.as_mut_ptr().cast(), H::of_number(comm), *world);
        // SAFETY: as above; the caller keeps the bytes.
        let code =
            unsafe { (self.functions.irecv)(to, count, *byte, from as c_int, TAG, comm, &raw mut request) };
        self.check("MPI_Irecv", code)?;
        Ok(request.to_number())
    }

    fn wait(&self, requests: &[Number]) -> Result<(), Error> {
        let mut handles: Vec<H> = requests.iter().map(|request| H::of_number(*request)).collect();
        let (count, no_status) = (length(handles.len() as u64)?, self.constants.no_status);
        // SAFETY: as above; nobody asks for the statuses, or uses the requests again.
        let code = unsafe { (self.functions.waitall)(count, handles.as_mut_ptr(), no_status) };
        self.check("MPI_Waitall", code)
    }
}

/// Sizes of messages are of a C `int`.
pub(crate) fn length(bytes: u64) -> Result<c_int, Error> {
    c_int::try_from(bytes).map_err(|_| Error::TooLong { bytes })
}
