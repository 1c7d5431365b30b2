//! Scans in parts: `tests/scans/forms.c` as it is made for CPUs, compiled by clang and gcc, prints with any number of threads
//! what the original prints; and what is no scan, or may not be divided, stays and says why.

#[path = "common/programs.rs"]
mod programs;

use std::{ffi::OsString, fs, path::Path};

use loop_compiler::{
    Options, c,
    parallelize::{CPU, Machine, parallelize},
    report::FloatOrder,
    rewrite,
};
use programs::{Folder, compiled, printed};

const FORMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scans/forms.c");

/// Around the parts of 64 iterations, and beyond.
const SIZES: [&str; 8] = ["0", "1", "2", "63", "64", "65", "1000", "100003"];

/// A machine on which no loop is too short for threads.
fn machine() -> Machine {
    Machine { least_work: 0, fork: 1000.0, ..CPU.clone() }
}

/// A file with parallel loops, and by region how each loop was made parallel.
fn made(
    file: &Path,
    order: FloatOrder,
    machine: &Machine,
    arguments: &[&str],
) -> (Vec<u8>, Vec<Vec<String>>) {
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let input = c::Input {
        clang: Path::new("clang-22"),
        file,
        arguments: &arguments,
        auto: false,
        assume_distinct: false,
    };
    let source = c::read(&input).unwrap();
    let mut strategies = Vec::new();
    let text = rewrite::rewritten(&source, |region| {
        // Those of other types are left out.
        let tree = region.tree.as_ref().ok()?;
        let made = parallelize(tree, order, machine, &Options::default())
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let how =
            made.alternatives.iter().map(|alternative| match (&alternative.parallel, alternative.chosen) {
                (_, true) => alternative.strategy.to_owned(),
                (Ok(_), false) => "not chosen".to_owned(),
                (Err(rejection), false) => rejection.to_string(),
            });
        strategies.push(how.collect());
        made.text(tree, None)
    });
    (text, strategies)
}

/// All results of a type, of integers wrapping around where the type does.
fn check(scalar: &str, more: &[&str], order: FloatOrder, threads: &[&str]) -> Vec<String> {
    let folder = Folder::new(&format!("scans-{}-{order:?}", scalar.replace(' ', "-")));
    let defined = format!("-DT={scalar}");
    let defines = [&[defined.as_str()], more].concat();
    let (text, strategies) = made(Path::new(FORMS), order, &machine(), &defines);
    for (place, how) in strategies.iter().enumerate() {
        assert_eq!(how[0], "scan", "form {place} of {scalar}");
    }
    let source = folder.0.join("made.c");
    fs::write(&source, text).unwrap();
    let mut results = Vec::new();
    for (compiler, options) in [
        (
            "clang-22",
            &["-O1", "-fopenmp", "-ffp-contract=off", "-fsanitize=undefined", "-fno-sanitize-recover"][..],
        ),
        (
            "gcc",
            &["-O2", "-fopenmp", "-ffp-contract=off", "-Wall", "-Wno-unknown-pragmas", "-Wno-parentheses"],
        ),
    ] {
        let program = compiled(compiler, &[options, &defines].concat(), &source);
        results.extend(threads.iter().map(|threads| printed(&program, threads, &SIZES)));
    }
    let file = folder.0.join("original.c");
    fs::copy(FORMS, &file).unwrap();
    let original = compiled("clang-22", &[&["-O1", "-ffp-contract=off"][..], &defines].concat(), &file);
    results.push(printed(&original, "1", &SIZES));
    results
}

#[test]
fn every_form_has_the_results_of_the_loop() {
    for (scalar, more) in [
        ("int", &["-DINTEGER"][..]),
        ("unsigned", &["-DINTEGER", "-DUNSIGNED"]),
        ("long", &["-DINTEGER"]),
        ("float", &[]),
        ("double", &[]),
    ] {
        let order = if scalar == "long" { FloatOrder::Fixed } else { FloatOrder::Free };
        let results = check(scalar, more, order, &["1", "2", "7"]);
        let original = results.last().unwrap();
        assert!(original.lines().count() >= 21 * SIZES.len(), "{original}");
        for found in &results {
            let differences =
                found.lines().zip(original.lines()).filter(|(found, original)| found != original);
            let differences: Vec<_> = differences.collect();
            assert!(differences.is_empty() && found.len() == original.len(), "{scalar}: {differences:?}");
        }
    }
}
