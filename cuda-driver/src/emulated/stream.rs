//! Streams. Every call is finished on return, so a stream holds its settings and has nothing to wait for.

use std::ffi::c_void;

use super::{
    abi::{Handle, Out, Outcome, entry_points},
    state::{State, Stream, current, with, with_context},
};
use crate::Status;

/// The least and the greatest priority of a stream.
pub(super) const PRIORITIES: [i32; 2] = [0, -5];

/// `CU_STREAM_NON_BLOCKING`, the only flag.
const FLAGS: u32 = 1;

entry_points! {
    fn cuStreamCreate(stream: Out<Handle>, flags: u32) {
        create(stream, flags, 0)
    }

    fn cuStreamCreateWithPriority(stream: Out<Handle>, flags: u32, priority: i32) {
        create(stream, flags, priority.clamp(PRIORITIES[1], PRIORITIES[0]))
    }

    fn cuStreamDestroy_v2(stream: Handle) {
        with(|state| {
            let known = state.streams.remove(&stream).ok_or(Status::INVALID_HANDLE)?;
            state.fault_of(known.context)
        })
    }

    fn cuStreamSynchronize(stream: Handle) {
        check(stream)
    }

    fn cuStreamQuery(stream: Handle) {
        check(stream)
    }

    fn cuStreamWaitEvent(stream: Handle, event: Handle, _flags: u32) {
        with_context(|state, context| {
            state.check_stream(stream, context)?;
            state.events.get(&event).map(|_| ()).ok_or(Status::INVALID_HANDLE)
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

    fn cuLaunchHostFunc(
        stream: Handle,
        function: Option<unsafe extern "C" fn(*mut c_void)>,
        data: *mut c_void,
    ) {
        let function = function.ok_or(Status::INVALID_VALUE)?;
        check(stream)?;
        // SAFETY: the caller promises that its function can be called with its data once all work before it
        // on the stream is done, which it is. No lock is held.
        unsafe { function(data) };
        Ok(())
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
        let status = check(stream);
        // Unlike a host function, a callback also runs after a failure, and is told of it.
        if matches!(status, Err(status) if !status.is_sticky()) {
            return status;
        }
        // SAFETY: as for a host function.
        unsafe { function(stream, status.err().map_or(0, Status::code), data) };
        Ok(())
    }
}

fn create(stream: Out<Handle>, flags: u32, priority: i32) -> Outcome {
    with_context(|state, context| {
        stream.check()?;
        if flags & !FLAGS != 0 {
            return Err(Status::INVALID_VALUE);
        }
        let handle = state.new_handle();
        state.streams.insert(handle, Stream { context, flags, priority });
        stream.set(handle)
    })
}

/// The context whose work a stream's is: a stream says so itself, the default ones go with the current one.
pub(super) fn context_of(state: &State, stream: Handle) -> Result<Handle, Status> {
    let context = state.streams.get(&stream).map_or(current(), |stream| stream.context);
    state.usable_context(context)?;
    state.check_stream(stream, context)?;
    Ok(context)
}

fn check(stream: Handle) -> Outcome {
    with(|state| context_of(state, stream).map(|_| ()))
}

fn of(stream: Handle, use_it: impl FnOnce(Option<&Stream>) -> Outcome) -> Outcome {
    with(|state| {
        context_of(state, stream)?;
        use_it(state.streams.get(&stream))
    })
}
