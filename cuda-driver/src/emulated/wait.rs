//! Where a driver call waits: for operations to finish, for room for another operation, and for its turn in a
//! replay.
//!
//! One thread at a time performs operations: a thread of the program that waits for them, or else the
//! background thread, which looks after them a moment later. So a launch that is waited for at once never
//! changes threads, and operations go on where nobody waits.

use std::{
    sync::{Arc, Condvar},
    thread,
    time::{Duration, Instant},
};

use ptx_emulator::Machine;

use super::{
    abi::{DriverResult, Handle},
    background,
    drive::perform_next,
    print, process,
    recording::{Arrival, LONGEST_WAIT, Recording},
    scheduler::Ticket,
    state::{Ended, PROGRESS, State, lock, with, with_existing},
};
use crate::{Status, host_tasks};

/// Operations that may be unfinished; a call that wants to add one waits, as with NVIDIA's driver.
const MOST_OPERATIONS: usize = 1024;

/// How long a thread waits for its turn in a replay before it checks again.
const ARRIVAL_CHECK: Duration = Duration::from_millis(200);

/// Signalled when a recorded or replayed call has arrived.
static ARRIVALS: Condvar = Condvar::new();

/// Waits, and performs operations meanwhile, until `done` holds.
fn wait_until(mut done: impl FnMut(&mut State) -> bool) {
    let mut guard = lock();
    let machines: Vec<Arc<Machine>> = loop {
        let Some(state) = guard.as_mut() else { break Vec::new() };
        if done(state) || state.gives_up() {
            if state.scheduler.has_work_item() {
                state.notify_waiting();
                background::wake(state);
            }
            break state.machines();
        }
        let (mut after, performed) = perform_next(guard);
        if !performed {
            if let Some(state) = after.as_mut() {
                state.threads.waiting += 1;
            }
            let (woken, over) = after.wait_timeout(&PROGRESS, LONGEST_WAIT);
            after = woken;
            if let Some(state) = after.as_mut() {
                state.threads.waiting -= 1;
                if over {
                    check_replay(state);
                }
            }
        }
        guard = after;
    };
    drop(guard);
    print::flush(&machines);
}

/// Ends a replay whose next operation has not come, so that nothing could go on.
fn check_replay(state: &mut State) {
    if state.scheduler.is_executing() {
        return;
    }
    let rule = state.recording.start_rule(state.scheduler.time_slices());
    if let Some(ticket) = state.scheduler.blocked_on(rule) {
        lose_recording(state, &format!("operation {ticket} was to start next, and has not arrived"));
    }
}

/// Waits for operations.
pub(super) fn wait_for(tickets: &[Ticket]) {
    wait_until(|state| {
        let done = tickets.iter().all(|&ticket| !state.scheduler.is_unfinished(ticket));
        if done && let Some(orders) = &mut state.orders {
            orders.host_waited(tickets);
        }
        done
    });
}

/// Waits for all operations that a context has at present, because the program asks for it.
pub(super) fn synchronise(context: Handle) {
    wait_for_all(context, true);
}

/// As [`synchronise`], because the driver has to. A program cannot rely on that: for checks it orders nothing of an
/// OpenMP program.
pub(super) fn wait_for_context(context: Handle) {
    wait_for_all(context, false);
}

fn wait_for_all(context: Handle, asked: bool) {
    let mut last = None;
    wait_until(|state| {
        let last = *last.get_or_insert(state.scheduler.last());
        let done = state.scheduler.is_done(context, last);
        if done
            && (asked || host_tasks::current() == 0)
            && let Some(orders) = &mut state.orders
        {
            orders.host_waited_for_all(last);
        }
        done
    });
}

/// Waits until an operation can be added.
pub(super) fn wait_for_room() {
    wait_until(|state| state.scheduler.unfinished() < MOST_OPERATIONS);
}

/// Whether operations are finished, for programs that poll: `CUDA_ERROR_NOT_READY` if they are not.
pub(super) fn query(tickets: &[Ticket]) -> DriverResult {
    let check = |state: &mut State| {
        let done = tickets.iter().all(|&ticket| !state.scheduler.is_unfinished(ticket));
        if done && let Some(orders) = &mut state.orders {
            orders.host_waited(tickets);
        }
        Ok(done.then(|| state.machines()))
    };
    match with(check)? {
        Some(machines) => {
            print::flush(&machines);
            Ok(())
        }
        None => {
            // Programs poll in a loop: let the threads run that they wait for.
            thread::yield_now();
            Err(Status::NOT_READY)
        }
    }
}

/// Uses the state for a call whose place among those of other threads matters. Where calls are replayed, it
/// waits for its turn; `describe` is the call's text in the recording.
pub(super) fn recorded_call<R>(
    describe: impl Fn(&State) -> String,
    use_it: impl FnOnce(&mut State) -> Result<R, Status>,
) -> Result<R, Status> {
    if !process::is_initialised() {
        return Err(Status::NOT_INITIALIZED);
    }
    let (mut guard, mut since) = (lock(), None);
    loop {
        let Some(state) = guard.as_mut().filter(|state| state.initialised) else {
            return Err(Status::NOT_INITIALIZED);
        };
        match state.recording {
            Recording::Off => return use_it(state),
            Recording::Lost => return Err(Status::ILLEGAL_STATE),
            Recording::Record { .. } | Recording::Replay { .. } => {}
        }
        let text = describe(state);
        let (since, idle) = (*since.get_or_insert_with(Instant::now), state.scheduler.is_idle());
        match state.recording.arrive(&text, since, idle) {
            Ok(Arrival::Now) => {
                let result = use_it(state);
                let status = result.as_ref().err().map_or(0, |status| status.code());
                let kept = state.recording.arrived(&text, status);
                ARRIVALS.notify_all();
                return match kept {
                    Ok(()) => result,
                    Err(why) => Err(lose_recording(state, &why)),
                };
            }
            Ok(Arrival::Later) => {
                if let Some(ended) = state.ended {
                    return Err(ended.status());
                }
                guard = guard.wait_timeout(&ARRIVALS, ARRIVAL_CHECK).0;
            }
            Err(why) => {
                ARRIVALS.notify_all();
                return Err(lose_recording(state, &why));
            }
        }
    }
}

/// Ends all launches, and every wait for them; returns whether any operation was unfinished.
pub(crate) fn interrupt(why: &str) -> bool {
    let interrupted = with_existing(|state| {
        state.devices.machines().for_each(|machine| machine.interrupt(why));
        state.ended.get_or_insert(Ended::Interrupted);
        PROGRESS.notify_all();
        ARRIVALS.notify_all();
        background::wake(state);
        !state.scheduler.is_idle()
    });
    interrupted.unwrap_or(false)
}

/// As [`State::lose_recording`]; the background thread goes on.
fn lose_recording(state: &mut State, why: &str) -> Status {
    let status = state.lose_recording(why);
    background::wake(state);
    status
}
