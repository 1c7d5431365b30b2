//! What OpenMP programs do beyond their results: stock clang, stock LLVM host runtime, our device runtime, and the
//! emulated driver in place of NVIDIA's. Whether results are right is for `conformance.rs`.

use std::time::Duration;

use tests_gpu::offload::{self, MODES, Ran};

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
