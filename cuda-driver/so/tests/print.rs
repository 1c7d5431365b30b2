//! Kernels that print, allocate memory and fail assertions, in a C program.

mod common;

use std::{path::Path, process::Command};

use common::{Folder, succeed, text};

#[test]
fn output_keeps_its_order_and_assertions_are_reported() {
    let folder = Folder::new();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let (image, program) = (folder.path().join("print.ptx"), folder.path().join("print"));
    let mut clang = Command::new("clang-22");
    clang.args(["--target=nvptx64-nvidia-cuda", "-march=sm_90", "--cuda-feature=+ptx80", "-nogpulib", "-O1"]);
    succeed(clang.args(["-ffreestanding", "-S", "-o"]).arg(&image).arg(sources.join("print_kernels.c")));
    let mut clang = Command::new("clang-22");
    clang.args(["-O1", "-Wall", "-Werror", "-o"]).arg(&program).arg(sources.join("print.c"));
    succeed(clang.arg("-L").arg(folder.path()).arg("-lcuda"));

    // Standard output is a pipe here: C's stream buffers what the program prints until the end, and kernels'
    // output has to come in between nevertheless.
    let output = succeed(folder.command(&program).arg(&image));
    let wanted = "before\nthread 0:  0.00 done\nthread 1:  0.50 done\nthread 2:  1.00 done\nprint: 0\nafter\n\
        take: 0, copy: 0, memory\nlimit: 0, take: 0, copy: 0, nothing\nfail: 710\nsynchronize: 710\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), wanted, "{}", text(&output));
    let stderr = String::from_utf8_lossy(&output.stderr);
    let assertion = "fail.c:7: fail: block: [0,0,0], thread: [6,0,0] Assertion `1 == 2` failed.";
    assert!(stderr.lines().any(|line| line == assertion), "{stderr}");
}
