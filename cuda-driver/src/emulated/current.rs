//! The calling thread: its stack of contexts, the top of which is current, and its number.

use std::{
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering},
};

use super::abi::Handle;
use crate::Status;

/// How deep a thread's stack of contexts can be.
const STACK_DEPTH: usize = 32;

/// How many threads were given a number.
static THREADS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    // Plain values without a destructor: programs call the driver from destructors that run when the
    // thread's own data are destroyed already.
    static STACK: Cell<([Handle; STACK_DEPTH], usize)> = const { Cell::new(([Handle::NULL; STACK_DEPTH], 0)) };
    static NUMBER: Cell<u64> = const { Cell::new(0) };
}

/// The number of the calling thread, from 1 on in the order in which threads ask for it.
pub(super) fn thread_number() -> u64 {
    if NUMBER.get() == 0 {
        NUMBER.set(THREADS.fetch_add(1, Ordering::Relaxed) + 1);
    }
    NUMBER.get()
}

/// The thread's current context, null if there is none.
pub(super) fn current() -> Handle {
    let (stack, depth) = STACK.get();
    depth.checked_sub(1).map_or(Handle::NULL, |top| stack[top])
}

/// Replaces the top of the stack; null removes it.
pub(super) fn set_current(context: Handle) {
    let (mut stack, depth) = STACK.get();
    let depth = if context == Handle::NULL { depth.saturating_sub(1) } else { depth.max(1) };
    if context != Handle::NULL {
        stack[depth - 1] = context;
    }
    STACK.set((stack, depth));
}

/// Pushes a context on the thread's stack.
pub(super) fn push_current(context: Handle) -> Result<(), Status> {
    let (mut stack, depth) = STACK.get();
    *stack.get_mut(depth).ok_or(Status::OUT_OF_MEMORY)? = context;
    STACK.set((stack, depth + 1));
    Ok(())
}

/// Pops the top of the thread's stack.
pub(super) fn pop_current() -> Result<Handle, Status> {
    let (stack, depth) = STACK.get();
    let depth = depth.checked_sub(1).ok_or(Status::INVALID_CONTEXT)?;
    STACK.set((stack, depth));
    Ok(stack[depth])
}
