//! `WARPFOLD_RECORD` and `WARPFOLD_REPLAY`: the order in which threads' calls arrive, and their operations
//! start.

#[macro_use]
mod common;

use std::{
    collections::BTreeSet,
    env,
    ffi::c_void,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    ptr, thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use cuda_driver::Select;

const PTX: &std::ffi::CStr = c".version 8.3
.target sm_80
.address_size 64

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

// Waits until p[0] is not 0; p[1] = how often it looked
.visible .entry wait(.param .u64 p, .param .u32 v)
{
    .reg .pred %p<2>;
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, 0;
again:
    add.u32 %r1, %r1, 1;
    ld.acquire.sys.u32 %r2, [%rd1];
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra again;
    st.u32 [%rd1+4], %r1;
    ret;
}
";

/// The variable with which a child process runs the program.
const PROGRAM: &str = "RECORDING_TEST_PROGRAM";

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

/// Sleeps for a random time of up to `most` microseconds.
fn sleep_up_to(most: u64, salt: u64) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock").subsec_nanos();
    let random = (u64::from(now) ^ (salt << 20)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    thread::sleep(Duration::from_micros(random % most));
}

/// Threads whose launches do not commute; the result depends on their order. The error is the first status
/// that is not 0.
fn program(threads: u32, each: u32) -> Result<[u32; 3], i32> {
    let check = |status: i32| if status == 0 { Ok(()) } else { Err(status) };
    cuda_driver::init(Select::Emulator).expect("the emulator is always there");
    let (mut context, mut module, mut address) = (0usize, 0usize, 0u64);
    check(call!(cuInit(0 => u32)))?;
    check(call!(cuCtxCreate_v2(&mut context => *mut usize, 0 => u32, 0 => i32)))?;
    check(call!(cuModuleLoadData(&mut module => *mut usize, PTX.as_ptr() => *const i8)))?;
    check(call!(cuMemAlloc_v2(&mut address => *mut u64, 12 => usize)))?;
    let call_driver = |thread: u32| {
        check(call!(cuCtxSetCurrent(context => usize)))?;
        sleep_up_to(2000, u64::from(thread));
        let mut stream = 0usize;
        check(call!(cuStreamCreate(&mut stream => *mut usize, 1 => u32)))?;
        for n in 0..each {
            check(launch(module, c"step", address, thread * each + n, stream))?;
            sleep_up_to(500, u64::from(n));
        }
        // The first thread's kernel waits, in many time slices, for the second thread's copy.
        if thread == 0 {
            check(launch(module, c"wait", address + 4, 0, stream))?;
        }
        if thread == 1 {
            sleep_up_to(100_000, 7);
            let one = 1u32;
            check(call!(cuMemcpyHtoDAsync_v2(
                address + 4 => u64, &one => *const u32, 4 => usize, stream => usize
            )))?;
        }
        check(call!(cuStreamSynchronize(stream => usize)))
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|thread| scope.spawn(move || call_driver(thread))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })?;
    let mut result = [0u32; 3];
    check(call!(cuMemcpyDtoH_v2(result.as_mut_ptr() => *mut u32, address => u64, 12 => usize)))?;
    check(call!(cuCtxDestroy_v2(context => usize)))?;
    Ok(result)
}

/// The child process of every test.
#[test]
fn child() {
    if let Ok(each) = env::var(PROGRAM) {
        match program(5, each.parse().expect("a number")) {
            Ok(result) => println!("result {result:?}"),
            Err(status) => {
                println!("status {status}\n{}", cuda_driver::reports::last_report().unwrap_or_default());
            }
        }
    }
}

/// Runs the program in a process of its own; returns what the program printed.
fn run(each: u32, variable: &str, file: &Path) -> String {
    let mut command = Command::new(env::current_exe().expect("the test knows itself"));
    command.args(["--exact", "child", "--nocapture"]).env(PROGRAM, each.to_string()).env(variable, file);
    let Output { stdout, stderr, status } = command.output().expect("the test can start itself");
    let text = String::from_utf8_lossy(&stdout).into_owned();
    assert!(status.success(), "{text}{}", String::from_utf8_lossy(&stderr));
    let printed = text.lines().filter(|line| !line.starts_with("test ") && !line.starts_with("running"));
    printed.collect::<Vec<_>>().join("\n").trim().split("\n\n").next().unwrap_or_default().to_owned()
}

fn folder() -> PathBuf {
    let folder = env::temp_dir().join(format!(
        "warpfold-recording-{}-{:?}",
        std::process::id(),
        thread::current().id()
    ));
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

#[test]
fn a_replay_follows_the_recorded_order() {
    let folder = folder();
    let mut results = BTreeSet::new();
    for round in 0..4 {
        let file = folder.join(format!("{round}.json"));
        let result = run(8, "WARPFOLD_RECORD", &file);
        assert!(result.starts_with("result ["), "{result}");
        for _ in 0..3 {
            assert_eq!(run(8, "WARPFOLD_REPLAY", &file), result);
        }
        results.insert(result);
    }
    assert!(results.len() > 1, "the threads always came in the same order: {results:?}");
    fs::remove_dir_all(folder).expect("it can be removed");
}

#[test]
fn a_replay_reports_where_the_program_differs() {
    let folder = folder();
    let file = folder.join("calls.json");
    run(4, "WARPFOLD_RECORD", &file);
    for (each, differs) in [(5, "now it calls cuLaunchKernel(step, "), (3, "now it ")] {
        let report = run(each, "WARPFOLD_REPLAY", &file);
        assert!(report.starts_with("status 401\nthe recorded order is lost: "), "{report}");
        assert!(report.contains("calls.json") && report.contains(differs), "{report}");
        assert!(each == 5 || report.contains(", line "), "{report}");
    }

    fs::write(&file, "{\"recording\": 1}\n{\"thread\": 1}\n").expect("it can be written");
    let settings = cuda_driver::settings::Settings {
        recording: Some(cuda_driver::settings::RecordingFile::Replay(file.clone())),
        ..Default::default()
    };
    let error = cuda_driver::settings::configure(settings).expect_err("a line is not an entry");
    assert!(error.to_string().ends_with("line 2: neither 'call' nor 'begin' is there"), "{error}");
    fs::remove_dir_all(folder).expect("it can be removed");
}
