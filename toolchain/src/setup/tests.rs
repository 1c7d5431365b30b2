use std::process::Command;

use super::step::stream;
use super::*;
use crate::inventory::Status;
use crate::version::Version;

fn finding(name: &'static str, required_for: Purpose, found: bool) -> Finding {
    let status = if found {
        Status::Found { path: PathBuf::from("/x"), version: Version::new(1, 0, 0) }
    } else {
        Status::Missing { hint: String::from("c") }
    };
    Finding { name, required_for, status }
}

fn machine(rust: bool, llvm: bool, clang: bool, ptxas: bool, pip: bool) -> Vec<Finding> {
    vec![
        finding("OpenMP offloading", Purpose::Offload, clang),
        finding("flang", Purpose::Fortran, clang),
        finding("isl", Purpose::Loops, clang),
        finding("rustc with library source", Purpose::DeviceBuild, rust),
        finding("LLVM tools", Purpose::DeviceBuild, llvm),
        finding("clang", Purpose::CKernels, clang),
        finding("ptxas", Purpose::PtxCheck, ptxas),
        finding("nvcc", Purpose::Cuda, ptxas),
        finding("pip", Purpose::Download, pip),
    ]
}

fn planned(findings: &[Finding], root: bool) -> Plan {
    make_plan(findings, Some(Path::new("/cache")), root)
}

#[test]
fn a_complete_machine_has_nothing_to_do() {
    assert!(planned(&machine(true, true, true, true, true), true).is_empty());
    // pip is only needed for the download.
    assert!(planned(&machine(true, true, true, true, false), true).is_empty());
}

#[test]
fn only_what_is_missing_is_planned() {
    let plan = planned(&machine(true, false, true, true, false), true);
    assert_eq!(plan.steps, [Step::Apt { packages: vec![String::from("llvm-22")] }]);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn a_fresh_machine_gets_packages_then_wheels() {
    let plan = planned(&machine(false, false, false, false, false), true);
    let [Step::Apt { packages }, Step::Cuda { wheels, folder }] = plan.steps.as_slice() else {
        panic!("{plan}");
    };
    let expected = [
        &["rustc-web", "rust-web-src", "llvm-22", "clang-22", "clang-tools-22", "libomp-22-dev"][..],
        &["liboffload-22-dev", "flang-22", "libisl23", "python3-pip"],
    ];
    assert_eq!(*packages, expected.concat());
    assert_eq!(wheels.len(), 7);
    assert_eq!(folder, Path::new("/cache/cuda/13.5.37"));
    assert!(plan.to_string().starts_with("1. install rustc-web"), "{plan}");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn tools_without_cudas_headers_are_replaced() {
    let mut findings = machine(true, true, true, true, true);
    let nvcc = findings.iter_mut().find(|finding| finding.name == "nvcc").expect("it is there");
    nvcc.status = Status::Missing { hint: String::from("c") };
    let plan = planned(&findings, false);
    assert!(matches!(plan.steps.as_slice(), [Step::Cuda { .. }]), "{plan}");
}

#[test]
fn rust_is_left_out_where_the_runtime_is_prebuilt() {
    let mut findings = machine(false, false, true, true, true);
    let rust = findings.iter_mut().find(|finding| finding.name.starts_with("rustc")).expect("it is there");
    rust.required_for = Purpose::RustKernels;
    assert_eq!(planned(&findings, true).steps, [Step::Apt { packages: vec![String::from("llvm-22")] }]);
}

#[test]
fn without_root_the_plan_shows_the_command() {
    let plan = planned(&machine(true, false, true, true, true), false);
    assert!(plan.to_string().contains("sudo apt-get install --no-install-recommends llvm-22"), "{plan}");
}

#[test]
fn output_is_streamed_and_a_failure_carries_it() {
    let mut lines = Vec::new();
    let mut shell = Command::new("sh");
    shell.args(["-c", "echo one; echo two >&2; exit 7"]);
    let error = stream(&mut shell, &mut |line| lines.extend(line.map(String::from))).unwrap_err().to_string();
    lines.sort();
    assert_eq!(lines, ["one", "two"]);
    assert!(error.contains('7') && error.contains("one") && error.contains("two"), "{error}");
}

#[test]
fn progress_counts_the_steps() {
    let plan = Plan { steps: vec![Step::Apt { packages: vec![] }], notes: vec![] };
    let mut seen = Vec::new();
    // The step may fail for several reasons; its start is reported anyway.
    let broken =
        Plan { steps: vec![Step::Cuda { wheels: &[], folder: PathBuf::from("/proc/none/x") }], ..plan };
    let result = run(&broken, &mut |progress| seen.push((progress.step, progress.steps)));
    assert!(result.is_err());
    assert_eq!(seen[0], (1, 1));
}
