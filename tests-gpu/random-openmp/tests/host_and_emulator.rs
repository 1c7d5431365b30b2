//! Random programs on the host and on the emulator: `cargo xtask openmp-programs` runs more of them.

use std::path::PathBuf;

use random_openmp::{Case, Language, MODES, Options, program, run};
use tests_gpu::offload;

/// Programs of this test; they have other seeds than those of the command's default.
const PROGRAMS: u64 = 40;
const SEED: u64 = 1 << 32;

#[test]
fn host_and_emulator_agree() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder").keep();
    let options = Options {
        programs: PROGRAMS,
        seed: SEED,
        modes: MODES[..2].to_vec(),
        batch: 20,
        parallel: 2,
        driver: offload::driver(),
        folder: PathBuf::from(&folder),
        most_differences: 3,
    };
    let summary = run(&options).unwrap_or_else(|error| panic!("{error}"));
    println!("{summary}");
    assert!(summary.differences.is_empty(), "{summary}");
    assert_eq!((summary.agreed, summary.earlier), (2 * PROGRAMS, 0), "{summary}");
    // A second run finds that all is done.
    let again = run(&options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((again.agreed, again.earlier), (2 * PROGRAMS, 2 * PROGRAMS), "{again}");
    std::fs::remove_dir_all(folder).expect("the folder");
}

#[test]
fn the_same_seed_makes_the_same_program() {
    for cpp in [false, true] {
        let language = Language { cpp, by_value: true, loop_reductions: true };
        let text = |seed| program(&[Case::new(seed, language)]);
        assert_eq!(text(7), text(7));
        assert_ne!(text(7), text(8));
    }
}
