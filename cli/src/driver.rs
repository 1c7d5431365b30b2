//! The emulated `libcuda.so.1` that this program carries, for programs that know nothing of warpfold.
//!
//! The library belongs to `cuda-driver-so`, a dependency of this package of which no code is called: cargo builds
//! it before this program is linked, and the assembler puts the file in. (`include_bytes!` would want the file
//! from `cargo check` too, which does not build it.) So one file is all that has to be installed.

use std::{
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use toolchain::Cache;

use crate::error::Error;

std::arch::global_asm!(
    ".pushsection .rodata.warpfold_driver,\"a\",@progbits",
    ".globl warpfold_driver_start",
    ".hidden warpfold_driver_start",
    ".globl warpfold_driver_end",
    ".hidden warpfold_driver_end",
    "warpfold_driver_start:",
    concat!(".incbin \"", env!("WARPFOLD_DRIVER_LIBRARY"), "\""),
    "warpfold_driver_end:",
    ".popsection",
    options(raw)
);

unsafe extern "C" {
    static warpfold_driver_start: u8;
    static warpfold_driver_end: u8;
}

/// The library's bytes.
fn library() -> &'static [u8] {
    let (start, end) = (&raw const warpfold_driver_start, &raw const warpfold_driver_end);
    // SAFETY: the two labels enclose the file's bytes, in one section of constants of this program.
    unsafe { std::slice::from_raw_parts(start, end.offset_from_unsigned(start)) }
}

/// Puts the library into the cache under both names that programs look for, and answers the folder, which is what
/// `LD_LIBRARY_PATH` gets.
pub fn install() -> Result<PathBuf, Error> {
    let cache = Cache::open()?;
    let library = cache.put(Path::new("driver").join("libcuda.so.1"), library())?;
    // The first name is for programs that were linked with the library, the second is what libomptarget opens.
    let link = library.with_file_name("libcuda.so");
    let points_there =
        |link: &Path| fs::read_link(link).is_ok_and(|target| target == Path::new("libcuda.so.1"));
    match symlink("libcuda.so.1", &link) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && points_there(&link) => {}
        outcome => outcome.map_err(|source| Error::Write { path: link.clone(), source })?,
    }
    Ok(link.parent().map(Path::to_path_buf).unwrap_or_default())
}
