//! What programs ask, and set, by OpenMP's own names.

use core::ffi::c_void;

use crate::arch::{id, system};
use crate::query;

macro_rules! answers {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $ty:ty),*) = $answer:expr;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($argument: $ty),*) -> i32 {
            ($answer) as i32
        }
    )*};
}

answers! {
    /// [`query::thread_number`].
    omp_get_thread_num() = query::thread_number();
    /// [`query::threads`].
    omp_get_num_threads() = query::threads();
    /// [`query::max_threads`].
    omp_get_max_threads() = query::max_threads();
    /// [`query::thread_limit`].
    omp_get_thread_limit() = query::thread_limit();
    /// Warps that the device runs at a time.
    omp_get_num_procs() = query::device().hardware_parallelism;
    /// [`query::level`].
    omp_get_level() = query::level();
    /// [`query::active_level`].
    omp_get_active_level() = query::active_level();
    /// Whether a region with more than one thread encloses the caller.
    omp_in_parallel() = query::active_level() > 0;
    /// [`query::ancestor_thread_number`].
    omp_get_ancestor_thread_num(level: i32) = query::ancestor_thread_number(level);
    /// [`query::team_size`].
    omp_get_team_size(level: i32) = query::team_size(level);
    /// Regions have as many threads as asked for, if there are so many.
    omp_get_dynamic() = 0;
    /// Regions in regions have one thread.
    omp_get_nested() = 0;
    /// One region inside which there are no others with more than one thread, or none.
    omp_get_max_active_levels() = query::settings().flat == 0;
    /// One.
    omp_get_supported_active_levels() = 1;
    /// Nothing is ever cancelled.
    omp_get_cancellation() = 0;
    /// Threads stay where the hardware puts them (`omp_proc_bind_false`).
    omp_get_proc_bind() = 0;
    /// There are no places.
    omp_get_num_places() = 0;
    /// There are no places.
    omp_get_place_num_procs(_place: i32) = 0;
    /// There are no places.
    omp_get_place_num() = -1;
    /// There are no places.
    omp_get_partition_num_places() = 0;
    /// [`id::grid_blocks`].
    omp_get_num_teams() = id::grid_blocks();
    /// [`id::block`].
    omp_get_team_num() = id::block();
    /// Nothing is set.
    omp_get_max_teams() = 0;
    /// Nothing is set.
    omp_get_teams_thread_limit() = 0;
    /// The number of this device.
    omp_get_default_device() = query::device().device;
    /// How many devices the host has.
    omp_get_num_devices() = query::device().devices;
    /// The number of this device.
    omp_get_device_num() = query::device().device;
    /// The host's number is that after the last device's.
    omp_get_initial_device() = query::device().devices;
    /// This is not the host.
    omp_is_initial_device() = 0;
    /// Devices do not know their names (`omp_invalid_device`).
    omp_get_device_from_uid(_uid: *const u8) = -4;
    /// Whether the caller is in a final task.
    omp_in_final() = query::place().is_in_final();
    /// Whether the caller is in an explicit task.
    omp_in_explicit_task() = query::place().is_in_task();
    /// Tasks run as they come.
    omp_get_max_task_priority() = 0;
    /// The host alone can give resources up.
    omp_pause_resource(_kind: i32, _device: i32) = -1;
    /// The host alone can give resources up.
    omp_pause_resource_all(_kind: i32) = -1;
    /// No tool is there (`omp_control_tool_notool`).
    omp_control_tool(_command: i32, _modifier: i32, _argument: *mut c_void) = -2;
}

macro_rules! ignored {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $ty:ty),*);)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($argument: $ty),*) {}
    )*};
}

ignored! {
    /// Nothing changes: see [`omp_get_dynamic`].
    omp_set_dynamic(_on: i32);
    /// Nothing changes: see [`omp_get_nested`].
    omp_set_nested(_on: i32);
    /// Nothing changes: the host starts teams.
    omp_set_num_teams(_teams: i32);
    /// Nothing changes: the host starts teams.
    omp_set_teams_thread_limit(_threads: i32);
    /// Nothing changes: this device is where the caller runs.
    omp_set_default_device(_device: i32);
    /// There are no places.
    omp_get_place_proc_ids(_place: i32, _ids: *mut i32);
    /// There are no places.
    omp_get_partition_place_nums(_places: *mut i32);
    /// Nobody waits for the event.
    omp_fulfill_event(_event: u64);
    /// Nothing is known of where threads run.
    omp_display_affinity(_format: *const u8);
    /// Nothing changes.
    omp_set_affinity_format(_format: *const u8);
}

/// The empty format.
///
/// # Safety
/// `buffer` has so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_affinity_format(buffer: *mut u8, bytes: u64) -> u64 {
    // SAFETY: passed on from the caller.
    unsafe { empty(buffer, bytes) }
}

/// Nothing.
///
/// # Safety
/// `buffer` has so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_capture_affinity(buffer: *mut u8, bytes: u64, _format: *const u8) -> u64 {
    // SAFETY: passed on from the caller.
    unsafe { empty(buffer, bytes) }
}

/// The empty string, and its length.
///
/// # Safety
/// `buffer` has so many bytes.
#[inline(always)]
unsafe fn empty(buffer: *mut u8, bytes: u64) -> u64 {
    if bytes > 0 {
        // SAFETY: passed on from the caller.
        unsafe { buffer.write(0) };
    }
    0
}

/// Devices do not know their names.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_uid_from_device(_device: i32) -> *const u8 {
    core::ptr::null()
}

/// [`query::set`] the size of regions without a `num_threads` clause.
#[unsafe(no_mangle)]
pub extern "C" fn omp_set_num_threads(threads: i32) {
    if threads > 0 {
        query::set(|settings| settings.threads = threads as u32);
    }
}

/// [`query::set`] whether regions may have more than one thread.
#[unsafe(no_mangle)]
pub extern "C" fn omp_set_max_active_levels(levels: i32) {
    if levels >= 0 {
        query::set(|settings| settings.flat = (levels == 0) as u32);
    }
}

/// [`query::set`] what `schedule(runtime)` means.
#[unsafe(no_mangle)]
pub extern "C" fn omp_set_schedule(kind: u32, chunk: i32) {
    query::set(|settings| {
        settings.schedule = kind;
        settings.chunk = chunk;
    });
}

/// What `schedule(runtime)` means: static chunks of 1 where nothing is set.
///
/// # Safety
/// The pointers are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_schedule(kind: *mut u32, chunk: *mut i32) {
    let settings = query::settings();
    let unset = settings.schedule & !query::MONOTONIC == 0;
    // SAFETY: passed on from the caller.
    unsafe {
        kind.write(if unset { 1 } else { settings.schedule });
        chunk.write(if unset { 1 } else { settings.chunk });
    }
}

/// Seconds since some moment.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_wtime() -> f64 {
    system::nanoseconds() as f64 * 1e-9
}

/// Seconds between two ticks of that clock.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_wtick() -> f64 {
    1e-9
}

/// The function of this device that stands for one of the host's: what a table of the program says, or the
/// same.
///
/// # Safety
/// The table is the host's, in order of its functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __llvm_omp_indirect_call_lookup(function: *const c_void) -> *const c_void {
    let device = query::device();
    let (mut from, mut to) = (0, device.indirect_call_count);
    while from < to {
        let middle = from + (to - from) / 2;
        // SAFETY: below the number of pairs.
        let [host, own] = unsafe { device.indirect_calls.add(middle as usize).read() };
        if host == function {
            return own;
        }
        if host.addr() < function.addr() {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    function
}

macro_rules! under_c_names {
    ($($name:ident($($argument:ident: $ty:ty),*) $(-> $ret:ty)? = $other:expr;)*) => {$(
        /// The same under the name that `omp.h` gives it.
        ///
        /// # Safety
        /// As there.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $ty),*) $(-> $ret)? {
            // SAFETY: the caller's contract is the same.
            #[allow(unused_unsafe)]
            unsafe { $other }
        }
    )*};
}

under_c_names! {
    ompc_set_affinity_format(format: *const u8) = omp_set_affinity_format(format);
    ompc_get_affinity_format(buffer: *mut u8, bytes: u64) -> u64 = omp_get_affinity_format(buffer, bytes);
    ompc_display_affinity(format: *const u8) = omp_display_affinity(format);
    ompc_capture_affinity(buffer: *mut u8, bytes: u64, format: *const u8) -> u64 =
        omp_capture_affinity(buffer, bytes, format);
}
