//! Reports that cannot be written yet.

#[macro_use]
mod common;

use std::{
    ffi::{CString, c_char, c_void},
    fs,
    process::Command,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use cuda_driver::{Select, reports};

/// How long other calls may take: they do not wait at all, but the host may be busy.
const OTHER_CALL_LIMIT: Duration = Duration::from_secs(60);

/// Reports, each with other calls at the same time: a few of them meet a call just as they release the lock.
const ROUNDS: usize = 20_000;

/// How often in the tests of a change; nightly it is all.
const SOME_ROUNDS: usize = 2_000;

fn context() {
    let mut context: *mut c_void = std::ptr::null_mut();
    assert_eq!(call!(cuCtxCreate_v2(&raw mut context => *mut *mut c_void, 0 => u32, 0 => i32)), 0);
}

/// A module of an instruction that PTX lacks, whose rejection names the round.
fn rejected_module(round: usize) -> i32 {
    let image = CString::new(format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.func f() {{ nothing{round}; }}"
    ))
    .unwrap();
    let mut module: *mut c_void = std::ptr::null_mut();
    call!(cuModuleLoadData(&raw mut module => *mut *mut c_void, image.as_ptr() => *const c_char))
}

/// A pipe without a reader blocks whoever opens it: only the call that reports does so, whoever calls the driver
/// between the report and the release of the driver's lock.
#[test]
fn a_report_that_cannot_be_written_stops_its_own_call_only() {
    let pipe = std::env::temp_dir().join(format!("warpfold-report-{}", std::process::id()));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // SAFETY: this is the only test of its process, and nothing else runs yet.
    unsafe { std::env::set_var("WARPFOLD_FAULT_JSON", &pipe) };
    cuda_driver::init(Select::Emulator).unwrap();
    assert_eq!(call!(cuInit(0 => u32)), 0);
    context();
    let rounds = if std::env::var_os("WARPFOLD_NIGHTLY").is_some() { ROUNDS } else { SOME_ROUNDS };
    for round in 0..rounds {
        let reporting = thread::spawn(move || {
            context();
            rejected_module(round)
        });
        let (sender, done) = mpsc::channel();
        // Calls without a pause, so that one of them meets the reporting call's release of the lock.
        thread::spawn(move || {
            let begin = Instant::now();
            context();
            while begin.elapsed() < OTHER_CALL_LIMIT {
                let reported =
                    reports::last_report().is_some_and(|report| report.contains(&format!("nothing{round}")));
                let mut address = 0u64;
                assert_eq!(call!(cuMemAlloc_v2(&raw mut address => *mut u64, 64 => usize)), 0);
                if reported {
                    return sender.send(()).unwrap();
                }
            }
        });
        done.recv_timeout(OTHER_CALL_LIMIT).expect("other calls go on");
        assert!(!reporting.is_finished(), "nobody has read the report");
        let report = fs::read_to_string(&pipe).unwrap();
        assert!(report.starts_with('{') && report.contains(&format!("nothing{round}")), "{report}");
        assert_eq!(reporting.join().unwrap(), cuda_driver::Status::INVALID_PTX.code());
    }
    fs::remove_file(&pipe).unwrap();
}
