//! Reports that cannot be written yet.

#[macro_use]
mod common;

use std::{
    ffi::c_void,
    fs,
    process::Command,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use cuda_driver::{Select, reports};

/// How long other calls may take: they do not wait at all, but the host may be busy.
const OTHER_CALL_LIMIT: Duration = Duration::from_secs(60);

fn context() {
    let mut context: *mut c_void = std::ptr::null_mut();
    assert_eq!(call!(cuCtxCreate_v2(&raw mut context => *mut *mut c_void, 0 => u32, 0 => i32)), 0);
}

/// A pipe without a reader blocks whoever opens it: only the call that reports does so.
#[test]
fn a_report_that_cannot_be_written_stops_its_own_call_only() {
    let pipe = std::env::temp_dir().join(format!("warpfold-report-{}", std::process::id()));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // SAFETY: this is the only test of its process, and nothing else runs yet.
    unsafe { std::env::set_var("WARPFOLD_FAULT_JSON", &pipe) };
    cuda_driver::init(Select::Emulator).unwrap();
    assert_eq!(call!(cuInit(0 => u32)), 0);
    let reporting = thread::spawn(|| {
        context();
        let mut module: *mut c_void = std::ptr::null_mut();
        call!(cuModuleLoadData(&raw mut module => *mut *mut c_void, c"not PTX".as_ptr() => *const std::ffi::c_char))
    });
    let (sender, done) = mpsc::channel();
    thread::spawn(move || {
        let begin = Instant::now();
        while reports::last_report().is_none() && begin.elapsed() < OTHER_CALL_LIMIT {
            thread::yield_now();
        }
        context();
        let mut address = 0u64;
        assert_eq!(call!(cuMemAlloc_v2(&raw mut address => *mut u64, 64 => usize)), 0);
        sender.send(()).unwrap();
    });
    done.recv_timeout(OTHER_CALL_LIMIT).expect("other calls go on");
    assert!(!reporting.is_finished(), "nobody has read the report");
    let report = fs::read_to_string(&pipe).unwrap();
    assert!(report.starts_with('{') && report.contains("PTX starts with"), "{report}");
    assert_eq!(reporting.join().unwrap(), cuda_driver::Status::INVALID_PTX.code());
    fs::remove_file(&pipe).unwrap();
}
