//! Processes and threads in which the driver allows no call: forked ones, and those inside a callback.

use std::{
    cell::Cell,
    sync::atomic::{AtomicU32, Ordering},
};

/// The process that called `cuInit`, 0 before.
static PROCESS: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// This process has called `cuInit`.
pub(super) fn set_initialised() {
    PROCESS.store(std::process::id(), Ordering::Relaxed);
}

/// Whether `cuInit` was called, by this process or by one that it was forked from.
pub(super) fn is_initialised() -> bool {
    PROCESS.load(Ordering::Relaxed) != 0
}

/// Whether this process was forked after `cuInit`.
pub(super) fn is_forked() -> bool {
    let process = PROCESS.load(Ordering::Relaxed);
    process != 0 && process != std::process::id()
}

/// Marks this thread as the one that calls callbacks: driver calls on it are rejected.
pub(super) fn set_in_callback() {
    IN_CALLBACK.set(true);
}

/// Whether this thread is inside a function that the driver calls, where CUDA allows no call of the driver.
pub(super) fn in_callback() -> bool {
    IN_CALLBACK.get()
}
