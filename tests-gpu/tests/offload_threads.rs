//! OpenMP programs whose host threads use the device at the same time, and programs whose allocations fail.

use std::{os::unix::process::ExitStatusExt, time::Duration};

use tests_gpu::offload::{MODES, RunResult, build, run};

const THREADS: &str = include_str!("../programs/threads.c");
const SUM: &str = include_str!("../programs/sum.c");
const ALLOCATE: &str = include_str!("../programs/allocate.c");

const LONG: Duration = Duration::from_secs(120);

#[test]
fn asynchronous_regions_of_eight_threads_are_exact_every_time() {
    let every = [&[][..], &[("WARPFOLD_SEED", "4")], &[("WARPFOLD_JOBS", "2")]];
    let is_nightly = std::env::var_os("WARPFOLD_NIGHTLY").is_some();
    for (mode, some) in [(MODES[0], &every[2..]), (MODES[2], &every[..]), (MODES[3], &every[1..2])] {
        let program = build("threads.c", THREADS, mode);
        let (rounds, orders) = if is_nightly { (3, &every[..]) } else { (1, some) };
        for round in 0..rounds {
            for settings in orders {
                let RunResult { status, out, err } = run(&program, settings, LONG);
                assert_eq!(out, "0 failures\n", "{mode:?}, {settings:?}, round {round}: {status:?}\n{err}");
            }
        }
    }
}

/// Runs a program with each of its allocations failing, without and with all later ones. It must give the
/// right result, or end with its own or OpenMP's error.
fn fail_each_allocation(name: &str, text: &str, result: &str, own_error: impl Fn(&str) -> bool) {
    let program = build(name, text, MODES[2]);
    for later in ["", "+"] {
        let mut failed = 0;
        for number in 1.. {
            let which = format!("{number}{later}");
            let environment = [("WARPFOLD_FAIL_ALLOCATION", &which[..]), ("WARPFOLD_LOG", "1")];
            let RunResult { status, out, err } = run(&program, &environment, LONG);
            let status = status.unwrap_or_else(|| panic!("{name}, {which}: it hangs\n{out}{err}"));
            if !err.contains(&format!("allocation {number} fails")) {
                // The program has no more allocations.
                assert_eq!((status.code(), &out[..]), (Some(0), result), "{name}, {which}\n{err}");
                break;
            }
            failed += 1;
            let fatal = err.contains("omptarget fatal error") && status.signal() == Some(6);
            let right = status.code() == Some(0) && out == result;
            let handled = status.code() == Some(3) && own_error(&out);
            assert!(fatal || right || handled, "{name}, {which}: {status}\n{out}{err}");
        }
        assert!(failed >= 4, "{name}: only {failed} allocations");
    }
}

#[test]
fn a_failing_allocation_ends_in_openmps_error() {
    fail_each_allocation("sum.c", SUM, "500500.0\n", |_| false);
    fail_each_allocation("allocate.c", ALLOCATE, "39800.0 398.0\n", |out| out.starts_with("no "));
}
