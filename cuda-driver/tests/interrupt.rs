//! Launches that are interrupted: alone in its process, because an interruption cannot be undone.

#[macro_use]
mod common;

use std::{thread, time::Duration};

use cuda_driver::{Select, reports};

const SPIN: &std::ffi::CStr = c".version 8.3
.target sm_80
.address_size 64
.visible .entry spin(.param .u64 p)
{
    .reg .pred %p<2>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
again:
    ld.acquire.sys.u32 %r1, [%rd1];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra again;
    ret;
}";

/// A host function that returns much later.
unsafe extern "C" fn slow(_: *mut u8) {
    thread::sleep(Duration::from_secs(3600));
}

#[test]
fn an_interruption_ends_launches_and_waits() {
    cuda_driver::init(Select::Emulator).expect("the emulator is always there");
    let (mut context, mut module, mut function, mut word) = (0usize, 0usize, 0usize, 0u64);
    assert_eq!(call!(cuInit(0 => u32)), 0);
    assert_eq!(call!(cuCtxCreate_v2(&mut context => *mut usize, 0 => u32, 0 => i32)), 0);
    assert_eq!(call!(cuModuleLoadData(&mut module => *mut usize, SPIN.as_ptr() => *const i8)), 0);
    let name = c"spin".as_ptr();
    assert_eq!(
        call!(cuModuleGetFunction(&mut function => *mut usize, module => usize, name => *const i8)),
        0
    );
    assert_eq!(call!(cuMemAlloc_v2(&mut word => *mut u64, 4 => usize)), 0);
    let mut streams = [0usize; 2];
    for stream in &mut streams {
        assert_eq!(call!(cuStreamCreate(stream => *mut usize, 1 => u32)), 0);
    }
    // A host function that does not return, and a kernel that spins, on two streams.
    let data = std::ptr::null_mut();
    assert_eq!(
        call!(cuLaunchHostFunc(
            streams[0] => usize, slow => unsafe extern "C" fn(*mut u8), data => *mut u8
        )),
        0
    );
    let parameters = [std::ptr::from_ref(&word)];
    let launched = call!(cuLaunchKernel(
        function => usize, 3 => u32, 1 => u32, 1 => u32, 64 => u32, 1 => u32, 1 => u32, 0 => u32,
        streams[1] => usize, parameters.as_ptr() => *const *const u64, std::ptr::null() => *const u8,
    ));
    assert_eq!(launched, 0);
    let waiting: Vec<_> = streams
        .into_iter()
        .map(|stream| thread::spawn(move || call!(cuStreamSynchronize(stream => usize))))
        .collect();
    thread::sleep(Duration::from_millis(50));
    assert_eq!(call!(cuStreamQuery(streams[1] => usize)), 600);

    assert!(reports::interrupt("the test is impatient"));
    for waiting in waiting {
        assert_eq!(waiting.join().expect("it returns"), 702);
    }
    let report = reports::last_report().expect("the launch was reported");
    assert!(
        report.starts_with("kernel spin: the launch was interrupted: the test is impatient\n"),
        "{report}"
    );
    assert!(report.contains("in block (") && report.contains("at PTX line "), "{report}");
    // Nothing goes on, and nothing blocks; resources can be released.
    assert_eq!(call!(cuCtxSynchronize()), 702);
    assert_eq!(call!(cuMemFree_v2(word => u64)), 702);
    assert_eq!(call!(cuCtxDestroy_v2(context => usize)), 0);
    assert!(!reports::interrupt("again") || reports::resources().operations == 1);
}
