//! NVIDIA's driver, or the emulated one as a library of its own, loaded at run time.

use std::ffi::{c_int, c_uint};

use libloading::Library;

use crate::{EntryPoint, Status, entry_points::set_missing_status, log};

/// Where the driver is looked for: in the dynamic linker's folders, then where WSL keeps it.
const NAMES: &[&str] = &["libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1"];

/// A symbol that only `cuda-driver-so` has, which may be installed under the driver's file name.
const EMULATED: &[u8] = b"warpfold_emulated_driver\0";

/// A driver library whose `cuInit` succeeded and that has a device.
pub(crate) struct Driver(Library);

/// Loads the driver and initialises it; the error says what was tried.
pub(crate) fn open() -> Result<Driver, String> {
    let mut tried = Vec::new();
    for name in NAMES {
        match probe(name) {
            Ok(driver) => return Ok(driver),
            Err(why) => tried.push(format!("{name}: {why}")),
        }
    }
    Err(tried.join("; "))
}

/// The emulated driver as a library of its own, if that is what the dynamic linker finds under the driver's name.
pub(crate) fn open_emulated() -> Option<Driver> {
    // SAFETY: as for `probe`; only the presence of the symbol is checked.
    NAMES.iter().find_map(|name| unsafe {
        let library = Library::new(*name).ok()?;
        library.get::<*const u8>(EMULATED).is_ok().then_some(Driver(library))
    })
}

fn probe(name: &str) -> Result<Driver, String> {
    // SAFETY: loading runs the library's constructors. The name is the driver's own, and whoever controls
    // what the dynamic linker finds under it controls this process anyway.
    let library = unsafe { Library::new(name) }.map_err(|error| error.to_string())?;
    // SAFETY: only the presence of the symbol is checked.
    if unsafe { library.get::<*const u8>(EMULATED) }.is_ok() {
        return Err("it is the emulated driver".to_owned());
    }
    let check =
        |entry: &str, code: c_int| Status::check(code).map_err(|status| format!("{entry} returned {status}"));
    // SAFETY: this is the signature of cuInit in cuda.h.
    let init = unsafe { library.get::<unsafe extern "C" fn(c_uint) -> c_int>(b"cuInit\0") }
        .map_err(|error| error.to_string())?;
    // SAFETY: cuInit takes flags, which must be 0, and may be called at any time.
    check("cuInit", unsafe { init(0) })?;
    // SAFETY: this is the signature of cuDeviceGetCount in cuda.h.
    let count = unsafe { library.get::<unsafe extern "C" fn(*mut c_int) -> c_int>(b"cuDeviceGetCount\0") }
        .map_err(|error| error.to_string())?;
    let mut devices = 0;
    // SAFETY: the pointer is to a live integer.
    check("cuDeviceGetCount", unsafe { count(&mut devices) })?;
    if devices < 1 {
        return Err("the driver has no device".to_owned());
    }
    Ok(Driver(library))
}

impl Driver {
    /// Puts the driver's entry points into the table; the library is never unloaded.
    pub(crate) fn fill_table(self) {
        // Other threads and destructors that run at exit may hold entry points: never unload.
        let library: &'static Library = Box::leak(Box::new(self.0));
        set_missing_status(Status::NOT_FOUND);
        for &entry in EntryPoint::ALL {
            let symbol = format!("{entry}\0");
            // SAFETY: only the symbol's address is taken; nothing is read or called through it here.
            let address = unsafe { library.get::<*mut ()>(symbol.as_bytes()) };
            if address.is_err() {
                log::call(format_args!("this driver does not have {entry}"));
            }
            entry.set(address.ok().map(|symbol| *symbol));
        }
    }
}
