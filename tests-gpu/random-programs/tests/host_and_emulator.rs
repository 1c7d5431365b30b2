//! Random programs on the host and on the emulator: `cargo xtask differential` runs more of them.

use std::path::PathBuf;

use random_programs::{Levels, Options, Target, replay, run};

/// Programs of this test; all of them have other seeds than those of the command's default.
const PROGRAMS: u64 = 128;
const SEED: u64 = 1 << 32;

#[test]
fn host_and_emulator_agree() {
    let record = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("recorded");
    let _ = std::fs::remove_dir_all(&record);
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
        record: Some(record.clone()),
    };
    let summary = run(&options).unwrap_or_else(|error| panic!("{error}"));
    println!("{summary}");
    assert!(summary.differences.is_empty(), "{summary}");
    // Rejected programs were not compared: most must have been.
    assert!(summary.agreed * 10 >= PROGRAMS * 9, "{summary}");
    // What is recorded gives the same once more, through the driver.
    let first = record.join(format!("{SEED}-sm90-O2.ptx"));
    let (agreed, others) = replay(&first, Target::Emulator).unwrap_or_else(|error| panic!("{error}"));
    assert!(others.is_empty() && agreed * 10 >= 32 * 9, "{agreed} agree, {others:?}");
    // Another hash is seen.
    let list = first.with_extension("agreed");
    let lines = std::fs::read_to_string(&list).unwrap();
    let (line, rest) = lines.split_once('\n').unwrap();
    let (program, _) = line.rsplit_once(' ').unwrap();
    std::fs::write(&list, format!("{program} 0\n{rest}")).unwrap();
    let (_, others) = replay(&first, Target::Emulator).unwrap();
    assert_eq!(others.len(), 1, "{others:?}");
}
