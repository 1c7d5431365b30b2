//! A tool for OpenMP's host runtime (OMPT, OpenMP 5.2, chapter 20): tells the driver which tasks the host's threads
//! execute and wait for, for the checks of races.
//!
//! LLVM's host runtime looks for tools in the libraries that `OMP_TOOL_LIBRARIES` names, which `warpfold run --check`
//! sets to this one. Without `WARPFOLD_CHECK` the tool declines, and the runtime calls nothing of it.

use std::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr, slice,
};

use cuda_driver::host_tasks::{self, Dependence};

/// `ompt_data_t`: a word of the tool's, which the runtime keeps with a task or region.
#[repr(C)]
struct Data {
    value: u64,
}

/// `ompt_dependence_t`
#[repr(C)]
struct OmptDependence {
    variable: u64,
    kind: c_int,
}

type Lookup = unsafe extern "C" fn(*const c_char) -> Option<unsafe extern "C" fn()>;
type SetCallback = unsafe extern "C" fn(c_int, *const c_void) -> c_int;

/// `ompt_start_tool_result_t`
#[repr(C)]
struct StartToolResult {
    initialize: extern "C" fn(Lookup, c_int, *mut Data) -> c_int,
    finalize: extern "C" fn(*mut Data),
    data: Data,
}

// The runtime's values, from OpenMP's definition of `omp-tools.h`.
const PARALLEL_BEGIN: c_int = 3;
const PARALLEL_END: c_int = 4;
const TASK_CREATE: c_int = 5;
const TASK_SCHEDULE: c_int = 6;
const IMPLICIT_TASK: c_int = 7;
const DEPENDENCES: c_int = 18;
const SYNC_REGION: c_int = 23;
const BEGIN: c_int = 1;
const END: c_int = 2;
const UNDEFERRED: c_int = 0x0800_0000;
const TASK_COMPLETE: c_int = 1;
const TASK_CANCEL: c_int = 3;
const TASK_LATE_FULFILL: c_int = 6;
const TASKWAIT_COMPLETE: c_int = 8;
const DEPENDENCE_IN: c_int = 1;
const TASKWAIT: c_int = 5;
const TASKGROUP: c_int = 6;
const REDUCTION: c_int = 7;

/// Called by OpenMP's host runtime when it starts; null declines.
#[unsafe(no_mangle)]
extern "C" fn ompt_start_tool(_omp_version: c_uint, _runtime: *const c_char) -> *mut c_void {
    static RESULT: StartToolResult = StartToolResult { initialize, finalize, data: Data { value: 0 } };
    let checks = cuda_driver::variable("WARPFOLD_CHECK").is_some();
    // The runtime does not change the result, whose word this tool does not use.
    if checks { ptr::from_ref(&RESULT).cast_mut().cast() } else { ptr::null_mut() }
}

extern "C" fn initialize(lookup: Lookup, _device: c_int, _data: *mut Data) -> c_int {
    const SET_CALLBACK: &CStr = c"ompt_set_callback";
    // SAFETY: the runtime's own function, with the name of one of its entry points.
    let Some(set) = (unsafe { lookup(SET_CALLBACK.as_ptr()) }) else { return 0 };
    // SAFETY: OMPT gives this type to the entry point of this name.
    let set = unsafe { std::mem::transmute::<unsafe extern "C" fn(), SetCallback>(set) };
    let callbacks: [(c_int, *const c_void); 7] = [
        (PARALLEL_BEGIN, parallel_begin as *const c_void),
        (PARALLEL_END, parallel_end as *const c_void),
        (TASK_CREATE, task_create as *const c_void),
        (TASK_SCHEDULE, task_schedule as *const c_void),
        (IMPLICIT_TASK, implicit_task as *const c_void),
        (DEPENDENCES, dependences as *const c_void),
        (SYNC_REGION, sync_region as *const c_void),
    ];
    for (event, callback) in callbacks {
        // SAFETY: each function has the type that OMPT gives to its event.
        unsafe { set(event, callback) };
    }
    1
}

extern "C" fn finalize(_data: *mut Data) {}

/// The word of a task or region; 0 where there is none.
fn value(data: *const Data) -> u64 {
    // SAFETY: null, or the runtime's word, which nobody else uses during the callback.
    unsafe { data.as_ref() }.map_or(0, |data| data.value)
}

fn set_value(data: *mut Data, value: u64) {
    // SAFETY: as above.
    if let Some(data) = unsafe { data.as_mut() } {
        data.value = value;
    }
}

extern "C" fn parallel_begin(
    encountering: *mut Data,
    _frame: *const c_void,
    region: *mut Data,
    _threads: c_uint,
    _flags: c_int,
    _code: *const c_void,
) {
    set_value(region, host_tasks::begin_region(value(encountering)));
}

extern "C" fn parallel_end(region: *mut Data, encountering: *mut Data, _flags: c_int, _code: *const c_void) {
    host_tasks::end_region(value(region), value(encountering));
}

extern "C" fn implicit_task(
    endpoint: c_int,
    region: *mut Data,
    task: *mut Data,
    _threads: c_uint,
    _index: c_uint,
    _flags: c_int,
) {
    match endpoint {
        BEGIN => set_value(task, host_tasks::begin_implicit(value(region))),
        END => host_tasks::end_implicit(value(task)),
        _ => {}
    }
}

extern "C" fn task_create(
    encountering: *mut Data,
    _frame: *const c_void,
    task: *mut Data,
    flags: c_int,
    _has_dependences: c_int,
    _code: *const c_void,
) {
    set_value(task, host_tasks::create(value(encountering), flags & UNDEFERRED != 0));
}

extern "C" fn task_schedule(prior: *mut Data, status: c_int, next: *mut Data) {
    match status {
        TASK_COMPLETE | TASK_CANCEL | TASK_LATE_FULFILL => host_tasks::end(value(prior)),
        TASKWAIT_COMPLETE => host_tasks::waited_for_dependences(value(prior)),
        _ => {}
    }
    if !next.is_null() {
        host_tasks::switch(value(next));
    }
}

extern "C" fn dependences(task: *mut Data, list: *const OmptDependence, count: c_int) {
    let count = usize::try_from(count).unwrap_or(0);
    if list.is_null() || count == 0 {
        return;
    }
    // SAFETY: the runtime gives so many dependences.
    let list = unsafe { slice::from_raw_parts(list, count) };
    let how = |kind| if kind == DEPENDENCE_IN { Dependence::In } else { Dependence::Out };
    host_tasks::depend(value(task), list.iter().map(|on| (on.variable, how(on.kind))));
}

extern "C" fn sync_region(
    kind: c_int,
    endpoint: c_int,
    _region: *mut Data,
    task: *mut Data,
    _code: *const c_void,
) {
    let task = value(task);
    match (kind, endpoint) {
        (REDUCTION, _) => {}
        (TASKWAIT | TASKGROUP, END) => host_tasks::waited_for_children(task),
        (TASKWAIT | TASKGROUP, _) => {}
        (_, BEGIN) => host_tasks::arrive_at_barrier(task),
        (_, END) => host_tasks::leave_barrier(task),
        _ => {}
    }
}
