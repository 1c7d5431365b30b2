//! Performs work items: takes one under the driver's lock, performs it without the lock, and applies its
//! result.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use ptx_emulator::{Execution, Fault, FaultKind, LaunchReport, Machine};

use super::{
    abi::panic_text,
    checks, faults, profiles,
    scheduler::{FailedLaunch, Launch, TIME_SLICE, WorkItem, WorkResult},
    state::{StateGuard, lock},
};
use crate::{Status, log, reports::json::launch_json, source_lines};

/// Performs one work item, if there is one and no other thread performs any: then true. A panic of this program while
/// it performs one is a failure of the operation; while it changes the state, one of the whole driver.
pub(super) fn perform_next(mut guard: StateGuard) -> (StateGuard, bool) {
    let Some(state) = guard.as_mut() else { return (guard, false) };
    let Some(item) = state.next_work_item() else { return (guard, false) };
    let machines = state.machines();
    drop(guard);
    let result = perform(&machines, item);
    let mut guard = lock();
    if let Some(state) = guard.as_mut() {
        let settled = catch_unwind(AssertUnwindSafe(|| {
            state.settle(result);
            #[cfg(test)]
            tests::panic_in(tests::PanicPlace::State);
        }));
        if let Err(panic) = settled {
            let text = panic_text(&*panic);
            log::notice_later(&format!(
                "the emulated driver itself failed: {text}; this is a bug of it, please report it"
            ));
            state.break_down();
        }
    }
    (guard, true)
}

fn perform(machines: &[Arc<Machine>], item: WorkItem) -> WorkResult {
    match item {
        WorkItem::Task(ticket, task) => {
            let result = catch_unwind(AssertUnwindSafe(|| {
                let result = task();
                // A copy may access the memory of two machines.
                machines.iter().for_each(|machine| checks::report(machine));
                result
            }));
            WorkResult::Task(ticket, result.unwrap_or(Err(Status::UNKNOWN)))
        }
        WorkItem::Kernel(mut kernel) => {
            let Launch { machine, device, execution, .. } = &mut *kernel.launch;
            let ended = perform_slice(execution, *device, |execution| run_slice(machine, *device, execution));
            WorkResult::Kernel(kernel, ended)
        }
    }
}

/// Runs a time slice of a launch by `run`; a panic in it, wherever it comes from, is a fault of the launch.
fn perform_slice(
    execution: &mut Execution,
    device: Option<usize>,
    run: impl FnOnce(&mut Execution) -> Result<Option<Box<LaunchReport>>, Box<Fault>>,
) -> Result<Option<Box<LaunchReport>>, FailedLaunch> {
    let reported = |mut fault: Box<Fault>| faults::report(&mut fault, device);
    catch_unwind(AssertUnwindSafe(|| run(execution).map_err(reported))).unwrap_or_else(|panic| {
        let kind = FaultKind::Emulator(panic_text(&*panic).to_owned());
        Err(reported(Fault::without_place(execution.kernel_name(), kind)))
    })
}

fn run_slice(
    machine: &Machine,
    device: Option<usize>,
    execution: &mut Execution,
) -> Result<Option<Box<LaunchReport>>, Box<Fault>> {
    #[cfg(test)]
    tests::panic_in(tests::PanicPlace::Launch);
    let mut ended =
        execution.run(machine, TIME_SLICE).map(|ended| ended.then(|| Box::new(execution.report())));
    // Files are read here, where the state is not locked.
    if let Err(fault) = &mut ended {
        fault.quote(source_lines::quote);
    }
    if !matches!(ended, Ok(None)) {
        checks::report(machine);
    }
    if let Ok(Some(report)) = &ended {
        if let Some(profile) = execution.take_profile() {
            profiles::report(profile, &Arc::downgrade(execution.program()));
        }
        log::launch(|| {
            let mut json = launch_json(report);
            if let (Some(object), Some(device)) = (json.as_object_mut(), device) {
                object.insert("device".to_owned(), device.into());
            }
            json
        });
    }
    ended
}

#[cfg(test)]
mod tests {
    use std::{
        ptr,
        sync::atomic::{AtomicU8, Ordering},
        thread,
        time::{Duration, Instant},
    };

    use super::*;
    use crate::{EntryPoint, Select, reports};

    #[derive(Clone, Copy)]
    pub(super) enum PanicPlace {
        Launch = 1,
        State,
    }

    static PANICS_IN: AtomicU8 = AtomicU8::new(0);

    /// Panics once where the test wants it.
    pub(super) fn panic_in(place: PanicPlace) {
        let wanted = PANICS_IN.compare_exchange(place as u8, 0, Ordering::Relaxed, Ordering::Relaxed);
        assert!(wanted.is_err(), "a planted panic");
    }

    macro_rules! call {
        ($name:ident($($value:expr => $ty:ty),* $(,)?)) => {{
            let address = EntryPoint::$name.address();
            // SAFETY: this is the entry point's signature in cuda.h.
            let entry = unsafe { std::mem::transmute::<*mut (), unsafe extern "C" fn($($ty),*) -> i32>(address) };
            // SAFETY: every pointer is to a live value of its type, as the entry point asks.
            unsafe { entry($($value),*) }
        }};
    }

    /// A new context, and a function in it that launches a kernel on a stream of its own and returns the stream.
    fn launcher() -> (usize, impl Fn() -> usize) {
        const EMPTY: &std::ffi::CStr =
            c".version 8.3\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }";
        let (mut context, mut module, mut function) = (0usize, 0usize, 0usize);
        assert_eq!(call!(cuCtxCreate_v2(&mut context => *mut usize, 0 => u32, 0 => i32)), 0);
        assert_eq!(call!(cuModuleLoadData(&mut module => *mut usize, EMPTY.as_ptr() => *const i8)), 0);
        assert_eq!(
            call!(cuModuleGetFunction(&mut function => *mut usize, module => usize, c"k".as_ptr() => *const i8)),
            0
        );
        let launch = move || {
            let mut stream = 0usize;
            assert_eq!(call!(cuStreamCreate(&mut stream => *mut usize, 1 => u32)), 0);
            let none = ptr::null::<u8>();
            let launched = call!(cuLaunchKernel(
                function => usize, 2 => u32, 1 => u32, 1 => u32, 64 => u32, 1 => u32, 1 => u32, 0 => u32,
                stream => usize, none => *const u8, none => *const u8,
            ));
            assert_eq!(launched, 0);
            stream
        };
        (context, launch)
    }

    /// One test, as the driver's state is one: a panic is an error of the context, or of the driver, and no call hangs.
    #[test]
    fn a_panic_is_an_error_and_no_call_hangs() {
        let (unknown, not_ready) = (Status::UNKNOWN.code(), Status::NOT_READY.code());
        crate::init(Select::Emulator).expect("the emulator is always there");
        assert_eq!(call!(cuInit(0 => u32)), 0);
        // A thread that waits performs the launch.
        let (context, launch) = launcher();
        PANICS_IN.store(PanicPlace::Launch as u8, Ordering::Relaxed);
        let stream = launch();
        assert_eq!(call!(cuStreamSynchronize(stream => usize)), unknown);
        let report = reports::last_report().expect("a report");
        for part in ["the emulator itself failed: a planted panic", "please report it", "kernel k"] {
            assert!(report.contains(part), "{part}: {report}");
        }
        assert_eq!(call!(cuCtxSynchronize()), unknown, "the fault stays with its context");
        assert_eq!(call!(cuCtxDestroy_v2(context => usize)), 0);
        // The driver's own thread performs it.
        let (context, launch) = launcher();
        PANICS_IN.store(PanicPlace::Launch as u8, Ordering::Relaxed);
        let stream = launch();
        let begun = Instant::now();
        let status = loop {
            let status = call!(cuStreamQuery(stream => usize));
            if status != not_ready || begun.elapsed() > Duration::from_secs(60) {
                break status;
            }
            thread::sleep(Duration::from_millis(1));
        };
        assert_eq!(status, unknown);
        assert_eq!(call!(cuCtxDestroy_v2(context => usize)), 0);
        // Another context works.
        let (_, launch) = launcher();
        let stream = launch();
        assert_eq!(call!(cuStreamSynchronize(stream => usize)), 0);
        // The driver's state itself.
        PANICS_IN.store(PanicPlace::State as u8, Ordering::Relaxed);
        let streams = [launch(), launch()];
        assert_eq!(call!(cuStreamSynchronize(streams[0] => usize)), unknown);
        assert_eq!(call!(cuStreamSynchronize(streams[1] => usize)), unknown);
        assert_eq!(call!(cuCtxSynchronize()), unknown);
    }
}
