//! NVIDIA's linker, which turns LTO-IR into PTX.

use std::{
    ffi::{CStr, CString, OsStr, c_char, c_int, c_void},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    ptr,
    sync::OnceLock,
};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

/// Names its file.
const VARIABLE: &str = "WARPFOLD_NVJITLINK";

/// Where its packages put it, below the folder of Python's packages.
const PACKAGED: [&str; 2] = ["nvidia/cu13/lib/libnvJitLink.so.13", "nvidia/nvjitlink/lib/libnvJitLink.so.12"];

/// The folder of Python's packages, under either of its names.
const PACKAGES: [&str; 2] = ["site-packages", "dist-packages"];

/// The kind of inputs that are LTO-IR.
const LTO_IR: c_int = 3;

type Size = unsafe extern "C" fn(*mut c_void, *mut usize) -> c_int;
type Copy = unsafe extern "C" fn(*mut c_void, *mut c_char) -> c_int;

/// Its functions, with the signatures of `nvJitLink.h`.
struct Functions {
    create: unsafe extern "C" fn(*mut *mut c_void, u32, *const *const c_char) -> c_int,
    destroy: unsafe extern "C" fn(*mut *mut c_void) -> c_int,
    add: unsafe extern "C" fn(*mut c_void, c_int, *const c_void, usize, *const c_char) -> c_int,
    complete: unsafe extern "C" fn(*mut c_void) -> c_int,
    ptx_size: Size,
    ptx: Copy,
    errors_size: Size,
    errors: Copy,
}

/// The files that the process has loaded.
pub(crate) fn loaded_files() -> Vec<PathBuf> {
    // Each line ends with the file, the only field with a slash.
    let mappings = std::fs::read("/proc/self/maps").unwrap_or_default();
    let mut files: Vec<PathBuf> = mappings
        .split(|&byte| byte == b'\n')
        .filter_map(|line| line.iter().position(|&byte| byte == b'/').map(|at| &line[at..]))
        .map(|file| PathBuf::from(OsStr::from_bytes(file)))
        .collect();
    files.dedup();
    files
}

/// Where the library may be: what the variable names, or beside other packages that the process uses.
fn candidates() -> Vec<PathBuf> {
    if let Some(named) = std::env::var_os(VARIABLE) {
        return vec![named.into()];
    }
    let mut folders: Vec<PathBuf> = Vec::new();
    for file in loaded_files() {
        let is_packages = |folder: &&Path| PACKAGES.iter().any(|name| folder.ends_with(name));
        if let Some(folder) = file.ancestors().find(is_packages)
            && !folders.iter().any(|known| known == folder)
        {
            folders.push(folder.to_owned());
        }
    }
    folders.iter().flat_map(|folder| PACKAGED.map(|name| folder.join(name))).collect()
}

fn functions() -> Option<&'static Functions> {
    static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();
    // SAFETY: loading runs the library's constructors; the program would load it itself. The signatures are those of
    // `nvJitLink.h`.
    let open = |path: PathBuf| unsafe {
        let library = Library::open(Some(&path), RTLD_NOW | RTLD_LOCAL).ok()?;
        let functions = Functions {
            create: *library.get(b"nvJitLinkCreate\0").ok()?,
            destroy: *library.get(b"nvJitLinkDestroy\0").ok()?,
            add: *library.get(b"nvJitLinkAddData\0").ok()?,
            complete: *library.get(b"nvJitLinkComplete\0").ok()?,
            ptx_size: *library.get(b"nvJitLinkGetLinkedPtxSize\0").ok()?,
            ptx: *library.get(b"nvJitLinkGetLinkedPtx\0").ok()?,
            errors_size: *library.get(b"nvJitLinkGetErrorLogSize\0").ok()?,
            errors: *library.get(b"nvJitLinkGetErrorLog\0").ok()?,
        };
        std::mem::forget(library);
        Some(functions)
    };
    FUNCTIONS.get_or_init(|| candidates().into_iter().find_map(open)).as_ref()
}

/// The PTX of LTO-IR, whose parts have names; the error says what is wrong.
pub(crate) fn ptx(options: &[CString], parts: &[(Vec<u8>, CString)]) -> Result<Vec<u8>, String> {
    let functions = functions().ok_or_else(|| {
        format!(
            "LTO-IR needs NVIDIA's linker, which was not found: install the package nvidia-nvjitlink, or set \
             {VARIABLE} to its libnvJitLink.so (numba compiles to PTX with lto=False)"
        )
    })?;
    let options: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
    let mut handle = ptr::null_mut();
    // SAFETY: there are as many options as their number says.
    let status = unsafe { (functions.create)(&mut handle, options.len() as u32, options.as_ptr()) };
    if status != 0 {
        return Err(format!("NVIDIA's linker rejects the options ({status})"));
    }
    let result = link(functions, handle, parts);
    // SAFETY: the handle came from the call above, and is not used again.
    unsafe { (functions.destroy)(&mut handle) };
    result
}

fn link(functions: &Functions, handle: *mut c_void, parts: &[(Vec<u8>, CString)]) -> Result<Vec<u8>, String> {
    let check = |status: c_int| {
        if status == 0 {
            return Ok(());
        }
        let text = text(handle, functions.errors_size, functions.errors).unwrap_or_default();
        Err(format!("NVIDIA's linker returned {status}: {}", String::from_utf8_lossy(&text)))
    };
    for (part, name) in parts {
        // SAFETY: the handle is live, and so are part and name during the call.
        check(unsafe { (functions.add)(handle, LTO_IR, part.as_ptr().cast(), part.len(), name.as_ptr()) })?;
    }
    // SAFETY: the handle is live.
    check(unsafe { (functions.complete)(handle) })?;
    text(handle, functions.ptx_size, functions.ptx).ok_or_else(|| "NVIDIA's linker made no PTX".to_owned())
}

/// A text without the NUL at its end.
fn text(handle: *mut c_void, size: Size, copy: Copy) -> Option<Vec<u8>> {
    let mut bytes = 0;
    // SAFETY: the handle is live, and the pointer is to a live value.
    if unsafe { size(handle, &mut bytes) } != 0 || bytes == 0 {
        return None;
    }
    let mut text = vec![0_u8; bytes];
    // SAFETY: the handle is live, and the buffer has the size that the library asked for.
    if unsafe { copy(handle, text.as_mut_ptr().cast()) } != 0 {
        return None;
    }
    let length = CStr::from_bytes_until_nul(&text).map_or(bytes, CStr::count_bytes);
    text.truncate(length);
    Some(text)
}
