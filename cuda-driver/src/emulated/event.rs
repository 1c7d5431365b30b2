//! Events: points in time. Work is finished on return, so a recorded event has happened.

use std::time::Instant;

use super::{
    abi::{Handle, Out, Outcome, entry_points},
    state::{Event, with, with_context},
    stream::context_of,
};
use crate::Status;

/// Blocking synchronisation, no timing, usable between processes.
const FLAGS: u32 = 7;

/// `CU_EVENT_DISABLE_TIMING`.
const NO_TIMING: u32 = 2;

entry_points! {
    fn cuEventCreate(event: Out<Handle>, flags: u32) {
        with_context(|state, context| {
            event.check()?;
            if flags & !FLAGS != 0 {
                return Err(Status::INVALID_VALUE);
            }
            let handle = state.new_handle();
            state.events.insert(handle, Event { context, flags, recorded: None });
            event.set(handle)
        })
    }

    fn cuEventDestroy(event: Handle) {
        destroy(event)
    }

    fn cuEventDestroy_v2(event: Handle) {
        destroy(event)
    }

    fn cuEventRecord(event: Handle, stream: Handle) {
        record(event, stream)
    }

    fn cuEventRecordWithFlags(event: Handle, stream: Handle, _flags: u32) {
        record(event, stream)
    }

    fn cuEventQuery(event: Handle) {
        check(event)
    }

    fn cuEventSynchronize(event: Handle) {
        check(event)
    }

    fn cuEventElapsedTime(milliseconds: Out<f32>, start: Handle, end: Handle) {
        with(|state| {
            let time = |event: Handle| {
                let event = state.events.get(&event).ok_or(Status::INVALID_HANDLE)?;
                state.usable_context(event.context)?;
                // Events that keep no time, or that were never recorded, have none to compare.
                event.recorded.filter(|_| event.flags & NO_TIMING == 0).ok_or(Status::INVALID_HANDLE)
            };
            let (start, end) = (time(start)?, time(end)?);
            let seconds = match end.checked_duration_since(start) {
                Some(after) => after.as_secs_f64(),
                None => -(start - end).as_secs_f64(),
            };
            milliseconds.set((seconds * 1e3) as f32)
        })
    }
}

fn destroy(event: Handle) -> Outcome {
    with(|state| {
        let known = state.events.remove(&event).ok_or(Status::INVALID_HANDLE)?;
        state.fault_of(known.context)
    })
}

fn record(event: Handle, stream: Handle) -> Outcome {
    with(|state| {
        let context = context_of(state, stream)?;
        let event = state.events.get_mut(&event).ok_or(Status::INVALID_HANDLE)?;
        if event.context != context {
            return Err(Status::INVALID_HANDLE);
        }
        event.recorded = Some(Instant::now());
        Ok(())
    })
}

fn check(event: Handle) -> Outcome {
    with(|state| {
        let event = state.events.get(&event).ok_or(Status::INVALID_HANDLE)?;
        state.usable_context(event.context).map(|_| ())
    })
}
