//! The device runtime beside the running program, as an archive of `warpfold build` has it: with it, neither Rust nor a
//! build of the runtime is needed.

use std::env;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The OpenMP device runtime as clang 22 links it into each device module that it compiles.
pub const BITCODE: &str = "libomptarget-nvptx.bc";
/// The OpenMP device runtime as clang 22 links programs with it.
pub const ARCHIVE: &str = "libompdevice.a";
/// The folder in which clang searches device libraries, below its installation folder.
pub const RUNTIME_FOLDER: &str = "lib/nvptx64-nvidia-cuda";

/// The program's folder below the prefix of a package.
const PROGRAMS: &str = "bin";

/// The largest description of a package that is read, in bytes; one has about a hundred.
const LARGEST: u64 = 1 << 16;

/// A package with the runtime of this version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prebuilt {
    prefix: PathBuf,
}

impl Prebuilt {
    /// The file with the package's version, below the prefix.
    pub const METADATA: &str = "share/warpfold/package.json";
    /// The folder with the emulated driver, below the prefix; only packages that are installed by a system have it.
    pub const DRIVER: &str = "lib/warpfold/driver";
    /// The reductions for kernels of one's own, below the prefix: what `warpfold emit runtime` writes.
    pub const REDUCTIONS: &str = "lib/warpfold/reductions.bc";

    /// The folder with the library for programs of MPI, below the prefix, likewise.
    pub const MPI_LIBRARY: &str = "lib/warpfold/mpi";

    /// The package that the running program belongs to, or the shared library that this code is part of. A runtime of another
    /// version is none.
    pub fn find() -> Option<Prebuilt> {
        let program = env::current_exe().ok()?;
        let prefix = program.parent().filter(|folder| folder.ends_with(PROGRAMS)).and_then(Path::parent);
        let library = || own_file().filter(|file| *file != program);
        prefix.and_then(Prebuilt::at).or_else(|| {
            let library = library()?;
            Prebuilt::at(library.parent()?.to_str()?.strip_suffix(Prebuilt::MPI_LIBRARY)?.as_ref())
        })
    }

    fn at(prefix: &Path) -> Option<Prebuilt> {
        let mut text = String::new();
        File::open(prefix.join(Prebuilt::METADATA)).ok()?.take(LARGEST).read_to_string(&mut text).ok()?;
        let metadata: serde_json::Value = serde_json::from_str(&text).ok()?;
        let is_ours = metadata["version"] == env!("CARGO_PKG_VERSION");
        let files = [format!("{RUNTIME_FOLDER}/{BITCODE}"), Prebuilt::REDUCTIONS.to_string()];
        let is_complete = || files.iter().all(|file| prefix.join(file).is_file());
        (is_ours && is_complete()).then(|| Prebuilt { prefix: prefix.to_path_buf() })
    }

    /// The folder of the package's files.
    pub fn prefix(&self) -> &Path {
        &self.prefix
    }
}

/// The file that this code was loaded from: a program, or a shared library.
fn own_file() -> Option<PathBuf> {
    let own = own_file as fn() -> Option<PathBuf> as usize;
    file_at(&fs::read_to_string("/proc/self/maps").ok()?, own)
}

/// The file that is mapped to an address, of the mappings as Linux lists them.
fn file_at(mappings: &str, address: usize) -> Option<PathBuf> {
    mappings.lines().find_map(|line| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let number = |text| usize::from_str_radix(text, 16).ok();
        let is_there = (number(start)?..number(end)?).contains(&address);
        is_there.then(|| rest.find('/').map(|at| PathBuf::from(&rest[at..]))).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_this_code_is_the_program_of_its_tests() {
        assert_eq!(own_file(), env::current_exe().ok());
        let mappings = "10-20 r--p 0 00:00 0\n1000-2000 r-xp 00000000 08:01 7    /usr/lib/a b.so\n";
        assert_eq!(file_at(mappings, 0x1fff), Some(PathBuf::from("/usr/lib/a b.so")));
        assert_eq!(file_at(mappings, 0x2000), None);
        assert_eq!(file_at(mappings, 0x10), None);
    }

    #[test]
    fn only_a_complete_runtime_of_this_version_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let version = |version: &str| put(Prebuilt::METADATA, &format!("{{\"version\": \"{version}\"}}"));
        assert_eq!(Prebuilt::at(folder.path()), None);
        version(env!("CARGO_PKG_VERSION"));
        put(&format!("{RUNTIME_FOLDER}/{BITCODE}"), "");
        assert_eq!(Prebuilt::at(folder.path()), None, "without the reductions");
        put(Prebuilt::REDUCTIONS, "");
        assert_eq!(Prebuilt::at(folder.path()).unwrap().prefix(), folder.path());
        version("0.0.1");
        assert_eq!(Prebuilt::at(folder.path()), None);
        put(Prebuilt::METADATA, "[");
        assert_eq!(Prebuilt::at(folder.path()), None);
    }
}
