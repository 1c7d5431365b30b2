//! Events: points in the work of streams, and the time when it reached them.

use super::{
    abi::{Handle, Out, Outcome, entry_points},
    order::ordered,
    state::{Event, with, with_context},
    stream::context_of,
    work::{self, Action, Ticket},
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
            state.events.insert(handle, Event { context, flags, ticket: 0, time: None });
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
        let (ticket, _) = ticket_of(event)?;
        work::ask(&[ticket])
    }

    fn cuEventSynchronize(event: Handle) {
        let (ticket, context) = ticket_of(event)?;
        work::wait_for(&[ticket]);
        with(|state| state.fault_of(context))
    }

    fn cuEventElapsedTime_v2(milliseconds: Out<f32>, start: Handle, end: Handle) {
        elapsed(milliseconds, start, end)
    }

    fn cuEventElapsedTime(milliseconds: Out<f32>, start: Handle, end: Handle) {
        elapsed(milliseconds, start, end)
    }
}

/// Milliseconds between two recorded events.
fn elapsed(milliseconds: Out<f32>, start: Handle, end: Handle) -> Outcome {
    with(|state| {
        let time = |event: Handle| {
            let event = state.events.get(&event).ok_or(Status::INVALID_HANDLE)?;
            state.usable_context(event.context)?;
            // Events that keep no time, or that were never recorded, have none to compare.
            if event.ticket == 0 || event.flags & NO_TIMING != 0 {
                return Err(Status::INVALID_HANDLE);
            }
            event.time.ok_or(Status::NOT_READY)
        };
        let (start, end) = (time(start)?, time(end)?);
        let seconds = match end.checked_duration_since(start) {
            Some(after) => after.as_secs_f64(),
            None => -(start - end).as_secs_f64(),
        };
        milliseconds.set((seconds * 1e3) as f32)
    })
}

fn destroy(event: Handle) -> Outcome {
    with(|state| {
        let known = state.events.remove(&event).ok_or(Status::INVALID_HANDLE)?;
        state.fault_of(known.context)
    })
}

fn record(event: Handle, stream: Handle) -> Outcome {
    work::wait_for_room();
    ordered(
        |state| format!("cuEventRecord({})", state.name_of(stream)),
        |state| {
            let context = context_of(state, stream)?;
            let stream = state.find_stream(stream, context)?;
            let known = state.events.get_mut(&event).ok_or(Status::INVALID_HANDLE)?;
            if known.context != context {
                return Err(Status::INVALID_HANDLE);
            }
            // The operation may be done as soon as it is added, and has to find its ticket here.
            (known.ticket, known.time) = (state.work.last() + 1, None);
            state.enqueue(stream, context, Action::Record(event));
            Ok(())
        },
    )
}

/// The operation that records an event, and the event's context.
fn ticket_of(event: Handle) -> Result<(Ticket, Handle), Status> {
    with(|state| {
        let event = state.events.get(&event).ok_or(Status::INVALID_HANDLE)?;
        Ok((event.ticket, state.usable_context(event.context)?))
    })
}
