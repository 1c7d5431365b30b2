//! The driver's own threads: the background thread, which performs operations that nobody waits for, and the
//! thread that calls callbacks, because these may take long.

use std::{
    panic::catch_unwind,
    sync::{Condvar, mpsc},
    thread,
    time::Duration,
};

use super::{
    drive::perform_next,
    print, process,
    recording::{Recording, this_thread},
    state::{BackgroundThread, CALLBACKS, State, lock},
};

/// How long the background thread leaves new operations to threads that may be about to wait for them.
const NAP: Duration = Duration::from_micros(200);

/// Naps with nothing to do after which the background thread sleeps until it is woken.
const IDLE_NAPS: u32 = 100;

/// Signalled when the background thread has something to do.
static WORK: Condvar = Condvar::new();

/// Ensures that operations go on although nobody waits for them: starts or wakes the background thread if
/// there is something for it.
pub(super) fn wake(state: &mut State) {
    if !state.scheduler.has_work_item() {
        return;
    }
    match state.threads.background {
        BackgroundThread::Awake => {}
        BackgroundThread::Asleep => WORK.notify_one(),
        BackgroundThread::Missing => {
            // Where no thread can be started, threads that wait perform all operations.
            match start("warpfold device", perform_operations, &mut state.recording) {
                true => state.threads.background = BackgroundThread::Awake,
                false => state.notify_waiting(),
            }
        }
    }
}

/// Ensures that there is a thread for callbacks, if one can be started.
pub(super) fn start_callbacks(state: &mut State) {
    if !state.threads.has_callback_thread {
        state.threads.has_callback_thread = start("warpfold callbacks", call_callbacks, &mut state.recording);
    }
}

/// Starts a thread of the driver; false where that fails.
fn start(name: &str, run: fn(), recording: &mut Recording) -> bool {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::Builder::new().name(name.into()).spawn(move || {
        // Nobody may listen.
        let _ = sender.send(this_thread());
        // What a panic prints is all that can be said; nobody may wait for this thread any more.
        if catch_unwind(run).is_err()
            && let Some(state) = lock().as_mut()
        {
            state.break_down();
        }
    });
    if thread.is_ok()
        && recording.is_active()
        && let Ok(Some(thread)) = receiver.recv()
    {
        recording.exclude(thread);
    }
    thread.is_ok()
}

/// The background thread. It ends with the process.
fn perform_operations() {
    let (mut guard, mut idle) = (lock(), 0);
    loop {
        let (mut after, performed) = perform_next(guard);
        if performed {
            idle = 0;
            guard = after;
            continue;
        }
        let Some(state) = after.as_mut() else { return };
        idle += 1;
        if idle > IDLE_NAPS || state.scheduler.is_executing() {
            state.threads.background = BackgroundThread::Asleep;
            after = after.wait(&WORK);
            if let Some(state) = after.as_mut() {
                state.threads.background = BackgroundThread::Awake;
            }
            idle = 0;
        }
        guard = after.wait_timeout(&WORK, NAP).0;
    }
}

/// The thread that calls callbacks. It never ends.
fn call_callbacks() {
    process::set_in_callback();
    let mut guard = lock();
    loop {
        let Some(state) = guard.as_mut() else { return };
        let Some(callback) = state.threads.callbacks.pop_front() else {
            guard = guard.wait(&CALLBACKS);
            continue;
        };
        let machines = state.machines();
        drop(guard);
        print::flush(&machines);
        // A C function cannot panic.
        (callback.function)(callback.result);
        guard = lock();
        if let Some(state) = guard.as_mut() {
            state.finish(callback.ticket);
            wake(state);
        }
    }
}
