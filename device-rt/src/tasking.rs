//! Explicit tasks. The thread that encounters one runs it at once: whoever waits for tasks has nothing to
//! wait for, and every dependence holds.

use core::ffi::c_void;

use crate::arch::{heap, id};
use crate::print;
use crate::team::state;

/// A task as LLVM's compilers lay it out. Private variables follow it, then what is shared.
#[derive(Debug)]
#[repr(C)]
pub struct Task {
    /// Where the addresses of the shared variables are.
    pub shareds: *mut c_void,
    /// Runs it.
    pub routine: Routine,
    /// Where an untied task goes on.
    pub part: i32,
    reserved: u32,
    /// Ends the lives of its private variables.
    pub destructors: Option<Routine>,
    /// Its priority, or nothing.
    pub priority: u64,
}

/// What runs a task: `(number of the thread, the task)`.
pub type Routine = unsafe extern "C" fn(i32, *mut Task) -> i32;

/// What follows [`Task`] in a task of a loop.
#[derive(Debug)]
#[repr(C)]
pub struct LoopTask {
    task: Task,
    lower: u64,
    upper: u64,
    step: i64,
    /// Whether it has the loop's last iteration.
    last: i32,
}

/// What the runtime keeps of a task, before it in memory.
#[repr(C)]
struct Record {
    flags: i32,
    /// Whether it has begun: an untied task gives itself to the runtime again, for its next part.
    begun: u32,
    /// Where the thread was before a task that it runs by itself.
    outside: u64,
}

/// Bits of a task's flags.
const FINAL: i32 = 1 << 1;
const DESTRUCTORS: i32 = 1 << 3;

const _: () = assert!(size_of::<Task>() == 40 && size_of::<Record>() == 16);

/// A task with so many bytes of it and its private variables, and so many for the addresses of what is shared.
///
/// Concerns the calling thread only. A kernel whose heap is full ends with a message.
#[inline(always)]
pub fn allocate(flags: i32, bytes: u64, shared_bytes: u64, routine: Routine) -> *mut Task {
    let bytes = bytes.next_multiple_of(8);
    let memory = heap::allocate(size_of::<Record>() as u64 + bytes + shared_bytes).cast::<Record>();
    if memory.is_null() {
        print::heap_is_full();
    }
    // SAFETY: the memory has room for both.
    unsafe {
        memory.write(Record { flags, begun: 0, outside: 0 });
        let task = memory.add(1).cast::<Task>();
        let shareds = if shared_bytes == 0 { core::ptr::null_mut() } else { task.byte_add(bytes as usize) };
        task.write(Task {
            shareds: shareds.cast(),
            routine,
            part: 0,
            reserved: 0,
            destructors: None,
            priority: 0,
        });
        task
    }
}

/// What the runtime keeps of a task.
///
/// # Safety
/// It came from [`allocate`].
#[inline(always)]
unsafe fn record(task: *mut Task) -> *mut Record {
    // SAFETY: the record is before the task.
    unsafe { task.cast::<Record>().sub(1) }
}

/// Gives a task's memory back, after its private variables' lives.
///
/// # Safety
/// It came from [`allocate`] and has run.
#[inline(always)]
unsafe fn release(task: *mut Task) {
    // SAFETY: passed on from the caller.
    unsafe {
        if (*record(task)).flags & DESTRUCTORS != 0
            && let Some(destructors) = (*task).destructors
        {
            destructors(0, task);
        }
        heap::release(record(task).cast());
    }
}

/// Runs `body` as a task.
#[inline(always)]
fn within(is_final: bool, body: impl FnOnce()) {
    let thread = id::thread();
    let outside = state::place(thread);
    state::set_place(thread, outside.in_task(is_final));
    body();
    state::set_place(thread, outside);
}

/// Runs a task to its end, or the next part of one that is running.
///
/// Concerns the calling thread only.
///
/// # Safety
/// It came from [`allocate`], and is used no more.
#[inline(always)]
pub unsafe fn run(task: *mut Task) {
    // SAFETY: passed on from the caller.
    unsafe {
        let number = crate::query::thread_number() as i32;
        if (*record(task)).begun != 0 {
            ((*task).routine)(number, task);
            return;
        }
        (*record(task)).begun = 1;
        within((*record(task)).flags & FINAL != 0, || {
            ((*task).routine)(number, task);
        });
        release(task);
    }
}

/// Runs a task over a loop from `lower` to `upper`, all of it at once.
///
/// # Safety
/// As for [`run`], and the task is that of a loop, which has the bounds already.
#[inline(always)]
pub unsafe fn run_loop(task: *mut Task, lower: u64, upper: u64) {
    // SAFETY: passed on from the caller.
    unsafe {
        if lower <= upper {
            (&raw mut (*task.cast::<LoopTask>()).last).write(1);
            run(task);
        } else {
            heap::release(record(task).cast());
        }
    }
}

/// Before a task that the caller runs by itself, because of its `if` clause.
///
/// # Safety
/// It came from [`allocate`].
#[inline(always)]
pub unsafe fn begin(task: *mut Task) {
    let thread = id::thread();
    // SAFETY: passed on from the caller.
    let is_final = unsafe { (*record(task)).flags } & FINAL != 0;
    let outside = state::place(thread);
    // SAFETY: as above. The record remembers where the thread was.
    unsafe { (*record(task)).outside = outside.bits() };
    state::set_place(thread, outside.in_task(is_final));
}

/// After it.
///
/// # Safety
/// As for [`begin`], which came before; the task is used no more.
#[inline(always)]
pub unsafe fn complete(task: *mut Task) {
    // SAFETY: passed on from the caller; written by `begin`.
    unsafe {
        let outside = state::Place::from_bits((*record(task)).outside);
        state::set_place(id::thread(), outside);
        release(task);
    }
}
