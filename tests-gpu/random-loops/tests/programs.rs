//! Programs are legal C, the same for a seed, and have all features; findings are found, made smaller, and kept.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use random_loops::{
    Language, Node, Options, PLACES, PROVENANCES, Program, STATEMENTS, SUPPORT, SURROUNDINGS, file, reduced,
    run,
};

const LANGUAGE: Language = Language { ordered: true, signed_zeros: true };

fn programs(seeds: std::ops::Range<u64>) -> Vec<Program> {
    seeds.map(|seed| Program::new(seed, LANGUAGE)).collect()
}

#[test]
fn the_same_seed_makes_the_same_program() {
    let text = |seed| file(&programs(seed..seed + 3), true).0;
    assert_eq!(text(7), text(7));
    assert_ne!(text(7), text(8));
}

#[test]
fn every_feature_appears() {
    let mut tags = BTreeSet::new();
    programs(1..1500).iter().for_each(|program| tags.extend(program.tags()));
    let all = PROVENANCES.iter().chain(PLACES).chain(SURROUNDINGS).map(|(_, tag)| *tag);
    // A plain region adds nothing, and the flavours have weights of their own.
    let all = all.chain(STATEMENTS.iter().map(|(_, _, tag)| *tag)).filter(|tag| *tag != "plain");
    let missing: Vec<&str> = all.filter(|tag| !tags.contains(tag)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn programs_are_legal() {
    let mut programs = programs(1 << 40..(1 << 40) + 90);
    // The sanitizer takes a second name of an array for an array of its own.
    programs.retain(|program| !program.tags().contains("alias-attribute"));
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("support.h"), SUPPORT).expect("a file");
    let (text, ranges) = file(&programs, true);
    fs::write(folder.path().join("program.c"), text).expect("a file");
    let gcc = Command::new("gcc")
        .current_dir(folder.path())
        .args(["-O0", "-Wall", "-Wno-unused", "-Wno-unknown-pragmas", "-Wno-misleading-indentation"])
        .args([
            "-Wno-parentheses",
            "-Wno-dangling-else",
            "-Wno-bool-compare",
            "-Wno-type-limits",
            "-Wno-sign-compare",
        ])
        .args([
            "-Wno-bool-operation",
            "-Wno-int-in-bool-context",
            "-Wno-overflow",
            "-Wno-tautological-compare",
        ])
        .args(["-fsanitize=undefined,address,float-cast-overflow", "program.c", "-lm", "-o", "program"])
        .output()
        .expect("gcc");
    let messages = String::from_utf8_lossy(&gcc.stderr);
    assert!(gcc.status.success() && !messages.contains("warning"), "{messages}");
    let mut illegal: BTreeSet<usize> = BTreeSet::new();
    let output = Command::new("./program")
        .current_dir(folder.path())
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .output()
        .expect("the program");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("AddressSanitizer"), "{errors}");
    assert!(output.status.success(), "{errors}");
    for line in errors.lines().filter(|line| line.contains("runtime error")) {
        let number = line.split(':').nth(1).and_then(|number| number.parse().ok()).unwrap_or(0);
        illegal.extend(ranges.iter().position(|range| range.contains(&number)));
    }
    // Integers that overflow now and then are left out; the tree allows nothing else.
    assert!(illegal.len() <= 9, "{} of {}: {errors}", illegal.len(), programs.len());
}

/// Whether some line of a program contains a text.
fn has(body: &[Node], text: &str) -> bool {
    body.iter().any(|node| match node {
        Node::Line(piece) => piece.text.contains(text),
        Node::Block { body, .. } | Node::Region(body) => has(body, text),
    })
}

#[test]
fn reduction_keeps_a_property() {
    let found =
        programs(1..200).into_iter().find(|program| has(&program.body, "+= 2;") && program.size() > 40);
    let program = found.expect("such a program");
    let mut asked = 0;
    let smallest = reduced(&program, 2000, &mut |smaller| {
        asked += 1;
        has(&smaller.body, "+= 2;")
    });
    assert!(has(&smallest.body, "+= 2;"), "{smallest:?}");
    assert!(
        smallest.body.len() == 1 && smallest.calls.len() == 1 && smallest.globals.is_empty(),
        "{smallest:?}"
    );
    let few = reduced(&program, 3, &mut |smaller| has(&smaller.body, "+= 2;"));
    assert!(has(&few.body, "+= 2;") && few.size() > smallest.size() && asked > 3);
}

/// A program in place of `warpfold` that writes the file as it is, but for a change.
fn stand_in(folder: &Path, change: &str) -> PathBuf {
    let path = folder.join("stand-in");
    let text = format!("#!/bin/sh\nsed '{change}' program.c > made.c\n");
    fs::write(&path, text).expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
    path
}

fn options(folder: &Path, warpfold: PathBuf) -> Options {
    Options {
        programs: 60,
        seed: 1,
        batch: 6,
        parallel: 2,
        only: "cpu 1".into(),
        without: vec!["volatile-scalar".into()],
        folder: folder.join("campaign"),
        most_findings: 1,
        limit: None,
        tries: 30,
        tries_limit: None,
        warpfold,
        keep: None,
    }
}

#[test]
fn a_campaign_ends_and_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = options(folder.path(), stand_in(folder.path(), ""));
    let summary = run(&options).expect("a campaign");
    let all: u64 = summary.agreed.values().sum();
    assert!(summary.is_clean() && all >= 6 && summary.earlier == 0, "{summary}");
    let again = run(&options).expect("a campaign");
    assert_eq!((again.agreed, again.earlier, again.left_out), (summary.agreed, all, summary.left_out));
}

#[test]
fn a_planted_fault_is_found_and_made_smaller() {
    let folder = tempfile::tempdir().expect("a folder");
    let stand_in = stand_in(folder.path(), "s/+= 2;/+= 3;/");
    let options = Options { parallel: 1, ..options(folder.path(), stand_in) };
    let summary = run(&options).expect("a campaign");
    assert!(!summary.is_clean() && summary.findings.len() == 1, "{summary}");
    let (found, _) = summary.findings.values().next().expect("a finding");
    let text = fs::read_to_string(found.join("program.c")).expect("the program");
    assert!(
        text.contains("+= 2;") && text.contains("// expected: 0 0") && text.lines().count() < 60,
        "{text}"
    );
    // A file with a fault is not done.
    let name = found.file_name().unwrap_or_default().to_string_lossy();
    let seed: u64 = name.split('-').next().and_then(|seed| seed.parse().ok()).expect("a seed");
    let step = format!("{}+6 ", seed - (seed - 1) % 6);
    let done = fs::read_to_string(options.folder.join("done")).expect("what is done");
    assert!(!done.lines().any(|line| line.starts_with(&step)), "{done}");
}

#[test]
fn what_is_not_compiled_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = options(folder.path(), stand_in(folder.path(), "s/+= 2;/+= wrong;/"));
    let summary = run(&options).expect("a campaign");
    assert!(summary.findings.keys().any(|name| name.contains("rejects it")), "{summary}");
}
