//! The folder of the emulated driver: the names under which programs and linkers look for its libraries.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A folder with the emulated driver and CUDA's runtime library.
#[derive(Clone, Copy, Debug)]
pub struct DriverFolder;

impl DriverFolder {
    /// The file of the driver: the name that programs linked with it look for.
    pub const DRIVER: &'static str = "libcuda.so.1";

    /// The file of the runtime library, likewise.
    pub const RUNTIME: &'static str = "libcudart.so.13";

    /// Other names of the two. Linkers look for the first and the second, and libomptarget opens the first; programs of
    /// CUDA 12 look for the last.
    const LINKS: [(&'static str, &'static str); 3] = [
        ("libcuda.so", DriverFolder::DRIVER),
        ("libcudart.so", DriverFolder::RUNTIME),
        ("libcudart.so.12", DriverFolder::RUNTIME),
    ];

    /// nvcc and CMake link this library unless told otherwise. It is a linker script, so that they link the shared one.
    const STATIC: (&'static str, &'static str) =
        ("libcudart_static.a", "/* GNU ld script: programs are linked with the shared library. */\nINPUT(libcudart.so.13)\n");

    /// Adds the other names to a folder that has both files.
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
        let (name, text) = DriverFolder::STATIC;
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
