//! OpenMP programs as users write them: stock clang, stock LLVM host runtime, our device runtime, and the
//! emulated driver in place of NVIDIA's.

use std::env;
use std::time::Duration;

use tests_gpu::offload::{self, MODES, Mode, Ran};

const SUM: &str = include_str!("../programs/sum.c");
const DISTRIBUTE: &str = include_str!("../programs/distribute.c");
const REDUCE: &str = include_str!("../programs/reduce.c");
const NESTED: &str = include_str!("../programs/nested.c");
const OPERATORS: &str = include_str!("../programs/operators.c");
const CHUNKS: &str = include_str!("../programs/chunks.c");
const LOOPS: &str = include_str!("../programs/loops.c");
const SHAPES: &str = include_str!("../programs/shapes.c");
const GENERIC: &str = include_str!("../programs/generic.c");
const SCHEDULES: &str = include_str!("../programs/schedules.c");
const SYNC: &str = include_str!("../programs/sync.c");
const TASKS: &str = include_str!("../programs/tasks.c");
const LIBRARY: &str = include_str!("../programs/library.c");
const CONSTRUCTS: &str = include_str!("../programs/constructs.c");

/// More than any of the programs takes, so that one that hangs ends.
const MOST: Duration = Duration::from_secs(600);

/// Compiles and runs a program; what it printed. Offloading is mandatory: nothing runs on the host instead.
fn run(name: &str, text: &str, mode: Mode, environment: &[(&str, &str)]) -> String {
    run_logged(name, text, mode, environment).0
}

/// As [`run`]; also what came on standard error.
fn run_logged(name: &str, text: &str, mode: Mode, environment: &[(&str, &str)]) -> (String, String) {
    let Ran { status, out, err } = offload::run(&offload::build(name, text, mode), environment, MOST);
    assert!(
        status.is_some_and(|status| status.success()),
        "{name} {mode:?} {environment:?}: {status:?}\n{out}{err}"
    );
    (out, err)
}

#[test]
fn a_sum_over_teams_is_right_in_every_build_mode() {
    for mode in MODES {
        assert_eq!(run("sum.c", SUM, mode, &[]), "500500.0\n", "{mode:?}");
    }
}

#[test]
fn reductions_of_all_shapes_are_right() {
    for mode in MODES {
        assert_eq!(run("reduce.c", REDUCE, mode, &[]), "0 failures\n", "{mode:?}");
    }
}

#[test]
fn every_operator_starts_from_its_neutral_element_and_counts_the_initial_value_once() {
    for mode in MODES {
        assert_eq!(run("operators.c", OPERATORS, mode, &[]), "0 failures\n", "{mode:?}");
    }
}

/// Up to 65535 teams, with 1024 records in the reduction buffer, and blocks of all kinds.
#[test]
fn any_number_of_teams_of_any_size_is_reduced_whole() {
    for mode in [MODES[0], MODES[3]] {
        assert_eq!(run("shapes.c", SHAPES, mode, &[]), "0 failures\n", "{mode:?}");
    }
    // The teams are as many as asked for, not what the host runtime would rather have.
    let (out, log) = run_logged("shapes.c", SHAPES, MODES[2], &[("WARPFOLD_LOG", "driver")]);
    assert_eq!(out, "0 failures\n");
    let shapes = [1, 2, 31, 33, 1023, 1024, 1025, 3200, 65535].map(|teams| (teams, 32));
    let sizes = [1, 32, 33, 96, 128, 1000, 1024].map(|threads| (5, threads));
    for (teams, threads) in shapes.into_iter().chain(sizes) {
        let launch = format!("grid_x={teams}, grid_y=1, grid_z=1, block_x={threads},");
        assert!(log.contains(&launch), "no launch of {teams} teams of {threads}");
    }
}

/// A region inside another one is one thread's: its reduction waits for nobody.
#[test]
fn inner_regions_reduce_by_themselves() {
    for mode in MODES {
        assert_eq!(run("nested.c", NESTED, mode, &[]), "0 failures\n", "{mode:?}");
    }
}

/// clang enters the parallel region, and reduces over the block, once for each chunk.
#[test]
fn a_team_has_one_chunk_unless_the_program_wants_them_dealt_in_turn() {
    for mode in [MODES[0], MODES[2], MODES[3]] {
        assert_eq!(run("chunks.c", CHUNKS, mode, &[]), "1 4 7\n", "{mode:?}");
        // Chunks of 64, the threads of a block; a team has the next one after the last of all teams.
        let dealt = format!("#define ROUND_ROBIN\n{CHUNKS}");
        assert_eq!(run("chunks.c", &dealt, mode, &[]), "1 16 79\n", "{mode:?}");
    }
}

#[test]
fn loops_with_a_function_for_their_body_run_every_iteration_once() {
    for mode in [MODES[2], MODES[3]] {
        assert_eq!(run("loops.c", LOOPS, mode, &[]), "0 failures\n", "{mode:?}");
    }
}

/// A team that waits for one that starts after it would wait for ever.
#[test]
fn teams_may_come_in_any_order_and_one_at_a_time() {
    for (mode, schedule) in [
        (MODES[2], &[("WARPFOLD_REVERSE_BLOCKS", "1")][..]),
        (MODES[3], &[("WARPFOLD_RESIDENT_BLOCKS", "1")]),
        (MODES[2], &[("WARPFOLD_REVERSE_BLOCKS", "1"), ("WARPFOLD_RESIDENT_BLOCKS", "1")]),
        (MODES[3], &[("WARPFOLD_SEED", "3")]),
    ] {
        let printed = run("shapes.c", SHAPES, mode, schedule);
        assert_eq!(printed, "0 failures\n", "{mode:?}, {schedule:?}");
    }
}

#[test]
fn the_order_in_which_blocks_and_warps_run_does_not_show() {
    for (mode, seed) in [(MODES[0], "1"), (MODES[2], "1"), (MODES[3], "2")] {
        let printed = run("reduce.c", REDUCE, mode, &[("WARPFOLD_SEED", seed)]);
        assert_eq!(printed, "0 failures\n", "{mode:?}, seed {seed}");
    }
}

/// LLVM lets all threads but the first of a block exit where teams have no parallel region.
#[test]
fn a_thread_that_is_alone_in_its_block_reduces_over_teams() {
    for mode in MODES {
        assert_eq!(run("distribute.c", DISTRIBUTE, mode, &[]), "0 failures\n", "{mode:?}");
    }
}

/// One thread runs the team's code, workers the parallel regions; LLVM makes SPMD kernels of some.
#[test]
fn kernels_in_generic_mode_run() {
    for mode in MODES {
        assert_eq!(run("generic.c", GENERIC, mode, &[]), "0 failures\n", "{mode:?}");
    }
    for (mode, schedule) in [
        (MODES[0], &[("WARPFOLD_SEED", "5")][..]),
        (MODES[2], &[("WARPFOLD_SEED", "6")]),
        (MODES[3], &[("WARPFOLD_REVERSE_BLOCKS", "1"), ("WARPFOLD_RESIDENT_BLOCKS", "1")]),
    ] {
        assert_eq!(run("generic.c", GENERIC, mode, schedule), "0 failures\n", "{mode:?}, {schedule:?}");
    }
}

#[test]
fn every_schedule_runs_every_iteration_once() {
    for mode in MODES {
        assert_eq!(run("schedules.c", SCHEDULES, mode, &[]), "0 failures\n", "{mode:?}");
    }
    for (mode, seed) in [(MODES[0], "1"), (MODES[3], "2")] {
        let printed = run("schedules.c", SCHEDULES, mode, &[("WARPFOLD_SEED", seed)]);
        assert_eq!(printed, "0 failures\n", "{mode:?}, seed {seed}");
    }
}

#[test]
fn threads_wait_for_each_other_as_openmp_says() {
    for mode in MODES {
        assert_eq!(run("sync.c", SYNC, mode, &[]), "0 failures\n", "{mode:?}");
    }
    for (mode, seed) in [(MODES[1], "3"), (MODES[2], "4")] {
        let printed = run("sync.c", SYNC, mode, &[("WARPFOLD_SEED", seed)]);
        assert_eq!(printed, "0 failures\n", "{mode:?}, seed {seed}");
    }
}

#[test]
fn tasks_run_in_the_thread_that_encounters_them() {
    for mode in MODES {
        assert_eq!(run("tasks.c", TASKS, mode, &[]), "0 failures\n", "{mode:?}");
    }
}

#[test]
fn programs_ask_allocate_and_print() {
    let expected =
        "from the device: 42 1.50 1099511627776\nthread 3 of 32\nwarning: mind the gap\n0 failures\n";
    for mode in MODES {
        assert_eq!(run("library.c", LIBRARY, mode, &[]), expected, "{mode:?}");
    }
}

/// Nine operators, each over one type, in fourteen constructs. With `WARPFOLD_TEST_CONSTRUCTS=all` every operator
/// over every type that it has, in all build modes, which takes long.
#[test]
fn every_operator_reduces_in_every_construct() {
    let all = env::var("WARPFOLD_TEST_CONSTRUCTS").is_ok_and(|value| value == "all");
    if all {
        for mode in MODES {
            let source = format!("#define ALL\n{CONSTRUCTS}");
            assert_eq!(run("constructs.c", &source, mode, &[]), "0 failures\n", "{mode:?}");
        }
    }
    for (mode, schedule) in [(MODES[0], &[][..]), (MODES[3], &[("WARPFOLD_SEED", "8")])] {
        assert_eq!(run("constructs.c", CONSTRUCTS, mode, schedule), "0 failures\n", "{mode:?}");
    }
}
