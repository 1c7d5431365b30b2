//! Recognises NVIDIA's CUDA runtime library: it calls functions of NVIDIA's driver that are not documented, and ends in
//! an error or a crash without them. Programs that have it are told what to do instead.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    ptr,
    sync::Once,
};

use serde_json::json;

use crate::log;

/// The status of a program that is ended here: that of `warpfold run` for a program that failed on the emulator.
const STATUS: i32 = 125;

/// The tables of functions that the library asks for, by their identifiers.
const TABLES: [[u8; 16]; 4] = [
    [0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9],
    [0x42, 0xd8, 0x5a, 0x81, 0x23, 0xf6, 0xcb, 0x47, 0x82, 0x98, 0xf6, 0xe7, 0x8a, 0x3a, 0xec, 0xdc],
    [0xa0, 0x94, 0x79, 0x8c, 0x2e, 0x74, 0x2e, 0x74, 0x93, 0xf2, 0x08, 0x00, 0x20, 0x0c, 0x0a, 0x66],
    [0xc6, 0x93, 0x33, 0x6e, 0x11, 0x21, 0xdf, 0x11, 0xa8, 0xc3, 0x68, 0xf3, 0x55, 0xd8, 0x95, 0x93],
];

/// Whether a look-up of an entry point is the one with which the library starts: of no name, in no version.
pub(super) fn is_its_first_look_up(symbol: &str, version: i32) -> bool {
    symbol.is_empty() && version == 0
}

/// Whether a table of functions is one that the library needs.
pub(super) fn needs(table: &[u8; 16]) -> bool {
    TABLES.contains(table)
}

/// Says once what is wrong with the program.
pub(super) fn report() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = message(&fs::read_to_string("/proc/self/maps").unwrap_or_default());
        log::report(&report, &json!({ "kind": "nvidia-runtime", "message": report }));
    });
}

/// Ends the program, which the library would let crash.
pub(super) fn end_program() -> ! {
    // What the program has printed is not lost, but none of its functions run: the library's would crash.
    let _ = io::stdout().flush();
    // SAFETY: null means all streams, and `_exit` takes any number.
    unsafe {
        libc::fflush(ptr::null_mut());
        libc::_exit(STATUS)
    }
}

/// What is wrong, for a process with these mappings, in Linux's notation.
fn message(mappings: &str) -> String {
    let files = || mappings.lines().filter_map(|line| line.find('/').map(|at| Path::new(&line[at..])));
    let is_named = |file: &Path, name: &str| {
        file.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name))
    };
    let own: Vec<PathBuf> =
        files().filter(|file| is_named(file, "libcuda.so")).flat_map(Path::parent).map(Into::into).collect();
    let shared = files().find(|file| {
        is_named(file, "libcudart.so") && !own.iter().any(|folder| file.parent() == Some(folder))
    });
    let needs = "which needs undocumented parts of NVIDIA's driver";
    match shared {
        Some(file) => format!(
            "this program loads NVIDIA's CUDA runtime library ({}), {needs}; put the folder that `warpfold config \
             --driver-dir` prints before it in LD_LIBRARY_PATH, as `warpfold run` does, and leave it out of the program's \
             own search path (RPATH)",
            file.display()
        ),
        None => format!(
            "this program contains NVIDIA's CUDA runtime library (libcudart_static), {needs}; link with -cudart shared, \
             or compile by `warpfold nvcc`"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_library_is_named_unless_it_is_ours() {
        let mapped = |files: &[&str]| {
            let lines = files.iter().map(|file| format!("1000-2000 r-xp 00000000 08:01 7    {file}\n"));
            message(&lines.collect::<String>())
        };
        let shared = mapped(&["/ours/libcuda.so.1", "/theirs/libcudart.so.13"]);
        assert!(shared.contains("(/theirs/libcudart.so.13)") && shared.contains("--driver-dir"), "{shared}");
        for files in [&["/ours/libcuda.so.1"][..], &["/ours/libcudart.so.13", "/ours/libcuda.so.1"]] {
            assert!(mapped(files).contains("(libcudart_static)"), "{files:?}");
        }
    }
}
