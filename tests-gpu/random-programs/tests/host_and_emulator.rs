//! Random programs on the host and on the emulator: `cargo xtask differential` runs more of them.

use std::path::PathBuf;

use random_programs::{Levels, Options, Target, run};

/// Programs of this test; all of them have other seeds than those of the command's default.
const PROGRAMS: u64 = 128;
const SEED: u64 = 1 << 32;

#[test]
fn host_and_emulator_agree() {
    println!("seeds {SEED} to {}", SEED + PROGRAMS - 1);
    let options = Options {
        programs: PROGRAMS,
        seed: SEED,
        levels: Levels::Both,
        sm: None,
        short_floats: true,
        target: Target::Emulator,
        batch: 32,
        folder: PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("differential"),
        most_differences: 3,
    };
    let summary = run(&options).unwrap_or_else(|error| panic!("{error}"));
    println!("{summary}");
    assert!(summary.differences.is_empty(), "{summary}");
    // Rejected programs were not compared: most must have been.
    assert!(summary.agreed * 10 >= PROGRAMS * 9, "{summary}");
}
