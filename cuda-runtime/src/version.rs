//! The version of CUDA whose interface this library has.
//!
//! `libcudart.so.12` and `libcudart.so.13` differ in a few structures and signatures. Both are this library; what
//! writes its file as `libcudart.so.12` changes [`warpfold_cudart_major`] in it.

use std::ffi::c_int;

use crate::calls::{functions, write};
use crate::driver;

/// The major version, in the file's data.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "a symbol of the interface")]
pub static warpfold_cudart_major: u32 = 13;

/// The minor version of each major one: the newest when this library was written.
const MINORS: [(u32, c_int); 2] = [(12, 9), (13, 0)];

/// The major version.
pub(crate) fn major() -> u32 {
    // SAFETY: a live value. The file may hold another one than the compiler saw.
    unsafe { (&raw const warpfold_cudart_major).read_volatile() }
}

/// The version as CUDA writes it: 1000 for each major one and 10 for each minor one.
pub(crate) fn number() -> c_int {
    let major = major();
    let minor = MINORS.iter().find(|known| known.0 == major).map_or(0, |known| known.1);
    major as c_int * 1000 + minor * 10
}

functions! {
    fn cudaRuntimeGetVersion(version: *mut c_int) {
        write(version, number())
    }

    fn cudaDriverGetVersion(version: *mut c_int) {
        driver::cuDriverGetVersion(version)
    }
}
