//! Processes that fork, and that end while a kernel runs.

mod common;

use std::{path::Path, process::Command};

use common::{Folder, succeed, text};

const WAIT: &str = ".version 8.3
.target sm_80
.address_size 64
.visible .entry wait(.param .u64 p)
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
}
";

#[test]
fn a_forked_process_has_no_driver_and_a_running_kernel_ends_with_its_process() {
    let folder = Folder::new();
    let (image, program) = (folder.file("wait.ptx", WAIT), folder.path().join("process"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/process.c");
    let mut clang = Command::new("clang-22");
    clang.args(["-O1", "-Wall", "-Werror", "-o"]).arg(&program).arg(source);
    succeed(clang.arg("-L").arg(folder.path()).arg("-lcuda"));
    let output = succeed(folder.command(&program).arg(&image));
    let wanted = "launch: 0\nchild: 3 CUDA_ERROR_NOT_INITIALIZED, 3, 3\nchild ended: 0, query: 600\ncopy: 0\n\
        synchronize: 0\ncopy: 0\nlaunch: 0\n";
    assert_eq!(text(&output), wanted);
}

#[test]
fn forked_processes_never_wait_for_threads_that_they_do_not_have() {
    let folder = Folder::new();
    let program = folder.path().join("fork");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/fork.c");
    let mut clang = Command::new("clang-22");
    clang.args(["-O1", "-Wall", "-Werror", "-pthread", "-o"]).arg(&program).arg(source);
    succeed(clang.arg("-L").arg(folder.path()).arg("-lcuda"));
    // Also while the threads write the log, and where leaks are looked for at the end.
    for variable in ["WARPFOLD_DEVICE", "WARPFOLD_LOG", "WARPFOLD_CHECK_LEAKS"] {
        let value = if variable == "WARPFOLD_DEVICE" { "emulator" } else { "1" };
        let output = succeed(folder.command(&program).arg("400").env(variable, value));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "400 ended, 0 hung, 0 failed\n", "{variable}");
    }
}

#[test]
fn a_process_forked_during_the_first_call_does_not_wait_for_it() {
    let folder = Folder::new();
    let program = folder.path().join("first_fork");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/first_fork.c");
    let mut clang = Command::new("clang-22");
    clang.args(["-O1", "-Wall", "-Werror", "-pthread", "-rdynamic", "-o"]).arg(&program).arg(source);
    succeed(clang.arg("-L").arg(folder.path()).arg("-lcuda"));
    let output = succeed(&mut folder.command(&program));
    assert_eq!(text(&output), "child: 0\nparent: 0 1\n");
}
