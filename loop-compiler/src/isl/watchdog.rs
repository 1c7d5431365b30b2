//! A limit of time for contexts of isl: an operation may take minutes before isl returns, and another thread ends it then.

use std::{
    collections::BTreeMap,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Instant,
};

/// isl's context, which other threads only use to set its flag.
#[derive(Clone, Copy)]
struct Watched {
    context: *mut std::ffi::c_void,
    abort: unsafe extern "C" fn(*mut std::ffi::c_void),
}

// SAFETY: the context is used by `abort` alone, which isl allows at any time, and only while it is watched.
unsafe impl Send for Watched {}

#[derive(Default)]
struct State {
    /// By the end of their time; the number tells those of one time apart.
    watched: BTreeMap<(Instant, u64), Watched>,
    next: u64,
    is_running: bool,
}

static STATE: Mutex<State> = Mutex::new(State { watched: BTreeMap::new(), next: 0, is_running: false });
static CHANGED: Condvar = Condvar::new();

/// A context is watched until this is dropped.
pub(crate) struct Watch {
    key: (Instant, u64),
}

impl Watch {
    /// Ends the context's operations at a time, with errors.
    ///
    /// # Safety
    ///
    /// The context lives until the watch is dropped, and `abort` is isl's for it.
    pub unsafe fn new(
        context: *mut std::ffi::c_void,
        abort: unsafe extern "C" fn(*mut std::ffi::c_void),
        end: Instant,
    ) -> Watch {
        let mut state = lock();
        let key = (end, state.next);
        state.next += 1;
        state.watched.insert(key, Watched { context, abort });
        // Without a thread there is no limit of time; that of operations stays.
        state.is_running = state.is_running || thread::Builder::new().spawn(watch).is_ok();
        CHANGED.notify_one();
        Watch { key }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        lock().watched.remove(&self.key);
    }
}

fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch() {
    let mut state = lock();
    loop {
        let now = Instant::now();
        match state.watched.first_key_value() {
            Some((key, watched)) if key.0 <= now => {
                let key = *key;
                // SAFETY: what is watched lives: its watch is removed under the lock before it ends.
                unsafe { (watched.abort)(watched.context) };
                state.watched.remove(&key);
            }
            Some((key, _)) => {
                let left = key.0 - now;
                state = CHANGED.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            }
            None => state = CHANGED.wait(state).unwrap_or_else(PoisonError::into_inner),
        }
    }
}
