//! What programs ask, and set, by OpenMP's own names.

use core::ffi::c_void;

symbols! {
    /// What programs ask.
    const QUERIES for Programs;

    device {
        use crate::arch::{id, system};
        use crate::openmp::query;

        /// Writes the empty string; returns its length.
        ///
        /// # Safety
        /// `buffer` has so many bytes.
        #[inline(always)]
        unsafe fn empty(buffer: *mut c_void, bytes: u64) -> u64 {
            if bytes > 0 {
                // SAFETY: passed on from the caller.
                unsafe { buffer.cast::<u8>().write(0) };
            }
            0
        }
    }

    /// The number of the thread in the innermost parallel region.
    fn omp_get_thread_num() -> i32 => query::thread_number() as i32;

    /// The number of threads of the innermost parallel region.
    fn omp_get_num_threads() -> i32 => query::threads() as i32;

    /// The number of threads that a region without num_threads would have.
    fn omp_get_max_threads() -> i32 => query::max_threads() as i32;

    /// The most threads of a region.
    fn omp_get_thread_limit() -> i32 => query::thread_limit() as i32;

    /// The number of warps that the device runs at a time.
    fn omp_get_num_procs() -> i32 => query::device().hardware_parallelism as i32;

    /// The number of regions that enclose the caller, up to 15.
    fn omp_get_level() -> i32 => query::level() as i32;

    /// The number of enclosing regions with more than one thread.
    fn omp_get_active_level() -> i32 => query::active_level() as i32;

    /// 0: regions have as many threads as asked for, if there are so many.
    fn omp_get_dynamic() -> i32 => 0;

    /// 0: nested regions have one thread.
    fn omp_get_nested() -> i32 => 0;

    /// 1, or 0 if set so: a region with more than one thread encloses no other such region.
    fn omp_get_max_active_levels() -> i32 => (query::icvs().serial == 0) as i32;

    /// 1: a region with more than one thread encloses no other such region.
    fn omp_get_supported_active_levels() -> i32 => 1;

    /// 0: nothing is ever cancelled.
    fn omp_get_cancellation() -> i32 => 0;

    /// 0, omp_proc_bind_false: threads stay where the hardware puts them.
    fn omp_get_proc_bind() -> i32 => 0;

    /// 0: there are no places.
    fn omp_get_num_places() -> i32 => 0;

    /// -1: there are no places.
    fn omp_get_place_num() -> i32 => -1;

    /// 0: there are no places.
    fn omp_get_partition_num_places() -> i32 => 0;

    /// The number of teams.
    fn omp_get_num_teams() -> i32 => id::grid_blocks() as i32;

    /// The number of the team.
    fn omp_get_team_num() -> i32 => id::block() as i32;

    /// 0: nothing is set.
    fn omp_get_max_teams() -> i32 => 0;

    /// 0: nothing is set.
    fn omp_get_teams_thread_limit() -> i32 => 0;

    /// The number of this device.
    fn omp_get_default_device() -> i32 => query::device().device as i32;

    /// The number of devices of the host.
    fn omp_get_num_devices() -> i32 => query::device().devices as i32;

    /// The number of this device.
    fn omp_get_device_num() -> i32 => query::device().device as i32;

    /// The number of the host: that after the last device's.
    fn omp_get_initial_device() -> i32 => query::device().devices as i32;

    /// 0: tasks run when they are encountered.
    fn omp_get_max_task_priority() -> i32 => 0;

    /// The number, in the region of this level, of the caller's ancestor; -1 where there is no such level.
    fn omp_get_ancestor_thread_num(level: i32) -> i32 => query::ancestor_thread_number(level);

    /// The number of threads of the region of this level; -1 where there is no such level.
    fn omp_get_team_size(level: i32) -> i32 => query::team_size(level);

    /// 0: there are no places.
    fn omp_get_place_num_procs(place: i32) -> i32 => 0;

    /// Whether a region with more than one thread encloses the caller.
    fn omp_in_parallel() -> i32 => (query::active_level() > 0) as i32;

    /// 0: this is not the host.
    fn omp_is_initial_device() -> i32 => 0;

    /// -4, omp_invalid_device: the device does not know the names of devices.
    fn omp_get_device_from_uid(uid: *const c_void) -> i32 => -4;

    /// Null: the device does not know the names of devices.
    fn omp_get_uid_from_device(device: i32) -> *const c_void => core::ptr::null();

    /// Whether the caller is in a final task.
    fn omp_in_final() -> i32 => query::nesting().is_in_final() as i32;

    /// Whether the caller is in an explicit task.
    fn omp_in_explicit_task() -> i32 => query::nesting().is_in_task() as i32;

    /// Seconds since some moment.
    fn omp_get_wtime() -> f64 => system::nanoseconds() as f64 * 1e-9;

    /// Seconds between two ticks of that clock.
    fn omp_get_wtick() -> f64 => 1e-9;
}

symbols! {
    /// What programs set.
    const SETTERS for Programs;

    /// Sets the number of threads of regions without num_threads; no effect inside a region.
    fn omp_set_num_threads(threads: i32) => {
        if threads > 0 {
            query::set(|icvs| icvs.threads = threads as u32);
        }
    };

    /// 0: regions are to have one thread; no effect inside a region.
    fn omp_set_max_active_levels(levels: i32) => {
        if levels >= 0 {
            query::set(|icvs| icvs.serial = (levels == 0) as u32);
        }
    };

    /// Sets what schedule(runtime) means; no effect inside a region.
    fn omp_set_schedule(kind: u32, chunk: i32) => query::set(|icvs| {
        icvs.schedule = kind;
        icvs.chunk = chunk;
    });

    /// What schedule(runtime) means: static chunks of 1 where nothing is set.
    ///
    /// # Safety
    /// The pointers are valid.
    unsafe fn omp_get_schedule(kind: *mut u32, chunk: *mut i32) => {
        let icvs = query::icvs();
        let unset = icvs.schedule & !query::MONOTONIC == 0;
        kind.write(if unset { 1 } else { icvs.schedule });
        chunk.write(if unset { 1 } else { icvs.chunk });
    };
}

symbols! {
    /// Functions without an effect on the device.
    const WITHOUT_EFFECT for Programs;

    /// -1: only the host can do it.
    fn omp_pause_resource(kind: i32, device: i32) -> i32 => -1;

    /// -1: only the host can do it.
    fn omp_pause_resource_all(kind: i32) -> i32 => -1;

    /// -2, omp_control_tool_notool: there is no tool.
    fn omp_control_tool(command: i32, modifier: i32, argument: *mut c_void) -> i32 => -2;

    /// Does nothing: regions have as many threads as asked for, if there are so many.
    fn omp_set_dynamic(on: i32) => {};

    /// Does nothing: nested regions have one thread.
    fn omp_set_nested(on: i32) => {};

    /// Does nothing: the host starts teams.
    fn omp_set_num_teams(teams: i32) => {};

    /// Does nothing: the host starts teams.
    fn omp_set_teams_thread_limit(threads: i32) => {};

    /// Does nothing: the caller's device is this one.
    fn omp_set_default_device(device: i32) => {};

    /// Does nothing: there are no places.
    fn omp_get_place_proc_ids(place: i32, ids: *mut i32) => {};

    /// Does nothing: there are no places.
    fn omp_get_partition_place_nums(places: *mut i32) => {};

    /// Does nothing: no thread waits for the event.
    fn omp_fulfill_event(event: u64) => {};

    /// Does nothing: the runtime does not know where threads run.
    fn omp_display_affinity(format: *const c_void) => {};

    /// Does nothing.
    fn omp_set_affinity_format(format: *const c_void) => {};

    /// omp_display_affinity by the name that omp.h gives it.
    fn ompc_display_affinity(format: *const c_void) => {};

    /// omp_set_affinity_format by the name that omp.h gives it.
    fn ompc_set_affinity_format(format: *const c_void) => {};

    /// Writes the empty format; returns its length.
    ///
    /// # Safety
    /// `buffer` has so many bytes.
    unsafe fn omp_get_affinity_format(buffer: *mut c_void, bytes: u64) -> u64 => empty(buffer, bytes);

    /// Writes the empty text; returns its length.
    ///
    /// # Safety
    /// `buffer` has so many bytes.
    unsafe fn omp_capture_affinity(buffer: *mut c_void, bytes: u64, format: *const c_void) -> u64
        => empty(buffer, bytes);

    /// omp_get_affinity_format by the name that omp.h gives it.
    ///
    /// # Safety
    /// `buffer` has so many bytes.
    unsafe fn ompc_get_affinity_format(buffer: *mut c_void, bytes: u64) -> u64 => empty(buffer, bytes);

    /// omp_capture_affinity by the name that omp.h gives it.
    ///
    /// # Safety
    /// `buffer` has so many bytes.
    unsafe fn ompc_capture_affinity(buffer: *mut c_void, bytes: u64, format: *const c_void) -> u64
        => empty(buffer, bytes);
}
