//! Where a program calls the driver: the program's own line behind libraries such as LLVM's host runtime.

use std::{
    ffi::CStr,
    fmt,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    ptr,
};

use object::read::{Object, ObjectSegment};
use ptx_emulator::printable;

use crate::debug_info;

/// Calls that are followed from the driver to the program.
const MOST_CALLS: usize = 48;

/// What programs are loaded at multiples of.
const PAGE: u64 = 4096;

/// Libraries between a program and the driver, by the beginning of their files' names.
const BETWEEN: [&str; 5] = ["libcuda.so", "libomptarget", "libLLVMOffload", "libomp.", "libffi"];

/// The calls that a thread is in, as addresses of code.
#[derive(Debug)]
pub(crate) struct HostCalls(Box<[usize]>);

/// A place in the program that a thread's calls go through.
#[derive(Debug)]
pub(crate) struct HostSite {
    /// The file of the program or of one of its libraries.
    file: PathBuf,
    /// The address in that file.
    address: u64,
    /// The source file and its line, if the file has debugging information.
    source: Option<(String, u32)>,
}

impl HostCalls {
    /// Those that the calling thread is in.
    #[cfg(target_os = "linux")]
    pub fn here() -> HostCalls {
        let mut addresses = [ptr::null_mut(); MOST_CALLS];
        // SAFETY: the function fills at most as many elements as it is told that there are.
        let count = unsafe { libc::backtrace(addresses.as_mut_ptr(), MOST_CALLS as i32) };
        HostCalls(addresses.iter().take(count.max(0) as usize).map(|address| address.addr()).collect())
    }

    #[cfg(not(target_os = "linux"))]
    pub fn here() -> HostCalls {
        HostCalls(Box::default())
    }

    /// The innermost one in the program itself.
    pub fn site(&self) -> Option<HostSite> {
        // A return address is that of the next instruction.
        let files = self.0.iter().filter_map(|address| file_of(address.checked_sub(1)?));
        let (file, address) = files.into_iter().find(|(file, _)| {
            let name = file.file_name().unwrap_or_default().as_encoded_bytes();
            !BETWEEN.iter().any(|between| name.starts_with(between.as_bytes()))
        })?;
        let source = line_of(&file, address);
        Some(HostSite { file, address, source })
    }
}

impl HostSite {
    /// The source file and its line.
    pub fn source(&self) -> Option<(&str, u32)> {
        self.source.as_ref().map(|(file, line)| (&**file, *line))
    }
}

impl fmt::Display for HostSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some((file, line)) => write!(f, "{}:{line}", printable(file)),
            None => write!(f, "{} at {:#x}", printable(&self.file.to_string_lossy()), self.address),
        }
    }
}

/// The file that code was loaded from, and the code's address there.
fn file_of(address: usize) -> Option<(PathBuf, u64)> {
    let mut found = libc::Dl_info {
        dli_fname: ptr::null(),
        dli_fbase: ptr::null_mut(),
        dli_sname: ptr::null(),
        dli_saddr: ptr::null_mut(),
    };
    // SAFETY: the function takes any address and writes to `found`.
    let known = unsafe { libc::dladdr(ptr::without_provenance(address), &mut found) } != 0;
    if !known || found.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the name is a string of the dynamic linker's, which stays as long as the file is loaded: this thread is
    // inside it, or was when the program made the call.
    let name = unsafe { CStr::from_ptr(found.dli_fname) };
    let file = Path::new(std::ffi::OsStr::from_bytes(name.to_bytes()));
    // Of the program itself, the linker knows only the name that it was started by.
    let file = if file.is_absolute() { file.to_path_buf() } else { std::env::current_exe().ok()? };
    Some((file, (address - found.dli_fbase.addr()) as u64))
}

/// The source line of code in a file: from the debugging information there, if it has any.
fn line_of(path: &Path, address: u64) -> Option<(String, u32)> {
    debug_info::with_file(path, |file, dwarf| {
        // A program that is not position-independent is loaded where its file says.
        let base = file.segments().map(|segment| segment.address() & !(PAGE - 1)).min().unwrap_or(0);
        let context = addr2line::Context::from_dwarf(dwarf).ok()?;
        let location = context.find_location(base.checked_add(address)?).ok()??;
        Some((location.file?.to_owned(), location.line?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_in_this_program_is_found_with_its_line() {
        let (calls, line) = (HostCalls::here(), line!());
        let site = calls.site().expect("this program");
        assert_eq!(site.file, std::env::current_exe().expect("a path"));
        let (file, found) = site.source().expect("debugging information");
        assert!(file.ends_with("cuda-driver/src/host_site.rs"), "{site}");
        // The innermost call is that of `here`, or the one inside it that was not inlined.
        assert!(found.abs_diff(line) <= line, "{site}");
    }

    #[test]
    fn a_place_without_debugging_information_is_an_address() {
        let site = HostSite { file: "/bin/x\u{1b}[2J".into(), address: 0x12, source: None };
        assert_eq!(site.to_string(), "/bin/x\\u{1b}[2J at 0x12");
        assert_eq!(line_of(Path::new("/bin/sh"), 0), None);
        assert_eq!(line_of(Path::new("/nowhere"), 0), None);
    }
}
