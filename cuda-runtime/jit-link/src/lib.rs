//! The interface of NVIDIA's linker, nvJitLink, over the linker of a driver library.
//!
//! NVIDIA's linker makes machine code, which the emulator cannot run. This library passes the inputs to the driver that
//! the dynamic linker finds as `libcuda.so.1`: the emulated one returns an image that holds the inputs' PTX. LTO-IR is
//! bitcode of a version of LLVM that is NVIDIA's own: NVIDIA's linker, where it is installed, makes PTX of it.
//!
//! Functions have the names of all versions of the interface, such as `__nvJitLinkCreate_13_0`, because programs ask
//! for the names of the version that they were compiled for.
//!
//! | file | what is in it |
//! |---|---|
//! | `driver` | the linker of the driver library |
//! | `file` | the library's file under the names of both versions of CUDA |
//! | `nvidia` | NVIDIA's linker, for LTO-IR |
//! | `python` | what is loaded for programs in Python before they look for NVIDIA's libraries |

mod driver;
pub mod file;
mod nvidia;
mod python;

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
};

use driver::{Failure, Link};

/// `nvJitLinkResult`: why a call fails.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
enum Problem {
    UnrecognizedOption = 1,
    MissingArchitecture = 2,
    InvalidInput = 3,
    PtxCompile = 4,
    NvvmCompile = 5,
    Internal = 6,
    UnrecognizedInput = 8,
    Finalize = 9,
    NullInput = 10,
    IncompatibleOptions = 11,
}

/// `nvJitLinkInputType`, and the driver's numbers (`CUjitInputType`).
const KINDS: [(c_int, c_int); 5] = [(1, 0), (2, 1), (4, 2), (5, 3), (6, 4)];
const LTO_IR: c_int = 3;
const ANY: c_int = 10;

/// The driver's number of PTX, cubins, host objects and archives.
const PTX: c_int = 1;
const CUBIN: c_int = 0;
const FATBIN: c_int = 2;
const OBJECT: c_int = 3;
const LIBRARY: c_int = 4;

/// The first bytes of LTO-IR.
const LTO_IR_MAGIC: [u8; 4] = [0xed, 0x43, 0x4e, 0x7f];

/// The machine of an ELF file that is a cubin.
const CUDA_MACHINE: [u8; 2] = 190_u16.to_le_bytes();

/// A link, as the interface's handles stand for it.
struct Linker {
    link: Link,
    /// Inputs that NVIDIA's linker turns into PTX first, with their names.
    lto_ir: Vec<(Vec<u8>, CString)>,
    /// The options for that.
    options: Vec<CString>,
    image: Option<Vec<u8>>,
    /// The PTX of the LTO-IR.
    ptx: Option<Vec<u8>>,
    messages: String,
}

/// An option that names an architecture.
const ARCHITECTURE: &str = "-arch=sm_";

/// Options for which NVIDIA's linker is always called.
const FOR_PTX: [&str; 2] = ["-lto", "-ptx"];

/// Runs the body of a call: no panic crosses the boundary.
fn call(body: impl FnOnce() -> Result<(), Problem>) -> c_int {
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or(Err(Problem::Internal));
    result.map_or_else(|problem| problem as c_int, |()| 0)
}

/// The linker that a handle stands for.
///
/// # Safety
///
/// `handle` is null or came from [`create`] and was not destroyed; no other thread uses it.
unsafe fn linker<'a>(handle: *mut c_void) -> Result<&'a mut Linker, Problem> {
    // SAFETY: by the caller's promise.
    unsafe { handle.cast::<Linker>().as_mut() }.ok_or(Problem::InvalidInput)
}

/// Writes a result; null is rejected.
///
/// # Safety
///
/// `to` is null or valid for a write.
unsafe fn write<T>(to: *mut T, value: T) -> Result<(), Problem> {
    if to.is_null() {
        return Err(Problem::NullInput);
    }
    // SAFETY: not null, so valid for a write by the caller's promise.
    unsafe { to.write_unaligned(value) };
    Ok(())
}

/// # Safety
///
/// `options` has `count` C strings.
unsafe fn create(handle: *mut *mut c_void, count: u32, options: *const *const c_char) -> Result<(), Problem> {
    let mut architecture = None;
    let mut options_for_ptx: Vec<CString> =
        FOR_PTX.iter().filter_map(|option| CString::new(*option).ok()).collect();
    for at in 0..count as usize {
        // SAFETY: by the caller's promise.
        let option = unsafe {
            let option = options.add(at).read();
            if option.is_null() {
                return Err(Problem::NullInput);
            }
            CStr::from_ptr(option)
        };
        let text = option.to_string_lossy();
        if !FOR_PTX.contains(&&*text) {
            options_for_ptx.push(option.to_owned());
        }
        if let Some(name) = text.strip_prefix(ARCHITECTURE) {
            // Letters behind the number name features that only this architecture has.
            let number = name.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
            architecture = Some(number.parse().map_err(|_| Problem::UnrecognizedOption)?);
        } else if text == "-r" {
            eprintln!("warpfold: nvJitLink: the option -r (a result that is linked later) is not supported");
            return Err(Problem::IncompatibleOptions);
        }
    }
    let architecture = architecture.ok_or(Problem::MissingArchitecture)?;
    let link = Link::new(architecture).map_err(|_| Problem::Internal)?;
    let linker = Box::new(Linker {
        link,
        lto_ir: Vec::new(),
        options: options_for_ptx,
        image: None,
        ptx: None,
        messages: String::new(),
    });
    // SAFETY: by the caller's promise.
    unsafe { write(handle, Box::into_raw(linker).cast()) }
}

/// # Safety
///
/// `handle` is null or points to a handle.
unsafe fn destroy(handle: *mut *mut c_void) -> Result<(), Problem> {
    // SAFETY: by the caller's promise.
    let known = unsafe { handle.as_mut() }.filter(|known| !known.is_null()).ok_or(Problem::InvalidInput)?;
    // SAFETY: handles come from `create`, and this one cannot be used again.
    drop(unsafe { Box::from_raw(known.cast::<Linker>()) });
    *known = std::ptr::null_mut();
    Ok(())
}

/// The driver's number of an input's kind.
fn kind_of(kind: c_int, data: &[u8]) -> Result<c_int, Problem> {
    match kind {
        ANY => Ok(match data {
            [0x7f, b'E', b'L', b'F', ..] if data.get(18..20) == Some(&CUDA_MACHINE) => CUBIN,
            [0x7f, b'E', b'L', b'F', ..] => OBJECT,
            [0x50, 0xed, 0x55, 0xba, ..] => FATBIN,
            [b'!', b'<', b'a', b'r', ..] => LIBRARY,
            _ => PTX,
        }),
        kind => {
            KINDS.iter().find(|known| known.0 == kind).map(|known| known.1).ok_or(Problem::UnrecognizedInput)
        }
    }
}

impl Linker {
    fn add(&mut self, kind: c_int, data: &[u8], name: &CStr) -> Result<(), Problem> {
        if kind == LTO_IR || (kind == ANY && data.starts_with(&LTO_IR_MAGIC)) {
            self.lto_ir.push((data.to_owned(), name.to_owned()));
            return Ok(());
        }
        let kind = kind_of(kind, data)?;
        self.link.add(kind, data, name).map_err(|failure| {
            let problem = if kind == PTX { Problem::PtxCompile } else { Problem::InvalidInput };
            self.keep(failure, problem)
        })
    }

    /// Links all inputs.
    fn complete(&mut self) -> Result<(), Problem> {
        if !self.lto_ir.is_empty() {
            let ptx = nvidia::ptx(&self.options, &self.lto_ir)
                .map_err(|message| self.keep(Failure { message }, Problem::NvvmCompile))?;
            self.link.add(PTX, &ptx, c"LTO-IR").map_err(|failure| self.keep(failure, Problem::PtxCompile))?;
            self.ptx = Some(ptx);
            self.lto_ir.clear();
        }
        self.image = Some(self.link.complete().map_err(|failure| self.keep(failure, Problem::Finalize))?);
        Ok(())
    }

    fn keep(&mut self, failure: Failure, problem: Problem) -> Problem {
        self.messages = failure.message;
        problem
    }
}

/// # Safety
///
/// As for [`linker`]; `data` has `bytes` bytes, and `name` is null or a C string.
unsafe fn add_data(
    handle: *mut c_void,
    kind: c_int,
    data: *const c_void,
    bytes: usize,
    name: *const c_char,
) -> Result<(), Problem> {
    if data.is_null() || bytes == 0 {
        return Err(Problem::NullInput);
    }
    // SAFETY: by the caller's promise.
    unsafe {
        let name = if name.is_null() { c"input" } else { CStr::from_ptr(name) };
        linker(handle)?.add(kind, std::slice::from_raw_parts(data.cast(), bytes), name)
    }
}

/// # Safety
///
/// As for [`linker`]; `path` is null or a C string.
unsafe fn add_file(handle: *mut c_void, kind: c_int, path: *const c_char) -> Result<(), Problem> {
    if path.is_null() {
        return Err(Problem::NullInput);
    }
    // SAFETY: by the caller's promise.
    let (linker, path) = unsafe { (linker(handle)?, CStr::from_ptr(path)) };
    let data = std::fs::read(path.to_string_lossy().as_ref()).map_err(|_| Problem::InvalidInput)?;
    linker.add(kind, &data, path)
}

/// # Safety
///
/// As for [`linker`].
unsafe fn complete(handle: *mut c_void) -> Result<(), Problem> {
    // SAFETY: by the caller's promise.
    unsafe { linker(handle)? }.complete()
}

/// # Safety
///
/// As for [`linker`]; `to` has room for as many bytes as the size that was asked for.
unsafe fn copy(
    handle: *mut c_void,
    to: *mut c_void,
    of: impl FnOnce(&Linker) -> Option<Vec<u8>>,
) -> Result<(), Problem> {
    // SAFETY: by the caller's promise.
    let bytes = of(unsafe { linker(handle)? }).ok_or(Problem::InvalidInput)?;
    if to.is_null() {
        return Err(Problem::NullInput);
    }
    // SAFETY: not null, so with room for the bytes by the caller's promise.
    unsafe { to.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    Ok(())
}

/// # Safety
///
/// As for [`linker`]; `to` is null or valid for a write.
unsafe fn size(
    handle: *mut c_void,
    to: *mut usize,
    of: impl FnOnce(&Linker) -> Option<Vec<u8>>,
) -> Result<(), Problem> {
    // SAFETY: by the caller's promise.
    unsafe { write(to, of(linker(handle)?).ok_or(Problem::InvalidInput)?.len()) }
}

/// The linked image.
fn image(linker: &Linker) -> Option<Vec<u8>> {
    linker.image.clone()
}

/// What was wrong, with a NUL; nothing if all is well.
fn errors(linker: &Linker) -> Option<Vec<u8>> {
    Some(match &*linker.messages {
        "" => Vec::new(),
        text => text.bytes().chain([0]).collect(),
    })
}

/// What is not wrong: nothing is said.
fn nothing(_: &Linker) -> Option<Vec<u8>> {
    Some(Vec::new())
}

/// The PTX of LTO-IR, with a NUL.
fn ptx(linker: &Linker) -> Option<Vec<u8>> {
    linker.ptx.as_ref().map(|text| text.iter().copied().chain([0]).collect())
}

/// LTO-IR is not made here.
fn never(_: &Linker) -> Option<Vec<u8>> {
    None
}

/// Defines functions, each under the names of all versions of the interface.
macro_rules! functions {
    ($($name:literal => fn $function:ident $arguments:tt $body:block)*) => {
        $(functions! { @one $name $function $arguments $body })*
    };
    (@one $name:literal $function:ident($($argument:ident: $ty:ty),*) $body:block) => {
        #[doc = concat!("`nvJitLink", $name, "` of NVIDIA's linker.")]
        ///
        /// # Safety
        ///
        /// As NVIDIA's documentation of the function says.
        #[unsafe(export_name = concat!("nvJitLink", $name))]
        pub unsafe extern "C" fn $function($($argument: $ty),*) -> c_int {
            // SAFETY: arguments are what the caller promises.
            call(|| unsafe { $body })
        }

        functions! {
            @versions $name $function($($argument: $ty),*)
            "12_0" "12_1" "12_2" "12_3" "12_4" "12_5" "12_6" "12_7" "12_8" "12_9"
            "13_0" "13_1" "13_2" "13_3" "13_4" "13_5" "13_6" "13_7" "13_8" "13_9"
        }
    };
    (@versions $name:literal $function:ident $arguments:tt) => {};
    (
        @versions $name:literal $function:ident($($argument:ident: $ty:ty),*)
        $version:literal $($versions:literal)*
    ) => {
        const _: () = {
            #[unsafe(export_name = concat!("__nvJitLink", $name, "_", $version))]
            unsafe extern "C" fn versioned($($argument: $ty),*) -> c_int {
                // SAFETY: by the promise of this function's caller.
                unsafe { $function($($argument),*) }
            }
        };
        functions! { @versions $name $function($($argument: $ty),*) $($versions)* }
    };
}

functions! {
    "Create" => fn link_create(handle: *mut *mut c_void, count: u32, options: *const *const c_char) {
        create(handle, count, options)
    }

    "Destroy" => fn link_destroy(handle: *mut *mut c_void) {
        destroy(handle)
    }

    "AddData" => fn link_add_data(
        handle: *mut c_void,
        kind: c_int,
        data: *const c_void,
        bytes: usize,
        name: *const c_char
    ) {
        add_data(handle, kind, data, bytes, name)
    }

    "AddFile" => fn link_add_file(handle: *mut c_void, kind: c_int, path: *const c_char) {
        add_file(handle, kind, path)
    }

    "Complete" => fn link_complete(handle: *mut c_void) {
        complete(handle)
    }

    "GetLinkedCubinSize" => fn linked_cubin_size(handle: *mut c_void, to: *mut usize) {
        size(handle, to, image)
    }

    "GetLinkedCubin" => fn linked_cubin(handle: *mut c_void, to: *mut c_void) {
        copy(handle, to, image)
    }

    "GetLinkedPtxSize" => fn linked_ptx_size(handle: *mut c_void, to: *mut usize) {
        size(handle, to, ptx)
    }

    "GetLinkedPtx" => fn linked_ptx(handle: *mut c_void, to: *mut c_void) {
        copy(handle, to, ptx)
    }

    "GetLinkedLTOIRSize" => fn linked_lto_ir_size(handle: *mut c_void, to: *mut usize) {
        size(handle, to, never)
    }

    "GetLinkedLTOIR" => fn linked_lto_ir(handle: *mut c_void, to: *mut c_void) {
        copy(handle, to, never)
    }

    "GetErrorLogSize" => fn error_log_size(handle: *mut c_void, to: *mut usize) {
        size(handle, to, errors)
    }

    "GetErrorLog" => fn error_log(handle: *mut c_void, to: *mut c_void) {
        copy(handle, to, errors)
    }

    "GetInfoLogSize" => fn info_log_size(handle: *mut c_void, to: *mut usize) {
        size(handle, to, nothing)
    }

    "GetInfoLog" => fn info_log(handle: *mut c_void, to: *mut c_void) {
        copy(handle, to, nothing)
    }
}

/// `nvJitLinkVersion` of NVIDIA's linker: the newest version that was known when this library was written.
///
/// # Safety
///
/// Both pointers are null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvJitLinkVersion(major: *mut u32, minor: *mut u32) -> c_int {
    // SAFETY: by the caller's promise.
    call(|| unsafe {
        write(major, 13)?;
        write(minor, 5)
    })
}
