//! Which driver is chosen, with replacements for NVIDIA's: each case is a process of its own.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use cuda_driver::{EntryPoint, Select};

/// The variable with the request of a child process.
const REQUEST: &str = "CHOICE_TEST_REQUEST";

/// A driver with a handful of entry points.
const DRIVER: &str = r#"
int cuInit(unsigned flags) { return flags == 0 ? INIT : 1; }
int cuDeviceGetCount(int *count) { *count = DEVICES; return 0; }
int cuDriverGetVersion(int *version) { *version = 11040; return 0; }
"#;

fn main() {
    match env::var(REQUEST) {
        Ok(request) => child(request.parse().expect("the request is one of three")),
        Err(_) => parent(),
    }
}

/// Chooses a driver, and prints the result.
fn child(request: Select) {
    match cuda_driver::init(request) {
        Ok(kind) => print!("{kind}"),
        Err(error) => return print!("error: {error}"),
    }
    if let Some(why) = cuda_driver::declined() {
        print!(", declined: {why}");
    }
    let mut version = 0;
    // SAFETY: this is the entry point's signature in cuda.h.
    let get_version: unsafe extern "C" fn(*mut i32) -> i32 =
        unsafe { std::mem::transmute(EntryPoint::cuDriverGetVersion.address()) };
    // SAFETY: the pointer is to a live number.
    unsafe { get_version(&mut version) };
    // SAFETY: the function of a missing entry point reads no argument.
    let missing: unsafe extern "C" fn() -> i32 =
        unsafe { std::mem::transmute(EntryPoint::cuUserObjectCreate.address()) };
    // SAFETY: as above.
    print!(", version {version}, cuUserObjectCreate returns {}", unsafe { missing() });
}

/// Builds a replacement for the driver in a folder of its own.
fn driver(folder: &Path, name: &str, init: i32, devices: i32) -> PathBuf {
    let folder = folder.join(name);
    fs::create_dir_all(&folder).expect("a temporary folder can be made");
    let (source, library) = (folder.join("driver.c"), folder.join("libcuda.so.1"));
    fs::write(&source, DRIVER).expect("it can be written");
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", &format!("-DINIT={init}"), &format!("-DDEVICES={devices}"), "-o"])
        .args([&library, &source])
        .status()
        .expect("cc runs, as it does to link Rust programs");
    assert!(status.success(), "cc: {status}");
    std::os::unix::fs::symlink("libcuda.so.1", folder.join("libcuda.so")).expect("a link can be made");
    folder
}

fn parent() {
    let folder = env::temp_dir().join(format!("warpfold-choice-{}", std::process::id()));
    let good = driver(&folder, "good", 0, 2);
    let idle = driver(&folder, "idle", 0, 0);
    let broken = driver(&folder, "broken", 803, 1);
    let run = |libraries: &Path, request: &str, device: Option<&str>| {
        let mut command = Command::new(env::current_exe().expect("the test knows itself"));
        command.env("LD_LIBRARY_PATH", libraries).env(REQUEST, request).env_remove("WARPFOLD_DEVICE");
        command.env_remove("WARPFOLD_MACHINE");
        if let Some(device) = device {
            command.env("WARPFOLD_DEVICE", device);
        }
        let output = command.output().expect("the test can start itself");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("it writes text")
    };
    let cuda = "cuda, version 11040, cuUserObjectCreate returns 500";
    let emulator = "emulator, version 13000, cuUserObjectCreate returns 801";

    assert_eq!(run(&good, "auto", None), cuda);
    assert_eq!(run(&good, "cuda", None), cuda);
    assert_eq!(run(&good, "emulator", None), emulator);
    assert_eq!(run(&good, "auto", Some("emulator")), emulator);
    assert_eq!(
        run(&good, "cuda", Some("emulator")),
        cuda,
        "a definite request takes precedence over the environment"
    );
    assert_eq!(
        run(&good, "auto", Some("gpu")),
        "error: WARPFOLD_DEVICE: unknown device 'gpu'; known are auto, cuda and emulator"
    );

    let fallen_back = run(&idle, "auto", None);
    assert!(
        fallen_back.starts_with("emulator, declined: libcuda.so.1: the driver has no device;"),
        "{fallen_back}"
    );
    assert!(fallen_back.ends_with("version 13000, cuUserObjectCreate returns 801"), "{fallen_back}");
    for (libraries, why) in [
        (&idle, "libcuda.so.1: the driver has no device"),
        (&broken, "libcuda.so.1: cuInit returned CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)"),
    ] {
        for error in [run(libraries, "cuda", None), run(libraries, "auto", Some("cuda"))] {
            assert!(error.starts_with("error: no usable CUDA device: "), "{error}");
            assert!(error.contains(why), "{error}");
            assert!(error.contains("WARPFOLD_DEVICE=emulator"), "{error}");
        }
    }
    fs::remove_dir_all(&folder).expect("the folder can be removed");
    println!("the choice of a driver: 10 cases ok");
}
