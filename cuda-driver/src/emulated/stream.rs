//! Streams, and callbacks on them.

use std::{cell::Cell, ffi::c_void, sync::Arc};

use super::{
    abi::{DriverResult, Handle, In, Out, entry_points},
    background,
    capture::captured,
    current::current,
    flags::known,
    graphs::{CaptureInfo, NodeKind, NodeWork},
    objects::Stream,
    scheduler::{Action, Ticket},
    state::with,
    wait::{query, recorded_call, wait_for, wait_for_room},
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
        recorded_call(|state| format!("cuStreamDestroy({})", state.streams.name(stream)), |state| {
            let context = state.destroy_stream(stream)?;
            state.fault_of(context)
        })
    }

    fn cuStreamSynchronize(stream: Handle) {
        with(|state| state.check_not_captured(stream))?;
        let (tickets, context) = operations_of(stream)?;
        wait_for(&tickets);
        with(|state| state.fault_of(context))
    }

    fn cuStreamQuery(stream: Handle) {
        with(|state| state.check_not_captured(stream))?;
        let (tickets, _) = operations_of(stream)?;
        query(&tickets)
    }

    fn cuStreamWaitEvent(stream: Handle, event: Handle, _flags: u32) {
        if with(|state| state.capture_wait(event, stream))? {
            return Ok(());
        }
        wait_for_event(stream, event)
    }

    fn cuStreamGetFlags(stream: Handle, flags: Out<u32>) {
        with_stream(stream, |known| flags.set(known.map_or(0, |stream| stream.flags.bits())))
    }

    fn cuStreamGetPriority(stream: Handle, priority: Out<i32>) {
        with_stream(stream, |known| priority.set(known.map_or(0, |stream| stream.priority)))
    }

    fn cuStreamGetCtx(stream: Handle, context: Out<Handle>) {
        with_stream(stream, |known| context.set(known.map_or(current(), |stream| stream.context)))
    }

    fn cuStreamIsCapturing(stream: Handle, status: Out<i32>) {
        with_capture(stream, |info| status.set(info.map_or(0, |info| info.status)))
    }

    fn cuStreamGetCaptureInfo(stream: Handle, status: Out<i32>, id: Out<u64>) {
        with_capture(stream, |info| write_capture(info, status, id))
    }

    fn cuStreamGetCaptureInfo_v2(
        stream: Handle,
        status: Out<i32>,
        id: Out<u64>,
        graph: Out<Handle>,
        dependencies: Out<*const Handle>,
        count: Out<usize>,
    ) {
        with_capture(stream, |info| {
            if let Some(info) = &info {
                graph.set_if_wanted(info.graph);
                dependencies.set_if_wanted(info.last.as_ptr());
                count.set_if_wanted(info.last.len());
            }
            write_capture(info, status, id)
        })
    }

    fn cuStreamGetCaptureInfo_v3(
        stream: Handle,
        status: Out<i32>,
        id: Out<u64>,
        graph: Out<Handle>,
        dependencies: Out<*const Handle>,
        edges: Out<usize>,
        count: Out<usize>,
    ) {
        with_capture(stream, |info| {
            if let Some(info) = &info {
                graph.set_if_wanted(info.graph);
                dependencies.set_if_wanted(info.last.as_ptr());
                // All dependencies are on whole nodes.
                edges.set_if_wanted(0);
                count.set_if_wanted(info.last.len());
            }
            write_capture(info, status, id)
        })
    }

    fn cuStreamUpdateCaptureDependencies(stream: Handle, nodes: In<Handle>, count: usize, flags: u32) {
        let nodes = nodes.list(count)?;
        // CU_STREAM_ADD_CAPTURE_DEPENDENCIES and CU_STREAM_SET_CAPTURE_DEPENDENCIES.
        if flags > 1 {
            return Err(Status::INVALID_VALUE);
        }
        with(|state| state.set_capture_dependencies(stream, &nodes, flags == 0))
    }

    fn cuStreamBeginCapture_v2(stream: Handle, mode: i32) {
        with(|state| state.begin_capture(stream, mode))
    }

    fn cuStreamEndCapture(stream: Handle, graph: Out<Handle>) {
        graph.check()?;
        graph.set(Handle::NULL)?;
        graph.set(with(|state| state.end_capture(stream))?)
    }

    fn cuStreamGetId(stream: Handle, id: Out<u64>) {
        with(|state| {
            let context = state.context_of(stream)?;
            // The number of a context's default stream is that of the context.
            id.set(state.find_queue(stream, context)?.0.0 as u64)
        })
    }

    fn cuThreadExchangeStreamCaptureMode(mode: Out<i32>) {
        // Kept for the thread: no call is rejected because another thread captures.
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
        let work = HostFunction { function: function.ok_or(Status::INVALID_VALUE)?, data };
        if captured(stream, || Arc::new(work))? { Ok(()) } else { work.submit(stream) }
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
        with(|state| state.check_not_captured(stream))?;
        let data = CallbackData(data);
        add_callback(stream, true, move |stream, result| {
            let data = data;
            // SAFETY: as for a host function.
            unsafe { function(stream, result.err().map_or(0, Status::code), data.0) }
        })
    }
}

/// A call of a function of the program.
#[derive(Clone, Copy)]
pub(super) struct HostFunction {
    pub function: unsafe extern "C" fn(*mut c_void),
    pub data: *mut c_void,
}

// SAFETY: the pointer is only passed to the function, and the program promises that any thread may call that.
unsafe impl Send for HostFunction {}
// SAFETY: as above.
unsafe impl Sync for HostFunction {}

impl NodeWork for HostFunction {
    fn kind(&self) -> NodeKind {
        NodeKind::Host
    }

    fn submit(&self, stream: Handle) -> DriverResult {
        let work = *self;
        add_callback(stream, false, move |_, _| {
            let HostFunction { function, data } = { work };
            // SAFETY: the caller promises that its function can be called with its data, by any thread, once
            // all operations before it on the stream are done.
            unsafe { function(data) }
        })
    }
}

/// The argument of a callback.
struct CallbackData(*mut c_void);

// SAFETY: the pointer is only passed to the callback, and the program promises that any thread may call that.
unsafe impl Send for CallbackData {}

/// Puts a callback or a host function on a stream. Unlike a host function, a callback is also called after a
/// failure, with its status.
fn add_callback(
    stream: Handle,
    after_failure: bool,
    function: impl FnOnce(Handle, DriverResult) + Send + 'static,
) -> DriverResult {
    wait_for_room();
    recorded_call(
        |state| format!("function on {}", state.streams.name(stream)),
        |state| {
            let context = state.usable_context(current())?;
            let queue = state.find_queue(stream, context)?;
            let function = Box::new(move |result| function(stream, result));
            state.enqueue(queue, Action::Callback { function, after_failure });
            background::start_callbacks(state);
            background::wake(state);
            Ok(())
        },
    )
}

/// Lets a stream wait for an event.
pub(super) fn wait_for_event(stream: Handle, event: Handle) -> DriverResult {
    wait_for_room();
    recorded_call(
        |state| format!("cuStreamWaitEvent({})", state.streams.name(stream)),
        |state| {
            // libomptarget's helper threads have no current context here.
            let context = state.context_of(stream)?;
            let queue = state.find_queue(stream, context)?;
            let ticket = state.events.get(&event).ok_or(Status::INVALID_HANDLE)?.ticket;
            state.enqueue_after(queue, ticket, Action::Join);
            Ok(())
        },
    )
}

fn create(stream: Out<Handle>, flags: u32, priority: i32) -> DriverResult {
    recorded_call(
        |_| format!("cuStreamCreate({flags})"),
        |state| {
            let context = state.usable_context(current())?;
            stream.check()?;
            let handle = state.new_stream(context, known(flags)?, priority);
            stream.set(handle)
        },
    )
}

/// The operations after which a stream has nothing to do, and its context.
fn operations_of(stream: Handle) -> Result<(Vec<Ticket>, Handle), Status> {
    with(|state| {
        let context = state.context_of(stream)?;
        let queue = state.find_queue(stream, context)?;
        // The default stream waits for others; another one has its own operations only.
        let tickets = match state.streams.get(queue.0).is_some() {
            true => vec![state.scheduler.last_of(queue)],
            false => state.scheduler.dependencies(queue),
        };
        Ok((tickets, context))
    })
}

/// Uses what is known of the capture that a stream takes part in.
fn with_capture(stream: Handle, use_it: impl FnOnce(Option<CaptureInfo>) -> DriverResult) -> DriverResult {
    with(|state| {
        let context = state.context_of(stream)?;
        let queue = state.find_queue(stream, context)?;
        use_it(state.graphs.capture_of(queue))
    })
}

/// Writes the status of a capture, or that there is none.
fn write_capture(info: Option<CaptureInfo>, status: Out<i32>, id: Out<u64>) -> DriverResult {
    if let Some(info) = &info {
        id.set_if_wanted(info.id);
    }
    status.set(info.map_or(0, |info| info.status))
}

/// Uses a stream; `None` for a default stream, which has no properties.
fn with_stream(stream: Handle, use_it: impl FnOnce(Option<&Stream>) -> DriverResult) -> DriverResult {
    with(|state| {
        let context = state.context_of(stream)?;
        let queue = state.find_queue(stream, context)?;
        use_it(state.streams.get(queue.0))
    })
}
