//! Tasks.

use core::ffi::c_void;

use super::Ident;
use crate::tasking::{self, Routine, Task};

/// [`tasking::allocate`].
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_omp_task_alloc(
    _location: Ident,
    _thread_number: i32,
    flags: i32,
    bytes: u64,
    shared_bytes: u64,
    routine: Routine,
) -> *mut Task {
    tasking::allocate(flags, bytes, shared_bytes, routine)
}

/// [`tasking::allocate`]: the device is this one.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_omp_target_task_alloc(
    _location: Ident,
    _thread_number: i32,
    flags: i32,
    bytes: u64,
    shared_bytes: u64,
    routine: Routine,
    _device: i64,
) -> *mut Task {
    tasking::allocate(flags, bytes, shared_bytes, routine)
}

/// [`tasking::run`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_omp_task(_location: Ident, _thread_number: i32, task: *mut Task) -> i32 {
    // SAFETY: the caller's contract is the same.
    unsafe { tasking::run(task) };
    0
}

/// [`tasking::run`]: whatever it depends on has been done.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_omp_task_with_deps(
    _location: Ident,
    _thread_number: i32,
    task: *mut Task,
    _count: i32,
    _dependences: *const c_void,
    _distinct_count: i32,
    _distinct: *const c_void,
) -> i32 {
    // SAFETY: the caller's contract is the same.
    unsafe { tasking::run(task) };
    0
}

/// [`tasking::begin`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_omp_task_begin_if0(_location: Ident, _thread_number: i32, task: *mut Task) {
    // SAFETY: the caller's contract is the same.
    unsafe { tasking::begin(task) }
}

/// [`tasking::complete`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_omp_task_complete_if0(
    _location: Ident,
    _thread_number: i32,
    task: *mut Task,
) {
    // SAFETY: the caller's contract is the same.
    unsafe { tasking::complete(task) }
}

/// Nothing is left to do: the task will run in this thread.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_omp_reg_task_with_affinity(
    _location: Ident,
    _thread_number: i32,
    _task: *mut Task,
    _count: i32,
    _affinities: *const c_void,
) -> i32 {
    0
}

/// Nothing is left to wait for.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_omp_wait_deps(
    _location: Ident,
    _thread_number: i32,
    _count: i32,
    _dependences: *const c_void,
    _distinct_count: i32,
    _distinct: *const c_void,
) {
}

/// Nothing is left to wait for.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_omp_taskwait_deps_51(
    _location: Ident,
    _thread_number: i32,
    _count: i32,
    _dependences: *const c_void,
    _distinct_count: i32,
    _distinct: *const c_void,
    _no_wait: i32,
) {
}

/// Nothing is left to wait for.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_omp_taskwait(_location: Ident, _thread_number: i32) -> i32 {
    0
}

/// There is nothing else to do.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_omp_taskyield(_location: Ident, _thread_number: i32, _end: i32) -> i32 {
    0
}

/// Nothing is left to do: tasks end before they are waited for.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_taskgroup(_location: Ident, _thread_number: i32) {}

/// Nothing is left to wait for.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_end_taskgroup(_location: Ident, _thread_number: i32) {}

/// [`tasking::run_loop`].
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn __kmpc_taskloop(
    _location: Ident,
    _thread_number: i32,
    task: *mut Task,
    _condition: i32,
    lower: *mut u64,
    upper: *mut u64,
    _step: i64,
    _no_group: i32,
    _schedule: i32,
    _grain: u64,
    _duplicate: *const c_void,
) {
    // SAFETY: the caller's contract is the same; the bounds are valid.
    unsafe { tasking::run_loop(task, lower.read(), upper.read()) }
}

/// [`tasking::run_loop`]: one task is not fewer than any number asked for.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn __kmpc_taskloop_5(
    _location: Ident,
    _thread_number: i32,
    task: *mut Task,
    _condition: i32,
    lower: *mut u64,
    upper: *mut u64,
    _step: i64,
    _no_group: i32,
    _schedule: i32,
    _grain: u64,
    _modifier: i32,
    _duplicate: *const c_void,
) {
    // SAFETY: the caller's contract is the same; the bounds are valid.
    unsafe { tasking::run_loop(task, lower.read(), upper.read()) }
}

/// The event of a task with `detach`: fulfilling it does nothing, as the task has nobody that waits for it.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_task_allow_completion_event(
    _location: Ident,
    _thread_number: i32,
    task: *mut Task,
) -> *mut c_void {
    task.cast()
}

macro_rules! reductions {
    ($($name:ident($($argument:ident: $ty:ty),*);)*) => {$(
        /// The variables of a reduction over tasks: tasks run in the thread that has the original ones, and
        /// combine into them.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($argument: $ty),*) -> *mut c_void {
            core::ptr::null_mut()
        }
    )*};
}

reductions! {
    __kmpc_taskred_init(_thread_number: i32, _count: i32, _data: *mut c_void);
    __kmpc_task_reduction_init(_thread_number: i32, _count: i32, _data: *mut c_void);
    __kmpc_taskred_modifier_init(_location: Ident, _thread_number: i32, _worksharing: i32, _count: i32, _data: *mut c_void);
    __kmpc_task_reduction_modifier_init(_location: Ident, _thread_number: i32, _worksharing: i32, _count: i32, _data: *mut c_void);
}

/// Nothing is left to do.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_task_reduction_modifier_fini(
    _location: Ident,
    _thread_number: i32,
    _worksharing: i32,
) {
}

/// Where a task combines into: the variable itself.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_task_reduction_get_th_data(
    _thread_number: i32,
    _group: *mut c_void,
    variable: *mut c_void,
) -> *mut c_void {
    variable
}
