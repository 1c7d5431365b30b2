//! Parallel regions.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use super::Ident;

symbols! {
    /// Parallel regions.
    const PARALLELISM for Compilers;

    device {
        use crate::openmp::query;
        use crate::openmp::team::parallel::{self, Request};
    }

    /// Calls an outlined function in the threads of a new parallel region, with count captured values.
    ///
    /// # Safety
    /// As for [`parallel::run`].
    #[unsafe(link_section = ".without_lines")]
    #[allow(clippy::too_many_arguments, reason = "the type is that of LLVM's calls")]
    unsafe fn __kmpc_parallel_60(
        location: Ident, thread: i32, condition: i32, num_threads: i32, proc_bind: i32,
        outlined: MaybeUninit<*const c_void>, wrapper: *const c_void, captured: *mut *mut c_void, count: u64,
        strict: i32,
    ) {
        callers: STARTERS, orders: REGION_END, result: NONE,
    } => {
        let request = Request { condition: condition != 0, threads: num_threads };
        parallel::run(request, outlined, wrapper, captured, count)
    };

    /// __kmpc_parallel_60 as LLVM 19 calls it.
    ///
    /// # Safety
    /// As for [`parallel::run`].
    #[unsafe(link_section = ".without_lines")]
    #[allow(clippy::too_many_arguments, reason = "the type is that of LLVM's calls")]
    unsafe fn __kmpc_parallel_51(
        location: Ident, thread: i32, condition: i32, num_threads: i32, proc_bind: i32,
        outlined: MaybeUninit<*const c_void>, wrapper: *const c_void, captured: *mut *mut c_void, count: u64,
    ) {
        callers: STARTERS, orders: REGION_END, result: NONE,
    } => {
        let request = Request { condition: condition != 0, threads: num_threads };
        parallel::run(request, outlined, wrapper, captured, count)
    };

    /// Puts the caller into a parallel region of one thread.
    fn __kmpc_serialized_parallel(location: Ident, thread: i32) => parallel::begin_serialized();

    /// Takes the caller out of that region.
    fn __kmpc_end_serialized_parallel(location: Ident, thread: i32) => parallel::end_serialized();

    /// The number of the thread in its parallel region.
    fn __kmpc_global_thread_num(location: Ident) -> i32 => query::thread_number() as i32;

    /// The number of parallel regions that enclose the caller.
    fn __kmpc_parallel_level(location: Ident, thread: i32) -> u16 => query::level() as u16;

    /// Does nothing: __kmpc_parallel_60 gets the value itself.
    fn __kmpc_push_num_threads(location: Ident, thread: i32, num_threads: i32) => {};

    /// Does nothing: __kmpc_parallel_60 gets the value itself.
    fn __kmpc_push_num_threads_strict(
        location: Ident, thread: i32, num_threads: i32, severity: i32, message: *const c_void,
    ) => {};

    /// Does nothing: threads stay where the hardware puts them.
    fn __kmpc_push_proc_bind(location: Ident, thread: i32, proc_bind: i32) => {};

    /// Does nothing: the host starts teams.
    fn __kmpc_push_num_teams(location: Ident, thread: i32, teams: i32, num_threads: i32) => {};

    /// Does nothing: the host starts teams.
    fn __kmpc_push_num_teams_51(location: Ident, thread: i32, least: i32, most: i32, num_threads: i32) => {};

    /// Does nothing: the host starts teams.
    fn __kmpc_set_thread_limit(location: Ident, thread: i32, num_threads: i32) => {};
}
