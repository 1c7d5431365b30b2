//! The OpenMP runtime of the host, libomp, that programs load: a distribution's clang may come with an older one.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use object::{
    NameOrOrdinal,
    read::{Object, elf::ElfFile64},
};

/// The name by which programs load it.
const LIBRARY: &str = "libomp.so.5";

/// A function that came with LLVM 21, which numbered memory spaces anew in `omp.h`.
const WITH_NEW_NUMBERS: &[u8] = b"omp_get_devices_memspace";

/// The libomp that programs load.
#[derive(Debug, PartialEq, Eq)]
pub struct HostOpenMp {
    /// Its file, with links resolved.
    pub path: PathBuf,
    /// Whether it numbers memory spaces otherwise than the `omp.h` of clang 22.
    pub is_old: bool,
}

impl HostOpenMp {
    /// The library in the folders of `LD_LIBRARY_PATH`, or else the one that clang links programs with.
    pub fn find(clang: &Path) -> Option<HostOpenMp> {
        let folders = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let named = env::split_paths(&folders).map(|folder| folder.join(LIBRARY)).find(|path| path.is_file());
        HostOpenMp::read(&named.or_else(|| linked(clang))?)
    }

    fn read(path: &Path) -> Option<HostOpenMp> {
        let path = fs::canonicalize(path).ok()?;
        let bytes = fs::read(&path).ok()?;
        let file = ElfFile64::<object::LittleEndian>::parse(&*bytes).ok()?;
        let exports = file.exports().ok()?;
        let is_old = !exports.flatten().any(|export| export.name() == NameOrOrdinal::Name(WITH_NEW_NUMBERS));
        Some(HostOpenMp { path, is_old })
    }
}

/// The file that clang would link.
fn linked(clang: &Path) -> Option<PathBuf> {
    let output = Command::new(clang).arg(format!("--print-file-name={LIBRARY}")).output().ok()?;
    let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    // clang prints the name alone where it finds no file.
    path.is_absolute().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_library_is_none() {
        for path in ["/nowhere", "/etc/passwd", "/"] {
            assert_eq!(HostOpenMp::read(Path::new(path)), None);
        }
    }
}
