//! Scans in parts: `tests/scans/forms.c` as it is made for CPUs, compiled by clang and gcc, prints with any number of threads
//! what the original prints; and what is no scan, or may not be divided, stays and says why.

#[path = "common/programs.rs"]
mod programs;

use std::{ffi::OsString, fs, path::Path};

use loop_compiler::{
    Options, c,
    parallelize::{CPU, GPU, Machine, Original, parallelize},
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
        made.text(&Original::from(tree))
    });
    (text, strategies)
}

/// All results of a type, of integers wrapping around where the type does.
fn check(scalar: &str, more: &[&str], order: FloatOrder, threads: &[&str]) -> Vec<String> {
    let folder = Folder::new(&format!("scans-{}-{order:?}", scalar.replace(' ', "-")));
    let defined = format!("-DT={scalar}");
    let defines = [&[defined.as_str()], more].concat();
    let (text, strategies) = made(Path::new(FORMS), order, &machine(), &defines);
    // The canonical order of a reduction is not that of a scan's parts.
    let besides = |how: &Vec<String>| how[0].contains("it has a scan besides the reduction of floats");
    let kept = strategies.iter().filter(|how| besides(how)).count();
    let is_canonical = order == FloatOrder::Fixed && matches!(scalar, "float" | "double");
    assert_eq!(kept, if is_canonical { 1 } else { 0 }, "{scalar}");
    for (place, how) in strategies.iter().enumerate() {
        assert!(how[0] == "scan" || besides(how), "form {place} of {scalar}: {}", how[0]);
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

/// The order of the parts is that of the loop, and the parts do not depend on the threads.
#[test]
fn a_fixed_order_has_the_same_bits_with_any_number_of_threads() {
    for scalar in ["float", "double"] {
        let mut results = check(scalar, &["-DROUNDED"], FloatOrder::Fixed, &["1", "2", "3", "7", "64"]);
        let original = results.pop().unwrap();
        assert!(results.iter().all(|found| *found == results[0]), "{scalar}");
        assert_ne!(results[0], original, "the order is another one");
        // Up to 64 iterations are one part; what needs no second pass begins with the identity there, too.
        let short = |text: &str| -> Vec<String> {
            let is_short = |line: &&str| {
                let (name, size) = line.split_once(' ').unwrap();
                ["63 ", "64 "].contains(&&size[..3])
                    && !name.ends_with("reduction")
                    && !name.ends_with("last")
            };
            text.lines().filter(is_short).map(String::from).collect()
        };
        assert_eq!(short(&results[0]), short(&original), "{scalar}");
    }
}

/// Loops that look like scans, and why they stay.
#[test]
fn what_is_no_scan_stays_and_says_why() {
    let loops = [
        (
            "s += x[i]; y[i] = s;",
            FloatOrder::Kept,
            "floats: sums and products of floats keep their order, that of `s`",
        ),
        (
            "s = y[i] * s + x[i]; y[i] = s;",
            FloatOrder::Kept,
            "floats: a linear recurrence of floats keeps its order",
        ),
        (
            "t += a[i]; if (t > 10) t = 0; b[i] = t;",
            FloatOrder::Free,
            "dependences: loop `i` cannot be parallel: line 6 reads `t`",
        ),
        (
            "t += a[i]; a[i + 1] = t;",
            FloatOrder::Free,
            "line 6 writes `a`, and line 6 reads it at least 1 iteration later",
        ),
        ("t += b[t]; b[i] = t;", FloatOrder::Free, "operators: loop `i`"),
        (
            "b[i + 1] = b[i] + a[i]; a[i] = b[i] + 2;",
            FloatOrder::Free,
            "scans: loop `i` cannot be parallel: line 6 writes `b`",
        ),
        ("b[i + 2] = b[i] + a[i];", FloatOrder::Free, "reads it at least 2 iterations later"),
        (
            "b[i + 1] = b[i] * b[i] + a[i];",
            FloatOrder::Free,
            "dependences: loop `i` cannot be parallel: line 6 writes `b`",
        ),
        (
            "if (a[i] > 0) b[i + 1] = b[i] + a[i];",
            FloatOrder::Free,
            "an iteration does not continue with the one element of `b` of the last",
        ),
        ("t = t * t + a[i]; b[i] = t;", FloatOrder::Free, "operators: loop `i`"),
        ("t = a[i] / t; b[i] = t;", FloatOrder::Free, "operators: loop `i`"),
        ("t += a[i]; b[i] = t; if (t == 7) break;", FloatOrder::Free, "the `break` in line 6 ends the loop"),
        (
            "if (a[i] > 0) { b[t] = a[i]; t++; }",
            FloatOrder::Free,
            "line 6 writes `b`, and line 6 overwrites it",
        ),
        (
            "a[i % 3] += b[i]; b[i] = a[i % 3];",
            FloatOrder::Free,
            "`a` has several running values; a loop over them may be parallel",
        ),
        ("t = (signed char) (t + a[i]); b[i] = t;", FloatOrder::Free, "integers: loop `i`"),
    ];
    let folder = Folder::new("no-scans");
    let mut wrong = Vec::new();
    for (place, (body, order, reason)) in loops.iter().enumerate() {
        let file = folder.0.join(format!("{place}.c"));
        let text = format!(
            "int f(int n, const double *restrict x, double *restrict y, int *restrict a, int *restrict b) {{\n  double s = 0;\n  \
             int t = 0;\n  signed char c = 0;\n#pragma scop\n  for (int i = 0; i < n; i++) {{ {body} }}\n#pragma endscop\n  \
             return s + t + c;\n}}\n"
        );
        fs::write(&file, &text).unwrap();
        let (made, how) = made(&file, *order, &machine(), &[]);
        if !how[0][0].contains(reason) || made != text.as_bytes() {
            wrong.push(format!("{body}: {}", how[0][0]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Two passes by two threads take what one pass in order takes; rows are scanned side by side.
#[test]
fn the_model_knows_what_two_passes_cost() {
    let folder = Folder::new("scan-choice");
    let file = folder.0.join("choice.c");
    let text = "int f(int n, int m, const int *restrict a, int *restrict b, const int c[restrict n][m], int d[restrict n][m]) {
  int s = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    s += a[i];
    b[i] = s;
  }
#pragma endscop
#pragma scop
  for (int i = 0; i < n; i++) {
    int t = 0;
    for (int j = 0; j < m; j++) {
      t += c[i][j];
      d[i][j] = t;
    }
  }
#pragma endscop
  return s;
}
";
    fs::write(&file, text).unwrap();
    let (two, four) = (Machine { threads: 2.0, ..CPU.clone() }, Machine { threads: 4.0, ..CPU.clone() });
    for machine in [&two, &four, &*CPU, &*GPU] {
        let (_, how) = made(&file, FloatOrder::Kept, machine, &[]);
        let expected = if machine.threads > 2.0 { "scan" } else { "not chosen" };
        assert_eq!(how, [vec![expected], vec!["parallel", "not chosen"]], "{} threads", machine.threads);
    }
}
