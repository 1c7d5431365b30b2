//! Streams, events, and functions of the host that streams call.

use std::ffi::{c_int, c_void};

use crate::{
    calls::{functions, write},
    context, driver,
    error::Error,
    layouts::{Handle, Stream},
};

functions! {
    fn cudaStreamCreate(stream: *mut Stream) {
        context::current()?;
        driver::cuStreamCreateWithPriority(stream, 0, 0)
    }

    fn cudaStreamCreateWithFlags(stream: *mut Stream, flags: u32) {
        context::current()?;
        driver::cuStreamCreateWithPriority(stream, flags, 0)
    }

    fn cudaStreamCreateWithPriority(stream: *mut Stream, flags: u32, priority: c_int) {
        context::current()?;
        driver::cuStreamCreateWithPriority(stream, flags, priority)
    }

    fn cudaStreamDestroy(stream: Stream) {
        // The default streams live as long as their contexts.
        if stream.0 <= Stream::PER_THREAD.0 {
            return Err(Error::INVALID_HANDLE);
        }
        driver::cuStreamDestroy_v2(stream)
    }

    fn cudaStreamSynchronize | cudaStreamSynchronize_ptsz(stream: Stream) {
        context::current()?;
        driver::cuStreamSynchronize(stream)
    }

    fn cudaStreamQuery | cudaStreamQuery_ptsz(stream: Stream) {
        context::current()?;
        driver::cuStreamQuery(stream)
    }

    fn cudaStreamWaitEvent | cudaStreamWaitEvent_ptsz(stream: Stream, event: Handle, flags: u32) {
        context::current()?;
        driver::cuStreamWaitEvent(stream, event, flags)
    }

    fn cudaStreamAddCallback | cudaStreamAddCallback_ptsz(
        stream: Stream,
        function: Option<unsafe extern "C" fn(usize, c_int, *mut c_void)>,
        data: *mut c_void,
        flags: u32,
    ) {
        context::current()?;
        driver::cuStreamAddCallback(stream, function, data, flags)
    }

    fn cudaLaunchHostFunc | cudaLaunchHostFunc_ptsz(
        stream: Stream,
        function: Option<unsafe extern "C" fn(*mut c_void)>,
        data: *mut c_void,
    ) {
        context::current()?;
        driver::cuLaunchHostFunc(stream, function, data)
    }

    fn cudaLaunchHostFunc_v2 | cudaLaunchHostFunc_v2_ptsz(
        stream: Stream,
        function: Option<unsafe extern "C" fn(*mut c_void)>,
        data: *mut c_void,
        _synchronisation: u32,
    ) {
        context::current()?;
        driver::cuLaunchHostFunc(stream, function, data)
    }

    fn cudaStreamGetFlags | cudaStreamGetFlags_ptsz(stream: Stream, flags: *mut u32) {
        context::current()?;
        driver::cuStreamGetFlags(stream, flags)
    }

    fn cudaStreamGetPriority | cudaStreamGetPriority_ptsz(stream: Stream, priority: *mut c_int) {
        context::current()?;
        driver::cuStreamGetPriority(stream, priority)
    }

    fn cudaStreamGetId | cudaStreamGetId_ptsz(stream: Stream, id: *mut u64) {
        context::current()?;
        driver::cuStreamGetId(stream, id)
    }

    fn cudaStreamGetDevice | cudaStreamGetDevice_ptsz(stream: Stream, device: *mut c_int) {
        let before = context::current()?;
        let mut context = 0;
        driver::cuStreamGetCtx(stream, &mut context)?;
        // The driver tells the device of the current context only.
        driver::cuCtxSetCurrent(context)?;
        let outcome = driver::cuCtxGetDevice(device);
        driver::cuCtxSetCurrent(before)?;
        outcome
    }

    fn cudaStreamIsCapturing | cudaStreamIsCapturing_ptsz(stream: Stream, status: *mut c_int) {
        context::current()?;
        driver::cuStreamIsCapturing(stream, status)
    }

    fn cudaStreamGetCaptureInfo_v2 | cudaStreamGetCaptureInfo_v2_ptsz(
        stream: Stream,
        status: *mut c_int,
        id: *mut u64,
        graph: *mut Handle,
        dependencies: *mut *const Handle,
        count: *mut usize,
    ) {
        context::current()?;
        driver::cuStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count)
    }

    fn cudaThreadExchangeStreamCaptureMode(mode: *mut c_int) {
        driver::cuThreadExchangeStreamCaptureMode(mode)
    }

    fn cudaEventCreate(event: *mut Handle) {
        context::current()?;
        driver::cuEventCreate(event, 0)
    }

    fn cudaEventCreateWithFlags(event: *mut Handle, flags: u32) {
        context::current()?;
        driver::cuEventCreate(event, flags)
    }

    fn cudaEventDestroy(event: Handle) {
        driver::cuEventDestroy_v2(event)
    }

    fn cudaEventRecord | cudaEventRecord_ptsz(event: Handle, stream: Stream) {
        context::current()?;
        driver::cuEventRecordWithFlags(event, stream, 0)
    }

    fn cudaEventRecordWithFlags | cudaEventRecordWithFlags_ptsz(event: Handle, stream: Stream, flags: u32) {
        context::current()?;
        driver::cuEventRecordWithFlags(event, stream, flags)
    }

    fn cudaEventQuery(event: Handle) {
        driver::cuEventQuery(event)
    }

    fn cudaEventSynchronize(event: Handle) {
        driver::cuEventSynchronize(event)
    }

    fn cudaEventElapsedTime(milliseconds: *mut f32, start: Handle, end: Handle) {
        driver::cuEventElapsedTime(milliseconds, start, end)
    }

    fn cudaEventElapsedTime_v2(milliseconds: *mut f32, start: Handle, end: Handle) {
        driver::cuEventElapsedTime(milliseconds, start, end)
    }

    fn cudaProfilerStart() {
        context::current()?;
        driver::cuProfilerStart()
    }

    fn cudaProfilerStop() {
        context::current()?;
        driver::cuProfilerStop()
    }

    fn cudaDeviceGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) {
        context::current()?;
        let (mut low, mut high) = (0, 0);
        driver::cuCtxGetStreamPriorityRange(&mut low, &mut high)?;
        if !least.is_null() {
            write(least, low)?;
        }
        if greatest.is_null() { Ok(()) } else { write(greatest, high) }
    }
}

/// `cudaStreamGetCaptureInfo` of the CUDA runtime API; since version 13 the last arguments of `_v3` are there.
///
/// # Safety
///
/// As CUDA's documentation of the function says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaStreamGetCaptureInfo(
    stream: Stream,
    status: *mut c_int,
    id: *mut u64,
    graph: *mut Handle,
    dependencies: *mut *const Handle,
    _edges: *mut *const c_void,
    count: *mut usize,
) -> c_int {
    // SAFETY: by the promise of this function's caller. A program of version 12 passes the first three only.
    unsafe {
        match crate::version::major() {
            13.. => cudaStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count),
            _ => cudaStreamGetCaptureInfo_v2(
                stream,
                status,
                id,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
            ),
        }
    }
}
