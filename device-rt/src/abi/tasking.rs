//! Tasks. The thread that encounters a task runs it at once (`openmp::tasking`).

use core::ffi::c_void;

use super::Ident;
use super::layout::{Task, TaskRoutine};

symbols! {
    /// Tasks. The thread that encounters a task runs it at once.
    const TASKING for Compilers;

    device {
        use crate::openmp::tasking;
    }

    /// Allocates a task with its private variables (bytes) and the addresses of shared ones (shared_bytes).
    fn __kmpc_omp_task_alloc(
        location: Ident, thread: i32, flags: i32, bytes: u64, shared_bytes: u64, routine: TaskRoutine,
    ) -> *mut Task => tasking::allocate(flags, bytes, shared_bytes, routine);

    /// __kmpc_omp_task_alloc; the device is this one.
    fn __kmpc_omp_target_task_alloc(
        location: Ident, thread: i32, flags: i32, bytes: u64, shared_bytes: u64, routine: TaskRoutine,
        device: i64,
    ) -> *mut Task => tasking::allocate(flags, bytes, shared_bytes, routine);

    /// Runs a task to its end.
    ///
    /// # Safety
    /// As for [`tasking::run`].
    unsafe fn __kmpc_omp_task(location: Ident, thread: i32, task: *mut Task) -> i32 => {
        tasking::run(task);
        0
    };

    /// Runs a task to its end; the tasks that it depends on have run.
    ///
    /// # Safety
    /// As for [`tasking::run`].
    unsafe fn __kmpc_omp_task_with_deps(
        location: Ident, thread: i32, task: *mut Task, count: i32, dependences: *const c_void,
        distinct_count: i32, distinct: *const c_void,
    ) -> i32 => {
        tasking::run(task);
        0
    };

    /// Begins a task that the caller runs itself, because of its if clause.
    ///
    /// # Safety
    /// As for [`tasking::begin`].
    unsafe fn __kmpc_omp_task_begin_if0(location: Ident, thread: i32, task: *mut Task)
        => tasking::begin(task);

    /// Ends that task.
    ///
    /// # Safety
    /// As for [`tasking::complete`].
    unsafe fn __kmpc_omp_task_complete_if0(location: Ident, thread: i32, task: *mut Task)
        => tasking::complete(task);

    /// Does nothing: the task will run in this thread.
    fn __kmpc_omp_reg_task_with_affinity(
        location: Ident, thread: i32, task: *mut Task, count: i32, affinities: *const c_void,
    ) -> i32 => 0;

    /// Does nothing: all tasks so far have run.
    fn __kmpc_omp_wait_deps(
        location: Ident, thread: i32, count: i32, dependences: *const c_void, distinct_count: i32,
        distinct: *const c_void,
    ) => {};

    /// Does nothing: all tasks so far have run.
    fn __kmpc_omp_taskwait_deps_51(
        location: Ident, thread: i32, count: i32, dependences: *const c_void, distinct_count: i32,
        distinct: *const c_void, no_wait: i32,
    ) => {};

    /// Does nothing: all tasks so far have run.
    fn __kmpc_omp_taskwait(location: Ident, thread: i32) -> i32 => 0;

    /// Does nothing: no other task is left to run.
    fn __kmpc_omp_taskyield(location: Ident, thread: i32, end: i32) -> i32 => 0;

    /// Does nothing: tasks end before their group does.
    fn __kmpc_taskgroup(location: Ident, thread: i32) => {};

    /// Does nothing: all tasks of the group have run.
    fn __kmpc_end_taskgroup(location: Ident, thread: i32) => {};

    /// Runs all iterations of a taskloop as one task.
    ///
    /// # Safety
    /// As for [`tasking::run_loop`]; the bounds are valid.
    #[allow(clippy::too_many_arguments, reason = "the type is that of LLVM's calls")]
    unsafe fn __kmpc_taskloop(
        location: Ident, thread: i32, task: *mut Task, condition: i32, lower: *mut u64, upper: *mut u64,
        step: i64, no_group: i32, schedule: i32, grain: u64, duplicate: *const c_void,
    ) => tasking::run_loop(task, lower, upper);

    /// Runs all iterations of a taskloop as one task.
    ///
    /// # Safety
    /// As for [`tasking::run_loop`]; the bounds are valid.
    #[allow(clippy::too_many_arguments, reason = "the type is that of LLVM's calls")]
    unsafe fn __kmpc_taskloop_5(
        location: Ident, thread: i32, task: *mut Task, condition: i32, lower: *mut u64, upper: *mut u64,
        step: i64, no_group: i32, schedule: i32, grain: u64, modifier: i32, duplicate: *const c_void,
    ) => tasking::run_loop(task, lower, upper);

    /// The event of a task with a detach clause; no thread waits for it.
    fn __kmpc_task_allow_completion_event(location: Ident, thread: i32, task: *mut Task) -> *mut c_void
        => task.cast();

    /// Starts a reduction over tasks, which combine into the variables themselves.
    fn __kmpc_taskred_init(thread: i32, count: i32, data: *mut c_void) -> *mut c_void
        => core::ptr::null_mut();

    /// Starts a reduction over tasks, which combine into the variables themselves.
    fn __kmpc_task_reduction_init(thread: i32, count: i32, data: *mut c_void) -> *mut c_void
        => core::ptr::null_mut();

    /// Starts the reduction of a construct with a reduction(task, ...) clause.
    fn __kmpc_taskred_modifier_init(
        location: Ident, thread: i32, worksharing: i32, count: i32, data: *mut c_void,
    ) -> *mut c_void => core::ptr::null_mut();

    /// Starts the reduction of a construct with a reduction(task, ...) clause.
    fn __kmpc_task_reduction_modifier_init(
        location: Ident, thread: i32, worksharing: i32, count: i32, data: *mut c_void,
    ) -> *mut c_void => core::ptr::null_mut();

    /// Does nothing: ends that reduction.
    fn __kmpc_task_reduction_modifier_fini(location: Ident, thread: i32, worksharing: i32) => {};

    /// Where a task combines into: variable itself.
    fn __kmpc_task_reduction_get_th_data(
        thread: i32, group: *mut c_void, variable: *mut c_void,
    ) -> *mut c_void => variable;
}
