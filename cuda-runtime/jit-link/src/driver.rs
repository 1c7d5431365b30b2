//! The linker of the driver library.

use std::{
    cell::UnsafeCell,
    ffi::{CStr, c_char, c_int, c_void},
    ptr,
    sync::OnceLock,
};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

/// The driver library's name.
const NAME: &str = "libcuda.so.1";

/// `CUjit_option`: a buffer for errors, its size, and the architecture.
const ERRORS: c_int = 5;
const ERRORS_BYTES: c_int = 6;
const TARGET: c_int = 9;

/// Bytes of messages that are kept.
const MOST_MESSAGES: usize = 4096;

/// What the driver says of a link that fails.
pub(crate) struct Failure {
    pub message: String,
}

type Add = unsafe extern "C" fn(
    usize,
    c_int,
    *const c_void,
    usize,
    *const c_char,
    u32,
    *const c_int,
    *const *mut c_void,
) -> c_int;

/// The functions that link, with the signatures of `cuda.h`.
struct Functions {
    create: unsafe extern "C" fn(u32, *const c_int, *const *mut c_void, *mut usize) -> c_int,
    add: Add,
    complete: unsafe extern "C" fn(usize, *mut *const u8, *mut usize) -> c_int,
    destroy: unsafe extern "C" fn(usize) -> c_int,
}

/// The driver's functions; it is loaded and initialised by the first use. `None` if there is none.
fn functions() -> Option<&'static Functions> {
    static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();
    let open = || {
        // SAFETY: loading runs the library's constructors. The name is the driver's own, and whoever controls what the
        // dynamic linker finds under it controls this process anyway. The signatures are those of `cuda.h`.
        unsafe {
            let library = Library::open(Some(NAME), RTLD_NOW | RTLD_LOCAL).ok()?;
            let initialise = *library.get::<unsafe extern "C" fn(u32) -> c_int>(b"cuInit\0").ok()?;
            let functions = Functions {
                create: *library.get(b"cuLinkCreate_v2\0").ok()?,
                add: *library.get(b"cuLinkAddData_v2\0").ok()?,
                complete: *library.get(b"cuLinkComplete\0").ok()?,
                destroy: *library.get(b"cuLinkDestroy\0").ok()?,
            };
            // Destructors that run at exit may call the driver: it is never unloaded.
            std::mem::forget(library);
            (initialise(0) == 0).then_some(functions)
        }
    };
    FUNCTIONS.get_or_init(open).as_ref()
}

/// A link of the driver.
pub(crate) struct Link {
    functions: &'static Functions,
    handle: usize,
    /// Where the driver writes messages, as long as the link lives.
    messages: Box<UnsafeCell<[u8; MOST_MESSAGES]>>,
    /// The driver's options, which it may write to.
    _values: Box<[*mut c_void; 3]>,
}

impl Link {
    /// Begins a link for an architecture, 90 for sm_90.
    pub fn new(architecture: u32) -> Result<Link, Failure> {
        let no_driver = || Failure { message: format!("{NAME} cannot be used, or does not link") };
        let functions = functions().ok_or_else(no_driver)?;
        let messages = Box::new(UnsafeCell::new([0; MOST_MESSAGES]));
        let options = [ERRORS, ERRORS_BYTES, TARGET];
        let values = Box::new([
            messages.get().cast(),
            ptr::without_provenance_mut(MOST_MESSAGES),
            ptr::without_provenance_mut(architecture as usize),
        ]);
        let mut handle = 0;
        // SAFETY: there are as many options as values; the buffer and the values live as long as the link.
        let status = unsafe {
            (functions.create)(options.len() as u32, options.as_ptr(), values.as_ptr(), &mut handle)
        };
        if status == 0 { Ok(Link { functions, handle, messages, _values: values }) } else { Err(no_driver()) }
    }

    /// Adds an input of a kind of the driver.
    pub fn add(&mut self, kind: c_int, data: &[u8], name: &CStr) -> Result<(), Failure> {
        // SAFETY: the data and the name live during the call.
        let status = unsafe {
            (self.functions.add)(
                self.handle,
                kind,
                data.as_ptr().cast(),
                data.len(),
                name.as_ptr(),
                0,
                ptr::null(),
                ptr::null(),
            )
        };
        self.check(status)
    }

    /// Links the inputs; the result is an image.
    pub fn complete(&mut self) -> Result<Vec<u8>, Failure> {
        let (mut image, mut bytes) = (ptr::null(), 0);
        // SAFETY: the pointers are to live values.
        let status = unsafe { (self.functions.complete)(self.handle, &mut image, &mut bytes) };
        self.check(status)?;
        // SAFETY: the driver returns an image of this size, which lives as long as the link.
        Ok(unsafe { std::slice::from_raw_parts(image, bytes) }.to_vec())
    }

    fn check(&self, status: c_int) -> Result<(), Failure> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: the driver writes during calls only.
        let messages = unsafe { &*self.messages.get() };
        let text = CStr::from_bytes_until_nul(messages).unwrap_or_default().to_string_lossy();
        let message =
            if text.is_empty() { format!("the driver returned {status}") } else { text.into_owned() };
        Err(Failure { message })
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // SAFETY: the handle came from the driver and was not destroyed.
        unsafe { (self.functions.destroy)(self.handle) };
    }
}
