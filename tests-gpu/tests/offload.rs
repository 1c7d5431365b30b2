//! What OpenMP programs do beyond their results: stock clang, stock LLVM host runtime, our device runtime, and the
//! emulated driver in place of NVIDIA's. Whether results are right is for `conformance.rs`.

use std::time::Duration;

use tests_gpu::offload::{self, MODES, Mode, Ran};
use toolchain::OptLevel;

const SHAPES: &str = include_str!("../programs/shapes.c");

/// Up to 65535 teams, with 1024 records in the reduction buffer, and blocks of all kinds: the teams are as many as
/// asked for, not what the host runtime would rather have.
#[test]
fn as_many_teams_run_as_are_asked_for() {
    let program = offload::build("shapes.c", SHAPES, MODES[2]);
    let Ran { status, out, err } =
        offload::run(&program, &[("WARPFOLD_LOG", "driver")], Duration::from_secs(600));
    assert_eq!(out, "0 failures\n", "{status:?}");
    let shapes = [1, 2, 31, 33, 1023, 1024, 1025, 3200, 65535].map(|teams| (teams, 32));
    let sizes = [1, 32, 33, 96, 128, 1000, 1024].map(|threads| (5, threads));
    for (teams, threads) in shapes.into_iter().chain(sizes) {
        let launch = format!("grid_x={teams}, grid_y=1, grid_z=1, block_x={threads},");
        assert!(err.contains(&launch), "no launch of {teams} teams of {threads}");
    }
}

/// A kernel in generic mode that takes shared memory as compilers do, and gives it back or not.
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
    // LLVM moves what has a constant size to variables of the kernel, and lets all threads run a kernel whose every
    // instruction it knows.
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
fn shared_memory_that_is_not_given_back_is_told_where_that_is_asked_for() {
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
        let (Ran { status, out, err }, holds) = run(&[CHECKED]);
        assert!(!status.is_some_and(|status| status.success()), "{mode:?}: {out}{err}");
        assert!(out.starts_with(MESSAGE) && holds, "{mode:?}: {out}{err}");
        let (Ran { out, err, .. }, _) = run(&[CHECKED, "-DFREE"]);
        assert_eq!(out, "32\n", "{mode:?}: {err}");
        // Nothing of the check is left in an optimised program that does not ask for it.
        let (Ran { out, err, .. }, holds) = run(&[]);
        assert!(out == "32\n" && !(holds && mode.0 == OptLevel::O2), "{mode:?}: {out}{err}");
    }
}

/// What a program of the suite prints.
fn printed(name: &str, text: &str, mode: Mode, environment: &[(&str, &str)]) -> String {
    let Ran { status, out, err } =
        offload::run(&offload::build(name, text, mode), environment, Duration::from_secs(600));
    assert!(status.is_some_and(|status| status.success()), "{name} {mode:?} {environment:?}: {out}{err}");
    out
}

/// A team that waits for one that starts after it would wait for ever.
#[test]
fn teams_may_come_in_any_order_and_one_at_a_time() {
    for (mode, order) in [
        (MODES[2], &[("WARPFOLD_REVERSE_BLOCKS", "1")][..]),
        (MODES[3], &[("WARPFOLD_RESIDENT_BLOCKS", "1")]),
        (MODES[2], &[("WARPFOLD_REVERSE_BLOCKS", "1"), ("WARPFOLD_RESIDENT_BLOCKS", "1")]),
        (MODES[3], &[("WARPFOLD_SEED", "3")]),
    ] {
        assert_eq!(printed("shapes.c", SHAPES, mode, order), "0 failures\n", "{mode:?}, {order:?}");
    }
}

/// A region inside another one is one thread's: its reduction waits for nobody.
#[test]
fn inner_regions_reduce_by_themselves() {
    const NESTED: &str = include_str!("../programs/nested.c");
    for mode in MODES {
        assert_eq!(printed("nested.c", NESTED, mode, &[]), "0 failures\n", "{mode:?}");
    }
}

#[test]
fn every_operator_starts_from_its_neutral_element_and_counts_the_initial_value_once() {
    const OPERATORS: &str = include_str!("../programs/operators.c");
    for mode in MODES {
        assert_eq!(printed("operators.c", OPERATORS, mode, &[]), "0 failures\n", "{mode:?}");
    }
}
