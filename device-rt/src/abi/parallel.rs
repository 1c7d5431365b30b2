//! Parallel regions.

use core::ffi::c_void;

use super::Ident;
use crate::query;
use crate::team::outlined::Outlined;
use crate::team::parallel::{self, Request};

/// [`parallel::run`].
///
/// Without line information: a user's nested regions are inlined into it, and LLVM 22 then breaks it
/// (`toolchain` takes it away from functions of this section, which is none).
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[unsafe(link_section = ".without_lines")]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn __kmpc_parallel_60(
    _location: Ident,
    _thread_number: i32,
    condition: i32,
    threads: i32,
    _proc_bind: i32,
    outlined: Outlined,
    _wrapper: Outlined,
    captured: *const *mut c_void,
    count: i64,
    _strict: i32,
) {
    let request = Request { condition: condition != 0, threads };
    // SAFETY: the caller's contract is the same.
    unsafe { parallel::run(request, outlined, captured, count as u64) }
}

/// [`query::thread_number`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_global_thread_num(_location: Ident) -> i32 {
    query::thread_number() as i32
}
