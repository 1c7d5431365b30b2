//! Streams, events and host threads that are really concurrent.

#[macro_use]
mod common;

use std::{
    ffi::c_void,
    ptr,
    sync::{
        Barrier, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use cuda_driver::{Select, reports};

const NOT_READY: i32 = 600;
const NON_BLOCKING: u32 = 1;
const PER_THREAD: usize = 2;

const PTX: &std::ffi::CStr = c".version 8.3
.target sm_80
.address_size 64

// Waits until p[0] is at least v.
.visible .entry wait(.param .u64 p, .param .u32 v)
{
    .reg .pred %p<2>;
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [v];
again:
    ld.acquire.sys.u32 %r2, [%rd1];
    setp.lt.u32 %p1, %r2, %r1;
    @%p1 bra again;
    ret;
}

// p[0] = v, after some work
.visible .entry set(.param .u64 p, .param .u32 v)
{
    .reg .pred %p<2>;
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [v];
    mov.u32 %r2, 0;
again:
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 500;
    @%p1 bra again;
    st.release.sys.u32 [%rd1], %r1;
    ret;
}

// p[0] = 3 * p[0] + v
.visible .entry step(.param .u64 p, .param .u32 v)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [v];
    ld.u32 %r2, [%rd1];
    mad.lo.u32 %r2, %r2, 3, %r1;
    st.u32 [%rd1], %r2;
    ret;
}
";

/// Runs one test at a time: the tests check the state of the whole driver.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A test's own context, current on its thread.
struct Context {
    handle: usize,
    module: usize,
    _alone: MutexGuard<'static, ()>,
}

impl Context {
    fn new() -> Context {
        let _alone = alone();
        let (handle, module) = open();
        Context { handle, module, _alone }
    }

    fn launch(&self, kernel: &std::ffi::CStr, address: u64, value: u32, stream: usize) -> i32 {
        launch(self.module, kernel, address, value, stream)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        assert_eq!(call!(cuCtxDestroy_v2(self.handle => usize)), 0);
        if !thread::panicking() {
            assert_eq!(reports::resources(), reports::Resources::default());
        }
    }
}

fn open() -> (usize, usize) {
    cuda_driver::init(Select::Emulator).expect("the emulator is always there");
    let (mut handle, mut module) = (0usize, 0usize);
    assert_eq!(call!(cuInit(0 => u32)), 0);
    assert_eq!(call!(cuCtxCreate_v2(&mut handle => *mut usize, 0 => u32, 0 => i32)), 0);
    assert_eq!(call!(cuModuleLoadData(&mut module => *mut usize, PTX.as_ptr() => *const i8)), 0);
    (handle, module)
}

fn launch(module: usize, kernel: &std::ffi::CStr, address: u64, value: u32, stream: usize) -> i32 {
    let mut function = 0usize;
    let found = call!(cuModuleGetFunction(&mut function => *mut usize, module => usize, kernel.as_ptr() => *const i8));
    if found != 0 {
        return found;
    }
    let parameters = [(&raw const address).cast::<c_void>(), (&raw const value).cast()];
    call!(cuLaunchKernel(
        function => usize, 1 => u32, 1 => u32, 1 => u32, 1 => u32, 1 => u32, 1 => u32, 0 => u32,
        stream => usize, parameters.as_ptr() => *const *const c_void, ptr::null() => *const u8,
    ))
}

fn stream(flags: u32) -> usize {
    let mut stream = 0usize;
    assert_eq!(call!(cuStreamCreate(&mut stream => *mut usize, flags => u32)), 0);
    stream
}

fn event() -> usize {
    let mut event = 0usize;
    assert_eq!(call!(cuEventCreate(&mut event => *mut usize, 0 => u32)), 0);
    event
}

fn query(stream: usize) -> i32 {
    call!(cuStreamQuery(stream => usize))
}

fn synchronise(stream: usize) -> i32 {
    call!(cuStreamSynchronize(stream => usize))
}

/// Zeroed words of the device.
fn words(count: usize) -> u64 {
    let mut address = 0u64;
    assert_eq!(call!(cuMemAlloc_v2(&mut address => *mut u64, 4 * count => usize)), 0);
    address
}

/// A zeroed word of pinned host memory.
fn pinned() -> (u64, &'static AtomicU32) {
    let mut address = 0u64;
    assert_eq!(call!(cuMemAllocHost_v2(&mut address => *mut u64, 4 => usize)), 0);
    // SAFETY: the memory lives as long as the context, which outlives the test's use of it.
    (address, unsafe { AtomicU32::from_ptr(address as *mut u32) })
}

/// Reads a word on the default stream.
fn read(address: u64) -> u32 {
    let mut value = 0u32;
    assert_eq!(call!(cuMemcpyDtoH_v2(&mut value => *mut u32, address => u64, 4 => usize)), 0);
    value
}

#[test]
fn other_calls_work_while_a_kernel_runs() {
    let context = Context::new();
    let (flag, host) = pinned();
    let (busy, other) = (stream(NON_BLOCKING), stream(NON_BLOCKING));
    assert_eq!(context.launch(c"wait", flag, 7, busy), 0);
    assert_eq!((query(busy), query(other)), (NOT_READY, 0));
    // Everything else works meanwhile, from any thread.
    thread::scope(|scope| {
        for n in 0..4u32 {
            let context = &context;
            scope.spawn(move || {
                assert_eq!(call!(cuCtxSetCurrent(context.handle => usize)), 0);
                let (mine, address) = (stream(NON_BLOCKING), words(1));
                for value in 0..20 {
                    assert_eq!(context.launch(c"step", address, n, mine), 0);
                    assert_eq!(synchronise(mine), 0, "{value}");
                }
                let mut value = 0u32;
                let copied = call!(cuMemcpyDtoHAsync_v2(
                    &mut value => *mut u32, address => u64, 4 => usize, mine => usize
                ));
                let expected = (0..20).fold(0u32, |value, _| value.wrapping_mul(3).wrapping_add(n));
                assert_eq!((copied, value), (0, expected));
                assert_eq!(call!(cuStreamDestroy_v2(mine => usize)), 0);
            });
        }
    });
    assert_eq!(query(busy), NOT_READY);
    host.store(7, Ordering::Release);
    assert_eq!((synchronise(busy), query(busy)), (0, 0));
}

/// The driver's background thread runs the kernel.
#[test]
fn a_kernel_runs_although_nobody_waits() {
    let context = Context::new();
    let (flag, host) = pinned();
    assert_eq!(context.launch(c"set", flag, 5, 0), 0);
    let start = Instant::now();
    while host.load(Ordering::Acquire) != 5 {
        assert!(start.elapsed() < Duration::from_secs(30), "the kernel never ran");
        thread::yield_now();
    }
}

#[test]
fn kernels_and_copies_of_other_streams_end_a_wait() {
    let context = Context::new();
    let flags = words(3);
    let streams = [0; 3].map(|_| stream(NON_BLOCKING));
    // Each waits for the one that is launched after it, and the last one for a copy.
    assert_eq!(context.launch(c"wait", flags, 1, streams[0]), 0);
    assert_eq!(context.launch(c"wait", flags + 4, 1, streams[1]), 0);
    assert_eq!(context.launch(c"set", flags, 1, streams[1]), 0);
    assert_eq!(context.launch(c"wait", flags + 8, 1, streams[2]), 0);
    assert_eq!(context.launch(c"set", flags + 4, 1, streams[2]), 0);
    assert_eq!(streams.map(query), [NOT_READY; 3]);
    let (last, one) = (stream(NON_BLOCKING), 1u32);
    let copied = call!(cuMemcpyHtoDAsync_v2(flags + 8 => u64, &one => *const u32, 4 => usize, last => usize));
    assert_eq!(copied, 0);
    assert_eq!(streams.map(synchronise), [0; 3]);
    let mut all = [0u32; 3];
    assert_eq!(call!(cuMemcpyDtoH_v2(all.as_mut_ptr() => *mut u32, flags => u64, 12 => usize)), 0);
    assert_eq!(all, [1; 3]);
}

#[test]
fn the_default_stream_and_blocking_streams_wait_for_each_other() {
    let context = Context::new();
    let (flag, host) = pinned();
    let address = words(2);
    let (blocking, free) = (stream(0), stream(NON_BLOCKING));
    for first in [0, blocking, PER_THREAD] {
        host.store(0, Ordering::Release);
        assert_eq!(context.launch(c"wait", flag, 1, first), 0);
        assert_eq!(context.launch(c"step", address, 1, if first == 0 { blocking } else { 0 }), 0);
        assert_eq!(context.launch(c"step", address + 4, 1, free), 0);
        // Only the non-blocking stream does not wait.
        assert_eq!((synchronise(free), query(first), query(0)), (0, NOT_READY, NOT_READY));
        assert_eq!(query(blocking), if first == PER_THREAD { 0 } else { query(first) });
        host.store(1, Ordering::Release);
        assert_eq!(call!(cuCtxSynchronize()), 0);
    }
    assert_eq!((read(address), read(address + 4)), (13, 13));
    // A call that is finished on return waits for blocking streams, not for others.
    host.store(0, Ordering::Release);
    assert_eq!(context.launch(c"wait", flag, 1, free), 0);
    assert_eq!(read(address), 13);
    assert_eq!(query(free), NOT_READY);
    host.store(1, Ordering::Release);
}

#[test]
fn an_event_orders_streams_and_has_a_time() {
    let context = Context::new();
    let ((flag, host), address) = (pinned(), words(1));
    let (one, two) = (stream(NON_BLOCKING), stream(NON_BLOCKING));
    let (start, end) = (event(), event());
    let record = |event: usize, stream: usize| call!(cuEventRecord(event => usize, stream => usize));
    let event_query = |event: usize| call!(cuEventQuery(event => usize));
    let time = || {
        let mut ms = 0f32;
        (call!(cuEventElapsedTime(&mut ms => *mut f32, start => usize, end => usize)), ms)
    };
    // An event that was never recorded has nothing to wait for.
    assert_eq!(event_query(end), 0);
    assert_eq!(call!(cuStreamWaitEvent(two => usize, end => usize, 0 => u32)), 0);
    assert_eq!((record(start, one), event_query(start)), (0, 0));
    assert_eq!(context.launch(c"wait", flag, 1, one), 0);
    assert_eq!(context.launch(c"set", address, 5, one), 0);
    assert_eq!(record(end, one), 0);
    assert_eq!((event_query(end), time().0), (NOT_READY, NOT_READY));
    assert_eq!(call!(cuStreamWaitEvent(two => usize, end => usize, 0 => u32)), 0);
    assert_eq!(context.launch(c"step", address, 2, two), 0);
    // A later record does not matter to streams that wait already.
    assert_eq!(context.launch(c"wait", flag, 2, one), 0);
    assert_eq!(record(end, one), 0);
    thread::sleep(Duration::from_millis(20));
    assert_eq!((query(one), query(two)), (NOT_READY, NOT_READY));
    host.store(1, Ordering::Release);
    assert_eq!(synchronise(two), 0);
    assert_eq!((query(one), event_query(end)), (NOT_READY, NOT_READY));
    host.store(2, Ordering::Release);
    assert_eq!(call!(cuEventSynchronize(end => usize)), 0);
    let (status, ms) = time();
    assert!(status == 0 && ms >= 20.0, "{status}, {ms} ms");
    assert_eq!(read(address), 17);
}

/// What callbacks and host functions were called with.
static CALLS: Mutex<Vec<(i32, i32)>> = Mutex::new(Vec::new());

unsafe extern "C" fn host_function(data: *mut c_void) {
    let status = call!(cuCtxSynchronize());
    CALLS.lock().expect("no panic").push((data as usize as i32, status));
}

unsafe extern "C" fn slow_function(data: *mut c_void) {
    // SAFETY: the test passes a word that lives longer.
    let go_on = unsafe { &*data.cast::<AtomicU32>() };
    while go_on.load(Ordering::Acquire) == 0 {
        thread::sleep(Duration::from_millis(1));
    }
    CALLS.lock().expect("no panic").push((-1, 0));
}

unsafe extern "C" fn callback(_stream: usize, status: i32, data: *mut c_void) {
    CALLS.lock().expect("no panic").push((data as usize as i32, status));
}

type HostFunction = unsafe extern "C" fn(*mut c_void);
type Callback = unsafe extern "C" fn(usize, i32, *mut c_void);

fn host_call(stream: usize, function: HostFunction, data: usize) -> i32 {
    call!(cuLaunchHostFunc(stream => usize, function => HostFunction, data => usize))
}

fn add_callback(stream: usize, data: usize) -> i32 {
    call!(cuStreamAddCallback(stream => usize, callback => Callback, data => usize, 0 => u32))
}

#[test]
fn callbacks_are_called_in_order_and_may_take_long() {
    let context = Context::new();
    CALLS.lock().expect("no panic").clear();
    let (address, go_on) = (words(1), AtomicU32::new(0));
    let (slow, other) = (stream(NON_BLOCKING), stream(NON_BLOCKING));
    assert_eq!(host_call(slow, slow_function, (&raw const go_on) as usize), 0);
    assert_eq!(add_callback(slow, 3), 0);
    assert_eq!(context.launch(c"step", address, 8, slow), 0);
    // Operations of other streams go on.
    assert_eq!(context.launch(c"step", address, 1, other), 0);
    assert_eq!((synchronise(other), query(slow)), (0, NOT_READY));
    assert_eq!(host_call(other, host_function, 4), 0);
    go_on.store(1, Ordering::Release);
    assert_eq!((synchronise(slow), synchronise(other)), (0, 0));
    assert_eq!(read(address), 11);
    let mut calls = CALLS.lock().expect("no panic").clone();
    calls.sort_unstable();
    // Calls of the driver are not permitted in a callback.
    assert_eq!(calls, [(-1, 0), (3, 0), (4, 800)]);
}

#[test]
fn a_fault_affects_its_context_only() {
    let context = Context::new();
    CALLS.lock().expect("no panic").clear();
    let (other, other_module) = open();
    let survives = words(1);
    assert_eq!(launch(other_module, c"set", survives, 1, 0), 0);
    assert_eq!(call!(cuCtxSetCurrent(context.handle => usize)), 0);
    let ((flag, host), address) = (pinned(), words(1));
    let (one, two) = (stream(NON_BLOCKING), stream(NON_BLOCKING));
    let end = event();
    assert_eq!(context.launch(c"wait", flag, 1, one), 0);
    assert_eq!(context.launch(c"set", 16, 1, one), 0);
    assert_eq!(context.launch(c"step", address, 1, one), 0);
    assert_eq!((host_call(one, host_function, 5), add_callback(one, 6)), (0, 0));
    assert_eq!(call!(cuEventRecord(end => usize, one => usize)), 0);
    // Another context's operations follow the event, even though it is never recorded.
    assert_eq!(call!(cuCtxSetCurrent(other => usize)), 0);
    assert_eq!(call!(cuStreamWaitEvent(0 => usize, end => usize, 0 => u32)), 0);
    assert_eq!(launch(other_module, c"step", survives, 4, 0), 0);
    assert_eq!(query(0), NOT_READY);
    assert_eq!(call!(cuCtxSetCurrent(context.handle => usize)), 0);
    // This one would never end.
    assert_eq!(context.launch(c"wait", address, 1, two), 0);
    host.store(1, Ordering::Release);
    assert_eq!((synchronise(one), synchronise(two), query(two)), (700, 700, 700));
    assert_eq!(call!(cuEventSynchronize(end => usize)), 700);
    assert_eq!(context.launch(c"step", address, 1, one), 700);
    let start = Instant::now();
    while reports::resources().operations > 0 {
        assert!(start.elapsed() < Duration::from_secs(30), "{:?}", reports::resources());
        thread::yield_now();
    }
    // The callback gets the status, the host function is not called.
    assert_eq!(*CALLS.lock().expect("no panic"), [(6, 700)]);

    assert_eq!(call!(cuCtxSetCurrent(other => usize)), 0);
    assert_eq!(read(survives), 7);
    assert_eq!(call!(cuCtxDestroy_v2(other => usize)), 0);
    assert_eq!(call!(cuCtxPushCurrent_v2(context.handle => usize)), 0);
}

#[test]
fn pageable_memory_may_be_reused_when_the_call_returns() {
    let context = Context::new();
    let ((flag, host), address) = (pinned(), words(1 << 16));
    let busy = stream(NON_BLOCKING);
    assert_eq!(context.launch(c"wait", flag, 1, busy), 0);
    let mut few = vec![1u32; 1000];
    let copy = |from: &[u32], offset: u64| {
        call!(cuMemcpyHtoDAsync_v2(
            address + offset => u64, from.as_ptr() => *const u32, size_of_val(from) => usize, busy => usize,
        ))
    };
    assert_eq!(copy(&few, 0), 0);
    few.fill(9);
    assert_eq!(query(busy), NOT_READY);
    // A source that is too large to be staged is waited for: another thread has to end the wait.
    let mut many = vec![2u32; 1 << 15];
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(30));
            host.store(1, Ordering::Release);
        });
        assert_eq!(copy(&many, 4000), 0);
        assert_eq!(host.load(Ordering::Acquire), 1);
    });
    many.fill(9);
    assert_eq!((synchronise(busy), read(address), read(address + 4000)), (0, 1, 2));

    // A copy to pageable memory is done when the call returns.
    host.store(0, Ordering::Release);
    assert_eq!(context.launch(c"wait", flag, 1, busy), 0);
    assert_eq!(context.launch(c"set", address, 3, busy), 0);
    let mut back = 0u32;
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(30));
            host.store(1, Ordering::Release);
        });
        let copied =
            call!(cuMemcpyDtoHAsync_v2(&mut back => *mut u32, address => u64, 4 => usize, busy => usize));
        assert_eq!((copied, back), (0, 3));
    });
}

#[test]
fn resources_freed_early_end_with_their_operations() {
    let context = Context::new();
    let ((flag, host), address) = (pinned(), words(2));
    let mut late = 0u64;
    let busy = stream(0);
    assert_eq!(call!(cuMemAllocAsync(&mut late => *mut u64, 4 => usize, busy => usize)), 0);
    assert_eq!(context.launch(c"wait", flag, 1, busy), 0);
    assert_eq!(context.launch(c"set", late, 6, busy), 0);
    assert_eq!(call!(cuMemcpyDtoDAsync_v2(address => u64, late => u64, 4 => usize, busy => usize)), 0);
    assert_eq!(call!(cuMemFreeAsync(late => u64, busy => usize)), 0);
    // It can be freed once.
    assert_eq!(call!(cuMemFreeAsync(late => u64, busy => usize)), 1);
    assert_eq!(call!(cuStreamDestroy_v2(busy => usize)), 0);
    assert_eq!((query(busy), call!(cuStreamDestroy_v2(busy => usize))), (400, 400));
    assert_eq!(context.launch(c"step", address + 4, 6, 0), 0);
    // The default stream still waits for it.
    assert_eq!((query(0), reports::resources().streams), (NOT_READY, 1));
    host.store(1, Ordering::Release);
    assert_eq!((read(address), read(address + 4)), (6, 6));
    assert_eq!(reports::resources().streams, 0);
    assert_eq!(context.launch(c"set", late, 1, 0), 0);
    assert_eq!(synchronise(0), 700);
}

/// More operations than may be unfinished at a time, and results in the order of each stream.
#[test]
fn streams_keep_their_order() {
    let context = Context::new();
    const EACH: u32 = 1500;
    let addresses = words(8);
    thread::scope(|scope| {
        for n in 0..8u64 {
            let context = &context;
            scope.spawn(move || {
                assert_eq!(call!(cuCtxSetCurrent(context.handle => usize)), 0);
                let (mine, address) = (stream(NON_BLOCKING), addresses + 4 * n);
                for value in 0..EACH {
                    assert_eq!(context.launch(c"step", address, value, mine), 0);
                }
            });
        }
    });
    assert_eq!(call!(cuCtxSynchronize()), 0);
    let expected = (0..EACH).fold(0u32, |value, next| value.wrapping_mul(3).wrapping_add(next));
    assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|n| read(addresses + 4 * n)), [expected; 8]);
}

/// A small random generator (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Threads create and destroy everything in random order, with operations in between.
#[test]
fn nothing_is_left_of_what_threads_create_and_destroy() {
    let _alone = alone();
    let rounds = |thread: u64| {
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (thread + 1));
        for _ in 0..20 {
            let (context, module) = open();
            let (mut streams, mut events, mut memory, mut pins) =
                (vec![0], Vec::new(), Vec::new(), Vec::new());
            for _ in 0..60 {
                let any = |random: &mut Random, of: &Vec<usize>| of[random.below(of.len())];
                let on = any(&mut random, &streams);
                match random.below(12) {
                    0 => streams.push(stream((random.below(2)) as u32)),
                    1 if streams.len() > 1 => {
                        let at = 1 + random.below(streams.len() - 1);
                        assert_eq!(call!(cuStreamDestroy_v2(streams.swap_remove(at) => usize)), 0);
                    }
                    2 => events.push(event()),
                    3 if !events.is_empty() => {
                        let at = random.below(events.len());
                        assert_eq!(call!(cuEventDestroy_v2(events.swap_remove(at) => usize)), 0);
                    }
                    4 => memory.push(words(16) as usize),
                    5 if !memory.is_empty() => {
                        let at = random.below(memory.len());
                        assert_eq!(call!(cuMemFree_v2(memory.swap_remove(at) => usize)), 0);
                    }
                    6 => {
                        let mut late = 0u64;
                        assert_eq!(
                            call!(cuMemAllocAsync(&mut late => *mut u64, 64 => usize, on => usize)),
                            0
                        );
                        assert_eq!(launch(module, c"step", late, 1, on), 0);
                        assert_eq!(call!(cuMemFreeAsync(late => u64, on => usize)), 0);
                    }
                    7 if !events.is_empty() => {
                        let which = any(&mut random, &events);
                        assert_eq!(call!(cuEventRecord(which => usize, on => usize)), 0);
                        let other = any(&mut random, &streams);
                        assert_eq!(call!(cuStreamWaitEvent(other => usize, which => usize, 0 => u32)), 0);
                    }
                    8 => pins.push(pinned().0),
                    9 => assert_eq!(synchronise(on), 0),
                    _ if !memory.is_empty() => {
                        let address = any(&mut random, &memory) as u64;
                        assert_eq!(launch(module, c"step", address, 1, on), 0);
                    }
                    _ => {}
                }
            }
            // The program does not free everything.
            if random.below(2) == 0 {
                assert_eq!(call!(cuModuleUnload(module => usize)), 0);
            }
            for pin in pins.into_iter().take(random.below(3)) {
                assert_eq!(call!(cuMemFreeHost(pin => u64)), 0);
            }
            assert_eq!(call!(cuCtxDestroy_v2(context => usize)), 0);
        }
    };
    thread::scope(|scope| (0..6).for_each(|thread| drop(scope.spawn(move || rounds(thread)))));
    assert_eq!(reports::resources(), reports::Resources::default());
}

/// A host function that takes as long as an operation needs to outlive its context, were it not waited for.
unsafe extern "C" fn lasts(_: *mut c_void) {
    thread::sleep(Duration::from_micros(200));
}

/// One thread ends a context while another one adds operations to it: those that began are over when the call returns.
#[test]
fn operations_added_while_a_context_ends_are_waited_for() {
    let _alone = alone();
    cuda_driver::init(Select::Emulator).expect("the emulator is always there");
    assert_eq!(call!(cuInit(0 => u32)), 0);
    let rounds = if std::env::var_os("WARPFOLD_NIGHTLY").is_some() { 200 } else { 40 };
    for round in 0..rounds {
        let mut context = 0usize;
        let primary = round % 2 == 0;
        if primary {
            assert_eq!(call!(cuDevicePrimaryCtxRetain(&mut context => *mut usize, 0 => i32)), 0);
        } else {
            assert_eq!(call!(cuCtxCreate_v2(&mut context => *mut usize, 0 => u32, 0 => i32)), 0);
        }
        // A thread may begin late: the context has to be there until it is current.
        let current = Barrier::new(2);
        thread::scope(|scope| {
            scope.spawn(|| {
                let status = call!(cuCtxSetCurrent(context => usize));
                current.wait();
                assert_eq!(status, 0);
                while host_call(0, lasts, 0) == 0 {}
            });
            current.wait();
            thread::sleep(Duration::from_micros(300));
            let status = match (primary, round % 4) {
                (true, 0) => call!(cuDevicePrimaryCtxRelease_v2(0 => i32)),
                (true, _) => call!(cuDevicePrimaryCtxReset_v2(0 => i32)),
                (false, _) => call!(cuCtxDestroy_v2(context => usize)),
            };
            assert_eq!(status, 0);
            assert_eq!(reports::resources().operations, 0, "round {round}");
        });
        assert_eq!(reports::resources(), reports::Resources::default(), "round {round}");
    }
}
