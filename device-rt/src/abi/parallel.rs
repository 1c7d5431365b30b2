//! Parallel regions.

use core::ffi::c_void;

use super::Ident;
use crate::query;
use crate::team::outlined::Outlined;
use crate::team::parallel::{self, Request};
use crate::team::state::Work;

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
    work: Work,
    captured: *const *mut c_void,
    count: i64,
    _strict: i32,
) {
    let request = Request { condition: condition != 0, threads };
    // SAFETY: the caller's contract is the same.
    unsafe { parallel::run(request, outlined, work, captured, count as u64) }
}

/// [`parallel::run`], as LLVM 19 calls it.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[unsafe(link_section = ".without_lines")]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn __kmpc_parallel_51(
    _location: Ident,
    _thread_number: i32,
    condition: i32,
    threads: i32,
    _proc_bind: i32,
    outlined: Outlined,
    work: Work,
    captured: *const *mut c_void,
    count: i64,
) {
    let request = Request { condition: condition != 0, threads };
    // SAFETY: the caller's contract is the same.
    unsafe { parallel::run(request, outlined, work, captured, count as u64) }
}

/// [`parallel::begin_serialized`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_serialized_parallel(_location: Ident, _thread_number: i32) {
    parallel::begin_serialized()
}

/// [`parallel::end_serialized`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_end_serialized_parallel(_location: Ident, _thread_number: i32) {
    parallel::end_serialized()
}

/// [`query::thread_number`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_global_thread_num(_location: Ident) -> i32 {
    query::thread_number() as i32
}

/// [`query::level`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_parallel_level(_location: Ident, _thread_number: i32) -> u16 {
    query::level() as u16
}

macro_rules! hints {
    ($($name:ident($($argument:ident: $ty:ty),*);)*) => {$(
        /// Nothing is left to do: the construct itself says what it is to be.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(_location: Ident, _thread_number: i32 $(, $argument: $ty)*) {}
    )*};
}

hints! {
    __kmpc_push_num_threads(_threads: i32);
    __kmpc_push_num_threads_strict(_threads: i32, _severity: i32, _message: *const u8);
    __kmpc_push_proc_bind(_kind: i32);
    __kmpc_push_num_teams(_teams: i32, _threads: i32);
    __kmpc_push_num_teams_51(_least: i32, _most: i32, _threads: i32);
    __kmpc_set_thread_limit(_threads: i32);
}
