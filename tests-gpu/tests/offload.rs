//! OpenMP programs built by stock clang, with LLVM's host runtime, our device runtime and the emulated
//! driver: launches, checks of the runtime, orders of execution. `conformance.rs` tests results.

use std::time::Duration;

use tests_gpu::offload::{self, MODES, Mode, RunResult};
use toolchain::OptLevel;

const SHAPES: &str = include_str!("../programs/shapes.c");

/// Up to 65535 teams, with 1024 records in the reduction buffer, and blocks of all kinds: the number of teams
/// is the requested one and not the host runtime's default.
#[test]
fn the_requested_number_of_teams_runs() {
    let program = offload::build("shapes.c", SHAPES, MODES[2]);
    let RunResult { status, out, err } =
        offload::run(&program, &[("WARPFOLD_LOG", "driver")], Duration::from_secs(600));
    assert_eq!(out, "0 failures\n", "{status:?}");
    let shapes = [1, 2, 31, 33, 1023, 1024, 1025, 3200, 65535].map(|teams| (teams, 32));
    let sizes = [1, 32, 33, 96, 128, 1000, 1024].map(|threads| (5, threads));
    for (teams, threads) in shapes.into_iter().chain(sizes) {
        let launch = format!("grid_x={teams}, grid_y=1, grid_z=1, block_x={threads},");
        assert!(err.contains(&launch), "no launch of {teams} teams of {threads}");
    }
}

/// A kernel in generic mode that allocates shared memory as compilers do, and frees it or not.
const SCRATCH: &str = r#"
#include <stdio.h>
#pragma omp begin declare target
#ifdef __NVPTX__
void *__kmpc_alloc_shared(unsigned long bytes);
void __kmpc_free_shared(void *memory, unsigned long bytes);
#else
static void *__kmpc_alloc_shared(unsigned long bytes) { return 0; }
static void __kmpc_free_shared(void *memory, unsigned long bytes) {}
#endif
void *volatile kept;
#pragma omp end declare target
int main(void) {
  int threads = 0;
#pragma omp target map(tofrom : threads)
  {
    // LLVM would replace an allocation of constant size by a variable, and turn a kernel without such
    // instructions into an SPMD kernel.
    __asm__ volatile("" : : : "memory");
    kept = __kmpc_alloc_shared(24 + threads);
#ifdef FREE
    __kmpc_free_shared(kept, 24 + threads);
#endif
#pragma omp parallel num_threads(32)
#pragma omp atomic
    threads++;
  }
  printf("%d\n", threads);
  return 0;
}
"#;

#[test]
fn shared_memory_that_is_not_freed_is_reported_with_the_option() {
    const MESSAGE: &str =
        "warpfold: the kernel ends, and shared variables of its main thread were not given back\n";
    const CHECKED: &str = "-fopenmp-target-debug=1";
    for mode in MODES {
        let run = |options: &[&str]| {
            let options: Vec<String> = options.iter().map(|option| option.to_string()).collect();
            let program = offload::compile("scratch.c", SCRATCH, mode, &options).expect("it compiles");
            let image = std::fs::read(&program).expect("it is there");
            let holds = image.windows(MESSAGE.len()).any(|bytes| bytes == MESSAGE.as_bytes());
            (offload::run(&program, &[], Duration::from_secs(60)), holds)
        };
        let (RunResult { status, out, err }, holds) = run(&[CHECKED]);
        assert!(!status.is_some_and(|status| status.success()), "{mode:?}: {out}{err}");
        assert!(out.starts_with(MESSAGE) && holds, "{mode:?}: {out}{err}");
        let (RunResult { out, err, .. }, _) = run(&[CHECKED, "-DFREE"]);
        assert_eq!(out, "32\n", "{mode:?}: {err}");
        // An optimised program without the option does not contain the check.
        let (RunResult { out, err, .. }, holds) = run(&[]);
        assert!(out == "32\n" && !(holds && mode.0 == OptLevel::O2), "{mode:?}: {out}{err}");
    }
}

/// The output of a program of the suite.
fn printed(name: &str, text: &str, mode: Mode, environment: &[(&str, &str)]) -> String {
    let RunResult { status, out, err } =
        offload::run(&offload::build(name, text, mode), environment, Duration::from_secs(600));
    assert!(status.is_some_and(|status| status.success()), "{name} {mode:?} {environment:?}: {out}{err}");
    out
}

/// A team that waits for one that starts later would wait forever.
#[test]
fn teams_may_run_in_any_order_and_one_at_a_time() {
    for (mode, order) in [
        (MODES[2], &[("WARPFOLD_REVERSE_BLOCKS", "1")][..]),
        (MODES[3], &[("WARPFOLD_RESIDENT_BLOCKS", "1")]),
        (MODES[2], &[("WARPFOLD_REVERSE_BLOCKS", "1"), ("WARPFOLD_RESIDENT_BLOCKS", "1")]),
        (MODES[3], &[("WARPFOLD_SEED", "3")]),
    ] {
        assert_eq!(printed("shapes.c", SHAPES, mode, order), "0 failures\n", "{mode:?}, {order:?}");
    }
}

/// With more teams than records in the reduction buffer each has a slot of the image: the order of arrival does not
/// show, in the first launch and in later ones.
#[test]
fn sums_of_more_teams_than_records_have_the_same_bits_in_every_order() {
    const TEAMS: &str = include_str!("../programs/teams.c");
    let orders = [
        &[][..],
        &[("WARPFOLD_REVERSE_BLOCKS", "1")],
        &[("WARPFOLD_SEED", "5")],
        &[("WARPFOLD_SEED", "6"), ("WARPFOLD_RESIDENT_BLOCKS", "100")],
        &[("WARPFOLD_JOBS", "2")],
        &[("WARPFOLD_CHECK", "race")],
    ];
    for (mode, orders) in [(MODES[2], &orders[..]), (MODES[3], &orders[..2])] {
        let program = offload::build("teams.c", TEAMS, mode);
        let bits: Vec<String> = orders
            .iter()
            .map(|&order| {
                let RunResult { status, out, err } = offload::run(&program, order, Duration::from_secs(600));
                assert!(status.is_some_and(|status| status.success()), "{mode:?} {order:?}: {out}{err}");
                assert!(!err.contains("data race"), "{mode:?}: {err}");
                err.lines().find(|line| line.starts_with("sum ")).expect("the sum").to_owned()
            })
            .collect();
        assert!(bits.iter().all(|sum| *sum == bits[0]), "{mode:?}: {bits:?}");
    }
}

/// A nested region has one thread: its reduction does not wait for others.
#[test]
fn nested_regions_reduce_by_themselves() {
    const NESTED: &str = include_str!("../programs/nested.c");
    for mode in MODES {
        assert_eq!(printed("nested.c", NESTED, mode, &[]), "0 failures\n", "{mode:?}");
    }
}

#[test]
fn every_operator_starts_from_its_identity_and_counts_the_initial_value_once() {
    const OPERATORS: &str = include_str!("../programs/operators.c");
    for mode in MODES {
        assert_eq!(printed("operators.c", OPERATORS, mode, &[]), "0 failures\n", "{mode:?}");
    }
}
