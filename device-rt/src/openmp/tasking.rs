//! Explicit tasks. The thread that encounters a task runs it at once: dependences hold, and waiting for tasks
//! takes no time.

use crate::abi::layout::{LoopTask, Task, TaskRoutine};
use crate::arch::{heap, id};
use crate::openmp::print;
use crate::openmp::team::state;

/// What the runtime notes of a task, before it in memory.
#[repr(C)]
struct TaskHeader {
    flags: i32,
    /// Whether it has begun: an untied task calls the runtime again with itself, for its next part.
    begun: u32,
    /// The thread's nesting before a task that its `if` clause makes undeferred.
    outside: u64,
}

/// Bits of a task's flags.
const FINAL: i32 = 1 << 1;
const DESTRUCTORS: i32 = 1 << 3;
/// No compiler sets this one.
const NEVER: i32 = 1 << 31;

const _: () = assert!(size_of::<TaskHeader>() == 16);

/// Allocates a task: `bytes` for it and its private variables, `shared_bytes` for the addresses of shared
/// ones.
///
/// Concerns the calling thread only. If the heap is full, the kernel ends with a message.
#[inline(always)]
pub fn allocate(flags: i32, bytes: u64, shared_bytes: u64, routine: TaskRoutine) -> *mut Task {
    let bytes = bytes.next_multiple_of(8);
    let memory = heap::allocate(size_of::<TaskHeader>() as u64 + bytes + shared_bytes).cast::<TaskHeader>();
    if memory.is_null() {
        print::heap_is_full();
    }
    // SAFETY: the memory has room for both.
    unsafe {
        memory.write(TaskHeader { flags, begun: 0, outside: 0 });
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

/// The header of a task.
///
/// # Safety
/// It came from [`allocate`].
#[inline(always)]
unsafe fn header(task: *mut Task) -> *mut TaskHeader {
    // SAFETY: the header is before the task.
    unsafe { task.cast::<TaskHeader>().sub(1) }
}

/// Destroys a task's private variables and releases its memory.
///
/// # Safety
/// It came from [`allocate`] and has run.
#[inline(always)]
unsafe fn release(task: *mut Task) {
    // SAFETY: passed on from the caller.
    unsafe {
        if (*header(task)).flags & DESTRUCTORS != 0
            && let Some(destructors) = (*task).destructors
        {
            call(destructors, 0, task);
        }
        heap::release(header(task).cast());
    }
}

/// Runs `body` as a task.
#[inline(always)]
fn within(is_final: bool, body: impl FnOnce()) {
    let thread = id::thread();
    let outside = state::nesting(thread);
    state::set_nesting(thread, outside.in_task(is_final));
    body();
    state::set_nesting(thread, outside);
}

/// Calls a task's function, of clang's type or of flang's, which has no result.
///
/// nvlink keeps what a function calls only if a call through a pointer has its type: without this, a GPU executed an illegal
/// instruction in tasks that were not optimised and alone called a function. So there is a call of each type. Either one
/// serves both: a result is in a register that the caller does not read.
///
/// # Safety
/// The task is one that [`allocate`] made, and the function takes it.
#[inline(always)]
unsafe fn call(routine: TaskRoutine, number: i32, task: *mut Task) {
    // SAFETY: passed on from the caller; a function without a result is called the same way.
    unsafe {
        if (*header(task)).flags & NEVER != 0 {
            core::mem::transmute::<TaskRoutine, unsafe extern "C" fn(i32, *mut Task)>(routine)(number, task);
        } else {
            routine(number, task);
        }
    }
}

/// Runs a task to its end, or the next part of an untied one that has begun.
///
/// Concerns the calling thread only.
///
/// # Safety
/// It came from [`allocate`], and is not used afterwards.
#[inline(always)]
pub unsafe fn run(task: *mut Task) {
    // SAFETY: passed on from the caller.
    unsafe {
        let number = crate::openmp::query::thread_number() as i32;
        if (*header(task)).begun != 0 {
            call((*task).routine, number, task);
            return;
        }
        (*header(task)).begun = 1;
        within((*header(task)).flags & FINAL != 0, || {
            call((*task).routine, number, task);
        });
        release(task);
    }
}

/// Runs the task of a loop from `lower` to `upper`, which it has already, all iterations at once.
///
/// # Safety
/// As for [`run`]; the bounds are valid. Unless `lower` is the first of the shared variables, the task is a
/// [`LoopTask`].
#[inline(always)]
pub unsafe fn run_loop(task: *mut Task, lower: *const u64, upper: *const u64) {
    // SAFETY: passed on from the caller.
    unsafe {
        if lower.read() <= upper.read() {
            // flang keeps the bounds as its first shared variables, and has another one where clang has `last`.
            if !core::ptr::eq((*task).shareds.cast(), lower) {
                (&raw mut (*task.cast::<LoopTask>()).last).write(1);
            }
            run(task);
        } else {
            heap::release(header(task).cast());
        }
    }
}

/// Begins a task that the caller runs itself, because of its `if` clause.
///
/// # Safety
/// It came from [`allocate`].
#[inline(always)]
pub unsafe fn begin(task: *mut Task) {
    let thread = id::thread();
    // SAFETY: passed on from the caller.
    let is_final = unsafe { (*header(task)).flags } & FINAL != 0;
    let outside = state::nesting(thread);
    // SAFETY: as above. The header keeps the nesting.
    unsafe { (*header(task)).outside = outside.bits() };
    state::set_nesting(thread, outside.in_task(is_final));
}

/// Ends that task.
///
/// # Safety
/// As for [`begin`], which came before; the task is not used afterwards.
#[inline(always)]
pub unsafe fn complete(task: *mut Task) {
    // SAFETY: passed on from the caller; written by `begin`.
    unsafe {
        let outside = state::Nesting::from_bits((*header(task)).outside);
        state::set_nesting(id::thread(), outside);
        release(task);
    }
}
