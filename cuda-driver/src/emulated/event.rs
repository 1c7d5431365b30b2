//! Events: points in streams, and the times when these were reached.

use super::{
    abi::{DriverResult, Handle, Out, entry_points},
    flags::{EventFlags, known},
    objects::Event,
    scheduler::{Action, Ticket},
    state::{with, with_context},
    wait::{query, recorded_call, wait_for, wait_for_room},
};
use crate::Status;

entry_points! {
    fn cuEventCreate(event: Out<Handle>, flags: u32) {
        with_context(|state, context| {
            event.check()?;
            let flags = known(flags)?;
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
        with(|state| state.check_event_not_captured(event))?;
        let (ticket, _) = ticket_of(event)?;
        query(&[ticket])
    }

    fn cuEventSynchronize(event: Handle) {
        with(|state| state.check_event_not_captured(event))?;
        let (ticket, context) = ticket_of(event)?;
        wait_for(&[ticket]);
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
fn elapsed(milliseconds: Out<f32>, start: Handle, end: Handle) -> DriverResult {
    with(|state| {
        let time = |event: Handle| {
            let event = state.events.get(&event).ok_or(Status::INVALID_HANDLE)?;
            state.usable_context(event.context)?;
            // Events without timing, or that were never recorded, have no time to compare.
            if event.ticket == 0 || event.flags.contains(EventFlags::NO_TIMING) {
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

fn destroy(event: Handle) -> DriverResult {
    with(|state| {
        let known = state.events.remove(&event).ok_or(Status::INVALID_HANDLE)?;
        state.fault_of(known.context)
    })
}

/// Records an event on a stream, or for the graph of the stream's capture.
fn record(event: Handle, stream: Handle) -> DriverResult {
    if with(|state| state.capture_record(event, stream))? { Ok(()) } else { record_now(event, stream) }
}

/// Records an event on a stream.
pub(super) fn record_now(event: Handle, stream: Handle) -> DriverResult {
    wait_for_room();
    recorded_call(
        |state| format!("cuEventRecord({})", state.streams.name(stream)),
        |state| {
            let context = state.context_of(stream)?;
            let queue = state.find_queue(stream, context)?;
            let known = state.events.get_mut(&event).ok_or(Status::INVALID_HANDLE)?;
            if known.context != context {
                return Err(Status::INVALID_HANDLE);
            }
            // The operation may finish as soon as it is added, and has to find its ticket here.
            (known.ticket, known.time) = (state.scheduler.next_ticket(), None);
            state.enqueue(queue, Action::RecordEvent(event));
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
