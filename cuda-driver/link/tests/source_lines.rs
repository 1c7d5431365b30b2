//! Which files a report quotes: the PTX names any, and a report shows lines only of those that it may.

use std::{ffi::c_void, fs, os::unix::fs::symlink, path::Path, process::Command};

use cuda_driver::{Select, reports};
use cust::{
    CudaFlags,
    context::legacy::{Context, ContextFlags},
    device::Device,
    module::Module,
    stream::{Stream, StreamFlags},
};

/// The report of a kernel that faults at line 2 of a file.
fn report(file: &str) -> String {
    let device = Device::get_device(0).unwrap();
    let _context = Context::create_and_push(ContextFlags::SCHED_AUTO, device).unwrap();
    let text = format!(
        ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .b64 %rd<2>;\n\
         ld.param.u64 %rd1, [p];\n.loc 1 2 8\nst.global.u32 [%rd1], 7;\nret;\n}}\n.file 1 \"{file}\"\n"
    );
    let module = Module::from_ptx(&text, &[]).unwrap();
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None).unwrap();
    let (function, null) = (module.get_function("k").unwrap(), 0u64);
    // SAFETY: one parameter, as the kernel has; the emulator checks every access.
    unsafe { stream.launch(&function, 1, 1, 0, &[(&raw const null).cast_mut().cast::<c_void>()]) }.unwrap();
    assert!(stream.synchronize().is_err());
    reports::last_report().expect("the kernel faults")
}

#[test]
fn a_report_quotes_files_below_some_folders_only() {
    let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = |folder: &Path, name: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "first\n\t*p = 7; // \x1b[31m\u{202e}\n").unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (source, secret) = (file(inside.path(), "src/k.c"), file(outside.path(), "secret"));
    let (hidden, folder) = (file(inside.path(), ".ssh/key"), inside.path().to_str().unwrap().to_owned());
    symlink(&secret, inside.path().join("link.c")).unwrap();
    let pipe = format!("{folder}/pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::env::set_current_dir(&folder).unwrap();

    cuda_driver_link::ensure_linked();
    cuda_driver::init(Select::Emulator).unwrap();
    cust::init(CudaFlags::empty()).unwrap();
    let shown = "      2 | *p = 7; // \\u{1b}[31m\\u{202e}";
    let hint = "        (WARPFOLD_SOURCE_PATH=FOLDER shows lines of files below FOLDER)";
    let lines = |file: &str| -> Vec<String> { report(file).lines().map(str::to_owned).collect() };
    for quoted in [&source, "src/k.c", &format!("{folder}/src/../src/k.c")] {
        assert!(lines(quoted).iter().any(|line| line == shown), "{}", report(quoted));
    }
    let link = format!("{folder}/link.c");
    let upwards = format!("../{}", secret.trim_start_matches("/tmp/"));
    for other in [&secret, &hidden, &link, &upwards] {
        let report = lines(other);
        assert!(!report.iter().any(|line| line == shown), "{report:?}");
        assert!(other == &upwards || report.iter().any(|line| line == hint), "{report:?}");
    }
    for special in ["/proc/self/environ", "/proc/self/pagemap", "/dev/kmsg", "/dev/zero", &pipe, "no.c"] {
        let report = report(special);
        assert!(
            report.starts_with(&format!("{}:2:8: ", special.trim_start_matches(&format!("{folder}/")))),
            "{report}"
        );
        assert!(!report.contains("\n      "), "{report}");
    }
    let name = "\u{1b}]0;title\u{7}\u{1b}[31mred";
    assert!(report(name).starts_with("\\u{1b}]0;title\\u{7}\\u{1b}[31mred:2:8: "), "{}", report(name));

    // SAFETY: no other thread reads the environment at present: there is no operation.
    unsafe { std::env::set_var("WARPFOLD_SOURCE_PATH", format!("/nowhere:{}", outside.path().display())) };
    for quoted in [&secret, &link, &source] {
        assert!(lines(quoted).iter().any(|line| line == shown), "{}", report(quoted));
    }
}
