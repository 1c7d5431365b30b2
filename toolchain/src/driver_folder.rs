//! The folder of the emulated driver: the names under which programs and linkers look for its libraries.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A folder with the emulated driver, CUDA's runtime library and its linker.
#[derive(Clone, Copy, Debug)]
pub struct DriverFolder;

impl DriverFolder {
    /// The file of the driver: the name that programs linked with it look for.
    pub const DRIVER: &'static str = "libcuda.so.1";

    /// The file of the runtime library of CUDA 13, likewise.
    pub const RUNTIME: &'static str = "libcudart.so.13";

    /// The file of the runtime library of CUDA 12, likewise.
    pub const RUNTIME_12: &'static str = "libcudart.so.12";

    /// CUDA's linker, which `warpfold run` loads into programs in Python.
    pub const LINKER: &'static str = "libnvJitLink.so.13";

    /// All libraries.
    pub const FILES: [&'static str; 5] = [
        DriverFolder::DRIVER,
        DriverFolder::RUNTIME,
        DriverFolder::RUNTIME_12,
        DriverFolder::LINKER,
        "libnvJitLink.so.12",
    ];

    /// The runtime library's name for linkers.
    pub(crate) const LINKED: &'static str = "libcudart.so";

    /// nvcc and CMake link this library unless told otherwise. It is a linker script, so that they link the shared one.
    pub(crate) const STATIC: &'static str = "libcudart_static.a";

    /// Other names of the driver and the runtime library. Linkers look for both, and libomptarget opens the first.
    const LINKS: [(&'static str, &'static str); 2] =
        [("libcuda.so", DriverFolder::DRIVER), (DriverFolder::LINKED, DriverFolder::RUNTIME)];

    /// The text of [`DriverFolder::STATIC`], which makes linkers take the file `library` beside it.
    pub(crate) fn script(library: &str) -> String {
        format!("/* GNU ld script: programs are linked with the shared library. */\nINPUT({library})\n")
    }

    /// Adds the other names to a folder that has the files.
    ///
    /// # Errors
    /// The file that cannot be written, and why.
    pub fn complete(folder: &Path) -> Result<(), (PathBuf, io::Error)> {
        for (name, target) in DriverFolder::LINKS {
            let link = folder.join(name);
            let is_there = || fs::read_link(&link).is_ok_and(|known| known == Path::new(target));
            match symlink(target, &link) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_there() => {}
                outcome => outcome.map_err(|error| (link, error))?,
            }
        }
        let (name, text) = (DriverFolder::STATIC, DriverFolder::script(DriverFolder::RUNTIME));
        let script = folder.join(name);
        // Written under another name first: a linker may be reading it.
        if fs::read(&script).is_ok_and(|known| known == text.as_bytes()) {
            return Ok(());
        }
        let fresh = folder.join(format!("{name}.{}", std::process::id()));
        let written = fs::write(&fresh, text).and_then(|()| fs::rename(&fresh, &script));
        written.map_err(|error| (script, error))
    }
}
