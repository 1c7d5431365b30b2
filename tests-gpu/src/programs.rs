//! The corpus: real programs, whose results must equal those on the host.

use std::panic::{AssertUnwindSafe, catch_unwind};

use corpus::{BLOCKS, ITEMS, KERNEL, Language, OUT_WORDS, PROGRAMS, Program, THREADS};
use host_rt::OptLevel;

use crate::Fixture;

/// Levels that are compiled and run: all of them with `WARPFOLD_TEST_LEVELS=all`.
fn levels() -> &'static [OptLevel] {
    let all = std::env::var("WARPFOLD_TEST_LEVELS").is_ok_and(|levels| levels == "all");
    match all {
        true => &[OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3],
        false => &[OptLevel::O0, OptLevel::O2],
    }
}

fn check(fixture: &Fixture, program: &Program) {
    let input = corpus::input();
    let expected = program.expected(&fixture.tools, &input).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(expected.len(), ITEMS * OUT_WORDS, "{} on the host", program.name);
    for &opt in levels() {
        println!("{} {opt}", program.name);
        let ptx = program.ptx(&fixture.tools, fixture.sm(), opt).unwrap_or_else(|error| panic!("{error}"));
        let kernels = fixture.load_ptx(&ptx);
        let given = fixture.upload(&input);
        let found = fixture.upload(&vec![0_u32; expected.len()]);
        let arrays = [given.as_device_ptr().as_raw(), found.as_device_ptr().as_raw()];
        kernels.run_blocks(KERNEL, BLOCKS, THREADS, &[arrays[0], arrays[1], ITEMS as u64]);
        let found = found.as_host_vec().unwrap();
        for (item, (found, expected)) in found.chunks(OUT_WORDS).zip(expected.chunks(OUT_WORDS)).enumerate() {
            assert_eq!(found, expected, "{} at {opt}, item {item}", program.name);
        }
    }
}

fn in_language(fixture: &Fixture, language: Language) {
    fixture.deepen_stacks();
    // Every program is run before failures are reported.
    let mut failed = Vec::new();
    for program in PROGRAMS.iter().filter(|program| program.language == language) {
        if catch_unwind(AssertUnwindSafe(|| check(fixture, program))).is_err() {
            failed.push(program.name);
        }
    }
    assert!(failed.is_empty(), "failed: {}", failed.join(", "));
}

/// The programs in C.
pub fn in_c(fixture: &Fixture) {
    in_language(fixture, Language::C);
}

/// The programs in C++.
pub fn in_cpp(fixture: &Fixture) {
    in_language(fixture, Language::Cpp);
}

/// The programs in Fortran, if there is a flang.
pub fn in_fortran(fixture: &Fixture) {
    match fixture.tools.flang() {
        Ok(_) => in_language(fixture, Language::Fortran),
        Err(error) => println!("skipped: {error}"),
    }
}

/// The programs in Rust.
pub fn in_rust(fixture: &Fixture) {
    in_language(fixture, Language::Rust);
}
