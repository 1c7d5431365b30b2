//! How clang compiles OpenMP device code: options against wrong code, as configuration files of clang's.
//!
//! Four defects of LLVM 22 and 23 make wrong device code of right programs; docs/pitfalls.md says more.
//!
//! 1. OpenMPOpt takes every parameter that is passed by value (`byval`) for local memory, and marks the loads
//!    from it so. The inliner then passes on the caller's pointer, which may be global memory. No option of
//!    clang's separates the two; but if device code is compiled as a whole program (`-foffload-lto`), OpenMPOpt
//!    can be left out when a file is compiled and run when the program is linked, after the inliner. SPMD mode
//!    and everything else that OpenMPOpt gains is decided there.
//! 2. OpenMPOpt marks accesses of a local variable as such, and InstCombine replaces a variable that is a copy
//!    of a constant by that constant, which is in global memory.
//! 3. clang stores a captured scalar as a `long` and reads it as its own type; type-based alias analysis
//!    concludes that the store is dead.
//! 4. OpenMPOpt makes local variables of memory that is used by calls marked `tail`, which do not access local variables of
//!    their caller. If OpenMPOpt runs when files are compiled, nothing is marked yet; when the program is linked, everything
//!    is, unless functions have the attribute `disable-tail-calls`.
//!
//! Options in a configuration file cause no warnings where they are not used, and those on the command line
//! win.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::{Error, Tools};

/// What clang optimises at once on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceCode {
    /// The whole program with the runtime, when it is linked (`-foffload-lto`): the default. Right code.
    Program,
    /// Each file by itself (`-fno-offload-lto`), with the first of the three defects.
    File,
}

impl DeviceCode {
    /// What clang's arguments ask for. Where they ask for one file's device code, such as its PTX, that is
    /// optimised by itself.
    pub fn of<A: AsRef<OsStr>>(arguments: &[A]) -> DeviceCode {
        let is_one_of = |word: &OsStr, options: &[&str]| options.iter().any(|option| word == *option);
        let words = || arguments.iter().map(AsRef::as_ref);
        let file_only = ["-S", "-E", "-emit-llvm", "-fsyntax-only", "--offload-device-only"];
        let last = words().rfind(|word| {
            let word = word.to_string_lossy();
            word.starts_with("-foffload-lto") || word == "-fno-offload-lto"
        });
        match last.map(|word| word.to_string_lossy()).as_deref() {
            Some("-fno-offload-lto" | "-foffload-lto=none") => DeviceCode::File,
            Some(_) => DeviceCode::Program,
            None if words().any(|word| is_one_of(word, &file_only)) => DeviceCode::File,
            None => DeviceCode::Program,
        }
    }

    /// The text of clang's configuration file.
    pub fn clang_config(self) -> &'static str {
        match self {
            DeviceCode::Program => include_str!("whole-program.cfg"),
            DeviceCode::File => include_str!("single-file.cfg"),
        }
    }
}

impl Tools {
    /// A configuration file for clang (`--config=`), in the cache.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be written.
    pub fn clang_config(&self, code: DeviceCode) -> Result<PathBuf, Error> {
        let name = match code {
            DeviceCode::Program => "whole-program.cfg",
            DeviceCode::File => "single-file.cfg",
        };
        self.cache.put(PathBuf::from("clang-config").join(name), code.clang_config().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_program_is_compiled_unless_a_file_is_asked_for() {
        let of = |words: &str| DeviceCode::of(&words.split(' ').collect::<Vec<_>>());
        for words in ["-O2 a.c", "-c a.c", "-S -foffload-lto a.c", "-fno-offload-lto -foffload-lto=full a.c"]
        {
            assert_eq!(of(words), DeviceCode::Program, "{words}");
        }
        for words in ["-fno-offload-lto a.c", "-foffload-lto -foffload-lto=none", "-S a.c", "-E a.c"] {
            assert_eq!(of(words), DeviceCode::File, "{words}");
        }
    }
}
