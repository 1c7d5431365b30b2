//! Streams, and functions of the program's that are called in their order.

use std::{cell::Cell, ffi::c_void};

use super::{
    abi::{Handle, Out, Outcome, entry_points},
    order::ordered,
    state::{NON_BLOCKING, State, Stream, current, with},
    work::{self, Action, Ticket},
};
use crate::Status;

/// The least and the greatest priority of a stream.
pub(super) const PRIORITIES: [i32; 2] = [0, -5];

entry_points! {
    fn cuStreamCreate(stream: Out<Handle>, flags: u32) {
        create(stream, flags, 0)
    }

    fn cuStreamCreateWithPriority(stream: Out<Handle>, flags: u32, priority: i32) {
        create(stream, flags, priority.clamp(PRIORITIES[1], PRIORITIES[0]))
    }

    fn cuStreamDestroy_v2(stream: Handle) {
        ordered(|state| format!("cuStreamDestroy({})", state.name_of(stream)), |state| {
            let known = state.streams.get_mut(&stream).filter(|known| !known.destroyed);
            let known = known.ok_or(Status::INVALID_HANDLE)?;
            let context = known.context;
            known.destroyed = true;
            state.forget_streams();
            state.fault_of(context)
        })
    }

    fn cuStreamSynchronize(stream: Handle) {
        let (tickets, context) = work_of(stream)?;
        work::wait_for(&tickets);
        with(|state| state.fault_of(context))
    }

    fn cuStreamQuery(stream: Handle) {
        let (tickets, _) = work_of(stream)?;
        work::ask(&tickets)
    }

    fn cuStreamWaitEvent(stream: Handle, event: Handle, _flags: u32) {
        work::wait_for_room();
        ordered(|state| format!("cuStreamWaitEvent({})", state.name_of(stream)), |state| {
            // libomptarget's helper threads have no current context when they come here.
            let context = context_of(state, stream)?;
            let stream = state.find_stream(stream, context)?;
            let ticket = state.events.get(&event).ok_or(Status::INVALID_HANDLE)?.ticket;
            state.enqueue_after(stream, context, ticket, Action::Join);
            Ok(())
        })
    }

    fn cuStreamGetFlags(stream: Handle, flags: Out<u32>) {
        of(stream, |known| flags.set(known.map_or(0, |stream| stream.flags)))
    }

    fn cuStreamGetPriority(stream: Handle, priority: Out<i32>) {
        of(stream, |known| priority.set(known.map_or(0, |stream| stream.priority)))
    }

    fn cuStreamGetCtx(stream: Handle, context: Out<Handle>) {
        of(stream, |known| context.set(known.map_or(current(), |stream| stream.context)))
    }

    fn cuStreamIsCapturing(stream: Handle, status: Out<i32>) {
        // CU_STREAM_CAPTURE_STATUS_NONE
        of(stream, |_| status.set(0))
    }

    fn cuStreamGetCaptureInfo(stream: Handle, status: Out<i32>, _id: Out<u64>) {
        of(stream, |_| status.set(0))
    }

    fn cuStreamGetCaptureInfo_v2(
        stream: Handle,
        status: Out<i32>,
        _id: Out<u64>,
        _graph: Out<Handle>,
        _dependencies: Out<usize>,
        _count: Out<usize>,
    ) {
        of(stream, |_| status.set(0))
    }

    fn cuStreamGetId(stream: Handle, id: Out<u64>) {
        with(|state| {
            let context = context_of(state, stream)?;
            let known = state.find_stream(stream, context)?;
            // The default stream of a context has that one's number.
            id.set(if known == Handle::NULL { context.0 as u64 } else { known.0 as u64 })
        })
    }

    fn cuThreadExchangeStreamCaptureMode(mode: Out<i32>) {
        // Kept for the thread; there is nothing to capture.
        thread_local! { static MODE: Cell<i32> = const { Cell::new(0) }; }
        let new = mode.get()?;
        if !(0..=2).contains(&new) {
            return Err(Status::INVALID_VALUE);
        }
        mode.set(MODE.replace(new))
    }

    fn cuLaunchHostFunc(
        stream: Handle,
        function: Option<unsafe extern "C" fn(*mut c_void)>,
        data: *mut c_void,
    ) {
        let function = function.ok_or(Status::INVALID_VALUE)?;
        let data = Data(data);
        call(stream, false, move |_, _| {
            let data = data;
            // SAFETY: the caller promises that its function can be called with its data, by any thread, once all
            // work before it on the stream is done.
            unsafe { function(data.0) }
        })
    }

    fn cuStreamAddCallback(
        stream: Handle,
        function: Option<unsafe extern "C" fn(Handle, i32, *mut c_void)>,
        data: *mut c_void,
        flags: u32,
    ) {
        let function = function.ok_or(Status::INVALID_VALUE)?;
        if flags != 0 {
            return Err(Status::INVALID_VALUE);
        }
        let data = Data(data);
        call(stream, true, move |stream, outcome| {
            let data = data;
            // SAFETY: as for a host function.
            unsafe { function(stream, outcome.err().map_or(0, Status::code), data.0) }
        })
    }
}

/// What a function of the program's is called with.
struct Data(*mut c_void);

// SAFETY: the pointer is only handed to the function, whose caller promises that any thread may call it.
unsafe impl Send for Data {}

/// Puts a call of one of the program's functions on a stream. Unlike a host function, a callback also runs after a
/// failure, and is told of it.
fn call(
    stream: Handle,
    after_failure: bool,
    function: impl FnOnce(Handle, Outcome) + Send + 'static,
) -> Outcome {
    work::wait_for_room();
    ordered(
        |state| format!("function on {}", state.name_of(stream)),
        |state| {
            let context = state.usable_context(current())?;
            let known = state.find_stream(stream, context)?;
            let function = Box::new(move |outcome| function(stream, outcome));
            state.enqueue(known, context, Action::Call { function, after_failure });
            work::look_after(state);
            Ok(())
        },
    )
}

fn create(stream: Out<Handle>, flags: u32, priority: i32) -> Outcome {
    ordered(
        |_| format!("cuStreamCreate({flags})"),
        |state| {
            let context = state.usable_context(current())?;
            stream.check()?;
            if flags & !NON_BLOCKING != 0 {
                return Err(Status::INVALID_VALUE);
            }
            let handle = state.new_stream(context, flags, priority);
            stream.set(handle)
        },
    )
}

/// The unfinished operations after which a stream has nothing to do, and its context.
fn work_of(stream: Handle) -> Result<(Vec<Ticket>, Handle), Status> {
    with(|state| {
        let context = context_of(state, stream)?;
        let stream = state.find_stream(stream, context)?;
        // The default stream waits for others; another one has its own work only.
        let own = state.streams.get(&stream).map(|known| vec![known.last]);
        Ok((own.unwrap_or_else(|| state.before(stream, context)), context))
    })
}

/// The context whose work a stream's is: a stream says so itself, the default ones go with the current one.
pub(super) fn context_of(state: &State, stream: Handle) -> Result<Handle, Status> {
    let known = state.streams.get(&stream).filter(|known| !known.destroyed);
    state.usable_context(known.map_or(current(), |stream| stream.context))
}

/// Something of a stream; of a default stream there is nothing to look at.
fn of(stream: Handle, use_it: impl FnOnce(Option<&Stream>) -> Outcome) -> Outcome {
    with(|state| {
        let context = context_of(state, stream)?;
        let stream = state.find_stream(stream, context)?;
        use_it(state.streams.get(&stream))
    })
}
