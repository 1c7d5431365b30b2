//! What is loaded for programs in Python before they look for NVIDIA's libraries.
//!
//! Packages such as numba look for NVIDIA's libraries among Python's packages first. They take ones that the process
//! has loaded already, though. So `warpfold run` lets the dynamic linker load this library into every process that it
//! starts, and this library loads the others into processes of Python.

use std::path::Path;

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LAZY};

use crate::{file::NAMES, nvidia::loaded_files};

/// A function of Python's interpreter.
const PYTHON: &[u8] = b"Py_IsInitialized\0";

/// What is loaded from the folder of this library.
const OTHERS: [&str; 3] = [NAMES[0], "libcudart.so.13", "libcudart.so.12"];

/// Runs when the library is loaded.
#[used]
#[unsafe(link_section = ".init_array")]
static LOAD: extern "C" fn() = load;

extern "C" fn load() {
    // A panic must not unwind into the dynamic linker.
    let _ = std::panic::catch_unwind(|| {
        // SAFETY: only the presence of the symbol is checked.
        if unsafe { Library::this().get::<*const u8>(PYTHON) }.is_err() {
            return;
        }
        let files = loaded_files();
        let this = files.iter().find(|file| NAMES.iter().any(|name| file.ends_with(name)));
        let Some(folder) = this.and_then(|file| file.parent()) else { return };
        // The other name of this library is loaded below.
        if this.is_some_and(|file| file.ends_with(NAMES[0])) {
            return;
        }
        OTHERS.iter().for_each(|name| keep(&folder.join(name)));
    });
}

/// Loads a library for good, if it is there.
fn keep(path: &Path) {
    // SAFETY: loading runs the library's constructors; it is one that this library was installed with.
    if let Ok(library) = unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_GLOBAL) } {
        std::mem::forget(library);
    }
}
